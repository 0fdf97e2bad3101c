"""The command `tourney export`."""

import json
import os
import stat
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import lines_of, printed
from tests.support.event_conversation import converse
from tests.support.pairs_events import draw_pairs_event
from tests.support.pbn import parse_games
from tests.support.played_event import PlayedEvent, draw_event, draw_half_played
from tourney.formats.file_kinds import decode_text

TABLES = ("matches", "boards", "calls", "cards", "rulings", "incidents", "analysis")


run = partial(commands.run, "export")


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_half_played(tmp_path)


@pytest.mark.parametrize(
    ("file_format", "names", "of_match"),
    [
        ("pbn", ["match-001-Bees-Cats.pbn", "match-002-Ants-Bees.pbn", "all.pbn"], [".pbn"]),
        ("csv", [f"{table}.csv" for table in ("standings", *TABLES)], [f"-{table}.csv" for table in TABLES]),
        ("json", ["event.json"], [".json"]),
        (
            "lin",
            [f"match-{match}{end}.lin" for match in ("001-Bees-Cats", "002-Ants-Bees") for end in ("", "-boards")],
            [".lin", "-boards.lin"],
        ),
        ("usebio", ["event.xml"], [".xml"]),
    ],
)
def test_an_event_or_a_match_is_exported_into_a_folder_that_is_made_and_the_files_are_named(
    played: PlayedEvent, tmp_path: Path, file_format: str, names: list[str], of_match: list[str]
) -> None:
    out, one = tmp_path / "deep" / "out", tmp_path / "one"
    assert lines_of(run(played.path, "--format", file_format, "--out", out)) == [str(out / name) for name in names]
    assert sorted(entry.name for entry in out.iterdir()) == sorted(names)
    shown = lines_of(run(played.path, "--format", file_format, "--out", one, "--match", 2))
    assert shown == [str(one / f"match-002-Ants-Bees{end}") for end in of_match]


def test_files_of_an_earlier_export_are_replaced(played: PlayedEvent, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(played.path, "--format", "pbn", "--out", out)
    played.play(2, boards=[2])
    run(played.path, "--format", "pbn", "--out", out)
    assert len(list(parse_games(decode_text((out / "all.pbn").read_bytes()), "all.pbn"))) == 8
    assert not list(out.glob(".*"))


def test_an_export_without_a_finished_board_says_so_and_still_writes_its_files(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    none = "(no board is finished in both rooms yet) -> ..."
    converse(
        played,
        f"""
        $ export EVENT --format csv --out FOLDER/out -> {none}
        $ export EVENT --format pbn --out FOLDER/out --match 1 -> {none}
        """,
    )
    assert (tmp_path / "out" / "boards.csv").read_text(encoding="utf-8").startswith("match,round,board,room,")
    (at_one_table := tmp_path / "pairs").mkdir()
    converse(
        draw_pairs_event(at_one_table, 4, 'format = "howell"\nboards_per_round = 2'),
        "$ export EVENT --format csv --out FOLDER/out -> (no board is finished yet) -> ...",
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--format csv --out EVENT", ": folder EVENT cannot be made: File exists"),
        ("--out x", " 2: Missing option '--format'..."),
        ("--format csv", " 2: Missing option '--out'..."),
        ("--format rbn --out x", " 2: ...'rbn' is not one of 'pbn', 'csv', 'json'..."),
        ("--format csv --out x --match one", " 2: ...'one' is not a valid integer..."),
    ],
)
def test_words_that_make_no_sense_and_folders_that_cannot_be_are_refused(
    played: PlayedEvent, words: str, complaint: str
) -> None:
    converse(played, f"$ export EVENT {words} -> refused{complaint} -> ...")


def test_the_schema_is_printed_without_an_event_file() -> None:
    result = printed(commands.run("export", "--schema"))
    assert json.loads(result)["title"] == "event.json"


def test_what_only_a_director_sees_is_written_for_no_other_user(played: PlayedEvent, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        for name, words in (("public", ()), ("director", ("--director",))):
            assert run(played.path, "--format", "csv", "--out", tmp_path / name, *words).exit_code == 0
    finally:
        os.umask(before)
    modes = {
        name: {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / name).iterdir()}
        for name in ("public", "director")
    }
    assert modes == {"public": {0o644}, "director": {0o640}}
    assert stat.S_IMODE((tmp_path / "director").stat().st_mode) == 0o750
