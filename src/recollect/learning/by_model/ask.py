"""Asking a model what a stretch of conversation tells."""

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

from recollect.learning.by_model.findings import ModelAnswer
from recollect.learning.extraction.facts import Turn
from recollect.learning.repair import ANSWER
from recollect.models.chat import LanguageModel
from recollect.models.prompts.extraction import SCHEMA, extraction_messages
from recollect.models.prompts.turns import ShownTurn
from recollect.protocols import Store
from recollect.text.quoting import who_said
from recollect.types import Scope

MOST_TOKENS: Final = 2_000
"""Of an answer: some thirty facts. Chosen by hand."""


def ask(model: LanguageModel, turns: Sequence[Turn], *, known: int = 0) -> ModelAnswer:
    """What a model says of a part of a conversation, of which it read the first ``known`` turns before."""
    messages = extraction_messages([ShownTurn(_who(turn), turn.text) for turn in turns], known=known)
    said = model.complete(messages, max_tokens=MOST_TOKENS, json_schema=SCHEMA)
    return ModelAnswer(text=said.text, way=said.json or "words", model=model.name, usage=said.usage)


def ask_once(
    store: Store, scope: Scope, model: LanguageModel, turns: Sequence[Turn], *, known: int
) -> ModelAnswer:
    """What a model said of these turns, if a worker that was stopped had asked already; else it is asked.

    The store keeps the answer until its facts are stored: asked again, a model would word them differently.

    Raises:
        BudgetExceededError: The budget is spent; nothing was sent.
        ModelError: The model gave no answer.
        MissingExtraError: A package that asks it is not installed.
    """
    asked = _digest_of(turns[known:])
    kept = json.loads(store.state(scope, ANSWER) or "{}")
    if kept.get("turns") == asked:
        return ModelAnswer.from_json(kept["answer"])
    answer = ask(model, turns, known=known)
    value = json.dumps({"turns": asked, "answer": answer.to_json()})
    store.change_state(scope, ANSWER, lambda _: value)
    return answer


def _digest_of(turns: Sequence[Turn]) -> str:
    """What tells turns with other words from these."""
    said = json.dumps([[turn.id, turn.text] for turn in turns])
    return blake2b(said.encode(), digest_size=8).hexdigest()


def _who(turn: Turn) -> str:
    return who_said(turn.speaker, turn.role)
