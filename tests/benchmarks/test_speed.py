"""What the speed benchmark runs, it runs as an installation would."""

from benchmarks import speed


def test_the_processes_that_are_measured_keep_compiled_modules(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    program = "import os, sys; print(sys.dont_write_bytecode, os.environ['OMP_NUM_THREADS'])"
    assert speed._output([speed.sys.executable, "-c", program]).split() == ["False", "1"]
