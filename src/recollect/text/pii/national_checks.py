"""Whether a number can be one that a state gives to a person: check digits, dates and ranges.

Every check takes the number's letters and digits alone, in upper case. The rules are those that the issuing
offices publish; a number that passes need not have been issued.
"""

from datetime import date
from typing import Final

from recollect.text.pii.checksums import luhn, mod_11_10, verhoeff, weighted


def us_ssn(number: str) -> bool:
    """A social security number (no area 000, 666 or 9xx), or an individual taxpayer's number (9xx).

    >>> us_ssn("459455156"), us_ssn("666455156"), us_ssn("123456789")
    (True, False, False)
    """
    area, group, serial = number[:3], int(number[3:5]), number[5:]
    if serial == "0000" or number in _NEVER_ISSUED or len(set(number)) == 1:
        return False
    if area[0] == "9":
        return group in _ITIN_GROUPS
    return area not in {"000", "666"} and group > 0


def gb_nino(number: str) -> bool:
    """A national insurance number: the two letters are of those in use."""
    return number[:2] not in {"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"}


def gb_nhs(number: str) -> bool:
    """A number of the National Health Service: weights 10 to 2, modulo 11."""
    return _same(-weighted(number, range(10, 1, -1)) % 11, number[9])


def de_idnr(number: str) -> bool:
    """A Steuer-Identifikationsnummer: of the first ten digits one stands twice or three times, no other does.

    >>> de_idnr("25360619644"), de_idnr("12345678901")
    (True, False)
    """
    often = [number[:10].count(digit) for digit in set(number[:10])]
    repeated = [count for count in often if count > 1]
    return number[0] != "0" and len(repeated) == 1 and repeated[0] <= 3 and mod_11_10(number)  # noqa: PLR2004


def fr_nir(number: str) -> bool:
    """A numéro d'inscription au répertoire: 97 less the rest of a division by 97; Corsica has letters.

    >>> fr_nir("151027550551665"), fr_nir("151027550551666")
    (True, False)
    """
    digits = number.replace("2A", "19").replace("2B", "18")
    return digits.isdigit() and int(digits[-2:]) == 97 - int(digits[:-2]) % 97


def es_dni(number: str) -> bool:
    """A documento nacional de identidad, or a foreigner's number, whose X, Y, Z stand for 0, 1, 2.

    >>> es_dni("12345678Z"), es_dni("X1234567L"), es_dni("12345678A")
    (True, True, False)
    """
    digits = number[:-1].translate(_NIE_LETTERS)
    return number[-1] == "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23]


def it_codice_fiscale(number: str) -> bool:
    """A codice fiscale: letters and digits have two values each, by odd and even places.

    >>> it_codice_fiscale("RSSMRA85T10A562S"), it_codice_fiscale("RSSMRA85T10A562T")
    (True, False)
    """
    total = sum(_CF_ODD[int(character, 36)] for character in number[:15:2])
    total += sum(_CF_EVEN[int(character, 36)] for character in number[1:15:2])
    return chr(ord("A") + total % 26) == number[15]


def nl_bsn(number: str) -> bool:
    """A burgerservicenummer: weights 9 to 2 and -1, modulo 11."""
    return number.strip("0") != "" and weighted(number, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def in_aadhaar(number: str) -> bool:
    """An Aadhaar: Verhoeff's check digit; none reads the same backwards."""
    return number != number[::-1] and verhoeff(number)


def cn_resident(number: str) -> bool:
    """A resident's identity number (GB 11643): region, day of birth, and a check by powers of two.

    >>> cn_resident("11010519491231002X")
    True
    """
    if not 11 <= int(number[:2]) <= 82 or not is_day(number[6:10], number[10:12], number[12:14]):  # noqa: PLR2004
        return False
    total = weighted(number[:17], [2 ** (17 - place) for place in range(17)])
    return "10X98765432"[total % 11] == number[17]


def br_cpf(number: str) -> bool:
    """A cadastro de pessoas físicas: two digits, modulo 11, and not one digit eleven times.

    >>> br_cpf("11144477735"), br_cpf("11111111111")
    (True, False)
    """
    first = weighted(number, range(10, 1, -1)) * 10 % 11 % 10
    second = weighted(number, range(11, 1, -1)) * 10 % 11 % 10
    return len(set(number)) > 1 and number[9:] == f"{first}{second}"


def pl_pesel(number: str) -> bool:
    """A PESEL: a day of birth, whose month also tells the century, and a check digit.

    >>> pl_pesel("44051401359"), pl_pesel("44051401358")
    (True, False)
    """
    month = int(number[2:4]) % 20
    total = weighted(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3))
    return is_day(number[:2], month, number[4:6]) and -total % 10 == int(number[10])


def se_personnummer(number: str) -> bool:
    """A personnummer, or a samordningsnummer, whose day is 60 more.

    >>> se_personnummer("8112189876"), se_personnummer("8112189875")
    (True, False)
    """
    digits = number[-10:]
    return is_day(digits[:2], digits[2:4], int(digits[4:6]) % 60) and luhn(digits)


def ch_ahv(number: str) -> bool:
    """A Swiss AHV or AVS number: an EAN-13 that begins with 756."""
    return -weighted(number, (1, 3) * 6) % 10 == int(number[12])


def be_national(number: str) -> bool:
    """A Belgian national number: 97 less the rest of a division by 97; from 2000 on behind a 2."""
    key = int(number[9:])
    fits = any(key == 97 - int(century + number[:9]) % 97 for century in ("", "2"))
    return fits and is_day(number[:2], number[2:4], number[4:6])


def fi_hetu(number: str) -> bool:
    """A henkilötunnus: the rest of a division by 31 as a sign."""
    day, serial = number[:6], number[-4:-1]
    sign = "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(day + serial) % 31]
    return is_day(day[4:], day[2:4], day[:2]) and number[-1] == sign


def no_fodselsnummer(number: str) -> bool:
    """A fødselsnummer, or a D-number, whose day is 40 more: two digits, modulo 11."""
    day = int(number[:2])
    first = -weighted(number, (3, 7, 6, 1, 8, 9, 4, 5, 2)) % 11
    second = -weighted(number, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return is_day(number[4:6], number[2:4], day % 40) and number[9:] == f"{first}{second}"


def dk_cpr(number: str) -> bool:
    """A CPR number, of which only the day of birth can be checked."""
    return is_day(number[4:6], number[2:4], number[:2])


def ca_sin(number: str) -> bool:
    """A social insurance number: none begins with 0 or 8."""
    return number[0] not in "08" and luhn(number)


def au_tfn(number: str) -> bool:
    """A tax file number: weighted, modulo 11."""
    return weighted(number, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def tr_kimlik(number: str) -> bool:
    """A number of Turkey's identity cards: two check digits."""
    digits = [int(digit) for digit in number]
    tenth = (7 * sum(digits[0:9:2]) - sum(digits[1:8:2])) % 10
    return digits[9] == tenth and sum(digits[:10]) % 10 == digits[10]


def cl_rut(number: str) -> bool:
    """A rol único tributario: weights 2 to 7 from the right, modulo 11."""
    total = weighted(number[-2::-1], (2, 3, 4, 5, 6, 7, 2, 3))
    return "0K987654321"[total % 11] == number[-1]


def mx_curp(number: str) -> bool:
    """A clave única de registro de población: a day of birth, and a check digit over 37 signs."""
    signs = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    total = sum(signs.index(sign) * (18 - place) for place, sign in enumerate(number[:17]))
    return is_day(number[4:6], number[6:8], number[8:10]) and -total % 10 == int(number[17])


def za_id(number: str) -> bool:
    """A South African identity number: a day of birth, citizen or resident, and Luhn's sum."""
    return is_day(number[:2], number[2:4], number[4:6]) and number[10] in "012" and luhn(number)


def cz_rodne(number: str) -> bool:
    """A Czech or Slovak rodné číslo: a day of birth (months of women are 50 more), divisible by 11."""
    month = int(number[2:4]) % 50
    return is_day(number[:2], month if month <= 12 else month - 20, number[4:6]) and int(number) % 11 == 0  # noqa: PLR2004


def ie_pps(number: str) -> bool:
    """A personal public service number: a letter modulo 23, in which a second letter counts nine times."""
    extra = 9 * (ord(number[8]) - ord("A") + 1) if len(number) > 8 and number[8] != "W" else 0  # noqa: PLR2004
    total = weighted(number[:7], range(8, 1, -1)) + extra
    return "WABCDEFGHIJKLMNOPQRSTUV"[total % 23] == number[7]


def ro_cnp(number: str) -> bool:
    """A cod numeric personal: a day of birth, and a check digit modulo 11."""
    rest = weighted(number, (2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9)) % 11
    return is_day(number[1:3], number[3:5], number[5:7]) and _same(1 if rest == 10 else rest, number[12])  # noqa: PLR2004


def kr_rrn(number: str) -> bool:
    """A resident registration number: a day of birth; those given since October 2020 have no check digit."""
    return is_day(number[:2], number[2:4], number[4:6])


def sg_nric(number: str) -> bool:
    """A number of Singapore's identity cards: a letter modulo 11, by the letter in front."""
    total = weighted(number[1:8], (2, 7, 6, 5, 4, 3, 2)) + (4 if number[0] in "TG" else 0)
    letters = "JZIHGFEDCBA" if number[0] in "ST" else "XWUTRQPNMLK"
    return letters[total % 11] == number[8]


def jp_my_number(number: str) -> bool:
    """An individual number of Japan: weights 2 to 7 from the right, modulo 11."""
    rest = weighted(number[10::-1], (2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6)) % 11
    return _same(0 if rest <= 1 else 11 - rest, number[11])


def any_document(number: str) -> bool:
    """A passport's or a driving licence's number, whose forms are too many to check: three digits or more."""
    return sum(character.isdigit() for character in number) >= _DOCUMENT_DIGITS


def unchecked(number: str) -> bool:
    """A number whose form is all that can be checked."""
    del number
    return True


def is_day(year: str, month: str | int, day: str | int) -> bool:
    """Whether there is such a day; a year of two digits may be of any century.

    >>> is_day("00", "02", "29"), is_day("1900", "02", "29")
    (True, False)
    """
    try:
        date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))  # noqa: PLR2004
    except ValueError:
        return False
    return True


def _same(value: int, digit: str) -> bool:
    return str(value) == digit


_NEVER_ISSUED: Final = frozenset({"078051120", "219099999", "123456789", "987654321"})
"""Two that were printed in advertisements (Social Security Administration), and two that everyone types."""
_ITIN_GROUPS: Final = frozenset({*range(50, 66), *range(70, 89), *range(90, 93), *range(94, 100)})
"""Fourth and fifth digit of a taxpayer's number (Internal Revenue Service)."""
_NIE_LETTERS: Final = str.maketrans("XYZ", "012")
_CF_ODD_LETTERS: Final = (
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
)  # fmt: skip
"""Values of A to Z at odd places (D.M. 23 December 1976); 0 to 9 have those of A to J."""
_CF_ODD: Final = (*_CF_ODD_LETTERS[:10], *_CF_ODD_LETTERS)
_CF_EVEN: Final = (*range(10), *range(26))
_DOCUMENT_DIGITS: Final = 3
"""Chosen by hand; German passports hold as few."""
