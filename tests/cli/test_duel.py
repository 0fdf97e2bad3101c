"""The command `tourney duel`: what it refuses, before it plays anything."""

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.blank_database import blank_database
from tests.support.commands import run
from tests.support.refusals import refused_commands
from tests.support.store_records import write_records
from tourney.bridge import board_from_seed, format_deal
from tourney.config import parse_event_file
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.formats.boards import format_boards
from tourney.lab.duel import (
    DuelSettings,
    DuelTeam,
    format_duel,
    name_programs,
    started_in,
    teams_of_event,
    with_profiles,
)
from tourney.lab.event_files import write_event
from tourney.protocol.session.records import BoardBegan
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.record.writer import TableLedger
from tourney.store.results.matches import load_match_boards

NEW, OLD = "./new {port} {seat} {team}", "./old {port} {seat} {team}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    boards = [board_from_seed(1, "1.1", number) for number in range(1, 4)]
    Path("three.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    team = '[[team]]\nname = "Alpha"\ncommand = "./a {port}"\n\n[[team]]\nname = "Beta"\n\n'
    Path("club.toml").write_text(f'[event]\nname = "Club"\n\n{team}[[stage]]\n', encoding="utf-8")
    Path("event.db").write_bytes(blank_database())
    Path("other.toml").write_text("no TOML", encoding="utf-8")
    return tmp_path


duel = partial(run, "duel")


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/duel"))
def test_a_duel_that_cannot_be_is_refused_in_one_sentence(words: list[str], status: int, sentence: str) -> None:
    result = duel(*words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert sentence in result.stderr
    assert result.stderr.count("\n") <= 4  # usage errors have two lines of usage first


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        (("./new {port}", "bin/old.exe {port}"), ["new", "old"]),
        (("python3 new/player.py {port}", "/usr/bin/python3.12 -u old.py {port}"), ["player", "old"]),
        (("java -Xmx2g -jar build/Bot.jar {port}", "python -m bots.strong {port}"), ["Bot", "strong"]),
        (("python3 new/bot.py {port}", "python3 old/bot.py {port}"), ["bot 1", "bot 2"]),
        (("python3 {port}", "sh"), ["python3", "sh"]),
        (("my_bot:New", "bots.my_bot:Old"), ["New", "Old"]),
    ],
)
def test_programs_are_called_as_their_files_not_as_what_runs_them(
    commands: tuple[str, str], names: list[str]
) -> None:
    assert [team.name for team in name_programs(commands, None)] == names


def test_a_players_class_is_seated_by_our_own_client() -> None:
    (new,) = name_programs(("my_bot:New",), None)
    command = "tourney bot --player my_bot:New --host {host} --port {port} --seat {seat}"
    assert new.keys == {"command": command}
    assert started_in(new, Path("a"), Path("a/b")).keys == {"command": command, "folder": ".."}


def test_teams_of_an_event_file_play_with_all_that_it_says_of_their_programs(tmp_path: Path) -> None:
    keys = 'command = "./a {port} {login}"\nprofile = "wbridge5"\npass_phrase = "open sesame"\n'
    wire = '[team.wire]\nline_gap_ms = 0\nseated = "plain"\n'
    other = '[[team]]\nname = "Beta"\ncommand = "./b {port}"\nprotocol = "stateful"\n'
    Path("both.toml").write_text(f'[event]\nname = "B"\n[[team]]\nname = "Alpha"\n{keys}{wire}{other}[[stage]]\n')
    alpha, beta = teams_of_event(Path("both.toml"), ["alpha", "Beta"])
    settings = DuelSettings(first=alpha, second=beta, boards=2, matches=1, seed=1)
    for found, team in zip(
        parse_event_file(format_duel(settings), "duel.toml").team,
        parse_event_file(Path("both.toml").read_text(), "both.toml").team,
        strict=True,
    ):
        assert found == team


def test_programs_are_started_where_their_commands_were_given_wherever_the_event_file_is() -> None:
    team = DuelTeam("A", {"command": "./bot {port} {team}"})
    assert started_in(team, Path(), Path()) is team
    moved = started_in(team, Path(), Path("league {1}"))
    assert moved.keys == {**team.keys, "folder": ".."}
    own = DuelTeam("B", {"command": "./b {port}", "folder": "b/src"})
    assert started_in(own, Path("club"), Path()).keys["folder"] == "club/b/src"


# The boards, the ports, and more boards


def event_boards(path: Path) -> list[tuple[int, str]]:
    """The boards of a duel as it is drawn, in the order in which they count."""
    file = load_event_file(path)
    with closing(Database(file.database_url)) as database:
        event = ensure_drawn(file, database, now_ms=1)
        sets = [load_match_boards(database, match) for match in event.rounds[0].matches]
    return [(board.number, format_deal(board.deal)) for boards in zip(*sets, strict=True) for board in boards]


SETTINGS = DuelSettings(
    first=DuelTeam("New", {"command": NEW}), second=DuelTeam("Old", {"command": OLD}), boards=12, matches=1, seed=9
)


def written(path: Path, **settings: Any) -> Path:
    write_event(replace(SETTINGS, results=f"results/{path.stem}", **settings), path, None, has_seed=True)
    return path


def test_the_boards_of_a_duel_depend_on_its_seed_alone(tmp_path: Path) -> None:
    boards = event_boards(written(tmp_path / "one.toml"))
    assert [number for number, _ in boards] == list(range(1, 13))
    for matches in (2, 3, 4):
        assert event_boards(written(tmp_path / f"by-{matches}.toml", matches=matches)) == boards
    assert event_boards(written(tmp_path / "other-seed.toml", seed=10)) != boards


def test_a_duel_that_is_extended_keeps_its_boards_and_is_dealt_those_that_a_longer_one_has(tmp_path: Path) -> None:
    longer = event_boards(written(tmp_path / "longer.toml", boards=20, matches=2))
    path = written(tmp_path / "duel.toml", matches=2)
    before = event_boards(path)
    begin_a_board(path)
    write_event(
        replace(SETTINGS, boards=20, matches=2, results="results/duel"), path, None, has_seed=False, extends=True
    )
    assert event_boards(path) == longer
    assert longer[: len(before)] == before


def begin_a_board(path: Path) -> None:
    """Put on record that a board has begun, from when on the draw no longer follows the file."""
    file = load_event_file(path)
    with closing(Database(file.database_url)) as database:
        event = load_event(database, file.config.event.name)
        assert event is not None
        table = event.matches[0].tables[0]
        write_records(database, TableLedger(table.id, table.attempt), BoardBegan(1, 2))


def test_ports_can_be_changed_in_the_file_without_making_another_duel_of_it(tmp_path: Path) -> None:
    path = written(tmp_path / "duel.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("[tables]", '[tables]\nports = "6000-6009"'), encoding="utf-8")
    written(path)
    assert str(load_event_file(path).config.tables.ports) == "6000-6009"


def test_each_program_may_be_given_its_profile() -> None:
    teams = [DuelTeam("New", {"command": NEW}), DuelTeam("Old", {"command": OLD})]
    assert [team.keys["profile"] for team in with_profiles(teams, "ben-2023, gib")] == ["ben-2023", "gib"]
    assert [team.keys["profile"] for team in with_profiles(teams, "gib")] == ["gib", "gib"]
