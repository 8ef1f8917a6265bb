"""Documents: texts in chunks beside what was said. The server reads no files: texts are sent to it."""

from typing import Annotated, Any, Final, Literal

from fastapi import Path, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import BaseModel, Field

from recollect.checks import MAX_ID_CHARS, MAX_NAME_CHARS
from recollect.documents import Document, DocumentResult
from recollect.documents.citing import citation_to_json
from recollect.server.calling import Caller, JSONAnswer, Reader, UserId, Writer, new_router
from recollect.server.cursors import Cursor, Limit, page_of
from recollect.server.schemas.memories import DeletedOut, Hinted, RecollectionOut
from recollect.server.schemas.requests import Owned
from recollect.server.schemas.requests import Query as Question
from recollect.types.codec import fields_to_json

router = new_router("documents", prefix="/documents")

_SORTED_BY: Final = 256
"""Characters of a source that order documents, so that a cursor stays short. Chosen by hand."""
BYTES: Final = "application/octet-stream"
_BINARY: Final = {"type": "string", "format": "binary"}
Source = Annotated[
    str,
    Query(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        description="The file's name; the same name again takes its place, if it changed.",
        examples=["tenancy.pdf"],
    ),
]
DocumentId = Annotated[str, Path(min_length=1, max_length=MAX_ID_CHARS, description="Which document.")]


class DocumentIn(Owned):
    """A text to keep."""

    text: str = Field(examples=["# Python\n\nPython is a language for data analysis."])
    source: str = Field(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        examples=["https://example.org/python"],
        description="What it is called; the same source again takes its place, if it changed.",
    )
    title: str | None = Field(default=None, description="By default its first heading, else the source.")
    format: Literal["markdown", "text", "html"] = "markdown"


class DocumentOut(BaseModel):
    """A document."""

    id: str
    source: str
    title: str
    format: str
    chunks: int
    digest: str
    added_at: str


class DocumentsOut(Hinted):
    """The documents of a user, by source."""

    documents: list[DocumentOut]
    next_cursor: str | None = Field(default=None, description="Null on the last page.")


class DocumentAdded(BaseModel):
    """What became of a document."""

    source: str
    status: str
    document_id: str | None
    chunks: int
    reason: str | None


class CitingIn(Owned):
    """A question about documents."""

    query: Question
    limit: int = Field(default=5, ge=1, le=100)


class CitationOut(BaseModel):
    """A part of a document that was found."""

    number: int
    title: str
    snippet: str
    document_id: str
    source: str
    page: int | None
    hit: RecollectionOut


class CitationsOut(Hinted):
    """Sources to cite, the best first."""

    citations: list[CitationOut]


_UNSTORED: Final[dict[int | str, Any]] = {
    200: {
        "model": DocumentAdded,
        "description": "Nothing was stored: it is unchanged, or refused with a reason.",
    }
}


@router.post("", status_code=201, response_model=DocumentAdded, responses=_UNSTORED, summary="Keep a text")
async def add_document(body: DocumentIn, caller: Writer) -> JSONAnswer:
    """Cut it into chunks and store them; what has not changed is left alone."""
    done = await caller.memory.documents.add_text(
        body.text,
        user_id=caller.user(body.user_id),
        source=body.source,
        title=body.title,
        format=body.format,
    )
    return _added(done, caller)


@router.post(
    "/file",
    status_code=201,
    response_model=DocumentAdded,
    responses=_UNSTORED,
    summary="Keep a file",
    openapi_extra={"requestBody": {"required": True, "content": {BYTES: {"schema": _BINARY}}}},
)
async def add_file(request: Request, caller: Writer, source: Source, user_id: UserId = None) -> JSONAnswer:
    """Read a Markdown, text, HTML or PDF file, by its name; a bad one is refused with a reason."""
    done = await caller.memory.documents.add_bytes(
        await request.body(), user_id=caller.user(user_id), source=source
    )
    return _added(done, caller)


@router.get("", response_model=DocumentsOut, summary="List documents")
async def list_documents(
    caller: Reader, user_id: UserId = None, limit: Limit = 50, cursor: Cursor = None
) -> JSONAnswer:
    """The documents of a user, by source."""
    found = await caller.memory.documents.list(user_id=caller.user(user_id))
    page, following = page_of(
        sorted(found, key=_place), of="documents", place=_place, kinds=(str, str), limit=limit, cursor=cursor
    )
    told = {"documents": [fields_to_json(one) for one in page], "next_cursor": following}
    return await caller.hinted("documents", told, found=page)


@router.post("/search", response_model=CitationsOut, summary="Find sources to cite")
async def cite(body: CitingIn, caller: Reader) -> JSONAnswer:
    """The chunks of documents that answer a question, numbered as an answer cites them."""
    found = await caller.memory.documents.search(
        body.query, user_id=caller.user(body.user_id), limit=body.limit
    )
    told = [citation_to_json(one) for one in found]
    return await caller.hinted("cite", {"citations": told}, found=told)


@router.get("/{document_id}", response_model=DocumentOut, summary="Read about a document")
async def get_document(document_id: DocumentId, caller: Reader, user_id: UserId = None) -> JSONAnswer:
    """One document, without its words."""
    return JSONAnswer(
        fields_to_json(await caller.memory.documents.get(document_id, user_id=caller.user(user_id)))
    )


@router.get("/{document_id}/text", response_class=PlainTextResponse, summary="Read a document")
async def get_text(document_id: DocumentId, caller: Reader, user_id: UserId = None) -> PlainTextResponse:
    """All words of a document, as they were read."""
    return PlainTextResponse(await caller.memory.documents.text(document_id, user_id=caller.user(user_id)))


@router.delete("/{document_id}", response_model=DeletedOut, summary="Remove a document")
async def remove_document(document_id: DocumentId, caller: Writer, user_id: UserId = None) -> JSONAnswer:
    """Remove a document with all its chunks, softly."""
    user = caller.user(user_id)
    known = await caller.memory.documents.get(document_id, user_id=user)
    await caller.memory.documents.remove(known.id, user_id=user)
    caller.touched([known.id])
    return JSONAnswer({"deleted": known.chunks})


def _added(done: DocumentResult, caller: Caller) -> JSONAnswer:
    caller.touched([done.document_id] if done.document_id else [])
    told = {name: getattr(done, name) for name in ("source", "status", "document_id", "chunks", "reason")}
    return JSONAnswer(told, 201 if done.status in {"added", "replaced"} else 200)


def _place(document: Document) -> tuple[str, str]:
    return document.source[:_SORTED_BY], document.id
