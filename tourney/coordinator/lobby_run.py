"""The run of a lobby: its port, one table host in this process, and the games that its players make, on record.

A lobby is an event whose matches are made by its players. A game goes on record when it has four players, as a match
of two pairs in the stage of its kind; from then on all is as in other events, and everything that reads events reads
lobbies. After a restart every game that is not over is taken up again from the record.
"""

import asyncio
import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from tourney.bots import seated_bot
from tourney.bridge import SEATS, Seat, board_from_seed
from tourney.config.lobby import LobbyKind
from tourney.coordinator.director import Director, RulingBasis, unfinished_boards
from tourney.coordinator.lobby_tournaments import LobbySettings, TournamentRuns
from tourney.coordinator.run_lease import RunLease
from tourney.errors import LaunchError, RuleError, StoreUnavailable
from tourney.event.file import EventFile
from tourney.host.host import TableHost
from tourney.host.lobby import (
    GAMES_HOST,
    BreakOff,
    GameEffect,
    KeepName,
    LobbyCore,
    LobbyPort,
    PollGame,
    StartGame,
    StartTournament,
    game_id,
    is_bot,
    pair_name,
    tournament_id,
)
from tourney.host.ports import Listen, listen, listen_nowhere
from tourney.host.relay import hash_relay_key, make_relay_key
from tourney.launch.hosts import HostSecrets, HostSlots, Launcher, LocalLauncher
from tourney.plurals import count, plural
from tourney.protocol.access import PhraseHash, TeamAccess, peer_key
from tourney.protocol.session.orders import Stop
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules
from tourney.results.scorecard import Scorecard, load_scorecard
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import StatefulSettings, load_durability, load_settings, save_settings
from tourney.store.control.hosts import add_host, count_hosts, end_host, load_hosts
from tourney.store.control.table_state import assign_table, finish_tables, release_tables
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.lobby import NewMatch, discard_match, start_match
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import TableState
from tourney.store.record.live import load_board_holders, load_seatings
from tourney.store.results.event_results import load_unscored
from tourney.store.results.matches import lock_match, save_match_score
from tourney.store.rulings import deciding

AUTHOR: Final = "the lobby"
"""Who breaks games off."""

POLL_S: Final = 0.1
"""How often the tables of games that have ended are looked at."""

FAILURES_MAX: Final = 3
"""How often the table of a game is opened again after it has failed, before the game is broken off."""

BEATS: Final = 4
"""How often the lease of the lobby is renewed in the time for which it lasts."""

GIVE_WAY_MS: Final = 500
"""How long the begin or the end of a game waits at most for calls and cards that are being recorded."""

REST_MAX_MS: Final = 500
"""How long nothing is begun or ended at most after something was: usually as long as that took."""

RECHECK_S: Final = 0.002
"""How often it is looked whether calls and cards are on record."""

SEED_BYTES: Final = 16
"""Random bytes that the boards of a game are dealt from: nobody can guess them from those played before."""

BOARD_BREAK_MS: Final = 30_000
"""How long a table waits at most, after a board, for people who say when they are ready (SS-48)."""

ENDLESS_MS: Final = 10 * 365 * 24 * 3600 * 1000
"""No limit: the lobby itself frees seats and breaks games off, and nobody forfeits anything in it."""

PLAYERS_RULES: Final = TableRules(
    time=TimeRules(
        call=TimeLimit(None, RemedyName.WARN),
        board=TimeLimit(None, RemedyName.WARN),
        match=TimeLimit(None, RemedyName.WARN),
        stall_ms=ENDLESS_MS,
        ready_ms=ENDLESS_MS,
        absence_ms=ENDLESS_MS,
        rejoin_ms=ENDLESS_MS,
    ),
    irregularities_max=1_000_000,
    irregularity_remedy=RemedyName.WARN,
    rejoins_max=1_000_000,
    claims=True,
    board_break_ms=BOARD_BREAK_MS,
)
"""The rules of its tables: whoever plays out of turn is told so, and nobody loses a board by it."""


@dataclass(slots=True)
class _Game:
    """A game that is not over."""

    table_id: int | None = None
    """None until it is on record."""
    is_closing: bool = False
    """Whether its table closes."""
    reason: str = ""
    """Why it is broken off; empty if it is not."""
    failures: int = 0
    """How often its table has failed."""


class LobbyRun:
    """Keeps a lobby open until it is stopped."""

    def __init__(
        self,
        event_file: EventFile,
        database: Database,
        event: EventInfo,
        settings: LobbySettings,
        notify: Callable[[str], None],
        *,
        clock: HostClock | None = None,
        launcher: Launcher | None = None,
        listen: Listen = listen,
        make_host: Callable[..., TableHost] = TableHost,
    ) -> None:
        """Prepare.

        Args:
            event_file: the file of the lobby.
            database: the record.
            event: the lobby as it is on record.
            settings: what its keeper has chosen.
            notify: prints a sentence.
            clock: the machine's clock by default.
            launcher: says which process this is and which others run, and names its table host; that of this machine
                by default.
            listen: opens the port.
            make_host: makes the table host of this process.
        """
        self._file = event_file
        self._event = event
        self._settings = settings
        self._notify = notify
        self._clock = clock if clock is not None else HostClock()
        self._listen = listen
        self._make_host = make_host
        self._games: dict[int, _Game] = {}
        """The games that are not over, by number."""
        self._work: deque[Callable[[], Awaitable[None]]] = deque()
        """What is to go on record, in order, when calls and cards leave time for it."""
        self._rest_until_ms = 0
        """Until when nothing is begun or ended, so that calls and cards have their turn."""
        self._wake = asyncio.Event()
        self._is_stopping = False
        if launcher is None:
            launcher = LocalLauncher(event.id, HostSecrets(database.address), event_file.results)
        self._launcher = launcher
        self._lease = RunLease(database, event.id, event_file.config.tables.lease_s, launcher)
        self._database = self._lease.database

    def stop(self) -> None:
        """Close the lobby: boards in play stay unfinished, and all games go on when it opens again."""
        self._is_stopping = True
        self._wake.set()

    async def run(self) -> None:
        """Keep the lobby open until `stop`.

        Raises:
            TourneyError: its port or its database cannot be used, or another process keeps it open.
        """
        self._lease.take(self._clock.wall_ms())
        try:
            await self._run_held()
        finally:
            self._lease.release()

    async def _run_held(self) -> None:
        database, event, settings = self._database, self._event, self._settings
        self._claim_games()
        kinds = [settings.kind.value, *(kind.value for kind in LobbyKind if kind is not settings.kind)]
        kept = {
            name: access.phrase for name, access in self._host_settings.entrances.items() if access.phrase is not None
        }
        core = LobbyCore(event.name, kinds, settings.limits, kept=kept)
        self._port = LobbyPort(
            core,
            self,
            self._clock,
            settings.connection,
            lambda: seated_bot("basic", settings.seed or 1),
            hash_relay_key(make_relay_key(self._file.results)),
        )
        self._host = self._make_host(
            database,
            self._host_name,
            lambda: self._host_settings,
            clock=self._clock,
            listen=listen_nowhere,
            seats=self._port.open_seats(GAMES_HOST),
        )
        self._tournaments = TournamentRuns(
            self._file,
            database,
            settings,
            self._clock,
            self._notify,
            self._port.finish_tournament,
        )
        # The port first: if another program has it, nothing has been begun.
        number = await self._port.open(settings.host, settings.port, self._listen)
        self._restore(core)
        self._notify(f"{event.name} is open on {settings.host} port {number}")
        if self._games:
            games = len(self._games)
            self._notify(f"{count(games, 'game')} that {plural(games, 'is', 'are')} not over go on")
        hosting = asyncio.create_task(self._host.run())
        try:
            await self._keep(hosting)
        finally:
            self._host.stop()
            await self._tournaments.stop()
            await asyncio.wait([hosting])
            self._port.interrupt("the lobby closes: unfinished games go on when it opens again")
            await self._port.wait_closed()
        hosting.result()
        if (error := self._tournaments.failure()) is not None:
            raise error

    async def _keep(self, hosting: "asyncio.Task[None]") -> None:
        """Do what is to be done until the lobby is stopped, or the table host has ended by itself."""
        beat_ms = 1000 * self._file.config.tables.lease_s // BEATS
        renewed_at_ms = self._clock.now_ms()
        while not self._is_stopping and not hosting.done() and self._tournaments.failure() is None:
            now_ms = self._clock.now_ms()
            self._wake.clear()  # before what may fail: else a lobby whose database is down would not wait at all
            try:
                if now_ms - renewed_at_ms >= beat_ms:
                    await asyncio.to_thread(self._lease.renew, self._clock.wall_ms())
                    renewed_at_ms = now_ms
                if await self._do_next():
                    continue
            except StoreUnavailable:
                pass  # the host says so, waits, and ends if it lasts
            with suppress(TimeoutError):
                is_due = self._work or any(game.is_closing for game in self._games.values())
                async with asyncio.timeout(POLL_S if is_due else beat_ms / 1000):
                    await self._wake.wait()

    async def _do_next(self) -> bool:
        """Begin or end one game; return whether another may be due at once."""
        if self._work:
            await self._in_turn(self._work[0])
            self._work.popleft()
            return True
        for number, game in list(self._games.items()):
            if game.is_closing and await self._poll_closing(number, game):
                return True
        return False

    async def _give_way(self) -> None:
        """Wait until no call or card waits for the record, but not for ever on a slow disk."""
        now_ms = self._clock.now_ms()
        until_ms = max(now_ms, self._rest_until_ms) + GIVE_WAY_MS
        while now_ms < self._rest_until_ms or (self._host.is_recording and now_ms < until_ms):
            await asyncio.sleep(RECHECK_S)
            if self._is_stopping:
                return
            now_ms = self._clock.now_ms()

    async def _in_turn(self, do: Callable[[], Awaitable[None]]) -> None:
        """Do one piece of work when calls and cards leave time for it, and then rest for as long as it took."""
        await self._give_way()
        began_ms = self._clock.now_ms()
        try:
            await do()
        finally:
            now_ms = self._clock.now_ms()
            self._rest_until_ms = now_ms + min(now_ms - began_ms, REST_MAX_MS)

    # Before it opens

    def _claim_games(self) -> None:
        """Declare the host of an earlier process ended, and put this one on record."""
        database, event, now_ms = self._database, self._event, self._clock.wall_ms()
        for info in load_hosts(database, event.id):
            end_host(database, info, "it was gone when the lobby opened", now_ms)
        release_tables(database, event.id, now_ms)
        file, settings = self._file.host_settings, self._settings
        known = {} if load_durability(database, event.id) is None else load_settings(database, event.id).entrances
        self._host_settings = replace(
            file,
            host=settings.host,
            trick_pause_ms=settings.trick_pause_ms,
            rules=replace(PLAYERS_RULES, undo=settings.undo, chat=settings.chat),
            limits=settings.connection,
            entrances=known,
            stateful=StatefulSettings(tournament=None, seats_players=True),
        )
        save_settings(database, event.id, self._host_settings)
        self._host_name = self._launcher.new_name(count_hosts(database, event.id) + 1, HostSlots("", hosts=1))
        add_host(database, event.id, self._host_name, now_ms)

    def _restore(self, core: LobbyCore) -> None:
        """Take up the games of the record that are not over, with the seats of their players."""
        unscored = load_unscored(self._database, self._event.id)
        table_ids = [match.tables[0].id for match in self._event.matches if match.number in unscored]
        seated: defaultdict[int, dict[Seat, str]] = defaultdict(dict)
        for sat in load_seatings(self._database, table_ids):
            seated[sat.table_id][sat.seat] = sat.team
        in_play = load_board_holders(self._database, table_ids)
        kinds = list(LobbyKind)
        for match in self._event.matches:
            if match.number not in unscored:
                core.games.use_number(match.number)
                continue
            table_id, is_closing = match.tables[0].id, unscored[match.number]
            self._games[match.number] = _Game(table_id, is_closing=is_closing)
            kind = kinds[match.stage - 1].value
            board, held = in_play.get(table_id, (0, []))
            holders = [(seat, name, peer_key(peer)) for seat, name, peer in held]
            now_ms = self._clock.now_ms()
            core.games.restore(match.number, kind, seated[table_id], now_ms, board=board, holders=holders)
            if not is_closing:
                self._assign(table_id)
        for number in self._tournaments.numbers():
            core.tournaments.use_number(number)
        for number, pairs in self._tournaments.load_unfinished().items():
            core.tournaments.restore(number, pairs, self._clock.now_ms())
            self._tournaments.play(number, self._port.open_seats(number))
            self._notify(f"{tournament_id(number)} goes on with {count(len(pairs), 'pair')}")

    # What the port asks for

    def record(self, effect: GameEffect) -> None:
        match effect:
            case KeepName():
                self._keep_name(effect.key, effect.phrase)
            case StartGame(number=number, players=players):
                pairs = [pair_name(players[seat], players[seat.partner]) for seat in (Seat.NORTH, Seat.EAST)]
                self._games[number] = _Game()
                self._do(partial(self._start_game, number, LobbyKind(effect.kind), *pairs))
            case StartTournament():
                self._do(partial(self._start_tournament, effect.number, effect.pairs))
            case PollGame():
                self._close(effect.number)
            case BreakOff():
                self._close(effect.number, effect.reason)

    def _keep_name(self, key: str, phrase: PhraseHash | None) -> None:
        entrances = dict(self._host_settings.entrances)
        entrances.pop(key, None)
        if phrase is not None:
            entrances[key] = TeamAccess(phrase)
        self._host_settings = replace(self._host_settings, entrances=entrances)
        # In a thread: others play meanwhile.
        self._do(partial(asyncio.to_thread, save_settings, self._database, self._event.id, self._host_settings))

    def _close(self, number: int, reason: str = "") -> None:
        game = self._games.get(number)
        if game is not None:  # else it is over already
            game.is_closing, game.reason = True, reason or game.reason
            self._wake.set()

    def owed_ms(self, now_ms: int) -> dict[int, dict[Seat, int]]:
        managers = self._host.tables
        return {
            number: managers[game.table_id].owed_ms(now_ms)
            for number, game in self._games.items()
            if game.table_id in managers
        }

    def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        self._work.append(work)
        self._wake.set()

    # Games

    async def _start_game(self, number: int, kind: LobbyKind, home: str, away: str) -> None:
        game = self._games[number]
        if game.is_closing:  # it is over before it has begun, and never was
            del self._games[number]
            self._port.finish_game(number)
            return
        stage = self._event.stages[kind.stage - 1]
        seed = str(self._settings.seed) if self._settings.seed is not None else secrets.token_hex(SEED_BYTES)
        boards = tuple(
            board_from_seed(seed, f"{kind.stage}.1.{number}", place) for place in range(1, stage.boards_per_match + 1)
        )
        match = NewMatch(number=number, stage=kind.stage, home=home, away=away, boards=boards)
        ports = dict.fromkeys(SEATS, self._settings.port)
        # In a thread: meanwhile players call and play.
        game.table_id = await asyncio.to_thread(
            start_match, self._database, self._event.id, match, self._host_name, ports, self._clock.wall_ms()
        )
        self._notify(f"{game_id(number)}, {kind}: {home} against {away}")

    async def _start_tournament(self, number: int, pairs: tuple[str, ...]) -> None:
        try:
            self._tournaments.begin(number, pairs)
        except LaunchError as error:
            self._notify(f"{tournament_id(number)} cannot begin: {error}")
            self._port.finish_tournament(number)
            return
        self._notify(f"{tournament_id(number)} begins with {count(len(pairs), 'pair')}")
        self._tournaments.play(number, self._port.open_seats(number))

    def _assign(self, table_id: int) -> None:
        ports = dict.fromkeys(SEATS, self._settings.port)
        assign_table(self._database, table_id, self._host_name, ports, self._clock.wall_ms())

    async def _poll_closing(self, number: int, game: _Game) -> bool:
        """End a game whose table has finished or that is broken off; open the table again if it has failed.

        Return whether it has taken time.
        """
        assert game.table_id is not None  # what begins games comes first
        manager = self._host.tables.get(game.table_id)
        if manager is not None:
            if game.reason:
                manager.take_order(Stop(game.reason))
            return False
        progress = await asyncio.to_thread(load_progress, self._database, [game.table_id])
        state = progress[game.table_id].table.state
        if state not in (TableState.FINISHED, TableState.FAILED, TableState.WAITING):
            return False
        if state is not TableState.FINISHED and not game.reason:
            game.failures += 1
            if game.failures <= FAILURES_MAX:
                game.is_closing = False
                await asyncio.to_thread(self._assign, game.table_id)
                return False
            game.reason = f"its table has failed {FAILURES_MAX} times"
        await self._in_turn(partial(self._finish, number, state, game.reason))
        return True

    async def _finish(self, number: int, state: TableState, reason: str) -> None:
        said = await asyncio.to_thread(self._record_end, number, state, reason)
        if said:
            self._notify(said)
        del self._games[number]
        self._port.finish_game(number)

    def _record_end(self, number: int, state: TableState, reason: str) -> str:
        """Put on record what a game has come to, nothing at all if no player has called; return it in words."""
        is_played_out = state is TableState.FINISHED
        with deciding(self._database, self._event.id) as database:
            event = load_event(database, self._event.name, number)
            found = (match for match in event.matches if match.number == number) if event is not None else ()
            match = next(iter(found), None)
            if event is None or match is None:
                return ""  # an earlier try has deleted it
            if not is_played_out and self._discard(database, match):
                return ""
            card = self._score(database, event, match, state, reason)
        if card.score is None:
            return ""
        result = match.format.describe_score(match, card.score)
        broken = f", broken off because {reason}" if reason and not is_played_out else ""
        return f"{game_id(number)} is over: {match.home} against {match.away}, {result}{broken}"

    def _discard(self, database: Database, match: MatchInfo) -> bool:
        """Delete a game in which no player has called; return whether it is not on record any more."""
        seated = load_seatings(database, [match.tables[0].id])
        players = {each.seat for each in seated if not is_bot(each.team)}
        if not discard_match(database, self._event.id, match.number, players):
            return False
        for table in match.tables:
            self._host_settings.wire_log_path(table).unlink(missing_ok=True)
        return True

    def _score(
        self, database: Database, event: EventInfo, match: MatchInfo, state: TableState, reason: str
    ) -> Scorecard:
        """Score a game that is over, in the transaction of this database; one that is not is broken off."""
        lock_match(database, match)
        now_ms = self._clock.wall_ms()
        scale = self._file.scales[match.stage]
        is_played_out = state is TableState.FINISHED
        if not is_played_out or load_scorecard(database, event.seen_whole(), match, scale).score is None:
            self._break_off(database, event, match, reason or "its last deal is played")
        if not is_played_out:
            finish_tables(database, [match.tables[0].id], reason, now_ms)
        card = load_scorecard(database, event.seen_whole(), match, scale)
        if card.score is not None:
            save_match_score(database, match, card.score, now_ms)
        return card

    def _break_off(self, database: Database, event: EventInfo, match: MatchInfo, reason: str) -> None:
        """Cancel the first board that is not finished, so that the game counts as it stands."""
        basis = RulingBasis(AUTHOR, reason, None, self._clock.wall_ms())
        for board in unfinished_boards(database, match)[:1]:
            with suppress(RuleError):  # it was cancelled when the word of this was lost
                Director(database, event, self._file.scales, basis).cancel(match, board)
