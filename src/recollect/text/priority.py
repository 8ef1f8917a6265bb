"""How pressing a text says something is: high, medium or low, by its own words.

A table of cues decides, and the few words before each. The rules, in the order they are applied:

1. What stands in quotation marks, in backticks or behind a ">" is someone else's and decides nothing.
2. Idioms are no cues: "critical thinking", "urgent care", "an important role", "I can't wait".
3. A cue in a condition ("if it's urgent") or in a question about it ("is it urgent?") decides nothing.
4. A denied cue is low ("not urgent", "isn't really important", "less important"). A denied denial says
   that it matters, not how much: medium ("not unimportant"). "Not just important" denies nothing.
5. "somewhat", "fairly", "kind of" and their like make a high cue medium; "pretty", "quite" and "rather"
   strengthen as often as they weaken and change nothing.
6. Of several levels the highest wins: to miss what is urgent costs more than to do something early. So
   "important but not urgent" and "urgent, no rush" are high.

"important" is high, because the spec names it beside "crucial" and "ASAP". "should" and "soon" in
themselves say nothing ("it should rain", "see you soon"): "should be done" and a "soon" that is asked
for are medium. Whether something important is still to be done, or was told of the past, cannot be told.
English, and the commonest words of German, French, Spanish and Chinese.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from recollect.text.analyse import READ_CHARACTERS, ascii_words

Level = Literal["high", "medium", "low"]
"""How pressing something is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Priority:
    """How pressing a text says something is.

    Attributes:
        level: The highest level that its words give.
        words: The words that gave this level, each once, as they stand in the text and in its order; a
            denial begins with the word that denies.
    """

    level: Level
    words: tuple[str, ...]


def find_priority(text: str, *, words: Sequence[str] | None = None) -> Priority | None:
    """How pressing a text says something is; None where it says nothing of it.

    Args:
        text: Its first 20,000 characters are read.
        words: What ``ascii_words`` cuts from these, if they are ASCII and that is known already.

    >>> find_priority("This is crucial and urgent")
    Priority(level='high', words=('crucial', 'urgent'))
    >>> find_priority("It isn't really urgent, take your time.")
    Priority(level='low', words=("isn't really urgent", 'take your time'))
    >>> find_priority("Ada paints when it rains") is None
    True
    """
    seen = text[:READ_CHARACTERS]
    kinds = _kinds_in(_runs(seen) if words is None else words)
    if not kinds and (seen.isascii() or not _HAN.search(seen)):
        return None
    found = sorted(_signals(seen, kinds))
    for level in _LEVELS:
        telling = dict.fromkeys(cue for _, its_level, cue in found if its_level == level)
        if telling:
            return Priority(level=level, words=tuple(telling))
    return None


def _runs(text: str) -> list[str]:
    return ascii_words(text) if text.isascii() else _WORD_PART.findall(_lower(text))


def _kinds_in(words: Sequence[str]) -> set[str]:
    """The kinds of cue that a text of these words may hold."""
    if _SIGN_WORDS.isdisjoint(words):
        return set()
    there = set(words)
    return {kind for word in there & _SIGN_WORDS for kind, others in _SIGNS[word] if others <= there}


def _lower(text: str) -> str:
    """In lower case, at the same length: the dotted capital I is the only letter that would become two."""
    return text.replace("\u0130", "I").lower().replace("\u2019", "'")


def _signals(text: str, kinds: set[str]) -> Iterator[tuple[int, Level, str]]:
    """Where the text gives a level, which one, and the words that do."""
    lower = _without_quotes(_lower(text))
    for match in _cues(mild=kinds <= _MILD).finditer(lower) if kinds else ():
        kind = match.lastgroup or ""
        if kind in _FIRM:
            yield match.start(), _FIRM[kind], text[match.start() : match.end()]
        elif kind in _OPEN:
            level, start = _weigh(lower, match, _OPEN[kind])
            if level is not None:
                yield start, level, text[start : match.end()]
    if not text.isascii() and _HAN.search(text):
        for match in _CHINESE.finditer(lower):
            yield match.start(), _FIRM[match.lastgroup or ""], match.group()


@cache
def _cues(*, mild: bool) -> re.Pattern[str]:
    """Finds the cues of all kinds and idioms, or those of the mild kinds only, in lower case."""
    groups = (
        f"(?P<{kind}>(?:{_by_initial(table)})(?!\\w))"
        for kind, table in _CUES.items()
        if not mild or kind in _MILD
    )
    return re.compile(rf"\b(?:{'|'.join(groups)})")


def _by_initial(table: str) -> str:
    """A pattern for the cues of a table, sorted by first letter so that most words are passed at once."""
    buckets: dict[str, list[str]] = {}
    for row in re.split(r"\n\s+| \| ", table.strip()):
        for cue in _opened(row):
            buckets.setdefault(cue[0] if cue[0].isalpha() else "", []).append(cue)
    plain = buckets.pop("", [])
    sorted_ones = [f"{first}(?:{'|'.join(cue[1:] for cue in cues)})" for first, cues in buckets.items()]
    return "|".join([*plain, *sorted_ones])


def _opened(cue: str) -> list[str]:
    """A cue that begins with a choice, once for each of the choices."""
    choice = re.match(r"\(\?:([^()]*)\)(\??)", cue)
    if choice is None:
        return [cue]
    firsts = [*choice[1].split("|"), *([""] if choice[2] else [])]
    return [opened for first in firsts for opened in _opened(first + cue[choice.end() :])]


def _without_quotes(text: str) -> str:
    """The text with line breaks in place of what is quoted; as long as before."""
    if not _QUOTE_MARK.search(text) and not _OPENING_APOSTROPHE.search(text):
        return text
    return _QUOTED.sub(lambda match: "\n" * len(match.group()), text)


def _weigh(text: str, match: re.Match[str], level: Level) -> tuple[Level | None, int]:
    """The level of a cue after the words before it, and where what decides begins."""
    view = _look_back(text, match.start())
    if _is_open_question(text, match, view):
        return None, match.start()
    if match.lastgroup == "soon" and not _REQUEST.search(_sentence(text, match)):
        return None, match.start()
    if match.lastgroup == "swift" and view.denials and view.unable:
        return None, match.start()  # "I can't do it right away" says nothing of its weight
    if view.denials > 1 or (view.denials and level == "low"):
        return "medium", view.start
    if view.denials:
        return "low", view.start
    if view.weakened is not None and level == "high":
        return "medium", view.weakened
    return level, match.start()


@dataclass(slots=True)
class _View:
    """What the words before a cue say of it.

    Attributes:
        denials: How many words deny it.
        start: Where the first of them begins.
        unable: What denies is "can't", "couldn't" or "won't".
        weakened: Where a word such as "somewhat" begins.
        stop: The first word, going back, that belongs to something else; empty at the clause's begin.
        first: The last word passed.
    """

    denials: int = 0
    start: int = 0
    unable: bool = False
    weakened: int | None = None
    stop: str = ""
    first: str = ""


def _look_back(text: str, end: int) -> _View:
    """Goes back from a cue through its clause, over words that hand a denial on ("isn't *all that* ...")."""
    begin = max(0, end - _REACH)
    clause = _BREAK.split(text[begin:end])[-1]
    view, after = _View(start=end), ""
    for match in reversed(list(_WORD.finditer(clause))):
        word, start = match.group(), end - len(clause) + match.start()
        if _denies(word) and not (word == "no" and after in _AFTER_A_NO_ALONE):
            if after in _NOT_ONLY or (view.denials == 0 and _more_than_all(word, clause[match.end() :])):
                return _View(start=end, stop=word)
            view.denials, view.start = view.denials + 1, start
            view.unable = word in _UNABLE
            if word in _LAST_DENIALS:
                return view
        elif word in _WEAKENING and after in {"", "of", "more"}:
            view.weakened = start
        elif word not in _PASSED:
            view.stop = word
            return view
        after = view.first = word
    return view


def _denies(word: str) -> bool:
    return word in _DENIALS or word.endswith("n't")


def _more_than_all(word: str, between: str) -> bool:
    """Whether "nothing is more ..." and its like praise instead of denying."""
    return word in _UNSURPASSED and " more" in between


def _is_open_question(text: str, match: re.Match[str], view: _View) -> bool:
    """Whether the text asks or supposes how pressing it is, and does not say so."""
    if view.stop in _SUPPOSING:
        return True
    if view.stop == "how":
        return _ASKS_HOW.match(text, match.end()) is not None
    if view.stop or view.first not in _ASKING:
        return False
    return _ASKED_TO_ITS_END.match(text, match.end()) is not None


def _sentence(text: str, match: re.Match[str]) -> str:
    """The words around a cue, within its sentence."""
    before = _FULL_STOP.split(text[max(0, match.start() - _REACH) : match.start()])[-1]
    return before + _FULL_STOP.split(text[match.start() : match.end() + _REACH], maxsplit=1)[0]


_LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")
_REACH: Final = 60
"""Characters before and after a cue that are looked at, about ten words. Chosen by hand."""

_OPEN: Final[dict[str, Level]] = {
    "high": "high", "swift": "high", "medium": "medium", "soon": "medium", "low": "low",
}  # fmt: skip
"""Kinds of cue that the words before may turn."""
_FIRM: Final[dict[str, Level]] = {"firm": "high", "calm": "low", "litotes": "medium"}
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
        (?:he|she) must be done""",
    "calm": rf"""
        (?:no|not in a|in no|without|without any) (?:real |big |particular |great |mad )?(?:rush|hurry)
        no (?:real |particular |great )?urgency | no need (?:to|for) (?:rush|hurry) | no stress
        (?:don't|do not|never|needn't) (?:rush|hurry) | nothing (?:that )?{_WEIGHT}
        of (?:little|no|minor|secondary) importance
        {_THING} (?:can|could|may) (?:\w+ly )?wait(?! (?:for|in|here|there|outside))
        (?:low|lower|lowest|minor|bottom|no)[ -](?:priority|prio) | (?:priority|prio)[: ]{{1,3}}(?:is )?low
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
    "low": r"""
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
        emergency | overdue | pressing (?:matter|issue|need|concern|deadline|question|problem|task)s?
        pressing(?:(?<=not pressing)|(?<=n't pressing)|(?<=that pressing))
        (?:must|has to|have to|needs? to) (?:be|get) done
        (?:deadline|due)(?: is|'s| was|:)? (?:by )?(?:today|tonight|tomorrow|now|eod|in an hour)
        (?:deadline|due)(?: is|'s| was|:)? (?:by )?this (?:morning|afternoon|evening) | by (?:eod|cob)
        dringend(?:e[rsmn]?)? | wichtig(?:e[rsmn]?|ste[rsmn]?)? | eilig(?:e[rsmn]?)? | eilt
        (?:höchste|hohe|oberste) priorität | prioritaires? | prioritari[oa]s?""",
}
"""Cues by kind, phrases parted by " | "; of those that begin together the first one counts."""
_MILD: Final = frozenset({"calm", "low", "medium"})
"""Kinds that no idiom looks like."""
_SIGNS_BY_KIND: Final = {
    "calm": """
        algún backburner burner can+when chance+find chance+get chance+have convenience deprioritise
        deprioritised deprioritize deprioritized eile eilt free+when gelegenheit hurry importance irgendwann
        leisure minute+get moment+find moment+get moment+have nada nichts nothing p3 p4 p5 pace peu peux
        poco pourras pourrez pouvez presse pressé pressée pressées pressés prio priority prisa prisas pueda
        puedas rien rush someday stress+kein stress+no tengas time+allows time+find+if time+find+when
        time+have+if time+have+when time+permits time+take+your urgence urgency wait+it wait+that wait+the
        wait+these wait+this wait+those warten whenever zeit""",
    "low": "nice+have+to nice+haves unimportant unwichtig unwichtige unwichtigen unwichtiger unwichtiges",
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
        cob critical critically crucial cruciale cruciales crucially deadline death+life done+has done+have
        done+must done+need done+needs dringend dringende dringendem dringenden dringender dringendes due
        eilig eilige eiligem eiligen eiliger eiliges eilt emergency eod essential imperative importance
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


_SIGNS: Final = _signs()
"""The kinds that a word is a sign of, each with the other words it takes."""
_SIGN_WORDS: Final = frozenset(_SIGNS)

_HAN: Final = re.compile("[\u4e00-\u9fff]")
_CHINESE_WEIGHT: Final = "(?:紧急|緊急|重要|着急|急)"
_CHINESE: Final = re.compile(
    rf"(?P<litotes>(?:不是|并非|並非|不能)不(?:太|很|那么)?{_CHINESE_WEIGHT})"
    r"|(?P<calm>(?:不是|不|没|沒|并非|並非|非|别|別|无|無)"
    rf"(?:什么|那么|那麼|怎么|这么|太|很|算|用|是|要|必)?{_CHINESE_WEIGHT}|有空再|有空的时候|慢慢来)"
    r"|(?P<firm>十万火急|紧急|緊急|重要|加急|急需|尽快|儘快|盡快|立即|立刻)"
)

_WORD_PART: Final = re.compile(r"[^\W_]+")
_WORD: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_BREAK: Final = re.compile(r"[.,;:!?\n()\u2013\u2014]|\b(?:but|aber|mais|pero)\b")
_FULL_STOP: Final = re.compile(r"[.!?\n]")
_ASKED_TO_ITS_END: Final = re.compile(r"[^.!?\n]{0,60}\?")
_ASKS_HOW: Final = re.compile(r" (?:is|are|was|were|do|does|did|would|should|will)\b")
_REQUEST: Final = re.compile(
    r"\b(?:please|pls|need|needs|needed|must|should|has to|have to|got to|gotta|(?:can|could|would|will) you"
    r"|want it|want this|done|fixed|finished)\b"
)
"""What makes of "soon" a wish."""

_DENIALS: Final = frozenset(
    """
    no not never neither nor without hardly barely scarcely rarely seldom cannot non none nobody less least
    dont isnt wasnt arent doesnt didnt aint cant wont nicht nie niemals weder ohne kein keine keinen keinem
    keiner keines weniger pas jamais ni aucun aucune sans moins nunca sin tampoco menos n\u00e3o
    """.split()  # noqa: SIM905 - words read better than a hundred strings
)
"""Words that deny what follows, besides those in "n't"."""
_LAST_DENIALS: Final = frozenset({"neither", "nor", "weder", "ni", "without", "ohne", "sans", "sin"})
"""Denials that go with another one ("neither ... nor", "no es ni ...") and are one with it."""
_UNABLE: Final = frozenset({"can't", "cannot", "cant", "couldn't", "won't", "wont"})
_UNSURPASSED: Final = frozenset(
    """
    can't cannot couldn't never no nobody none nothing
    """.split()  # noqa: SIM905 - words read better than many strings
)
_NOT_ONLY: Final = frozenset(
    """
    blo\u00df just merely nur only s\u00f3lo seulement simply solely solo
    """.split()  # noqa: SIM905 - words read better than many strings
)
_AFTER_A_NO_ALONE: Final = frozenset(
    """
    i is it it's that that's these this those we you
    """.split()  # noqa: SIM905 - words read better than many strings
)
"""What follows a "no" that answers instead of denying: "no it's urgent"."""
_WEAKENING: Final = frozenset(
    """
    bit fairly kind kinda little mildly moderately reasonably relatively semi slightly somewhat sort
    sorta
    """.split()  # noqa: SIM905 - words read better than many strings
)
_SUPPOSING: Final = frozenset({"if", "unless", "whether", "when", "falls", "wenn", "ob", "si"})
_ASKING: Final = frozenset({"is", "are", "was", "were", "isn't", "aren't", "wasn't", "ist", "es", "est"})
_PASSED: Final = frozenset(
    """
    very so too that all really particularly especially terribly super overly exactly actually quite as be
    been being is are was were it it's its say this these those there there's that's an a the any anything
    something nothing thing things matter yet longer even considered deemed seem seems seemed look looks
    sound sounds feel feels necessarily of about to need needs needed do done have has had get got think
    believe consider just only merely simply solely more most much enough currently strictly absolutely
    truly extremely or high top sehr ganz besonders wirklich allzu ist sind es das ein eine nur oder
    tr\u00e8s trop vraiment plus est c'est n'est une un ou seulement muy tan tanto una solo s\u00f3lo
    m\u00e1s o nada urgent important critical crucial dringend wichtig urgente importante
    """.split()  # noqa: SIM905 - words read better than a hundred strings
)
"""Words that a denial reaches over: degrees, "to be", "to need", and the cues of "urgent or important"."""

_QUOTE_MARK: Final = re.compile('["`>\u2018\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300e]')
_OPENING_APOSTROPHE: Final = re.compile(r"'(?<!\w')")
_QUOTED: Final = re.compile(
    r"```[\s\S]*?```|`[^`\n]+`|^[ \t]*>[^\n]*"
    r'|"[^"\n]{1,2000}"'
    r"|(?<!\w)['\u2018](?=\S)(?:[^'\u2018\n]|'(?=\w)){1,200}'(?!\w)"
    "|[\u201c\u201e][^\u201c\u201d\u201e]{1,2000}[\u201c\u201d]"
    "|\u00ab[^\u00ab\u00bb]{1,2000}\u00bb|\u00bb[^\u00ab\u00bb]{1,2000}\u00ab"
    "|\u2039[^\u2039\u203a]{1,2000}\u203a|\u203a[^\u2039\u203a]{1,2000}\u2039"
    "|\u300c[^\u300c\u300d]{1,2000}\u300d|\u300e[^\u300e\u300f]{1,2000}\u300f",
    re.MULTILINE,
)
"""Quotations, bounded so that time grows with length. A mark that is never closed quotes nothing."""
