"""A lobby without sockets: its core, and tables that do nothing but seat whoever is sent to them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.support.conversation import steps_of
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.access import PhraseHash
from tourney.protocol.stateful.front_door import (
    BreakOff,
    CloseClient,
    FrontDoorEffect,
    KeepName,
    LeaveTable,
    ProbeClient,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    StartGame,
    StartTournament,
    TakeSeat,
)
from tourney.protocol.stateful.lobby.core import LobbyCore
from tourney.protocol.stateful.lobby.state import LobbyLimits

KINDS = ("rubber", "chicago", "minibridge", "duplicate")


@dataclass
class StandInTable:
    """A table that seats whoever comes, and offers the seats that are empty."""

    game: str
    seated: dict[Seat, int] = field(default_factory=dict)


class LobbyRig:
    """A lobby, its clients by name of the connection, and its tables."""

    def __init__(self, limits: LobbyLimits | None = None, kept: dict[str, PhraseHash] | None = None) -> None:
        self.core = LobbyCore("Lobby", KINDS, limits or LobbyLimits(), kept=kept)
        self.now_ms = 0
        self.clients: dict[str, int] = {}
        """The newest connection of each who has come, by the first word of its name."""
        self.lines: dict[int, list[str]] = {}
        """What each connection was sent and has not been looked at."""
        self.open: set[int] = set()
        self.tables: dict[int, StandInTable] = {}
        """The open tables by number of the game."""
        self.started: list[StartGame] = []
        self.broken: list[BreakOff] = []
        self.begun: list[StartTournament] = []
        self.rounds: dict[SeatKey, int] = {}
        """Who sits where in tournaments."""
        self.kept: dict[str, PhraseHash] = {}
        self.passed_on: list[tuple[int, bytes]] = []
        self.probed: list[int] = []
        self.is_slow = False
        """Whether tables open only with `open_tables`."""
        self._count = 0

    # Clients

    def connect(self, peer: str = "") -> int:
        self._count += 1
        number = self._count
        self.open.add(number)
        self.lines[number] = []
        self._carry_out(self.core.open_client(number, peer, self.now_ms))
        return number

    def hello(self, name: str, *lines: str, asks: str = "LEFT", peer: str = "") -> int:
        """Connect a client, which says its name and these lines."""
        number = self.clients[re.split(r"\W", name.strip())[0].capitalize()] = self.connect(peer)
        self.send_line(number, f"X-HELLO {asks}", f'HELLO "{name}"', *lines)
        return number

    def send_line(self, number: int, *lines: str) -> None:
        for line in lines:
            self._carry_out(self.core.receive_line(number, line.encode(), self.now_ms))

    def heard(self, number: int) -> list[str]:
        """Return what a connection was sent since the last time."""
        lines, self.lines[number] = self.lines[number], []
        return lines

    def hang_up(self, number: int) -> None:
        self.open.discard(number)
        self._carry_out(self.core.close_client(number, "the connection was closed", self.now_ms))

    def wait(self, ms: int) -> None:
        self.now_ms += ms
        self._carry_out(self.core.poll(self.now_ms))

    def owe(self, game: int, seat: Seat, ms: int) -> None:
        self.core.games.note_owing(game, seat, ms)
        self._carry_out(self.core.take_effects())

    def converse(self, script: str, **own: Callable[..., list[str] | None]) -> None:
        """Hold a conversation, with `own` steps by their first word; a client is told all since `->` last asked:

        Ann comes: JOIN-M -> ... -> GAMES -    and says this, if anything
        Bob comes from 192.0.2.1:5 asking for PING as Bob#sesame
        Ann hears -> JOINED g1 N Bob
        Ann hangs up, wait 1000
        g1 has N Bob                           who sits North in game 1
        Ann is connected, Ann is disconnected
        board 3 of g1 begins, the board of g1 ends, the table of g1 ends
        S of g1 has owed a call for 300_000
        tournaments begun -> t1
        round of t1: Ann & Bob v Cat & Dan, Eve & Fay v Gus & Hal    opens its tables
        """
        for step in steps_of(script):
            name, *words = step.what.split()
            if name in own:
                step.check(own[name](self, *words) or [])
                continue
            if step.what == "tournaments begun":
                step.check([f"t{begun.number}" for begun in self.begun])
                continue
            who, said = self._take_step(step.what)
            if said:
                self.send_line(self.clients[who], said)
            if step.expected:
                step.check(self.heard(self.clients[who]))
            elif step.what == f"{who} hears":
                self.heard(self.clients[who])

    def names_of(self, client: int) -> list[str]:
        """Return the names that a connection has come with."""
        return [name for name, number in self.clients.items() if number == client]

    def _take_step(self, step: str) -> tuple[str, str]:
        """Take a step; return who is to say what in it."""
        what, _, said = step.partition(": ")
        match what.split():
            case ["wait", ms]:
                self.wait(int(ms))
            case ["board", number, "of", game, "begins"]:
                self.begin_board(int(game[1:]), int(number))
            case ["the", "board", "of", game, "ends"]:
                self.begin_board(int(game[1:]), 0)
            case ["the", "table", "of", game, "ends"]:
                self.end_table(int(game[1:]))
            case [game, "has", seat, name]:
                assert self.tables[int(game[1:])].seated.get(Seat.from_letter(seat)) == self.clients[name], step
            case [name, "is", "connected" | "disconnected" as how]:
                assert (self.clients[name] in self.open) is (how == "connected"), step
            case [name, "hangs", "up"]:
                self.hang_up(self.clients[name])
            case [name, "comes", *_]:
                given = re.fullmatch(r"\w+ comes(?: from (\S+))?(?: asking for (\S+))?(?: as (.+))?", what)
                assert given is not None, step
                self.hello(given[3] or name, asks=given[2] or "LEFT", peer=given[1] or "")
                return name, said
            case ["round", "of", tournament]:
                tables = [table.split(" v ") for table in said.split(", ")]
                self.play_round(int(tournament[1:]), *tables)
                return "", ""
            case [seat, "of", game, "has", "owed", "a", "call", "for", ms]:
                self.owe(int(game[1:]), Seat.from_letter(seat), int(ms))
            case [name, *_]:
                return name, said
            case _:
                pass
        return "", ""

    # Tables

    def open_tables(self) -> None:
        """Open the tables of all games that have begun."""
        for game in self.started:
            if game.number not in self.tables:
                self.tables[game.number] = StandInTable(f"g{game.number}")
                for seat in SEATS:
                    self._offer(game.number, seat)

    def end_table(self, number: int) -> None:
        """End the session of a table, as after its last deal."""
        table = self.tables.pop(number)
        for client in list(table.seated.values()):
            self._carry_out(self.core.leave_table(0, client, "the session is over", self.now_ms, is_over=True))
        self.core.games.finish(number)
        self._carry_out(self.core.take_effects())

    def begin_board(self, number: int, board: int) -> None:
        """Begin a board at the table of a game, or end the one in play with 0."""
        self.core.games.note_board(f"g{number}", board)
        self._carry_out(self.core.take_effects())

    def play_round(self, tournament: int, *tables: Sequence[str]) -> None:
        """Open tables of a tournament for these pairs, North-South first."""
        for number, pairs in enumerate(tables, 1):
            for seat in SEATS:
                key = SeatKey(tournament, number, seat)
                offer = SeatOffer(pairs[seat.side is Side.EW], f"match{number}")
                self._carry_out(self.core.offer_seat(key, offer))

    def end_round(self) -> None:
        """End the sessions of all tables of tournaments."""
        rounds, self.rounds = self.rounds, {}
        for key, client in rounds.items():
            effects = self.core.leave_table(key.host, client, "the session is over", self.now_ms, is_over=True)
            self._carry_out(effects)

    def end_tournament(self, number: int) -> None:
        self.core.tournaments.finish(number)
        self._carry_out(self.core.take_effects())

    def send_away(self, number: int, seat: Seat) -> None:
        """Let a table send a player away."""
        client = self.tables[number].seated.pop(seat)
        self._carry_out(self.core.leave_table(0, client, "too many bad lines", self.now_ms, is_over=False))
        self._offer(number, seat)

    def _offer(self, number: int, seat: Seat) -> None:
        self._carry_out(self.core.offer_seat(SeatKey(0, number, seat), SeatOffer("", f"g{number}")))

    def _carry_out(self, effects: list[FrontDoorEffect]) -> None:
        self._act(effects)
        if self.core.has_news:
            self._act(self.core.send_lists())

    def _act(self, effects: list[FrontDoorEffect]) -> None:  # noqa: PLR0912 # a case for each effect
        for effect in effects:
            match effect:
                case SendToClient():
                    self.lines.setdefault(effect.client, []).append(effect.line)
                case CloseClient():
                    self.open.discard(effect.client)
                case TakeSeat(client=client, key=key) if key.host:
                    assert key not in self.rounds, "two clients in one seat"
                    self.rounds[key] = client
                    joined = f"JOINED match{key.table} {key.seat.letter}"
                    self._carry_out(self.core.receive_table_line(key.host, client, joined))
                case LeaveTable(host=host, client=client) if host:
                    self.rounds = {key: sits for key, sits in self.rounds.items() if sits != client}
                case StartTournament():
                    self.begun.append(effect)
                case TakeSeat(client=client, key=key):
                    table = self.tables[key.table]
                    assert key.seat not in table.seated, "two clients in one seat"
                    assert client not in table.seated.values(), "one client in two seats"
                    table.seated[key.seat] = client
                    joined = f"JOINED {table.game} {key.seat.letter}"
                    self._carry_out(self.core.receive_table_line(0, client, joined))
                case LeaveTable(client=client):
                    self._vacate(client)
                case ProbeClient(client=client):
                    self.probed.append(client)
                case SendToTable():
                    self.passed_on.append((effect.client, effect.line))
                case StartGame():
                    self.started.append(effect)
                    if not self.is_slow:
                        self.open_tables()
                case BreakOff():
                    self.broken.append(effect)
                    self.tables.pop(effect.number, None)
                    self.core.games.finish(effect.number)
                    self._carry_out(self.core.take_effects())
                case KeepName():
                    self.kept.pop(effect.key, None)
                    if effect.phrase is not None:
                        self.kept[effect.key] = effect.phrase
                case _:
                    pass

    def _vacate(self, client: int) -> None:
        for number, table in self.tables.items():
            for seat, sits in list(table.seated.items()):
                if sits == client:
                    del table.seated[seat]
                    self._offer(number, seat)
