"""The commands `tourney init` and `tourney check`."""

import re
from pathlib import Path

import pytest

from tests.support.commands import converse, printed, run
from tests.support.played_event import event_text, write_event
from tourney.resources import EXAMPLES, example_event_text

# init


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_can_be_written_and_is_fine(tmp_path: Path, example: str) -> None:
    path = tmp_path / "new.toml"
    said = printed(run("init", "--example", example, path))
    assert all(f"tourney {word} {path}" in said for word in ("check", "schedule", "run"))
    assert path.read_text(encoding="utf-8") == example_event_text(example)
    converse(tmp_path, "$ check FOLDER/new.toml")


@pytest.mark.parametrize(
    ("options", "summary"),
    [
        ("--teams 8 --format swiss", "8 teams, all our own bots"),
        ("--format individual", "8 players, all our own bots"),
        ("--format american-whist", "5 teams, all our own bots"),
        ("--entries FOLDER/entries.csv --teams 2", "2 teams, our own bots for 1 of them"),
        ("--team Alpha=ben --team Beta=wbridge5", "2 teams, each with its own program"),
        ("--team beta=bridge-env --teams 5 --format swiss", "5 teams, our own bots for 4 of them"),
        ("--team Mine=robobridge", "2 teams, our own bots for 1 of them"),
        ("--team A=ben-2022 --teams 8 --format individual", "8 players, our own bots for 7 of them"),
        ("--team A=ben-api --teams 8 --format individual", "8 players, our own bots for 7 of them"),
        ("--team A=tourney --team B=tourney --teams 4 --format howell", "4 pairs, our own"),
    ],
)
def test_init_writes_a_file_for_so_many_or_for_a_list_of_entries(tmp_path: Path, options: str, summary: str) -> None:
    (tmp_path / "entries.csv").write_text("name;command\r\nAnts;tourney bot\r\nBees;\r\n", encoding="utf-8-sig")
    converse(tmp_path, f"$ init {options} FOLDER/new.toml -> Wrote FOLDER/new.toml: {summary}... -> ...")
    checked = run("check", "--no-try", tmp_path / "new.toml")
    # Programs of others are not on this machine, and nothing else is wrong.
    assert all(" is not on the path" in line or ": warning: " in line for line in checked.stderr.splitlines())


def test_known_programs_are_listed_and_a_mistyped_one_is_answered_with_what_may_be_meant(tmp_path: Path) -> None:
    listed = printed(run("init", "--programs"))
    assert re.search(r"^wbridge5 +WBridge5 +5\.12 +wbridge5 +is started +tried by others *$", listed, re.MULTILINE)
    assert re.search(r"^ben-api +BEN's service .* is asked over HTTP +tried with tourney *$", listed, re.MULTILINE)
    mistyped = run("init", "--team", "Alpha=bne", tmp_path / "new.toml")
    assert (mistyped.exit_code, mistyped.stdout) == (2, "")
    assert mistyped.stderr.startswith('Error: --team: expected one of "ben", ')
    assert mistyped.stderr.endswith("got 'bne'; did you mean 'ben'?\n")


def test_check_says_what_is_known_of_the_programs_and_warns_of_settings_that_do_not_suit(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    run("init", "--team", "Ours=bridge-env", "--team", "Theirs=ben-api", path)
    text = path.read_text(encoding="utf-8").replace("bridge-client-ex", "sh bridge-client-ex")
    path.write_text(text, encoding="utf-8")
    found = printed(run("check", "--no-try", path))
    assert "warning" not in found
    assert "\nOurs: bridge_env 0.2.0: tried with tourney.\n  Its example is a weak player;" in found
    assert "\nTheirs: BEN's service 0.8.7.5 to 0.8.8.6: tried with tourney," in found
    path.write_text(text.replace('"bridge-env"\n', '"blue-chip"\n'), encoding="utf-8")
    converse(
        tmp_path,
        """
        $ check --no-try --json FOLDER/new.toml | fine -> yes
        $ check --no-try --json FOLDER/new.toml | warnings
            -> team 1, profile: its program is known to need "bridge-env" for bridge_env, got "blue-chip"
            -> tables, port_plan: Blue Chip Bridge expects a port for each seat, which "per-seat" provides
        """,
    )


def test_init_overwrites_nothing_and_says_where_no_file_can_be(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("mine", encoding="utf-8")
    converse(
        tmp_path,
        """
        $ init FOLDER/event.toml -> refused: FOLDER/event.toml exists already: give the name of a new file
        $ init FOLDER/no/event.toml -> refused: folder FOLDER/no does not exist: make it first
        $ init FOLDER/event.toml/new.toml
            -> refused: event file FOLDER/event.toml/new.toml cannot be written: Not a directory
        """,
    )
    assert path.read_text(encoding="utf-8") == "mine"


# check

CHECK = "$ check FOLDER/event.toml"


def test_check_sums_up_what_the_file_asks_for(tmp_path: Path) -> None:
    text = event_text("Ants", "Bees", "Cats", boards=6, stage='format = "double-round-robin"', deals="seed = 5")
    write_event(tmp_path, text)
    converse(
        tmp_path,
        f"""
        {CHECK}
            -> event.toml is fine
            -> Event Test Cup
            -> Teams 3; tourney waits for their programs
            -> Stage Round robin, double-round-robin, wbf-continuous
            -> Rounds 6, as soon as the previous round has finished
            -> Matches 6 of 6 boards
            -> Tables 12, at most 2 at once, on 127.0.0.1
            -> Ports 2000-4999, per-table
            -> Deals from seed 5, the same in all matches of a round
            -> Results FOLDER/results/test-cup
            -> Database sqlite:///FOLDER/results/test-cup/event.db
        """,
    )
    assert [path.name for path in tmp_path.iterdir()] == ["event.toml"]


def test_check_of_pairs_speaks_of_pairs_and_names_a_format_once(tmp_path: Path) -> None:
    bot = "command = 'tourney bot --host {host} --port {port} --seat {seat} --team {team}'"
    pairs = "".join(f'[[pair]]\nname = "{name}"\n{bot}\n' for name in "ABCDEFGH")
    stages = '[[stage]]\nformat = "howell"\n[[stage]]\nname = "Final"\nformat = "howell"\nteams = 4\n'
    write_event(tmp_path, f'[event]\nname = "Pairs"\n{pairs}{stages}')
    converse(
        tmp_path,
        f"""
        {CHECK}
            -> ...
            -> Pairs 8; tourney starts their programs
            -> Stage Howell, matchpoints
            -> Stage Final, howell, 4 pairs, matchpoints
            -> ...
        """,
    )


def test_check_says_all_that_is_wrong_at_once_with_places_and_limits(tmp_path: Path) -> None:
    write_event(
        tmp_path,
        event_text("Ants", "Ants?", boards=0, stage='format = "league"', deals='sed = 1\nshared = "round"'),
    )
    converse(
        tmp_path,
        f"""
        {CHECK}
            -> refused 2: event.toml: team 2, name: a team name has only characters that a file name may have...
            -> event.toml: stage 1, format: expected one of "round-robin", "double-round-robin", "swiss"...
            -> event.toml: stage 1, boards_per_match: at least 1 is allowed, got 0
            -> event.toml: deals: 'sed' is not known here; did you mean 'seed'?
        """,
    )


def test_check_looks_at_the_boards_and_at_the_database_too(tmp_path: Path) -> None:
    text = event_text(deals='pbn = "boards.pbn"')
    write_event(tmp_path, text.replace("[[team]]", 'database = "mysql://x"\n[[team]]', 1))
    converse(
        tmp_path,
        f"""
        {CHECK}
            -> refused 2: event.toml: deals, pbn: PBN file FOLDER/boards.pbn cannot be read: No such file or directory
            -> event.toml: event, database: a database is sqlite:///FILE or postgresql://..., got 'mysql'
        """,
    )
    write_event(tmp_path, text)
    deal = "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
    (tmp_path / "boards.pbn").write_text(f'[Board "1"]\n[Deal "{deal}"]\n', encoding="ascii")
    few = "refused 2: event.toml: deals, pbn: boards.pbn has 1 board, 2 are needed: 1 set of 2"
    converse(tmp_path, f"{CHECK} -> {few}")


def test_check_hides_the_password_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DATABASE", "postgresql+psycopg://me:secret@db.example/cup")
    result = printed(run("check", write_event(tmp_path, event_text())))
    assert "Database  postgresql+psycopg://me:***@db.example/cup" in result
    assert "secret" not in result


# What is wrong with a file, as a service manager is told


@pytest.mark.parametrize(
    ("section", "more", "sentence"),
    [
        ("[event]", "\n[event]\n[event]", "...this is not TOML..."),
        ("[event]", "[event]\nvneue = 1", "...'vneue' is not known here..."),
        ("[deals]", '[deals]\npbn = "none.pbn"', "...PBN file..."),
        ("[deals]", '[deals]\npbn = "bad.pbn"', "...bad.pbn..."),
    ],
)
@pytest.mark.parametrize("command", ["run", "schedule"])
def test_an_event_file_that_cannot_be_used_is_status_2(
    tmp_path: Path, command: str, section: str, more: str, sentence: str
) -> None:
    """Trying again does not mend it: the manual's service has RestartPreventExitStatus=2."""
    (tmp_path / "bad.pbn").write_text("% PBN 2.1\n")
    write_event(tmp_path, event_text("A", "B", deals="").replace(section, more))
    converse(tmp_path, f"$ {command} FOLDER/event.toml -> refused 2: {sentence}")
