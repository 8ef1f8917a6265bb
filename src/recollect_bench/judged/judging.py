"""Has a model answer and judges decide: what that will cost, and the calls."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from recollect.models import Price
from recollect.text.tokens import estimate_tokens
from recollect_bench.judged.calls import Calls, Prompt, ServedModel
from recollect_bench.judged.cases import SEED, Case, Cases
from recollect_bench.judged.handmade import HandMade, hand_made
from recollect_bench.judged.traps import Trap, traps_for
from recollect_bench.prompts.verdict import verdict_prompt

_ANSWER_TOKENS: Final = 40
"""Of a JSON answer, by which costs are estimated; a model that thinks first uses more. Chosen by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run will ask for at most; what was answered before is not in it."""

    calls: int
    input_tokens: int
    output_tokens: int

    def in_words(self, price: Price | None) -> str:
        """One line for the user.

        >>> Estimate(calls=2, input_tokens=1_000_000, output_tokens=500).in_words(
        ...     Price(input_per_million=2, output_per_million=8)
        ... )
        'at most 2 calls, about 1,000,000 tokens in and 500 out, about $2.00'
        """
        told = (
            f"at most {self.calls:,} calls, about {self.input_tokens:,} tokens in and "
            f"{self.output_tokens:,} out"
        )
        if price is None:
            return told
        dollars = price.cost(input_tokens=self.input_tokens, output_tokens=self.output_tokens)
        return f"{told}, about ${dollars:,.2f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who answers what, and who judges.

    Attributes:
        cases: The questions.
        answerer: The model that answers them.
        judges: The models that judge the answers, with different names.
        calls: What was asked before, and takes what is asked now.
        parallel: How many calls are made at a time.
    """

    cases: Cases
    answerer: ServedModel
    judges: Sequence[ServedModel]
    calls: Calls
    parallel: int

    def estimate(self) -> Estimate:
        """What is left to ask. An answer that is not known yet counts as long as its gold."""
        unknown = [
            verdict_prompt(case.question, case.gold, case.gold)
            for case, _, answer in self.answers()
            if answer is None
        ]
        known = self.verdict_prompts()
        left = self.calls.missing(self.answerer, self.answer_prompts())
        for judge in self.judges:
            left += [*self.calls.missing(judge, known), *unknown]
        return Estimate(
            calls=len(left),
            input_tokens=sum(map(_tokens, left)),
            output_tokens=_ANSWER_TOKENS * len(left),
        )

    def run(self, report: Callable[[str], None]) -> None:
        """Ask what is missing, and keep it.

        Raises:
            ModelError: A model does not answer; what was answered is kept.
        """
        self.calls.ask(self.answerer, self.answer_prompts(), parallel=self.parallel, report=report)
        prompts = self.verdict_prompts()
        for judge in self.judges:
            self.calls.ask(judge, prompts, parallel=self.parallel, report=report)

    def answer_prompts(self) -> list[Prompt]:
        """What the model is asked that answers."""
        return [prompt for case in self.cases.drawn for prompt in case.prompts.values()]

    def answers(self) -> Iterator[tuple[Case, str, str | None]]:
        """Each question with each system and the answer from its turns; None where it cannot be read."""
        for case in self.cases.drawn:
            for system, prompt in case.prompts.items():
                yield case, system, self.calls.read(self.answerer, prompt)

    def verdict_prompts(self) -> list[Prompt]:
        """Answers, traps and lines judged by hand, shuffled: nothing tells a judge which it reads."""
        known: list[Trap | HandMade] = [*traps_for(self.cases.drawn), *hand_made()]
        prompts = [verdict_prompt(one.question, one.gold, one.answer) for one in known]
        prompts += [
            verdict_prompt(case.question, case.gold, answer)
            for case, _, answer in self.answers()
            if answer is not None
        ]
        random.Random(SEED).shuffle(prompts)  # noqa: S311 - no secret
        return prompts

    def verdict(self, judge: ServedModel, one: Case | Trap | HandMade, answer: str | None) -> str | None:
        """What a judge says of an answer; None where it cannot be read, or there is none to judge."""
        if answer is None:
            return None
        return self.calls.read(judge, verdict_prompt(one.question, one.gold, answer))


def _tokens(prompt: Prompt) -> int:
    return sum(estimate_tokens(message.content) for message in prompt.messages)
