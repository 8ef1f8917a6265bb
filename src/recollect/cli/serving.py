"""The commands for the servers: serve, keys, spaces, mcp."""

import time
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from signal import SIGTERM, signal
from threading import Thread, current_thread, main_thread
from typing import TYPE_CHECKING, Annotated, Final, NoReturn, cast

import typer

from recollect.cli.command import command
from recollect.cli.opening import QueryOptions, StoreOptions, opened, pii_policy
from recollect.cli.options import (
    DEFAULT_USER,
    AgentId,
    BaseUrl,
    Lifecycle,
    ModelName,
    Pii,
    PresetName,
    Secrets,
    SessionId,
    UserId,
    key_for,
    task_models,
)
from recollect.cli.output import lines_of_items, plain, show
from recollect.cli.settings import settings
from recollect.types import JSON
from recollect.types.codec import fields_to_json
from recollect.types.extras import optional_module

if TYPE_CHECKING:
    from uvicorn import Server

    from recollect.ingest.messages import SecretsPolicy
    from recollect.memory.memory import Memory
    from recollect.models import ModelRouter
    from recollect.server.keys import Key, KeyRing
    from recollect.server.models import ModelDesk
    from recollect.server.oauth.grants import Grant, Grants

WithKeys = Annotated[bool, typer.Option("--with-keys", help="Require keys on a loopback address, too.")]
_PORT: Final = 8377
OPENER: Final = "recollect-open"
"""The name of the thread that opens the page."""
_STARTING_S: Final = 0.1
"""Seconds between two looks at whether the server has started. Chosen by hand."""


@command(
    "serve",
    example="""\
recollect serve
recollect serve --host 0.0.0.0 --port 8000""",
)
def serve(
    *,
    host: Annotated[
        str,
        typer.Option(
            envvar="RECOLLECT_HOST", help="The address to bind; all but loopback addresses need keys."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(envvar="RECOLLECT_PORT", min=0, max=65_535, help="The port.")] = _PORT,
    with_keys: WithKeys = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            envvar="RECOLLECT_ALLOWED_HOSTS",
            help="Another host name accepted on a loopback address.",
        ),
    ] = None,
    cors_origin: Annotated[
        list[str] | None,
        typer.Option(
            "--cors-origin",
            metavar="URL",
            envvar="RECOLLECT_CORS_ORIGINS",
            help="Another origin whose pages may call the API.",
        ),
    ] = None,
    rate_per_minute: Annotated[
        int, typer.Option(envvar="RECOLLECT_RATE_PER_MINUTE", min=1, help="Requests per minute and key.")
    ] = 6_000,
    learn: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Learn what is queued, in a thread of the server.")
    ] = True,
    user_id: UserId = DEFAULT_USER,
    preset: PresetName = "default",
    lifecycle: Lifecycle = False,
    model: ModelName = None,
    base_url: BaseUrl = None,
    secrets: Secrets = "redact",
    pii: Pii = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the web page in a browser.")] = False,
    log_level: Annotated[str, typer.Option(metavar="LEVEL", help="debug, info, warning or error.")] = "info",
    at: QueryOptions,
) -> None:
    """Serve a memory over HTTP, with its web page."""
    optional_module("uvicorn", feature="the server", extra="server")
    from recollect.models import ModelRouter, ModelTask
    from recollect.presets import open_preset
    from recollect.server import KeyRing, ServerSettings, create_app
    from recollect.server.running import check_free, configure_logs, make_server, tune_process
    from recollect.server.settings import check_bind

    open_preset(preset)
    served = ServerSettings(
        preset=preset,
        lifecycle=lifecycle,
        host=host,
        port=port,
        default_user=user_id,
        allowed_hosts=tuple(allow_host or ()),
        cors_origins=tuple(cors_origin or ()),
        rate_per_minute=rate_per_minute,
        learn=learn,
    )
    router = ModelRouter(dict.fromkeys(ModelTask))
    with opened(at, secrets=secrets, pii=pii, make=True, models=router) as memory:
        ring = KeyRing(memory.parts.store)
        check_bind(host, keys=(known := ring.count()))
        check_free(host, port)
        guarded = with_keys or not served.is_loopback
        models = _desk(router, model=model, base_url=base_url)
        app = create_app(memory, settings=served, keys=ring if guarded else None, models=models)
        configure_logs(level=log_level)
        url = f"http://{host}:{port}"
        told = {"url": url, "keys": guarded, "db": repr(memory)}
        at.show(told, lines=f"serving {memory!r} on {url}; stop with Ctrl-C")
        _tell_unrequired(0 if guarded else known, user_id)
        server = make_server(app, served)
        tune_process()
        if open_page:
            Thread(target=_open_page, args=(server, url), daemon=True, name=OPENER).start()
        if current_thread() is main_thread():  # where Python sets signals
            signal(SIGTERM, _stop)  # the server raises it again when it has stopped
        server.run()


def _tell_unrequired(keys: int, user_id: str) -> None:
    """Say that there are keys, and that requests without one are answered."""
    if keys:
        have = "1 key exists and is" if keys == 1 else f"{keys} keys exist and are"
        typer.echo(
            f"{have} not required here: a request without one is let in, as the user {plain(user_id)}; "
            "--with-keys requires one",
            err=True,
        )


def _stop(*_: object) -> NoReturn:
    """End with 0: a server that was asked to stop has not failed."""
    raise SystemExit(0)


def _open_page(server: "Server", url: str) -> None:
    """Open the page in a browser once the server answers."""
    while not (server.started or server.should_exit):
        time.sleep(_STARTING_S)
    if server.started:
        webbrowser.open(url)


def _desk(router: "ModelRouter", *, model: str | None, base_url: str | None) -> "ModelDesk":
    """The models of the server, by the options and the environment."""
    from recollect.models.routing import OLLAMA
    from recollect.server.models import ModelDesk

    key = key_for(base_url)
    local = settings().chat_model if model is None else None
    if model or base_url or local or task_models():
        optional_module("openai", feature="a language model", extra="openai")
    if local is not None:  # a key for OpenAI is not for Ollama
        base_url, key = base_url or OLLAMA, key if base_url else None
    desk = ModelDesk(model=model or local, base_url=base_url, api_key=key)
    desk.give_tasks(router)
    for task, name in task_models().items():
        desk.override(task, name)
    return desk


@command(
    "keys",
    example="""\
recollect keys create --user ada --role writer
recollect keys create --space kitchen --role reader --label "the wall display"
recollect keys list
recollect keys revoke 3
recollect keys revoke 3/9f86d081884c7d65""",
)
def keys(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="create, list or revoke.")],
    key_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="The key, or the app of one, to revoke.")
    ] = None,
    *,
    user: Annotated[str | None, typer.Option("--user", metavar="ID", help="The key's user.")] = None,
    space: Annotated[
        str | None, typer.Option("--space", metavar="NAME", help="The key's team space, instead of a user.")
    ] = None,
    any_user: Annotated[
        bool, typer.Option("--any-user", help="For any user: a back end names one in each request.")
    ] = False,
    role: Annotated[str, typer.Option(metavar="ROLE", help="reader, writer or admin.")] = "writer",
    label: Annotated[str | None, typer.Option(metavar="TEXT", help="A note on what the key is for.")] = None,
    rate_per_minute: Annotated[int | None, typer.Option(min=1, help="The key's own rate limit.")] = None,
    max_body_bytes: Annotated[int | None, typer.Option(min=1, help="The key's own limit for bodies.")] = None,
    at: StoreOptions,
) -> None:
    """Create, list and revoke API keys, and apps let in with them.

    A key is shown only once; the store keeps its hash.
    """
    from recollect.server.keys import ROLES, KeyRing, owner_of
    from recollect.server.oauth.grants import Grants
    from recollect.server.teams import Teams

    if action not in {"create", "list", "revoke"} or (action == "revoke") != (key_id is not None):
        raise typer.BadParameter("the actions are create, list and revoke ID")
    if role not in ROLES:
        raise typer.BadParameter(f"the roles are {', '.join(ROLES)}")
    with opened(at, make=action == "create") as memory:
        ring = KeyRing(memory.parts.store)
        grants = Grants(memory.parts.store, ring)
        if action == "create":
            owner = owner_of(user=user, space=space, any_user=any_user)
            key, text = ring.create(
                owner=owner,
                role=role,
                label=label,
                rate_per_minute=rate_per_minute,
                max_body_bytes=max_body_bytes,
            )
            lines = f"{text}\n  keep it: it is not shown again\n  {_line_of(key)}"
            at.show({**_told(key), "key": text}, lines=lines)
            if space is not None and owner not in Teams(memory.parts.store).all():
                typer.echo(
                    f"nobody is in the space {plain(space)} yet: recollect spaces add {plain(space)} USER",
                    err=True,
                )
        elif action == "list":
            _list(ring, grants, as_json=at.as_json)
        elif "/" in (key_id or ""):
            app = grants.revoke(key_id or "")
            at.show(_told_app(app), lines=f"{_line_of_app(app)}  revoked")
        else:
            gone = ring.revoke(key_id or "")
            at.show(_told(gone), lines=_line_of(gone))


@command(
    "spaces",
    example="""\
recollect spaces add kitchen ada --role writer
recollect spaces list
recollect spaces remove kitchen ada""",
)
def spaces(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="add, list or remove.")],
    space: Annotated[str | None, typer.Argument(metavar="SPACE", help="The team space's name.")] = None,
    user: Annotated[str | None, typer.Argument(metavar="USER", help="The member.")] = None,
    *,
    role: Annotated[str, typer.Option(metavar="ROLE", help="reader, writer or admin.")] = "writer",
    at: StoreOptions,
) -> None:
    """Add, list and remove the members of team spaces.

    A member's keys read what is stored in the space, too, and write to it in the member's role.
    """
    from recollect.server.keys import ROLES
    from recollect.server.teams import Teams, space_named

    if action not in {"add", "list", "remove"} or (action == "list") != (user is None and space is None):
        raise typer.BadParameter("the actions are add SPACE USER, list and remove SPACE USER")
    if action != "list" and (space is None or user is None):
        raise typer.BadParameter(f"{action} whom? Name the space and the user")
    if role not in ROLES:
        raise typer.BadParameter(f"the roles are {', '.join(ROLES)}")
    with opened(at, make=action == "add") as memory:
        teams = Teams(memory.parts.store)
        if action == "add":
            teams.put(space_named(space or ""), user or "", role)
        elif action == "remove":
            teams.remove(space_named(space or ""), user or "")
        known = teams.all()
    members: list[dict[str, JSON]] = [
        {"space": one.removeprefix("space:"), "user": member, "role": held}
        for one, those in known.items()
        for member, held in those.items()
    ]
    lines = "\n".join(f"{one['space']}  {plain(str(one['user']))}  {one['role']}" for one in members)
    at.show(members, lines=lines or "no members")


def _list(ring: "KeyRing", grants: "Grants", *, as_json: bool) -> None:
    every, apps = ring.all(), grants.all()
    lines = lines_of_items(every, line=_line_of, columns=_COLUMNS)
    more = "".join(f"\n{_line_of_app(app)}" for app in apps)
    told = [{**_told(key), "apps": [_told_app(app) for app in apps if app.key_id == key.id]} for key in every]
    show(told, lines=f"{lines}{more}" if every else "no keys", as_json=as_json)


def _told_app(app: "Grant") -> dict[str, JSON]:
    told = {"id": app.shown_id, "name": app.client_name, "access": app.access}
    return {**told, "allowed_at": datetime.fromtimestamp(app.created_at, UTC).isoformat()}


def _line_of_app(app: "Grant") -> str:
    told = _told_app(app)
    return f"{told['id']}  {plain(app.client_name)}  {told['access']}  allowed {told['allowed_at']}"


_COLUMNS: Final[Mapping[str, Callable[["Key"], object]]] = {
    "id": lambda key: key.id,
    "owner": lambda key: key.owner,
    "role": lambda key: key.role,
    "made": lambda key: str(key.created_at)[:10],
    "revoked": lambda key: str(key.revoked_at or "")[:10],
    "label": lambda key: key.label or "",
}


def _told(key: "Key") -> dict[str, JSON]:
    return fields_to_json(key, without=("digest",))


def _line_of(key: "Key") -> str:
    state = f"revoked {key.revoked_at}" if key.revoked_at else f"made {key.created_at}"
    label = f"  {key.label}" if key.label else ""
    return f"{key.id}  {key.owner}  {key.role}  {state}{label}"


@command(
    "mcp",
    example="""\
recollect mcp --user-id ada
recollect mcp --http --port 8378
recollect mcp --http --public-url https://memory.example.org""",
)
def mcp(
    *,
    user_id: UserId = DEFAULT_USER,
    agent_id: AgentId = None,
    session_id: SessionId = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer no tool that writes.")] = False,
    http: Annotated[
        bool, typer.Option("--http", help="Streamable HTTP instead of stdin and stdout.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="The address of --http; all but loopback addresses need keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port of --http.")] = _PORT + 1,
    public_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Let hosted clients sign in (OAuth): the https address under which they reach --http.",
        ),
    ] = None,
    with_keys: WithKeys = False,
    learn: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Learn what is queued, in a thread of the server.")
    ] = True,
    secrets: Secrets = "redact",
    pii: Pii = None,
    at: QueryOptions,
) -> None:
    """Serve one user's memory to MCP clients over stdio or HTTP.

    Over HTTP with keys, each request is for the owner of its key.
    """
    for option, given in (("--public-url", public_url is not None), ("--with-keys", with_keys)):
        if given and not http:
            raise typer.BadParameter(f"{option} is for --http")
    optional_module("mcp", feature="the MCP server", extra="mcp")
    from recollect.checks import check_scope
    from recollect.server import mcp as tools

    if pii or secrets != "redact":
        from recollect.ingest.messages import Screen

        Screen(secrets=cast("SecretsPolicy", secrets), pii=pii_policy(pii or []))
    stack = ExitStack()

    def open_memory() -> "Memory":
        return stack.enter_context(opened(at, secrets=secrets, pii=pii, make=True))

    held = tools.Held(open_memory, learn=learn)
    server = tools.make_mcp(held, check_scope(user_id, agent_id, session_id), read_only=read_only)
    try:
        if http:
            optional_module("uvicorn", feature="MCP over HTTP", extra="server")
            from recollect.server.mcp_http import serve_mcp

            told = {"url": f"{public_url.rstrip('/') if public_url else f'http://{host}:{port}'}/mcp"}

            def begins(unrequired: int) -> None:
                show(told, lines=f"MCP on {told['url']}; stop with Ctrl-C", as_json=at.as_json)
                _tell_unrequired(unrequired, user_id)

            serve_mcp(
                server,
                held,
                user_id=user_id,
                host=host,
                port=port,
                public_url=public_url,
                with_keys=with_keys,
                begins=begins,
            )
        else:
            server.run("stdio")
    finally:
        held.close()
        stack.close()
