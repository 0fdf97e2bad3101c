"""Messages over the network, by the process that loads apprise: servers that answer, refuse, and are silent."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.support.commands import run
from tests.support.played_event import draw_event, event_text
from tourney.alarms.addresses import VARIABLE
from tourney.alarms.sender import send_message
from tourney.config.alarms import EpisodeKind
from tourney.store.alarms import NewAlarm, load_alarms, raise_alarms
from tourney.store.models import AlarmState

pytest.importorskip("apprise")


@contextmanager
def receiving() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server of a club's own that takes messages; its address, and what it was sent."""
    received: list[dict[str, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # as the library has it
            received.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"json://127.0.0.1:{server.server_port}/secret", received
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_server_that_refuses_keeps_the_message_from_no_other_and_its_address_is_not_shown() -> None:
    with closing(socket.socket()) as closed:
        closed.bind(("127.0.0.1", 0))
        dead = f"mailto://me:secret@127.0.0.1:{closed.getsockname()[1]}?from=a@example.org&to=b@example.org"
        with receiving() as (address, received):
            deliveries = send_message([dead, address, "json://"], "Spring Cup: 1 alarm", "[A1] lost")
    assert [str(each) for each in deliveries] == [
        "address 1 (mailto): the service has refused the message, or cannot be reached",
        "address 2 (json): sent",
        "address 3 (json): apprise does not understand the address",
    ]
    ((title, message),) = [(each["title"], each["message"]) for each in received]
    assert (title, message) == ("Spring Cup: 1 alarm", "[A1] lost")


def test_a_server_that_is_silent_is_given_up() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"json://127.0.0.1:{silent.getsockname()[1]}"
        (delivery,) = send_message([address], "title", "text", timeout_s=1)
    assert delivery.error == "no answer within 1 s"


def test_the_command_sends_what_is_due_and_ends_with_the_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = draw_event(tmp_path, f"{event_text()}[alarms]\nkinds = ['host-lost']\n")
    played.play_all()
    raise_alarms(
        played.database, played.event.id, [NewAlarm(EpisodeKind.HOST_LOST, "host-1", "host-1 was lost", "1")], 1
    )
    with receiving() as (address, received):
        monkeypatch.setenv(VARIABLE, address)
        done = run("serve", tmp_path / "event.toml", "--only", "alarms")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "messages go to 1 address (" in done.stdout
    assert [each["message"] for each in received] == ["[A1] host-1 was lost"]
    assert [each.state for each in load_alarms(played.database, played.event.id)] == [AlarmState.SENT]
