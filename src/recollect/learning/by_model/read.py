"""What stands in a model's answer: facts and episodes that hold, and what is refused and why."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from recollect.errors import ModelAnswerError
from recollect.learning.by_model.findings import Findings, ModelAnswer
from recollect.learning.by_model.support import Cited, told_by, unsupported
from recollect.learning.extraction.episodes import Episode
from recollect.learning.extraction.extract import USER, placed, speaker_of
from recollect.learning.extraction.facts import Fact, Turn
from recollect.learning.extraction.phrases import GROUPS
from recollect.learning.records import Refusal
from recollect.models.parsing import parse_json
from recollect.models.prompts.extraction import PROMPT_ID
from recollect.text.analyse import Analyser
from recollect.text.quoting import reads_like_an_instruction
from recollect.text.secrets import find_secrets
from recollect.types import JSON
from recollect.types.extras import optional_module
from recollect.types.regex import lazy_regex

if TYPE_CHECKING:
    from recollect.learning.by_model.answers import EpisodeShape, FactShape

MOST_FACTS: Final = 20
"""Of ten messages; what comes after is refused. Chosen by hand."""
MOST_EPISODES: Final = 3
"""The same for episodes. Chosen by hand."""
MOST_REFUSALS: Final = 25
"""Refusals that are listed one by one; what is beyond is counted in the last. Chosen by hand."""
_QUOTED: Final = 300
"""Characters of a turn that is kept as the quote of its facts; a longer one is not. Chosen by hand."""
_SINGLE: Final = lazy_regex(
    r"is named|lives in|works (?:as|at|for)|is married to|is dating|has marital status|is aged|comes from"
    r"|is from|was born (?:in|on)|majors in|weighs|(?:has (?:a )?)?favou?rite \w+(?: is)?",
    re.IGNORECASE,
)
"""Relations that have one value at a time, as in the rules: nobody asks a model that."""
_NOT_THE_ONE: Final = lazy_regex(
    rf"works (?:at|for) {GROUPS['NO_EMPLOYER']}$|lives in {GROUPS['A_DWELLING']}\b", re.IGNORECASE
)
"""What is said beside it: "works at night", "lives in a flat"."""
_SPEAKER: Final = ("the user", "user", "the speaker", "speaker", "i")
"""How models call who speaks."""


def read_answer(
    answer: ModelAnswer, turns: Sequence[Turn], *, known: int = 0, analyser: Analyser
) -> Findings:
    """What a model found; a fact of the first ``known`` turns alone is not new.

    Raises:
        ModelAnswerError: It is not JSON of the wanted shape.
        MissingExtraError: pydantic is not installed.
    """
    said = _json_in(answer.text)
    if not isinstance(said, Mapping) or not ({"semantic", "episodic"} & said.keys()):
        raise ModelAnswerError("the model's answer has neither facts nor episodes")
    reader = _Reader(turns, known, analyser)
    facts = list(reader.facts(_listed(said, "semantic")))
    episodes = list(reader.episodes(_listed(said, "episodic")))
    return Findings(
        facts=tuple(facts),
        episodes=tuple(episodes),
        refused=reader.refused(),
        way=answer.way,
        made_by=answer.model,
        prompt_id=PROMPT_ID,
        usage=answer.usage,
    )


def _json_in(text: str) -> JSON:
    """The JSON in an answer; where there is none, the error says so without its words: it is kept."""
    try:
        return parse_json(text)
    except ModelAnswerError:
        raise ModelAnswerError("the model's answer is not complete JSON") from None


def _listed(said: Mapping[str, JSON], name: str) -> Sequence[JSON]:
    found = said.get(name) or []
    if not isinstance(found, list):
        raise ModelAnswerError(f"the model's answer has no list under {name!r}")
    return found


class _Reader:
    """Reads the parts of an answer one by one, and remembers what it refuses."""

    def __init__(self, turns: Sequence[Turn], known: int, analyser: Analyser) -> None:
        optional_module("pydantic", feature="learning with a model", extra="openai")
        self._turns = turns
        self._known = known
        self._analyser = analyser
        self._refused: list[Refusal] = []

    def refused(self) -> tuple[Refusal, ...]:
        """What was refused."""
        if len(self._refused) <= MOST_REFUSALS:
            return tuple(self._refused)
        more = len(self._refused) - MOST_REFUSALS + 1
        rest = Refusal(what=self._refused[-1].what, reason=f"{more:,} more were refused")
        return (*self._refused[: MOST_REFUSALS - 1], rest)

    def facts(self, said: Sequence[JSON]) -> Iterator[Fact]:
        """The facts that hold, each once."""
        from recollect.learning.by_model.answers import fact_in

        seen: set[str] = set()
        for place, one in enumerate(said):
            shape = fact_in(one) if place < MOST_FACTS else f"more than {MOST_FACTS} facts of one stretch"
            if isinstance(shape, str):
                self._refuse("fact", shape)
                continue
            fact = self._fact(shape)
            if fact is not None and fact.text not in seen:
                seen.add(fact.text)
                yield fact

    def episodes(self, said: Sequence[JSON]) -> Iterator[Episode]:
        """The episodes that hold."""
        from recollect.learning.by_model.answers import episode_in

        for place, one in enumerate(said):
            many = f"more than {MOST_EPISODES} episodes of one stretch"
            shape = episode_in(one) if place < MOST_EPISODES else many
            if isinstance(shape, str):
                self._refuse("episode", shape)
            elif reason := self._wrong_words(shape.summary) or self._untold(shape):
                self._refuse("episode", reason, self._cited(shape.turns))
            else:
                yield self._episode(shape)

    def _fact(self, shape: "FactShape") -> Fact | None:
        cited = self._cited(shape.turns)
        people = [turn for turn in cited if turn.role == "user"]
        reason = self._wrong_citation(shape.turns, people) or self._wrong_words(shape.fact)
        if reason is None:
            fact = _fact_of(shape, people)
            reason = unsupported(fact, Cited(tuple(people), self._analyser))
        if reason is not None:
            self._refuse("fact", reason, cited)
            return None
        return fact

    def _wrong_citation(self, numbers: Sequence[int], people: Sequence[Turn]) -> str | None:
        if not numbers:
            return "it cites no turn"
        if any(not 1 <= number <= len(self._turns) for number in numbers):
            return "it cites a turn that is not there"
        if not people:
            return "it cites no turn of a person"
        if max(numbers) <= self._known:
            return "its turns were read before"
        return None

    def _untold(self, shape: "EpisodeShape") -> str | None:
        cited = self._cited(shape.turns) or list(self._turns[self._known :])
        return None if told_by(shape.summary, cited, self._analyser) else "its turns do not hold its words"

    def _wrong_words(self, text: str) -> str | None:
        if next(iter(find_secrets(text)), None) is not None:
            return "it holds a secret"
        return "it reads like an instruction" if reads_like_an_instruction(text) else None

    def _episode(self, shape: "EpisodeShape") -> Episode:
        cited = self._cited(shape.turns) or list(self._turns[self._known :])
        return Episode(
            summary=shape.summary,
            importance=shape.importance,
            context=self._label(shape.context, cited),
            topics=(),
            sources=tuple(turn.id for turn in cited),
        )

    def _label(self, label: str, cited: Sequence[Turn]) -> str:
        """What an episode is about; nothing, where its turns do not hold that."""
        wrong = self._wrong_words(label) or not told_by(label, cited, self._analyser, denied=False)
        return "" if wrong else label

    def _cited(self, numbers: Iterable[int]) -> list[Turn]:
        """The turns of some numbers, each once, in their order."""
        return [turn for number, turn in enumerate(self._turns, 1) if number in set(numbers)]

    def _refuse(self, what: str, reason: str, cited: Sequence[Turn] = ()) -> None:
        turns = tuple(turn.id for turn in cited)
        self._refused.append(
            Refusal(what="episode" if what == "episode" else "fact", reason=reason, turns=turns)
        )


def _fact_of(shape: "FactShape", people: Sequence[Turn]) -> Fact:
    """A fact as the rules would give it, called by the name of who says it."""
    first, *others = people
    speaker = speaker_of(first)
    subject, text = _named(shape.subject or "", speaker), _named(shape.fact, speaker)
    ended = shape.state == "holds no longer"
    fact = Fact(
        text=text if text.endswith((".", "!", "\u3002")) else f"{text}.",
        category=shape.category,
        confidence=shape.confidence,
        subject=subject if subject and text.startswith(subject) else speaker,
        relation=shape.relation or "",
        object=shape.object,
        single_valued=_is_single(shape.relation or "", shape.object or ""),
        negated=shape.state == "does not hold",
        past=ended,
        change="ended" if ended else None if shape.change == "none" else shape.change,
        source=first.id,
        quote=first.text.strip() if len(first.text) <= _QUOTED else "",
    )
    made = placed(fact, first, first.id)
    return replace(made, also=tuple(turn.id for turn in others))


def _is_single(relation: str, thing: str) -> bool:
    return _SINGLE.fullmatch(relation) is not None and _NOT_THE_ONE.match(f"{relation} {thing}") is None


def _named(text: str, speaker: str) -> str:
    """A text that begins with the speaker's name, however the model calls them.

    >>> _named("The user's sister lives in Rome", "Ada"), _named("Ada likes tea", "Ada")
    ("Ada's sister lives in Rome", 'Ada likes tea')
    """
    lower = text.casefold()
    for name in (*_SPEAKER, USER.casefold()):
        if lower.startswith(name) and not lower[len(name) :][:1].isalnum():
            return speaker + text[len(name) :]
    return text
