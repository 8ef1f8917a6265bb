"""Credentials by the formats their issuers publish, and by the names that programs give them."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from recollect.text.secrets.placeholders import is_placeholder
from recollect.text.secrets.spans import Secret, SecretKind, masked, merged
from recollect.text.secrets.tokens import has_digits, lowered
from recollect.types.regex import lazy_regex


def mask_formats(text: str) -> str:
    """The text with credentials of known formats masked: keys, tokens, passwords in addresses and commands.

    ``mask_secrets`` finds all of these and more, but takes several times as long to load.

    >>> mask_formats("deploy with AKIAIOSFODNN7EXAMPLE, my password is hunter2!")
    'deploy with [api key removed], my password is hunter2!'
    """
    low, digits = lowered(text), has_digits(text)
    return masked(text, merged(find_formats(text, low, digits=digits, has_key=digits)))


def find_formats(text: str, low: str, *, digits: bool, has_key: bool) -> Iterator[Secret]:
    """The credentials of a known format, in no order.

    Args:
        text: Any words.
        low: The same in lower case.
        digits: Whether it holds digits; all but passwords in addresses and commands do.
        has_key: Whether it holds a word with digits that is long enough for a key.
    """
    for marker, rules in (_RULES if has_key else _WITHOUT_KEY).items():
        if marker in low:
            for rule in rules:
                yield from (_whole(text, secret) for secret in _by(rule, text, low))
    if digits:
        yield from _cards(text)
    if has_key:
        yield from (_whole(text, secret) for secret in _named(text, low))


def _named(text: str, low: str) -> Iterator[Secret]:
    """What stands behind "key", "token" or "secret": nearly anything behind a name such as "api key"."""
    for name in _NAMES:
        place = low.find(name)
        while place >= 0:
            match = _BEHIND_NAME.match(text, place + len(name))
            if match and not is_placeholder(match["value"]):
                is_whole = _WHOLE_NAME.search(low, max(0, place - 10), place) and match["sign"].strip()
                if _is_generated(match["value"]) or (is_whole and _mixes(match["value"])):
                    yield Secret(kind="api key", start=match.start("value"), end=match.end("value"))
            place = low.find(name, place + len(name))


def _by(rule: "_Rule", text: str, low: str) -> Iterator[Secret]:
    for fragment in rule.fragments:
        place = low.find(fragment)
        while place >= 0:
            match = rule.pattern.match(text, place)
            if match and rule.check(value := match[match.lastindex or 0]):
                end = match.end(match.lastindex or 0)
                yield Secret(kind=rule.kind, start=end - len(value), end=end)
            place = low.find(fragment, match.end() if match else place + 1)


def _whole(text: str, secret: Secret) -> Secret:
    """A key or a token with what hangs on to it, so that no half of it stays."""
    if secret.kind not in {"api key", "access token"}:
        return secret
    number = (
        _BOT.search(text, max(0, secret.start - _NEAR), secret.start) if text[secret.start] == ":" else None
    )
    rest = _REST.match(text, secret.end)
    return Secret(
        kind=secret.kind,
        start=number.start() if number else secret.start,
        end=rest.end() if rest else secret.end,
    )


def _cards(text: str) -> Iterator[Secret]:
    """Payment cards, their dates, and the numbers on their backs."""
    if _CARD_DIGITS not in text.encode(errors="ignore").translate(_ZEROS, b" -"):
        return
    for match in _RECOVERY.finditer(text):
        yield Secret(kind="code", start=match.start(), end=match.end())
    for match in _CARD.finditer(text):
        if _is_card(match[0]) or _is_called_card(text, match):
            yield Secret(kind="payment card", start=match.start(), end=match.end())
            if date := _CARD_DATE.search(text, match.end(), match.end() + _BACK):
                yield Secret(kind="code", start=date.start(), end=date.end())
            if check := _CARD_CHECK.search(text, match.end(), match.end() + _BACK):
                yield Secret(kind="code", start=check.start(), end=check.end())


def _is_called_card(text: str, match: re.Match[str]) -> bool:
    """Whether a number of a card's prefix and length, with another Luhn sum, is written or called as one."""
    digits = "".join(filter(str.isdecimal, match[0]))
    begin, end = max(0, match.start() - _NEAR), match.end() + _NEAR
    return _is_issued(digits) and _CALLED_CARD.search(text, begin, end) is not None


def _always(value: str) -> bool:
    del value
    return True


def _is_random(value: str) -> bool:
    """A long run of letters and digits, as generators make it and people do not."""
    return any(_mixes(run) for run in _RANDOM_RUN.findall(value))


def _mixes(value: str) -> bool:
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def _is_generated(value: str) -> bool:
    """Small letters, capitals and digits in one long run: no hash, no identifier of a program."""
    return any(_mixes(run) and run.lower() != run != run.upper() for run in _LONG_RUN.findall(value))


def _is_typed(value: str) -> bool:
    """Whether a command's argument is a password rather than a variable or a port."""
    return not is_placeholder(value) and len(value) > 2 and value not in _ARGUMENTS  # noqa: PLR2004


def _is_assigned(value: str) -> bool:
    """Whether a value in settings or a command is a password rather than what stands for one."""
    return not is_placeholder(value) and value.lower() not in _TYPES and _PATH.match(value) is None


def _is_typed_key(value: str) -> bool:
    """Whether a value in JSON is a password rather than a label or a type."""
    return _is_assigned(value) and _mixes(value)


def _is_secret(value: str) -> bool:
    return value.lower() not in {"pass", "secret"} and not is_placeholder(value)


def _is_card(value: str) -> bool:
    """Prefix and length as issued (ISO/IEC 7812), and the Luhn sum."""
    digits = [int(c) for c in value if c.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return (sum(doubled) + sum(digits[-1::-2])) % 10 == 0 and _is_issued("".join(map(str, digits)))


def _is_issued(digits: str) -> bool:
    return any(low <= digits[:4] <= high and len(digits) in lengths for low, high, lengths in _CARD_NUMBERS)


class _Rule(NamedTuple):
    """A format: how it begins, and its pattern, whose last group is the secret (else the whole match)."""

    kind: SecretKind
    fragments: tuple[str, ...]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] = _always


_ZEROS: Final = bytes(ord("0") if chr(code).isdecimal() else code for code in range(128)) + bytes(
    range(128, 256)
)
_CARD_DIGITS: Final = b"0" * 14
"""The digits of the shortest card (Diners Club), without blanks and hyphens, each as a zero."""
_CARD: Final = lazy_regex(
    r"(?<![\w.])(?:[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|[0-9]{4}([ -])[0-9]{6}\2[0-9]{4,5}"
    r"|[0-9]{14,16}|[0-9]{19})(?!\w|[ -][0-9]{4}\b)"
)
_RECOVERY: Final = lazy_regex(r"(?<![\w-])[0-9]{6}(?:-[0-9]{6}){7}(?![\w-])")
"""A recovery key of BitLocker."""
_BOT: Final = lazy_regex(r"(?<![0-9])[0-9]{6,12}\Z")
"""The number of a bot before its token."""
_REST: Final = lazy_regex(r"[\w!@#$%^*?+=/~-]*(?<![?!])")
_NEAR: Final = 40
"""Characters beside a number that may call it a card's. Chosen by hand."""
_CALLED_CARD: Final = lazy_regex(
    r"(?i)visa|mastercard|amex|(?:credit|debit|bank|my|the)[ -]card|\bcard\b|karte\b"
    r"|carte\b|tarjeta|cart[ãa]o|carta\b|kaart\b|kort(?:et|nummer)?\b|\bcv[cv]|\b(?:0\d|1[0-2])/\d\d\b"
)
_BACK: Final = 70
"""Characters behind a card's number that may hold the number on its back. Chosen by hand."""
_CARD_DATE: Final = lazy_regex(r"(?<![\d/])(?:0[1-9]|1[0-2]) ?[/-] ?(?:20)?\d\d(?![\d/])")
"""Behind a card's number: the month it ends in."""
_CARD_CHECK: Final = lazy_regex(
    r"(?<![\d/.:,$€£-])(?:(?<=/\d\d )|(?<!\d ))\b\d{3,4}(?<!\b20\d\d)"
    r"(?!\w|[/:%€$£-]|[.,]\d| \d| ?(?:euros?|eur|usd|dollars?|pounds?|kr|pesos)\b)"
)
"""Behind a card's number: the number on its back, which is no year and no amount."""
_RANDOM_RUN: Final = lazy_regex(r"[A-Za-z0-9]{12,}")
_LONG_RUN: Final = lazy_regex(r"[A-Za-z0-9]{16,}")
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
_NAMES: Final = ("key", "token", "secret", "schlüssel", "clave", "chave", "clé", "nyckel")
_WHOLE_NAME: Final = lazy_regex(r"(?:api|secret|access|account|private|signing|auth|refresh|client)[ _-]?\Z")
_BEHIND_NAME: Final = lazy_regex(
    r"(?:n\b)?(?P<sign>[\"']?\s{0,3}(?::=|=>|==?|:|->)\s{0,3}|\s(?:is|ist|est|es|är|é)\s|\s)"
    r"[\"'`]?(?P<value>[A-Za-z0-9_~+/.-]{16,512}={0,2})"
)
_VALUE: Final = r"['\"]?([^\s'\"|<>-][^\s'\"|<>]{0,100})"
_USER: Final = r"['\"]?[\w.@-]+:"
_TYPES: Final = frozenset(
    {
        "true",
        "false",
        "none",
        "null",
        "changeme",
        "required",
        "optional",
        "string",
        "secret",
        "reset",
        "example",
    }
    | {"forgot", "lambda", "passed", "failed", "enabled", "disabled"}
)
_PATH: Final = lazy_regex(r"[/~.]|[A-Za-z]:[\\/]|(?:file|env|https?):")
_ARGUMENTS: Final = frozenset({"ort", "rotocol", "password", "the", "and", "asks", "for"})
_BASE64_LINE: Final = r"(?:\\[nr]|\s){1,8}[A-Za-z0-9+/=]"
_PRIVATE_KEY: Final = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:(?:\\[nr]|\s){1,8}[A-Za-z-]{1,20}: [^\n\\]{1,100}){0,5}"
    rf"{_BASE64_LINE}{{24,}}(?:{_BASE64_LINE}{{16,}}){{0,2000}}"
    rf"(?:(?:{_BASE64_LINE}{{1,15}})?(?:\\[nr]|\s){{0,8}}-----END [A-Z0-9 ]{{1,60}}-----)?"
)
_ALONE: Final = r"(?<![A-Za-z0-9_+/-])"
_FORMATS: Final[tuple[tuple[str, SecretKind, str, str, Callable[[str], bool]], ...]] = (
    ("", "api key", "akia asia", r"(?<![A-Za-z0-9+/])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9+/])", _always),
    ("", "api key", "pypi-age", _ALONE + r"pypi-AgE[A-Za-z0-9_-]{60,300}", _is_random),
    ("", "api key", "aiza", _ALONE + r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", _always),
    ("", "api key", "sg.", _ALONE + r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,60}", _always),
    ("", "access token", "xox", _ALONE + r"xox[abeoprs]-[0-9]{1,15}-[A-Za-z0-9-]{10,250}", _always),
    (
        "", "access token", "hooks.slack.com/",
        r"hooks\.slack\.com/services/(T[A-Z0-9]{6,15}/B[A-Z0-9]{6,15}/[A-Za-z0-9]{20,40})", _always,
    ),
    ("", "access token", "hvs.", _ALONE + r"hvs\.[A-Za-z0-9_-]{24,300}", _always),
    ("", "access token", "ya29.", _ALONE + r"ya29\.[A-Za-z0-9_-]{20,500}", _always),
    ("", "access token", ":aa", r"(?<=[0-9]{8}):AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])", _always),
    (
        "", "access token", "eyj",
        _ALONE + r"eyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]{6,1000}", _always,
    ),
    ("", "access token", "bearer", r"(?i:\bbearer)\s{1,3}([A-Za-z0-9._~+/-]{16,4000}={0,2})", _is_random),
    ("-", "private key", "age-secret-key-1", _ALONE + r"AGE-SECRET-KEY-1[A-Z0-9]{58}", _always),
    ("-", "api key", "sk-", _ALONE + r"sk-[A-Za-z0-9_-]{20,300}", _is_random),
    ("-", "api key", "gocspx-", _ALONE + r"GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])", _always),
    ("-", "access token", "glpat-", _ALONE + r"glpat-[A-Za-z0-9_-]{20,255}(?:\.[0-9a-z.]{12})?", _always),
    ("-", "access token", "xapp-", _ALONE + r"xapp-[0-9]-[A-Za-z0-9-]{20,250}", _always),
    ("-----b", "private key", "-----begin ", _PRIVATE_KEY, _always),
    ("@", "password", ":", r"(?<=[A-Za-z0-9]):([^\s/:@]{4,64})@[\w-]+\.\w", _mixes),
    (
        "=", "password", "pass= password= passwd= pwd= passphrase=",
        r"(?i:(?<![a-z])pass|password|passwd|pwd|passphrase)=['\"]?([^\s'\"|<>&;,]{4,100})", _is_assigned,
    ),
    (
        '":', "password", 'pass" password" passwd" pwd"',
        r'\w+"\s{0,3}:\s{0,3}"([^"\s]{4,100})"', _is_typed_key,
    ),
    ("://", "password", "://", r"(?<=[A-Za-z0-9])://[^\s/:@]{0,64}:([^\s/]{1,128})@[\w\[]", _is_secret),
    ("_", "api key", "whsec_", _ALONE + r"whsec_[A-Za-z0-9+/]{24,100}", _is_random),
    ("_", "api key", "npm_ r8_", _ALONE + r"(?:npm_|r8_)[A-Za-z0-9]{36,37}(?![A-Za-z0-9_-])", _always),
    ("_", "api key", "hf_", _ALONE + r"hf_[A-Za-z0-9]{30,40}(?![A-Za-z0-9_-])", _always),
    ("_", "api key", "sk_ rk_", r"(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}", _is_random),
    (
        "_", "api key", "gsk_ xai- pplx- lin_api_ ntn_ dapi dckr_pat_ sbp_ key-",
        _ALONE + r"(?:gsk_|xai-|pplx-|lin_api_|ntn_|dapi|dckr_pat_|sbp_|key-)[\w-]{30,200}", _is_random,
    ),
    (
        "_", "access token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        _ALONE + r"(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{22,255})", _always,
    ),
    ("_", "access token", "doo_v1_ dop_v1_ dor_v1_ dot_v1_", _ALONE + r"do[oprt]_v1_[a-f0-9]{64}", _always),
    (
        "_", "access token", "shpat_ shpca_ shppa_ shpss_",
        _ALONE + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}", _always,
    ),
    (" -p", "password", "sshpass docker", r"(?:sshpass|docker l)[^\n|]{0,80}? -p ?" + _VALUE, _is_typed),
    (" -p", "password", "mysql mariadb mongo", r"m(?:ysql|ariadb|ongo)[^\n|]{0,80}? -p" + _VALUE, _is_typed),
    (" -a ", "password", "redis-cli", r"redis-cli\b[^\n|]{0,60}? -a " + _VALUE, _is_typed),
    (" -u", "password", "curl wget", rf"(?:curl|wget)[^\n|]{{0,99}}? -u ?{_USER}{_VALUE}", _is_typed),
    (" --", "password", "--pass --token", r"--(?:pass(?:word|wd|phrase)?|token)[= ]" + _VALUE, _is_typed),
    (" --", "password", "--user", rf"--user[= ]{_USER}{_VALUE}", _is_typed),
    (" /user:", "password", "/user:", r"/user:\S+ " + _VALUE, _is_typed),
)  # fmt: skip
"""What a text of the format holds; its kind; how it begins; its pattern, whose last group is the secret, else
the whole match; and what the secret must pass."""
_RULES: Final = {
    marker: tuple(
        _Rule(
            kind=kind,
            fragments=tuple(fragments.split()),
            pattern=lazy_regex(pattern),
            check=check,
        )
        for holds, kind, fragments, pattern, check in _FORMATS
        if holds == marker
    )
    for marker, *_ in _FORMATS
}
_WITHOUT_KEY: Final = {
    marker: _RULES[marker]
    for marker in ("-----b", "=", '":', "@", "://", " -p", " -a ", " -u", " --", " /user:")
}
