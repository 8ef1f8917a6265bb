"""Long work on a whole store: exchanging its vectors, mending its indexes, bringing a backup back."""

from recollect.maintenance.files import Progress, store_file
from recollect.maintenance.reembed import Reembedding, reembed
from recollect.maintenance.reindex import reindex
from recollect.maintenance.restore import restore

__all__ = ["Progress", "Reembedding", "reembed", "reindex", "restore", "store_file"]
