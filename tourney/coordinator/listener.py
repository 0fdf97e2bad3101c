"""What a run tells whoever watches it: displays implement this, the coordinator prints nothing."""

from dataclasses import dataclass
from typing import Protocol

from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, SegmentInfo, StoredMatchScore, TableInfo
from tourney.store.rulings import RulingInfo


@dataclass(frozen=True, slots=True)
class SeatPlace:
    """Where the program of one seat connects. `is_ours` when tourney starts it itself."""

    match: int
    room: Room
    seat: Seat
    team: str
    host: str
    port: int
    boards: int
    """How many are played there; players are not told about it on the wire (BC-44)."""
    is_ours: bool
    with_phrase: bool = False
    """Its program must say a pass phrase after the team's name."""
    segment: int = 1
    pair: int = 1
    """Which pair of its team sits there."""


class RunListener(Protocol):
    """Is told about everything in the order in which it happened."""

    def run_started(self, event: EventInfo, matches_left: int) -> None: ...

    def rounds_drawn(self, rounds: list[RoundInfo]) -> None:
        """It is known now who meets whom in these rounds."""

    def round_waits(self, round_: RoundInfo) -> None: ...

    def round_started(self, round_: RoundInfo, matches: list[MatchInfo]) -> None: ...

    def tables_opened(self, places: list[SeatPlace]) -> None: ...

    def table_progressed(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None: ...

    def table_failed(self, match: MatchInfo, table: TableInfo, reason: str) -> None: ...

    def swept(self, sentence: str) -> None:
        """A process that an earlier run had left was ended."""

    def told(self, sentence: str) -> None:
        """Something about the run itself: hosts that were found, a database that is away, backups."""

    def ruling_given(self, ruling: RulingInfo) -> None: ...

    def match_held(self, match: MatchInfo) -> None:
        """The director has stopped a match that has not begun: it is left for another run."""

    def host_failed(self, reason: str) -> None: ...

    def segment_started(self, match: MatchInfo, segment: SegmentInfo) -> None:
        """A match goes on with its next boards, in new seats perhaps."""

    def match_finished(self, match: MatchInfo, score: StoredMatchScore) -> None: ...
