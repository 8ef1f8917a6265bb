"""Assemble the HTTP application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from recollect.memory.aio import AsyncMemory
from recollect.memory.memory import Memory
from recollect.protocols import Store
from recollect.server import problems
from recollect.server.access import Guard
from recollect.server.calling import Service
from recollect.server.chats import Chats
from recollect.server.gate import Gate
from recollect.server.keys import KeyRing
from recollect.server.models import ModelDesk
from recollect.server.observing import Metrics, Observer
from recollect.server.once import SentOnce
from recollect.server.routes import (
    agenda,
    applying,
    chat,
    documents,
    finding,
    health,
    importing,
    learning,
    looking,
    memories,
    moving,
    projects,
    sessions,
    uploading,
)
from recollect.server.settings import ServerSettings
from recollect.server.teams import Teams
from recollect.server.uploads import Uploads
from recollect.server.web import Page

_ABOUT = """\
Long-term memory for LLM agents. Every error is a problem as RFC 9457 has it. Lists are paged by cursors.
Send a key as `Authorization: Bearer KEY` or `X-API-Key: KEY`; a server on a loopback address needs none,
but judges a request by the one that it sends.
"""


def make_app(
    memory: Memory,
    *,
    settings: ServerSettings,
    keys: KeyRing | None = None,
    models: ModelDesk | None = None,
) -> FastAPI:
    """Make the application; see ``recollect.server.create_app``."""
    metrics, page = Metrics(), Page()
    calls = AsyncMemory.over(memory)
    desk = models or ModelDesk()
    desk.give_tasks(memory.models)
    service = Service(
        memory=memory,
        calls=calls,
        chats=Chats(memory, desk, preset=settings.preset, lifecycle=settings.lifecycle),
        sent=SentOnce(memory.parts.store),
        uploads=Uploads(max_bytes=settings.max_import_bytes),
        settings=settings,
        metrics=metrics,
    )
    metrics.watch_jobs(memory.jobs.count, lambda: memory.jobs.count(failed=True))
    app = FastAPI(
        title="Recollect",
        version="1",
        summary="Long-term memory for LLM agents",
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(service),
        middleware=_middleware(settings, keys, memory.parts.store, metrics=metrics, page=page),
    )
    app.state.service = service
    problems.install(app)
    for part in (
        memories,
        finding,
        documents,
        looking,
        sessions,
        projects,
        agenda,
        learning,
        moving,
        uploading,
        importing,
        applying,
        chat,
        health,
    ):
        app.routes.extend(part.router.routes)
    page.install(app)
    return app


def _middleware(
    settings: ServerSettings, keys: KeyRing | None, store: Store, *, metrics: Metrics, page: Page
) -> list[Middleware]:
    """List the middleware, outermost first."""
    guard = Guard(
        keys or KeyRing(store), settings=settings, is_required=keys is not None, spaces_of=Teams(store).of
    )
    chain = [Middleware(Observer, metrics=metrics)]
    if settings.cors_origins:
        cors = Middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "X-API-Key"],
            expose_headers=["Content-Disposition", "Retry-After", "X-Request-Id"],
        )
        chain.append(cors)
    chain.append(Middleware(Gate, guard=guard, settings=settings, is_page=page.owns))
    return chain


def _lifespan(service: Service) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if service.settings.learn:
            tell, poll_s = service.metrics.learned, service.settings.poll_s
            service.worker = service.memory.jobs.worker(poll_s=poll_s, tell=tell)
        try:
            yield
        finally:
            if service.worker is not None:
                await run_in_threadpool(service.worker.close, timeout_s=service.settings.shutdown_s / 4)
            await service.calls.close()
            service.uploads.close()
            service.chats.models.close()

    return lifespan
