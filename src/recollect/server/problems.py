"""Errors as RFC 9457 problem details."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from math import isfinite
from typing import Any, Final, get_args

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match

from recollect.errors import (
    BudgetExceededError,
    ClosedError,
    EmbedderError,
    InvalidInputError,
    MissingExtraError,
    ModelError,
    NotFoundError,
    RecollectError,
    StoreBusyError,
    StoreFullError,
    UnclearFileError,
)
from recollect.server.failing import note, told_of
from recollect.server.schemas.imports import LoadedOut
from recollect.types.guesses import instead_of
from recollect.types.regex import lazy_regex

LEFT: Final = 499
"""The status, for the log alone, of an answer that nobody waits for any more; nginx's."""
MEDIA_TYPE: Final = "application/problem+json"
_CHOICES: Final = 200
"""Choices of a question that are listed at most. Chosen by hand."""
_STATUS: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInputError, 422),
    (NotFoundError, 404),
    (BudgetExceededError, 429),
    (ModelError, 502),
    (EmbedderError, 503),
    (MissingExtraError, 501),
    (StoreFullError, 507),
    (StoreBusyError, 503),
    (ClosedError, 503),
    (RecollectError, 503),
)
"""The status of each error; the first class that fits counts."""
_GUESSES: Final[Mapping[str, str]] = {
    "/add": "POST /memories",
    "/memories/add": "POST /memories",
    "/memories/search": "POST /search",
    "/search": "POST /search",
    "/chat": "POST /api/chat",
    "/facts": "GET /api/chat/memory/profile/{user_id}",
    "/profile": "GET /api/chat/memory/profile/{user_id}",
    "/stats": "GET /api/stats",
    "/health": "GET /api/health",
    "/docs": "GET /openapi.json",
}
"""Paths that other memories have, without a version before them, and the right route."""
_VERSION: Final = lazy_regex(r"^/(?:api/)?v\d+(?=/)|^/api(?=/)")
_METHODS: Final = ("DELETE", "GET", "HEAD", "POST", "PUT")
_JSON: Final = "application/json"
_RETRY_S: Final = 1
_NAMED: Final = 20
"""Faults of a request that an answer lists. Chosen by hand."""
MAX_NAME_SHOWN: Final = 80
"""Characters of the name of a field or parameter that an answer repeats. Chosen by hand."""
_UNFORESEEN: Final = "the server failed; its log says why"


class Asked(BaseModel):
    """What a file does not say itself."""

    option: str = Field(examples=["date_order"], description="The parameter that says it.")
    choices: list[str] = Field(examples=[["dmy", "mdy"]], description="What the file offers for it.")


class Problem(BaseModel):
    """What went wrong, as RFC 9457 has it."""

    type: str = Field(default="about:blank", examples=["urn:recollect:NotFoundError"])
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["no memory '019a7c1e' for this user"])
    request_id: str | None = Field(default=None, description="Stands in the server's log, too.")
    errors: list[dict[str, Any]] | None = Field(
        default=None, description="Of a request that cannot be read: where, and what was expected."
    )
    asks: Asked | None = Field(default=None, description="Of a file to import: what must be said with it.")
    loaded: LoadedOut | None = Field(
        default=None, description="Of a file that breaks off: what became of the part that could be read."
    )


class ProblemError(Exception):
    """A request that is refused, or was done in part: what was is in ``done``, a field of ``Problem``."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        kind: str = "about:blank",
        done: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = dict(headers or {})
        self.kind = kind
        self.done = dict(done or {})


def problem(
    status: int,
    detail: str,
    *,
    kind: str = "about:blank",
    request_id: str | None = None,
    errors: Sequence[Mapping[str, Any]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The response that says what went wrong. It is ASCII, so that what is quoted cannot break it."""
    told = _told(status, detail, kind=kind, request_id=request_id)
    if errors is not None:
        told["errors"] = list(errors)
    return Response(json.dumps(told), status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def of_error(error: RecollectError, *, request_id: str | None = None) -> Response:
    """The response for an error of the library; what a model failed with goes into the log."""
    told = describe(error, request_id=request_id)
    busy = told["status"] == HTTPStatus.SERVICE_UNAVAILABLE
    headers = {"Retry-After": str(_RETRY_S)} if busy else {}
    return Response(json.dumps(told), told["status"], headers=headers, media_type=MEDIA_TYPE)


def describe(error: Exception, *, request_id: str | None = None) -> dict[str, Any]:
    """What a problem says of an error; what a model failed with goes into the log.

    Of an error that is none of the library's it says nothing but where to look.
    """
    if not isinstance(error, RecollectError):
        return _told(HTTPStatus.INTERNAL_SERVER_ERROR, _UNFORESEEN, request_id=request_id)
    note(error, request_id=request_id)
    status = next(status for kind, status in _STATUS if isinstance(error, kind))
    kind = f"urn:recollect:{type(error).__name__}"
    told = _told(status, told_of(error), kind=kind, request_id=request_id)
    if isinstance(error, UnclearFileError):
        told["asks"] = {"option": error.option, "choices": [*error.choices[:_CHOICES]]}
    return told


def refusal(error: Exception, *, request_id: str | None = None) -> dict[str, Any]:
    """What a problem says of a request that is refused."""
    assert isinstance(error, ProblemError)  # noqa: S101 - asked for no other
    return _told(error.status, error.detail, kind=error.kind, request_id=request_id) | error.done


def _told(
    status: int, detail: str, *, kind: str = "about:blank", request_id: str | None = None
) -> dict[str, Any]:
    told = {"type": kind, "title": HTTPStatus(status).phrase, "status": int(status), "detail": detail}
    return told | ({"request_id": request_id} if request_id else {})


def install(app: FastAPI) -> None:
    """Let every error become a problem."""
    app.add_exception_handler(ProblemError, _refused)
    app.add_exception_handler(RecollectError, _failed)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(ClientDisconnect, _left)
    app.add_exception_handler(Exception, _broken)


def request_id_of(request: Request) -> str | None:
    """The id under which a request stands in the log."""
    found = getattr(request.state, "request_id", None)
    return found if isinstance(found, str) else None


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ProblemError)  # noqa: S101 - registered for it
    told = refusal(error, request_id=request_id_of(request))
    return Response(json.dumps(told), error.status, headers=error.headers, media_type=MEDIA_TYPE)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RecollectError)  # noqa: S101 - registered for it
    return of_error(error, request_id=request_id_of(request))


async def _unreadable(request: Request, error: Exception) -> Response:
    """A request that does not fit its schema; what was sent is not repeated, but for the names of fields."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    if broken := next((one for one in error.errors() if one["type"] == "json_invalid"), None):
        why = broken.get("ctx", {}).get("error", broken["msg"])
        detail = f"the body is not JSON ({why}, at character {broken['loc'][-1]})"
        return problem(400, detail, request_id=request_id_of(request))
    if not request.headers.get("content-type", "").startswith(_JSON) and _is_whole_body(error.errors()):
        detail = "the body is read as JSON alone: send it with Content-Type: application/json"
        return problem(422, detail, request_id=request_id_of(request))
    wrong = [
        {
            "at": [str(part)[:MAX_NAME_SHOWN] for part in _place_of(one)],
            "message": _message(request, one),
        }
        for one in _nearest(error.errors())[:_NAMED]
    ]
    detail = "; ".join(f"{'.'.join(one['at'])}: {one['message']}" for one in wrong[:3])
    return problem(422, detail, request_id=request_id_of(request), errors=wrong)


def _is_whole_body(faults: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a body was sent that is not even an object."""
    return any(one["loc"] == ("body",) and one["type"] != "missing" for one in faults)


def _is_place(part: str | int) -> bool:
    """Whether a part of the path of a fault stands in the body; pydantic names there, too, what it tried."""
    return isinstance(part, int) or not (part == "str" or part.endswith("In") or "[" in part)


def _place_of(fault: Mapping[str, Any]) -> list[str | int]:
    """Where a fault is; the name of an unknown field stays whatever it is."""
    *path, last = fault["loc"]
    kept = [last] if fault["type"] == "extra_forbidden" or _is_place(last) else []
    return [*filter(_is_place, path), *kept]


def _nearest(faults: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The faults of a field that may be several things, as the thing that it is nearest to."""
    nearest: dict[tuple[Any, ...], tuple[int, bool]] = {}
    for one in faults:
        field = tuple(one["loc"][:2])
        nearest[field] = max(nearest.get(field, (0, False)), _nearness(one))
    return [one for one in faults if _nearness(one) == nearest[tuple(one["loc"][:2])]]


def _nearness(fault: Mapping[str, Any]) -> tuple[int, bool]:
    """How far into a body a fault is; then whether it is of the right type there."""
    return len(fault["loc"]), not str(fault["type"]).endswith("_type")


def _message(request: Request, fault: Mapping[str, Any]) -> str:
    """What is wrong with a part of a request; for an unknown field, which one to use."""
    if fault["type"] == "too_long" and isinstance(fault["input"], list):
        most = fault["ctx"]["max_length"]
        return f"{len(fault['input']):,} items, and a request may have {most:,}: send them in several"
    if isinstance(fault["input"], float) and not isfinite(fault["input"]):
        return "must be a finite number, not NaN or infinity"
    if fault["type"] != "extra_forbidden":
        return str(fault["msg"])
    *path, wrong = fault["loc"][1:]  # the first is "body"
    (body,) = request.scope["route"].dependant.body_params
    model = _model_in(body.field_info.annotation)
    for part in path:
        if model and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation)
    return (
        f"unknown field; {instead_of(str(wrong)[:MAX_NAME_SHOWN], list(model.model_fields))}"
        if model
        else "unknown field"
    )


def fields_of_body(request: Request) -> list[str]:
    """The fields of the body that a route takes; none where it takes no JSON."""
    models = (_model_in(one.field_info.annotation) for one in request.scope["route"].dependant.body_params)
    return [name for model in models if model for name in model.model_fields]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model of an annotation such as ``str | Message | list[Message]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    headers, detail = dict(error.headers or {}), error.detail
    if error.status_code == HTTPStatus.BAD_REQUEST and isinstance(error.__cause__, UnicodeDecodeError):
        detail = "the body is not UTF-8; send JSON in UTF-8"
    elif error.status_code == HTTPStatus.BAD_REQUEST and isinstance(error.__cause__, RecursionError):
        detail = "the body is nested too deep to be read"
    elif error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _allowed(request)
        detail = f"{detail}; use {_right_route(request) or headers['Allow']}"
    elif error.status_code == HTTPStatus.NOT_FOUND:
        detail = f"{detail}; use {_right_route(request) or 'a route of GET /openapi.json'}"
    return problem(error.status_code, detail, request_id=request_id_of(request), headers=headers)


def _allowed(request: Request, path: str | None = None) -> str:
    """The methods of all routes of a path; the error itself names those of the first alone."""
    asked = {**request.scope} if path is None else {**request.scope, "path": path}
    return ", ".join(
        method
        for method in _METHODS
        if any(route.matches({**asked, "method": method})[0] is Match.FULL for route in request.app.routes)
    )


def _right_route(request: Request) -> str | None:
    """The route that a guessed path means, if it is a likely guess."""
    path = request.url.path
    bare = _VERSION.sub("", path).rstrip("/")
    if bare in _GUESSES:
        return _GUESSES[bare]
    methods = _allowed(request, bare) if bare not in {"", path} else ""
    return f"{methods} {bare}" if methods else None


async def _left(request: Request, error: Exception) -> Response:  # noqa: ARG001 - nobody reads it
    """A client that left while it sent a body, or was sent away by the gate."""
    return Response(status_code=LEFT)


async def _broken(request: Request, error: Exception) -> Response:  # noqa: ARG001 - the log has it
    """What nobody foresaw: the log has the error, the answer has only where to look."""
    return problem(500, _UNFORESEEN, request_id=request_id_of(request))
