"""The numbers that states give to persons, by country: their forms and the words that name them.

Forms follow what the issuing offices publish; the words are chosen by hand.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from recollect.text.pii import national_checks as check
from recollect.text.pii.context import NUMBER_END, NUMBER_START, words
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRule:
    """A country's number.

    Attributes:
        name: The country and the number.
        digits: How many digits it has at least.
        form: Its letters, digits and the signs between them.
        check: Whether its letters and digits, in upper case, can be such a number.
        alone: Signs any of which makes its form so special that it counts without words; "*" if it always is.
        named: Words beside it.
    """

    name: str
    digits: int
    form: re.Pattern[str]
    check: Callable[[str], bool]
    alone: str
    named: re.Pattern[str]


def _rule(
    name: str, form: str, passes: Callable[[str], bool], *, digits: int, named: str, alone: str = ""
) -> NumberRule:
    compiled = lazy_regex(NUMBER_START + form + NUMBER_END, re.IGNORECASE | re.ASCII)
    return NumberRule(name=name, digits=digits, form=compiled, check=passes, alone=alone, named=words(named))


_AMERICAS: Final = (
    _rule(
        "US SSN", r"\d{3}([ -]?)\d{2}\1\d{4}", check.us_ssn,
        digits=9, alone="-", named=r"ssn|social security|social|i?tin|tax id",
    ),
    _rule("CA SIN", r"\d{3}([ -]?)\d{3}\1\d{3}", check.ca_sin, digits=9, named="sin|social insurance"),
    _rule(
        "MX CURP", r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z\d]\d", check.mx_curp,
        digits=7, alone="*", named="curp",
    ),
    _rule(
        "BR CPF", r"\d{3}(\.?)\d{3}\1\d{3}-?\d{2}", check.br_cpf, digits=11, alone="-", named="cpf"
    ),
    _rule(
        "CL RUT", r"\d{1,2}(\.?)\d{3}\1\d{3}-[\dK]", check.cl_rut, digits=7, alone=".", named="rut|run"
    ),
)  # fmt: skip
_WEST: Final = (
    _rule(
        "GB NINO", r"(?![DFIQUV])[A-Z](?![DFIOQUV])[A-Z] ?\d\d ?\d\d ?\d\d ?[A-D]", check.gb_nino,
        digits=6, alone="*", named="nino|national insurance|ni (?:number|no)",
    ),
    _rule("GB NHS", r"\d{3}([ -]?)\d{3}\1\d{4}", check.gb_nhs, digits=10, named="nhs"),
    _rule("IE PPS", r"\d{7}[A-W][A-IW]?", check.ie_pps, digits=7, named="ppsn?"),
    _rule(
        "DE Steuer-ID", r"\d{2}( ?)\d{3}\1\d{3}\1\d{3}", check.de_idnr, digits=11, alone=" ",
        named=r"steuer[ -]?id\w*|steuer(?:liche )?identifikationsnummer|id-?nr|tin|tax id",
    ),
    _rule(
        "CH AHV", r"756[ .-]?\d{4}[ .-]?\d{4}[ .-]?\d{2}", check.ch_ahv, digits=13, alone="*", named="ahv|avs"
    ),
    _rule(
        "FR NIR", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d\d|2[AB]) ?\d{3} ?\d{3} ?\d{2}", check.fr_nir,
        digits=14, alone="*",
        named="nir|n\u00b0 ?ss|s[\u00e9e]curit[\u00e9e] sociale|s[\u00e9e]cu|carte vitale",
    ),
    _rule(
        "BE national number", r"\d\d[ .-]?\d\d[ .-]?\d\d[ .-]?\d{3}[ .-]?\d\d", check.be_national,
        digits=11, alone=".-",
        named=r"rijksregister\w*|num[\u00e9e]ro national|registre national|nationaal nummer|insz|niss",
    ),
    _rule(
        "NL BSN", r"\d{4}\.?\d{2}\.?\d{3}", check.nl_bsn,
        digits=9, named="bsn|burgerservice(?:nummer)?|sofi(?:-?nummer)?",
    ),
    _rule("ES DNI", r"\d{8}-?[A-Z]", check.es_dni, digits=8, alone="*", named="dni|nif|documento"),
    _rule("ES NIE", r"[XYZ]-?\d{7}-?[A-Z]", check.es_dni, digits=7, alone="*", named="nie|extranjero"),
    _rule(
        "IT codice fiscale", "[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]",
        check.it_codice_fiscale, digits=2, alone="*", named=r"codice fiscale|cf|c\.f\.",
    ),
)  # fmt: skip
_NORTH_AND_EAST: Final = (
    _rule(
        "SE personnummer", r"(?:19|20)?\d{6}[-+]?\d{4}", check.se_personnummer,
        digits=10, alone="-+", named="personnummer|pnr|samordningsnummer",
    ),
    _rule(
        "NO f\u00f8dselsnummer", r"\d{6} ?\d{5}", check.no_fodselsnummer,
        digits=11, alone="*", named=r"f\u00f8dselsnummer\w*|personnummer\w*|fnr|d-nummer",
    ),
    _rule("DK CPR", r"\d{6}-?\d{4}", check.dk_cpr, digits=10, named="cpr(?:[ -]?nummer|[ -]?nr)?"),
    _rule(
        "FI hetu", r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]", check.fi_hetu,
        digits=9, alone="*", named="hetu|henkil\u00f6tunnus|sotu",
    ),
    _rule("PL PESEL", r"\d{11}", check.pl_pesel, digits=11, named="pesel"),
    _rule(
        "CZ rodn\u00e9 \u010d\u00edslo", r"\d{6}/\d{4}", check.cz_rodne,
        digits=10, alone="/", named=r"rodn\u00e9 \u010d\u00edslo|r\.\u010d\.",
    ),
    _rule("RO CNP", r"[1-9]\d{12}", check.ro_cnp, digits=13, named="cnp|cod numeric personal"),
    _rule("TR kimlik", r"[1-9]\d{10}", check.tr_kimlik, digits=11, named=r"kimlik|tckn|t\.?c\."),
)  # fmt: skip
_ASIA_AFRICA_AUSTRALIA: Final = (
    _rule(
        "IN Aadhaar", r"[2-9]\d{3}([ -]?)\d{4}\1\d{4}(?![ -]\d{4}(?!\d))", check.in_aadhaar,
        digits=12, alone=" -", named="aadh?aa?r|uidai?|\u0906\u0927\u093e\u0930",
    ),
    _rule(
        "IN PAN", r"[A-Z]{3}P[A-Z]\d{4}[A-Z]", check.unchecked,
        digits=4, alone="*", named="pan|permanent account",
    ),
    _rule(
        "CN resident id", r"[1-8]\d{16}[\dX]", check.cn_resident, digits=17, alone="*", named="\u8eab\u4efd"
    ),
    _rule(
        "KR RRN", r"\d{6}-[1-8]\d{6}", check.kr_rrn,
        digits=13, alone="-", named="\uc8fc\ubbfc\ub4f1\ub85d\ubc88\ud638|rrn",
    ),
    _rule(
        "JP My Number", r"\d{4}([ -]?)\d{4}\1\d{4}", check.jp_my_number,
        digits=12, named="\u30de\u30a4\u30ca\u30f3\u30d0\u30fc|\u500b\u4eba\u756a\u53f7",
    ),
    _rule("SG NRIC", r"[STFG]\d{7}[A-Z]", check.sg_nric, digits=7, alone="*", named="nric|fin"),
    _rule("ZA id", r"\d{13}", check.za_id, digits=13, named="sa id|south african id"),
    _rule("AU TFN", r"\d{3}( ?)\d{3}\1\d{3}", check.au_tfn, digits=9, named="tfn|tax file"),
)  # fmt: skip
_DOCUMENT: Final = NumberRule(
    name="passport or licence",
    digits=3,
    form=lazy_regex(NUMBER_START + r"(?=[A-Z\d]{0,8}\d)[A-Z\d]{6,9}" + NUMBER_END, re.ASCII),
    check=check.any_document,
    alone="",
    named=lazy_regex(
        r"(?:passports?|reisepass|passeport|pasaporte|passaporto|paspoort|passaporte|personalausweis"
        r"|driv(?:er'?s?|ing) licen[cs]e|f\u00fchrerschein|permis de conduire|\u62a4\u7167)"
        r"(?:[ -]?(?:number|nummer|no|nr|num|#|n\u00ba|n\u00b0|id|\u53f7\u7801?)\.?)?"
        r"(?: (?:is|ist|was|est|es|\u00e8))?[ :]{0,3}\Z",
        re.IGNORECASE,
    ),
)
"""Its words stand right before it, since its form is any word's with a few digits."""

RULES: Final = (*_AMERICAS, *_WEST, *_NORTH_AND_EAST, *_ASIA_AFRICA_AUSTRALIA, _DOCUMENT)
"""Tried in this order."""
