"""The command `tourney duel`: what it refuses, before it plays anything."""

import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.blank_database import blank_database
from tourney.bridge import board_from_seed
from tourney.cli.duel_programs import name_programs, started_in, teams_of_event
from tourney.cli.main import cli
from tourney.config import parse_event_file
from tourney.config.command import check_command
from tourney.formats.pbn import format_boards
from tourney.lab.duel import DuelSettings, DuelTeam, format_duel

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


def duel(*words: str) -> Result:
    return CliRunner().invoke(cli, ["duel", *words])


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ((NEW, NEW), 2, "a duel has two programs, got one command for both: they would play alike"),
        ((NEW, OLD, "--sprt", "1,0"), 2, "d0 must be below d1, got d0 = 1 and d1 = 0"),
        ((NEW, OLD, "--boards", "0"), 2, "a test has 1 to 100000 boards, got 0"),
        (
            (NEW, OLD, "--alpha", "0.9", "--beta", "0.2"),
            2,
            "alpha and beta must add up to less than 1, got 0.9 and 0.2",
        ),
        ((NEW, OLD, "--no-sprt", "--two-sided"), 2, "--no-sprt plays all boards: leave out what the test takes"),
        ((NEW, OLD, "--names", "New"), 2, "--names: 2 names with a comma between them, got 'New'"),
        ((NEW, "./old '{port}"), 2, 'the command "./old \'{port}" cannot be split into words: No closing quotation'),
        ((NEW, " "), 2, "a command has at least one word, got an empty text"),
        ((NEW, OLD, "--start", "2"), 2, "--start 2 is for a file of boards: give --deals as well"),
        ((NEW, OLD, "--deals", "three.pbn", "--seed", "1"), 2, "give --seed or --deals, got both"),
        ((NEW, OLD, "--deals", "three.pbn", "--start", "4"), 1, "three.pbn has 3 boards, --start 4 is asked for"),
        (("--event", "club.toml", "Alpha", "Gamma"), 2, "teams of club.toml are Alpha, Beta, got 'Gamma'"),
        (("--event", "club.toml", "Alpha", "Beta"), 2, "team 'Beta' of club.toml has no command"),
        ((NEW, OLD, "--name", "other"), 2, "other.toml is there already and is no event file"),
        ((NEW, OLD, "--name", "club"), 2, "club.toml is a duel of other parameters"),
        (("./new {prot}", OLD), 2, "{prot}"),
        ((NEW, OLD, "--csv", "none/boards.csv"), 2, "--csv: none/boards.csv cannot be written"),
        ((NEW, OLD, "--pbn", "none/boards.pbn"), 2, "none is no folder to write into"),
        ((NEW, OLD, "--name", "three.pbn"), 2, "--name: three.pbn is there already, and is no event file of a duel"),
        (
            ("--event", "event.db", "Alpha", "Beta"),
            2,
            "event.db is a database: give the event file",
        ),
    ],
)
def test_a_duel_that_cannot_be_is_refused_in_one_sentence(words: tuple[str, ...], status: int, sentence: str) -> None:
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
    ],
)
def test_programs_are_called_as_their_files_not_as_what_runs_them(
    commands: tuple[str, str], names: list[str]
) -> None:
    assert [team.name for team in name_programs(commands, None)] == names


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


def test_programs_are_started_where_their_commands_were_given_wherever_the_event_file_is(tmp_path: Path) -> None:
    Path("league {1}").mkdir()
    Path("bot").write_text("#!/bin/sh\necho $(basename $PWD) $*\n")
    Path("bot").chmod(0o755)
    team = DuelTeam("A", {"command": "./bot {port} {team}"})
    assert started_in(team, Path(), Path()) is team
    moved = started_in(team, Path(), Path("league {1}"))
    words = fill_in(moved.keys["command"])
    ran = subprocess.run(words, cwd="league {1}", capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [tmp_path.name, "2000", "A"]


def fill_in(command: str) -> list[str]:
    check_command(command)
    return [word.format(port=2000, team="A") for word in shlex.split(command)]
