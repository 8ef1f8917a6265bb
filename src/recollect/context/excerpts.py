"""Long texts shortened to the sentences that hold most of a question's words."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from recollect.protocols import TokenCounter
from recollect.text.quoting import CUT
from recollect.types.regex import lazy_regex

_PER_TOKEN: Final = 8
"""Characters of a text looked at for each token of its beginning: of English twice as many as fit."""
_PIECE_LENGTH: Final = 240
"""Characters after which a sentence without an end is cut. Chosen by hand."""
_SENTENCE_END: Final = lazy_regex(r"(?<=[.!?…])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_WORDS: Final = lazy_regex(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}|[^\W\d_]{5,}|\d{2,}")
"""What an excerpt must hold to be worth reading: two words, a long one, or a number; "/s" says nothing."""
_PIECE: Final = lazy_regex(rf"\S.{{0,{_PIECE_LENGTH - 2}}}(?!\S)|\S.{{0,{_PIECE_LENGTH - 1}}}", re.DOTALL)


class Excerpts:
    """Shortens texts to their best sentences."""

    def __init__(
        self,
        wanted: frozenset[str],
        *,
        terms_of: Callable[[str], Iterable[str]],
        count_tokens: TokenCounter,
    ) -> None:
        self._wanted = wanted
        self._terms_of = terms_of
        self._count = count_tokens

    def of(self, body: str, limit: int) -> str:
        """The best sentences in their order, in about ``limit`` tokens; empty when none fits."""
        pieces = _pieces(body)
        room = limit - self._count(f"{CUT} ")
        chosen = []
        for index in self._best_first(pieces):
            cost = self._count(f"{pieces[index]} {CUT} ")
            if cost <= room:
                chosen.append(index)
                room -= cost
        says = _WORDS.search(" ".join(pieces[index] for index in chosen)) is not None
        return _join(pieces, sorted(chosen)) if says else ""

    def around(self, body: str, limit: int) -> str:
        """The words around the first term of the best sentence, as many as fit into ``limit`` tokens."""
        pieces = _pieces(body)
        if not pieces:
            return ""
        best = self._best_first(pieces)[0]
        words = [word for piece in pieces for word in piece.split()]
        before = sum(len(piece.split()) for piece in pieces[:best])
        found = (i for i, word in enumerate(words[before:], before) if self._holds_term(word))
        start = next(found, before)
        room, end = limit - self._count(f"{CUT} {CUT}"), start + 1
        while (wider := (max(start - 1, 0), min(end + 1, len(words)))) != (start, end):
            if self._count(" ".join(words[slice(*wider)])) > room:
                break
            start, end = wider
        kept = self._cut(" ".join(words[start:end]), room)
        return f"{CUT} " * bool(start) + kept + f" {CUT}" * (end < len(words))

    def _holds_term(self, word: str) -> bool:
        return not self._wanted.isdisjoint(self._terms_of(word))

    def _cut(self, text: str, room: int) -> str:
        """The first characters of a text, for writing without spaces and words longer than the room."""
        while len(text) > 1 and self._count(text) > room:
            text = text[: len(text) * 3 // 4]
        return text

    def _best_first(self, pieces: Sequence[str]) -> list[int]:
        """Pieces that hold a term, most first; a term found in few pieces counts more."""
        found = [self._wanted.intersection(self._terms_of(piece)) for piece in pieces]
        pieces_with = Counter(term for terms in found for term in terms)
        worth = [sum(1 / pieces_with[term] for term in terms) for terms in found]
        telling = [index for index, value in enumerate(worth) if value]
        return sorted(telling, key=lambda index: (-worth[index], index)) or list(range(len(pieces)))


def _pieces(body: str) -> list[str]:
    sentences = _SENTENCE_END.split(body)
    return [piece for sentence in sentences for piece in _PIECE.findall(sentence)]


def _join(pieces: Sequence[str], chosen: Sequence[int]) -> str:
    """The chosen pieces in one line, with a mark wherever something is missing."""
    if not chosen:
        return ""
    parts = [CUT] if chosen[0] else []
    for index, following in zip(chosen, [*chosen[1:], len(pieces)], strict=True):
        parts += [pieces[index]] if following == index + 1 else [pieces[index], CUT]
    return " ".join(parts)


class Beginnings:
    """Shortens texts to their first sentences, or to their first words where those are too long."""

    def __init__(self, count_tokens: TokenCounter) -> None:
        self._count = count_tokens
        self._excerpts = Excerpts(frozenset(), terms_of=str.split, count_tokens=count_tokens)

    def of(self, text: str, limit: int) -> str:
        """The beginning in about ``limit`` tokens, with a mark of the cut; empty when not a word fits."""
        seen = text[: _PER_TOKEN * max(limit, 0)]
        short = self._excerpts.of(seen, limit)
        if not short:
            return self._words(seen, limit)
        return short if len(seen) == len(text) or short.endswith(CUT) else f"{short} {CUT}"

    def _words(self, text: str, limit: int) -> str:
        length = len(text)
        while length:
            kept = text[:length].rpartition(" ")[0] or text[:length]
            short = f"{kept.rstrip()} {CUT}"
            if self._count(short) <= limit:
                return short if any(map(str.isalnum, kept)) else ""
            length = length * 3 // 4
        return ""
