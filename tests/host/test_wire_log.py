"""The wire log: one JSON object a line, whatever a program has said."""

import errno
import json
import os
import signal
import subprocess
import sys
from io import FileIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.conversation import Step
from tests.support.wire_entries import read_entries
from tourney.bridge import SEATS, Seat
from tourney.host import wire_log
from tourney.host.wire_log import WireLog, list_logs, pack_logs, packed_path


@given(
    st.none() | st.sampled_from(SEATS), st.text(st.characters(exclude_characters="#")) | st.binary(), st.integers(0)
)
def test_every_line_reads_back_as_it_was_said(seat: Seat | None, line: str | bytes, t_ms: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wire.jsonl"
        log = WireLog(path)
        log.write(t_ms, seat, "in", line)
        log.close()
        (written,) = path.read_bytes().splitlines(keepends=True)
    assert written.endswith(b"\n")
    text = line if isinstance(line, str) else line.decode("ascii", "backslashreplace")
    if isinstance(line, bytes) and b"#" in line:
        return  # what may be a phrase is hidden
    entry = {"t_ms": t_ms, "seat": seat.letter if seat is not None else None, "dir": "in", "line": text}
    assert json.loads(written) == entry


def test_times_of_a_log_never_go_back(tmp_path: Path) -> None:
    log = WireLog(tmp_path / "wire.jsonl")
    for t_ms in (5, 7, 6):
        log.write(t_ms, Seat.EAST, "in", "East passes")
    log.flush()
    log.write(6, Seat.EAST, "out", "East passes")
    log.write(9, Seat.EAST, "out", "East passes")
    log.close()
    assert [json.loads(line)["t_ms"] for line in read_entries(log.path)] == [5, 7, 7, 7, 9]


def write_lines(path: Path, *lines: str) -> None:
    log = WireLog(path)
    for t_ms, line in enumerate(lines):
        log.write(t_ms, Seat.NORTH, "in", line)
    log.close()


def lines_of(path: Path) -> list[str]:
    return [json.loads(entry)["line"] for entry in read_entries(path)]


def test_phrases_of_log_ons_are_hidden_before_and_after_there_is_a_seat_and_the_hash_of_an_alert_is_not(
    tmp_path: Path,
) -> None:
    said: list[tuple[Seat | None, str | bytes, str]] = [
        (None, 'Connecting "Alpha#secret" as North using protocol version 18', 'Connecting "Alpha#***" as North ...'),
        (Seat.NORTH, b' connecting "Alpha#secret" as North using protocol version 18', "...#***..."),
        (Seat.NORTH, "North bids 2C Alert. asks for majors, #1 of our gadgets", "... #1 of our gadgets"),
        (None, b"HELLO Alpha#secret", "HELLO Alpha#***"),
        (Seat.NORTH, b' hello "Alpha#secret"', ' hello "Alpha#***"'),
        (Seat.NORTH, b'X-ALERT N "suit # 1"', 'X-ALERT N "suit # 1"'),
    ]
    log = WireLog(tmp_path / "wire.jsonl", ["Alpha"])
    for seat, line, _ in said:
        log.write(1, seat, "in", line)
    log.close()
    assert "secret" not in log.path.read_text()
    Step("the log", [expected for *_, expected in said]).check(lines_of(log.path))


def test_a_table_that_is_opened_again_has_its_lines_at_the_end_of_the_packed_log(tmp_path: Path) -> None:
    path = tmp_path / "match-001-open.jsonl"
    for line in ("first", "second", "third"):
        write_lines(path, line)
        if line != "third":
            pack_logs([path])
    assert lines_of(path) == ["first", "second", "third"], "some of it packed"
    pack_logs([path])
    unpacked = subprocess.run(["gzip", "-dc", packed_path(path)], stdout=subprocess.PIPE, check=True).stdout
    assert [json.loads(line)["line"] for line in unpacked.splitlines()] == ["first", "second", "third"]


def test_a_log_that_a_table_has_open_is_not_packed(tmp_path: Path) -> None:
    path = tmp_path / "match-001-open.jsonl"
    log = WireLog(path)
    log.write(1, None, "note", "still at it")
    log.flush()
    pack_logs([path, tmp_path / "never-written.jsonl"])
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    log.close()
    pack_logs([path])
    assert lines_of(path) == ["still at it"]


class FullDisk:
    """A file on a disk with so much room; what does not fit is written as far as it does."""

    def __init__(self, file: FileIO, room: int) -> None:
        self._file = file
        self.room = room

    def write(self, data: memoryview) -> int:
        if not self.room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = self._file.write(data[: self.room])
        self.room -= written
        return written

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


def test_lines_that_do_not_fit_on_the_disk_are_counted_and_the_gap_is_marked_where_they_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_log, "TRY_AGAIN_S", 0.0)
    log = WireLog(tmp_path / "wire.jsonl")
    disk = log._file = cast(Any, FullDisk(cast(FileIO, log._file), 100))

    def send_line(t_ms: int, line: str) -> None:
        log.write(t_ms, Seat.NORTH, "in", line)
        log.flush()

    send_line(1000, "first")
    assert not log.problem
    send_line(2000, "second, which does not fit but for its beginning")
    assert log.problem == (
        f"wire log {log.path} cannot be written, lines are missing from it: No space left on device"
    )
    send_line(3000, "third")
    disk.room = 30  # not enough for the note
    send_line(4000, "fourth")
    assert lines_of(log.path) == ["first"], "no entry is cut off"
    disk.room = 10_000
    send_line(5000, "fifth")
    assert not log.problem
    send_line(6000, "sixth")
    log.close()
    gap = "3 lines are missing here, since 1970-01-01 00:00:02 UTC: No space left on device"
    assert lines_of(log.path) == ["first", gap, "fifth", "sixth"]
    entry = json.loads(read_entries(log.path)[1])
    assert (entry["t_ms"], entry["seat"], entry["dir"]) == (5000, None, "note")


def test_a_log_that_cannot_be_packed_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match-001-open.jsonl"
    write_lines(path, "North passes")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    pack_logs([path])
    assert list_logs(tmp_path) == [path]
    assert not packed_path(path).exists()
    monkeypatch.undo()
    pack_logs([path])
    assert lines_of(path) == ["North passes"]


_KILLED_PACKING = """
import os, pathlib, signal, sys
from tourney.host import wire_log

left = int(sys.argv[2])

def counted(call):
    def step(*args, **kwargs):
        global left
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return call(*args, **kwargs)
    return step

for owner, name in ((os, "link"), (os, "fsync"), (pathlib.Path, "unlink"), (pathlib.Path, "replace")):
    setattr(owner, name, counted(getattr(owner, name)))
wire_log.pack_logs([pathlib.Path(sys.argv[1])])
"""


def test_a_log_whose_packing_was_killed_at_any_step_is_packed_by_the_next_and_has_each_entry_once(
    tmp_path: Path,
) -> None:
    for step in range(20):
        path = tmp_path / str(step) / "match-001-open.jsonl"
        write_lines(path, "of before")
        pack_logs([path])
        write_lines(path, "first", "second")
        killed = subprocess.run([sys.executable, "-c", _KILLED_PACKING, path, str(step)], check=False)
        if killed.returncode == 0:
            break
        assert killed.returncode == -signal.SIGKILL
        write_lines(path, "after")  # the table is opened again before anybody packs what was left
        pack_logs(list_logs(path.parent))
        assert lines_of(path) == ["of before", "first", "second", "after"], f"killed at step {step}"
        assert [file.name for file in path.parent.iterdir()] == [packed_path(path).name]
    assert step >= 5, "every step was tried"
