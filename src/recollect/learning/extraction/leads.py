"""What leads a statement in: greetings, hedges, requests to remember, phrases of time and place."""

from typing import Final, NamedTuple

from recollect.learning.extraction.clauses import Clause
from recollect.learning.listing import DAY, EXPERT_SAYS, any_of
from recollect.types.regex import lazy_regex

_ME: Final = r"(?=(?:i|we|my|our)\b)"
_FILLERS: Final = lazy_regex(
    "(?:"
    + any_of(
        """
        well | hiya | so | oh | ooh | ah | yeah | yep | yes | yup | no | nope | nah | ok | okay | hi | hey
        | hello | hallo | greetings | wow | haha | lol | hmm | um | uh | also | and | but | or | actually
        | honestly | frankly | basically | anyways? | btw | fyi | plus | besides | personally | currently
        | nowadays | these days | at the moment | now | lately | recently | sorry | thanks | thank you | sure
        | unfortunately | sadly | luckily | fortunately | thankfully | in fact | for the record
        | just so you know | as you know | by the way | to be (?:honest|fair|clear) | tbf | admittedly
        | you know | you see | i mean | look | listen | like | then | again | though | too | still | just
        | however | indeed | correction | update | not gonna lie | ngl | fun fact | confession | true
        | right | great | good | nice | cool | good (?:morning|evening|afternoon|day) | nice to meet you
        | there | wait | oops | my bad | guess what | the (?:thing|truth|fact|problem|point) is(?: that)?
        | (?:it )?turns out(?: that)? | since you asked? | because | as i (?:said|mentioned)(?: before)?
        | like i said | for (?:context|reference|info) | (?:a bit )?about me
        | quick (?:intro|background|note) | note to self | ps | same here | me too | likewise | of course
        | both | even
        """
    )
    + " )+"
)
_CORRECTS: Final = lazy_regex(r"\b(?:actually|correction|sorry|no|i mean|oops|wait|my bad)\b")
_ASKED: Final = lazy_regex(
    "(?:please )?(?:remember|do not forget|never forget|keep in mind|bear in mind|note|take note|make a note"
    "|know|be aware|please note|for your information|(?:i want|i would like) you to (?:know|remember))"
    f"(?: this| for (?:later|next time|the future|future reference))?(?: that)? {_ME}"
)
"""Asks to remember what follows."""
_SURE: Final = lazy_regex(
    "i (?:(?:must|have to|will|can|should|also|just|already|did) )*(?:say|admit|confess|mention(?:ed)?"
    "|told you|said|reali[sz]ed?|know|forgot to (?:say|mention|tell you)|add|want to mention|noticed?|swear"
    "|meant?|learned|discovered"
    f"|find(?: out)?|found(?: out)?)(?: to you)?(?: before| already)?(?: that)? {_ME}|{EXPERT_SAYS} {_ME}"
)
"""Says that what follows is so."""
_HEDGE: Final = lazy_regex(
    any_of(
        """
        i (?:(?:also|just|do|still|really|kind of|sort of|always) )*(?:think|guess|believe|suppose|reckon
        |suspect|assume|figure|gather|presume|feel like|feel|would say|might say)(?: that)?
        | maybe | perhaps | probably | possibly | apparently | presumably | chances are(?: that)? | arguably
        | imh?o
        | (?:i am )?(?:pretty|fairly|quite|almost|reasonably|not (?:100%|entirely|completely|totally)
        |not) (?:sure|certain|positive)(?: but| that| yet but)?
        | (?:it )?(?:seems|looks)(?: that| like)? | in my opinion | as far as i (?:know|can tell|remember)
        | i am under the impression(?: that)?
        """
    )
    + r" (?=(?:i|we|my|our|maybe|probably|\S+ is my)\b)"
)
_DOUBT: Final = lazy_regex(
    rf"i (?:really |also |just )?(?:do not|never) (?:think|believe|guess|suppose|feel like)(?: that)? {_ME}"
)
_AGAIN: Final = rf"(?:(?:{DAY}|weekend|weekday)s|(?:{DAY} )?(?:mornings|afternoons|evenings|nights))"
"""A time that comes again: "Tuesday evenings"."""
_OFTEN: Final = lazy_regex(
    rf"(?P<when>(?:(?:on|at|in|every|each|most) (?:the |other )?)?"
    rf"(?:{_AGAIN}|(?<=every )(?!time\b)\S+|(?<=each )(?!time\b)\S+|(?<=in )my (?:free|spare) time))"
    rf" (?:{_ME}|$)"
)
_OPENER: Final = lazy_regex(
    "(?!in case|in the event|as (?:if|long|soon|far|though)|on condition|on the off chance"
    "|with the assumption)(?:in|at|on|for|during|after|every|since|with|when it comes to|as for|as|around"
    "|before|by|throughout|from|most|apart from|besides|despite|two|three|four|five|ten|last|next|this|a few"
    "|some"
    rf"|{_AGAIN})(?: (?!(?:i|we|my|our|you|he|she|they|it|who|that|if|what|me)\b)\S+){{0,6}} {_ME}"
)
"""Says when or where before the subject comes: "at work", "every morning", "in 2019"."""
_LIKENS: Final = lazy_regex(r"\bfeel like\b")
"""Says what something is like, rather than that it is so."""
_UNSURE: Final = lazy_regex(r"(?:i am )?not (?:sure|certain|positive)\b(?! but| yet but)")
_MOST: Final = 4
"""How many leads may follow each other. Chosen by hand."""


class Lead(NamedTuple):
    """What leads a statement in.

    Attributes:
        start: The place of the first word behind it.
        asked: Whether the speaker asks to remember it.
        hedged: Whether the speaker is not sure.
        denied: Whether the speaker does not think so.
        corrects: Whether something said before was wrong.
        likens: Whether the speaker says what it is like: "I feel like I live here".
        often: A time that comes again: "on Sundays".
    """

    start: int
    asked: bool = False
    hedged: bool = False
    denied: bool = False
    corrects: bool = False
    likens: bool = False
    often: str = ""


def lead_of(clause: Clause) -> Lead:
    """What leads a clause in; it ends where the clause does when there is nothing else."""
    read, place, often = clause.read + " ", 0, ""
    asked = hedged = denied = corrects = False
    for _ in range(_MOST):
        before = place
        if match := _ASKED.match(read, place):
            asked, place = True, match.end()
        if match := _FILLERS.match(read, place):
            corrects = corrects or _CORRECTS.search(match.group()) is not None
            place = match.end()
        if match := _DOUBT.match(read, place):
            denied, place = True, match.end()
        if match := _HEDGE.match(read, place):
            hedged, place = True, match.end()
        if match := _SURE.match(read, place):
            corrects = corrects or " meant " in match.group()
            place = match.end()
        if match := _OFTEN.match(read, place):
            often = clause.raw(read.count(" ", 0, place), read.count(" ", 0, match.end("when")) + 1)
            place = match.end()
        if match := _OPENER.match(read, place):
            place = match.end()
        if place == before:
            break
    likens = _LIKENS.search(read, 0, place) is not None
    return Lead(read.count(" ", 0, place), asked, hedged or denied, denied, corrects, likens, often)


def is_unsure(clause: Clause) -> bool:
    """Whether the speaker says not to know: "not sure I like it"."""
    return _UNSURE.match(clause.read) is not None
