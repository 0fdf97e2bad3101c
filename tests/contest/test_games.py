"""Rubber bridge and Chicago as contests: who deals, who is vulnerable and when it is over follows from results."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.support.commands import json_report
from tests.support.event_conversation import converse
from tests.support.game_events import draw_game, play_game, play_games
from tests.support.money_games import money_games
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, draw_event, event_text
from tourney.audit.event import verify_event
from tourney.bridge import Result, Strain, Vulnerability, board_from_seed
from tourney.config import EventConfig, parse_event_file
from tourney.contest import FORMATS
from tourney.contest.draw import MatchInfo
from tourney.contest.games import GameBoards
from tourney.contest.record import AskedRuling, Ruling, SeatedBoard
from tourney.coordinator.stage_planner import StagePlanner
from tourney.formats.boards import format_boards
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BREAKS_OFF, RulingKind
from tourney.scoring.assigned import AssignedResult, parse_assigned
from tourney.scoring.chicago import ChicagoOrder, ChicagoScoring
from tourney.scoring.games import GameKind, GameSettings, PassedOut
from tourney.scoring.ledger import NO_POINTS, GameState, find_honours
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import vp_scale
from tourney.store.models import BoardRow, Match, TableRow
from tourney.store.results.matches import load_match_boards

RUBBER = GameSettings(kind=GameKind.RUBBER, length=1, honours=False, passed_out=PassedOut.NEXT_DEALER)
CHICAGO = GameSettings(kind=GameKind.CHICAGO, length=1, honours=False, passed_out=PassedOut.REDEAL)
SCALE = vp_scale("wbf-continuous", 32)
BOARDS = tuple(board_from_seed(7, "1.1.1", number) for number in range(1, 33))


def result(text: str, vulnerability: Vulnerability = Vulnerability.NONE) -> Result:
    """`4S N 10` or `Pass`."""
    said = parse_assigned(text)
    return Result(said.contract, said.tricks, said.score_ns(vulnerability))


def dealt(source: GameBoards, results: Iterable[str]) -> list[tuple[int, str, str]]:
    """Number, dealer and vulnerability of the boards that are played to these results."""
    told = []
    for text in results:
        assert len(source)
        board = source.take()
        told.append((board.number, board.dealer.letter, board.vulnerability.value))
        source.note_end(board, result(text) if text else None)
    return told


def seed_rubber() -> list[str]:
    return [f"{row['contract']} {row['by'][0]} {row['tricks']}" for row in money_games()["rubber_seed"]["deals"]]


# Boards by results


def test_a_side_with_a_game_is_vulnerable_and_the_second_game_decides_a_rubber() -> None:
    source = GameBoards(RUBBER, BOARDS, {})
    assert dealt(source, seed_rubber()) == [
        *((1, "N", "None"), (2, "E", "None"), (3, "S", "None"), (4, "W", "EW"), (5, "N", "EW")),
        *((6, "E", "EW"), (7, "S", "All"), (8, "W", "All"), (9, "N", "All")),
    ]
    assert source.is_decided
    assert (source.finished, len(source)) == (9, 0)


@pytest.mark.parametrize("after", range(10))
def test_another_host_goes_on_with_the_same_dealer_and_vulnerability(after: int) -> None:
    whole = dealt(GameBoards(RUBBER, BOARDS, {}), seed_rubber())
    finished = {number: result(text) for number, text in enumerate(seed_rubber()[:after], 1)}
    source = GameBoards(RUBBER, BOARDS, finished)
    assert source.finished == after
    assert dealt(source, seed_rubber()[after:]) == whole[after:]
    assert source.is_decided


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (RUBBER, [(1, "N", "None"), (2, "E", "None"), (3, "S", "NS")]),
        (replace(RUBBER, passed_out=PassedOut.REDEAL), [(1, "N", "None"), (2, "N", "None"), (3, "E", "NS")]),
        (CHICAGO, [(1, "N", "None"), (2, "N", "None"), (3, "E", "NS")]),
        (replace(CHICAGO, order=ChicagoOrder.DEALER), [(1, "N", "None"), (2, "N", "None"), (3, "E", "EW")]),
        (replace(CHICAGO, passed_out=PassedOut.COUNTS), [(1, "N", "None"), (2, "E", "NS"), (3, "S", "EW")]),
    ],
)
def test_a_deal_that_is_passed_out_is_followed_by_the_rule(
    settings: GameSettings, expected: list[tuple[int, str, str]]
) -> None:
    assert dealt(GameBoards(settings, BOARDS, {}), ["Pass", "4S N 10", "4S N 10"]) == expected


def test_a_forfeited_deal_is_as_if_passed_out() -> None:
    assert dealt(GameBoards(CHICAGO, BOARDS, {}), ["4S N 10", "", "2C E 8"])[1:] == [
        (2, "E", "NS"),
        (3, "E", "NS"),
    ]


def test_a_board_that_was_void_is_dealt_again_as_it_was() -> None:
    source = GameBoards(RUBBER, BOARDS, {1: result("4S N 10")})
    board = source.take()
    source.put_back(board)
    assert source.take() == board


def test_two_chicagos_are_eight_hands_and_their_redeals() -> None:
    source = GameBoards(replace(CHICAGO, length=2), BOARDS, {})
    told = dealt(source, ["1NT N 7"] * 3 + ["Pass"] + ["1NT N 7"] * 5)
    assert [vulnerable for *_, vulnerable in told] == ["None", "NS", "EW", "All", "All", "None", "NS", "EW", "All"]
    assert source.is_decided


def test_a_number_of_deals_is_played_whatever_it_completes() -> None:
    source = GameBoards(replace(RUBBER, length=None), BOARDS[:3], {})
    dealt(source, ["4S N 10", "4S N 10", "4S N 10"])
    assert not source.is_decided
    assert len(source) == 0


# The score


TABLE = TableInfo(OPEN, "Ants", "Bees")


def config_of(stage: str) -> EventConfig:
    text = event_text("Ants", "Bees", stage=stage).replace("boards_per_match = 2\n", "")
    return parse_event_file(text, "event.toml")


def match_of(game: GameSettings) -> MatchInfo:
    rules = StagePlanner(config_of('format = "rubber"'), 1).rules
    return MatchInfo(replace(rules, game=game), "Ants", "Bees", (TABLE,))


def ruling(
    kind: RulingKind,
    team: str = "",
    board: int | None = None,
    room: Room | None = OPEN,
    amount: int = 0,
    assigned: tuple[AssignedResult, ...] = (),
    author: str = "Ada",
) -> Ruling:
    return Ruling(1, kind, team, 1, room, board, None, None, amount, "", "", author, 0, assigned=assigned)


@dataclass
class Sheet:
    """A match of a game, scored from results and rulings."""

    settings: GameSettings
    results: list[str]
    rulings: list[Ruling] = field(default_factory=list)
    is_over: bool = True

    def compared(self) -> list[tuple[int, int] | None]:
        match = match_of(self.settings)
        contest = FORMATS[self.settings.kind]
        return [
            (c.imps_home, c.imps_away) if c is not None else None for c in contest.compare_boards(match, self.boards)
        ]

    @property
    def boards(self) -> list[SeatedBoard]:
        source, seated = GameBoards(self.settings, BOARDS, {}), []
        for text in self.results:
            board = source.take()
            found = result(text, board.vulnerability) if text else None
            source.note_end(board, found)
            rulings: list[Ruling] = [each for each in self.rulings if each.board == board.number]
            seated.append(SeatedBoard(board, {OPEN: TABLE}, {OPEN: found} if found else {}, rulings))
        if not self.is_over:
            seated.append(SeatedBoard(source.take(), {OPEN: TABLE}, {}, []))
        return seated

    def score(self) -> MatchScore | None:
        match, contest = match_of(self.settings), FORMATS[self.settings.kind]
        made = [compared for compared in contest.compare_boards(match, self.boards) if compared is not None]
        return contest.score(match, made, self.rulings, SCALE, is_complete=self.is_over)


def totals(sheet: Sheet) -> tuple[int, int] | None:
    score = sheet.score()
    return (score.imps_home, score.imps_away) if score is not None else None


def test_the_rubber_of_the_source_document_comes_to_its_published_totals() -> None:
    sheet = Sheet(RUBBER, seed_rubber())
    assert totals(sheet) == (1690, 880)
    score = sheet.score()
    assert score is not None
    assert score.vp_home == -score.vp_away == 100 * (score.imps_home - score.imps_away)


def test_the_chicago_of_the_source_document_comes_to_its_published_totals() -> None:
    rows = money_games()["chicago_seed"]["deals"]
    results = [f"{row['contract']} {row['by'][0]} {row['tricks']}" for row in rows]
    assert totals(Sheet(CHICAGO, results)) == (550, 630)
    assert totals(Sheet(replace(CHICAGO, order=ChicagoOrder.DEALER), results)) == (550, 430)
    assert totals(Sheet(replace(CHICAGO, scoring=ChicagoScoring.DUPLICATE), results)) == (550, 230)


def test_a_match_that_is_not_over_has_no_score_and_no_premium_yet() -> None:
    sheet = Sheet(RUBBER, ["4S N 10"], is_over=False)
    assert sheet.compared() == [(120, 0), None]
    assert sheet.score() is None


def test_a_rubber_that_is_broken_off_has_the_premiums_for_what_is_unfinished() -> None:
    sheet = Sheet(replace(RUBBER, length=None), ["4S N 10", "2H E 8"])
    assert sheet.compared() == [(120, 0), (300, 60 + 100)]


def test_a_board_that_a_side_forfeits_gives_the_other_300_points() -> None:
    forfeit = ruling(RulingKind.BOARD_FORFEIT, team="Ants", board=2)
    assert Sheet(RUBBER, ["4S N 10", "", "4S N 10"], [forfeit]).compared() == [(120, 0), (0, 300), (120 + 700, 0)]


def test_an_assigned_score_changes_what_follows_in_scores_and_not_in_vulnerability() -> None:
    played_so = ["4S N 9", "2S N 8", "2S N 8", "4S N 10"]
    plain = Sheet(RUBBER, played_so)
    assert [board.board.vulnerability for board in plain.boards] == [Vulnerability.NONE] * 3 + [Vulnerability.NS]
    assigned = ruling(RulingKind.ASSIGNED_SCORE, team="Ants", board=1, assigned=(parse_assigned("4S N 10"),))
    ruled = Sheet(RUBBER, played_so, [assigned])
    assert [board.board.vulnerability for board in ruled.boards] == [Vulnerability.NONE] * 3 + [Vulnerability.NS]
    assert plain.compared() == [(0, 50), (60, 0), (60, 0), (120 + 700, 0)]
    assert ruled.compared() == [(120, 0), (60, 0), (60 + 700, 0), (120 + 300, 0)]


def test_a_ruling_has_no_hand_of_a_chicago_redealt() -> None:
    hands = ["1NT N 7", "1NT N 7", "4S N 9", "2S N 8"]
    forfeit = ruling(RulingKind.BOARD_FORFEIT, team="Ants", board=2)
    # The fourth hand stays the last one: its part score has the premium, and the 40 of the first is still there.
    assert Sheet(CHICAGO, hands, [forfeit]).compared() == [(40, 0), (0, 300), (0, 50), (60 + 500, 0)]
    hands[3] = "1NT N 7"
    assert Sheet(CHICAGO, hands, [forfeit]).compared() == [(40, 0), (0, 300), (0, 50), (40 + 100, 0)]


def test_a_cancelled_board_counts_for_nobody() -> None:
    cancelled = ruling(RulingKind.BOARD_CANCELLED, board=1)
    assert Sheet(RUBBER, ["4S N 10", "2H E 8"], [cancelled], is_over=False).compared()[:2] == [(0, 0), (0, 60)]


def test_a_game_ends_before_the_board_that_breaks_it_off_whatever_its_table_played_before_it_was_told() -> None:
    breaks_off = ruling(RulingKind.BOARD_CANCELLED, board=1, amount=BREAKS_OFF)
    assert totals(Sheet(RUBBER, ["4S N 10", "2H E 8"], [breaks_off], is_over=False)) == (0, 0)


def test_a_forfeited_match_is_lost_by_500_at_least() -> None:
    forfeit = ruling(RulingKind.MATCH_FORFEIT, team="Ants")
    assert totals(Sheet(RUBBER, ["4S N 10"], [forfeit], is_over=False)) == (0, 500)
    assert totals(Sheet(RUBBER, ["7NTXX N 3"], [forfeit], is_over=False)) == (0, 5200)


def test_a_fine_is_in_points() -> None:
    fine = ruling(RulingKind.PENALTY_IMPS, team="Ants", amount=50)
    assert totals(Sheet(CHICAGO, ["1NT N 7"] * 4, [fine])) == (4 * 40 + 300 + 100 - 50, 0)


# Over the record


def findings(game: PlayedEvent) -> list[str]:
    event = game.reload()
    scales = game.file.scales
    outcome = verify_event(game.database, event, event.matches, scales, BEGINS_AT_MS + 10_000)
    return [found.text for found in outcome.findings]


def board_rows(game: PlayedEvent) -> list[tuple[str, str]]:
    match = game.reload().matches[0]
    with game.database.read() as connection:
        rows = connection.execute(select(BoardRow.dealer, BoardRow.vulnerability).order_by(BoardRow.position))
        return [(row.dealer.letter, row.vulnerability.value) for row in rows][: match.boards]


@pytest.mark.parametrize(
    "stage",
    [
        'format = "rubber"',
        'format = "rubber"\ndeals = 3',
        'format = "chicago"',
        'format = "chicago"\nscoring = "russian"',
    ],
)
def test_a_match_is_played_to_its_end_and_verified(stage: str, tmp_path: Path) -> None:
    game = draw_game(tmp_path, stage)
    begun = play_game(game)
    match = game.reload().matches[0]
    assert match.boards == len(begun) == match.tables[0].boards
    assert match.tables[0].state.value == "finished"
    told = [(each.dealer, each.vulnerability) for each in begun]
    assert [(dealer.letter, sides.value) for dealer, sides in told if dealer is not None and sides] == board_rows(
        game
    )
    game.score()
    assert findings(game) == []


@pytest.fixture(scope="module")
def two_rubbers(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[tuple[str, str]], Any, list[int]]:
    """Dealers and vulnerabilities, the sheet, and the first boards of two rubbers that nobody disturbed."""
    game = draw_game(tmp_path_factory.mktemp("undisturbed"), TWO_RUBBERS)
    play_game(game)
    sheet = sheet_of(game)
    return board_rows(game), sheet, [part["boards"][0] for part in sheet["sheets"]]


TWO_RUBBERS = 'format = "rubber"\nrubbers = 2'
BETWEEN, AUCTION, PLAY = 0, 4, 30


def sheet_of(game: PlayedEvent) -> Any:
    game.reload()
    game.score()
    return json_report("match", game.path, "1")["sheet"]


@pytest.mark.parametrize("more", [BETWEEN, AUCTION, PLAY], ids=["between", "auction", "play"])
@pytest.mark.parametrize("place", ["first deal", "second deal", "second rubber"])
def test_a_match_whose_host_dies_anywhere_comes_to_the_same(
    place: str, more: int, tmp_path: Path, two_rubbers: tuple[list[tuple[str, str]], Any, list[int]]
) -> None:
    rows, sheet, firsts = two_rubbers
    after = {"first deal": 0, "second deal": 1, "second rubber": firsts[1] - 1}[place]
    killed = draw_game(tmp_path, TWO_RUBBERS)
    play_game(killed, stop_after=after, more=more)
    assert killed.reload().matches[0].boards == 64
    play_game(killed)
    assert (board_rows(killed), sheet_of(killed)) == (rows, sheet)
    assert findings(killed) == []


def test_a_vulnerability_that_does_not_follow_from_the_results_is_found(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"')
    play_game(game)
    with game.database.write() as connection:
        connection.execute(update(BoardRow).where(BoardRow.number == 2).values(vulnerability=Vulnerability.ALL))
    wrong = "dealer and vulnerability are East, All; by the boards before it they are East, None"
    assert any(wrong in text for text in findings(game))


def test_a_match_that_stops_before_it_is_decided_is_found(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"')
    play_game(game)
    left = game.reload().matches[0].boards - 1
    with game.database.write() as connection:
        connection.execute(update(Match).values(boards=left))
        connection.execute(update(TableRow).values(boards=left))
    assert findings(game)


# The cards of a round


FOUR = ("Ants", "Bees", "Cats", "Dogs")


def hands(game: PlayedEvent, number: int) -> list[str]:
    match = game.reload().matches[number - 1]
    return [str(board.deal) for board in load_match_boards(game.database, match)]


def test_all_matches_of_a_round_play_the_same_cards(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"', *FOUR)
    assert hands(game, 1) == hands(game, 2)
    assert hands(game, 1) != hands(game, 3)
    sets = {match.board_set_id for match in game.reload().matches}
    assert len(sets) == 6  # dealer and vulnerability are each match's own


def test_each_match_has_its_own_cards_if_the_file_says_so(tmp_path: Path) -> None:
    text = event_text(*FOUR, stage='format = "rubber"', deals='seed = 1\nshared = "match"')
    game = draw_event(tmp_path, text.replace("boards_per_match = 2\n", ""))
    assert len({tuple(hands(game, number)) for number in range(1, 7)}) == 6


def test_boards_of_a_file_are_shared_by_the_matches_of_a_round(tmp_path: Path) -> None:
    boards = [board_from_seed(3, "file", number) for number in range(1, 13)]
    (tmp_path / "deals.pbn").write_text(format_boards(boards, "tests"), encoding="utf-8")
    stage = 'format = "rubber"\ndeals = 4'
    text = event_text(*FOUR, stage=stage, deals='pbn = "deals.pbn"').replace("boards_per_match = 2\n", "")
    game = draw_event(tmp_path, text)
    assert hands(game, 1) == hands(game, 2) == [str(board.deal) for board in boards[:4]]
    assert hands(game, 6) == [str(board.deal) for board in boards[8:]]


def test_a_board_is_shown_once_no_match_of_the_round_has_its_cards_to_play(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"', *FOUR)
    ahead = len(play_game(game, number=1))
    play_game(game, number=2, stop_after=2)
    converse(
        game,
        """
        $ match EVENT 1 --json | sheet.deals: board -> 1 -> 2
        $ match EVENT 1 --json | boards[points=-]: board -> 3 -> ...
        scored
        """,
    )
    play_game(game, number=2)
    converse(game, "scored")
    for number in ("1", "2"):
        assert len(json_report("match", game.path, number)["sheet"]["deals"]) == ahead
    assert findings(game) == []


def test_deals_that_are_only_kept_ready_are_not_said_to_be_played(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"')
    assert game.reload().matches[0].boards_known is None
    counted = "$ rounds EVENT --json | rounds.matches: boards boards_over"
    converse(game, "$ status EVENT --json | tables: boards finished -> - 0")
    play_game(game, stop_after=2)
    converse(
        game,
        f"""
        $ match EVENT 1 --json | boards: board -> 1 -> 2
        {counted} -> - 2
        $ rounds EVENT -> ... -> ..., 2 boards...
        """,
    )
    boards = play_games(game).event.matches[0].boards
    converse(
        game,
        f"""
        $ status EVENT --json | tables: boards finished -> {boards} {boards}
        {counted} -> {boards} ...
        """,
    )


@pytest.mark.parametrize("stage", ['format = "rubber"\ndeals = 3', 'format = "chicago"\npassed_out = "counts"'])
def test_a_match_of_a_known_number_of_deals_says_it(stage: str, tmp_path: Path) -> None:
    match = draw_game(tmp_path, stage).reload().matches[0]
    assert match.boards_known == match.boards == (3 if "rubber" in stage else 4)


# Settings


def settings_of(stage: str) -> GameSettings:
    (made,) = config_of(stage).stage
    assert made.game_settings is not None
    return made.game_settings


@pytest.mark.parametrize(
    ("stage", "counts"),
    [
        ('format = "rubber"', True),
        ('format = "rubber"\nhonours = false', False),
        ('format = "chicago"', False),
        ('format = "chicago"\nhonours = true', True),
    ],
)
def test_honours_count_as_the_event_file_says(stage: str, counts: bool) -> None:
    settings = settings_of(stage)
    board, points = next(
        (board, points)
        for number in range(1, 400)
        for board in [board_from_seed(7, "honours", number)]
        if (points := find_honours(board.deal, Strain.SPADES)) != NO_POINTS
    )
    dealt = settings.deal_of(board.deal, result("1S N 7"), board.vulnerability)
    assert dealt.honours == (points if counts else NO_POINTS)
    written = settings.game().play(GameState(), dealt).above
    assert written == (points if counts else NO_POINTS)


def test_both_sides_have_the_premium_for_what_is_unfinished_if_the_event_file_says_so() -> None:
    hands = ["4S N 10", "4S E 10", "2S N 8"]
    neither = Sheet(settings_of('format = "rubber"\ndeals = 3\nhonours = false'), hands)
    both = Sheet(settings_of('format = "rubber"\ndeals = 3\nhonours = false\nunfinished = "both"'), hands)
    assert totals(neither) == (120 + 60 + 100, 120)
    assert totals(both) == (120 + 60 + 100 + 300, 120 + 300)


@pytest.mark.parametrize(
    ("stage", "boards", "length"),
    [
        ('format = "rubber"', 32, 1),
        ('format = "rubber"\nrubbers = 3', 96, 3),
        ('format = "rubber"\ndeals = 30', 30, None),
        ('format = "rubber"\nrubbers = 2\ndeals = 12', 12, 2),
        ('format = "chicago"\nchicagos = 3', 24, 3),
        ('format = "chicago"\nchicagos = 3\npassed_out = "counts"', 12, 3),
        ('format = "chicago"\nchicagos = 3\nscoring = "russian"', 12, 3),
        ('format = "chicago"\nchicagos = 3\nscoring = "russian"\npassed_out = "redeal"', 24, 3),
    ],
)
def test_as_many_deals_are_kept_ready_as_a_match_may_need(stage: str, boards: int, length: int | None) -> None:
    (made,) = config_of(stage).stage
    assert (made.boards_per_match, settings_of(stage).length) == (boards, length)


def test_a_match_of_rubbers_that_uses_up_its_deals_is_scored_as_it_stands() -> None:
    source = GameBoards(replace(RUBBER, length=2), BOARDS[:3], {})
    dealt(source, ["4S N 10", "2H E 8", "Pass"])
    assert not source.is_decided
    assert len(source) == 0
    assert totals(Sheet(replace(RUBBER, length=2), ["4S N 10", "2H E 8", "Pass"])) == (120 + 300, 60 + 100)


@pytest.mark.parametrize(
    ("kind", "board", "problem"),
    [
        (RulingKind.BOARD_CANCELLED, 4, "cancelling that one breaks the match off, got board 4"),
        (RulingKind.BOARD_CANCELLED, 3, None),
        (RulingKind.ADJUSTED_SCORE, 4, "rulings on boards of a rubber are given afterwards"),
        (RulingKind.ADJUSTED_SCORE, 2, None),
    ],
)
def test_of_unfinished_boards_only_the_first_can_be_ruled_on_by_cancelling_it(
    kind: RulingKind, board: int, problem: str | None
) -> None:
    asked = AskedRuling(kind=kind, match=1, board=board, teams=("Alpha", "Beta"))
    found = FORMATS["rubber"].ruling_problem(asked, [3, 4])
    assert found is None if problem is None else problem in (found or "")
