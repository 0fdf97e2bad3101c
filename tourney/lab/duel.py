"""A duel: two programs play boards in both rooms until it is known which is better.

A duel is an event like others, with a file that `format_duel` writes; so everything that reads events reads duels. It
is stopped from outside: whatever the record says after each board decides, and the same record decides again when a
duel that was cut off goes on.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from tourney.bridge import Board
from tourney.config.stages import StageConfig
from tourney.errors import ConfigError, StoreUnavailable
from tourney.plurals import count
from tourney.report.duel import DuelReport, load_duel
from tourney.scoring.strength.sequential import SequentialTest
from tourney.store.control.orders import AFTER_BOARD, give_orders
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import OrderKind, TableState
from tourney.table.clock import HostClock

LOOK_S: Final = 1.0
"""The least time between two looks at the record, in seconds."""
LOOK_SHARE: Final = 0.1
"""The most of the time of a processor that looking may take, as long as looks are `LOOK_MAX_S` apart at most."""
LOOK_MAX_S: Final = 5.0
"""The most time between two looks: what is played after the decision is played for nothing."""
AUTHOR: Final = "the duel"
"""Who stops the tables once the duel is decided."""


@dataclass(frozen=True, slots=True)
class DuelTeam:
    """One side of a duel, with the keys that its section of the event file has."""

    name: str
    keys: Mapping[str, str]
    """`command`, and what else its programs need: `profile`, `second_command`, `pass_phrase`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSettings:
    """What a duel is about."""

    first: DuelTeam
    second: DuelTeam
    boards: int
    """How many boards are played at most."""
    matches: int
    """How many matches are played side by side, at two tables each."""
    test: SequentialTest | None = None
    """The test that may end it earlier; None to play all boards."""
    seed: int | None = None
    """What the boards are dealt from, unless `deals` names a file."""
    deals: str | None = None
    """The PBN file with the boards, as the event file names it."""
    results: str | None = None
    """The folder of the record, as the event file names it; by default that of the name of the event."""

    @property
    def name(self) -> str:
        """The name of the event."""
        return f"{self.first.name} v {self.second.name}"

    @property
    def boards_per_match(self) -> int:
        """How many boards each match has, so that together they have at least `boards`."""
        return self.boards // self.matches if self.deals is not None else -(-self.boards // self.matches)

    def divide(self, boards: Sequence[Board]) -> list[Board]:
        """Return the boards of a file, match by match: each match takes every so many-th, numbered from 1.

        Boards that are left over, because the file does not have as many for each match, are left out.
        """
        return [
            replace(boards[place * self.matches + match], number=place + 1)
            for match in range(self.matches)
            for place in range(self.boards_per_match)
        ]


def format_duel(settings: DuelSettings) -> str:
    """Return the event file of a duel."""
    results = f"\nresults = {_text(settings.results)}" if settings.results is not None else ""
    sections = [f"[event]\nname = {_text(settings.name)}{results}"]
    for team in (settings.first, settings.second):
        keys = "".join(f"\n{key} = {_text(value)}" for key, value in team.keys.items())
        sections.append(f"[[team]]\nname = {_text(team.name)}{keys}")
    stage = (
        f'[[stage]]\nformat = "duel"\nmatches = {settings.matches}\nboards_per_match = {settings.boards_per_match}'
    )
    sections.append(stage)
    test = settings.test
    if test is not None:
        sided = "\ntwo_sided = true" if test.is_two_sided else ""
        figures = "".join(f"\n{key} = {getattr(test, key)!r}" for key in ("d0", "d1", "alpha", "beta"))
        sections.append(f"[stage.sprt]{figures}{sided}")
    source = f"pbn = {_text(settings.deals)}" if settings.deals is not None else f"seed = {settings.seed}"
    sections.append(f"[deals]\n{source}")
    # A power cut may cost moments of boards in play, which are then played again.
    sections.append('[record]\ndurability = "process"')
    sections.append(f"[tables]\ntrick_pause_ms = 0\nat_once = {settings.matches}")
    return "\n\n".join(sections) + "\n"


def _text(value: str) -> str:
    """Format a string of TOML; JSON escapes the same characters in the same way."""
    return json.dumps(value, ensure_ascii=False)


def check_same_duel(found: Mapping[str, Any], wanted: Mapping[str, Any], path: str, *, has_seed: bool) -> None:
    """Check that an event file on disk is that of the duel that was asked for.

    Args:
        found: the file on disk, as TOML has it.
        wanted: the file that would have been written.
        path: what messages call the file.
        has_seed: whether a seed was asked for; otherwise the one on disk stays.

    Raises:
        ConfigError: they differ; the sentence names the first key that does.
    """
    difference = _difference(found, wanted, "", set() if has_seed else {"deals.seed"})
    if difference is not None:
        key, before, now = difference
        raise ConfigError(
            f"{path} is a duel of other parameters, {key} is {before!r} there, got {now!r}; "
            "play the new one under another --name"
        )


def _difference(
    found: Any, wanted: Any, where: str, ignored: set[str]
) -> tuple[str, Any, Any] | None:  # values of TOML
    if where in ignored:
        return None
    if isinstance(found, Mapping) and isinstance(wanted, Mapping):
        for key in sorted({*found, *wanted}):
            below = f"{where}.{key}" if where else key
            difference = _difference(found.get(key), wanted.get(key), below, ignored)
            if difference is not None:
                return difference
        return None
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for number, (one, other) in enumerate(zip(found, wanted, strict=True), 1):
            difference = _difference(one, other, f"{where} {number}", ignored)
            if difference is not None:
                return difference
        return None
    return None if found == wanted else (where, found, wanted)


class DuelWatch:
    """Looks at the record of a duel while it is played, and stops the tables once it is decided."""

    def __init__(
        self,
        database: Database,
        event: EventInfo,
        stage: StageConfig,
        *,
        every: int,
        strikes: int,
        show: Callable[[DuelReport], None],
        say: Callable[[str], None],
        refresh: Callable[[DuelReport], None] | None = None,
        clock: HostClock | None = None,
    ) -> None:
        """Prepare to watch.

        Args:
            database: has the record.
            event: the duel, as drawn.
            stage: its stage in the event file.
            every: after how many boards progress is shown.
            strikes: how many boards a team may lose by faults of its programs; 0 for any number.
            show: shows the progress.
            say: prints a sentence.
            refresh: brings a live display up to date at each look.
            clock: by default the clock of the machine.
        """
        self._database = database
        self._event = event
        self._stage = stage
        self._every = every
        self._strikes = strikes
        self._show = show
        self._say = say
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
                self.look()
            spent_s = time.thread_time() - began
            await asyncio.sleep(min(max(LOOK_S, spent_s / LOOK_SHARE), LOOK_MAX_S))

    def look(self) -> DuelReport:
        """Look at the record: show progress, and stop the tables if the duel is decided.

        Raises:
            StoreError: the database cannot be used.
        """
        report = load_duel(self._database, self._event, self._stage)
        boards = report.result.tally.boards
        if self._refresh is not None:
            self._refresh(report)
        if boards // self._every > self._shown // self._every and not report.is_over:
            self._show(report)
            self._shown = boards
        struck = next((team for team, lost in report.forfeited.items() if 0 < self._strikes <= lost), None)
        if report.is_over or struck is not None:
            if struck is not None and not report.is_over:
                lost = count(report.forfeited[struck], "board")
                self._say(f"{struck} has lost {lost} by faults of its programs: the duel stops")
            self._stop_tables()
        return report

    def _stop_tables(self) -> None:
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
                seq=AFTER_BOARD,
                text="it is decided",
            )
        self.is_stopped = True
