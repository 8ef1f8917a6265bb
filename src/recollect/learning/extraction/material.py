r"""Text that is handed over to be worked on: it is not said of the speaker, though it may say "I".

================================================================ ===========================================
message                                                          what is material
================================================================ ===========================================
"Proofread please:\n\nDear Ms Abbott, I live in Corby ..."        all behind the colon
"polish for the site: 'I quit my job ...'"                        the same
"Dictating the next bit of the novel. I woke in Valletta ..."     all of it
"My wife left in May. ...\n\nRewrite this in the third person."   all before the request
"tidy this up for me please I am diabetic and I live at ..."       all behind "please"
"write to the council for my neighbour saying I am 82 ..."        all behind "saying", to the full stop
"Write to my landlord: I live at 3 Elm Road ..."                  nothing: it is to be said for the speaker
"Summarise my week: I moved to Leeds ..."                         nothing: it is about the speaker
================================================================ ===========================================

The words were chosen by hand.
"""

import re
from typing import Final

from recollect.types.regex import lazy_regex

_HEAD: Final = 320
"""Characters in which a request stands, and behind it what it is about."""
_SHORTEST: Final = 60
"""Characters of material; what is shorter is read."""
_THIS: Final = r"(?: (?:this|the|these|it|them|my|all|following|up|please)\b|:)"
_ASKED: Final = (
    r"(?:^|(?<=[.!?:;,\n-] )|(?<=\n)|(?<=please )|(?<=pls )|(?<=you )|(?<=me )|(?<=now )|(?<=then )"
    r"|(?<=just ))"
)
"""Before a verb that asks for something: "can you translate", but not "I translate"."""
_WORK: Final = (
    rf"(?:{_ASKED}(?:(?:proof-?read|re-?write|re-?word|re-?phrase|paraphrase|translate|summari[sz]e|sum up"
    r"|shorten|condense|transcribe|(?:line |copy-?)edit|critique|restructure|restyle|roast|reformat)\b"
    rf"|(?:polish|edit|tidy|clean up|continue|carry on|merge|extract|analy[sz]e|grade|score|expand"
    rf"|convert){_THIS}"
    r"|(?:fix|correct|check|improve) (?:\w+ ){0,2}(?:grammar|spelling|punctuation|typos|style|wording|text"
    r"|this)\b"
    r"|turn [^.!?\n]{1,60} into\b|change (?:this |it )?(?:in)?to (?:\w+ ){0,2}(?:person|tense)\b"
    r"|put (?:this|it) in(?:to)? (?:(?:plain|simple|simpler|better|proper|normal) )?\w+\b"
    r"|make (?:this|the following|these)\b|(?:make|write) [^.!?\n]{0,40}(?:sound|less|more) \w+"
    r"|give feedback on|feedback on this|spot the|continue in"
    r"|korrigier\w*|\u00fcbersetz\w*|\u00fcberarbeite\w*|fasse? [^.!?\n]{0,40}zusammen"
    r"|schreibe? [^.!?\n]{0,30}um\b"
    r"|corrig\w+|traduis|traduisez|reformule[zr]?|r\u00e9sume[zr]?|traduce|traduzca|reescribe"
    r"|resume (?:este|esto|el)"
    r"|correggi|traduci|riassumi|riscrivi|vertaal|herschrijf|corrigeer|vat [^.!?\n]{0,40}samen"
    r"|traduza|reescreva|\u00f6vers\u00e4tt|r\u00e4tta|sammanfatta|skriv om)"
    r"|\bghost-?writ\w+|\bflashcards? from|\bcomprehension text|\btranscript\b"
    r"|\bneeds? to be (?:simpl|short)er|\bedit(?=:[ \t]*\n))"
)
_KINDS: Final = (
    r"(?:e-?mails?|letters?|essays?|texts?|paragraphs?|stor(?:y|ies)|chapters?|scenes?|scripts?|speech(?:es)?"
    r"|statements?|transcripts?|interviews?|minutes|notes|personas?|newsletters?|bios?|blurbs?|templates?"
    r"|passages?|excerpts?|drafts?|articles?|abstracts?|prompts?|examples?|posts?|reviews?|poems?|lyrics"
    r"|reports?|exercises?|questions?|voicemails?|dialogues?|monologues?|raw|copy|brief)"
)
_REQUEST: Final = lazy_regex(
    rf"{_WORK}(?!\w)"
    r"|\b(?:here(?:'s| is| are)|this is|these are|the following|below|attached|pasted|from)"
    rf" (?:(?!\b(?:my|me|our|i)\b)[^.!?\n]){{0,60}}\b{_KINDS}\b"
    rf"|\b{_KINDS} (?:below|reads|says|goes|follows|draft)\b|\braw:",
    re.IGNORECASE,
)
_BEGINS: Final = lazy_regex(
    r":\s+|\n[ \t]*\n|\n(?=[ \t]*[-*\u2022\"'\u201c\u2018\u00ab])"
    r"|(?<=[.,!?)]) (?=[\"\u201c\u201e\u2018\u00ab']\w)"
)
"""Between a request and its material."""
_RUNS_ON: Final = lazy_regex(
    r"\b(?:tidy|put|make|shorten|reword|re-?write|rephrase|polish|proof-?read) this(?: (?:up|out|down))?"
    r"(?: (?:sound|look|read|be|more|less|nicer|better|shorter|clearer|kinder|politer|polite|formal"
    r"|friendlier|in(?:to)?|plain|simple|english|proper|a bit)\b){0,4}"
    r"(?: (?:for (?:me|us)|please|pls|thanks)\b){0,3}(?<!this)"
    r" (?=(?:i|i'm|i\u2019m|im|my|we|our|dear|hi|hello)\b)(?P<it>[^.!?\n]{40,}[.!?]?\s*)$",
    re.IGNORECASE,
)
"""Material in one long breath that nothing marks, as in what is dictated: "tidy this up for me I am ..."."""
_FOR_OTHERS: Final = lazy_regex(
    r"\b(?:write|draft|compose) [^.!?\n]{0,40}\bto (?:the|my|our) [^.!?\n]{1,40}\bfor (?:my|our|an?)"
    r" (?:[\w-]+ ){1,3}(?:saying|that says|explaining|stating)(?: that)?\b(?P<it>[^.!?\n]+)",
    re.IGNORECASE,
)
"""A text in somebody else's name: "write to the council for my neighbour saying I am 82"."""
_OWN: Final = lazy_regex(
    rf"\bmy (?!(?:\w+ ){{0,2}}{_KINDS}\b)\w+|\b(?:about|of) (?:me|myself|us)\b", re.IGNORECASE
)
"""Says that it is about the speaker: "summarise my week: I ...", "here are some notes about me: ..."."""
_FICTION: Final = lazy_regex(
    r"\bdictat\w+[^.!?\n]{0,60}\b(?:novel|story|chapter|scene|memoir|script)\b"
    r"|\b(?:here(?:'s| is)|continue|write) the (?:next|first|opening) (?:bit|part|chapter|scene|page|lines?)"
    r"\b|\blet's (?:role-?play|pretend)\b|\blet's play[.:!]"
    r"|\blet's write an? (?:\S+ ){0,3}(?:story|novel|scene|script)\b"
    r"|\b(?:a|can (?:you|we)|want to) role-?play\b"
    r"|\b(?:as|be|you are|you're) (?:my|the|a) (?:game|dungeon) master\b"
    r"|\bmy character sheet\b|\b(?:stay|keep) in character\b|\byou are (?:captain|sir|lady|lord)\b",
    re.IGNORECASE,
)
_LAST: Final = lazy_regex(
    rf"(?:\n|(?<=[.!?\"'\u201d\u2019)]) )[ \t]*(?:(?:please|can you|could you|now|then|pls)[ ,]+)*{_WORK}"
    r"[^.!?\n]{0,60}\b(?:this|it|that|the (?:above|text|letter|story|email))\b[^\n]{0,120}\Z",
    re.IGNORECASE,
)
"""A request behind its material."""
_TOLD: Final = 240
"""Characters before a request that may have been told for it: "my son has dyslexia, could you reword this".
These are chosen by hand."""


def without_material(text: str) -> str:
    r"""Blanks for text that is handed over.

    >>> without_material("I have a cold. Polish this: " + "Ten years ago I quit my job. " * 3).rstrip()
    'I have a cold. Polish this:'
    >>> without_material("Summarise my week: " + "I moved to Leeds. " * 5).count("Leeds")
    5
    """
    if unmarked := _RUNS_ON.search(text) or _FOR_OTHERS.search(text, 0, _HEAD):
        start, end = unmarked.span("it")
        return text[:start] + _BLANKED.sub(" ", text[start:end]) + text[end:]
    if len(text) <= _SHORTEST:
        return text
    start, end = _place_of(text)
    return text[:start] + _BLANKED.sub(" ", text[start:end]) + text[end:] if end - start > _SHORTEST else text


_BLANKED: Final = lazy_regex(r"[^\n]")


def _place_of(text: str) -> tuple[int, int]:
    """Where the material of a message begins and ends; an empty place without any."""
    if fiction := _FICTION.search(text, 0, _HEAD):
        return fiction.start(), len(text)
    for request in _REQUEST.finditer(text, 0, _HEAD):
        begins = _BEGINS.search(text, request.end(), request.end() + _HEAD)
        if begins is not None and not _OWN.search(text, request.start(), begins.start()):
            return begins.end(), len(text)
    last = _LAST.search(text)
    return (0, last.start()) if last and last.start() > _TOLD else (0, 0)
