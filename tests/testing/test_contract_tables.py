"""The contract's tables are compared with the protocols: a new method cannot be forgotten."""

import inspect

from recollect.protocols import Store, powers
from recollect.testing.contract.closing import CALLS, POWER_CALLS


def methods(role):
    """The public methods of a protocol."""
    return {name for name, it in vars(role).items() if inspect.isfunction(it) and not name.startswith("_")}


def test_every_method_of_a_store_is_called_when_it_is_closed():
    assert set(CALLS) == methods(Store) - {"close"}


def test_every_method_of_every_power_is_called_when_the_store_is_closed():
    roles = [it for it in vars(powers).values() if inspect.isclass(it) and it.__module__ == powers.__name__]
    assert len(roles) > 1
    assert {(role, name) for role in roles for name in methods(role)} == {
        (role, name) for name, (role, _) in POWER_CALLS.items()
    }
