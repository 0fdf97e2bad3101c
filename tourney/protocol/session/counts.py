"""What the law of a table counts from its records, beyond the calls and cards of the board in play.

`TableCounts.apply` is the only thing that changes it, so that a table that another host takes up counts on.
"""

from tourney.bridge import SEATS, SIDES, Seat, Side
from tourney.protocol.session.records import (
    IRREGULARITIES,
    BoardBegan,
    BoardEnd,
    BoardEnded,
    BoardVoided,
    Incident,
    IncidentKind,
    TableRecord,
)


class TableCounts:
    """How often what has happened at a table. What is counted for a board goes on after a call was taken back."""

    def __init__(self) -> None:
        self.offers = 0
        """The number of the last claim or wish to take something back at this table."""
        self.voids = 0
        """How often in a row a board was void because players of both sides were gone."""
        self.restarts = dict.fromkeys(SIDES, 0)
        """How often this board was begun again because of each side."""
        self.ends: dict[int, BoardEnded] = {}
        """How each board that has finished came to its end, by its number."""
        self.director_called_at_ms: dict[Seat, int] = {}
        """When the player of a seat called the director last."""
        self.settled: dict[tuple[str, int | Side], int] = {}
        """Limits whose remedy has been applied, once each: `(name, what it counts by)`, with the highest limit in
        milliseconds, as an extended limit is another one."""
        self._was_retracted = False
        self._begin_board()

    def _begin_board(self) -> None:
        self.irregularities = dict.fromkeys(SIDES, 0)
        """Illegal and out-of-turn calls and cards of each side on this board."""
        self.losses = dict.fromkeys(SEATS, 0)
        """Connections of each seat that were lost on this board by its own fault."""
        self.losses_of_both = 0
        """How often connections of both sides were lost at once on this board."""
        self._outage_at_ms = -1
        self.undos = 0
        """How often something has been taken back on this board."""
        self.settled = {settled: ms for settled, ms in self.settled.items() if settled[0] == "match"}

    def apply(self, record: TableRecord) -> None:
        """Count what has gone on record."""
        match record:
            case BoardBegan():
                if not self._was_retracted:
                    self._begin_board()
            case BoardEnded():
                self._end_board(record)
            case BoardVoided():
                del self.ends[record.board]
            case Incident(kind=IncidentKind.OUTAGE):
                self.losses_of_both += record.at_ms != self._outage_at_ms
                self._outage_at_ms = record.at_ms
            case Incident(seat=Seat() as seat):
                self._count(record, seat)
            case _:
                pass

    def _end_board(self, record: BoardEnded) -> None:
        self._was_retracted = record.end is BoardEnd.RETRACTED
        if record.end.is_final:
            self.ends[record.board] = record
            self.voids, self.restarts = 0, dict.fromkeys(SIDES, 0)
        elif record.end is BoardEnd.VOID:
            self.voids += record.at_ms == self._outage_at_ms
        elif record.fault is not None:
            self.restarts[record.fault.side] += 1

    def _count(self, record: Incident, seat: Seat) -> None:
        match record.kind:
            case IncidentKind.CLAIM | IncidentKind.UNDO:
                self.offers += 1
            case IncidentKind.UNDO_ACCEPTED:
                self.undos += 1
            case IncidentKind.CRASH | IncidentKind.DISCONNECT:
                self.losses[seat] += 1
            case IncidentKind.DIRECTOR_CALLED:
                self.director_called_at_ms[seat] = record.at_ms
            case IncidentKind.OVER_TIME if record.about:
                name = record.about.partition(" ")[0]
                self.settled[name, record.made if name == "call" else seat.side] = record.number
            case kind if kind in IRREGULARITIES:
                self.irregularities[seat.side] += 1
            case _:
                pass
