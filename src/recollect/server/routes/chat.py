"""Chat, as Shadow Memory's design has it."""

import json
import logging
from collections.abc import AsyncIterator, Generator
from http import HTTPStatus
from typing import Any, Final

import anyio
from fastapi import APIRouter
from fastapi.responses import Response, StreamingResponse
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool

from recollect.errors import RecollectError
from recollect.presets.shadow.awareness import MemoryAwareness
from recollect.server.answering import Answer
from recollect.server.calling import Admin, Caller, Writer
from recollect.server.chats import Answering, Chats, Turn
from recollect.server.problems import ProblemError, describe
from recollect.server.schemas.chat import ApiKeyIn, ChatIn, ChatOut, OverrideIn, OverrideOut, SuccessOut

router = APIRouter(prefix="/api", tags=["chat"])

_EVENTS: Final = "text/event-stream"
_EVENT: Final = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"type": "string", "enum": ["token", "done", "error"]},
        "data": {"type": "string", "description": "JSON: a piece of the answer, a ChatOut, or a problem."},
    },
}
_SHOWN: Final = 100
"""Activated memories that a response lists. Chosen by hand."""
_LOG: Final = logging.getLogger("recollect.server")


@router.post(
    "/chat",
    response_model=ChatOut,
    summary="Talk with a model that remembers",
    responses={200: {"content": {_EVENTS: {"schema": _EVENT}}}},
)
async def chat(body: ChatIn, caller: Writer) -> Response:
    """Answer a message with what is remembered, and remember both. Without a model, memories are quoted.

    With ``stream`` the answer comes as server-sent events: ``token`` with a piece of the answer as a JSON
    string, then ``done`` with the whole response; ``error`` with a problem ends a stream that failed.
    What a model's server says of its failure is not passed on.
    """
    chats = caller.service.chats
    turn = Turn(
        user=caller.user(body.userId),
        message=body.message,
        session_id=body.sessionId,
        api_key=body.apiKey,
    )
    caller.writes_when_touched()
    if body.stream:
        return StreamingResponse(_closing(_events(chats, turn, caller)), media_type=_EVENTS)
    return Answer(await run_in_threadpool(_answer, chats, turn, caller))


@router.post("/config/apikey", response_model=SuccessOut, summary="Give the server a key for models")
async def set_api_key(body: ApiKeyIn, caller: Writer) -> Answer:
    """It stays in memory until the server stops, for the owner of the key that asks; nobody is shown it.

    From a key for any user it is for everyone who gave none, which takes an admin's.
    """
    if caller.principal.owner is None and not caller.principal.may("admin"):
        raise ProblemError(HTTPStatus.FORBIDDEN, "this concerns everyone; it needs an admin's key")
    caller.service.chats.models.set_key(caller.principal.owner, body.apiKey)
    return Answer({"success": True})


@router.post("/chat/models/override", response_model=OverrideOut, summary="Another model for a task")
async def override(body: OverrideIn, caller: Admin) -> Answer:
    """Have a task done by another model from now on, for everyone: a key must be for any user."""
    if caller.principal.owner is not None:
        raise ProblemError(HTTPStatus.FORBIDDEN, "this concerns everyone; it needs a key for any user")
    models = await run_in_threadpool(caller.service.chats.models.override, body.task, body.model_name)
    return Answer({"task": body.task, "model_name": body.model_name, "models": models})


def _answer(chats: Chats, turn: Turn, caller: Caller) -> dict[str, Any]:
    with chats.stream(turn) as answering:
        caller.touched([answering.pieces.message_id])
        for _ in answering.pieces:
            pass
        return _finished(answering, caller)


def _finished(answering: Answering, caller: Caller) -> dict[str, Any]:
    stored = answering.pieces.response.stored
    caller.touched(one for one in (stored.message_id, stored.answer_id) if one)
    return _told(answering)


def _events(chats: Chats, turn: Turn, caller: Caller) -> Generator[str, None, None]:
    try:
        with chats.stream(turn) as answering:
            caller.touched([answering.pieces.message_id])
            for piece in answering.pieces:
                yield _event("token", piece)
            yield _event("done", _finished(answering, caller))
    except Exception as error:  # noqa: BLE001 - the answer has begun: this is how it can still say so
        level = logging.WARNING if isinstance(error, RecollectError) else logging.ERROR
        told = {"request_id": caller.request_id, "kind": type(error).__name__}
        _LOG.log(level, "a stream ended early", extra=told, exc_info=level == logging.ERROR)
        yield _event("error", describe(error, request_id=caller.request_id))


async def _closing(events: Generator[str, None, None]) -> AsyncIterator[str]:
    """The events; when nobody listens any more they end at once, and the conversation is free again."""
    try:
        async for event in iterate_in_threadpool(events):
            yield event
    finally:
        with anyio.CancelScope(shield=True):
            await run_in_threadpool(events.close)


def _event(name: str, data: object) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _told(answering: Answering) -> dict[str, Any]:
    response = answering.pieces.response
    activated = list(response.activated_memories[:_SHOWN])
    return {
        "content": response.content,
        "memoryContext": {
            "activatedMemories": [_candidate(one) for one in activated],
            "coreMemories": [
                {"memoryId": one.memory.id, "summary": one.memory.brief()} for one in response.core
            ],
            "candidateMemories": [_candidate(one) for one in response.candidate_memories],
            "totalMemories": response.total_memories,
            "avgActivationScore": response.avg_activation_score,
            "activatedCount": len(response.activated_memories),
            "threshold": answering.threshold(),
            "contextType": response.context.type,
        },
        "storedMemoryId": response.stored.message_id,
        "answerMemoryId": response.stored.answer_id,
        "sessionId": answering.session_id,
        "model": answering.model,
    }


def _candidate(one: MemoryAwareness) -> dict[str, Any]:
    return {
        "memoryId": one.memory_id,
        "activationScore": one.activation_score,
        "relevanceType": one.relevance_type,
        "summary": one.summary,
        "confidence": one.confidence,
        "activated": one.activated,
        "threshold": one.threshold,
        "signals": dict(one.signals),
        "terms": dict(one.terms),
    }
