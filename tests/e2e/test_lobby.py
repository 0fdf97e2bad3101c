"""A lobby over sockets, in a process of its own: a rubber with three bots, killed and opened again, on record."""

import json
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.events import port_range, read_until, rest_of, start_tourney, write_lobby
from tests.support.lobby_clients import SocketClient


def free_port() -> int:
    return int(port_range(1).partition("-")[0])


def open_lobby(
    place: Path, port: int, *options: str, seed: int | None = None, start_s: int = 60
) -> "subprocess.Popen[str]":
    if not (place / "lobby.toml").exists():
        write_lobby(place, seed=seed, start_s=start_s)
    lobby = start_tourney("lobby", place, "--port", str(port), *options)
    read_until(lobby, f"is open on 127.0.0.1 port {port}")
    return lobby


@pytest.fixture(scope="module")
def duplicate_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a lobby for tests that leave nothing of theirs in it, and which ends well after them."""
    port = free_port()
    options = ("--bots", "3", "--kind", "duplicate")
    lobby = open_lobby(tmp_path_factory.mktemp("lobby"), port, *options, seed=5)
    yield port
    lobby.send_signal(signal.SIGTERM)
    assert rest_of(lobby).status == 0


def test_a_lobby_answers_while_others_have_the_lock_of_its_record(tmp_path: Path) -> None:
    port = free_port()
    lobby = open_lobby(tmp_path, port, "--bots", "3", seed=5)
    ann = SocketClient("Ann", port)
    ann.send_line("HELLO Ann", "JOIN-M")
    ann.read_until(lambda line: line.startswith("AUCOPEN"))
    holder = sqlite3.connect(tmp_path / "results" / "event.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ann.send_line("BID PASS")  # if it is its turn: its table waits for the record, like those that its bots bid at
    for name, phrase in (("Carl", "#open sesame"), ("Dan", ""), ("Eve", "")):
        client = SocketClient(name, port, timeout_s=8)  # less than a write waits for the lock by default
        client.send_line("X-HELLO PING", f'HELLO "{name}{phrase}"', f"X-PING {name}")
        client.read_until(lambda line: line.startswith("X-PONG"))
        client.send_line("JOIN-M")  # a name, a game: what others have put on record
        client.close()
    holder.rollback()  # everybody was answered before
    holder.close()
    ann.read_until(lambda line: line.startswith("AUCCLOSE"))
    ann.close()
    lobby.send_signal(signal.SIGTERM)
    assert rest_of(lobby).status == 0


def is_games(line: str) -> bool:
    return line.startswith("GAMES")


@pytest.mark.clause("SS-28")
@pytest.mark.clause("SS-43")
@pytest.mark.clause("SS-45")
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
    event = tmp_path / "lobby.toml"
    shown = json.loads(run("standings", event, "--json").stdout)
    games_played = json.loads(run("rounds", event, "--json").stdout)["rounds"]
    states = [(each["match"], each["state"]) for round_ in games_played for each in round_["matches"]]
    assert states == [(1, "over"), (2, "over")]
    (stage,) = [each for each in shown["fields"] if each["stage"] == "Rubber bridge"]
    ranked = {row["team"]: row["points_for"] for row in stage["standings"]}
    assert ranked == {"Ann & Bot N": f"{sum(totals[:2])}", "Bot E & Bot W": f"{sum(totals[3:5])}"}
    verified = run("verify", event)
    assert verified.exit_code == 0, verified.stdout
    exported = run("export", event, "--format", "pbn", "--out", tmp_path / "pbn")
    assert exported.exit_code == 0, exported.stderr
    games = "".join(path.read_text() for path in (tmp_path / "pbn").glob("match-001*.pbn"))
    assert '[Scoring "Rubber"]' in games
    assert '[North "Bot N"]' in games
    assert '[South "Ann"]' in games
    assert "NorthType" not in games  # whether Ann is a program is not known
    assert run("match", event, "1").exit_code == 0
    assert "board cancelled: Eve has left, and nobody is left (by the lobby)" in run("match", event, "2").stdout


def play_on(client: SocketClient, is_done: Callable[[str], bool]) -> threading.Thread:
    """Play beside others until a line comes that ends it."""
    thread = threading.Thread(target=client.read_until, args=[is_done])
    thread.start()
    return thread


@pytest.mark.campaign
@pytest.mark.clause("SS-46")
def test_eight_players_make_a_tournament_that_begins_by_itself_and_survives_a_kill(tmp_path: Path) -> None:
    port = free_port()
    lobby = open_lobby(tmp_path, port, seed=6, start_s=1)
    names = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
    clients = [SocketClient(name, port, seed) for seed, name in enumerate(names)]
    for client, name in zip(clients, names, strict=True):
        client.send_line(f"HELLO {name}", "JOIN-T" if name == "Ann" else "JOIN-T t1")
        client.read_until(lambda line: line == "TOURNAMENTS t1")
    playing = [play_on(client, lambda line: line.startswith("AUCCLOSE")) for client in clients]
    for thread in playing:
        thread.join()
    lobby.kill()
    rest_of(lobby)
    for client in clients:
        client.close()

    lobby = open_lobby(tmp_path, port)
    clients = [SocketClient(name, port, seed) for seed, name in enumerate(names)]
    for client, name in zip(clients, names, strict=True):
        client.send_line(f"HELLO {name}")
        client.read_until(lambda line: line == "TOURNAMENTS t1")
        client.send_line("JOIN-T")
    playing = [play_on(client, lambda line: line == "TOURNAMENTS -") for client in clients]
    for thread in playing:
        thread.join()
    lobby.send_signal(signal.SIGTERM)
    assert rest_of(lobby).status == 0
    for client in clients:
        client.close()
    event = tmp_path / "t1.toml"
    ranked = json.loads(run("standings", event, "--json").stdout)["standings"]
    assert {row["team"] for row in ranked} == {"Ann & Bob", "Cat & Dan", "Eve & Fay", "Gus & Hal"}
    assert all(row["boards"] == 6 for row in ranked)
    verified = run("verify", event)
    assert verified.exit_code == 0, verified.stdout


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
