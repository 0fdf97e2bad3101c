"""Boards for the steps of a check, and the three other players, whose script brings the wanted situation about.

The program under test may have any seat: hands are given relative to it. The others take no notice of their cards:
they make the calls that lead to the situation, whatever the program calls in between, and play the lowest legal card.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tourney.bridge import (
    BIDS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Action,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Deal,
    Hand,
    OpenBoard,
    PlayerView,
    Seat,
    Strain,
    Suit,
    parse_call,
)
from tourney.bridge.cards import RANKS
from tourney.bridge.deal import parse_hand
from tourney.compliance.findings import StepKind
from tourney.protocol.session.intents import CallIntent

VARIANTS: Final = 3
"""Boards that are tried for a situation that depends on what the program calls."""

LONG_ALERT_CHARS: Final = 1500
"""The length of the longest alerts that existing programs send."""


class Scenario(NamedTuple):
    """One board for a step, and its script. Seats without planned calls pass, as do the others after theirs."""

    kind: StepKind
    """A step that is a board."""
    me: Seat
    """The seat of the program."""
    variant: int = 0
    """0..VARIANTS-1; selects another board for the same situation, where there is another."""

    @property
    def _script(self) -> "_Script":
        return _SCRIPTS[self.kind]

    @property
    def declarer(self) -> Seat | None:
        """The one of the other players who bids notrump over everything until the program passes."""
        place = self._script.declarer
        return self.me.plus(place) if place is not None else None

    def board(self, number: int) -> Board:
        """Make the board; its number has the wanted dealer (Laws 2017, Law 2).

        Args:
            number: the index of the board in its session; the board number follows from it and from the dealer.
        """
        script = self._script
        place, own = script.variants[self.variant % len(script.variants)]
        deal = _deal(self.me, {_ME: own, **script.others})
        return Board.numbered(4 * number + self.me.plus(place).value + 1, deal)

    def arose(self, board: OpenBoard) -> bool:
        """Tell whether a finished board came to what the step is about."""
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

    def next_variant(self, board: OpenBoard) -> "Scenario | None":
        """Return another board for the situation, if it did not arise on this one."""
        if self.variant + 1 == VARIANTS or self.arose(board):
            return None
        return self._replace(variant=self.variant + 1)

    def choose_call(self, view: PlayerView) -> CallIntent:
        """Choose the call of one of the others: as planned, or towards the contract, or a pass."""
        auction, seat = view.auction, view.seat
        own_calls = sum(view.dealer.plus(i) is seat for i in range(len(auction.calls)))
        planned = self._script.planned.get((seat - self.me) % 4, ())
        if own_calls < len(planned) and auction.why_illegal(planned[own_calls].call) is None:
            return planned[own_calls]
        return CallIntent(None, self._steer(auction, seat))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Choose the lowest legal card, and for the opening lead one of the wanted suit."""
        legal, lead = view.legal_from(hand), self._script.lead
        if not view.cards and lead is not None:
            legal = [card for card in legal if card.suit is lead] or legal
        return min(legal, key=lambda card: card.rank)

    def _steer(self, auction: Auction, seat: Seat) -> Call:
        declarer = self.declarer
        if declarer is None:
            return PASS
        bidder, bid = auction.last_bidder, auction.last_bid
        settled = bidder is not None and bid is not None and bidder is declarer and bid.strain is Strain.NOTRUMP
        if seat is declarer and not settled:
            return next((b for b in BIDS if b.strain is Strain.NOTRUMP and auction.why_illegal(b) is None), PASS)
        if self.kind is StepKind.REDOUBLED and settled:
            # The others double and redouble that contract whenever they can.
            wanted: Action = REDOUBLE if seat.side is declarer.side else DOUBLE
            if auction.why_illegal(wanted) is None:
                return wanted
        return PASS


def role_kind(contract: Contract, me: Seat) -> StepKind:
    """Return the step that tests the role that a seat has in a contract."""
    if contract.declarer is me:
        return StepKind.DECLARER
    if contract.dummy is me:
        return StepKind.DUMMY
    return StepKind.LEADER if contract.leader is me else StepKind.THIRD_HAND


_WEAK: Final = "8642.753.9642.85"
_OPENING: Final = "AKT64.AJ5.K32.Q7"
_STRONG: Final = "AKQT5.AKJ4.K3.A7"
_GIANT: Final = "AKQ.AKQ.AK5.AQ64"


def long_alert_text() -> str:
    """Make an alert text of at least `LONG_ALERT_CHARS` characters, each element in the grammar of BC-22."""
    meaning = "12 to 14 total points, at least 4 cards in hearts, up to 3 cards in spades, Forcing for one round."
    another = f" Alternatively, {meaning}"
    missing = LONG_ALERT_CHARS - len(meaning)
    return meaning + another * -(-missing // len(another))


_ME, _LHO, _PARTNER, _RHO = range(4)
"""Seats relative to that of the program, clockwise."""


class _Script(NamedTuple):
    """The script of a step, by relative seats."""

    variants: tuple[tuple[int, str], ...]
    """The dealer and the program's hand, in as many variants as there are."""
    others: Mapping[int, str] = {}
    """Hands, or parts of them, of the other players."""
    planned: Mapping[int, tuple[CallIntent, ...]] = {}
    declarer: int | None = None
    lead: Suit | None = None
    """The suit of the opening lead, if one of the others leads."""


def _plan(*calls: str) -> tuple[CallIntent, ...]:
    """Return the calls of one of the others, each with what is said of it; one with `!` is alerted."""
    return tuple(
        CallIntent(None, parse_call(call.rstrip("!")), alerted=call.endswith("!"), text=text)
        for call, _, text in (each.partition(" ") for each in calls)
    )


def _declared_by(place: int) -> _Script:
    """Return the script of a board that one of the others declares in notrump."""
    return _Script(((place, _WEAK),), {place: _GIANT}, {place: _plan("3NT")}, declarer=place)


_SCRIPTS: Final = {
    StepKind.PASSED_OUT: _Script(((_LHO, _WEAK), (_ME, _WEAK), (_RHO, _WEAK))),
    StepKind.DECLARER: _Script(((_ME, _OPENING), (_LHO, _OPENING), (_ME, _STRONG))),
    # Dummy's diamonds are higher than all others, and declarer cannot ruff a diamond: dummy wins the first trick.
    StepKind.DUMMY_LEADS: _Script(
        ((_ME, "AKT64.AQ54.32.A9"), (_LHO, "AKT64.AQ54.32.A9"), (_ME, "AKT64.AQ5.32.AKQ")),
        {_PARTNER: "872.K73.AKQJ.T62", _LHO: "..T987.", _RHO: "..654."},
        lead=Suit.DIAMONDS,
    ),
    StepKind.VOIDS: _Script(tuple((dealer, f"{RANKS[::-1]}...") for dealer in (_ME, _RHO, _LHO))),
    # Most systems open such a hand with an artificial call.
    StepKind.OWN_ALERTS: _Script(((_ME, _STRONG),)),
    StepKind.ALERT: _Script(
        ((_RHO, _WEAK),),
        {_RHO: _GIANT},
        {
            _RHO: _plan(
                "1C! 16 to 37 total points, Forcing for one round.",
                "X! at least 4 cards in spades. Alternatively, at least 18 total points.",
            ),
            _LHO: _plan("1D up to 7 total points.", "1NT! 5 to 7 total points, ace of clubs."),
            _PARTNER: _plan("1H"),
        },
        declarer=_LHO,
    ),
    StepKind.LONG_ALERT: _Script(
        ((_RHO, _WEAK),),
        {_RHO: _GIANT},
        {_RHO: _plan(f"1C! {long_alert_text()}")},
        declarer=_RHO,
    ),
    StepKind.DUMMY: _declared_by(_PARTNER),
    StepKind.SLOW: _declared_by(_PARTNER),
    StepKind.LEADER: _declared_by(_RHO),
    StepKind.UNKNOWN: _declared_by(_RHO),
    StepKind.REDOUBLED: _declared_by(_RHO),
    StepKind.THIRD_HAND: _declared_by(_LHO),
    StepKind.RESTART: _declared_by(_LHO),
    StepKind.CUT: _declared_by(_LHO),
}

BOARDS: Final = frozenset(_SCRIPTS)
"""The steps that are a board each."""


def _deal(me: Seat, hands: Mapping[int, str]) -> Deal:
    """Deal to the program at seat `me` and the others; hands not given get the cards left over."""
    given = {place: parse_hand(text, me.plus(place)).cards for place, text in hands.items()}
    left = [card for card in DECK if not any(card in cards for cards in given.values())]
    dealt: dict[Seat, Hand] = {}
    for place in range(4):
        cards = given.get(place, ())
        if len(cards) < 13:
            # Every second or third of the remaining cards: hands that look dealt, and are the same on every machine.
            wanted = 13 - len(cards)
            extra = left[:: max(1, len(left) // wanted)][:wanted]
            left = [card for card in left if card not in extra]
            cards = (*cards, *extra)
        dealt[me.plus(place)] = Hand.of(cards)
    return Deal((dealt[SEATS[0]], dealt[SEATS[1]], dealt[SEATS[2]], dealt[SEATS[3]]))
