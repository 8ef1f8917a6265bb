# ruff: noqa: RUF001 - Chinese and Japanese end a sentence with full-width marks

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.text.context_type import (
    CONTEXT_TYPES,
    DOCUMENT_WORDS,
    ContextType,
    check_context_type,
    detect_context_type,
)

TEXTS = {
    "query": [
        "Where did I park?",
        "where did I park",
        "What's the name of my sister's dog?",
        "Who told me about the concert?",
        "how many eggs do I need",
        "Did Ada call?",
        "is the shop open on Sunday",
        "You went to Rome, right?",
        "Hi! When is the next train?",
        "Hey Ada, when is the next train?",
        "I moved last year. Which address do you have?",
        "Thanks! And how far is it?",
        "Can you tell me where I parked?",
        "Could you remember what I ordered?",
        "Please tell me what I ordered?",
        "So what did they say?",
        "What would you suggest?",
        "Would Tim enjoy reading books by C. S. Lewis?",
        "Is Dr. Lovelace still there?",
        "What is the board game where you have to find the imposter?",
        "Ada?",
        "Really?!",
        "What do I need to bring?",
        "Do we have to leave early?",
        "Wo habe ich geparkt?",
        "wann kommt der Zug",
        "Wie heißt der Hund meiner Schwester?",
        "Hast du das gelesen?",
        "Où ai-je garé la voiture ?",
        "Pourquoi est-elle partie ?",
        "Est-ce que le magasin est ouvert",
        "Tu as vu mes clés ?",
        "¿Dónde aparqué el coche?",
        "¿Cuándo llega el tren?",
        "cómo se llama tu hermana",
        "¿Has visto mis llaves?",
        "我把车停在哪里了？",
        "你喜欢喝茶吗",
        "为什么她走了",
        "请问火车几点到？",
        "車はどこですか？",
        "أين السيارة؟",
        "Πού είναι το αυτοκίνητο;?",
        "Где моя машина?",
    ],
    "task": [
        "Book a table for two",
        "Please book a table for two.",
        "book me a flight to Rome",
        "Write a summary of yesterday's meeting.",
        "Remind me to call Ada",
        "I need to call Ada tomorrow",
        "We have to finish the report by Friday.",
        "I've got to buy milk.",
        "I want you to translate this letter.",
        "Can you send the invoice?",
        "Hi, could you move the meeting to noon?",
        "I am free on Friday, can you find a date?",
        "TODO: water the plants",
        "todo list for Monday",
        "Don't forget to water the plants",
        "Do not delete the old file",
        "Fix the login bug",
        "ok, now run the tests",
        "Hello! Add eggs to my list.",
        "The door needs to be fixed.",
        "Tell me about Ada",
        "Bitte buche einen Tisch",
        "Ich muss morgen Ada anrufen",
        "Schreibe eine Zusammenfassung",
        "Kannst du mir den Brief übersetzen?",
        "Réserve une table pour deux",
        "Il faut appeler Ada",
        "Envoie la facture s'il te plaît",
        "Reserva una mesa para dos",
        "Tengo que llamar a Ada",
        "Envía la factura por favor",
        "请帮我订一张桌子",
        "提醒我给阿达打电话",
        "翻译这封信",
    ],
    "conversation": [
        "Hi!",
        "Good morning, Ada!",
        "Hello there",
        "Thanks a lot!",
        "Hey, how are you?",
        "What's up?",
        "Wie geht's?",
        "I moved to Berlin last year.",
        "My sister's dog is called Rex. He is three.",
        "What a lovely day!",
        "That sounds great!",
        "Book club was fun yesterday.",
        "If I need to, I walk.",
        "That's what I need to hear.",
        "They always remind me of home.",
        "Stop!",
        "Ok.",
        "\U0001f44d",
        "",
        "   \n",
        "...",
        "42",
        "Guten Tag!",
        "Ich wohne in Berlin.",
        "Bonjour Ada !",
        "J'habite à Lyon.",
        "¡Hola!",
        "Vivo en Madrid.",
        "你好！",
        "我住在北京。",
        "- one dash alone",
    ],
    "document": [
        "# Plan\n\nWe start in May.\n\n## Costs\n\nNone.",
        "- milk\n- eggs\n- tea",
        "1. Open the box\n2. Take it out",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```\nprint(1)\n```",
        "> as he said\n> and wrote",
        "tea and milk " * 70,
        "我住在北京" * 100,
        "# How do I start?\n- Please read this",
        "x" * 30_000,
    ],
    "mixed": [
        "Where is the key? Please open the door.",
        "Book a table. When do we leave?",
        "I moved to Berlin. It rains a lot here. Where can I swim?",
        "I met Ada. She is back from Rome. Remind me to call her.",
        "Wo ist der Schlüssel? Bitte öffne die Tür.",
        "Où est la clé ? Il faut ouvrir la porte.",
        "¿Dónde está la llave? Hay que abrir la puerta.",
        "钥匙在哪里？请开门。",
    ],
}
ROWS = [(text, kind) for kind, texts in TEXTS.items() for text in texts]


def test_the_table_has_every_kind_and_enough_rows():
    assert set(TEXTS) == set(CONTEXT_TYPES) == set(get_args(ContextType))
    assert len(ROWS) >= 80


@table("text, kind", ROWS)
def test_the_kind_of_a_text_is_told_by_its_words(text, kind):
    assert detect_context_type(text).type == kind


@table(
    "text, reason",
    [
        ("Hi! When is it?", 'a question: "When is it?"'),
        ("I need to call Ada", 'a task: "I need to"'),
        ("Hi Ada!", 'conversation: a greeting, "Hi Ada!"'),
        ("I live in Rome.", 'conversation: a statement, "I live in Rome."'),
        ("", "conversation: no words"),
        ("- a\n- b", 'a document: Markdown, such as "- a"'),
        ("word " * 300, "a document: 300 words"),
        ("茶" * 400, "a document: 400 characters"),
        ("z" * 20_001, "a document: 20,001 characters"),
        ("Where is it? Please look.", 'several: the question "Where is it?" and the task "Please"'),
        ("A cat. A dog. Which one?", 'several: the question "Which one?" and 2 statements'),
        ("Why " + "so " * 40 + "much?", 'a question: "Why ' + "so " * 18 + 'so..."'),
    ],
)
def test_the_reason_names_what_decided(text, reason):
    assert detect_context_type(text).reason == reason


def test_a_text_becomes_a_document_at_200_words():
    assert detect_context_type("word " * (DOCUMENT_WORDS - 1)).type == "conversation"
    assert detect_context_type("word " * DOCUMENT_WORDS).type == "document"


@given(st.text())
def test_any_text_has_a_kind_and_one_line_of_reason(text):
    found = detect_context_type(text)
    assert found.type in CONTEXT_TYPES
    assert found.reason
    assert "\n" not in found.reason
    assert found == detect_context_type(text)


@given(st.sampled_from(ROWS), st.sampled_from(["", " ", "\n", "  \n "]), st.sampled_from(["", " ", "\n"]))
def test_blanks_around_a_text_change_nothing(row, before, after):
    text, kind = row
    assert detect_context_type(before + text + after).type == kind


@table("unit", ["hi ", "hi, ", "?", " ", "吗,", "| ", "so ", "please ", "- \n", "#", "a. ", "\t"])
@table("end", ["", "!x", "|", "\0"])
def test_no_repetition_makes_it_slow(unit, end):
    text = unit * (19_000 // len(unit)) + end
    assert detect_context_type(text).type in CONTEXT_TYPES


@pytest.mark.parametrize("text", [None, 3, b"text", ["text"]])
def test_what_is_not_a_text_is_an_error_that_says_so(text):
    with pytest.raises(InvalidInputError, match="must be a text"):
        detect_context_type(text)


@table("kind", CONTEXT_TYPES)
def test_a_given_kind_is_taken_as_it_is(kind):
    assert check_context_type(kind) == kind


@table("kind", ["chat", "Query", "", None, 3, ["query"], "x" * 1_000])
def test_an_unknown_kind_is_an_error_that_lists_the_known(kind):
    with pytest.raises(InvalidInputError, match="query, task, conversation, document, mixed") as caught:
        check_context_type(kind)
    assert len(str(caught.value)) < 250
