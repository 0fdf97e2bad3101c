"""Stored double dummy figures in scorecards and exports: shown where a board may be shown, and there alone."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from tests.support.analysed import PAR_CONTRACTS, PAR_NS, makeable, put_costs, put_worth
from tests.support.endplay_reader import endplay_pbn, needs_endplay
from tests.support.event_conversation import converse
from tests.support.exports import export_csv, export_json, export_pbn, export_site, games_of, matches_of
from tests.support.html_pages import Page, read_pages
from tests.support.played_event import OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import DECLARERS, STRAINS
from tourney.errors import StoreError
from tourney.store.models import PlayAnalysis
from tourney.views import match as match_report

COSTS = {1: 1, 2: 3, 52: 1}
"""The lead, dummy's first card, and the last one."""


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    return put_event(tmp_path_factory.mktemp("solved"))


def put_event(folder: Path) -> PlayedEvent:
    """Two matches of the same four boards. In the first board 1 is solved in the open room, board 2 in neither, board
    3 is not over, board 4 was not solved; the figures of board 3 are there from an earlier time. In the second match
    nothing was played.
    """
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs", boards=4))
    converse(
        played,
        """
        0 IMPs in match 2
        match 1 board 1 is played
        match 1 board 2: 4S N 10, Pass
        1-open board 3 is played
        match 1 board 4 is played
        """,
    )
    for board in (1, 2, 3):
        put_worth(played, 1, board)
    put_costs(played, 1, OPEN, 1, COSTS)
    put_costs(played, 1, OPEN, 3, COSTS)
    return played


def scorecard_of(played: PlayedEvent, number: int = 1) -> Any:  # what json.dumps takes
    return match_report.load(played.drawn, match_number=number).document()


def pages_of(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    export_site(played, folder)
    return read_pages(folder)


# The scorecard


def test_a_scorecard_has_par_and_what_each_room_won_against_it(solved: PlayedEvent) -> None:
    # Board 2, North-South vulnerable: 620 and 0 against 140 are differences of 480 and -140 points, 10 and -4 IMPs.
    assert scorecard_of(solved)["boards"][1] | {"open": {}, "closed": {}} == {
        "board": 2,
        "dealer": "E",
        "vulnerable": "NS",
        "open": {},
        "closed": {},
        "imps": 12,
        "imps_away": -12,
        "adjusted": False,
        "cancelled": False,
        "forfeits": [],
        "par": PAR_NS,
        "par_contracts": list(PAR_CONTRACTS),
        "par_imps": {"open": 10, "closed": -4},
    }


def test_a_room_without_a_result_has_nothing_against_par(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    converse(played, "1-closed board 1: Pass\n1-open board 1: E forfeits")
    put_worth(played, 1, 1, par_ns=0, contracts=())
    board = scorecard_of(played)["boards"][0]
    assert [board[key] for key in ("par", "par_contracts", "par_imps")] == [0, [], {"open": None, "closed": 0}]


# Everywhere


def test_a_board_that_may_not_be_shown_shows_nothing_of_its_analysis(solved: PlayedEvent, tmp_path: Path) -> None:
    (first, second, *_) = matches_of(solved)
    assert [(board.board.number, board.analysis is not None) for board in first.boards] == [
        *((1, True), (2, True), (4, False))
    ]
    assert second.boards == ()
    assert {row["board"] for row in export_csv(solved, tmp_path)["analysis"]} == {"1", "2"}
    games = games_of(export_pbn(solved, tmp_path)[-1])
    assert [(game["Board"], "OptimumScore" in game) for game in games] == [
        *(("1", True), ("1", True), ("2", True), ("2", True), ("4", False), ("4", False))
    ]
    boards = export_json(solved, tmp_path)["matches"][0]["boards"]
    assert [(board["board"], board["analysis"] is not None) for board in boards] == [
        *((1, True), (2, True), (4, False))
    ]
    pages = pages_of(solved, tmp_path / "site")
    assert [name for name, page in pages.items() if "Tricks that each declarer can make" in page.text] == [
        *("match-001/board-01.html", "match-001/board-02.html")
    ]


@pytest.mark.parametrize("write", [export_pbn, export_csv, pages_of])
def test_exports_need_no_solver(
    solved: PlayedEvent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[PlayedEvent, Path], object]
) -> None:
    monkeypatch.setitem(sys.modules, "endplay", None)
    monkeypatch.setitem(sys.modules, "endplay.dds", None)
    with pytest.raises(ImportError):
        import endplay.dds  # noqa: F401
    assert write(solved, tmp_path / "out" if write is pages_of else tmp_path)


@pytest.mark.parametrize("digits", ["", "7", "7e", "7" * 54])
def test_figures_of_a_play_that_are_none_are_refused_in_one_sentence(tmp_path: Path, digits: str) -> None:
    played = put_event(tmp_path)
    with played.database.write() as connection:
        connection.execute(update(PlayAnalysis).where(PlayAnalysis.board == 1).values(tricks=digits))
    with pytest.raises(StoreError, match=r"^the analysis of a play of board 1 cannot be read: 2 to 53 digits"):
        matches_of(played)


# PBN


@needs_endplay
def test_endplay_reads_what_can_be_made(solved: PlayedEvent, tmp_path: Path) -> None:
    path = export_pbn(solved, tmp_path)[0]
    boards = endplay_pbn.loads(path.read_text("ascii"))
    assert [board.board_num for board in boards] == [1, 1, 2, 2, 4, 4]
    assert [board.info.OptimumScore for board in boards] == [*[f"NS {PAR_NS}"] * 4, None, None]
    table = boards[0].info.OptimumResultTable
    assert [column["name"] if isinstance(column, dict) else column for column in table["headers"]] == [
        *("Declarer", "Denomination", "Result")
    ]
    assert table["rows"] == [
        [seat.letter, strain.letters, str(makeable(seat, strain))] for seat in DECLARERS for strain in STRAINS
    ]


# Pages


def test_a_page_has_what_can_be_made_and_par_and_marks_what_was_given_away_in_words(
    solved: PlayedEvent, tmp_path: Path
) -> None:
    page = pages_of(solved, tmp_path / "site")["match-001/board-01.html"]
    rows = page.table("Tricks that each declarer can make").rows
    assert [row[0] for row in rows[2:]] == ["North", "South", "East", "West"]
    assert [[int(cell) for cell in row[1:]] for row in rows[2:]] == [
        [makeable(seat, strain) for strain in STRAINS] for seat in DECLARERS
    ]
    par = page.text[page.text.index("Par: ") :]
    assert par.startswith(
        f"Par: North-South {PAR_NS} by 1S N +2, 1S S +2. IMPs of North-South against par: +2 in the "
    )
    play, *others = [table for table in page.tables if table.rows[0][0].startswith("Play, ")]
    assert "; -1 after a card: it cost its side that many tricks" in play.rows[0][0]
    shown = {
        4 * (trick - 1) + place: cost
        for trick, row in enumerate(play.rows[2:], 1)
        for place, cell in enumerate(row[1:5], 1)
        if (cost := [*cell.split(), "", ""][2]).startswith("-")
    }
    assert shown == {number: f"-{tricks}" for number, tricks in COSTS.items()}
    assert not any("after a card" in table.rows[0][0] for table in others)


# A cancelled board
