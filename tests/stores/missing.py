"""Which packages the tests of a store want that are not here."""

import os
from importlib.util import find_spec


def missing(*packages: str) -> str:
    """Why tests that need some packages are skipped; empty where all are here. In CI none may be missing."""
    gone = [package for package in packages if find_spec(package) is None]
    if gone and os.environ.get("CI") == "true":
        raise ImportError(f"{', '.join(gone)} must be installed in CI")
    return f"{', '.join(gone)} is not installed; run: make test" if gone else ""
