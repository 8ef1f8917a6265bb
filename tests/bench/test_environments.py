"""Environments of other systems, made by a stand-in for uv: nothing is installed from anywhere."""

import sys

import pytest

from recollect_bench import environments
from recollect_bench.environments import python_of
from recollect_bench.errors import SystemFailedError

UV = """#!/bin/sh
echo "$@" >> {log}
case "$1" in
venv) mkdir -p "$5/bin"; ln -s {python} "$5/bin/python" ;;
pip) {installs} ;;
esac
"""
NEEDS = '# /// script\n# dependencies = ["shelf==1.0"]\n# ///\n'


@pytest.fixture
def uv(tmp_path, monkeypatch):
    """Puts the stand-in into uv's place; returns what it was called with."""

    def make(installs):
        path, log = tmp_path / "uv", tmp_path / "uv.log"
        path.write_text(UV.format(log=log, python=sys.executable, installs=installs))
        path.chmod(0o755)
        monkeypatch.setattr(environments, "_uv", lambda: str(path))
        return lambda: [line.split()[0] for line in log.read_text().splitlines()]

    return make


def test_an_environment_is_made_once_with_the_versions_that_the_file_pins(uv, bench, talks, system):
    calls = uv("true")
    shelf = system("shelf", '"""Counts', f'{NEEDS}"""Counts')
    assert shelf.requirements == ("shelf==1.0",)
    for _ in range(2):
        (result,) = bench.run([shelf], [talks])
    assert result["systems"]["shelf"]["golds"]["own"]["measures"]["recall_at_10"]["mean"] == 1
    assert calls() == ["venv", "pip"]


def test_a_system_that_cannot_be_installed_says_why_and_the_rest_goes_on(uv, bench, talks, system):
    uv("echo 'no version of shelf==1.0' >&2; exit 1")
    (result,) = bench.run([system("shelf", '"""Counts', f'{NEEDS}"""Counts'), system("words")], [talks])
    assert result["systems"]["shelf"]["failed"] == "cannot be installed: no version of shelf==1.0"
    assert "golds" in result["systems"]["words"]


def test_an_interrupted_installation_is_made_anew(uv, bench, system):
    shelf = system("shelf", '"""Counts', f'{NEEDS}"""Counts')
    uv("exit 1")
    with pytest.raises(SystemFailedError):
        python_of(shelf, cache=bench.cache)
    uv("true")
    assert python_of(shelf, cache=bench.cache).exists()


def test_without_the_extra_only_systems_of_others_are_missing(bench, talks, system, monkeypatch):
    monkeypatch.setitem(sys.modules, "uv", None)
    (result,) = bench.run([system("shelf", '"""Counts', f'{NEEDS}"""Counts'), system("words")], [talks])
    assert "pip install 'recollect[bench]'" in result["systems"]["shelf"]["failed"]
    assert "golds" in result["systems"]["words"]
