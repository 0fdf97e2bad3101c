"""The run of a lobby: its port, the games that its players make, and their tournaments.

A lobby is an event of open stages. A game is drawn into the stage of its kind when it has four players, as a match of
two pairs. A tournament has an event file of its own, written when it begins, and the record of the lobby. Both are
played by an `EventRun`, and everything that reads events reads them. After a restart all go on from the record.
"""

import asyncio
import re
import secrets
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Final

from tourney.bots import seated_bot
from tourney.bridge import Seat, boards_from_seed
from tourney.config.event import EventConfig
from tourney.config.lobby import LobbyKind
from tourney.config.toml import format_toml_text
from tourney.contest.draw import MatchInfo
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.open_stage import OpenRun
from tourney.coordinator.run_context import (
    MatchDiscarded,
    MatchFinished,
    Notice,
    RoundStarted,
    RulingGiven,
    RunEvent,
    TableFailed,
)
from tourney.coordinator.seated_runs import SeatedRuns
from tourney.errors import LaunchError, TourneyError
from tourney.event.file import EventFile, load_event_file
from tourney.host.lobby import (
    GAMES_HOST,
    BreakOff,
    GameEffect,
    KeepName,
    LobbyCore,
    LobbyLimits,
    LobbyPort,
    StartGame,
    StartTournament,
    game_id,
    pair_name,
    tournament_id,
)
from tourney.host.ports import Listen, listen
from tourney.host.relay import hash_relay_key, make_relay_key
from tourney.movement.seating import Room, TableInfo
from tourney.plurals import count, plural
from tourney.protocol.access import ConnectionLimits, PhraseHash, TeamAccess, peer_key
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import StatefulSettings, load_durability, load_settings, save_settings
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.live import load_board_holders, load_seatings
from tourney.store.results.event_results import is_played, load_unscored

SEED_BYTES: Final = 16
"""Random bytes that the boards of a game are dealt from: nobody can guess them from those played before."""

CONNECTION: Final = ConnectionLimits(lines_per_s=200)
"""What a connection may use: people send few lines."""

HOWELL_PAIRS_MAX: Final = 14
"""Up to so many pairs play a Howell, more a Mitchell."""

ROUNDS_MAX: Final = 9
"""Rounds of a tournament at most: an evening."""

_TOURNAMENT: Final = """\
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
stall_s = {stall_s}
absence_s = {absence_s}
rejoin_s = {absence_s}

[rules]
irregularities = 100
irregularity_remedy = "warn"
rejoins = 100
claims = true
"""
"""The file of a tournament. People mistype: they are told so, and nobody calls or plays for them."""

TOURNAMENT_FILE: Final = re.compile(r"t([0-9]{1,6})\.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbySettings:
    """What the command that opens a lobby says of it, and what its players may use."""

    host: str
    port: int
    kind: LobbyKind = LobbyKind.RUBBER
    """The kind of game that `JOIN-M` alone makes."""
    limits: LobbyLimits = field(default_factory=LobbyLimits)

    @classmethod
    def of_file(cls, config: EventConfig, host: str, port: int, bots: int, kind: LobbyKind) -> "LobbySettings":
        """Return what the file of a lobby says, and the command that opens it."""
        assert config.lobby is not None
        limits = config.lobby.settings(
            LobbyLimits,
            starts_per_address=max(LobbyLimits().starts_per_address, config.lobby.starts_per_name),
            bots=bots,
            away_ms=1000 * config.clock.absence_s,
            idle_ms=1000 * config.clock.stall_s,
        )
        return cls(host=host, port=port, kind=kind, limits=limits)


def format_tournament(lobby: EventConfig, number: int, pairs: Sequence[str]) -> str:
    """Return the event file of a tournament."""
    event, seed = lobby.event, lobby.deals.seed
    odd = "\nphantom = true" if len(pairs) % 2 else ""
    if len(pairs) <= HOWELL_PAIRS_MAX:
        all_rounds = len(pairs) if len(pairs) % 2 else len(pairs) - 1
        movement = f'format = "howell"\nrounds = {min(all_rounds, ROUNDS_MAX)}'
    else:
        tables = (len(pairs) + 1) // 2
        movement = f'format = "mitchell"\narrow_switch = true\nrounds = {min(tables - (tables % 2 == 0), ROUNDS_MAX)}'
    return _TOURNAMENT.format(
        name=format_toml_text(f"{event.name} {tournament_id(number)}"),
        results=format_toml_text(f"{event.results_folder}/{tournament_id(number)}"),
        database=format_toml_text(event.database or f"sqlite:///{event.results_folder}/event.db"),
        pairs="\n\n".join(f"[[pair]]\nname = {format_toml_text(name)}" for name in pairs),
        movement=movement + odd,
        deals=f"[deals]\nseed = {seed + number}\n\n" if seed is not None else "",
        trick_pause_ms=lobby.tables.trick_pause_ms,
        at_once=len(pairs),
        stall_s=lobby.clock.stall_s,
        absence_s=lobby.clock.absence_s,
    )


@dataclass(eq=False)
class LobbyRun:
    """Keeps a lobby open until it is stopped."""

    file: EventFile
    """The file of the lobby."""
    database: Database
    """The record, as the runs use it: they may wait for its lock."""
    event: EventInfo
    """The lobby as it is on record."""
    settings: LobbySettings
    """What its keeper has chosen."""
    notify: Callable[[str], None]
    """Prints a sentence."""
    _: KW_ONLY
    make_runs: Callable[[LobbyPort, HostClock], SeatedRuns]
    """Makes what plays events at the port."""
    clock: HostClock = field(default_factory=HostClock)
    listen: Listen = listen
    """Opens the port."""
    make_games: Callable[..., OpenRun] = OpenRun
    """Makes the run of the games."""
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _error: BaseException | None = None
    """With what a run has ended, if not as it should."""

    def stop(self) -> None:
        """Close the lobby: boards in play stay unfinished, and all games go on when it opens again."""
        self._over.set()

    async def run(self) -> None:
        """Keep the lobby open until `stop`.

        Raises:
            TourneyError: its port or its database cannot be used, or another process keeps it open.
        """
        database, event, settings, file = self.database, self.event, self.settings, self.file
        kinds = [settings.kind.value, *(kind.value for kind in LobbyKind if kind is not settings.kind)]
        is_known = load_durability(database, event.id) is not None
        entrances = load_settings(database, event.id).entrances if is_known else {}
        kept = {name: access.phrase for name, access in entrances.items() if access.phrase is not None}
        core = LobbyCore(event.name, kinds, settings.limits, kept=kept)
        port = self._port = LobbyPort(
            core,
            self,
            self.clock,
            CONNECTION,
            lambda: seated_bot("basic", file.config.deals.seed or 1),
            hash_relay_key(make_relay_key(file.results)),
        )
        # The port first: if another program has it, nothing has been begun.
        number = await port.open(settings.host, settings.port, self.listen)
        self._loop = asyncio.get_running_loop()
        self._runs = self.make_runs(port, self.clock)
        self._launcher = self._runs.launcher(GAMES_HOST, file.host_settings)
        self._games = self.make_games(
            file, database, event, self._report_game, 1, clock=self.clock, launcher=self._launcher
        )
        try:
            left = self._restore_games(core)
            self._runs.play(GAMES_HOST, lambda: self._games, self._end_games)
            self._restore_tournaments(core)
            self.notify(f"{event.name} is open on {settings.host} port {number}")
            if left:
                self.notify(f"{count(left, 'game')} that {plural(left, 'is', 'are')} not over go on")
            await self._over.wait()
        finally:
            self._over.set()
            await self._runs.stop()
            port.interrupt("the lobby closes: unfinished games go on when it opens again")
            await port.wait_closed()
        if self._error is not None:
            raise self._error

    def _restore_games(self, core: LobbyCore) -> int:
        """Take up the games of the record that are not over, with the seats of their players; return how many."""
        unscored = load_unscored(self.database, self.event.id)
        table_ids = [match.tables[0].id for match in self.event.matches if match.number in unscored]
        seated: defaultdict[int, dict[Seat, str]] = defaultdict(dict)
        for sat in load_seatings(self.database, table_ids):
            seated[sat.table_id][sat.seat] = sat.team
        in_play = load_board_holders(self.database, table_ids)
        kinds = list(LobbyKind)
        for match in self.event.matches:
            if match.number not in unscored:
                core.games.use_number(match.number)
                continue
            table_id = match.tables[0].id
            board, held = in_play.get(table_id, (0, []))
            holders = [(seat, name, peer_key(peer)) for seat, name, peer in held]
            kind, now_ms = kinds[match.stage - 1].value, self.clock.now_ms()
            core.games.restore(match.number, kind, seated[table_id], now_ms, board=board, holders=holders)
        return len(unscored)

    # What the port asks for

    def record(self, effect: GameEffect) -> None:
        match effect:
            case KeepName(key=key, phrase=phrase):
                self._games.ask(lambda database: self._keep_name(database, key, phrase))
            case StartGame():
                self._start_game(effect)
            case BreakOff():
                self._games.break_off(effect.number, effect.reason)
            case StartTournament():
                self._start_tournament(effect.number, effect.pairs)

    def owed_ms(self, now_ms: int) -> dict[int, dict[Seat, int]]:
        return self._launcher.owed_ms(now_ms)

    def _keep_name(self, database: Database, key: str, phrase: PhraseHash | None) -> None:
        settings = load_settings(database, self.event.id)
        entrances = {name: access for name, access in settings.entrances.items() if name != key}
        if phrase is not None:
            entrances[key] = TeamAccess(phrase)
        save_settings(database, self.event.id, replace(settings, entrances=entrances))

    # Games

    def _start_game(self, effect: StartGame) -> None:
        number, players, kind = effect.number, effect.players, LobbyKind(effect.kind)
        seed, stage = self.file.config.deals.seed, self.event.stages[kind.stage - 1]
        dealt_from, name = (
            str(seed) if seed is not None else secrets.token_hex(SEED_BYTES),
            f"{stage.number}.1.{number}",
        )
        boards = tuple(boards_from_seed(dealt_from, name, stage.boards_per_match))
        home, away = (pair_name(players[seat], players[seat.partner]) for seat in (Seat.NORTH, Seat.EAST))
        table = TableInfo(Room.OPEN, home, away, boards=len(boards))
        self._games.add_match(MatchInfo(stage, home, away, (table,), board_set=name, number=number), boards)
        self.notify(f"{game_id(number)}, {kind}: {home} against {away}")

    def _report_game(self, event: RunEvent) -> None:
        """Take what the run of the games reports, in its thread."""
        match event:
            case MatchFinished(match, score, reason):
                result = match.format.describe_score(match, score)
                broken = f", broken off because {reason}" if reason else ""
                self.notify(f"{game_id(match.number)} is over: {match.home} against {match.away}, {result}{broken}")
                self._loop.call_soon_threadsafe(self._port.finish_game, match.number)
            case MatchDiscarded(number):
                self._loop.call_soon_threadsafe(self._port.finish_game, number)
            case Notice(sentence):
                self.notify(sentence)
            case _:
                pass

    def _end_games(self, done: Future[RunOutcome | None]) -> None:
        self._error = self._error or done.exception()
        self._over.set()

    # Tournaments

    def _files(self) -> dict[int, Path]:
        """Return the files of all tournaments that have begun, by number."""
        found = ((TOURNAMENT_FILE.fullmatch(path.name), path) for path in self.file.folder.iterdir())
        return {int(match[1]): path for match, path in sorted(found, key=lambda each: each[1]) if match is not None}

    def _restore_tournaments(self, core: LobbyCore) -> None:
        """Go on with the tournaments of the record that are not over."""
        for number, path in self._files().items():
            core.tournaments.use_number(number)
            event = ensure_drawn(load_event_file(path), self.database, self.clock.wall_ms())
            if not is_played(self.database, event.id):
                core.tournaments.restore(number, event.team_names, self.clock.now_ms())
                self._play_tournament(number, path)
                self.notify(f"{tournament_id(number)} goes on with {count(len(event.teams), 'pair')}")

    def _start_tournament(self, number: int, pairs: Sequence[str]) -> None:
        name, config = tournament_id(number), self.file.config
        path = self.file.folder / f"{name}.toml"
        try:
            path.touch(mode=0o600 if config.event.database is not None else 0o666)
            path.write_text(format_tournament(config, number, pairs), encoding="utf-8")
            self._play_tournament(number, path)
        except OSError as error:
            self.notify(f"{name} cannot begin: {path} cannot be written: {error.strerror}")
            self._port.finish_tournament(number)
        else:
            self.notify(f"{name} begins with {count(len(pairs), 'pair')}")

    def _play_tournament(self, number: int, path: Path) -> None:
        """Play a tournament from where its record is.

        Raises:
            TourneyError: its file or its folder cannot be used.
        """
        file = load_event_file(path)
        with LaunchError.of_system(f"folder {file.results} cannot be written"):
            file.results.mkdir(parents=True, exist_ok=True)
        stateful = StatefulSettings(tournament=tournament_id(number), seats_players=True)
        launcher = self._runs.launcher(number, replace(file.host_settings, stateful=stateful))

        def report(event: RunEvent) -> None:
            name = tournament_id(number)
            match event:  # what a keeper of the lobby may have to know
                case RoundStarted(round_, assignments, _):
                    self.notify(f"{name}, round {round_.number}: {count(len(assignments), 'table')}")
                case TableFailed(played, table):
                    self.notify(f"{name}, table {table.place} of round {played.round}: {table.reason}")
                case RulingGiven(ruling):
                    self.notify(f"{name}, match {ruling.match}: {ruling.kind} {ruling.team}, {ruling.reason}")
                case Notice(sentence):
                    self.notify(f"{name}: {sentence}")
                case _:
                    pass

        def make() -> EventRun:
            event = ensure_drawn(file, self.database, self.clock.wall_ms())
            return EventRun(file, self.database, event, report, 1, clock=self.clock, launcher=launcher)

        self._runs.play(number, make, lambda done: self._end_tournament(number, file, done))

    def _end_tournament(self, number: int, file: EventFile, done: Future[RunOutcome | None]) -> None:
        name, error = tournament_id(number), done.exception()
        outcome = done.result() if error is None else None
        if isinstance(error, TourneyError):
            self.notify(f"{name} stops, and goes on when the lobby opens again: {error}")
        elif error is not None:
            self._error = error
            self._over.set()
        elif outcome is not None and not outcome.stopped:
            left = f", with {count(outcome.matches_left, 'match', 'matches')} left" if outcome.matches_left else ""
            self.notify(f"{name} is over{left}: tourney standings {file.path}")
        if not self._over.is_set():
            self._port.finish_tournament(number)
