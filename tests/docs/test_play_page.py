"""What the page for people who play shows is what they see."""

import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.client.test_games import DEALT, view_of
from tests.client.test_typed import AUCTION, CLOSED
from tests.support.events import port_range, read_until, rest_of, start_tourney, write_lobby
from tourney.client.game_view import GameView
from tourney.client.session import PlaySession, SeatAddress
from tourney.client.typed import parse_typed
from tourney.errors import RuleError
from tourney.protocol.lines import LineBuffer

SEED = 6
DEADLINE_S = 60


class HandTyped:
    """One connection. After each line that is typed, it reads until something is to be typed again."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._lines = LineBuffer()
        self.session = PlaySession("Ann", SeatAddress())
        self.session.open_connection()

    def type(self, line: str) -> list[str]:
        """Type a line; return the lines that come before the next can be typed."""
        self._socket.sendall(line.encode() + b"\n")
        self.session.receive_typed("")
        until_s = time.monotonic() + DEADLINE_S
        shown: list[str] = []
        while not shown or not self._is_settled(line.split(maxsplit=1)[0], shown[-1]):
            self._socket.settimeout(max(0.1, until_s - time.monotonic()))
            data = self._socket.recv(1)  # line by line, so that nothing of what follows is read
            assert data, shown
            for received in self._lines.feed(data):
                assert isinstance(received, bytes)
                if received.startswith(b"HAND") and self.session.view.board is None:
                    self.session.receive_line(b"X-BOARD 1 N NONE")  # which nobody types for
                self.session.receive_line(received)
                shown.append(received.decode())
        return shown

    def close(self) -> None:
        self._socket.close()

    def _is_settled(self, typed: str, last: str) -> bool:
        word = last.split(maxsplit=1)[0]
        view = self.session.view
        if view.seat is None:
            return word in ("GAMES", "NAK")
        if view.is_over:
            return word == "SCORE-M"
        return word in ("AUCOPEN", "TRICK") and view.is_my_turn


@contextmanager
def lobby_by_hand(folder: Path) -> Iterator[HandTyped]:
    """A connection to a lobby whose boards are dealt from `SEED`."""
    port = int(port_range(1).partition("-")[0])
    write_lobby(folder, seed=SEED)
    lobby = start_tourney("lobby", folder, "--port", str(port), "--bots", "3")
    try:
        read_until(lobby, f"is open on 127.0.0.1 port {port}")
        typed = HandTyped(port)
        try:
            yield typed
        finally:
            typed.close()
    finally:
        lobby.terminate()
        rest_of(lobby)


PATH = Path(__file__).parents[2] / "docs" / "play.md"
PAGE = PATH.read_text(encoding="utf-8")
SESSION = re.compile(r"(?<=^```text\n)> .*?(?=^```$)", re.MULTILINE | re.DOTALL)
"""The blocks in which a board is begun by hand."""


TURNS = [
    view_of(*AUCTION, "AUCOPEN S -"),
    view_of(*AUCTION, "AUCOPEN S 1C"),
    view_of(*AUCTION, "AUCOPEN S 1S,DOUBLE"),
    view_of(*CLOSED, "TRICK S -"),
    view_of(*DEALT, "HAND AS,9H,8H,7H,6H,5H,4H,3H,2H,AD,KD,QD,JD", *CLOSED[6:], "TRICK S -"),
]
"""Moments at which something may be typed."""


def is_read(text: str, view: GameView) -> bool:
    try:
        parse_typed(text, view)
    except RuleError:
        return False
    return True


def test_everything_that_the_page_says_can_be_typed_is_read() -> None:
    rows = PAGE.partition("| type | for |\n| --- | --- |\n")[2].partition("\n\n")[0].splitlines()
    typed = [text for row in rows for text in re.findall(r"`([^`]+)`", row.split(" | ")[0])]
    assert len(typed) >= 18
    assert [text for text in typed if not any(is_read(text, view) for view in TURNS)] == []


def type_block(block: str, hand: HandTyped) -> str:
    """A block of the page with what really comes after each line that is typed."""
    lines = []
    for line in block.splitlines():
        if line.startswith("> "):
            lines += [line, *(f"< {received}" for received in hand.type(line.removeprefix("> ")))]
    return "".join(f"{line}\n" for line in lines)


def seated_in_any_order(block: str) -> list[str]:
    """The lines of a block, `JOINED` once each: the bots sit down in any order while the table opens."""
    lines = block.splitlines()
    seated = sorted({line for line in lines if line.startswith("< JOINED")})
    return seated + [line for line in lines if not line.startswith("< JOINED")]


@pytest.mark.clause("SS-11")
def test_the_tricks_that_are_played_by_hand_on_the_page_go_so_in_a_lobby(tmp_path: Path) -> None:
    """`UPDATE_GOLDEN=1` writes what comes into the page, below the lines that are typed there."""
    with lobby_by_hand(tmp_path) as hand:
        real = SESSION.sub(lambda block: type_block(block[0], hand), PAGE)
        view = hand.session.view
    if os.environ.get("UPDATE_GOLDEN"):
        PATH.write_text(real, encoding="utf-8")
    assert list(map(seated_in_any_order, SESSION.findall(real))) == list(
        map(seated_in_any_order, SESSION.findall(PAGE))
    )
    assert len(view.winners) == 1
