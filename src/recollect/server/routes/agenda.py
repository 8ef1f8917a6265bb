"""The agenda: what to bring up, what was, what never again, and answers."""

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field

from recollect.learning.agenda.items import AgendaKind
from recollect.server.calling import InProject, JSONAnswer, Reader, UserId, Writer, new_router
from recollect.server.schemas.requests import AgendaAnswerIn, AgendaIdsIn
from recollect.types import Within

router = new_router("agenda", prefix="/agenda")


class AgendaItemOut(BaseModel):
    """Something to bring up."""

    id: str
    kind: AgendaKind
    text: str = Field(description="What to say. Words of others stand in quotation marks, as data.")
    reason: str = Field(description="Why now.")
    sources: list[str] = Field(
        description="Memories; of a conflict first the two facts, the known one first."
    )
    due: str | None
    occasion: str


class AgendaOut(BaseModel):
    """What to bring up, most pressing first."""

    items: list[AgendaItemOut]


class AgendaChangedOut(BaseModel):
    """The items that were changed."""

    ids: list[str]


@router.get("", response_model=AgendaOut, summary="What to bring up now")
async def agenda_items(
    caller: Reader,
    user_id: UserId = None,
    project: InProject = None,
    limit: Annotated[int, Query(ge=1, le=1_000, description="How many at most on one day.")] = 3,
) -> JSONAnswer:
    """Open tasks, promises, plans, birthdays, questions, and what is to be clarified. Nothing is written."""
    found = await caller.memory.agenda.items(
        user_id=caller.user(user_id), within=Within(project=project), limit=limit
    )
    return JSONAnswer({"items": [one.to_dict() for one in found]})


@router.post("/mention", response_model=AgendaChangedOut, summary="Say that items were brought up")
async def mention_items(body: AgendaIdsIn, caller: Writer) -> JSONAnswer:
    """They do not come again before their next occasion."""
    await caller.memory.agenda.mention(body.ids, user_id=caller.user(body.user_id))
    return JSONAnswer({"ids": body.ids})


@router.post("/dismiss", response_model=AgendaChangedOut, summary="Never bring items up again")
async def dismiss_items(body: AgendaIdsIn, caller: Writer) -> JSONAnswer:
    """They do not come again."""
    await caller.memory.agenda.dismiss(body.ids, user_id=caller.user(body.user_id))
    return JSONAnswer({"ids": body.ids})


@router.post("/answer", response_model=AgendaChangedOut, summary="Apply an answer")
async def answer_item(body: AgendaAnswerIn, caller: Writer) -> JSONAnswer:
    """Decide a conflict or a doubt, or store the answer. The item does not come again."""
    await caller.memory.agenda.answer(body.id, body.answer, user_id=caller.user(body.user_id))
    return JSONAnswer({"ids": [body.id]})
