"""Watches a duel while it is played, and stops its tables once it is decided.

The record is looked at every second or so. Boards that count already are not read again, so that a look costs the
same after thousands of boards as after the first.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from tourney.bridge import Board
from tourney.config.stages import StageConfig
from tourney.contest.record import SeatedBoard
from tourney.errors import StoreUnavailable
from tourney.plurals import count
from tourney.protocol.session.records import RulingKind
from tourney.report.duel import DuelStanding, duel_test, load_duel, swing_of, swings_in_order
from tourney.report.sequential_test import SequentialReport, run_test
from tourney.results.scorecard import load_comparisons
from tourney.runtime.clock import HostClock
from tourney.scoring.match import BoardComparison
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import OrderKind, TableState
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import RulingInfo, load_rulings

POLL_S: Final = 1.0
"""The least time between two looks at the record, in seconds."""
LOOK_SHARE: Final = 0.02
"""The most of the time of a processor that looking may take, as long as looks are `LOOK_MAX_S` apart at most."""
LOOK_MAX_S: Final = 5.0
"""The most time between two looks: what is played after the decision is played for nothing."""
SHOWN_EVERY: Final = 16
"""Progress is shown after the first boards, and then after so many."""
STRIKES: Final = 20
STRUCK_SHARE: Final = 0.1
"""A duel stops once a team has lost so many boards by faults of its programs, and so many of all that count."""
AUTHOR: Final = "the duel"
"""Who stops the tables once the duel is decided."""
STOPPED: Final = f"stopped by {AUTHOR}"
"""How the reason begins for which a table has then ended."""


class DuelCounter:
    """Counts the boards of a duel again and again, and reads each only until it counts.

    A ruling may change any board: after each, all are read anew.
    """

    def __init__(self, database: Database, event: EventInfo, stage: StageConfig) -> None:
        """Prepare to count the boards of a duel that has been drawn; `stage` is its stage in the event file."""
        self._database = database
        self._event = event
        self._matches = sorted(event.rounds[0].matches, key=lambda match: match.number)
        self._test, self._is_tested = duel_test(stage)
        self._boards: dict[int, Sequence[Board]] = {}
        """The boards of each match by its number, which never change."""
        self._rulings: list[RulingInfo] | None = None
        self._begin_again([])

    def _begin_again(self, rulings: list[RulingInfo]) -> None:
        self._rulings = rulings
        self._rows = 0
        """How many boards of each match count."""
        self._counted = self._run_test()
        """What those say."""
        self._forfeited = dict.fromkeys(self._matches[0].teams, 0)
        """How many of those a team has lost by faults of its programs."""

    def _run_test(self) -> SequentialReport:
        return run_test(self._event.name, self._test, (), is_fixed=not self._is_tested)

    def count(self) -> DuelStanding:
        """Count what is on record now, whoever may be shown it.

        Raises:
            StoreError: the database cannot be used.
        """
        database = self._database
        if not self._boards:
            self._boards = {match.number: load_match_boards(database, match) for match in self._matches}
        rulings = load_rulings(database, self._event.id)
        if rulings != self._rulings:
            self._begin_again(rulings)
        found = [
            load_comparisons(database, match, self._boards[match.number], rulings, self._rows)
            for match in self._matches
        ]
        rows = next(
            (place for place, row in enumerate(zip(*found, strict=False)) if any(board is None for _, board in row)),
            min(map(len, found)),
        )
        self._counted = self._counted.plus(
            swing_of(board)
            for row in zip(*(boards[:rows] for boards in found), strict=True)
            for _, board in row
            if board is not None and not board.is_cancelled
        )
        self._add_forfeits(self._forfeited, [each for boards in found for each in boards[:rows]])
        self._rows += rows
        later = [boards[rows:] for boards in found]
        swings, finished = swings_in_order([[board for _, board in boards] for boards in later])
        forfeited = dict(self._forfeited)
        self._add_forfeits(forfeited, [each for boards in later for each in boards])
        result = self._counted.plus(swings)
        first, second = self._matches[0].teams
        return DuelStanding(
            event=self._event.name,
            first=first,
            second=second,
            result=result,
            in_play=finished - len(swings),
            forfeited=forfeited,
        )

    def _add_forfeits(
        self, forfeited: dict[str, int], boards: Sequence[tuple[SeatedBoard, BoardComparison | None]]
    ) -> None:
        for seated, board in boards:
            if board is not None:
                for team in {r.team for r in seated.rulings if r.kind is RulingKind.BOARD_FORFEIT}:
                    forfeited[team] += 1


def describe_struck(standing: DuelStanding) -> str | None:
    """Return the sentence on a team that has lost so many boards by faults of its programs that a duel stops."""
    for team, lost in standing.forfeited.items():
        if lost >= max(STRIKES, STRUCK_SHARE * standing.result.tally.boards):
            return f"{team} has lost {count(lost, 'board')} by faults of its programs: the duel stops"
    return None


def resume_tables(database: Database, event: EventInfo, now_ms: int) -> None:
    """Resume the tables that the duel itself has stopped, for it goes on, as after a ruling.

    Tables that a person has stopped stay so.

    Raises:
        StoreError: the database cannot be used.
    """
    tables = [table.id for match in event.matches for table in match.tables]
    stopped = load_holds(database, tables, AUTHOR)
    if stopped:
        give_orders(database, stopped, OrderKind.RESUME, author=AUTHOR, now_ms=now_ms, text="it goes on")


class DuelWatch:
    """Looks at the record of a duel while it is played, and stops the tables once it is decided."""

    def __init__(
        self,
        database: Database,
        event: EventInfo,
        stage: StageConfig,
        *,
        show: Callable[[DuelStanding], None],
        refresh: Callable[[DuelStanding], None] | None = None,
        clock: HostClock | None = None,
    ) -> None:
        """Prepare to watch.

        Args:
            database: has the record.
            event: the duel, as drawn.
            stage: its stage in the event file.
            show: shows the progress after some boards.
            refresh: brings a live display up to date at each look.
            clock: by default the clock of the machine.
        """
        self._database = database
        self._event = event
        self._stage = stage
        self._counter = DuelCounter(database, event, stage)
        self._show = show
        self._refresh = refresh
        self._clock = clock if clock is not None else HostClock()
        self._shown = 0
        self.is_stopped = False
        """Whether the tables have been told to stop."""

    async def watch(self) -> None:
        """Look again and again, until the tables have been told to stop."""
        while not self.is_stopped:
            # Not the time on the clock: on a machine that is busy with the programs a look takes many times as long.
            began = time.thread_time()
            with suppress(StoreUnavailable):  # the run says so, and waits
                self.poll()
            spent_s = time.thread_time() - began
            await asyncio.sleep(min(max(POLL_S, spent_s / LOOK_SHARE), LOOK_MAX_S))

    def poll(self) -> DuelStanding:
        """Look at the record: show progress, and stop the tables if the duel is decided.

        Raises:
            StoreError: the database cannot be used.
        """
        standing = self._counter.count()
        if standing.is_over:
            # What ends it is what its report says, which leaves out boards that may not be shown yet.
            standing = load_duel(self._database, self._event, self._stage)
        boards = standing.result.tally.boards
        if self._refresh is not None:
            self._refresh(standing)
        if not standing.is_over and (
            boards // SHOWN_EVERY > self._shown // SHOWN_EVERY or (boards and not self._shown)
        ):
            self._show(standing)
            self._shown = boards
        if standing.is_over:
            self._stop_tables("it is decided")
        elif describe_struck(standing):
            self._stop_tables("too many boards were lost by faults of programs")
        return standing

    def _stop_tables(self, reason: str) -> None:
        event = load_event(self._database, self._event.name)
        assert event is not None
        tables = [
            table.id for match in event.matches for table in match.tables if table.state is not TableState.FINISHED
        ]
        if tables:
            give_orders(
                self._database,
                tables,
                OrderKind.STOP,
                author=AUTHOR,
                now_ms=self._clock.wall_ms(),
                after_board=True,
                text=reason,
            )
        self.is_stopped = True
