"""`tourney export`: the record as files for other programs."""

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import PATH, event_argument, flag_option, match_option, open_event, print_note
from tourney.cli._output import director_option
from tourney.errors import StoreError, UsageError
from tourney.export.registry import FORMATS

if TYPE_CHECKING:
    from tourney.config import Durability, EventConfig
    from tourney.event.file import EventFile


def _print_schema(context: click.Context, _parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from tourney.export.json import EventDocument
        from tourney.output.json_schema import derive_schema, format_schema

        click.echo(format_schema(derive_schema(EventDocument, "event.json")), nl=False)
        context.exit()


CONDITIONS: Final = "conditions"
"""The format of what is known without a draw: the conditions of contest, from the event file alone."""

_LISTED: Final = "\n".join(
    [
        *(f"{entry.name:<4}  {entry.help}" for entry in FORMATS.values()),
        f"{CONDITIONS}  conditions.md and conditions.html, the conditions of contest; the event need not be drawn",
    ]
)

_HELP: Final = f"""Write the boards that both rooms have finished, and print the names of the files.

EVENT is the path of an event file.

\b
{_LISTED}

With --match the files are match-001-Home-Away.pbn, .lin, .json, .xml, ...-boards.csv and so on, without standings.
For a website only the name of the first page is printed; pages of boards that are being played again are removed.
Results of `tourney analyse` are included in pbn, csv, json and html: makeable tricks, par, and the cards that cost
tricks.
"""
# The backspace tells Click to keep a paragraph as it is.


@click.command("export", help=_HELP)
@event_argument
@click.option(
    "--format", "file_format", type=click.Choice([*FORMATS, CONDITIONS]), required=True, help="Which files."
)
@click.option(
    "--out",
    "folder",
    type=PATH,
    required=True,
    help="Folder to write into; made if it does not exist; files in it are replaced.",
)
@match_option("This match only, by its number in the schedule.")
@director_option("everything on record")
@flag_option(
    "--schema",
    is_eager=True,
    expose_value=False,
    callback=_print_schema,
    help="Print the JSON Schema of event.json, and do nothing else.",
)
def export_command(event_path: Path, file_format: str, folder: Path, number: int | None, is_director: bool) -> None:
    """Write the boards that both rooms have finished; the help text is made from the formats."""
    from tourney.export.files import make_export_folder
    from tourney.export.request import ExportRequest
    from tourney.runtime import clock
    from tourney.runtime.privacy import closed_files

    if file_format == CONDITIONS:
        if number is not None or is_director:
            raise UsageError("the conditions of contest are of the whole event and for everybody")
        for path in _write_conditions(event_path, folder):
            click.echo(path)
        return
    entry = FORMATS[file_format]
    if entry.is_for_director and not is_director:
        raise UsageError(
            f"the format {file_format} shows boards that somebody may still have to play: add --director"
        )
    if file_format == "html" and (is_director or number is not None):
        raise UsageError("pages are of the whole event and for everybody: leave out --match and --director")
    # What a director sees may be boards that are still to be played.
    with closed_files() if is_director else nullcontext(), open_event(event_path, is_director=is_director) as drawn:
        match = drawn.match(number) if number is not None else None
        make_export_folder(folder)
        request = ExportRequest(drawn=drawn, match=match, folder=folder, written_at_ms=clock.wall_ms())
        for path in entry.export(request):
            click.echo(path)
    if file_format == "logs":
        if request.logs == 0:
            print_note(f"no log is in the record; those that are kept in files are in {drawn.file.results}")
    elif request.boards == 0 and entry.is_of_boards:
        has_rooms = any(len({table.room for table in match.tables}) > 1 for match in request.matches)
        print_note(f"no board is finished {'in both rooms ' if has_rooms else ''}yet")


def _write_conditions(event_path: Path, folder: Path) -> Iterator[Path]:
    """Write conditions.md and conditions.html, a page that needs no other file; yield the path of each.

    Passphrases, addresses of teams, the seed and the name of the boards file are left out. When the boards are
    sealed, the hash is in it.

    Raises:
        LaunchError: a file or folder cannot be written.
    """
    from tourney.conditions.document import conditions_of, format_markdown
    from tourney.event.file import load_event_to_play
    from tourney.event.seal import load_commitment
    from tourney.export.files import PROGRAM, make_export_folder, write_file
    from tourney.site.rendering import render_conditions

    event_file = load_event_to_play(event_path)
    commitment = load_commitment(event_file.results, event_file.config.event.name)
    conditions = conditions_of(_with_walls(event_file), commitment, _weakest_durability(event_file))
    make_export_folder(folder)
    page = render_conditions(conditions, PROGRAM).decode()
    for name, text in (("md", format_markdown(conditions)), ("html", page)):
        path = folder / f"conditions.{name}"
        write_file(path, text)
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
        found = load_durability(*drawn.record)
    return event_file.weakest_durability(found)
