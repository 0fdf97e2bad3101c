"""Hypothesis strategies for boards, auctions and whole boards of play; they shrink to short auctions."""

from dataclasses import dataclass

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tourney.bridge import (
    BIDS,
    DECK,
    PASS,
    SEATS,
    Auction,
    Board,
    BoardInPlay,
    Call,
    Card,
    Contract,
    Deal,
    Hand,
    Seat,
    Strain,
    Vulnerability,
)

seats = st.sampled_from(SEATS)
strains = st.sampled_from(Strain)
vulnerabilities = st.sampled_from(Vulnerability)
cards = st.sampled_from(DECK)
bids = st.sampled_from(BIDS)
contracts = st.builds(Contract, level=st.integers(1, 7), strain=strains, doubled=st.integers(0, 2), declarer=seats)

whole_boards = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For tests that play boards out: a busy machine must not fail them."""


def _deal_in_order(deck: list[Card]) -> Deal:
    north, east, south, west = (Hand.of(deck[i : i + 13]) for i in range(0, 52, 13))
    return Deal((north, east, south, west))


deals = st.permutations(DECK).map(_deal_in_order)
boards = st.builds(Board.numbered, st.integers(1, 64), deals)


@st.composite
def auctions(draw: st.DrawFn, *, complete: bool = True) -> Auction:
    """An auction of legal calls; with `complete=False` one that may stop anywhere."""
    auction = Auction(draw(seats))
    while not auction.is_over and (complete or draw(st.integers(0, 7))):
        auction.add(draw(_legal_calls(auction)))
    return auction


@st.composite
def _legal_calls(draw: st.DrawFn, auction: Auction) -> Call:
    """Any legal call, but passes and the next few calls most often: so auctions end at all levels."""
    legal = auction.legal_calls()
    jumps = draw(st.integers(0, 9)) == 9
    return draw(st.sampled_from(legal if jumps else [PASS, PASS, PASS, *legal[:6]]))


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board with the calls and cards it took from the first call to the end."""

    board: Board
    calls: tuple[Call, ...]
    cards: tuple[tuple[Seat, Card], ...]
    """Every card with the hand it came from; empty when the board was passed out."""

    def replay(self) -> BoardInPlay:
        """The board after these calls and cards."""
        in_play = BoardInPlay(self.board)
        for call in self.calls:
            in_play.add_call(call)
        for _, card in self.cards:
            in_play.add_card(card)
        return in_play


@st.composite
def played_boards(draw: st.DrawFn, *, passed_out: bool = True) -> PlayedBoard:
    """A board called and played to the end, legally and at random; with `passed_out=False` one with a contract."""
    in_play = BoardInPlay(draw(boards))
    while in_play.in_auction:
        auction = in_play.auction
        must_bid = not passed_out and auction.last_bid is None and len(auction.calls) == 3
        in_play.add_call(draw(bids if must_bid else _legal_calls(auction)))
    while in_play.play is not None and not in_play.is_over:
        in_play.add_card(draw(st.sampled_from(in_play.play.legal_cards())))
    cards_played = in_play.play.cards if in_play.play is not None else []
    return PlayedBoard(in_play.board, tuple(in_play.auction.calls), tuple(cards_played))
