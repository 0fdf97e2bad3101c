"""`tourney deals pick`: boards by points, and those on which a team lost."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.played_event import draw_event, event_text
from tourney.bridge import Board, Seat, Side, board_from_seed
from tourney.cli.main import cli
from tourney.formats.pbn import format_boards, parse_boards
from tourney.lab.deal_picking import high_card_points, is_competitive, is_slam
from tourney.movement.seating import Room

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
    return sum(high_card_points(board, seat) for seat in Seat if seat.side is side)


def test_points_of_the_four_hands_are_forty() -> None:
    assert {sum(high_card_points(board, seat) for seat in Seat) for board in BOARDS} == {40}


def test_boards_by_points_keep_dealer_and_vulnerability_and_are_numbered_anew() -> None:
    done = pick("all.pbn", "--hcp", "NS:22-30", "--hcp", "n:0-14")
    wanted = [b for b in BOARDS if 22 <= points(b, Side.NS) <= 30 and high_card_points(b, Seat.NORTH) <= 14]
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
    assert pick("all.pbn", "--competitive", "--exclude", "--most", "5").exit_code == 0
    assert [b.deal for b in picked()] == [b.deal for b in BOARDS if b.deal not in competitive][:5]
    assert all(is_slam(b) is (max(points(b, Side.NS), points(b, Side.EW)) >= 33) for b in BOARDS)
    assert not any(is_slam(b) and is_competitive(b) for b in BOARDS)


def test_boards_that_a_team_lost_come_by_the_size_of_the_loss(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("New", "Old", boards=4))
    for board, (own, other) in enumerate([(10, 9), (9, 10), (10, 10), (8, 12)], 1):
        played.record(1, Room.OPEN, board, "4S N", own)
        played.record(1, Room.CLOSED, board, "4S N", other)
    boards = played.boards(1)
    done = pick("--from-swings", "event.toml")
    assert done.stdout == "New lost 2 boards of event.toml; 2 boards picked: picked.pbn\n"
    assert [b.deal for b in picked()] == [boards[3].deal, boards[1].deal]
    assert pick("--from-swings", "event.toml", "--team", "old").exit_code == 0
    assert [b.deal for b in picked()] == [boards[0].deal]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "give FILE.pbn or --from-swings EVENT, got neither"),
        (("all.pbn", "--team", "New"), "--team is for --from-swings EVENT"),
        (("all.pbn", "--exclude"), "--exclude leaves out what --slams, --competitive or --hcp describe"),
        (("all.pbn", "--hcp", "NS20"), "points are given as NS:20-26 or N:15-17, got 'NS20'"),
        (("all.pbn", "--hcp", "NS:26-20"), "points go from 0 to 40, the lower number first, got 'NS:26-20'"),
        (("all.pbn", "--hcp", "NS:40"), "all.pbn has 60 boards, none of which is wanted: nothing is written"),
    ],
)
def test_what_cannot_be_picked_is_refused_in_one_sentence(words: tuple[str, ...], sentence: str) -> None:
    result = pick(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert not Path("picked.pbn").exists()
