"""Which project a folder belongs to: the remote of its git repository, else the repository's path.

=====================================  ==============================
folder                                 project
=====================================  ==============================
a clone of git@github.com:Acme/app.git github.com/acme/app
a subfolder or a worktree of it        github.com/acme/app
a repository without a remote          its path, /home/ada/notes
a folder outside any repository        its path
=====================================  ==============================

Git's files are read directly: starting git would cost a hook more time than it has.
"""

import os
import re
from typing import Final

_SCP: Final = re.compile(r"^(?:[^@/]+@)?(?P<host>[\w.-]+):(?!//)(?P<path>.+)$")
_URL: Final = re.compile(
    r"^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?(?P<host>[^/:]+)(?::\d+)?/(?P<path>.+)$", re.IGNORECASE
)
_SECTION: Final = re.compile(r'^\s*\[remote "(?P<name>[^"]+)"\]\s*$')
_ADDRESS: Final = re.compile(r"^\s*url\s*=\s*(?P<url>\S+)\s*$")
_FIRST: Final = "origin"
_LONGEST: Final = 1_000
"""Characters of a project's name; longer paths are cut at the front. Chosen by hand."""


def project_of(folder: str) -> str:
    """The project of a folder, which need not exist any more.

    Raises:
        OSError: A file of git cannot be read.
    """
    place = os.path.realpath(folder)
    while True:
        git = os.path.join(place, ".git")
        if os.path.exists(git):
            return _named(place, _common(git))
        above = os.path.dirname(place)
        if above == place:
            return os.path.realpath(folder)[-_LONGEST:]
        place = above


def _common(git: str) -> str:
    """The folder with the configuration: a worktree's ``.git`` is a file that leads there."""
    if os.path.isdir(git):
        return git
    said = _first_line(git).removeprefix("gitdir:").strip()
    own = os.path.join(os.path.dirname(git), said)
    try:
        return os.path.normpath(os.path.join(own, _first_line(os.path.join(own, "commondir"))))
    except FileNotFoundError:
        return own


def _named(root: str, git: str) -> str:
    try:
        with open(os.path.join(git, "config"), encoding="utf-8", errors="replace") as config:
            remotes = _remotes(config.read())
    except FileNotFoundError:
        remotes = {}
    main = os.path.dirname(git) if os.path.basename(git) == ".git" else root
    if not remotes:
        return main[-_LONGEST:]
    address = remotes.get(_FIRST) or next(iter(remotes.values()))
    return repository_of(os.path.normpath(os.path.join(main, address)) if _is_relative(address) else address)


def _is_relative(url: str) -> bool:
    """Whether a remote is a path from the repository on, which many repositories may share."""
    return not (_URL.match(url) or _SCP.match(url) or "://" in url or os.path.isabs(url))


def _remotes(config: str) -> dict[str, str]:
    """The addresses of the remotes, by name."""
    found: dict[str, str] = {}
    name = None
    for line in config.splitlines():
        if line.lstrip().startswith("["):
            section = _SECTION.match(line)
            name = section["name"] if section else None
        elif name is not None and (address := _ADDRESS.match(line)):
            found.setdefault(name, address["url"])
    return found


def repository_of(url: str) -> str:
    """The host and path of a remote, the same for every way to reach it, without user and password.

    >>> repository_of("git@github.com:Acme/App.git"), repository_of("https://ada:key@github.com/acme/app/")
    ('github.com/acme/app', 'github.com/acme/app')
    """
    match = _URL.match(url) or _SCP.match(url)
    name = f"{match['host']}/{match['path'].strip('/')}" if match else url.rstrip("/")
    return (name.lower() if match else name).removesuffix(".git")[-_LONGEST:]


def _first_line(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline().strip()
