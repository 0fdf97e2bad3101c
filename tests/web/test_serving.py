"""`tourney serve` as a process: it says where it listens, ends at once with streams open, refuses in one sentence."""

import signal
import socket
import sqlite3
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.support.commands import converse, run
from tests.support.console_client import add_console_user
from tests.support.played_event import draw_event, draw_half_played, event_text, write_event
from tests.support.served_event import ServedHere, serving, serving_here


def connect(served: ServedHere) -> HTTPConnection:
    return HTTPConnection(*served.place, timeout=60)


def test_a_signal_ends_it_and_its_streams(tmp_path: Path) -> None:
    with serving(draw_half_played(tmp_path).path) as served:
        streams = [connect(served) for _ in range(20)]
        answers = []
        for stream in streams:
            stream.request("GET", "/events?topics=/")
            answers.append(stream.getresponse())
        for answer in answers:
            assert answer.headers["content-type"] == "text/event-stream"
            assert [answer.readline() for _ in range(4)][1] == b"event: hello\n"
        with socket.create_connection(served.place, timeout=60) as stranger:
            stranger.sendall(b"no request at all\r\n\r\n")
            assert stranger.recv(100).startswith(b"HTTP/1.1 400 ")
        ended = served.end(signal.SIGTERM)
        for answer in answers:
            *changes, end = answer.read().split(b"\n\n")[:-1]
            assert end == b"event: bye\ndata: {}"
            assert all(change.startswith(b"event: topic") for change in changes)  # one that came on the way
        for stream in streams:
            stream.close()
        assert ended.status == 0
        assert "Traceback" not in ended.out
        assert "Invalid" not in ended.out + ended.err  # strangers do not fill the organiser's terminal


def test_a_second_interrupt_waits_for_nobody(tmp_path: Path) -> None:
    with serving(draw_half_played(tmp_path).path) as served:
        with closing(connect(served)) as stream:
            stream.request("GET", "/events?topics=/")
            stream.getresponse()
            served.process.send_signal(signal.SIGINT)
            ended = served.end(signal.SIGINT)
        assert ended.status == 130
        assert "Traceback" not in ended.out


def test_what_changes_is_told_on_the_stream(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    with serving_here(played.path) as served:
        stream = connect(served)
        stream.request("GET", "/events?topics=/match/1,/match/1/board/1")
        answer = stream.getresponse()
        while answer.readline() != b"\n":
            pass
        played.play(1, boards=[1])
        assert answer.readline() == b"event: topic\n"
        assert b"/match/1" in answer.readline()
        stream.close()


def test_it_refuses_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    write_event(tmp_path / "new", event_text("Ants", "Bees"))
    converse(tmp_path, "$ serve FOLDER/new/event.toml -> refused: ...has not begun...")
    played = draw_half_played(tmp_path)
    text, record = played.path.read_text(encoding="utf-8"), played.database.file
    in_the_same = f'name = "Other Cup"\ndatabase = "sqlite:///{record}"'
    (tmp_path / "other.toml").write_text(text.replace('name = "Test Cup"', in_the_same), encoding="utf-8")
    elsewhere = "--host 203.0.113.7 --port 0 --only public"  # RFC 5737: no machine has it
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        converse(
            tmp_path,
            f"""
            $ serve FOLDER/event.toml --port {port} -> refused: ...cannot listen on 127.0.0.1 port {port}...
            $ serve FOLDER/event.toml --host nowhere.invalid -> refused: ...is not an address to listen on...
            $ serve FOLDER/event.toml {elsewhere} -> refused: ...--host takes another one...
            $ serve FOLDER/event.toml --demo -> refused 2: ...so it does not go with EVENT...
            $ serve FOLDER/other.toml -> refused: ...event 'Other Cup' is not in database...
            $ serve -> refused 2: ...name the event file...
            """,
        )
    with closing(sqlite3.connect(f"{record}")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '99.0.0'")
    converse(tmp_path, "$ serve FOLDER/event.toml -> refused: ...has schema 99.0.0, which tourney 99.0.0...")


def test_a_console_that_cannot_be_served_is_refused_in_one_sentence(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)

    def refused(*words: str) -> tuple[int, str]:
        result = run("serve", played.path, "--port", "0", *words)
        return result.exit_code, result.output

    status, said = refused("--only", "console")
    assert (status, "nobody may use the console of 'Test Cup': `tourney user " in said) == (1, True)
    add_console_user(played, "anna")
    status, said = refused("--host", "0.0.0.0")
    assert (status, said.count("\n")) == (1, 1)
    assert "it is not served on 0.0.0.0 without HTTPS in front: name the server in front in proxies of [web]" in said
