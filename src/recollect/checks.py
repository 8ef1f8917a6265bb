"""Checks of what callers pass in. Each raises ``InvalidInputError`` and says what to do."""

import json
import numbers
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import cache
from pathlib import Path
from sys import float_info
from types import UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from recollect.errors import InvalidInputError, as_given
from recollect.types import JSON, KINDS, PRIORITIES, TIERS, Kind, Labels, Priority, Scope, Tier, Within
from recollect.types.characters import without_controls
from recollect.types.iso import iso_text
from recollect.types.regex import lazy_regex

if TYPE_CHECKING:  # it loads NumPy
    from recollect.protocols import Clock, TokenCounter

MAX_CONTENT_CHARS: Final = 1_000_000
"""Characters in one memory. More is a document to be split, not a memory. Chosen by hand."""
MAX_ID_CHARS: Final = 256
"""Characters in a user, agent or session id. Chosen by hand."""
MAX_NAME_CHARS: Final = 10_000
"""Characters in a speaker, a tag, a reason or an idempotency key. Chosen by hand."""
MAX_METADATA_CHARS: Final = 1_000_000
"""Characters of a memory's metadata as JSON, as many as its words may have. Chosen by hand."""
MAX_METADATA_DEPTH: Final = 100
"""Lists and mappings inside each other in metadata. Chosen by hand; Python's own limit is about 300."""
_MILLISECONDS: Final = (100_000_000_000, 253_402_300_800_000)
"""Between these a number of milliseconds lies from March 1973 to the year 9999; one of seconds is of the year
5138 and later, which nobody means. Chosen by hand."""
MAX_PATH_BYTES: Final = 4_096
"""Bytes of a path, as many as Linux takes, and it takes most."""
_OFFSET: Final = lazy_regex(r"UTC([+-])([01]\d|2[0-3]):([0-5]\d)")
"""A zone without a name: how far it is ahead of UTC."""
CONTEXT_THRESHOLD: Final = 0.08
"""Least score of what goes into a prompt. Where nothing fits, the best of a few memories score 0.02 to 0.1;
of the answering turns found among the first ten on LoCoMo and BEAM 99 in 100 score over 0.15."""
CORE_SHARE: Final = 0.25
"""The part of a context's budget that its core may fill. Chosen by hand: of 1,500 tokens 35 short lines."""
_FEW_WORDS: Final = "How are you?"
_COUNTER: Final = (
    "the token counter must be a function that gives how many tokens a text has, such as estimate_tokens or "
    "one that recollect.context.counting makes by name"
)
_INT64: Final = 2**63
MAX_TOP_K: Final = 10_000
"""Recollections one search may return. Chosen by hand."""
NO_LIMIT: Final = 1 << 62
"""More than any store holds."""

_Checked = TypeVar("_Checked")
_Name = TypeVar("_Name", bound=str)


def if_given(check: Callable[[str, object], _Checked], where: str, value: object) -> _Checked | None:
    """What a check makes of a value; None of None."""
    return None if value is None else check(where, value)


def check_scope(user_id: object, agent_id: object = None, session_id: object = None) -> Scope:
    """The scope these ids name."""
    return Scope(
        user_id=check_id("user_id", user_id),
        agent_id=if_given(check_id, "agent_id", agent_id),
        session_id=if_given(check_id, "session_id", session_id),
    )


def check_id(name: str, value: object) -> str:
    """An id: a text of 1 to 256 printable characters."""
    if not isinstance(value, str):
        instead = f"; use str({name})" if isinstance(value, (int, UUID)) else ""
        if isinstance(getattr(value, "id", None), str):
            instead = "; use its .id"
        raise InvalidInputError(f"{name} must be a string, not {as_given(value)}{instead}")
    if not value.strip():
        raise InvalidInputError(f"{name} is blank; name the one you mean")
    if len(value) > MAX_ID_CHARS:
        raise InvalidInputError(f"{name} has {len(value)} characters; the limit is {MAX_ID_CHARS}")
    if not value.isprintable():
        raise InvalidInputError(f"{name} {as_given(value)} contains unprintable characters; remove them")
    return value


def check_query(value: object) -> str:
    """A question, checked like the words of a memory."""
    return check_content("query", value, blank="give it words")


def check_content(where: str, value: object, *, blank: str = "leave the item out or give it words") -> str:
    """The words of a memory, without control characters but tabs and line breaks."""
    if isinstance(value, str) and len(value) > MAX_CONTENT_CHARS:
        raise InvalidInputError(
            f"{where} has {len(value):,} characters; the limit is {MAX_CONTENT_CHARS:,}: split it into parts"
        )
    words = without_controls(check_text(where, value))
    if not words.strip():
        raise InvalidInputError(f"{where} is blank; {blank}")
    return words


def check_text(where: str, value: object) -> str:
    """A text that every store can keep."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{where} must be a text, not {as_given(value)}")
    if "\0" in value:
        raise InvalidInputError(f"{where} contains a NUL character; remove it with text.replace('\\0', '')")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInputError(
            f"{where} contains half of a surrogate pair, which is not a character; decode its source as "
            "UTF-8 with errors='replace'"
        ) from None
    return value


def check_name(where: str, value: object) -> str | None:
    """A short optional text such as a speaker's name, without control characters as in words."""
    name = check_key(where, value)
    if name is None:
        return None
    shown = without_controls(name)
    if not shown.strip():
        raise InvalidInputError(f"{where} has only control characters; leave it out or give it words")
    return shown


def check_key(where: str, value: object) -> str | None:
    """A short optional text that is only compared, and so kept as it is."""
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{where} must be a text that is not blank, or None; not {as_given(value)}")
    if len(value) > MAX_NAME_CHARS:
        raise InvalidInputError(f"{where} has {len(value):,} characters; the limit is {MAX_NAME_CHARS:,}")
    return check_text(where, value)


def check_token_counter(value: object) -> "TokenCounter":
    """A function that counts the tokens of a text; those of a few words are counted to see that it does."""
    if not callable(value):
        raise InvalidInputError(f"{_COUNTER}, not {as_given(value)}")
    given = value(_FEW_WORDS)
    if isinstance(given, bool) or not isinstance(given, numbers.Real) or not 0 <= given <= float_info.max:  # type: ignore[operator]
        raise InvalidInputError(f"{_COUNTER}; of {_FEW_WORDS!r} it gave {as_given(given)}")
    counter: TokenCounter = value
    return counter


def check_clock(value: object) -> "Clock":
    """A function that returns the present moment; it is asked once to see that it does."""
    if not callable(value):
        raise InvalidInputError(f"clock must be a function that returns a datetime, not {as_given(value)}")
    if not isinstance(now := value(), datetime):
        raise InvalidInputError(f"clock must return a datetime, not {as_given(now)}")
    clock: Clock = value
    return clock


def check_path(where: str, value: str | os.PathLike[str]) -> Path:
    """A path that a file can have: of at most 4,096 bytes."""
    try:
        name = os.fsencode(value)
    except (UnicodeEncodeError, TypeError):
        name = b""
    if not name.strip() or b"\0" in name or len(name) > MAX_PATH_BYTES:
        raise InvalidInputError(f"{where} must be the path of a file, not {as_given(value)}")
    return Path(value)


def path_in_words(path: str | os.PathLike[str]) -> str:
    """A path as a message may have it: U+FFFD stands for what is no character."""
    return os.fsencode(path).decode(errors="replace")


def check_time(where: str, value: object) -> datetime:
    """A moment: a ``datetime``, a ``date``, ISO 8601 text or seconds since 1970; without a zone it is UTC."""
    if isinstance(value, (int, float)) and _MILLISECONDS[0] < value < _MILLISECONDS[1]:
        raise InvalidInputError(f"{where} {as_given(value)} is in milliseconds: divide by 1000")
    try:
        moment = _moment(value)
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, OSError, TypeError):
        raise InvalidInputError(
            f"{where} {as_given(value)} is not a time; write it as 2026-05-01T10:00:00Z"
        ) from None
    return moment


def _moment(value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, str):
        return datetime.fromisoformat(value.strip())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return datetime.fromtimestamp(value, UTC)
    raise TypeError


def check_metadata(where: str, value: object) -> dict[str, JSON]:
    """Free metadata: a mapping of texts to what JSON can hold; a deep copy. Dates become ISO 8601 text."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidInputError(f"{where} must be a mapping with text keys, not {as_given(value)}")
    _check_parts(where, value, depth=0)
    try:
        dumped = json.dumps(dict(value), allow_nan=False, ensure_ascii=False, default=_written)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(f"{where} cannot be written as JSON: {error}") from None
    if len(dumped) > MAX_METADATA_CHARS:
        raise InvalidInputError(
            f"{where} has {len(dumped):,} characters as JSON; the limit is {MAX_METADATA_CHARS:,}: keep "
            "large data elsewhere and store where it is"
        )
    copied: dict[str, JSON] = json.loads(dumped)
    return copied


def _written(value: object) -> str:
    if isinstance(value, date):
        return iso_text(value)
    raise TypeError(f"{as_given(value)} is not a text, number, list or mapping; write it as text")


def _check_parts(where: str, value: object, *, depth: int) -> None:
    if isinstance(value, str):
        check_text(where, value)
    elif isinstance(value, (Mapping, list, tuple)):
        if depth > MAX_METADATA_DEPTH:
            raise InvalidInputError(
                f"{where} goes deeper than {MAX_METADATA_DEPTH} levels, or contains itself; make it flatter"
            )
        for part in [*value, *value.values()] if isinstance(value, Mapping) else value:
            _check_parts(where, part, depth=depth + 1)


def check_share(where: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InvalidInputError(f"{where} must be a number from 0 to 1, not {as_given(value)}")
    if not 0 <= value <= 1:  # type: ignore[operator]
        raise InvalidInputError(f"{where} must be a number from 0 to 1, not {as_given(value)}")
    return float(value)


def check_count(where: str, value: object, *, most: int, least: int = 1) -> int:
    """A whole number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not least <= int(value) <= most:
        raise InvalidInputError(
            f"{where} must be a whole number from {least} to {most:,}, not {as_given(value)}"
        )
    return int(value)


def check_limit(value: object) -> int | None:
    """A ``limit`` of what is listed; None for all."""
    return None if value is None else check_count("limit", value, most=NO_LIMIT)


def check_within(value: object) -> Within:
    """Where a question looks; everywhere when None."""
    if value is not None and not isinstance(value, Within):
        raise InvalidInputError(f"within must be a Within, such as Within(since=...), not {as_given(value)}")
    within = value or Within()
    since = if_given(check_time, "since", within.since)
    until = if_given(check_time, "until", within.until)
    if since and until and since > until:
        raise InvalidInputError(
            f"since ({since:%Y-%m-%d %H:%M}) is later than until ({until:%Y-%m-%d %H:%M}); swap them"
        )
    return within


def check_labels(value: object) -> Labels:
    """What an update sets; nothing when None."""
    if value is not None and not isinstance(value, Labels):
        raise InvalidInputError(f"labels must be Labels, such as Labels(tags=[...]), not {as_given(value)}")
    return value or Labels()


def check_place(where: str, value: object) -> tuple[datetime, str]:
    """A moment, and the id of what happened then."""
    if not isinstance(value, tuple) or len(value) != 2:  # noqa: PLR2004 - a moment and an id
        raise InvalidInputError(f"{where} must be a moment and an id, not {type(value).__name__}")
    moment, memory_id = value
    return check_time(where, moment), check_id(where, memory_id)


def timezone_name(zone: tzinfo) -> str | None:
    """The name by which ``check_timezone`` finds a time zone again; None where it has none.

    >>> timezone_name(ZoneInfo("Europe/Berlin")), timezone_name(timezone(timedelta(hours=-3)))
    ('Europe/Berlin', 'UTC-03:00')
    """
    name = str(zone)
    try:
        return name if check_timezone(name) == zone else None
    except InvalidInputError:
        return None


def check_timezone(value: object) -> tzinfo:
    """A time zone, or the name of one such as ``Europe/Berlin`` or ``UTC+02:00``."""
    if isinstance(value, tzinfo):
        return value
    if value == "UTC":
        return UTC
    if isinstance(value, str) and (ahead := _OFFSET.fullmatch(value)):
        hours, minutes = int(f"{ahead[1]}{ahead[2]}"), int(f"{ahead[1]}{ahead[3]}")
        return timezone(timedelta(hours=hours, minutes=minutes))
    try:
        return ZoneInfo(value)  # type: ignore[arg-type]
    except (ZoneInfoNotFoundError, ValueError, TypeError, OSError):
        raise InvalidInputError(
            f"timezone {as_given(value)} is unknown; give a name such as 'Europe/Berlin' or a tzinfo"
        ) from None


def check_seconds(where: str, value: object) -> float:
    """A number of seconds of at least 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= value <= float_info.max:  # type: ignore[operator]
        raise InvalidInputError(f"{where} must be a number of at least 0, not {as_given(value)}")
    return float(value)


def check_one_of(where: str, value: object, known: Sequence[_Name]) -> _Name:
    """One of some names."""
    for name in known:
        if isinstance(value, str) and value == name:
            return name
    raise InvalidInputError(f"{where} {as_given(value)} is unknown; known are {', '.join(known)}")


def check_some_of(where: str, value: object, known: Sequence[_Name]) -> tuple[_Name, ...] | None:
    """A list of some of these names; None for None."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence):
        such = value if isinstance(value, str) and value in known else known[-1]
        raise InvalidInputError(f"{where}s must be a list such as [{such!r}], not {as_given(value)}")
    return tuple(check_one_of(where, one, known) for one in value)


def check_kind(where: str, value: object) -> Kind:
    """One of the kinds of memory."""
    return check_one_of(where, value, KINDS)


def check_kinds(value: object) -> tuple[Kind, ...] | None:
    """Some kinds of memory; None for all."""
    return check_some_of("kind", value, KINDS)


def check_priority(where: str, value: object) -> Priority:
    """One of the priorities."""
    return check_one_of(where, value, PRIORITIES)


def check_tier(where: str, value: object) -> Tier:
    """One of the tiers of memories."""
    return check_one_of(where, value, TIERS)


def check_tiers(value: object) -> tuple[Tier, ...] | None:
    """Some tiers of memories; None for the tiers that are searched by default."""
    return check_some_of("tier", value, TIERS)


def check_ids(where: str, value: object) -> tuple[str, ...]:
    """Ids of memories."""
    return tuple(check_id(f"an id in {where}", one) for one in _listed(where, value))


def check_one_or_more(where: str, value: object) -> list[str]:
    """The id of a memory, or a list of ids: each once."""
    several = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    return list(dict.fromkeys(check_ids(where, value) if several else [check_id(where, value)]))


def check_names(where: str, value: object) -> tuple[str, ...]:
    """Names: texts that are not blank."""
    return tuple(check_name(f"a name in {where}", one) or "" for one in _listed(where, value))


def _listed(where: str, value: object) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{where} must be a list of texts, not {as_given(value)}")
    return value


def check_all(where: str, value: object, *, kind: type) -> None:
    """A list, all of whose parts are of a kind."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{where} must be a list of {kind.__name__}, not {as_given(value)}")
    for one in value:
        if not isinstance(one, kind):
            raise InvalidInputError(f"{where} must hold {kind.__name__} only, not {as_given(one)}")


def check_bool(where: str, value: object) -> bool:
    """True or False and nothing like it."""
    if not isinstance(value, bool):
        raise InvalidInputError(f"{where} must be True or False, not {as_given(value)}")
    return value


def check_fields(where: str, value: object) -> None:
    """What was read from a file, as a dataclass of ours: every field holds what its type says."""
    for name, hint in _hints(type(value)).items():
        field = getattr(value, name)
        if name == "metadata":
            check_metadata(f"{where} {name}", field)
        elif name in ("importance", "confidence"):
            check_share(f"{where} {name}", field)
        elif is_dataclass(hint):
            check_fields(f"{where} {name}", field)
        elif not _fits(field, hint):
            raise InvalidInputError(f"{where} {name} cannot be {as_given(field)}")


_read_hints = cache(get_type_hints)


def _hints(kind: Any) -> dict[str, Any]:
    return _read_hints(kind)


def _fits(value: Any, hint: Any) -> bool:
    arguments = get_args(hint)
    if get_origin(hint) is Literal:
        return value in arguments
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, argument) for argument in arguments)
    if get_origin(hint) is tuple:
        sized = Ellipsis in arguments or (isinstance(value, tuple) and len(value) == len(arguments))
        return sized and isinstance(value, tuple) and all(_fits(item, arguments[0]) for item in value)
    if get_origin(hint) is Mapping:
        names, values = arguments
        return isinstance(value, Mapping) and all(
            _fits(name, names) and _fits(one, values) for name, one in value.items()
        )
    if isinstance(hint, type) and is_dataclass(hint):
        return isinstance(value, hint) and all(
            _fits(getattr(value, name), kind) for name, kind in _hints(hint).items()
        )
    if hint in (int, float):
        return isinstance(value, (int, hint)) and not isinstance(value, bool) and abs(value) < _INT64
    if hint is str and isinstance(value, str):
        check_text("a text", value)
    return isinstance(value, hint)
