"""The web page: built files, served at ``/``."""

from http import HTTPStatus
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles

FOLDER: Final = Path(__file__).parent / "web"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
"""The content security policy: only the page's own files, no inline script or style."""
_INDEX: Final = "index.html"
_ASSETS: Final = "assets/"
_FOREVER: Final = "public, max-age=31536000, immutable"


class Page:
    """The files of the page; with an empty or missing folder the server has no page."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        files = (file for file in folder.rglob("*") if file.is_file()) if folder.is_dir() else ()
        self._paths = {f"/{file.relative_to(folder).as_posix()}" for file in files}

    def owns(self, path: str) -> bool:
        """Whether a path belongs to the page."""
        return path == "/" or path in self._paths

    def install(self, app: FastAPI) -> None:
        """Add one route per file, so that any other path is still a 404."""
        files = StaticFiles(directory=self._folder, check_dir=False)

        async def answer(request: Request) -> Response:
            path = request.url.path.removeprefix("/") or _INDEX
            response = await files.get_response(path, request.scope)
            response.headers["Content-Security-Policy"] = POLICY
            response.headers["Cache-Control"] = _FOREVER if path.startswith(_ASSETS) else "no-cache"
            return response

        async def icon(_: Request) -> Response:
            return RedirectResponse("/icon.svg", HTTPStatus.MOVED_PERMANENTLY)

        if "/icon.svg" in self._paths:
            app.add_route("/favicon.ico", icon, methods=["GET"], include_in_schema=False)
        for path in sorted(self._paths):
            app.add_route(
                "/" if path == f"/{_INDEX}" else path, answer, methods=["GET"], include_in_schema=False
            )
