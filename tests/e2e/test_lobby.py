"""A lobby over sockets, in a process of its own: a rubber with three bots, killed and opened again, on record."""

import signal
import socket
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from select import select

import pytest

from tests.support.commands import check_record, converse, run
from tests.support.events import free_port, read_until, rest_of, start_tourney, write_lobby
from tests.support.seed_client import SeedClient, legal_bids


class SocketClient:
    """One player with its connection."""

    def __init__(self, name: str, port: int, seed: int = 1, timeout_s: int = 30) -> None:
        choices = Random(seed)

        def choose_bid(client: SeedClient) -> str:
            # A cautious bidder: contracts are low, and some are made.
            return "PASS" if choices.random() < 0.6 else choices.choice(legal_bids(client.bids)[:6])

        self.player = SeedClient(name, choose_bid, lambda _, allowed: choices.choice(list(allowed)))
        self.lines: list[str] = []
        """Everything that it was sent on this connection."""
        self.is_thinking = False
        """Whether it leaves what the game asks of it unanswered."""
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=timeout_s)
        self._file = self._socket.makefile("rb")

    def send_line(self, *lines: str) -> None:
        for line in lines:
            self._socket.sendall(line.encode() + b"\r\n")

    def read(self) -> str:
        """Read one line, and answer it if the game wants it; empty once the connection is closed."""
        line = self._file.readline().decode().rstrip("\r\n")
        if line:
            self.lines.append(line)
            answers = self.player.receive(line)
            self.send_line(*([] if self.is_thinking else answers))
        return line

    def read_until(self, is_it: Callable[[str], bool]) -> str:
        """Play until a line comes that is wanted."""
        while line := self.read():
            if is_it(line):
                return line
        raise AssertionError(f"the connection was closed after {self.lines[-5:]}")

    def has_lines(self) -> bool:
        """Whether something has come that was not read."""
        return bool(select([self._socket], [], [], 0)[0])

    def close(self) -> None:
        self._file.close()
        self._socket.close()


def open_lobby(place: Path, port: int, *options: str, seed: int | None = None) -> "subprocess.Popen[str]":
    if not (place / "lobby.toml").exists():
        write_lobby(place, seed=seed)
    lobby = start_tourney("lobby", place, "--port", str(port), *options)
    read_until(lobby, f"is open on 127.0.0.1 port {port}")
    return lobby


def sit_down(name: str, port: int) -> SocketClient:
    """Come to a table with three bots, and think when it is one's turn."""
    player = SocketClient(name, port, timeout_s=8)  # less than a write waits for the lock by default
    player.is_thinking = True
    player.send_line("X-HELLO PING,SAY", f"HELLO {name}", "JOIN-M")
    player.read_until(lambda line: line.startswith(f"AUCOPEN {player.player.position} "))
    return player


def test_nobody_waits_for_the_lock_of_a_record_but_the_tables_that_have_something_to_record(tmp_path: Path) -> None:
    ports = free_port(), free_port()
    lobbies = [open_lobby(tmp_path, ports[0], "--bots", "3", seed=5)]
    record = tmp_path / "results" / "event.db"
    other = write_lobby(tmp_path / "other", seed=5)  # with hosts of its own at the same record
    other.write_text(other.read_text().replace('"Lobby"', f'"Other"\ndatabase = "sqlite:///{record}"'))
    lobbies.append(open_lobby(other.parent, ports[1], "--bots", "3"))
    at = [ports[0]] * 4 + [ports[1]]
    ann, *others = (sit_down(name, port) for name, port in zip("ABCDE", at, strict=True))
    holder = sqlite3.connect(record, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ann.send_line("BID PASS", "X-PING mine")
    for player in others:
        player.send_line("X-SAY good luck", "X-PING p")
        answers = {"X-PONG p", f'X-SAID {player.player.position} "good luck"'}
        while not answers <= {*player.lines}:
            assert player.read()
    newcomers = [SocketClient(name, ports[0], timeout_s=8) for name in ("G#open sesame", *"HIJKLMN")]
    for client in newcomers:
        joins = "JOIN-T" if client is newcomers[0] else "JOIN-T t1"
        client.send_line("X-HELLO PING", f'HELLO "{client.player.name}"', joins, "X-PING p")
        client.read_until(lambda line: line == "X-PONG p")
    newcomers[0].send_line("X-START")
    read_until(lobbies[0], "t1 begins with 4 pairs")  # which, like a name, is put on record when that can be
    assert not ann.has_lines()  # her pass is relayed when it is on record
    holder.rollback()  # everybody else was answered before
    holder.close()
    ann.read_until(lambda line: line == "X-PONG mine")
    for client in newcomers:
        client.read_until(lambda line: line.startswith("AUCOPEN"))
        client.close()
    for player in (ann, *others):
        player.is_thinking = False
        player.send_line("BID PASS")  # where it is its turn still
        player.read_until(lambda line: line.startswith("AUCCLOSE"))
        player.close()
    for lobby in lobbies:
        lobby.send_signal(signal.SIGTERM)
        assert rest_of(lobby).status == 0


def is_games(line: str) -> bool:
    return line.startswith("GAMES")


@pytest.mark.clause("SS-28", "SS-43", "SS-45")
@pytest.mark.campaign
def test_a_rubber_with_three_bots_survives_a_kill_and_is_on_record_like_any_event(tmp_path: Path) -> None:
    port = free_port()
    lobby = open_lobby(tmp_path, port, "--bots", "3", seed=5)
    ann = SocketClient("Ann", port)
    ann.send_line("HELLO Ann", "JOIN-M")
    ann.read_until(lambda line: line.startswith("SCORE-M") and ann.player.boards > 0)
    ann.read_until(lambda line: line.startswith("TRICK "))
    lobby.kill()
    rest_of(lobby)
    before = ann.player.score
    ann.close()

    lobby = open_lobby(tmp_path, port, "--bots", "3", seed=5)
    again = SocketClient("Ann", port, seed=2)
    again.send_line("HELLO Ann", "JOIN-M")
    again.read_until(lambda line: line.startswith("SCORE-M"))
    assert again.player.score == before
    again.read_until(is_games)  # after HELLO it was read with the rest
    totals = [int(number) for number in again.player.score]
    assert again.player.unknown == again.player.naks == []
    assert again.player.names.keys() == {"N", "E", "W"}

    watcher = SocketClient("Eve", port)
    watcher.send_line("X-HELLO STOPPED", "HELLO Eve")
    watcher.read_until(is_games)
    watcher.send_line("JOIN-M chicago")
    watcher.read_until(lambda line: line.startswith("AUCCLOSE"))
    watcher.send_line("X-LEAVE")
    watcher.read_until(is_games)
    read_until(lobby, "g2 is over: Bot N & Eve against Bot E & Bot W, 0 - 0 points, broken off because Eve has left")
    lobby.send_signal(signal.SIGTERM)
    watcher.read_until(lambda line: line.startswith('X-STOPPED "the lobby closes'))
    assert watcher.read() == ""
    watcher.close()
    closed = rest_of(lobby)
    assert closed.status == 0, closed.out
    again.close()
    rubber = "standings FOLDER/lobby.toml --json | fields[stage=Rubber bridge].standings"
    converse(
        tmp_path,
        f"""
        $ rounds FOLDER/lobby.toml --json | rounds.matches: match state -> 1 over -> 2 over
        $ {rubber}[team=Ann & Bot N]: points_for -> {sum(totals[:2])}
        $ {rubber}[team=Bot E & Bot W]: points_for -> {sum(totals[3:5])}
        $ match FOLDER/lobby.toml 1 -> ...
        $ match FOLDER/lobby.toml 2
            -> ... -> (1) board 1: board cancelled: Eve has left, and nobody is left (by the lobby) -> ...
        $ export FOLDER/lobby.toml --format pbn --out FOLDER/pbn -> ...
        """,
    )
    check_record(tmp_path / "lobby.toml")
    games = "".join(path.read_text() for path in (tmp_path / "pbn").glob("match-001*.pbn"))
    assert '[Scoring "Rubber"]' in games
    assert '[North "Bot N"]' in games
    assert '[South "Ann"]' in games
    assert "NorthType" not in games  # whether Ann is a program is not known


@pytest.mark.campaign
def test_a_lobby_keeps_its_record_in_the_database_that_its_file_names(tmp_path: Path, postgres_url: str) -> None:
    port = free_port()
    event = tmp_path / "lobby.toml"
    event.write_text(f'[event]\nname = "Club"\ndatabase = "{postgres_url}"\n[lobby]\n', encoding="utf-8")
    lobby = open_lobby(tmp_path, port, "--bots", "3", "--kind", "duplicate")
    ann = SocketClient("Ann", port)
    ann.send_line('HELLO "Ann#open sesame"', "JOIN-M")
    ann.read_until(is_games)
    ann.read_until(is_games)
    assert ann.player.boards == 4
    ann.close()
    lobby.send_signal(signal.SIGTERM)
    assert rest_of(lobby).status == 0
    assert "4 boards checked, 0 findings" in run("verify", event).stdout
