"""The words for people over sockets: two persons and two bots, a call that is taken back, a kill, and a claim."""

import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.events import port_range, read_until, rest_of, start_tourney, write_lobby

WORDS = "BOARD,ALERT,RESULT,NOTE,STATE,READY,GAMES,CLAIM,UNDO,ASK,SAY"


class Person:
    """Somebody who types lines, and reads what comes."""

    def __init__(self, name: str, port: int) -> None:
        self.seen: list[str] = []
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        self.say(f"X-HELLO {WORDS}", f"HELLO {name}")
        self.wait_for("GAMES ")

    def say(self, *lines: str) -> None:
        self._socket.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def wait_for(self, *beginnings: str) -> str:
        """Read until a line begins so."""
        for line in self._lines:
            self.seen.append(line.rstrip("\r\n"))
            if self.seen[-1].startswith(beginnings):
                return self.seen[-1]
        raise AssertionError(f"no {beginnings} before the end: {self.seen[-5:]}")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


@contextmanager
def lobby(folder: Path, port: int) -> Iterator[Path]:
    """A lobby that fills games with two bots; it is killed at the end."""
    write_lobby(folder, seed=6)
    process = start_tourney("lobby", folder, "--port", str(port), "--bots", "2")
    try:
        read_until(process, "is open on")
        yield folder / "lobby.toml"
    finally:
        process.kill()
        rest_of(process)


@contextmanager
def two_people(port: int, *asks: str) -> Iterator[tuple[Person, Person]]:
    with closing(Person("Ann", port)) as ann, closing(Person("Bob", port)) as bob:
        for person, ask in zip((ann, bob), asks, strict=True):
            person.say(ask)
            person.wait_for("JOINED ")
        yield ann, bob


@pytest.mark.clause("SS-49")
@pytest.mark.clause("SS-51")
@pytest.mark.clause("SS-52")
@pytest.mark.clause("SS-53")
@pytest.mark.clause("SS-55")
def test_two_people_and_two_bots_take_a_call_back_are_killed_claim_and_go_on(tmp_path: Path) -> None:
    port = int(port_range(1).partition("-")[0])
    with lobby(tmp_path / "club", port), two_people(port, "JOIN-M duplicate S", "JOIN-M g1 N") as (ann, bob):
        bob.wait_for("AUCOPEN N")
        bob.say("BID PASS")
        ann.wait_for("AUCOPEN S")
        ann.say("BID 7NT")
        bob.wait_for("AUCOPEN N")  # a bot has called since
        ann.say("X-UNDO")
        assert ann.wait_for("X-UNDO ") == "X-UNDO 1 S"
        assert ann.wait_for("X-UNDONE ") == "X-UNDONE 1 YES"  # the bots agree
        before = ann.wait_for("AUCOPEN S")
        assert "7NT" not in before
    with lobby(tmp_path / "club", port) as file, two_people(port, "JOIN-M g1", "JOIN-M g1") as (ann, bob):
        assert ann.wait_for("AUCOPEN S") == before, "it was killed"
        ann.say("BID 7NT")
        bob.wait_for("AUCOPEN N")
        bob.say("BID PASS")
        if ann.wait_for("AUCOPEN S", "AUCCLOSE").startswith("AUCOPEN"):  # a bot has doubled
            ann.say("BID PASS")
            ann.wait_for("AUCOPEN 0")
        ann.wait_for("TRICK N")
        assert any(line.startswith("X-STATE N ") for line in bob.seen)
        opponent = before.count(",") + 1  # the call of a bot before Ann's
        ann.say(f"X-ASK {opponent}")
        assert ann.wait_for("X-TELL ").startswith(f"X-TELL {opponent} ")
        bob.say('X-SAY "well bid"')
        assert ann.wait_for("X-SAID ") == 'X-SAID N "well bid"'
        ann.say("X-CLAIM")
        assert ann.wait_for("X-CLAIM ").startswith("X-CLAIM 2 S "), "offers are counted on after the kill"
        assert ann.wait_for("X-CLAIMED ") == "X-CLAIMED 2 NO"
        ann.wait_for("TRICK N")
        verified = run("verify", file)
        assert verified.exit_code == 0, verified.stdout
    with closing(sqlite3.connect(tmp_path / "club" / "results" / "event.db")) as record:
        ends = record.execute("SELECT attempt, ended, reason FROM board_attempts ORDER BY attempt").fetchall()
        assert ends[0] == (1, "taken-back", "South takes back: South bids 7NT")
        counts = record.execute("SELECT attempt, count(*) FROM calls GROUP BY attempt ORDER BY attempt").fetchall()
        assert counts[0][1] == before.count(",") + 3, "the call that was taken back, and the one after it, are there"
        kinds = {kind for (kind,) in record.execute("SELECT kind FROM incidents")}
        assert {"undo", "undo-accepted", "claim", "claim-rejected", "explained"} <= kinds
    for kind in ("pbn", "html"):
        exported = run("export", file, "--format", kind, "--out", tmp_path / kind)
        assert exported.exit_code == 0, exported.stdout + exported.stderr
