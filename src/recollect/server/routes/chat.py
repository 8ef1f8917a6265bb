"""Chat, in the shapes of Shadow Memory's design."""

import logging
from collections.abc import AsyncIterator, Generator
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import anyio
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import run_in_threadpool

from recollect.documents import Citation
from recollect.errors import RecollectError
from recollect.memory.answers import AgentAnswer, AnswerStream, Considered, Recalled, source_to_dict
from recollect.memory.changes.archive import Tidied
from recollect.server.calling import Admin, Caller, JSONAnswer, Writer, new_router
from recollect.server.chats import Chats, ChatTurn
from recollect.server.events import EVENTS, event, event_schema, problem_of
from recollect.server.problems import LEFT, ProblemError
from recollect.server.schemas.chat import ApiKeyIn, ChatIn, ChatOut, OverrideIn, OverrideOut, SuccessOut

router = new_router("chat", prefix="/api")

_EVENT: Final = event_schema(
    "token", "done", "error", data="JSON: a piece of the answer, a ChatOut, or a problem."
)
_SHOWN: Final = 100
"""Activated memories that a response lists. Chosen by hand."""
_CANDIDATES: Final = 20
"""The best of the other memories that a response lists. Chosen by hand."""
_LOG: Final = logging.getLogger("recollect.server")


@router.post(
    "/chat",
    response_model=ChatOut,
    summary="Talk with a model that remembers",
    responses={200: {"content": {EVENTS: {"schema": _EVENT}}}},
)
async def chat(body: ChatIn, caller: Writer) -> Response:
    """Answer a message with what is remembered, and remember both. Without a model, memories are quoted.

    With ``stream`` the answer comes as server-sent events: ``token`` with a piece of the answer as a JSON
    string, then ``done`` with the whole response; ``error`` with a problem ends a stream that failed. When
    the model fails in the middle, the problem has the words so far in ``content``; they are stored.
    What a model's server says of its failure is not passed on.
    """
    chats = caller.service.chats
    turn = ChatTurn(
        user=(user := caller.user(body.userId)),
        speaker=caller.principal.signs(user),
        spaces=caller.principal.users(body.userId)[1:],
        message=body.message,
        session_id=body.sessionId,
        api_key=body.apiKey,
        preset=body.preset,
        project=body.project,
    )
    caller.writes_when_touched()
    if body.stream:
        return StreamingResponse(_streamed(chats, turn, caller), media_type=EVENTS)
    return await _at_once(chats, turn, caller)


@router.post("/config/apikey", response_model=SuccessOut, summary="Give the server a key for models")
async def set_api_key(body: ApiKeyIn, caller: Writer) -> JSONAnswer:
    """It stays in memory until the server stops, for the owner of the key that asks; nobody is shown it.

    From a key for any user it is for everyone who gave none, which takes an admin's.
    """
    if caller.principal.owner is None and not caller.principal.may("admin"):
        raise ProblemError(HTTPStatus.FORBIDDEN, "this is a setting for everyone; it needs an admin's key")
    caller.service.chats.models.set_key(caller.principal.owner, body.apiKey)
    return JSONAnswer({"success": True})


@router.post("/chat/models/override", response_model=OverrideOut, summary="Another model for a task")
async def override(body: OverrideIn, caller: Admin) -> JSONAnswer:
    """Have a task done by another model from now on, for everyone: a key must be for any user."""
    if caller.principal.owner is not None:
        raise ProblemError(
            HTTPStatus.FORBIDDEN, "this is a setting for all users; it needs a key for any user"
        )
    models = await run_in_threadpool(caller.service.chats.models.override, body.task, body.model_name)
    return JSONAnswer({"task": body.task, "model_name": body.model_name, "models": models})


async def _at_once(chats: Chats, turn: ChatTurn, caller: Caller) -> Response:
    """The whole answer. A client that left is noticed at the next piece, and the conversation is free."""
    steps = _steps(chats, turn, caller)
    with chats.place(turn.user):
        try:
            while (told := await chats.in_thread(partial(next, steps))) is None:
                if await caller.has_left():
                    return Response(status_code=LEFT)
            return JSONAnswer(told)
        finally:
            with anyio.CancelScope(shield=True):
                await chats.in_thread(steps.close)


def _steps(chats: Chats, turn: ChatTurn, caller: Caller) -> Generator[dict[str, Any] | None, None, None]:
    """None for each piece of an answer, then the response."""
    with chats.stream(turn) as (_, pieces):
        caller.touched([pieces.message_id])
        for _piece in pieces:
            yield None
        yield _finished(chats, turn, pieces, caller)


def _finished(chats: Chats, turn: ChatTurn, pieces: AnswerStream, caller: Caller) -> dict[str, Any]:
    stored = pieces.stored
    caller.touched(one for one in (stored.message_id, stored.answer_id) if one)
    chats.count(turn.user, pieces.answer)
    return _told(pieces.answer)


def _events(chats: Chats, turn: ChatTurn, caller: Caller) -> Generator[str, None, None]:
    kept: dict[str, object] = {}
    said: list[str] = []
    try:
        with chats.stream(turn) as (agent, pieces):
            caller.touched([pieces.message_id])
            kept = {"sessionId": agent.session_id, "storedMemoryId": pieces.message_id}
            try:
                for piece in pieces:
                    said.append(piece)
                    yield event("token", piece)
            finally:
                kept["answerMemoryId"] = pieces.stored.answer_id
            yield event("done", _finished(chats, turn, pieces, caller))
    except Exception as error:  # noqa: BLE001 - the answer has begun: this is how it can still say so
        level = logging.WARNING if isinstance(error, (RecollectError, ProblemError)) else logging.ERROR
        told = {"request_id": caller.request_id, "kind": type(error).__name__}
        _LOG.log(level, "a stream ended early", extra=told, exc_info=level == logging.ERROR)
        problem = problem_of(error, request_id=caller.request_id)
        yield event("error", {**problem, **kept, **({"content": "".join(said)} if kept else {})})


async def _streamed(chats: Chats, turn: ChatTurn, caller: Caller) -> AsyncIterator[str]:
    """The events; when nobody listens any more they end at once, and the conversation is free again."""
    events = _events(chats, turn, caller)
    try:
        with chats.place(turn.user):
            try:
                while (piece := await chats.in_thread(partial(next, events, None))) is not None:
                    yield piece
            finally:
                with anyio.CancelScope(shield=True):
                    await chats.in_thread(events.close)
    except ProblemError as error:
        yield event("error", problem_of(error, request_id=caller.request_id))


def _told(answer: AgentAnswer) -> dict[str, Any]:
    context = answer.context
    return {
        "content": answer.content,
        "memoryContext": {
            "activatedMemories": [_candidate(one, context) for one in context.activated(limit=_SHOWN)],
            "coreMemories": [
                {"memoryId": one.memory.id, "summary": one.memory.brief()} for one in context.core
            ],
            "candidateMemories": [_candidate(one, context) for one in context.candidates(limit=_CANDIDATES)],
            "totalMemories": context.total,
            "avgActivationScore": answer.average_score,
            "activatedCount": context.activated_count,
            "threshold": context.threshold,
            "contextType": context.context_type,
        },
        "storedMemoryId": answer.stored.message_id,
        "answerMemoryId": answer.stored.answer_id,
        "sessionId": answer.session_id,
        "model": answer.model,
        "preset": answer.preset,
        "sources": [_source(one) for one in answer.sources],
        "tidied": None if answer.tidied is None else _tidied(answer.tidied),
    }


def _candidate(one: Considered, context: Recalled) -> dict[str, Any]:
    return {
        "memoryId": one.memory_id,
        "activationScore": one.score,
        "relevanceType": one.relevance_type,
        "summary": one.summary,
        "confidence": one.confidence,
        "activated": one.activated,
        "reason": one.reason,
        "threshold": context.threshold if one.threshold is None else one.threshold,
        "signals": dict(one.signals),
        "terms": dict(one.terms),
    }


def _source(one: Citation) -> dict[str, Any]:
    told = source_to_dict(one)
    ids = {"documentId": told.pop("document_id"), "memoryId": told.pop("memory_id")}
    return {**told, **ids}


def _tidied(done: Tidied) -> dict[str, Any]:
    return {"archived": dict(done.archived), "ids": list(done.ids)}
