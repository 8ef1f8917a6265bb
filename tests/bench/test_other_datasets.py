"""The loaders of data sets that are not tried here, on tiny files of the shapes their sources describe."""

import json
from datetime import UTC, datetime

import pytest

from recollect_bench.catalogue import find_data

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
