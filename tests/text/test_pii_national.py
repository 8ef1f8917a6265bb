"""National numbers: check digits, and the words that some of them need."""

import pytest
from tests.tables import table

from recollect.text.pii import find_pii
from recollect.text.pii import national_checks as check

VALID = [
    (check.gb_nhs, "9434765919"),
    (check.de_idnr, "36574261809"),
    (check.fr_nir, "253072A07300443"),
    (check.fr_nir, "151027550551665"),
    (check.es_dni, "54362315K"),
    (check.es_dni, "X2482300W"),
    (check.it_codice_fiscale, "RSSMRA85T10A562S"),
    (check.nl_bsn, "111222333"),
    (check.in_aadhaar, "234123412346"),
    (check.cn_resident, "11010519491231002X"),
    (check.br_cpf, "11144477735"),
    (check.pl_pesel, "44051401359"),
    (check.se_personnummer, "8803200016"),
    (check.ch_ahv, "7569217076985"),
    (check.fi_hetu, "131052308T"),
    (check.no_fodselsnummer, "15108695088"),
    (check.ca_sin, "123456782"),
    (check.au_tfn, "123456782"),
    (check.tr_kimlik, "17291716060"),
    (check.cl_rut, "125319092"),
    (check.za_id, "7503305044089"),
    (check.cz_rodne, "7103192745"),
    (check.ie_pps, "6433435F"),
    (check.ie_pps, "6433435OA"),
    (check.ro_cnp, "1630615123457"),
    (check.sg_nric, "S1234567D"),
    (check.sg_nric, "F1234567N"),
    (check.jp_my_number, "123456789018"),
    (check.be_national, "85073003328"),
]
"""Examples that are published or made up, as letters and digits."""


def changed(number: str):
    """The number with one of its digits replaced by each other digit."""
    for place, sign in enumerate(number):
        for other in "0123456789" if sign.isdigit() else "":
            if other != sign:
                yield number[:place] + other + number[place + 1 :]


@table("passes, number", VALID)
def test_a_check_digit_finds_every_digit_that_was_copied_wrong(passes, number):
    assert passes(number)
    assert [wrong for wrong in changed(number) if passes(wrong)] == []


def test_the_check_digit_of_mexico_finds_some_of_them():
    assert check.mx_curp("BOXW310820HNERXN09")
    assert not check.mx_curp("BOXW310820HNERXN08")
    assert not check.mx_curp("BOXW310821HNERXN09")


@table("number", ["000123456", "666123456", "123006789", "123450000", "078051120", "912341234", "111111111"])
def test_some_social_security_numbers_were_never_given(number):
    assert not check.us_ssn(number)


@pytest.mark.parametrize(
    ("passes", "number"),
    [
        (check.pl_pesel, "44053201354"),
        (check.cn_resident, "110105194913310021"),
        (check.kr_rrn, "5813051019529"),
        (check.dk_cpr, "3113970975"),
    ],
)
def test_a_number_with_a_day_that_never_was_is_none(passes, number):
    assert not passes(number)


def ids_in(text: str, region: str | None = None) -> list[tuple[str, str]]:
    found = find_pii(text, kinds=["national_id"], region=region)
    return [(span.rule, span.text) for span in found]


@table(
    "word, number, rule",
    [
        ("BSN", "111222333", "NL BSN"),
        ("NHS number", "943 476 5919", "GB NHS"),
        ("PESEL", "44051401359", "PL PESEL"),
        ("CPR", "071197-0975", "DK CPR"),
        ("SIN", "123-456-782", "CA SIN"),
        ("tax file number", "123 456 782", "AU TFN"),
        ("CPF", "11144477735", "BR CPF"),
        ("Aadhaar", "234123412346", "IN Aadhaar"),
        ("SA ID", "7503305044089", "ZA id"),
        ("CNP", "1630615123457", "RO CNP"),
        ("PPS", "6433435F", "IE PPS"),
        ("kimlik", "17291716060", "TR kimlik"),
        ("\u30de\u30a4\u30ca\u30f3\u30d0\u30fc", "1234 5678 9018", "JP My Number"),
    ],
)
def test_a_number_without_a_form_of_its_own_needs_a_word_or_its_country(word, number, rule):
    assert ids_in(f"{word}: {number}") == [(rule, number)]
    assert ids_in(f"{number} is my {word}") == [(rule, number)]
    assert ids_in(f"we counted {number} of them") == []
    assert (rule, number) in ids_in(f"we counted {number} of them", region=rule[:2])


@table(
    "number, rule",
    [
        ("459-45-5156", "US SSN"),
        ("AB 38 47 12 C", "GB NINO"),
        ("1 51 02 75 505 516 65", "FR NIR"),
        ("54362315K", "ES DNI"),
        ("X-2482300-W", "ES NIE"),
        ("RSSMRA85T10A562S", "IT codice fiscale"),
        ("rssmra85t10a562s", "IT codice fiscale"),
        ("2341 2341 2346", "IN Aadhaar"),
        ("11010519491231002x", "CN resident id"),
        ("111.444.777-35", "BR CPF"),
        ("880320-0016", "SE personnummer"),
        ("756.9217.0769.85", "CH AHV"),
        ("131052-308T", "FI hetu"),
        ("15108695088", "NO f\u00f8dselsnummer"),
        ("12.531.909-2", "CL RUT"),
        ("710319/2745", "CZ rodn\u00e9 \u010d\u00edslo"),
        ("S1234567D", "SG NRIC"),
        ("BOXW310820HNERXN09", "MX CURP"),
    ],
)
def test_a_number_with_a_form_of_its_own_counts_alone_unless_it_is_named_as_something_else(number, rule):
    assert ids_in(f"here: {number}, as you asked") == [(rule, number)]
    assert ids_in(f"order no. {number}") == []
    assert ids_in(f"here: x{number}") == []
    assert ids_in(f"here: {number}7") == []


def test_a_number_in_small_letters_needs_a_word():
    assert ids_in("we saw 54362315k there") == []
    assert ids_in("dni 54362315k") == [("ES DNI", "54362315k")]


def test_a_passport_is_known_by_the_word_before_it_alone():
    assert ids_in("passport no. X4839201") == [("passport or licence", "X4839201")]
    assert ids_in("the passport office has X4839201 in stock") == []
    assert ids_in("passport: renewed") == []


def test_a_number_in_a_web_address_is_none():
    assert ids_in("https://example.com/459-45-5156") == []


def test_a_number_of_the_next_line_is_not_named_by_this_one():
    assert ids_in("BSN\n111222333") == []
