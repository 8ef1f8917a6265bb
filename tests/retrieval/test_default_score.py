"""The vectorised score against the formulas of docs/inside/retrieval.md, written down once more, slowly."""

import math
from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.embedders import open_embedder
from recollect.retrieval.rank import ASKED_WEIGHT, WISH_WEIGHT
from recollect.retrieval.score import HINT, IN_CHATS, MEANING, TIME_MATCH, WEIGHTS, WORDS, weights_for
from recollect.retrieval.signals import BARE_QUESTION, SAME_QUESTION
from recollect.retrieval.surroundings import CONTINUED, FEW, SHARED
from recollect.testing import FakeClock
from recollect.text.analyse import Analyser
from recollect.text.dates import find_dates
from recollect.text.traits import Trait, traits_of, wish_of

ANALYSER = Analyser()
EMBEDDER = open_embedder("hashing")
NOW = datetime(2026, 6, 3, tzinfo=UTC)
SUBJECTS = ["tea", "Paris", "the garden", "Ada", "chess in May 2026", "a walk last month", "two cats"]
TEXTS = st.tuples(
    st.sampled_from(["I like", "Tell me about", "We talked of", "Do you know"]),
    st.lists(st.sampled_from(SUBJECTS), min_size=1, max_size=4),
    st.sampled_from([".", "?"]),
).map(lambda parts: f"{parts[0]} {' and '.join(parts[1])}{parts[2]}")
TURNS = st.lists(
    st.tuples(
        TEXTS,
        st.sampled_from(["s1", "s2", None]),
        st.sampled_from(["user", "assistant"]),
        st.sampled_from(["Ada", "Bob Stone", None]),
        st.sampled_from([datetime(2026, 5, 2, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)]),
    ),
    min_size=1,
    max_size=12,
)


def time_match(when, start, end):
    away = max(start - when, when - end, timedelta(0))
    return 0.5 ** (away / max((end - start) / 4, timedelta(days=1)))


def naive_scores(turns, question):  # noqa: PLR0915 - the formulas in one piece
    """The score of every turn, straight from the formulas."""
    n = len(turns)
    terms = [Counter(ANALYSER.stems(f"{text} {speaker or ''}")) for text, _, _, speaker, _ in turns]
    vectors = EMBEDDER.embed_documents([text for text, *_ in turns])
    query = asked = EMBEDDER.embed_query(question)
    assistants = [role == "assistant" and speaker is None for _, _, role, speaker, _ in turns]
    two_roles = any(assistants) and not all(assistants)
    weight = [0.5 if two_roles and spoken else 1.0 for spoken in assistants]
    length = [max(1, term.total()) for term in terms]
    norm = [0.25 + 0.75 * own / (sum(length) / n) for own in length]
    sessions = [session or f"alone {i}" for i, (_, session, *_) in enumerate(turns)]
    members = {s: [i for i in range(n) if sessions[i] == s] for s in dict.fromkeys(sessions)}
    near = []
    for i in range(n):
        own = members[sessions[i]]
        place = own.index(i)
        near.append(
            {own[place + step]: share for step, share in ((-1, 0.5), (1, 0.5), (-2, 0.25), (2, 0.25))
             if 0 <= place + step < len(own)}
        )  # fmt: skip
    session_length = {s: sum(length[i] / norm[i] * weight[i] for i in own) for s, own in members.items()}
    mean_session = sum(session_length.values()) / len(members)

    def idf(total, holding):
        return math.log1p((total - holding + 0.5) / (holding + 0.5))

    times = find_dates(question, now=NOW, prefer="past")
    stems = ANALYSER.query_stems(question)
    held = {stem: [term[stem] / own for term, own in zip(terms, norm, strict=True)] for stem in stems}
    by_turn = {stem: idf(n, sum(x > 0 for x in held[stem])) for stem in stems}
    by_session = {
        stem: idf(len(members), sum(any(held[stem][i] for i in own) for own in members.values()))
        for stem in stems
    }
    cosine = []
    query = query - SHARED * sum(vectors) / (n + FEW)
    for i in range(n):
        own = members[sessions[i]]
        place = own.index(i)
        read = vectors[i] + (CONTINUED * vectors[own[place - 1]] if place else 0)
        cosine.append(float(read @ query) / float(np.linalg.norm(read)))
    wish = wish_of(question)
    named = {name for name in ("Ada", "Bob Stone") if set(ANALYSER.stems(name)) & set(stems)}
    scores = []
    for i, (text, _, _, speaker, when) in enumerate(turns):
        own = members[sessions[i]]
        words = words_near = words_session = 0.0
        for stem in stems:
            x = held[stem]
            y = x[i] + sum(share * weight[j] * x[j] for j, share in near[i].items())
            z = sum(weight[j] * x[j] for j in own)
            session_norm = 0.25 + 0.75 * session_length[sessions[i]] / mean_session
            words += by_turn[stem] * x[i] / (x[i] + 1.2)
            words_near += by_turn[stem] * y / (y + 1.2)
            words_session += by_session[stem] * z / (z + 1.2 * session_norm)
        total, session_total = sum(by_turn.values()), sum(by_session.values())
        shares = sum(share * weight[j] for j, share in near[i].items())
        meaning_near = (cosine[i] + sum(s * weight[j] * cosine[j] for j, s in near[i].items())) / (1 + shares)
        meaning_session = sum(weight[j] * cosine[j] for j in own) / sum(weight[j] for j in own)
        traits = traits_of(text)
        function = set(ANALYSER.stems(" ".join(ANALYSER._function_words)))
        telling = len(set(terms[i]) - function)
        score = WORDS / 3 * ((words + words_near) / total + words_session / session_total)
        meaning = sum(min(max(m, 0), 1) for m in (cosine[i], meaning_near, meaning_session))
        score += MEANING / 3 * meaning * (IN_CHATS if two_roles else 1)
        score += HINT * (telling / (telling + 10) + 0.5 + (speaker in named))
        score += HINT * bool(traits & wish.traits)
        score += TIME_MATCH * max((time_match(when, named.start, named.end) for named in times), default=0)
        if not any(assistants):
            score += HINT * (Trait.ASKS not in traits)
        score /= 1 + MEANING * (IN_CHATS - 1) if two_roles else 1
        role = 0.5 if two_roles and assistants[i] and not wish.assistant else 1
        if two_roles and wish.advice and Trait.WISHES in traits and not assistants[i]:
            role = WISH_WEIGHT
        bare = Trait.ASKS in traits and telling <= BARE_QUESTION and vectors[i] @ asked >= SAME_QUESTION
        score *= ASKED_WEIGHT if bare and question.rstrip().endswith("?") else role
        scores.append(min(score, 1))
    return scores


@given(TURNS, TEXTS)
@settings(max_examples=60, deadline=None)
def test_every_score_equals_the_formula(turns, question):
    with Memory(":memory:", embedder=EMBEDDER, clock=FakeClock(NOW)) as memory:
        texts = {}
        for text, session, role, speaker, when in turns:
            message = {"content": text, "role": role, "name": speaker, "timestamp": when}
            (result,) = memory.add(message, user_id="u", session_id=session or f"alone {len(texts)}")
            texts[result.id] = len(texts)
        hits = memory.search(question, user_id="u", top_k=100, collapse=False)
    found = {texts[hit.memory.id]: hit.score for hit in hits}
    expected = naive_scores(turns, question)
    assert sorted(found) == list(range(len(turns)))
    np.testing.assert_allclose([found[i] for i in range(len(turns))], expected, atol=2e-3)


@given(TURNS, TEXTS)
@settings(max_examples=30, deadline=None)
def test_terms_add_up_to_the_score_and_signals_stay_between_0_and_1(turns, question):
    with Memory(":memory:", embedder=EMBEDDER) as memory:
        for text, session, role, speaker, when in turns:
            message = {"content": text, "role": role, "name": speaker, "timestamp": when}
            memory.add(message, user_id="u", session_id=session)
        for hit in memory.search(question, user_id="u"):
            assert sum(hit.terms.values()) == pytest.approx(hit.score, abs=1e-5)
            assert 0 <= hit.score <= 1
            assert all(0 <= value <= 1 for value in hit.signals.values()), hit.signals
            assert hit.signals.keys() == hit.terms.keys()


def test_the_weights_add_up_to_one():
    assert sum(WEIGHTS.values()) == pytest.approx(1)


@pytest.mark.parametrize(("words", "times"), [(0, 2), (12, 2), (18, 1.5), (24, 1), (200, 1)])
def test_meaning_weighs_up_to_twice_as_much_for_a_short_question_where_an_assistant_speaks(words, times):
    weights = weights_for(words, chat=True)
    assert sum(weights.values()) == pytest.approx(1)
    for name in ("meaning", "meaning_near", "meaning_session"):
        assert weights[name] / weights["words"] == pytest.approx(times * MEANING / WORDS)


@pytest.mark.parametrize(("words", "times"), [(0, 1), (12, 1), (18, 1.5), (24, 2), (200, 2)])
def test_the_words_of_the_session_weigh_up_to_twice_as_much_in_a_long_question(words, times):
    weights = weights_for(words)
    assert sum(weights.values()) == pytest.approx(1)
    assert weights["words_session"] / weights["words"] == pytest.approx(times)
    assert weights["meaning"] / weights["words"] == pytest.approx(MEANING / WORDS)


def test_a_turn_without_its_subject_is_read_after_the_turn_before():
    with Memory(":memory:", embedder="static") as memory:
        memory.add(
            ["We talked about the wedding in Porto.", "Yes, on the third."], user_id="u", session_id="a"
        )
        memory.add(["We talked about the tax return.", "Yes, on the fourth."], user_id="u", session_id="b")
        hits = memory.search("Is the wedding soon?", user_id="u")
    meaning = {hit.memory.content: hit.signals["meaning"] for hit in hits}
    assert meaning["Yes, on the third."] > meaning["Yes, on the fourth."] + 0.05


def test_what_all_memories_have_in_common_does_not_tell_them_apart():
    wedding = ["The wedding is in Porto.", "The wedding cake is ordered.", "The wedding band cancelled."]
    with Memory(":memory:", embedder="static") as memory:
        memory.add("A dog and a cat are with the guests.", user_id="u", session_id="b")
        memory.add(wedding * 20, user_id="u", session_id="a")
        hits = memory.search("Which animals are at the wedding?", user_id="u", top_k=100)
    meaning = {hit.memory.content: hit.signals["meaning"] for hit in hits}
    assert max(meaning, key=meaning.__getitem__) == "A dog and a cat are with the guests."


def test_a_deleted_memory_has_nothing_in_common_with_the_others():
    with Memory(":memory:", embedder="static") as memory:
        memory.add(["We sail on Sunday.", "The boat is green."], user_id="u")
        before = [hit.score for hit in memory.search("boat", user_id="u")]
        (other,) = memory.add("The boat is sold.", user_id="u", session_id="b")
        memory.search("boat", user_id="u")
        memory.delete(other.id, user_id="u")
        after = [hit.score for hit in memory.search("boat", user_id="u")]
    assert after == pytest.approx(before, abs=1e-6)


CHAT = [
    {"role": "user", "content": "My trip to Rome was long, and the films on the plane were bad."},
    {"role": "user", "content": "Always name the platform when I ask about films."},
    {"role": "user", "content": "I prefer quiet films from Japan."},
    {"role": "assistant", "content": "Always check the reviews of films first."},
]


def lifted(question, messages=CHAT):
    with Memory(":memory:", embedder="static") as memory:
        memory.add(messages, user_id="u", session_id="s")
        hits = memory.search(question, user_id="u", top_k=10)
    return {hit.memory.content for hit in hits if hit.signals["role"] > 1}


def test_wishes_of_the_user_count_more_where_something_new_is_asked_for():
    wishes = {CHAT[1]["content"], CHAT[2]["content"]}
    assert lifted("Which films would you recommend?") == wishes
    assert lifted("Can you help me pick a film?") == wishes


@pytest.mark.parametrize(
    "question",
    ["When did I fly to Rome?", "What did I say about films?", "Summarise what we said about films.",
     "How many films did I see?", "In which order did I bring up these films?"],
)  # fmt: skip
def test_wishes_count_as_other_words_where_it_is_asked_what_was(question):
    assert lifted(question) == set()


def test_where_no_assistant_speaks_wishes_count_as_other_words():
    assert lifted("Which films would you recommend?", CHAT[:3]) == set()


LONG_MESSAGE = (
    "I read through everything you sent, fixed both chapters, printed them, showed them to my sister and my "
    "neighbour, slept badly, drank coffee, walked the dog, tidied the desk and feel ready to start again."
)


def recency(query, sessions):
    with Memory(":memory:", embedder="static") as memory:
        for number, (text, day) in enumerate(sessions):
            message = {"role": "user", "content": text, "timestamp": datetime(2026, 5, day, tzinfo=UTC)}
            memory.add(message, user_id="u", session_id=f"s{number}")
        memory.add("They moved on 30 May", user_id="u", kind="fact")
        hits = memory.search(query, user_id="u", kinds=["message"], collapse=False)
    return {hit.memory.content: hit.signals.get("recent") for hit in hits}


def test_a_long_message_prefers_the_sessions_that_ended_last():
    found = recency(LONG_MESSAGE, [("third", 2), ("last", 9), ("first", 1), ("before", 8)])
    assert found == pytest.approx({"last": 1, "before": 2 ** (-1 / 3), "third": 2 ** (-2 / 3), "first": 0.5})


def test_a_short_question_prefers_no_session_for_its_age():
    assert recency("What came first?", [("first", 1), ("last", 9)]) == {"first": None, "last": None}
