"""The run of an event of open stages: matches come to it one by one, as the games that players of a lobby make do.

A match is drawn into its stage when it comes (`add_match`), and begun at once: whoever adds matches knows how many
may be played. It is scored as soon as its tables are over, or broken off as it stands (`break_off`). One that is
broken off before any of its players has called was never played, and leaves the record.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Final

from tourney.bridge import Board
from tourney.contest.draw import MatchInfo, RoundAssignment
from tourney.coordinator.director import Director, RulingBasis, unfinished_boards
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.match_runner import ActiveMatch, MatchRunner
from tourney.coordinator.run_context import MatchDiscarded, MatchFinished, RunContext
from tourney.errors import RuleError
from tourney.host.lobby import is_bot
from tourney.movement.seating import TableState
from tourney.results.scorecard import work_out_scorecard
from tourney.scoring.match import MatchScore
from tourney.store.control.host_settings import HostSettings, load_durability, load_settings
from tourney.store.control.orders import load_holds
from tourney.store.control.table_state import finish_tables
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.open_stage import add_match, discard_match
from tourney.store.draw.reader import load_event
from tourney.store.models import OrderKind
from tourney.store.record.live import load_seatings
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import load_match_score, lock_match, save_match_score
from tourney.store.rulings import deciding

NEWCOMERS_MS: Final = 5000
"""How often it is looked for matches that have come in another way than by `add_match`, or have lost their score."""

AUTHOR: Final = "the lobby"
"""Who breaks matches off."""

_PLAYED_OUT: Final = "its last deal is played"


class OpenMatchRunner(MatchRunner):
    """Runs the matches of open stages that are in play."""

    def load_left(self) -> set[int]:
        """Return the numbers of the matches without a score: each is scored when it has been taken up."""
        return set(load_unscored(*self._run.record))

    def find_newcomers(self, queue: Iterable[RoundAssignment]) -> list[RoundAssignment]:
        """Return the matches without a score that are neither in the queue nor in play."""
        known = {each.match.number for each in (*queue, *(active.assignment for active in self.active))}
        new = self.load_left() - known - self._left.keys()
        if not new:
            return []
        self._run.reload()
        assignments = (each for round_ in self._run.event.rounds for each in round_.assignments)
        return [each for each in assignments if each.match.number in new]

    def poll_rulings(self, unfinished: Iterable[MatchInfo]) -> None:
        super().poll_rulings(unfinished)
        for active in self.active:
            reason = self._run.broken_off.get(active.match.number)
            if reason is not None and not active.is_decided:
                self._forfeits.stop_tables(active.match, reason, AUTHOR)
                active.is_decided = True

    def start_or_leave(self, assignment: RoundAssignment) -> None:
        holds = load_holds(self._run.database, [table.id for table in assignment.tables])
        # It has been broken off since it was drawn, perhaps in a run that ended before the match did.
        if OrderKind.STOP in holds.values() or assignment.match.number in self._run.broken_off:
            self._end(assignment, is_played_out=False)
        else:
            self._start_match(assignment)

    def _announce(self) -> None:
        """Nobody is told where tables are: their players are led there."""

    def _continue_match(self, active: ActiveMatch, *, is_stopping: bool) -> None:
        is_played_out = active.states == {TableState.FINISHED}
        if is_played_out or not is_stopping:
            self._end(active.assignment, is_played_out=is_played_out)
            self._pool.losses.forget(active.tables)
            self.active.remove(active)

    def _end(self, assignment: RoundAssignment, *, is_played_out: bool) -> None:
        match, reason = assignment.match, None
        if not is_played_out:
            tables = (table for active in self.active if active.match is match for table in active.tables.values())
            reasons = (table.info.reason for table in tables if table.info.reason)
            reason = self._run.broken_off.get(match.number) or next(reasons, "it was stopped")
        score = end_open_match(self._run, match, reason)
        self._run.broken_off.pop(match.number, None)
        if score is not None:
            self._run.report(MatchFinished(match, score, reason or ""))
        else:
            self._leave(assignment)
            self._run.report(MatchDiscarded(match.number))


class OpenRun(EventRun):
    """A run of open stages, until it is stopped; what it is asked for may come from any thread."""

    _runner_class: ClassVar[type[MatchRunner]] = OpenMatchRunner
    _playing: OpenMatchRunner

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._run.loads_left = True
        self._asked: deque[Callable[[], None]] = deque()
        """What is to be done in turn."""
        self._newcomers_at_ms = 0
        """When it is looked for matches that have come."""
        self._loop: asyncio.AbstractEventLoop | None = None

    def ask(self, work: Callable[[Database], None]) -> None:
        """Have something put on record in its turn, and again if the database cannot be used."""
        self._asked.append(partial(work, self._database))
        self._wake_up()

    def add_match(self, match: MatchInfo, boards: tuple[Board, ...]) -> None:
        """Draw a match into its stage, and play it, unless it is broken off by then."""
        is_new = True

        def add(database: Database) -> None:
            nonlocal is_new
            if is_new and self._run.broken_off.pop(match.number, None) is not None:
                self._run.report(MatchDiscarded(match.number))
                return
            is_new = False  # what comes of it may be on record although the database has failed
            add_match(database, self._run.event.id, match, boards, self._run.wall_ms())

        self.ask(add)

    def break_off(self, number: int, reason: str) -> None:
        """End a match as it stands."""
        self._run.broken_off[number] = reason
        self._wake_up()

    def _wake_up(self) -> None:
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    async def run(self) -> RunOutcome:
        self._loop = asyncio.get_running_loop()
        return await super().run()

    @property
    def _host_settings(self) -> HostSettings:
        settings = super()._host_settings
        if load_durability(*self._run.record) is None:  # the first run
            return settings
        # The names that players have kept for themselves.
        return replace(settings, entrances=load_settings(*self._run.record).entrances)

    def _poll_rulings_before(self) -> None:
        """Leave all rulings to the first look at the matches that are taken up: no round is drawn from another."""

    async def _play_all(self) -> None:
        await self._play(deque())

    def _is_due(self, queue: deque[RoundAssignment]) -> bool:  # noqa: ARG002 # there may always be another match
        return True

    def _may_start(self, queue: deque[RoundAssignment]) -> bool:
        return bool(queue)

    async def _poll(self, queue: deque[RoundAssignment]) -> None:
        while self._asked:
            self._asked[0]()
            self._asked.popleft()
            self._newcomers_at_ms = 0
        now_ms = self._run.now_ms()
        if now_ms >= self._newcomers_at_ms:
            queue += self._playing.find_newcomers(queue)
            self._newcomers_at_ms = now_ms + NEWCOMERS_MS
        await super()._poll(queue)


def end_open_match(run: RunContext, match: MatchInfo, reason: str | None) -> MatchScore | None:
    """Put on record what a match has come to: nothing at all if it was broken off before one of its players called.

    Where the event is dealt from a seed, such a match stays on record with its number.

    Args:
        run: the run of its event.
        match: the match, whose table no host has any more.
        reason: why it is broken off, so that it counts as it stands; None if it was played out.

    Returns:
        Its score; None if it is on record no more.

    Raises:
        StoreError: the database cannot be used.
    """
    with deciding(*run.record) as database:
        event = load_event(database, run.event.name, is_left=True)
        now = event.matches_by_number.get(match.number) if event is not None else None
        if event is None or now is None:
            return load_match_score(database, match)  # a ruling has scored it, or an earlier try has ended it
        # From a seed, the next match with its number would have the boards whose hands its players have seen.
        if reason is not None and run.config.deals.seed is None:
            seated = load_seatings(database, now.tables_by_id)
            players = {each.seat for each in seated if not is_bot(each.team)}
            if discard_match(database, run.event.id, now.number, players):
                for table in now.tables:
                    run.file.host_settings.wire_log_path(table).unlink(missing_ok=True)
                return None
        return _score(database, run, event, now, reason)


def _score(
    database: Database, run: RunContext, event: EventInfo, match: MatchInfo, reason: str | None
) -> MatchScore | None:
    """Score a match in the transaction of this database; of one that is left, the next board is cancelled."""
    lock_match(database, match)
    scales, now_ms = run.file.scales, run.wall_ms()
    scale = scales[match.stage]
    score = work_out_scorecard(database, match, scale).score
    if reason is not None or score is None:
        basis = RulingBasis(AUTHOR, reason or _PLAYED_OUT, None, now_ms)
        for board in unfinished_boards(database, match)[:1]:
            with suppress(RuleError):  # it has a ruling already
                Director(database, event, scales, basis).cancel(match, board)
        if reason is not None:
            finish_tables(database, match.tables_by_id, reason, now_ms)
        score = work_out_scorecard(database, match, scale).score
    if score is not None:
        save_match_score(database, match, score)
    return score
