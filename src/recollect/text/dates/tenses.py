"""Whether a recurring date is in the past: "I met her on Friday", "on Friday I will meet her".

Decided by small tables of frequent verb forms in the date's clause, else in its sentence. A sign of the
future wins over one of the past ("I said I would come on Friday"), and so does a present "is" right before
the date.
"""

from itertools import pairwise
from typing import Final

from recollect.text.dates.words import SINGLE
from recollect.types.regex import lazy_regex

_LOOK_AROUND: Final = 200
"""Characters read on each side of a date; chosen by hand, longer than most sentences."""
_SENTENCE_ENDS: Final = lazy_regex(r"[.!?](?=\s|$)|[;\n\u3002\uff01\uff1f\uff1b]")
_CLAUSE_ENDS: Final = lazy_regex(
    r"[,:()\u2013\u2014\uff0c\u3001\uff1a]|\b(?:and|but|so|then|that|because|und|aber|dass|weil|et|mais|pero|porque)\b"
)
_WORD: Final = lazy_regex(r"[^\W\d_]+")

_PAST: Final = """
was were wasn weren had hadn did didn went met saw came got made told said bought brought took gave found felt
left lost won paid sent spent built began broke chose drank drove ate fell flew forgot grew heard knew learnt
held kept lent meant ran rode rang sang slept sold spoke stood stole swam taught thought threw understood woke
wore wrote quit became caught dealt dreamt fought hid hung rose shook shot stuck swore tore sat used
war waren warst hatte hatten hattest ging gingen kam kamen traf trafen sah sahen gab fuhr fuhren flog flogen
sprach schrieb blieb blieben fand wurde wurden rief zog zogen kaufte machte sagte besuchte arbeitete wohnte
feierte spielte lernte konnte musste wollte durfte sollte dachte brachte wusste nahm las aß trank
était étais étaient étions avait avais avaient avions allait faisait fut eut fit
fui fue fueron fuimos fuiste era eran éramos estaba estaban estábamos estuve estuvo tuve tuvo tuvimos
hice hizo hicimos dije dijo vi vio vimos vine vino pude pudo puse puso quise quiso traje trajo había
comí salí viví conocí escribí perdí recibí volví nací
"""
_PARTICIPLES: Final = "been gone seen done taken given written eaten driven flown grown known spoken"
_FUTURE: Final = """
will ll shall gonna tomorrow next must need needs should would d planned scheduled booked promised agreed
arranged decided postponed rescheduled invited supposed want wants hope hopes plan plans let
deadline due upcoming starting
werde wirst wird werden werdet muss müssen soll sollen möchte möchten würde übermorgen nächste nächsten
vais vas allons allez vont dois doit devons devez doivent faut demain prochain prochaine voudrais
voy vamos van debo debe deben tengo hay próximo próxima quiero
"""
_PHRASES: Final = frozenset(
    {("going", "to"), ("have", "to"), ("has", "to"), ("about", "to"), ("va", "a")}
    | {(was, put) for was in ("got", "was", "were", "been") for put in ("moved", "pushed", "bumped")}
)
"""With them a date lies ahead; what "got moved" was booked."""
_IS: Final = frozenset({"am", "is", "are", "be", "being", "m", "s", "re", "est", "está", "están"})
"""Present forms right behind which a date is told of now, and an English participle is none of the past."""
_NOT_PARTICIPLES: Final = """
need seed feed speed indeed red bed hundred sacred naked wicked excited married interested tired bored
worried concerned fed led shed sled wed ted fred alfred breed greed exceed proceed succeed embed united
"""
_NO_PARTICIPLES: Final = frozenset(_NOT_PARTICIPLES.split())
_PAST_WORDS: Final = frozenset(_PAST.split())
_PARTICIPLE_WORDS: Final = frozenset(_PARTICIPLES.split())
_FUTURE_WORDS: Final = frozenset(_FUTURE.split())

_HELPERS: Final = "[Hh]abe|[Hh]ast|[Hh]at|[Hh]aben|[Hh]abt"
_HAVING: Final = frozenset({"s", "has", "have", "ve", "ive", "weve", "youve", "theyve", "hes", "shes"})
"""Before "got", which then tells of now: "the lecturer's got covid", "ive got the dentist"."""
_PRONOUNS: Final = frozenset({"he", "she", "it", "that", "this", "there", "here", "what", "who", "where"})
"""Before an "s" which is "is" or "has"; behind a noun it may be whose something is: "my mum's car"."""
ENTERED: Final = lazy_regex(
    r"\b(?:signed up|registered|enrolled|volunteered"
    r"|(?:got|bought|have) (?:\w+ )?(?:tickets?|places?|seats?))"
    r"(?: \w+){0,2} (?:for|to)\b"
)
"""What is told so lies ahead on its day: "I signed up for the half marathon on 24 May"."""

_GERMAN: Final = lazy_regex(
    rf"\b(?:{_HELPERS})\b.*\b(?:[a-zäöüß]*ge[a-zäöüß]{{2,}}(?:t|en)|(?:be|ver|er|ent|zer)[a-zäöüß]{{3,}}(?:t|en)"
    r"|[a-zäöüß]+iert)\b"
    r"|\b(?:[Bb]in|[Bb]ist|[Ii]st|[Ss]ind|[Ss]eid)\b.*\b(?:[a-zäöü]*(?:gegangen|gefahren|gekommen|geflogen|gelaufen|gereist"
    r"|geblieben|gezogen)|gewesen|geworden|gestorben|passiert)\b"
)
_FRENCH: Final = lazy_regex(
    r"\b(?:ai|as|a|avons|avez|ont)\b(?: \w+){0,2} (?:\w+ée?s?|(?:vu|eu|fait|dit|pris|mis|fini|reçu|lu|bu|su"
    r"|pu|dû|voulu|perdu|vendu|choisi|dormi|couru|connu|ouvert|écrit|appris|compris)e?s?)\b"
    r"|\b(?:suis|es|est|sommes|êtes|sont)\b(?: \w+){0,2} (?:allé|venu|parti|arrivé|resté|rentré|sorti|né"
    r"|tombé|passé|devenu|revenu|retourné)e?s?\b"
)
_FRENCH_FUTURE: Final = lazy_regex(r"\b\w{2,}(?:rai|ras|rons|rez|ront)\b")
_SPANISH: Final = lazy_regex(
    r"\b\w{2,}(?:ó|aron|ieron)\b"
    r"|\b(?:he|has|ha|hemos|han)\b (?:\w+(?:ado|ido)|hecho|dicho|visto|escrito|puesto)\b"
)
_SPANISH_I: Final = lazy_regex(
    r"\b(?!(?:qué|porqué|café|bebé|esté|fiancé|cliché|résumé)\b)\w*(?:[^\Wr]|[^\Waei]r)é\b"
)
"""Verbs of the first person (hablé); those on -aré, -eré, -iré are of the future."""
_SPANISH_FUTURE: Final = lazy_regex(r"\b\w+[aeid]r(?:é|ás|á|emos|éis|án)\b")
_OTHER_WORDS: Final = """
je j il nous vous suis est sommes sont ai avons avez une des du les ne pas avec pour the my i on with
"""
_NOT_SPANISH: Final = frozenset(_OTHER_WORDS.split())
_CHINESE: Final = lazy_regex("(?<![为除])了(?!解)|(?<![不通超经])过(?![去节年来期])")
_CHINESE_FUTURE: Final = lazy_regex("[会要将别]|打算|准备|计划|明天|必须")


_COMES_ON: Final = "starts begins opens closes leaves departs arrives flies lands finishes"
_HAPPENS: Final = frozenset(_COMES_ON.split())
"""Right before a date they tell of now, whatever else does: "he rang, she starts on Friday"."""
_HOLDS: Final = _HAPPENS | {"am", "is", "are", "can", "comes", "moves", "goes"}
"""Verbs with which a clause tells of now whatever the one before it told: "she rang, it is on Friday"."""


def told_of_the_past(text: str, first: int, over: int) -> bool:
    """Whether the words around ``text[first:over]`` tell of the past.

    >>> told_of_the_past("I met her on Friday", 10, 19), told_of_the_past("I meet her on Friday", 11, 20)
    (True, False)
    """
    return _told(text, first, over) < 0


def told_of_the_future(text: str, first: int, over: int) -> bool:
    """Whether the words around ``text[first:over]`` tell of what is to come."""
    return _told(text, first, over) > 0


_WHAT: Final = lazy_regex(
    r"\bwas\b(?! (?:a|an|the|in|on|at|so|not|my|his|her|our|their|great|good|nice|fun)\b)"
)
"""German for "what", and English beside such a word."""


def _is_german(words: str) -> bool:
    """Whether words of a date are German and nothing else."""
    known = (SINGLE.get(word.lower()) for word in _WORD.findall(words))
    return any(word is not None and word.language == "de" for word in known)


def _told(text: str, first: int, over: int) -> int:
    if "was" in text and _is_german(text[first:over]):
        text = _WHAT.sub("wie", text)
    sentence, clause = _sentence_around(text, first, over), clause_around(text, first, over)
    own = tense_of(*clause)
    if own == 0 and clause != sentence and _HOLDS.isdisjoint(_words(" ".join(clause).lower())):
        own = tense_of(*sentence)
    return own


def clause_around(text: str, first: int, over: int) -> tuple[str, str]:
    """The words of its clause before and behind ``text[first:over]``."""
    before, after = _sentence_around(text, first, over)
    cuts = [match.end() for match in _CLAUSE_ENDS.finditer(before)]
    cut = _CLAUSE_ENDS.search(after)
    return before[cuts[-1] :] if cuts else before, after[: cut.start()] if cut else after


def _sentence_around(text: str, first: int, over: int) -> tuple[str, str]:
    before, after = text[max(0, first - _LOOK_AROUND) : first], text[over : over + _LOOK_AROUND]
    begins = [match.end() for match in _SENTENCE_ENDS.finditer(before)]
    end = _SENTENCE_ENDS.search(after)
    return before[begins[-1] :] if begins else before, after[: end.start()] if end else after


def tense_of(before: str, after: str) -> int:
    """-1 for the past, 1 for the future, 0 for no sign."""
    earlier = _words(before)
    words = [*earlier, *_words(after)]
    lowered = [word.lower() for word in words]
    joined = " ".join(words)
    if _is_future(lowered, joined.lower()):
        return 1
    if _is_now(earlier[-2:]):
        return 1
    return -1 if _is_past(lowered, joined) else 0


def _is_now(last: list[str]) -> bool:
    """Words that end on "is", on "starts", or on "is happening"."""
    if not last:
        return False
    return last[-1] in _IS or last[-1] in _HAPPENS or (last[0] in _IS and last[-1].endswith("ing"))


def _words(text: str) -> list[str]:
    if "sat " in text:
        text = _SATURDAY.sub("", text)
    return _WORD.findall(text.replace("\u2019", "'").replace("won't", "will").replace("n't", " not"))


_SATURDAY: Final = lazy_regex(r"\bsat(?= (?:at )?\d{1,2}(?:[:.]\d\d| ?[ap]\.?m\b))")
"""The day before a time, which is no verb."""


def _is_future(words: list[str], joined: str) -> bool:
    if not _FUTURE_WORDS.isdisjoint(words) or not _PHRASES.isdisjoint(pairwise(words)):
        return True
    if ENTERED.search(joined):
        return True
    if joined.isascii() and "ra" not in joined and "ro" not in joined and "re" not in joined:
        return False
    return any(sign.search(joined) for sign in (_FRENCH_FUTURE, _SPANISH_FUTURE, _CHINESE_FUTURE))


def _is_past(words: list[str], joined: str) -> bool:
    words = ["has" if word == "got" and last in _HAVING else word for last, word in pairwise(["", *words])]
    if not _PAST_WORDS.isdisjoint(words) or any(map(_is_participle, words, *_earlier_words(words))):
        return True
    lowered = joined.lower()
    if any(sign.search(lowered) for sign in (_FRENCH, _SPANISH, _CHINESE)) or _GERMAN.search(joined):
        return True
    return _NOT_SPANISH.isdisjoint(words) and _SPANISH_I.search(lowered) is not None


def _earlier_words(words: list[str]) -> tuple[list[str], list[str]]:
    """For each word the one before, and the one before that; "s" of a noun is whose something is."""
    lasts = ["", *words]
    owned = ["" if last == "s" and noun not in _PRONOUNS else last for noun, last in pairwise(["", *lasts])]
    return lasts, ["", *owned]


def _is_participle(word: str, last: str, second_last: str) -> bool:
    """English "called", "gone", unless after "is" ("I am done", "I'm a bit stressed")."""
    if last in _IS or (second_last in _IS and last != "has"):
        return False
    return word in _PARTICIPLE_WORDS or (
        len(word) > 3 and word.endswith("ed") and not word.endswith("eed") and word not in _NO_PARTICIPLES  # noqa: PLR2004 - "bed"
    )
