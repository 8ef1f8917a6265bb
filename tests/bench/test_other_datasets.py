"""The loaders of data sets that are not tried here, on tiny files of the shapes their sources describe."""

import json
from datetime import UTC, datetime

import pytest

from recollect_bench.catalogue import find_data
from recollect_bench.errors import DatasetError
from recollect_bench.left_out import left_out

REALTALK = {
    "name": {"speaker_1": "Ana", "speaker_2": "Ben"},
    "session_10": [
        {"clean_text": "Late.", "speaker": "Ben", "date_time": "02.01.2024, 09:05:00", "dia_id": "D10:1"}
    ],
    "session_2": [
        {"clean_text": "Look!", "speaker": "Ana", "date_time": "29.12.2023, 20:15:30", "dia_id": "D2:1"}
    ],
    "session_2_date_time": "29.12.2023, 20:15:30",
    "qa": [{"question": "When?", "answer": "In May", "evidence": ["D2:1", "D9:9"], "category": 2}],
}
SAID = {
    "messages": [{"speaker": "User", "text": "I have 3 kids"}, {"speaker": "Assistant", "text": "Lovely"}]
}
ITEM = {
    "question": "How many kids?",
    "answer": "3",
    "message_evidences": [{"speaker": "User", "text": "I have 3 kids"}],
    "category": "family",
}
MEMDAILY = {
    "simple": {
        "roles": [
            {
                "tid": 0,
                "message_list": [{"mid": 0, "message": "My aunt is 50"}, "She likes tea"],
                "QA": {"question": "What does she like?", "answer": "tea", "target_step_id": [1]},
            }
        ]
    }
}
PREFEVAL = [
    {"preference": "I dislike nuts", "question": "Cake?", "explanation": "", "topic": "food"},
    {"preference": "No planes", "question": "Trip?", "explanation": "", "topic": "travel"},
    {"preference": "I love tea", "question": "Drink?", "explanation": "", "topic": "food"},
]

LOCOMO = [
    {
        "sample_id": f"conv-{number}",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ana", "dia_id": "D1:1", "text": "Hi"},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Hello"},
            ],
            "session_2_date_time": "2:00 pm on 30 June, 2023",
            "session_2": [{"speaker": "Ana", "dia_id": "D2:1", "text": "Bye"}],
        },
        "qa": [{"question": "When?", "answer": "May", "evidence": ["D1:1"], "category": 2}],
    }
    for number in range(2)
]
PLUS = [
    {
        "relation_type": "causal",
        "cue_dialogue": f"A: I gave up coffee {number}\nB: Good for you",
        "trigger_query": f"A: I slept so well {number}",
        "time_gap": "about three weeks later",
    }
    for number in range(3)
]
NOTES = [
    {
        "id": 5,
        "timestamp": "1969-08-15 14:01:20",
        "location": "the bus",
        "action": "We leave.",
        "dialogue": None,
        "Environment": "Rain.",
        "Mind": "At last.",
    },
    {"id": 35, "timestamp": "1969-08-15 14:10:00", "location": "home", "inner_thought": "Red!"},
]
ASKED = [{"id": 1, "question": "How long did the bus take?"}, {"id": 2, "question": "Why?"}]
ANSWERED = [
    {"id": 2, "answer": "Nobody knows", "evidence": []},
    {"id": 1, "answer": "8 minutes 40 seconds", "evidence": [5, 35, 99]},
]


@pytest.fixture
def loaded(tmp_path):
    def load(name, *contents):
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / f"{name}{number}.json"
            path.write_text(json.dumps(content))
            paths.append(str(path))
        return find_data(f"{name}={','.join(paths)}").load()

    return load


def test_a_chat_of_realtalk_has_its_sessions_in_order_and_a_time_for_each_message(loaded):
    first, second = loaded("realtalk", REALTALK, REALTALK).conversations
    assert [turn.id for turn in first.turns] == ["D2:1", "D10:1"]
    assert first.turns[0].time == datetime(2023, 12, 29, 20, 15, 30, tzinfo=UTC)
    (asked,) = first.questions
    assert (asked.gold, asked.category, asked.answer) == (("D2:1",), "date", "In May")
    assert first.id != second.id


@pytest.mark.parametrize(
    "content",
    [
        [{"evidenceItems": [ITEM], "conversations": [{"messages": []}, SAID]}],
        {"evidence_items": [{**ITEM, "conversations": [{"messages": []}, SAID]}]},
    ],
    ids=["test cases", "evidence"],
)
def test_the_gold_of_convomem_is_the_turn_with_the_words_of_the_evidence(loaded, content):
    (conversation,) = loaded("convomem", content).conversations
    (asked,) = conversation.questions
    assert (asked.gold, asked.category) == (("1/0",), "family")
    assert [turn.role for turn in conversation.turns] == ["user", "assistant"]


def test_the_gold_of_memdaily_is_the_place_of_a_message(loaded):
    (conversation,) = loaded("memsim", MEMDAILY).conversations
    assert [turn.text for turn in conversation.turns] == ["My aunt is 50", "She likes tea"]
    assert (conversation.questions[0].gold, conversation.questions[0].category) == (("1",), "simple")


def test_the_preferences_of_a_topic_are_one_persons(loaded):
    food, travel = loaded("prefeval", PREFEVAL).conversations
    assert [(asked.text, asked.gold) for asked in food.questions] == [("Cake?", ("0",)), ("Drink?", ("1",))]
    assert (travel.id, len(travel.turns)) == ("travel", 1)


def test_a_cue_of_locomo_plus_is_a_session_so_long_before_the_end(loaded):
    first, second = loaded("locomo-plus", PLUS, LOCOMO).conversations
    assert [turn.id for turn in first.turns] == [
        "D1:1", "D1:2", "plus_0:1", "plus_0:2", "plus_2:1", "plus_2:2", "D2:1",
    ]  # fmt: skip
    cue = first.turns[2]
    assert (cue.speaker, cue.text) == ("Ana", "I gave up coffee 0")
    assert first.turns[3].speaker == "Ben"
    assert cue.time == datetime(2023, 6, 16, 14, 0, tzinfo=UTC)
    assert [(asked.text, asked.gold, asked.category) for asked in second.questions] == [
        ("I slept so well 1", ("plus_1:1", "plus_1:2"), "causal")
    ]


def test_locomo_plus_needs_locomos_conversations(tmp_path):
    path = tmp_path / "locomo_plus.json"
    path.write_text(json.dumps(PLUS))
    with pytest.raises(DatasetError, match=r"not in the shape of locomo_plus.json,locomo10.json"):
        find_data(f"locomo-plus={path}").load()


def test_the_notes_of_knowme_bench_hold_whatever_was_done_seen_and_thought(loaded):
    (person,) = loaded("knowme-bench", NOTES, ASKED, ANSWERED).conversations
    assert [turn.text for turn in person.turns] == ["the bus We leave. Rain. At last.", "home Red!"]
    assert person.turns[0].time == datetime(1969, 8, 15, 14, 1, 20, tzinfo=UTC)
    (asked,) = person.questions
    assert (asked.text, asked.gold, asked.answer) == (
        "How long did the bus take?", ("5", "35"), "8 minutes 40 seconds",
    )  # fmt: skip


def test_questions_of_knowme_bench_without_answers_are_refused(tmp_path):
    for name, content in (("notes", NOTES), ("asked", ASKED)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    with pytest.raises(DatasetError, match="needs its file of answers"):
        find_data(f"knowme-bench={tmp_path / 'notes.json'},{tmp_path / 'asked.json'}").load()


NOT_THERE = "references to evidence that is not there"
IDLE = "questions whose gold names no evidence, left out of its figures"


def test_what_loaders_take_no_notice_of_is_counted(loaded):
    assert left_out(loaded("realtalk", REALTALK)) == {NOT_THERE: 1}
    items = [{**ITEM, "message_evidences": [{"text": "Never said"}]}]
    convomem = loaded("convomem", [{"evidenceItems": items, "conversations": [SAID]}])
    assert left_out(convomem) == {NOT_THERE: 1, IDLE: 1}
    assert left_out(loaded("knowme-bench", NOTES, ASKED, ANSWERED)) == {
        "questions whose answers name no notes": 1, NOT_THERE: 1,
    }  # fmt: skip
    mumbled = [{**PLUS[0], "cue_dialogue": "(A phone rings)\nA: I gave up coffee"}]
    assert left_out(loaded("locomo-plus", mumbled, LOCOMO)) == {
        "questions of LoCoMo's own": 2, "lines of a cue or trigger that name no speaker": 1,
    }  # fmt: skip


def test_evidence_beyond_the_last_message_of_memdaily_is_counted_and_fails_nothing(loaded):
    (told,) = MEMDAILY["simple"]["roles"]
    beyond = {"simple": {"roles": [{**told, "QA": {**told["QA"], "target_step_id": [1, 7]}}]}}
    dataset = loaded("memsim", beyond)
    assert dataset.conversations[0].questions[0].gold == ("1",)
    assert left_out(dataset) == {NOT_THERE: 1}
