"""`tourney play` in a pseudo-terminal, with three bots, and with a connection that is cut."""

import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from tests.support.commands import check_record
from tests.support.events import free_port, rest_of, start_tourney, write_lobby
from tests.support.network import way_to
from tests.support.terminal import TerminalProgram, answer, is_turn


def test_a_person_and_three_bots_go_on_at_the_same_card_when_the_lobby_was_stopped_with_ctrl_c(
    tmp_path: Path,
) -> None:
    """The connection is cut before, and the person bids 7NT."""
    port = free_port()
    event = write_lobby(tmp_path, seed=5)
    lobby = start_lobby(tmp_path, port)
    typed, breaks = 0, {5, 7}
    with way_to(port) as way:
        terminal = TerminalProgram(["play", "--port", str(way.port), "--name", "Anna"])
        try:
            for line in terminal.lines():
                if line.startswith("result of board 1: 7NT"):
                    break
                if not is_turn(line):
                    continue
                if typed in breaks:  # what was asked is asked again
                    breaks.remove(typed)
                    if typed == 5:
                        way.cut()
                        terminal.wait_for("trying again")
                    else:
                        assert stop(lobby) == 0
                        terminal.wait_for("play has stopped: waiting until it goes on")
                        lobby = start_lobby(tmp_path, port)
                    terminal.wait_for("connected again")
                else:
                    terminal.type(answer(line) if typed else "7n! all of them")
                    typed += 1
            terminal.type("quit")
            assert terminal.finish() == 0
            assert stop(lobby) == 0
        finally:
            terminal.close()
            lobby.kill()
            lobby.communicate()
    assert typed >= 26
    with closing(sqlite3.connect(tmp_path / "results" / "event.db")) as record:
        begun = record.execute("SELECT count(*) FROM board_attempts WHERE board = 1").fetchone()
    assert begun == (1,), "the board went on where it was"
    assert "you have left; the same command brings you back to your seat" in terminal.written
    check_record(event)


def start_lobby(folder: Path, port: int) -> "subprocess.Popen[str]":
    return start_tourney("lobby", folder, "--port", str(port), "--bots", "3")


def stop(lobby: "subprocess.Popen[str]") -> int:
    """Press Ctrl-C, and return how it ended."""
    lobby.send_signal(signal.SIGINT)
    return rest_of(lobby).status


def test_ctrl_c_ends_the_session_with_a_sentence() -> None:
    person = TerminalProgram(["play", "--port", "9", "--name", "Anna"])
    try:
        person.wait_for("nobody listens there: trying again")
        person.process.send_signal(signal.SIGINT)
        assert person.finish() == 130
    finally:
        person.close()
    assert "you have left" in person.written
    assert "\x1b" not in person.written
