"""The matches that are being played: their tables given to hosts, and to others when hosts die, watched, scored.

Nothing here waits. Whatever the database refuses at one moment can be asked of it again: what is done already is
found on record.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.config import PortPlan
from tourney.coordinator.connections import seat_places, write_connections
from tourney.coordinator.draw.planning import StagePlanner
from tourney.coordinator.forfeits import Forfeits
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.listener import RunListener
from tourney.event.file import EventFile
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.seating import Room
from tourney.results.knockouts import margin
from tourney.results.scorecard import Scorecard, load_scorecard
from tourney.results.standings import finished_match
from tourney.store.control.hosts import end_host
from tourney.store.control.orders import load_holds
from tourney.store.control.tables import assign_table, load_progress
from tourney.store.db.database import Database
from tourney.store.draw.draws import add_segment
from tourney.store.draw.event_info import load_event
from tourney.store.draw.objects import EventInfo, MatchInfo, SegmentInfo, StoredMatchScore, TableInfo
from tourney.store.models import OrderKind, TableState
from tourney.store.results.matches import save_match_score
from tourney.table.clock import HostClock

_OVER: Final = (TableState.FINISHED, TableState.FAILED, TableState.WAITING)
"""Of a table that was given to a host: one that waits and is not given to another is left for a later run."""

_READY: Final = (TableState.OPEN, TableState.PLAYING)


@dataclass(slots=True)
class _Active:
    """A match that is being played. `slot` is its place among those side by side, which gives its ports."""

    match: MatchInfo
    slot: int
    tables: dict[int, TableInfo]
    """Those of the segment in play."""
    boards: dict[int, int]
    told: dict[int, dict[Seat, int]] = field(default_factory=dict)
    """The ports that were told of each table, by its id."""
    decided: bool = False
    """A ruling has ended it; its tables have been told to stop."""

    @property
    def is_over(self) -> bool:
        return all(table.state in _OVER for table in self.tables.values())

    @property
    def is_finished(self) -> bool:
        return all(table.state is TableState.FINISHED for table in self.tables.values())

    @property
    def is_open(self) -> bool:
        return all(table.state is not TableState.ASSIGNED for table in self.tables.values())

    @property
    def untold(self) -> list[TableInfo]:
        """Open tables of which nobody knows yet where they are."""
        tables = (table for table in self.tables.values() if table.state in _READY)
        return [table for table in tables if self.told.get(table.id) != table.ports]


class Playing:
    """The matches in play of one run."""

    def __init__(
        self,
        event_file: EventFile,
        database: Database,
        event: EventInfo,
        listener: RunListener,
        pool: HostPool,
        clock: HostClock,
    ) -> None:
        self.failures: list[str] = []
        """Sentences, one a table that could not play."""
        self.active: list[_Active] = []
        self.decided: frozenset[int] = frozenset()
        """Numbers of the matches that a ruling has ended."""
        self.event = event
        """As it was read last: rounds and extra boards come while it is played."""
        self._file = event_file
        self._database = database
        self._listener = listener
        self._pool = pool
        self._clock = clock
        self._teams = {team.name: team for team in event.teams}
        self._forfeits = Forfeits(database, event, event_file.config.rules.strikes)

    @property
    def matches(self) -> list[MatchInfo]:
        return [active.match for active in self.active]

    def reload(self) -> EventInfo:
        """Read the event anew, with what has been drawn since."""
        event = load_event(self._database, self.event.name)
        assert event is not None
        self.event = event
        return event

    def look_at_rulings(self, unfinished: Iterable[MatchInfo]) -> None:
        """Tell what rulings there are, and stop the matches that are decided by one."""
        decided = self._forfeits.look(self._clock.wall_ms(), unfinished)
        self.decided = decided.matches
        for ruling in decided.new_rulings:
            self._listener.ruling_given(ruling)
        for active in self.active:
            if active.match.number in self.decided and not active.decided:
                self._forfeits.stop_tables(active.match, self._clock.wall_ms())
                active.decided = True

    # Matches

    def start_or_leave(self, match: MatchInfo) -> None:
        """Start a match, but not one that is decided, or that the director has stopped."""
        if match.number in self.decided:
            self._forfeits.finish_tables(match, self._clock.wall_ms())
            self._end_match(match)
            return
        holds = load_holds(self._database, [table.id for table in match.tables])
        if OrderKind.STOP in holds.values():
            self.failures.append(f"match {match.number}: the director has stopped it")
            self._listener.match_held(match)
            return
        self._start_match(match)

    def _start_match(self, match: MatchInfo) -> None:
        taken = {active.slot for active in self.active}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        segment = self._next_segment(match) or match.segments[-1]
        self.active.append(_Active(match, slot, {}, {}))
        self._start_segment(self.active[-1], segment)

    def _next_segment(self, match: MatchInfo) -> SegmentInfo | None:
        """The first segment of which a table is not over: a board of an earlier one may have to be played again."""
        progress = load_progress(self._database, [table.id for table in match.tables])
        for segment in match.segments:
            states = [progress[table.id].table.state for table in segment.tables.values()]
            if any(state is not TableState.FINISHED for state in states):
                return segment
        return None

    def _start_segment(self, active: _Active, segment: SegmentInfo) -> None:
        progress = load_progress(self._database, [table.id for table in segment.tables.values()])
        tables = {}
        for index, room in enumerate(Room):
            table = segment.tables[room]
            now = progress[table.id].table
            is_played = now.state in (*_READY, TableState.ASSIGNED) and self._pool.keep(table.id, now.host)
            if now.state is not TableState.FINISHED and not is_played:
                self._give(table.id, self._wished_ports(2 * active.slot + index))
            tables[table.id] = now  # the draw has been read long ago
        active.tables, active.boards, active.told = tables, dict.fromkeys(tables, -1), {}
        self._look_at(active)

    def _give(self, table_id: int, ports: dict[Seat, int]) -> None:
        assign_table(self._database, table_id, self._pool.place(table_id), ports, self._clock.wall_ms())

    def _wished_ports(self, place: int) -> dict[Seat, int]:
        """The ports of the table at a place among those side by side: the same in each round and after a restart."""
        tables = self._file.config.tables
        first = tables.ports.first + place * tables.port_plan.ports_per_table
        per_seat = tables.port_plan is PortPlan.PER_SEAT
        return {seat: first + (seat if per_seat else 0) for seat in SEATS}

    def _end_match(self, match: MatchInfo) -> None:
        score = self.score(match)
        if score is not None:
            self._listener.match_finished(match, score)

    def score(self, match: MatchInfo) -> StoredMatchScore | None:
        """Score a match and store it, when both rooms have finished all its boards.

        A level match of a knockout gets extra boards instead; they are there with the next `reload`.
        """
        card = load_scorecard(self._database, self.event, match, self._file.scales[match.stage])
        if card.score is not None and self._wants_extra(match, card):
            planner = StagePlanner(self._file.config, match.stage)
            numbers = {team.name: team.number for team in self.event.teams}
            segment = planner.extra_segment(numbers[match.home], numbers[match.away], len(match.segments))
            add_segment(self._database, self.event, match, segment, self._clock.wall_ms())
            return None
        if card.score is not None:
            save_match_score(self._database, match, card.score, self._clock.wall_ms())
        return card.score

    def _wants_extra(self, match: MatchInfo, card: Scorecard) -> bool:
        stage = self.event.stage_of(match)
        if not stage.format.is_knockout or not stage.extra_boards or card.score is None:
            return False
        made = finished_match(match, card.score, card.live_rulings)
        times = len(match.segments) - stage.segments
        return not made.forfeits and margin(made) == 0 and times < EXTRA_TIMES

    # Hosts and tables

    async def look_after_hosts(self) -> None:
        """Take the tables of dead hosts from them; `look_at_tables` gives them to others."""
        for dead in self._pool.find_dead():
            tables = len(end_host(self._database, dead.info, dead.reason, self._clock.wall_ms()))
            await self._pool.bury(dead)
            plural = "table goes" if tables == 1 else "tables go"
            self._listener.host_failed(f"{dead.reason}; {tables} {plural} to another" if tables else dead.reason)

    def look_at_tables(self, *, is_stopping: bool = False) -> None:
        """Read how far tables are, tell what is new, and score the matches that are over."""
        for active in list(self.active):
            self._look_at(active)
            if not is_stopping and not active.decided:
                self._give_again(active)
            if not active.is_over:
                continue
            if active.decided:
                self._forfeits.finish_tables(active.match, self._clock.wall_ms())
            may_go_on = active.is_finished and not active.decided and not is_stopping
            segment = self._next_segment(active.match) if may_go_on else None
            if segment is None:
                self._end_match(active.match)
                segment = self._extra_segment(active) if may_go_on else None
            if segment is None:
                self.active.remove(active)
            else:
                self._listener.segment_started(active.match, segment)
                self._start_segment(active, segment)
        if any(active.untold for active in self.active) and all(active.is_open for active in self.active):
            self._announce()

    def _extra_segment(self, active: _Active) -> SegmentInfo | None:
        """The extra boards that a level match has been given just now."""
        if not self.event.stage_of(active.match).extra_boards:
            return None
        match = next(match for match in self.reload().matches if match.number == active.match.number)
        if len(match.segments) == len(active.match.segments):
            return None
        active.match = match
        return match.segments[-1]

    def _look_at(self, active: _Active) -> None:
        """Read how far a match's tables are, and tell what is new."""
        for table_id, progress in load_progress(self._database, active.tables).items():
            before, table = active.tables[table_id], progress.table
            active.tables[table_id] = table
            if progress.boards_finished != active.boards[table_id]:
                active.boards[table_id] = progress.boards_finished
                self._listener.table_progressed(active.match, table, progress.boards_finished)
            if table.state is not before.state and table.state in _OVER:
                self._pool.leave(table_id)
            failed = table.state is TableState.FAILED and before.state is not TableState.FAILED
            if failed and not active.decided and table.match not in self.decided:
                where = f"match {table.match} {table.room.value} room"
                self.failures.append(f"{where}: {table.reason}")
                self._listener.table_failed(active.match, table, table.reason)

    def _give_again(self, active: _Active) -> None:
        """Give tables whose host has ended to another, on the ports they had; not those the director has stopped."""
        waiting = [table for table in active.tables.values() if table.state is TableState.WAITING]
        holds = load_holds(self._database, [table.id for table in waiting]) if waiting else {}
        for table in waiting:
            if holds.get(table.id) is not OrderKind.STOP:
                self._give(table.id, table.ports)
                active.tables[table.id] = replace(table, state=TableState.ASSIGNED)

    def _announce(self) -> None:
        """Say who connects where, once every table has its ports."""
        host = self._file.config.tables.host
        new, everybody = [], []
        for active in self.active:
            untold = active.untold
            for table in active.tables.values():
                if table.state not in _READY:
                    continue
                places = seat_places(table, host, self._teams, self._file.logins)
                everybody += places
                if table in untold:
                    new += places
                    active.told[table.id] = table.ports
        write_connections(self._file.results / "connections.json", everybody)
        self._listener.tables_opened(new)
