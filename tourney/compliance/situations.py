"""Boards on which a wanted situation arises, and how the three others call and play so that it does.

The program under test sits anywhere: hands are given from its own place, as its own, its left-hand opponent's, its
partner's and its right-hand opponent's. The others take no notice of their cards: they call what leads to the
situation, whatever the program calls in between, and play the lowest card that is legal.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import (
    BIDS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    SUITS_DOWN,
    Action,
    Auction,
    Board,
    BoardInPlay,
    Call,
    Card,
    Contract,
    Deal,
    Hand,
    PlayerView,
    Seat,
    Strain,
    Suit,
    parse_call,
)
from tourney.bridge.cards import RANKS
from tourney.compliance.steps import StepKind

VARIANTS: Final = 3
"""Boards that are tried for a situation that depends on what the program calls."""

LONG_ALERT_CHARS: Final = 1500
"""The longest alerts that programs in use send."""


class Place(enum.IntEnum):
    """A seat as the program under test sees it, clockwise from its own."""

    ME = 0
    LHO = 1
    PARTNER = 2
    RHO = 3

    def of(self, seat: Seat) -> Seat:
        """Which seat it is when the program has `seat`."""
        return seat.plus(self.value)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call of one of the others; `text` is what follows it, after the word `word`."""

    call: Call
    word: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Situation:
    """One board and its script. Seats that are not in `planned`, and calls after the planned ones, pass."""

    kind: StepKind
    board: Board
    me: Seat
    planned: Mapping[Seat, tuple[PlannedCall, ...]] = field(default_factory=dict)
    declarer: Seat | None = None
    """Of the others, the one who bids notrump over everything until the program passes."""
    redoubled: bool = False
    """The others double and redouble that notrump whenever they can."""
    lead: Suit | None = None
    """The suit of the opening lead, where another leads."""
    waits: bool = False
    """The program's partner is slow to call."""

    def arose(self, board: BoardInPlay) -> bool:
        """Whether a finished board came to what the step is about."""
        contract = board.contract
        match self.kind:
            case StepKind.PASSED_OUT:
                return contract is None
            case StepKind.DECLARER | StepKind.DUMMY_LEADS:
                return contract is not None and contract.declarer is self.me
            case StepKind.VOIDS:
                return contract is not None
            case StepKind.REDOUBLED:
                return contract is not None and contract.doubled == 2
            case StepKind.DUMMY | StepKind.LEADER | StepKind.THIRD_HAND:
                return contract is not None and contract.declarer is self.declarer
            case _:
                return True

    def choose_call(self, view: PlayerView) -> PlannedCall:
        """The call of one of the others: as planned, else what brings the contract about, else a pass."""
        auction, seat = view.auction, view.seat
        own_calls = sum(view.dealer.plus(i) is seat for i in range(len(auction.calls)))
        planned = self.planned.get(seat, ())
        if own_calls < len(planned) and auction.why_illegal(planned[own_calls].call) is None:
            return planned[own_calls]
        return PlannedCall(self._steer(auction, seat))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """The lowest legal card; the opening lead is of the suit wanted."""
        legal = view.legal_cards(hand)
        if not view.cards and self.lead is not None:
            legal = [card for card in legal if card.suit is self.lead] or legal
        return min(legal, key=lambda card: card.rank)

    def _steer(self, auction: Auction, seat: Seat) -> Call:
        declarer = self.declarer
        if declarer is None:
            return PASS
        bidder, bid = auction.last_bidder, auction.last_bid
        settled = bidder is not None and bid is not None and bidder is declarer and bid.strain is Strain.NOTRUMP
        if seat is declarer and not settled:
            return next((b for b in BIDS if b.strain is Strain.NOTRUMP and auction.why_illegal(b) is None), PASS)
        if self.redoubled and settled:
            wish: Action = REDOUBLE if seat.side is declarer.side else DOUBLE
            if auction.why_illegal(wish) is None:
                return wish
        return PASS


def role_kind(contract: Contract, me: Seat) -> StepKind:
    """The step that stands for the part that a seat has in a contract."""
    if contract.declarer is me:
        return StepKind.DECLARER
    if contract.dummy is me:
        return StepKind.DUMMY
    return StepKind.LEADER if contract.leader is me else StepKind.THIRD_HAND


_WEAK: Final = "8642.753.9642.85"
_OPENING: Final = "AKT64.AJ5.K32.Q7"
_STRONG: Final = "AKQT5.AKJ4.K3.A7"
_GIANT: Final = "AKQ.AKQ.AK5.AQ64"


def make_situation(kind: StepKind, me: Seat, number: int, variant: int = 0) -> Situation:
    """The board of a step for the program at seat `me`.

    Args:
        kind: a step that is a board.
        me: the seat of the program.
        number: the board's place in its session, from 0; the board number follows from it and from the dealer.
        variant: 0..VARIANTS-1, another board for the same situation.
    """
    return _MAKERS[kind](kind, me, number, variant)


def _passed_out(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:
    dealer = (Place.LHO, Place.ME, Place.RHO)[variant]
    return Situation(kind, _board(me, number, dealer, {Place.ME: _WEAK}), me)


def _declarer(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:
    dealer, hand = ((Place.ME, _OPENING), (Place.LHO, _OPENING), (Place.ME, _STRONG))[variant]
    return Situation(kind, _board(me, number, dealer, {Place.ME: hand}), me)


def _own_alerts(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:  # noqa: ARG001 # one for all
    # Most systems open such a hand with a call that says nothing of its suit.
    return Situation(kind, _board(me, number, Place.ME, {Place.ME: _STRONG}), me)


def _dummy_leads(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:
    # Every diamond of dummy's is higher than any other, and declarer cannot trump a diamond: dummy wins trick one.
    dealer, own = ((Place.ME, "AKT64.AQ54.32.A9"), (Place.LHO, "AKT64.AQ54.32.A9"), (Place.ME, "AKT64.AQ5.32.AKQ"))[
        variant
    ]
    hands = {Place.ME: own, Place.PARTNER: "872.K73.AKQJ.T62", Place.LHO: "..T987.", Place.RHO: "..654."}
    return Situation(kind, _board(me, number, dealer, hands), me, lead=Suit.DIAMONDS)


def _others_declare(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:  # noqa: ARG001 # one for all
    place = _DECLARING[kind]
    declarer = place.of(me)
    board = _board(me, number, place, {Place.ME: _WEAK, place: _GIANT})
    opening = PlannedCall(parse_call("3NT"))
    return Situation(
        kind,
        board,
        me,
        planned={declarer: (opening,)},
        declarer=declarer,
        redoubled=kind is StepKind.REDOUBLED,
        waits=kind is StepKind.SLOW,
    )


def _voids(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:
    dealer = (Place.ME, Place.RHO, Place.LHO)[variant]
    return Situation(kind, _board(me, number, dealer, {Place.ME: f"{RANKS[::-1]}..."}), me)


def _alert(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:  # noqa: ARG001 # one for all
    lho, partner, rho = Place.LHO.of(me), Place.PARTNER.of(me), Place.RHO.of(me)
    planned = {
        rho: (
            PlannedCall(parse_call("1C"), "Alert", "16 to 37 total points, Forcing for one round."),
            PlannedCall(DOUBLE, "Alert", "at least 4 cards in spades. Alternatively, at least 18 total points."),
        ),
        lho: (
            PlannedCall(parse_call("1D"), "Infos", "up to 7 total points."),
            PlannedCall(parse_call("1NT"), "Alert", "5 to 7 total points, ace of clubs."),
        ),
        partner: (PlannedCall(parse_call("1H")),),
    }
    board = _board(me, number, Place.RHO, {Place.ME: _WEAK, Place.RHO: _GIANT})
    return Situation(kind, board, me, planned=planned, declarer=lho)


def _long_alert(kind: StepKind, me: Seat, number: int, variant: int) -> Situation:  # noqa: ARG001 # one for all
    rho = Place.RHO.of(me)
    planned = {rho: (PlannedCall(parse_call("1C"), "Alert", long_alert_text()),)}
    board = _board(me, number, Place.RHO, {Place.ME: _WEAK, Place.RHO: _GIANT})
    return Situation(kind, board, me, planned=planned, declarer=rho)


def long_alert_text() -> str:
    """Alert information of at least `LONG_ALERT_CHARS` characters, each element by the grammar of BC-22."""
    meaning = "12 to 14 total points, at least 4 cards in hearts, up to 3 cards in spades, Forcing for one round."
    another = f" Alternatively, {meaning}"
    missing = LONG_ALERT_CHARS - len(meaning)
    return meaning + another * -(-missing // len(another))


_DECLARING: Final = {
    StepKind.DUMMY: Place.PARTNER,
    StepKind.SLOW: Place.PARTNER,
    StepKind.LEADER: Place.RHO,
    StepKind.PACKET: Place.RHO,
    StepKind.REDOUBLED: Place.RHO,
    StepKind.THIRD_HAND: Place.LHO,
    StepKind.RESTART: Place.LHO,
    StepKind.CUT: Place.LHO,
}
_MAKERS: Final[dict[StepKind, Callable[[StepKind, Seat, int, int], Situation]]] = {
    StepKind.PASSED_OUT: _passed_out,
    StepKind.DECLARER: _declarer,
    StepKind.DUMMY_LEADS: _dummy_leads,
    StepKind.VOIDS: _voids,
    StepKind.ALERT: _alert,
    StepKind.LONG_ALERT: _long_alert,
    StepKind.OWN_ALERTS: _own_alerts,
    **dict.fromkeys(_DECLARING, _others_declare),
}


def _board(me: Seat, number: int, dealer: Place, hands: dict[Place, str]) -> Board:
    """A board whose number has the dealer wanted (Laws 2017, Law 2); hands not given get what is left."""
    given = {place: _parse_cards(text) for place, text in hands.items()}
    left = [card for card in DECK if not any(card in cards for cards in given.values())]
    dealt: dict[Seat, Hand] = {}
    for place in Place:
        cards = given.get(place, [])
        if len(cards) < 13:
            # Every second or third card of the rest: hands that look dealt, the same on every machine.
            wanted = 13 - len(cards)
            extra = left[:: max(1, len(left) // wanted)][:wanted]
            left = [card for card in left if card not in extra]
            cards = cards + extra
        dealt[place.of(me)] = Hand.of(cards)
    deal = Deal((dealt[SEATS[0]], dealt[SEATS[1]], dealt[SEATS[2]], dealt[SEATS[3]]))
    return Board.numbered(4 * number + dealer.of(me).value + 1, deal)


def _parse_cards(text: str) -> list[Card]:
    suits = zip(SUITS_DOWN, text.split("."), strict=True)
    return [Card(suit, RANKS.index(rank) + 2) for suit, ranks in suits for rank in ranks]
