"""Patterns that are compiled when they are first used."""

import gc
import importlib
import pkgutil
import re

import recollect
from recollect.types.regex import _LazyPattern, lazy_regex


def test_a_lazy_pattern_is_compiled_at_its_first_use(monkeypatch) -> None:
    made: list[str] = []
    compile_now = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: made.append(given[0]) or compile_now(*given))
    pattern = lazy_regex("[a-z]+(?P<rest>.*)", re.IGNORECASE)
    assert not made
    assert pattern.match("Ada 1") is not None
    assert pattern.search("12") is None
    assert pattern.groupindex == {"rest": 1}
    assert made == ["[a-z]+(?P<rest>.*)"]


def test_every_lazy_pattern_of_the_engine_compiles() -> None:
    for info in pkgutil.walk_packages(recollect.__path__, "recollect."):
        if info.name.startswith(("recollect.text.", "recollect.learning.", "recollect.context.")):
            importlib.import_module(info.name)
    patterns = [one for one in gc.get_objects() if type(one) is _LazyPattern]
    assert len(patterns) > 1_000
    assert all(one.pattern is not None for one in patterns)
