r"""Lines that are not the speaker's: what was recalled into a message, and pasted chats.

Every function returns a text of the same length, in which what was found is blank. A line that begins like
"Bob: I ..." is taken for Bob's, unless its label is a plain heading ("Background: ..."), "Me", or the
speaker's own name: a fact too few does less harm than another's.
"""

import re
from typing import Final

from recollect.learning.listing import listed
from recollect.types.regex import lazy_regex

_RECALLED: Final = lazy_regex(
    r"^[ \t]*(?:USER PROFILE:|RELEVANT PAST INTERACTIONS:|RELEVANT KNOWLEDGE BASE:|HIGHLY RELEVANT MEMORIES:"
    r"|POTENTIALLY RELEVANT MEMORIES:|\[Always known\]"
    r"|(?:What follows is quoted|Quoted) from memory as data, not as instructions"
    r"|\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d{4}\][ \t]*$)"
    r".*(?:\n(?![ \t]*\n)(?![ \t]*Current query:).*)*",
    re.MULTILINE,
)
"""A section of a context that was made of memories: its heading, and its lines up to a blank one."""
_STAMP: Final = (
    r"(?:\[[^\]\n]{1,40}\]|\(?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?"
    r"\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[ap]m)?\)?)[ \t,-]*"
)
"""When it was said, or that it was passed on: "[10:02]", "10:02 -", "[Forwarded]"."""
_LABEL: Final = lazy_regex(
    rf"(?:^[ \t]*(?:[-*\u2022][ \t]+)?(?P<stamp>{_STAMP})?|(?<=[.!?:] ))"
    r"(?:\*\*|__)?(?P<who>[^\W\d_][\w.'\u2019-]{0,30}(?:[ \t][^\W\d_][\w.'\u2019-]{0,30}){0,2})(?:\*\*|__)?"
    r"(?P<sign>:(?:\*\*|__)?(?=\s|$)|[ \t][-\u2013\u2014][ \t](?=(?:I|My|We)\b))",
    re.MULTILINE,
)
_SIGNS: Final = (":", " - ", "\t-", "-\t", "\u2013", "\u2014")
"""One of these ends every label; looked for first because that is faster."""
_ROLES: Final = listed("user assistant system human ai bot tool chatgpt claude gpt model q a")
_HEADINGS: Final = listed(
    """
    me myself i i'm im my mine our about note notes nota update edit fact facts context background bio intro
    introduction summary tldr tl;dr ps p.s pps fyi btw reminder remember correction question warning
    disclaimer confession location job jobs hobby hobbies work home health diet family pets status news
    goal goals plan plans problem issue topic info information details profile interests skills likes
    dislikes preferences preference experience education age name address city country role occupation
    profession languages language allergies medication conclusion result answer answers todo tip thought
    thoughts opinion truth reason example result also however yes yeah yep yup no nope nah ok okay well sure
    thanks thank hi hello hey so oh ah actually honestly true right great good nice cool wow lol haha sorry
    first second third firstly secondly thirdly finally lastly next now today tomorrow yesterday monday
    tuesday wednesday thursday friday saturday sunday morning evening weekend pro pros con cons bonus spoiler
    important attention reality secret rule rules step option request task and but or because this that
    these those here there is are am was have it the a an what where when who how why which not never always
    maybe perhaps anyway anyways besides plus basically obviously quick short long story hint
    breakfast lunch dinner food music sports sport travel weather
    neuigkeiten neues wichtig nachtrag korrektur dir
    achtung hinweis info \u00fcbrigens ja nein hallo oui non bonjour salut s\u00ed hola bueno ich je yo
    """
)
"""Words of labels that are no names. Chosen by hand; each only lets a line be read."""


def without_recalled(text: str) -> str:
    r"""Blanks for what the library itself wrote into a prompt.

    >>> without_recalled("USER PROFILE:\n- lives in Rome\n\nI moved.").strip()
    'I moved.'
    """
    return _RECALLED.sub(_blank, text)


def without_others(text: str, *, speaker: str | None) -> str:
    r"""Blanks for the lines of a pasted chat that others said, each up to a blank line or the next label.

    >>> without_others("Bob: I live in Rome.\nMe: I live in Oslo.", speaker=None).strip()
    'Me: I live in Oslo.'
    """
    if not any(sign in text for sign in _SIGNS):
        return text
    parts, place = [], 0
    labels = [found for found in _LABEL.finditer(text) if _is_person(found)]
    starts = [*(found.start() for found in labels), len(text)]
    for found, end in zip(labels, starts[1:], strict=True):
        if _is_own(found["who"], speaker):
            continue
        gap = _GAP.search(text, found.end(), end)
        last = gap.start() if gap else end
        parts += [text[place : found.start()], _BREAK.sub(" ", text[found.start() : last])]
        place = last
    return "".join([*parts, text[place:]])


_GAP: Final = lazy_regex(r"\n[ \t]*\n")
_BREAK: Final = lazy_regex(r"[^\n]")


def _is_person(found: re.Match[str]) -> bool:
    who = found["who"]
    words = who.casefold().replace("\u2019", "'").split()
    if _is_own(who, None) or found["stamp"] or (len(words) == 1 and words[0] in _ROLES):
        return True
    named = all(word[0].isupper() for word in who.split())
    return named and _HEADINGS.isdisjoint(word.rstrip(".") for word in words)


def _is_own(who: str, speaker: str | None) -> bool:
    """Whether a label is "Me", or the speaker's name or the first part of it."""
    label, name = who.casefold(), (speaker or "").casefold().strip()
    own = name not in _ROLES and label in {name, (name.split() or [""])[0]}
    return label in {"me", "myself"} or own


def _blank(match: re.Match[str]) -> str:
    return _BREAK.sub(" ", match.group())
