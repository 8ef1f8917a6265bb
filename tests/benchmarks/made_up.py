"""A small data set that nobody said, and where a result was not made, for the benchmarks' tests."""

from datetime import UTC, datetime

from recollect_bench.datasets import Conversation, Dataset, Question, Turn

MADE = {
    "date": "2026-01-02",
    "commit": "abc1234",
    "uncommitted_changes": False,
    "python": "3.11.0",
    "packages": {"recollect": "0.1.0", "bm25s": None},
    "system": "Linux x86_64",
    "cores": 2,
    "load_average": 0.1,
}

SUBSTANCE = (
    "My sister Ada was born in Lisbon in 1990 and works as a doctor, she is allergic to nuts.",
    "We booked a trip to Norway on 3 May 2024 with my cousin Ben and his two dogs.",
    "I promised to send the urgent report to Carla by Friday, it is 40 pages long.",
)
SMALL_TALK = ("Hey, how are you?", "Wow, that is so cool!", "Thanks, good luck!", "Oh nice, really?")


def turn(place: int, text: str, *, role: str = "user") -> Turn:
    return Turn(
        id=f"t{place}",
        session=f"s{place // 10}",
        speaker="Eve" if place % 2 else "Dan",
        role=role,
        text=text,
        time=datetime(2024, 5, 1, 10, place, tzinfo=UTC),
    )


def asked(text: str, *gold: str, category: str = "plain") -> Question:
    return Question(text=text, gold=gold, category=category, answer=None)


def dataset(*, assistant: bool = False) -> Dataset:
    """A conversation of 28 turns: every seventh has substance, and a question about it."""
    texts = [SUBSTANCE[i // 7 % 3] if i % 7 == 0 else SMALL_TALK[i % 4] for i in range(28)]
    turns = tuple(
        turn(place, text, role="assistant" if assistant and place % 2 else "user")
        for place, text in enumerate(texts)
    )
    questions = (
        asked("Where was Ada born?", "t0", "t21"),
        asked("What was booked in May 2024?", "t7", category="dated"),
        asked("Who gets the report?", "t14"),
        asked("Who is the mayor?"),
    )
    conversation = Conversation(id="c1", turns=turns, questions=questions)
    return Dataset(name="beam" if assistant else "made-up", conversations=(conversation,))
