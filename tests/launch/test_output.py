"""The file that takes what a program prints."""

from pathlib import Path

import pytest

from tourney.launch import output
from tourney.launch.output import LINES_KEPT, OutputFile


def start(file: OutputFile, text: str, *, header: bool = True) -> None:
    with file.open(header=header) as stream:
        stream.write(text.encode())


def test_each_start_adds_to_the_file_under_a_line_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "bot.log"
    start(OutputFile(path), "one\n")
    start(OutputFile(path), "two\n")
    lines = path.read_text().splitlines()
    assert lines[1::2] == ["one", "two"]
    assert [line[:13] for line in lines[::2]] == ["==== start 1,", "==== start 2,"]


def test_the_last_lines_are_of_the_present_start_and_hold_something(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "bot.log")
    start(file, "of the first start\n")
    start(file, "a\n\n  b  \n\t\nc\n\n")
    assert file.last_lines(2) == ["b", "c"]
    assert file.last_lines(9) == ["a", "b", "c"]


def test_there_are_no_last_lines_of_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert OutputFile(tmp_path / "bot.log").last_lines(3) == []


def test_last_lines_are_cut_and_bytes_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "bot.log")
    with file.open() as stream:
        stream.write(b"\xff\xfe\n" + b"x" * 100_000)
    (last,) = file.last_lines(1)
    assert last == "x" * 200


def test_a_file_past_its_limit_keeps_its_beginning_and_takes_what_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "OUTPUT_BYTES_MAX", 1000)
    monkeypatch.setattr(output, "OUTPUT_BYTES_KEPT", 100)
    path = tmp_path / "bot.log"
    file = OutputFile(path)
    with file.open(header=True) as stream:
        stream.write(b"first\n" + b"x" * 900 + b"\n")
        stream.flush()
        file.bound()
        assert path.stat().st_size > 900
        stream.write(b"".join(b"line %d\n" % number for number in range(20)))
        stream.flush()
        file.bound()
        stream.write(b"last\n")
    lines = path.read_text().splitlines()
    assert lines[0].startswith("==== start 1")
    assert lines[1] == "first"
    assert lines[3:] == [
        "==== more than 1000 bytes: what followed here was dropped, but for its last lines ====",
        *(f"line {number}" for number in range(20 - LINES_KEPT, 20)),
        "last",
    ]
    assert file.last_lines(1) == ["last"]


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
