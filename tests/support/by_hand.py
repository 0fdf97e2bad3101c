"""A person with `nc` in a lobby with three bots: types lines, sees every line that comes."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.events import port_range, read_until, rest_of, start_tourney, write_lobby
from tourney.client.session import PlaySession, SeatAddress
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
