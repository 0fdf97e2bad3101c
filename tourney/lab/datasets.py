"""Data sets of research as boards: files of deals, most of them with double-dummy tables.

- `.txt`: trajectories of OpenSpiel's `bridge`, a board a line.
- `.json`: the boards of Kita and others (2024), with `dealer`, `vulnerability`, `deal` and `dda` of each.
- `.db`: the SQLite files of FAIR's JPS (2020), whose rows have JSON with `pbn` and `ddt`.
- `.npy`: the tables of pgx, a pair of arrays: four numbers for the cards of a deal, four for what its hands make.

Where a file has no dealer and vulnerability, they are those of the number of the board.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from tourney.bridge import (
    SEATS,
    Board,
    Card,
    Deal,
    DoubleDummyTable,
    Hand,
    Seat,
    Strain,
    parse_deal,
)
from tourney.errors import ConfigError, FormatError, TourneyError
from tourney.extras import check_extra
from tourney.formats.lenient import parse_seat, parse_vulnerability
from tourney.formats.trajectories import parse_trajectory
from tourney.player.answers import find_card
from tourney.player.numbering import CARDS

_RANKS_OF_PGX: Final = (14, *range(2, 14))


def iter_dataset(path: Path) -> Iterator[Board] | None:
    """Yield the boards of a data set, one at a time; None for a file that is none by the end of its name.

    Raises:
        ConfigError: it cannot be read.
        FormatError: a board in it is not as it is to be.
    """
    read = _READERS.get(path.suffix.lower())
    return _checked(path, read) if read is not None else None


def _checked(path: Path, read: Callable[[Path], Iterable[Board]]) -> Iterator[Board]:
    done = 0
    try:
        for board in read(path):
            yield board
            done += 1
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None
    except (TourneyError, sqlite3.Error, LookupError, TypeError, ValueError) as error:
        what = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise FormatError(f"{path.name}, board {done + 1}: {what}") from error


def _dealt(hands: Sequence[Iterable[Card]]) -> Deal:
    deal = Deal(tuple(map(Hand.of, hands)))
    held = {card for hand in deal.hands for card in hand.cards}
    if len(held) != len(CARDS) or {len(hand) for hand in deal.hands} != {13}:
        raise FormatError(f"a deal has 13 cards in each hand, 52 in all, got {len(held)}")
    return deal


def _table(tricks: Mapping[tuple[Seat, Strain], int]) -> DoubleDummyTable:
    wrong = next((number for number in tricks.values() if not 0 <= number <= 13), None)
    if wrong is not None:
        raise FormatError(f"a declarer makes 0 to 13 tricks, got {wrong}")
    return DoubleDummyTable(dict(tricks))


def _read_trajectories(path: Path) -> Iterator[Board]:
    with path.open(encoding="ascii") as lines:
        for number, line in enumerate(filter(str.strip, lines), 1):
            yield parse_trajectory(line, number)


def _read_json(path: Path) -> Iterator[Board]:
    document = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(document, dict):
        document = next((value for value in document.values() if isinstance(value, list)), [])
    for number, row in enumerate(document, 1):
        dealer, vulnerability = parse_seat(row["dealer"]), parse_vulnerability(row["vulnerability"])
        if dealer is None or vulnerability is None:
            raise FormatError(f"a dealer and who is vulnerable, got {row['dealer']!r} and {row['vulnerability']!r}")
        cards = [[find_card(text) for text in row["deal"][seat.letter]] for seat in SEATS]
        deal = _dealt([[card for card in hand if card is not None] for hand in cards])
        made = {(seat, strain): row["dda"][seat.letter][strain.letters] for seat in SEATS for strain in Strain}
        yield Board(number, dealer, vulnerability, deal, _table(made))


def _read_rows(path: Path) -> Iterator[Board]:
    path.open("rb").close()  # SQLite would make a file that is not there
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        number = 0
        for (table,) in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 # a name of the file's own
                text = next((cell for cell in row if isinstance(cell, str) and cell.startswith("{")), None)
                if text is None:
                    continue
                number += 1
                found = json.loads(text)
                deal = parse_deal(found["pbn"].partition('"')[2].partition('"')[0] or found["pbn"])
                made = {(seat, strain): found["ddt"][4 * strain + seat] for strain in Strain for seat in SEATS}
                yield replace(Board.numbered(number, deal), makes=_table(made))


def _read_pgx(path: Path) -> Iterator[Board]:
    check_extra("env", "the tables of pgx")
    import numpy as np  # noqa: PLC0415 # an extra

    keys, values = np.load(path, mmap_mode="r", allow_pickle=False)
    for number, (key, value) in enumerate(zip(keys, values, strict=True), 1):
        hands: list[list[Card]] = [[], [], [], []]
        for suit, owners in enumerate(map(int, key)):
            for place, rank in enumerate(_RANKS_OF_PGX):
                hands[owners >> 2 * (12 - place) & 3].append(CARDS[4 * (rank - 2) + 3 - suit])
        made = {(seat, strain): int(value[seat]) >> 4 * (4 - strain) & 15 for seat in SEATS for strain in Strain}
        yield replace(Board.numbered(number, _dealt(hands)), makes=_table(made))


_READERS: Final[Mapping[str, Callable[[Path], Iterable[Board]]]] = {
    ".txt": _read_trajectories,
    ".json": _read_json,
    ".db": _read_rows,
    ".npy": _read_pgx,
}
