"""`tourney play` in a pseudo-terminal and in a pipe, against programs, with connections that are cut."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.cut_proxy import CutProxy
from tests.support.events import bot, environment, port_range, printed, start_tourney, write_lobby
from tests.support.terminal import TerminalProgram, answer, is_turn


class ServerProcess:
    """A run or a lobby, which can be stopped with Ctrl-C and started again."""

    def __init__(self, *words: str | Path, stopped: int) -> None:
        self._words = words
        self._stopped = stopped
        self._process = start_tourney(*words)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=30)
        assert self._process.returncode == self._stopped

    def start_again(self) -> None:
        self._process = start_tourney(*self._words)

    def wait(self) -> None:
        assert self._process.wait(60) == 0

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def running_event(folder: Path) -> Iterator[tuple[Path, int, ServerProcess]]:
    """An event of one board at one table, where Anna's two seats wait at a port; two programs are opponents."""
    port = int(port_range(1).partition("-")[0])
    path = folder / "event.toml"
    path.write_text(
        '[event]\nname = "Club night"\nresults = "results"\n'
        '[[pair]]\nname = "Anna"\nprotocol = "stateful"\n'
        f'[[pair]]\nname = "Beta"\nprofile = "tourney"\ncommand = {json.dumps(bot(2))}\n'
        '[[stage]]\nformat = "match"\ngame = "rubber"\ndeals = 1\n'
        f"[deals]\nseed = 5\n[stateful]\nport = {port}\n"
        f'[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n',
        encoding="utf-8",
    )
    run = ServerProcess("run", path, "--hosts", "1", stopped=130)
    try:
        yield path, port, run
        run.wait()
    finally:
        run.kill()


class TypingTerminal:
    """Answers every prompt in a terminal, the first with 7NT; cuts the connection or stops the server before some."""

    def __init__(
        self,
        terminal: TerminalProgram,
        proxy: CutProxy,
        server: ServerProcess,
        *,
        cut_before: Sequence[int] = (),
        stop_before: int | None = None,
    ) -> None:
        self.typed: list[str] = []
        self._terminal, self._proxy, self._server = terminal, proxy, server
        self._cut_before = cut_before
        self._stop_before = stop_before

    def play_to_end(self, leave_after: str = "") -> None:
        has_waited = True
        while picture := self._terminal.next_picture():
            if leave_after and any(line.startswith(leave_after) for line in picture):
                self._terminal.type("quit")
                return
            assert max(map(len, picture)) < 60
            prompt = next((line for line in reversed(picture[:-1]) if is_turn(line)), "")
            if not prompt:
                has_waited = True
            elif has_waited:
                has_waited = False
                if len(self.typed) in self._cut_before:
                    self._proxy.cut()
                    self._terminal.wait_for("trying again")
                    self._terminal.wait_for("connected again")
                if len(self.typed) == self._stop_before:
                    self._server.stop()
                    self._terminal.wait_for("play has stopped: waiting until it goes on")
                    self._server.start_again()
                    self._terminal.wait_for("connected again")
                self.typed.append(answer(prompt) if self.typed else "7n! all of them")
                self._terminal.type(self.typed[-1])


def start_pipe(words: Sequence[str]) -> "subprocess.Popen[str]":
    """Start a player whose input and output are pipes; its passes wait there until they are asked for."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tourney", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert program.stdin is not None
    print("p\np\np", file=program.stdin, flush=True)
    return program


@pytest.mark.campaign
def test_people_in_a_terminal_and_in_a_pipe_play_a_board_though_a_connection_is_cut_and_the_run_is_stopped(
    tmp_path: Path,
) -> None:
    with running_event(tmp_path) as (event, port, run):
        proxy = CutProxy(port)
        terminal = TerminalProgram(["play", "--port", str(proxy.port), "--name", "Anna"], columns=60)
        typing = TypingTerminal(terminal, proxy, run, cut_before=(1,), stop_before=9)
        try:
            terminal.wait_for("waiting for the others")
            with start_pipe(["play", "--port", str(port), "--name", "Anna"]) as pipe:
                typing.play_to_end()
                assert terminal.finish() == 0
                assert pipe.stdout is not None
                told = pipe.stdout.read().splitlines()
        finally:
            terminal.close()
            proxy.close()
    assert len(typing.typed) >= 26
    assert attempts_at_boards(event) == [(1, 1)], "the board went on where it was"
    assert "Board 1: 7NT" in terminal.left_behind
    assert "the event is over" in terminal.left_behind
    assert pipe.returncode == 0
    assert told[-1] == "the event is over"
    assert "play has stopped: waiting until it goes on, or quit" in told
    assert len({line for line in told if " plays the " in line}) == 52
    assert len({line for line in told if " wins the trick: " in line}) == 13
    assert all(line.isprintable() for line in told)
    verified = printed("verify", event)
    assert (verified.status, ", 0 findings" in verified.out) == (0, True), verified.out


def attempts_at_boards(event: Path) -> list[tuple[int, int]]:
    """How often each board was begun."""
    with closing(sqlite3.connect(event.parent / "results" / "event.db")) as record:
        return record.execute("SELECT board, count(*) FROM board_attempts GROUP BY board").fetchall()


def test_a_person_and_three_bots_go_on_at_the_same_card_when_the_lobby_was_stopped_with_ctrl_c(
    tmp_path: Path,
) -> None:
    port = int(port_range(1).partition("-")[0])
    write_lobby(tmp_path, seed=5)
    options = ("--port", str(port), "--bots", "3")
    lobby = ServerProcess("lobby", tmp_path, *options, stopped=0)
    proxy = CutProxy(port)
    terminal = TerminalProgram(["play", "--port", str(proxy.port), "--name", "Anna"], columns=60)
    typing = TypingTerminal(terminal, proxy, lobby, cut_before=(5,), stop_before=7)
    try:
        typing.play_to_end(leave_after="Board 1: 7NT")
        assert terminal.finish() == 0
        lobby.stop()
    finally:
        terminal.close()
        proxy.close()
        lobby.kill()
    assert len(typing.typed) >= 26
    assert attempts_at_boards(tmp_path / "lobby.toml")[0] == (1, 1), "the board went on where it was"
    assert "you have left; the same command brings you back to your seat" in terminal.left_behind
    verified = printed("verify", tmp_path / "lobby.toml")
    assert (verified.status, ", 0 findings" in verified.out) == (0, True), verified.out


def test_ctrl_c_leaves_a_terminal_as_it_was_and_there_are_no_colours_where_none_are_wanted() -> None:
    person = TerminalProgram(["play", "--port", "9", "--name", "Anna"], NO_COLOR="1")
    try:
        person.wait_for("nobody listens there: trying again")
        person.press(b"quiz\x7ft")
        assert person.wait_for("> quit")[-1] == "> quit"
        person.process.send_signal(signal.SIGINT)
        assert person.finish() == 130
    finally:
        person.close()
    assert "you have left" in person.left_behind
    assert "\x1b[3" not in person.written  # no colour


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--seat", "North"], 2, "--seat is for a --game"),
    ],
)
def test_what_cannot_be_is_one_sentence(words: list[str], status: int, said: str) -> None:
    command = [sys.executable, "-m", "tourney", "play", "--port", "9", "--name", "Anna", *words]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as program:
        assert program.stderr is not None
        error = program.stderr.read()
    assert (program.returncode, said in error, "Traceback" in error) == (status, True, False), error
