"""The page's types are those of the server's OpenAPI."""

import re
from pathlib import Path

import pytest
from scripts.openapi import sum_of, wanted

TYPES = Path(__file__).parents[2] / "web" / "src" / "api" / "schema.ts"
pytestmark = pytest.mark.skipif(not TYPES.is_file(), reason="the page's sources are not here")


def test_the_types_are_those_of_the_servers_openapi():
    made_from = re.search(r"OpenAPI (\w{64})", TYPES.read_text(encoding="utf-8"))
    assert made_from
    assert made_from[1] == sum_of(wanted()), "the routes changed: run make web-types"
