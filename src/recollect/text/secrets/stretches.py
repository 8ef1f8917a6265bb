"""The first look: the parts of a text in which rules can find a secret at all.

Most texts hold none of the fragments below, and nothing else is done for them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from recollect.text.secrets.links import ABOUT, CLAUSE_STARTS
from recollect.text.secrets.tokens import Token, tokens_of
from recollect.types.regex import lazy_regex


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A part of a text around words that may tell a secret.

    Attributes:
        text: The whole text.
        low: The same in lower case.
        bounds: Where the part begins and ends (exclusive), in characters.
    """

    text: str
    low: str
    bounds: tuple[int, int]

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The part's tokens; made when they are first asked for, as most parts name no secret."""
        return tuple(tokens_of(self.text, self.low, *self.bounds))

    def between(self, first: int, last: int) -> str:
        """The lower-case text from one token to another (both included), as far as there are such."""
        first, last = max(0, first), min(last, len(self.tokens) - 1)
        return self.low[self.tokens[first].start : self.tokens[last].end] if first <= last else ""

    def sentence(self, place: int) -> tuple[int, int]:
        """The first and the last token of the sentence that a token stands in, as far as it is near."""
        first = last = place
        least, most = max(0, place - _SENTENCE), min(len(self.tokens) - 1, place + _SENTENCE)
        while first > least and not self.tokens[first - 1].ends_sentence:
            first -= 1
        while last < most and not self.tokens[last].ends_sentence:
            last += 1
        return first, last

    def after(self, place: int) -> str:
        """The characters behind a token."""
        end = self.tokens[place].end
        return self.text[end : end + _AFTER]

    def ends_clause(self, place: int) -> bool:
        """Whether a clause ends with a token."""
        if self.tokens[place].stop or place + 1 >= len(self.tokens):
            return True
        follower = self.tokens[place + 1]
        gap = self.text[self.tokens[place].end : follower.start]
        return (
            "(" in gap
            or follower.low in CLAUSE_STARTS
            or follower.low in {"-", "\u2013", "\u2014"}
            or not (follower.text[0].isalnum() or follower.text[0] in "'\u2019/@:%&=+*#$[" or follower.quoted)
            or _CHANGED.match(follower.low) is not None
        )

    def ends_description(self, place: int) -> bool:
        """Whether a clause ends with a token, or goes on with what it is for: "the password for the wifi"."""
        return self.ends_clause(place) or self.tokens[place + 1].low in ABOUT


def has_digits(text: str) -> bool:
    """Whether a text holds an ASCII digit."""
    signs = text.encode(errors="ignore")
    return len(signs) != len(signs.translate(None, b"0123456789"))


def may_tell(low: str) -> bool:
    """Whether a lower-case text holds words that a secret without digits can stand beside."""
    searches = _SEARCHES if low.isascii() else _MORE_SEARCHES
    return next((True for search in searches if search(low)), False)


def stretches(text: str, low: str, *, digits: bool) -> Iterator[Stretch]:
    """The parts of a text that may tell a secret, in order, apart from each other.

    Args:
        text: Any words.
        low: The same in lower case.
        digits: Whether it holds digits.
    """
    words = _WORDS if low.isascii() else _WORDS + _ACCENTED
    places = [match.start() for pattern in words for match in pattern.finditer(low)]
    parts = [(place - _BEFORE, place + _BEHIND) for place in places]
    if digits:
        parts += _near_numbers(low)
    for start, end in _merged(parts):
        yield Stretch(text=text, low=low, bounds=(_blank_before(text, start), _blank_behind(text, end)))


def _near_numbers(low: str) -> list[tuple[int, int]]:
    """The parts around numbers that look like codes, where something there opens by a code or sends one."""
    numbers = [match.start() for match in _NUMBER.finditer(low)]
    parts = _merged([(place - _NUMBER_BEFORE, place + _NUMBER_BEHIND) for place in numbers])
    return [(start, end) for start, end in parts if _holds_cue(" " + low[max(0, start) : end])]


def _holds_cue(part: str) -> bool:
    return any(cue in part for cue in _CUES)


def _merged(parts: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    last: tuple[int, int] | None = None
    for start, end in sorted(parts):
        if last is None:
            last = start, end
        elif start <= last[1]:
            last = last[0], max(last[1], end)
        else:
            yield last
            last = start, end
    if last is not None:
        yield last


def _blank_before(text: str, place: int) -> int:
    """Where the word begins that stands at a place; a word of more than a hundred characters is cut."""
    if place <= 0:
        return 0
    begin = max(0, place - _WORD)
    return max(begin, text.rfind(" ", begin, place) + 1, text.rfind("\n", begin, place) + 1)


def _blank_behind(text: str, place: int) -> int:
    behind = _BLANK.search(text, place, place + _WORD)
    return behind.start() if behind else min(len(text), place + _WORD)


_CHANGED: Final = lazy_regex(r"ge(?:änder|setz|nommen|wähl)|umgestellt|ändrat")
"""What a German clause ends with behind its value."""
_AFTER: Final = 24
"""Characters behind a value that are looked at. This and the next are chosen by hand."""
_BEFORE, _BEHIND = 100, 200
"""Characters before and behind a word that may hold the value and what else tells it."""
_NUMBER_BEFORE, _NUMBER_BEHIND = 110, 80
"""The same for a number that may be the value."""
_WORD: Final = 100
_SENTENCE: Final = 40
"""Tokens to either side that a sentence may have; a longer one is cut, so that time grows with length."""
_BLANK: Final = lazy_regex(r"\s")
_WORDS: Final = (
    lazy_regex(
        r"p(?:ass(?!ed|ion|ing\b|eng|age|iv|es\b|ov|é|ant|p?ort\b|ag|ers?by|iert|en\b|ar\b|ad[oa]\b|at|te"
        r"|t\b)|as[wo]|s?sw|w(?:d|\b)|arola\b|et\b(?<=first pet)|in(?:s|code)?\b(?<=\bpin)|hrase"
        r"|ala[bv]ra(?:[ -][scpd]|s?-)|(?<=\bmdp)|err(?<=entsperr))"
    ),
    lazy_regex(r"f(?:rase |(?<=geheimf)r|(?<=sf)r(?:as|[aå]g))"),
    lazy_regex(r"g(?:(?<=\blog)[ -]?[io]n\b|(?<=losung)|(?<=\bse)reta|eheime v|(?<=\binlog)|(?<=de seg)u)"),
    lazy_regex(
        r"w(?:acht[wz]|ord(?:s\b(?:(?<=seed.words)|(?<=llet.words)|(?<=very.words)|(?<=ckup.words))|\b(?:(?<=able.word)|(?<=safe.word)|(?<=code.word)|(?<=cret.word)|(?<=seed.word)"
        r"|(?<=ncel.word)"
        r"|(?<=anic.word)|(?<=ress.word)|(?<=rity.word)))"
        r"|(?<=codew)ort|(?<=tsantw)ort|(?<=[\"'\u201d] is w)hat)"
    ),
    lazy_regex(
        r"k(?:ennw|odord|ontrollf|(?<=unlock)|(?<=fi k)ey|(?<=gangsk)o)|"
        r"v(?:(?<=clav)e\b|(?<=sv)raag|(?<=chav)e\b"
        r"|(?<=destrav)|(?<=\bdév)err)|q(?:(?<=security q)|(?<=secret q)|(?<=desbloq))|/(?<= /) "
    ),
    lazy_regex(r"nha\b(?<=\bs.nha|.\bsnha)"),
    lazy_regex(r"maiden"),
    lazy_regex(r"secur(?<=secur)ity a|secret a"),
    lazy_regex(r"contrase"),
)
"""What stands near secrets without digits and near odd passwords. Patterns begin with a rare letter, which is
what makes them fast: most texts are done in two microseconds."""
_ACCENTED: Final = tuple(map(re.compile, (r"ö(?<=lö)s", r"sécu", r"secrè", r"låses? upp")))
"""The same in texts beyond ASCII."""
_SEARCHES: Final = tuple(pattern.search for pattern in _WORDS)
_MORE_SEARCHES: Final = tuple(pattern.search for pattern in _WORDS + _ACCENTED)
_NUMBER: Final = lazy_regex(
    r"[0-9](?:(?:(?<![\w.,$€£]\w)|(?<=[*#]\w))(?:[0-9]{3,}(?![\d.,]?\d|[\w%€])"
    r"|[0-9]?[-\u2013. ][0-9]{1,2}[-\u2013. ][0-9]|[0-9]{2}[ -][0-9]{3}\b|[0-9]{2}\b|[0-9]{1,3}[a-z]"
    r"|[0-9]?,? [lrgdiesv][eiräöa][a-zö]{2,7}\b)"
    r"|(?<=[a-z!@#$%^&*?+=_.-]\w)|[!@#$%^&*?+=]\w|[a-z0-9]{3,}[-_a-z0-9]{3,})"
)
"""What a code can look like, and the first digit of an odd password."""
_CUES: Final = (
    "new one", "traster", "sicherung", "otp", "puk", "code", "kod", "códig", "codig", "codic", "combo",
    "combi", "kombi", "cvc", "cvv", "prüfz", "cryptogr", "geheim", "digit", "stellig", "chiffres",
    "dígitos", "siffr", "ziffer", "cijfer", "lock", " safe", "vault", " door", " gate", "garage", "alarm",
    "keypad", " key", "keybox", "_key", "suitcase", "airbnb", "tür", "tresor", "schloss", "spind", "porte",
    "portail", "coffre", "cadenas", "casier", "puerta", "caja fuerte", "taquilla", "candado", "dörr",
    "larm", "kassask", "lås", "skåp", "grind", "cofre", "cadeado", "portão", "armário", "portal", "kluis",
    "slot", "deur", "kast", "cassaf", "lucchet", "cancell", "sblocc", "log in", "logged in", "log into",
    "logs in", "sign in", " admin", "'admin", "vpn", "wifi", "wi-fi", "wi fi", "wlan", "router", "@",
    "einlogg", "anmeld", "zugang", "identifiant", "inlog", "usuario", "usuário", "utente", "iphone",
    "entra", "entro", "my phone", "gym", "pw", "psw", "creds", "credenti", "credenz", "laptop", " pc ",
    " pin", "-pin", " tan ", "-tan", " tan:", "etan", "cassett", "antifurt", "banq", "débloq", "desbloq",
    "clef", "wpa", " lift", "ascens", "aufzug", "haustier", "gets ", "get in", " building", " shed", "ww ",
    "token", "secret", "jeton", "clé", " account", "amazon", "netflix", "spotify", "paypal", "disney",
    "steam", "icloud", "outlook", "gmail", "everything", "überall", "partout", " tudo", " tutto", "wallet",
    "connecte", " ordi", "'ordi", "portátil", "datorn", "notebook", "hulu", " hbo", "bancomat", "login",
    "banc", "bank", "cupboard", "pass", "chiave", "chave", "clave", "-p'", " -p",
)  # fmt: skip
"""What stands near codes."""
