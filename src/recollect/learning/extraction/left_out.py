"""The "I" that chats leave out.

========================== ================================ ====================================
begins a sentence          is read as                       left alone
========================== ================================ ====================================
"moved to Berlin in May"   "I moved to Berlin in May"       "made in Italy", "cut the onions"
"training for a triathlon" "I am training for a triathlon"  "training for one takes time"
"vegetarian since 2010"    "I am vegetarian since 2010"     "vegetarian recipes for six"
"nurse at UCH, 41, no      "I am nurse at UCH", "I am 41",  "great teacher", "41", "no kids"
kids"                      "I have no kids"
"timezone is CET"          "my timezone is CET"             "address is wrong"
"wife is Hanne"            "my wife is Hanne"               "partner of the firm", "boss level"
"work at Fiat"             "I work at Fiat"                 "work on the draft"
"treasurer of the club"    "I am treasurer of the club"     "great teacher", "chef, more soup"
"two ferrets, Bo and Cy"   "I have two ferrets"             "two tickets"
========================== ================================ ====================================

The words were chosen by hand. Verbs whose past is their plain form are no part of them, since "cut the
onions" is an order; of a question nothing is read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from recollect.learning.extraction.clauses import ADVERBS, Clause
from recollect.learning.extraction.forms import PASTS, THIRDS, base_of_third
from recollect.learning.extraction.guards import OFTEN
from recollect.learning.extraction.leads import lead_of
from recollect.learning.extraction.people import OCCUPATIONS, PETS, RELATIVES, is_identity
from recollect.learning.extraction.tokens import WordToken
from recollect.learning.extraction.verbs import KNOWN
from recollect.learning.listing import DAY, DRUG, MONTH, listed
from recollect.types.regex import lazy_regex

_DONE: Final = listed(
    """
    moved switched signed got started joined bought sold adopted became began finished passed graduated
    married divorced stopped turned hired booked broke relocated converted upgraded enrolled
    """
)
_LEFT: Final = listed("quit left")
"""Read so where a name or something of the speaker's follows: "left side" is none."""
_DOING: Final = lazy_regex(
    r"(?:living|based) (?:in|near|with|alone|outside)|working (?:at|as|for|from)|moving to|starting (?:at|as)"
    r"|training for (?:an?|the|my)|expecting (?:an?|our|my|twins)|saving (?:up )?for (?:an?|the|my|our)"
    r"|learning (?!about|and|to|more|that|the (?!\w+$)|how|from|new|things|is|by)\w+"
    r"|studying (?:for|at|(?!the|this|it)\w+)|doing (?:keto|paleo|an? (?!few|lot|bit|good|great|quick)"
    r"|my (?!best|own))|homeschooling (?:my|our|three|two)|(?:writing|restoring|building) (?:an?|my|our)"
    r"|saving [$\u20ac\u00a3]?\d|minoring in|majoring in|staying with (?:my|an?|some)"
    r"|playing \w+ (?:in|for) (?:an?|my|the)"
    r"|trying to (?:lose|quit|stop|give up|eat|save|pay off|learn|get fit)"
    r"|recovering from|raising (?:my|our|two|three)"
)
_PLAIN: Final = lazy_regex(
    r"(?:can not (?:cook|swim|drive|sing|dance|ski|ride a)|live (?:in|with|alone|on|near|at|above)"
    r"|work (?:at|for|as|nights|from home|part|full)|can not stand"
    r"|want to (?:lose|read|run|open|buy|learn)|drive an?) (?!me\b|it\b|that\b|this\b)"
)
"""Verbs that nobody orders an assistant to do."""
_BEEN: Final = lazy_regex(
    r"been (?:married|living|working|with (?!it)|vegan|vegetarian|sober|retired|diabetic) "
)
_STATE: Final = lazy_regex(
    r"(?P<how>(?:(?:strict|lifelong|newly|recently|happily|mostly|type [12]|registered|severely) )*)"
    r"(?:single|married|divorced|widowed|engaged|retired|pregnant|vegan|vegetarian|pescatarian|coeliac|celiac"
    r"|diabetic|dyslexic|autistic|unemployed|deaf|blind|separated)"
    r"(?= (?:since|for \w+ years|in (?:my|one)|from (?:my|the))\b)"
)
_OFTEN_DONE: Final = listed("smoke nap weigh sleep wake run cycle swim commute vape bike jog walk take")
"""Verbs without "I" that tell of a habit beside how often: "smoke about 15 a day"."""
_RIDES: Final = lazy_regex(r"\b(?:bus|train|tram|metro|tube|subway|ferry|bike)\b")
_BELONGS: Final = lazy_regex(
    r"on (?:the (?:waiting )?list for|crutches|universal credit|benefits|maternity leave|call"
    r"|the (?:mini )?pill|keto|an? (?:\S+ ){0,2}?(?:diet"
    rf"|budget|free trial|contract|pension|visa|course)\b|{DRUG}\b"
    r"|antibiotics|blood thinners|insulin|statins?|antidepressants?|hrt|steroids|chemo|nights? (?:at|in))\b"
    r"|in (?:an? (?:house|flat) ?share|halls|student halls|remission|an? (?:\S+ )?relationship)\b"
    r"|(?:fostering|translating|reporting to|listening to|paying off|renting (?:an?|with|in|from)"
    r"|sharing (?:an?|with|the)|trying for|caring for|volunteering"
    r"|subscribed to|allergic to|married to|engaged to|retired from|seeing a|waiting for|waiting on"
    r"|applying for|knitting)"
    r" (?!to\b|it\b|this\b|that\b|the (?:same|following|above)\b)"
)
"""What somebody is in or at without "I am"; a finite verb further on makes it something else."""
_BEHIND: Final = lazy_regex(r" (?:until|till|when|while|because|so|but) ")
_TAKEN: Final = lazy_regex(
    rf"(?:{DRUG}|eye ?drops|vitamin \S+|\d[\d.]* ?(?:drops|units|puffs|mg|mcg|tablets|pills)\b)\b"
    r"(?!'s| (?:is|was|are|were|has|goes|going|gone|went|gets|got|up|down|back|moved|raised|put|cut"
    r"|increased|reduced|lowered|dropped|can|may|must|should|will|works?"
    r"|helps?|makes?|causes?|costs?)\b).*"
    r"\b(?:daily|an? day|every|each|with meals|before bed|at night|in the mornings?)\b"
)
_DOSED: Final = lazy_regex(
    rf"{DRUG} \d[\d.,]* ?(?:mg|mcg|\u00b5g|micrograms?|g|ml|units?) (?:once|twice|three times|daily"
    r"|a day|every|each|in the (?:morning|evening)|at night|before bed|mornings?|evenings?)\b"
)
"""A medicine with its dose and how often it is taken, which needs no verb in any sentence of a message."""
_A_DRUG: Final = lazy_regex(
    rf"(?:(?:an?|some|one|my) )?(?:{DRUG}|statin|aspirin|inhaler|insulin|vitamin \w+)\b"
)
_NOTE: Final = lazy_regex(
    r"(?:(?:just|a|quick|one|medical|health|for|in|the|your|case|of|an|note|notes|fyi|info|important) )*"
    r"(?:notes?|records?|files?|emergenc(?:y|ies)|fyi|info|important)$"
)
"""A heading of nobody else's before a colon: "note for emergencies: allergic to penicillin"."""
_TAKES: Final = lazy_regex(
    r"(?:i (?:(?:also|currently|now|still|just) )*take"
    r"|i am (?:(?:also|currently|now|still|just) )*(?:on|taking)"
    r"|my (?:(?:daily|current|regular|morning|evening) )?(?:meds|medications?|medicines?|tablets|pills)"
    r"(?: are|$))(?!\S)"
)
_LISTING: Final = frozenset((",", "and", "&", "plus", ":"))
_NEVER: Final = lazy_regex(
    r"(?:never (?:had|been|seen|smoked|learnt|learned|drunk|driven|eaten|owned|flown|played|tried|worked)"
    r"|given up) "
)
_LACKED: Final = lazy_regex(
    r"no (?:driving licen[cs]e|licen[cs]e|car|garden|tv|telly|oven|dishwasher|microwave|siblings|allergies"
    r"|smartphone|internet|wifi"
    r"|broadband|kids|pets|children|tattoos)(?: (?:at home|here|yet|of my own))?(?:$| (?:since|because|so"
    r"|that i know of)\b)"
)
_KIN: Final = listed(
    """
    wife husband hubby fella missus boyfriend girlfriend fiance fianc\u00e9 fiancee fianc\u00e9e partner
    daughter son boss manager supervisor gaffer landlord landlady roommate flatmate housemate sister brother
    eldest youngest
    """
)
_SAID_OF: Final = listed(
    "is called named was has works lives goes does loves hates likes plays studies starts"
)
"""Verbs behind kin without "my": "daughter goes to nursery"."""
_NAMES_OF: Final = listed("name birthday job")
_HABITS_LEFT: Final = listed("smoking drinking sugar caffeine alcohol coffee gluten meat vaping gambling")
_POSTS: Final = listed("treasurer secretary member captain chair chairman chairwoman president founder owner")
_IDENTITIES: Final = listed("dad mum mom parent student volunteer leader retiree pensioner user")
_ADORNED: Final = lazy_regex(
    r"\b(?:new|great|good|best|nice|bad|worst|real|true|any|every|some|what|such|no|the)\b"
)
_ORDERS: Final = listed(
    "call find get phone schedule delete spell please contact email text book message a an my as being"
)
"""First words of what is no role: "call my doctor"."""
_MOST_OF_ROLE: Final = 3
"""Words of what somebody is, at the beginning of a message. Chosen by hand."""
_NUMBERS: Final = listed("one two three four five six")
_COUNTED: Final = lazy_regex(r"(?:(?P<count>no|an?|one|two|three|four|five|\d) )?(?:\w+ ){0,2}?(?P<noun>\w+)")
_BEING: Final = listed(
    """
    single married divorced widowed engaged retired pregnant vegan vegetarian pescatarian coeliac celiac
    diabetic dyslexic autistic unemployed left-handed
    """
)
_BEHIND_STATE: Final = listed("with to since for but and now at")
_BY_LABEL: Final = listed(
    "surname pronouns rent salary timezone birthday name mortgage insurance pension broadband thesis"
)
_INSURED: Final = lazy_regex(
    r"(?:(?:home|house|car|health|travel|life|pet|contents) insurance|budget for (?:an? |the )?\w+) (?:is"
    r"|are)\b"
    r"|(?:energy|electricity|gas|internet|phone contract) is with\b"
)
_IS: Final = listed("is are 's")
_FINITE: Final = listed("is are was were has have had can could will would may might should must do does did")
_AMOUNTS: Final = listed("no a one two three four five six")
_BEFORE_PLACE: Final = listed("at for in from with on")
_OWN: Final = listed("my our i we")
_PLACED: Final = frozenset(["based", "living"])
_LINKS: Final = frozenset(["", ",", "and", "-", "\u2013", "\u2014", "(", ")"])
_YOUNGEST, _OLDEST = 12, 99
"""Ages that a lone number may be."""
_LONGEST_TRADE: Final = 4
"""Words of what somebody is, before a place: "senior backend engineer at". Chosen by hand."""
_ING: Final = listed(
    """
    living based working moving starting training expecting saving learning studying doing homeschooling
    writing restoring building recovering raising live work been stand want drive trying
    minoring majoring staying playing can't cannot deaf blind separated
    kids pets children
    """
)
_BEGINNING: Final = 80
"""Characters of a text in which its first words are looked for."""
_WORDS: Final = (
    listed("favourite favorite fav fave")
    | _DONE
    | _OFTEN_DONE
    | _LEFT
    | _ING
    | _BEING
    | _BY_LABEL
    | _KIN
    | _POSTS
    | _IDENTITIES
    | OCCUPATIONS
    | PETS
)
_PARTING: Final = str.maketrans(dict.fromkeys('.,;:!?()/\n"\u2013\u2014', " "))
_BARE_AGE: Final = lazy_regex(r", \d\d(?:[,.]|$)")


def may_leave_out(text: str) -> bool:
    """Whether a text may say something of its speaker without "I" or "my"."""
    begin = text.lstrip()[:_BEGINNING].lower()
    if _NEVER.match(begin) or _BELONGS.match(begin) or begin.startswith("no ") or _TAKEN.match(begin):
        return True
    words = text.lower().replace("\u2019", "'").replace("'s ", " ").translate(_PARTING).split()
    return not _WORDS.isdisjoint(words) or _BARE_AGE.search(text) is not None


def with_subjects(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of a sentence with the subjects that are left out, up to the first that has its own."""
    if len(clauses) > 1 and clauses[1].link == ":" and _NOTE.match(clauses[0].read):
        return [clauses[0], *with_subjects([replace(clauses[1], link=""), *clauses[2:]])]
    introduces = _introduces(clauses) and not _is_german(clauses)
    clauses = _doses_apart(clauses)
    found: list[Clause] = []
    for clause in clauses:
        if clause.link not in _LINKS or clause.words[0] in _OWN:
            break
        start = 0 if _LACKED.match(clause.read) else lead_of(clause).start
        if clause.words[start : start + 1] and clause.words[start] in _OWN:
            break
        missing = _left_out(clause, start, introduces=introduces, several=len(clauses) > 1)
        if missing:
            found.append(_with(clause, start, missing))
        elif start < len(clause.words) and clause.link != "(":
            break
        else:
            found.append(clause)
    return [*found, *clauses[len(found) :]]


def _doses_apart(clauses: Sequence[Clause]) -> list[Clause]:
    """Clauses with "I take" before each further medicine: "I take ramipril 5 mg, apixaban twice a day"."""
    taking = False
    found: list[Clause] = []
    for clause in _parted_at_doses(clauses):
        begins, follows = _begins_taken(clause), clause.link in _LISTING
        taken = taking and follows and _A_DRUG.match(clause.read) is not None
        on = follows and clause.words[0] == "on" and _A_DRUG.match(clause.read, len("on ")) is not None
        if begins and clause.words[0] == "my" and "are" in clause.words:
            behind = clause.words.index("are") + 1
            found.append(_with(replace(clause, tokens=clause.tokens[behind:]), 0, "i take"))
        else:
            begin = "i take" if taken else "i am" if on else ""
            found.append(_with(clause, 0, begin) if begin else clause)
        taking = taking or begins
    return found


def _begins_taken(clause: Clause) -> bool:
    """Whether a clause begins a list of what its speaker takes: "I'm on sertraline", "my meds"."""
    begin = _TAKES.match(clause.read)
    return begin is not None and (
        begin.end() == len(clause.read) or _A_DRUG.match(clause.read, begin.end() + 1) is not None
    )


def _parted_at_doses(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses parted before "and" and a medicine, where the clause begins with one."""
    for clause in clauses:
        parts = [0]
        for place, word in enumerate(clause.words):
            if word == "and" and _A_DRUG.match(" ".join(clause.words[place + 1 : place + 3])):
                parts.append(place)
        starts = _begins_taken(clause) or _A_DRUG.match(clause.read) is not None
        if len(parts) == 1 or not starts:
            yield clause
            continue
        for first, last in pairwise([*parts, len(clause.words)]):
            begins = first + bool(first)
            yield replace(clause, tokens=clause.tokens[begins:last], link="and" if first else clause.link)


def _with(clause: Clause, start: int, words: str) -> Clause:
    """A clause with words before a place, where nothing stands in the text."""
    place = clause.tokens[start].start
    more = [WordToken(word, place, place) for word in words.split()]
    return replace(clause, tokens=[*clause.tokens[:start], *more, *clause.tokens[start:]])


def _introduces(clauses: Sequence[Clause]) -> bool:
    """Whether a sentence without "I" tells who somebody is: "nurse at UCH, 41, two kids"."""
    if not any(word in _PLACED or word.isdecimal() for clause in clauses for word in clause.words):
        return False
    parts = [clause.words[lead_of(clause).start :] for clause in clauses if clause.link in _LINKS]
    plain = len(parts) > 1 and all(_OWN.isdisjoint(part) for part in parts)
    return plain and any(_is_age(part) or part[:2] in (["based", "in"], ["living", "in"]) for part in parts)


def _is_german(clauses: Sequence[Clause]) -> bool:
    """Whether an unknown noun has a capital inside a sentence: "Rentner, 71, Hobbyimker"."""
    later = (clause for clause in clauses[1:] if clause.raw(0, 1)[:1].isupper())
    return any(
        len(one.words) == 1
        and (_IDENTITIES | OCCUPATIONS).isdisjoint(one.words)
        and is_identity(one.words[0])
        for one in later
    )


def _is_age(words: Sequence[str]) -> bool:
    return len(words) == 1 and words[0].isdecimal() and _YOUNGEST <= int(words[0]) <= _OLDEST


def _left_out(clause: Clause, start: int, *, introduces: bool, several: bool) -> str:
    """The words that stand for themselves before a place; none where nothing is left out."""
    words = clause.words[start:]
    first, after = (*words, "", "")[:2]
    said = " ".join(words)
    begins = not clause.link and not clause.text[: clause.tokens[0].start].strip()
    told = _of_introduction(words) if introduces else ""
    if told:
        return told
    if first in _BEING and (after in _BEHIND_STATE or (not after and several)):
        return "i am"
    acronym = any(map(str.isupper, clause.raw(start + 2, start + 3)))
    if first == "got" and (after in _NUMBERS or (after in {"a", "an"} and acronym)):
        return "i have"
    if first in _DONE and after not in {"", "by"}:
        return "i"
    if first in _LEFT and (after in _OWN | _HABITS_LEFT or clause.raw(start + 1, start + 2)[:1].isupper()):
        return "i"
    if (_DOING.match(said) or _STATE.match(said)) and not _has_verb(words[1:]):
        return "i am"
    if not clause.link and (_PLAIN.match(said) or _BEEN.match(said)):
        return "i have" if first == "been" else "i"
    if not clause.link and _is_kin(words):
        return "my"
    told = _of_a_dose(clause, said)
    if told or (begins and words and (told := _at_beginning(clause, words, said, several=several))):
        return told
    labelled = (
        (first in {"favourite", "favorite"} and not {"my", "your"} & set(words))
        or (first in _BY_LABEL and after in _IS)
        or _INSURED.match(said)
    )
    return "my" if labelled else ""


def _of_a_dose(clause: Clause, said: str) -> str:
    """What is left out before a medicine, unless kin named before may take it."""
    if clause.link not in {"", "and"} or not _DOSED.match(said):
        return ""
    before = clause.text[: clause.tokens[0].start].lower().replace("\u2019", "'").replace("'s", " ")
    return "i take" if (RELATIVES | PETS).isdisjoint(before.translate(_PARTING).split()) else ""


def _at_beginning(clause: Clause, words: Sequence[str], said: str, *, several: bool) -> str:
    """What is left out where a message begins."""
    return (
        _of_a_habit(clause, words[0], said)
        or _of_a_role(clause, words, several=several)
        or _of_a_count(words, several=several)
    )


def _of_a_habit(clause: Clause, first: str, said: str) -> str:
    """What is left out at the beginning of a message before what somebody does, takes, has or lacks."""
    if _NEVER.match(said) or _LACKED.match(said):
        return "i have"
    if _TAKEN.match(said):
        return "i take"
    if _BELONGS.match(said) and not _has_verb(_BEHIND.split(said, maxsplit=1)[0].split()[1:]):
        return "i am"
    often = first in _OFTEN_DONE and OFTEN.search(said) is not None and "please" not in clause.words
    often = often and (first != "take" or _RIDES.search(said) is not None)
    return "i" if often else ""


def _is_kin(words: Sequence[str]) -> bool:
    """Whether "my" is left out before kin: "wife is Hanne", "boss's name is Stig"."""
    first, after, last = (*words, "", "", "")[:3]
    if first in PETS:
        return after == "is" and last in {"called", "named"}
    if first.removesuffix("'s") not in _KIN:
        return False
    return after in (_NAMES_OF if first.endswith("'s") else _SAID_OF)


def _of_a_role(clause: Clause, words: Sequence[str], *, several: bool) -> str:
    """What is left out before who somebody is, at the beginning of a message."""
    if words[0] in _POSTS and words[1:2] == ["of"]:
        return "i am"
    end = next((at for at, word in enumerate(words) if word in _BEFORE_PLACE or word == "to"), len(words))
    head = words[end - 1] if 0 < end <= _MOST_OF_ROLE else ""
    if words[-1] == "here" and 1 < len(words) <= _MOST_OF_ROLE + 1 and is_identity(words[-2]):
        return "i am" if words[-2] in _BEING else "i am a"
    if words[:3] == ["stay", "at", "home"] and not _IDENTITIES.isdisjoint(words[3:4]):
        return "i am a"
    if not several or len(words) == 1 or (head not in OCCUPATIONS and head not in _IDENTITIES):
        return ""
    if _is_appointed(words):
        return ""
    behind = len(clause.words) - len(words) + end
    named = end > 1 and clause.raw(behind - 1, behind)[:1].isupper()
    orders = words[0] in KNOWN or words[0] in _ORDERS or words[0] in ADVERBS
    stated = not _OWN.isdisjoint(words) or any(map(_is_finite, words))
    return "" if named or orders or stated or _ADORNED.search(" ".join(words[:end])) else "i am a"


_APPOINTED: Final = lazy_regex(
    rf"\b(?:{DAY}s?|\d+ {MONTH}|{MONTH} \d+|the \d+(?:st|nd|rd|th)|today|tomorrow|tonight|next week"
    r"|at (?:half |quarter )?\d{1,2}(?::\d\d)?(?: ?[ap]m)?$|at (?:noon|midday|lunch))\b"
)


def _is_appointed(words: Sequence[str]) -> bool:
    """Whether words tell when one sees somebody, not what one is: "dentist on Tuesday at 4, Dr Wu"."""
    return _APPOINTED.search(" ".join(words)) is not None


def _of_a_count(words: Sequence[str], *, several: bool) -> str:
    """What is left out before animals and children, at the beginning of a message: "no kids, by choice"."""
    noun, called, _ = " ".join(words).partition(" called ")
    match = _COUNTED.fullmatch(noun)
    known = (
        several
        and match is not None
        and (match["noun"] in PETS or match["noun"] in {"kids", "children", "pets"})
    )
    if match is None or not known or not (match["count"] or called):
        return ""
    return "i have" if match["count"] else "i have a"


def _of_introduction(words: Sequence[str]) -> str:
    """What is left out where somebody tells who they are."""
    if _is_age(words):
        return "i am"
    if words[:1] and words[0] in _AMOUNTS and words[-1] in RELATIVES:
        return "i have"
    end = next((place for place, word in enumerate(words) if word in _BEFORE_PLACE), len(words))
    trade = 0 < end <= _LONGEST_TRADE and is_identity(words[end - 1]) and not _is_appointed(words)
    return "i am a" if trade and not any(_is_finite(word) for word in words if word not in _BEING) else ""


def _has_verb(words: Sequence[str]) -> bool:
    """Whether a finite verb stands among words; "in May" is none."""
    return any(
        _is_finite(word)
        and word not in {"called", "named"}
        and (before, word) not in {("in", "may"), ("by", "may"), ("since", "may")}
        for before, word in pairwise(("", *words))
    )


def _is_finite(word: str) -> bool:
    return (
        word in _FINITE
        or word in PASTS
        or word in THIRDS
        or (word.endswith("s") and base_of_third(word) in KNOWN)
    )
