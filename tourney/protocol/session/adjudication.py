"""Verdicts on players that are late, break the rules, fall silent or disconnect (BC-45, BC-46).

A fault is a player's own, its opponents', or nobody's at the table. In the last case the board is void and is played
again. Every case ends with a ruling on record and a table that continues.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from tourney import plurals
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.session.board.session import BoardSession
from tourney.protocol.session.intents import PendingLine, Refusal
from tourney.protocol.session.records import BoardEnd, IncidentKind, Ruled, RulingKind
from tourney.protocol.session.rules import IRREGULARITIES_END, Rejoin, RemedyName
from tourney.protocol.session.seat import Loss, SeatState
from tourney.protocol.session.state import SessionState

LINE_CHARS_MAX: Final = 200
"""Characters of an offending line that an incident quotes."""


PLAY_OUT_MS: Final = 30_000
"""How long the table waits for a line of a program that tourney has started, on a board that its side has forfeited:
it is only played out. Then the program is ended, and another plays the next board."""


class Offence(NamedTuple):
    """A limit exceeded: of time, or of illegal and out-of-turn lines.

    `end` is how the board ends if the offender's side forfeits it; `why` is a sentence.
    """

    seat: SeatState
    end: BoardEnd
    why: str
    clause: str
    author: str = ""
    """The director who judged it; empty for a rule."""


class Adjudicator:
    """Judges one table."""

    def __init__(self, table: SessionState) -> None:
        self._rules = table.settings.rules
        self._table = table
        self._refused_after_end = Counter[Seat]()
        """How many calls and cards of each player were refused since the board ended on record."""
        time = self._rules.time
        by_side = time.board.ms is not None or time.match.ms is not None
        self.shortest_ms = 0 if by_side else min(time.stall_ms, time.ready_ms, time.call.ms or time.stall_ms)
        """No limit that starts now on a board in play expires sooner; 0 if it depends on the time a side has used."""

    def begin_board(self) -> None:
        """Record what is left to be judged: it is of the board before."""
        self._table.record_losses()
        self._refused_after_end.clear()

    # Illegal and out-of-turn calls and cards

    def judge_refusal(self, seat: SeatState, refusal: Refusal, line: str) -> None:
        """Count a refused call or card that broke a rule; apply the remedy if a side has too many (BC-46)."""
        board = self._table.board
        if refusal.incident is None or board is None:
            return
        if board.state.ended is not None:
            self._judge_refusal_after_end(seat, refusal, board)
            return
        text = f"{line[:LINE_CHARS_MAX]} ({refusal.why})"
        self._table.record_incident(refusal.incident, seat.seat, text)
        if refusal.incident is IncidentKind.DIVERGED:
            self.restart(seat, refusal.why)
            return
        count, most = self._table.counts.irregularities[seat.seat.side], self._rules.irregularities_max
        if count < most:
            return
        name = self._rules.irregularity_remedy
        why = f"{count} illegal or out-of-turn lines on board {board.board.number}, the last: {text}"
        offence = Offence(seat, BoardEnd.ILLEGAL, why, "BC-46")
        if name is RemedyName.SUBSTITUTE or count == most:
            self._apply(name, offence)
        if count >= max(IRREGULARITIES_END, most) and board.state.ended is None:
            self._forfeit_board(offence)

    def _judge_refusal_after_end(self, seat: SeatState, refusal: Refusal, board: BoardSession) -> None:
        """Have the table act for a player that keeps breaking rules while a board that has ended is played out.

        There is nothing to forfeit, but the others would wait for the player until it stalls.
        """
        if refusal.incident is IncidentKind.DIVERGED:
            board.auto_play(seat)  # it joins the next board: nobody waits until it repeats this one
            return
        most, number = self._rules.irregularities_max, board.board.number
        self._refused_after_end[seat.seat] += 1
        count = self._refused_after_end[seat.seat]
        if count >= most:
            board.substitute(seat, is_refused=True)
        if count >= max(IRREGULARITIES_END, most):
            why = f"{count} illegal or out-of-turn lines since board {number} had ended, the last: {refusal.why}"
            self._forfeit_board(Offence(seat, BoardEnd.ILLEGAL, why, "BC-46"))

    # Time

    def next_limit_ms(self) -> int | None:
        """Return when the first of the pending lines will be late; None if none can be."""
        left = [ms for line in self._table.pending_lines() for _, ms in self._limits(line)]
        return self._table.now_ms + max(0, min(left)) if left else None

    def judge_time(self) -> None:
        """Apply the remedy for every line that is late by now."""
        for line in self._table.pending_lines():
            for name, left_ms in self._limits(line):
                if left_ms <= 0 and self._table.seats[line.seat].connection is not None:
                    self._judge_late(line, name)

    def _limits(self, line: PendingLine) -> Iterable[tuple[str, int]]:
        """Return the limits that apply to a pending line, by name, and the milliseconds left of each."""
        waited_ms = self._table.time.elapsed_ms(line.since_ms, self._table.now_ms)
        board = self._table.board
        if not line.again and (not line.acts or board is None):
            yield "ready", self._patience_ms(line, "ready") - waited_ms
            return
        yield "stall", self._patience_ms(line, "stall") - waited_ms
        if not line.acts or board is None or board.state.ended is not None:
            return
        side, settled = line.seat.side, self._table.counts.settled
        for name, limit_ms, counted_ms in self._table.time_limits(side, self._charged_ms(board, line.seat)):
            if settled.get((name, len(board.state.history) if name == "call" else side), -1) < limit_ms:
                yield name, limit_ms - counted_ms

    def _patience_ms(self, line: PendingLine, name: str) -> int:
        """Return how long a line may be owed; of calls and cards it is how long before the player has stalled."""
        time, board, connection = self._rules.time, self._table.board, self._table.seats[line.seat].connection
        limit_ms = time.ready_ms if name == "ready" else time.stall_ms
        fault = board.state.fault if board is not None else None
        is_ours = connection is not None and connection.is_ours
        return (
            min(limit_ms, PLAY_OUT_MS) if is_ours and fault is not None and fault.side is line.seat.side else limit_ms
        )

    def _charged_ms(self, board: BoardSession, actor: Seat) -> int:
        """Return what the player in turn will be charged at least: some of what it has used may be allowed."""
        return max(0, board.state.clock.elapsed_ms() - board.allowance_ms(self._table.seats[actor]))

    def note_extension(self) -> None:
        """Leave a side alone that is still over a limit with the time it was given: it has been judged for that."""
        table, board = self._table, self._table.board
        actor = board.state.in_play.actor if board is not None and table.is_playing else None
        for side in Side:
            used_ms = self._charged_ms(board, actor) if board is not None and actor in side.seats else 0
            for name, limit_ms, counted_ms in table.time_limits(side, used_ms):
                settled_ms = table.counts.settled.get((name, side))
                if settled_ms is not None and counted_ms >= limit_ms > settled_ms:
                    self._record_over_time(name, SEATS[side is Side.EW], limit_ms)

    def _judge_late(self, line: PendingLine, name: str) -> None:
        time, side = self._rules.time, line.seat.side
        seat = self._table.seats[line.seat]
        if name in ("ready", "stall"):
            why = f"{line.seat.title} owed {_article(line.what)} for {_seconds(self._patience_ms(line, name))}"
            if line.logs_on:
                self._table.disconnect_seat(seat, why)
                return
            self._forfeit_board(Offence(seat, BoardEnd.STALL, why, "BC-45"))
            return
        if self._table.attempt is None:
            return
        (limit_ms,) = (limit_ms for each, limit_ms, _ in self._table.time_limits(side, 0) if each == name)
        why = self._record_over_time(name, line.seat, limit_ms, line.what)
        limits = {"call": time.call, "board": time.board, "match": time.match}
        self._apply(limits[name].remedy, Offence(seat, BoardEnd.TIME, why, "BC-45"))

    def _record_over_time(self, name: str, seat: Seat, limit_ms: int, what: str = "") -> str:
        """Record that a player or its side has exceeded a limit, for which it is judged once; return a sentence."""
        board, side = self._table.board, seat.side.value
        took = f"took longer than {_seconds(limit_ms)}"
        if name == "call":
            why = f"{seat.title} {took} over a {what}"
        elif name == "board" and board is not None:
            why = f"{side} {took} on board {board.board.number}"
        else:
            why = f"{side} {took} on the boards of this table"
        self._table.record_incident(IncidentKind.OVER_TIME, seat, why, f"{name} {limit_ms}")
        return why

    # Connections

    def judge_lost(self, losses: list[tuple[SeatState, Loss]]) -> None:
        """Decide whose fault it is that players of the board are gone, and whether they may come back (BC-48).

        If programs of both sides fail within one second, the network or the machine is to blame, and no player. A
        board at which that happens again and again is void.
        """
        board = self._table.board
        if board is None or not losses:
            return
        both_sides, counts = self._table.record_losses(), self._table.counts
        rejoins_max = self._rules.rejoins_max if self._rules.rejoin is not Rejoin.FORFEIT else 0
        if both_sides:
            count = counts.losses_of_both
            if board.state.ended is None and count > rejoins_max:
                seats = ", ".join(seat.seat.title for seat, _ in losses)
                again = f", {count} times on this board" if count > 1 else ""
                why = f"connections of both sides were lost at once{again}: {seats}"
                board.end_attempt(BoardEnd.VOID, why)
            losses = []
        for seat, loss in losses:
            count = counts.losses[seat.seat]
            if count > rejoins_max:
                again = f", {count} times on this board" if count > 1 else ""
                self._forfeit_board(Offence(seat, loss.end, loss.why(seat.seat) + again, "BC-48"))
        if board.state.ended is not None:
            board.stop_waiting()

    def judge_missing(self, missing: list[tuple[SeatState, Loss]], how_long: str) -> None:
        """Judge players that have not come back into the board in time."""
        board = self._table.board
        if board is None or not missing:
            return
        if board.state.ended is None:
            seat, loss = min(missing, key=lambda each: each[1].at_ms)
            away = [other.seat for other in self._table.seats if other.is_away]
            if len({other.side for other in away}) == 2:
                why = f"{', '.join(other.title for other in away)}, players of both sides, were {how_long}"
                self._table.record_incident(IncidentKind.OUTAGE, None, why)
                board.end_attempt(BoardEnd.VOID, why)
            else:
                why = f"{loss.why(seat.seat)}; it was {how_long}"
                self._forfeit_board(Offence(seat, loss.end, why, "BC-48"))
        board.stop_waiting()

    def restart(self, seat: SeatState, why: str) -> None:
        """Restart the board for a player that came back and cannot continue it, or have its side forfeit it.

        Its opponents are not disconnected for this unless we can start their programs again. If the table itself was
        down, the fault is nobody's at the table and the board is void.
        """
        board = self._table.attempt
        if board is None:
            return
        if board.was_resumed:
            board.end_attempt(BoardEnd.VOID, why)
        else:
            count = self._table.counts.restarts[seat.seat.side]
            if count >= self._rules.restarts_max or not self._table.can_restart:
                times = plurals.count(count, "time")
                limit = f"the board has been begun again {times}" if count else "it cannot be begun again"
                self._forfeit_board(Offence(seat, BoardEnd.DISCONNECT, f"{why}; {limit}", "BC-48"))
                return
            board.end_attempt(BoardEnd.ABANDONED, why, seat.seat)
        self._table.record_incident(IncidentKind.RESTARTED, seat.seat, why)
        self._table.restart_board()

    def judge_absence(self, missing: list[Seat]) -> bool:
        """Judge seats that stayed empty between boards; return whether that decides the match."""
        if len({seat.side for seat in missing}) != 1:
            return False
        why = f"{missing[0].title} was not back after {_seconds(self._rules.time.absence_ms)}"
        offence = Offence(self._table.seats[missing[0]], BoardEnd.DISCONNECT, why, "BC-48")
        self._forfeit_match(offence)
        return True

    def kick(self, seat: SeatState, reason: str, author: str) -> str:
        """Disconnect a player by order of a director; its side forfeits the board in play. Return what was done."""
        away, why = self._send_away(seat, reason, author)
        board = self._table.attempt
        self._forfeit_board(Offence(seat, BoardEnd.DISCONNECT, why, "Law 12C2", author))
        if board is None:
            return f"{away}; no board was in play, so that nothing is forfeited"
        side, team = seat.seat.side, self._table.settings.team
        what = f"average minus to {team(side)}, average plus to {team(side.other)}"
        return f"{away}; board {board.board.number} is forfeited: {what}"

    def kick_without_forfeit(self, seat: SeatState, reason: str, author: str) -> str:
        """Disconnect a player by order of a director, and void the board in play, so that nobody forfeits it.

        The void board is played to its end, or begun again at once where all programs can begin a board again.
        Return what was done.
        """
        away, why = self._send_away(seat, reason, author)
        board, last, can_restart = self._table.attempt, self._table.board, self._table.can_restart
        if board is not None:
            board.end_attempt(BoardEnd.VOID, why)
        self._table.disconnect_seat(seat, why)
        if board is None:
            if last is not None and self._table.is_playing:
                last.auto_play(seat)
            return f"{away}; no board was in play, so that there is none to begin again"
        if can_restart:
            self._table.record_incident(IncidentKind.RESTARTED, seat.seat, why)
            self._table.restart_board()
            return f"{away}; board {board.board.number} is begun again, and nothing is forfeited"
        board.auto_play(seat)
        board.stop_waiting()
        number = board.board.number
        self._table.replays.add(number)
        return f"{away}; board {number} is void and played again when it is over, and nothing is forfeited"

    def _send_away(self, seat: SeatState, reason: str, author: str) -> tuple[str, str]:
        """Record that a director sends a player away; return the fact, and the fact with its reason."""
        self._table.record_incident(IncidentKind.KICKED, seat.seat, f"{author}: {reason}" if author else reason)
        away = f"{seat.seat.title} was sent away"
        return away, f"{away}: {reason}"

    # Remedies

    def _apply(self, name: RemedyName, offence: Offence) -> None:
        """Apply the remedy that the organiser has set for an offence, and record a ruling."""
        match name:
            case RemedyName.WARN:
                self._rule(RulingKind.WARNING, offence)
            case RemedyName.PENALTY:
                penalty = self._rules.penalty  # off the offender's score; the opponents' stays
                self._rule(penalty.kind, offence, penalty.amount)
            case RemedyName.SUBSTITUTE:
                self._rule(RulingKind.WARNING, offence)
                if self._table.board is not None:
                    self._table.board.substitute(offence.seat, is_refused=offence.end is BoardEnd.ILLEGAL)
            case RemedyName.FORFEIT_BOARD:
                self._forfeit_board(offence)
            case RemedyName.FORFEIT_MATCH:
                self._forfeit_match(offence)

    def _rule(self, kind: RulingKind, offence: Offence, amount: int = 0) -> None:
        board = self._table.board
        self._table.record(
            Ruled(
                kind=kind,
                side=offence.seat.seat.side,
                board=board.board.number if board is not None else None,
                amount=amount,
                reason=offence.why,
                clause=offence.clause,
                at_ms=self._table.now_ms,
                author=offence.author,
            )
        )

    def _forfeit_board(self, offence: Offence) -> None:
        """Have a side forfeit the board, and disconnect the program at fault.

        The side gets average minus, its opponents average plus (Law 12C2). A program that can restart a board may
        stay after an offence against time or rules. Between boards, or when the attempt has ended on record, there is
        nothing to forfeit.
        """
        board, attempt, seat = self._table.board, self._table.attempt, offence.seat
        if attempt is not None:
            attempt.end_attempt(offence.end, offence.why, seat.seat)
            self._rule(RulingKind.BOARD_FORFEIT, offence)
        connection = seat.connection
        may_stay = offence.end in (BoardEnd.TIME, BoardEnd.ILLEGAL)
        if attempt is None or connection is None or not (may_stay and connection.wire.restarts_board):
            self._table.disconnect_seat(seat, offence.why)
        if board is not None and self._table.is_playing:
            board.auto_play(seat)
            board.stop_waiting()

    def _forfeit_match(self, offence: Offence) -> None:
        """Have a side forfeit the match, which ends."""
        board, seat = self._table.attempt, offence.seat.seat
        if board is not None:
            board.end_attempt(offence.end, offence.why, seat)
            board.complete_turn(seat)
        self._rule(RulingKind.MATCH_FORFEIT, offence)
        self._table.queue.clear()
        self._table.end_session(None)


def _article(what: str) -> str:
    return f"a {what}" if what in ("call", "card") else f"the line {what!r}" if what.startswith("ready") else what


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g} s"
