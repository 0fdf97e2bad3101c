"""`tourney deals`: deals boards as PBN; seals, opens and checks the boards of an event."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import (
    FILE,
    default_option,
    event_argument,
    flag_option,
    open_event,
    parse_source,
    print_note,
)
from tourney.cli._output import show_solved
from tourney.cli._ranges import IntRange
from tourney.errors import FormatError, LaunchError, UsageError
from tourney.plurals import count
from tourney.runtime import clock
from tourney.terminal import unfiltered

if TYPE_CHECKING:
    from tourney.bridge import Board
    from tourney.config.suites import DealSource
    from tourney.formats.seal import SealedBoards

BOARDS_MAX: Final = 10_000
"""Boards in one file: as many as ten of the longest matches have."""

SOURCE_BYTES_MAX: Final = 32 * 1024 * 1024
"""Size of the largest file that is read: more than 3,000 bytes a board, ten times what a record of play takes."""

_SET_NAME: Final = "1.1"
"""The default set: the first round of an event."""

_out_option: Final = click.option(
    "--out", type=FILE, metavar="FILE", help="File to write; by default standard output."
)


@click.command("make")
@click.option("--boards", type=IntRange(1, BOARDS_MAX), required=True, metavar="N", help="How many boards.")
@click.option(
    "--seed",
    type=IntRange(-(2**63), 2**63 - 1),
    metavar="SEED",
    help="Whole number to deal from. By default a random one, which is printed.",
)
@default_option(
    "--first",
    type=IntRange(1),
    default=1,
    metavar="N",
    help="Number of the first board.",
)
@default_option(
    "--set",
    "set_name",
    default=_SET_NAME,
    metavar="NAME",
    help="Which set of the seed: stage.round, or stage.round.match.",
)
@_out_option
def make_command(boards: int, seed: int | None, first: int, set_name: str, out: Path | None) -> None:
    """Deal boards as a PBN file.

    \b
    tourney deals make --boards 32 --seed 7 --out boards.pbn

    The same seed, set and number always deal the same board. Set 1.3 of a seed has the boards of the third round of
    an event with that seed. If every match has its own boards, set 1.3.2 has those of the second match of that round.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.bridge import boards_from_seed, random_seed
    from tourney.formats.boards import BOARD_NUMBER_MAX
    from tourney.formats.seal import SET_NAME

    last = first + boards - 1
    if last > BOARD_NUMBER_MAX:
        raise UsageError(f"board numbers end at {BOARD_NUMBER_MAX}, {boards} boards from {first} on end at {last}")
    if not SET_NAME.fullmatch(set_name):
        raise UsageError(f"a set is stage.round or stage.round.match, such as 1.3 or 1.3.2, got {set_name!r}")
    if seed is None:
        seed = random_seed()
        print_note(f"the seed is {seed}: with --seed {seed} the same boards are dealt again")
    _write_boards(boards_from_seed(seed, set_name, boards, first), out)


@click.command("solve")
@click.argument("source", metavar="FILE", callback=parse_source)
@_out_option
def solve_command(source: "DealSource", out: Path | None) -> None:
    """Solve the boards of a file double dummy, with all cores, and write them with their tables as PBN.

    \b
    tourney deals solve boards.pbn --out solved.pbn

    FILE is a PBN or LIN file, a data set or the name of a suite. Boards that have a double-dummy table keep it. An
    event that takes its boards from the file written, with cards = "double-dummy" in [deals], solves nothing.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.lab.event_files import read_boards
    from tourney.runtime.solver import with_tables

    _write_boards(with_tables(read_boards(source, None, auctions=True) or [], show_solved), out)


@click.command("seal")
@event_argument
def seal_command(event_path: Path) -> None:
    """Seal the boards of an event, and print the hash to publish before its first board.

    \b
    tourney deals seal club.toml
    tourney deals open club.toml --out opened.json
    tourney deals check opened.json --hash 5f0c...

    EVENT is the path of an event file; it is drawn if it has not been. What the hash was made from is in seal.json of
    the results folder, readable by its owner only. `tourney deals open` prints, after the event, everything that was
    hashed, and anybody can check it by `tourney deals check`. The hash is the SHA-256 of these lines in UTF-8, each
    followed by a line feed:

    \b
    tourney-seal-1
    nonce 64 hexadecimal digits, "nonce" of the opened file
    event its name
    seed  the seed, - when the boards come from a file
    set   its name, for each of "sets" in order, followed by its boards:
    1 N None N:AK4.QT72.J3.T985 ... ... ...

    with one blank between words: number, dealer, vulnerability, and the hands from North's on. The seal shows that no
    board was changed after it, and that the boards are those of the seed; it does not show how the seed was chosen.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.event.seal import SEAL_FILE, seal_event
    from tourney.store.db.database import Database

    event_file = load_event_to_play(event_path)
    results = event_file.results
    with closing(Database(event_file.database_url)) as database:
        # As the run would: until a board has been begun the draw follows the file, and its boards are what is sealed.
        event = ensure_drawn(event_file, database, clock.wall_ms())
        seal = seal_event(results, database, event, clock.wall_ms())
    sealed = f"The boards of {seal.event} have been sealed since {seal.sealed}"
    click.echo(f"{sealed}; publish this before the first board:")
    click.echo(f"SHA-256 {seal.commitment}")
    click.echo(f"Keep {results / SEAL_FILE} and show it to nobody: without it the seal cannot be opened.")


@click.command("open")
@event_argument
@_out_option
@flag_option("--force", help="Open although boards are left to play.")
def open_command(event_path: Path, out: Path | None, force: bool) -> None:
    """Open the sealed boards of an event after its last board: all of them, and what else was hashed.

    EVENT is the path of an event file whose boards were sealed by `tourney deals seal`, which says what the hash is
    made from. Anybody can check the opened boards by `tourney deals check`.
    """
    from tourney.event.seal import open_seal
    from tourney.formats.seal import format_opened

    with open_event(event_path) as drawn:
        opened = open_seal(drawn.file.results, drawn.database, drawn.event, force=force)
    _write(format_opened(opened), out)
    if out is not None:
        click.echo(f"Wrote {_amount(opened.boards)} to {out}; they fit SHA-256")
        click.echo(opened.commitment)


@click.command("check")
@click.argument("path", metavar="FILE", type=FILE)
@click.option("--hash", "commitment", metavar="HEX", help="The hash that was published.")
def check_command(path: Path, commitment: str | None) -> None:
    """Compute the hash of opened boards, and check it.

    FILE has the opened boards, as `tourney deals open` writes them. Without --hash the hash is printed, to be
    compared with the one that was published before the event.
    """
    from tourney.event.place import read_bytes
    from tourney.formats.file_kinds import FileKind, read_text
    from tourney.formats.seal import check_opened, parse_commitment, parse_opened

    try:
        published = parse_commitment(commitment) if commitment is not None else None
    except FormatError as error:
        raise UsageError(f"--hash: {error}") from None
    data = read_bytes(path, "file", SOURCE_BYTES_MAX)
    read_text(data, path.name, FileKind.JSON)
    opened = parse_opened(data.decode("utf-8-sig", "replace"), path.name)
    found = check_opened(opened, path.name, published)
    boards = opened.boards
    origin = "from a file" if boards.seed is None else f"all dealt from seed {boards.seed}"
    click.echo(f"{_amount(boards)} of {boards.event}, {origin}")
    click.echo(f"They fit SHA-256 {found}")
    if published is None:
        click.echo("Compare it with the hash that was published before the event, or give that with --hash.")


def _write_boards(boards: "list[Board]", out: Path | None) -> None:
    from tourney import __version__
    from tourney.formats.boards import format_boards

    _write(format_boards(boards, f"tourney {__version__}"), out)
    if out is not None:
        click.echo(f"Wrote {count(len(boards), 'board')} to {out}")


def _amount(boards: "SealedBoards") -> str:
    return f"{count(boards.board_count, 'board')} in {count(len(boards.sets), 'set')}"


def _write(text: str, out: Path | None) -> None:
    """Write a text unchanged to a file, which must not exist, or to the standard output."""
    from tourney.store.db.files import make_file

    def build(part: Path) -> None:
        part.write_bytes(text.encode())

    if out is None:
        # In binary mode: the line ends of PBN are CR LF on every system.
        click.echo(text.encode(), nl=False, file=unfiltered(sys.stdout))
        return
    try:
        make_file(out, build)
    except FileExistsError:
        raise LaunchError(f"{out} exists already: give the name of a new file") from None
