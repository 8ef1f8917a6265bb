"""Documents: files and texts in chunks, found and cited beside what was said.

``Memory.documents`` is the way in. A document is stored whole or not at all, and a changed one takes the
place of the old in one step, as searches see it.
"""

from recollect.documents.citing import Citation
from recollect.documents.library import Documents
from recollect.documents.records import Document, DocumentResult

__all__ = ["Citation", "Document", "DocumentResult", "Documents"]
