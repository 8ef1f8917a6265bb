"""The words that name a secret, or what one opens, in eight languages.

All lists are chosen by hand; ``tests/text/secret_lines.jsonl`` measures them.
"""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from recollect.text.secrets.stretches import Stretch
from recollect.text.secrets.words import DIGIT, SPELLED, any_of, named
from recollect.types.regex import lazy_regex

NameKind = Literal[
    "password", "phrase", "spoken", "answer", "code", "cvc", "key",
    "wifi", "unlock", "open", "lock", "place", "account", "habit", "user", "weak",
    "some code", "sent", "wallet",
]  # fmt: skip
SECRETS: Final = frozenset({"password", "phrase", "spoken", "answer", "code", "cvc", "key"})
"""What a word names: a secret (the first seven), or what a secret opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A word that names a secret, or what one opens.

    Attributes:
        kind: What it names.
        language: Its language, in two letters.
        first: Its first token.
        last: Its last token.
    """

    kind: NameKind
    language: str
    first: int
    last: int


def find_names(stretch: Stretch) -> tuple[Name, ...]:
    """The words of a stretch that name a secret or what one opens, in order."""
    matches = [
        (*_group(match[0]), match.start(), match.end() - 1)
        for match in _NAME.finditer(stretch.low, *stretch.bounds)
        if not stretch.text.startswith(_REMOVED, match.end())
    ]
    groups = {group for group, *_ in matches}
    if groups <= _NUMBERED and not _MIXED.search(stretch.low, *stretch.bounds):
        is_told = "wallet" in groups and _SEEDS.search(stretch.low, *stretch.bounds)
        is_opened = (not groups <= _WEAKEST or groups >= {"weak", "user"}) and _NUMBER.search(
            stretch.low, *stretch.bounds
        )
        if not is_told and not is_opened:
            return ()
    starts = [token.start for token in stretch.tokens]
    found = [
        (group, language, bisect_right(starts, first) - 1, bisect_right(starts, last) - 1)
        for group, language, first, last in matches
    ]
    opened = [(group, first) for group, _, first, _ in found if group in _OPENED]
    return tuple(
        Name(kind=kind, language=language, first=first, last=last)
        for group, language, first, last in found
        if "://" not in (word := stretch.tokens[first].text)
        and not (group == "open" and "_" in word)
        and (kind := _kind(stretch, group, first, last, opened)) is not None
    )


@lru_cache(1024)
def _group(name: str) -> tuple[str, str]:
    """Which of the groups a name is in, and its language."""
    group = next((group for group, pattern in _GROUPS.items() if pattern.fullmatch(name)), "")
    language = next((language for language, parts in _LANGUAGES if parts.search(name)), "en")
    return {"short password": "password", "lock in compounds": "lock"}.get(group, group), language


def _kind(
    stretch: Stretch, group: str, first: int, last: int, opened: list[tuple[str, int]]
) -> NameKind | None:
    """What a group of words names here; None where another word beside it makes it harmless."""
    if stretch.tokens[last].low.endswith(
        ("passwords", "passwörter", "contraseñas", "senhas", "wachtwoorden")
    ):
        return "weak"
    if group in {"password", "phrase"}:
        return None if _NO_PASSWORD.search(stretch.between(last + 1, last + 1)) else cast("NameKind", group)
    if group in {"weak", "wifi key"}:
        harmless = _NO_KEY.search(stretch.between(first - 1, last + 1))
        kinds = _OPENED if group == "weak" else {"wifi", "user"}
        is_named = any(abs(place - first) <= _BESIDE for kind, place in opened if kind in kinds)
        if harmless:
            return None
        return "password" if is_named else "weak" if group == "weak" else None
    word = stretch.tokens[last].low
    if group == "bare" and _COMPOUND_CODE.fullmatch(word):
        return None if _NO_COMPOUND.search(word) else "code"
    if group == "bare":
        sentence = stretch.between(*stretch.sentence(first))
        harmless = _NO_CODE.search(stretch.between(first - 2, last + 2)) or _DISCOUNT.search(sentence)
        if harmless:
            return None
        if any(abs(place - first) <= _AROUND for _, place in opened):
            return "code"
        return "some code" if _CALLED_CODE.match(stretch.tokens[last].low) else None
    if group == "token":
        return "key" if _PROGRAM.search(stretch.between(*stretch.sentence(first))) else None
    return cast("NameKind", group)


def _any(words: Iterable[str]) -> str:
    """An alternation of words; "_" is a blank, a hyphen or nothing."""
    return "|".join(word.replace("_", _BLANK) for word in words)


def _by_first_letters(words: Iterable[str], depth: int = 3) -> str:
    """An alternation of words of which only those with the next letters are tried, which makes it fast."""
    letters: dict[str, list[str]] = {}
    for word in words:
        is_plain = word[:1].isalpha() and word[1:2] not in {"?", "{"}
        letters.setdefault(word[0] if depth and is_plain else "", []).append(word)
    return "|".join(
        f"{letter}(?:{_by_first_letters([word[1:] for word in some], depth - 1)})"
        if letter
        else "|".join(word.replace("_", _BLANK) for word in some)
        for letter, some in letters.items()
    )


_REMOVED: Final = " removed]"
"""What stands for a secret that was masked before, and names no other."""
_AROUND, _BESIDE = 24, 8
"""Tokens to what is opened, which tells that "code" and that "pass" names a secret. Chosen by hand."""
_OPENED: Final = {"lock", "place", "account", "unlock", "wifi", "user"}
_BLANK: Final = "[ -]?"
_WEAKEST: Final = frozenset({"account", "habit", "user", "weak", "wifi key", "wallet"})
"""What is no reason for a mere number."""
_SEEDS: Final = lazy_regex(r"(?:[a-zà-ÿ]{3,9}(?:[ ,]+|\b)){12}")
"""As many words as the shortest seed phrase has (BIP 39)."""
_NUMBERED: Final = _WEAKEST | {"open", "lock", "place", "sent", "bare", "wallet"}
"""What is opened by numbers, or names one."""
_NUMBER: Final = lazy_regex(
    r"[0-9]{3}|[0-9][ .,\u2013-]{1,2}[0-9]|[0-9][*#a-z]|[a-z*#-][0-9]"
    rf"|[0-9],? (?:then|puis|dann|[lrgdiesv][eiräöa][a-zö]{{2,7}}\b)|\b(?:{DIGIT}){SPELLED}"
)
_MIXED: Final = lazy_regex(
    r"[a-z_][!@#$%^&*_.-]?[0-9]|[0-9][a-z]{3}|[a-z]\S*[!@#$%&*]\w|[0-9][ -][0-9][ -][0-9]"
)
_LETTER: Final = r"[^\W\d_]"
_PARTS: Final = named()
_COMPOUNDS: Final = {
    part: _PARTS.pop(part) for part in ("password", "lock in compounds", "code in compounds")
}
_ENDS: Final = _COMPOUNDS["lock in compounds"] + _COMPOUNDS["code in compounds"]
_ENDINGS: Final = "(?:et|en|e|er|es|s|n|as)?"
_NAME: Final = lazy_regex(
    rf"(?<![^\W_])(?:{_by_first_letters(sum(_PARTS.values(), ()))}|token)(?!{_LETTER})"
    rf"|(?<!1)(?:{_by_first_letters([*_PARTS['phrase'], *_COMPOUNDS['password']])}){_ENDINGS}(?!{_LETTER})"
    rf"|(?:{_by_first_letters(_ENDS)})(?!{_LETTER})"
)
_OPENED_WORDS: Final = [
    word for part in ("lock", "place", "wifi", "account", "user") for word in _PARTS[part]
]
OPENED: Final = lazy_regex(rf"(?<![^\W_])(?:{_by_first_letters(_OPENED_WORDS)})(?!{_LETTER})")
"""What a password or a code opens."""
_GROUPS: Final = {
    **{group: lazy_regex(_any(words)) for group, words in _PARTS.items()},
    "token": lazy_regex("token"),
    "password": lazy_regex(f"(?:{_any(_COMPOUNDS['password'])}){_ENDINGS}"),
    "lock in compounds": lazy_regex(_any(_COMPOUNDS["lock in compounds"])),
}
_PROGRAM: Final = lazy_regex(
    r"bot\b|github|api|slack|telegram|discord|client|deploy|\bci\b|auth|curl|app\b|[:=]"
)
_NO_CODE: Final = lazy_regex(rf"\b(?:{any_of('no code')})\b")
"""Beside "code": no secret."""
_COMPOUND_CODE: Final = lazy_regex(rf"(?:{_LETTER}|-)+(?:codes?|kod(?:en|er|erna)?)")
_NO_COMPOUND: Final = lazy_regex(
    r"^(?:\w*\d|product|klant|kund|fel|stre+p|bron|bar|zip|post|area|qr|uni|op|en|de|trans|geo|quell|source|farb|kleur|fout|fehler|korting|rabatt?|gutschein|kurs"
    r"|promo\w*|kassen|waren|land|lander|länder|pseudo|byte|x|vs|lån|färg|strec?k|käll|gen|produkt|artikel|presentkort"
    r"|cheat|morse|kleding|verzeichnis|studien|gemeente|\w*discount|status|country|error|exit|hex|bestell\w*)s?-?[ck]od"
)
"""What makes a compound of "code" no secret."""
_CALLED_CODE: Final = lazy_regex(r"[ck][oó](?:d|mb)")
_DISCOUNT: Final = lazy_regex(
    r"% off|\d ?%|\boff (?:at|your)|checkout|percent|prozent|pour cent|por ciento|procent|descuento"
    r"|desconto|réduction|korting"
)
_NO_PASSWORD: Final = lazy_regex(
    r"\A(?:manager|manag|policy|policies|strength|hint|field|generator|length|page|rules?|requirements?"
    r"|recovery|tests?|hash\w*|sharing|protect\w+|reset\w*|wizard|verwaltung|leak|leaks|breach|prompt|file)\b"
)
_NO_KEY: Final = lazy_regex(rf"\b(?:{any_of('no key')})\b")
"""Beside "pass", "key" and "clave": no secret."""
_LANGUAGES: Final = (
    ("sv", lazy_regex(r"l[öo]s|kod(?:en|ord)|åter|reserv|koder|kod\b")),
    ("pt", lazy_regex(r"senha|snha|sehna|palavra|chave|código")),
    ("it", lazy_regex(r"parola|chiave|codice")),
    ("es", lazy_regex(r"contra|clave|paso|palabra|semilla")),
    ("fr", lazy_regex(r"\bmots?\b|mdp|phrase_|secrète|clé|passe\b|cryptogramme")),
    ("nl", lazy_regex(r"woord|\bww\b|sleutel|zin\b")),
    ("de", lazy_regex(r"wort|satz|schlüssel|geheim|nummer|ziffer|zahl")),
)
"""What tells a name's language; any other is English."""
