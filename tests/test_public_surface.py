"""What users stand on: the public names, the signatures, the error tree, what an import does.

After a wanted change of a signature: ``RECOLLECT_UPDATE=1 pytest tests/test_public_surface.py``.
"""

import ast
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from functools import cached_property
from pathlib import Path

import pytest

import recollect
from recollect import Memory, errors

MOST_NAMES = 25
MOST_PARAMETERS = 10
SNAPSHOT = Path(__file__).with_name("signatures.txt")
MOST_MODULES = 55
"""Modules of ours behind ``from recollect import Memory``: what is used late is imported late."""
LATE = (
    "learning.extraction",
    "learning.reconcile",
    "learning.by_model",
    "learning.agenda",
    "documents",
    "memory.maintenance",
)
RULES = ("extraction.extract", "extraction.episodes", "reconcile.decide", "reconcile.changes", "facts")
SLOW_OR_FOREIGN = ("openai", "pydantic", "rich", "snowballstemmer", "torch", "typer")

WATCHED_IMPORT = """
import os, sys

def refuse(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.mkdir", "os.rename", "os.remove", "sqlite3.")):
        raise SystemExit(f"{event} {arguments}")
    if event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        raise SystemExit(f"opens {arguments[0]} for writing")

sys.addaudithook(refuse)
import recollect
for name in recollect.__all__:  # public names are imported when first used
    getattr(recollect, name)
print(*sys.modules)
"""


def isort_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as ruff sorts them."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_the_public_names_are_sorted_and_few() -> None:
    names = list(recollect.__all__)
    assert names == sorted(names, key=isort_key)
    assert len(set(names)) == len(names) <= MOST_NAMES


@pytest.mark.parametrize("name", recollect.__all__)
def test_every_public_name_exists_and_is_documented(name: str) -> None:
    value = getattr(recollect, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert (value.__doc__ or "").strip()


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        recollect.nothing_of_this_name  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    assert recollect.__version__ == importlib.metadata.version("recollect")


def rooms() -> dict[str, type]:
    """The properties of Memory and the class that each returns."""
    held = [name for name, one in vars(Memory).items() if isinstance(one, cached_property)]
    with Memory(":memory:", embedder="hashing") as memory:
        return {name: type(getattr(memory, name)) for name in held}


def signatures() -> str:
    """Memory's public methods, then those of its properties, as their source declares them."""
    named = [(Memory, ""), *((kind, f"{name}.") for name, kind in rooms().items())]
    return "\n".join(
        signature(node, prefix) for kind, prefix in named for node in sorted(methods(kind), key=by_name)
    )


def methods(kind: type) -> list[ast.FunctionDef]:
    (found,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(found, ast.ClassDef)
    plain = [node for node in found.body if isinstance(node, ast.FunctionDef) and is_public(node.name)]
    return [node for node in plain if kind is Memory or node.name != "__init__"]


def by_name(node: ast.FunctionDef) -> str:
    return node.name


def is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def signature(node: ast.FunctionDef, prefix: str) -> str:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    lines = [parameter(*pair) for pair in zip(plain, missing + arguments.defaults, strict=True)]
    if arguments.kwonlyargs:
        lines += ["*", *map(parameter, arguments.kwonlyargs, arguments.kw_defaults)]
    result = f" -> {annotation(node.returns)}" if node.returns else ""
    return f"{prefix}{node.name}{result}\n" + "".join(f"    {line}\n" for line in lines)


def annotation(node: ast.expr) -> str:
    """As it is read: one in quotes is a type that is imported when it is first used."""
    return str(node.value) if isinstance(node, ast.Constant) and node.value else ast.unparse(node)


def parameter(argument: ast.arg, default: ast.expr | None) -> str:
    kind = f": {annotation(argument.annotation)}" if argument.annotation else ""
    return f"{argument.arg}{kind}" + (f" = {ast.unparse(default)}" if default else "")


def test_the_signatures_of_memory_are_those_agreed_on() -> None:
    if os.environ.get("RECOLLECT_UPDATE"):
        SNAPSHOT.write_text(signatures(), encoding="utf-8")
    agreed = SNAPSHOT.read_text(encoding="utf-8")
    assert signatures() == agreed, "a public signature changed; if on purpose, see the top of this file"


def test_no_public_method_takes_more_than_two_positional_arguments() -> None:
    for kind in (Memory, *rooms().values()):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            if is_public(name):
                kinds = [parameter.kind for parameter in inspect.signature(method).parameters.values()]
                assert kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD) <= 3, name  # self is the third
                assert inspect.Parameter.VAR_KEYWORD not in kinds, name


def public_calls() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every public function of the package, and every public method and constructor of its classes.

    The fields of a dataclass are no parameters, the options of a command and the fields of a request neither.
    """
    for info in pkgutil.walk_packages(recollect.__path__, "recollect."):
        if info.name.startswith(("recollect.cli", "recollect.server.routes", "recollect.testing")):
            continue
        try:
            module = importlib.import_module(info.name)
        except ImportError:  # an adapter of a framework that is not here
            continue
        for name, value in vars(module).items():
            if name.startswith("_") or getattr(value, "__module__", None) != info.name:
                continue
            if inspect.isfunction(value):
                yield f"{info.name}.{name}", value
            for method_name, method in inspect.getmembers(value, inspect.isfunction):
                made = method_name == "__init__" and is_dataclass(value)
                if is_public(method_name) and method.__module__.startswith("recollect") and not made:
                    yield f"{info.name}.{name}.{method_name}", method


def test_no_public_call_takes_more_than_ten_parameters() -> None:
    counts = {
        name: len([one for one in inspect.signature(call).parameters if one != "self"])
        for name, call in public_calls()
    }
    assert len(counts) > 500
    assert {name: count for name, count in counts.items() if count > MOST_PARAMETERS} == {}


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for file in sorted(Path(recollect.__file__).parent.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(file))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_memory_has_few_methods_and_inherits_none_but_that_of_a_with_block() -> None:
    assert len([node for node in methods(Memory) if not node.decorator_list]) - 1 <= 26  # __init__ is one
    assert [kind.__name__ for kind in Memory.__mro__] == ["Memory", "Closing", "ABC", "object"]
    assert all(len(kind.__mro__) == 2 for kind in rooms().values())


def drawn_tree() -> dict[str, str]:
    """Each error's parent, as the docstring of ``errors.py`` draws it."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        bare = line.lstrip(" │├└─")
        name = bare.split(" ")[0]
        if not name.endswith("Error"):
            continue
        depth = (len(line) - len(bare)) // 4 - 1
        path = [*path[:depth], name]
        parents[name] = path[-2] if depth else "Exception"
    return parents


def test_the_error_tree_is_as_drawn() -> None:
    classes = {name: getattr(errors, name) for name in errors.__all__}
    assert drawn_tree() == {name: error.__bases__[0].__name__ for name, error in classes.items()}
    assert all(issubclass(error, errors.RecollectError) for error in classes.values())


def test_every_error_class_is_exported() -> None:
    defined = {name for name, _ in inspect.getmembers(errors, inspect.isclass)}
    assert defined == set(errors.__all__)


@pytest.fixture(scope="module")
def imported() -> list[str]:
    """The modules that all public names need; it fails if importing them writes or connects."""
    done = subprocess.run(  # noqa: S603 - our own code, in a fresh interpreter
        [sys.executable, "-B", "-c", WATCHED_IMPORT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_writes_nothing_and_connects_to_nothing(imported: list[str]) -> None:
    assert "recollect.memory.memory" in imported


@pytest.mark.parametrize("module", SLOW_OR_FOREIGN)
def test_importing_does_not_load(module: str, imported: list[str]) -> None:
    assert module not in imported


def modules_after(program: str) -> set[str]:
    """The modules of ours that a fresh process has imported."""
    run = [sys.executable, "-c", f"{program}\nimport sys\nprint(*sys.modules)"]
    done = subprocess.run(run, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    names = done.stdout.split()
    return {name for name in names if name.partition(".")[0] == "recollect"}


def test_importing_memory_loads_few_modules() -> None:
    assert len(modules_after("from recollect import Memory")) <= MOST_MODULES


@pytest.fixture
def filled(tmp_path: Path) -> str:
    """A program that opens a file with one memory."""
    file = tmp_path / "brain.db"
    with Memory(file, embedder="hashing") as memory:
        memory.add("I live in Ghent", user_id="ada")
    return f"from recollect import Memory\nmemory = Memory({str(file)!r}, embedder='hashing')\n"


def test_opening_and_searching_a_file_loads_no_learning_rules(filled: str) -> None:
    loaded = modules_after(f"{filled}assert memory.search('Where do I live?', user_id='ada')")
    assert not [name for name in loaded if name.startswith(tuple(f"recollect.{late}" for late in LATE))]


def test_adding_learning_searching_and_contexts_load_nothing_of_the_agenda(filled: str) -> None:
    said = "memory.add('The exam is on 3 May', user_id='ada'); memory.jobs.drain()"
    asked = "memory.search('exam', user_id='ada'); memory.context('exam', user_id='ada')"
    loaded = modules_after(f"{filled}{said}; {asked}")
    assert "recollect.learning.extraction.plans" in loaded
    assert not [name for name in loaded if "agenda" in name]


def test_a_context_loads_the_words_of_the_core_and_not_the_rules_of_learning(filled: str) -> None:
    loaded = modules_after(f"{filled}assert memory.context('Where do I live?', user_id='ada').text")
    assert "recollect.learning.core_facts" in loaded
    assert loaded.isdisjoint(f"recollect.learning.{rules}" for rules in RULES)
