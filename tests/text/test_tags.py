# ruff: noqa: RUF001 - the letters of other scripts are meant
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.text.analyse import Analyser, hash_term
from recollect.text.tags import Corpus, extract, extract_tags, merge_tags, tag_overlap, vocabulary
from recollect.types import Tag

ENGLISH = Analyser()
ALGORITHMS = ["auto", "tfidf", "rake", "basic"]


def shown(text, *, language="en", **rules):
    analyser = ENGLISH if language == "en" else Analyser(language)
    return [tag.text for tag in extract_tags(text, analyser=analyser, **rules)]


def confidences(text, **rules):
    return {tag.text: tag.confidence for tag in extract_tags(text, analyser=ENGLISH, **rules)}


def corpus(documents, **frequencies):
    by_term = {hash_term(ENGLISH.stems(word)[0]): count for word, count in frequencies.items()}
    return Corpus(documents=documents, frequencies=by_term)


# The scorers


def test_basic_counts_words():
    assert confidences("tea, tea, coffee", algorithm="basic") == {"tea": 0.894, "coffee": 0.447}


def test_basic_ignores_the_corpus():
    rare = corpus(100, tea=90, coffee=1)
    assert confidences("tea and coffee", algorithm="basic", corpus=rare) == {"coffee": 0.707, "tea": 0.707}


def test_tfidf_prefers_words_that_are_rare_in_the_corpus():
    rare = corpus(99, tea=99, coffee=4)
    # idf: tea ln(100/100) + 1 = 1; coffee ln(100/5) + 1 = 3.996
    found = confidences("tea, coffee", algorithm="tfidf", corpus=rare)
    assert found == {"coffee": 0.970, "tea": 0.243}


def test_tfidf_in_an_empty_corpus_is_basic():
    text = "Tea and cakes, tea and scones, tea in the garden"
    assert confidences(text, algorithm="tfidf") == confidences(text, algorithm="basic")


def test_a_corpus_that_counts_more_than_it_holds_gives_the_idf_of_a_word_in_every_text():
    assert Corpus(documents=3, frequencies={1: 50}).idf([1]) == 1.0


def test_a_compound_is_as_rare_as_its_rarest_word():
    assert Corpus(documents=9, frequencies={1: 9, 2: 4}).idf([1, 2]) == pytest.approx(1.693, abs=0.001)


def test_rake_finds_phrases_between_stop_words_and_punctuation():
    text = "She studies quantum computing in Munich; linear algebra, too"
    assert confidences(text, algorithm="rake") == {
        "studies quantum computing": 0.802,
        "linear algebra": 0.535,
        "munich": 0.267,
    }


def test_rake_scores_a_word_by_degree_over_frequency():
    # garden: degree 2 + 1, frequency 2, so 1.5; rose: 2; the phrase weighs sqrt(3.5), the word sqrt(1.5)
    assert confidences("rose garden. The garden", algorithm="rake") == {"rose garden": 0.837, "garden": 0.548}


def test_rake_weighs_words_by_the_corpus():
    rare = corpus(99, tea=99, coffee=4)
    assert confidences("tea, coffee", algorithm="rake", corpus=rare) == {"coffee": 0.970, "tea": 0.243}


def test_a_phrase_has_four_words_at_most_and_a_longer_run_falls_apart():
    assert shown("copper kettle brass lamp", algorithm="rake") == ["copper kettle brass lamp"]
    assert shown("copper kettle brass lamp violin", algorithm="rake") == [
        "brass", "copper", "kettle", "lamp", "violin",
    ]  # fmt: skip


def test_a_short_text_gets_phrases_and_a_long_one_words():
    assert shown("We visited the rose garden") == ["rose garden", "visited"]
    long = "rose garden, violin. " * 30
    assert shown(long) == shown(long, algorithm="tfidf") == ["garden", "rose", "violin"]


# Which words


def test_forms_of_a_word_are_one_tag_in_the_most_frequent_spelling():
    assert confidences("one cat, two cats, more cats", algorithm="basic") == {"cats": 1.0}
    assert confidences("Rose gardens! A rose garden? The rose garden.") == {"rose garden": 1.0}


def test_of_equally_frequent_spellings_the_first_is_shown():
    assert shown("paintings, painting", algorithm="basic") == ["paintings"]


def test_a_possessive_is_a_form_of_its_word():
    assert confidences("Ada's violin. Ada\u2019s cat. Ada!", algorithm="basic")["ada"] == 0.905


@table(
    "text",
    [
        "",
        "   \n\t",
        "the and of it",
        "Don't! You've, I'll, how're",
        "yeah okay thanks, lol gonna hey really great",
        "😀🎉👩‍👩‍👧 ❤️",
        "12 345 3.14 10am 2nd 50k",
        "a b c",
        "*** --- ``` ___ ###",
        "https://example.org/path?q=words www.example.org me@example.org",
        "```python\nprint(answer)\n```",
        "x" * 41,
        "\u200f\u202b\u202c",
        "[api key removed]",
        "\x1b[31m \x1b[1;32m\x1b[0m",
        r"\x1b[31m \033[0m",
        "the new day",
    ],
)
@table("algorithm", ALGORITHMS)
def test_what_says_nothing_has_no_tags(text, algorithm):
    assert extract_tags(text, analyser=ENGLISH, algorithm=algorithm) == ()


def test_years_are_tags_and_other_numbers_are_not():
    assert shown("In 2023 she had 17 cats and 1850 books") == ["2023", "books", "cats"]


def test_a_word_that_means_little_alone_is_a_tag_beside_another():
    assert shown("New York is new") == ["new york"]
    assert shown("new york, new day", algorithm="tfidf") == ["york"]


def test_hyphens_stay_inside_words_and_match_blanks():
    assert shown("self-care -- tea") == ["self-care", "tea"]
    assert confidences("machine-learning; machine learning") == {"machine-learning": 1.0}


def test_tags_are_lower_case_and_in_one_spelling():
    assert shown("ＢＥＲＬＩＮ; Cafe\u0301; STRASSE; \ufb01lm™") == ["berlin", "café", "film", "strasse"]


def test_accents_do_not_tell_tags_apart():
    assert shown("café. cafe. café", algorithm="basic") == ["café"]


def test_markdown_markup_and_code_leave_their_words_only():
    text = "## **Garden** _plan_\n- <b>roses</b>\n```\nself.bed = 3\n```\n| tulips | [map](https://a.org/b) |"
    assert shown(text) == ["garden", "map", "plan", "roses", "tulips"]


def test_only_the_beginning_of_a_long_text_is_read():
    assert shown("tea " * 5_000 + " violin") == ["tea"]


# Bounds and order


def test_tags_come_by_confidence_and_then_by_text():
    tags = extract_tags("violin, tea, garden, tea", analyser=ENGLISH, algorithm="basic")
    assert [(tag.text, tag.confidence) for tag in tags] == [
        ("tea", 0.816),
        ("garden", 0.408),
        ("violin", 0.408),
    ]
    assert not any(tag.approved for tag in tags)


def test_few_tags_of_a_long_text_are_the_first_of_all_its_tags():
    words = [f"word{chr(97 + place % 26)}{chr(97 + place // 26)}x" for place in range(300)]
    text = " ".join(word for place, word in enumerate(words) for _ in range(1 + place % 7))
    every = extract_tags(text, analyser=ENGLISH, max_tags=1_000)
    assert len(every) > 100
    assert [extract_tags(text, analyser=ENGLISH, max_tags=few) for few in (1, 5, 43)] == [
        every[:few] for few in (1, 5, 43)
    ]


def test_a_corpus_works_out_once_how_rare_a_word_is():
    corpus = Corpus(documents=9, frequencies={7: 4})
    one, other = (vocabulary.Word(text, text, (term,), alone=True) for text, term in (("a", 7), ("b", 8)))
    assert corpus.rarities([one, other]) == {one: corpus.idf([7]), other: corpus.idf([8])}
    assert corpus.rarities([one]) is corpus.rarities([other])


def test_max_tags_and_min_confidence_keep_the_best():
    text = "tea, tea, tea, garden, garden, violin"
    assert shown(text, algorithm="basic", max_tags=2) == ["tea", "garden"]
    assert shown(text, algorithm="basic", min_confidence=0.5) == ["tea", "garden"]


@table(
    "rules, words",
    [
        ({"algorithm": "bm25"}, "unknown algorithm 'bm25'; known are auto, tfidf, rake, basic"),
        ({"max_tags": 0}, "max_tags is 0"),
        ({"min_confidence": -0.1}, "min_confidence is -0.1"),
        ({"min_confidence": 1.1}, "min_confidence is 1.1"),
        ({"min_confidence": float("nan")}, "min_confidence is nan"),
        ({"min_confidence": "x"}, "min_confidence is 'x'"),
        ({"min_confidence": None}, "min_confidence is None"),
        ({"max_tags": 1.5}, "max_tags is 1.5"),
        ({"max_tags": "3"}, "max_tags is '3'"),
        ({"max_tags": True}, "max_tags is True"),
        ({"algorithm": None}, "unknown algorithm None"),
        ({"algorithm": ["rake"]}, "unknown algorithm"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(rules, words):
    with pytest.raises(InvalidInputError, match=words):
        extract_tags("tea", analyser=ENGLISH, **rules)


@pytest.mark.parametrize("text", [None, 5, b"x", ["a"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInputError, match="text must be a string"):
        extract_tags(text, analyser=ENGLISH)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_case_of_an_algorithm_does_not_matter(algorithm):
    text = "rose garden. The garden"
    assert confidences(text, algorithm=algorithm.upper()) == confidences(text, algorithm=algorithm)


PIECES = "tea|new|the|Ada's|'s|'ll|2024|-|,|😀|人工智能|的|カメラ|école|שלום|``|```|<b>|a@b.c|\u0301|\n"
TEXTS = st.text(max_size=300) | st.lists(st.sampled_from(PIECES.split("|")), max_size=80).map(" ".join)
CORPORA = st.builds(
    Corpus,
    documents=st.integers(0, 50),
    frequencies=st.dictionaries(
        st.sampled_from([hash_term(word) for word in ("tea", "ada")]), st.integers(0, 99)
    ),
)
ALGORITHM = st.sampled_from(ALGORITHMS)


@given(text=TEXTS, algorithm=ALGORITHM, max_tags=st.integers(1, 12), least=st.floats(0, 1), known=CORPORA)
@settings(max_examples=300, deadline=None)
def test_any_text_gives_few_sorted_tags_with_confidences_in_bounds(text, algorithm, max_tags, least, known):
    tags = extract_tags(
        text,
        analyser=ENGLISH,
        algorithm=algorithm,
        max_tags=max_tags,
        min_confidence=least,
        corpus=known,
    )
    assert len(tags) <= max_tags
    assert all(least <= tag.confidence <= 1 for tag in tags)
    assert list(tags) == sorted(tags, key=lambda tag: (-tag.confidence, tag.text))
    assert len({" ".join(ENGLISH.stems(tag.text)) for tag in tags}) == len(tags)


@given(text=TEXTS, algorithm=ALGORITHM)
@settings(deadline=None)
def test_the_squares_of_all_confidences_sum_up_to_one(text, algorithm):
    tags = extract_tags(text, analyser=ENGLISH, algorithm=algorithm, max_tags=1_000)
    assert not tags or sum(tag.confidence**2 for tag in tags) == pytest.approx(1, abs=0.05)


@given(word=st.text(alphabet="a's\u0301", min_size=1, max_size=2_000))
@settings(deadline=None)
def test_endless_endings_do_no_harm(word):
    extract_tags(word, analyser=ENGLISH)


def test_the_words_remembered_are_bounded(monkeypatch):
    monkeypatch.setattr(vocabulary, "_CACHE_WORDS", 10)
    for number in range(50):
        extract_tags(f"word{'abcdefghij'[number % 10]}x{'klmno'[number // 10]}", analyser=ENGLISH)
        assert len(vocabulary._known_words(ENGLISH.name)) <= 10


# Languages

SAMPLES = {
    "en": ("She was at the library with her sister.", {"library", "sister"}),
    "de": ("Sie war mit ihrer Schwester in der Straße.", {"schwester", "straße"}),
    "fr": ("Elle était à l'école avec sa sœur.", {"école", "sœur"}),
    "es": ("Ella estaba en el jardín con su hermana.", {"jardín", "hermana"}),
    "it": ("Era nell'orto con la sorella.", {"orto", "sorella"}),
    "pt": ("Ela estava no jardim com a sua irmã.", {"jardim", "irmã"}),
    "nl": ("Zij was met haar zus in de tuin.", {"zus", "tuin"}),
    "ru": ("Она была в библиотеке с сестрой.", {"библиотеке", "сестрой"}),
    "sv": ("Hon var i trädgården med sin syster.", {"trädgården", "syster"}),
    "tr": ("İstanbul'da bir bahçe ve bir kedi için.", {"istanbul", "bahçe", "kedi"}),
    "fi": ("Hän oli puutarhassa ja se on kissa.", {"puutarhassa", "kissa"}),
    "da": ("Hun var i haven med sin søster.", {"haven", "søster"}),
    "el": ("Η αδελφή μου και ο κήπος.", {"αδελφή", "κήπος"}),
    "ar": ("هذا الكتاب في المكتبة", {"الكتاب", "المكتبة"}),
}


@table("language", SAMPLES)
def test_function_words_are_no_tags_in_any_language(language):
    text, expected = SAMPLES[language]
    assert set(shown(text, language=language)) == expected


@table(
    "text, expected",
    [
        ("我和朋友去北京大学", {"朋友", "北京大学"}),  # zh: cut at function words, then into fours
        ("因为他们喜欢音乐", {"喜欢音乐"}),
        ("東京でコンピューターを買いました", {"東京", "コンピューター"}),  # ja: kanji and katakana
        ("그리고 김치", {"김치"}),  # ko
        ("הספר של המכללה", {"הספר", "המכללה"}),  # he, from right to left
        ("\u200fהספר\u200f", {"הספר"}),
        ("этот кот и эта собака", {"кот", "собака"}),
        ("मैं पुस्तकालय में", {"पुस्तकालय"}),  # hi: vowel signs belong to the word
        ("I use Python写代码", {"python", "写代码"}),
    ],
)
def test_other_scripts_have_tags_in_an_english_memory(text, expected):
    assert set(shown(text)) == expected


def test_a_single_han_character_that_remains_is_dropped():
    assert shown("猫") == []


# Merging


def tag(text, confidence=1.0, *, approved=False):
    return Tag(text=text, confidence=confidence, approved=approved)


def test_an_approved_tag_wins_over_an_automatic_one_with_the_same_stem():
    approved = tag("Cats", 0.2, approved=True)
    assert merge_tags([tag("cat", 0.9)], [approved], analyser=ENGLISH) == (approved,)


def test_of_two_of_a_kind_the_higher_confidence_wins_and_then_the_earlier_source():
    assert merge_tags([tag("cat", 0.4)], [tag("cats", 0.5)], analyser=ENGLISH) == (tag("cats", 0.5),)
    assert merge_tags([tag("cat", 0.5)], [tag("cats", 0.5)], analyser=ENGLISH) == (tag("cat", 0.5),)


def test_approved_tags_come_first_and_then_the_higher_confidence():
    found = [tag("tea", 0.5), tag("violin", 0.9)]
    mine = [tag("garden", 0.1, approved=True), tag("rain", 0.5)]
    merged = merge_tags(found, mine, analyser=ENGLISH)
    assert [each.text for each in merged] == ["garden", "violin", "tea", "rain"]
    assert merge_tags(found, mine, analyser=ENGLISH, max_tags=2) == merged[:2]


def test_tags_without_a_stem_are_told_apart_by_their_text():
    assert len(merge_tags([tag("🎉"), tag("❤"), tag("🎉")], analyser=ENGLISH)) == 2


def test_merging_nothing_gives_nothing_and_at_least_one_tag_must_be_asked_for():
    assert merge_tags(analyser=ENGLISH) == merge_tags([], [], analyser=ENGLISH) == ()
    with pytest.raises(InvalidInputError, match="max_tags is 0"):
        merge_tags([tag("tea")], analyser=ENGLISH, max_tags=0)


LISTS = st.lists(
    st.builds(
        tag,
        st.sampled_from(
            ["cat", "cats", "tea", "machine learning", "learning", "to do", "🎉", "", "café", "的"]
        ),
        st.floats(0, 1),
        approved=st.booleans(),
    ),
    max_size=8,
)


@given(first=LISTS, second=LISTS)
def test_merging_again_changes_nothing(first, second):
    merged = merge_tags(first, second, analyser=ENGLISH)
    assert merge_tags(merged, analyser=ENGLISH) == merged
    assert merge_tags(merged, first, second, analyser=ENGLISH) == merged
    assert [each.approved for each in merged] == sorted([each.approved for each in merged], reverse=True)
    assert set(merged) <= {*first, *second}


# Overlap


def overlap(query, memory):
    return tag_overlap(query, memory, analyser=ENGLISH)


def test_overlap_is_the_share_of_what_was_asked_that_the_memory_has():
    asked = [tag("tea", 0.6), tag("violin", 0.2)]
    assert overlap(asked, [tag("teas", 0.1), tag("garden")]) == (pytest.approx(0.75), ("teas",))


def test_overlap_looks_from_the_query():
    few, many = [tag("tea")], [tag("tea"), tag("violin"), tag("garden"), tag("rain")]
    assert overlap(few, many) == (1.0, ("tea",))
    assert overlap(many, few) == (0.25, ("tea",))


def test_phrases_match_partly_by_their_stems():
    assert overlap([tag("machine learning")], [tag("learning")]) == (0.5, ("learning",))
    assert overlap([tag("learning")], [tag("machine learning")]) == (1.0, ("machine learning",))
    assert overlap([tag("machine learning")], [tag("Learn"), tag("machines")]) == (1.0, ("Learn", "machines"))


def test_function_words_of_a_tag_match_nothing():
    assert overlap([tag("to do list")], [tag("to buy")]) == (0.0, ())
    assert overlap([tag("the who")], [tag("The Who")]) == (1.0, ("The Who",))


def test_disjoint_and_empty_lists_do_not_overlap():
    assert overlap([tag("tea")], [tag("violin")]) == (0.0, ())
    assert overlap([], [tag("violin")]) == overlap([tag("tea")], []) == overlap([], []) == (0.0, ())


@given(query=LISTS, memory=LISTS)
def test_overlap_lies_in_its_bounds(query, memory):
    share, matching = overlap(query, memory)
    assert 0 <= share <= 1
    assert set(matching) <= {each.text for each in memory}


@given(tags=LISTS.filter(bool))
def test_equal_lists_overlap_fully(tags):
    share, matching = overlap(tags, tags)
    assert share == 1
    assert matching == tuple(each.text for each in tags)


# Texts in another language than their memory's


@table(
    "text, expected",
    [
        ("Der Hund und die Katze schlafen, das ist nicht gut", {"hund", "katze schlafen"}),
        ("Ich war nicht mit dem Rad in der Stadt", {"rad", "stadt"}),
        ("Je suis allé à l'école avec ma sœur", {"allé", "école", "sœur"}),
        ("Hay un gato que no es mío", {"gato"}),
        ("non so che cosa fare con il cane", {"cane"}),
        ("eu não sei o que fazer com o gato", {"gato"}),
        ("nie wiem czy to jest dobre", {"wiem", "dobre"}),
        ("jag är inte säker på det här", {"säker"}),
        ("Ik weet niet of het een fiets is", {"weet", "fiets"}),
        ("nevím jestli to je dobrý nápad", {"nevím", "nápad"}),
    ],
)
def test_words_of_grammar_of_another_language_are_no_tags_in_an_english_memory(text, expected):
    found = set(shown(text))
    assert found == expected


@table(
    "text, expected",
    [
        ("el gato", {"el gato"}),
        ("Los Angeles", {"los angeles"}),
        ("Die Hard and Das Boot are on tonight", {"das boot", "die hard", "tonight"}),
        ("a local organization", {"local organization"}),
        ("man hugging dog", {"hugging dog"}),
        ("a shiny orange car", {"shiny orange car"}),
    ],
)
def test_one_foreign_word_makes_no_text_foreign(text, expected):
    assert set(shown(text)) == expected


def test_english_words_of_grammar_are_no_tags_in_a_german_memory():
    assert set(shown("She was not at the library with them", language="de")) == {"library"}


@pytest.mark.parametrize("documents", [0, 9])
@pytest.mark.parametrize(
    "text",
    [
        "We drove a red car to the old harbour and ate smoked fish",
        "She reads about machine learning with the cats",
        "A follow-up, and then they follow up the plan",
        "the follow up was a follow-up",
        "tea",
        "it is what it was",
    ],
)
def test_words_that_each_stand_once_weigh_what_the_general_rule_says(text, documents, monkeypatch):
    known = corpus(documents, car=4, learn=2, tea=9)
    at_once = extract_tags(text, analyser=ENGLISH, algorithm="rake", corpus=known)
    monkeypatch.setattr(extract, "_rake_of_once", lambda *_: None)
    assert at_once == extract_tags(text, analyser=ENGLISH, algorithm="rake", corpus=known)
