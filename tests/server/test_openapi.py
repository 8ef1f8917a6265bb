"""Every operation of the OpenAPI document with drawn requests: no failure, nothing undocumented."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.conftest import echoing

from recollect import Memory
from recollect.server import ServerSettings, create_app
from recollect.server.models import ModelDesk

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)
HOST = {"Host": "127.0.0.1:8377"}


FOLDER = TemporaryDirectory(prefix="recollect-openapi-")


@schemathesis.serializer("application/x-ndjson")
def as_it_is(_: object, value: object) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


@asynccontextmanager
async def _untouched(_: object) -> AsyncIterator[None]:
    """Each drawn request starts and stops the application; the memory stays open."""
    yield


def _app() -> FastAPI:
    memory = Memory(Path(FOLDER.name) / "m.db", embedder="hashing")
    memory.add(["Tea at five.", "Rain in Oslo."], user_id="default", session_id="s")
    models = ModelDesk(make=echoing)
    made = create_app(memory, settings=ServerSettings(learn=False), models=models)
    made.router.lifespan_context = _untouched
    return made


app = _app()
schema = schemathesis.openapi.from_asgi("/openapi.json", app, headers=HOST)


@pytest.fixture(scope="module", autouse=True)
def closed_afterwards() -> Iterator[None]:
    yield
    app.state.service.memory.close()
    FOLDER.cleanup()


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def is_answered_as_documented(case: Case) -> None:
    case.validate_response(case.call(headers=HOST), checks=CHECKS)


# `schema.parametrize()` draws the cases of all operations while tests are collected, in every worker.
@pytest.mark.parametrize(
    "operation", [each.ok() for each in schema.get_all_operations()], ids=lambda operation: operation.label
)
def test_drawn_requests_are_answered_as_documented(operation: APIOperation) -> None:
    config = HypothesisTestConfig(project=schema.config, modes=list(HypothesisTestMode))
    create_test(operation=operation, test_func=is_answered_as_documented, config=config)()


def test_the_document_has_examples_and_names_for_every_operation() -> None:
    document = app.openapi()
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert all(one["summary"] and one["description"] for one in operations)
    assert "examples" in json.dumps(document["components"]["schemas"]["SearchIn"])
