"""What a message asks to be forgotten, in words: "please forget what I told you about my back".

=============================================== ======================================================
said to the assistant                           asks to forget
=============================================== ======================================================
"forget everything about Tom"                   what is about "Tom"
"delete my old address from your memory"        what is about "my old address"
"please don't remember the loan"                what is about "the loan"
"please forget that I'm allergic to nuts"       what says "I'm allergic to nuts"
"vergiss, was ich über Tom gesagt habe"         what is about "Tom"; French and Spanish likewise
"forget it, let's do pizza", "I forget names"   nothing: it names nothing, or is no request
"don't let me forget the milk"                  nothing
"don't remember the loan"                       nothing: who says so may have forgotten it
"forget my diet, I'm having cake"               nothing: a way of speaking
"delete all about Ana. This is the draft: ..."  nothing: it is about a text in hand
"how do I delete my address from Amazon?"       nothing: it is not about this memory
=============================================== ======================================================

A request begins a sentence or a part of one. What it names only by a pronoun stands before it in the message:
"what I told you about Tom was private, please forget it".
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from recollect.learning.extraction.facts import ASKED, Fact, Turn
from recollect.learning.extraction.masking import own_words
from recollect.types.regex import lazy_regex

FORGET: Final = "asks to forget"
FORGET_THAT: Final = "asks to forget that"
"""The relations of a turn that asks to forget what is about something, and what says something."""
_LONGEST: Final = 300
"""Characters of a sentence that asks. Chosen by hand."""
_MOST_WORDS: Final = 8
_MOST_OF_A_CLAIM: Final = 14
"""Words of what is named, and of what is said. Chosen by hand."""
_HINTS: Final = (
    "forget", "delete", "remove", "erase", "wipe", "scrub", "strike", "unlearn", "get rid of", "remember",
    "drop", "keep", "know", "hear", "notes", "purge", "scrap", "verg", "lösch", "streich", "oubli", "effac",
    "supprim", "olvid", "borr", "elimin",
)  # fmt: skip
_SENTENCE: Final = lazy_regex(r"(?:[^.!?\n]|[.](?=\w))+")
_NICELY: Final = (
    r"(?:(?:please|pls|plz|kindly|just|also|and|so|ok(?:ay)?|hey|hi|oh|actually|now|well|sorry|then|no(?=,)|wait"
    r"|thanks|thank you|on second thoughts?|i(?:'?d)? (?:really )?(?:want|need|like|would like|prefer|ask)"
    r" (?:for )?you to|(?:can|could|would|will) you(?: mind)?|you (?:can|should|may|must|have to|need to)"
    r"|i'm asking you to|make sure (?:to|you)|it would be (?:good|great|nice) if you(?: could)?)"
    r"[,:]? )*"
)
_AGAIN: Final = r"(?:all |completely |totally |quickly |really )?"
_FORGET: Final = r"(?:forget(?:ting)?|unlearn(?:ing)?)"
_DELETE: Final = (
    r"(?:delet(?:e|ing)|eras(?:e|ing)|remov(?:e|ing)|wip(?:e|ing)|scrub(?:bing)?|strik(?:e|ing)"
    r"|drop(?:ping)?|purg(?:e|ing)|scrap(?:ping)?|clear(?:ing)?|get(?:ting)? rid of|forget(?:ting)?|unlearn)"
)
_KNOWN: Final = (
    r"(?:i(?:'ve| have)? (?:just |ever |once )?(?:said|told you|mentioned|wrote|written|shared|say|shared"
    r" with you)"
    r"|you(?:'ve| have)? (?:ever )?(?:know|have|heard|learned|stored|saved|noted|remembered|remember|kept"
    r"|got|wrote|have stored|have saved)(?: down)?)"
)
_WHAT: Final = (
    rf"(?:(?:what|whatever|everything|anything|all|all that|the (?:things?|stuff|bits?|parts?)|things)"
    rf"(?: that)? {_KNOWN}(?: to you)?"
    r"|(?:everything|anything|all)(?: there is)?|(?:all |any )?(?:the |your )?(?:information|info|details?"
    r"|data|facts?|notes?|memor(?:y|ies)))"
)
_ABOUT: Final = r"(?:about|on|of|regarding|concerning)"
_MEMORY: Final = (
    r"(?:from|out of) (?:your (?:long[- ]term )?(?:memor(?:y|ies)|notes?|records?|mind|brain|head|knowledge"
    r"|storage|database)|(?:the |my )?(?:long[- ]term )?memor(?:y|ies))"
)
_THING: Final = r"(?P<thing>.+?)"
_REQUESTS: Final = tuple(
    lazy_regex(rf"{_NICELY}{one}", re.IGNORECASE)
    for one in (
        rf"{_AGAIN}{_DELETE} {_WHAT} {_ABOUT} {_THING}(?: {_MEMORY})?",
        rf"{_FORGET} (?:about )?{_KNOWN} {_ABOUT} {_THING}",
        rf"{_DELETE} {_THING} {_MEMORY}",
        rf"take {_THING} (?:from|out of) your (?:memor(?:y|ies)|notes?|records?|mind|brain|head)",
        (
            rf"(?:do not|don'?t|stop) (?:remember(?:ing)?)(?: anything| what i (?:said|told you))?"
            rf"(?: {_ABOUT})? {_THING}"
        ),
        (
            r"(?:do not|don'?t|stop) (?:keep(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|not(?:e|ing))"
            rf" (?:anything|information|info|data|details|notes) {_ABOUT} {_THING}"
        ),
        (
            r"i (?:do not|don'?t) want you to (?:(?:remember|know)(?: anything| what i (?:said|told you))?"
            rf"|(?:keep|store|save|hold on to) (?:anything|what i (?:said|told you)|notes|data|info))"
            rf"(?: {_ABOUT})? {_THING}"
        ),
        (
            r"pretend (?:that )?(?:you(?:'ve| have)? (?:never|did not|didn'?t) (?:ever )?(?:hear|heard|know"
            rf"|knew|read)|i(?:'ve| have)? (?:never|did not|didn'?t) (?:ever )?(?:say|said|tell you|told you"
            rf"|mention|mentioned))(?: anything)?(?: {_ABOUT})? {_THING}"
        ),
        (
            r"(?:bitte )?(?:kannst du |könntest du )?(?:bitte )?(?:vergiss|vergessen sie|lösche?|löschen sie"
            r"|streiche?|entferne?)(?: bitte)?,? "
            r"(?:(?:alles,? ?)?was (?:ich|du|wir) (?:dir )?(?:je |jemals )?(?:über|zu|von)|(?:alles )?über) "
            r"(?P<thing>.+?)(?:,? (?:gesagt|erzählt|geschrieben|erwähnt|weißt|weisst|gespeichert)"
            r"(?: habe?| hast)?)?"
        ),
        (
            r"(?:s'il te pla[iî]t,? )?(?:oubliez?|effacez?|supprimez?)(?:,? s'il te pla[iî]t,?)?"
            r" (?:tout )?"
            r"(?:ce que (?:je t'ai|je vous ai|j'ai|tu|vous) ?(?:dit|raconté|sais|savez)? (?:de )?)?"
            r"(?:(?<= de )|(?:sur|à propos de|concernant) )(?P<thing>.+)"
        ),
        (
            r"(?:por favor,? )?(?:olvida|olvide|borra|borre|elimina|elimine)(?:,? por favor,?)? (?:todo )?"
            r"(?:lo que (?:te |le )?(?:dije|conté|he dicho|he contado|sabes|sabe) (?:de )?)?"
            r"(?:(?<= de )|(?:sobre|acerca de) )(?P<thing>.+)"
        ),
    )
)
_CLAIMS: Final = lazy_regex(
    rf"{_NICELY}{_FORGET} that (?P<thing>(?:i|i'(?:m|ve|d)|we|my|our|he|she|they)\b.+|(?-i:[A-Z]).+)",
    re.IGNORECASE,
)
_PLAIN: Final = lazy_regex(
    rf"{_NICELY}(?:{_FORGET}|eras(?:e|ing)) (?:about )?(?P<thing>(?:my|our)\b.+)", re.IGNORECASE
)
"""Names something of one's own, and nothing else: "forget my old address"."""
_NAMED: Final = lazy_regex(
    rf"{_NICELY}(?:{_FORGET}|eras(?:e|ing)) (?:about )?(?P<thing>(?:the|that|this)\b.+)", re.IGNORECASE
)
"""Names something said before; where it is asked for politely it is no way of speaking."""
_POLITELY: Final = lazy_regex(
    r"\b(?:please|pls|plz|kindly|you to|you mind|(?:can|could|would|will) you)\b", re.IGNORECASE
)
_UNLEARNS: Final = lazy_regex(
    rf"\b(?:{_FORGET}|remember(?:ing)?|oubli\w*|olvid\w*|verg[ie]ss\w*|pretend)\b|\b{_KNOWN}\b|{_MEMORY}",
    re.IGNORECASE,
)
"""Asks a memory, whatever else is talked about; a text is deleted from."""
_TOLD: Final = lazy_regex(
    rf"(?:(?:and|but|so|hey|hi|ok|sorry)[, ]+)*(?:what(?:ever)? {_KNOWN} {_ABOUT} (?P<thing>.+?)"
    r" (?:was|is|were|are)\b.*|i (?:should not|shouldn'?t|ought not to)"
    r" (?:have )?(?:(?:told|tell) you|mentioned|said|written|shared)(?: anything)?(?: about)? (?P<other>.+)"
    r"|(?:about|regarding) (?P<third>.+))",
    re.IGNORECASE,
)
"""Names, before a request, what it is about."""
_POINTS: Final = lazy_regex(
    rf"{_NICELY}(?:{_DELETE}|{_FORGET}) (?:about )?(?:it|that|this|them|all (?:of )?(?:it|that)|i (?:ever )?"
    rf"(?:said|mentioned|told you)(?: (?:it|that|about it|this))?)(?: {_MEMORY})?(?: again| please| now)*",
    re.IGNORECASE,
)
_BIT: Final = lazy_regex(
    rf"{_NICELY}{_DELETE} (?:that |the )?(?:bits?|parts?|things?) {_ABOUT} {_THING}", re.IGNORECASE
)
_MENTIONED: Final = lazy_regex(r"\bi (?:ever )?(?:said|mentioned|told)\b", re.IGNORECASE)
_ELIDED: Final = lazy_regex(
    r"(?:(?:and|but|so|oh|sorry|ok(?:ay)?|well|hey)[, ]+)*don'?t remember\b", re.IGNORECASE
)
"""How one says that one has forgotten something, without "I"."""
_OK: Final = lazy_regex(r"[, ](?:ok(?:ay)?|please|pls|again|any ?more)$", re.IGNORECASE)
_TURNS_AWAY: Final = lazy_regex(
    r"(?:,| -|;|:) ?(?:i|i'(?:m|ll|ve|d)|we|we'(?:re|ll|ve)|let's|you|what|how|tell|give|this"
    r"|it's (?:too|warm|fine))\b",
    re.IGNORECASE,
)
"""Behind "forget my diet": something else is talked about."""
_IN_HAND: Final = lazy_regex(
    r"\b(?:cv|resume|r\u00e9sum\u00e9|(?:cover )?letter|draft|e-?mail|essay|article|paragraph|post|story"
    r"|poem|report|slides?|speech|script|document|summary|proofread|rewrite|rephrase|shorten|edit|translate)\b",
    re.IGNORECASE,
)
"""Names a text that is worked at."""
_JOINED: Final = lazy_regex(r"[,;:] | and ")
_LETTER: Final = lazy_regex(
    r"^\W*(?:(?:kind|best|warm) )?regards\b|^\W*(?:yours (?:sincerely|faithfully|truly)|sincerely"
    r"|best wishes)\b|^\W*dear (?:\w+[ ,]){1,4}\s*$|\bsehr geehrte\b|\bmit freundlichen gr|\bcordialement\b"
    r"|\bestimad[oa]s?\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Begins or ends a letter to somebody else."""
_REVOKED: Final = lazy_regex(
    r"\b(?:just kidding|jk|(?:only|just) joking|no,? wait|wait,? no|never ?mind"
    r"|(?:actually|no),? (?:don'?t|keep)"
    r"|please keep|keep (?:it|that|them)\b)",
    re.IGNORECASE,
)
"""Takes a request back that stands before it."""
_REGRETS: Final = lazy_regex(
    r"\bi (?:should not|shouldn'?t) (?:have )?(?:told|written|said|mentioned|shared)\b"
    r"|\b(?:was|is|it'?s) (?:private|personal|secret)\b|\bi told you\b|\bi said\b",
    re.IGNORECASE,
)
"""Says that it was told here, so that "the bit about Tom" is none of a text in hand."""
_ENDS: Final = lazy_regex(
    r"(?:,? (?:please|pls|plz|ok(?:ay)?|thanks|thank you|any ?more|again|now|ever|at all|will you|would you"
    r"|can you|if you can|if possible|entirely|completely|altogether|right away|asap|for good|bitte|por favor"
    r"|s'il te pla[iî]t))+$|(?:[,;:(-]| because| since| cause) ?(?:because |since |it |that |this |i |i'm "
    r"|i'd |as |you |ok|so |thanks|please|he |she |they |we ).*$",
    re.IGNORECASE,
)
_WHOLE: Final = lazy_regex(
    r"(?:me|us|mich|mir|moi|mí|(?:my|our) (?:whole |entire )?(?:life|self)|myself|everything|anything|all"
    r"(?: of (?:it|this|that))?|it all|everyone|everybody|all people)",
    re.IGNORECASE,
)
"""Names all that there is."""
_EVERYTHING: Final = lazy_regex(
    rf"{_NICELY}(?:{_DELETE}|{_FORGET}) (?:(?:(?:absolutely |literally )?everything|all)"
    rf"(?: (?:that )?you (?:know|have|remember)(?: about (?:me|us))?| about (?:me|us))?"
    rf"|(?:all |everything in )?your (?:whole |entire )?memor(?:y|ies)(?: of me)?)(?: {_MEMORY})?",
    re.IGNORECASE,
)
_NOTHING: Final = lazy_regex(
    r"(?:it|this|that|them|him|her|those|these|what|which|one|the (?:past|rest|idea|whole thing|last (?:one|"
    r"message|thing))|(?:that|this|these|those|the) (?:\w+ )?(?:word|line|sentence|paragraph|section|message"
    r"|question|file|column|row|draft|text|email|code|rule|instruction|idea|one|step|option)s?"
    r"|(?:my|our) (?:last|previous|earlier) (?:message|question|remark|comment|sentence|request)s?"
    r"|i|you|to|that i|about it|(?:how|where|when|why|who|which|if|whether|much|a lot|names?|ever)\b.*)",
    re.IGNORECASE,
)
"""What is not named, or is of the talk or of a text in hand."""
_ELSEWHERE: Final = lazy_regex(
    r"\b(?:from|in|on|off) (?:the|my|our|this|that|his|her|a) (?:\w+ )?(?:draft|text|e?mail|message|list"
    r"|letter|document|doc|file|page|calendar|phone|laptop|computer|contacts?|account|table|code|script|recipe|slides?"
    r"|report|story|poem|essay|cv|resume|website|app|sheet|spreadsheet|photos?|folder|inbox)s?\b",
    re.IGNORECASE,
)
"""What is deleted somewhere else."""
_FORMER: Final = lazy_regex(
    r"^(?P<own>(?:my|our|the) )?(?:old|former|previous|last|past|ex-)\s?(?=\w)", re.IGNORECASE
)


_PLAIN_SIGNS: Final = {0x2019: "'", 0x2013: "-", 0x2014: "-"}


class ThingToForget(NamedTuple):
    """What is to be forgotten.

    Attributes:
        thing: How it is named, or what is said; empty for everything.
        claims: Whether it is something said: "I'm allergic to nuts".
        former: Whether only what is over is meant: "my old address".
        span: Where in the text the request stands.
    """

    thing: str
    claims: bool
    former: bool
    span: tuple[int, int]


def may_ask_to_forget(text: str) -> bool:
    """Whether a message can ask to forget something, by a look at single words."""
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def asked_to_forget(text: str) -> Iterator[ThingToForget]:
    """What a message asks to be forgotten, in its order.

    >>> [one.thing for one in asked_to_forget("Please forget what I told you about my back. Thanks!")]
    ['my back']
    >>> [one.thing for one in asked_to_forget("forget it, let's do pizza. Don't let me forget the milk!")]
    []
    """
    if not may_ask_to_forget(text):
        return
    before, text = "", text.translate(_PLAIN_SIGNS)
    if _LETTER.search(text):
        return
    for sentence in _SENTENCE.finditer(own_words(text)):
        words = sentence.group().strip()
        if 0 < len(words) <= _LONGEST:
            asks = text[sentence.end() : sentence.end() + 1] == "?"
            around = f"{text[: sentence.start()]} {text[sentence.end() :]}"
            named = _named_in(words, before, text=text, around=around, asks=asks)
            if named is not None and not _REVOKED.search(text, sentence.start()):
                yield named._replace(span=sentence.span())
        told = _TOLD.fullmatch(words)
        before = "" if told is None or told["third"] else _of(told)


def _named_in(words: str, before: str, *, text: str, around: str, asks: bool) -> ThingToForget | None:
    if _EVERYTHING.fullmatch(_ENDS.sub("", words)):
        return ThingToForget("", claims=False, former=False, span=(0, 0))
    polite = _POLITELY.search(words) is not None
    if _ELIDED.match(words) and not (polite or _OK.search(words)):
        return None
    behind = " ".join(_JOINED.split(words, maxsplit=1)[1:])
    in_hand = not _UNLEARNS.search(words) and _IN_HAND.search(f"{around} {behind}")
    for pattern in () if in_hand else _REQUESTS:
        if (found := pattern.fullmatch(words)) and (named := _read(found["thing"], words)):
            return named
    if (found := _CLAIMS.fullmatch(words)) and (named := _read(found["thing"], words, claims=True)):
        return named
    if (found := _BIT.fullmatch(words)) and _REGRETS.search(text):
        return _read(found["thing"], words)
    if (found := _PLAIN.fullmatch(words)) and (polite or not asks) and _is_short(found["thing"]):
        away = not polite and _TURNS_AWAY.search(found["thing"])
        return None if away else _read(found["thing"], words)
    if polite and (found := _NAMED.fullmatch(words)):
        return _read(found["thing"], words)
    return _pointed_at(words, before)


def _pointed_at(words: str, before: str) -> ThingToForget | None:
    """What stands before a request that says "it": in the sentence before, or in this one."""
    if before and _POINTS.fullmatch(words):
        return _read(before, words)
    for place in reversed([found.start() for found in re.finditer(r"[,;:-] | and ", words)]):
        told = _TOLD.fullmatch(words[:place].strip(" ,;:-"))
        asks = words[place:].removeprefix(" and ").strip(" ,;:-")
        if told is not None and _POINTS.fullmatch(asks) and _is_meant(told, asks):
            return _read(_of(told), words)
    return None


def _is_meant(told: re.Match[str], asks: str) -> bool:
    """Whether a request means what it is about: "about Tom, forget it" alone is a way of speaking."""
    said = _POLITELY.search(asks) or _MENTIONED.search(asks)
    return told["third"] is None or said is not None


def _of(told: re.Match[str]) -> str:
    return told["thing"] or told["other"] or told["third"] or ""


def _is_short(thing: str) -> bool:
    return len(_ENDS.sub("", thing).split()) <= _MOST_WORDS


def _read(thing: str, words: str, *, claims: bool = False) -> ThingToForget | None:
    """What is named, without what stands around it; None where it is nothing of this memory."""
    if _ELSEWHERE.search(words):
        return None
    named = thing.strip(" ,;:")
    while (shorter := _ENDS.sub("", named).strip(" ,;:")) != named:
        named = shorter
    if _WHOLE.fullmatch(named):
        return ThingToForget("", claims=False, former=False, span=(0, 0))
    most = _MOST_OF_A_CLAIM if claims else _MOST_WORDS
    if not named or _NOTHING.fullmatch(named) or len(named.split()) > most:
        return None
    former = _FORMER.match(named)
    if former is not None and not claims:
        named = (former["own"] or "") + named[former.end() :]
    return ThingToForget(named, claims=claims, former=former is not None and not claims, span=(0, 0))


def forget_requests(turns: Sequence[Turn], *, known: int) -> list[Fact]:
    """What new turns of a user ask to be forgotten.

    Args:
        turns: A part of a conversation, in order, with their ids.
        known: How many of the first were read before.
    """
    return [
        Fact(
            text=f"{turn.speaker or 'User'} {FORGET} {one.thing or 'everything'}.",
            category="general",
            confidence=ASKED,
            subject=turn.speaker or "User",
            relation=FORGET_THAT if one.claims else FORGET,
            object=one.thing or None,
            past=one.former,
            source=turn.id,
            quote=turn.text[slice(*one.span)].strip(),
            only_ends=True,
        )
        for turn in turns[known:]
        if turn.role == "user"
        for one in asked_to_forget(turn.text)
    ]


def without_forget_requests(turns: Sequence[Turn]) -> list[Turn]:
    """The turns, with blanks for what asks to forget something; every text keeps its length."""
    left = list(turns)
    for place, turn in enumerate(turns):
        if turn.role == "user" and may_ask_to_forget(turn.text):
            text = turn.text
            for one in asked_to_forget(text):
                start, end = one.span
                text = text[:start] + " " * (end - start) + text[end:]
            left[place] = replace(turn, text=text)
    return left
