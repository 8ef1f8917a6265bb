"""Whether the server runs, can do its work, and how it does."""

from datetime import UTC, datetime
from http import HTTPStatus

from fastapi import Request
from fastapi.responses import Response

from recollect.errors import RecollectError
from recollect.lifecycle.archival import ARCHIVED
from recollect.models.chat import Usage
from recollect.server.calling import (
    Admin,
    InProject,
    JSONAnswer,
    Reader,
    Service,
    UserId,
    new_router,
    within_project,
)
from recollect.server.schemas.chat import HealthOut, ReadyOut, StatsOut
from recollect.types import JSON, Within

router = new_router("health")


@router.get("/api/health", response_model=HealthOut, summary="Whether the server runs")
async def health(request: Request) -> JSONAnswer:
    """It answers, so it does."""
    service: Service = request.app.state.service
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    has_key = service.chats.models.has_key(None)
    return JSONAnswer({"status": "ok", "hasApiKey": has_key, "timestamp": now})


@router.get(
    "/ready",
    response_model=ReadyOut,
    summary="Whether the server can do its work",
    responses={503: {"model": ReadyOut, "description": "The store or the queue is in the way."}},
)
async def ready(request: Request) -> JSONAnswer:
    """Looks at the store, the length of the queue and the worker."""
    service: Service = request.app.state.service
    try:
        queue = await service.calls.jobs.count()
        store = True
    except RecollectError:
        queue, store = 0, False
    worker = not service.settings.learn or (service.worker is not None and service.worker.is_alive)
    fine = store and worker and queue <= service.settings.max_queue
    told = {"status": "ready" if fine else "not ready", "store": store, "queue": queue, "worker": worker}
    return JSONAnswer(told, HTTPStatus.OK if fine else HTTPStatus.SERVICE_UNAVAILABLE)


@router.get("/api/stats", response_model=StatsOut, summary="How a memory is doing")
async def stats(caller: Reader, user_id: UserId = None, project: InProject = None) -> JSONAnswer:
    """How many memories a user has, how activation goes, what waits, and what models used.

    A project narrows the memories that are counted.
    """
    user, within = caller.user(user_id), within_project(project)
    told = await caller.in_thread(_stats, caller.service, user, caller.principal.owner, within)
    most, settings = caller.principal.max_body, caller.service.settings
    sizes = {"maxBodyBytes": most(settings), "maxImportBytes": most(settings, is_file=True)}
    return JSONAnswer({"userId": user, "role": caller.principal.role(user), **told, **sizes})


@router.get(
    "/metrics",
    summary="Counters for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}, "description": "Counters."}},
)
async def metrics(caller: Admin) -> Response:
    """Requests by route and status with their times, the queue, and what was learned. No names, no words."""
    told = await caller.in_thread(caller.service.metrics.told)
    return Response(told, media_type="text/plain; version=0.0.4; charset=utf-8")


def _stats(service: Service, user: str, owner: str | None, within: Within | None) -> dict[str, JSON]:
    """The figures of a user; what models used is the owner's, of everyone's on a server without keys."""
    activity = service.chats.activity(user)
    thresholds = service.memory.lifecycle.thresholds(user_id=user).state()
    kept = service.memory.stats(user_id=user, within=within)
    archived = kept.tiers.get(ARCHIVED, 0)
    models = service.chats.models
    return {
        "totalMemories": kept.memories,
        "averageActivationScore": activity.score / max(activity.activated, 1),
        "hasApiKey": models.has_key(user),
        "activeMemories": kept.memories - archived,
        "archivedMemories": archived,
        "retrievals": activity.answers,
        "thresholds": {str(kind): one.threshold for kind, one in thresholds.items()},
        "kinds": dict(kept.kinds),
        "tiers": dict(kept.tiers),
        "embeddingModel": kept.embedder,
        "dimensions": kept.dimensions,
        "waitingJobs": kept.waiting,
        "failedJobs": kept.given_up,
        "models": models.routes(),
        "usage": _usage(models.usage(owner)),
    }


def _usage(used: Usage) -> dict[str, JSON]:
    return {
        "calls": used.calls,
        "inputTokens": used.input_tokens,
        "outputTokens": used.output_tokens,
        "costUsd": used.cost_usd,
    }
