"""Reads a stretch of a conversation: which facts and episodes a model finds in it, else the rules."""

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b

from recollect.errors import MissingExtraError, ModelError
from recollect.learning.by_model.ask import ask
from recollect.learning.by_model.findings import Answer, Findings
from recollect.learning.by_model.read import read_answer
from recollect.learning.extraction.episodes import summarise_episode
from recollect.learning.extraction.extract import extract_changes, extract_facts, speaker_of
from recollect.learning.extraction.facts import EXPLICIT, Fact, Turn
from recollect.learning.extraction.stated import stated_in
from recollect.learning.facts import FactKeeper, Maker, Told
from recollect.learning.outcomes import Learned, reason_of
from recollect.learning.recording import EXTRACTOR, fact_id_of, turn_of
from recollect.learning.repair import ANSWER
from recollect.lifecycle.importance import importance_in_chat
from recollect.models.chat import LanguageModel, Usage
from recollect.models.routing import ModelRouter, ModelTask
from recollect.protocols import Store
from recollect.text.analyse import Analyser
from recollect.types import MemoryRecord, Scope


class StretchReader:
    """Finds facts and episodes in new messages.

    Args:
        store: Keeps what a model said until its facts are stored.
        models: Who extracts; None leaves it to the rules.
        analyser: Cuts statements into words.
    """

    def __init__(self, store: Store, *, models: ModelRouter | None, analyser: Analyser) -> None:
        self._store = store
        self._models = models
        self._analyser = analyser

    def read(
        self, scope: Scope, known: list[MemoryRecord], fresh: list[MemoryRecord], *, last_try: bool
    ) -> Findings:
        """What is in a stretch: as a model says, else by the rules, which then say why.

        Args:
            scope: The session.
            known: The messages just before the new ones.
            fresh: The new messages.
            last_try: Whether to leave it to the rules where the model cannot be reached for now.

        Raises:
            ModelError: The model cannot be reached for now, and it is not the last try.
        """
        model = None if self._models is None else self._models.model(ModelTask.MEMORY_EXTRACTION)
        if model is None or not any(record.origin.role == "user" for record in fresh):
            return self._by_rules(known, fresh)
        turns = [turn_of(record) for record in (*known, *fresh)]
        answer = None
        try:
            answer = self._answer(scope, model, turns, known=len(known))
            found = read_answer(answer, turns, known=len(known), analyser=self._analyser)
        except (ModelError, MissingExtraError) as error:
            if getattr(error, "transient", False) and not last_try:
                raise
            usage = None if answer is None else answer.usage
            return self._by_rules(known, fresh, because=reason_of(error), usage=usage)
        return found if found.episodes else self._with_episode(found, fresh)

    def _answer(self, scope: Scope, model: LanguageModel, turns: list[Turn], *, known: int) -> Answer:
        """What the model said of these turns, if a worker that was stopped had asked already; else now."""
        states, asked = self._store, _digest_of_turns(turns[known:])
        kept = json.loads(states.state(scope, ANSWER) or "{}")
        if kept.get("turns") == asked:
            return Answer.from_json(kept["answer"])
        answer = ask(model, turns, known=known)
        value = json.dumps({"turns": asked, "answer": answer.to_json()})
        states.change_state(scope, ANSWER, lambda _: value)
        return answer

    def _by_rules(
        self,
        known: list[MemoryRecord],
        fresh: list[MemoryRecord],
        *,
        because: str | None = None,
        usage: Usage | None = None,
    ) -> Findings:
        said = [turn_of(record) for record in (*known, *fresh)]
        found_facts = extract_facts(said)
        order = [turn.id for turn in said]
        changes = extract_changes(said[len(known) :], found_facts)
        facts = tuple(sorted([*found_facts, *changes], key=lambda fact: order.index(fact.source)))
        found = Findings(facts=facts, way="rules", made_by=EXTRACTOR, because=because, usage=usage)
        return self._with_episode(found, fresh)

    def _with_episode(self, found: Findings, fresh: list[MemoryRecord]) -> Findings:
        """With what happened by the rules: the most telling sentence, word for word."""
        told = summarise_episode(
            [turn_of(record) for record in fresh], rate=importance_in_chat, analyser=self._analyser
        )
        return found if told is None else replace(found, episodes=(told,))


def _digest_of_turns(turns: Sequence[Turn]) -> str:
    """What tells turns with other words from these."""
    said = json.dumps([[turn.id, turn.text] for turn in turns])
    return blake2b(said.encode(), digest_size=8).hexdigest()


def keep(
    found: Findings,
    keeper: FactKeeper,
    scope: Scope,
    known: Sequence[MemoryRecord],
    fresh: Sequence[MemoryRecord],
    *,
    tell: bool,
) -> Learned:
    """Store what was found in a stretch.

    Args:
        found: What was found.
        keeper: Stores it.
        scope: The session.
        known: The messages just before the new ones.
        fresh: The new messages.
        tell: Whether to store the episodes too.
    """
    made_by = Maker(name=found.made_by, prompt_id=found.prompt_id)
    said = {record.id: record for record in (*known, *fresh)}
    total = Learned()
    for fact in found.facts:
        total += keeper.take(fact, said[fact.source], made_by=made_by, read=list(said.values()))
    for place, episode in enumerate(found.episodes if tell else ()):
        told = Told(
            id=fact_id_of(f"episode {place}" if place else "episode", fresh[0].id),
            summary=episode.summary,
            importance=episode.importance,
            context=episode.context,
            sources=episode.sources,
            happened_at=fresh[0].times.happened_at,
        )
        total += keeper.tell(told, scope, made_by=made_by, read=fresh)
    return total


def stated_facts(turn: MemoryRecord) -> tuple[list[Fact], str]:
    """The facts that one turn states, and why its words state none; what has no fact is one as it stands."""
    facts, unstated = [replace(one, only_ends=False) for one in extract_facts([turn_of(turn)])], ""
    if not facts:
        words, unstated = stated_in(turn.content)
        facts = _in_third_person(turn, words) or [_as_it_stands(turn, words or turn.content.strip())]
    return facts, unstated


def _in_third_person(record: MemoryRecord, text: str) -> list[Fact]:
    """A statement that shall be remembered, as a fact about its speaker: "My bins go out on Monday"."""
    if not text.lower().startswith(("my ", "our ", "i ")):
        return []
    asked = extract_facts([replace(turn_of(record), text=f"Remember that {text}")])
    return [
        replace(one, category="general", quote=text) for one in asked[:1] if one.category == "instruction"
    ]


def _as_it_stands(record: MemoryRecord, text: str) -> Fact:
    """A statement in which the rules see no fact."""
    return Fact(
        text=text,
        category="general",
        confidence=EXPLICIT,
        subject=speaker_of(turn_of(record)),
        relation="",
        object=None,
        source=record.id,
        quote=text,
    )
