"""Projects that coding agents worked on."""

from http import HTTPStatus

from pydantic import BaseModel, Field

from recollect.checks import MAX_NAME_CHARS
from recollect.integrations.hosts.project_names import projects_of, rename_project
from recollect.server.calling import JSONAnswer, Reader, UserId, Writer, new_router
from recollect.server.problems import ProblemError
from recollect.server.schemas.requests import Owned
from recollect.types.codec import fields_to_json

router = new_router("projects", prefix="/projects")


class ProjectOut(BaseModel):
    """A project."""

    name: str = Field(examples=["github.com/acme/app"])
    messages: int
    hosts: list[str] = Field(examples=[["claude-code"]])
    last_at: str = Field(description="When something was last said in it.")


class ProjectsOut(BaseModel):
    """The projects of a user, the one that was worked on last first."""

    projects: list[ProjectOut]


class RenameIn(Owned):
    """A project and its new name."""

    old: str = Field(min_length=1, max_length=MAX_NAME_CHARS, examples=["/home/ada/app"])
    new: str = Field(min_length=1, max_length=MAX_NAME_CHARS, examples=["github.com/acme/app"])


class RenamedOut(BaseModel):
    """What a renaming did."""

    renamed: int = Field(description="How many messages have another project now.")


@router.get("", response_model=ProjectsOut, summary="List projects")
async def list_projects(caller: Reader, user_id: UserId = None) -> JSONAnswer:
    """The projects in which the hooks of coding agents captured something."""
    found = await caller.in_thread(projects_of, caller.service.memory, user_id=caller.user(user_id))
    return JSONAnswer({"projects": [fields_to_json(one) for one in found]})


@router.post("/rename", response_model=RenamedOut, summary="Rename a project")
async def rename(body: RenameIn, caller: Writer) -> JSONAnswer:
    """Give a project another name, now and in what is captured later; two projects may become one."""
    user = caller.user(body.user_id)
    if caller.principal.must_have_said(user):
        raise ProblemError(HTTPStatus.FORBIDDEN, "only an admin of this space may rename its projects")
    moved = await caller.in_thread(rename_project, caller.service.memory, body.old, body.new, user_id=user)
    return JSONAnswer({"renamed": moved})
