"""The event files of duels on disk: each is written once, and another duel under its name is refused."""

import itertools
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from tourney import __version__
from tourney.bridge import SEATS, Board, Vulnerability, format_deal
from tourney.config import parse_event_file
from tourney.config.stages import MATCHES_MAX
from tourney.config.suites import DealSource
from tourney.config.toml import format_toml_text
from tourney.config.values import slug
from tourney.errors import ConfigError, LaunchError
from tourney.event.file import EventFile, load_event_file, load_event_to_play
from tourney.export.files import write_file
from tourney.formats.boards import parse_boards
from tourney.formats.file_kinds import GAME_KINDS, read_text
from tourney.lab.datasets import iter_dataset
from tourney.lab.duel import (
    BOARDS_KEY,
    PORTS_KEY,
    SEED_KEY,
    DuelSettings,
    DuelTeam,
    check_same_duel,
    duel_team,
    format_duel,
)
from tourney.scoring import BOARDS_MAX


def matches_by_default(shared_deals: int | None) -> int:
    """Return how many matches are played side by side: as many as there are cores for their two tables each.

    If deals are to be shared out, it is as many as leave none of them over, on any machine.
    """
    if shared_deals is not None:
        return max(number for number in range(1, MATCHES_MAX + 1) if shared_deals % number == 0)
    return min(max(1, (os.cpu_count() or 1) // 2), MATCHES_MAX)


class DuelOnDisk(NamedTuple):
    """What the event file of a duel says that is there already; nothing if it cannot be read or is another's."""

    matches: int | None = None
    boards: int | None = None
    """How many boards it has, if they are dealt from a seed."""
    teams: Mapping[str, DuelTeam] = {}
    """Its teams by name."""


def duel_on_disk(path: Path) -> DuelOnDisk:
    """Return what an event file says; what is wrong with one that cannot be used is said when it is compared."""
    try:
        config = parse_event_file(path.read_text(encoding="utf-8"), str(path))
    except (OSError, ValueError, ConfigError):
        return DuelOnDisk()
    stage = config.stage[0]
    if not stage.format.is_duel:
        return DuelOnDisk()
    boards = stage.matches * stage.boards_per_match if config.deals.seed is not None else None
    return DuelOnDisk(stage.matches, boards, {team.name: duel_team(team) for team in config.team})


def duels_in(folder: Path) -> Iterator[EventFile]:
    """Yield the event files of duels in a folder, in the order of their names; it may have other files."""
    for path in sorted(folder.glob("*.toml")):
        if duel_on_disk(path).matches is not None:
            yield load_event_to_play(path)


def numbered(path: Path, number: int) -> Path:
    """Return the event file of the duel that two play for the so-many-th time: `new-v-old-2.toml`."""
    return path if number == 1 else path.with_stem(f"{path.stem}-{number}")


def times_met(path: Path) -> int:
    """Return how many duels have been begun under the name of an event file; the first has the name alone."""
    return next(number - 1 for number in itertools.count(1) if not numbered(path, number).exists())


def results_of(path: Path) -> str:
    """Return the folder of the record of a duel: that of its event file's name, so that each file has its own."""
    return f"results/{slug(path.stem)}"


def read_boards(
    source: DealSource | None, most: int | None, *, auctions: bool = False, variants: bool = False
) -> list[Board] | None:
    """Read the first boards of a source; None without a source.

    Args:
        source: where they come from.
        most: how many, up to all of the last deal; None for all.
        auctions: whether auctions are all that is played, so that they have the double-dummy tables of the file.
        variants: whether each deal is to be there with every dealer and vulnerability.

    Raises:
        ConfigError: its file cannot be read.
        FormatError: the file has no boards that can be read.
        UsageError: the boards are not those of the suite.
    """
    if source is None:
        return None
    source.check_file()
    if variants and most is not None:
        most = -(-most // VARIANTS)
    suite, path = source.suite, source.path
    if suite is None:
        assert path is not None
        boards = _read_file(path, most, auctions=auctions)
    else:
        boards = _read_file(path, suite.deals + 1, auctions=auctions) if path is not None else suite.deal()
        source.check(boards)
    return vary(boards[:most]) if variants else boards[:most]


def _read_file(path: Path, most: int | None, *, auctions: bool) -> list[Board]:
    dataset = iter_dataset(path)
    if dataset is not None:
        boards = list(itertools.islice(dataset, most or BOARDS_MAX))
        return boards if auctions else [replace(board, makes=None) for board in boards]
    try:
        text = read_text(path.read_bytes(), path.name, *GAME_KINDS)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    return parse_boards(text, path.name, boards_max=BOARDS_MAX, only_first=most, reads_tables=auctions)


VARIANTS: Final = len(SEATS) * len(Vulnerability)
"""How many boards a deal makes, with every dealer and vulnerability."""


def vary(boards: Sequence[Board]) -> list[Board]:
    """Return each deal with every dealer and vulnerability, numbered through: 16 boards for each."""
    varied = itertools.product(boards, SEATS, Vulnerability)
    return [
        Board(number, dealer, vulnerability, board.deal, board.makes)
        for number, (board, dealer, vulnerability) in enumerate(varied, 1)
    ]


def format_deals(settings: DuelSettings, boards: Sequence[Board]) -> str:
    """Return the PBN file with the boards of a duel, match by match.

    It has no more tags than say what is played: with those of an export a large suite would take too long to read.
    """
    lines = []
    for board in settings.divide(boards):
        tags = {
            "Board": board.number,
            "Dealer": board.dealer.letter,
            "Vulnerable": board.vulnerability.value,
            "Deal": format_deal(board.deal),
        }
        tags |= {"DoubleDummyTricks": board.makes} if board.makes is not None else {}
        lines += [*(f'[{name} "{value}"]' for name, value in tags.items()), ""]
    return "\n".join([f"% tourney {__version__}", "", *lines])


def has_same_boards(path: Path, wanted: str) -> bool:
    """Compare a PBN file with the text of another but for comments, which name the version of tourney that wrote it.

    Raises:
        OSError: the file cannot be read.
    """
    found, other = (
        [line for line in text.splitlines(keepends=True) if not line.startswith(b"%")]
        for text in (path.read_bytes(), wanted.encode())
    )
    return found == other


def write_event(
    settings: DuelSettings, path: Path, boards: Sequence[Board] | None, *, has_seed: bool, extends: bool = False
) -> EventFile:
    """Write the event file of the duel and its boards, unless they are there: then they must be the same.

    Args:
        settings: the duel.
        path: of the event file.
        boards: those of a file; None to deal them.
        has_seed: whether a seed was asked for; otherwise the one on disk stays.
        extends: whether a duel that is there is given as many boards as `settings` has.

    Raises:
        ConfigError: another duel has the file, or it cannot be written or used.
    """
    text = format_duel(settings)
    parse_event_file(text, str(path))  # what cannot be played is not written
    of_boards = []
    if boards is not None:
        assert settings.deals is not None
        of_boards.append((path.parent / settings.deals, format_deals(settings, boards)))
    try:
        if path.exists():
            found = path.read_text(encoding="utf-8", errors="replace")
            may_differ = [PORTS_KEY, *([BOARDS_KEY] if extends else []), *([] if has_seed else [SEED_KEY])]
            check_same_duel(found, text, str(path), may_differ)
            if extends:
                more = f"{BOARDS_KEY} = {settings.boards_per_match}"
                write_file(path, re.sub(rf"(?m)^{BOARDS_KEY} = .*$", more, found))
            for deals, wanted in of_boards:
                if not has_same_boards(deals, wanted):
                    raise ConfigError(
                        f"{deals} has other boards than this duel began with: play it under another --name"
                    )
        else:
            # The event file last, and each at once: a duel that was cut off here is as if it had not begun.
            for file, wanted in (*of_boards, (path, text)):
                write_file(file, wanted)
    except OSError as error:
        raise LaunchError(f"{error.filename or path} cannot be read or written: {error.strerror}") from None
    return load_event_file(path)


PERSON: Final = "You"
"""The pair of the person and its partner, which is a bot."""

EVENT_FILE: Final = "event.toml"
_MOVEMENT: Final = "round,table,ns,ew,set\n1,1,1,2,1\n"
_MOVEMENT_FILE: Final = "movement.csv"

PATIENCE_S: Final = 86_400
"""How long a person may think, and be away."""


def write_own_game(program: DuelTeam, boards: int, seed: int | None, port: int, phrase: str, folder: Path) -> Path:
    """Write the event file of a game, and what it needs; return its path.

    Args:
        program: the other side, whose command is run in this folder.
        boards: how many boards are played.
        seed: what they are dealt from; None for chance.
        port: where the person and its partner connect.
        phrase: the passphrase of the page that shows all four hands.
        folder: where the event is kept.

    Raises:
        LaunchError: the folder cannot be written.
    """
    name = program.name
    if name.casefold() == PERSON.casefold():
        name = f"{name} (program)"
    given = {**program.keys, "folder": os.path.relpath(Path.cwd(), folder.resolve())}
    keys = "".join(f"\n{key} = {format_toml_text(value)}" for key, value in given.items())
    sections = [
        f"[event]\nname = {format_toml_text(f'{PERSON} against {name}')}",
        f"[stateful]\nport = {port}",
        f'[[stage]]\nformat = "movement"\nmovement = "{_MOVEMENT_FILE}"\nboards_per_round = {boards}',
        f'[[pair]]\nname = "{PERSON}"\nprotocol = "stateful"',
        f"[[pair]]\nname = {format_toml_text(name)}{keys}",
        f"[clock]\nstall_s = {PATIENCE_S}\nready_s = {PATIENCE_S}\nabsence_s = {PATIENCE_S}\nrejoin_s = {PATIENCE_S}",
        "[rules]\nirregularities = 1000\nrejoins = 100",
        f'[web]\nlive = "vugraph-hands"\nvugraph_phrase = {json.dumps(phrase)}\nseats = true',
    ]
    if seed is not None:
        sections.append(f"[deals]\nseed = {seed}")
    path = folder / EVENT_FILE
    with LaunchError.of_system(f"folder {folder} cannot be written"):
        (folder / _MOVEMENT_FILE).write_text(_MOVEMENT, encoding="utf-8")
        path.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    return path
