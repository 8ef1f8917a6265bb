"""The benchmark of intents, on few utterances and few splits."""

import json

import pytest
from benchmarks.intents import DATA, Utterances, halves, load_utterances, run_intents

SAID = {
    "set_reminder": "remind me to {} the {}",
    "ask_weather": "will it rain {} at the {}",
    "play_music": "play songs about {} and the {}",
}
VERBS = ("water", "paint", "clean", "fetch", "sell", "mend")
THINGS = ("roses", "fence", "car", "boat", "shed")


def made_up():
    texts = {i: [said.format(v, t) for v in VERBS for t in THINGS] for i, said in SAID.items()}
    return Utterances(intents=texts, out_of_scope=[f"zebras are number {n}" for n in range(6)])


@pytest.fixture(scope="module")
def result():
    small = {"SPLITS": 2, "STREAMS": 1, "TESTED": 3, "STREAM": 12, "JUDGED": 6, "EXAMPLES": (1, 3)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in small.items():
            patch.setattr(f"benchmarks.intents.{name}", value)
        patch.setattr("benchmarks.intents.load_utterances", made_up)
        return run_intents()


def test_the_halves_share_no_utterance_and_lose_none():
    whole = made_up()
    one, other = halves(whole)
    for intent, texts in whole.intents.items():
        assert sorted([*one.intents[intent], *other.intents[intent]]) == sorted(texts)
    assert not {text for text, _ in one.labelled()} & {text for text, _ in other.labelled()}


def test_intents_as_different_as_these_are_told_apart(result):
    assert result["counts"] == {"intents": 3, "utterances": 90, "out_of_scope": 6}
    assert list(result["results"]) == ["1", "3"]
    assert result["results"]["3"]["recollect"]["best_guess"]["mean"] > 0.9


def test_every_baseline_is_measured_on_the_same_splits(result):
    for found in result["results"].values():
        assert set(found) == {"recollect", "words only", "meaning only", "nearest neighbour", "best three"}


def test_what_is_not_answered_is_unknown(result):
    found = result["results"]["3"]["recollect"]
    assert found["coverage"]["mean"] + found["unknown"]["mean"] == pytest.approx(1, abs=0.002)


def test_feedback_is_told_by_thirds_and_mislabelled_examples_are_tried(result):
    assert {"best_guess_1", "best_guess_3", "accuracy_2"} <= set(result["feedback"]["with feedback"])
    assert set(result["mislabelled"]) == {"as it is", "right ones learned", "feedback"}


def test_the_utterances_are_all_different():
    labelled = load_utterances().labelled()
    assert len({text for text, _ in labelled}) == len(labelled)
    assert json.loads(DATA.read_text(encoding="utf-8"))["about"]
