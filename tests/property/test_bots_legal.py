"""Bots against any deal and any opponents: legal, deterministic, alerts in the grammar, no forcing call passed."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.bots_table import BoardPlayed, play_auction, play_board
from tests.support.examples import examples
from tourney.bots import Strategy, strategy_of
from tourney.bots.basic import BasicStrategy
from tourney.bots.basic.bidder import read_auction, read_call
from tourney.bots.basic.meaning import CallKind
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import DOUBLE, PASS, PlayerView, board_from_seed
from tourney.protocol.alerts import parse_alert

_numbers = st.integers(min_value=1, max_value=10_000)
_seeds = st.integers(min_value=0, max_value=50)
_players: st.SearchStrategy[Strategy] = st.builds(strategy_of, st.sampled_from(["basic", "random"]), _seeds)


@given(number=_numbers, players=st.lists(_players, min_size=4, max_size=4))
@examples(15)
def test_every_call_and_card_is_legal_beside_any_other_players(number: int, players: list[Strategy]) -> None:
    played = play_board(board_from_seed("legal", "a", number), players)
    assert len(played.cards) in (0, 52)


@given(number=_numbers, players=st.lists(_players, min_size=4, max_size=4))
@examples(15)
def test_every_alert_is_ascii_and_of_the_grammar(number: int, players: list[Strategy]) -> None:
    _, _, played = play_auction(board_from_seed("alerts", "a", number), players)
    for decision in played.decisions:
        if decision.alert:
            assert decision.alert.isascii()
            assert parse_alert(decision.alert).findings == ()


@given(number=_numbers, seed=_seeds)
@examples(15)
def test_artificial_bids_are_alerted_and_answered(number: int, seed: int) -> None:
    basic, wild = BasicStrategy(seed), RandomStrategy(seed)
    tables: list[list[Strategy]] = [[basic] * 4, [basic, wild, basic, wild]]
    for players in tables:
        _, _, played = play_auction(board_from_seed("forcing", "a", number), players)
        check_auction(played, players)


def check_auction(played: BoardPlayed, players: list[Strategy]) -> None:
    board = played.board
    view = PlayerView(board.dealer, board.number, board.dealer, board.vulnerability, board.deal[board.dealer])
    for decision in played.decisions:
        situation = read_auction(view)
        if isinstance(players[view.auction.turn], BasicStrategy):
            says = read_call(situation, decision.call)
            if says.kind in (
                CallKind.STAYMAN,
                CallKind.TRANSFER,
                CallKind.STRONG,
                CallKind.WAITING,
                CallKind.ASK_ACES,
                CallKind.ACES,
                CallKind.TAKEOUT,
            ):
                assert decision.alert
            if decision.call is PASS and situation.is_forced:
                # only a takeout double may be passed, with a stack of trumps
                assert says.kind is CallKind.PENALTY
                assert situation.auction.calls[-2] is DOUBLE
        view.add_call(decision.call)
