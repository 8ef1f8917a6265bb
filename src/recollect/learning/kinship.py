"""Which words mean the same people: "mom" is one's mother, one's son is one of "my kids".

Each row of the table is a name, the wider name it belongs to, and the other words for it. Chosen by hand, of
words in common use.
"""

import re
from itertools import product
from typing import Final, NamedTuple

from recollect.learning.extraction.people import PETS
from recollect.types.regex import lazy_regex

_ROWS: Final = """
family: relatives, relations
parent < family: parents, folks
mother < parent: mom, mum, mam, mama, mommy, mummy, momma, moms
father < parent: dad, daddy, papa, pop, pops
stepmother < family: step mother, stepmom, stepmum, step mom, step mum
stepfather < family: step father, stepdad, step dad
child < family: children, kid, kids
son < child: sons
daughter < child: daughters
stepson < child: step son
stepdaughter < child: step daughter
sibling < family: siblings
brother < sibling: brothers, bro, half brother
sister < sibling: sisters, sis, half sister
spouse < family: partner, other half, significant other, fella, missus
wife < spouse: wifey
husband < spouse: hubby
fiance < spouse: fianc\u00e9, fiancee, fianc\u00e9e
girlfriend < spouse:
boyfriend < spouse:
ex: exes
exwife < ex: ex wife, former wife
exhusband < ex: ex husband, former husband
exgirlfriend < ex: ex girlfriend
exboyfriend < ex: ex boyfriend
grandparent < family: grandparents
grandmother < grandparent: grandma, granny, gran, nan, nana, nanna, grandmom, grandmum
grandfather < grandparent: grandpa, grandad, granddad, gramps, grandpop
grandchild < family: grandchildren, grandkid, grandkids
grandson < grandchild: grandsons
granddaughter < grandchild: granddaughters
aunt < family: auntie, aunty, aunts
uncle < family: uncles
cousin < family: cousins
niece < family: nieces
nephew < family: nephews
inlaw < family: in laws
motherinlaw < inlaw: mother in law
fatherinlaw < inlaw: father in law
sisterinlaw < inlaw: sister in law
brotherinlaw < inlaw: brother in law
soninlaw < inlaw: son in law
daughterinlaw < inlaw: daughter in law
boss: manager, supervisor, gaffer
colleague: colleagues, coworker, coworkers, co worker, co workers
neighbor: neighbour, neighbors, neighbours
roommate: roommates, flatmate, flatmates, housemate, housemates
landlord: landlady
doctor: gp, physician, doc
pet: pets, animals
cat < pet: cats, kitty, kitten, kittens
dog < pet: dogs, puppy, pup, puppies
"""
_OF_ONES_OWN: Final = {
    "boy": "son", "boys": "son", "girl": "daughter", "girls": "daughter", "baby": "child", "toddler": "child",
    "twins": "child", "eldest": "child", "youngest": "child", "firstborn": "child", "little ones": "child",
    "old man": "father",
}  # fmt: skip
"""Words that mean one's family only where they are said to be one's own."""
_ANY: Final = "any "
"""Before a wider name: all that belong to it."""


def _read_rows() -> tuple[dict[str, str], dict[str, str]]:
    """By each word the name it means, and by each name the wider one."""
    names: dict[str, str] = {}
    wider: dict[str, str] = {}
    for row in _ROWS.strip().splitlines():
        head, _, words = row.partition(":")
        name, _, above = head.partition(" < ")
        names |= dict.fromkeys([name, *(one.strip() for one in words.split(",") if one.strip())], name)
        if above:
            wider[name] = above
    for one in PETS - names.keys():
        names[one], wider[one] = one, "pet"
    return names, wider


_NAMES, _WIDER = _read_rows()
_FIRST_WORDS: Final = frozenset(one.split()[0] for one in (*_NAMES, *_OF_ONES_OWN))
_GROUPS: Final = frozenset(_WIDER.values())


def _either(words: dict[str, str]) -> str:
    return "|".join(re.escape(one) for one in sorted(words, key=len, reverse=True))


_SAID: Final = lazy_regex(
    rf"\b(?:(?P<owner>(?:\w+ s|his|her) )|(?P<own>(?:my|our|their|user s) (?:(?:little|big|oldest"
    rf"|youngest|older"
    rf"|younger|eldest) )?))?(?:(?P<noun>{_either(_NAMES)})|(?(own)(?P<own_noun>{_either(_OF_ONES_OWN)})"
    rf"|(?!)))\b",
    re.IGNORECASE,
)


class Kin(NamedTuple):
    """The people that words name.

    Attributes:
        names: Of whom, in the order of the words: "mother", "child".
        rest: The words without those that name them.
    """

    names: tuple[str, ...]
    rest: str

    @property
    def told(self) -> set[str]:
        """All that a text with these words tells of: of a son, one of any child and of the family."""
        found = set(self.names)
        for name in self.names:
            above: str | None = name
            while above is not None:
                if above in _GROUPS:
                    found.add(f"{_ANY}{above}")
                above = _WIDER.get(above)
        return found

    @property
    def asked(self) -> list[set[str]]:
        """What a text must tell of to be about them, one of several: a son's, or the children's."""
        return [set(one) for one in product(*map(_asked, self.names))]


def _asked(name: str) -> tuple[str, ...]:
    if name in _GROUPS:
        return (f"{_ANY}{name}",)
    above = _WIDER.get(name)
    return (name,) if above in {None, "family", "pet"} else (name, str(above))


def kin_in(words: str, *, own: bool = False) -> Kin:
    """The people named in words without punctuation.

    Args:
        words: Such as "my mom s sister".
        own: Whether only those count that nobody else is said to have: not "his sister".

    >>> kin_in("my mom s recipe").names, sorted(kin_in("our boy").told)
    (('mother',), ['any child', 'any family', 'son'])
    >>> kin_in("his wife", own=True).names, kin_in("the boy next door").names
    ((), ())
    """
    if _FIRST_WORDS.isdisjoint(words.lower().split()):
        return Kin((), words)
    names: list[str] = []

    def taken(found: re.Match[str]) -> str:
        owner = found["owner"] or ""
        if own and owner and owner.lower() != "user s ":
            return owner
        noun = (found["noun"] or found["own_noun"]).lower()
        names.append(_NAMES.get(noun) or _OF_ONES_OWN[noun])
        return owner or found["own"] or ""

    rest = _SAID.sub(taken, words)
    return Kin(tuple(dict.fromkeys(names)), rest)
