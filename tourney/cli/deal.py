"""`tourney deal`: deals boards as PBN, or from a file; seals, opens and checks the boards of an event."""

import secrets
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from tourney.cli._common import FILE, open_event
from tourney.cli._ranges import IntRange
from tourney.errors import FormatError, LaunchError, UsageError
from tourney.plurals import count, plural
from tourney.runtime import clock
from tourney.terminal import unfiltered

if TYPE_CHECKING:
    from tourney.bridge import Board
    from tourney.formats.seal import SealedBoards

BOARDS_MAX: Final = 10_000
"""Boards in one file: as many as ten of the longest matches have."""

SOURCE_BYTES_MAX: Final = 32 * 1024 * 1024
"""Size of the largest file that is read: more than 3,000 bytes a board, ten times what a record of play takes."""

_SEED_BITS: Final = 63
"""Bits of a random seed, and of the largest that an event file accepts: an integer of TOML also has a sign."""

_SET_NAME: Final = "1.1"
"""The default set: the first round of an event."""

_FITTING: Final = {
    "seal": {"event_path", "seal", "force"},
    "opened": {"event_path", "opened", "out", "force"},
    "checked": {"checked", "commitment"},
    "source": {"source", "boards", "out", "force"},
    "boards": {"boards", "seed", "first", "set_name", "out", "force"},
}
"""The options allowed with each way of using the command; the first way that is given decides."""


@click.command("deal")
@click.argument("event_path", metavar="[EVENT]", required=False, type=FILE)
@click.option("--boards", type=IntRange(1, BOARDS_MAX), metavar="N", help="How many boards.")
@click.option(
    "--seed",
    type=IntRange(-(2**_SEED_BITS), 2**_SEED_BITS - 1),
    metavar="SEED",
    help="Whole number to deal from. By default a random one, which is printed.",
)
@click.option(
    "--first",
    type=IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of the first board.",
)
@click.option(
    "--set",
    "set_name",
    default=_SET_NAME,
    show_default=True,
    metavar="NAME",
    help="Which set of the seed: stage.round, or stage.round.match.",
)
@click.option(
    "--from",
    "source",
    type=FILE,
    metavar="FILE.pbn",
    help="Take the boards of this PBN file (with --boards N, the first N) without anything else in it.",
)
@click.option(
    "--out",
    type=FILE,
    metavar="FILE",
    help="File to write; by default the standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite a file; seal after the first board; open before the last.")
@click.option("--seal", is_flag=True, help="Draw EVENT, seal its boards and print the hash to publish before it.")
@click.option("--open", "opened", is_flag=True, help="After EVENT: all its boards and what else was hashed.")
@click.option(
    "--check",
    "checked",
    type=FILE,
    metavar="FILE",
    help="Compute the hash of opened boards and check it.",
)
@click.option("--hash", "commitment", metavar="HEX", help="With --check: the hash that was published.")
@click.pass_context
def deal_command(
    ctx: click.Context,
    event_path: Path | None,
    boards: int | None,
    seed: int | None,
    first: int,
    set_name: str,
    source: Path | None,
    out: Path | None,
    force: bool,
    seal: bool,
    opened: bool,
    checked: Path | None,
    commitment: str | None,
) -> None:
    """Deal boards as a PBN file, or seal the boards of an event so that nobody can doubt them.

    \b
    tourney deal --boards 32 --seed 7 --out boards.pbn
    tourney deal --boards 16 --from club-night.pbn --out boards.pbn
    tourney deal club.toml --seal
    tourney deal club.toml --open --out opened.json
    tourney deal --check opened.json --hash 5f0c...

    The same seed, set and number always deal the same board: set 1.3 of a seed has the boards of the third round of
    an event with that seed, set 1.3.2 those of the second match of that round if every match has its own boards.

    --seal prints a hash to publish before the event; what it was made from is in seal.json of the results folder,
    readable by its owner only. --open prints, after the event, everything that was hashed, and anybody can --check
    it. The hash is the SHA-256 of these lines in UTF-8, each followed by a line feed:

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
    _check_words(ctx)
    if seal:
        assert event_path is not None
        _seal(event_path, force=force)
    elif opened:
        assert event_path is not None
        _open(event_path, out, force=force)
    elif checked is not None:
        _check(checked, commitment)
    elif source is not None:
        _write_boards(_read_boards(source, boards), out, force=force)
    else:
        assert boards is not None
        _write_boards(_deal(boards, seed, first, set_name), out, force=force)


def _check_words(ctx: click.Context) -> None:
    """Check that the options may be used together.

    Raises:
        UsageError: some may not, or an option is missing.
    """
    options = [param for param in ctx.command.params if isinstance(param, click.Option)]
    shown = {"event_path": "EVENT"} | {str(option.name): option.opts[0] for option in options}
    given = [name for name in shown if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    way = next((way for way in _FITTING if way in given), None)
    if way is None:
        if "event_path" in given:
            raise UsageError("with EVENT goes --seal before the event, or --open after it")
        raise UsageError("say how many boards: --boards N; or --from, --check, or EVENT with --seal or --open")
    odd = next((name for name in given if name not in _FITTING[way]), None)
    if odd is not None:
        raise UsageError(f"{shown[way]} and {shown[odd]} do not go together")
    if "event_path" in _FITTING[way] and "event_path" not in given:
        raise UsageError(f"{shown[way]} needs EVENT, the path of an event file")


def _deal(count: int, seed: int | None, first: int, set_name: str) -> "list[Board]":
    """Deal the boards of a seed; a random seed is printed to the standard error."""
    from tourney.bridge import board_from_seed
    from tourney.formats.pbn import BOARD_NUMBER_MAX
    from tourney.formats.seal import SET_NAME

    last = first + count - 1
    if last > BOARD_NUMBER_MAX:
        raise UsageError(f"board numbers end at {BOARD_NUMBER_MAX}, {count} boards from {first} on end at {last}")
    if not SET_NAME.fullmatch(set_name):
        raise UsageError(f"a set is stage.round or stage.round.match, such as 1.3 or 1.3.2, got {set_name!r}")
    if seed is None:
        seed = secrets.randbits(_SEED_BITS)
        click.echo(f"the seed is {seed}: with --seed {seed} the same boards are dealt again", err=True)
    return [board_from_seed(seed, set_name, number) for number in range(first, first + count)]


def _read_boards(source: Path, count: int | None) -> "list[Board]":
    from tourney.event.place import read_bytes
    from tourney.formats.pbn import decode_pbn, parse_boards

    text = decode_pbn(read_bytes(source, "PBN file", SOURCE_BYTES_MAX))
    boards = parse_boards(text, source.name, boards_max=BOARDS_MAX, only_first=count)
    if count is not None and count > len(boards):
        raise FormatError(f"{source.name} has {len(boards)} {plural(len(boards), 'board')}, {count} are asked for")
    return boards


def _write_boards(boards: "list[Board]", out: Path | None, *, force: bool) -> None:
    from tourney import __version__
    from tourney.formats.pbn import format_boards

    _write(format_boards(boards, f"tourney {__version__}"), out, force=force)
    if out is not None:
        click.echo(f"Wrote {count(len(boards), 'board')} to {out}")


def _seal(event_path: Path, *, force: bool) -> None:
    from tourney.coordinator.draw import ensure_drawn
    from tourney.event.file import load_event_to_play
    from tourney.event.seal import SEAL_FILE, seal_event
    from tourney.store.db.database import Database

    event_file = load_event_to_play(event_path)
    results = event_file.results
    with closing(Database(event_file.database_url)) as database:
        # As the run would: until a board has been begun the draw follows the file, and its boards are what is sealed.
        event = ensure_drawn(event_file, database, clock.wall_ms())
        seal = seal_event(results, database, event, clock.wall_ms(), force=force)
    click.echo(f"The boards of {seal.event} are sealed since {seal.sealed}; publish this before the first board:")
    click.echo(f"SHA-256 {seal.commitment}")
    click.echo(f"Keep {results / SEAL_FILE} and show it to nobody: without it the seal cannot be opened.")


def _open(event_path: Path, out: Path | None, *, force: bool) -> None:
    from tourney.event.seal import open_seal
    from tourney.formats.seal import format_opened

    with open_event(event_path) as drawn:
        opened = open_seal(drawn.file.results, drawn.database, drawn.event, force=force)
    _write(format_opened(opened), out, force=force)
    if out is not None:
        click.echo(f"Wrote {_amount(opened.boards)} to {out}; they fit SHA-256")
        click.echo(opened.commitment)


def _check(path: Path, given: str | None) -> None:
    from tourney.event.place import read_bytes
    from tourney.formats.seal import check_opened, parse_commitment, parse_opened

    try:
        published = parse_commitment(given) if given is not None else None
    except FormatError as error:
        raise UsageError(f"--hash: {error}") from None
    try:
        text = read_bytes(path, "file", SOURCE_BYTES_MAX).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"{path.name} is no file of opened boards: it is not UTF-8 text") from None
    opened = parse_opened(text, path.name)
    found = check_opened(opened, path.name, published)
    boards = opened.boards
    origin = "from a file" if boards.seed is None else f"all dealt from seed {boards.seed}"
    click.echo(f"{_amount(boards)} of {boards.event}, {origin}")
    click.echo(f"They fit SHA-256 {found}")
    if published is None:
        click.echo("Compare it with the hash that was published before the event, or give that with --hash.")


def _amount(boards: "SealedBoards") -> str:
    return f"{count(boards.board_count, 'board')} in {count(len(boards.sets), 'set')}"


def _write(text: str, out: Path | None, *, force: bool) -> None:
    """Write a text unchanged to a file, which must not exist unless forced, or to the standard output."""
    from tourney.export.files import replace_file
    from tourney.store.db.files import make_file

    def build(part: Path) -> None:
        part.write_bytes(text.encode())

    if out is None:
        # In binary mode: the line ends of PBN are CR LF on every system.
        click.echo(text.encode(), nl=False, file=unfiltered(sys.stdout))
    elif force:
        with replace_file(out) as file:
            file.write(text)
    else:
        try:
            make_file(out, build)
        except FileExistsError:
            raise LaunchError(f"{out} is there already: give the name of a new file, or --force") from None
