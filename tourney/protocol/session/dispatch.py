"""What connections say, taken to where it belongs: the reception, the board in hand, or nowhere."""

from typing import Protocol

from tourney.bridge import Seat
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import (
    CallLine,
    CardLine,
    ClaimAnswer,
    ClaimLine,
    Connecting,
    Courtesy,
    PlayerMessage,
    Ready,
    ReadyFor,
    Unknown,
)
from tourney.protocol.session.adjudication import Judge
from tourney.protocol.session.board.state import BoardSession
from tourney.protocol.session.board.validation import Refusal
from tourney.protocol.session.logon import Reception
from tourney.protocol.session.outbox import Desk, Guest


class Table(Protocol):
    """What the intake may ask of the table, and tell it."""

    @property
    def is_playing(self) -> bool:
        """A board is in hand."""

    @property
    def was_passed_out(self) -> bool:
        """The last board was passed out, and the next has not begun: "ready for deal" may come now (BC-19)."""

    def board_of(self, guest: Guest) -> BoardSession | None:
        """The board that a player takes part in."""

    def take_back(self, guest: Guest, seat: Seat, now_ms: int) -> None:
        """A connection that has not logged on speaks for a seat: the program that left it may be back."""

    def join(self, guest: Guest, seat: Seat, now_ms: int) -> None:
        """A program has said "ready to start"."""

    def note_early_deal(self, seat: Seat) -> None:
        """A player is ready for a deal that has not begun (BC-19)."""


class Intake:
    """Reads the lines of one table's connections. Nothing that is said can do more than end its own connection."""

    def __init__(self, desk: Desk, reception: Reception, judge: Judge, table: Table, bad_lines_max: int) -> None:
        self._desk = desk
        self._reception = reception
        self._judge = judge
        self._table = table
        self._bad_lines_max = bad_lines_max

    def receive(self, guest: Guest, message: PlayerMessage, text: str, now_ms: int) -> None:
        """Take a line; `text` is as it came, for the record of what was wrong."""
        # What is said most often, in a board, is seen first.
        if isinstance(message, Ready) and guest.seat is message.seat:
            self._receive_ready(guest, message.seat, message, now_ms)
        elif isinstance(message, Unknown):
            if message.log_on and guest.seat is None:
                self.dismiss(guest, message.reason)
            else:
                self.complain(guest, message.reason)
        elif isinstance(message, Connecting):
            self._log_on(guest, message, now_ms)
        else:
            if guest.seat is None and message.seat is not None and self._reception.may_come_back(guest, message.seat):
                self._table.take_back(guest, message.seat, now_ms)
            if guest.seat is None:
                self.complain(guest, "a connection begins with Connecting")
            else:
                self._receive_seated(guest, guest.seat, message, text, now_ms)

    def complain(self, guest: Guest, reason: str) -> None:
        """A line could not be used: say why, and count it."""
        self._desk.say_error(guest, reason)
        self._count_bad_line(guest)

    def dismiss(self, guest: Guest, reason: str) -> None:
        """Say why, and close the connection."""
        self._desk.say_error(guest, reason)
        self._desk.close(guest, reason)

    def _log_on(self, guest: Guest, message: Connecting, now_ms: int) -> None:
        if guest.seat is not None:
            self.complain(guest, f"this connection is {guest.seat.title}'s already")
            return
        why = self._reception.take(guest, message, now_ms)
        if why is not None:
            self._desk.note(guest, f"log-on refused: {why}")
            self.dismiss(guest, why)

    def _receive_seated(
        self,
        guest: Guest,
        seat: Seat,
        message: Ready | CallLine | CardLine | ClaimLine | ClaimAnswer | Courtesy,
        text: str,
        now_ms: int,
    ) -> None:
        if isinstance(message, CardLine):
            self._receive_card(guest, seat, message, text, now_ms)
        elif message.seat is not seat:
            self._desk.note(guest, f"the line is {message.seat.title}'s, the connection {seat.title}'s: ignored")
        elif isinstance(message, Ready):
            self._receive_ready(guest, seat, message, now_ms)
        elif not isinstance(message, Courtesy):
            self._receive_in_board(guest, seat, message, text, now_ms)

    def _receive_ready(self, guest: Guest, seat: Seat, message: Ready, now_ms: int) -> None:
        board = self._table.board_of(guest)
        if board is not None:
            board.receive_ready(seat, message, now_ms)
        elif message.what is ReadyFor.TEAMS and not guest.told_teams:
            guest.asked_teams = True
            self._reception.tell_teams(now_ms, at_once=self._table.is_playing)
        elif message.what is ReadyFor.START and guest.told_teams and not guest.joined:
            self._table.join(guest, seat, now_ms)
        elif message.what is ReadyFor.DEAL and self._table.was_passed_out:
            self._table.note_early_deal(seat)
        else:
            self._desk.note_seat(seat, f"ready for {message.what.value} outside a board, swallowed")

    def _receive_in_board(
        self, guest: Guest, seat: Seat, message: CallLine | ClaimLine | ClaimAnswer, text: str, now_ms: int
    ) -> None:
        board = self._table.board_of(guest)
        if board is None:
            self._answer_outside(guest, seat)
        elif isinstance(message, CallLine):
            self._answer(guest, seat, board.receive_call(seat, message, now_ms), text, now_ms)
        else:
            why = (
                board.receive_claim(seat, now_ms)
                if isinstance(message, ClaimLine)
                else board.receive_claim_answer(seat, message.claimant, now_ms, accepts=message.accepts)
            )
            if why is not None:
                self._desk.send(seat, server_format.format_error(why))

    def _receive_card(self, guest: Guest, seat: Seat, message: CardLine, text: str, now_ms: int) -> None:
        board = self._table.board_of(guest)
        if board is None:
            self._answer_outside(guest, seat)
            return
        contract = board.in_play.contract
        # Declarer may name dummy; a card of dummy's from anybody is judged by the board (BC-33). Else BC-11.
        if message.seat not in (None, seat) and (contract is None or message.seat is not contract.dummy):
            self._desk.note(guest, f"a card of another seat from {seat.title}'s connection: ignored")
            return
        self._answer(guest, seat, board.receive_card(seat, message, now_ms), text, now_ms)

    def _answer(self, guest: Guest, seat: Seat, refusal: Refusal | None, text: str, now_ms: int) -> None:
        if refusal is None:
            return
        self._desk.note(guest, f"refused: {refusal.why}")
        if refusal.line:
            self._desk.send(seat, refusal.line)
        if refusal.kind is None:
            self._count_bad_line(guest)
        else:
            self._judge.judge_refusal(seat, refusal, text, now_ms)

    def _answer_outside(self, guest: Guest, seat: Seat) -> None:
        """A call or card of a player that takes part in no board: it was taken out of one, or none has begun."""
        if self._table.is_playing:
            self._desk.note(guest, "the board goes on without this player: ignored")
        else:
            self._desk.send(seat, server_format.format_error("no board has been started"))
        self._count_bad_line(guest)

    def _count_bad_line(self, guest: Guest) -> None:
        guest.bad_lines += 1
        if guest.bad_lines >= self._bad_lines_max:
            self.dismiss(guest, f"{guest.bad_lines} lines were refused, the limit is {self._bad_lines_max}")
