"""The table of known programs: what it declares can be used, and says what was found out."""

import pytest

from tourney.config import parse_event_file
from tourney.config.command import uses_placeholder
from tourney.config.entries import EventEntry
from tourney.config.new_event import find_new_format, make_event_text
from tourney.config.programs import (
    PROFILES,
    PROGRAMS,
    KnownProgram,
    Tried,
    find_program,
    programs_of_command,
    programs_of_service,
)
from tourney.resources import example_event_text


def event_of(*programs: KnownProgram) -> str:
    entries = [EventEntry(f"Team {number}", program=program) for number, program in enumerate(programs, 1)]
    return make_event_text(example_event_text(), find_new_format("round-robin"), "team", entries, "--team")


def test_an_event_of_all_known_programs_is_right_and_has_what_the_table_says() -> None:
    config = parse_event_file(event_of(*PROGRAMS), "event.toml")

    for team, program in zip(config.team, PROGRAMS, strict=True):
        assert team.wire_profile == PROFILES[program.profile or "tourney"], program.name
        for key, value in program.team.items():
            assert str(getattr(team, key)) == value
        if "command" in program.team:
            assert uses_placeholder(program.team["command"], "port"), program.name


def test_every_program_has_a_name_of_its_own_and_says_where_its_facts_come_from() -> None:
    assert (
        len({program.name for program in PROGRAMS}) == len({program.title for program in PROGRAMS}) == len(PROGRAMS)
    )
    assert set(PROFILES) <= {"default", *(program.name for program in PROGRAMS)}
    for program in PROGRAMS:
        assert program.sources or program.tried is Tried.HERE, program.name
        assert bool(program.because) == (program.wire is not None), program.name
        assert all(sentence.endswith(".") for sentence in (*program.watch, *filter(None, [program.started])))


def test_what_is_known_stands_above_the_first_entry_of_a_program_and_ports_suit_it() -> None:
    text = event_of(find_program("WBridge5"), find_program("wbridge5"), find_program("blue-chip"))

    assert text.count("# It takes 7 s from `Start of board`") == 1
    assert '# WBridge5, as above.\ncommand = "wine Wbridge5.exe Autoconnect {port}"\n' in text
    assert "# It has no command here: its table waits until it connects, and `tourney invite` says where.\n" in text
    assert '\nport_plan = "per-seat"\n' in text


def test_a_name_is_found_however_it_is_spelled() -> None:
    assert find_program("bridge_env") is find_program("Bridge-Env")


def test_a_mistyped_name_is_answered_with_what_may_be_meant_and_the_list() -> None:
    with pytest.raises(ValueError, match=r'expected one of "ben", .*; did you mean \'wbridge5\'\?'):
        find_program("wbridge")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("python3 ~/ben/src/table_manager_client.py --port {port}", ["ben", "ben-2022", "ben-2023"]),
        (r"wine 'C:\Programs\WBridge5\Wbridge5.exe' Autoconnect {port}", ["wbridge5"]),
        ("bridge-client-ex -p {port}", ["bridge-env"]),
        ("tourney bot --port {port}", []),
        ("python3 ben.py {port}", []),
    ],
)
def test_a_program_is_known_by_the_files_in_its_command(command: str, names: list[str]) -> None:
    assert [program.name for program in programs_of_command(command)] == names


def test_a_service_is_known_by_its_dialect() -> None:
    assert [program.name for program in programs_of_service("ben http://h")] == ["ben-api"]
    assert [program.name for program in programs_of_service("brill http://h")] == ["pidgin"]
