"""Verdicts: players that are late, break the rules, fall silent or are gone (BC-45, BC-46).

Three kinds of fault are kept apart: a player's own, its opponents', and that of nobody at the table. The last makes
a board void: it is played again. Whatever happens ends in a ruling on record and a table that goes on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.session.board.pending import Debt
from tourney.protocol.session.board.state import BoardSession
from tourney.protocol.session.board.validation import Refusal
from tourney.protocol.session.outbox import Desk
from tourney.protocol.session.records import BoardEnd, Incident, IncidentKind, Ruled, RulingKind
from tourney.protocol.session.remedies import Offence, remedy
from tourney.protocol.session.rules import Rejoin, RemedyName, TableRules, TimeLimit

IRREGULARITIES_END: Final = 20
"""So many of one side on a board, whatever the remedy was, and its program is sent away: it will not stop."""

LINE_CHARS_MAX: Final = 200
"""Of an offending line as an incident quotes it."""


class Table(Protocol):
    """What a judge may ask of the table, and do to it."""

    @property
    def board(self) -> BoardSession | None: ...

    def debts(self) -> list[Debt]: ...

    def match_spent_ms(self, side: Side) -> int:
        """Thinking time of a side on the boards before the one in hand."""

    def dismiss_seat(self, seat: Seat, reason: str, now_ms: int) -> None:
        """Send a program away; its seat is free. Nothing when nobody sits there."""

    def end_match(self, now_ms: int) -> None:
        """The match is decided: end the session."""

    @property
    def can_restart(self) -> bool:
        """Whether everybody at the table can begin a board again, or be started again."""

    def restart_board(self, now_ms: int) -> None:
        """Begin the board in hand again, its attempt being over on record."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A seat whose connection is gone. `crash` says how its program ended, when it did."""

    reason: str
    crash: str = ""
    until_ms: int = 0
    """How long it is waited for."""

    @property
    def end(self) -> BoardEnd:
        """How the board ends if it is taken from its side."""
        return BoardEnd.CRASH if self.crash else BoardEnd.DISCONNECT

    def why(self, seat: Seat) -> str:
        return f"{seat.title} left: {self.crash or self.reason}"


@dataclass(slots=True)
class _BoardCount:
    irregularities: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    losses: dict[Seat, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    """Connections lost, by the program's own fault."""
    settled: set[tuple[str, int | Side]] = field(default_factory=set)
    """Limits that have had their remedy, once each: `(name, what it counts by)`."""


class Judge:
    """Judges one table. It is also the bench that remedies act on."""

    def __init__(self, rules: TableRules, desk: Desk, table: Table) -> None:
        self._rules = rules
        self._desk = desk
        self._table = table
        self._count = _BoardCount()
        self._match_settled: set[Side] = set()
        self._restarts: dict[tuple[int, Side], int] = {}
        """How often a board was begun again because of a side, by its number."""
        time = rules.time
        by_side = time.board.ms is not None or time.match.ms is not None
        self.shortest_ms = 0 if by_side else min(time.stall_ms, time.ready_ms, time.call.ms or time.stall_ms)
        """No limit that begins to run now ends sooner; 0 when that hangs on what a side has used."""
        self._from_ms = 0  # waiting before this does not count: the table was paused, or not there
        self._now_ms = 0

    def begin_board(self) -> None:
        """Irregularities are counted by board."""
        self._count = _BoardCount()

    def forgive_waiting(self, now_ms: int) -> None:
        """Nobody is late for what lies before: the table was paused, or our machine stood still."""
        self._from_ms = now_ms

    # Illegal and out-of-turn calls and cards

    def judge_refusal(self, seat: Seat, refusal: Refusal, line: str, now_ms: int) -> None:
        """Count a refused call or card that broke a rule; the remedy when there are too many of a side (BC-46)."""
        board = self._table.board
        if refusal.kind is None or board is None or board.ended is not None:
            return
        self._now_ms = now_ms
        text = f"{line[:LINE_CHARS_MAX]} ({refusal.why})"
        self._desk.record(Incident(refusal.kind, board.board.number, seat, text, now_ms))
        if refusal.kind is IncidentKind.DIVERGED:
            self.restart(seat, refusal.why, now_ms)
            return
        count = self._count.irregularities[seat.side] = self._count.irregularities[seat.side] + 1
        if count < self._rules.irregularities_max:
            return
        name = self._rules.irregularity_remedy
        why = f"{count} illegal or out-of-turn lines on board {board.board.number}, the last: {text}"
        key = ("irregularities", seat.side)
        if name is RemedyName.SUBSTITUTE or key not in self._count.settled:
            self._count.settled.add(key)
            remedy(name, self._rules.penalty).apply(Offence(seat, BoardEnd.ILLEGAL, why, "BC-46"), self)
        if count >= max(IRREGULARITIES_END, self._rules.irregularities_max) and board.ended is None:
            self.forfeit_board(Offence(seat, BoardEnd.ILLEGAL, why, "BC-46"))

    # Time

    def next_limit_ms(self, now_ms: int) -> int | None:
        """When the first of the lines that are awaited is late; None when none can be."""
        left = [ms for debt in self._table.debts() for _, ms in self._limits(debt, now_ms)]
        return now_ms + max(0, min(left)) if left else None

    def judge_time(self, now_ms: int) -> None:
        """Apply what follows for every line that is late by now."""
        self._now_ms = now_ms
        for debt in self._table.debts():
            for name, left_ms in self._limits(debt, now_ms):
                if left_ms <= 0 and self._desk.seated.get(debt.seat) is not None:
                    self._judge_late(debt, name)

    def _limits(self, debt: Debt, now_ms: int) -> Iterable[tuple[str, int]]:
        """The limits that a debt runs into, by name, and how many milliseconds are left of each."""
        waited_ms = now_ms - max(debt.since_ms, self._from_ms)
        time, board = self._rules.time, self._table.board
        if debt.again:
            yield "stall", time.stall_ms - waited_ms
            return
        if not debt.acts or board is None:
            yield "ready", time.ready_ms - waited_ms
            return
        yield "stall", time.stall_ms - waited_ms
        if board.ended is not None:
            return
        number, side = board.actions_made, debt.seat.side
        spent_ms = board.spent_ms[side]
        if time.call.ms is not None and ("call", number) not in self._count.settled:
            yield "call", time.call.ms - waited_ms
        if time.board.ms is not None and ("board", side) not in self._count.settled:
            yield "board", time.board.ms - spent_ms - waited_ms
        if time.match.ms is not None and side not in self._match_settled:
            yield "match", time.match.ms - self._table.match_spent_ms(side) - spent_ms - waited_ms

    def note_match_time(self, spent_ms: Mapping[Side, int]) -> None:
        """What was spent before this session: a limit of the match that was passed then has had its remedy."""
        limit_ms = self._rules.time.match.ms
        self._match_settled |= {side for side, ms in spent_ms.items() if limit_ms is not None and ms >= limit_ms}

    def _judge_late(self, debt: Debt, name: str) -> None:
        time, board, side = self._rules.time, self._table.board, debt.seat.side
        if name in ("ready", "stall"):
            limit_ms = time.ready_ms if name == "ready" else time.stall_ms
            why = f"{debt.seat.title} owed {_article(debt.what)} for {_seconds(limit_ms)}"
            if debt.logs_on:
                self._table.dismiss_seat(debt.seat, why, self._now_ms)
                return
            self.forfeit_board(Offence(debt.seat, BoardEnd.STALL, why, "BC-45"))
            return
        assert board is not None
        if board.ended is not None:
            return
        limits: Mapping[str, tuple[TimeLimit, str]] = {
            "call": (time.call, f"{debt.seat.title} took longer than %s over a {debt.what}"),
            "board": (time.board, f"{side.value} took longer than %s on board {board.board.number}"),
            "match": (time.match, f"{side.value} took longer than %s on the boards of this table"),
        }
        limit, words = limits[name]
        assert limit.ms is not None
        if name == "match":
            self._match_settled.add(side)
        else:
            self._count.settled.add((name, board.actions_made if name == "call" else side))
        why = words % _seconds(limit.ms)
        self._desk.record(Incident(IncidentKind.OVER_TIME, board.board.number, debt.seat, why, self._now_ms))
        remedy(limit.remedy, self._rules.penalty).apply(Offence(debt.seat, BoardEnd.TIME, why, "BC-45"), self)

    # Connections

    def judge_lost(self, lost: Mapping[Seat, Lost], now_ms: int) -> None:
        """Players of the board in hand are gone: whose fault is it, and may they come back (BC-48)?

        Programs of both sides do not fail within one second: that is the network or the machine, and nobody's fault.
        """
        board = self._table.board
        if board is None or not lost:
            return
        self._now_ms = now_ms
        for seat, how in lost.items():
            kind = IncidentKind.CRASH if how.crash else IncidentKind.DISCONNECT
            self._desk.record(Incident(kind, board.board.number, seat, how.why(seat), now_ms))
        both_sides = len({seat.side for seat in lost}) == 2
        if board.ended is None and both_sides and self._rules.rejoin is Rejoin.FORFEIT:
            seats = ", ".join(seat.title for seat in lost)
            board.end_attempt(BoardEnd.VOID, f"connections of both sides were lost at once: {seats}", None, now_ms)
        for seat, how in lost.items():
            if board.ended is None:
                self._count.losses[seat] += not both_sides
                if self._rules.rejoin is not Rejoin.FORFEIT and self._count.losses[seat] <= self._rules.rejoins_max:
                    continue
                again = f", {self._count.losses[seat]} times on this board" if self._count.losses[seat] > 1 else ""
                self.forfeit_board(Offence(seat, how.end, how.why(seat) + again, "BC-48"))
        if board.ended is not None:
            board.wait_no_more(now_ms)

    def judge_missing(self, missing: Mapping[Seat, Lost], how_long: str, now_ms: int) -> None:
        """Players that were waited for have not come back into the board."""
        board = self._table.board
        if board is None or not missing:
            return
        self._now_ms = now_ms
        if board.ended is None:
            seat, how = next(iter(missing.items()))
            if len({seat.side for seat in board.away}) == 2:
                seats = ", ".join(seat.title for seat in SEATS if seat in board.away)
                board.end_attempt(BoardEnd.VOID, f"{seats}, players of both sides, were {how_long}", None, now_ms)
            else:
                self.forfeit_board(Offence(seat, how.end, f"{how.why(seat)}; it was {how_long}", "BC-48"))
        board.wait_no_more(now_ms)

    def restart(self, seat: Seat, why: str, now_ms: int) -> None:
        """A player has come back and cannot go on where it was: begin the board again, or take it from its side.

        Its opponents are not sent away for it, unless their programs are ours to start again. When the table itself
        was gone the fault is nobody's at the table, and the board is void.
        """
        board = self._table.board
        if board is None or board.ended is not None:
            return
        self._now_ms = now_ms
        if board.is_taken_up:
            board.end_attempt(BoardEnd.VOID, why, None, now_ms)
        else:
            number = board.board.number
            self._restarts = {key: count for key, count in self._restarts.items() if key[0] == number}
            count = self._restarts[number, seat.side] = self._restarts.get((number, seat.side), 0) + 1
            if count > self._rules.restarts_max or not self._table.can_restart:
                limit = (
                    f"the board has been begun again {count - 1} times" if count > 1 else "it cannot be begun again"
                )
                self.forfeit_board(Offence(seat, BoardEnd.DISCONNECT, f"{why}; {limit}", "BC-48"))
                return
            board.end_attempt(BoardEnd.ABANDONED, why, seat, now_ms)
        self._desk.record(Incident(IncidentKind.RESTARTED, board.board.number, seat, why, now_ms))
        self._table.restart_board(now_ms)

    def judge_absence(self, missing: Iterable[Seat], now_ms: int) -> bool:
        """Seats have stayed empty between boards; whether the match is decided by it."""
        self._now_ms = now_ms
        seats = list(missing)
        if len({seat.side for seat in seats}) != 1:
            return False
        why = f"{seats[0].title} was not back after {_seconds(self._rules.time.absence_ms)}"
        self.forfeit_match(Offence(seats[0], BoardEnd.DISCONNECT, why, "BC-48"))
        return True

    def kick(self, seat: Seat, reason: str, now_ms: int) -> None:
        """The director ends a player's connection: its side loses the board in hand, if it has begun."""
        self._now_ms = now_ms
        board = self._table.board
        number = board.board.number if board is not None else None
        self._desk.record(Incident(IncidentKind.KICKED, number, seat, reason, now_ms))
        self.forfeit_board(Offence(seat, BoardEnd.DISCONNECT, f"{seat.title} was sent away: {reason}", "director"))

    # The bench of the remedies

    def rule(self, kind: RulingKind, offence: Offence, amount: int = 0) -> None:
        board = self._table.board
        number = board.board.number if board is not None else None
        self._desk.record(Ruled(kind, offence.seat.side, number, amount, offence.why, offence.clause, self._now_ms))

    def substitute(self, seat: Seat) -> None:
        if self._table.board is not None:
            self._table.board.substitute(seat, self._now_ms)

    def forfeit_board(self, offence: Offence) -> None:
        """Take the board from a side, and send the program at fault away.

        One that begins again on `Start of board` may stay after a matter of time or rules; between boards, and when
        the board is over on record, there is nothing to take.
        """
        board, seat = self._table.board, offence.seat
        taken = board is not None and board.ended is None
        if board is not None and taken:
            board.end_attempt(offence.end, offence.why, seat, self._now_ms)
            self.rule(RulingKind.BOARD_FORFEIT, offence)
        guest = self._desk.seated.get(seat)
        may_stay = offence.end in (BoardEnd.TIME, BoardEnd.ILLEGAL)
        if not taken or guest is None or not (may_stay and guest.profile.board_restart):
            self._table.dismiss_seat(seat, offence.why, self._now_ms)
        if board is not None:
            board.stand_in(seat, self._now_ms)
            board.wait_no_more(self._now_ms)

    def forfeit_match(self, offence: Offence) -> None:
        board = self._table.board
        if board is not None:
            board.end_attempt(offence.end, offence.why, offence.seat, self._now_ms)
        self.rule(RulingKind.MATCH_FORFEIT, offence)
        self._table.end_match(self._now_ms)


def _article(what: str) -> str:
    return f"a {what}" if what in ("call", "card") else f"the line {what!r}" if what.startswith("ready") else what


def _seconds(ms: int) -> str:
    return f"{ms / 1000:g} s"
