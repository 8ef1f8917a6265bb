"""Words that look like a fact and are none, each beside words that are one."""

from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn
from recollect.learning.extraction.material import without_material


def texts(text):
    return [found.text for found in extract_facts([Turn(text=text)])]


@table(
    "text, learned",
    [
        ("Ugh. I just adore standing in the rain with jump leads", []),
        ("what a lovely start, the van died again. I just love it", []),
        ("Yeah because I LOVE paying £400 for an alternator", []),
        ("I love queueing for coffee", []),
        ("Yeah because I love hiking", ["User loves hiking."]),
        ("I love losing myself in a book", ["User loves losing themselves in a book."]),
        ("I love paying attention to details", ["User loves paying attention to details."]),
        ("I'm basically a taxi driver these days", []),
        ("I'm a taxi driver these days", ["User is a taxi driver."]),
        ("I'm basically a vegetarian", ["User is a vegetarian."]),
        ("my knees are 90 years old", []),
        ("my dog is 9 years old", ["User's dog is 9 years old."]),
        ("I live on toast at the moment", []),
        ("I live on a farm", ["User lives on a farm."]),
    ],
)
def test_irony_and_figures_of_speech_teach_nothing(text, learned):
    assert texts(text) == learned


@table(
    "text, learned",
    [
        ("Soy de otra época", []),
        ("Soy de pocas palabras", []),
        ("Soy de Madrid", ["User is from Madrid."]),
        ("soy de madrid", ["User is from madrid."]),
        ("Ich komme aus der Türkei", ["User is from der Türkei."]),
        ("我来自上海", ["User is from 上海."]),
        ("Trabajo de noche en el aeropuerto", []),
        ("Trabajo de lunes a viernes", []),
        ("Trabajo de camarera en Cádiz", ["User works as camarera en Cádiz."]),
        ("Rentner, 71, Hobbyimker", []),
        ("Nurse, 41, Mum of two", ["User is a nurse.", "User is 41."]),
    ],
)
def test_other_languages_are_not_taken_at_their_word(text, learned):
    assert texts(text) == learned


@table(
    "text, learned",
    [
        (
            "Allergic to bees & live next to an orchard",
            ["User is allergic to bees.", "User lives next to an orchard."],
        ),
        ("Allergic to bees & wasps", ["User is allergic to bees & wasps."]),
        ("Allergic to cats and dogs", ["User is allergic to cats and dogs."]),
        ("I'm a resident there", []),
        ("I'm a resident at UCH", ["User is a resident at UCH."]),
        ("I'm a nurse there", ["User is a nurse."]),
        ("Coeliac here", ["User is coeliac."]),
        ("Retired postman here", ["User is a retired postman."]),
    ],
)
def test_a_state_without_a_verb_is_cut_where_it_ends(text, learned):
    assert texts(text) == learned


@table(
    "said, then",
    [
        (
            "the pin for the site lockup is 6027, do not lose it",
            "forget what i said about the lockup pin, they've changed it",
        ),
        ("my manager is Joanna at the shipyard", "please forget what I told you about my manager"),
        ("we bank with Starling", "ignore what I said about Starling, I was joking"),
    ],
)
def test_who_asks_to_forget_words_states_nothing_of_them(said, then):
    with Memory(":memory:", embedder="hashing") as memory:
        for day, text in enumerate((said, then), start=1):
            memory.add(text, user_id="ada", session_id=f"day {day}", timestamp=f"2026-10-{day:02}")
            memory.jobs.drain()
        facts = [one.content.lower() for one in memory.get_all(user_id="ada", kinds=["fact"])]
        assert not [one for one in facts if "forget" in one or "ignore" in one or "removed]" in one]
        assert memory.facts.conflicts(user_id="ada") == []


def test_what_is_said_beside_such_a_request_still_counts():
    with Memory(":memory:", embedder="hashing") as memory:
        for day, text in enumerate(("I live in Leeds", "forget what I said. I moved to York"), start=1):
            memory.add(text, user_id="ada", session_id=f"day {day}", timestamp=f"2026-10-{day:02}")
            memory.jobs.drain()
        facts = memory.get_all(user_id="ada", kinds=["fact"])
        assert [one.content for one in facts if one.times.valid_until is None] == ["User moved to York."]


@table(
    "text",
    [
        "Proofread please:\n\nTo the head of the library. I worked in Corby for six years. I am a widow.",
        "polish this for the site: 'Ten years ago I quit my job. My co-founder Raj had a sofa."
        " I live in a garage in Leeds. I have asthma. " + "We grew and grew. " * 20 + "'",
        "Dictating the next bit of the novel. I woke with sand in my mouth. My wife is called Ada.",
        "Let's play. You are Captain Voss of the airship. I am Ensign Tully. I live in a vineyard.",
        "Can you turn this into a poem: I live in Oslo, I work as a lighthouse keeper and I have a goat.",
        "Traduis en anglais : J'habite à Lyon avec ma femme Inès et je travaille à l'hôpital.",
        "Fix the grammar: Dear Mrs Abbott, I live in Curitiba with my parents and I am allergic to peanuts.",
        "I live in Corby. I am allergic to cats. " * 7 + "\n\nNow rewrite this in the third person",
        "tidy this up for me please I am diabetic and I live at 9 Shore Road",
        "make this sound nicer I am allergic to cats and I have asthma so keep your cat out of my garden",
        "put this in plain English please I am 82 and live alone and I take warfarin 3 mg",
        "write a letter to the council for my neighbour saying I am 82 and I live at 4 Church Road",
    ],
)
def test_a_text_handed_over_to_be_worked_on_teaches_nothing(text):
    assert extract_facts([Turn(text=text)]) == []


@table(
    "text, learned",
    [
        ("Leo has dyslexia. I live in Leeds. Could you reword this homework sheet?", "User lives in Leeds."),
        ("Write to my landlord. I live in Leeds and the boiler is broken again.", "User lives in Leeds."),
        ("I'm vegan. Summarise this recipe: fry the onions in butter until they are golden, add the flour.",
         "User is vegan."),
        ("Can you proofread this? I'm dyslexic.", "User is dyslexic."),
        ("fix this for me, my laptop is a ThinkPad", "User's laptop is a ThinkPad."),
        ("I wrote this for my sister, I live in Leeds", "User lives in Leeds."),
        ("Check this please I'm allergic to nuts", "User is allergic to nuts."),
        ("Make this shorter please I have dyslexia", "User has dyslexia."),
        ("Fix this please I can't open my door. I live at 4 Elm Road.", "User lives at 4 Elm Road."),
        ("Write a poem for my wife saying I love her. I live in Leeds.", "User lives in Leeds."),
        ("Draft an email for my boss explaining I am ill. I have asthma.", "User has asthma."),
    ],
)  # fmt: skip
def test_what_stands_beside_such_a_text_is_read(text, learned):
    assert learned in [one.text for one in extract_facts([Turn(text=text)])]


@table(
    "text",
    [
        "I'm Polish.\n\nI live in Leeds and have two kids, Jan and Ola, who both go to school.",
        "I translate books for a living:\n\nnovels mostly, and I live in Hull with my husband Piotr.",
        "I'm opening a book store in Leeds in May and my wife Anna quit her job at the bank to help me.",
        "The first chapter of my book is due 3 May, I live in Leeds and my editor is called Ruth Adeyemi.",
        "This is my story: I grew up in Ghana, moved to London at twelve and I'm allergic to nuts and cats.",
        "Here's my bio: I'm a nurse in Leeds, 34, two kids, a dog called Rex and a husband who works nights.",
        "Here are some notes about me: I live in Oslo, work as a welder, and I'm allergic to penicillin.",
        "I updated my resume: ten years at Bosch, five at Siemens, and I'm a team lead in Stuttgart now.",
        "I'm a game master for a group in Leeds, we meet on Fridays at my place and my brother plays a bard.",
        "Let's play tennis on Friday! My knee is fine again and my physio is called Marta Nowak.",
        "I'm allergic to vanilla extract: it gives me hives, and I also cannot eat walnuts or hazelnuts.",
        "To continue: I live in Berlin, my boss is called Otto, and I work four days a week at a bakery.",
        "Ich bin Fassadenbauer: seit 2010 bei Hochtief, wohne in Essen und habe zwei Kinder und einen Hund.",
    ],
)
def test_what_only_sounds_like_a_request_for_work_hides_nothing(text):
    assert without_material(text) == text
