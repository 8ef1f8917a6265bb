"""Secrets by all that speaks for them: what they look like, what leads to them and what their sentence names.

Each candidate has features, each feature a weight that was fitted on labelled lines (``weights``), and what
weighs more than nothing is a secret. Rules for one phrasing each do not carry over to the next phrasing; the
features do, and they are the same in all languages, for the words behind them are in ``cues``.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from recollect.text.secrets import lexicon, links
from recollect.text.secrets.cues import BITS, FILLERS, NAMING, cues_of
from recollect.text.secrets.nouns import language_of
from recollect.text.secrets.plain_words import speaks_about
from recollect.text.secrets.shapes import shape_of
from recollect.text.secrets.spans import Secret, SecretKind
from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.tokens import Token
from recollect.text.secrets.values import code_run, counts
from recollect.text.secrets.weights import BIAS, WEIGHTS


class Candidate(NamedTuple):
    """Tokens that may be a secret.

    Attributes:
        first: The first token.
        last: The last one.
        shape: What they look like (``shape_of``).
        features: What speaks for and against them.
    """

    first: int
    last: int
    shape: str
    features: tuple[str, ...]


class _Sentence(NamedTuple):
    """Its first and last token, the cues of its words together, and those of the sentence before it."""

    first: int
    last: int
    cues: int
    before: int


def find_weighed(stretch: Stretch, cues: Sequence[int]) -> Iterator[Secret]:
    """The secrets of a stretch for which enough speaks, in order; the cues are those of its tokens."""
    for candidate in candidates(stretch, cues):
        if BIAS + sum(WEIGHTS.get(feature, 0.0) for feature in candidate.features) > 0:
            tokens = stretch.tokens
            start, end = tokens[candidate.first].start, tokens[candidate.last].end
            yield Secret(kind=_kind(candidate), start=start, end=end)


def candidates(stretch: Stretch, cues: Sequence[int]) -> Iterator[Candidate]:
    """What may be a secret in a stretch of text, with what speaks for it, in order."""
    is_after_mask = False
    for sentence in _sentences(stretch.tokens, cues):
        before = 0 if is_after_mask else sentence.before
        is_after_mask = _REMOVED in stretch.between(sentence.first, sentence.last)
        if (sentence.cues | before) & _ABOUT_ACCESS and not is_after_mask:
            yield from _in_sentence(stretch, cues, sentence._replace(before=before))


def _kind(candidate: Candidate) -> SecretKind:
    if candidate.shape.startswith("N"):
        return "code"
    return "security answer" if "P.has security" in candidate.features else "password"


def _sentences(tokens: Sequence[Token], cues: Sequence[int]) -> Iterator[_Sentence]:
    """The sentences of a stretch; a long one is cut, so that time grows with length."""
    first, together, before = 0, 0, 0
    for place, token in enumerate(tokens):
        together |= cues[place]
        if token.ends_sentence or place == len(tokens) - 1 or place - first >= _LONGEST:
            yield _Sentence(first, place, together, before)
            first, together, before = place + 1, 0, together


def _in_sentence(stretch: Stretch, cues: Sequence[int], sentence: _Sentence) -> Iterator[Candidate]:
    tokens, place = stretch.tokens, sentence.first
    while place <= sentence.last:
        shape, last = shape_of(tokens[place], stretch.after(place)), place
        if shape and not _is_ruled_out(stretch, cues, sentence, place, shape):
            if shape[0] == "N" and (end := code_run(stretch, place)) is not None and end > place:
                last, shape = min(end, sentence.last), "N.groups"
            elif shape[0] == "P" and sentence.cues & _ASKED:
                last = _name_end(tokens, place, sentence.last)
            features = _features(stretch, cues, sentence, (place, last), shape)
            yield Candidate(place, last, shape, tuple(features))
        place = last + 1


def _is_ruled_out(stretch: Stretch, cues: Sequence[int], sentence: _Sentence, place: int, shape: str) -> bool:
    """Whether a number counts something, or a plain word has a meaning of its own here."""
    if shape[0] == "N":
        before = stretch.tokens[place - 1] if place > sentence.first else None
        lead = 0 if before is None or before.stop else cues[place - 1]
        is_count = lead & _COUNTING or lexicon.UNITS.match(stretch.after(place))
        if (is_count and not lead & NAMING) or _may_be_postal(stretch, sentence, place):
            return True
        is_date = shape == "N.dashed" and not (sentence.cues | sentence.before) & _OPENED
        if is_date or _is_part_of_number(stretch, place):
            return True
        follower = cues[place + 1] if place < sentence.last else 0
        is_said = follower or _lead(stretch.tokens, cues, sentence.first, place)[0] not in _BEFORE_COUNTS
        return not is_said and counts(stretch, place)
    if shape[0] == "Q":
        return cues_of(stretch.tokens[place].low) != 0
    if _is_user(stretch.tokens, cues, sentence, place):
        return True
    return shape[0] in "PH" and _is_plain_word(stretch, cues, sentence, place)


def _is_part_of_number(stretch: Stretch, place: int) -> bool:
    """Whether digits stand beside more of them than a code has: "02 5550 4321"."""
    tokens = stretch.tokens
    first = last = place
    while first and tokens[first - 1].text.isdigit() and not tokens[first - 1].stop:
        first -= 1
    while last + 1 < len(tokens) and tokens[last + 1].text.isdigit() and not tokens[last].stop:
        last += 1
    return first < last and (first < place or code_run(stretch, first) != last)


def _is_user(tokens: Sequence[Token], cues: Sequence[int], sentence: _Sentence, place: int) -> bool:
    """Whether a token is the name of a user: "the user is ada"."""
    lead, at = _lead(tokens, cues, sentence.first, place)
    named = cues[at - 1] if at > sentence.first else 0
    return lead in {"is", "sign"} and named & BITS["user"] != 0 and not named & NAMING


def _may_be_postal(stretch: Stretch, sentence: _Sentence, place: int) -> bool:
    """Whether six digits may be a postal code of India: "pin code 110001"."""
    said = (
        stretch.between(sentence.first, sentence.last) if len(stretch.tokens[place].text) == _POSTAL else ""
    )
    return "pin code" in said and not lexicon.LOCKS.search(said) and not lexicon.ACCOUNTS.search(said)


def _is_plain_word(stretch: Stretch, cues: Sequence[int], sentence: _Sentence, place: int) -> bool:
    """Whether a word without a digit is no more than that: it has another sense, or nothing leads to it."""
    token = stretch.tokens[place]
    is_known = (cues[place] and "-" not in token.text) or token.low in FILLERS
    if is_known or stretch.after(place).startswith(("'s", "\u2019s")):
        return True
    if not (sentence.cues & _FOR_PLAIN or sentence.cues & _UNLOCKS == _UNLOCKS):
        return True
    lead, at = _lead(stretch.tokens, cues, sentence.first, place)
    follower = cues[place + 1] if place < sentence.last else 0
    is_compared = _is_compared(stretch, sentence, place)
    is_free = lead in _LINKS or (lead in _LEADS_TO_WORDS and stretch.ends_clause(place))
    if not is_free and not follower & (BITS["is"] | BITS["open"]) and not is_compared:
        return True
    if is_compared and sentence.cues & BITS["not"]:
        return True
    language = links.LINK_LANGUAGES.get(stretch.tokens[at].low, "") if at >= sentence.first else ""
    language = language or _language(stretch, cues, sentence)
    if language in _LIKE_NOUNS and token.low.endswith("da"):
        language = ""
    return speaks_about(token.text.rpartition("-")[2], language)


def _language(stretch: Stretch, cues: Sequence[int], sentence: _Sentence) -> str:
    """The language of the first word of a sentence that names a secret; "" where none does."""
    places = range(sentence.first, sentence.last + 1)
    return next((language_of(stretch.tokens[place].low) for place in places if cues[place] & NAMING), "")


def _is_compared(stretch: Stretch, sentence: _Sentence, last: int) -> bool:
    """Whether "as" follows: "I use pumpkin as my password"."""
    return last < sentence.last and stretch.tokens[last + 1].low in links.COMPARES


def _name_end(tokens: Sequence[Token], place: int, end: int) -> int:
    """The last token of a name of several words: "Mrs Okafor", "Greven af Tass"."""
    last = place
    while last < end and not tokens[last].stop and tokens[last].text[0].isupper():
        step = 2 if tokens[last + 1].low in _PARTICLES else 1
        if last + step > end or not tokens[last + step].text.istitle():
            break
        last += step
    return last


def _features(
    stretch: Stretch, cues: Sequence[int], sentence: _Sentence, span: tuple[int, int], shape: str
) -> Iterator[str]:
    group, place = shape[0], span[0]
    lead, at = _lead(stretch.tokens, cues, sentence.first, place)
    yield from (group, shape, f"{group}.lead={lead}")
    yield from (f"{group}.{text}" for text in _named(cues, sentence, span, lead, shape))
    yield from (f"{group}.has {name}" for name, bit in _AROUND if sentence.cues & bit)
    yield from (f"{group}.{pair}" for pair, both in _PAIRS if sentence.cues & both == both)
    yield from (f"{group}.{text}" for text in _form(stretch, cues, sentence, span, at))


def _lead(tokens: Sequence[Token], cues: Sequence[int], first: int, place: int) -> tuple[str, int]:
    """What leads to a token, and where it stands: the word before it, without what only fills in."""
    at = place - 1
    while at >= first and tokens[at].low in FILLERS and not tokens[at].stop:
        at -= 1
    if at < first:
        return "start", at
    if "@" in tokens[at].text[1:-1]:
        return "mail", at
    said = next((name for name, bit in _LEADS if cues[at] & bit), "")
    return said or ("comma" if tokens[at].stop == "," else "other"), at


def _named(
    cues: Sequence[int], sentence: _Sentence, span: tuple[int, int], lead: str, shape: str
) -> Iterator[str]:
    """What names the secret or what it opens, and where that stands."""
    place, last = span
    near, back = (
        _either(cues, max(sentence.first, place - _NEAR), place),
        _either(cues, sentence.first, place),
    )
    front = _either(cues, last + 1, sentence.last + 1)
    for name, bit in _NAMES:
        if sentence.cues & bit:
            where = "near" if near & bit else "back" if back & bit else "front" if front & bit else "itself"
            yield from (f"{name}@{where}", f"{name}&{lead}", f"{name}&{shape[2:]}")
        elif sentence.before & bit:
            yield f"{name}@sentence before"


def _either(cues: Sequence[int], first: int, end: int) -> int:
    together = 0
    for bits in cues[first:end]:
        together |= bits
    return together


def _form(
    stretch: Stretch, cues: Sequence[int], sentence: _Sentence, span: tuple[int, int], at: int
) -> Iterator[str]:
    """Where a candidate stands in its sentence, and what is beside it."""
    tokens, (place, last) = stretch.tokens, span
    if stretch.ends_clause(last):
        yield "ends"
    elif last < sentence.last:
        yield from (f"then {name}" for name, bit in _THEN if cues[last + 1] & bit)
        yield from ("then as",) if _is_compared(stretch, sentence, last) else ()
    is_inside = place > sentence.first
    said = {
        "comma": at >= sentence.first and tokens[at].stop == ",",
        "asks": tokens[sentence.last].stop == "?",
        "capital": is_inside and tokens[place].text[0].isupper(),
        "last": last == sentence.last,
        "first": not is_inside,
        "direct": is_inside and at == place - 1,
        "counts": tokens[place].text.isdigit() and counts(stretch, last),
        "short": len(tokens[place].text) < _SHORT,
    }
    yield from (name for name, is_so in said.items() if is_so)


def _bits(text: str) -> tuple[tuple[str, int], ...]:
    return tuple((name.strip(), BITS[name.strip()]) for name in text.split(","))


def _any(text: str) -> int:
    return sum(bit for _, bit in _bits(text))


_NEAR, _LONGEST, _SHORT, _POSTAL = 4, 60, 4, 6
"""Tokens before a candidate that are near it, tokens of the longest sentence, letters of a long word,
digits of a postal code.

Chosen by hand, like what follows."""
_BEFORE_COUNTS: Final = frozenset({"is", "to", "other", "own", "start"})
_REMOVED: Final = " removed]"
"""What stands for a secret that was masked before: its sentence is done with."""
_PARTICLES: Final = frozenset("of de des du di da do dos af av von van der la le el the".split())  # noqa: SIM905
_LIKE_NOUNS: Final = frozenset({"es", "pt"})
"""Languages in which nouns end like participles: "margarida"."""
_ABOUT_ACCESS: Final = _any(
    "password, pass, code, lock, device, network, account, log in, everywhere, question, security"
)
"""Without one of these in its sentence or the one before, nothing is a secret."""
_FOR_PLAIN: Final = _any("password, pass, security, question, log in, network, user")
_OPENED: Final = _any("lock, device, network, account, open, own, set, enter")
"""What makes "12-34-56" a combination, and not a date or the number of a bank."""
_UNLOCKS: Final = _any("open, device")
"""What makes a plain word a candidate: one of the first, or both of the others."""
_LINKS: Final = frozenset(
    {"sign", "is", "with", "password", "code", "pass", "answer", "to", "and", "new", "mail"}
)
_LEADS_TO_WORDS: Final = frozenset(
    {"enter", "use", "set", "user", "network", "comma", "account", "start", "device"}
)
"""What leads to a plain word anywhere, and where it ends its clause."""
_ASKED: Final = _any("question, security")
_COUNTING: Final = _any("counted, cost")
_LEADS: Final = _bits(
    "sign, is, with, password, code, pass, answer, enter, use, to, and, user, lock, network, device, account,"
    "counted, cost, time, own, not, other code, named, say, set, open, runs, new, everywhere"
)
_NAMES: Final = _bits("password, code, pass, word, lock, device, network, account, user")
_AROUND: Final = _bits(
    "log in, open, enter, use, set, everywhere, question, security, answer, say, card, new, old, own,"
    "counted, time, cost, other code, policy, lost, not, example, named, runs"
)
_THEN: Final = _bits("is, policy, and, enter, open, time, password, code, counted")
_TOGETHER: Final = (
    "lock&open", "lock&enter", "lock&code", "lock&set", "device&open", "device&enter", "device&code",
    "use&everywhere", "account&user", "account&use", "account&with", "network&enter", "network&is",
    "question&answer", "security&question", "security&answer", "password&set", "pass&network",
    "pass&account", "pass&user", "pass&device", "code&account", "code&device", "say&lock", "lock&time",
    "lock&counted", "device&own", "user&named", "account&named", "use&runs",
)  # fmt: skip
"""Cues that say more together."""
_PAIRS: Final = tuple((pair, _any(pair.replace("&", ","))) for pair in _TOGETHER)
