"""Runs the matches in play: assigns their tables to hosts, and to others when hosts die, watches and scores them.

Nothing here waits. Whatever fails because the database is unavailable can be retried: what was already done is found
on record.
"""

import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.config import PortPlan, SandboxKind
from tourney.config.command import format_check_bot, name_program
from tourney.contest import contest_of
from tourney.contest.plan import PlannedSegment
from tourney.contest.record import finished_match
from tourney.coordinator.connections import HostAddresses, seat_places, write_connections
from tourney.coordinator.draw.planning import StagePlanner
from tourney.coordinator.forfeits import Forfeits
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.label_programs import LabelledSeat
from tourney.coordinator.listener import RunListener, SeatPlace
from tourney.errors import LaunchError, StoreError, TourneyError
from tourney.event.file import EventFile
from tourney.movement.seating import Room
from tourney.plurals import count
from tourney.protocol.wires import Language
from tourney.results.scorecard import Scorecard, work_out_scorecard
from tourney.results.travellers import number_tables
from tourney.scoring.match import MatchScore
from tourney.store.control.hosts import end_host
from tourney.store.control.orders import load_holds
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import ProgressWatch, TableProgress, load_progress
from tourney.store.db.database import Database
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.objects import EventInfo, MatchInfo, SegmentInfo, Sitting, TableInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import add_segment
from tourney.store.models import OrderKind, TableState
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import lock_match, save_match_score
from tourney.table.clock import HostClock
from tourney.table.ports import ports_of_pairs, wished_ports

_OVER: Final = (TableState.FINISHED, TableState.FAILED, TableState.WAITING)
"""States of a table that is no longer played; a waiting table that is not assigned again is left for a later run."""

_READY: Final = (TableState.OPEN, TableState.PLAYING)

TOLD_WAITING_MS: Final = 20_000
"""How long tables wait for a place before the run says so: longer than a host takes that was started for them."""


@dataclass(slots=True)
class _Active:
    """A match in play. `slot` is its number among the matches in play, which determines its ports."""

    match: MatchInfo
    rooms: tuple[Room, ...]
    """Those in which it is played now."""
    round: int
    """The round in play."""
    slot: int
    tables: dict[int, TableInfo]
    """The tables of the segment in play, by id."""
    boards: dict[int, int]
    """How many boards each table had finished when that was last reported."""
    addresses: HostAddresses
    waiting: set[int] = field(default_factory=set)
    """Its tables, by id, that wait for a place with room."""
    told: dict[int, tuple[str, dict[Seat, int]]] = field(default_factory=dict)
    """The address and the ports of each table that have been announced, by its id."""
    finished: dict[int, int] = field(default_factory=dict)
    """How many boards each table had finished at the last look."""
    given_up: set[int] = field(default_factory=set)
    """Its tables, by id, that have killed their hosts and are not tried again."""
    is_unsettled: bool = False
    """Whether it is looked at although nothing changes at its tables: one has no host, or was just announced."""
    decided: bool = False
    """Whether a ruling has ended the match; its tables have then been told to stop."""

    @property
    def is_over(self) -> bool:
        if self.waiting or self.given_up:
            return False
        return all(table.state in _OVER for table in self.tables.values())

    @property
    def is_finished(self) -> bool:
        return all(table.state is TableState.FINISHED for table in self.tables.values())

    @property
    def is_open(self) -> bool:
        return all(table.state is not TableState.ASSIGNED for table in self.tables.values())

    @property
    def untold(self) -> list[TableInfo]:
        """Open tables whose address or ports have not been announced."""
        tables = (table for table in self.tables.values() if table.state in _READY)
        return [table for table in tables if self.told.get(table.id) != (self.addresses.of_table(table), table.ports)]


class MatchRunner:
    """Runs the matches that are in play."""

    def __init__(
        self,
        event_file: EventFile,
        database: Database,
        event: EventInfo,
        listener: RunListener,
        pool: HostPool,
        clock: HostClock,
        walls: SandboxKind = SandboxKind.NONE,
    ) -> None:
        self.failures: list[str] = []
        """A sentence for each table that could not be played."""
        self.active: list[_Active] = []
        self.decided: frozenset[int] = frozenset()
        """Numbers of the matches that a ruling has ended."""
        self.event = event
        """The event as last read: rounds and extra boards are added while it is played."""
        self.scored: set[int] = set()
        """Numbers of the matches that this run has scored."""
        self.reopened: set[int] = set()
        """Numbers of the matches that go on, as the ruling that had ended them was withdrawn."""
        self.finished_halves: set[int] = set()
        """The tables, by id, at which this run has seen half of a match finished."""
        self._file = event_file
        self._walls = walls
        """The walls around programs that tourney starts."""
        self._database = database
        self._listener = listener
        self._pool = pool
        self._clock = clock
        self._teams = {team.name: team for team in event.teams}
        self._addresses = HostAddresses(database, event.id, event_file.address.host)
        self._pointed: set[str] = set()
        """Teams whose program the organiser has been told how to try."""
        self._forfeits = Forfeits(database, event, event_file.config.rules.strikes)
        self._watch = ProgressWatch(database)
        self._waiting_since_ms: int | None = None
        """Since when some table has waited for a place; None while none does."""
        self._has_told_waiting = False
        self._finished_at_ms: dict[int, int] = {}
        """When a table of each match, by its number, was last seen to have finished a board."""

    @property
    def matches(self) -> list[MatchInfo]:
        return [active.match for active in self.active]

    @property
    def at_once(self) -> int:
        """How many matches are in play, without those that are given up and wait for the ruling."""
        return sum(not active.given_up for active in self.active)

    def reload(self) -> EventInfo:
        """Read the event again, with whatever has been drawn since and with teams that have come late."""
        event = load_event(self._database, self.event.name)
        if event is None:
            raise StoreError(f"event {self.event.name!r} is not in database {self._database} any more")
        self.event = event
        self._teams = {team.name: team for team in event.teams}
        self._forfeits.take_teams(event)
        return event

    def go_by(self, event_file: EventFile) -> None:
        """Go by these settings from the next match on."""
        self._file = event_file

    def has_finished(self, sitting: Sitting) -> bool:
        """Return whether this run has scored a match, or seen the half of it finished, or a ruling end it."""
        return sitting.match.number in self.scored | self.reopened or any(
            table.id in self.finished_halves for table in sitting.tables
        )

    def come_back_to(self, sittings: Iterable[Sitting]) -> None:
        """Forget that these have been finished: the director has boards played again, or for the first time."""
        for sitting in sittings:
            self.scored.discard(sitting.match.number)
            self.reopened.discard(sitting.match.number)
            self.finished_halves.difference_update(table.id for table in sitting.tables)

    def look_at_rulings(self, unfinished: Iterable[MatchInfo]) -> None:
        """Report new rulings, and stop the matches that they have decided."""
        decided = self._forfeits.look(self._clock.wall_ms(), unfinished)
        self.decided = decided.matches
        for ruling in decided.new_rulings:
            self._listener.ruling_given(ruling)
        for active in self.active:
            if active.match.number in self.decided and not active.decided:
                self._forfeits.stop_tables(active.match, self._clock.wall_ms())
                active.decided = True

    def reopen(self, match: MatchInfo) -> None:
        """Have a match go on that has no score although its tables have finished: a ruling on it was withdrawn."""
        if self._forfeits.reopen_tables(match, self._clock.wall_ms()):
            self.reopened.add(match.number)

    # Matches

    def start_or_leave(self, sitting: Sitting) -> None:
        """Start a match, or half of it, unless a ruling has decided it or the director has stopped it."""
        match = sitting.match
        if match.number in self.decided:
            self._forfeits.finish_tables(match, self._clock.wall_ms())
            self._end_match(match)
            return
        holds = load_holds(self._database, [table.id for table in sitting.tables])
        if OrderKind.STOP in holds.values():
            self.failures.append(f"match {match.number}: the director has stopped it")
            self._listener.match_held(match)
            return
        self._start_match(sitting)

    def _start_match(self, sitting: Sitting) -> None:
        match = sitting.match
        progress = load_progress(self._database, [table.id for table in sitting.tables])
        segment = _next_segment(match, sitting.rooms, progress) or match.segments[-1]
        taken = {active.slot for active in self.active}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        active = _Active(match, sitting.rooms, sitting.round, slot, {}, {}, self._addresses)
        self._start_segment(active, segment, progress)
        self.active.append(active)  # not before: if the database fails half-way, all of it is tried again

    def _start_segment(self, active: _Active, segment: SegmentInfo, progress: Mapping[int, TableProgress]) -> None:
        """Assign the tables of a segment to hosts; `progress` is their progress, newer than that in the draw."""
        found = {segment.tables[room].id: progress[segment.tables[room].id] for room in active.rooms}
        now = dict(found)
        waiting = set()
        for index, (table_id, seen) in enumerate(found.items()):
            table = seen.table
            is_played = table.state in (*_READY, TableState.ASSIGNED) and self._pool.keep(table_id, table.host)
            if table.state is not TableState.FINISHED and not is_played:
                if self._assign(table_id, self._wished_ports(active, index)):
                    now[table_id] = replace(seen, table=replace(table, state=TableState.ASSIGNED))
                else:
                    waiting.add(table_id)
        # Only now: if the database fails before this, the match is still in the old segment and starts this again.
        active.tables = {table_id: seen.table for table_id, seen in found.items()}
        active.boards, active.told, active.waiting = dict.fromkeys(found, -1), {}, waiting
        active.finished = {table_id: seen.boards_finished for table_id, seen in found.items()}
        active.is_unsettled = True
        self._note_progress(active, now)

    def _assign(self, table_id: int, ports: dict[Seat, int]) -> bool:
        """Assign a table to a host that has room for it; return False while there is none."""
        host = self._pool.place(table_id)
        if host is not None:
            assign_table(self._database, table_id, host, ports, self._clock.wall_ms())
        return host is not None

    def _wished_ports(self, active: _Active, index: int) -> dict[Seat, int]:
        """Return the ports of table `index` of a match: the same in each round and after a restart."""
        tables = self._file.config.tables
        if tables.port_plan is PortPlan.PER_PAIR:
            home, away = (self._teams[name].number for name in active.match.teams)
            return ports_of_pairs(tables.ports, home, away)
        place = active.match.format.tables_per_match * active.slot + index
        return wished_ports(tables.ports, tables.port_plan, place)

    def _end_match(self, match: MatchInfo) -> None:
        score = self.score(match)
        if score is not None:
            self._listener.match_finished(match, score)

    def score(self, match: MatchInfo) -> MatchScore | None:
        """Score a match and store the score; None while boards are missing, or when extra boards are due."""
        with one_transaction(self._database) as database:
            lock_match(database, match)  # a ruling given now counts in this score, or finds it
            card = self._load_card(match, database)
            if card.score is None or (match.number not in self.decided and self._plan_extra(card) is not None):
                return None
            save_match_score(database, match, card.score, self._clock.wall_ms())
        self.scored.add(match.number)
        return card.score

    def give_extra_boards(self, match: MatchInfo) -> MatchInfo | None:
        """Give extra boards to a match that is tied; return the match with them, or None if it is decided."""
        if not self.event.stage_of(match).extra_boards:
            return None
        extra = self._plan_extra(self._load_card(match, self._database))
        if extra is None:
            return None
        add_segment(self._database, self.event, match, extra, self._clock.wall_ms())
        return self._reload_match(match)

    def _reload_match(self, match: MatchInfo) -> MatchInfo:
        return next(each for each in self.reload().matches if each.number == match.number)

    def _load_card(self, match: MatchInfo, database: Database) -> Scorecard:
        # Not by the score on record: a ruling may have scored the match before its last board was played.
        return work_out_scorecard(database, self.event.seen_whole(), match, self._file.scales[match.stage])

    def _plan_extra(self, card: Scorecard) -> PlannedSegment | None:
        """Return the extra boards that a finished match needs; None if it needs none."""
        match, stage = card.match, self.event.stage_of(card.match)
        if card.score is None or not stage.extra_boards:
            return None
        made = finished_match(match, card.score, card.live_rulings)
        plan = StagePlanner(self._file.config, match.stage).plan
        return contest_of(match.format).extra_segment(plan, stage, match, len(match.segments), made)

    # Hosts and tables

    async def look_after_hosts(self) -> None:
        """Take the tables of dead hosts from them; `look_at_tables` assigns them to others."""
        for dead in self._pool.find_dead():
            tables = len(end_host(self._database, dead.info, dead.reason, self._clock.wall_ms()))
            await self._pool.remove_dead(dead)
            moved = count(tables, "table goes", "tables go")
            self._listener.host_failed(f"{dead.reason}; {moved} to another" if tables else dead.reason)

    def look_at_given_up(self) -> None:
        """Rule on matches whose tables have killed one host after the other, once it is seen that others play on.

        That hosts can play here is shown by a board of another match that was finished since the first of these hosts
        died; at the end, when no other match is in play, by any that this run has seen.

        Raises:
            LaunchError: nothing shows it.
            StoreError: the database cannot be used.
        """
        held = [active for active in self.active if active.given_up and not active.decided]
        are_others_playing = self.at_once > 0
        for active in held:
            losses, table_id = self._pool.losses, min(active.given_up)
            since_ms = losses.lost_since_ms(table_id) if are_others_playing or len(held) > 1 else 0
            others = (at for number, at in self._finished_at_ms.items() if number != active.match.number)
            if any(at_ms >= since_ms for at_ms in others):
                place, times = active.tables[table_id].place, losses.times(table_id)
                reason = (
                    f"{times} table hosts in a row have died at table {place}, and none has finished a board there"
                )
                self._forfeits.give_up(active.match, reason, self._clock.wall_ms())
            elif not are_others_playing:
                places = ", ".join(each.tables[min(each.given_up)].place for each in held)
                raise LaunchError(
                    f"table hosts have died again and again at {'tables' if len(held) > 1 else 'table'} {places}, "
                    "and no other table has finished a board meanwhile: look into hosts/ of the results folder"
                )

    def look_at_tables(self, *, is_stopping: bool = False) -> None:
        """Read the progress of the tables, report what is new, and score the finished matches."""
        progress = self._watch.look([table_id for active in self.active for table_id in active.tables])
        concerned = [
            active
            for active in self.active
            if active.is_unsettled or active.decided or is_stopping or not progress.keys().isdisjoint(active.tables)
        ]
        try:
            self._look_at_matches(concerned, progress, is_stopping=is_stopping)
        except TourneyError:
            self._watch.forget()
            raise
        self._tell_waiting()
        if concerned and any(each.untold for each in self.active) and all(each.is_open for each in self.active):
            self._announce()

    def _look_at_matches(
        self, concerned: Iterable[_Active], progress: Mapping[int, TableProgress], *, is_stopping: bool
    ) -> None:
        now = {table_id: table.state for active in concerned for table_id, table in active.tables.items()}
        now |= {table_id: seen.table.state for table_id, seen in progress.items()}
        without_host = [table_id for table_id, state in now.items() if state is TableState.WAITING]
        holds = load_holds(self._database, without_host) if without_host else {}
        held = {table_id for table_id, hold in holds.items() if hold is OrderKind.STOP}
        has_room = bool(without_host) and self._pool.has_room(without_host)
        for active in concerned:
            self._note_progress(active, progress)
            active.waiting.clear()
            active.given_up.clear()
            if not is_stopping and not active.decided:
                self._assign_again(active, held, has_room=has_room)
            active.is_unsettled = any(table.state is TableState.WAITING for table in active.tables.values())
            if active.is_over:
                self._go_on(active, is_stopping=is_stopping)

    def _go_on(self, active: _Active, *, is_stopping: bool) -> None:
        """After a segment, start the next one or extra boards; otherwise score the match and drop it."""
        if active.decided:
            self._forfeits.finish_tables(active.match, self._clock.wall_ms())
        if active.match.game is not None:
            active.match = self._reload_match(active.match)  # its results have said how many boards it has
        may_go_on = active.is_finished and not active.decided and not is_stopping
        progress = load_progress(self._database, [table.id for table in active.match.tables]) if may_go_on else {}
        segment = _next_segment(active.match, active.rooms, progress) if may_go_on else None
        if segment is None:
            score = self.score(active.match)
            longer = self.give_extra_boards(active.match) if score is None and may_go_on else None
            if score is not None:
                self._listener.match_finished(active.match, score)
            if longer is not None:
                active.match, segment = longer, longer.segments[-1]
                progress = load_progress(self._database, [table.id for table in segment.tables.values()])
        self._pool.losses.forget(active.tables)
        if segment is None:
            self.active.remove(active)
            if active.match.format.plays_halves_apart and active.is_finished:
                self.finished_halves.update(active.tables)
        else:
            self._listener.segment_started(active.match, segment)
            self._start_segment(active, segment, progress)

    def _note_progress(self, active: _Active, progress: Mapping[int, TableProgress]) -> None:
        """Record the progress of those of a match's tables of which it is known, and report what is new."""
        for table_id, before in active.tables.items():
            seen = progress.get(table_id, TableProgress(before, active.finished[table_id]))
            table, boards_finished = seen.table, seen.boards_finished
            active.tables[table_id] = table
            if boards_finished > active.finished[table_id]:
                self._finished_at_ms[active.match.number] = self._clock.now_ms()
                self._pool.losses.forget([table_id])
            active.finished[table_id] = boards_finished
            # The announcement waits until all tables are open, and quick programs may have finished boards by then:
            # nobody is told about the progress of a table that has not been announced.
            is_announced = table_id in active.told or table.state not in _READY
            if is_announced and boards_finished != active.boards[table_id]:
                active.boards[table_id] = boards_finished
                self._listener.table_progressed(active.match, table, boards_finished)
            if table.state is not before.state and table.state in _OVER:
                self._pool.leave(table_id)
            failed = table.state is TableState.FAILED and before.state is not TableState.FAILED
            if failed and not active.decided and table.match not in self.decided:
                where = f"match {table.match} {table.room.value} room"
                self.failures.append(f"{where}: {table.reason}")
                self._listener.table_failed(active.match, table, table.reason)
                self._point_to_check(table)

    def _point_to_check(self, table: TableInfo) -> None:
        """Say how to try the program that was started for nothing and ended a table; once for each team."""
        for seat in SEATS:
            team = self._teams[table.team(seat.side)]
            command, name = team.command_of(table.pair(seat.side)), name_program(team.name, seat)
            is_known = team.name in self._pointed or table.reason.startswith(f"{name} cannot be started")
            if command is not None and table.reason.startswith(name) and not is_known:
                self._pointed.add(team.name)
                entered = next((each for each in self._file.config.team if each.name == team.name), None)
                protocol = entered.protocol if entered is not None else Language.BLUE_CHIP
                sandbox = self._file.host_settings.sandbox
                folder = Path(sandbox.team_folders.get(team.name, str(self._file.folder)))
                readable = [*sandbox.readable, *(["."] if team.name in sandbox.team_folders else [])]
                is_walled = self._walls is SandboxKind.BUBBLEWRAP
                line = format_check_bot(team.name, command, team.profile, protocol, readable if is_walled else None)
                if Path.cwd() != folder:
                    line = f"cd {shlex.quote(str(folder))} && {line}"
                self._listener.told(f"to try the program of {team.name}: {line}")

    def _assign_again(self, active: _Active, held: Collection[int], *, has_room: bool) -> None:
        """Assign tables without a host, on the ports that they had; the director has stopped those in `held`."""
        for index, table in enumerate(list(active.tables.values())):
            if table.state is not TableState.WAITING:
                continue
            if self._pool.losses.is_given_up(table.id):
                active.given_up.add(table.id)
            elif table.id in held:
                continue
            elif has_room and self._assign(table.id, table.ports or self._wished_ports(active, index)):
                active.tables[table.id] = replace(table, state=TableState.ASSIGNED)
            else:
                active.waiting.add(table.id)

    def _tell_waiting(self) -> None:
        """Say once that tables wait for a place, unless it takes a moment only, and once that none does any more."""
        waiting = sum(len(active.waiting) for active in self.active)
        now_ms = self._clock.now_ms()
        if not waiting:
            if self._has_told_waiting:
                self._listener.told("no table waits for a place any more")
            self._waiting_since_ms, self._has_told_waiting = None, False
        elif self._waiting_since_ms is None:
            self._waiting_since_ms = now_ms
        elif not self._has_told_waiting and now_ms - self._waiting_since_ms > TOLD_WAITING_MS:
            self._has_told_waiting = True
            self._listener.told(f"{count(waiting, 'table waits', 'tables wait')} for a place: {self._pool.room}")

    def _announce(self) -> None:
        """Announce who connects where, once every table has its ports."""
        new, everybody = [], []
        ours: dict[str, dict[int, str]] = {}
        for active in self.active:
            for table in active.tables.values():
                if table.state in _READY:
                    here = ours.setdefault(self._addresses.of_table(table), {})
                    here.update(dict.fromkeys(table.ports.values(), table.place))
        for active in self.active:
            untold = active.untold
            for index, table in enumerate(active.tables.values()):
                if table.state not in _READY:
                    continue
                host = self._addresses.of_table(table)
                if table in untold:
                    self._tell_taken_ports(table, self._wished_ports(active, index), ours[host])
                places = self._places(active.match, table, host, active.round)
                everybody += places
                if table in untold:
                    new += places
                    active.told[table.id] = host, table.ports
                    active.is_unsettled = True
        everybody += self._places_to_come(self._file.address.host)
        stateful = self._file.config.stateful
        stateful_port = stateful.port if stateful is not None else None
        write_connections(self._file.results / "connections.json", everybody, stateful_port)
        self._listener.tables_opened(new)

    def labelled_seats(self) -> list[LabelledSeat]:
        """Return the seats at open tables whose programs are started on machines with labels."""
        labels = self._file.labels
        if not labels:
            return []
        folders = {team.name: team.folder for team in self._file.config.team}
        open_tables = (table for active in self.active for table in active.tables.values() if table.state in _READY)
        seats = []
        for table, seat in product(open_tables, SEATS):
            name = table.team(seat.side)
            command = self._teams[name].command_of(table.pair(seat.side))
            if name in labels and command is not None:
                login = self._file.logins.get(name, name)
                host = self._addresses.of_table(table)
                seats.append(LabelledSeat(table, seat, labels[name], command, host, login, folders[name]))
        return seats

    def _places(self, match: MatchInfo, table: TableInfo, host: str, round_: int) -> list[SeatPlace]:
        """Return the four seats of a table of a match, which has its ports."""
        number = None
        if match.format.is_of_pairs:
            stage = self.event.stage_of(match)
            number = number_tables(stage, self._file.config.movements.get(stage.number))[match.number]
        places = seat_places(
            table,
            host,
            self._teams,
            self._file.logins,
            round_ if match.format.has_movement else None,
            number,
            has_known_boards=match.boards_known is not None,
            labels=self._file.labels,
        )
        stateful = self._file.config.stateful
        if stateful is None:
            return [self._at_team_port(place) for place in places]
        speak_it = {team.name for team in self._file.config.team if team.protocol is Language.STATEFUL}
        return [
            replace(place, stateful_port=stateful.port)
            if place.team in speak_it and not place.is_ours
            else self._at_team_port(place)
            for place in places
        ]

    def _at_team_port(self, place: SeatPlace) -> SeatPlace:
        """Return the place of a seat at the port of its team, where programs from elsewhere have one."""
        port = self._file.config.tables.team_port(self._teams[place.team].number)
        if port is None or place.is_ours:
            return place
        return replace(place, host=self._file.address.host, port=port, table_host=place.host, table_port=place.port)

    def _places_to_come(self, host: str) -> list[SeatPlace]:
        """Return the seats of matches that are not in play yet, if their ports are known: one for each pair."""
        tables = self._file.config.tables
        if tables.port_plan is not PortPlan.PER_PAIR or not self._addresses.are_known:
            return []
        unscored = load_unscored(self._database, self.event.id)
        others = unscored.keys() - {active.match.number for active in self.active} - self.decided
        places = []
        for match in self.event.matches:
            if match.number in others:
                home, away = (self._teams[name].number for name in match.teams)
                ports = ports_of_pairs(tables.ports, home, away)
                for table in match.tables:
                    places += self._places(match, replace(table, ports=ports), host, match.round)
        return places

    def _tell_taken_ports(self, table: TableInfo, wished: Mapping[Seat, int], ours: Mapping[int, str]) -> None:
        """Say where a table is not on the ports that the event file gives it; `ours` are the open ports by place."""
        if not set(wished.values()) - set(table.ports.values()):
            return
        taken = sorted({port for seat, port in wished.items() if table.ports.get(seat) != port})
        holder = next((f"table {ours[port]}" for port in taken if ours.get(port, table.place) != table.place), None)
        given = sorted(set(table.ports.values()))
        what = "port" if len(taken) == 1 else "ports"
        advice = "" if holder else "; end that program before a run, or give other `ports` in [tables]"
        self._listener.told(
            f"{table.place}: {what} {_ports_text(taken)} {'is' if len(taken) == 1 else 'are'} taken by "
            f"{holder or 'another program'}, so its players connect to {_ports_text(given)}{advice}"
        )


def _ports_text(ports: Sequence[int]) -> str:
    """Format neighbouring ports: `2000`, or `2000-2003`."""
    return str(ports[0]) if len(ports) == 1 else f"{ports[0]}-{ports[-1]}"


def _next_segment(
    match: MatchInfo, rooms: Iterable[Room], progress: Mapping[int, TableProgress]
) -> SegmentInfo | None:
    """Return the first segment with an unfinished table in these rooms: a board of an earlier one may be replayed."""
    for segment in match.segments:
        states = [progress[segment.tables[room].id].table.state for room in rooms]
        if any(state is not TableState.FINISHED for state in states):
            return segment
    return None
