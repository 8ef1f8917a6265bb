"""Random lives: what only deleted or replaced turns said is found nowhere after a purge, nor in the bytes."""

import io
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.learning.admission import AdmissionPolicy, Learning
from recollect.testing.fakes import FakeClock
from recollect.types.codec import change_to_json, explanation_to_json, record_to_json

USER = "ada"
SHAPES = (
    "I live in {}.",
    "I moved to {} last month.",
    "I work at {} as a nurse.",
    "My sister is called {}.",
    "My dose is 100 micrograms of {}.",
    "I really like {}, and {} is the best.",
    "Do you know {}?",
    "My dog {} died in May.",
    "I no longer work at {}.",
    "Please always call me {}.",
    "I think I like {}.",
)
SAID_TWICE = ("I like tea.", "I live in Berlin.")
"""Turns without a rare word: facts of several turns come of them."""
LETTERS = "bdfgklmnprstvz"


def rare_word(number: int) -> str:
    """A word that nobody says by chance, with a capital letter; each number has its own."""
    digits = [number // len(LETTERS) ** place % len(LETTERS) for place in range(4)]
    return "Qo" + "".join(f"{LETTERS[digit]}u" for digit in digits) + "xq"


@dataclass
class Life:
    """What was said, and which words are left."""

    memory: Memory
    clock: FakeClock
    turns: dict[str, str | None] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    words: int = 0

    def word(self) -> str:
        self.words += 1
        return rare_word(self.words)

    def say(self, session: str, shapes: list[int]) -> None:
        for shape in shapes:
            self.clock.tick(3_600)
            word = self.word() if shape < len(SHAPES) else None
            text = SHAPES[shape].replace("{}", word) if word else SAID_TWICE[shape - len(SHAPES)]
            role = "assistant" if shape == 6 else "user"
            message = {
                "content": text,
                "role": role,
                "idempotency_key": f"key {self.clock():%d %H}",
            }
            (added,) = self.memory.add([message], user_id=USER, session_id=session)
            self.turns[str(added.id)] = word

    def learn(self, session: str) -> None:
        if session in {one.id for one in self.memory.sessions.list(user_id=USER)}:
            self.memory.sessions.end(session, user_id=USER)
            self.memory.jobs.drain()
            self.memory.sessions.entitle(session, user_id=USER)

    def delete(self, place: int) -> None:
        memory_id = self._turn(place)
        if memory_id is not None:
            self.memory.delete(memory_id, user_id=USER)
            self._lose(memory_id)
            del self.turns[memory_id]

    def bring_back(self, place: int) -> None:
        memory_id = self._turn(place)
        if memory_id is not None:
            self.memory.delete(memory_id, user_id=USER)
            self.memory.undelete(memory_id, user_id=USER)

    def correct(self, place: int, shape: int) -> None:
        memory_id = self._turn(place)
        if memory_id is not None:
            self._lose(memory_id)
            self.turns[memory_id] = self.word()
            text = SHAPES[shape % len(SHAPES)].replace("{}", str(self.turns[memory_id]))
            self.memory.update(memory_id, user_id=USER, content=text)

    def _turn(self, place: int) -> str | None:
        ids = list(self.turns)
        return ids[place % len(ids)] if ids else None

    def _lose(self, memory_id: str) -> None:
        word = self.turns[memory_id]
        if word is not None:
            self.gone.add(word)


def everything_read(memory: Memory) -> str:
    """What every way of reading shows of a user, as one text."""
    told: list[object] = []
    every = memory.get_all(user_id=USER)
    for one in every:
        told += [record_to_json(one), *map(change_to_json, memory.history(one.id, user_id=USER))]
        told += [explanation_to_json(memory.explain(one.id, user_id=USER, query="where?"))]
        told += memory.graph.links(one.id, user_id=USER)
    for question in ("Where do I live?", "What do I like?", "sister dog dose work"):
        told += memory.search(question, user_id=USER, top_k=100, kinds=["message", "fact", "episode"])
        told += [memory.context(question, user_id=USER, budget_tokens=4_000).text]
    sessions = memory.sessions.list(user_id=USER)
    told += [*sessions, *memory.deleted(user_id=USER), *memory.facts.learned(user_id=USER)]
    told += [memory.sessions.summarise(one.id, user_id=USER) for one in sessions]
    told += [
        memory.profile(user_id=USER),
        memory.timeline(user_id=USER),
        memory.facts.conflicts(user_id=USER),
    ]
    told += [memory.jobs.list(), memory.jobs.list(failed=True), memory.facts.decisions(user_id=USER)]
    told += [memory.graph.clusters(user_id=USER).all(), memory.parts.store.states(memory.parts.scope(USER))]
    graph = memory.graph.concepts(user_id=USER)
    told += [*graph.concepts(), *graph.edges()]
    exported = io.StringIO()
    memory.export(exported, user_id=USER)
    return f"{told} {exported.getvalue()}".casefold()


SESSIONS = st.sampled_from(["one", "two"])
STEPS = st.one_of(
    st.tuples(st.just("say"), SESSIONS, st.lists(st.integers(0, len(SHAPES) + 1), min_size=1, max_size=5)),
    st.tuples(st.just("learn"), SESSIONS),
    st.tuples(st.just("delete"), st.integers(0, 30)),
    st.tuples(st.just("correct"), st.integers(0, 30), st.integers(0, 30)),
    st.tuples(st.just("bring_back"), st.integers(0, 30)),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=10)
@given(st.lists(STEPS, min_size=6, max_size=14), st.booleans())
def test_words_that_only_deleted_or_replaced_turns_said_are_found_nowhere(steps, keeps_refusals):
    policy = AdmissionPolicy(min_confidence=0.9, keep_refused=True) if keeps_refusals else None
    clock = FakeClock()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "m.db"
        with Memory(place, embedder="hashing", clock=clock, learning=Learning(admission=policy)) as memory:
            life = Life(memory, clock)
            life.say("one", [0, len(SHAPES), 2, 4])
            for name, *arguments in steps:
                getattr(life, name)(*arguments)
            life.delete(0)
            memory.purge(user_id=USER)
            shown = everything_read(memory)
            assert [word for word in sorted(life.gone) if word.casefold() in shown] == []
            memory.jobs.drain()
            shown = everything_read(memory)
            assert [word for word in sorted(life.gone) if word.casefold() in shown] == []
            kept = {str(word) for word in life.turns.values() if word}
            assert all(word.casefold() in shown for word in kept)
            assert memory.maintenance.doctor().problems == ()
        data = b"".join(path.read_bytes().lower() for path in Path(folder).iterdir())
        assert [word for word in sorted(life.gone) if word.lower().encode() in data] == []
