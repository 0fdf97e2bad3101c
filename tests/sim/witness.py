"""Whoever sees all that is written to players, and knows what may be: every fault is told in words.

What is asked of a line at the moment at which a host writes it:

- a call or card is on record, in the newest attempt that this host can know of; they are told in their order, none
  twice and none left out but the player's own;
- the partner of who alerts reads no alert;
- a player reads its own hand and no other, dummy's only once a card is on record, and never as dummy.
"""

import re
from dataclasses import dataclass

from tests.sim.network import End, Listening
from tests.sim.record import Attempt, GrowingRecord
from tests.sim.stateful_lines import PORT, StatefulWitness
from tests.sim.store import MemoryStore
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip import server_lines

_SEATED = re.compile(r'(North|East|South|West) \(".*"\) seated')
_RETURN = re.compile(rb"(?:\A|\n)(North|East|South|West) ready for ")
_BOARD = re.compile(r"Board number (\d+)\. ")
_ACTION = re.compile(
    r"(?P<plain>(?:North|East|South|West) (?:passes|doubles|redoubles|bids \w+|plays \w+))(?P<text>.*)"
)
_HAND = re.compile(r"(North|East|South|West|Dummy)'s cards : ")
_SEAT_OF = {seat.title: seat for seat in SEATS}


@dataclass(slots=True)
class _Listener:
    """A connection: who sits there, and how much of which attempt it has been told."""

    seat: Seat | None = None
    returns_to: Seat | None = None
    """The seat that it speaks for without having logged on: its program may have lost it (BC-48)."""
    heard: bytes = b""
    """What it has said before that was known; a line may come in pieces."""
    attempt: Attempt | None = None
    awaits_deal: bool = False
    """It has been told that a board starts, and not yet which."""
    told: int = 0


class Witness:
    """Sees the record and the wire; keeps a transcript of the wire."""

    def __init__(self, store: MemoryStore, record: GrowingRecord) -> None:
        self.transcript: list[str] = []
        self.faults = record.faults
        self.lines = 0
        """Lines that hosts have written."""
        self._store = store
        self._record = record
        self._listeners: dict[int, _Listener] = {}
        self._stateful = StatefulWitness(store, record)
        self._sitting: dict[tuple[tuple[int, int] | None, Seat], _Listener] = {}
        """Who was told something last, by attempt at a table and seat."""

    def heard(self, end: End, data: bytes) -> None:
        self._note(end, "hears", data)
        if end.connection.listening.number == PORT:
            if end.process is not None:
                self._stateful.note_said(end.connection.number, data)
            return
        listener = self._listener(end)
        if end.process is not None and listener.seat is None and listener.returns_to is None:
            listener.heard += data
            claim = _RETURN.search(listener.heard)
            listener.returns_to = _SEAT_OF[claim[1].decode()] if claim is not None else None

    def wrote(self, end: End, data: bytes) -> None:
        self._note(end, "says", data)
        if end.process is None:
            return
        if not data.endswith(b"\r\n") or data.count(b"\n") != 1:
            self.faults.append(f"a write that is not one line: {data!r}")
        self.lines += 1
        if end.connection.listening.number == PORT:
            line = data.decode().rstrip("\r\n")
            self._add_fault(end, line, self._stateful.check(end.connection.number, line))
            return
        if end.connection.listening.table is None:
            self._find_table(end.connection.listening)
        line = data.decode("ascii").rstrip("\r\n")
        listener = self._listener(end)
        self._add_fault(end, line, self._check(end, listener, line))

    def _add_fault(self, end: End, line: str, fault: str | None) -> None:
        if fault is not None:
            self.faults.append(f"connection {end.connection.number} is told {line!r}: {fault}")

    def _listener(self, end: End) -> _Listener:
        return self._listeners.setdefault(end.connection.number, _Listener())

    def _note(self, end: End, verb: str, data: bytes) -> None:
        who = end.process.name if end.process is not None else "player"
        self.transcript.append(f"{end.connection.loop.now_us} {end.connection.number} {who} {verb} {data!r}")

    def _check(self, end: End, listener: _Listener, line: str) -> str | None:
        seated = _SEATED.fullmatch(line)
        if seated is not None:
            listener.seat = _SEAT_OF[seated[1]]
            return None
        if line == server_lines.START_OF_BOARD:
            listener.attempt, listener.told, listener.awaits_deal = None, 0, True
            return None
        board = _BOARD.match(line)
        if board is not None:
            before, listener.awaits_deal = listener.attempt, False
            listener.attempt = self._attempt(end, int(board[1]))
            listener.told = listener.told if listener.attempt is before else 0
            return None if listener.attempt is not None else "the board has not begun on record"
        action, hand = _ACTION.fullmatch(line), _HAND.match(line)
        if action is None and hand is None:
            return None
        if listener.seat is None and listener.returns_to is not None:
            listener.seat, listener.attempt = listener.returns_to, self._attempt(end, None)
            # It goes on where the connection before was left: what that was told need not be told again.
            left = self._sitting.get((end.connection.listening.table, listener.seat))
            if left is not None and left.attempt is listener.attempt:
                listener.told = left.told
        if listener.seat is not None:
            self._sitting[end.connection.listening.table, listener.seat] = listener
        if listener.awaits_deal and listener.attempt is None:
            # A board that another host has taken up: its calls are there before it asks for the deal.
            listener.attempt = self._attempt(end, None)
        if listener.seat is None or listener.attempt is None:
            return "it sits at no board"
        if hand is not None:
            return _check_hand(listener.seat, listener.attempt, hand[1], line)
        assert action is not None
        return self._check_action(listener, listener.seat, listener.attempt, action["plain"], action["text"])

    def _attempt(self, end: End, board: int | None) -> Attempt | None:
        """The attempt that a host means by a board number: it knows no newer one than its own.

        Without a number it is the one in hand.
        """
        place = end.connection.listening.table
        return self._record.newest(place[0], board, place[1]) if place is not None else None

    def _find_table(self, listening: Listening) -> None:
        """Whose port it is, at the first line that is written there: nobody connects before that is on record."""
        found = self._store.query(
            # A table of an earlier round had the same port, whatever its id.
            "SELECT id, attempt FROM tables WHERE host = ? AND ? IN (port_north, port_east, port_south, port_west)"
            " ORDER BY state IN ('open', 'playing'), id",
            listening.process.name,
            listening.number,
        )
        for table, attempt in found:
            assert isinstance(table, int)
            assert isinstance(attempt, int)
            listening.table = (table, attempt)

    @staticmethod
    def _check_action(listener: _Listener, seat: Seat, attempt: Attempt, plain: str, text: str) -> str | None:
        actions, at = attempt.actions, listener.told
        while at < len(actions) and actions[at].line != plain and actions[at].actor is seat:
            at += 1
        if at == len(actions):
            return "it is not on record"
        action = actions[at]
        if action.line != plain:
            return f"{action.line!r} comes before"
        listener.told = at + 1
        may_read = action.actor.side is not seat.side and action.alert
        expected = server_lines.format_alert(action.alert) if may_read and action.alerted else ""
        return None if text == expected else f"with {text!r} in place of {expected!r}"


def _check_hand(seat: Seat, attempt: Attempt, whose: str, line: str) -> str | None:
    in_play = attempt.in_play
    board = in_play.board
    if whose != "Dummy":
        told = server_lines.format_cards(seat, board.deal[seat])
        return None if line == told else f"it holds {told!r}"
    contract = in_play.contract
    if contract is None or not in_play.dummy_is_open:
        return "no lead is on record"
    if seat is contract.dummy:
        return "it is dummy"
    return None if line == server_lines.format_dummy(board.deal[contract.dummy]) else "dummy holds other cards"
