"""Rubber bridge and Chicago as contests: who deals, who is vulnerable and when it is over follows from results."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from tests.support.commands import json_report
from tests.support.conversation import Step, steps_of
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
from tourney.movement.seating import TableInfo
from tourney.protocol.session.records import BREAKS_OFF, RulingKind
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.chicago import ChicagoOrder, ChicagoScoring
from tourney.scoring.games import GameKind, GameSettings, PassedOut
from tourney.scoring.ledger import NO_POINTS, GameState, find_honours
from tourney.scoring.victory_points import vp_scale
from tourney.store.models import BoardRow, Match, TableRow
from tourney.store.results.matches import load_match_boards


def config_of(stage: str) -> EventConfig:
    text = event_text("Ants", "Bees", stage=stage).replace("boards_per_match = 2\n", "")
    return parse_event_file(text, "event.toml")


def settings_of(stage: str) -> GameSettings:
    (made,) = config_of(stage).stage
    assert made.game_settings is not None
    return made.game_settings


RUBBER = GameSettings(kind=GameKind.RUBBER, length=1, honours=False, passed_out=PassedOut.NEXT_DEALER)
CHICAGO = GameSettings(kind=GameKind.CHICAGO, length=1, honours=False, passed_out=PassedOut.REDEAL)
GAMES = {
    "rubber": RUBBER,
    "rubber with redeals": replace(RUBBER, passed_out=PassedOut.REDEAL),
    "two rubbers": replace(RUBBER, length=2),
    "deals of a rubber": replace(RUBBER, length=None),
    "three deals": settings_of('format = "rubber"\ndeals = 3\nhonours = false'),
    "three deals, both": settings_of('format = "rubber"\ndeals = 3\nhonours = false\nunfinished = "both"'),
    "chicago": CHICAGO,
    "two chicagos": replace(CHICAGO, length=2),
    "chicago by dealer": replace(CHICAGO, order=ChicagoOrder.DEALER),
    "chicago without redeals": replace(CHICAGO, passed_out=PassedOut.COUNTS),
    "chicago at duplicate": replace(CHICAGO, scoring=ChicagoScoring.DUPLICATE),
}
"""The games of the cases below."""
SCALE = vp_scale("wbf-continuous", 32)
BOARDS = tuple(board_from_seed(7, "1.1.1", number) for number in range(1, 33))


def result(text: str, vulnerability: Vulnerability = Vulnerability.NONE) -> Result:
    """`4S N 10` or `Pass`."""
    said = parse_assigned(text)
    return Result(said.contract, said.tricks, said.score_ns(vulnerability))


def dealt(source: GameBoards, results: Iterable[str]) -> list[str]:
    """Number, dealer and vulnerability of the boards that are played to these results, or forfeited."""
    told = []
    for text in results:
        assert len(source)
        board = source.take()
        told.append(f"{board.number} {board.dealer.letter} {board.vulnerability.value}")
        source.note_end(board, result(text) if text != "forfeited" else None)
    return told


def seed_deals(game: str) -> list[str]:
    """The results of a game of the source document."""
    return [f"{row['contract']} {row['by'][0]} {row['tricks']}" for row in money_games()[f"{game}_seed"]["deals"]]


SEED_RUBBER = seed_deals("rubber")


# Boards by results


def test_the_second_game_decides_a_rubber() -> None:
    source = GameBoards(RUBBER, BOARDS, {})
    dealt(source, SEED_RUBBER)
    assert source.is_decided
    assert (source.finished, len(source)) == (9, 0)


@pytest.mark.parametrize("after", range(10))
def test_another_host_goes_on_with_the_same_dealer_and_vulnerability(after: int) -> None:
    whole = dealt(GameBoards(RUBBER, BOARDS, {}), SEED_RUBBER)
    finished = {number: result(text) for number, text in enumerate(SEED_RUBBER[:after], 1)}
    source = GameBoards(RUBBER, BOARDS, finished)
    assert source.finished == after
    assert dealt(source, SEED_RUBBER[after:]) == whole[after:]
    assert source.is_decided


DEALT = f"""
rubber: {", ".join(SEED_RUBBER)}
    -> 1 N None -> 2 E None -> 3 S None -> 4 W EW -> 5 N EW -> 6 E EW -> 7 S All -> 8 W All -> 9 N All
rubber: Pass, 4S N 10, 4S N 10 -> 1 N None -> 2 E None -> 3 S NS
rubber with redeals: Pass, 4S N 10, 4S N 10 -> 1 N None -> 2 N None -> 3 E NS
chicago: Pass, 4S N 10, 4S N 10 -> 1 N None -> 2 N None -> 3 E NS
chicago by dealer: Pass, 4S N 10, 4S N 10 -> 1 N None -> 2 N None -> 3 E EW
chicago without redeals: Pass, 4S N 10, 4S N 10 -> 1 N None -> 2 E NS -> 3 S EW

# A forfeited deal is as if passed out.
chicago: 4S N 10, forfeited, 2C E 8 -> 1 N None -> 2 E NS -> 3 E NS

# Two chicagos are eight hands and their redeals.
two chicagos: 1NT N 7, 1NT N 7, 1NT N 7, Pass, 1NT N 7, 1NT N 7, 1NT N 7, 1NT N 7, 1NT N 7
    -> ...None -> ...NS -> ...EW -> ...All -> ...All -> ...None -> ...NS -> ...EW -> ...All
"""


@pytest.mark.parametrize("deals", [*steps_of(DEALT)], ids=str)
def test_dealer_and_vulnerability_follow_from_results(deals: Step) -> None:
    game, _, results = deals.what.partition(": ")
    deals.check(dealt(GameBoards(GAMES[game], BOARDS, {}), results.split(", ")))


def test_a_board_that_was_void_is_dealt_again_as_it_was() -> None:
    source = GameBoards(RUBBER, BOARDS, {1: result("4S N 10")})
    board = source.take()
    source.put_back(board)
    assert source.take() == board


def test_two_chicagos_are_decided_by_the_eighth_hand() -> None:
    source = GameBoards(GAMES["two chicagos"], BOARDS, {})
    dealt(source, ["1NT N 7"] * 7)
    assert not source.is_decided
    dealt(source, ["1NT N 7"])
    assert source.is_decided


@pytest.mark.parametrize(
    ("game", "results"),
    [("deals of a rubber", ["4S N 10", "4S N 10", "4S N 10"]), ("two rubbers", ["4S N 10", "2H E 8", "Pass"])],
    ids=["whatever it completes", "though the rubbers are unfinished"],
)
def test_a_number_of_deals_is_played_and_no_more(game: str, results: list[str]) -> None:
    source = GameBoards(GAMES[game], BOARDS[:3], {})
    dealt(source, results)
    assert not source.is_decided
    assert len(source) == 0


# The score


TABLE = TableInfo(OPEN, "Ants", "Bees")


def match_of(game: GameSettings) -> MatchInfo:
    rules = StagePlanner(config_of('format = "rubber"'), 1).rules
    return MatchInfo(replace(rules, game=game), "Ants", "Bees", (TABLE,))


def seated(game: GameSettings, results: Iterable[str], rulings: Iterable[Ruling] = ()) -> list[SeatedBoard]:
    """The boards of a match that are played to these results, `-` for one that goes on, with the rulings on each."""
    source, boards = GameBoards(game, BOARDS, {}), []
    for text in results:
        board = source.take()
        found = result(text, board.vulnerability) if text not in ("forfeited", "-") else None
        if text != "-":
            source.note_end(board, found)
        own: list[Ruling] = [each for each in rulings if each.board == board.number]
        boards.append(SeatedBoard(board, {OPEN: TABLE}, {OPEN: found} if found else {}, own))
    return boards


_RULINGS = (
    (r"forfeits board (\d+)", RulingKind.BOARD_FORFEIT, 0),
    (r"board (\d+) is cancelled", RulingKind.BOARD_CANCELLED, 0),
    (r"board (\d+) breaks it off", RulingKind.BOARD_CANCELLED, BREAKS_OFF),
    (r"board (\d+) is assigned (.*)", RulingKind.ASSIGNED_SCORE, 0),
    (r"()forfeits the match", RulingKind.MATCH_FORFEIT, 0),
    (r"()is fined 50", RulingKind.PENALTY_IMPS, 50),
)


def ruling(text: str) -> Ruling:
    """A ruling on the home team, as people say it."""
    (found,) = ((each, kind, amount) for words, kind, amount in _RULINGS if (each := re.fullmatch(words, text)))
    match, kind, amount = found
    board = int(match[1]) if match[1] else None
    assigned = tuple(map(parse_assigned, match.groups()[1:]))
    return Ruling(1, kind, "Ants", 1, OPEN, board, None, None, amount, "", "", "Ada", 0, assigned=assigned)


def points_of(sheet: str) -> list[str]:
    """What both sides have for each board of `rubber: 4S N 10, -; forfeits board 1`, then for the match."""
    game, _, played = sheet.partition(": ")
    results, *said = played.split("; ")
    rulings = list(map(ruling, said))
    match, contest = match_of(GAMES[game]), FORMATS[GAMES[game].kind]
    boards = seated(GAMES[game], results.split(", "), rulings)
    compared = contest.compare_boards(match, boards)
    points = [f"{each.imps_home} {each.imps_away}" if each is not None else "-" for each in compared]
    made, is_over = [each for each in compared if each is not None], not results.endswith("-")
    score = contest.score(match, made, rulings, SCALE, is_complete=is_over)
    if score is None:
        return [*points, "no score"]
    assert score.lost_home or score.vp_home == -score.vp_away == 100 * (score.imps_home - score.imps_away)
    return [*points, f"in all {score.imps_home} {score.imps_away}"]


SHEETS = f"""
# The rubber and the chicago of the source document come to their published totals.
rubber: {", ".join(SEED_RUBBER)} -> ... -> in all 1690 880
chicago: {", ".join(seed_deals("chicago"))} -> ... -> in all 550 630
chicago by dealer: {", ".join(seed_deals("chicago"))} -> ... -> in all 550 430
chicago at duplicate: {", ".join(seed_deals("chicago"))} -> ... -> in all 550 230

# A match that is not over has no score and no premium yet; one that is broken off has those for what is unfinished.
rubber: 4S N 10, - -> 120 0 -> - -> no score
deals of a rubber: 4S N 10, 2H E 8 -> 120 0 -> 300 160 -> ...
two rubbers: 4S N 10, 2H E 8, Pass -> ... -> in all 420 160

# Both sides have the premium for what is unfinished if the event file says so.
three deals: 4S N 10, 4S E 10, 2S N 8 -> ... -> in all 280 120
three deals, both: 4S N 10, 4S E 10, 2S N 8 -> ... -> in all 580 420

# A board that a side forfeits gives the other 300 points, and has no hand of a chicago redealt. The fourth hand stays
# the last one: its part score has the premium, and the 40 of the first is still there.
rubber: 4S N 10, forfeited, 4S N 10; forfeits board 2 -> 120 0 -> 0 300 -> 820 0 -> ...
chicago: 1NT N 7, 1NT N 7, 4S N 9, 2S N 8; forfeits board 2 -> 40 0 -> 0 300 -> 0 50 -> 560 0 -> ...
chicago: 1NT N 7, 1NT N 7, 4S N 9, 1NT N 7; forfeits board 2 -> 40 0 -> 0 300 -> 0 50 -> 140 0 -> ...

# An assigned score changes what follows in scores.
rubber: 4S N 9, 2S N 8, 2S N 8, 4S N 10 -> 0 50 -> 60 0 -> 60 0 -> 820 0 -> ...
rubber: 4S N 9, 2S N 8, 2S N 8, 4S N 10; board 1 is assigned 4S N 10 -> 120 0 -> 60 0 -> 760 0 -> 420 0 -> ...

# A cancelled board counts for nobody. A game ends before the board that breaks it off, whatever its table played
# before it was told.
rubber: 4S N 10, 2H E 8, -; board 1 is cancelled -> 0 0 -> 0 60 -> ...
rubber: 4S N 10, 2H E 8, -; board 1 breaks it off -> ... -> in all 0 0

# A forfeited match is lost by 500 at least, and a fine is in points.
rubber: 4S N 10, -; forfeits the match -> ... -> in all 0 500
rubber: 7NTXX N 3, -; forfeits the match -> ... -> in all 0 5200
chicago: 1NT N 7, 1NT N 7, 1NT N 7, 1NT N 7; is fined 50 -> ... -> in all 510 0
"""


@pytest.mark.parametrize("sheet", [*steps_of(SHEETS)], ids=str)
def test_a_match_has_the_points_of_its_boards_by_results_and_rulings(sheet: Step) -> None:
    sheet.check(points_of(sheet.what))


def test_an_assigned_score_changes_no_vulnerability() -> None:
    played_so = ["4S N 9", "2S N 8", "2S N 8", "4S N 10"]
    for rulings in ([], [ruling("board 1 is assigned 4S N 10")]):
        boards = seated(RUBBER, played_so, rulings)
        assert [board.board.vulnerability.value for board in boards] == ["None", "None", "None", "NS"]


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
