"""The turns of a conversation as text for a prompt, shortened by Recall's rules.

Too long a history keeps its first two and its last three turns; of the turns between as many of the latest
stay as there is room for, and the rest is summarised. A turn that is too long by itself is cut to its first
sentences.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, NamedTuple

from recollect.context.excerpts import Beginnings
from recollect.errors import InvalidInputError
from recollect.protocols import TokenCounter
from recollect.text.quoting import CUT, MOST_CHARACTERS, label_of, on_one_line, quoted, who_said
from recollect.types.regex import lazy_regex

FIRST: Final = 2
LAST: Final = 3
"""Turns that are kept at both ends; Recall's."""
OPENING: Final = "<history>\nThe conversation so far:\n"
CLOSING: Final = "</history>\n"
SHORTEST: Final = 8
"""Tokens under which a turn is left out rather than shortened. Chosen by hand: a few words."""
_INDENT: Final = "\n  "
_SENTENCE: Final = lazy_regex(r"[^.!?\n\u3002\uff01\uff1f]+(?:[.!?](?!\s)[^.!?\n]*)*[.!?\u3002\uff01\uff1f]*")
_WORD: Final = lazy_regex(r"[^\W_]{4,}|[\u3040-\u9fff]{2}")
"""What may tell what a text is about: words of four letters or more, and pairs of Chinese signs."""
_LOOKED_AT: Final = 2_000
"""Characters of a turn that are looked at for a summary. Chosen by hand."""
_TOO_LONG: Final = 5
"""Sentences that do not fit after which no other is tried. Chosen by hand."""
_LONGEST: Final = 200
"""Characters of a sentence in a summary. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryTurn:
    """Something that was said in this conversation.

    Attributes:
        content: The words.
        role: ``user``, ``assistant`` or ``system``, or another that counts as the user's.
        speaker: The name of who said it, if there is one. One with the name of a role in it is not shown.
        id: That of the memory that holds it; such a memory is not repeated among the memories.
    """

    content: str
    role: str = "user"
    speaker: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.content, str) or not isinstance(self.role, str):
            raise InvalidInputError("a turn's content and role must be texts")


Summarise = Callable[[Sequence[HistoryTurn], int], str]
"""Sums up turns in about so many tokens; a language model may. What is too long is cut."""


class Shown(NamedTuple):
    """A turn as a prompt has it.

    Attributes:
        turn: The turn, with its words as they are shown.
        label: Who said it.
        line: The text.
        tokens: What it costs.
        cut: Whether words of it are missing.
    """

    turn: HistoryTurn
    label: str
    line: str
    tokens: int
    cut: bool = False

    @property
    def words(self) -> str:
        """The words alone, as they are counted: without blank lines and blanks at the ends of lines."""
        return self.line[len(self.label) + 2 : -1].replace(_INDENT, "\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunedHistory:
    """A history within some tokens.

    Attributes:
        first: The turns from the beginning.
        summary: What stands in place of those left out; empty when none is, or there is no room.
        last: The turns up to now.
        left_out: How many turns are missing.
        tokens: What it counts, by its parts.
    """

    first: tuple[Shown, ...] = ()
    summary: str = ""
    last: tuple[Shown, ...] = ()
    left_out: int = 0
    tokens: int = 0

    @property
    def text(self) -> str:
        """The text; empty when nothing is in it."""
        lines = [*(one.line for one in self.first), self.summary, *(one.line for one in self.last)]
        return "".join([OPENING, *lines, CLOSING]) if any(lines) else ""

    @property
    def shortened(self) -> int:
        """How many turns have words missing."""
        return sum(one.cut for one in (*self.first, *self.last))


class History:
    """The turns of a conversation, counted once.

    Args:
        turns: Oldest first.
        most: More tokens than the history will ever get: older turns than fit are not looked at.
        count_tokens: Counts the tokens of a text.
        summary_share: The part of the tokens that the summary may have, 0 to 1.
        summarise: Sums up the turns between; by default their most telling sentences do.

    Attributes:
        tokens: What all turns count; more than ``most`` if they do not fit in that.
    """

    def __init__(
        self,
        turns: Sequence[HistoryTurn],
        *,
        most: int,
        count_tokens: TokenCounter,
        summary_share: float,
        summarise: Summarise | None = None,
    ) -> None:
        self._count = count_tokens
        self._share = summary_share
        self._summarise = summarise
        self._beginnings = Beginnings(count_tokens)
        self._frame = count_tokens(OPENING) + count_tokens(CLOSING)
        self._turns = turns
        self._latest = self._shown_up_to(most)
        self.tokens: Final = self._frame + sum(one.tokens for one in self._latest) if turns else 0

    def _shown_up_to(self, most: int) -> list[Shown]:
        """The latest turns, until they are more than fit; at least those of the end."""
        shown: list[Shown] = []
        used = 0
        for turn in reversed(self._turns):
            if used > most and len(shown) >= LAST:
                break
            shown.append(self._shown(turn))
            used += shown[-1].tokens
        return shown[::-1]

    def within(self, limit: int) -> PrunedHistory:
        """The history in at most so many tokens, which are no more than ``most``."""
        if self.tokens <= limit and len(self._latest) == len(self._turns):
            return PrunedHistory(last=tuple(self._latest), tokens=self.tokens)
        room = limit - self._frame
        head = [self._shown(turn) for turn in self._turns[:FIRST]] if len(self._turns) > FIRST + LAST else []
        tail = self._latest[-LAST:] if head else self._latest
        ends = self._fitted([*head, *tail], room)
        first, last = ends[: len(head)], ends[len(head) :]
        return self._filled(first, last, room) if head else self._made(first, last, "", len(tail))

    def _filled(
        self, first: Sequence[Shown | None], last: Sequence[Shown | None], room: int
    ) -> PrunedHistory:
        """The turns at the ends, the latest of those between, and a summary of the others."""
        middle = self._latest[max(FIRST - len(self._turns) + len(self._latest), 0) : -LAST]
        left = room - sum(one.tokens for one in (*first, *last) if one is not None)
        for_summary = int(left * self._share)
        recent = self._recent(middle, left - for_summary)
        summary = self._summary(self._between(recent), left - sum(one.tokens for one in recent))
        spare = for_summary - (self._count(summary) if summary else 0)
        if 2 * spare > for_summary:  # there was less to sum up than expected
            recent = self._recent(middle, left - for_summary + spare)
            summary = self._summary(self._between(recent), left - sum(one.tokens for one in recent))
        return self._made(first, [*recent, *last], summary, len(recent) + FIRST + LAST)

    def _recent(self, middle: Sequence[Shown], room: int) -> list[Shown]:
        """The latest of the turns between that fit."""
        recent: list[Shown] = []
        for one in reversed(middle):
            room -= one.tokens
            if room < 0:
                break
            recent.append(one)
        return recent[::-1]

    def _between(self, recent: Sequence[Shown]) -> Sequence[HistoryTurn]:
        """The turns that are to be summed up."""
        return self._turns[FIRST : len(self._turns) - LAST - len(recent)]

    def _made(
        self, first: Sequence[Shown | None], last: Sequence[Shown | None], summary: str, shown: int
    ) -> PrunedHistory:
        heads = tuple(one for one in first if one is not None)
        tails = tuple(one for one in last if one is not None)
        if not heads and not tails and not summary:
            return PrunedHistory(left_out=len(self._turns))
        dropped = len(first) + len(last) - len(heads) - len(tails)
        used = sum(one.tokens for one in (*heads, *tails)) + self._frame
        return PrunedHistory(
            first=heads,
            summary=summary,
            last=tails,
            left_out=len(self._turns) - shown + dropped,
            tokens=used + (self._count(summary) if summary else 0),
        )

    def _fitted(self, ends: Sequence[Shown], room: int) -> list[Shown | None]:
        """The turns of the ends, the longest shortened until all fit; the oldest give way in the end."""
        kept: list[Shown | None] = list(ends)
        for start in range(len(ends)):
            cap = _cap([one.tokens for one in ends[start:]], room)
            if cap >= SHORTEST:
                kept[start:] = [self._cut(one, cap) for one in ends[start:]]
                return kept
            kept[start] = None
        return kept

    def _cut(self, one: Shown, limit: int) -> Shown | None:
        """A turn, shortened to its first sentences where it is too long."""
        if one.tokens <= limit:
            return one
        room = limit - self._cost(f"{one.label}: \n")
        short = self._beginnings.of(_body(one.turn), room)
        line = f"{one.label}: {short}\n"
        tokens = self._cost(line)
        fits = bool(short) and tokens <= limit
        return Shown(replace(one.turn, content=short), one.label, line, tokens, cut=True) if fits else None

    def _shown(self, turn: HistoryTurn) -> Shown:
        label = label_of(who_said(turn.speaker, turn.role), turn.content)
        line = f"{label}: {_body(turn)}\n"
        return Shown(turn, label, line, self._cost(line), cut=len(turn.content) > MOST_CHARACTERS)

    def _cost(self, line: str) -> int:
        """One more than its text: chat formats add about four tokens to a message, a line's label three."""
        return self._count(line) + 1

    def _summary(self, turns: Sequence[HistoryTurn], limit: int) -> str:
        """What turns were about, in lines; empty when there is none, or no room for it."""
        if not turns:
            return ""
        heading = f"[{len(turns)} turns in between, in short]\n"
        room = limit - self._count(heading)
        if room < SHORTEST:
            return ""
        if self._summarise is None:
            body = "".join(telling_lines(turns, room, count_tokens=self._count))
        else:
            given = _INDENT.join(quoted(_summary_of(self._summarise(turns, room))))
            body = f"{given if self._count(given) < room else self._beginnings.of(given, room - 1)}\n"
        text = heading + body
        return text if body.strip() and self._count(text) <= limit else ""


def _summary_of(value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(f"summarise must return a text, not {type(value).__name__}")
    return value


def telling_lines(turns: Sequence[HistoryTurn], limit: int, *, count_tokens: TokenCounter) -> list[str]:
    """The most telling sentence of the most telling turns, in their order, one a line, with who said it.

    A text counts for the words it shares with other turns: ``sum(log(n)) / sqrt(words)`` over its different
    words, each found in ``n`` turns. Function words are short, or count in all alike. A turn most of whose
    words stand in a line already is passed over.

    Args:
        turns: Oldest first.
        limit: The most tokens that the lines may have.
        count_tokens: Counts the tokens of a text.
    """
    told = [_words(turn.content[:_LOOKED_AT]) for turn in turns]
    worth_of = {word: math.log(count) for word, count in Counter(chain.from_iterable(told)).items()}
    chosen: dict[int, str] = {}
    covered: set[str] = set()
    left, too_long = limit, 0
    for place in _best_first(told, worth_of):
        if 2 * len(told[place] - covered) < len(told[place]):
            continue
        turn = turns[place]
        best = _best_sentence(turn.content[:_LOOKED_AT], worth_of)
        line = f"- {label_of(who_said(turn.speaker, turn.role), turn.content)}: {_short(best)}\n"
        cost = count_tokens(line)
        if cost > left:
            too_long += 1
        elif any(map(str.isalnum, best)):
            chosen[place] = line
            covered |= told[place]
            left -= cost
        if left < SHORTEST or too_long == _TOO_LONG:
            break
    return [chosen[place] for place in sorted(chosen)]


def _best_sentence(text: str, worth_of: Mapping[str, float]) -> str:
    sentences = [match.group() for match in _SENTENCE.finditer(text)] or [""]
    told = [_words(one) & worth_of.keys() for one in sentences]
    return sentences[_best_first(told, worth_of)[0]]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _best_first(texts: Sequence[frozenset[str]], worth_of: Mapping[str, float]) -> list[int]:
    """The places of texts, those with the most worth first."""
    worth = [sum(map(worth_of.__getitem__, words)) / math.sqrt(len(words) or 1) for words in texts]
    return sorted(range(len(texts)), key=lambda place: (-worth[place], place))


def _short(words: str) -> str:
    plain = on_one_line(words)
    if len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST].rpartition(' ')[0] or plain[:_LONGEST]} {CUT}"


def _cap(costs: Sequence[int], room: int) -> int:
    """The most that each may cost so that all fit: short ones leave to long ones what they do not need."""
    left = room
    for place, cost in enumerate(sorted(costs)):
        share = left // (len(costs) - place)
        if cost > share:
            return share
        left -= cost
    return max(costs, default=0)


def _body(turn: HistoryTurn) -> str:
    return _INDENT.join(quoted(turn.content))
