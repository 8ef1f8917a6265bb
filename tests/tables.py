"""Tables of cases: one test that checks every row and names each row that fails."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def table(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each row of a table, as ONE test; ``pytest.mark.parametrize`` makes one of each row.

    For rows that share nothing a test could change: a fixture is made once for all of them.

    Args:
        names: The parameters that a row fills, divided by commas.
        rows: A tuple for several names, the value itself for one.

    Raises:
        BaseExceptionGroup: Some rows failed; each error carries its row as a note.
    """
    filled = [name.strip() for name in names.split(",")]
    cases = [row if len(filled) > 1 else (row,) for row in rows]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every_row(**given: Any) -> None:
            errors = [
                error for row in cases if (error := failure(test, dict(zip(filled, row, strict=True)), given))
            ]
            if errors:
                raise BaseExceptionGroup(f"{len(errors)} of {len(cases)} rows fail", errors)

        signature = inspect.signature(test)
        left = [it for name, it in signature.parameters.items() if name not in filled]
        every_row.__signature__ = signature.replace(parameters=left)
        return every_row

    return decorate


def failure(test: Callable[..., None], row: dict[str, Any], given: dict[str, Any]) -> BaseException | None:
    """What a test raises on a row, with the row as a note."""
    try:
        test(**row, **given)
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 (whatever a row raises is its failure)
        error.add_note(f"row: {row!r}")
        return error
    return None
