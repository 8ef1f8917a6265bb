"""Methods that call the method of the same name on a part of the object."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def of_part(part: str, method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A method with the signature and docstring of a role's, which the attribute ``part`` carries out.

    >>> from recollect.protocols.states import StateStore
    >>> class Store:
    ...     state = of_part("_states", StateStore.state)
    """

    @wraps(method, updated=())
    def call(self: object, /, *args: P.args, **kwargs: P.kwargs) -> T:
        found: T = getattr(getattr(self, part), method.__name__)(*args, **kwargs)
        return found

    return call
