"""Long work on a whole store: vectors exchanged, indexes mended, backups brought back, copies, formats."""

from recollect.maintenance.copying import copy_store
from recollect.maintenance.files import Progress, store_file
from recollect.maintenance.migrating import Migration, distribute, make_vector_index, migrate
from recollect.maintenance.reembed import Reembedding, reembed
from recollect.maintenance.reindex import reindex
from recollect.maintenance.restore import restore
from recollect.stores.moving import CopyResult

__all__ = [
    "CopyResult",
    "Migration",
    "Progress",
    "Reembedding",
    "copy_store",
    "distribute",
    "make_vector_index",
    "migrate",
    "reembed",
    "reindex",
    "restore",
    "store_file",
]
