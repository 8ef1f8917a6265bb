"""German, French, Spanish and Chinese: what is reported, supposed, dreamt or denied teaches nothing."""

from tests.tables import table

from recollect import Memory
from recollect.learning.extraction.extract import extract_facts
from recollect.learning.extraction.facts import Turn

NOT_SO = [
    "Er sagte, er wohne in Bonn.",
    "Er sagte, ich wohne in Bonn.",
    "Angenommen, ich wohne in Bonn.",
    "Angenommen, ich wohnte in Bonn.",
    "Stell dir vor, ich wohne in Bonn.",
    "Stellt euch vor, ich arbeite bei Bosch.",
    "Nehmen wir an, ich wohne in Bonn.",
    "Gesetzt den Fall, ich wohne in Bonn.",
    "Sie meint, ich wohne in Bonn.",
    "Meine Schwester sagt: ich mag Pilze.",
    "Mein Chef behauptet, ich arbeite bei Siemens.",
    "Ich habe gehört, ich wohne in Bonn.",
    'Er hat gesagt: "Ich wohne in Bonn."',
    "Er sagte: Ich wohne in Bonn.",
    "„Ich wohne in Bonn“, sagte er.",
    "»Ich mag Pilze«, sagte Anna.",
    "Anna: Ich wohne in Bonn.",
    "Ich mag Pilze, sagt meine Schwester.",
    "Ich wohne in Bonn, behauptet er.",
    "Wohne ich in Bonn?",
    "Wohnte ich in Bonn, hätte ich ein Auto.",
    "Ich würde in Bonn wohnen.",
    "Bald wohne ich in Bonn.",
    "Ab Mai wohne ich in Bonn.",
    "Nächstes Jahr wohne ich in Bonn.",
    "Ich wohne bald in Bonn.",
    "Früher habe ich in Bonn gewohnt.",
    "Ich wohne nicht in Bonn.",
    "Ich wohne nicht mehr in Bonn.",
    "Vielleicht wohne ich in Bonn.",
    "Im Traum wohne ich in Bonn.",
    "Im Spiel: ich wohne in Bonn.",
    "Schreib einen Text: Ich wohne in Bonn.",
    "Übersetze: Ich mag Pilze.",
    "Ich tue so, als ob ich in Bonn wohne.",
    "Als wäre ich in Bonn: ich wohne in Bonn.",
    "Man sagt, ich liebe Bonn.",
    "Alle denken, ich hasse Bonn.",
    "Ich sage immer: ich liebe Bonn.",
    "Er fragte, ich wohne in Bonn, oder?",
    "Sagen wir, ich wohne in Bonn.",
    "Im Roman sagt der Held: Ich lebe in Rom.",
    "Laut Anna, ich wohne in Bonn.",
    "Mal angenommen, ich heiße Max.",
    "Ironisch gesagt, ich liebe Montage.",
    "Ich liebe Montage, haha.",
    "Ich liebe Montage, nicht.",
    "Ich wohne in Bonn, glaubt er.",
    "Wäre ich reich, ich wohne in Bonn.",
    "Sie sagten, wir wohnen in Bonn.",
    "Ihm zufolge, ich spreche Russisch.",
    "Tu so, als wärst du Koch. Ich arbeite als Koch.",
    "Ich wohne in Bonn, meinst du.",
    "Es heißt, ich komme aus Bonn.",
    "Er glaubt, meine Lieblingsfarbe ist Rot.",
    "Stell dir vor, meine Lieblingsfarbe ist Rot.",
    "Angenommen, ich mag Pilze und ich wohne in Bonn.",
    "Ich wohne leider noch nicht in Bonn.",
    "Supposons que j'habite à Paris.",
    "Il dit, j'habite à Paris.",
    "Il a dit : « J'habite à Paris. »",
    "Imaginez, j'habite à Paris.",
    "J'aime le thé, dit-elle.",
    "Supongamos que vivo en Madrid.",
    "Supongamos, vivo en Madrid.",
    "Dice que vivo en Madrid.",
    "Dijo: vivo en Madrid.",
    "Me gusta el té, dijo Ana.",
    "他说我住在北京。",
    "假设我住在北京。",
]


def texts(text):
    return [found.text for found in extract_facts([Turn(text=text)])]


@table("text", NOT_SO)
def test_what_is_reported_or_supposed_teaches_nothing(text):
    assert texts(text) == []


@table(
    "text, expected",
    [
        ("Ich wohne in Bonn.", ["User lives in Bonn."]),
        ("Ich wohne seit drei Jahren in Bonn.", ["User lives in Bonn."]),
        ("Übrigens, ich mag Pilze.", ["User likes Pilze."]),
        ("Ja, ich wohne in Bonn und arbeite bei Bosch.", ["User lives in Bonn.", "User works at Bosch."]),
        (
            "Salut, j'habite à Paris et je travaille chez Renault.",
            ["User lives in Paris.", "User works at Renault."],
        ),
        ("Hola, me llamo Ana, vivo en Madrid.", ["User is named Ana.", "User lives in Madrid."]),
        ("我会说中文。", ["User speaks 中文。"[:-1] + "."]),
        ("Im a nurse.", ["User is a nurse."]),
    ],
)
def test_plain_statements_are_read(text, expected):
    assert texts(text) == expected


@table(
    "text",
    [
        "Er sagte, ich wohne in Bonn.",
        "Meine Schwester sagt: ich mag Pilze.",
        "Sie meinten, dass ich in Bonn wohne.",
        "Angenommen, ich wohne in Bonn.",
        "Angenommen, ich wohnte in Bonn.",
        "Stell dir vor, ich wohne in Bonn.",
        "Stellt euch mal vor, ich arbeite bei Bosch.",
        "Nehmen wir an, ich wohne in Bonn.",
    ],
)
def test_remember_and_conversations_learn_nothing_of_them(text):
    with Memory(":memory:", embedder="hashing") as memory:
        (decision,) = memory.remember(text, user_id="ada")
        assert decision.admission == "refused"
        memory.add(text, user_id="ada", session_id="s")
        memory.sessions.end("s", user_id="ada")
        memory.jobs.drain()
        assert memory.get_all(user_id="ada", kinds=["fact"]) == []


def test_what_somebody_says_of_himself_is_remembered_as_it_stands_and_is_nothing_of_the_user():
    with Memory(":memory:", embedder="hashing") as memory:
        memory.remember("Er sagte, er wohne in Bonn.", user_id="ada")
        memory.remember("Ich sagte, ich komme um acht.", user_id="ada")
        facts = memory.get_all(user_id="ada", kinds=["fact"])
        assert [fact.content[:8] for fact in facts] == ["Er sagte", "Ich sagt"]
        assert not any("relation" in fact.metadata for fact in facts)
