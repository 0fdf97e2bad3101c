"""`tourney duel` as an author uses it, to its verdict: on simulated time, and without sockets."""

import json
import re
import shlex
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.commands import check_record, run
from tests.support.events import bot
from tests.support.simulated_run import KILLED, simulated_runs
from tourney.bridge import DoubleDummyTable, board_from_seed
from tourney.cli.displays import QuietDuel
from tourney.config.command import seat_player
from tourney.event.file import load_event_file
from tourney.formats.boards import format_boards
from tourney.lab import duel_in_process, play
from tourney.lab.datasets import iter_dataset
from tourney.lab.duel import DuelSettings, DuelTeam, format_duel
from tourney.lab.duel_run import open_duel, play_duel
from tourney.lab.event_files import write_event
from tourney.protocol.session.records import RulingKind
from tourney.protocol.wires import Language
from tourney.scoring.strength.sequential import SequentialTest
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import load_rulings
from tourney.views.sequential_test import run_test

NEW, OLD = bot(2), bot(3)
THINKING = bot(2, think_ms=20), bot(3, think_ms=20)
OPTIONS = ("--names", "New,Old", "--profile", "tourney", "--seed", "5", "--concurrency", "1")


@pytest.mark.campaign
def test_a_duel_that_was_killed_goes_on_to_the_llr_the_verdict_and_the_boards_of_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Lest it be decided before it has been killed.
    words = ("duel", *THINKING, *OPTIONS, "--sprt=-1,1,0.001,0.001", "--boards", "12")
    with simulated_runs() as machine:
        killed = machine.tourney(*words, steps=[(machine.has_told("New v Old  boards"), machine.kill_all)])
        assert killed.err == KILLED
        machine.wait(60)
        done = machine.tourney(*words, "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)["test"]
    undisturbed = run_test(
        "duel", SequentialTest(d0=-1, d1=1, alpha=0.001, beta=0.001, boards_max=12), play_in_process(tmp_path)
    )
    assert found == undisturbed.document()
    check_record(tmp_path / "New-v-Old.toml")


def play_in_process(folder: Path) -> list[int]:
    """The IMPs of all boards of the duel in the order of their deals, played by the same bots without sockets."""
    file = load_event_file(folder / "New-v-Old.toml")
    with closing(Database(file.database_url)) as database:
        event = load_event(database, "New v Old")
        assert event is not None
        boards = [load_match_boards(database, match) for match in event.matches]
    deals = list(chain.from_iterable(zip(*boards, strict=True)))
    return play(deals, {"NS": "random", "EW": "random"}, rooms=2, seed=1).imps


def test_ctrl_c_ends_a_duel_with_how_it_stands_and_the_command_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("duel", *THINKING, *OPTIONS, "--sprt", "none", "--boards", "400")
    with simulated_runs() as machine:
        stopped = machine.tourney(*words, steps=[(machine.has_told("New v Old  boards"), machine.interrupt)])
    assert stopped.status == 130
    assert "Not decided yet after" in stopped.out
    assert stopped.err.rstrip().endswith(f"stopped; to go on: {shlex.join(['tourney', *words])}")


def test_a_second_duel_of_the_same_programs_needs_a_name_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = DuelSettings(
        first=DuelTeam("New", {"command": NEW}), second=DuelTeam("Old", {"command": OLD}), boards=9, matches=1, seed=5
    )
    write_event(settings, tmp_path / "New-v-Old.toml", None, has_seed=True)
    boards = [board_from_seed(3, "1.1", number) for number in range(1, 4)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    words = ("duel", NEW, OLD, *OPTIONS[:4], "--deals", "boards.pbn", "--boards", "2", "--concurrency", "1")
    refused = run(*words)
    assert refused.exit_code == 2
    assert refused.stderr.rstrip().endswith("play the new one under another --name")
    with simulated_runs() as machine:
        done = machine.tourney(*words, "--name", "second")
    assert done.status == 0, done.err
    assert "Undecided after 2 boards, which is the most that were allowed" in done.out
    assert "all boards of boards.pbn are played: give others under another --name" in done.out
    assert "the boards as PBN or CSV: tourney export second.toml --format pbn --out FOLDER" in done.out
    assert run("export", "second.toml", "--format", "csv", "--out", "boards").exit_code == 0
    assert len((tmp_path / "boards" / "boards.csv").read_text().splitlines()) == 1 + 2 * 2


def test_a_changed_program_does_not_get_the_verdict_of_another_and_again_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "new.sh"
    started, _, words = NEW.partition(" --")
    program.write_text(f'#!/bin/sh\nexec {started} "$@"\n')
    program.chmod(0o755)
    duel = ("duel", f"./new.sh --{words}", OLD, *OPTIONS, "--sprt", "none", "--boards", "2")
    with simulated_runs() as machine:
        first = machine.tourney(*duel)
    assert (first.status, "All 2 boards are played" in first.out) == (0, True), first.err
    same = run(*duel)
    assert (same.exit_code, same.stdout) == (0, first.out.partition("\n")[2])
    assert "nothing was played just now: all boards are of before" in same.stderr
    program.write_text(program.read_text() + "# better\n")
    changed = run(*duel)
    assert (changed.exit_code, changed.stdout) == (1, same.stdout)
    assert "New has changed since this duel was played: --again plays it anew" in changed.stderr
    with simulated_runs() as machine:
        again = machine.tourney(*duel, "--again")
    assert again.status == 0, again.err
    assert "nothing was played" not in again.err
    assert "All 2 boards are played" in again.out
    assert {path.name for path in tmp_path.glob("*.toml")} == {"New-v-Old.toml", "New-v-Old-2.toml"}
    with simulated_runs() as machine:
        extended = machine.tourney(*duel[:-1], "4")
    assert extended.status == 0, extended.err
    assert "All 4 boards are played" in extended.out
    assert "the interval does not allow for boards that are added after a look" in extended.err


def test_a_required_verdict_decides_the_exit_status_and_the_junit_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # The same player twice; a difference of 24 IMPs a board is ruled out by three boards without a swing.
    words = ("duel", bot(1), bot(1, think_ms=1), *OPTIONS, "--sprt", "0,24", "--boards", "8", "--junit-file", "d.xml")
    with simulated_runs() as machine:
        met = machine.tourney(*words, "--fail-unless", "same")
    verdict = "New and Old play alike: no swing after 3 boards"
    assert (met.status, met.err) == (0, f"--fail-unless same is met: {verdict}\n"), met.out
    assert ElementTree.parse("d.xml").getroot().attrib["failures"] == "0"
    unmet = run(*words, "--fail-unless", "better", "--json")
    assert unmet.exit_code == 1
    assert unmet.stderr.endswith(f"--fail-unless better is not met: {verdict}\n")
    (failure,) = ElementTree.parse("d.xml").getroot().iter("failure")
    assert failure.attrib["message"] == verdict
    extended = run(*words, "--boards", "12")
    assert extended.exit_code == 1
    assert "New v Old is decided after 3 boards: more boards would not change the verdict" in extended.stderr


# The duel of two classes that is played through sockets, without them


PLAYERS = '''
import time

from tourney.player import Bid, Player

class New(Player):
    """Bids up to the level of two, with explanations; plays its lowest card."""

    def call(self, view):
        bids = [call for call in view.legal_calls if isinstance(call, Bid) and call.level <= 2]
        bid = bids[view.hand.cards[0].rank % len(bids)] if bids else None
        return (bid, f"at least {view.number} total points.") if bid else "pass"

    def play(self, view):
        return view.legal_cards[-1]

class Slow(New):
    """Thinks before each opening lead."""

    def play(self, view):
        if not view.tricks and not view.current.cards:
            time.sleep(0.6)
        return view.legal_cards[-1]

class Old(New):
    """Plays its highest card."""

    def play(self, view):
        return view.legal_cards[0]
'''


def test_the_same_classes_play_the_same_boards_as_through_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "players.py").write_text(PLAYERS, encoding="utf-8")
    figures, boards = [], []
    for name, more in (("sockets", ()), ("process", ("--in-process",))):
        options = ("--sprt", "none", "--boards", "4", "--seed", "5", "--concurrency", "1", "--name", name, *more)
        done = run("duel", "players:New", "players:Old", *options, "--json")
        assert done.exit_code == 0, done.stderr
        assert run("export", f"{name}.toml", "--format", "pbn", "--out", name).exit_code == 0
        figures.append(json.loads(done.stdout)["test"])
        boards.append(without_times((tmp_path / name / "all.pbn").read_text(encoding="ascii")))
    assert figures[0] == figures[1]
    assert boards[0] == boards[1]
    assert boards[0].count("[Auction ") == 8
    assert boards[0].count("total points.") >= 8
    check_record(tmp_path / "process.toml")
    assert run("export", "process.toml", "--format", "openspiel", "--out", "process").exit_code == 0
    trajectories = list(iter_dataset(tmp_path / "process" / "trajectories.txt") or ())
    assert len({board.deal for board in trajectories}) == 4
    assert len(trajectories) == 8


@pytest.mark.campaign
def test_auctions_alone_make_what_the_tables_of_the_file_say_in_process_and_through_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "players.py").write_text(PLAYERS, encoding="utf-8")
    makes = DoubleDummyTable.parse("789a6" * 4)
    boards = [replace(board_from_seed(5, "1.1", number), makes=makes) for number in range(1, 5)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    exported = []
    for name, more in (("sockets", ()), ("process", ("--in-process",))):
        options = ("--sprt", "none", "--deals", "boards.pbn", "--auctions", "--concurrency", "1", "--name", name)
        done = run("duel", "players:New", "players:Old", *options, *more, "--json")
        assert done.exit_code == 0, done.stderr
        assert json.loads(done.stdout)["test"]["level"] == 4  # they differ in their cards alone
        assert run("export", f"{name}.toml", "--format", "pbn", "--out", name).exit_code == 0
        exported.append(without_times((tmp_path / name / "all.pbn").read_text(encoding="ascii")))
        check_record(f"{name}.toml")
    assert exported[0] == exported[1]
    results = re.findall(r'\[Contract "\d([A-Z]+?)X*"\]\n\[Result "(\d+)"\]', exported[0])
    assert set(results) <= set({"NT": "7", "S": "8", "H": "9", "D": "10", "C": "6"}.items())
    assert exported[0].count('[Termination "adjudication"]') == len(results) > 0


TOGETHER = """
from pathlib import Path
from tourney.player import Player

class Together(Player):
    opening = "1NT"

    @classmethod
    def act(cls, model, players, views):
        with Path("asked.txt").open("a") as file:
            file.write(f"{len(views)}\\n")
        return [cls.opening if not view.calls else "pass" for view in views]

class Passive(Together):
    opening = "pass"
"""


def test_players_of_a_class_that_answer_together_are_asked_at_many_tables_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(duel_in_process, "TABLE_BOARDS", 2)
    (tmp_path / "together.py").write_text(TOGETHER, encoding="utf-8")
    makes = DoubleDummyTable.parse("789a6" * 4)
    boards = [replace(board_from_seed(5, "1.1", number), makes=makes) for number in range(1, 25)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    options = ("--sprt", "none", "--deals", "boards.pbn", "--auctions", "--in-process", "--concurrency", "4")
    done = run("duel", "together:Together", "together:Passive", *options, "--name", "d")
    assert done.exit_code == 0, done.stderr
    asked = [int(line) for line in (tmp_path / "asked.txt").read_text(encoding="ascii").split()]
    assert max(asked) >= 2
    check_record("d.toml")


def without_times(pbn: str) -> str:
    """A PBN file without its dates and thinking times."""
    timeless = re.sub(r'\[(Auction|Play)TimeTable "[^"]*"\]\n(\S* \S*\n)*', "", pbn.replace("\r\n", "\n"))
    return re.sub(r'\[(UTC)?(Date|Time) "[^"]*"\]\n', "", timeless)


def test_commands_of_programs_are_refused() -> None:
    refused = run("duel", "./new", "players:Old", "--in-process")
    assert refused.exit_code == 2
    assert (
        "--in-process plays classes such as my_bot:MyBot, basic and random, and new is the command './new'"
        in refused.stderr
    )


def test_the_limit_of_a_match_is_of_all_its_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(duel_in_process, "TABLE_BOARDS", 1)
    (tmp_path / "players.py").write_text(PLAYERS, encoding="utf-8")
    teams = [
        DuelTeam(name, {"command": seat_player(f"players:{name}", Language.BLUE_CHIP), "profile": "tourney"})
        for name in ("Slow", "Old")
    ]
    text = format_duel(DuelSettings(first=teams[0], second=teams[1], boards=4, matches=1, seed=5))
    path = tmp_path / "slow.toml"
    path.write_text(f'{text}\n[clock]\nmatch_s = 1\nremedy = "forfeit-match"\n', encoding="utf-8")
    file = load_event_file(path)
    players = duel_in_process.players_of(teams, tmp_path)
    play_duel(file, QuietDuel(), players=players, jobs=1)
    with open_duel(file) as (database, event):
        assert event is not None
        rulings = load_rulings(database, event.id)
    assert {(ruling.team, ruling.kind) for ruling in rulings} >= {("Slow", RulingKind.MATCH_FORFEIT)}
