"""The cues of priority: words and phrases by kind, and the signs by which texts without any are skipped.

Kinds: "high", "swift", "medium", "soon" and "low" are turned by the words before them; "firm", "calm" and
"litotes" hold their own "no" or bear none; an "idiom" is no cue.
"""

import re
from functools import cache
from typing import Final, Literal

from recollect.types.regex import lazy_regex

Level = Literal["high", "medium", "low"]
"""How pressing something is."""


@cache
def cues(*, mild: bool) -> re.Pattern[str]:
    """Finds the cues of all kinds and idioms, or those of the mild kinds only, in lower case."""
    groups = (
        f"(?P<{kind}>(?:{_by_initial(table)})(?!\\w))"
        for kind, table in _CUES.items()
        if not mild or kind in MILD
    )
    return lazy_regex(rf"\b(?:{'|'.join(groups)})")


def _by_initial(table: str) -> str:
    """A pattern for the cues of a table, sorted by first letter so that most words are passed at once."""
    buckets: dict[str, list[str]] = {}
    for row in re.split(r"\n\s+| \| ", table.strip()):
        for cue in _opened(row):
            buckets.setdefault(cue[0] if cue[0].isalpha() else "", []).append(cue)
    plain = buckets.pop("", [])
    sorted_ones = [f"{first}(?:{'|'.join(cue[1:] for cue in rest)})" for first, rest in buckets.items()]
    return "|".join([*plain, *sorted_ones])


def _opened(cue: str) -> list[str]:
    """A cue that begins with a choice, once for each of the choices."""
    choice = re.match(r"\(\?:([^()]*)\)(\??)", cue)
    if choice is None:
        return [cue]
    firsts = [*choice[1].split("|"), *([""] if choice[2] else [])]
    return [opened for first in firsts for opened in _opened(first + cue[choice.end() :])]


OPEN: Final[dict[str, Level]] = {
    "high": "high", "swift": "high", "medium": "medium", "soon": "medium", "low": "low",
}  # fmt: skip
"""Kinds of cue that the words before may turn."""
FIRM: Final[dict[str, Level]] = {"firm": "high", "calm": "low", "litotes": "medium"}
"""Kinds of cue that hold their own "no", or bear none. The kind "idiom" is in neither table."""

_CANNOT: Final = r"(?:can'?t|cannot|can not|couldn't)"
_THING: Final = r"(?:it|this|that|these|those|(?:this|that|the) [a-z]*[a-rt-z])"
"""What can wait: a thing, and not "the kids"."""
_WEIGHT: Final = (
    r"(?:urgent(?:es|e|s)?|important(?:es|e|s)?|crucial(?:es|e)?|critical|vital|essential|pressing"
    r"|dringende?[rsmn]?|wichtige?[rsmn]?|eilige?[rsmn]?|prioritaires?)"
)

_CUES: Final = {
    "idiom": rf"""
        critical (?:thinking|thinkers?|acclaim|analysis|theory|essays?|reviews?|reception)
        critical (?:success|care|mass|of) | critically (?:acclaimed|endangered|ill|think|examine)
        (?:self|hyper|over)-?(?:important|critical)
        (?:important|vital|crucial|critical) (?:figures?|roles?|parts?|contributions?)
        urgent care | vital (?:signs|statistics|organs?|records)
        emergency (?:rooms?|funds?|exits?|contacts?|kits?|services?|vehicles?|numbers?|medicine|savings)
        (?:i|you|he|she|we|they|it|was|were|who|almost) immediately
        immediately (?:after|before|following|adjacent|upon|[a-z]+ed|felt|fell|knew|went|made)
        {_CANNOT} wait (?:to|for|until|till) | long overdue | (?:see|talk to|speak to) you soon
        (?:too|how|no) soon(?:er)? | (?:as )?soon as(?! possible| you can| you possibly can)
        (?:he|she) must be done | (?:any|no) (?:(?:real|major|current|other) )?blockers?
        (?:ad|beta|channel|popup|pop-up|puberty|sun|call|shot|light|odou?r)[ -]?blockers?""",
    "calm": rf"""
        (?:no|not in a|in no|without|without any) (?:real |big |particular |great |mad )?(?:rush|hurry)
        no (?:real |particular |great )?urgency | no need (?:to|for) (?:rush|hurry) | no stress
        (?:don't|do not|never|needn't) (?:rush|hurry) | nothing (?:that )?{_WEIGHT}
        of (?:little|no|minor|secondary) importance
        {_THING} (?:can|could|may) (?:\w+ly )?wait(?! (?:for|in|here|there|outside))
        no[ -](?:priority|prio) | (?:priority|prio)[: ]{{1,3}}(?:is )?low
        depriorit\w+ | p[345](?![.'-]\w) | back[ -]?burner | someday | take your time
        at your (?:own )?(?:leisure|convenience|pace)
        whenever (?:you|we|i) (?:get|have|find) (?:(?:a|the|some|any) )?(?:chance|time|moment|minute)
        whenever you(?: can| like|'re free| are free|'re ready| are ready)
        whenever (?:possible|convenient|works|suits|is (?:fine|good|ok|okay))
        whenever(?=\s*(?:[.,;:!?)\n]|$))
        when you can(?=\s*(?:[.,;:!?)\n]|$|please)) | when you(?:'re| are) free
        (?:when|if|once) (?:you|we|i) (?:ever )?get (?:a chance|the chance|a moment|a minute|around to)
        (?:when|if) you (?:have|find) (?:(?:the|some|a|a bit of) )?(?:spare |free )?(?:time|chance|moment)
        (?:when|if|as) time (?:permits|allows)
        keine eile | kein stress | eilt nicht | nichts {_WEIGHT} | bei gelegenheit | irgendwann
        (?:das|es|dies) (?:kann warten|hat (?:noch )?zeit)
        wenn (?:du|sie|ihr) (?:mal )?zeit (?:hast|haben|habt)
        rien (?:d'|de ){_WEIGHT} | rien ne presse | (?:ça )?ne presse pas | pas (?:si |très |trop )?pressée?s?
        sans urgence | pas d'urgence | peu {_WEIGHT} | quand (?:tu (?:peux|pourras)|vous (?:pouvez|pourrez))
        sin prisas? | no (?:hay|tengo|tenemos|corre) prisa | nada {_WEIGHT} | poco {_WEIGHT}
        cuando (?:puedas|pueda|tengas tiempo) | algún día""",
    "low": rf"""
        (?:far from|anything but|the (?:very |exact )?opposite of) (?:being )?(?:very |really )?{_WEIGHT}
        (?:low|lower|lowest|minor|bottom)[ -](?:priority|prio)
        unimportant | unwichtige?[rsmn]? | nice-to-haves?
        (?:a|just) nice to have | nice to have(?=\s*(?:[.,;:!?)\n]|$|but))""",
    "medium": r"""
        (?:medium|normal|moderate|mid|average)[ -](?:priority|prio) | p2(?![.'-]\w)
        (?:priority|prio)[: ]{1,3}(?:is )?(?:medium|normal|moderate)
        (?:should|ought to) (?:really )?(?:be|get) done | sooner rather than later
        at your earliest convenience""",
    "soon": r"""
        soon | soonish""",
    "swift": r"""
        asap | a\.s\.a\.p\.? | as (?:soon|quickly|fast) as (?:possible|you can|you possibly can)
        immediately | (?:right|straight) ?away | without delay
        sofort | unverzüglich | umgehend | schnellstmöglich | so (?:schnell|bald) wie möglich
        dès que possible | (?:au|le) plus vite(?: possible)? | tout de suite | immédiatement
        lo antes posible | cuanto antes | de inmediato | inmediatamente""",
    "firm": rf"""
        {_THING} (?:really |just |simply )?{_CANNOT} wait(?! (?:to|for))
        drop everything | (?:please|must|need to|gotta) (?:rush|hurry) | hurry up | rush (?:job|order)
        non-?negotiable | of the essence | d'urgence | p[01](?![.'-]\w)
        (?:priority|prio)[: ]{{1,3}}(?:is )?(?:one|high|highest|urgent|critical|[01])""",
    "high": r"""
        (?:matter of|utmost|extreme) (?:urgency|importance)
        of (?:great|high|vital|critical) importance
        urgent(?:es|e|s|ly|emente)? | important(?:es|e|s)? | crucial(?:es|e|ly)?
        critical(?:ly)? | vital(?:ly)?
        essential (?:to|that|for|we|you|i) | absolutely essential | imperative (?:that|to|we|you|i)
        (?:life|time|mission|business|safety)[ -](?:critical|sensitive) | life[ -](?:or|and)[ -]death
        (?:top|high|higher|highest|first|main|number[ -]one|utmost|biggest|urgent|max)[ -](?:priority|prio)
        a priority(?! (?:mail|seat|queue|boarding|list|of)) | priorit(?:ize|ise) (?:this|it|that)
        immediate (?:attention|action|response|reply|answer|help|assistance|fix|care|need|danger|priority)
        blockers? | (?:release|launch|deploy|merge)[ -]blocking
        blocking (?:us|me|them|everyone|everybody|everything|others?|progress|work|issues?|bugs?|problems?)
        blocking (?:(?:the|our|my|this|your|a) )?(?:whole |entire |next )?(?:team|release|launch|rollout)
        blocking (?:(?:the|our|my|this|your|a) )?(?:work|deployment|merge|build|project|customers?|users?)
        blocking(?=\s*(?:[.,;:!?)\n]|$))
        emergency | overdue | pressing (?:matter|issue|need|concern|deadline|question|problem|task)s?
        pressing(?:(?<=not pressing)|(?<=n't pressing)|(?<=that pressing))
        (?:must|has to|have to|needs? to) (?:be|get) done
        (?:deadline|due)(?: is|'s| was|:)? (?:by )?(?:today|tonight|tomorrow|now|eod|in an hour)
        (?:deadline|due)(?: is|'s| was|:)? (?:by )?this (?:morning|afternoon|evening) | by (?:eod|cob)
        dringend(?:e[rsmn]?)? | wichtig(?:e[rsmn]?|ste[rsmn]?)? | eilig(?:e[rsmn]?)? | eilt
        (?:höchste|hohe|oberste) priorität | prioritaires? | prioritari[oa]s?""",
}
"""Cues by kind, phrases parted by " | "; of those that begin together the first one counts."""
MILD: Final = frozenset({"calm", "low", "medium"})
"""Kinds that no idiom looks like."""
_SIGNS_BY_KIND: Final = {
    "calm": """
        algún backburner burner can+when chance+find chance+get chance+have convenience
        deprioritise
        deprioritised deprioritize deprioritized eile eilt free+when gelegenheit hurry
        importance irgendwann
        leisure minute+get moment+find moment+get moment+have nada nichts nothing p3 p4 p5 pace
        peu peux
        poco pourras pourrez pouvez presse pressé pressée pressées pressés prio priority prisa prisas pueda
        puedas rien rush someday stress+kein stress+no tengas time+allows time+find+if time+find+when
        time+have+if time+have+when time+permits time+take+your urgence urgency wait+it wait+that wait+the
        wait+these wait+this wait+those warten whenever zeit""",
    "low": """
        anything+but far+from nice+have+to nice+haves opposite prio priority
        unimportant unwichtig unwichtige unwichtigen unwichtiger
        unwichtiges""",
    "medium": "convenience done+ought done+should p2 prio priority sooner",
    "soon": "soon soonish",
    "swift": """
        antes asap away+right away+straight bald delay fast+as immediately immédiatement inmediatamente
        inmediato p+a+s possible+as possible+que possibly+as quickly+as rightaway schnell schnellstmöglich
        sofort soon+as straightaway suite umgehend unverzüglich vite""",
    "firm": """
        drop+everything essence hurry negotiable nonnegotiable p0 p1 prio priority rush urgence
        wait+it wait+that wait+the wait+these wait+this wait+those""",
    "high": """
        blocker blockers blocking cob critical critically crucial cruciale cruciales crucially deadline
        death+life done+has done+have
        done+must done+need done+needs dringend dringende dringendem dringenden dringender dringendes due
        eilig eilige eiligem eiligen eiliger eiliges eilt emergency eod essential immediate imperative
        importance
        important importante importantes importants overdue pressing prio prioritaire prioritaires
        prioritaria prioritarias prioritario prioritarios prioritise prioritize priority priorität sensitive
        urgency urgent urgente urgentemente urgentes urgently urgents vital vitally wichtig wichtige
        wichtigem wichtigen wichtiger wichtiges wichtigste wichtigsten wichtigster""",
}
"""By kind, signs one of which every cue of that kind shows: a word, or several that stand in one text (idioms
are of no use alone). Words that many turns hold, such as "can", go with another one."""


def _signs() -> dict[str, tuple[tuple[str, frozenset[str]], ...]]:
    signs: dict[str, tuple[tuple[str, frozenset[str]], ...]] = {}
    for kind, listed in _SIGNS_BY_KIND.items():
        for sign in listed.split():
            word, *others = sign.split("+")
            signs[word] = (*signs.get(word, ()), (kind, frozenset(others)))
    return signs


SIGNS: Final = _signs()
"""The kinds that a word is a sign of, each with the other words it takes."""
SIGN_WORDS: Final = frozenset(SIGNS)
