"""What a run keeps in its results folder: the lock, and who connects where."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.played_event import draw_event, event_text
from tests.support.run_context import run_context
from tourney.bridge import SEATS
from tourney.coordinator.connections import Connections, write_connections
from tourney.coordinator.run_context import OpenTable, SeatConnection
from tourney.coordinator.run_lease import hold_run_lock
from tourney.errors import LaunchError
from tourney.movement.seating import Room, TableInfo

HOLDER = (
    "import sys; from pathlib import Path; from tourney.coordinator.run_lease import hold_run_lock\n"
    "with hold_run_lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
)


def _hold(results: Path) -> "subprocess.Popen[str]":
    """A process that holds the event until its input ends."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(results)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def _refusal(results: Path) -> str:
    with pytest.raises(LaunchError) as caught, hold_run_lock(results):
        pass
    return str(caught.value)


# The lock


def test_a_second_run_is_refused_until_the_process_that_holds_the_event_has_ended(tmp_path: Path) -> None:
    with _hold(tmp_path) as holder:
        assert _refusal(tmp_path) == f"this event is being run already, by process {holder.pid}"
        holder.kill()
        holder.communicate()
    with suppress(KeyError), hold_run_lock(tmp_path):
        assert _refusal(tmp_path) == f"this event is being run already, by process {os.getpid()}"
        raise KeyError
    with hold_run_lock(tmp_path):
        pass


def test_a_program_that_the_holder_starts_does_not_keep_the_lock(tmp_path: Path) -> None:
    with hold_run_lock(tmp_path):
        child = subprocess.Popen(["cat"], stdin=subprocess.PIPE, close_fds=False)
    with child, hold_run_lock(tmp_path):
        assert child.poll() is None, "it runs while the lock is taken again"
        child.communicate()


def test_a_results_folder_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert _refusal(tmp_path / "file") == f"results folder {tmp_path}/file cannot be made: a file has this name"
    assert _refusal(tmp_path / "file" / "sub") == (
        f"results folder {tmp_path}/file/sub cannot be written: Not a directory"
    )
    (tmp_path / "run.lock").mkdir()
    assert _refusal(tmp_path) == f"results folder {tmp_path} cannot be written: Is a directory"


# Who connects where


def _table(room: Room, ns_team: str, ew_team: str, first_port: int, step: int) -> TableInfo:
    ports = {seat: first_port + step * seat for seat in SEATS}
    return TableInfo(room, ns_team, ew_team, ew_pair=2, segment=2, boards=16, match=3, ports=ports)


OPEN_TABLE = _table(Room.OPEN, "Alpha", "Beta", 2000, 0)


def _seats(folder: Path, *tables: TableInfo, beta: str = "", stage: str = "", more: str = "") -> list[SeatConnection]:
    """The seats of tables of an event in which tourney starts the programs of Alpha."""
    text = event_text(stage=stage, more=more)
    if stage:
        text = text.replace("boards_per_match = 2\n", "")
    for name, keys in (("Alpha", 'command = "bot"'), ("Beta", beta)):
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\n{keys}\n')
    played = draw_event(folder / "event", text)
    connections, match = Connections(run_context(played)), played.match(1)
    return [seat for table in tables for seat in connections.seats_of(OpenTable(table, match, 1, "127.0.0.1", 0))]


def _both(folder: Path) -> list[SeatConnection]:
    return _seats(folder, OPEN_TABLE, _table(Room.CLOSED, "Beta", "Alpha", 2004, 1))


def _rows(folder: Path, **of: str) -> list[dict[str, Any]]:
    """What is written of the seats of the open room."""
    path = folder / "connections.json"
    write_connections(path, _seats(folder, OPEN_TABLE, **of))
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def test_every_seat_of_a_table_has_its_team_and_port(tmp_path: Path) -> None:
    seats = _both(tmp_path)
    assert [f"{p.at.info.room} {p.seat.letter} {p.team} {p.port} {p.is_ours}" for p in seats] == [
        "open N Alpha 2000 True",
        "open E Beta 2000 False",
        "open S Alpha 2000 True",
        "open W Beta 2000 False",
        "closed N Beta 2004 False",
        "closed E Alpha 2005 True",
        "closed S Beta 2006 False",
        "closed W Alpha 2007 True",
    ]


@pytest.mark.clause("BC-44")
def test_connections_are_written_with_the_keys_that_are_documented(tmp_path: Path) -> None:
    rows = _rows(tmp_path)
    assert [row["started_by_tourney"] for row in rows] == [True, False] * 2
    assert rows[1] == {
        "match": 3,
        "room": "open",
        "seat": "East",
        "team": "Beta",
        "host": "127.0.0.1",
        "port": 2000,
        "boards": 16,
        "segment": 2,
        "pair": 2,
        "started_by_tourney": False,
        "round": 1,
    }
    assert {path.name for path in tmp_path.iterdir()} == {"event", "connections.json"}


def test_connections_tell_who_must_say_a_pass_phrase_and_not_which(tmp_path: Path) -> None:
    rows = _rows(tmp_path, beta='pass_phrase = "open sesame"')
    assert [row.get("pass_phrase") for row in rows] == [None, True] * 2
    assert "sesame" not in str(rows)


def test_a_match_that_ends_by_its_results_has_no_number_of_boards_yet(tmp_path: Path) -> None:
    rows = _rows(tmp_path, stage='format = "rubber"\nrubbers = 2')
    assert [(row["boards"], row["boards_at_most"]) for row in rows] == [(None, OPEN_TABLE.boards)] * 4


def test_seats_of_programs_from_elsewhere_that_speak_the_stateful_protocol_have_its_port(tmp_path: Path) -> None:
    rows = _rows(tmp_path, beta='protocol = "stateful"', more="[stateful]\nport = 5000\n")
    assert [(row["team"], row.get("stateful_port")) for row in rows] == [("Alpha", None), ("Beta", 5000)] * 2


def test_a_reader_finds_the_old_list_or_the_new_one_whole(tmp_path: Path) -> None:
    path = tmp_path / "connections.json"
    write_connections(path, _both(tmp_path))
    with path.open("rb", buffering=0) as reader:
        half = reader.read(50)
        write_connections(path, [])
        whole = half + reader.read()
    assert len(json.loads(whole)) == 8
    assert json.loads(path.read_text(encoding="utf-8")) == []


def test_a_write_that_fails_leaves_the_old_list(tmp_path: Path) -> None:
    path = tmp_path / "connections.json"
    write_connections(path, _both(tmp_path))
    before = path.read_bytes()
    (tmp_path / "connections.json.new").mkdir()
    with pytest.raises(LaunchError) as caught:
        write_connections(path, [])
    assert str(caught.value) == f"{path} cannot be written: Is a directory"
    assert path.read_bytes() == before
