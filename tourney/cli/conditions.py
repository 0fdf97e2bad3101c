"""The conditions of contest as files, for which an event need not be drawn."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tourney.cli._common import open_event
from tourney.errors import StoreError

if TYPE_CHECKING:
    from tourney.config import Durability, EventConfig
    from tourney.event.file import EventFile


def write_conditions(event_path: Path, folder: Path) -> Iterator[Path]:
    """Write conditions.md and conditions.html, a page that needs no other file; yield the path of each.

    Passphrases, addresses of teams, the seed and the name of the boards file are left out. When the boards are
    sealed, the hash is in it.

    Raises:
        LaunchError: a file or folder cannot be written.
    """
    from tourney.conditions.document import conditions_of, format_markdown
    from tourney.event.file import load_event_to_play
    from tourney.event.seal import load_commitment
    from tourney.export.files import PROGRAM, make_export_folder, replace_file
    from tourney.site.rendering import render_conditions

    event_file = load_event_to_play(event_path)
    commitment = load_commitment(event_file.results, event_file.config.event.name)
    conditions = conditions_of(_with_walls(event_file), commitment, _weakest_durability(event_file))
    make_export_folder(folder)
    page = render_conditions(conditions, PROGRAM).decode()
    for name, text in (("md", format_markdown(conditions)), ("html", page)):
        path = folder / f"conditions.{name}"
        with replace_file(path) as file:
            file.write(text)
        yield path


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
