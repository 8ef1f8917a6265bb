"""Everyday German, and French and Spanish by the same tables: what is learned of it, and what is not."""

from datetime import UTC, datetime

from tests.tables import table

from recollect.learning.extraction.extract import extract_facts, extract_new
from recollect.learning.extraction.facts import Turn

_NOW = datetime(2026, 9, 15, 12, tzinfo=UTC)


def told(text, **people):
    turn = Turn(text=text, id="x", happened_at=_NOW, people=people)
    return [fact.text.removeprefix("User ").rstrip(".") for fact in extract_facts([turn])]


@table(
    "text, learned",
    [
        (
            "Hallo! Ich heiße Mareike. Ich wohne in Halle. Ich mag Pilze. Ich bin 34 Jahre alt.",
            ["is named Mareike", "lives in Halle", "likes Pilze", "is 34"],
        ),
        (
            "Hola. Me llamo Ana. Vivo en Cádiz. Soy vegetariana.",
            ["is named Ana", "lives in Cádiz", "is vegetariana"],
        ),
        ("Bonjour. Je m'appelle Ana. J'habite à Lyon.", ["is named Ana", "lives in Lyon"]),
        ("Danke. Ich bin allergisch gegen Nüsse.", ["is allergic to Nüsse"]),
    ],
)
def test_every_sentence_of_a_message_is_read(text, learned):
    assert told(text) == learned


@table(
    "text, learned",
    [
        ("Ich mag Pilze nicht.", ["does not like Pilze"]),
        ("Ich mag Koriander gar nicht.", ["does not like Koriander"]),
        ("Ich mag eigentlich keine Pilze.", ["does not like Pilze"]),
        ("Ich esse übrigens kein Fleisch.", ["does not eat Fleisch"]),
        ("Ich esse nicht gern Fisch.", ["does not like Fisch"]),
        ("Ich esse Fisch nicht.", ["does not eat Fisch"]),
        (
            "Koriander kann ich nicht ausstehen. Und Pilze ess ich auch nicht.",
            ["does not like Koriander", "does not eat Pilze"],
        ),
        (
            "Ich kann Fenchel nicht leiden und Kaffee mag ich auch nicht besonders.",
            ["does not like Kaffee", "does not like Fenchel"],
        ),
        ("Ich habe keine Kinder.", ["does not have Kinder"]),
        ("Ich esse kein Fleisch mehr.", ["does not eat Fleisch"]),
        ("Ich vertrage keine Laktose.", ["does not tolerate Laktose"]),
        ("Ich liebe meinen Mann nicht mehr.", []),
        ("Je ne mange plus de viande.", ["does not eat viande"]),
    ],
)
def test_a_denial_is_never_read_as_a_yes(text, learned):
    assert sorted(told(text)) == sorted(learned)


@table(
    "text, learned",
    [
        ("Ich wohne jetzt in Halle.", ["lives in Halle"]),
        ("Ich wohne seit 2019 in Halle.", ["lives in Halle"]),
        ("Seit Mai wohne ich in Graz.", ["lives in Graz"]),
        ("Ich bin nach Halle gezogen.", ["moved to Halle"]),
        ("Ich arbeite jetzt bei Bosch.", ["works at Bosch"]),
        ("Ich bin leider auch allergisch gegen Nüsse.", ["is allergic to Nüsse"]),
        ("Ich bin seit drei Jahren Vegetarierin.", ["is Vegetarierin"]),
        ("Ich bin allergisch gegen Nüsse, Katzen und Pollen.", ["is allergic to Nüsse, Katzen und Pollen"]),
        ("J'habite depuis 2019 à Lyon.", ["lives in Lyon"]),
        ("Vivo ahora en Cádiz.", ["lives in Cádiz"]),
        ("soy celíaca así que nada de trigo porfa", ["is celíaca"]),
    ],
)
def test_words_that_only_stand_between_stop_no_statement(text, learned):
    assert told(text) == learned


@table(
    "text, learned",
    [
        ("Bin allergisch gegen Haselnüsse.", ["is allergic to Haselnüsse"]),
        ("bin gegen haselnüsse allergisch", ["is allergic to haselnüsse"]),
        ("Hab ne Haselnussallergie.", ["is allergic to Haselnuss"]),
        ("Wohne in Leipzig. Bin 34.", ["lives in Leipzig", "is 34"]),
        ("wohn in köln und arbeite bei ford", ["lives in köln", "works at ford"]),
        ("Ess seit drei Wochen kein Fleisch mehr.", ["does not eat Fleisch"]),
        ("Hab Asthma.", ["has Asthma"]),
        ("Ich hab Diabetes Typ 1.", ["has Diabetes Typ 1"]),
        ("Ich bin Krankenpfleger.", ["is Krankenpfleger"]),
        ("Von Beruf bin ich Hebamme.", ["is Hebamme"]),
        ("Ich studiere Biologie.", ["studies Biologie"]),
        ("Ich bin verheiratet.", ["is married"]),
        ("Ich lebe vegan.", ["is vegan"]),
        ("Ich verdiene 3.350 Euro brutto.", ["earns 3.350 Euro brutto"]),
        ("Bin übrigens am Sonntag 35 geworden.", ["turned 35"]),
        (
            "Ich nehm morgens L-Thyroxin 75 Mikrogramm, wegen Hashimoto.",
            ["has Hashimoto", "takes 75 Mikrogramm L-Thyroxin"],
        ),
        ("Mein Vater war in der Klinik, wegen Asthma.", []),
        ("Bin day is Tuesday.", []),
        ("Ich bin Anfänger.", []),
        ("Ich bin 10 Minuten zu spät.", []),
        ("Ich heiße dich herzlich willkommen.", []),
    ],
)
def test_spoken_german_without_ich_is_read(text, learned):
    assert sorted(told(text)) == sorted(learned)


@table(
    "text",
    [
        "Super, der Drucker hat wieder den Geist aufgegeben, ich liebe mein Leben.",
        "Ja klar, ich liebe Überstunden 🙄",
        "Ich bin gegen Montage allergisch 😄",
        "Ich komme aus der Dusche.",
        "Ich komme aus dem Urlaub.",
        "Ich lebe in Scheidung.",
        "Ich arbeite bei offenem Fenster.",
        "Ich arbeite für mein Leben gern im Garten.",
        "Ich arbeite als erstes die Mails ab.",
        "Ich spreche morgen mit meinem Chef.",
        "Ich lerne ihn morgen kennen.",
        "Ich esse gerade ein Brötchen.",
        "Ich esse heute Abend Pizza.",
        "Ich trinke gerade einen Kaffee.",
        "Ab 15. November wohne ich in Halle.",
        "Tu so, als wärst du Koch. Ich arbeite als Koch.",
    ],
)
def test_a_moment_an_idiom_and_irony_teach_nothing(text):
    assert told(text) == []


@table(
    "text, learned",
    [
        ("Mein Freund heißt Jonas.", ["User's boyfriend is named Jonas"]),
        ("Unser Hund heißt Krümel.", ["User's dog is named Krümel"]),
        ("Meine Chefin ist Aylin Kaya.", ["User's boss is named Aylin Kaya"]),
        (
            "Meine Tochter Mia ist allergisch gegen Erdnüsse.",
            ["User's daughter Mia is allergic to Erdnüsse", "User's daughter is named Mia"],
        ),
        (
            "Meine Mutter Gisela lebt in Husum und ist Lehrerin.",
            [
                "User's mother Gisela lives in Husum",
                "User's mother Gisela is Lehrerin",
                "User's mother is named Gisela",
            ],
        ),
        ("Mein Vater hat Diabetes.", ["User's father has Diabetes"]),
        ("Svenja ist meine beste Freundin.", ["User's best friend is named Svenja"]),
        ("Das ist meine Frau.", []),
        ("Ma sœur Inès est médecin.", ["User's sister is named Inès"]),
    ],
)
def test_what_is_said_of_family_and_friends_is_of_them(text, learned):
    assert sorted(told(text)) == sorted(learned)


def test_somebody_known_by_name_is_told_of_without_my():
    assert told("Krümel ist jetzt 6.", Krümel="dog") == ["User's dog Krümel is 6"]


@table(
    "text, learned",
    [
        (
            "Bitte duze mich und antworte kurz, ich lese am Handy.",
            ["wants to be addressed with du", "wants answers to be kurz"],
        ),
        ("Sieze mich bitte.", ["wants to be addressed with Sie"]),
        ("Bitte sieze mich nicht.", ["wants to be addressed with du"]),
        (
            "Antworte mir bitte immer auf Deutsch, auch wenn ich mal Englisch schreibe.",
            ["wants answers in German"],
        ),
        ("Antworte immer auf Deutsch, wenn ich Deutsch schreibe.", []),
        ("Merk dir bitte, dass ich dienstags frei habe.", ["asked to remember: ich dienstags frei habe"]),
        ("Merk dir: dienstags hab ich frei.", ["asked to remember: dienstags hab ich frei"]),
        ("Schlag mir keine Rezepte mit Nüssen vor.", ["asks never to suggest Rezepte mit Nüssen"]),
        ("Nenn mich bitte ab jetzt Rike, so nennen mich alle.", ["wants to be called Rike"]),
        ("Sag einfach Kalle zu mir.", ["wants to be called Kalle"]),
        ("Du kannst ab jetzt ruhig ausführlicher antworten.", ["wants answers to be ausführlicher"]),
        ("Benutz bitte keine Emojis.", ["asks never to use Emojis"]),
        ("Frag mich bitte nicht mehr nach Jonas.", ["asks never to ask about Jonas"]),
        (
            "Ich schenk Jonas ein Wochenende in Prag. Sag Jonas nichts davon!",
            ["asks to keep to oneself: Ich schenk Jonas ein Wochenende in Prag. Sag Jonas nichts davon"],
        ),
        ("Er antwortet immer kurz.", []),
        ("Ich antworte immer kurz.", []),
    ],
)
def test_everyday_instructions_of_german_are_heard(text, learned):
    assert sorted(told(text)) == sorted(learned)


@table(
    "text, learned",
    [
        (
            "Hab am Dienstag, 22. September um 9:30 Uhr einen Termin beim Zahnarzt Dr. Pohl.",
            ["has an appointment (Termin beim Zahnarzt Dr. Pohl) on 22 September 2026 at 09:30"],
        ),
        (
            "Zahnarzttermin am 22.9. um 9:30",
            ["has an appointment (Zahnarzttermin) on 22 September 2026 at 09:30"],
        ),
        (
            "Die Blutabnahme ist am Dienstag, den 17. November um 7:45 Uhr.",
            ["has an appointment (Blutabnahme) on 17 November 2026 at 07:45"],
        ),
        (
            "Der neue Termin beim Zahnarzt ist der 28. Oktober, 11 Uhr.",
            ["has an appointment (Termin beim Zahnarzt) on 28 October 2026 at 11:00"],
        ),
        ("Mein Bruder hat am 3. Mai Prüfung.", []),
        ("Die Prüfung am 3. Mai war schwer.", []),
        ("Wir fahren vom 23. bis 25. Oktober nach Prag.", []),
        ("Ich habe am 3. Mai Geburtstag.", ["has a birthday on 3 May"]),
        (
            "meine schwester wiebke hat am 3. oktober geburtstag",
            ["User's sister Wiebke has a birthday on 3 October", "User's sister is named Wiebke"],
        ),
    ],
)
def test_a_german_day_with_its_full_stop_is_one_day(text, learned):
    assert told(text) == learned


@table(
    "text, learned",
    [
        (
            "Svenja ist meine beste Freundin, sie arbeitet bei der Sparkasse und ist Vegetarierin.",
            [
                "User's best friend Svenja is Vegetarierin",
                "User's best friend Svenja works at Sparkasse",
                "User's best friend is named Svenja",
            ],
        ),
        (
            "Die Blutabnahme am 17. November wurde verschoben, neuer Termin ist der 26. November, 8 Uhr.",
            [],
        ),
        (
            "Die Blutabnahme morgen wurde abgesagt, neuer Termin ist Donnerstag, 26. November, 8 Uhr.",
            ["has an appointment (Blutabnahme) on 26 November 2026 at 08:00"],
        ),
        ("Mein Gehalt steigt damit von 2.900 auf 3.350 Euro brutto.", ["earns 3.350 Euro brutto"]),
    ],
)
def test_what_a_sentence_goes_on_to_say_is_read_of_the_same_one(text, learned):
    assert sorted(told(text)) == sorted(learned)


@table(
    "text",
    [
        "Ich bin gegen alles allergisch, was mit Sport zu tun hat.",
        "Mein Freund meint, ich trinke zu viel Kaffee.",
        "Ich mag keine Leute, die lügen.",
        "Ich bin 30 und 5 Tage unterwegs gewesen.",
        "Der Hund ist mein bester Freund.",
        "Ich lerne gern.",
        "Ich lerne für mein Abitur.",
        "Ich habe Kinder lieb.",
        "Hab meinen Bruder besucht, wohnt in Kiel und arbeitet bei Aldi.",
        "Ich vertrage keine Kritik.",
        "Ich verdiene mehr Respekt.",
        "Ich nehme 500 mg Paracetamol, wenn der Kopf weh tut.",
        "Mein Chef duzt mich.",
        "Sag Bescheid zu mir.",
        "Ich wohne nicht mehr in Ulm.",
        "Bald wohne ich in Ulm.",
        "Früher habe ich in Ulm gewohnt.",
        "Ich heiße nicht Anna.",
        "Ich spreche aus Erfahrung.",
        "Am 5. Mai ist Annas Hochzeit.",
        "Mein Chef sagt, du sollst immer auf Englisch antworten.",
        "Ich bin letztes Jahr nach Rom gezogen, aber wieder zurück.",
        "Ich bin verheiratet mit meinem Job.",
        "Ich studiere die Karte.",
        "Ich bin gegen nichts allergisch.",
    ],
)
def test_what_only_sounds_like_a_german_statement_teaches_nothing(text):
    assert told(text) == []


@table(
    "text",
    [
        "Frag mich bitte nicht mehr nach Jonas.",
        "Nenn mich bitte ab jetzt Rike, so nennen mich alle.",
        "Klar, ich steh ja total drauf, beim Zahnarzt zu sitzen ;)",
    ],
)
def test_an_instruction_and_a_joke_in_german_are_no_change(text):
    turn = Turn(text=text, id="x", happened_at=_NOW)
    assert [fact.relation for fact in extract_new([turn], known=0) if fact.relation == "says now"] == []
