"""Team spaces: memories that several users share. A member's keys read them beside the member's own.

A space is an owner like a user, named ``space:NAME``, so the store keeps it apart from all others; only who
may name it is decided here. What several scopes have is found in each alone, and put together afterwards.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from recollect.checks import check_id, check_one_of
from recollect.errors import InvalidInputError, NotFoundError, as_given
from recollect.server.keys import ANY_USER, ROLES, Role
from recollect.text.quoting import OPENING, label_of, who_said
from recollect.types import Context, MemoryRecord, Recollection, Scope
from recollect.types.filters import by_ids
from recollect.types.records import reason_of
from recollect.types.spaces import BY, SIGNED, SPACE, author_of, speaker_named

_STATE: Final = "members"
_SPOKEN: Final = frozenset({"user", "human"})
"""The roles whose words are the member's own."""
_ROLES: Final = _SPOKEN | {"assistant", "ai", "model", "bot", "system", "developer", "tool", "function"}
"""Roles of chat models, which name nobody."""
if TYPE_CHECKING:
    from recollect.memory.memory import Memory
    from recollect.protocols import Store

Members = dict[str, dict[str, Role]]


class Teams:
    """Who belongs to which space: a text of each space in the store, made for tens of spaces."""

    def __init__(self, store: "Store") -> None:
        self._store = store

    def all(self) -> Members:
        """The role of each member, by space and user, in the order of the names."""
        found = {space: self._members(space) for space in sorted(self._spaces())}
        return {space: members for space, members in found.items() if members}

    def of(self, user: str) -> dict[str, Role]:
        """The spaces of a user, and the role in each."""
        return {space: members[user] for space, members in self.all().items() if user in members}

    def put(self, space: str, user: str, role: Role) -> None:
        """Make a user a member, or give a member another role.

        Raises:
            InvalidInputError: The user is none, or the role.
        """
        check_one_of("role", role, ROLES)
        name = check_id("user", user)
        if name == ANY_USER or name.startswith(SPACE):
            raise InvalidInputError(f"a member is a user, and {as_given(name)} is none")
        self._note(space)
        self._change(space, lambda known: {**known, name: role})

    def remove(self, space: str, user: str) -> None:
        """Let a user be a member no more. What the user stored stays.

        Raises:
            NotFoundError: The user is no member.
        """
        if user not in self._members(space):
            raise NotFoundError(f"{as_given(user)} is no member of {as_given(space.removeprefix(SPACE))}")
        self._change(space, lambda known: {one: role for one, role in known.items() if one != user})

    def _members(self, space: str) -> dict[str, Role]:
        text = self._store.state(Scope(user_id=space), _STATE)
        return dict(sorted(json.loads(text).items())) if text else {}

    def _change(self, space: str, change: Callable[[dict[str, Role]], dict[str, Role]]) -> None:
        def changed(text: str | None) -> str | None:
            members = change(json.loads(text) if text else {})
            return json.dumps(members) if members else None

        self._store.change_state(Scope(user_id=space), _STATE, changed)

    def _spaces(self) -> Iterator[str]:
        number = 1
        while space := self._store.setting(_slot(number)):
            yield space
            number += 1

    def _note(self, space: str) -> None:
        """Write a space's name into the first free slot, where it stays."""
        known = list(self._spaces())
        number = len(known) + 1
        while space not in known:
            self._store.put_setting(_slot(number), space, unless_set=True)
            known.append(self._store.setting(_slot(number)) or "")
            number += 1


def _slot(number: int) -> str:
    return f"team-space-{number}"


def space_named(name: str) -> str:
    """The owner that a space's memories have.

    >>> space_named("kitchen")
    'space:kitchen'
    """
    return check_id("space", f"{SPACE}{check_id('space', name.removeprefix(SPACE))}")


def search_across(
    memory: "Memory", query: str, owners: Sequence[str], *, top_k: int, **options: Any
) -> list[Recollection]:
    """Search several scopes, each alone: the best of all by score, each scope's in the order of its search.

    Of equal scores those of the scope that is named first come first.
    """
    found = (memory.search(query, user_id=one, top_k=top_k, **options) for one in owners)
    return list(islice(_best(*found), top_k))


def context_across(
    memory: "Memory", query: str, owners: Sequence[str], *, budget_tokens: int, **options: Any
) -> Context:
    """A context from several scopes: first the own one, then each space under its name.

    Args:
        memory: The memory.
        query: The question.
        owners: The own scope first.
        budget_tokens: The most that all may have; each scope gets an equal share, and the own one the rest.
        options: As in ``Memory.context``.
    """
    own, *spaces = owners
    if not spaces:
        return memory.context(query, user_id=own, budget_tokens=budget_tokens, **options)
    count = memory.parts.count_tokens
    team = spaces_context(
        memory, query, spaces, budget_tokens=budget_tokens * len(spaces) // len(owners), **options
    )
    left = max(1, budget_tokens - team.tokens)
    mine = memory.context(query, user_id=own, budget_tokens=left, **options)
    whole = f"{mine.text}{team.text}"
    return Context(
        text=whole,
        tokens=count(whole),
        budget_tokens=budget_tokens,
        included=tuple(_best(mine.included, team.included)),
        left_out=(*mine.left_out, *team.left_out),
        core_left_out=mine.core_left_out + team.core_left_out,
        notes=() if whole else mine.notes,
    )


def spaces_context(
    memory: "Memory", query: str, spaces: Sequence[str], *, budget_tokens: int, **options: Any
) -> Context:
    """What spaces know of a question, each under its name and with an equal share of the budget."""
    share = max(1, budget_tokens // len(spaces))
    parts = {one: memory.context(query, user_id=one, budget_tokens=share, **options) for one in spaces}
    shown: list[Context] = []
    text, count = "", memory.parts.count_tokens
    for space, part in parts.items():
        longer = text + _titled(space, part.text)
        if part.text and count(longer) <= budget_tokens:  # the titles take more than the shares
            text, shown = longer, [*shown, part]
    return Context(
        text=text,
        tokens=count(text),
        budget_tokens=budget_tokens,
        included=tuple(_best(*(part.included for part in shown))),
        left_out=tuple(left for part in parts.values() for left in part.left_out),
        core_left_out=sum(part.core_left_out for part in parts.values()),
    )


def _best(*scopes: Sequence[Recollection]) -> Iterator[Recollection]:
    """The hits of several scopes by their scores; those of a scope stay in the order they were found in."""
    return merge(*scopes, key=lambda hit: -hit.score)


def _titled(space: str, text: str) -> str:
    title = label_of(space.removeprefix(SPACE), "")
    return text.replace(OPENING, f"{OPENING}[Team {title}]\n", 1) if text else ""


def signed(message: str | Mapping[str, Any], by: str) -> dict[str, Any]:
    """A message as a member stores it in a space: its words are the member's, also under another name."""
    said: dict[str, Any] = {"content": message} if isinstance(message, str) else dict(message)
    called = str(said.get("role") or "user").strip()
    role = called.lower()
    name = str(said.get("name") or "").strip() or (None if role in _ROLES else called)
    if name is not None and who_said(name, "user") == name:
        said["name"] = speaker_named(name, by)
    else:
        said["name"] = None if role in _ROLES - _SPOKEN else by
    return {**said, "metadata": stored_by(said.get("metadata"), by)}


def stored_by(metadata: Mapping[str, Any] | None, by: str) -> dict[str, Any]:
    """The metadata of what a member stores in a space: nobody changed it yet, whatever they say.

    >>> stored_by({"by": "bo", "changed_by": "bo", "x": 1}, "ada")
    {'x': 1, 'by': 'ada'}
    """
    return {name: value for name, value in (metadata or {}).items() if name not in SIGNED} | {BY: by}


def by_member(member: str | None, reason: str | None) -> str | None:
    """The reason of a change in a history, which begins with the member who made it.

    >>> by_member("ada", "typo"), by_member("ada", None), by_member(None, "typo")
    ('by ada: typo', 'by ada', 'typo')
    """
    return reason if member is None else reason_of(f"by {member}", reason)


def others_words(memory: "Memory", space: str, ids: Iterable[str], member: str) -> str | None:
    """Why a member may not change memories of a space: others said them. None where the member said all."""
    for record in _records(memory, space, ids):
        sources = [author_of(one) for one in _records(memory, space, record.origin.sources)]
        other = next((one for one in sources or [author_of(record)] if one != member), member)
        if other != member:
            who = as_given(other) if other else "no member"
            return f"{who} said this: only who said it and an admin of the space may change or delete it"
    return None


def _records(memory: "Memory", space: str, ids: Iterable[str]) -> list[MemoryRecord]:
    """The memories of a space with these ids, also deleted ones."""
    scope, wanted, store = Scope(user_id=space), list(ids), memory.parts.store
    found = [one for one in store.get(scope, wanted) if one is not None]
    missing = sorted(set(wanted) - {one.id for one in found})
    return [*found, *(store.deleted(scope, by_ids(missing)) if missing else ())]
