"""What may be said to clients of the stateful-server protocol, and what their programs say when they go wrong.

All tables of an event share one port there. A client learns from `JOINED` at which it sits; whatever it hears about a
board from then on has to be so in one of the attempts at a board of that table:

- calls and cards are on record, in their order;
- cards that it holds are of the hand that its seat was dealt, dummy's are dummy's, once a card is on record;
- an alert is told to opponents only, with the text that is on record;
- a claim shows cards of the claimant's.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tests.sim.record import Attempt, GrowingRecord
from tests.sim.store import MemoryStore
from tourney.bridge import BoardInPlay, Call, Card, Seat
from tourney.errors import TourneyError
from tourney.protocol.stateful.messages import (
    AlertMessage,
    AucopenMessage,
    ClaimMessage,
    DummyMessage,
    HandMessage,
    JoinedMessage,
    KnownBoard,
    LeftMessage,
    StatefulMessage,
    TrickMessage,
    parse_server_message,
)

PORT = 1999
"""The port of the event for this protocol, outside those of the tables."""

_GAME = re.compile(r"(?:g|match)(\d+)(?:s(\d+))?(open|closed)?")
"""`match001open` at an event, `g1` in a lobby."""

_TABLE = (
    "SELECT t.id FROM tables t JOIN matches m ON m.id = t.match_id "
    "WHERE m.number = ? AND t.segment = ? AND t.room = ?"
)
_HELLO = re.compile(rb"(?:\A|\n)HELLO ([^\r\n]+)\r?\n")


@dataclass(slots=True)
class StatefulClient:
    """A connection to the port of the event: where its player sits."""

    seat: Seat | None = None
    game: str = ""
    name: bytes = b""
    """As it has said it; empty until it has."""
    said: bytes = b""
    """What it said before."""


class StatefulWitness:
    """Holds what clients are told against the record."""

    def __init__(self, store: MemoryStore, record: GrowingRecord) -> None:
        self._store = store
        self._record = record
        self._clients: dict[int, StatefulClient] = {}
        self._hands: dict[tuple[bytes, str, int], dict[Seat, frozenset[Card]]] = {}
        """The hands that a name has been told as its own, by game and board."""

    def note_said(self, connection: int, data: bytes) -> None:
        """Take in what a client says: its name."""
        client = self._client(connection)
        if not client.name:
            client.said += data
            hello = _HELLO.search(client.said)
            client.name = hello[1] if hello is not None else b""

    def _client(self, connection: int) -> StatefulClient:
        return self._clients.setdefault(connection, StatefulClient())

    def check(self, connection: int, line: str) -> str | None:
        """Return what is wrong with a line to a client; None for nothing."""
        client = self._client(connection)
        try:
            message = parse_server_message(line.encode())
        except TourneyError as error:
            return f"it is none of the protocol: {error}"
        if isinstance(message, JoinedMessage) and message.name is None:
            client.seat, client.game = message.position, message.game
            return None
        if isinstance(message, LeftMessage) and message.name is None:
            client.seat = None
            return None
        if not isinstance(message, _OF_BOARDS):
            return None
        if client.seat is None:
            return "it sits at no table"
        seat = client.seat
        table = self._table_of(client.game)
        attempts = [attempt for key, attempt in self._record.attempts.items() if key[0] == table]
        if not any(_is_so(message, seat, attempt) for attempt in attempts):
            return "that is on record of no board of its table"
        if isinstance(message, KnownBoard) and not client.game.startswith("match"):
            hands = self._hands.setdefault((client.name, client.game, message.number), {})
            hands[seat] = frozenset(message.hand)
            for other, hand in hands.items():
                if other is not seat and any(hand == set(at.in_play.board.deal[other].cards) for at in attempts):
                    return f"it has seen the hand of {other.title} on that board (SS-47)"
        return None

    def _table_of(self, game: str) -> int:
        found = _GAME.fullmatch(game)
        assert found is not None, game
        # Asked each time: the number of a game in which nobody has called is given to another later on.
        ((id_,),) = self._store.query(_TABLE, int(found[1]), int(found[2] or 1), found[3] or "open")
        assert isinstance(id_, int)
        return id_


_OF_BOARDS = (HandMessage, AucopenMessage, AlertMessage, KnownBoard, TrickMessage, DummyMessage, ClaimMessage)


def _is_so(message: StatefulMessage, seat: Seat, attempt: Attempt) -> bool:
    """Whether a message tells what a player may know of a board."""
    in_play = attempt.in_play
    deal, contract = in_play.board.deal, in_play.contract
    match message:
        case HandMessage():
            return set(message.cards) <= set(deal[seat].cards)
        case AucopenMessage():
            return _begins_with(in_play, message.calls)
        case AlertMessage():
            place = (message.number or 0) - 1
            is_there = 0 <= place < len(attempt.actions)
            return (
                is_there
                and message.position.side is not seat.side
                and attempt.actions[place].actor is message.position
                and attempt.actions[place].alert == message.text
            )
        case KnownBoard():
            return (
                message.position is seat
                and message.number == in_play.board.number
                and set(message.hand) == set(deal[seat].cards)
                and _begins_with(in_play, message.calls)
                and _cards(in_play)[: len(message.cards)] == list(message.cards)
                and (not message.dummy or _is_dummy(in_play, message.dummy))
            )
        case TrickMessage():
            played, told = _cards(in_play), list(message.cards)
            return any(played[start : start + len(told)] == told for start in range(0, len(played) + 1, 4))
        case ClaimMessage():
            return message.position is not None and set(message.cards or ()) <= set(deal[message.position].cards)
        case DummyMessage():
            return contract is not None and _is_dummy(in_play, message.cards)
        case _:
            raise AssertionError(message)


def _begins_with(in_play: BoardInPlay, calls: Iterable[Call]) -> bool:
    told = list(calls)
    return in_play.auction.calls[: len(told)] == told


def _is_dummy(in_play: BoardInPlay, cards: Iterable[Card]) -> bool:
    contract = in_play.contract
    return (
        contract is not None and in_play.dummy_is_open and set(cards) <= set(in_play.board.deal[contract.dummy].cards)
    )


def _cards(in_play: BoardInPlay) -> list[Card]:
    return [card for _, card in in_play.play.cards] if in_play.play is not None else []
