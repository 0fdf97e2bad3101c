"""`tourney new-player`: a folder with a bridge program to begin with."""

import keyword
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from tourney.cli._common import PATH, default_option

_LANGUAGES: Final = ("python", "node", "cpp")

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

_NEXT: Final = {
    "python": ("pytest", "tourney check-bot --player {name}:{type}"),
    "node": ("node --test", "tourney check-bot -- node {name}.mjs {{host}} {{port}} {{seat}} {{team}}"),
    "cpp": ("make", "tourney check-bot -- ./{name} {{host}} {{port}} {{seat}} {{team}}"),
}
"""What to do first in the folder: the tests or the build, and the check of what is said at the table."""


@click.command("new-player")
@click.argument("path", metavar="FOLDER", type=PATH)
@default_option(
    "--language",
    type=click.Choice(_LANGUAGES),
    default="python",
    help="python: a class to fill in; node and cpp: a program that speaks to the table itself.",
)
def new_player_command(path: Path, language: str) -> None:
    """Make a folder with a bridge program that plays at once, with its tests and an event to try it in.

    FOLDER is new, and gives the program its name: small letters, digits and underscores.

    \b
    tourney new-player my_bot
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.errors import LaunchError, UsageError
    from tourney.resources import new_player_files

    name = path.name
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"a player's name has small letters, digits and underscores, such as my_bot, got {name!r}")
    if language == "python" and find_spec(name) is not None:
        raise UsageError(f"there is a module {name!r}, which a player of that name would hide: give it another name")
    type_name = "".join(word.capitalize() for word in name.split("_"))
    try:
        path.mkdir()
        for file_name, text in new_player_files(language).items():
            written = text.replace("my_bot", name).replace("MyBot", type_name)
            (path / file_name.replace("my_bot", name)).write_text(written, encoding="utf-8")
    except FileExistsError:
        raise LaunchError(f"{path} exists already: give the name of a new folder") from None
    except FileNotFoundError:
        raise LaunchError(f"folder {path.parent} does not exist: make it first") from None
    except OSError as error:
        raise LaunchError(f"folder {path} cannot be written: {error.strerror}") from None
    first, check = (text.format(name=name, type=type_name) for text in _NEXT[language])
    click.echo(f"Wrote {path}: a player that opens with twelve points and wins tricks cheaply. Make it yours, then")
    width = max(len(first), len(check))
    click.echo(f"  cd {path}")
    click.echo(f"  {first.ljust(width)}   {'builds it' if language == 'cpp' else 'runs its tests'}")
    click.echo(f"  {check.ljust(width)}   says whether it keeps to the protocol")
    click.echo(f"  {'tourney run try.toml'.ljust(width)}   plays four boards against the reference player")
