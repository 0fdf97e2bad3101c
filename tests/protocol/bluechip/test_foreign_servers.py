"""Our own players at the tables of others: they play whole boards to the end."""

import socket
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random

import pytest

from tests.support.dialects import BridgeEnv, DialectError, QPlus, play_on_socket
from tests.support.open_spiel import OpenSpiel
from tests.support.protocol_players import Script, players_for, script_from_seed
from tests.support.servers import (
    BrdgeBot,
    BridgeEnvServer,
    BridgeMoniteur,
    ForeignServer,
    RoboTM,
    ServerStoppedError,
)
from tourney.bots import Strategy, client
from tourney.bots.client import BotSettings, run_bot
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, BoardInPlay, Seat, board_from_seed
from tourney.errors import ProtocolError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import is_whole_line
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine


@dataclass
class Visitor:
    """A player of ours at a foreign table, with no socket: what it hears and says, and why it left."""

    core: PlayerCore
    strategy: Strategy
    lines: LineBuffer = field(default_factory=LineBuffer)
    said: deque[bytes] = field(default_factory=deque)
    left: list[str | None] = field(default_factory=list)

    def hear(self, data: bytes) -> None:
        for line in self.lines.feed(data):
            self.react(self.core.receive_line(line))

    def fall_silent(self) -> None:
        """Nothing more comes for now."""
        if is_whole_line((self.lines.pending or b"").decode()):
            self.hear(b"\n")

    def react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self.said.append(effect.line.encode() + b"\r\n")
                case AskCall():
                    decision = self.strategy.choose_call(effect.view)
                    self.react(self.core.make_call(decision.call, decision.alert, asked=effect))
                case AskCard():
                    card = self.strategy.choose_card(effect.view, effect.hand)
                    self.react(self.core.make_card(effect.hand, card, asked=effect))
                case Leave():
                    self.left.append(effect.reason)


def play(server: ForeignServer, visitors: dict[Seat, Visitor], *, joined: bool = False) -> None:
    """Until nobody has anything to say; with `joined` a visitor says all it has to say in one segment."""
    for visitor in visitors.values():
        visitor.react(visitor.core.start())
    order = Random(1)
    while speakers := [seat for seat, visitor in visitors.items() if visitor.said]:
        seat = order.choice(speakers)
        visitor = visitors[seat]
        data = b"".join(visitor.said) if joined else visitor.said.popleft()
        if joined:
            visitor.said.clear()
        for sending in server.receive(seat, data):
            visitors[sending.seat].hear(sending.data)
        for listener in visitors.values():
            listener.fall_silent()
    if server.over:
        for visitor in visitors.values():
            if not visitor.left:
                visitor.react(visitor.core.receive_close())


def four_visitors(scripts: Sequence[Script], system: str = "") -> dict[Seat, Visitor]:
    strategies = players_for(list(scripts))
    names = ("Alpha", "Beta")
    return {seat: Visitor(PlayerCore(seat, names[seat % 2], system=system), strategies[seat]) for seat in SEATS}


def boards_for(seed: int) -> list[Script]:
    """A board that is passed out, and three of any contract."""
    scripts = [script_from_seed(board_from_seed(seed, "foreign", number), seed) for number in range(1, 30)]
    passed_out = next(script for script in scripts if not script.cards)
    return [passed_out, *[script for script in scripts if script.cards][:3]]


def played(server: ForeignServer) -> list[tuple[object, ...]]:
    return [course(in_play) for in_play in server.played]


def course(in_play: BoardInPlay) -> tuple[object, ...]:
    cards = in_play.play.cards if in_play.play is not None else []
    return (in_play.board.number, tuple(in_play.auction.calls), tuple(cards))


@pytest.mark.parametrize("kind", [ForeignServer, BridgeMoniteur, RoboTM, BridgeEnvServer, BrdgeBot])
@pytest.mark.parametrize("seed", range(3))
def test_our_players_play_whole_boards_at_the_tables_of_others(kind: type[ForeignServer], seed: int) -> None:
    scripts = boards_for(seed)
    server = kind([script.board for script in scripts])
    visitors = four_visitors(scripts)
    play(server, visitors)
    assert played(server) == [(script.board.number, script.calls, script.cards) for script in scripts]
    assert [visitor.left for visitor in visitors.values()] == [[None]] * 4


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("seed", range(4))
def test_our_player_takes_any_seat_at_open_spiel_and_speaks_in_capitals_there(seat: Seat, seed: int) -> None:
    boards = [board_from_seed(seed, "open_spiel", number) for number in (1, 17, 33)]
    server = OpenSpiel(boards, seat, RandomStrategy(seed))
    visitor = Visitor(PlayerCore(None, "WBridge5"), RandomStrategy(seed))
    play(server, {seat: visitor})
    assert [in_play.board.number for in_play in server.played] == [1, 17, 33]
    assert visitor.core.seat is seat
    assert visitor.left == ["the table closed the connection before the end of the session"]


def test_a_table_that_takes_one_line_a_read_loses_what_is_said_at_once() -> None:
    scripts = boards_for(0)
    server = RoboTM([script.board for script in scripts])
    visitors = four_visitors(scripts)
    play(server, visitors, joined=True)
    assert not server.over
    assert not any(visitor.left for visitor in visitors.values())


def test_a_table_that_takes_nothing_after_the_version_stops_at_a_system() -> None:
    scripts = boards_for(0)
    with pytest.raises(ServerStoppedError, match="Unexpected message received"):
        play(BridgeEnvServer([scripts[0].board]), four_visitors(scripts, system="tourney basic"))


class SocketTable:
    """A foreign server on a port of its own; what every player sends is read as it comes."""

    def __init__(self, server: ForeignServer, seats: Sequence[Seat]) -> None:
        self.server = server
        self.stopped = ""
        self._seats = seats
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._links: dict[Seat, socket.socket] = {}
        self._lock = threading.Lock()

    def run(self) -> None:
        """Until the server has ended."""
        with self._listener:
            for free in self._seats:
                link, _ = self._listener.accept()
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                # Players come in any order; the log-on, looked at without taking it, names the seat.
                log_on = link.recv(200, socket.MSG_PEEK)
                named = [seat for seat in self._seats if f" as {seat.title} ".encode() in log_on]
                self._links[named[0] if named else free] = link
        with ThreadPoolExecutor(len(self._seats)) as readers:
            list(readers.map(self._serve, self._seats))
        for link in self._links.values():
            link.close()

    def _serve(self, seat: Seat) -> None:
        while data := self._links[seat].recv(65536):
            with self._lock:
                try:
                    for sending in self.server.receive(seat, data):
                        self._links[sending.seat].sendall(sending.data)
                except ServerStoppedError as error:
                    self.stopped = str(error)
                if self.server.over or self.stopped:
                    for link in self._links.values():
                        link.shutdown(socket.SHUT_WR)
                    return


def test_four_bots_play_a_board_over_sockets_at_a_table_that_sends_lines_without_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(client, "SILENCE_S", 0.01)
    script = next(script for script in boards_for(5) if script.cards)
    table = SocketTable(BridgeMoniteur([script.board]), SEATS)
    strategies = players_for([script])
    with ThreadPoolExecutor(5) as threads:
        ended = [threads.submit(table.run)]
        for seat in SEATS:
            settings = BotSettings("127.0.0.1", table.port, seat, ("Alpha", "Beta")[seat % 2])
            ended.append(threads.submit(run_bot, settings, strategies[seat], print))
        for future in ended:
            future.result(timeout=30)
    assert table.stopped == ""
    assert [course(in_play) for in_play in table.server.played] == [(script.board.number, script.calls, script.cards)]


def test_a_bot_takes_any_seat_over_a_socket_and_says_when_the_table_closes_early() -> None:
    table = SocketTable(OpenSpiel([board_from_seed(2, "open_spiel", 1)], Seat.WEST, RandomStrategy(2)), [Seat.WEST])
    settings = BotSettings("127.0.0.1", table.port, None, "WBridge5", system="tourney random")
    with ThreadPoolExecutor(1) as threads:
        served = threads.submit(table.run)
        with pytest.raises(ProtocolError, match="the table closed the connection before the end of the session"):
            run_bot(settings, RandomStrategy(2), print)
        served.result(timeout=30)
    assert table.stopped == ""
    assert len(table.server.played) == 1


def test_a_scripted_program_plays_over_a_socket_at_the_table_it_was_written_for() -> None:
    script = next(script for script in boards_for(6) if script.cards)
    table = SocketTable(BridgeEnvServer([script.board]), SEATS)
    strategies = players_for([script])
    with ThreadPoolExecutor(5) as threads:
        served = threads.submit(table.run)
        players = [BridgeEnv(seat, ("Alpha", "Beta")[seat % 2], strategies[seat]) for seat in SEATS]
        ended = [threads.submit(play_on_socket, player, "127.0.0.1", table.port) for player in players]
        for future in (*ended, served):
            future.result(timeout=30)
    assert table.stopped == ""
    assert [player.boards_played for player in players] == [1] * 4


def test_a_scripted_program_over_a_socket_says_when_it_dies() -> None:
    table = SocketTable(OpenSpiel([board_from_seed(2, "open_spiel", 1)], Seat.WEST, RandomStrategy(2)), [Seat.WEST])
    with ThreadPoolExecutor(1) as threads:
        served = threads.submit(table.run)
        with pytest.raises(DialectError, match="cannot be"):
            play_on_socket(QPlus(None, "Beta", RandomStrategy(2)), "127.0.0.1", table.port)
        served.result(timeout=30)
