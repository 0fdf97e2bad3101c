"""Minibridge at random: four players of ours come to the end of every board, and nothing illegal is taken."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.strategies import deals, seats
from tourney.bots import Strategy
from tourney.bots.basic import BasicStrategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import DECK, PASS, SEATS, Board, BoardInPlay, Call, Deal, PlayerView, Seat, Side, Vulnerability
from tourney.bridge.minibridge import MinibridgeChoice, MinibridgeContract, nearest_contract
from tourney.scoring.ledger import GameState, PlayedDeal
from tourney.scoring.minibridge import Minibridge


def play_minibridge(board: Board, strategies: Sequence[Strategy]) -> BoardInPlay:
    """Play a board with strategies indexed by seat, each of which sees its own view; a redeal is passed out."""
    choice, in_play = MinibridgeChoice(board), BoardInPlay(board)
    views = [PlayerView(seat, board.number, board.dealer, Vulnerability.NONE, board.deal[seat]) for seat in SEATS]
    if choice.dummy is not None:
        for view in views:
            view.show_dummy(board.deal[choice.dummy])

    def make(call: Call) -> None:
        in_play.add_call(call)
        for view in views:
            view.add_call(call)

    while in_play.in_auction:
        if choice.passes(in_play.auction):
            make(PASS)
            continue
        assert choice.declarer is not None
        view = views[choice.declarer]
        assert view.chooses_contract
        call = strategies[choice.declarer].choose_call(view).call
        assert choice.why_illegal(call) is None
        make(call)
    while not in_play.is_over:
        assert in_play.actor is not None
        assert in_play.turn is not None
        card = strategies[in_play.actor].choose_card(views[in_play.actor], in_play.turn)
        in_play.add_card(card)
        for view in views:
            view.add_card(card)
    return in_play


HONOURS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def slow_points(deal: Deal, seat: Seat) -> int:
    return sum(HONOURS.get(card.pbn[1], 0) for card in DECK if card in deal[seat])


def slow_declarer(deal: Deal, dealer: Seat) -> Seat | None:
    """Who declares, by the words of the rules; None if both sides have 20."""
    order = [dealer, dealer.next, dealer.next.next, dealer.next.next.next]
    held = {side: sum(slow_points(deal, seat) for seat in SEATS if seat.side is side) for side in Side}
    if held[Side.NS] == held[Side.EW]:
        return None
    side = Side.NS if held[Side.NS] > held[Side.EW] else Side.EW
    first, second = [seat for seat in order if seat.side is side]
    return second if slow_points(deal, second) > slow_points(deal, first) else first


def slow_score(contract: MinibridgeContract, tricks: int) -> int:
    """What declarer's side scores."""
    strain = contract.strain.letters
    needed = {"C": 11, "D": 11, "H": 10, "S": 10, "NT": 9}[strain] if contract.is_game else 7
    if tricks < needed:
        return -50 * (needed - tricks)
    each = 20 if strain in ("C", "D") else 30
    return each * (tricks - 6) + (10 if strain == "NT" else 0) + (300 if contract.is_game else 50)


@given(deal=deals, dealer=seats, seed=st.integers(0, 99), plays_well=st.booleans())
@examples(30)
def test_a_board_is_played_to_its_end_by_what_each_player_sees(
    deal: Deal, dealer: Seat, seed: int, plays_well: bool
) -> None:
    strategy = BasicStrategy(seed) if plays_well else RandomStrategy(seed)
    board = Board(1, dealer, Vulnerability.NONE, deal)
    game, choice = play_minibridge(board, [strategy] * 4), MinibridgeChoice(board)
    declarer = slow_declarer(deal, dealer)
    assert choice.announcements == [
        (seat, slow_points(deal, seat)) for seat in (dealer, dealer.next, dealer.next.next, dealer.next.next.next)
    ]
    assert choice.declarer is declarer
    assert game.result is not None
    if declarer is None:
        assert game.result.contract is None
        return
    assert game.contract is not None
    assert game.contract.declarer is declarer
    assert game.play is not None
    assert sorted((card for _, card in game.play.cards), key=DECK.index) == list(DECK)
    contract, tricks = nearest_contract(game.contract), game.result.tricks
    entry = Minibridge().play(GameState(), PlayedDeal(contract=contract, tricks=tricks))
    totals = entry.after.totals
    assert totals[declarer.side] - totals[declarer.side.other] == slow_score(contract, tricks)
    assert game.result.score == totals.ns - totals.ew, "the score of duplicate bridge is that of Minibridge"
