"""Long work on a whole store: vectors exchanged, indexes mended, backups brought back, copies, formats."""

from recollect.memory.maintenance.copying import copy_store
from recollect.memory.maintenance.files import Progress, store_file
from recollect.memory.maintenance.migrating import Migration, distribute, make_vector_index, migrate
from recollect.memory.maintenance.reembed import Reembedding, reembed
from recollect.memory.maintenance.reindex import reindex
from recollect.memory.maintenance.restore import restore
from recollect.memory.maintenance.syncing import SyncResult, sync_stores
from recollect.stores.copy.moving import CopyResult

__all__ = [
    "CopyResult",
    "Migration",
    "Progress",
    "Reembedding",
    "SyncResult",
    "copy_store",
    "distribute",
    "make_vector_index",
    "migrate",
    "reembed",
    "reindex",
    "restore",
    "store_file",
    "sync_stores",
]
