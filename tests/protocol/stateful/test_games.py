"""Games that are played over several deals: rubber bridge and Chicago with their score, and Minibridge."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

import pytest

from tests.support.seed_client import SeedClient, legal_bids
from tests.support.stateful_tables import forgetful_player, seat_stateful
from tests.support.table_rig import TableRig, play_to_end
from tests.support.wire_tables import NORTH
from tourney.bots import strategy_of
from tourney.bridge import SEATS, Board, Result, Seat, board_from_seed, parse_deal
from tourney.bridge.seats import Vulnerability
from tourney.contest.games import GameBoards
from tourney.protocol.session.orders import VoidBoard
from tourney.protocol.session.records import (
    BoardEnded,
    BoardsDecided,
    BoardSnapshot,
    BoardVoided,
    CallMade,
    CardPlayed,
    TableRecord,
)
from tourney.protocol.session.rules import TableRules
from tourney.protocol.session.table import TableSettings
from tourney.scoring.chicago import ChicagoScoring
from tourney.scoring.games import GameKind, GameSettings, PassedOut

RUBBER = GameSettings(kind=GameKind.RUBBER, length=1, honours=True, passed_out=PassedOut.NEXT_DEALER)
CHICAGO = GameSettings(kind=GameKind.CHICAGO, length=1, honours=False, passed_out=PassedOut.REDEAL)
RUSSIAN = GameSettings(
    kind=GameKind.CHICAGO,
    length=1,
    scoring=ChicagoScoring.RUSSIAN,
    honours=False,
    passed_out=PassedOut.COUNTS,
)
MINIBRIDGE = GameSettings(kind=GameKind.MINIBRIDGE, length=4, honours=False, passed_out=PassedOut.REDEAL)

NORTH_DECLARES = parse_deal("N:AKQJ.T98.765.432 T987.AKJ.432.765 654.Q32.AKQ.KJ98 32.7654.JT98.AQT")
"""North has 10 points, South 15, so that South declares; North is dummy."""
LEVEL = parse_deal("N:AKQJ.AKQJ.432.32 T987.T987.AKQ.54 654.654.765.9876 32.32.JT98.AKQJT")
"""Both sides have 20 points."""

Choose = Callable[[SeedClient], str]


def game_rig(game: GameSettings, boards: Sequence[Board] | None = None, **settings: object) -> TableRig:
    """A table where a game is played, four connections of the stateful protocol at it."""
    ready = tuple(boards) if boards is not None else tuple(board_from_seed(8, game.kind, n) for n in range(1, 33))
    rules = TableRules(rejoins_max=10_000)
    said = {"trick_pause_ms": 0, "rules": rules, "source": GameBoards(game, ready, {})} | settings
    rig = TableRig(TableSettings("Alpha", "Beta", ready, **said))  # type: ignore[arg-type]
    for seat in SEATS:
        rig.seats[seat] = rig.connect_stateful(seat)
    return rig


def some_bid(client: SeedClient, random: Random) -> str:
    legal = legal_bids(client.bids)
    return "PASS" if random.random() < 0.5 and client.bids else random.choice(legal[: min(len(legal), 4)])


def seed_client(rig: TableRig, seat: Seat, choose: Choose | None = None) -> SeedClient:
    """A client from the source document that bids and plays at random."""
    random = Random(int(seat) + 1)
    bid = choose if choose is not None else partial(some_bid, random=random)
    return SeedClient(rig.core.state.settings.team(seat.side), bid, lambda _, allowed: random.choice(allowed))


def scores_told(rig: TableRig, connection: int | None = None) -> list[str]:
    """Every `SCORE-M`, or those to one connection."""
    sends = [effect for effect in rig.log if isinstance(effect, tuple) and effect[1].startswith("SCORE-M ")]
    return [line for number, line, _ in sends if connection in (None, number)]


def made_at(rig: TableRig) -> tuple[CallMade | CardPlayed, ...]:
    """The calls and cards on record, in order."""
    records = [effect for effect in rig.log if isinstance(effect, TableRecord)]
    return tuple(record for record in records if isinstance(record, CallMade | CardPlayed))


def totals_of(game: GameSettings, rig: TableRig) -> str:
    """`SCORE-M` as it follows from the boards on record, by the score of the game alone."""
    source = GameBoards(game, rig.core.state.settings.boards, {})
    for ended in rig.of_kind(BoardEnded):
        source.note_end(source.take(), ended.result)
    scores = source.line_scores
    assert scores is not None
    return "SCORE-M " + " ".join(f"{s.above} {s.below} {int(s.is_vulnerable)}" for s in scores.values())


# Rubber bridge and Chicago


@pytest.mark.clause("SS-28")
def test_four_clients_that_know_the_source_document_alone_play_a_rubber_and_are_told_its_score() -> None:
    rig = game_rig(RUBBER)
    clients = {seat: seed_client(rig, seat) for seat in SEATS}
    play_to_end(rig, clients, Random(1))
    assert rig.of_kind(BoardsDecided)
    ends = rig.of_kind(BoardEnded)
    for seat, client in clients.items():
        assert (client.boards, client.naks, client.unknown) == (len(ends), [], [])
        scores = scores_told(rig, rig.seats[seat].number)
        assert scores[0] == "SCORE-M 0 0 0 0 0 0"
        assert scores[-1] == totals_of(RUBBER, rig) == f"SCORE-M {' '.join(client.score)}"


@pytest.mark.clause("SS-28")
def test_the_score_is_told_after_each_deal_and_with_the_state_but_not_twice() -> None:
    boards = tuple(board_from_seed(8, "rubber", number) for number in range(1, 33))
    first = Result(None, 0, 0)
    source = GameBoards(RUBBER, boards, {boards[0].number: first})
    rig = game_rig(RUBBER, boards, source=source)
    rig.converse("""
        N S: HELLO Alpha
        E W: HELLO Beta
        all: JOIN-T
    """)
    assert scores_told(rig) == ["SCORE-M 0 0 0 0 0 0"] * 4
    rig.converse("clear\nE S W: BID PASS")
    assert "SCORE-M" not in " ".join(rig.send_line(NORTH, "BID PASS"))  # nothing has changed
    assert "SCORE-M 0 0 0 0 0 0" in rig.send_line(NORTH, "JOIN-T")


def test_a_finished_board_that_others_follow_from_is_not_played_again() -> None:
    rig = game_rig(RUBBER)
    seat_stateful(rig, "")
    first = rig.core.state.board
    assert first is not None
    for _ in SEATS:
        rig.send_line(first.state.in_play.turn or NORTH, "BID PASS")
    assert [ended.board for ended in rig.of_kind(BoardEnded)] == [first.board.number]
    left = len(rig.core.state.queue)
    assert rig.order(VoidBoard(first.board, "the wrong cards", "Ada")).startswith("only the board in play can be")
    assert (rig.of_kind(BoardVoided), len(rig.core.state.queue)) == ([], left)


@pytest.mark.clause("SS-28")
def test_a_chicago_tells_who_is_vulnerable_on_the_next_hand_and_russian_scoring_has_no_score() -> None:
    rig = game_rig(CHICAGO)
    clients = {seat: seed_client(rig, seat) for seat in SEATS}
    play_to_end(rig, clients, Random(1))
    told = [score.split()[3::3] for score in dict.fromkeys(scores_told(rig))]
    assert told[0] == ["0", "0"]
    assert ["1", "0"] in told
    assert ["1", "1"] in told
    rig = game_rig(RUSSIAN)
    play_to_end(rig, {seat: seed_client(rig, seat) for seat in SEATS}, Random(1))
    assert scores_told(rig) == []


# Minibridge


def minibridge_rig(*deals: object, **settings: object) -> TableRig:
    """A table of Minibridge whose first board is about to begin."""
    boards = [Board(n, NORTH, Vulnerability.ALL, deal) for n, deal in enumerate(deals, 1)]  # type: ignore[arg-type]
    rig = game_rig(MINIBRIDGE, boards, **settings)
    seat_stateful(rig, "POINTS,BOARD")
    return rig


@pytest.mark.clause("SS-38")
def test_another_host_goes_on_with_a_board_of_minibridge_from_whatever_is_on_record() -> None:
    boards = (Board(1, NORTH, Vulnerability.NONE, NORTH_DECLARES),)
    one = replace(MINIBRIDGE, length=1)

    def play(made: tuple[CallMade | CardPlayed, ...]) -> TableRig:
        under_way = BoardSnapshot(1, made) if made else None
        rig = game_rig(one, boards, under_way=under_way)
        play_to_end(rig, {seat: forgetful_player(rig, seat, strategy_of("basic", 4)) for seat in SEATS}, Random(1))
        return rig

    whole = play(())
    made = made_at(whole)
    assert len(made) == 58  # six calls, of which five are passes of the table
    for known in (1, 2, 3, 5, 6, 7, 30):
        assert play(made[:known]).of_kind(BoardEnded)[-1].result == whole.of_kind(BoardEnded)[0].result


@pytest.mark.clause("SS-38")
def test_a_client_without_extensions_can_play_minibridge_as_well() -> None:
    rig = game_rig(MINIBRIDGE)
    clients = {seat: seed_client(rig, seat, lambda _: "1NT") for seat in SEATS}
    play_to_end(rig, clients, Random(1))
    assert rig.of_kind(BoardsDecided)
    assert all((client.naks, client.unknown) == ([], []) for client in clients.values())
