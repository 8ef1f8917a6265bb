"""Intents: what a user's words ask for, learned from classifications that turned out right or wrong.

The spec's Intent Learning: patterns of successful classifications are stored, how useful each was is
counted, and so the understanding gets better. Whoever classifies first (a model, a person, a rule)
teaches; what is like the taught needs them no more.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from recollect.checks import check_bool, check_share
from recollect.errors import InvalidInputError
from recollect.learning.intents import THRESHOLD
from recollect.learning.intents.matching import Fit, Matcher
from recollect.learning.intents.patterns import (
    MAX_PATTERNS,
    UNKNOWN,
    IntentPattern,
    check_intent,
    key_of,
    read_patterns,
    shortened,
    text_to_keep,
    write_patterns,
)
from recollect.protocols import Clock, Embedder, StateStore
from recollect.text.analyse import Analyser
from recollect.types import Scope
from recollect.types.clock import utc_now
from recollect.types.ids import IdFactory, new_id

__all__ = ["UNKNOWN", "IntentMatch", "IntentPattern", "Intents"]

STATE: Final = "intents"
"""The name under which a store keeps the patterns."""
MARGIN: Final = 0.25
"""What the runner-up's score takes from the confidence. Chosen by hand: between 0, which tells best what
is out of scope, and 1, which tells best which of two intents is meant."""

_SHOWN: Final = 3
"""Scores shown by ``explain``. Chosen by hand."""

Patterns = list[IntentPattern]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentMatch:
    """What a text was taken to mean.

    Attributes:
        intent: The best fitting intent; ``unknown`` when the confidence is below the threshold.
        confidence: How sure the best fitting intent is, 0 to 1, also when it is not sure enough: its
            score, less a quarter of the second's; for words that were learned themselves, the trust in
            their pattern, which no other words like it exceed. No probability: new words seldom exceed 0.5.
        pattern: The pattern of the best fitting intent that fits best; None when nothing fits.
        scores: Every intent's score, 0 to 1, best first; equal ones by name.
    """

    intent: str
    confidence: float
    pattern: IntentPattern | None
    scores: Mapping[str, float]

    def explain(self) -> str:
        """Why, in one line: ``phone (0.57): like "ring Ada" (phone, right 1, wrong 0); phone 0.57``."""
        if self.pattern is None:
            return f"{self.intent} (0.00): nothing learned is like these words"
        like, best = self.pattern, list(self.scores.items())[:_SHOWN]
        told = f'"{like.text}" ({like.intent}, right {like.successes}, wrong {like.failures})'
        scores = ", ".join(f"{intent} {score:.2f}" for intent, score in best)
        return f"{self.intent} ({self.confidence:.2f}): like {told}; {scores}"


class Intents:
    """The intents of one user.

    Nothing is kept but patterns, as one text in the store; vectors are made when a text is first
    compared and kept in this object. All methods may be called from several threads, and several
    objects or processes may learn in one store.

    Args:
        store: Keeps the patterns.
        scope: Whose they are; agent and session are not looked at.
        embedder: Compares by meaning.
        analyser: Compares by words.
        clock: What time it is.
        new_id: Makes the patterns' ids.
        threshold: Below this confidence, 0 to 1, the answer is ``unknown``.

    Raises:
        InvalidInputError: The threshold is not a number from 0 to 1.
    """

    def __init__(
        self,
        store: StateStore,
        scope: Scope,
        *,
        embedder: Embedder,
        analyser: Analyser,
        clock: Clock = utc_now,
        new_id: IdFactory = new_id,
        threshold: float = THRESHOLD,
    ) -> None:
        self._store = store
        self._scope = scope
        self._embedder = embedder
        self._analyser = analyser
        self._clock = clock
        self._new_id = new_id
        self._threshold = check_share("threshold", threshold)
        self._lock = threading.Lock()
        self._made_of: str | None = None
        self._matcher = self._matcher_of(None)

    def learn(self, text: str, intent: str) -> IntentPattern:
        """Remember a successful classification.

        The same words (their stems, in order) with the same intent strengthen the known pattern: it
        gains a success. With another intent both are kept: people do contradict themselves, and
        which of them is right shows in their confidence; when equal, the last learned counts. With
        more than 2,000 patterns the least useful other one is dropped: the least trusted, among
        equals the one unused for longest.

        Args:
            text: What was said. Secrets in it are masked, and 1,000 characters are kept.
            intent: What it means.

        Returns:
            The pattern, as it is now.

        Raises:
            InvalidInputError: A blank text, or no name of an intent; ``unknown`` is none.
            StoreError: The store failed, or what it kept is damaged; nothing was changed.
        """
        kept, name, now = text_to_keep(text), check_intent("intent", intent), self._clock()
        learned: Patterns = []

        def change(patterns: Patterns) -> Patterns:
            taught, pattern = self._taught(patterns, kept, name, now)
            learned[:] = [pattern]
            return taught

        self._change(change)
        return learned[0]

    def classify(self, text: str) -> IntentMatch:
        """What a text means; writes nothing.

        Any text will do: one without words, or that fits nothing, is ``unknown``. So is one of function
        words alone ("what is it"), unless these words were learned themselves.

        Raises:
            InvalidInputError: It is not a text.
            StoreError: The store failed, or what it kept is damaged.
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"text must be a text, not {type(text).__name__}")
        heard = shortened(text.encode(errors="replace").decode())
        matcher = self._current()
        fit = matcher.fit(heard)
        best = next(iter(fit.scores), UNKNOWN)
        decided = matcher.closest(heard, best, fit)
        confidence = _confidence(fit) if decided else 0.0
        sure = decided is not None and confidence >= self._threshold
        return IntentMatch(
            intent=best if sure else UNKNOWN, confidence=confidence, pattern=decided, scores=fit.scores
        )

    def feedback(self, text: str, intent: str, *, correct: bool, actual: str | None = None) -> None:
        """Learn from how a classification turned out.

        Right: the pattern that decided gains a success and a use, and the text is learned, unless it
        is that pattern's own. Wrong: the pattern that decided gains a failure; the text is learned
        under ``actual``, when given. The pattern that decided is looked for now, among those of
        ``intent``: the one of the same words, else the most alike. ``unknown`` may be the intent or
        the actual one; it teaches nothing and weakens nothing.

        Args:
            text: What was classified.
            intent: The answer that was given.
            correct: Whether it was right.
            actual: The right answer, when it was wrong and the right one is known.

        Raises:
            InvalidInputError: As for ``learn``; or ``actual`` contradicts ``correct``.
            StoreError: The store failed, or what it kept is damaged; nothing was changed.
        """
        kept, given = text_to_keep(text), _check_answer("intent", intent)
        meant = _meant(given, correct=check_bool("correct", correct), actual=actual)
        decided, now = self._decided(kept, given), self._clock()

        def change(patterns: Patterns) -> Patterns:
            judged = [_judged(one, right=correct, at=now) if one.id == decided else one for one in patterns]
            own = self._known(judged, kept, meant)
            if meant == UNKNOWN or (own is not None and own.id == decided):
                return judged
            return self._taught(judged, kept, meant, now)[0]

        self._change(change)

    def patterns(self, intent: str | None = None) -> list[IntentPattern]:
        """What was learned, of one intent or of all, oldest first.

        Raises:
            StoreError: The store failed, or what it kept is damaged.
        """
        kept = read_patterns(self._store.state(self._scope, STATE))
        return [pattern for pattern in kept if intent in (None, pattern.intent)]

    def forget(self, intent_or_pattern_id: str) -> int:
        """Remove an intent with all its patterns, or one pattern by its id.

        Returns:
            How many patterns were removed; 0 when nothing has this name.

        Raises:
            StoreError: The store failed, or what it kept is damaged; nothing was changed.
        """
        removed = 0

        def change(patterns: Patterns) -> Patterns:
            nonlocal removed
            left = [one for one in patterns if intent_or_pattern_id not in (one.intent, one.id)]
            removed = len(patterns) - len(left)
            return left

        self._change(change)
        return removed

    def _change(self, change: Callable[[Patterns], Patterns]) -> None:
        """Change what is there when the store calls back, not what this object saw before."""
        self._store.change_state(
            self._scope, STATE, lambda state: write_patterns(change(read_patterns(state)))
        )

    def _taught(
        self, patterns: Patterns, text: str, intent: str, now: datetime
    ) -> tuple[Patterns, IntentPattern]:
        """The patterns after a text was learned, and the pattern it is now."""
        known = self._known(patterns, text, intent)
        if known is not None:
            stronger = replace(known, successes=known.successes + 1)
            return [stronger if one.id == known.id else one for one in patterns], stronger
        new = IntentPattern(id=self._new_id(), text=text, intent=intent, learned_at=now)
        return [*_most_useful(patterns, MAX_PATTERNS - 1), new], new

    def _known(self, patterns: Patterns, text: str, intent: str) -> IntentPattern | None:
        key = key_of(text, self._analyser)
        same = (one for one in patterns if one.intent == intent and key_of(one.text, self._analyser) == key)
        return next(same, None)

    def _decided(self, text: str, intent: str) -> str | None:
        matcher = self._current()
        decided = matcher.closest(text, intent, matcher.fit(text))
        return None if decided is None else decided.id

    def _current(self) -> Matcher:
        """What the store has now, ready to be compared with; made again when it has changed."""
        state = self._store.state(self._scope, STATE)
        with self._lock:
            if state != self._made_of:
                self._matcher = self._matcher_of(state, known=self._matcher)
                self._made_of = state
            return self._matcher

    def _matcher_of(self, state: str | None, *, known: Matcher | None = None) -> Matcher:
        return Matcher(
            read_patterns(state),
            embedder=self._embedder,
            analyser=self._analyser,
            known=known.vectors if known else {},
        )


def _confidence(fit: Fit) -> float:
    first, second, *_ = [*fit.scores.values(), 0.0, 0.0]
    if fit.exact:
        return first
    return max(0.0, first - MARGIN * second)


def _judged(pattern: IntentPattern, *, right: bool, at: datetime) -> IntentPattern:
    if not right:
        return replace(pattern, failures=pattern.failures + 1)
    return replace(
        pattern, successes=pattern.successes + 1, usage_count=pattern.usage_count + 1, last_used_at=at
    )


def _most_useful(patterns: Patterns, count: int) -> Patterns:
    """The ``count`` most useful, in their order."""
    spare = len(patterns) - count
    dropped = {one.id for one in sorted(patterns, key=lambda one: one.usefulness)[: max(spare, 0)]}
    return [one for one in patterns if one.id not in dropped]


def _meant(intent: str, *, correct: bool, actual: str | None) -> str:
    """What the text means, as far as is known."""
    if actual is None:
        return intent if correct else UNKNOWN
    if correct != (actual == intent):
        raise InvalidInputError("actual is only for correct=False; leave one of them out")
    return _check_answer("actual", actual)


def _check_answer(where: str, value: object) -> str:
    return UNKNOWN if value == UNKNOWN else check_intent(where, value)
