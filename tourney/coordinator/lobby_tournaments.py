"""Tournaments of the players' own making: pairs events with files of their own, run in the lobby's process.

The file is written when the tournament begins, and names the record of the lobby. From then on it is an event like
others: `EventRun` draws and plays it, everything that reads events reads it, and after a restart it goes on.
"""

import asyncio
import re
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Thread
from typing import Final

from tourney.config.event import EventConfig
from tourney.config.lobby import LobbyKind
from tourney.config.toml import format_toml_text
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.run_context import Notice, RoundStarted, RulingGiven, RunEvent, TableFailed
from tourney.errors import LaunchError, TourneyError
from tourney.event.file import EventFile, load_event_file
from tourney.host.host import TableHost
from tourney.host.lobby import LobbyLimits, tournament_id
from tourney.host.ports import listen_nowhere
from tourney.host.seat_links import HostSeats
from tourney.launch.hosts import HostHandle, HostSlots, Launcher, this_process
from tourney.plurals import count
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.session.rules import UndoRule
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import HostSettings, StatefulSettings
from tourney.store.db.database import Database
from tourney.store.results.event_results import is_played

HOWELL_PAIRS_MAX: Final = 14
"""Up to so many pairs play a Howell, more a Mitchell."""

ROUNDS_MAX: Final = 9
"""Rounds of a tournament at most: an evening."""

_FILE: Final = """\
[event]
name = {name}
results = {results}
database = {database}

{pairs}

[[stage]]
{movement}
barometer = true
boards_per_round = 2

{deals}[tables]
trick_pause_ms = {trick_pause_ms}
at_once = {at_once}

[clock]
stall_s = {idle_s}
absence_s = {away_s}
rejoin_s = {away_s}

[rules]
irregularities = 100
irregularity_remedy = "warn"
rejoins = 100
claims = true
"""
"""The file of a tournament. People mistype: they are told so, and nobody calls or plays for them."""

TOURNAMENT_FILE: Final = re.compile(r"t([0-9]{1,6})\.toml")


CONNECTION: Final = ConnectionLimits(lines_per_s=200)
"""What a connection may use: people send few lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySettings:
    """What the keeper of a lobby has chosen."""

    host: str
    port: int
    kind: LobbyKind = LobbyKind.RUBBER
    """The kind of game that `JOIN-M` alone makes."""
    limits: LobbyLimits = field(default_factory=LobbyLimits)
    connection: ConnectionLimits = CONNECTION
    seed: int | None = None
    """Deals all boards, if not by chance."""
    trick_pause_ms: int = 1000
    chat: bool = True
    """Whether the players of a game may talk to each other; in tournaments they may not."""
    undo: UndoRule = UndoRule.ALL
    """What is taken back in games with the consent of both opponents; in tournaments nothing is."""

    @classmethod
    def of_file(cls, config: EventConfig, host: str, port: int, bots: int, kind: LobbyKind) -> "LobbySettings":
        """Return what the file of a lobby says, and the command that opens it."""
        lobby, rules, clock = config.lobby, config.rules, config.clock
        assert lobby is not None
        away_ms, idle_ms = 1000 * clock.absence_s, 1000 * clock.stall_s
        return cls(
            host=host,
            port=port,
            kind=kind,
            limits=lobby.settings(
                LobbyLimits,
                starts_per_address=max(LobbyLimits().starts_per_address, lobby.starts_per_name),
                bots=bots,
                away_ms=away_ms,
                idle_ms=idle_ms,
            ),
            seed=config.deals.seed,
            trick_pause_ms=config.tables.trick_pause_ms,
            chat=lobby.chat,
            undo=rules.undo if "undo" in rules.model_fields_set else UndoRule.ALL,
        )


def format_tournament(lobby: EventFile, number: int, pairs: Sequence[str], settings: LobbySettings) -> str:
    """Return the event file of a tournament."""
    event, limits = lobby.config.event, settings.limits
    odd = "\nphantom = true" if len(pairs) % 2 else ""
    if len(pairs) <= HOWELL_PAIRS_MAX:
        all_rounds = len(pairs) if len(pairs) % 2 else len(pairs) - 1
        movement = f'format = "howell"\nrounds = {min(all_rounds, ROUNDS_MAX)}'
    else:
        tables = (len(pairs) + 1) // 2
        movement = f'format = "mitchell"\narrow_switch = true\nrounds = {min(tables - (tables % 2 == 0), ROUNDS_MAX)}'
    return _FILE.format(
        name=format_toml_text(f"{event.name} {tournament_id(number)}"),
        results=format_toml_text(f"{event.results_folder}/{tournament_id(number)}"),
        database=format_toml_text(event.database or f"sqlite:///{event.results_folder}/event.db"),
        pairs="\n\n".join(f"[[pair]]\nname = {format_toml_text(name)}" for name in pairs),
        movement=movement + odd,
        deals=f"[deals]\nseed = {settings.seed + number}\n\n" if settings.seed is not None else "",
        trick_pause_ms=settings.trick_pause_ms,
        at_once=len(pairs),
        idle_s=limits.idle_ms // 1000,
        away_s=limits.away_ms // 1000,
    )


class TournamentRuns:
    """Plays the tournaments of a lobby in this process.

    Their runs have a thread with an event loop of its own: they ask the record again and again, and the players of
    games are not to wait for that. Their tables are played in the loop of the lobby, as those of games are.
    """

    def __init__(
        self,
        lobby: EventFile,
        database: Database,
        settings: LobbySettings,
        clock: HostClock,
        notify: Callable[[str], None],
        is_over: Callable[[int], None],
    ) -> None:
        """Prepare.

        Args:
            lobby: the file of the lobby.
            database: the record.
            settings: what the keeper has chosen.
            clock: the clock of the tables.
            notify: prints a sentence.
            is_over: is told the number of each tournament that is over.
        """
        self._lobby = lobby
        self._database = database
        self._settings = settings
        self._clock = clock
        self._notify = notify
        self._is_over = is_over
        self._runs: dict[int, EventRun] = {}
        """Those at work; only the thread of the runs touches it."""
        self._playing: dict[int, Future[None]] = {}
        self._runs_loop: asyncio.AbstractEventLoop | None = None
        """The loop of the runs; None before the first."""
        self._is_stopping = False

    def load_unfinished(self) -> dict[int, tuple[str, ...]]:
        """Load the tournaments of the record that are not over: the names of their pairs by number.

        Raises:
            TourneyError: the file of one cannot be read, or the database cannot be used.
        """
        unfinished = {}
        for number, path in self._files().items():
            event = ensure_drawn(load_event_file(path), self._database, self._clock.wall_ms())
            if not is_played(self._database, event.id):
                unfinished[number] = tuple(team.name for team in event.teams)
        return unfinished

    def numbers(self) -> set[int]:
        """Return the numbers of all tournaments that have begun."""
        return set(self._files())

    def begin(self, number: int, pairs: Sequence[str]) -> None:
        """Write the file of a tournament; `play` plays it.

        Raises:
            LaunchError: the file cannot be written.
        """
        path = self._path(number)
        try:
            path.touch(mode=0o600 if self._lobby.config.event.database is not None else 0o666)
            path.write_text(format_tournament(self._lobby, number, pairs, self._settings), encoding="utf-8")
        except OSError as error:
            raise LaunchError(f"{path} cannot be written: {error.strerror}") from None

    def play(self, number: int, seats: HostSeats) -> None:
        """Play a tournament from where its record is.

        Args:
            number: that of the tournament.
            seats: where its tables offer their empty seats.

        Raises:
            TourneyError: its file, its folder or the database cannot be used.
        """
        file = load_event_file(self._path(number))
        try:
            file.results.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LaunchError(f"folder {file.results} cannot be written: {error.strerror}") from None
        if self._runs_loop is None:
            self._runs_loop = asyncio.new_event_loop()
            Thread(target=_keep_running, args=(self._runs_loop,), name="tournaments", daemon=True).start()
        settings = replace(
            file.host_settings, stateful=StatefulSettings(tournament=tournament_id(number), seats_players=True)
        )
        lobby = asyncio.get_running_loop()
        launcher = SeatedLauncher(self._database, settings, seats, self._clock, lobby)
        playing = asyncio.run_coroutine_threadsafe(self._play(number, file, launcher), self._runs_loop)
        playing.add_done_callback(lambda _: lobby.call_soon_threadsafe(self._note_end, number))
        self._playing[number] = playing

    async def _play(self, number: int, file: EventFile, launcher: Launcher) -> None:
        name = tournament_id(number)

        def report(event: RunEvent) -> None:
            if (text := _describe(event)) is not None:
                self._notify(f"{name}{text}")

        try:
            event = ensure_drawn(file, self._database, self._clock.wall_ms())
            if self._is_stopping:
                return
            run = EventRun(file, self._database, event, report, 1, clock=self._clock, launcher=launcher)
            self._runs[number] = run
            outcome: RunOutcome = await run.run()
        except TourneyError as error:
            self._notify(f"{name} stops, and goes on when the lobby opens again: {error}")
        else:
            if not outcome.stopped:
                left = (
                    f", with {count(outcome.matches_left, 'match', 'matches')} left" if outcome.matches_left else ""
                )
                self._notify(f"{name} is over{left}: tourney standings {file.path}")
        finally:
            self._runs.pop(number, None)

    def _note_end(self, number: int) -> None:
        if not self._is_stopping and self._playing[number].exception() is None:
            del self._playing[number]
            self._is_over(number)

    async def stop(self) -> None:
        """Stop all tournaments; they go on when the lobby opens again."""
        if self._runs_loop is None:
            return
        self._is_stopping = True
        self._runs_loop.call_soon_threadsafe(self._stop_runs)
        if self._playing:
            await asyncio.wait([asyncio.wrap_future(playing) for playing in self._playing.values()])
        self._runs_loop.call_soon_threadsafe(self._runs_loop.stop)

    def _stop_runs(self) -> None:
        for run in self._runs.values():
            run.stop()

    def failure(self) -> BaseException | None:
        """Return the error with which a tournament has ended, if any has."""
        ended = (playing.exception() for playing in self._playing.values() if playing.done())
        return next((error for error in ended if error is not None), None)

    def _files(self) -> dict[int, Path]:
        found = ((TOURNAMENT_FILE.fullmatch(path.name), path) for path in self._lobby.folder.iterdir())
        return {int(match[1]): path for match, path in sorted(found, key=lambda each: each[1]) if match is not None}

    def _path(self, number: int) -> Path:
        return self._lobby.folder / f"{tournament_id(number)}.toml"


def _keep_running(loop: asyncio.AbstractEventLoop) -> None:
    with closing(loop):
        loop.run_forever()


class SeatedHost(HostHandle):
    """A table host that is a task of the lobby's loop, seen from the thread of the runs."""

    def __init__(self, name: str, make: Callable[[], TableHost], lobby: asyncio.AbstractEventLoop) -> None:
        super().__init__(name)
        self._host: TableHost | None = None
        self._lobby = lobby
        self._task = asyncio.run_coroutine_threadsafe(self._run(make), lobby)

    async def _run(self, make: Callable[[], TableHost]) -> None:
        self._host = make()
        await self._host.run()

    @property
    def is_over(self) -> bool:
        return self._task.done()

    def how_it_ended(self) -> str:
        error = None if self._task.cancelled() else self._task.exception()
        return f"table host {self.name} has ended" + (f": {error}" if error is not None else "")

    def send_signal(self, number: signal.Signals) -> None:
        if number is signal.SIGKILL:
            self._task.cancel()
        else:
            self._lobby.call_soon_threadsafe(self._stop)

    def _stop(self) -> None:
        if self._host is not None:
            self._host.stop()


class SeatedLauncher(Launcher):
    """Starts table hosts as tasks of the lobby's loop; they open no ports."""

    def __init__(
        self,
        database: Database,
        settings: HostSettings,
        seats: HostSeats,
        clock: HostClock,
        lobby: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(this_process())
        self._database = database
        self._settings = settings
        self._seats = seats
        self._clock = clock
        self._lobby = lobby

    def start_host(self, name: str, place: HostSlots) -> HostHandle:  # noqa: ARG002
        def make() -> TableHost:
            return TableHost(
                self._database,
                name,
                lambda: self._settings,
                clock=self._clock,
                listen=listen_nowhere,
                seats=self._seats,
            )

        return SeatedHost(name, make, self._lobby)


def _describe(event: RunEvent) -> str | None:
    """Say what a keeper of the lobby may have to know of a tournament; None for anything else."""
    match event:
        case RoundStarted(round_, assignments):
            return f", round {round_.number}: {count(len(assignments), 'table')}"
        case TableFailed(played, table):
            return f", table {table.place} of round {played.round}: {table.reason}"
        case RulingGiven(ruling):
            return f", match {ruling.match}: {ruling.kind} {ruling.team}, {ruling.reason}"
        case Notice(sentence):
            return f": {sentence}"
        case _:
            return None
