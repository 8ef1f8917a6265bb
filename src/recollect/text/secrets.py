"""Credentials in a text: found by the formats their issuers publish, and masked.

Precision comes first: only what hashes, ids, code and ordinary talk do not look like is found. A password
of one plain word is found where it is told as one and ends its clause (``recollect.text.plain_passwords``);
one of several plain words only in quotes. Names beside values ("password:", "api key =") are English, for
passwords also German, French and Spanish. A pattern is tried only when one of its telling fragments is in
the text; it starts at a fixed word and repeats within bounds, so that time grows with length.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal

from recollect.text.plain_passwords import find_plain_passwords

SecretKind = Literal["private key", "api key", "access token", "password", "payment card"]
"""What a secret is: keys and tokens by format or name, passwords by the words around them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A credential in a text.

    Attributes:
        kind: What it is.
        start: Where it begins, in characters; the name before it is not part of it.
        end: Where it ends (exclusive).
    """

    kind: SecretKind
    start: int
    end: int


def find_secrets(text: str) -> tuple[Secret, ...]:
    """The credentials in a text, in order; those that overlap are one, of the first one's kind.

    >>> find_secrets("my password is hunter2!")
    (Secret(kind='password', start=15, end=23),)
    >>> find_secrets("my password is wrong")
    ()
    """
    hints = text.lower()
    if not _may_hold_any(text, hints):
        return ()
    return tuple(_merged(sorted(_candidates(text, hints), key=lambda secret: (secret.start, -secret.end))))


def mask_secrets(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with each credential replaced by what it was, and the kinds found, each once.

    >>> mask_secrets("my password is hunter2!")
    ('my password is [password removed]', ('password',))
    """
    secrets = find_secrets(text)
    parts, end = [], 0
    for secret in secrets:
        parts += [text[end : secret.start], f"[{secret.kind} removed]"]
        end = secret.end
    return "".join([*parts, text[end:]]), tuple(dict.fromkeys(secret.kind for secret in secrets))


def _may_hold_any(text: str, hints: str) -> bool:
    for fragment in _FRAGMENTS:  # a loop, because any() with a generator takes twice as long
        if fragment in hints:
            return True
    return _HAS_DIGITS(text) is not None


def _candidates(text: str, hints: str) -> Iterator[Secret]:
    for rule in _RULES:
        if not rule.fragments or any(fragment in hints for fragment in rule.fragments):
            for match in rule.pattern.finditer(text):
                start, end = match.span(match.lastindex or 0)
                if rule.check(text[start:end], text[end : end + _AFTER]):
                    yield Secret(kind=rule.kind, start=start, end=end)
    if any(fragment in hints for fragment in _PASSWORD_FRAGMENTS):
        for start, end in find_plain_passwords(text):
            yield Secret(kind="password", start=start, end=end)


def _merged(secrets: list[Secret]) -> Iterator[Secret]:
    last: Secret | None = None
    for secret in secrets:
        if last is None:
            last = secret
        elif secret.start < last.end:
            last = Secret(kind=last.kind, start=last.start, end=max(last.end, secret.end))
        else:
            yield last
            last = secret
    if last is not None:
        yield last


_AFTER: Final = 24
"""Characters after a value that its check may look at. Chosen by hand: about three words."""
_HAS_DIGITS: Final = re.compile(r"[0-9]{4}[ -]?[0-9]{4}").search
"""What every payment card holds."""

_RANDOM_RUN: Final = re.compile(r"[A-Za-z0-9]{12,}")
_PLACEHOLDER: Final = re.compile(
    r"[$%]?[{<\[(].*|\$\w+|%\w+%"  # ${PASSWORD}, <password>, [password removed], $PASSWORD
    r"|(.)\1+\W*"  # ********
    r"|\w+[(\[].*|[A-Za-z_]+(?:\.[A-Za-z_]+)+\S*"  # getpass(), Optional[str], os.environ["X"]
    r"|[a-z_]*(?:password|passwd|passwort|passphrase|passcode|pwd|kennwort)[a-z_]*",  # password=db_password
    re.IGNORECASE | re.DOTALL,
)
_CARD_NUMBERS: Final = (
    ("2221", "2720", {16}),  # Mastercard
    ("3000", "3059", {14}),  # Diners Club
    ("3400", "3499", {15}),  # American Express
    ("3528", "3589", {16}),  # JCB
    ("3600", "3699", {14}),  # Diners Club
    ("3700", "3799", {15}),  # American Express
    ("3800", "3899", {14}),  # Diners Club
    ("4000", "4999", {16, 19}),  # Visa
    ("5100", "5599", {16}),  # Mastercard
    ("6011", "6011", {16, 19}),  # Discover
    ("6200", "6299", {16, 19}),  # UnionPay
    ("6440", "6599", {16, 19}),  # Discover
)
"""First and last four digits in use, and lengths, by network (ranges as the networks publish them)."""
_NOT_PASSWORDS: Final = frozenset(
    """
    bool bytes changed char empty encrypted expired false hashed here hidden incorrect input invalid
    missing no none null optional required reset secret secure str string strong text true undefined
    unknown unset varchar weak wrong yes your
    abgelaufen erforderlich falsch geheim gelöscht geändert keins keines leer nein unbekannt ungültig
    vergessen verschlüsselt
    """.split()  # noqa: SIM905 - words read better than forty strings
)
"""What stands after "password:" in talk, forms and code. Chosen by hand."""
_PROSE_AFTER: Final = re.compile(r"[ \t]+[A-Za-z]")
_DESCRIPTION_AFTER: Final = re.compile(
    r"[ -](?:or more |random )?(?:char|letter|digit|symbol|bit|word|month|day|year|encrypt|hash)",
    re.IGNORECASE,
)
_OWNS: Final = re.compile(r"'(?:s|d|ll|re|ve|m|t)\b", re.IGNORECASE)
"""The end of a word that is no quotation: "Ada's birthday"."""
_ODD_CHARACTER: Final = re.compile(r"\d|\w[!@#$%^&*+=~?/]\w|[a-z][A-Z]")


def _always(value: str, after: str) -> bool:
    del value, after
    return True


def _is_random(value: str, after: str = "") -> bool:
    """A long run of letters and digits, as generators make it and people do not."""
    del after
    return any(_mixes(run) for run in _RANDOM_RUN.findall(value))


def _mixes(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _is_named_key(value: str, after: str) -> bool:
    del after
    return _mixes(value) and not _PLACEHOLDER.fullmatch(value)


def _is_assigned(value: str, after: str) -> bool:
    """A value after "password:" or "password=" that is neither a placeholder, a type nor prose."""
    word = value.strip(".,;:!?").lower()
    if word in _NOT_PASSWORDS or _PLACEHOLDER.fullmatch(value):
        return False
    return not (word.isalpha() and _PROSE_AFTER.match(after))


def _is_told(value: str, after: str) -> bool:
    """A value after "password is" that no sentence would go on with, or that is quoted."""
    if after[:1] in {'"', "'"} and not _OWNS.match(after):
        return value.lower() not in _NOT_PASSWORDS
    if "://" in value or _DESCRIPTION_AFTER.match(after):
        return False
    return _ODD_CHARACTER.search(value) is not None


def _is_url_password(value: str, after: str) -> bool:
    del after
    return value.lower() not in {"pass", "secret"} and not _PLACEHOLDER.fullmatch(value)


def _is_card(value: str, after: str) -> bool:
    """Prefix and length as issued (ISO/IEC 7812), and the Luhn sum."""
    del after
    digits = [int(c) for c in value if c.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0 and _is_issued("".join(map(str, digits)))


def _is_issued(digits: str) -> bool:
    return any(low <= digits[:4] <= high and len(digits) in lengths for low, high, lengths in _CARD_NUMBERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """A format: its pattern, whose last group is the secret (without groups, the whole match)."""

    kind: SecretKind
    fragments: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str, str], bool] = _always


_NAME: Final = r"(?i:passw(?:or[dt]|d)|passphrase|passcode|pwd|kennwort|mot de passe|contrase[n\u00f1]a)"
_PASSWORD_FRAGMENTS: Final = ("pass", "pwd", "kennwort", "contrase")
_VALUE: Final = r"""(?:"([^"\n]{3,256})"|'([^'\n]{3,256})'|([^\s"'`,;<>]{3,256}))"""
_ASSIGN: Final = r"""["']?\s{0,3}(?::=|=>|==?|:)\s{0,3}"""
_BASE64_LINE: Final = r"(?:\\[nr]|\s){1,8}[A-Za-z0-9+/=]"

_RULES: Final = (
    _Rule(
        kind="private key",
        fragments=("-----begin ",),
        pattern=re.compile(
            r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:(?:\\[nr]|\s){1,8}[A-Za-z-]{1,20}: [^\n\\]{1,100}){0,5}"
            rf"{_BASE64_LINE}{{24,}}(?:{_BASE64_LINE}{{16,}}){{0,2000}}"
            rf"(?:(?:{_BASE64_LINE}{{1,15}})?(?:\\[nr]|\s){{0,8}}-----END [A-Z0-9 ]{{1,60}}-----)?"
        ),
    ),
    _Rule(
        kind="api key",
        fragments=("akia", "asia"),
        pattern=re.compile(r"(?<![A-Za-z0-9+/])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9+/])"),
    ),
    _Rule(
        kind="api key",
        fragments=("_", "sk-", "pypi-"),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_+/-])(?:sk-[A-Za-z0-9_-]{20,300}|pypi-AgE[A-Za-z0-9_-]{60,300}"
            r"|whsec_[A-Za-z0-9+/]{24,100})"
        ),
        check=_is_random,
    ),
    _Rule(
        kind="api key",
        fragments=("_", "aiza", "gocspx-"),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_+/-])(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28}|npm_[A-Za-z0-9]{36}"
            r"|hf_[A-Za-z0-9]{34})(?![A-Za-z0-9_-])"
        ),
    ),
    _Rule(
        kind="api key",
        fragments=("_",),
        pattern=re.compile(r"(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}"),
        check=_is_random,
    ),
    _Rule(
        kind="access token",
        fragments=("_", "glpat-"),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_+/-])(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255}"
            r"|glpat-[A-Za-z0-9_-]{20,255}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?)"
        ),
    ),
    _Rule(
        kind="access token",
        fragments=("xox", "xapp-", "slack.com/"),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_+/-])(?:xox[abeoprs]-[0-9]{1,15}-[A-Za-z0-9-]{10,250}"
            r"|xapp-[0-9]-[A-Za-z0-9-]{20,250})|hooks\.slack\.com/services/"
            r"(T[A-Z0-9]{6,15}/B[A-Z0-9]{6,15}/[A-Za-z0-9]{20,40})"
        ),
    ),
    _Rule(
        kind="access token",
        fragments=("eyj",),
        pattern=re.compile(
            r"(?<![A-Za-z0-9_+/-])eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{16,1000}"
        ),
    ),
    _Rule(
        kind="access token",
        fragments=("bearer",),
        pattern=re.compile(r"(?i:\bbearer)\s{1,3}([A-Za-z0-9._~+/-]{16,4000}={0,2})"),
        check=_is_random,
    ),
    _Rule(
        kind="api key",
        fragments=("key", "token", "secret"),
        pattern=re.compile(
            r"(?i:(?:api|secret|access|account|private|signing)[ _-]?key"
            r"|(?:access|auth|api|refresh)[ _-]?token|client[ _-]?secret)"
            rf"{_ASSIGN}[\"']?([A-Za-z0-9_~+/.-]{{16,512}}={{0,2}})"
        ),
        check=_is_named_key,
    ),
    _Rule(
        kind="password",
        fragments=_PASSWORD_FRAGMENTS,
        pattern=re.compile(rf"{_NAME}{_ASSIGN}{_VALUE}"),
        check=_is_assigned,
    ),
    _Rule(
        kind="password",
        fragments=_PASSWORD_FRAGMENTS,
        pattern=re.compile(
            rf"{_NAME}(?i:(?:[ \t]{{1,3}}(?:for|to|of|on|at|fürs?|vo[nm]|zu[mr]|de[rs]|du|del?|pour|para)"
            r"(?:[ \t]{1,3}[\w.'@-]{1,40}){1,5}?)?)"
            r"[ \t]{1,3}(?i:is|was|ist|war|lautet|est|était|es|era)"
            r"(?:[ \t]{1,3}(?i:now|still|jetzt|noch))?:?[ \t]{1,3}"
            r"""(?:"([^"\n]{3,128})"|'([^'\n]{3,128})'|([^\s"'`,;<>]{3,127}[^\s"'`,;<>.?)]))"""
        ),
        check=_is_told,
    ),
    _Rule(
        kind="password",
        fragments=("pin",),
        pattern=re.compile(
            r"\b(?i:pin)(?: (?i:code|number))?(?: (?i:is|was|ist|war|lautet|est|es)|\s?[:=])\s{1,3}"
            r"([0-9]{4})(?![\w-])"
        ),
    ),
    _Rule(
        kind="password",
        fragments=("://",),
        pattern=re.compile(r"(?<=://)[^\s/:@]{0,64}:([^\s/@]{1,128})@[\w\[]"),
        check=_is_url_password,
    ),
    _Rule(
        kind="payment card",
        fragments=(),
        pattern=re.compile(
            r"(?<![\w.])([0-9]{4}([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4}|[0-9]{4}([ -])[0-9]{6}\3[0-9]{4,5}"
            r"|[0-9]{14,16}|[0-9]{19})(?!\w|[ -][0-9]{4}\b)"
        ),
        check=_is_card,
    ),
)
_FRAGMENTS: Final = tuple(dict.fromkeys(fragment for rule in _RULES for fragment in rule.fragments))
