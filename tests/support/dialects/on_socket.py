"""A scripted program on a real, blocking socket."""

import socket
import time
from typing import Final

from tests.support.dialects.base import DialectPlayer, Segment

_READ_BYTES: Final = 65536
_SILENCE_S: Final = 60.0
"""How long the table may be silent before the program gives up."""


def play_on_socket(player: DialectPlayer, host: str, port: int, *, pace: float = 1.0) -> None:
    """Connect to a table and play until the program leaves; its pauses are multiplied by `pace`.

    Raises:
        DialectError: the program ended before the end of the session.
        OSError: the table cannot be reached, or is silent for a minute.
    """
    with socket.create_connection((host, port), timeout=_SILENCE_S) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        _write(connection, player.connect(_now_ms()), pace)
        while not player.left:
            data = connection.recv(_READ_BYTES)
            if not data:
                player.lose_connection()
                return
            _write(connection, player.receive(data, _now_ms()), pace)


def _write(connection: socket.socket, segments: list[Segment], pace: float) -> None:
    for segment in segments:
        if segment.after_ms:
            time.sleep(segment.after_ms * pace / 1000)
        connection.sendall(segment.data)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
