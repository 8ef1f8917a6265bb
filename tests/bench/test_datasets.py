"""The loaders, on tiny files of the shapes that the data sets have."""

import json
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from recollect.cli import app
from recollect_bench.datasets import LOADERS
from recollect_bench.left_out import left_out


@pytest.fixture
def written(tmp_path):
    def write(entries, name="data.json"):
        path = tmp_path / name
        path.write_text(json.dumps(entries), encoding="utf-8")
        return path

    return write


LOCOMO = [
    {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_10_date_time": "9:05 am on 2 June, 2023",
            "session_10": [{"speaker": "Ana", "dia_id": "D10:1", "text": "Later."}],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                {"speaker": "Ana", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a photo of a dog"},
                {"speaker": "Ben", "dia_id": "D2:2", "text": "Nice.", "role": None},
            ],
            "session_3_date_time": "2:00 pm on 9 May, 2023",
        },
        "qa": [
            {"question": "When?", "answer": 2022, "evidence": ["D2:1; D10:1", "D2:1"], "category": 2},
            {"question": "What?", "evidence": ["D", "D:2:1", "D99:1"], "category": 5},
            {"question": "Who?", "answer": "Ben", "category": 4},
        ],
    }
]


def test_locomo_sessions_come_in_the_order_of_their_numbers(written):
    (conversation,) = LOADERS["locomo"](written(LOCOMO)).conversations
    assert [turn.id for turn in conversation.turns] == ["D2:1", "D2:2", "D10:1"]
    assert [(name, len(turns)) for name, turns in conversation.sessions()] == [
        ("session_2", 2),
        ("session_10", 1),
    ]


def test_locomo_turns_have_names_times_and_their_images_captions(written):
    first, second, _ = LOADERS["locomo"](written(LOCOMO)).conversations[0].turns
    assert (first.speaker, first.role, first.text) == ("Ana", "user", "Look! a photo of a dog")
    assert (second.role, second.text) == ("user", "Nice.")
    assert first.time == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_locomo_evidence_is_read_from_messy_text_and_unknown_turns_are_dropped(written):
    when, what, who = LOADERS["locomo"](written(LOCOMO)).conversations[0].questions
    assert (when.gold, when.category, when.answer) == (("D2:1", "D10:1"), "temporal", "2022")
    assert (what.gold, what.category, what.answer) == ((), "adversarial", None)
    assert (who.gold, who.answer) == ((), "Ben")


def beam_turn(name, session, *, who, role="user", date=""):
    return {"id": name, "session": session, "who": who, "role": role, "text": "Hi", "date": date}


def test_beam_turns_without_a_date_take_the_date_before(written):
    entry = {
        "turns": [
            {
                "id": "0",
                "session": "1.0",
                "who": "user",
                "role": "user",
                "text": "Hi",
                "date": "March-15-2024",
            },
            {
                "id": "1",
                "session": "1.0",
                "who": "assistant",
                "role": "assistant",
                "text": "Yes?",
                "date": "",
            },
            {"id": "2", "session": "2.0", "who": "Eve", "role": "user", "text": "Bye", "date": "May-02-2024"},
        ],
        "qa": [{"q": "What?", "ev": ["2", 0, "7"], "cat": "ordering", "answer": None}],
    }
    (conversation,) = LOADERS["beam"](written([entry])).conversations
    first, second, third = conversation.turns
    assert first.time == second.time == datetime(2024, 3, 15, tzinfo=UTC)
    assert third.time == datetime(2024, 5, 2, tzinfo=UTC)
    assert (first.speaker, second.role, third.speaker) == (None, "assistant", "Eve")
    assert conversation.questions[0].gold == ("2", "0")
    assert conversation.questions[0].answer is None


def test_longmemeval_questions_have_histories_of_their_own_in_the_order_of_time(written):
    entry = {
        "question_id": "q1",
        "question_type": "multi-session",
        "question": "How many?",
        "answer": 3,
        "haystack_dates": ["2023/05/30 (Tue) 23:40", "2023/05/20 (Sat) 02:21"],
        "haystack_session_ids": ["late", "early"],
        "haystack_sessions": [
            [{"role": "user", "content": "Two.", "has_answer": True}],
            [
                {"role": "user", "content": "One.", "has_answer": False},
                {"role": "assistant", "content": "OK"},
            ],
        ],
        "answer_session_ids": ["late"],
    }
    unanswerable = {**entry, "question_id": "q2_abs"}
    dataset = LOADERS["longmemeval"](written([entry, unanswerable], "longmemeval_s.json"))
    assert dataset.name == "longmemeval_s"
    answered, refused = dataset.conversations
    assert [turn.text for turn in answered.turns] == ["One.", "OK", "Two."]
    assert answered.turns[0].time == datetime(2023, 5, 20, 2, 21, tzinfo=UTC)
    assert answered.questions[0].gold == (answered.turns[2].id,)
    assert answered.questions[0].answer == "3"
    assert refused.questions[0].gold == ()


def test_longmemeval_sessions_of_the_same_name_are_kept_apart(written):
    entry = {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "What?",
        "answer": "tea",
        "haystack_dates": ["2023/05/20 (Sat) 02:21"] * 2,
        "haystack_session_ids": ["same", "same"],
        "haystack_sessions": [[{"role": "user", "content": "tea"}], [{"role": "user", "content": "tea"}]],
        "answer_session_ids": ["same"],
    }
    (conversation,) = LOADERS["longmemeval"](written([entry])).conversations
    assert len({turn.id for turn in conversation.turns}) == 2
    assert len(list(conversation.sessions())) == 2


def test_every_loader_has_a_name_on_the_command_line():
    assert sorted(LOADERS) == ["beam", "locomo", "longmemeval", "realmem"]


def test_corrections_stand_beside_locomos_own_gold(written):
    right = {"correct_evidence": ["D10:1"], "correct_answer": "2021"}
    rows = [{"question_id": "locomo_0_qa0", "question": "When?", **right}]
    (conversation,) = LOADERS["locomo"](written(LOCOMO), written(rows, "errors.json")).conversations
    when, what, _ = conversation.questions
    assert (when.gold, when.corrected, when.corrected_answer) == (("D2:1", "D10:1"), ("D10:1",), "2021")
    assert what.corrected is None


def test_corrections_of_another_file_are_refused(written):
    rows = [
        {"question_id": "locomo_0_qa1", "question": "When?", "correct_evidence": [], "correct_answer": ""}
    ]
    with pytest.raises(ValueError, match="locomo_0_qa1 is another question"):
        LOADERS["locomo"](written(LOCOMO), written(rows, "errors.json"))


def test_a_question_of_realmem_is_asked_before_its_session(written):
    sessions = [
        {"id": name, "date": "2025-12-15", "turns": [{"role": "user", "text": name}]}
        for name in ("one", "two")
    ]
    asked = {"q": "Which?", "asked_before_session": "two", "sessions": ["one", "one"]}
    (conversation,) = LOADERS["realmem"](
        written([{"person": "Ada", "sessions": sessions, "qa": [asked]}])
    ).conversations
    assert conversation.questions[0].gold_sessions == ("one",)
    assert [type(step).__name__ for step in conversation.steps()] == ["Add", "Ask", "Add"]


def test_a_run_of_which_nothing_succeeds_ends_with_exit_code_1(tmp_path):
    file = tmp_path / "locomo10.json"
    file.write_text("[]")
    asked = ["bench", "run", "--systems", "bm25", "--data", f"locomo={file}", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 1
    assert "is another version" in done.output


def test_what_no_figure_counts_is_counted(written):
    said = [("user", "Hi"), ("assistant", " "), ("narrator", "It rains.")]
    turns = [{"role": role, "text": text} for role, text in said]
    session = {"id": "one", "date": "2025-12-15", "turns": turns}
    asked = {"q": "Which?", "asked_before_session": "never", "sessions": ["one", "lost"]}
    entry = {"person": "Ada", "sessions": [session], "qa": [asked, {**asked, "sessions": []}]}
    dataset = LOADERS["realmem"](written([entry]))
    assert dataset.conversations[0].questions[0].gold_sessions == ("one",)
    assert left_out(dataset) == {
        "turns without words, which no system is given": 1,
        "turns of a role that is neither user nor assistant, given as they are": 1,
        "references to evidence that is not there": 1,
        "questions whose gold names no evidence, left out of its figures": 1,
        "questions asked before a session that is not there, which are never asked": 2,
    }


def test_evidence_of_locomo_that_is_no_turn_is_counted(written):
    assert left_out(LOADERS["locomo"](written(LOCOMO))) == {
        "references to evidence that is not there": 3,
        "questions whose gold names no evidence, left out of its figures": 2,
    }
