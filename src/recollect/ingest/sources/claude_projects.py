"""What Claude.ai's export holds besides conversations: projects, and what Claude remembers about the user.

================================================= =========================================================
``projects.json``, ``projects/*.json``            a project's name and description become a fact, its
                                                  documents documents; starter projects and instructions are
                                                  left out
``memories.json``, ``memories/*.json``            each paragraph is a fact: its heading is a concept, and the
                                                  name of its project, if it is about one
================================================= =========================================================
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from recollect.ingest.sources.json_records import each_of
from recollect.ingest.sources.source import Found, Skipped, SourceDocument, SourceItem
from recollect.ingest.sources.values import Repeats, ShapeError, elements, members, moment, text
from recollect.types.regex import lazy_regex

MEMORIES: Final = "conversations_memory"
"""The member that tells a record of what Claude remembers."""
PROJECT: Final = "is_private"
"""The member that tells a project."""
_ABOUT_PROJECTS: Final = "project_memories"
_HEADING: Final = lazy_regex(r"(?:\*\*(?P<bold>[^*\n]{1,200})\*\*:?|#{1,6} +(?P<plain>[^\n]{1,200}))")
_LISTED: Final = lazy_regex(r"[-*•] +")


def project_found(project: Mapping[str, Any], where: str) -> Iterator[Found]:
    """What there is of a project."""
    if project.get("is_starter_project") is True:
        yield Skipped(reason="starter projects of Claude")
        return
    if text(project, "prompt_template"):
        yield Skipped(reason="instructions of projects")
    name, description = text(project, "name"), text(project, "description")
    yield from each_of(
        enumerate(elements(project, "docs"), start=1),
        lambda one, place: _document(one, place, project=name),
        where,
        noun="document",
    )
    if not description:
        yield Skipped(reason="projects without a description")
        return
    yield SourceItem(
        id=f"project-{text(project, 'uuid') or project['uuid']}",
        content=f"{name}: {description}" if name else description,
        where=where,
        kind="fact",
        at=moment(project.get("created_at")),
        changed_at=moment(project.get("updated_at")),
        concepts=(name,) if name else (),
        metadata={"claude_project": name},
    )


def _document(document: Mapping[str, Any], where: str, *, project: str) -> Iterator[Found]:
    """A text or a file's words that were put into a project."""
    name, content = text(document, "filename"), text(document, "content")
    if not content.strip():
        yield Skipped(reason="documents without words")
        return
    yield SourceDocument(
        id=text(document, "uuid") or str(document["uuid"]),
        content=content,
        where=where,
        name=name,
        title=": ".join(filter(None, (project, name))),
        written_at=moment(document.get("created_at")),
    )


def memories_found(memories: Mapping[str, Any], where: str, names: Mapping[str, str]) -> Iterator[Found]:
    """What Claude remembers of all conversations and of each project; ``names`` are those of projects."""
    if not isinstance(memories.get(MEMORIES), str | None):
        raise ShapeError(f"its {MEMORIES!r} is no text")
    own_id = "-".join(filter(None, ("memory", text(memories, "account_uuid"))))
    yield from _paragraphs(text(memories, MEMORIES), where, own_id)
    for project, words in members(memories, _ABOUT_PROJECTS).items():
        if isinstance(words, str):
            yield from _paragraphs(words, where, f"{own_id}-{project}", about=names.get(project, project))
    if files := len(elements(memories, "memory_files")):
        yield Skipped(reason="memory files", count=files)


def _paragraphs(words: str, where: str, own_id: str, *, about: str | None = None) -> Iterator[SourceItem]:
    repeats = Repeats()
    heading = ""
    for paragraph in _cut(words):
        if named := _HEADING.fullmatch(paragraph):
            heading = (named["bold"] or named["plain"]).strip(" :")
            continue
        yield SourceItem(
            id=f"{own_id}-{repeats.id_of(heading)}",
            content=f"{about}: {paragraph}" if about else paragraph,
            where=f"{where}, {heading}" if heading else where,
            kind="fact",
            concepts=tuple(one for one in (about, heading) if one),
            metadata={"claude_project": about} if about else {},
        )


def _cut(words: str) -> Iterator[str]:
    """Paragraphs, headings and the items of lists."""
    lines: list[str] = []
    for line in [*words.splitlines(), ""]:
        plain = line.strip()
        listed = _LISTED.match(plain)
        if lines and (not plain or listed or _HEADING.fullmatch(plain)):
            yield " ".join(lines)
            lines = []
        if plain and _HEADING.fullmatch(plain):
            yield plain
        elif plain:
            lines.append(plain[listed.end() :] if listed else plain)
