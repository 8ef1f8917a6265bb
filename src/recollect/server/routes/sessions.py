"""Sessions: conversations that are started, listed and ended."""

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import Path
from pydantic import BaseModel, Field

from recollect.checks import MAX_ID_CHARS, MAX_NAME_CHARS
from recollect.server.calling import (
    AgentId,
    Caller,
    InProject,
    JSONAnswer,
    Reader,
    UserId,
    Writer,
    new_router,
    within_project,
)
from recollect.server.cursors import Cursor, Limit, page_of
from recollect.server.schemas.memories import Hinted
from recollect.server.schemas.requests import Scoped
from recollect.sessions.sessions import Session
from recollect.types.characters import one_line
from recollect.types.codec import to_micros

router = new_router("sessions", prefix="/sessions")

_KINDS: Final = (int, str, str)
_UNSCOPED: Final = Scoped()
"""The body of a request that sends none."""
_BEGINNING: Final = 80
"""Characters of a first message that name a session without a title. Chosen by hand."""
SessionPath = Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS, description="Which conversation.")]


class SessionIn(Scoped):
    """A conversation to start, or to go on with."""

    title: str | None = Field(default=None, max_length=MAX_NAME_CHARS, examples=["Garden"])


_NEW: Final = SessionIn()


class SessionOut(BaseModel):
    """A conversation."""

    id: str
    user_id: str
    agent_id: str | None
    started_at: str
    last_activity: str
    message_count: int
    ended_at: str | None = Field(description="Null while it goes on.")
    title: str | None


class ListedOut(SessionOut):
    """A conversation in a list."""

    begins: str | None = Field(description="How its first message begins, where it has no title.")


class SessionsOut(Hinted):
    """The conversations of a user, the last active first."""

    sessions: list[ListedOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


class TurnSourceOut(BaseModel):
    """A document that an answer could cite."""

    number: int
    title: str
    document_id: str
    source: str
    page: int | None
    memory_id: str = Field(description="The memory that holds the part that was cited.")
    deleted: bool


class TurnOut(BaseModel):
    """A message of a session."""

    id: str
    role: str
    speaker: str | None
    content: str
    said_at: str
    model: str | None = Field(description="Who answered; null for other messages.")
    cut_off: bool = Field(description="Whether the model failed before the answer was complete.")
    sources: list[TurnSourceOut]


class TurnsOut(BaseModel):
    """What was said in a session, oldest first."""

    turns: list[TurnOut]


class DescriptionOut(BaseModel):
    """A title or a summary."""

    text: str
    made_by: str = Field(description="The model, or words/1 for the session's own words.")
    prompt_id: str | None
    because: str | None = Field(description="Why no model made it though there is one.")


class SummaryOut(BaseModel):
    """What a conversation is called and was about."""

    title: DescriptionOut
    summary: DescriptionOut


class EndedOut(SessionOut):
    """A conversation that is over."""

    queued: bool = Field(description="Whether there was anything new to learn.")


@router.post("", status_code=201, response_model=SessionOut, summary="Start a session")
async def start_session(caller: Writer, body: SessionIn = _NEW) -> JSONAnswer:
    """Start a conversation, or go on with one that is there: an ended one is open again."""
    made = await caller.memory.sessions.start(
        user_id=caller.user(body.user_id),
        agent_id=body.agent_id,
        session_id=body.session_id,
        title=body.title,
    )
    return JSONAnswer(made.to_dict(), HTTPStatus.CREATED)


@router.get("", response_model=SessionsOut, summary="List sessions")
async def list_sessions(
    *,
    caller: Reader,
    user_id: UserId = None,
    agent_id: AgentId = None,
    project: InProject = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> JSONAnswer:
    """The conversations of a user, the last active first.

    One in which somebody speaks meanwhile moves to the front: the pages that follow do not show it again.
    """
    found = await caller.memory.sessions.list(
        user_id=caller.user(user_id), agent_id=agent_id, within=within_project(project)
    )
    page, following = page_of(
        sorted(found, key=_place), of="sessions", place=_place, kinds=_KINDS, limit=limit, cursor=cursor
    )
    begins = await _begins(page, caller, user_id)
    listed = [{**one.to_dict(), "begins": begins.get(one.first_message_id)} for one in page]
    told = {"sessions": listed, "next_cursor": following}
    return await caller.hinted("sessions", told, found=page)


@router.get("/{session_id}", response_model=SessionOut, summary="Read about a session")
async def get_session(
    session_id: SessionPath, caller: Reader, user_id: UserId = None, agent_id: AgentId = None
) -> JSONAnswer:
    """One conversation; what was said in it is listed by ``GET /memories?session_id=``."""
    found = await caller.memory.sessions.get(session_id, user_id=caller.user(user_id), agent_id=agent_id)
    return JSONAnswer(found.to_dict())


@router.get("/{session_id}/turns", response_model=TurnsOut, summary="Read a session")
async def session_turns(
    session_id: SessionPath,
    caller: Reader,
    user_id: UserId = None,
    agent_id: AgentId = None,
    limit: Limit = 50,
) -> JSONAnswer:
    """The last messages of a session, oldest first. A source whose document was deleted is marked so."""
    found = await caller.memory.sessions.turns(
        session_id, user_id=caller.user(user_id), agent_id=agent_id, limit=limit
    )
    return JSONAnswer({"turns": [one.to_dict() for one in found]})


@router.post("/{session_id}/end", response_model=EndedOut, summary="Say that a session is over")
async def end_session(session_id: SessionPath, caller: Writer, body: Scoped = _UNSCOPED) -> JSONAnswer:
    """What was said in it is queued to be learned, however little it is. A further message opens it again."""
    user = caller.user(body.user_id)
    ended = await caller.memory.sessions.end(session_id, user_id=user, agent_id=body.agent_id)
    return JSONAnswer({**ended.to_dict(), "queued": ended.queued})


@router.post("/{session_id}/summarise", response_model=SummaryOut, summary="Give a session a title")
async def summarise_session(session_id: SessionPath, caller: Writer, body: Scoped = _UNSCOPED) -> JSONAnswer:
    """Give a session a title, which it keeps, and sum it up in a few sentences.

    The models for titles and summaries do it; without them both quote the session's own words.
    """
    user, sessions = caller.user(body.user_id), caller.memory.sessions
    title = await sessions.entitle(session_id, user_id=user, agent_id=body.agent_id)
    summary = await sessions.summarise(session_id, user_id=user, agent_id=body.agent_id)
    return JSONAnswer({"title": asdict(title), "summary": asdict(summary)})


async def _begins(page: list[Session], caller: Caller, user_id: str | None) -> dict[str | None, str]:
    """How the sessions without a title begin, by the ids of their first messages."""
    wanted = [one.first_message_id for one in page if one.title is None and one.first_message_id]
    found = await caller.memory.get_all(user_id=caller.user(user_id), filters={"id": {"in": wanted}})
    return {one.id: one_line(one.content, most=_BEGINNING) for one in found}


def _place(session: Session) -> tuple[int, str, str]:
    return -to_micros(session.last_activity), session.id, session.agent_id or ""
