"""Traps, agreement and prompts, each alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import ModelAnswerError
from recollect_bench.judged.agreement import cohen_kappa, krippendorff_alpha
from recollect_bench.judged.cases import Case
from recollect_bench.judged.handmade import hand_made
from recollect_bench.judged.traps import MOST, traps_for
from recollect_bench.metrics import answer_words
from recollect_bench.prompts.answer import ANSWER
from recollect_bench.prompts.verdict import VERDICT


def case(question, gold, conversation="one"):
    return Case(conversation=conversation, question=question, gold=gold, prompts={})


CASES = [
    case("When did Ada move?", "in May 2023"),
    case("When is the fair?", "on 3 June"),
    case("Does Ada smoke?", "No, she stopped"),
    case("Who is Kiki?", "a parrot"),
    case("Where is Otto?", "in the garden shed"),
    case("Where is Lotte?", "on the meadow"),
    case("How many pets has Bo?", "three", "two"),
]


def test_a_wrong_trap_is_the_opposite_another_date_or_another_questions_gold():
    wrong = {one.question: one.answer for one in traps_for(CASES) if one.kind == "wrong"}
    golds = {one.gold for one in CASES}
    assert wrong["When did Ada move?"] == "in May 2022"
    assert wrong["When is the fair?"] == "on 3 September"
    assert wrong["Does Ada smoke?"] == "Yes."
    assert wrong["Where is Otto?"] == "on the meadow"  # the question that is most like it
    assert wrong["Who is Kiki?"] in golds - {"a parrot", "three"}
    assert "How many pets has Bo?" not in wrong  # nothing else was asked about it


def test_vague_traps_fit_what_is_asked_for_and_hold_no_gold():
    traps = traps_for([*CASES, case("When was it?", "sometime last year")])
    vague = {one.question: one.answer for one in traps if one.kind == "vague"}
    assert len(vague) == len(CASES) + 1
    assert vague["Who is Kiki?"] in {
        "A close friend.",
        "Someone they know well.",
        "A person who matters to them.",
    }
    assert vague["Does Ada smoke?"] in {
        "It depends on how one looks at it.",
        "In a way.",
        "There are signs of both.",
    }
    assert all(not answer_words(one.gold) <= answer_words(one.answer) for one in traps)


def test_traps_are_the_same_every_time_and_not_too_many():
    many = [case(f"Who is number {number}?", f"gold {number}") for number in range(200)]
    assert traps_for(many) == traps_for(many)
    assert len(traps_for(many)) == 2 * MOST


def test_kappa_is_what_was_computed_by_hand():
    # 50 items: both yes 20, first alone 5, second alone 10, both no 15. (0.7 - 0.5) / (1 - 0.5)
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)
    assert cohen_kappa(["yes", "no"], ["no", "yes"]) == -1
    assert cohen_kappa(["yes"], ["yes"]) is None
    assert cohen_kappa([], []) is None


def test_alpha_is_that_of_krippendorffs_own_example():
    # Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section D, nominal: 0.743
    rows = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    units = [[row[place] for row in rows if row[place] != "."] for place in range(12)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=0.0005)


def test_alpha_of_judges_that_always_say_the_same_cannot_be_told():
    assert krippendorff_alpha([["right", "right"], ["right", "right"]]) is None
    assert krippendorff_alpha([["right"], []]) is None
    assert krippendorff_alpha([["right", "right"], ["wrong", "wrong"]]) == 1


@given(st.lists(st.lists(st.sampled_from(["right", "wrong"]), max_size=4), max_size=12))
def test_alpha_is_one_at_most_and_does_not_ask_who_said_what(units):
    alpha = krippendorff_alpha(units)
    swapped = {"right": "wrong", "wrong": "right"}
    again = krippendorff_alpha([[swapped[one] for one in reversed(unit)] for unit in reversed(units)])
    assert alpha is again is None or (alpha <= 1 and again == pytest.approx(alpha))


def test_a_change_of_a_prompts_words_raises_its_version():
    assert {one.id: one.digest for one in (ANSWER, VERDICT)} == {
        "bench-answer/1": "b9a7ee16180e",
        "bench-verdict/1": "54df885aaaf2",
    }


def test_verdicts_made_by_hand_are_two_hundred_and_differ():
    lines = hand_made()
    assert len({(one.question, one.answer) for one in lines}) == len(lines) == 200
    assert {one.verdict for one in lines} == {"right", "wrong"}
    assert len({one.kind for one in lines}) > 15
    assert all(one.why and one.gold for one in lines)


@pytest.mark.parametrize("said", ["", "right", '{"verdict": "Right."}', '{"verdict": null}', "[1]", "7"])
def test_a_verdict_is_right_or_wrong_and_nothing_else(said):
    with pytest.raises(ModelAnswerError):
        VERDICT.read(said)


def test_a_verdict_is_read_behind_thoughts_and_in_fences():
    said = '<think>It says {"verdict": "right"}.</think>```json\n{"reason": "no", "verdict": "wrong"}\n```'
    assert VERDICT.read(said) == "wrong"
