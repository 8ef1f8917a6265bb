import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.lifecycle.importance import (
    COURTESY,
    FACTORS,
    KEYWORDS,
    READ_CHARACTERS,
    WEIGHTS,
    calculate_importance,
    centralities,
    importance_level,
)
from recollect.types import Tag

BIRTHDAY = "My sister Ada's birthday is on 5 May and she is allergic to nuts"

shares = st.floats(0, 1)
tags = st.lists(st.builds(Tag, text=st.just("tag"), confidence=shares, approved=st.booleans()), max_size=12)
known = st.fixed_dictionaries(
    {},
    optional={
        "tags": tags,
        "source": st.sampled_from(["markdown", "chat", "assistant", "fax"]),
        "centrality": shares,
        "age_days": st.floats(-1e6, 1e6),
        "telling": st.integers(0, 1_000),
        "keywords": st.sampled_from([None, KEYWORDS["en"], {"hola": COURTESY, "hermana": "people"}]),
    },
)
weights = st.dictionaries(st.sampled_from(FACTORS), st.floats(0, 1e308), min_size=1).filter(
    lambda given: any(given.values())
)


@table(
    "text, level",
    [
        ("Hey! How are you?", "LOW"),
        ("Wow, that sounds great!", "LOW"),
        ("Thanks! Take care, bye!", "LOW"),
        ("\U0001f44d", "LOW"),
        ("", "LOW"),
        (BIRTHDAY, "HIGH"),
        ("I decided to quit my job at the bank last week", "MEDIUM"),
    ],
)
def test_small_talk_is_low_and_what_tells_of_a_person_is_not(text, level):
    assert calculate_importance(text).level == level


@pytest.mark.parametrize("text", ["Hey! How are you?", "Wow, that sounds great!"])
def test_small_talk_stays_low_when_all_is_known_of_it(text):
    found = calculate_importance(text, tags=(), source="chat", centrality=0.8, age_days=0, telling=1)
    assert set(found.factors) == set(FACTORS)
    assert found.level == "LOW"


def test_a_rich_document_can_be_critical():
    sure = [Tag(text=word, approved=True) for word in ("ada", "birthday", "nuts", "allergy", "rome")]
    found = calculate_importance(
        BIRTHDAY, tags=sure, source="notes.md", centrality=0.8, age_days=0, telling=60
    )
    assert found.level == "CRITICAL"


@given(st.text(max_size=80) | st.just(BIRTHDAY), known, weights | st.just(WEIGHTS))
def test_the_score_is_the_sum_of_its_terms_and_all_lie_in_0_to_1(text, given_, weights_):
    found = calculate_importance(text, weights=weights_, **given_)
    assert found.score == pytest.approx(min(1, sum(found.terms.values())))
    assert found.terms.keys() == found.factors.keys() <= set(FACTORS)
    for value in (found.score, *found.factors.values(), *found.terms.values()):
        assert 0 <= value <= 1
    assert all(found.terms[name] <= round(found.factors[name], 4) for name in found.terms)


@given(st.text(max_size=80), known)
def test_the_same_text_has_the_same_importance(text, given_):
    assert calculate_importance(text, **given_) == calculate_importance(text, **given_)


def test_what_is_not_known_is_left_out_and_the_rest_scaled_up():
    found = calculate_importance(BIRTHDAY, telling=12)
    assert found.factors == {"length": 0.5, "keywords": 1.0}
    assert found.terms == {"length": 0.25, "keywords": 0.5}
    assert found.score == 0.75


def test_terms_stand_in_the_order_of_the_factors():
    found = calculate_importance("Hey", age_days=1, centrality=0.5, source="chat", tags=())
    assert tuple(found.terms) == FACTORS


@table(
    "source, worth",
    [
        ("markdown", 1.0),
        ("Markdown", 1.0),
        ("folder/notes.md", 1.0),
        ("report.pdf", 0.8),
        ("text", 0.6),
        ("chat", 0.5),
        ("assistant", 0.0),
    ],
)
def test_a_source_is_a_type_or_the_name_of_a_file(source, worth):
    assert calculate_importance("Hey", source=source).factors["source"] == worth


@pytest.mark.parametrize("source", [None, "", "fax", "archive.tar.gz"])
def test_an_unknown_source_is_no_factor(source):
    assert "source" not in calculate_importance("Hey", source=source).factors


def test_no_tags_found_is_a_zero_and_tags_not_looked_for_are_no_factor():
    assert calculate_importance("Hey", tags=()).factors["tags"] == 0
    assert "tags" not in calculate_importance("Hey").factors


@table(
    "found, quality",
    [
        ([Tag(text="a", confidence=0.5)], 0.1),
        ([Tag(text="a", confidence=0.5, approved=True)], 0.2),
        ([Tag(text="a", confidence=0.6), Tag(text="b", confidence=0.4)], 0.2),
        ([Tag(text=str(i)) for i in range(5)], 1.0),
        ([Tag(text=str(i)) for i in range(50)], 1.0),
    ],
)
def test_more_and_surer_tags_count_more(found, quality):
    assert calculate_importance("Hey", tags=found).factors["tags"] == pytest.approx(quality)


@given(st.integers(0, 500), st.integers(0, 500))
def test_more_telling_words_never_lessen_the_length(one, other):
    less, more = (calculate_importance("x", telling=n).factors["length"] for n in sorted((one, other)))
    assert less <= more < 1


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_what_is_older_is_never_more_recent(one, other):
    newer, older = (
        calculate_importance("x", age_days=days).factors["recency"] for days in sorted((one, other))
    )
    assert older <= newer


@pytest.mark.parametrize(("days", "recency"), [(-1, 1.0), (0, 1.0), (365, 0.5), (730, 0.25)])
def test_recency_halves_in_a_year(days, recency):
    assert calculate_importance("x", age_days=days).factors["recency"] == recency


def test_words_of_courtesy_are_not_telling():
    plain, polite = "the garden party", "hey thanks, the garden party sounds great"
    assert calculate_importance(plain).factors == calculate_importance(polite).factors
    assert calculate_importance(plain, telling=2).factors == calculate_importance(polite, telling=6).factors


def test_names_inside_sentences_and_digits_are_keywords():
    plain = calculate_importance("she met rosa at seven").factors["keywords"]
    assert calculate_importance("she met Rosa at 7").factors["keywords"] == pytest.approx(plain + 0.2)


@pytest.mark.parametrize(
    "text", ["我的妹妹对坚果过敏", "моя сестра не ест:  аллергия на орехи", "\U0001f44d"]
)
def test_english_keywords_say_nothing_of_another_script(text):
    assert "keywords" not in calculate_importance(text).factors


def test_a_language_without_keywords_has_no_such_factor():
    german = "Meine Schwester Ada hat am 5. Mai Geburtstag"
    assert "keywords" not in calculate_importance(german, keywords=KEYWORDS.get("de")).factors


def test_keywords_can_be_given_for_another_language():
    told = calculate_importance("моя сестра", keywords={"сестра": "people", "моя": "self"})
    assert told.factors["keywords"] == pytest.approx(0.4)


def test_only_the_beginning_of_a_long_text_is_read():
    begun = calculate_importance("x " * (READ_CHARACTERS // 2))
    assert calculate_importance("x " * (READ_CHARACTERS // 2) + BIRTHDAY) == begun


def test_weights_can_be_of_any_sum():
    double = {name: 2 * weight for name, weight in WEIGHTS.items()}
    first, second = (calculate_importance(BIRTHDAY, age_days=9, weights=w) for w in (WEIGHTS, double))
    assert first.terms == pytest.approx(second.terms)


def test_a_weight_left_out_weighs_nothing():
    found = calculate_importance(BIRTHDAY, telling=12, weights={"length": 1})
    assert found.terms == {"length": 0.5, "keywords": 0.0}


def test_when_nothing_that_weighs_is_known_the_score_is_0():
    found = calculate_importance(BIRTHDAY, weights={"centrality": 1})
    assert found.score == 0


@table(
    "bad, says",
    [
        ({"lenght": 1.0}, "lenght"),
        ({"length": -1.0}, "length"),
        ({"tags": float("nan")}, "tags"),
        ({"tags": float("inf")}, "tags"),
        ({"length": 0.0}, "above 0"),
        ({}, "above 0"),
    ],
)
def test_weights_that_cannot_be_used_are_an_error_that_says_why(bad, says):
    with pytest.raises(InvalidInputError, match=says):
        calculate_importance("Hey", weights=bad)


def test_an_importance_explains_itself_in_one_line():
    told = calculate_importance(BIRTHDAY, telling=12).explain()
    assert told == "importance 0.750 (HIGH) = keywords +0.500 (factor 1.000), length +0.250 (factor 0.500)"


@given(shares, shares)
def test_levels_rise_with_the_score(one, other):
    levels = ("LOW", "MEDIUM", "HIGH", "CRITICAL")
    less, more = (levels.index(importance_level(score)) for score in sorted((one, other)))
    assert less <= more


@given(
    hnp.arrays(np.int8, 8) | hnp.arrays(np.float32, 8, elements=st.floats(-1, 1, width=32)),
    hnp.arrays(np.int64, 8, elements=st.integers(-(10**6), 10**6)),
)
def test_centrality_lies_in_0_to_1(vector, total):
    assert 0 <= centralities(vector[np.newaxis], total)[0] <= 1


def test_centrality_is_the_cosine_with_the_sum():
    vectors = np.array([[127, 0], [0, 127]], np.int8)
    total = vectors.sum(axis=0, dtype=np.int64)
    asked = np.array([vectors[0], -vectors[0], np.zeros(2)], np.int8)
    assert centralities(asked, total).tolist() == pytest.approx([0.5**0.5, 0, 0])


def test_no_word_has_two_kinds():
    from recollect.lifecycle.importance import _ENGLISH

    words = [word for listed in _ENGLISH.values() for word in listed.split()]
    assert len(words) == len(set(words)) == len(KEYWORDS["en"])


@table(
    "bad, name",
    [
        ({"content": None}, "content"),
        ({"content": 5}, "content"),
        ({"age_days": float("nan")}, "age_days"),
        ({"age_days": "old"}, "age_days"),
        ({"centrality": "x"}, "centrality"),
        ({"centrality": float("nan")}, "centrality"),
        ({"source": 5}, "source"),
        ({"tags": "abc"}, "tags"),
        ({"tags": 5}, "tags"),
        ({"tags": [5]}, "tags"),
    ],
)
def test_what_is_no_measure_is_refused_by_its_name(bad, name):
    with pytest.raises(InvalidInputError, match=name):
        calculate_importance(**{"content": "Hey", **bad})


@table("score", [float("nan"), -1, 2, "0.5", None, True])
def test_a_score_outside_0_to_1_has_no_level(score):
    with pytest.raises(InvalidInputError, match="score"):
        importance_level(score)


@table(
    "text",
    [
        "Meine Schwester Ada hat am 5. Mai Geburtstag",
        "Ma soeur Ada habite \u00e0 Lyon depuis 2019",
        "Mi hermana Ada vive en Sevilla",
        "Moja siostra Ada mieszka w Krakowie",
        "Was ist los",
        "ich war im Garten",
    ],
)
def test_text_in_another_language_is_not_punished_for_having_no_english_keyword(text):
    assert "keywords" not in calculate_importance(text).factors


@table("text", ["I like cats", "the red mug", "I\u2019m fine", "my sister", "Rome trip"])
def test_an_english_word_makes_keywords_known(text):
    assert "keywords" in calculate_importance(text).factors
