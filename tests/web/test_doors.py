"""The doors of `tourney serve`, over real sockets: what strangers send or keep open costs others nothing."""

import resource
import socket
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.support.console_client import add_console_user
from tests.support.played_event import draw_event, draw_half_played, event_text
from tests.support.served_event import ServedByProcess, ServedHere, serving, serving_here
from tourney.config.web import WebConfig
from tourney.web.phrase_pace import FREE_TRIES

STRANGER, ANOTHER, BROWSER = "127.0.0.2", "127.0.0.3", "127.0.0.4"


def connect(served: ServedHere, source: str = STRANGER) -> socket.socket:
    return socket.create_connection(served.place, timeout=60, source_address=(source, 0))


def get(served: ServedHere, path: str, source: str = BROWSER) -> tuple[int, str]:
    """Ask for a page; returns its status, and where it leads to."""
    connection = HTTPConnection(*served.place, timeout=60, source_address=(source, 0))
    with closing(connection):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers["location"] or ""


def is_open(stream: socket.socket) -> bool:
    """Whether the other side has not ended a connection, once all that it has said is read."""
    stream.setblocking(False)
    try:
        while stream.recv(1000):
            pass
    except BlockingIOError:
        return True
    return False


def memory_kb(served: ServedByProcess) -> int:
    status = Path(f"/proc/{served.process.pid}/status").read_text(encoding="ascii")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def pour(stranger: socket.socket, piece: bytes, megabytes: int) -> bytes:
    """Send a piece again and again, until the server has had enough; returns what it says."""
    try:
        for _ in range(megabytes * 1_000_000 // len(piece)):
            stranger.sendall(piece)
    except OSError:
        pass
    try:
        return stranger.recv(200)
    except ConnectionError:
        return b""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_requests_without_end_take_no_memory_and_nobody_else_waits(tmp_path: Path) -> None:
    with serving(draw_half_played(tmp_path).path) as served:
        get(served, "/")
        before = memory_kb(served)
        for head, piece in (
            (b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"y" * 65_536),  # a header
            (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: y\r\n" * 10_000),  # headers
            (b"GET /", b"y" * 65_536),
            (b"POST /director/login HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n", b"y" * 65_536),
            (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ", b"y" * 65_536),  # a trailer
            (b"", b"GET / HTTP/1.1\r\n\r\n" * 4000),  # requests
        ):
            with connect(served) as stranger:
                stranger.sendall(head)
                said = pour(stranger, piece, megabytes=40)
                assert get(served, "/")[0] == 200, "others are answered while the stranger is still connected"
            assert said == b"" or said.startswith((b"HTTP/1.1 4", b"HTTP/1.1 200", b"HTTP/1.1 503")), (head, said)
        assert memory_kb(served) - before < 30_000


def test_a_request_that_is_too_large_or_does_not_come_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, limit in (("request_s", 1.0), ("header_bytes", 4096), ("headers_max", 30)):
        monkeypatch.setattr(WebConfig, name, limit)
    with serving_here(draw_event(tmp_path, event_text("Ants", "Bees")).path) as served:
        for headers, words in (
            (f"X: {'y' * 5000}\r\n", b"431: the headers of a request have at most 4096 bytes\n"),
            ("X: y\r\n" * 40, b"431: a request has at most 30 headers\n"),
            (f"X: {'y' * 3000}\r\n" + "X: y\r\n" * 20, b"200"),
        ):
            with connect(served) as browser:
                browser.sendall(f"GET /healthz HTTP/1.1\r\nHost: x\r\n{headers}\r\n".encode())
                assert words in browser.recv(1000)
        with ExitStack() as stack:
            silent, slow, body, kept, stream = (stack.enter_context(connect(served)) for _ in range(5))
            slow.sendall(b"GET / HTTP/1.1\r\nHost")
            body.sendall(b"POST /vugraph HTTP/1.1\r\nContent-Length: 50\r\n\r\nphrase=")
            kept.sendall(b"GET /healthz HTTP/1.1\r\n\r\n")
            assert kept.recv(1000).startswith(b"HTTP/1.1 200 OK")
            kept.sendall(b"\r\n")
            stream.sendall(b"GET /events?topics=/ HTTP/1.1\r\n\r\n")
            assert stream.recv(1000).startswith(b"HTTP/1.1 200 OK")
            assert silent.recv(1000) == b""
            assert slow.recv(1000).startswith(b"HTTP/1.1 408 ")
            assert body.recv(1000).startswith(b"HTTP/1.1 408 ")
            while kept.recv(1000):
                pass  # the rest of its answer, and then its end
            assert is_open(stream)


def test_silent_connections_shut_out_neither_others_nor_the_console(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 5000:
        pytest.skip("needs 5000 open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 5000), hard))
    played = draw_half_played(tmp_path)
    add_console_user(played, "anna")
    try:
        with serving(played.path) as served, ExitStack() as stack:
            for _ in range(2600):
                stack.enter_context(connect(served))
            for source in (STRANGER, BROWSER):
                assert get(served, "/", source)[0] == 200
                assert get(served, "/director", source) == (303, "/director/login")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_log_ins_that_wait_end_with_the_server(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    add_console_user(played, "anna")
    with serving(played.path) as served, ExitStack() as stack:
        form = b"name=anna&phrase=wrong"
        request = (
            b"POST /director/login HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n" % len(form)
        )
        for _ in range(FREE_TRIES):
            with connect(served) as thief:
                thief.sendall(request + form)
                assert thief.recv(1000).startswith(b"HTTP/1.1 403 ")
        for _ in range(4):
            stack.enter_context(connect(served)).sendall(request + form)
        assert get(served, "/director/login", STRANGER)[0] == 200  # by now they wait
        ended = served.end()
    assert (ended.status, ended.err) == (0, "")
    assert "Traceback" not in ended.out


def test_where_all_places_are_busy_the_console_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebConfig, "connections_per_address", 10)
    monkeypatch.setattr(WebConfig, "console_reserve", 2)
    played = draw_event(tmp_path, event_text("Ants", "Bees"))
    add_console_user(played, "anna")
    with serving_here(played.path) as served, ExitStack() as stack:
        for _ in range(10):
            stream = stack.enter_context(connect(served))
            stream.sendall(b"GET /events?topics=/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert stream.recv(1000)[9:12] == b"200"
        for _ in range(5):  # silent ones in the reserve give way too
            stack.enter_context(connect(served))
        assert get(served, "/", STRANGER)[0] == 503
        assert get(served, "/director", STRANGER) == (303, "/director/login")
        assert get(served, "/director/login", STRANGER)[0] == 200
        assert get(served, "/", BROWSER)[0] == 200


def test_one_address_takes_its_own_share_and_browsers_behind_a_server_in_front_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WebConfig, "streams_per_address", 2)
    monkeypatch.setattr(WebConfig, "connections_per_address", 10)
    web = f'[web]\nproxies = ["{ANOTHER}"]'
    with (
        serving_here(draw_event(tmp_path, event_text("Ants", "Bees", more=web)).path) as served,
        ExitStack() as stack,
    ):

        def ask(path: str, source: str = STRANGER, client: str = "192.0.2.99") -> bytes:
            browser = stack.enter_context(connect(served, source))
            browser.sendall(f"GET {path} HTTP/1.1\r\nX-Forwarded-For: {client}\r\n\r\n".encode())
            return browser.recv(1000)[9:12]

        watch = "/events?topics=/"
        assert [ask(watch) for _ in range(3)] == [b"200", b"200", b"503"]
        assert [ask("/") for _ in range(20)] == [b"200"] * 20  # these give way to each other
        assert ask(watch) == b"503"  # those that watch have not
        assert [ask(watch, ANOTHER, f"192.0.2.{last}") for last in range(20)] == [b"200"] * 20
        assert [ask(watch, ANOTHER, "192.0.2.1") for _ in range(2)] == [b"200", b"503"]
