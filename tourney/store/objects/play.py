"""Boards as they are given to tables, and as they come out of the record."""

from dataclasses import dataclass

from tourney.bridge import Board, Call, Card, Result, Seat, Side
from tourney.movement.seating import Room
from tourney.protocol.bluechip.on_record import BoardOnRecord
from tourney.protocol.records import BoardEnd
from tourney.scoring.victory_points import VpHundredths
from tourney.store.objects.draw import TableInfo, TeamInfo


@dataclass(frozen=True, slots=True)
class TableJob:
    """What a host needs to play a table: who sits, and the boards that are still to be played."""

    table: TableInfo
    teams: dict[Side, TeamInfo]
    boards: tuple[Board, ...]
    board_attempts: dict[int, int]
    """How often each board has been begun, by board number; boards never begun are left out."""
    spent_ms: dict[Side, int]
    """Thinking time of the finished boards."""
    boards_finished: int
    match_id: int
    event_id: int
    all_boards: tuple[Board, ...]
    """Those that are over as well: the director may have one played again."""
    under_way: BoardOnRecord | None = None
    """The board that was begun and not ended by a host that died."""


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far a table is: for displays."""

    table: TableInfo
    boards_finished: int


@dataclass(frozen=True, slots=True)
class BoardResult:
    """How a board came out at one table, with the thinking time of both sides and the table's own share."""

    board: int
    result: Result
    times_ms: dict[Side, int]
    tm_ms: int = 0


@dataclass(frozen=True, slots=True)
class StoredMatchScore:
    """The score of a match that is over."""

    match: int
    boards: int
    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths
    lost_home: int = 0
    """IMPs that the home team lost and its opponents did not win; they are off `imps_home` already."""
    lost_away: int = 0


@dataclass(frozen=True, slots=True)
class CallRecord:
    seat: Seat
    call: Call
    alerted: bool
    alert: str
    thinking_ms: int
    at_ms: int
    substituted: bool = False
    """The table made it in the player's place."""


@dataclass(frozen=True, slots=True)
class CardRecord:
    seat: Seat
    card: Card
    thinking_ms: int
    at_ms: int
    substituted: bool = False
    """The table played it in the player's place."""


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """Everything on record of one board that is not played again at one table: it has a result, or was forfeited."""

    match: int
    table: TableInfo
    attempt: int
    board: Board
    result: BoardResult | None
    """None when it was forfeited: calls and cards are those made up to then."""
    calls: tuple[CallRecord, ...]
    cards: tuple[CardRecord, ...]
    began_at_ms: int
    ended: BoardEnd
    fault: Seat | None
    """Whose fault the end is."""
    reason: str

    @property
    def room(self) -> Room:
        return self.table.room

    @property
    def times_ms(self) -> dict[Side, int]:
        """Thinking time of both sides; of a forfeited board that of its calls and cards."""
        if self.result is not None:
            return self.result.times_ms
        times = dict.fromkeys(Side, 0)
        actions: tuple[CallRecord | CardRecord, ...] = (*self.calls, *self.cards)
        for action in actions:
            times[action.seat.side] += action.thinking_ms
        return times
