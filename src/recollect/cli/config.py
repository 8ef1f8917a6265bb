"""The command config."""

from dataclasses import fields

from recollect.cli.command import command
from recollect.cli.opening import shown
from recollect.cli.options import Json
from recollect.cli.output import show
from recollect.cli.settings import Settings, load


@command("config", example="recollect config")
def config(*, as_json: Json = False) -> None:
    """Show the settings in force and where each came from.

    That is a variable, the settings file or the default.
    """
    now = load()
    rows = [
        {
            "name": one.name,
            "value": _shown(one.name, getattr(now.settings, one.name), secret=one.metadata["secret"]),
            "source": now.sources.get(one.name, "default"),
            "variable": one.metadata["variable"],
            "about": one.metadata["about"],
        }
        for one in fields(Settings)
    ]
    lines = "\n".join(f"{row['name']} = {row['value']}  ({row['source']})" for row in rows)
    show(rows, lines=lines, as_json=as_json)


def _shown(name: str, value: object, *, secret: bool) -> object:
    """A value without keys and passwords."""
    if value is None or not secret:
        return shown(value) if name == "db" and isinstance(value, str) else value
    return "***"
