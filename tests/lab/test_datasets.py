"""Data sets of research as boards."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tourney.bridge import (
    SEATS,
    Board,
    BoardInPlay,
    DoubleDummyTable,
    Seat,
    Strain,
    Vulnerability,
    board_from_seed,
    format_deal,
)
from tourney.config.suites import DealSource
from tourney.errors import ConfigError, FormatError
from tourney.formats.trajectories import format_trajectory
from tourney.lab.datasets import iter_dataset
from tourney.lab.event_files import read_boards

# Board 1 of the ACBL Common Game of 21 February 2020 has this table.
TABLE = DoubleDummyTable.parse("89587895874365643656")


def read(path: Path) -> list[Board]:
    boards = iter_dataset(path)
    assert boards is not None
    return list(boards)


def played(seed: int) -> tuple[Board, str]:
    """A board that was played at random to its end, and its trajectory."""
    board, source = board_from_seed(seed, "data", 1), Random(seed)
    in_play = BoardInPlay(board)
    while in_play.in_auction:
        in_play.add_call(source.choice(in_play.auction.legal_calls()[:6]))
    while in_play.play is not None and not in_play.is_over:
        assert in_play.turn is not None
        in_play.add_card(source.choice(in_play.play.legal_from(board.deal[in_play.turn])))
    cards = [card for _, card in in_play.play.cards] if in_play.play is not None else []
    return board, format_trajectory(board, in_play.auction.calls, cards)


def test_trajectories_are_read_as_they_are_written_turned_so_that_north_deals(tmp_path: Path) -> None:
    boards = [played(seed) for seed in range(8)]
    (tmp_path / "train.txt").write_text("\n\n".join(line for _, line in boards), encoding="ascii")
    for number, (found, (board, _)) in enumerate(zip(read(tmp_path / "train.txt"), boards, strict=True), 1):
        assert (found.number, found.dealer, found.vulnerability) == (number, Seat.NORTH, Vulnerability.NONE)
        assert [found.deal[seat] for seat in SEATS] == [board.deal[board.dealer.plus(n)] for n in range(4)]
    assert format_trajectory(boards[0][0], [], []).split()[0] == str(int(boards[0][1].split()[0]))


def test_a_long_file_is_read_a_board_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(f"{played(1)[1]}\n" * 3 + "no board\n", encoding="ascii")
    boards = iter_dataset(tmp_path / "train.txt")
    assert boards is not None
    assert len(list(islice(boards, 3))) == 3


def write_json(path: Path, change: Callable[[Any], None] = lambda row: None) -> None:
    board = board_from_seed(1, "data", 6)
    row = {
        "board_id": 5000005,
        "dealer": "E",
        "vulnerability": "EW",
        "deal": {seat.letter: [card.pbn for card in board.deal[seat].cards] for seat in SEATS},
        "dda": {seat.letter: {strain.letters: TABLE.tricks[seat, strain] for strain in Strain} for seat in SEATS},
    }
    change(row)
    path.write_text(json.dumps([row]), encoding="utf-8")


def write_rows(path: Path) -> None:
    made = [TABLE.tricks[seat, strain] for strain in Strain for seat in SEATS]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE records (s TEXT)")
        deal = f'[Deal "{format_deal(board_from_seed(1, "data", 6).deal)}"]'
        connection.execute("INSERT INTO records VALUES (?)", [json.dumps({"pbn": deal, "ddt": made})])


def write_npy(path: Path) -> None:
    np = pytest.importorskip("numpy", reason="the extra env is not installed")
    deal = board_from_seed(1, "data", 6).deal
    owner = {card: seat for seat in SEATS for card in deal[seat].cards}
    key = [
        int("".join(str(int(owner[card])) for card in sorted(suit, key=lambda card: card.rank % 14)), 4)
        for suit in ([card for card in owner if card.suit == number] for number in (3, 2, 1, 0))
    ]
    value = [int("".join(f"{TABLE.tricks[seat, strain]:x}" for strain in Strain), 16) for seat in SEATS]
    np.save(path, np.array([[key], [value]], np.int32))


@pytest.mark.parametrize(
    ("name", "write", "place"),
    [
        ("boards.json", write_json, (Seat.EAST, Vulnerability.EW)),
        ("vs_wb5.db", write_rows, (Seat.NORTH, Vulnerability.NONE)),
        ("dds_results.npy", write_npy, (Seat.NORTH, Vulnerability.NONE)),
    ],
)
def test_deals_come_with_their_double_dummy_tables(
    tmp_path: Path, name: str, write: Callable[[Path], None], place: tuple[Seat, Vulnerability]
) -> None:
    write(tmp_path / name)
    (board,) = read(tmp_path / name)
    assert (board.number, board.dealer, board.vulnerability) == (1, *place)
    assert board.deal == board_from_seed(1, "data", 6).deal
    assert board.makes == TABLE
    assert [found.makes for found in read_boards(DealSource(tmp_path / name), None) or []] == [None]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda row: row.pop("dda"), "there is no 'dda'"),
        (lambda row: row["dda"]["N"].update(NT=14), "a declarer makes 0 to 13 tricks, got 14"),
        (lambda row: row["deal"]["N"].pop(), "a deal has 13 cards in each hand, 52 in all, got 51"),
        (lambda row: row.update(dealer="X"), "a dealer and who is vulnerable, got 'X' and 'EW'"),
    ],
)
def test_a_row_that_is_no_board_is_refused_with_its_number(
    tmp_path: Path, change: Callable[[Any], None], why: str
) -> None:
    write_json(tmp_path / "boards.json", change)
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "boards.json")
    assert str(caught.value) == f"boards.json, board 1: {why}"


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda line: line.replace(line.split()[52], "89", 1) + " 89", "board 2: "),
        (lambda line: " ".join(line.split()[:54]), "board 2: the trajectory ends before the board"),
        (lambda line: " ".join([*line.split()[:52], "7"]), "board 2: a call is due, got action 7"),
        (lambda line: f"-1 {line}", "board 2: an action is 0 to 89, got -1"),
        (
            lambda line: " ".join(["0", *line.split()[1:]]),
            "board 2: a trajectory begins with 52 different",
        ),
        (lambda _: "board", "board 2: a trajectory is whole numbers, got 'board"),
    ],
)
def test_a_trajectory_that_breaks_a_rule_is_refused(tmp_path: Path, damage: Callable[[str], str], why: str) -> None:
    line = played(3)[1]
    assert line.split()[0] != "0"
    (tmp_path / "train.txt").write_text(f"{line}\n{damage(line)}\n", encoding="ascii")
    with pytest.raises(FormatError, match=r"^train\.txt, ") as caught:
        read(tmp_path / "train.txt")
    assert why in str(caught.value)


def test_a_truncated_array_and_a_file_that_is_not_there_are_told(tmp_path: Path) -> None:
    write_npy(tmp_path / "tables.npy")
    (tmp_path / "short.npy").write_bytes((tmp_path / "tables.npy").read_bytes()[:-4])
    for name, error in (("short.npy", FormatError), ("gone.db", ConfigError), ("gone.npy", ConfigError)):
        with pytest.raises(error):
            read(tmp_path / name)
    assert not (tmp_path / "gone.db").exists()
    assert iter_dataset(tmp_path / "boards.pbn") is None
