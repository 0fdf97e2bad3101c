"""A pooler of connections to PostgreSQL in transaction mode, as pgbouncer is one.

Each transaction of a client goes to the next of two connections to the server, whoever has used it before, and
nothing is reset in between.
"""

import queue
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import psycopg
from sqlalchemy import URL

SERVER_CONNECTIONS = 2
PROCESS = 4242
"""The process that the pooler gives itself out for."""

_SSL, _GSS = 80877103, 80877104
_FIXED = (
    ("server_version", "15.0"),
    ("client_encoding", "UTF8"),
    ("standard_conforming_strings", "on"),
    ("integer_datetimes", "on"),
    ("TimeZone", "UTC"),
)


@contextmanager
def transaction_pooler(url: URL) -> Iterator[URL]:
    """The URL of a pooler in front of a database, for as long as the block lasts."""
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with ExitStack() as stack:
        free: queue.Queue[socket.socket] = queue.Queue()
        for _ in range(SERVER_CONNECTIONS):
            server = stack.enter_context(closing(psycopg.connect(plain)))  # the driver logs on
            free.put(stack.enter_context(closing(socket.socket(fileno=_duplicate(server)))))
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        threading.Thread(target=_accept, args=(listener, free), daemon=True).start()
        port = listener.getsockname()[1]
        yield URL.create("postgresql", url.username, host="127.0.0.1", port=port, database=url.database)
        listener.shutdown(socket.SHUT_RDWR)


def _duplicate(server: psycopg.Connection[Any]) -> int:
    descriptor = socket.dup(server.fileno())
    with socket.socket(fileno=socket.dup(descriptor)) as same:
        same.setblocking(True)
    return descriptor


def _accept(listener: socket.socket, free: "queue.Queue[socket.socket]") -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve, args=(client, free), daemon=True).start()


def _serve(client: socket.socket, free: "queue.Queue[socket.socket]") -> None:
    with client, suppress(ConnectionError):
        while True:
            (length,) = struct.unpack("!I", _read(client, 4))
            (code,) = struct.unpack("!I", _read(client, length - 4)[:4])
            if code not in (_SSL, _GSS):
                break
            client.sendall(b"N")
        client.sendall(
            _message(b"R", struct.pack("!I", 0))
            + b"".join(_message(b"S", f"{name}\0{value}\0".encode()) for name, value in _FIXED)
            + _message(b"K", struct.pack("!II", PROCESS, 1))
            + _message(b"Z", b"I")
        )
        server: socket.socket | None = None
        while (sent := _read_message(client))[:1] != b"X":
            server = server or free.get(timeout=30)
            server.sendall(sent)
            if sent[:1] in (b"Q", b"S") and _answer(server, client) == b"I":
                free.put(server)
                server = None


def _answer(server: socket.socket, client: socket.socket) -> bytes:
    """Pass on what the server says until it is ready; returns I outside of a transaction."""
    while True:
        said = _read_message(server)
        client.sendall(said)
        if said[:1] == b"Z":
            return said[5:]


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!I", 4 + len(body)) + body


def _read_message(sock: socket.socket) -> bytes:
    head = _read(sock, 5)
    return head + _read(sock, struct.unpack("!I", head[1:])[0] - 4)


def _read(sock: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size:
        chunk = sock.recv(size - len(found))
        if not chunk:
            raise ConnectionResetError
        found += chunk
    return found
