"""What a player has been told about its game: what each message of the server said last, and the board it plays.

A view never changes: `after` returns the next one. The server keeps the state, so a view that begins empty is whole
again as soon as the server has sent the state (SS-30).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import BIDS, Call, Card, Contract, Hand, PlayerView, Seat, Side, Trick
from tourney.bridge.minibridge import LOWEST_GAMES
from tourney.protocol.stateful.messages import (
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BoardMessage,
    ClaimedMessage,
    ClaimMessage,
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
from tourney.protocol.stateful.player import view_of_turn

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
    known: PlayerView | None = None
    """What the player knows of the board; None before it has its cards. It is another with each call and card."""
    alerts: Mapping[int, str] = field(default_factory=dict)
    """Explanations by the number of the call, from 1: those of the opponents, and the player's own."""
    turn: Seat | None = None
    """The hand that is to call or play; None if no call or card is accepted."""
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
    def calls(self) -> tuple[Call, ...]:
        return tuple(self.known.auction.calls) if self.known is not None else ()

    @property
    def in_auction(self) -> bool:
        """Whether there is no contract yet, and the board is not passed out."""
        return self.known is None or self.known.in_auction

    @property
    def contract(self) -> Contract | None:
        """The contract; None before it is known, and for a board that was passed out."""
        return self.known.contract if self.known is not None else None

    @property
    def is_minibridge(self) -> bool:
        """Whether points are announced, and dummy lies open before there is a contract."""
        return bool(self.points) or (self.in_auction and self.dummy_hand is not None)

    @property
    def declarer(self) -> Seat | None:
        """Declarer, once there is a contract; at Minibridge the player that is to choose one."""
        if self.in_auction and self.is_minibridge:
            return self.turn
        return self.contract.declarer if self.contract is not None else None

    @property
    def dummy(self) -> Seat | None:
        return self.declarer.partner if self.declarer is not None else None

    @property
    def dummy_hand(self) -> Hand | None:
        """The cards that dummy was dealt; None before they lie open."""
        return self.known.dummy_hand if self.known is not None else None

    @property
    def trick(self) -> Trick | None:
        """The trick in progress; a complete one until it is known who leads to the next."""
        if self.known is None or self.known.current is None:
            return None
        current, tricks = self.known.current, self.known.tricks
        return current if current.cards or self.turn is not None or not tricks else tricks[-1]

    @property
    def last_trick(self) -> Trick | None:
        """The last complete trick."""
        return self.known.tricks[-1] if self.known is not None and self.known.tricks else None

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
    def is_passed_out(self) -> bool:
        return self.known is not None and self.known.auction.is_passed_out

    @property
    def is_over(self) -> bool:
        """Whether the board has ended."""
        return self.is_passed_out or len(self.winners) == TRICKS

    @property
    def is_dummy(self) -> bool:
        return self.seat is not None and self.seat is self.dummy

    @property
    def actor(self) -> Seat | None:
        """The player that is to act: declarer in dummy's turn."""
        if self.turn is None or self.is_over:
            return None
        return self.declarer if not self.in_auction and self.turn is self.dummy else self.turn

    @property
    def is_my_turn(self) -> bool:
        return self.seat is not None and self.actor is self.seat

    def held(self, seat: Seat) -> tuple[Card, ...]:
        """Return the cards that a hand holds now, highest first; none if the hand is hidden."""
        known = self.known
        if known is None or (seat is not self.seat and (seat is not self.dummy or known.dummy_hand is None)):
            return ()
        return known.dummy_hand.cards if known.dummy_hand and known.in_auction else tuple(known.held(seat))

    def tricks_won(self, side: Side) -> int:
        return sum(winner.side is side for winner in self.winners)

    def caller(self, number: int) -> Seat | None:
        """Return who made a call, by its number from 1."""
        return self.known.dealer.plus(number - 1) if self.known is not None else None

    # What may be done

    def legal_calls(self) -> list[Call]:
        """Return the calls that the player may make now, the bids last; none if it is not to call."""
        if not self.is_my_turn or self.known is None:
            return []
        if self.in_auction and self.is_minibridge:
            return list[Call](bid for bid in BIDS if bid.level in (1, LOWEST_GAMES[bid.strain]))
        return self.known.auction.legal_calls()

    def legal_cards(self) -> list[Card]:
        """Return the cards that the player may play now, from its own hand or dummy's, highest first."""
        if not self.is_my_turn or self.known is None or self.turn is None or self.in_auction:
            return []
        return self.known.legal_from(self.turn)

    # What the server says

    def after(self, message: StatefulMessage) -> "GameView":  # noqa: PLR0912 # one case a message
        """Return the view after a message of the server; the same if it is not about the game.

        Raises:
            RuleError: it has a call that is not legal.
            FormatError: its cards do not fit each other.
        """
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
            case HandMessage() if self.known is None and len(message.cards) == TRICKS:
                return self._dealt(message)
            case AucopenMessage():
                return replace(self._with(lambda known: _add_calls(known, message.calls)), turn=message.turn)
            case AlertMessage() if message.number is not None:
                return replace(self, alerts={**self.alerts, message.number: message.text})
            case AuccloseMessage():
                return replace(self, turn=None)
            case DummyMessage() if self.dummy_hand is None and len(message.cards) == TRICKS:
                return self._with(lambda known: known.show_dummy(Hand.of(message.cards)))
            case TrickMessage():
                return replace(self._with(lambda known: _add_cards(known, message.cards)), turn=message.turn)
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
                return replace(self, known=view_of_turn(message))
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

    def _dealt(self, message: HandMessage) -> "GameView":
        about, seat = self.board, self.seat
        if about is None or seat is None:
            return self
        hand = Hand.of(message.cards)
        return replace(self, known=PlayerView(seat, about.number, about.dealer, about.vulnerability, hand))

    def _with(self, change: Callable[[PlayerView], None]) -> "GameView":
        """Return the view with a change of what the player knows of the board, if it has its cards."""
        if self.known is None:
            return self
        known = self.known.snapshot()
        change(known)
        return replace(self, known=known)


def _add_calls(known: PlayerView, calls: tuple[Call, ...]) -> None:
    for call in calls[len(known.auction.calls) :]:
        known.add_call(call)


def _add_cards(known: PlayerView, cards: tuple[Card, ...]) -> None:
    """Add the cards of a trick that are new; it may be one that was complete before."""
    current, tricks = known.current, known.tricks
    if current is None or known.is_over or (tricks and not current.cards and cards == tricks[-1].cards):
        return
    if cards[: len(current.cards)] == current.cards:
        for card in cards[len(current.cards) :]:
            known.add_card(card)
