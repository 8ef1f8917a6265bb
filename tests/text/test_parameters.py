import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tables import table

from recollect.errors import InvalidInputError
from recollect.text.parameters import find_parameters

WEEK = 604_800.0
AMOUNTS = [
    ("3 kg", "quantity", 3.0, "kg"),
    ("3,5 kg", "quantity", 3.5, "kg"),
    ("3.5kg", "quantity", 3.5, "kg"),
    ("1.200 kg", "quantity", 1.2, "kg"),
    ("1,200 km", "quantity", 1200.0, "km"),
    ("1,200.50 m", "quantity", 1200.5, "m"),
    ("1.200,50 m", "quantity", 1200.5, "m"),
    ("1.200.300 m", "quantity", 1_200_300.0, "m"),
    ("1 200 m", "quantity", 1200.0, "m"),
    ("0.500 l", "quantity", 0.5, "l"),
    ("0,500 l", "quantity", 0.5, "l"),
    ("1,00,000 km", "quantity", 100_000.0, "km"),
    ("5 kilos", "quantity", 5.0, "kg"),
    ("5 pounds", "quantity", 5.0, "lb"),
    ("ten miles", "quantity", 10.0, "mi"),
    ("100%", "quantity", 100.0, "%"),
    ("20 percent", "quantity", 20.0, "%"),
    ("-5 °C", "quantity", -5.0, "°C"),
    ("20 degrees Celsius", "quantity", 20.0, "°C"),
    ("16 GB", "quantity", 16.0, "GB"),
    ("16gb", "quantity", 16.0, "GB"),
    ("120 km/h", "quantity", 120.0, "km/h"),
    ("80 square meters", "quantity", 80.0, "m²"),
    ("80 m²", "quantity", 80.0, "m²"),
    ("2 thousand km", "quantity", 2000.0, "km"),
    ("5-km", "quantity", 5.0, "km"),
    ("$5", "money", 5.0, "USD"),
    ("$1,200.50", "money", 1200.5, "USD"),
    ("$3.5k", "money", 3500.0, "USD"),
    ("$2M", "money", 2_000_000.0, "USD"),
    ("$2 million", "money", 2_000_000.0, "USD"),
    ("2 million dollars", "money", 2_000_000.0, "USD"),
    ("two million dollars", "money", 2_000_000.0, "USD"),
    ("a hundred dollars", "money", 100.0, "USD"),
    ("twenty-five euros", "money", 25.0, "EUR"),
    ("EUR 40", "money", 40.0, "EUR"),
    ("40 EUR", "money", 40.0, "EUR"),
    ("40 euros", "money", 40.0, "EUR"),
    ("40€", "money", 40.0, "EUR"),
    ("€40", "money", 40.0, "EUR"),
    ("1 200 €", "money", 1200.0, "EUR"),
    ("1.200 €", "money", 1200.0, "EUR"),
    ("1.200,50 €", "money", 1200.5, "EUR"),
    ("40k euros", "money", 40_000.0, "EUR"),
    ("£3", "money", 3.0, "GBP"),
    ("30 quid", "money", 30.0, "GBP"),
    ("¥500", "money", 500.0, "JPY"),
    ("A$20", "money", 20.0, "AUD"),
    ("20 Canadian dollars", "money", 20.0, "CAD"),
    ("300 kr", "money", 300.0, None),
    ("-$5", "money", -5.0, "USD"),
    ("CHF 12.50", "money", 12.5, "CHF"),
    ("2 hours", "duration", 7200.0, "s"),
    ("1h 30m", "duration", 5400.0, "s"),
    ("1h30m", "duration", 5400.0, "s"),
    ("1h30", "duration", 5400.0, "s"),
    ("90 minutes", "duration", 5400.0, "s"),
    ("90-minute", "duration", 5400.0, "s"),
    ("2 hours and 15 minutes", "duration", 8100.0, "s"),
    ("2 days, 3 hours", "duration", 183_600.0, "s"),
    ("1.5 hours", "duration", 5400.0, "s"),
    ("two weeks", "duration", 2 * WEEK, "s"),
    ("two and a half hours", "duration", 9000.0, "s"),
    ("half an hour", "duration", 1800.0, "s"),
    ("3 months", "duration", 7_776_000.0, "s"),
    ("1 year", "duration", 31_536_000.0, "s"),
    ("30 s", "duration", 30.0, "s"),
    ("250 ms", "duration", 0.25, "s"),
    ("5 min", "duration", 300.0, "s"),
    ("3 Stunden", "duration", 10_800.0, "s"),
    ("2 semaines", "duration", 2 * WEEK, "s"),
    ("2 semanas", "duration", 2 * WEEK, "s"),
]
PLAIN = [
    ("mail ada@example.com.", "email", "ada@example.com"),
    ("<ada.l+x@mail.example.co.uk>", "email", "ada.l+x@mail.example.co.uk"),
    ("mailto:ada@example.com", "email", "ada@example.com"),
    ("müller@exämple.de", "email", "müller@exämple.de"),
    ("www.ada@example.com", "email", "www.ada@example.com"),
    ("see https://example.com.", "url", "https://example.com"),
    ("(https://example.com/a?b=1&c=2#d)", "url", "https://example.com/a?b=1&c=2#d"),
    ("https://en.wikipedia.org/wiki/Ada_(name), she", "url", "https://en.wikipedia.org/wiki/Ada_(name)"),
    ("[Ada](http://example.com/x)", "url", "http://example.com/x"),
    ("www.example.com!", "url", "www.example.com"),
    ("ftp://example.com/pub", "url", "ftp://example.com/pub"),
    ("HTTPS://EXAMPLE.COM", "url", "HTTPS://EXAMPLE.COM"),
    ("https://x.org/?mail=ada@x.org", "url", "https://x.org/?mail=ada@x.org"),
    ("看https://example.com。好", "url", "https://example.com"),
    ("open /etc/hosts.", "path", "/etc/hosts"),
    ("in ~/notes/todo", "path", "~/notes/todo"),
    ("run ./setup.sh now", "path", "./setup.sh"),
    ("../docs/index", "path", "../docs/index"),
    ("cd /tmp", "path", "/tmp"),  # noqa: S108
    (r"C:\Users\Ada\notes.txt", "path", r"C:\Users\Ada\notes.txt"),
    (r"C:\Program Files\App\x.exe", "path", r"C:\Program Files\App\x.exe"),
    ("C:/Users/Ada", "path", "C:/Users/Ada"),
    (r"on \\server\share\a", "path", r"\\server\share\a"),
    ("read report.pdf, please", "path", "report.pdf"),
    ("src/recollect/memory/memory.py is long", "path", "src/recollect/memory/memory.py"),
    ("meet with Ada Lovelace", "person", "Ada Lovelace"),
    ("a present for Dr. Smith", "person", "Dr. Smith"),
    ("give it to Bob", "person", "Bob"),
    ("With Ada it is fun", "person", "Ada"),
    ("to Vincent van Gogh", "person", "Vincent van Gogh"),
    ("for Ada's birthday", "person", "Ada"),
    ("for Ada’s birthday", "person", "Ada"),  # noqa: RUF001
    ("with Bob Friday evening", "person", "Bob"),
    ("with Mary-Jane O'Neill", "person", "Mary-Jane O'Neill"),
    ("with J. Smith", "person", "J. Smith"),
    ("with Łukasz", "person", "Łukasz"),
    ("for Ольга", "person", "Ольга"),
    ("to McGee", "person", "McGee"),
    ("with van Gogh", "person", "van Gogh"),
    ("for von der Leyen", "person", "von der Leyen"),
    ("a letter to de la Cruz", "person", "de la Cruz"),
]
PAIRS = [
    ("key: value", "key", "key: value"),
    ("- favourite colour: dark red", "favourite colour", "favourite colour: dark red"),
    ("x\n  city: Ghent\ny", "city", "city: Ghent"),
    ("set mode=fast please", "mode", "mode=fast"),
    ('name="Ada L"', "name", 'name="Ada L"'),
    ("mode=fast.", "mode", "mode=fast"),
    ("Address: 5 Main St, Ghent", "Address", "Address: 5 Main St, Ghent"),
]
NOTHING = [
    "",
    " ",
    "the and of to",
    "🎉🎉 🚀",
    "שלום עולם",
    "مرحبا بالعالم",
    "ab \ud800 cd",
    "version 3.11",
    "v3.11 m",
    "24/7",
    "and/or",
    "he/she",
    "3:2",
    "12:30",
    "at 7pm",
    "10:30 min",
    "note to self",
    "note to self: buy milk",
    "to be or not to be",
    "for example",
    "with love",
    "he said: come here",
    "She told me: no",
    "my list: eggs",
    "Note: bring water",
    "User: hello there",
    "Ada: I went to the shop today!",
    "3 cats",
    "5 stars",
    "5G",
    "iPhone 15",
    "COVID-19",
    "the 1990s",
    "in her 30s",
    "the '90s",
    "a week",
    "an hour",
    "With Best Regards",
    "with Kind Regards,",
    "to ten Swedes",
    "with van Monday",
    "\x1b[31m",
    "\x1b[1;31mred\x1b[0m",
    r"echo \x1b[31m and \033[30m",
    "one day",
    "the twenty second",
    "1/2 kg",
    "B-52 kg",
    "1,2,3 kg",
    "@ada",
    "ada@localhost",
    "react@18.2.0",
    "git@github.com:ada/x.git",
    "https://",
    "www.",
    "Node.js",
    "e.g. this",
    "/start",
    "/r/python",
    "</div>",
    "x // y",
    "C: drive",
    "a == b",
    "x => y",
    "1+1=2",
    "for Monday",
    "to English",
    "to Paris",
    "to New York",
    "to Central Park",
    "to Google",
    "for The record",
    "with GitHub",
    "for NASA",
    "for I know",
    "into Ada",
    "with ada",
]


@table("text, kind, value, unit", AMOUNTS)
@table("frame", ["{}", "about ({}), or so", "it was {}."])
def test_an_amount_is_read_with_its_unit(text, kind, value, unit, frame):
    (found,) = find_parameters(frame.format(text))
    assert (found.kind, found.text, found.value, found.unit) == (kind, text, value, unit)


@table("quoted", ['"half an hour"', "'half an hour'", "“half an hour”", "«half an hour»", "é [half an hour]"])
def test_a_number_word_is_found_behind_a_quote(quoted):
    (found,) = find_parameters(f"she said {quoted}")
    assert (found.text, found.value) == ("half an hour", 1800.0)


def test_colour_codes_are_passed_over_and_places_stay():
    text = "\x1b[1mcolour: dark \x1b[31mred\x1b[0m\n\x1b[32m5 kg\x1b[0m"
    found = find_parameters(text)
    assert [one.text for one in found] == ["colour: dark \x1b[31mred", "5 kg"]
    assert [text[slice(*one.place)] for one in found] == [one.text for one in found]


def test_the_first_hundred_are_given():
    found = find_parameters(" ".join(f"{number} kg," for number in range(1, 150)))
    assert [one.value for one in found] == list(range(1, 101))


@table("text, kind, found", PLAIN)
def test_addresses_paths_and_persons_are_found_as_they_stand(text, kind, found):
    assert [(one.kind, one.text, one.value, one.unit) for one in find_parameters(text)] == [
        (kind, found, None, None)
    ]


@table("text, key, found", PAIRS)
def test_a_pair_has_its_key_as_name(text, key, found):
    assert [(one.kind, one.name, one.text) for one in find_parameters(text)] == [("pair", key, found)]


@table("text", NOTHING)
def test_what_only_looks_like_a_parameter_is_none(text):
    assert find_parameters(text) == ()


@table(
    "text, found",
    [
        ("with Ada and Bob", ["Ada", "Bob"]),
        ("with Ada, Bob and Cleo Smith", ["Ada", "Bob", "Cleo Smith"]),
        ("color: red, size: L", ["color: red", "size: L"]),
        ("$5-$10", ["$5", "$10"]),
        ("2 hours with Ada for $5", ["2 hours", "Ada", "$5"]),
        ("note: 2 kg of it", ["2 kg"]),
    ],
)
def test_several_parameters_come_in_the_order_of_the_text(text, found):
    assert [one.text for one in find_parameters(text)] == found


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("budget: $500", "money", "$500"),
        ("Email: ada@example.com.", "email", "ada@example.com"),
        ("timeout=30s", "duration", "30s"),
        ("site: https://example.com", "url", "https://example.com"),
    ],
)
def test_a_value_with_a_kind_of_its_own_carries_its_key(text, kind, found):
    (one,) = find_parameters(text)
    assert (one.kind, one.text, one.name) == (kind, found, text.replace("=", ":").split(":")[0])


@pytest.mark.parametrize("text", [None, 5, b"5 kg", ["5 kg"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInputError, match="text must be a string"):
        find_parameters(text)


def test_what_stands_beyond_the_glance_is_not_read():
    assert find_parameters(" " * 19_990 + "5 kg") != ()
    assert find_parameters(" " * 20_000 + "5 kg") == ()


pieces = [
    "1",
    "1,",
    "a@",
    "a.",
    "a/",
    "(",
    "https://a(",
    "http://))",
    "C:\\a ",
    "a: b, ",
    "a=",
    "one ",
    "to A ",
    "/a",
]


@table("piece", [*pieces, "1h ", "$", "to A, ", "\\\\a", "-"])
def test_a_long_text_of_one_piece_does_no_harm(piece):
    assert len(find_parameters(piece * (1_000_000 // len(piece)))) <= 20_000


parts = st.sampled_from(
    [
        "5",
        "1,200",
        "kg",
        "$",
        "€",
        "h",
        "30m",
        "with",
        "to",
        "Ada",
        "and",
        "Bob",
        "van",
        "a@b.co",
        "https://x.org/(",
        "key: ",
        "=",
        "\n",
        "/etc",
        "a.py",
        "C:\\",
        "\\\\s\\t",
        ",",
        ".",
        ")",
        "two",
        "hours",
        "İ",
        "\ud800",
        "-",
        "k",
    ]
)


@given(st.one_of(st.text(), st.lists(parts).map("".join), st.lists(parts).map(" ".join)))
def test_places_hold_the_texts_in_order_and_apart(text):
    end = 0
    for found in find_parameters(text):
        start, stop = found.place
        assert end <= start < stop
        assert text[start:stop] == found.text
        end = stop
