"""A sound file out of a damaged one: the rows that can be read, and the names of those that cannot."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

from recollect.errors import StoreCorruptError
from recollect.stores.sql.rows import WRITTEN
from recollect.stores.sqlite.checksum import SEALED, is_sound, row_checksum
from recollect.stores.sqlite.pages import PageRow, Pages
from recollect.stores.sqlite.where import fetch
from recollect.stores.sqlite.writing import log_rows, put_setting
from recollect.types.records import LINK_TYPES

LOST: Final = "lost"
"""The setting that holds what the last rebuild could not save: a JSON list of the kept file, then lines."""
_LISTED: Final = 1_000
"""Lost memories that are named one by one; the others are counted. Chosen by hand."""
_TABLES: Final = ("users", "memories", "changes", "jobs", "states")
"""What is known by the shape of its rows; links and settings lie in trees without rowids."""
_NAMES: Final = {
    "changes": "change {version} of the history",
    "jobs": "job {id} ({task})",
    "states": "the state {name!r}",
}
_MAKERS: Final = ("analyser", "embedder")
"""Settings of every file that has memories."""
_PLACES: Final = {"changes": ("version",), "jobs": ("id",), "states": ("user", "name")}
_JSON: Final = {"changes": ("before", "after"), "jobs": ("payload",)}
_LARGEST: Final = 1 << 53
"""A larger number in ``sqlite_sequence`` is damage. Chosen by hand."""
_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    "INTEGER": int,
    "TEXT": str,
    "REAL": (int, float),
    "BLOB": bytes,
}

Values = dict[str, Any]
"""A row by the names of its columns."""


class _Column(NamedTuple):
    name: str
    type: str
    may_be_null: bool


class _Finds:
    """The rows found in a damaged file, by table; memories only with the right checksum."""

    def __init__(self, pages: Pages, shapes: dict[str, list[_Column]]) -> None:
        self._shapes = shapes
        self._rows: dict[str, list[Values]] = {table: [] for table in _TABLES}
        self.settings: dict[str, str] = {}
        self._damaged_settings: set[str] = set()
        self.sequences: dict[str, int] = {}
        roots: dict[str, int] = {}
        indexed: dict[int, set[str]] = {}
        for row in pages.rows():
            self._sort(row, roots, indexed)
        self._ids = {
            key: (user, memory_id)
            for user, memory_id, key in _entries(pages, roots.get("memories_by_id"), (int, str, int))
        }
        self.links = [
            one for one in _entries(pages, roots.get("links"), (int, int, str)) if one[2] in LINK_TYPES
        ]
        self.memories = {row["key"]: row for row in self._sound(indexed)}
        self.users = self._users
        if "embedder" not in self.settings:  # whoever makes the vectors now may make them longer
            self.settings.pop("dimensions", None)
        self.changes = self._sealed("changes")
        self.jobs = [row for row in self._sealed("jobs") if row["user"] in self.users]
        self.states = [row for row in self._sealed("states") if row["user"] in self.users]

    def _sealed(self, table: str) -> list[Values]:
        """The rows of a table that are as they were written."""
        return [
            row
            for row in self._rows[table]
            if row_checksum([row[name] for name in SEALED[table]]) == row["checksum"]
        ]

    def _seal(self, table: str, key: int, values: Sequence[Any]) -> None:
        """Take a row from a file that has no checksums of this table yet, and give it one."""
        row = _named(self._shapes[table][:-1], key, values)
        if row is not None and _parses(table, row):
            sealed = row_checksum([row[name] for name in SEALED[table]])
            self._rows[table].append(row | {"checksum": sealed})

    def _sort(self, row: PageRow, roots: dict[str, int], indexed: dict[int, set[str]]) -> None:
        match row.key, row.values:
            case None, (str(name), str(value), *checksum) if all(isinstance(one, int) for one in checksum):
                self._set(name, value, *checksum)
            case None, (str(user), int(key)):
                indexed.setdefault(key, set()).add(user)
            case int(), (str(), str(name), str(), int(root), _):
                roots[name] = root
            case int(), (str(name), int(last)) if last < _LARGEST:
                self.sequences[name] = last
            case int(key), values:
                for table in _TABLES:
                    if (named := _named(self._shapes[table], key, values)) is not None:
                        self._rows[table].append(named)
                for table in SEALED:
                    self._seal(table, key, values)

    def _set(self, name: str, value: str, checksum: int | None = None) -> None:
        """Take a setting; earlier formats have no checksums of settings."""
        if checksum in (None, row_checksum((name, value))):
            self.settings[name] = value
        else:
            self._damaged_settings.add(name)

    def _sound(self, indexed: dict[int, set[str]]) -> Iterator[Values]:
        """The memories that are as they were written, each under the user whom its checksum confirms."""
        names = {key: set(some) for key, some in indexed.items()}
        self._users: dict[int, str] = {}
        for row in self._rows["users"]:
            names.setdefault(row["key"], set()).add(row["user_id"])
            self._users[row["key"]] = row["user_id"]
        for row in self._rows["memories"]:
            for name in names.get(row["user"], ()):
                if _is_sound(name, row):
                    self._users[row["user"]] = name
                    yield row
                    break

    def lost(self) -> list[str]:
        """What was in the file and cannot be read, one line each."""
        purged = {row["key"] for row in self.changes if row["action"] == "purge"}
        seen = {
            row["key"] for table in ("memories", "changes") for row in self._rows[table]
        } | self._ids.keys()
        found = {row["key"]: (row["user"], row["id"]) for row in self._rows["memories"]} | self._ids
        saved = {row["id"] for row in self.memories.values()}
        gone = sorted(key for key in seen - purged - self.memories.keys() if 0 < key < _LARGEST)
        named = [(key, *found.get(key, (0, ""))) for key in gone]
        lines = [self._line(*one) for one in named if one[2] not in saved]
        return list(dict.fromkeys([*lines, *self._others()]))

    def _others(self) -> Iterator[str]:
        """Changes, jobs, states and settings that are not as they were written."""
        for table, saved in (("changes", self.changes), ("jobs", self.jobs), ("states", self.states)):
            sound = {_place(table, row) for row in saved}
            for row in self._rows[table]:
                if _place(table, row) not in sound:
                    yield _NAMES[table].format(**row)
        for name in sorted(self._damaged_settings.union(_MAKERS) - self.settings.keys()):
            yield f"the setting {name!r}"

    def _line(self, key: int, user: int, memory_id: str) -> str:
        whose = f" of user {self.users[user]!r}" if user in self.users else ""
        return f"memory {memory_id!r}{whose}" if memory_id else f"the memory of row {key}"


def salvage(damaged: Path, db: apsw.Connection, *, kept: Path) -> None:
    """Fill a new file, inside a transaction, with what can be read of a damaged one.

    Features, text index and counts stay empty: a rebuild makes them.

    Args:
        damaged: The file to read, its log beside it.
        db: The new file.
        kept: Where the damaged file will lie afterwards; it is noted with what is lost.

    Raises:
        StoreCorruptError: No memory can be read.
    """
    finds = _Finds(Pages(damaged), {table: _shape(db, table) for table in _TABLES})
    if not finds.memories:
        raise StoreCorruptError(
            f"no memory can be read from {damaged}; restore a backup with 'recollect restore'"
        )
    _insert(db, "users", [{"key": key, "user_id": name} for key, name in finds.users.items()])
    _insert(db, "memories", finds.memories.values())
    _insert(db, "changes", finds.changes)
    known = {row["key"] for row in finds.changes}
    for row in finds.memories.values():
        if row["key"] not in known:
            log_rows(db, [(row["user"], row["key"], row["created_at"], "add", None, None, None)])
    ends = [one for one in finds.links if finds.memories.keys() >= {one[0], one[1]}]
    _insert(db, "links", [dict(zip(("source", "target", "type"), one, strict=True)) for one in ends])
    _insert(db, "jobs", finds.jobs)
    _insert(db, "states", finds.states)
    for name, value in finds.settings.items():
        put_setting(db, name, value)
    for name, last in finds.sequences.items():
        db.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (last, name))
    lines = finds.lost()
    more = [f"and {len(lines) - _LISTED:,} more"] if len(lines) > _LISTED else []
    if lines:
        put_setting(db, LOST, json.dumps([str(kept), *lines[:_LISTED], *more]))


def _place(table: str, row: Values) -> tuple[Any, ...]:
    """What tells a row of a table from the others."""
    return tuple(row[name] for name in _PLACES[table])


def _shape(db: apsw.Connection, table: str) -> list[_Column]:
    rows = fetch(db, 'SELECT name, type, "notnull" FROM pragma_table_info(?)', (table,))
    return [_Column(name, kind, not required) for name, kind, required in rows]


def _named(shape: Sequence[_Column], key: int, values: Sequence[Any]) -> Values | None:
    """The row of a table, when the values could be one."""
    if len(values) != len(shape):
        return None
    named: Values = {}
    for column, value in zip(shape, values, strict=True):
        if value is None and not column.may_be_null:
            return None
        if value is not None and not isinstance(value, _TYPES[column.type]):
            return None
        named[column.name] = float(value) if isinstance(value, int) and column.type == "REAL" else value
    first = shape[0].name
    if first in ("key", "id", "version"):
        if named[first] is not None:
            return None
        named[first] = key
    return named


def _is_sound(user_id: str, row: Values) -> bool:
    written = [row[name] for name in WRITTEN]
    return is_sound(row["key"], user_id, written, deleted_at=row["deleted_at"], checksum=row["checksum"])


def _parses(table: str, row: Values) -> bool:
    """Whether the JSON of a row without a checksum can be read."""
    try:
        return all(isinstance(json.loads(row[name] or "{}"), dict) for name in _JSON.get(table, ()))
    except ValueError:
        return False


def _entries(pages: Pages, root: int | None, types: tuple[type, ...]) -> Iterator[tuple[Any, ...]]:
    """The entries of an index or of a table WITHOUT ROWID."""
    for page in pages.tree(root) if root is not None else ():
        for row in pages.rows_of(page):
            if row.key is None and len(row.values) == len(types) and all(map(isinstance, row.values, types)):
                yield row.values


def _insert(db: apsw.Connection, table: str, rows: Iterable[Values]) -> None:
    for row in rows:
        marks = ", ".join("?" * len(row))
        db.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
