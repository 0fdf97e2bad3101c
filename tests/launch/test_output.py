"""The file that takes what a program prints."""

import os
import tracemalloc
from pathlib import Path

import pytest

from tourney.launch import output
from tourney.launch.output import LINES_KEPT, OutputFile


def start(file: OutputFile, text: str, *, header: bool = True) -> None:
    with file.open(header=header) as stream:
        stream.write(text.encode())


def test_each_start_adds_to_the_file_under_a_line_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "bot.log"
    start(OutputFile(path), "one\n")
    start(OutputFile(path), "two\n")
    lines = path.read_text().splitlines()
    assert lines[1::2] == ["one", "two"]
    assert all(line.startswith("==== started 2") for line in lines[::2])


def test_the_last_lines_are_of_the_present_start_and_hold_something(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "bot.log")
    start(file, "of the first start\n")
    start(file, "a\n\n  b  \n\t\nc\n\n")
    assert file.last_lines(2) == ["b", "c"]
    assert file.last_lines(9) == ["a", "b", "c"]
    with file.open() as stream:
        stream.write(b"\xff\xfe\n" + b"x" * 100_000)
    assert file.last_lines(1) == ["x" * 200]


def test_a_file_never_exceeds_its_limit_and_keeps_its_beginning_and_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "OUTPUT_BYTES_MAX", 1000)
    monkeypatch.setattr(output, "OUTPUT_BYTES_KEPT", 100)
    path = tmp_path / "bot.log"
    file = OutputFile(path)
    file.open(header=True).close()
    file.append(b"first\n" + b"x" * 900 + b"\n")
    assert path.stat().st_size > 900
    file.append(b"".join(b"line %d\n" % number for number in range(20)))
    file.append(b"last\n")
    lines = path.read_text().splitlines()
    assert lines[0].startswith("==== started ")
    assert lines[1] == "first"
    assert lines[3:] == [
        "==== more than 1000 bytes: what followed here was dropped, but for its last lines ====",
        *(f"line {number}" for number in range(20 - LINES_KEPT, 20)),
        "last",
    ]
    assert file.last_lines(1) == ["last"]
    for _ in range(100):
        file.append(b"y" * 40 + b"\n")
        assert path.stat().st_size <= 1000


def test_a_huge_file_of_earlier_starts_is_cut_at_the_next_one_and_never_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    start(OutputFile(path), "one\n")
    os.truncate(path, 8 << 30)  # more than this machine's memory may hold; sparse, so it takes no disk
    tracemalloc.start()
    try:
        file = OutputFile(path)
        start(file, "two\n")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 << 20
    assert path.stat().st_size < 2 << 20
    assert file.last_lines(1) == ["two"]
    assert b"\n==== started " in path.read_bytes()


def test_the_line_that_says_what_happened_is_of_the_present_start(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "bot.log")
    start(file, "ValueError: of the first start\n")
    start(
        file,
        "loading\n" + "\n".join(["Error: no model", *["    at play (/home/a/bot.js:2:29)"] * 900, "Node.js v20"]),
    )
    assert file.error_line() == "Error: no model"
    start(file, "")
    assert file.error_line() == ""
