"""Clients of a lobby over sockets: written from the source document alone, choosing anything legal by a seed."""

import socket
from collections.abc import Callable
from random import Random

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
            self.send_line(*self.player.receive(line))
        return line

    def read_until(self, is_it: Callable[[str], bool]) -> str:
        """Play until a line comes that is wanted."""
        while line := self.read():
            if is_it(line):
                return line
        raise AssertionError(f"the connection was closed after {self.lines[-5:]}")

    def close(self) -> None:
        self._file.close()
        self._socket.close()
