"""The contract and the state machine that are shipped find stores that do not do what they say.

That a sound store passes both is seen in ``tests/stores``, where every store is held to them.
"""

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.testing import broken

from recollect.testing import store_machine

pytest_plugins = "pytester"

ALL = (
    "OfAllSessions", "OfAllUsers", "NothingDeleted", "NothingPurged", "NoHistory", "NoKeys", "HalfUpdated",
    "ShadowOfTheDead", "NoLeases", "OneStateForAll",
)  # fmt: skip
FOUND_SOON = ("OfAllSessions", "OfAllUsers", "NothingDeleted", "NoKeys", "OneStateForAll")
"""By a few examples of the state machine; the others take it minutes."""


@pytest.mark.parametrize("name", ALL)
def test_the_contract_finds_it(name: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        f"""
        import pytest
        from recollect.testing import StoreContract
        from tests.testing.broken import {name}

        class TestBroken(StoreContract):
            @pytest.fixture
            def store(self):
                return {name}()
        """
    )
    # What thousands of memories find, few find as well; they would take half of the time.
    told = ("-x", "-p", "no:cacheprovider", "-k", "not thousands")
    found = pytester.runpytest_inprocess(*told).parseoutcomes()
    assert found["failed"] == 1
    assert "errors" not in found


@pytest.mark.parametrize("name", FOUND_SOON)
def test_the_state_machine_finds_it(name: str) -> None:
    looking = settings(
        max_examples=300, phases=[Phase.generate], derandomize=True, database=None, deadline=None
    )
    with pytest.raises(AssertionError):
        run_state_machine_as_test(store_machine(getattr(broken, name)), settings=looking)
