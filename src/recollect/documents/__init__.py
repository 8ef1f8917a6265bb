"""Documents: files and texts, stored in chunks, searched and cited.

``Memory.documents`` is the entry point. A document is stored completely or not at all, and searches see a new
version replace the old one atomically.
"""

from recollect.documents.citing import Citation
from recollect.documents.library import Documents
from recollect.documents.records import Document, DocumentResult

__all__ = ["Citation", "Document", "DocumentResult", "Documents"]
