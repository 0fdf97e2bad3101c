"""What a player has been told about its game: what each message of the server said last, and what follows from it.

A view never changes: `after` returns the next one. The server keeps the state, so a view that begins empty is whole
again as soon as the server has sent the state (SS-30).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import BIDS, SEATS, Auction, Call, Card, Contract, Hand, Seat, Side, Trick
from tourney.bridge.minibridge import LOWEST_GAMES
from tourney.errors import RuleError
from tourney.protocol.stateful.messages import (
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BoardMessage,
    ClaimedMessage,
    ClaimMessage,
    DeclarerMessage,
    DummyMessage,
    HandMessage,
    JoinedMessage,
    LeftMessage,
    MayMessage,
    PointsMessage,
    ResultMessage,
    ScoreMessage,
    StatefulMessage,
    StateMessage,
    TrickMessage,
    TricksWonMessage,
    UndoMessage,
    UndoneMessage,
)

TRICKS: Final = 13

NOTHING: Final = MayMessage(claim=False, undo=False, chat=False, calls=())


@dataclass(frozen=True, slots=True, kw_only=True)
class GameView:
    """One player's view of its game. Everything is empty until the server tells it."""

    game: str = ""
    seat: Seat | None = None
    """The player's own."""
    names: Mapping[Seat, str] = field(default_factory=dict)
    board: BoardMessage | None = None
    points: Mapping[Seat, int] = field(default_factory=dict)
    """High-card points announced, at Minibridge."""
    hand: tuple[Card, ...] = ()
    """The cards that the player held when it was last told, those of the trick in progress included."""
    calls: tuple[Call, ...] = ()
    first_caller: Seat | None = None
    alerts: Mapping[int, str] = field(default_factory=dict)
    """Explanations by the number of the call, from 1: those of the opponents, and the player's own."""
    turn: Seat | None = None
    """The hand that is to call or play; None if no call or card is accepted."""
    closed: AuccloseMessage | None = None
    """The contract, once the auction has ended."""
    announced_declarer: Seat | None = None
    dummy_hand: tuple[Card, ...] | None = None
    """Dummy's cards when they were last told; None before they lie open."""
    trick: Trick | None = None
    """The trick in progress; a complete one until the next begins."""
    last_trick: Trick | None = None
    """The last complete trick."""
    winners: tuple[Seat, ...] = ()
    result: ResultMessage | None = None
    """The result of the last board that has ended."""
    result_board: int = 0
    """The number of that board; 0 where the server does not tell."""
    score: ScoreMessage | None = None
    claim: ClaimMessage | None = None
    """A claim that waits for its answers."""
    undo: UndoMessage | None = None
    """A wish to take a call or card back that waits for its answers."""
    may: MayMessage = NOTHING
    """What the player may ask for, as the server has said last."""

    # What follows from it

    @property
    def dealer(self) -> Seat | None:
        return self.board.dealer if self.board is not None else self.first_caller

    @property
    def auction(self) -> Auction | None:
        """The auction; None if it is not known who dealt, or the calls are none of bridge."""
        if self.dealer is None:
            return None
        auction = Auction(self.dealer)
        try:
            for call in self.calls:
                auction.add(call)
        except RuleError:
            return None
        return auction

    @property
    def is_minibridge(self) -> bool:
        """Whether points are announced, and dummy lies open before there is a contract."""
        return bool(self.points) or (self.dummy_hand is not None and self.closed is None)

    @property
    def declarer(self) -> Seat | None:
        """Declarer, once the auction has ended with a contract; at Minibridge the player that is to choose one."""
        if self.closed is None and self.is_minibridge:
            return self.turn
        if self.announced_declarer is not None or self.closed is None or self.closed.strain is None:
            return self.announced_declarer
        auction = self.auction
        contract = auction.contract if auction is not None else None
        return contract.declarer if contract is not None else None

    @property
    def dummy(self) -> Seat | None:
        return self.declarer.partner if self.declarer is not None else None

    @property
    def asked(self) -> ClaimMessage | UndoMessage | None:
        """What the player is to accept or reject; None if it is nothing."""
        seat, claim, undo = self.seat, self.claim, self.undo
        if seat is None:
            return None
        if claim is not None and claim.position is not None and self.declarer is not None:
            is_defended = claim.position is self.declarer and seat.side is not self.declarer.side
            return claim if is_defended or (claim.position is not self.declarer and seat is self.declarer) else None
        if undo is not None and undo.position is not None and undo.position.side is not seat.side:
            return undo
        return None

    @property
    def contract(self) -> Contract | None:
        """The contract; None before it is known, and for a board that was passed out."""
        closed = self.closed
        if closed is None or closed.strain is None or self.declarer is None:
            return None
        return Contract(closed.level, closed.strain, closed.doubled, self.declarer)

    @property
    def is_passed_out(self) -> bool:
        return self.closed is not None and self.closed.strain is None

    @property
    def is_over(self) -> bool:
        """Whether the board has ended."""
        return self.is_passed_out or len(self.winners) == TRICKS

    @property
    def is_dealt(self) -> bool:
        """Whether there is a board, which may have ended."""
        return bool(self.hand or self.calls or self.winners)

    @property
    def is_dummy(self) -> bool:
        return self.seat is not None and self.seat is self.dummy

    @property
    def actor(self) -> Seat | None:
        """The player that is to act: declarer in dummy's turn."""
        if self.turn is None or self.is_over:
            return None
        return self.declarer if self.closed is not None and self.turn is self.dummy else self.turn

    @property
    def is_my_turn(self) -> bool:
        return self.seat is not None and self.actor is self.seat

    def held(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards that a hand holds now, highest first; none if the hand is hidden."""
        if seat is self.seat:
            cards = self.hand
        elif seat is self.dummy and self.dummy_hand is not None:
            cards = self.dummy_hand
        else:
            return ()
        played = self.trick.cards if self.trick is not None else ()
        return tuple(card for card in Hand.of(cards).cards if card not in played)

    def tricks_won(self, side: Side) -> int:
        return sum(winner.side is side for winner in self.winners)

    def caller(self, number: int) -> Seat | None:
        """Return who made a call, by its number from 1."""
        return self.dealer.plus(number - 1) if self.dealer is not None else None

    # What may be done

    def legal_calls(self) -> list[Call]:
        """Return the calls that the player may make now, the bids last; none if it is not to call."""
        if not self.is_my_turn or self.closed is not None:
            return []
        if self.is_minibridge:
            return list[Call](bid for bid in BIDS if bid.level in (1, LOWEST_GAMES[bid.strain]))
        auction = self.auction
        return auction.legal_calls() if auction is not None else []

    def legal_cards(self) -> list[Card]:
        """Return the cards that the player may play now, from its own hand or dummy's, highest first."""
        if not self.is_my_turn or self.turn is None or self.closed is None:
            return []
        held = self.held(self.turn)
        led = self.trick.suit_led if self.trick is not None and not self.trick.is_complete else None
        return [card for card in held if card.suit is led] or list(held)

    # What the server says

    def after(self, message: StatefulMessage) -> "GameView":  # noqa: PLR0912 # one case a message
        """Return the view after a message of the server; the same if it is not about the game."""
        match message:
            case JoinedMessage():
                return self._joined(message)
            case LeftMessage(name=None):
                return replace(self._between_boards(), game="", seat=None, names={})
            case LeftMessage():
                return replace(
                    self, names={seat: name for seat, name in self.names.items() if seat is not message.position}
                )
            case BoardMessage():
                return replace(self, board=message)
            case PointsMessage():
                return replace(self, points={**self.points, message.position: message.points})
            case HandMessage():
                # A server that seats nobody anew for a board deals the next one so.
                begun = self._between_boards() if self.is_over and message.cards else self
                return replace(begun, hand=message.cards)
            case AucopenMessage():
                return self._auction(message)
            case AlertMessage() if message.number is not None:
                return replace(self, alerts={**self.alerts, message.number: message.text})
            case AuccloseMessage():
                return replace(self, closed=message, turn=None)
            case DeclarerMessage():
                return replace(self, announced_declarer=message.declarer)
            case DummyMessage():
                return replace(self, dummy_hand=message.cards)
            case TrickMessage():
                return self._play(message)
            case TricksWonMessage():
                return replace(self, winners=message.winners)
            case ClaimMessage():
                return replace(self, claim=message)
            case ClaimedMessage():
                return replace(self, claim=None)
            case UndoMessage():
                return replace(self, undo=message)
            case MayMessage():
                return replace(self, may=message)
            case UndoneMessage():
                return replace(self, undo=None)
            case StateMessage():
                return replace(self, last_trick=self._last_trick_of(message.cards))
            case ResultMessage():
                number = self.board.number if self.board is not None else 0
                return replace(self, result=message, result_board=number)
            case ScoreMessage():
                return replace(self, score=message)
            case _:
                return self

    def with_own_alert(self, text: str) -> "GameView":
        """Return the view with the explanation of the call that the player is about to make."""
        return replace(self, alerts={**self.alerts, len(self.calls) + 1: text})

    def _between_boards(self) -> "GameView":
        """Return what stays when a board is over, or is told anew."""
        return GameView(
            game=self.game,
            seat=self.seat,
            names=self.names,
            result=self.result,
            result_board=self.result_board,
            score=self.score,
            may=replace(self.may, claim=False, undo=False, calls=()),
        )

    def _joined(self, message: JoinedMessage) -> "GameView":
        if message.name is not None:
            # At an event it is the name of the team, and the position, which is shown anyway.
            name = message.name.removesuffix(f" {message.position.letter}")
            return replace(self, names={**self.names, message.position: name})
        # All that follows is told anew, for another board or for this.
        kept = replace(self._between_boards(), game=message.game, seat=message.position)
        return kept if message.game == self.game else replace(kept, names={}, score=None)

    def _auction(self, message: AucopenMessage) -> "GameView":
        calls = message.calls
        first = message.turn.plus(-len(calls)) if message.turn is not None else self.first_caller
        alerts = {number: text for number, text in self.alerts.items() if number <= len(calls) + 1}
        return replace(self, calls=calls, turn=message.turn, first_caller=first, alerts=alerts)

    def _play(self, message: TrickMessage) -> "GameView":
        cards = message.cards
        before = self.trick
        if message.turn is not None:
            trick = Trick(message.turn.plus(-len(cards)), cards)
            ended = before if before is not None and before.is_complete and not cards else self.last_trick
            return replace(self, turn=message.turn, trick=trick, last_trick=ended)
        leader = self._leader_of(cards)
        if leader is None:
            return replace(self, turn=None)
        trick = Trick(leader, cards)
        return replace(self, turn=None, trick=trick, last_trick=trick if trick.is_complete else self.last_trick)

    def _last_trick_of(self, cards: tuple[Card, ...]) -> Trick | None:
        """Return the last complete trick of all cards played; the winners of the tricks have been told before."""
        contract, tricks = self.contract, len(cards) // 4
        if contract is None or not 0 < tricks <= len(self.winners):
            return None
        leader = self.winners[tricks - 2] if tricks > 1 else contract.leader
        return Trick(leader, cards[4 * tricks - 4 : 4 * tricks])

    def _leader_of(self, cards: tuple[Card, ...]) -> Seat | None:
        """Return who led cards that came without a position: the trick that was in progress, or the last one."""
        before, contract = self.trick, self.contract
        if before is not None and before.cards and cards[: len(before.cards)] == before.cards:
            return before.leader
        if contract is None:
            return None
        if len(cards) == 4 and self.winners:
            place = Trick(SEATS[0], cards).winner(contract.strain.trumps)
            return self.winners[-1].plus(-place)
        return self.winners[-1] if self.winners else contract.leader
