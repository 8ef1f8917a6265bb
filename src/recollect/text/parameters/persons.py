"""Persons: capitalised words behind "with", "for" or "to"."""

import re
from collections.abc import Iterator
from typing import Final

from recollect.text.parameters.places import plain
from recollect.types import Parameter
from recollect.types.regex import lazy_regex


def persons(text: str) -> Iterator[Parameter]:
    """Names behind a preposition."""
    over = 0
    for capital in _CAPITAL_AFTER.finditer(text):
        match = _AFTER_PREPOSITION.match(text, capital.start() - 1) if capital.start() > over else None
        if match is None:
            continue
        over = match.end()
        for name in _NAME.finditer(text, match.start(1), match.end(1)):
            end = _name_end(text, name)
            if end > name.start():
                yield plain("person", text, name.start(), end)
            if end != name.end():
                break


def _name_end(text: str, name: re.Match[str]) -> int:
    """Where a name ends: before the first word that is none; its start where nothing is left."""
    end = name.start()
    for word in _NAME_WORD.finditer(text, *name.span()):
        bare = word.group().removesuffix("'s").removesuffix("\u2019s")
        if bare in _PARTICLES or bare.rstrip(".") in _TITLES or _INITIAL.fullmatch(bare):
            continue
        if bare.lower() in _NO_NAMES or not _NAME_FORM.fullmatch(bare):
            return end
        if bare.lower() in _OF_PLACES:
            return name.start()
        end = word.start() + len(bare)
        if bare != word.group():
            return end
    return end


_CAPITAL: Final = r"[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff]"
_FIRST_PARTICLES: Final = r"(?:(?:van|von|de|da|di|du|del|della|bin|ibn)[ \t](?:(?:de[rnl]?|la)[ \t])?)?"
"""Those a name may begin with, all but words that mean something else ("to ten Swedes", "to la Paz")."""
_CAPITAL_AFTER: Final = lazy_regex(rf"(?:ith|or|o)[ \t]+{_FIRST_PARTICLES}{_CAPITAL}")
"""What every preposition with a name holds, behind its first letter."""
_PARTICLES: Final = frozenset(
    """
    van von de der den da di del della la le du dos ten ter bin ibn al el y zu
    """.split()  # noqa: SIM905 - words read better than many strings
)
_TITLES: Final = frozenset(
    """
    Dr Mr Mrs Ms Miss Prof Professor Rev Fr Sir Madam Herr Frau Mme Doctor Captain
    """.split()  # noqa: SIM905 - words read better than many strings
)
_WORD_OF_A_NAME: Final = rf"(?:[A-Z]\.|{_CAPITAL}[\w'\u2019-]{{0,40}})"
_ONE_NAME: Final = (
    rf"(?:(?:Dr|Mrs?|Ms|Prof|Rev|Fr)\.[ \t])?{_WORD_OF_A_NAME}"
    rf"(?:[ \t](?:(?:{'|'.join(sorted(_PARTICLES))})[ \t]){{0,3}}{_WORD_OF_A_NAME}){{0,2}}"
)
_NAME: Final = lazy_regex(rf"{_FIRST_PARTICLES}{_ONE_NAME}")
_NAME_WORD: Final = lazy_regex(r"\S+")
_INITIAL: Final = lazy_regex(r"[A-HJ-Z]\.?")
"""A letter that stands for a name, by itself none; an "I" is a pronoun."""
_NAME_FORM: Final = lazy_regex(
    r"(?:(?:Mc|Mac|[A-Z]['\u2019])?[^\W\d_][^\W\d_A-Z]+(?:-[^\W\d_][^\W\d_A-Z]+)?)"
    r"(?:['\u2019][a-z]+)?"
)
_AFTER_PREPOSITION: Final = lazy_regex(
    rf"(?<![\w-])(?:[Ww]ith|[Ff]or|[Tt]o)[ \t]+"
    rf"({_FIRST_PARTICLES}{_ONE_NAME}(?:(?:,[ \t]{_ONE_NAME}){{0,4}},?[ \t](?:and|&)[ \t]{_ONE_NAME})?)"
)
_NO_NAMES: Final = frozenset(
    """
    a africa african airbnb alexa all also amazon america american amsterdam an and android any anyone apple
    apr april arabic are argentina as asia asian at aug august australia austria autumn bangkok barcelona be
    because beijing belgium berlin best bible bitcoin boston both brazil britain british brussels but
    california
    can canada canadian central chicago chile china chinese christmas claude copenhagen could covid cuba
    danish dec december delhi denmark did disney do docker does dubai dublin dutch each earth east easter
    ebay egypt england english europe european everyone example excel facebook feb february finland finnish
    florida for france french fri friday from german germany get gmail god good google great greece greek
    greenland halloween hamburg hanukkah has have hawaii he hebrew her here hey hi hindi his how however
    hungary i i'd i'll i'm i've iceland if im in india indian instagram internet iran iraq ireland irish is
    israel istanbul it it's italian italy its jan january japan japanese jul july jun june just kenya kind
    kindest korea
    korean lake las latin let linux lisbon lol london los mac madrid mandarin mar march mars may maybe me
    mexican mexico miami microsoft milan mon monday moon more morocco moscow most mount mumbai munich my
    nepal netflix netherlands new nike no north norway norwegian not nov november now oct october of ok okay
    on one or oslo our out outlook pakistan paris peru photoshop please poland polish portugal portuguese
    prague python ramadan reddit regards romania rome russia russian rust saint sale san sao sat saturday
    scotland
    seattle seoul sep sept september shanghai she should since singapore slack so some south spain spanish
    spotify spring st starbucks stockholm summer sun sunday sweden swedish switzerland sydney taiwan tesla
    texas thailand thank thanks thanksgiving that that's the their them then there these they this those thu
    thursday tiktok to today tokyo tomorrow tonight toronto tue tuesday turkey turkish twitter uber uk
    ukraine united us usa valentine vancouver very vienna vietnam wales walmart warm warmest warsaw was we
    wed wednesday
    well were west what whatsapp when where which who why wikipedia will windows winter with word would yes
    yesterday you your zoom zurich
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Capitalised words that begin or end a name, in lower case: words of grammar, days and holidays, months,
languages, places, firms. Chosen by hand, the commonest only."""
_OF_PLACES: Final = frozenset(
    """
    academy airport avenue bank bay beach bridge cafe cathedral church city club college corp county court
    day eve festival forest garden gardens gmbh hall hospital hotel house inc institute island islands lake
    library llc ltd mall market mountain museum office park pier plaza restaurant river road school square
    stadium station store street studio studios team theater theatre tower town university valley village
    week weekend year zoo
    """.split()  # noqa: SIM905 - words read better than hundreds of strings
)
"""Words that make of the words before them a place, a firm or a day."""
