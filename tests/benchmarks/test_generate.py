"""The generated texts: the same for the same seed, and shaped as documented."""

from itertools import pairwise

from benchmarks.generate import TURNS_PER_SESSION, questions, sessions, texts


def test_the_same_seed_gives_the_same_texts_and_questions():
    assert texts(100, seed=3) == texts(100, seed=3)
    assert texts(100, seed=3) != texts(100, seed=4)
    said = texts(100, seed=3)
    assert questions(20, about=said, seed=5) == questions(20, about=said, seed=5)


def test_a_shorter_run_is_the_beginning_of_a_longer_one():
    long = list(sessions(70, seed=3))
    assert list(sessions(3, seed=3)) == long[:3]
    assert list(sessions(66, seed=3)) == long[:66]


def test_sessions_have_twenty_turns_by_two_people_in_the_order_of_time():
    before = None
    for session in sessions(5, seed=3):
        assert len(session.messages) == TURNS_PER_SESSION
        assert len({message["name"] for message in session.messages}) == 2
        moments = [message["timestamp"] for message in session.messages]
        assert all(earlier < later for earlier, later in pairwise(moments))
        assert before is None or before < moments[0]
        before = moments[-1]


def test_texts_have_about_twenty_words():
    lengths = [len(text.split()) for text in texts(1_000, seed=3)]
    assert min(lengths) >= 10
    assert max(lengths) <= 30
    assert 18 < sum(lengths) / len(lengths) < 22


def test_every_question_is_new():
    asked = questions(200, about=texts(1_000, seed=3), seed=5)
    assert len(set(asked)) == 200
