import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.embedders import open_embedder
from recollect.errors import InvalidInputError, StoreCorruptError, StoreFormatError
from recollect.learning.intents import intents as rules
from recollect.learning.intents.intents import STATE, UNKNOWN, IntentPattern, Intents
from recollect.learning.intents.patterns import read_patterns, write_patterns
from recollect.protocols import StateStore
from recollect.text.analyse import Analyser
from recollect.types import Scope

ADA, BOB = Scope(user_id="ada"), Scope(user_id="bob")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
EMBEDDER, ANALYSER = open_embedder(), Analyser()
TAUGHT = {
    "set_reminder": [
        "remind me to call Ada at six",
        "set an alarm for seven",
        "don't let me forget the bins",
    ],
    "play_music": ["play some jazz", "put on my running playlist", "skip this song"],
    "ask_weather": ["will it rain tomorrow", "what's the weather in Oslo", "do I need an umbrella"],
}


class Notes:
    """A ``StateStore`` in a dictionary that counts its changes."""

    def __init__(self):
        self.kept = {}
        self.changes = 0
        self._lock = threading.Lock()

    def state(self, scope, name):
        return self.kept.get((scope.user_id, name))

    def states(self, scope):
        return {name: text for (user, name), text in self.kept.items() if user == scope.user_id}

    def change_state(self, scope, name, change):
        with self._lock:
            changed = change(self.state(scope, name))
            self.changes += 1
            if changed is None:
                self.kept.pop((scope.user_id, name), None)
            else:
                self.kept[scope.user_id, name] = changed


class Counting:
    """The bundled embedder, noting the texts it embeds."""

    name = EMBEDDER.name

    def __init__(self):
        self.embedded = []

    def embed_documents(self, texts):
        self.embedded += texts
        return EMBEDDER.embed_documents(texts)

    def embed_query(self, text):
        return EMBEDDER.embed_query(text)


def open_intents(store=None, *, scope=ADA, embedder=EMBEDDER, **options):
    minutes, numbers = count(), count(1)
    return Intents(
        store or Notes(),
        scope,
        embedder=embedder,
        analyser=ANALYSER,
        clock=lambda: NOON + timedelta(minutes=next(minutes)),
        new_id=lambda: f"p{next(numbers)}",
        **options,
    )


@pytest.fixture
def store():
    return Notes()


@pytest.fixture
def taught(store):
    intents = open_intents(store)
    for intent, texts in TAUGHT.items():
        for text in texts:
            intents.learn(text, intent)
    return intents


def test_the_fake_store_is_a_state_store(store):
    assert isinstance(store, StateStore)


def test_a_learned_text_is_recognised_again_whatever_its_case_and_endings(taught):
    match = taught.classify("REMINDS me to call ada, at six!")
    assert match.intent == "set_reminder"
    assert match.pattern.text == "remind me to call Ada at six"
    assert match.confidence > 0.5


def test_new_words_are_recognised_by_their_meaning(taught):
    assert next(iter(taught.classify("is it going to snow in Bergen").scores)) == "ask_weather"
    assert next(iter(taught.classify("could you put some jazz on please").scores)) == "play_music"


def test_what_fits_nothing_is_unknown_and_says_its_best_guess(taught):
    match = taught.classify("the cat sat on my tax return")
    assert match.intent == UNKNOWN
    assert match.confidence < rules.THRESHOLD
    assert list(match.scores) == sorted(match.scores, key=match.scores.get, reverse=True)
    assert set(match.scores) == set(TAUGHT)


def test_nothing_learned_is_unknown_without_a_pattern(store):
    match = open_intents(store).classify("play some jazz")
    assert (match.intent, match.confidence, match.pattern, match.scores) == (UNKNOWN, 0.0, None, {})
    assert match.explain() == "unknown (0.00): nothing learned is like these words"


def test_the_threshold_decides_what_is_unknown(taught, store):
    text = "is it going to snow in Bergen"
    assert open_intents(store, threshold=0).classify(text).intent == "ask_weather"
    assert open_intents(store, threshold=1).classify(text).intent == UNKNOWN


SMALL = {
    "set_reminder": ["remind me to call the vet", "remind me about the rent", "set a reminder for tea"],
    "ask_weather": ["will it rain", "how warm is it outside", "what is the weather like"],
}


@pytest.fixture
def barely_taught(store):
    intents = open_intents(store)
    for intent, texts in SMALL.items():
        for text in texts:
            intents.learn(text, intent)
    return intents


@pytest.mark.parametrize("text", ["it is", "is it", "the", "to me", "where is it?", "what is it", "!", ""])
def test_function_words_alone_are_unknown(barely_taught, text):
    match = barely_taught.classify(text)
    assert (match.intent, match.confidence, match.pattern) == (UNKNOWN, 0.0, None)
    assert set(match.scores.values()) == {0.0}


def test_one_example_is_not_like_every_text(store):
    intents = open_intents(store)
    intents.learn("write the weekly report", "report")
    assert intents.classify("the").confidence == 0
    assert intents.classify("write a report").intent == "report"


def test_function_words_that_were_learned_are_known(barely_taught):
    barely_taught.learn("what is it", "ask_again")
    match = barely_taught.classify("What is it?")
    assert (match.intent, match.confidence) == ("ask_again", pytest.approx(2 / 3))
    assert barely_taught.classify("is it what").intent == UNKNOWN


@pytest.mark.parametrize("text", ["what time is it", "what is my name", "how old is it"])
def test_what_shares_only_function_words_is_unknown(barely_taught, text):
    assert barely_taught.classify(text).intent == UNKNOWN


@pytest.mark.parametrize("text", ["will it snow today", "how cold is it"])
def test_what_shares_only_function_words_is_known_when_its_other_words_mean_the_like(barely_taught, text):
    assert barely_taught.classify(text).intent == "ask_weather"


@pytest.mark.parametrize("text", ["write a report", "weekly report", "write the report", "weekly", "report!"])
def test_no_new_words_are_surer_than_the_learned_ones(store, text):
    intents = open_intents(store)
    intents.learn("write the weekly report", "report")
    intents.learn("buy milk", "shopping")
    learned, new = intents.classify("Write the weekly report!"), intents.classify(text)
    assert new.pattern == learned.pattern
    assert new.confidence <= learned.confidence == pytest.approx(2 / 3)
    assert new.scores["report"] <= learned.scores["report"]


def test_a_match_explains_itself_in_one_line(taught):
    told = taught.classify("skip this song").explain()
    assert told.startswith("play_music (0.")
    assert '"skip this song" (play_music, right 1, wrong 0)' in told
    assert "\n" not in told


def test_classifying_writes_nothing(taught, store):
    before = (dict(store.kept), store.changes)
    for text in ("play some jazz", "quite another thing", ""):
        taught.classify(text)
    assert (store.kept, store.changes) == before


def test_the_same_words_and_intent_strengthen_the_known_pattern(store):
    intents = open_intents(store)
    first = intents.learn("Play some jazz", "play_music")
    again = intents.learn("play some jazz!", "play_music")
    assert again.id == first.id
    assert (again.successes, again.usage_count, again.text) == (2, 0, "Play some jazz")
    assert intents.patterns() == [again]


def test_the_same_words_with_another_intent_are_both_kept_and_the_last_learned_counts(store):
    intents = open_intents(store)
    intents.learn("lights out", "sleep")
    intents.learn("lights out", "switch_off")
    assert len(intents.patterns()) == 2
    assert intents.classify("lights out").intent == "switch_off"
    intents.learn("lights out", "sleep")
    assert intents.classify("lights out").intent == "sleep"


def test_what_was_just_learned_is_believed_even_when_everything_like_it_says_otherwise(taught):
    taught.learn("play some jazz now", "wake_up")
    assert taught.classify("play some jazz now").intent == "wake_up"


def test_a_confirmed_classification_strengthens_what_decided_and_learns_the_text(taught):
    taught.feedback("set an alarm for eight", "set_reminder", correct=True)
    decided = next(one for one in taught.patterns() if one.text == "set an alarm for seven")
    assert (decided.successes, decided.failures, decided.usage_count) == (2, 0, 1)
    assert decided.last_used_at > decided.learned_at
    learned = taught.patterns()[-1]
    assert (learned.text, learned.intent) == ("set an alarm for eight", "set_reminder")
    assert (learned.successes, learned.usage_count, learned.last_used_at) == (1, 0, None)


def test_a_confirmed_classification_of_known_words_counts_once(store):
    intents = open_intents(store)
    intents.learn("play some jazz", "play_music")
    intents.feedback("Play some jazz", "play_music", correct=True)
    (pattern,) = intents.patterns()
    assert (pattern.successes, pattern.usage_count) == (2, 1)


def test_a_wrong_classification_weakens_what_decided_and_learns_the_right_intent(taught):
    before = taught.classify("skip this song")
    taught.feedback("skip this song", "play_music", correct=False, actual="next_track")
    (weakened,) = [one for one in taught.patterns("play_music") if one.text == "skip this song"]
    assert (weakened.failures, weakened.confidence) == (1, 0.5)
    assert weakened.usage_count == 0
    after = taught.classify("skip this song")
    assert after.intent == "next_track"
    assert after.scores["play_music"] < before.scores["play_music"]


def test_a_wrong_classification_without_the_right_answer_only_weakens(taught):
    known = len(taught.patterns())
    text = "do I need a coat"
    before = taught.classify(text)
    taught.feedback(text, "ask_weather", correct=False)
    assert len(taught.patterns()) == known
    after = taught.classify(text)
    assert sum(one.failures for one in taught.patterns("ask_weather")) == 1
    assert after.scores["ask_weather"] < before.scores["ask_weather"]


def test_failures_can_unseat_even_a_known_text(store):
    intents = open_intents(store)
    intents.learn("lights out", "sleep")
    for _ in range(5):
        intents.feedback("lights out", "sleep", correct=False)
    assert intents.classify("lights out").intent == UNKNOWN


def test_unknown_in_feedback_weakens_nothing_and_teaches_nothing(taught, store):
    before = taught.patterns()
    taught.feedback("colourless green ideas", UNKNOWN, correct=True)
    assert taught.patterns() == before
    taught.feedback("skip this song", "play_music", correct=False, actual=UNKNOWN)
    assert len(taught.patterns()) == len(before)
    taught.feedback("next track", UNKNOWN, correct=False, actual="play_music")
    assert taught.patterns()[-1].text == "next track"


def test_feedback_on_an_intent_never_learned_teaches_it(store):
    intents = open_intents(store)
    intents.feedback("play some jazz", "play_music", correct=True)
    assert [one.intent for one in intents.patterns()] == ["play_music"]


@pytest.mark.parametrize(("correct", "actual"), [(True, "other"), (False, "play_music")])
def test_feedback_that_contradicts_itself_is_refused(taught, store, correct, actual):
    before = dict(store.kept)
    with pytest.raises(InvalidInputError, match="actual"):
        taught.feedback("skip this song", "play_music", correct=correct, actual=actual)
    assert store.kept == before


@pytest.mark.parametrize("intent", ["", "  ", "two\nlines", "x" * 101, UNKNOWN, None, 7])
def test_what_cannot_be_an_intent_is_refused(store, intent):
    with pytest.raises(InvalidInputError, match="intent"):
        open_intents(store).learn("play some jazz", intent)
    assert store.kept == {}


@pytest.mark.parametrize("text", ["", " \n", None, "half \ud800", "nul \0"])
def test_what_cannot_be_kept_is_not_learned(store, text):
    with pytest.raises(InvalidInputError, match="text"):
        open_intents(store).learn(text, "play_music")
    assert store.kept == {}


def test_only_a_text_can_be_classified(store):
    with pytest.raises(InvalidInputError):
        open_intents(store).classify(None)


def test_a_threshold_outside_0_to_1_is_refused():
    with pytest.raises(InvalidInputError, match="threshold"):
        open_intents(threshold=1.5)


def test_secrets_are_masked_before_anything_is_kept(store):
    intents = open_intents(store)
    intents.learn("log me in, my password is hunter2!", "log_in")
    intents.feedback("sign in, my password is hunter3!", "log_in", correct=True)
    assert "hunter" not in store.state(ADA, STATE)
    assert intents.classify("log me in, my password is other7!").pattern.text.endswith("[password removed]")


def test_at_most_1000_characters_of_a_text_are_kept(store):
    pattern = open_intents(store).learn("word " * 1_000, "talk")
    assert 900 < len(pattern.text) <= 1_000


def test_patterns_are_listed_oldest_first_and_by_intent(taught):
    assert [one.text for one in taught.patterns("play_music")] == TAUGHT["play_music"]
    assert len(taught.patterns()) == 9
    assert taught.patterns("no such intent") == []


def test_an_intent_or_one_pattern_can_be_forgotten(taught, store):
    (first, *_) = taught.patterns("play_music")
    assert taught.forget(first.id) == 1
    assert taught.forget("play_music") == 2
    assert taught.forget("play_music") == 0
    assert "play_music" not in taught.classify("play some jazz").scores
    assert taught.forget("set_reminder") + taught.forget("ask_weather") == 6
    assert store.kept == {}


def test_the_least_useful_pattern_makes_room_for_a_new_one(store, monkeypatch):
    monkeypatch.setattr(rules, "MAX_PATTERNS", 3)
    intents = open_intents(store)
    for text in ("play jazz", "pause it", "skip that"):
        intents.learn(text, "play_music")
    intents.feedback("pause it", "play_music", correct=False)
    intents.learn("louder", "play_music")
    assert [one.text for one in intents.patterns()] == ["play jazz", "skip that", "louder"]
    intents.learn("quieter", "play_music")
    assert [one.text for one in intents.patterns()] == ["skip that", "louder", "quieter"]


def test_a_new_pattern_is_never_the_one_dropped(store, monkeypatch):
    monkeypatch.setattr(rules, "MAX_PATTERNS", 2)
    intents = open_intents(store)
    for text in ("play jazz", "pause it"):
        intents.learn(text, "play_music")
        intents.feedback(text, "play_music", correct=True)
    intents.learn("louder", "play_music")
    assert "louder" in [one.text for one in intents.patterns()]


def test_users_do_not_see_each_others_intents(taught, store):
    bob = open_intents(store, scope=BOB)
    assert bob.patterns() == []
    assert bob.classify("play some jazz").intent == UNKNOWN
    assert bob.forget("play_music") == 0
    assert len(taught.patterns()) == 9


def test_what_another_object_learned_is_seen_at_once(store):
    one, other = open_intents(store), open_intents(store)
    assert one.classify("play some jazz").intent == UNKNOWN
    other.learn("play some jazz", "play_music")
    assert one.classify("play some jazz").intent == "play_music"


def test_a_text_is_embedded_once_and_only_when_something_is_classified(store):
    embedder = Counting()
    intents = open_intents(store, embedder=embedder)
    intents.learn("play some jazz", "play_music")
    assert embedder.embedded == []
    for _ in range(3):
        intents.classify("play it")
    intents.learn("skip this song", "play_music")
    intents.classify("play it")
    assert embedder.embedded == ["play some jazz", "skip this song"]


def test_eight_threads_learning_at_once_lose_nothing(store):
    made = count()
    lock = threading.Lock()

    def new_id():
        with lock:
            return f"p{next(made)}"

    def teach(number):
        intents = Intents(store, ADA, embedder=EMBEDDER, analyser=ANALYSER, new_id=new_id)
        for place in range(6):
            intents.learn(f"task {number} of place {place}", f"intent {number}")
            intents.classify("task")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(teach, range(8)))
    patterns = open_intents(store).patterns()
    assert len(patterns) == len({one.id for one in patterns}) == 48


def test_one_object_may_be_used_by_several_threads(store):
    intents = Intents(store, ADA, embedder=EMBEDDER, analyser=ANALYSER)

    def work(number):
        intents.feedback(f"play song {number}", "play_music", correct=True)
        return intents.classify(f"play song {number}").intent

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(40))) == {"play_music"}
    assert len(intents.patterns()) == 40


GOOD = {
    "id": "1", "text": "play", "intent": "music", "usage_count": 0, "successes": 1, "failures": 0,
    "learned_at": "2026-05-01T12:00:00+00:00", "last_used_at": None,
}  # fmt: skip


@pytest.mark.parametrize(
    "state",
    [
        "", "{", "[]", "null", "7", '"text"', "{}", '{"version": 1}', '{"version": "1", "patterns": []}',
        '{"version": 0, "patterns": []}', '{"version": 1, "patterns": [1]}', "[" * 100_000,
        *(
            json.dumps({"version": 1, "patterns": [{**GOOD, **wrong}]})
            for wrong in (
                {"successes": -1}, {"failures": "0"}, {"usage_count": 1.5}, {"successes": True}, {"id": 1},
                {"text": None}, {"intent": UNKNOWN}, {"intent": "two\nlines"}, {"learned_at": None},
                {"learned_at": "2026-05-01T12:00:00"}, {"last_used_at": "soon"}, {"more": 1},
            )
        ),
    ],
)  # fmt: skip
def test_a_damaged_state_is_reported_and_left_as_it_is(store, state):
    store.kept[ADA.user_id, STATE] = state
    intents = open_intents(store)
    for act in (
        intents.patterns,
        lambda: intents.classify("play"),
        lambda: intents.learn("play", "music"),
        lambda: intents.feedback("play", "music", correct=True),
        lambda: intents.forget("music"),
    ):
        with pytest.raises(StoreCorruptError):
            act()
    assert store.state(ADA, STATE) == state


def test_a_state_of_a_newer_version_is_not_touched(store):
    store.kept[ADA.user_id, STATE] = '{"version": 2}'
    with pytest.raises(StoreFormatError):
        open_intents(store).learn("play", "music")
    assert store.state(ADA, STATE) == '{"version": 2}'


moments = st.datetimes(timezones=st.just(UTC))
names = st.text(st.characters(codec="utf-8", categories=["L", "N"]), min_size=1, max_size=20).filter(
    lambda name: name != UNKNOWN
)
counts = st.integers(0, 10**6)
patterns = st.builds(
    IntentPattern, id=st.text(), text=st.text(), intent=names, usage_count=counts, successes=counts,
    failures=counts, learned_at=moments, last_used_at=st.none() | moments,
)  # fmt: skip


@given(st.lists(patterns, max_size=5))
def test_patterns_survive_being_written_and_read(kept):
    assert read_patterns(write_patterns(kept)) == kept


@given(counts, counts)
def test_a_success_never_lowers_the_confidence_and_a_failure_never_raises_it(successes, failures):
    def confidence(successes, failures):
        return IntentPattern(
            id="1", text="a", intent="b", learned_at=NOON, successes=successes, failures=failures
        ).confidence

    now = confidence(successes, failures)
    assert 0 < now < 1
    assert confidence(successes + 1, failures) >= now >= confidence(successes, failures + 1)


FEW = open_intents()
for number, (sample_intent, sample_texts) in enumerate(TAUGHT.items()):
    FEW.learn(sample_texts[number], sample_intent)
FEW.learn("👍", "agree")


@given(st.text() | st.text("ab \0\n\ud800é界👍'-", max_size=2_000))
def test_any_text_can_be_classified(text):
    match = FEW.classify(text)
    assert 0 <= match.confidence <= 1
    assert all(0 <= score <= 1 for score in match.scores.values())
    assert match.intent in {UNKNOWN, *match.scores}
    assert match.explain()


@given(
    st.lists(st.tuples(st.sampled_from(["play jazz", "stop", "👍", "!?", "the"]), st.booleans()), max_size=8)
)
def test_any_course_of_feedback_leaves_scores_and_confidences_in_bounds(course):
    intents = open_intents()
    for text, correct in course:
        answer = intents.classify(text).intent
        actual = None if correct else ("music" if answer != "music" else "talk")
        intents.feedback(text, answer, correct=correct, actual=actual)
    assert all(0 < one.confidence < 1 for one in intents.patterns())
    assert all(0 <= score <= 1 for score in intents.classify("play").scores.values())
