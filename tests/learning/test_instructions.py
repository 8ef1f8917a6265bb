"""Standing instructions: what is learned, what replaces or revokes it, and what was meant for one answer."""

from datetime import UTC, datetime

import pytest
from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import ASKED, Turn
from recollect.presets.recall import RecallSystem
from recollect.testing import FakeClock

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)


def facts(text, **turn):
    return extract_facts([Turn(text=text, happened_at=NOON, **turn)])


def instructions(text, **turn):
    return [one.text for one in facts(text, **turn) if one.category == "instruction"]


@table(
    "text, learned",
    [
        ("Please always answer in German.", "User wants answers in German."),
        ("From now on, please reply in French.", "User wants answers in French."),
        ("Can you always answer in German?", "User wants answers in German."),
        ("Speak Spanish with me", "User wants answers in Spanish."),
        ("keep answers short", "User wants answers to be short."),
        ("I prefer short answers.", "User wants answers to be short."),
        ("from now on use metric", "User wants metric units."),
        ("Use Celsius from now on", "User wants temperatures in Celsius."),
        ("Never suggest pork", "User asks never to suggest pork."),
        ("please don't suggest meat dishes any more", "User asks never to suggest meat dishes."),
        ("don't ever mention my ex", "User asks never to mention their ex."),
        ("Stop using emojis", "User asks never to use emojis."),
        ("No more emojis please", "User asks never to use emojis."),
        ("Always cite your sources", "User asks always to cite sources."),
        ("I'd like you to always be honest with me", "User asks always to be honest."),
        ("call me Bo", "User wants to be called Bo."),
        ("Don't call me Robert", "User asks not to be called Robert."),
        (
            "Always include time zones when I ask about my meetings",
            "User asks always to include time zones when they ask about their meetings.",
        ),
        (
            'Always format dates as "Month Day, Year"',
            'User asks always to format dates as "Month Day, Year".',
        ),
        ("Always run make lint first.", "User asks always to run make lint first."),
        ("Never commit to main directly.", "User asks never to commit to main directly."),
        ("Don't ever edit the generated files.", "User asks never to edit the generated files."),
        ("Never mock the database in tests.", "User asks never to mock the database in tests."),
        ("Remember that my car is on level 4", "User's car is on level 4."),
        ("Remember that I parked on level 4", "User parked on level 4."),
        (
            "Please remember the spare key is under the pot",
            "User asked to remember: the spare key is under the pot.",
        ),
    ],
)
def test_a_standing_instruction_is_learned_in_plain_words(text, learned):
    assert instructions(text) == [learned]
    assert {one.subject for one in facts(text)} == {"User"}


@table(
    "text, learned",
    [
        ("Bitte antworte mir immer auf Deutsch", "User wants answers in German."),
        ("Halte deine Antworten kurz.", "User wants answers to be kurz."),
        ("Schlag mir nie Schweinefleisch vor.", "User asks never to suggest Schweinefleisch."),
        ("Nenn mich Bo", "User wants to be called Bo."),
        (
            "Merk dir, dass mein Auto auf Ebene 4 steht.",
            "User asked to remember: mein Auto auf Ebene 4 steht.",
        ),
        ("Réponds toujours en français", "User wants answers in French."),
        ("Ne propose jamais de porc", "User asks never to suggest porc."),
        ("Responde siempre en español", "User wants answers in Spanish."),
        ("Llámame Bo", "User wants to be called Bo."),
        ("Me chame de Bo", "User wants to be called Bo."),
        ("Svara alltid på svenska.", "User wants answers in Swedish."),
        ("Föreslå aldrig fläsk", "User asks never to suggest fläsk."),
    ],
)
def test_plain_instructions_in_other_languages_are_learned(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "please answer in two lines",
        "Answer in German",
        "Write the letter in French",
        "tell me a joke",
        "remember to breathe lol",
        "Always remember to smile",
        "Never give up!",
        "Never mind",
        "Always be there for me",
        "From now on you are a pirate",
        "Do you always answer in German?",
        "I never suggest pork to guests",
        "Don't ask again",
        "can you send me the list again",
        "Can you remind me of the settings again?",
        "Just remember I love you",
        "Remember that staying positive is very important",
        "Call me back tomorrow",
        "The response must be short",
        'He said "always answer in German"',
        "Kannst du auf Deutsch antworten?",
    ],
)
def test_what_is_asked_for_one_answer_or_of_nobody_is_no_instruction(text):
    assert instructions(text) == []


def test_the_assistant_gives_no_instructions():
    assert instructions("Please always answer in German.", role="assistant") == []


def test_what_shall_be_remembered_and_is_a_fact_of_another_kind_stays_one():
    (fact,) = facts("Remember that I'm allergic to nuts")
    assert (fact.category, fact.confidence) == ("context", ASKED)


@pytest.fixture
def memory():
    with Memory(":memory:", embedder="hashing", clock=FakeClock(NOON)) as made:
        yield made


def held(memory, *said):
    for day, text in enumerate(said, start=1):
        session = f"day {day}"
        memory.add(text, user_id="ada", session_id=session, timestamp=f"2026-10-{day:02}")
        memory.sessions.end(session, user_id="ada")
        memory.jobs.drain()
    profile = memory.profile(user_id="ada")
    return [one.memory.content for one in profile.facts.get("instruction", ())]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (
            ("Please always answer in German.", "You can answer in English again."),
            ["User wants answers in English."],
        ),
        (
            ("Keep your answers short.", "From now on give me detailed answers."),
            ["User wants answers to be detailed."],
        ),
        (("Call me Bo.", "Call me Robert."), ["User wants to be called Robert."]),
        (
            ("Remember that my car is on level 4.", "Remember that my car is on level 2."),
            ["User's car is on level 2."],
        ),
    ],
)
def test_a_later_instruction_takes_the_place_of_an_earlier_one(memory, said, left):
    assert held(memory, *said) == left


@table(
    "said, taken_back",
    [
        ("Never suggest pork.", "You can suggest pork again."),
        ("Never suggest pork.", "You can suggest pork now."),
        ("Don't tell my sister about the party.", "You can tell my sister about the party now."),
        (
            "When I'm in the van, keep your answers to two sentences.",
            "You can forget the thing about the two sentences in the van",
        ),
    ],
)
def test_an_instruction_that_is_taken_back_ends(memory, said, taken_back):
    (asked,) = instructions(said)
    assert asked not in held(memory, said, taken_back)


def test_what_may_be_done_now_says_nothing_where_it_was_never_forbidden():
    assert all(fact.only_ends for fact in facts("You can tell me the answer now."))


def test_instructions_of_several_kinds_stand_beside_each_other(memory):
    left = held(memory, "Please always answer in German.", "Keep your answers short.", "Never suggest pork.")
    assert len(left) == 3


def test_recall_keeps_an_instruction_as_a_preference():
    with RecallSystem(":memory:", clock=FakeClock(NOON)) as system:
        (decision,) = system.remember("Please always answer in German.", "ada")
        (entry,) = system.semantic_memories("ada")
    assert decision.admission == "stored"
    assert (entry.content, entry.category) == ("User wants answers in German.", "PREFERENCE")


@table(
    "text, learned",
    [
        (
            "call me Tom and keep answers under three sentences",
            {"User wants to be called Tom.", "User wants answers to be under three sentences."},
        ),
        (
            "Call me Tom and please keep your answers short",
            {"User wants to be called Tom.", "User wants answers to be short."},
        ),
        (
            "Answer in Dutch from now on and call me Kees",
            {"User wants answers in Dutch.", "User wants to be called Kees."},
        ),
        (
            "From now on call me Bo, and never use emojis",
            {"User wants to be called Bo.", "User asks never to use emojis."},
        ),
        (
            "from now on, please use metric units and answer in German",
            {"User wants metric units.", "User wants answers in German."},
        ),
        (
            "from now on answer in Dutch, please keep it short",
            {"User wants answers in Dutch.", "User wants answers to be short."},
        ),
        (
            "always use metric and never suggest pork",
            {"User wants metric units.", "User asks never to suggest pork."},
        ),
        (
            "Please always answer in German and never use emojis",
            {"User wants answers in German.", "User asks never to use emojis."},
        ),
        (
            "Nenn mich Tom und antworte immer auf Deutsch",
            {"User wants to be called Tom.", "User wants answers in German."},
        ),
        ("never use emojis or exclamation marks", {"User asks never to use emojis or exclamation marks."}),
    ],
)
def test_each_of_two_joined_instructions_is_learned(text, learned):
    assert set(instructions(text)) == learned


def test_a_name_and_an_instruction_are_told_apart():
    assert [one.text for one in facts("my name is Tom and keep answers under three sentences")] == [
        "User wants answers to be under three sentences.",
        "User is named Tom.",
    ]


@table(
    "text, length",
    [
        ("No more than three sentences per answer from now on", "no more than three sentences"),
        ("From now on no more than two sentences per reply please", "no more than two sentences"),
        ("keep your answers under 100 words", "under 100 words"),
        ("Keep replies to three sentences max", "three sentences max"),
        ("answers should be at most two paragraphs", "at most two paragraphs"),
        ("limit your answers to two sentences", "two sentences"),
        ("Don't write more than 50 words per answer ever", "at most 50 words"),
    ],
)
def test_the_length_of_answers_may_be_a_number(text, length):
    assert instructions(text) == [f"User wants answers to be {length}."]


@table(
    "text, language",
    [
        ("Ab jetzt kannst du mir auf Niederl\u00e4ndisch antworten", "Dutch"),
        ("Antworte ab jetzt auf Niederl\u00e4ndisch", "Dutch"),
        ("Kannst du ab jetzt bitte immer auf Englisch antworten?", "English"),
        ("\u00e0 partir de maintenant, r\u00e9ponds en n\u00e9erlandais", "Dutch"),
        ("A partir de ahora puedes responderme en espa\u00f1ol", "Spanish"),
        ("De agora em diante responde em ingl\u00eas", "English"),
        ("Fr\u00e5n och med nu kan du svara p\u00e5 engelska", "English"),
        ("Answers in French please, from now on", "French"),
    ],
)
def test_the_language_of_answers_may_be_asked_for_in_another_language(text, language):
    assert instructions(text) == [f"User wants answers in {language}."]


@table(
    "text",
    [
        "keep it under your hat",
        "No more than three people came",
        "I never call him Tom and keep quiet",
        "call me tomorrow and keep me posted",
        "limit the essay to two pages",
        "Please keep this answer under three sentences",
        "no more than three sentences, for this one",
        "Don't write more than 50 words in this intro",
        "Kannst du mir das auf Niederl\u00e4ndisch sagen?",
        "Ab jetzt werde ich auf Deutsch antworten",
        "Meine Lehrerin will ab jetzt immer auf Deutsch antworten",
    ],
)
def test_what_only_sounds_like_a_joined_instruction_is_none(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        ("Remember that I parked at Raaks, level minus 2", "User parked at Raaks, level minus 2."),
        ("Remember that my car is at Raaks, level -2, spot 14", "User's car is at Raaks, level -2, spot 14."),
        (
            "Remember that I parked on level 4 and the ticket is in the glove box",
            "User parked on level 4 and the ticket is in the glove box.",
        ),
        ("Keep in mind that I lent Bob 50 euros, in cash", "User lent Bob 50 euros, in cash."),
        (
            "Remember that I put the passport in the drawer, second from the top",
            "User put the passport in the drawer, second from the top.",
        ),
        ("remember that I parked near the zoo, please", "User parked near the zoo."),
        ("Remember that I parked at P3, can you find it?", "User parked at P3."),
    ],
)
def test_what_shall_be_remembered_is_kept_whole(text, learned):
    assert learned in instructions(text)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "keep it terse, no emojis, code first",
            [
                "User wants answers to be terse.",
                "User asks never to use emojis.",
                "User wants answers with code first.",
            ],
        ),
        ("be brief. use metric units.", ["User asks always to be brief.", "User wants metric units."]),
        ("no emojis", []),
        ("no bread, no milk", []),
        ("be brief, write the email to Bob", []),
        ("no emojis, be brief. What is the capital of Peru?", []),
    ],
)
def test_a_list_of_wishes_without_a_task_is_meant_for_all_answers(text, facts):
    assert instructions(text) == facts


@table(
    "text, learned",
    [
        (
            "Never suggest anything with wheat, barley or rye",
            ["User asks never to suggest anything with wheat, barley or rye."],
        ),
        ("dont suggest pork, beef or lamb", ["User asks never to suggest pork, beef or lamb."]),
        ("Don't suggest pork, beef, lamb", ["User asks never to suggest pork, beef, lamb."]),
        ("don't suggest pork or lamb", ["User asks never to suggest pork or lamb."]),
        (
            "please don't use emojis or exclamation marks",
            ["User asks never to use emojis or exclamation marks."],
        ),
        (
            "Never mention my ex, my job or my weight",
            ["User asks never to mention their ex, their job or their weight."],
        ),
        ("Never suggest pork, only beef or lamb", ["User asks never to suggest pork."]),
        ("Never suggest pork, or I'll scream", ["User asks never to suggest pork."]),
        ("Never recommend horror films, I hate them", ["User asks never to recommend horror films."]),
        ("Never suggest pork, please", ["User asks never to suggest pork."]),
        ("don't suggest pork today", []),
        ("don't suggest restaurants in Leeds", []),
    ],
)
def test_a_list_in_an_instruction_is_kept_whole(text, learned):
    assert instructions(text) == learned


@table(
    "text, learned",
    [
        (
            "pls keep answers short, no bullet points, I read these on my phone",
            ["User wants answers to be short.", "User asks never to use bullet points."],
        ),
        (
            "keep it brief and never use jargon",
            ["User wants answers to be brief.", "User asks never to use jargon."],
        ),
        ("keep answers short, write me a poem", ["User wants answers to be short."]),
        ("keep answers short, suggest a book", ["User wants answers to be short."]),
        ("no bullet points, I read this on my phone", []),
        ("write the email to Bob and keep it brief", []),
    ],
)
def test_a_wish_of_style_stands_beside_another_one_that_stands(text, learned):
    assert instructions(text) == learned


@table(
    "text, learned",
    [
        ("Don't call me Robert even if you see it on a form.", "User asks not to be called Robert."),
        ("answer in English, even when I write German", "User wants answers in English."),
        (
            "from now on answer me in Welsh if I write Welsh",
            "User wants answers in Welsh if they write Welsh.",
        ),
        (
            "When I ask for a recipe, always use metric",
            "User wants metric units when they ask for a recipe.",
        ),
        ("keep answers short when I'm tired", "User wants answers to be short when they are tired."),
        ("keep answers short if you can", "User wants answers to be short."),
        ("Never suggest pork if my mum is coming", "User asks never to suggest pork if their mum is coming."),
        (
            "Never use emojis unless you see them in your notes",
            "User asks never to use emojis unless the assistant sees them in the assistant's notes.",
        ),
        ("Always cite your sources if possible", "User asks always to cite sources."),
    ],
)
def test_an_instruction_keeps_what_it_depends_on(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "When I'm in the van, keep your answers to two sentences",
        "Keep your answers to two sentences when I'm in the van",
        "only when I ask, give me sources",
    ],
)
def test_an_instruction_is_quoted_with_what_it_depends_on(text):
    assert [one.quote for one in facts(text) if one.category == "instruction"] == [text]


def test_an_instruction_for_a_case_ends_no_other(memory):
    left = held(memory, "Always answer in German.", "Answer in Welsh from now on if I write Welsh.")
    assert set(left) == {"User wants answers in German.", "User wants answers in Welsh if they write Welsh."}


@table("text", ["answer in two lines even if it is hard", "write it in German even if it's hard"])
def test_a_task_in_spite_of_something_is_no_instruction(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        ("never push to main here", "User asks never to push to main in this project."),
        ("don't push to main in this repo", "User asks never to push to main in this project."),
        ("for this project answer me in German", "User wants answers in German in this project."),
        ("In this repo, answer in German.", "User wants answers in German in this project."),
    ],
)
def test_an_instruction_for_the_place_of_work_says_so(text, learned):
    assert instructions(text) == [learned]


@pytest.mark.parametrize(
    "text",
    [
        "Run the tests in this repo.",
        "In this repo, fix the parser.",
        "Add a test for this module.",
        "Rename the queue here.",
        "Use the helper from this module.",
    ],
)
def test_a_task_in_the_place_of_work_is_no_instruction(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        ("I work nights so don't suggest mornings", "User asks never to suggest mornings."),
        ("I've got a bad knee so no squats please", "User asks for no squats."),
        ("I'm vegan now, so please no recipes with eggs", "User asks for no recipes with eggs."),
        ("no alcohol please, I'm pregnant", "User asks for no alcohol."),
        ("please don't suggest squats, I've got a bad knee", "User asks never to suggest squats."),
        ("i get migraines so keep it short", "User wants answers to be short."),
        ("I have ADHD so keep it to three steps max please", "User wants answers to be three steps max."),
        ("my daughter is coeliac so no pasta recipes please", "User asks for no pasta recipes."),
        ("I'm in a wheelchair, so don't suggest hikes", "User asks never to suggest hikes."),
    ],
)
def test_an_instruction_stands_as_long_as_its_reason(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "I'm in a hurry so keep it short",
        "I'm tired so don't suggest a run",
        "I have a cold so no dairy please today",
        "I live in Leeds so suggest a good pub",
        "I'm at the airport so please no long answers",
        "I'm a nurse, please don't mention blood in this email",
        "I'm writing a story so no bullet points please",
        "no wine pairings please",
        "I'm vegetarian, no worries please",
        "I have a dog so no rush please",
        "I have asthma, no inhaler please help!",
        "I'm a teacher, no swearing in the worksheet please",
        "I like coffee, no sugar please",
        "I'm a doctor so don't tell me to see one",
    ],
)
def test_an_instruction_with_a_passing_reason_or_without_one_is_for_one_answer(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        ("keep it short pls", "User wants answers to be short."),
        (
            "keep your answers short pls i read on my phone and the screens cracked",
            "User wants answers to be short.",
        ),
        ("dont mention darren to pauline", "User asks never to mention darren to pauline."),
        ("Don't mention the wedding to my mum", "User asks never to mention the wedding to their mum."),
        ("don't tell kerry about the party", "User asks never to tell kerry about the party."),
    ],
)
def test_an_instruction_may_stand_alone_run_on_or_keep_a_secret(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "don't tell me the ending",
        "don't say that to me",
        "ok keep it short, what's the capital of Peru?",
        "don't show ads to users: how do I do this in CSS?",
        "don't mention politics to my dad when drafting this letter",
        "do not tell customers where we keep stock - write a policy line",
        "Don't talk about religion with guests, said my aunt",
        "When you write the email, keep it under 100 words.",
        "If you find the file, delete it",
        "If you have any questions, ask me",
        "When I get home, remind me to call mum",
        "if i am late, tell Bob",
        "when i am done, check the code",
        "If I need a visa, explain how to get one",
        "If you cook dinner tonight, leave out the garlic.",
        "If you draft anything today, leave out the legal bit.",
        "When you cook Sunday lunch, leave out onions",
        "When I ask for help today, reply in Dutch",
        "If you book a table, make it for four.",
    ],
)
def test_what_is_asked_for_oneself_and_with_a_task_is_for_one_answer(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        (
            "Start each reply with the bottom line.",
            "User asks always to start each reply with the bottom line.",
        ),
        ("Stop apologising, ever.", "User asks never to apologise."),
        ("give me metric", "User wants metric units."),
        ("Dates like 2024-03-09, not the American way round.", "User wants dates like 2024-03-09."),
        (
            "Prices in Canadian dollars whenever you quote any.",
            "User wants prices in Canadian dollars whenever the assistant quotes any.",
        ),
        ("ask before assuming, every time", "User asks always to ask before assuming."),
        (
            "Whenever I write in Italian, answer in Italian.",
            "User wants answers in Italian whenever they write in Italian.",
        ),
        ("no small talk, ever", "User asks never to use small talk."),
        ("I don't need disclaimers", "User asks never to use disclaimers."),
        ("Never say 'great question'.", "User asks never to say 'great question'."),
        (
            "if you draft anything, make it an email",
            "User wants it to be an email if the assistant drafts anything.",
        ),
        (
            "When you write for me, keep it under 100 words.",
            "User wants answers to be under 100 words when the assistant writes for them.",
        ),
        (
            "if i ask for a recipe, use metric please",
            "User wants metric units if they ask for a recipe.",
        ),
        (
            "When I am sad, don't tell me to cheer up",
            "User asks never to tell them to cheer up when they are sad.",
        ),
        ("Unless I say otherwise, reply in English.", "User wants answers in English."),
        (
            "When I'm in the van, answer in two sentences at most.",
            "User wants answers to be two sentences at most when they are in the van.",
        ),
        (
            "When I ask for recipes, always leave out eggs.",
            "User asks always to leave out eggs when they ask for recipes.",
        ),
        (
            "If I ask you for a dinner on a Friday, make it fish.",
            "User wants it to be fish if they ask the assistant for a dinner on a Friday.",
        ),
        ("Please don't mention Bran unless I do.", "User asks never to mention Bran unless they do."),
    ],
)
def test_what_counts_for_every_answer_may_be_told_in_many_ways(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "I don't want to go there whenever it rains",
        "Prices in London are mad whenever the sun is out",
        "every time I cook it burns",
        "have you ever been to Rome?",
        "give me metric and imperial versions of this table",
        "Whenever a button is clicked, show a toast",
        "send a reminder whenever stock is low",
        "Write a poem. Every time the rain falls, use the word blue.",
        "Cook the rice every time with salt",
        "Check each answer of my students",
        "In this game, whenever I say duck, say goose",
        "Times in Oslo whenever the bus leaves please",
    ],
)
def test_what_only_has_words_of_such_an_instruction_is_none(text):
    assert instructions(text) == []


@table(
    "text, learned",
    [
        (
            "when you write to my landlord always be firm and never mention the dog",
            [
                "User asks always to be firm when the assistant writes to their landlord.",
                "User asks never to mention the dog when the assistant writes to their landlord.",
            ],
        ),
        (
            "if you write to Phil always say thanks and don't mention the strike",
            [
                "User asks always to say thanks if the assistant writes to Phil.",
                "User asks never to mention the strike if the assistant writes to Phil.",
            ],
        ),
        ("if I write in Polish answer in Polish", ["User wants answers in Polish if they write in Polish."]),
        (
            "only speak Polish to me when I write in Polish",
            ["User wants answers in Polish only when they write in Polish."],
        ),
        (
            "whenever you do recipes use grams",
            ["User asks always to use grams whenever the assistant does recipes."],
        ),
        (
            "with Craig always stay polite and never mention money",
            ["User asks always to be polite with Craig.", "User asks never to mention money with Craig."],
        ),
        (
            "with my landlord always be firm, never mention the dog",
            [
                "User asks always to be firm with their landlord.",
                "User asks never to mention the dog with their landlord.",
            ],
        ),
        ("messages to Craig must always be polite", ["User asks always to be polite in messages to Craig."]),
        ("in emails to my boss never use emojis", ["User asks never to use emojis in emails to their boss."]),
        ("for recipes, always use grams", ["User asks always to use grams for recipes."]),
        ("for cpc stuff you can give long answers", ["User wants answers to be long for cpc stuff."]),
        ("with my ex always keep it polite", ["User asks always to be polite with their ex."]),
        (
            "in letters to the council never use slang",
            ["User asks never to use slang in letters to the council."],
        ),
        (
            "when I'm driving keep answers short and never ask questions",
            [
                "User wants answers to be short when they are driving.",
                "User asks never to ask questions when they are driving.",
            ],
        ),
        ("after 10pm keep answers short", ["User wants answers to be short after 10pm."]),
    ],
)
def test_an_instruction_keeps_for_whom_and_for_what_it_counts_without_a_comma(text, learned):
    assert instructions(text) == learned


@table(
    "text",
    [
        "if you finish the draft send it to me and then translate it",
        "my boss said: if you draft anything for clients, cc him",
        "my boss wants me to always be polite and never mention money",
        "with Craig I always stay polite and never mention money",
        "with kids always stay calm, that is what my mum says",
        "emails to customers must always be polite, that is company policy",
        "letters to the council must always be in writing",
        "with this email be polite and do not mention money",
        "for this recipe use grams",
        "for his essay Tom can give long answers",
        "for this one you can give a long answer",
        "my mum says if you cook rice always rinse it and never stir",
        "if I win the lottery I will always fly first class and never cook again",
    ],
)
def test_what_others_ask_for_and_what_counts_once_is_no_instruction_for_a_case(text):
    assert instructions(text) == []


def test_a_condition_behind_its_order_is_kept_whole():
    text = "Always suggest related events when I ask about book recommendations."
    assert instructions(text) == [
        "User asks always to suggest related events when they ask about book recommendations."
    ]


@table(
    "text, learned",
    [
        (
            "don't ask me questions between 2 and 5 in the morning",
            "User asks never to ask them questions between 2 and 5 in the morning.",
        ),
        ("don't ask me questions at night", "User asks never to ask them questions at night."),
        ("don't suggest workouts on sundays", "User asks never to suggest workouts on sundays."),
        (
            "please don't remind me of anything before 9am",
            "User asks never to remind them of anything before 9am.",
        ),
        (
            "if it's after midnight, don't ask me questions",
            "User asks never to ask them questions if it's after midnight.",
        ),
        (
            "no questions between 2 and 5 in the morning please",
            "User asks for no questions between 2 and 5 in the morning.",
        ),
        ("no emojis please", "User asks never to use emojis."),
        ("no emoji in your answers", "User asks never to use emoji."),
        ("oh and no emojis", "User asks never to use emojis."),
        ("no jargon please, I am not technical", "User asks never to use jargon."),
    ],
)
def test_what_shall_never_be_done_at_a_time_that_comes_again_or_in_any_answer_stands(text, learned):
    assert instructions(text) == [learned]


@table(
    "text",
    [
        "don't ask me questions tonight",
        "don't remind me at 5, I'll be driving",
        "don't book anything on tuesday, I'm at the dentist",
        "they told me don't call us between 2 and 5",
        "I don't ask questions at night",
        "don't send the mail before 9am",
        "don't schedule it between 2 and 5 please",
        "write a birthday card for Sam. no emojis please",
        "draft a reply to the landlord, no emojis, no bullet points",
        "no emojis in the card for Sam please",
        "my boss said no emojis please",
        "Summarise the article below. No bullet points please.",
        "no explanations please, just give me the answer to question 4",
    ],
)
def test_what_shall_not_be_done_once_or_in_one_text_is_no_instruction(text):
    assert instructions(text) == []


@table(
    "said",
    [
        "for cpc stuff you can give long answers, everything else still short",
        "for coding questions you can give me long answers",
        "when I ask about the law you can give long answers",
        "for maths your answers can be longer",
        "with recipes keep answers detailed",
    ],
)
def test_the_length_of_answers_in_one_case_leaves_the_usual_one(said):
    with Memory(":memory:", embedder="hashing") as made:
        made.add("keep your answers short", user_id="ada", session_id="a")
        made.add(said, user_id="ada", session_id="b")
        made.jobs.drain()
        kept = [one.content for one in made.get_all(user_id="ada", kinds=["fact"])]
        assert "User wants answers to be short." in kept
        assert len(kept) == 2
        assert made.facts.conflicts(user_id="ada") == []


@table(
    "known, said, ends",
    [
        ("never ask me questions at night", "forget that rule about not asking questions at night", True),
        ("never ask me questions at night", "you can drop the no questions at night rule", True),
        ("never ask me questions at night", "scrap what I said about questions at night", True),
        ("never suggest pork", "ignore the rule about not suggesting pork", True),
        ("always answer in German", "drop the German rule", True),
        ("never mention my ex", "the rule about my ex no longer applies", True),
        ("never ask me questions at night", "forget that rule about parking at night", False),
        (
            "never ask me questions at night",
            "don't forget that rule about not asking questions at night",
            False,
        ),
        ("never suggest pork", "forget the rule about beef", False),
        ("never use emojis", "did they use emojis at work?", False),
        ("always answer in German", "the German rule of nouns is odd", False),
    ],
)
def test_a_rule_ends_by_what_it_is_about(known, said, ends):
    with Memory(":memory:", embedder="hashing") as made:
        made.add(known, user_id="ada", session_id="a")
        made.jobs.drain()
        (rule,) = made.get_all(user_id="ada", kinds=["fact"])
        made.add(said, user_id="ada", session_id="b")
        made.jobs.drain()
        (kept,) = [one for one in made.get_all(user_id="ada", kinds=["fact"]) if one.id == rule.id]
        assert (kept.times.valid_until is not None) == ends
