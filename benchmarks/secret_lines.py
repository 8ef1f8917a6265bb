"""Are secrets masked in everyday words, and nothing else? A part of ``python -m benchmarks.pii``."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from recollect.text.secrets import find_secrets

SECRET_LINES: Final = Path(__file__).parent.parent / "tests" / "text" / "secret_lines.jsonl"

HOW_SECRETS: Final = (
    "Secrets: everyday lines in eight languages, half of them with passwords, codes or keys, half with what "
    "only looks like them, by several authors; most had not read the code. Masked is a secret of which "
    "every character is masked; a false alarm is a harmless line in which anything is; cut are the lines in "
    "which more than the secrets is masked. The tagger was trained on all parts but the thirteenth: "
    "one reader's texts with numbers, 228 harmless and 100 with codes in passing; "
    "`scripts/build_secrets.py --authors` trains without one of them at a time. detect-secrets 1.5 "
    "stands beside them, where it is installed, with its default plugins: on strings (`scan_line`), where "
    "its entropy plugins look at every word, and with these left out."
)

Places: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretLine:
    """A labelled line.

    Attributes:
        part: Which author wrote it: "tune", "second" to "thirteenth"; one wrote the fifth to the seventh.
        language: Its language, in two letters.
        text: What it says.
        secrets: Where its secrets stand; none in a harmless line.
    """

    part: str
    language: str
    text: str
    secrets: Places


Find: TypeAlias = Callable[[str], Places]


def load_secret_lines(path: Path = SECRET_LINES) -> tuple[SecretLine, ...]:
    """The lines of a file, in its order."""
    return tuple(_line(json.loads(row)) for row in path.read_text(encoding="utf-8").splitlines())


def _line(row: dict[str, Any]) -> SecretLine:
    places, end = [], 0
    for secret in row["secret"]:
        start = row["text"].index(secret, end)
        end = start + len(secret)
        places.append((start, end))
    return SecretLine(part=row["part"], language=row["language"], text=row["text"], secrets=tuple(places))


def by_rules(text: str) -> Places:
    """What ``find_secrets`` finds."""
    return tuple((secret.start, secret.end) for secret in find_secrets(text))


def secret_figures(lines: Sequence[SecretLine], find: Find = by_rules) -> dict[str, Any]:
    """How much is masked of the secrets, and what else is."""
    told = [line for line in lines if line.secrets]
    harmless = [line for line in lines if not line.secrets]
    covered = {line: _characters(find(line.text)) for line in lines}
    secrets = [(line, _characters([place])) for line in told for place in line.secrets]
    masked = sum(place <= covered[line] for line, place in secrets)
    alarms = sum(bool(covered[line]) for line in harmless)
    return {
        "lines": len(lines),
        "secrets": len(secrets),
        "masked": masked,
        "recall": round(masked / len(secrets), 3) if secrets else None,
        "harmless": len(harmless),
        "false_alarms": alarms,
        "false_alarm_share": round(alarms / len(harmless), 3) if harmless else None,
        "cut": sum(_cuts(line, covered[line]) for line in told),
    }


def _cuts(line: SecretLine, covered: frozenset[int]) -> bool:
    """Whether letters or digits beside the secrets are masked."""
    return any(line.text[place].isalnum() for place in covered - _characters(line.secrets))


def _characters(places: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(place for start, end in places for place in range(start, end))


def run_secrets() -> dict[str, dict[str, Any]]:
    """The figures of each part, by each search that is installed; and of each language by the rules."""
    lines = load_secret_lines()
    parts = {
        part: [line for line in lines if line.part == part] for part in dict.fromkeys(x.part for x in lines)
    }
    return {part: _compared(some) for part, some in parts.items()}


def _compared(lines: Sequence[SecretLine]) -> dict[str, Any]:
    languages = dict.fromkeys(line.language for line in lines)
    return {
        "rules": secret_figures(lines),
        "languages": {
            language: secret_figures([line for line in lines if line.language == language])
            for language in languages
        },
        **{name: secret_figures(lines, find) for name, find in _detect_secrets().items()},
    }


def _detect_secrets() -> dict[str, Find]:
    """The searches of detect-secrets; none where it is not installed."""
    try:
        from detect_secrets.core.scan import scan_line  # type: ignore[import-not-found,unused-ignore]
        from detect_secrets.settings import default_settings  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return {}

    def find(text: str, *, entropy: bool) -> Places:
        with default_settings():
            found = [one for row in text.split("\n") for one in scan_line(row)]
        values = [one.secret_value or "" for one in found if entropy or "Entropy" not in one.type]
        return tuple((at, at + len(value)) for value in values if value and (at := text.find(value)) >= 0)

    return {
        "detect-secrets": lambda text: find(text, entropy=True),
        "detect-secrets without entropy": lambda text: find(text, entropy=False),
    }
