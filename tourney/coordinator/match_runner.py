"""Runs the matches in play: assigns their tables to hosts, and to others when hosts die, watches and scores them.

Nothing here waits. Whatever fails because the database is unavailable can be retried: what was already done is found
on record. What may happen to a match, and to a table, is on the first page of `event_run`.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.config import SandboxKind
from tourney.config.command import format_check_bot, name_program
from tourney.contest.draw import MatchInfo, RoundAssignment, RoundInfo, SegmentInfo
from tourney.contest.record import finished_match
from tourney.coordinator.connections import Connections
from tourney.coordinator.director import scoring_rulings
from tourney.coordinator.draw import rounds_begun_from
from tourney.coordinator.forfeits import Forfeits
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.run_context import (
    MatchFinished,
    MatchHeld,
    OpenTable,
    RunContext,
    SegmentStarted,
    TableFailed,
    TableProgressed,
)
from tourney.errors import LaunchError, TourneyError
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.plurals import count, plural
from tourney.protocol.session.records import RulingKind
from tourney.results.scorecard import Scorecard, work_out_scorecard
from tourney.scoring.match import MatchScore
from tourney.store.control.orders import hold_new_tables, load_holds, settle_replays
from tourney.store.control.table_state import WITH_HOST, assign_table
from tourney.store.control.tables import ProgressWatch, TableProgress, load_progress
from tourney.store.db.database import Database
from tourney.store.db.transactions import one_transaction
from tourney.store.draw.writer import add_segment
from tourney.store.models import OrderKind
from tourney.store.results.event_results import MatchFilter, iter_results, load_unscored
from tourney.store.results.matches import lock_match, save_match_score

_OVER: Final = frozenset({TableState.FINISHED, TableState.FAILED, TableState.WAITING})
"""States of a table that is no longer played; a waiting table that is not assigned again is left for a later run."""

_READY: Final = (TableState.OPEN, TableState.PLAYING)

WAITING_REPORT_MS: Final = 20_000
"""How long tables wait for a place before the run says so: longer than a host takes that was started for them."""


@dataclass(slots=True)
class _Table:
    """A table of the segment in play."""

    info: TableInfo
    """As last seen."""
    place: int
    """Its number among the tables in play, which determines its ports."""
    finished: int
    """How many boards it had finished at the last look."""
    reported: int = -1
    """How many that were when it was last reported."""


@dataclass(slots=True)
class ActiveMatch:
    """A match in play. `slot` is its number among the matches in play, which determines its ports."""

    assignment: RoundAssignment
    match: MatchInfo
    slot: int
    tables: dict[int, _Table] = field(default_factory=dict)
    """The tables of the segment in play, by id."""
    is_decided: bool = False
    """Whether a ruling has ended the match; its tables have then been told to stop."""

    @property
    def states(self) -> set[TableState]:
        return {table.info.state for table in self.tables.values()}

    @property
    def waiting(self) -> list[int]:
        """Its tables that have no host."""
        return [table_id for table_id, table in self.tables.items() if table.info.state is TableState.WAITING]


class MatchRunner:
    """Runs the matches that are in play."""

    def __init__(self, run: RunContext, pool: HostPool, sandbox_kind: SandboxKind = SandboxKind.NONE) -> None:
        """Prepare to play on the hosts of a pool; `sandbox_kind` is that of programs that tourney starts."""
        self.failures: list[str] = []
        """A sentence for each table that could not be played."""
        self.active: list[ActiveMatch] = []
        self._left: dict[int, set[tuple[Room, ...]]] = {}
        """What this run had to leave without a result, and does not begin again: rooms by number of the match."""
        self._run = run
        self._sandbox_kind = sandbox_kind
        self._pool = pool
        self._connections = Connections(run)
        self._pointed: set[str] = set()
        """Teams whose program the organiser has been told how to try."""
        self._forfeits = Forfeits(run)
        self._watch = ProgressWatch(run.database)
        self._waiting_since_ms: int | None = None
        """Since when some table has waited for a place; None while none does."""
        self._has_reported_waiting = False
        self._finished_at_ms: dict[int, int] = {}
        """When a table of each match, by its number, was last seen to have finished a board."""

    @property
    def matches(self) -> list[MatchInfo]:
        return [active.match for active in self.active]

    @property
    def at_once(self) -> int:
        """How many matches are in play, without those that are given up and wait for the ruling."""
        return sum(not self._given_up(active) for active in self.active)

    def _given_up(self, active: ActiveMatch) -> list[TableInfo]:
        """Return the tables of a match that have killed their hosts and are not tried again, until it is decided."""
        if active.is_decided:
            return []
        return [active.tables[each].info for each in active.waiting if self._pool.losses.is_given_up(each)]

    # What is left

    def load_left(self) -> set[int]:
        """Return the numbers of the matches without a score, after scoring those whose tables have all finished."""
        run = self._run
        run.refresh()
        settle_replays(*run.record, run.wall_ms())
        unscored = load_unscored(*run.record)
        left = set()
        for match in run.event.matches:
            if match.number not in unscored:
                continue
            is_over = unscored[match.number] or match.number in self._forfeits.decided
            if is_over and self.score(match) is not None:
                continue
            left.add(match.number)
            if is_over and self.give_extra_boards(match) is None and self._forfeits.reopen_tables(match):
                self._left.pop(match.number, None)  # a ruling that had ended it was withdrawn
        return left

    def find_due(self, round_: RoundInfo, left: Collection[int]) -> list[RoundAssignment]:
        """Return what is to be played in a round, given the numbers of the matches without a score.

        What this run has had to leave is not among it, until the director has had it scored or played on.
        """
        return [
            each
            for each in round_.assignments
            if each.match.number in left
            and each.rooms not in self._left.get(each.match.number, ())
            and not self._waits_for_other_half(each)
        ]

    def _waits_for_other_half(self, assignment: RoundAssignment) -> bool:
        """Return whether it is half a match that has finished, and the match is to be finished by the other half."""
        if not assignment.is_half:
            return False
        progress = load_progress(self._run.database, assignment.match.tables_by_id)
        left = {id_ for id_, seen in progress.items() if not seen.table.is_over}
        return bool(left) and left.isdisjoint(table.id for table in assignment.tables)

    def poll_rulings(self, unfinished: Iterable[MatchInfo]) -> None:
        """Report new rulings, and stop the matches that they have decided."""
        self._forfeits.poll(unfinished)
        for active in self.active:
            if active.match.number in self._forfeits.decided and not active.is_decided:
                self._forfeits.stop_tables(active.match)
                active.is_decided = True

    # Matches

    def start_or_leave(self, assignment: RoundAssignment) -> None:
        """Start a match, or half of it, unless a ruling has decided it or the director has stopped it."""
        match = assignment.match
        if match.number in self._forfeits.decided:
            self._forfeits.finish_tables(match)
            if self._finish(match) is None:
                self._leave(assignment)
            return
        ids = [table.id for table in assignment.tables]
        holds = load_holds(self._run.database, ids)
        if OrderKind.STOP in holds.values() and self._forfeits.reopen_tables(match):
            holds = load_holds(self._run.database, ids)  # less those of a ruling that was withdrawn
        if OrderKind.STOP in holds.values():
            self.failures.append(f"match {match.number}: the director has stopped it")
            self._leave(assignment)
            self._run.report(MatchHeld(match))
            return
        self._start_match(assignment)

    def _leave(self, assignment: RoundAssignment) -> None:
        self._left.setdefault(assignment.match.number, set()).add(assignment.rooms)

    def _start_match(self, assignment: RoundAssignment) -> None:
        match = assignment.match
        progress = load_progress(self._run.database, [table.id for table in assignment.tables])
        segment = _next_segment(match, assignment.rooms, progress) or match.segments[-1]
        taken = {active.slot for active in self.active}
        active = ActiveMatch(assignment, match, next(slot for slot in range(len(taken) + 1) if slot not in taken))
        self._start_segment(active, segment)
        self.active.append(active)  # not before: if the database fails half-way, all of it is tried again
        self._watch.forget()  # its tables may be over already, and have been seen so

    def _start_segment(self, active: ActiveMatch, segment: SegmentInfo) -> None:
        """Assign the tables of a segment to hosts."""
        infos = [segment.tables[room] for room in active.assignment.rooms]
        progress = load_progress(self._run.database, [info.id for info in infos])  # newer than that in the draw
        tables = {}
        first = active.match.format.tables_per_match * active.slot
        for place, info in enumerate(infos, first):
            seen = progress[info.id]
            table = tables[info.id] = _Table(seen.table, place, seen.boards_finished)
            is_played = seen.table.state in WITH_HOST and self._pool.keep(info.id, seen.table.host)
            if not (seen.table.is_over or is_played):
                self._assign(table, self._run.config.tables.wished_ports(place))
        self._connections.forget(tables)
        # Only now: if the database fails before this, the match is still in the old segment and starts this again.
        active.tables = tables
        self._note_progress(active, {})

    def _assign(self, table: _Table, ports: dict[Seat, int]) -> None:
        """Assign a table to a host that has room for it; it waits while there is none."""
        host = self._pool.place(table.info.id)
        if host is not None:
            assign_table(self._run.database, table.info.id, host, ports, self._run.wall_ms())
            table.info = replace(table.info, state=TableState.ASSIGNED)

    def _finish(self, match: MatchInfo) -> MatchScore | None:
        """Score a match, and report the score if it has one."""
        score = self.score(match)
        if score is not None:
            self._run.report(MatchFinished(match, score))
        return score

    def score(self, match: MatchInfo) -> MatchScore | None:
        """Score a match and store the score; None while boards are missing, or when extra boards are due."""
        with one_transaction(self._run.database) as database:
            lock_match(database, match)  # a ruling given now counts in this score, or finds it
            card = self._load_card(match, database)
            if card.score is None or (
                match.number not in self._forfeits.decided and self._plan_extra(card, database)
            ):
                return None
            save_match_score(database, match, card.score)
        self._left.pop(match.number, None)
        return card.score

    def give_extra_boards(self, match: MatchInfo) -> MatchInfo | None:
        """Give extra boards to a match that is tied; return the match with them, or None if it is decided."""
        run = self._run
        if not match.rules.extra_boards:
            return None
        extra = self._plan_extra(self._load_card(match, run.database), run.database)
        if not extra:
            return None
        with one_transaction(run.database) as database:
            add_segment(database, run.event, match, extra, run.wall_ms())
            hold_new_tables(database, run.event.id, run.wall_ms())
        return self._reload_match(match)

    def _reload_match(self, match: MatchInfo) -> MatchInfo:
        self._run.reload()
        return self._run.event.matches_by_number[match.number]

    def _load_card(self, match: MatchInfo, database: Database) -> Scorecard:
        # Not by the score on record: a ruling may have scored the match before its last board was played.
        run = self._run
        return work_out_scorecard(database, match, run.file.scales[match.stage])

    def _plan_extra(self, card: Scorecard, database: Database) -> tuple[TableInfo, ...]:
        """Return the tables of extra boards that a finished match needs; none if its winner plays on already."""
        match = card.match
        if card.score is None or not match.rules.extra_boards:
            return ()
        extra = match.format.extra_segment(match, finished_match(match, card.score, card.live_rulings))
        return () if extra and rounds_begun_from(database, self._run.event, match) else extra

    # Hosts and tables

    def poll_withdrawals(self) -> None:
        """Rule on matches whose tables have killed one host after the other, once it is seen that others play on.

        That hosts can play here is shown by a board of another match that was finished since the first of these hosts
        died; at the end, when no other match is in play, by any that this run has seen.

        Raises:
            LaunchError: nothing shows it.
            StoreError: the database cannot be used.
        """
        given_up = [(active, self._given_up(active)) for active in self.active]
        held = [(active, min(infos, key=lambda info: info.id)) for active, infos in given_up if infos]
        are_others_playing, losses = self.at_once > 0, self._pool.losses
        for active, table in held:
            since_ms = losses.lost_since_ms(table.id) if are_others_playing or len(held) > 1 else 0
            finished = (at_ms for number, at_ms in self._finished_at_ms.items() if number != active.match.number)
            if any(at_ms >= since_ms for at_ms in finished):
                self._forfeits.give_up(
                    active.match,
                    f"{losses.times(table.id)} table hosts in a row have died at table {table.place}, and none has "
                    "finished a board there",
                )
            elif not are_others_playing:
                places = ", ".join(each.place for _, each in held)
                raise LaunchError(
                    f"table hosts have died again and again at {plural(len(held), 'table')} {places}, "
                    "and no other table has finished a board meanwhile: look into hosts/ of the results folder"
                )

    def poll_tables(self, *, is_stopping: bool = False) -> None:
        """Read the progress of the tables, report what is new, and score the finished matches."""
        progress = self._watch.poll([table_id for active in self.active for table_id in active.tables])
        concerned = [
            active
            for active in self.active
            if is_stopping
            or active.is_decided
            or TableState.WAITING in active.states
            or not progress.keys().isdisjoint(active.tables)
        ]
        try:
            waiting = self._poll_matches(concerned, progress, is_stopping=is_stopping)
        except TourneyError:
            self._watch.forget()
            raise
        self._report_waiting(waiting)
        if concerned and all(TableState.ASSIGNED not in each.states for each in self.active):
            self._announce()

    def _announce(self) -> None:
        """Announce where tables are, now that all are open, and what has happened there since."""
        address_of = self._connections.address_of
        open_tables = [
            OpenTable(table.info, active.match, active.assignment.round, address_of(table.info), table.place)
            for active in self.active
            for table in active.tables.values()
            if table.info.state in _READY
        ]
        self._connections.announce(open_tables)
        for active in self.active:
            self._note_progress(active, {})

    def _poll_matches(
        self, concerned: Collection[ActiveMatch], progress: Mapping[int, TableProgress], *, is_stopping: bool
    ) -> int:
        """Bring matches on by what is new at their tables; return how many of these wait for a place with room."""
        for active in concerned:
            self._note_progress(active, progress)
        without_host = [table_id for active in concerned for table_id in active.waiting]
        holds = load_holds(self._run.database, without_host) if without_host else {}
        has_room = bool(without_host) and self._pool.has_room(without_host)
        waiting = 0
        for active in concerned:
            is_awaited = False
            for table_id in [] if is_stopping or active.is_decided else active.waiting:
                table, is_given_up = active.tables[table_id], self._pool.losses.is_given_up(table_id)
                if holds.get(table_id) is OrderKind.STOP and not is_given_up:
                    continue
                if has_room and not is_given_up:
                    self._assign(table, table.info.ports or self._run.config.tables.wished_ports(table.place))
                if table.info.state is TableState.WAITING:
                    is_awaited = True
                    waiting += not is_given_up
            if active.states <= _OVER and not is_awaited:
                self._continue_match(active, is_stopping=is_stopping)
        return waiting

    def _continue_match(self, active: ActiveMatch, *, is_stopping: bool) -> None:
        """After a segment, start the next one or extra boards; otherwise score the match and drop it."""
        if active.is_decided:
            self._forfeits.finish_tables(active.match)
        active.match = self._reload_match(active.match)  # of a game, results have said how many boards it has
        may_continue = active.states == {TableState.FINISHED} and not active.is_decided and not is_stopping
        segment = self._next_boards(active) if may_continue else None
        score = self._finish(active.match) if segment is None else None
        self._pool.losses.forget(active.tables)
        if segment is not None:
            self._run.report(SegmentStarted(active.match, segment))
            self._start_segment(active, segment)
            return
        self.active.remove(active)
        if score is None and not self._waits_for_other_half(active.assignment):
            if may_continue:
                self.failures += [why for why in self._why_unscored(active.match) if why not in self.failures]
            self._leave(active.assignment)

    def _next_boards(self, active: ActiveMatch) -> SegmentInfo | None:
        """Return what a match in play goes on with: its next segment, or extra boards; None if it has played all."""
        match = active.match
        progress = load_progress(self._run.database, match.tables_by_id)
        segment = _next_segment(match, active.assignment.rooms, progress)
        longer = self.give_extra_boards(match) if segment is None else None
        if longer is not None:
            active.match, segment = longer, longer.segments[-1]
        return segment

    def _why_unscored(self, match: MatchInfo) -> Iterator[str]:
        """Name the boards for which a match has no score although its tables have finished: a ruling has gone."""
        database = self._run.database
        played = dict(iter_results(database, MatchFilter(self._run.event.id, matches=[match.number])))
        for board in self._load_card(match, database).boards:
            rulings = scoring_rulings(database, match, board.number)
            for room in board.tables:
                here = [ruling for ruling in rulings if ruling.room in (None, room)]
                ruled_for = {ruling.team for ruling in here}
                others = " and ".join(team for team in match.teams if team not in ruled_for)
                is_forfeited = any(ruling.kind is RulingKind.BOARD_FORFEIT for ruling in here)
                has_result = board.number in played.get(match.number, {}).get(room, {})
                if board.imps is None and others and not (is_forfeited or has_result):
                    where = f", {room.value} room," if len(board.tables) > 1 else ""
                    mends = "`tourney rule` gives it one" if ruled_for else match.format.how_to_mend
                    name = f"match {match.number}: board {board.number}{where}"
                    for_others = f" for {others}" if ruled_for else ""
                    yield f"{name} has neither a result nor a ruling{for_others}: {mends}"

    def _note_progress(self, active: ActiveMatch, progress: Mapping[int, TableProgress]) -> None:
        """Record the progress of those of a match's tables of which it is known, and report what is new."""
        for table_id, table in active.tables.items():
            before = table.info.state
            if table_id in progress:
                seen = progress[table_id]
                table.info = seen.table
                if seen.boards_finished > table.finished:
                    self._finished_at_ms[active.match.number] = self._run.now_ms()
                    self._pool.losses.forget([table_id])
                table.finished = seen.boards_finished
            info = table.info
            # The announcement waits until all tables are open, and quick programs may have finished boards by then:
            # nobody is told about the progress of a table that has not been announced.
            is_announced = table_id in self._connections.announced or info.state not in _READY
            if is_announced and table.finished != table.reported:
                table.reported = table.finished
                self._run.report(TableProgressed(active.match, info, table.finished))
            if info.state is before:
                continue
            if info.state in _OVER:
                self._pool.leave(table_id)
            if info.state is TableState.FAILED and not active.is_decided and info.match not in self._forfeits.decided:
                self.failures.append(f"match {info.match} {info.room.value} room: {info.reason}")
                self._run.report(TableFailed(active.match, info))
                self._point_to_check(info)

    def _point_to_check(self, table: TableInfo) -> None:
        """Say how to try the program that was started for nothing and ended a table; once for each team."""
        file = self._run.file
        for seat in SEATS:
            team = self._run.teams[table.team(seat.side)].at(seat)
            command, name = team.command, name_program(team.name, seat)
            is_known = team.name in self._pointed or table.reason.startswith(f"{name} cannot be started")
            if command is None or not table.reason.startswith(name) or is_known:
                continue
            self._pointed.add(team.name)
            sandbox = file.host_settings.sandbox
            folder = Path(sandbox.team_folders.get(team.name, str(file.folder)))
            readable = [*sandbox.readable, *(["."] if team.name in sandbox.team_folders else [])]
            is_sandboxed = self._sandbox_kind is SandboxKind.BUBBLEWRAP
            protocol = file.team(team.name).protocol
            line = format_check_bot(team.name, command, team.profile, protocol, readable if is_sandboxed else None)
            if Path.cwd() != folder:
                line = f"cd {shlex.quote(str(folder))} && {line}"
            self._run.notify(f"to try the program of {team.name}: {line}")

    def _report_waiting(self, waiting: int) -> None:
        """Say once that tables wait for a place, unless it takes a moment only, and once that none does any more."""
        now_ms = self._run.now_ms()
        if not waiting:
            if self._has_reported_waiting:
                self._run.notify("no table waits for a place any more")
            self._waiting_since_ms, self._has_reported_waiting = None, False
        elif self._waiting_since_ms is None:
            self._waiting_since_ms = now_ms
        elif not self._has_reported_waiting and now_ms - self._waiting_since_ms > WAITING_REPORT_MS:
            self._has_reported_waiting = True
            self._run.notify(f"{count(waiting, 'table waits', 'tables wait')} for a place: {self._pool.room}")


def _next_segment(
    match: MatchInfo, rooms: Iterable[Room], progress: Mapping[int, TableProgress]
) -> SegmentInfo | None:
    """Return the first segment with an unfinished table in these rooms: a board of an earlier one may be replayed."""
    for segment in match.segments:
        if any(not progress[segment.tables[room].id].table.is_over for room in rooms):
            return segment
    return None
