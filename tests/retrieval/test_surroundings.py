"""What surrounds a memory is what its definition says, whoever speaks and whatever is deleted."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.retrieval.shadow import Shadow
from recollect.retrieval.surroundings import Surroundings
from recollect.stores.reference.store import InMemoryStore
from recollect.types import Scope

said = st.lists(
    st.tuples(
        st.sampled_from(["Tea.", "I like green tea very much.", "It rained in Oslo for a week."]),
        st.sampled_from(["user", "assistant"]),
        st.sampled_from([None, "Ada"]),
        st.sampled_from(["message", "message", "fact"]),
        st.sampled_from(["s1", "s2"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)


def shadow_of(told):
    """The shadow after these were said and some of them deleted."""
    with Memory(InMemoryStore(), embedder="hashing") as memory:
        shadow, gone = Shadow(), []
        for content, role, name, kind, session, deleted in told:
            message = {"content": content, "role": role, "kind": kind} | ({"name": name} if name else {})
            (added,) = memory.add([message], user_id="u", session_id=session)
            shadow.apply(memory.parts.store.shadow(Scope(user_id="u"), shadow.version))
            gone += [added.id] if deleted else []
        for one in gone:
            memory.delete(one, user_id="u")
        shadow.apply(memory.parts.store.shadow(Scope(user_id="u"), shadow.version))
        return shadow


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(told=said)
def test_surroundings_are_what_their_definitions_say(told):
    shadow = shadow_of(told)
    around = Surroundings(shadow)
    roles, names = list(shadow.names["role"].numbers), list(shadow.names["speaker"].numbers)
    kinds = list(shadow.names["kind"].numbers)
    rows = range(shadow.size)
    live = shadow["alive"].tolist()
    assistant = [
        roles[shadow["role"][r]] == "assistant" and names[shadow["speaker"][r]] != "Ada" for r in rows
    ]
    learned = [kinds[shadow["kind"][r]] == "fact" for r in rows]
    heard = {assistant[r] for r in rows if live[r] and not learned[r]}
    weight = [live[r] * (0.5 if assistant[r] and len(heard) > 1 else 1.0) for r in rows]
    lengths = {
        group: [float(shadow["length"][r]) for r in rows if live[r] and learned[r] == group]
        for group in (True, False)
    }
    mean = {group: sum(some) / len(some) if some else 1.0 for group, some in lengths.items()}
    norm = [0.25 + 0.75 * float(shadow["length"][r]) / mean[learned[r]] for r in rows]

    assert around.is_assistant.tolist() == assistant
    assert around.weight.tolist() == weight
    assert around.length_norm == pytest.approx(norm)
    for thread in range(shadow.threads):
        own = [r for r in rows if shadow["thread"][r] == thread]
        assert around.thread_weight[thread] == sum(weight[r] for r in own)
    every = np.arange(shadow.size, dtype=np.int32)
    values = np.linspace(0, 1, shadow.size, dtype=np.float32)
    assert around.gather(values).tolist() == around.gather(values, every).tolist()


def test_the_meaning_of_a_few_rows_needs_only_their_threads():
    with Memory(":memory:", embedder="hashing") as memory:
        for number in range(40):
            memory.add([f"tea {number}", "coffee", f"cake {number}"], user_id="u", session_id=f"s{number}")
        memory.add("on its own", user_id="u")
        scope = Scope(user_id="u")
        shadow = Shadow()
        shadow.apply(memory.parts.store.shadow(scope, 0))
    around, rows = Surroundings(shadow), np.array([4, 60, 120], np.int32)
    cosine = np.linspace(0.1, 1, shadow.size, dtype=np.float32)
    members = around.together(rows)
    assert members.tolist() == [3, 4, 5, 60, 61, 62, 120]
    assert around.together(np.arange(shadow.size, dtype=np.int32)) is None
    everywhere = around.continued(cosine)
    some = around.continued(cosine, members)
    assert some[members].tolist() == everywhere[members].tolist()
    assert np.count_nonzero(some) == len(members)
