"""Secrets that people tell in their own words: runs of tokens that the trained tagger marks."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.text.secrets.amounts import BACK, NAMING_CODES, USUAL_PIN, is_amount, is_measured
from recollect.text.secrets.plain import POSTAL, find_plain
from recollect.text.secrets.spans import Secret, SecretKind, TextPart
from recollect.text.secrets.tagger import TokenBlock, log_odds
from recollect.text.secrets.tokens import Token, tokens_of
from recollect.text.secrets.words import NAMES, group_of, parts_of
from recollect.types.regex import lazy_regex

SURE: Final = 1.0
"""Log odds from which a token is a secret: of an author not trained on, 1 of 122 look-alikes reaches it."""
BESIDE: Final = SURE - 2.5
"""Log odds from which the next token belongs to a secret, as in a passphrase. Chosen on authors held back."""
_BLOCK: Final = 40
"""Tokens of a block, which goes on to the end of a line or to twice as many. Chosen by hand."""
_ORDINARY: Final = lazy_regex(
    r"://|\A(?:~|\.\.?)?/\w|\A\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d\Z|\A(?:19|20)\d\d-\d\d-\d\d\Z"
)
"""An address on the web, where formats find passwords, a path, or a date."""
_KEY: Final = 10
"""Characters of the shortest key. Chosen by hand."""
_NAMELESS: Final = 4
"""Tokens of a run that is an address or a list, where nothing names a secret. A plain word is none there,
either. Chosen by hand."""
_WALLET: Final = lazy_regex(
    r"seed|wallet|crypto|recover|cartera|portefeuille|portafoglio|wiederherst|herstel|phrase|frase"
)
"""What the words of a wallet stand behind."""
_WALLET_WORDS, _WALLET_LETTERS = 12, range(3, 9)
"""Words of a wallet, at least, and letters of each (BIP 39)."""
_SENTENCE: Final = frozenset({"grammar", "articles", "fillers", "connects", "from", "owners"})
"""Parts of the list with words that build sentences."""
_NUMBERED: Final = lazy_regex(r"\A[^\W\d_]+\d{1,2}(?: [^\W\d_]+\d{1,2})*\Z")
"""Words with a number behind them, as "thread0 turn0", which are secrets only where something names one."""
_CODES: Final = NAMING_CODES | {"lock", "place", "sent"}
"""Parts of the list that name a code, or what a code opens."""
_PASSWORDS: Final = frozenset({"password", "short password", "phrase", "spoken", "wifi key"})

_TELLING: Final = _CODES | _PASSWORDS | {"answer", "key"}
_PHONE: Final = 9
"""Digits of a phone number, which is a secret only beside a word for one. Chosen by hand."""


class _Reading(NamedTuple):
    """A part of a text, or a clause of it that names a code, on its way through the network.

    Attributes:
        part: What is read.
        is_clause: Whether it is one clause of a longer part.
        wallet: The words of a wallet in it.
        blocks: Its tokens.
    """

    part: TextPart
    is_clause: bool
    wallet: list[Secret]
    blocks: list[TokenBlock]


def find_told(parts: Sequence[TextPart]) -> list[list[Secret]]:
    """The secrets that parts of texts tell, and codes that they tell outright or in a clause of their own.

    What else is said beside a code may hide it from the tagger: "My PIN is 4711 and I live in Bonn.". It did
    in 718 of 5,760 made-up sentences of this kind.
    """
    readings = [list(_readings(part)) for part in parts]
    odds = iter(log_odds([block for its in readings for one in its for block in one.blocks]))
    return [
        [*_told_plainly(part), *(secret for one in its for secret in _told_by(one, odds))]
        for part, its in zip(parts, readings, strict=True)
    ]


def _told_plainly(part: TextPart) -> Iterator[Secret]:
    found = find_plain(part.low, part.start, part.end)
    return (
        one for one in found if not is_measured(part.low, one.end, is_named=one.end - one.start >= USUAL_PIN)
    )


def _readings(part: TextPart) -> Iterator[_Reading]:
    """A part as a whole, and its clauses that name a code and hold digits."""
    text, low, start, end = part
    named = NAMES.search(low, start, end) is not None
    yield _reading(part, named=named, is_clause=False)
    for first, last in _clauses(low, start, end) if named else ():
        if _DIGIT.search(low, first, last) and _names_a_code(low, first, last):
            yield _reading(TextPart(text, low, first, last), named=True, is_clause=True)


def _reading(part: TextPart, *, named: bool, is_clause: bool) -> _Reading:
    text, low, start, end = part
    wallet: list[Secret] = []
    if _WALLET.search(low, start, end):
        wallet += _wallet_words(list(tokens_of(text, start, end)))
    blocks = _blocks(text, list(tokens_of(text, start, end)))
    return _Reading(part, is_clause, wallet, [TokenBlock(text, low, tokens, named) for tokens in blocks])


_DIGIT: Final = lazy_regex(r"\d")
_BETWEEN: Final = lazy_regex(
    r"(?<![.!?;])[.!?;]+(?:\s+|$)|\n+"
    r"|(?<!\s),?\s+(?:and|but|so|und|aber|et|mais|y|pero|e|ma|och|men|en|maar|mas)\s+(?=(?:i|i'm|my|we|our|the"
    r"|it|she|he|they|ich|wir|mein\w*|der|die|das|je|j'\w+|mon|ma|mes|nous|le|la|mi|mis|yo|el|io|il|mio|mia|jag|min|mitt"
    r"|vi|ik|mijn|wij|eu|meu|minha)\b)"
    r"|,\s+(?=(?:and|but|so|please|i|my|we)\b)"
)


def _names_a_code(low: str, start: int, end: int) -> bool:
    """Whether a clause names a code or a password, and no postal one."""
    told = any(group_of(name[0]) in _TELLING for name in NAMES.finditer(low, start, end))
    return told and POSTAL.search(low, start, end) is None


def _clauses(low: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses of a part of a lower-case text; none where it is one clause."""
    cuts = list(_BETWEEN.finditer(low, start, end))
    begins, ends = [start, *(cut.end() for cut in cuts)], [*(cut.start() for cut in cuts), end]
    return [place for place in zip(begins, ends, strict=True) if cuts and place[0] < place[1]]


def _told_by(reading: _Reading, odds: Iterator[NDArray[np.float32]]) -> Iterator[Secret]:
    """The secrets that a part of a text tells, read as a whole; of a clause those with digits."""
    part = reading.part
    told = [*reading.wallet]
    for block in reading.blocks:
        told += _marked(part, block.tokens, next(odds))
    if reading.is_clause:
        return (one for one in told if any(map(str.isdigit, part.text[one.start : one.end])))
    return iter(told)


def _marked(part: TextPart, tokens: Sequence[Token], odds: NDArray[np.float32]) -> Iterator[Secret]:
    """The secrets in a block of a part, by the log odds of its tokens."""
    text, low, start, end = part
    if odds.max() <= SURE:
        return
    marked = [
        is_secret and not token.is_mask and _ORDINARY.search(token.text) is None
        for is_secret, token in zip(marks(odds.tolist()), tokens, strict=True)
    ]
    for is_secret, run in groupby(zip(tokens, marked, strict=True), key=lambda pair: pair[1]):
        if is_secret and (value := _trimmed([token for token, _ in run])) and not _is_remark(value):
            first, last = value[0].start, value[-1].end
            shown, name = text[first:last], _name(low, start, first, last, end)
            digits = sum(map(str.isdigit, shown))
            if is_amount(low, (start, end), (first, last)):
                continue
            if digits >= _PHONE and not any(map(str.isalpha, shown)) and name not in _TELLING:
                continue
            is_odd = len(value) < _NAMELESS and digits > 0 and _NUMBERED.search(shown) is None
            if is_odd or NAMES.search(low, max(start, first - BACK), end):
                kind = _kind(shown, name)
                yield Secret(kind=kind, start=first, end=last)


def _wallet_words(tokens: list[Token]) -> Iterator[Secret]:
    """The words of a wallet: twelve or more in a row that build no sentence."""
    words = [token for token in tokens if token.text != ","]
    for is_word, run in groupby(words, key=_is_wallet_word):
        row = list(run)
        if is_word and len(row) >= _WALLET_WORDS:
            yield Secret(kind="password", start=row[0].start, end=row[-1].end)


def _is_wallet_word(token: Token) -> bool:
    word = token.text
    is_short = len(word) in _WALLET_LETTERS and word.isalpha() and word.islower()
    return is_short and _SENTENCE.isdisjoint(parts_of(word))


def _blocks(text: str, tokens: list[Token]) -> Iterator[list[Token]]:
    """Tokens in blocks as long as the lines that the tagger was trained on, parted where a line ends.

    A mask ends a block, too: what is told behind it is told anew.
    """
    if 0 < len(tokens) < _BLOCK and " removed]" not in text:
        yield tokens
        return
    block: list[Token] = []
    for token in tokens:
        block.append(token)
        is_full = len(block) >= _BLOCK and (
            "\n" in text[token.end : token.end + 2] or len(block) == 2 * _BLOCK
        )
        if is_full or token.is_mask:
            yield block
            block = []
    if block:
        yield block


def marks(odds: Sequence[float]) -> list[bool]:
    """Which tokens are secrets: those that are sure, and those beside them that are likely.

    >>> marks([-9.0, 0.5, 4.0, 0.5, -9.0, 0.5])
    [False, True, True, True, False, False]
    """
    found = [one > SURE for one in odds]
    for places in (range(1, len(odds)), range(len(odds) - 2, -1, -1)):
        for place in places:
            beside = place - 1 if places.step > 0 else place + 1
            found[place] = found[place] or (found[beside] and odds[place] > BESIDE)
    return found


def _trimmed(tokens: list[Token]) -> list[Token]:
    """A run of tokens without signs at its ends, nor words behind the turns of a lock."""
    plain = [place for place, token in enumerate(tokens) if any(map(str.isalnum, token.text))]
    turns = [place for place in plain if "turns" in parts_of(tokens[place].text.lower())]
    last = turns[-1] if len(turns) > 1 and turns[-1] > 0 else None
    if last is not None and all(tokens[place].text.isalpha() for place in plain if place > last):
        plain = [place for place in plain if place <= last]
    return tokens[plain[0] : plain[-1] + 1] if plain else []


def _is_remark(tokens: list[Token]) -> bool:
    """Whether a plain word only says something about a password, as "incorrect" does."""
    return len(tokens) == 1 and "speaks about" in parts_of(tokens[0].text.lower())


def _name(low: str, start: int, first: int, last: int, end: int) -> str:
    """The part of the list that the nearest name before a value stands in, else the nearest behind it."""
    before = [group_of(match[0]) for match in NAMES.finditer(low, max(start, first - BACK), first)]
    telling = [name for name in before if name in _TELLING]
    if telling:
        return telling[-1]
    behind = NAMES.search(low, last, end)
    return group_of(behind[0]) if behind else ""


def _kind(value: str, name: str) -> SecretKind:
    """What a value with a name is, or without one."""
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    if name == "answer" and not digits:
        return "security answer"
    if name == "key" and letters and digits and len(value) >= _KEY:
        return "api key"
    is_spelled = not digits and all({"digits", "turns"} & {*parts_of(word)} for word in value.lower().split())
    if name in _PASSWORDS:
        return "password"
    return "code" if is_spelled or digits >= letters or (digits and name in _CODES) else "password"
