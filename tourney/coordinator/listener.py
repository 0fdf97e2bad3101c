"""What a run reports to its observers: displays implement this; the coordinator itself prints nothing."""

from dataclasses import dataclass
from typing import Protocol

from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.scoring.match import MatchScore
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, SegmentInfo, Sitting, TableInfo
from tourney.store.rulings import RulingInfo


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Where the program of one seat connects. `is_ours` if tourney starts the program itself."""

    match: int
    room: Room
    seat: Seat
    team: str
    host: str
    port: int
    boards: int | None
    """The number of boards to be played there; players are not told it on the wire (BC-44). None where it depends on
    their results."""
    boards_at_most: int
    is_ours: bool
    with_phrase: bool = False
    """Whether its program must give a pass phrase after the team's name."""
    segment: int = 1
    pair: int = 1
    """The pair of the team that sits there."""
    round: int | None = None
    """The round of the event, in a movement."""
    table: int | None = None
    """The number of the table in the movement, at pairs."""
    on: str | None = None
    """The label of the machine on which tourney starts the program, if it is another than the table's."""
    table_host: str | None = None
    """Where `host` and `port` are those of its team: the address of the table, and its port there."""
    table_port: int | None = None
    stateful_port: int | None = None
    """The event's port for the stateful-server protocol, where the team's programs are to connect to that."""


class RunListener(Protocol):
    """Receives every event of a run in the order in which it happened."""

    def run_started(self, event: EventInfo, matches_left: int) -> None: ...

    def rounds_drawn(self, rounds: list[RoundInfo]) -> None:
        """Called when the matches of these rounds become known."""

    def round_waits(self, round_: RoundInfo) -> None: ...

    def round_started(self, round_: RoundInfo, sittings: list[Sitting]) -> None: ...

    def tables_opened(self, places: list[SeatPlace]) -> None: ...

    def table_progressed(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None: ...

    def table_failed(self, match: MatchInfo, table: TableInfo, reason: str) -> None: ...

    def swept(self, sentence: str) -> None:
        """Called when a process that an earlier run had left was ended."""

    def told(self, sentence: str) -> None:
        """Called with news of the run itself: hosts found, an unavailable database, backups."""

    def ruling_given(self, ruling: RulingInfo) -> None: ...

    def match_held(self, match: MatchInfo) -> None:
        """Called when the director has stopped a match before it began: it is left for another run."""

    def host_failed(self, reason: str) -> None: ...

    def segment_started(self, match: MatchInfo, segment: SegmentInfo) -> None:
        """Called when a match continues with its next boards, perhaps in new seats."""

    def match_finished(self, match: MatchInfo, score: MatchScore) -> None: ...
