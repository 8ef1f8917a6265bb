"""One person is one subject: which names in messages mean the user who also speaks without one.

=============================================== ==============================================
messages of a user with role ``user`` come from a statement's subject means
=============================================== ==============================================
no name, "user", "the user", "me", "I", "myself" the user
the ``user_id`` itself, in any spelling of case  the user
one name, and nobody else by name                the user
two names or more ("Ada", "Bob")                 each a person of their own, apart from the user
"Ines", after "my sister Ines"                   the user's sister
=============================================== ==============================================

It is decided where statements are compared, from the messages that are stored then; facts keep the subject
they were said with.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from recollect.learning.extraction.extract import USER, names_user
from recollect.learning.extraction.naming import NAMING, names_of
from recollect.learning.extraction.people import PETS, PLURAL
from recollect.learning.reconcile.statements import Statement
from recollect.protocols import Store
from recollect.text.traits import is_name
from recollect.types import Scope
from recollect.types.filters import parse_filter

NAMED: Final = "is named"
"""The relation of a fact that tells a name."""
_OTHERS: Final = 20
"""Messages looked at for another name; names that differ in case alone fill them. Chosen by hand."""


_NAMING: Final = parse_filter({"kind": "fact", "metadata.relation": {"in": list(NAMING)}})
_PARTS: Final = ("subject", "relation", "object")
_MOST_NAMED: Final = 500
"""Facts looked at for the names of a user's people. Chosen by hand."""


class Persons:
    """Tells which names mean the user."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def united(self, user: Scope, statements: Iterable[Statement]) -> list[Statement]:
        """Statements with one subject for the user, whether a name was given or not."""
        told = self._by_noun(user, list(statements))
        names = {_owner(one) for one in told}
        if not any(map(names_user, names)):
            return told
        own = {name for name in names if names_user(name) or self._is_user(user, name)}
        return [_renamed(one) if _owner(one) in own else one for one in told]

    def means_user(self, user: Scope, name: str) -> bool:
        """Whether a name in the words of others means the user: by the id, the messages or the facts."""
        if names_user(name) or name.casefold() == user.user_id.casefold():
            return True
        said = {"kind": "message", "role": "user", "speaker": name}
        if self._store.find(user, parse_filter(said), limit=1):
            return self._is_user(user, name)
        told = {"kind": "fact", "metadata.subject": USER, "metadata.relation": NAMED}
        named = self._store.find(user, parse_filter({**told, "metadata.object": name}), limit=1)
        return bool(named)

    def _by_noun(self, user: Scope, statements: list[Statement]) -> list[Statement]:
        """Statements about somebody by name with what they are to the user: "Caitlin" is "Ada's partner".

        Of two friends each keeps the name.
        """
        if not any(_noun(one)[:1].isupper() for one in statements):
            return statements
        people = self.known(user)
        count = Counter(people.values())
        alone = {name: noun for name, noun in people.items() if count[noun] == 1 and noun not in PLURAL}
        return [
            replace(one, subject=f"{_owner(one)}'s {alone[_noun(one)]}") if _noun(one) in alone else one
            for one in statements
        ]

    def known(self, user: Scope) -> dict[str, str]:
        """The names of a user's people and animals, and what each is: ``{"Caitlin": "partner"}``.

        A son and a cat of one name are left out: nothing tells which is meant.
        """
        facts = self._store.find(user, _NAMING, limit=_MOST_NAMED)
        told = ([str(one.metadata.get(name, "")) for name in _PARTS] for one in facts)
        named = [one for parts in told for one in names_of(*parts)]
        animals = {name for name, noun in named if noun in PETS}
        people = {name for name, noun in named if noun not in PETS}
        return {name: noun for name, noun in named if name not in animals & people}

    def _is_user(self, user: Scope, name: str) -> bool:
        """Whether a name means the user: it is the id, or the only name of a speaker."""
        if name.casefold() == user.user_id.casefold():
            return True
        others = parse_filter(
            {
                "kind": "message",
                "role": "user",
                "and": [{"speaker": {"nin": [name]}}, {"speaker": {"ne": None}}],
            }
        )
        spoken = (one.origin.speaker or "" for one in self._store.find(user, others, limit=_OTHERS))
        return all(not is_name(one) or names_user(one) or one.casefold() == name.casefold() for one in spoken)


def _owner(one: Statement) -> str:
    return one.subject.partition("'s ")[0]


def _noun(one: Statement) -> str:
    return one.subject.partition("'s ")[2]


def _renamed(one: Statement) -> Statement:
    """A statement of the user, in place of one of a name."""
    name = _owner(one)
    rest = one.text.removeprefix(name)
    text = one.text if rest == one.text else USER + rest
    return replace(one, subject=USER + one.subject[len(name) :], text=text)
