"""What a handler is given: the service, who asks, and for whom."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Final, ParamSpec, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Security
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from fastapi.security import APIKeyHeader, HTTPBearer
from pydantic_core import to_json

from recollect.checks import MAX_ID_CHARS, MAX_NAME_CHARS
from recollect.learning.worker import Worker
from recollect.memory.aio import AsyncMemory
from recollect.memory.hints import Looked, nothing_found
from recollect.memory.memory import Memory
from recollect.server.access import Principal
from recollect.server.chats import Chats
from recollect.server.keys import Role
from recollect.server.observing import Metrics
from recollect.server.once import SentOnce
from recollect.server.problems import (
    MAX_NAME_SHOWN,
    Problem,
    ProblemError,
    fields_of_body,
    request_id_of,
)
from recollect.server.settings import ServerSettings
from recollect.server.teams import by_member, others_words
from recollect.server.uploads import Uploads
from recollect.types import Within
from recollect.types.guesses import instead_of

_Given = ParamSpec("_Given")
_Value = TypeVar("_Value")


@dataclass(slots=True, kw_only=True)
class Service:
    """The objects that all handlers of an application share.

    Attributes:
        calls: The same memory, for async handlers.
        chats: The conversations.
        worker: Processes the learning queue; None when another process does.
    """

    memory: Memory
    calls: AsyncMemory
    chats: Chats
    sent: SentOnce
    uploads: Uploads
    settings: ServerSettings
    metrics: Metrics = field(default_factory=Metrics)
    worker: Worker | None = None


class JSONAnswer(JSONResponse):
    """A response of plain JSON values, not validated: tests compare responses with the OpenAPI schema."""

    def render(self, content: Any) -> bytes:
        """Serialise the body; infinity and NaN become null."""
        return to_json(content, inf_nan_mode="null")


_FORBIDDEN: Final = "this key may not do that; it needs the role {}"

_KEY: Final = "idempotency-key"
_CONDITIONS: Final = ("if-match", "if-none-match", "if-modified-since", "if-unmodified-since")
_LOOKS: Final = frozenset({"GET", "HEAD"})

UserId = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=MAX_ID_CHARS,
        description="The user; by default that of the key. A key for any user has none.",
        examples=["ada"],
    ),
]
AgentId = Annotated[
    str | None, Query(min_length=1, max_length=MAX_ID_CHARS, description="Only this agent's.")
]
SessionId = Annotated[
    str | None, Query(min_length=1, max_length=MAX_ID_CHARS, description="Only this conversation's.")
]
InProject = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        description="Only what may be seen in this project of coding agents.",
    ),
]


def within_project(project: str | None) -> Within | None:
    """Where a request with ``project`` looks; None without one."""
    return None if project is None else Within(project=project)


class Caller:
    """Who asks.

    Raises:
        ProblemError: The key lacks the role; the request has an unknown query parameter, since a misspelt one
            would not narrow what is listed or changed; or it writes and has an idempotency key or a condition
            that its route does not support.
    """

    def __init__(self, request: Request, *, role: Role) -> None:
        self.service: Service = request.app.state.service
        self.principal: Principal = request.state.principal
        self.request_id: str | None = request_id_of(request)
        self._request, self._role = request, role
        self._state = request.state
        self._state.writes = role != "reader" and request.method not in _LOOKS
        if not self.principal.may(role):
            raise ProblemError(HTTPStatus.FORBIDDEN, _FORBIDDEN.format(role))
        _check_query(request)
        if role != "reader":
            _check_key(request)
            _check_conditions(request)

    @property
    def memory(self) -> AsyncMemory:
        """The memory."""
        return self.service.calls

    def user(self, named: str | None) -> str:
        """The user it is about.

        Raises:
            ProblemError: It names one whom the key does not open.
        """
        user = self.principal.user(named, role=self._role)
        self._state.user = user
        return user

    def users(self, named: str | None) -> tuple[str, ...]:
        """Whose memories a question is about: of the named user, else of the key's owner and its spaces.

        Raises:
            ProblemError: It names one whom the key does not open.
        """
        users = self.principal.users(named)
        self._state.user = users[0]
        return users

    async def change(self, user: str, ids: Iterable[str], reason: str | None = None) -> str | None:
        """Return the reason of a change for the history; in a team space it names the member.

        Raises:
            ProblemError: 403: it is about words of others in a space, and the member is no admin there.
        """
        if member := self.principal.must_have_said(user):
            told = await self.in_thread(others_words, self.service.memory, user, list(ids), member)
            if told is not None:
                raise ProblemError(HTTPStatus.FORBIDDEN, told)
        return by_member(self.principal.signs(user), reason)

    async def in_thread(
        self, call: Callable[_Given, _Value], *args: _Given.args, **named: _Given.kwargs
    ) -> _Value:
        """Do a call among those of the user it is about: other users' calls do not wait for it."""
        user = getattr(self._state, "user", None)
        return await asyncio.wrap_future(self.memory.threads.submit(user, partial(call, *args, **named)))

    async def has_left(self) -> bool:
        """Whether the client closed its connection."""
        return await self._request.is_disconnected()

    async def hinted(self, looked_for: Looked, answer: dict[str, Any], *, found: object) -> JSONAnswer:
        """An answer; where nothing was found for the user it is about, a ``hint`` in it says why."""
        if found:
            return JSONAnswer(answer)
        look = partial(nothing_found, self.service.memory, looked_for, user_id=self._state.user, way="http")
        return JSONAnswer({**answer, "hint": await self.in_thread(look)})

    def touched(self, ids: Iterable[str], *, count: int | None = None) -> None:
        """Name the memories that were written, for the audit; ``count`` where not all are named."""
        self._state.touched = list(ids)
        self._state.count = len(self._state.touched) if count is None else count

    def writes_when_touched(self) -> None:
        """Say that only ``touched`` tells whether anything is written, however the answer ends."""
        self._state.writes = False


def _check_query(request: Request) -> None:
    known = sorted(set(_query_of(request.scope["route"].dependant)))
    unknown = sorted(set(request.query_params) - set(known))
    if unknown:
        wrong = unknown[0][:MAX_NAME_SHOWN]
        belongs = wrong in fields_of_body(request)
        instead = "put it into the body" if belongs else instead_of(wrong, known)
        raise ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, f"unknown query parameter {wrong!r}; {instead}")


def _check_key(request: Request) -> None:
    heeds = any(one.alias == _KEY for one in request.scope["route"].dependant.header_params)
    if request.method == "POST" and _KEY in request.headers and not heeds:
        raise ProblemError(
            HTTPStatus.UNPROCESSABLE_ENTITY,
            "Idempotency-Key works only with POST /memories; a repeat of this request would be done again",
        )


def _check_conditions(request: Request) -> None:
    """Refuse to write under a condition: there are no entity tags here, and it would be skipped."""
    if request.method not in _LOOKS and any(name in request.headers for name in _CONDITIONS):
        raise ProblemError(
            HTTPStatus.PRECONDITION_FAILED,
            "conditional requests such as If-Match are not supported; nothing was done",
        )


def _query_of(given: Dependant) -> Iterator[str]:
    """The names of the query parameters of a route, and of what it depends on."""
    yield from (one.alias for one in given.query_params)
    for part in given.dependencies:
        yield from _query_of(part)


async def _reader(request: Request) -> Caller:
    return Caller(request, role="reader")


async def _writer(request: Request) -> Caller:
    return Caller(request, role="writer")


async def _admin(request: Request) -> Caller:
    return Caller(request, role="admin")


Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Admin = Annotated[Caller, Depends(_admin)]

_SAID: Final = {
    400: "The body is not JSON.",
    401: "A key is needed, or this one is unknown.",
    403: "The key does not open this.",
    404: "There is nothing of this id.",
    408: "The request took too long to arrive.",
    409: "A request with this idempotency key, or an answer in this session, is under way.",
    412: "It shall be written under a condition, such as If-Match, that cannot be looked at here.",
    413: "The body is too long.",
    421: "A server on this machine was asked under another name.",
    422: "Something in the request cannot be used.",
    429: "Too many requests, or a budget is spent.",
    500: "The server failed.",
    501: "This server cannot do that: an extra is not installed, or the store has not got the power.",
    502: "The language model's server failed.",
    503: "The store cannot be used now; try again.",
    507: "No space is left.",
}

_PROBLEM: Final = {"schema": {"$ref": "#/components/schemas/Problem"}}
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {
        "description": said,
        "content": {"application/problem+json": _PROBLEM, "application/json": _PROBLEM},
        # FastAPI makes a validator of each model named here, in each route: one is enough for the document.
        **({"model": Problem} if status == HTTPStatus.UNPROCESSABLE_ENTITY else {}),
    }
    for status, said in _SAID.items()
}
"""What may go wrong with any request, for the OpenAPI document."""


def _named(route: APIRoute) -> str:
    """Use the handler's name as the operation id."""
    return route.name.rstrip("_")


_KEYS: Final = (
    Security(HTTPBearer(auto_error=False, description="A key of this server.")),
    Security(APIKeyHeader(name="X-API-Key", auto_error=False, description="The same.")),
)


def new_router(tag: str, *, prefix: str = "") -> APIRouter:
    """Make a router whose routes are whole: an application takes them as they are.

    FastAPI makes the routes of a router again for an application that includes it: 0.1 s for all.
    """
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        dependencies=_KEYS,
        responses=PROBLEMS,
        generate_unique_id_function=_named,
    )
