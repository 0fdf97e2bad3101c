"""Boards for the steps of a check, and the three other players, whose script brings the wanted situation about.

The program under test may have any seat: hands are given relative to it. The others take no notice of their cards:
they make the calls that lead to the situation, whatever the program calls in between, and play the lowest legal card.
"""

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
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
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say

VARIANTS: Final = 3
"""Boards that are tried for a situation that depends on what the program calls."""

LONG_ALERT_CHARS: Final = 1500
"""The length of the longest alerts that existing programs send."""


class RelativeSeat(enum.IntEnum):
    """A seat relative to that of the program under test, clockwise."""

    ME = 0
    LHO = 1
    PARTNER = 2
    RHO = 3

    def of(self, seat: Seat) -> Seat:
        """Return the seat that this is if the program has `seat`."""
        return seat.plus(self.value)


@dataclass(frozen=True, slots=True)
class ScenarioCall:
    """A call of one of the other players; `word`, such as `Alert`, and `text` follow it."""

    call: Call
    word: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One board and its script. Seats that are not in `planned` pass, as do the others after their planned calls."""

    kind: StepKind
    board: Board
    me: Seat
    planned: Mapping[Seat, tuple[ScenarioCall, ...]] = field(default_factory=dict)
    declarer: Seat | None = None
    """The one of the other players who bids notrump over everything until the program passes."""
    redoubled: bool = False
    """Whether the others double and redouble that notrump contract whenever they can."""
    lead: Suit | None = None
    """The suit of the opening lead, if one of the others leads."""
    slow_partner: bool = False
    """Whether the program's partner is slow to call."""

    def arose(self, board: BoardInPlay) -> bool:
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

    def choose_call(self, view: PlayerView) -> ScenarioCall:
        """Choose the call of one of the others: as planned, or towards the contract, or a pass."""
        auction, seat = view.auction, view.seat
        own_calls = sum(view.dealer.plus(i) is seat for i in range(len(auction.calls)))
        planned = self.planned.get(seat, ())
        if own_calls < len(planned) and auction.why_illegal(planned[own_calls].call) is None:
            return planned[own_calls]
        return ScenarioCall(self._steer(auction, seat))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Choose the lowest legal card, and for the opening lead one of the wanted suit."""
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


def make_scenario(kind: StepKind, me: Seat, number: int, variant: int = 0) -> Scenario:
    """Make the scenario of a step for the program at seat `me`.

    Args:
        kind: a step that is a board.
        me: the seat of the program.
        number: the index of the board in its session; the board number follows from it and from the dealer.
        variant: 0..VARIANTS-1; selects another board for the same situation.
    """
    return _MAKERS[kind](kind, me, number, variant)


def _passed_out(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:
    dealer = (RelativeSeat.LHO, RelativeSeat.ME, RelativeSeat.RHO)[variant]
    return Scenario(kind, _board(me, number, dealer, {RelativeSeat.ME: _WEAK}), me)


def _declarer(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:
    dealer, hand = ((RelativeSeat.ME, _OPENING), (RelativeSeat.LHO, _OPENING), (RelativeSeat.ME, _STRONG))[variant]
    return Scenario(kind, _board(me, number, dealer, {RelativeSeat.ME: hand}), me)


def _own_alerts(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:  # noqa: ARG001 # one for all
    # Most systems open such a hand with an artificial call.
    return Scenario(kind, _board(me, number, RelativeSeat.ME, {RelativeSeat.ME: _STRONG}), me)


def _dummy_leads(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:
    # Dummy's diamonds are higher than all others, and declarer cannot ruff a diamond: dummy wins the first trick.
    dealer, own = (
        (RelativeSeat.ME, "AKT64.AQ54.32.A9"),
        (RelativeSeat.LHO, "AKT64.AQ54.32.A9"),
        (RelativeSeat.ME, "AKT64.AQ5.32.AKQ"),
    )[variant]
    hands = {
        RelativeSeat.ME: own,
        RelativeSeat.PARTNER: "872.K73.AKQJ.T62",
        RelativeSeat.LHO: "..T987.",
        RelativeSeat.RHO: "..654.",
    }
    return Scenario(kind, _board(me, number, dealer, hands), me, lead=Suit.DIAMONDS)


def _others_declare(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:  # noqa: ARG001 # one for all
    place = _DECLARING[kind]
    declarer = place.of(me)
    board = _board(me, number, place, {RelativeSeat.ME: _WEAK, place: _GIANT})
    opening = ScenarioCall(parse_call("3NT"))
    return Scenario(
        kind,
        board,
        me,
        planned={declarer: (opening,)},
        declarer=declarer,
        redoubled=kind is StepKind.REDOUBLED,
        slow_partner=kind is StepKind.SLOW,
    )


def _voids(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:
    dealer = (RelativeSeat.ME, RelativeSeat.RHO, RelativeSeat.LHO)[variant]
    return Scenario(kind, _board(me, number, dealer, {RelativeSeat.ME: f"{RANKS[::-1]}..."}), me)


def _alert(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:  # noqa: ARG001 # one for all
    lho, partner, rho = RelativeSeat.LHO.of(me), RelativeSeat.PARTNER.of(me), RelativeSeat.RHO.of(me)
    planned = {
        rho: (
            ScenarioCall(parse_call("1C"), "Alert", "16 to 37 total points, Forcing for one round."),
            ScenarioCall(DOUBLE, "Alert", "at least 4 cards in spades. Alternatively, at least 18 total points."),
        ),
        lho: (
            ScenarioCall(parse_call("1D"), "Infos", "up to 7 total points."),
            ScenarioCall(parse_call("1NT"), "Alert", "5 to 7 total points, ace of clubs."),
        ),
        partner: (ScenarioCall(parse_call("1H")),),
    }
    board = _board(me, number, RelativeSeat.RHO, {RelativeSeat.ME: _WEAK, RelativeSeat.RHO: _GIANT})
    return Scenario(kind, board, me, planned=planned, declarer=lho)


def _long_alert(kind: StepKind, me: Seat, number: int, variant: int) -> Scenario:  # noqa: ARG001 # one for all
    rho = RelativeSeat.RHO.of(me)
    planned = {rho: (ScenarioCall(parse_call("1C"), "Alert", long_alert_text()),)}
    board = _board(me, number, RelativeSeat.RHO, {RelativeSeat.ME: _WEAK, RelativeSeat.RHO: _GIANT})
    return Scenario(kind, board, me, planned=planned, declarer=rho)


def long_alert_text() -> str:
    """Make an alert text of at least `LONG_ALERT_CHARS` characters, each element in the grammar of BC-22."""
    meaning = "12 to 14 total points, at least 4 cards in hearts, up to 3 cards in spades, Forcing for one round."
    another = f" Alternatively, {meaning}"
    missing = LONG_ALERT_CHARS - len(meaning)
    return meaning + another * -(-missing // len(another))


_DECLARING: Final = {
    StepKind.DUMMY: RelativeSeat.PARTNER,
    StepKind.SLOW: RelativeSeat.PARTNER,
    StepKind.LEADER: RelativeSeat.RHO,
    StepKind.PACKET: RelativeSeat.RHO,
    StepKind.REDOUBLED: RelativeSeat.RHO,
    StepKind.THIRD_HAND: RelativeSeat.LHO,
    StepKind.RESTART: RelativeSeat.LHO,
    StepKind.CUT: RelativeSeat.LHO,
}
_MAKERS: Final[dict[StepKind, Callable[[StepKind, Seat, int, int], Scenario]]] = {
    StepKind.PASSED_OUT: _passed_out,
    StepKind.DECLARER: _declarer,
    StepKind.DUMMY_LEADS: _dummy_leads,
    StepKind.VOIDS: _voids,
    StepKind.ALERT: _alert,
    StepKind.LONG_ALERT: _long_alert,
    StepKind.OWN_ALERTS: _own_alerts,
    **dict.fromkeys(_DECLARING, _others_declare),
}


def _board(me: Seat, number: int, dealer: RelativeSeat, hands: dict[RelativeSeat, str]) -> Board:
    """Make a board whose number has the wanted dealer (Laws 2017, Law 2); hands not given get the cards left over."""
    given = {place: _parse_cards(text) for place, text in hands.items()}
    left = [card for card in DECK if not any(card in cards for cards in given.values())]
    dealt: dict[Seat, Hand] = {}
    for place in RelativeSeat:
        cards = given.get(place, [])
        if len(cards) < 13:
            # Every second or third of the remaining cards: hands that look dealt, and are the same on every machine.
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


# The other players

Hold = Callable[[Scenario, AskCall | AskCard, Callable[[], None]], bool]
"""Called before one of the others calls or plays: True if it is to wait; the last argument calls or plays."""


class ScenarioPlayer:
    """One of the other players: it follows the scenario of each board, and speaks the protocol in memory."""

    def __init__(
        self,
        *,
        connection: int,
        seat: Seat,
        team: str,
        scenarios: Mapping[int, Scenario],
        say: Callable[[int, str], None],
        hold: Hold,
    ) -> None:
        """Prepare a player.

        Args:
            connection: its connection number at the table.
            seat: its seat.
            team: the name it logs on with.
            scenarios: what it does on a board, by board number.
            say: receives its lines, with its connection number.
            hold: may delay its calls and cards.
        """
        self.connection = connection
        self.seat = seat
        self._scenarios = scenarios
        self._say = say
        self._hold = hold
        self._core = PlayerCore(seat, team)

    def log_on(self) -> None:
        self._carry_out(self._core.start())

    def receive_line(self, line: str) -> None:
        self._carry_out(self._core.receive_line(line.encode()))

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    self._say(self.connection, effect.line)
                case AskCall():
                    self._decide(effect, partial(self._call, effect))
                case AskCard():
                    self._decide(effect, partial(self._play, effect))
                case Leave():
                    pass

    def _decide(self, ask: AskCall | AskCard, answer: Callable[[], None]) -> None:
        if not self._hold(self._scenarios[ask.view.number], ask, answer):
            answer()

    def _call(self, ask: AskCall) -> None:
        planned = self._scenarios[ask.view.number].choose_call(ask.view)
        effects = self._core.make_call(planned.call)
        if effects and planned.word:
            line, *rest = effects
            assert isinstance(line, Say)
            effects = [Say(f"{line.line} {planned.word}. {planned.text}"), *rest]
        self._carry_out(effects)

    def _play(self, ask: AskCard) -> None:
        card = self._scenarios[ask.view.number].choose_card(ask.view, ask.hand)
        self._carry_out(self._core.make_card(ask.hand, card))
