"""Score sheets: points above and below the line, a sheet for each rubber or chicago."""

from tests.support.money_games import money_games, play_all, played
from tourney.bridge import Side
from tourney.scoring.chicago import Chicago
from tourney.scoring.ledger import LedgerEntry, SidePoints
from tourney.scoring.rubber import Rubber
from tourney.scoring.score_sheet import UNFINISHED, draw_up_sheets


def entries(*rows: dict[str, object]) -> list[tuple[int, LedgerEntry]]:
    return list(enumerate(play_all(Rubber(), map(played, rows)).entries, 1))


def deal(by: str, contract: str, tricks: int) -> dict[str, object]:
    return {"by": by, "contract": contract, "tricks": tricks}


GAME_NS, GAME_EW = deal("N", "4S", 10), deal("E", "4S", 10)


def test_each_rubber_has_its_own_sheet_and_totals() -> None:
    first, second = draw_up_sheets(entries(GAME_NS, GAME_NS, GAME_EW, GAME_EW))
    assert (first.number, first.deals, first.totals, first.winner) == (1, (1, 2), SidePoints(940, 0), Side.NS)
    assert (second.number, second.deals, second.totals, second.winner) == (2, (3, 4), SidePoints(0, 940), Side.EW)


def test_premiums_for_what_is_unfinished_are_written_once_play_has_stopped_for_good() -> None:
    rows = (GAME_NS, deal("E", "2H", 8))
    (going_on,) = draw_up_sheets(entries(*rows))
    assert (going_on.totals, going_on.winner, going_on.is_finished) == (SidePoints(120, 60), None, False)
    (over,) = draw_up_sheets(entries(*rows), is_over=True)
    assert over.totals == SidePoints(120 + 300, 60 + 100)
    assert [(each.points, each.what) for each in over.above[Side.NS]] == [(300, UNFINISHED)]
    assert [(each.points, each.what) for each in over.above[Side.EW]] == [(100, UNFINISHED)]


def test_a_chicago_is_won_by_the_side_that_is_ahead() -> None:
    hands = [played(row) for row in money_games()["chicago_seed"]["deals"]]
    played_twice = play_all(Chicago(), hands + hands).entries
    sheets = draw_up_sheets(enumerate(played_twice, 1))
    assert [(sheet.totals, sheet.winner) for sheet in sheets] == [(SidePoints(550, 630), Side.EW)] * 2
