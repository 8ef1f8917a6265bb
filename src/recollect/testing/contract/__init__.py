"""One suite that every store must pass.

A backend's test file is as short as::

    class TestMyStore(StoreContract):
        @pytest.fixture
        def store(self):
            store = MyStore(...)
            yield store
            store.close()

Tests of optional powers (see ``recollect.protocols.powers``) are skipped, with the reason, for a store
without them; ``reopen`` is overridden by stores that last.
"""

from recollect.testing.contract.adding import AddingContract
from recollect.testing.contract.changing import ChangingContract
from recollect.testing.contract.closing import ClosingContract
from recollect.testing.contract.copying import CopyContract
from recollect.testing.contract.filtering import FilteringContract
from recollect.testing.contract.isolation import IsolationContract
from recollect.testing.contract.jobs import JobContract
from recollect.testing.contract.nearest import NearestContract
from recollect.testing.contract.reading import ReadingContract
from recollect.testing.contract.removing import RecoveryContract, RemovingContract
from recollect.testing.contract.shadowing import ShadowContract
from recollect.testing.contract.state import LinkContract, StateContract
from recollect.testing.contract.statistics import StatisticsContract
from recollect.testing.contract.text import TextContract
from recollect.testing.contract.threads import ThreadContract
from recollect.testing.contract.vectors import VectorContract


class StoreContract(
    AddingContract,
    ReadingContract,
    ClosingContract,
    FilteringContract,
    ChangingContract,
    RemovingContract,
    RecoveryContract,
    IsolationContract,
    ShadowContract,
    StatisticsContract,
    StateContract,
    ThreadContract,
    LinkContract,
    JobContract,
    TextContract,
    NearestContract,
    VectorContract,
    CopyContract,
):
    """Everything ``recollect.protocols`` asks of a store, as tests; inherit it and override ``store``."""


__all__ = ["StoreContract"]
