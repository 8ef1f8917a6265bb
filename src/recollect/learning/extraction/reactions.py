"""What somebody's body does not stand: "peanuts send me to hospital", "I carry an EpiPen for bees".

============================================ ================================================
said                                         learned
============================================ ================================================
"Peanuts send me to hospital"                User reacts badly to peanuts (hospital).
"I can't eat shrimp, I swell up"             User reacts badly to shrimp (swelling).
"I go into shock if I eat sesame"            User reacts badly to sesame (shock).
"I carry an EpiPen for bees"                 User carries an EpiPen for bees.
"Mushrooms make my son sick"                 User's son reacts badly to mushrooms (sickness).
"Meetings make me sick"                      nothing: neither a food, a medicine, nor a sting
"They sent me to hospital for a scan"        nothing
"Eating too many cherries made me sick"      nothing: of one meal
============================================ ================================================
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from recollect.learning.extraction.clauses import Clause, Sentence
from recollect.learning.extraction.facts import EXPLICIT, Fact
from recollect.learning.extraction.people import PEOPLE
from recollect.learning.extraction.standing import standing_of
from recollect.learning.extraction.subjects import SELF, Subject, kind_of
from recollect.learning.extraction.wording import SaidWords, fact_of
from recollect.learning.foods import FOODS, singular
from recollect.learning.listing import any_of, either
from recollect.types.regex import lazy_regex

_GROUPS: Final[Mapping[str, str]] = {
    "SUBSTANCE": any_of(
        r"""
        (?:(?:raw|red|fresh|tree|pine|spicy|blue|dark|white|cow's|goat's) )?FOOD
        | \w+(?:cillin|mycin|cycline|profen|statin|sartan|floxacin|prazole|azepam|oxetine|codone|sporin)
        | aspirin | paracetamol | codeine | morphine | sulfa(?: drugs)? | antibiotics | an?esthetics?
        | latex | nickel | wool | (?:\w+ )?pollen | (?:cat|dog|animal|horse) (?:hair|fur) | (?:dust )?mites
        | mou?ld | perfumes? | hair dye
        | (?:bee|wasp|hornet|insect|mosquito|ant|jellyfish)s?(?:'s?)?(?: (?:stings?|bites?))?
        """
    ).replace("FOOD", either(FOODS | {singular(one) for one in FOODS})),
    "THING": r"(?:(?!(?:i|it|this|that|these|them|too|so|here|there|late|early|fast|out|alone|much|more"
    r"|another|an?|the|any|\w+thing|before|after|with|at|in|on|from|for|to|when|if|because|without|and|or|as|since"
    r"|like|my|your|they|he|she|we|you|well|properly|now|lunch|dinner"
    r"|breakfast|again)\b)[^\W\d_][\w'-]* ?){1,3}",
    "BIT": "(?:(?:an?|one|any|some|even|just|only|single|bite|sip|of|touch|traces?|bit|cup|glass) )*",
    "OFTEN": "(?:(?:always|usually|really|often|also|just|immediately|literally|straight|right|back"
    r"|can|will|would|could|might|so|very|feel|\w+ly) )*",
    "WARD": "(?:the )?(?:hospital|er|a&e|emergency room|icu|intensive care|ambulance)"
    r"(?= (?:\W|and|or|if|when|whenever|every|once|twice|for|with|last|each|because|after|by)|$)",
    "PART": "(?:throat|mouth|tongue|lips?|face|skin|eyes|airways?|stomach|chest|gums|ears)",
    "RASH": "(?P<how>hives|(?:an? )?rash(?:es)?|spots|eczema|welts|blotches)",
    "ILL": r"(?P<how>(?:an? )?(?:(?!lot|bit)\w+ )?(?:hives|rash(?:es)?|eczema|(?:stomach )?cramps"
    r"|asthma attacks?|allergic reactions?|migraines?|palpitations|nosebleeds|anaphyla\w+|swelling"
    r"|swollen \w+|itchy \w+))",
    "SICK": "(?:sick(?! (?:of|and tired))|ill|nauseous|bloated|unwell|throw up|vomit|puke)",
    "ME": rf"(?:me|my (?:\w+ )?(?P<kin>{either(PEOPLE)}))",
    "TAKE": "(?:eat|ate|(?:have|had)(?= BITSUBSTANCE)|drink|drank|(?:take|took)(?= BITSUBSTANCE)|touch"
    "|touched|taste|swallow|inhale|(?:am|get) (?:stung|bitten) by)",
    "WHEN": "(?:if|when|whenever|every time|each time|any time|as soon as|the moment|(?:the )?last time)",
}
"""Parts of the patterns, which name them in capitals."""
_DONE: Final = r"""
hospital | (?:send|sent|put|land|landed|get|got)s? ME OFTEN(?:in|to|into) WARD
shock | (?:send|sent|put)s? ME OFTEN(?:in|into) (?:an? )?(?:anaphyla\w+|shock)
swelling | (?:swell|puff|blow)s? ME up
swelling | makes? (?:ME|(?:my|his|her) PART) OFTEN(?:swell|puff|close|tighten)
a rash | makes? ME OFTEN(?:break|come) out in RASH
a rash | (?:brings?|brought) ME OFTENout in RASH
a reaction | (?:gives?|gave) ME ILL
itching | makes? (?:ME|(?:my|his|her) PART) OFTEN(?:itch|burn|tingle|go numb|sneeze|wheeze)
sickness | makes? ME OFTENSICK
danger to life | (?:(?:nearly|almost) )?kill(?:s|ed)? ME
danger to life | (?:is|are) OFTEN(?:deadly|dangerous|poison\w*|toxic|lethal) (?:for|to) ME
sickness | (?:do|does) not OFTENagree with ME
"""
"""How a fact names it, and what a food does, behind its name. Chosen by hand."""
_OWN: Final = r"""
hospital | i OFTEN(?:end|ended|wind|land|am|be|go)(?: up)? OFTEN(?:in|at|to) WARD
anaphylactic shock | i OFTEN(?:go|went|get) OFTEN(?:into )?(?:an? )?anaphyla\w+
shock | i OFTEN(?:go|went) OFTENinto shock
swelling | i OFTEN(?:swell|swelled|puff|blow) up
swelling | my PART OFTEN(?:swells?|swelled|closes?|closed|tightens?|puffs?)
trouble breathing | (?:can not|can hardly|can barely|stop|stopped) breath(?:e|ing)
swelling | (?:it|they) OFTEN(?:swell|puff|blow)s? me up
a rash | (?:it|they) OFTEN(?:brings?|makes?) me OFTEN(?:(?:come|break) )?out in RASH
a rash | (?:i|and) OFTEN(?:break|come|broke|came) out (?:in|with) RASH
a reaction | (?:i OFTEN(?:get|got)|gives? me) ILL
itching | (?:my PART|i) OFTEN(?:itch(?:es)?|burns?|tingles?)
sickness | (?:i OFTEN(?:get|feel)|makes? me|without (?:getting|feeling|being)) OFTENSICK
sickness | (?:i|and|without) OFTEN(?:throw|throwing) up
danger to life | i OFTEN(?:nearly|almost) died(?= (?:from|after|of)(?: \w+ing)? BITSUBSTANCE)
allergic reaction | i OFTENreact (?:badly|allergically|violently|severely)
sickness | my body (?:can not|does not|will not) (?:handle|tolerate|digest|take)
"""
"""What somebody's body does, whatever the cause. Chosen by hand."""
_CAUSES: Final = r"""
\bWHEN i (?:even )?TAKE BIT(?P<any>THING)
\bWHEN BIT(?P<what>SUBSTANCE) (?:stings?|bites?|touches) me
(?:^|\bi )(?:really |just )?(?:can|must|am|do) (?:not|never|no longer) (?:allowed to )?TAKE BIT(?P<any>THING)
\b(?:from|after|by)(?: eating| drinking| having| taking)? BIT(?P<what>SUBSTANCE)(?=\W|$)
\bi OFTENreact (?:\w+ )?to BIT(?P<what>SUBSTANCE)(?=\W|$)
\bmy body \w+ not \w+ BIT(?P<what>SUBSTANCE)(?=\W|$)
^(?:one|a single|just one|even one) (?:\w+ of )?(?P<what>SUBSTANCE) and\b
^(?P<what>SUBSTANCE) (?:is|are) OFTEN(?:off limits|off-limits|a no-go)\b
"""
"""What may cause it."""
_LIGHT: Final = frozenset(("sickness", "itching"))
"""What happens to anybody for once: it counts only of what is known to be a food, a medicine or a sting."""
_STINGERS: Final = frozenset(("bee", "wasp", "hornet", "insect", "jellyfish"))
_NOT_SO: Final = lazy_regex(
    r"\b(?:used to|any ?more|no longer get|grew out|outgrew|dream|pretend|imagine|laughing|yesterday|today"
    r"|tonight|this (?:morning|week)|another|in (?:the|my|a) (?:novel|book|game|film|story))\b"
)
"""Of what is over, made up, or of one meal."""
_MAY: Final = lazy_regex(
    r"hospital|\ber\b|a&e|emergency|\bicu\b|intensive|ambulance|shock|anaphyla|swell|puff|blow up|throat"
    r"|tongue|hives|rash|breath|wheez|itch|sick|\bill\b|vomit|throw|puke|nause|bloat|cramp|eczema|epi ?-?pen"
    r"|unwell|kill|deadly|dangerous|poison|toxic|lethal|agree with|died|asthma|allergic reaction|sneeze|spots"
    r"|welts|numb|tingl|burn|clos|tighten|badly|violently|severely|my body"
)
"""A part of every reaction; looked for first because that is faster."""
_OUTSIDE: Final = frozenset(("make-believe", "material", "told", "reported"))


def _filled(pattern: str) -> re.Pattern[str]:
    """A pattern with the groups in place of their names."""
    for name in reversed(list(_GROUPS)):
        pattern = pattern.replace(name, _GROUPS[name])
    return lazy_regex(pattern)


def _rows(text: str, *, before: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = (row.split(" | ", 1) for row in text.strip().splitlines())
    return tuple((label, _filled(rf"{before}(?:{pattern})(?=\W|$)")) for label, pattern in rows)


_DONE_TO: Final = _rows(
    _DONE, before=r"(?:^|[,;:-] |\b(?:and|but|so|because|since|as) )BIT(?P<what>SUBSTANCE) OFTEN"
)
_OF_BODY: Final = _rows(_OWN, before=r"\b")
_CAUSED: Final = tuple(_filled(pattern) for pattern in _CAUSES.strip().splitlines())
_KNOWN: Final = _filled("SUBSTANCE")
_NAMED: Final = _filled(r"\b(?:SUBSTANCE)\b")
_PEN: Final = _filled(
    rf"\b(?:i|my (?:\w+ )?(?P<kin>{either(PEOPLE)})) (?:(?:always|have to|has to|need to|must|also|still) )*"
    r"(?:carry|carries|keep|keeps) (?:an|my|two|his|her|their) epi ?-?pens?(?: with me| on me| everywhere)?"
    r"(?: (?:for|because of|in case of|against) (?P<what>(?:my |his |her )?BITSUBSTANCE(?: allerg(?:y|ies))?)"
    r"(?=\W|$)|(?! for\b))"
)


def names_a_substance(low: str) -> bool:
    """Whether a text in small letters names a food, a medicine or a sting."""
    return _NAMED.search(low) is not None


class _Told(NamedTuple):
    """What is said, as relation, object and words, and of whom of the speaker's; empty for themselves."""

    parts: tuple[str, str, str]
    kin: str


def reactions_in(sentence: Sentence, clauses: Sequence[Clause], speaker: str) -> list[Fact]:
    """What a sentence says that its speaker, or one of theirs, does not stand, and the pen they carry."""
    said = " ".join(token.low for token in sentence.tokens)
    if sentence.asked or not _MAY.search(said) or _NOT_SO.search(said):
        return []
    if any(standing_of(clauses, number) in _OUTSIDE for number in range(len(clauses))):
        return []
    quote = clauses[0].text[sentence.tokens[0].start : sentence.tokens[-1].end]
    told = (_pen_in(said), _done_in(said) or _own_in(said))
    return [_fact(one, quote, speaker) for one in told if one is not None]


def _fact(told: _Told, quote: str, speaker: str) -> Fact:
    (relation, what, said), kin = told
    subject = Subject(kin, kind_of(kin), "", 0, 0) if kin else SELF
    kept = SaidWords(
        relation=relation, object=what, said=said, category="context", confidence=EXPLICIT, quote=quote
    )
    return fact_of(speaker, subject, kept)


def _pen_in(said: str) -> _Told | None:
    """Who carries an adrenaline pen, and against what where that is said."""
    match = _PEN.search(said)
    if match is None:
        return None
    what = f"an EpiPen for {match['what']}" if match["what"] else "an EpiPen"
    return _Told(("carries", what, f"carries {what}"), match["kin"] or "")


def _done_in(said: str) -> _Told | None:
    """What a food does to somebody."""
    for label, pattern in _DONE_TO:
        if match := pattern.search(said):
            parts = match.groupdict()
            return _Told(_reacts(match["what"], parts.get("how") or label), parts.get("kin") or "")
    return None


def _own_in(said: str) -> _Told | None:
    """What the speaker's body does, where a cause is named."""
    for label, pattern in _OF_BODY:
        if (match := pattern.search(said)) and (what := _cause(said, light=label in _LIGHT)):
            return _Told(_reacts(what, match.groupdict().get("how") or label), "")
    return None


def _cause(said: str, *, light: bool) -> str:
    """What a sentence names as the cause of a reaction; empty when nothing."""
    for pattern in _CAUSED:
        if match := pattern.search(said):
            named = match.groupdict()
            what = (named.get("what") or named.get("any") or "").strip()
            if what and (not light or _KNOWN.search(what)):
                return what
    return ""


def _reacts(what: str, how: str) -> tuple[str, str, str]:
    what = f"{what} stings" if what in _STINGERS else what
    return "reacts badly to", what, f"reacts badly to {what} ({how})"
