"""Whole events of real processes that are killed in every way there is, from a seed, and what is left of them.

After each event the record is held against what the players themselves have noted (`noting_player`): nothing that one
of them was told is missing, nothing occurs twice, and nothing is there that nobody said.
"""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sqlalchemy.exc import SQLAlchemyError

from tests.support.databases import PostgresServer
from tests.support.events import environment, tourney, write_event
from tourney.bridge import SEATS
from tourney.errors import StoreError
from tourney.store.db.database import Database, file_url

BOARDS = 4
LEASE_S = 2
KILLS_MAX = 12
"""In one event, at most."""

LIMIT_S = 240
"""An event that takes longer has come to a standstill."""

KINDS = (
    "run killed",
    "run TERM",
    "run INT",
    "run HUP",
    "terminal closed",
    "host killed",
    "host stopped past its lease",
    "host TERM",
    "program killed",
    "program TERM",
    "everything killed",
)
SERVER_KINDS = ("server restarted at once", "backends ended", "server away for 20 s")

SAID = {"Pass": "passes", "X": "doubles", "XX": "redoubles"}
TITLES = {seat.letter: seat.title for seat in SEATS}
ACTION = re.compile(r"(North|East|South|West) (passes|doubles|redoubles|bids \w+|plays \w+)")
BOARD = re.compile(r"Board number (\d+)\.")


@dataclass
class Outcome:
    """What became of one event."""

    seed: int
    database: str
    kills: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    boards: int = 0
    checked: int = 0
    """Calls and cards that players had noted, looked for on record."""
    on_record: int = 0
    """Calls and cards on record, looked for in what players had noted."""
    seconds: float = 0.0


class Campaign:
    """One event, its run and everybody who works for it."""

    def __init__(self, folder: Path, seed: int, url: str | None, server: PostgresServer | None) -> None:
        self._chance = Random(seed)
        self._folder = folder
        self._notes = folder / "notes"
        self._notes.mkdir(parents=True)
        self._server = server
        self.outcome = Outcome(seed, "postgresql" if url else "sqlite")
        self.event = self._write_event(url)
        self._database = Database(url or file_url(folder / "results" / "event.db"))
        self._run: subprocess.Popen[bytes] | None = None
        self._terminal: int | None = None

    def _write_event(self, url: str | None) -> Path:
        fickle = " fickle" if self._chance.random() < 0.5 else ""
        player = f"{sys.executable} -m tests.kills.noting_player {self._notes}{fickle}"
        words = "{host} {port} {seat} {team}"
        teams = [(name, f"{player} {words} {self._chance.randrange(1000)}") for name in ("Alpha", "Beta")]
        event = write_event(
            self._folder,
            teams,
            boards=BOARDS,
            extra="[rules]\nrejoins = 100\nrestarts = 100\n"
            f'[record]\ndurability = "{self._chance.choice(("full", "process"))}"\n'
            '[sandbox]\nkind = "none"\n',  # programs note what they hear in a folder of ours
            tables=f"lease_s = {LEASE_S}\norphan_s = 40\noutage_s = 60\n",
            record=False,
        )
        text = event.read_text().replace("seed = 7", f"seed = {self._chance.randrange(1000)}")
        if url:
            text = text.replace("[event]\n", f"[event]\ndatabase = {json.dumps(url)}\n")
        event.write_text(text)
        return event

    # Processes

    def _start(self) -> None:
        self._end_session()
        words = [sys.executable, "-m", "tourney", "run", str(self.event), "--hosts", "2"]
        log = (self._folder / "run.log").open("ab")
        terminal, theirs = pty.openpty()
        self._terminal = terminal
        root = str(Path(__file__).parents[2])
        with log:
            self._run = subprocess.Popen(
                # In a session with a terminal of its own, which tells it when it is closed.
                ["setsid", "--ctty", *words],
                stdin=theirs,
                stdout=log,
                stderr=log,
                cwd=root,
                env=environment() | {"PYTHONPATH": root, "LC_ALL": "C"},
                start_new_session=False,
            )
        os.close(theirs)

    def _end_session(self) -> None:
        """Close the terminal of a run that has ended."""
        self._close_terminal()
        if self._run is not None:
            self._run.wait()

    def _close_terminal(self) -> None:
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None

    def _processes(self, *words: str) -> list[int]:
        """The processes of this event whose command lines hold all of these words."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if all(word in line for word in words):
                found.append(int(process.name))
        return found

    def _hosts(self) -> list[int]:
        with contextlib.suppress(StoreError):
            return [pid for (pid,) in self._rows("SELECT pid FROM hosts WHERE ended_at_ms IS NULL AND pid > 0")]
        return []

    def _runs(self) -> list[int]:
        return [pid for pid in self._processes("tourney run", str(self.event)) if pid != os.getpid()]

    def _programs(self) -> list[int]:
        return self._processes("noting_player", str(self._notes))

    @staticmethod
    def _signal(pids: list[int], number: signal.Signals) -> bool:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        return bool(pids)

    # Kills

    def _kill(self, kind: str) -> bool:
        """Kill something; return False when there is nothing of the kind."""
        who, what = kind.split(" ", 1)
        find = {"run": self._runs, "host": self._hosts, "program": self._programs}
        if who in find and " " not in what:
            number = signal.SIGKILL if what == "killed" else signal.Signals[f"SIG{what}"]
            return self._signal(self._pick(find[who]()), number)
        match kind:
            case "terminal closed":
                has_terminal = self._terminal is not None and bool(self._runs())
                self._close_terminal()
                return has_terminal
            case "host stopped past its lease":
                stopped = self._pick(self._hosts())
                self._signal(stopped, signal.SIGSTOP)
                time.sleep(LEASE_S + 1.5)
                self._signal(stopped, signal.SIGCONT)
                return bool(stopped)
            case "everything killed":
                everybody = [*self._runs(), *self._hosts(), *self._programs()]
                return self._signal(everybody, signal.SIGKILL)
            case _:
                return self._hit_server(kind)

    def _pick(self, pids: list[int]) -> list[int]:
        return [self._chance.choice(sorted(pids))] if pids else []

    def _hit_server(self, kind: str) -> bool:
        assert self._server is not None
        name = self._database.url.database
        if kind == "server restarted at once":
            # A backend that is killed has the server end all others, and recover as after a crash.
            (pid,) = next(iter(self._rows("SELECT pg_backend_pid()")))
            self._database.close()
            others = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
            backends = [found for (found,) in self._rows(others) if found != pid]
            return self._signal(self._pick(backends), signal.SIGKILL)
        end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        if kind == "server away for 20 s":
            self._tell_server(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
            self._tell_server(end)
            time.sleep(20)
            self._tell_server(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
        else:
            self._tell_server(end)
        return True

    def _tell_server(self, statement: str) -> None:
        """Have the server do something, once it has recovered from what was done to it before."""
        assert self._server is not None
        deadline_s = time.monotonic() + 30
        while True:
            try:
                self._server.run(statement)
            except SQLAlchemyError:
                if time.monotonic() > deadline_s:
                    raise
                time.sleep(0.2)
            else:
                return

    # The event

    def play(self, kills: int) -> Outcome:
        """Play the event, with so many kills, to its end."""
        began_s = time.monotonic()
        kinds = [*KINDS, *(SERVER_KINDS if self._server is not None else ())]
        plan = [(self._chance.uniform(0.2, 1.5), self._chance.choice(kinds)) for _ in range(kills)]
        try:
            self._start()
            for after_s, kind in plan:
                time.sleep(after_s)
                if self._is_over():
                    break
                if not self._runs():
                    self._start()
                    time.sleep(self._chance.uniform(0.5, 2.5))
                if self._kill(kind):
                    self.outcome.kills.append(kind)
            while not self._is_over():
                if time.monotonic() - began_s > LIMIT_S:
                    self.outcome.faults.append(f"not finished after {LIMIT_S} s")
                    break
                if not self._runs():
                    self._start()
                time.sleep(0.3)
            self._check()
        except (StoreError, OSError) as error:
            self.outcome.faults.append(repr(error))
        finally:
            for pids in (self._runs(), self._hosts(), self._programs()):
                self._signal(pids, signal.SIGKILL)
            self._end_session()
            self._database.close()
        self.outcome.seconds = time.monotonic() - began_s
        return self.outcome

    def _is_over(self) -> bool:
        with contextlib.suppress(StoreError):
            left = "SELECT count(*) FROM tables WHERE state <> 'finished'"
            return self._rows("SELECT count(*) FROM tables") != [(0,)] and self._rows(left) == [(0,)]
        return False

    def _rows(self, sql: str) -> list[tuple]:  # type: ignore[type-arg] # of whatever the query has
        if self._database.is_missing:
            raise StoreError("there is no database yet")
        with self._database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]

    # What is left

    def _check(self) -> None:
        faults = self.outcome.faults
        finals = self._rows("SELECT table_id, board FROM board_attempts WHERE final AND ended IS NOT NULL")
        self.outcome.boards = len(finals)
        if len(finals) != 2 * BOARDS or len(set(finals)) != len(finals):
            faults.append(f"{len(finals)} final boards, {len(set(finals))} of them different, not {2 * BOARDS}")
        faults += [f"a ruling: {kind}, {reason}" for kind, reason in self._rows("SELECT kind, reason FROM rulings")]
        verified = tourney("verify", self.event)
        if verified.status:
            faults.append(f"tourney verify: {verified.out} {verified.err}")
        rooms = dict(self._rows("SELECT id, room FROM tables"))
        record: dict[tuple[str, int], list[str]] = {}
        for what, send_line in (("call", lambda call: SAID.get(call, f"bids {call}")), ("card", "plays {}".format)):
            rows = (
                f"SELECT table_id, board, attempt, seat, {what} FROM {what}s ORDER BY table_id, board, attempt, seq"
            )
            for table_id, board, _, seat, word in self._rows(rows):
                record.setdefault((rooms[table_id], board), []).append(f"{TITLES[seat]} {send_line(word)}")
        self.outcome.on_record = sum(map(len, record.values()))
        said: set[tuple[str, int, str]] = set()
        for file in sorted(self._notes.iterdir()):
            # The port may be one of a program alone. Alpha, at home, sits North and South in the open room.
            _, seat, team, *_ = file.name.split("-")
            room = "open" if (team == "Alpha") == (seat in "NS") else "closed"
            for board, told, own in self._noted(file):
                said.update((room, board, action) for action in own)
                there = iter(record.get((room, board), []))
                self.outcome.checked += len(told)
                faults += [
                    f"{file.name}: {action} on board {board} is not on record"
                    for action in told
                    if action not in there
                ][:1]
        for (room, board), actions in record.items():
            faults += [
                f"{room} room, board {board}: nobody said {action}"
                for action in actions
                if (room, board, action) not in said
            ][:1]

    @staticmethod
    def _noted(file: Path) -> Iterator[tuple[int, list[str], list[str]]]:
        """What a process of a program was told, and what it said itself, board by board."""
        board, told, own = 0, list[str](), list[str]()
        for line in file.read_text("utf-8").splitlines():
            what, _, text = line.partition(" ")
            number, action = BOARD.match(text), ACTION.match(text)
            if what == "heard" and number is not None:
                yield board, told, own
                board, told, own = int(number[1]), [], []
            elif action is not None:
                (told if what == "heard" else own).append(action[0])
        yield board, told, own
