"""Lists of words in text files that stand beside the code that reads them."""

from pathlib import Path


def read_lists(file: Path) -> dict[str, str]:
    """The parts of a file by their names: a line ``[name]`` begins one, ``#`` a comment."""
    parts: dict[str, list[str]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            parts[line[1:-1]] = lines = []
        elif line and not line.startswith("#"):
            lines.append(line)
    return {name: "\n".join(lines) for name, lines in parts.items()}
