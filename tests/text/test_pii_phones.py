"""Telephone numbers: by the built-in rules, and with libphonenumber's plans."""

import sys
from importlib.util import find_spec

import pytest
from tests.tables import table

from recollect.errors import MissingExtraError
from recollect.text.pii import find_pii
from recollect.text.pii.phone_library import NumberPlans

needs_library = pytest.mark.skipif(
    find_spec("phonenumbers") is None, reason="phonenumberslite is not installed (extra pii)"
)


def phones_in(text: str, **given: object) -> list[str]:
    return [span.text for span in find_pii(text, kinds=["phone"], **given)]


@table(
    "number",
    [
        "+1 415 555 0132",
        "+1-415-555-0132",
        "+14155550132",
        "+44 (0)20 7946 0321",
        "+49 171/3920 077",
        "0044 20 7946 0321",
        "(212) 555-0147",
        "212-555-0147",
        "212.555.0147",
        "1-800-555-0136",
        "020 7946 0321",
        "(020) 7946 0321",
        "01 99 00 12 34",
        "06.39.98.45.67",
        "0171/3920099",
        "8 (912) 345-67-89",
        "(11) 91234-8765",
        "+682 21 234",
        "(212)555-0147",
        "(212)5550147",
    ],
)
@table("frame", ["{}", "We have {} here", "({}).", "x: {}, y", "{} and {}", "{}, {}x12"])
def test_a_number_with_a_telephones_form_is_found_whole(number, frame):
    assert set(phones_in(frame.format(number, number))) == {number}


def test_numbers_and_years_in_a_row_are_parted():
    assert phones_in("212-555-0147 212-555-0148") == ["212-555-0147", "212-555-0148"]
    assert phones_in("(212) 555-0147 (212) 555-0148") == ["(212) 555-0147", "(212) 555-0148"]
    assert phones_in("020 7946 0321 2024") == ["020 7946 0321"]
    assert phones_in("+44 20 7946 0321 2024") == ["+44 20 7946 0321"]


@table(
    "text, found",
    [
        ("call 4155550132", ["4155550132"]),
        ("Mi m\u00f3vil es 612 345 987", ["612 345 987"]),
        ("612 345 987 is my number", ["612 345 987"]),
        ("\u624b\u673a13812349876", ["13812349876"]),
        ("(phone 2125550187)", ["2125550187"]),
        ("phone: +1234567890", ["+1234567890"]),
        ("we sold 4155550132 of them", []),
        ("phone sales of 1 250 000", []),
        ("call on 05 06 2024", []),
        ("call on 2024-06-05", []),
        ("call by 20240605", []),
        ("call 911 or 112", []),
        ("call 1 2 3 4 5 6 7 8", []),
        ("call me? 4155550132", []),
    ],
)
def test_other_numbers_need_a_word_close_by(text, found):
    assert phones_in(text) == found


@table(
    "text",
    [
        "order 212-555-0147",
        "part no. 020 7946 0321",
        "ISBN 0-306-40615-2",
        "#212-555-0147",
        "$212-555-0147",
        "212-555-0147-99",
        "a212-555-0147",
        "https://example.com/212-555-0147",
        "4111 0111 1111 1112",
        "04 12 23 31 38 45",
        "0.02 7946 0321",
        "+12 34",
        "+999 1234 5678",
        "+1 115 555 0132",
        "1010 0000 0100 0000",
        "MA 02110-1301",
        "255.255.255.0",
    ],
)
def test_what_only_looks_like_a_telephone_number_is_none(text):
    assert phones_in(text) == []


@table(
    "region, number",
    [
        ("ES", "612 345 987"),
        ("IN", "98765 43210"),
        ("IT", "347 123 8890"),
        ("DK", "32 12 34 56"),
        ("CN", "138 1234 9876"),
        ("PL", "512 345 678"),
    ],
)
def test_a_national_form_counts_where_its_country_is_told(region, number):
    text = f"We have {number} here"
    assert phones_in(text) == []
    assert phones_in(text, region=region) == [number]
    assert phones_in(f"We have {number} 12 here", region=region) == []


def test_the_library_is_asked_for_by_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "phonenumbers", None)
    with pytest.raises(MissingExtraError, match=r"'recollect\[pii\]"):
        NumberPlans()


@needs_library
@pytest.mark.parametrize(
    ("region", "number"), [("HK", "2123 4567"), ("MX", "55 1234 5678"), ("CZ", "601 123 456")]
)
def test_the_library_knows_the_national_numbers_of_every_country(region, number):
    text = f"We have {number} here"
    assert phones_in(text, region=region, recognisers=[NumberPlans()]) == [number]


@needs_library
@pytest.mark.parametrize("region", [None, "DE", "US"])
def test_with_the_library_all_is_found_that_the_rules_find(region):
    text = "call 4155550132, +44 20 7946 0321 or \uff08\uff12\uff11\uff12\uff09 555-0147"
    plain = phones_in(text, region=region)
    assert len(plain) == 3
    assert phones_in(text, region=region, recognisers=[NumberPlans()]) == plain


@needs_library
def test_the_library_does_not_make_an_order_a_telephone_number():
    for text in ("order 030 901820", "4111 0111 1111 1112", "2024-06-05", "scores 21-19 21-17"):
        assert phones_in(text, region="DE", recognisers=[NumberPlans()]) == []
