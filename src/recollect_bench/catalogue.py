"""Finds systems and data sets by name or as the user's own file, and reads what a system declares."""

import ast
import importlib
import importlib.util
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from json import JSONDecodeError
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from recollect.errors import InvalidInputError, RecollectError
from recollect_bench.datasets.shapes import Dataset, sha256_of
from recollect_bench.errors import DatasetError
from recollect_bench.left_out import faults

_HERE: Final = Path(__file__).parent
_SCRIPT: Final = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
"""The block of a script's metadata, as the Python Packaging User Guide defines it (PEP 723)."""

_LOADER: Final = ("TITLE", "FILES", "KNOWN", "LOOKED_AT", "load")
"""What the file of a data set's loader must have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemFile:
    """A system as its file describes it.

    Attributes:
        name: The file's name without ``.py``.
        named: As it was named: by its name or its path.
        path: The file.
        about: Its docstring: what it is, and which choices were made in its favour.
        requirements: What its own environment holds; empty when it runs in Recollect's.
        options: The table ``[tool.recollect-bench]``: ``variant_of``, ``latest_python``.
        fault: Why it cannot be run; None for a file that can be read.
    """

    name: str
    named: str
    path: Path
    about: str
    requirements: tuple[str, ...]
    options: Mapping[str, Any]
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DataFile:
    """A data set, and the files that were given for it.

    Attributes:
        name: The loader's name.
        named: As it was given, with the paths.
        title: As a heading calls it.
        paths: The files, in the order in which the loader takes them.
        looked_at: Whether it was looked at while Recollect was tuned.
        load: Reads it.
    """

    name: str
    named: str
    title: str
    paths: tuple[Path, ...]
    looked_at: str
    load: Callable[[], Dataset]


def systems() -> list[SystemFile]:
    """Every system that ships, by name."""
    return [_system(path) for path in sorted((_HERE / "systems").glob("[!_]*.py"))]


def find_system(named: str) -> SystemFile:
    """The system of that name, or in the file of that path.

    Raises:
        InvalidInputError: There is none.
    """
    if named.endswith(".py") and not Path(named).is_file():
        raise InvalidInputError(f"there is no file {named}")
    path = Path(named) if named.endswith(".py") else _HERE / "systems" / f"{named.replace('-', '_')}.py"
    if not path.is_file():
        meant = near(named, [one.name for one in systems()])
        raise InvalidInputError(
            f"there is no system {named!r}{meant}; there are {_shipped()}, and files that end in .py"
        )
    return _system(path, named=named)


def find_systems(named: str) -> list[SystemFile]:
    """The systems that ``NAME,...`` names, each by its name or as a file.

    Raises:
        InvalidInputError: It names none, an unknown one, or two that results could not tell apart.
    """
    given = [one.strip() for one in named.split(",") if one.strip()]
    if not given:
        raise InvalidInputError(f"no system is named; there are {_shipped()}, and files that end in .py")
    found = [find_system(one) for one in given]
    _told_apart([(one.name, one.named) for one in found], "systems")
    return found


def names_of(given: str) -> list[str]:
    """The names of systems given as for ``find_systems``, whether or not their files are there still.

    >>> names_of("recollect, ./my_shelf.py")
    ['recollect', 'my-shelf']
    """
    return [_name_of(one.strip()) for one in given.split(",") if one.strip()]


def _name_of(named: str) -> str:
    return Path(named).stem.replace("_", "-") if named.endswith(".py") else named


def find_all_data(given: Sequence[str]) -> list[DataFile]:
    """The data sets that are given as for ``find_data``.

    Raises:
        InvalidInputError: One cannot be found, or two have the same name, for which there is one result.
    """
    found = [find_data(one) for one in given]
    _told_apart([(one.name, one.named) for one in found], "data sets")
    return found


def _told_apart(named: Sequence[tuple[str, str]], what: str) -> None:
    """Refuse two of the same name."""
    first: dict[str, str] = {}
    for name, given in named:
        if name in first:
            raise InvalidInputError(
                f"two {what} have the name {name!r} ({first[name]} and {given}), and results are kept by "
                "name: leave one out, or give its file another name"
            )
        first[name] = given


def data_sets() -> list[tuple[str, ModuleType]]:
    """The name and the module of every loader that ships."""
    paths = sorted((_HERE / "datasets").glob("[!_]*.py"))
    return [(path.stem.replace("_", "-"), _module(path)) for path in paths if path.stem != "shapes"]


def find_data(given: str) -> DataFile:
    """The data set that ``NAME=PATH[,PATH]`` names; NAME may be a ``.py`` file with a loader.

    Raises:
        InvalidInputError: It names no loader, or no file.
    """
    name, _, listed = given.partition("=")
    if name.endswith(".py") and not Path(name).is_file():
        raise InvalidInputError(f"there is no file {name}")
    paths = tuple(Path(path).expanduser() for path in listed.split(",") if path)
    known = dict(data_sets())
    if name.endswith(".py"):
        module = _module(Path(name))
    elif name in known:
        module = known[name]
    else:
        meant = near(name, list(known))
        raise InvalidInputError(
            f"there is no data set {name!r}{meant}; there are {', '.join(known)}, and .py files"
        )
    if not paths and not getattr(module, "SHIPPED", False):
        raise InvalidInputError(f"where is {name}? Say --data {name}=PATH ({module.FILES})")
    return DataFile(
        name=Path(name).stem if name.endswith(".py") else name,
        named=given,
        title=module.TITLE,
        paths=paths,
        looked_at=module.LOOKED_AT,
        load=lambda: _loaded(module, paths),
    )


def _shipped() -> str:
    return ", ".join(one.name for one in systems())


def near(wrong: str, names: Sequence[str]) -> str:
    """The name that was likely meant, as a question; nothing where none is near."""
    meant = get_close_matches(wrong.lower(), names, n=1)
    return f" (did you mean {meant[0]}?)" if meant else ""


def _loaded(module: ModuleType, paths: Sequence[Path]) -> Dataset:
    listed = ", ".join(path.name for path in paths) or module.__name__
    for path in paths:
        _known(path, module.KNOWN)
    try:
        made: Dataset = module.load(*paths)
        fault = next(faults(made), None)
        asked = sum(len(one.questions) for one in made.conversations)
    except (RecollectError, OSError):
        raise
    except Exception as error:
        raise DatasetError(f"{listed} is not in the shape of {module.FILES}: {_told(error)}") from error
    if fault or not asked:
        raise DatasetError(f"{listed} cannot be measured: {fault or 'it holds no questions'}")
    return made


def _known(path: Path, known: Mapping[str, str]) -> None:
    """Refuse a file that is not there, or another version than those that are known, where some are."""
    if not path.is_file():
        raise DatasetError(f"{path} is a folder" if path.is_dir() else f"there is no file {path}")
    digest = sha256_of(path)
    if known and digest not in known:
        listed = "; ".join(f"{name}: {digest[:12]}..." for digest, name in known.items())
        raise DatasetError(
            f"{path.name} is another version (SHA-256 {digest[:12]}...) than the known ones ({listed}); "
            "figures would not compare"
        )


def _told(error: Exception) -> str:
    """What is wrong with a file, in words where these are known.

    >>> _told(KeyError("steps")), _told(ValueError("month must be in 1..12"))
    ("it lacks 'steps'", 'month must be in 1..12')
    """
    match error:
        case KeyError():
            return f"it lacks {error}"
        case UnicodeDecodeError():
            return "it is no text in UTF-8"
        case JSONDecodeError():
            return f"it is no JSON, or not the whole of it ({error})"
        case ValueError():
            return str(error)
    return f"{type(error).__name__}: {error}"


def _system(path: Path, *, named: str | None = None) -> SystemFile:
    """A file with what it declares; one that cannot be read has its fault in place of that."""
    about, fault = "", None
    requirements: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    try:
        source = path.read_text(encoding="utf-8")
        about = ast.get_docstring(ast.parse(source)) or ""
        requirements, options = _declared(source)
    except (SyntaxError, ValueError, AttributeError, TypeError, OSError) as error:
        fault = f"{path.name} cannot be read: {error}"
    return SystemFile(
        name=_name_of(path.name),
        named=named or _name_of(path.name),
        path=path.resolve(),
        about=about,
        requirements=requirements,
        options=options,
        fault=fault,
    )


def _declared(source: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """The requirements and the options of a system's source."""
    block = _SCRIPT.search(source)
    declared = tomllib.loads(_uncommented(block["content"])) if block else {}
    requirements = declared.get("dependencies", [])
    if not isinstance(requirements, list) or not all(isinstance(one, str) for one in requirements):
        raise TypeError("its dependencies are no list of texts")
    return tuple(requirements), declared.get("tool", {}).get("recollect-bench", {})


def _uncommented(block: str) -> str:
    return "".join(
        line[2:] if line.startswith("# ") else line[1:] for line in block.splitlines(keepends=True)
    )


def _module(path: Path) -> ModuleType:
    if path.is_relative_to(_HERE):
        return importlib.import_module(f"recollect_bench.datasets.{path.stem}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InvalidInputError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InvalidInputError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    lacking = [name for name in _LOADER if not hasattr(module, name)]
    if lacking:
        raise InvalidInputError(f"{path} is no loader of a data set: it has no {', '.join(lacking)}")
    return module
