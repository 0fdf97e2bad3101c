"""`tourney deals pick`: boards by points, and those on which a team lost."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from tests.support.endplay_reader import needs_endplay
from tests.support.played_event import draw_event, event_text
from tourney.bridge import Board, Seat, Side, Strain, board_from_seed, format_deal
from tourney.bridge.minibridge import count_hcp
from tourney.cli.main import cli
from tourney.formats.boards import format_boards, parse_boards
from tourney.lab.deal_picking import is_competitive, is_slam, parse_makeable
from tourney.lab.solving import Solver, solve_board
from tourney.movement.seating import Room
from tourney.scoring.double_dummy import DoubleDummyTable

BOARDS = [board_from_seed(4, "1.1", number) for number in range(1, 61)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("all.pbn").write_text(format_boards(BOARDS, "test"), encoding="ascii", newline="")
    return tmp_path


def pick(*words: str) -> Result:
    return CliRunner().invoke(cli, ["deals", "pick", *words, "--out", "picked.pbn"])


def picked() -> list[Board]:
    return parse_boards(Path("picked.pbn").read_text(encoding="utf-8"), "picked.pbn", boards_max=100)


def points(board: Board, side: Side) -> int:
    return sum(count_hcp(board.deal[seat]) for seat in side.seats)


def test_points_of_the_four_hands_are_forty() -> None:
    assert {sum(count_hcp(board.deal[seat]) for seat in Seat) for board in BOARDS} == {40}


def test_boards_by_points_keep_dealer_and_vulnerability_and_are_numbered_anew() -> None:
    done = pick("all.pbn", "--hcp", "NS:22-30", "--hcp", "n:0-14")
    wanted = [b for b in BOARDS if 22 <= points(b, Side.NS) <= 30 and count_hcp(b.deal[Seat.NORTH]) <= 14]
    assert 0 < len(wanted) < 60
    assert done.stdout == f"all.pbn has 60 boards; {len(wanted)} boards picked: picked.pbn\n"
    assert [(b.deal, b.dealer, b.vulnerability) for b in picked()] == [
        (b.deal, b.dealer, b.vulnerability) for b in wanted
    ]
    assert [b.number for b in picked()] == list(range(1, len(wanted) + 1))


def test_competitive_boards_and_slams_or_all_others() -> None:
    competitive = [b.deal for b in BOARDS if 17 <= points(b, Side.NS) <= 23]
    assert pick("all.pbn", "--competitive").exit_code == 0
    assert [b.deal for b in picked()] == competitive
    assert pick("all.pbn", "--competitive", "--exclude", "--limit", "5").exit_code == 0
    assert [b.deal for b in picked()] == [b.deal for b in BOARDS if b.deal not in competitive][:5]
    assert all(is_slam(b) is (max(points(b, Side.NS), points(b, Side.EW)) >= 33) for b in BOARDS)
    assert not any(is_slam(b) and is_competitive(b) for b in BOARDS)


@needs_endplay
def test_boards_on_which_a_contract_is_made_double_dummy_are_solved_once_the_points_fit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Solved in this process: the processes of a pool take a second to start."""
    monkeypatch.setattr(Solver, "start", classmethod(lambda _cls, _jobs: nullcontext(_InProcess())))
    fitting = [b for b in BOARDS if points(b, Side.NS) >= 30]
    worths = [solve_board(format_deal(b.deal), b.dealer.letter, b.vulnerability.value) for b in fitting]
    south_in_spades = Seat.SOUTH, Strain.SPADES
    wanted = [b for b, worth in zip(fitting, worths, strict=True) if worth.table.tricks[south_in_spades] >= 12]
    assert 0 < len(wanted) < len(fitting)
    assert pick("all.pbn", "--hcp", "NS:30-40", "--makes", "s:6S").exit_code == 0
    assert [b.deal for b in picked()] == [b.deal for b in wanted]
    assert _InProcess.solved == len(fitting)
    assert pick("all.pbn", "--hcp", "NS:30-40", "--makes", "s:6s", "--exclude").exit_code == 0
    assert [b.deal for b in picked()] == [b.deal for b in BOARDS if b not in wanted]


class _InProcess:
    """Solves boards where it is called."""

    solved = 0

    def solve(self, task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Any]:
        _InProcess.solved = len(arguments)
        return ((each, task(*each)) for each in arguments)


def test_a_contract_is_made_by_any_of_the_hands_in_the_strain_or_in_any() -> None:
    made = dict.fromkeys(product(Seat, Strain), 6)
    made[Seat.EAST, Strain.HEARTS] = 12
    table = DoubleDummyTable(made)
    texts = ("EW:6H", "e:6", "ANY:6", "any:4h", "W:1", "NS:1", "E:7", "EW:1NT", "E:6S")
    assert [text for text in texts if parse_makeable(text).fits(table)] == ["EW:6H", "e:6", "ANY:6", "any:4h"]


def test_without_the_solver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    result = pick("all.pbn", "--makes", "any:7")
    assert (result.exit_code, Path("picked.pbn").exists()) == (1, False)
    assert "double dummy analysis needs packages that are not installed: " in result.stderr


def test_boards_that_a_team_lost_come_by_the_size_of_the_loss(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("New", "Old", boards=4))
    for board, (own, other) in enumerate([(10, 9), (9, 10), (10, 10), (8, 12)], 1):
        played.record(1, Room.OPEN, board, "4S N", own)
        played.record(1, Room.CLOSED, board, "4S N", other)
    boards = played.boards(1)
    done = pick("--event", "event.toml")
    assert done.stdout == "New lost 2 boards of event.toml; 2 boards picked: picked.pbn\n"
    assert [b.deal for b in picked()] == [boards[3].deal, boards[1].deal]
    assert pick("--event", "event.toml", "--team", "old").exit_code == 0
    assert [b.deal for b in picked()] == [boards[0].deal]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give FILE.pbn or --event EVENT, got neither"),
        (("all.pbn", "--team", "New"), "--team is for --event EVENT"),
        (("all.pbn", "--exclude"), "--exclude leaves out what --slams, --competitive, --hcp or --makes says"),
        (("all.pbn", "--hcp", "NS20"), "points are given as NS:20-26 or N:15-17, got 'NS20'"),
        (("all.pbn", "--hcp", "NS:26-20"), "points go from 0 to 40, the lower number first, got 'NS:26-20'"),
        (("all.pbn", "--hcp", "any:20"), "points are given as NS:20-26 or N:15-17, got 'any:20'"),
        (("all.pbn", "--makes", "NS"), "what is made is given as NS:4S, E:3NT or any:6, got 'NS'"),
        (("all.pbn", "--makes", "NS:8S"), "what is made is given as NS:4S, E:3NT or any:6, got 'NS:8S'"),
        (("all.pbn", "--hcp", "NS:40"), "all.pbn has 60 boards, none of which is wanted: nothing is written"),
    ],
)
def test_what_cannot_be_picked_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = pick(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert not Path("picked.pbn").exists()
