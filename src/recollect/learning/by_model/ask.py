"""Asking a model what a stretch of conversation tells."""

from collections.abc import Sequence
from typing import Final

from recollect.learning.by_model.findings import Answer
from recollect.learning.extraction.facts import Turn
from recollect.models.chat import LanguageModel
from recollect.models.prompts.extraction import SCHEMA, extraction_messages
from recollect.models.prompts.turns import Shown
from recollect.text.quoting import who_said

MOST_TOKENS: Final = 2_000
"""Of an answer: some thirty facts. Chosen by hand."""


def ask(model: LanguageModel, turns: Sequence[Turn], *, known: int = 0) -> Answer:
    """What a model says of some turns.

    Args:
        model: Who is asked.
        turns: A part of a conversation, in order.
        known: How many of the first were read before.

    Raises:
        BudgetExceededError: The budget is spent; nothing was sent.
        ModelError: The model gave no answer.
        MissingExtraError: A package that asks it is not installed.
    """
    messages = extraction_messages([Shown(_who(turn), turn.text) for turn in turns], known=known)
    said = model.complete(messages, max_tokens=MOST_TOKENS, json_schema=SCHEMA)
    return Answer(text=said.text, way=said.json or "words", model=model.name, usage=said.usage)


def _who(turn: Turn) -> str:
    return who_said(turn.speaker, turn.role)
