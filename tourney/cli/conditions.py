"""`tourney conditions`: the conditions of contest."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import FILE, event_argument, open_event
from tourney.errors import StoreError
from tourney.terminal import show_controls, unfiltered

if TYPE_CHECKING:
    from tourney.config import Durability, EventConfig
    from tourney.event.file import EventFile


@click.command("conditions")
@event_argument
@click.option("--html", "as_html", is_flag=True, help="One HTML page that needs no other file, instead of Markdown.")
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="File to write, replaced if it exists; by default standard output.",
)
def conditions_command(event_path: Path, as_html: bool, out: Path | None) -> None:
    """Print the conditions of contest, derived from the event file that the tournament follows.

    EVENT is the path of an event file; the event need not have been drawn. The document covers the draw, boards and
    seating, scoring, standings, time limits, irregularities and connections, with the figures of the file. For pairs
    it has the movement and its balance, for rubber bridge and Chicago what programs are not told. Passphrases,
    addresses of teams, the seed and the name of the boards file are left out. When the boards are sealed (`tourney
    deals seal`), the hash is printed too.

    \b
    tourney conditions club.toml --out conditions.md
    tourney conditions club.toml --html --out conditions.html
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.conditions.document import conditions_of, format_html, format_markdown
    from tourney.event.file import load_event_to_play
    from tourney.event.seal import load_commitment
    from tourney.export.files import replace_file

    event_file = load_event_to_play(event_path)
    commitment = load_commitment(event_file.results, event_file.config.event.name)
    conditions = conditions_of(_with_walls(event_file), commitment, _weakest_durability(event_file))
    text = format_html(conditions) if as_html else format_markdown(conditions)
    if out is None:
        click.echo(show_controls(text).encode(), nl=False, file=unfiltered(sys.stdout))
        return
    with replace_file(out) as file:
        file.write(text)
    click.echo(f"Wrote {out}")


def _with_walls(event_file: "EventFile") -> "EventConfig":
    """Return what the file says, with the sandbox of programs that this machine has where it leaves that open."""
    from tourney.coordinator.engine import choose_event_sandbox
    from tourney.launch.sandbox import choose_kind

    config = event_file.config
    if config.sandbox.kind is not None:
        return config
    sandbox = config.sandbox.model_copy(update={"kind": choose_event_sandbox(event_file, choose_kind).kind})
    return config.model_copy(update={"sandbox": sandbox})


def _weakest_durability(event_file: "EventFile") -> "Durability":
    """Return what the record survives at its weakest, as far as that is known."""
    from tourney.store.control.host_settings import load_durability

    found = None
    # Nothing may have been drawn, or the server cannot be reached from here.
    with suppress(StoreError), open_event(event_file.path) as drawn:
        found = load_durability(drawn.database, drawn.event.id)
    return event_file.weakest_durability(found)
