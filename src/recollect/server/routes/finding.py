"""Finding: search, context, and what users say of what was found."""

from recollect.server.calling import JSONAnswer, Reader, Writer, new_router
from recollect.server.schemas.memories import AnswerOut, ContextOut, MemoryOut, SearchOut
from recollect.server.schemas.requests import AnswerIn, ContextIn, FeedbackIn, SearchIn
from recollect.server.teams import by_member, context_across, search_across
from recollect.types import Within
from recollect.types.codec import recollection_to_json, record_to_json

router = new_router("finding")


@router.post("/search", response_model=SearchOut, summary="Find memories")
async def search(body: SearchIn, caller: Reader) -> JSONAnswer:
    """The memories that answer a question, best first, with the terms of their scores. Nothing is written."""
    hits = await caller.in_thread(
        search_across,
        caller.service.memory,
        body.query,
        caller.users(body.user_id),
        agent_id=body.agent_id,
        session_id=body.session_id,
        top_k=body.top_k,
        threshold=body.threshold,
        collapse=body.collapse,
        filters=body.filters,
        kinds=body.kinds,
        within=body.within(),
    )
    told = {"results": [recollection_to_json(hit) for hit in hits]}
    return await caller.hinted("search", told, found=hits)


@router.post("/context", response_model=ContextOut, summary="Text ready for a prompt")
async def context(body: ContextIn, caller: Reader) -> JSONAnswer:
    """What is known about a question, within a budget of tokens, and what was left out and why."""
    made = await caller.in_thread(
        context_across,
        caller.service.memory,
        body.query,
        caller.users(body.user_id),
        agent_id=body.agent_id,
        session_id=body.session_id,
        budget_tokens=body.budget_tokens,
        threshold=body.threshold,
        core_share=body.core_share,
        filters=body.filters,
        kinds=body.kinds,
        within=body.within(),
    )
    told = {
        "text": made.text,
        "tokens": made.tokens,
        "budget_tokens": made.budget_tokens,
        "included": [recollection_to_json(hit) for hit in made.included],
        "left_out": [left.to_dict() for left in made.left_out],
        "core_left_out": made.core_left_out,
        "notes": list(made.notes),
    }
    return await caller.hinted("context", told, found=made.text)


@router.post("/answer", response_model=AnswerOut, summary="What do you know, and why?")
async def answer(body: AnswerIn, caller: Reader) -> JSONAnswer:
    """Answer "what do you know about me?", "why do you think so?" and "since when ...?" without a model.

    In sentences, with sources and dates. Where the message asks something else, ``kind`` is null.
    """
    found = await caller.memory.facts.answer(
        body.message,
        user_id=caller.user(body.user_id),
        agent_id=body.agent_id,
        session_id=body.session_id,
        within=Within(project=body.project, as_of=body.as_of),
        budget_tokens=body.budget_tokens,
    )
    if found is None:
        return await caller.hinted("answer", {"kind": None}, found=None)
    memories = [record_to_json(one) for one in found.memories]
    return JSONAnswer({**found.to_dict(), "memories": memories})


@router.post("/feedback", response_model=MemoryOut, summary="Say whether a memory helped")
async def feedback(body: FeedbackIn, caller: Writer) -> JSONAnswer:
    """Useful memories rank higher from then on, others lower. With the message, the preset learns, too."""
    user = caller.user(body.user_id)
    if body.query is not None:
        chats = caller.service.chats
        await caller.in_thread(
            chats.feedback,
            user,
            body.memory_id,
            useful=body.useful,
            message=body.query,
            preset=body.preset,
        )
        record = await caller.memory.get(body.memory_id, user_id=user)
    else:
        (record,) = await caller.memory.use(
            body.memory_id,
            user_id=user,
            useful=body.useful,
            reason=by_member(caller.principal.signs(user), body.reason),
        )
    caller.touched([body.memory_id])
    return JSONAnswer(record_to_json(record))
