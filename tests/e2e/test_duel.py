"""`tourney duel` as an author uses it, to its verdict: on simulated time, and without sockets."""

import json
import re
import shlex
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import Result

from tests.support.commands import check_record, run
from tests.support.events import bot
from tests.support.simulated_run import KILLED, simulated_runs
from tourney.bridge import Board, DoubleDummyTable, board_from_seed
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
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import load_rulings
from tourney.views.sequential_test import run_test

OPTIONS = "--names New,Old --profile tourney --seed 5 --concurrency 1"
THINKING = shlex.join([bot(2, think_ms=20), bot(3, think_ms=20)])


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def converse(script: str) -> None:
    """Hold a conversation about duels of `NEW` and `OLD`; `THINKING` are both of those that take their time."""
    with simulated_runs() as machine:
        machine.converse(script, THINKING=THINKING, NEW=shlex.quote(bot(2)), OLD=shlex.quote(bot(3)))


@pytest.mark.campaign
def test_a_duel_that_was_killed_goes_on_to_the_llr_the_verdict_and_the_boards_of_one_that_was_not(
    folder: Path,
) -> None:
    # Lest it be decided before it has been killed.
    words = ["duel", *shlex.split(f"{THINKING} {OPTIONS}"), "--sprt=-1,1,0.001,0.001", "--boards", "12"]
    with simulated_runs() as machine:
        killed = machine.tourney(*words, steps=[(machine.has_told("New v Old  boards"), machine.kill_all)])
        assert killed.err == KILLED
        machine.wait(60)
        done = machine.tourney(*words, "--json")
    assert done.status == 0, done.err
    test = SequentialTest(d0=-1, d1=1, alpha=0.001, beta=0.001, boards_max=12)
    assert json.loads(done.out)["test"] == run_test("duel", test, play_in_process(folder)).document()
    check_record("New-v-Old.toml")


def play_in_process(folder: Path) -> list[int]:
    """The IMPs of all boards of the duel in the order of their deals, played by the same bots without sockets."""
    with open_duel(load_event_file(folder / "New-v-Old.toml")) as (database, event):
        assert event is not None
        boards = [load_match_boards(database, match) for match in event.matches]
    deals = list(chain.from_iterable(zip(*boards, strict=True)))
    return play(deals, {"NS": "random", "EW": "random"}, rooms=2, seed=1).imps


def test_ctrl_c_ends_a_duel_with_how_it_stands_and_the_command_that_goes_on() -> None:
    words = f"duel THINKING {OPTIONS} --sprt none --boards 400"
    converse(f"""
        once it tells New v Old  boards => interrupt
        ~ {words}
            -> ...
            -> (stopped; to go on: tourney {words})
            -> status 130
            -> ...
            -> ...Not decided yet after...
            -> ...
    """)


def test_a_second_duel_of_the_same_programs_needs_a_name_of_its_own(folder: Path) -> None:
    new, old = (DuelTeam(name, {"command": bot(seed)}) for name, seed in (("New", 2), ("Old", 3)))
    settings = DuelSettings(first=new, second=old, boards=9, matches=1, seed=5)
    write_event(settings, folder / "New-v-Old.toml", None, has_seed=True)
    write_boards(board_from_seed(3, "1.1", number) for number in range(1, 4))
    words = "duel NEW OLD --names New,Old --profile tourney --deals boards.pbn --boards 2 --concurrency 1"
    converse(f"""
        $ {words} -> ... -> refused 2: ...play the new one under another --name
        ~ {words} --name second
            -> ...
            -> Undecided after 2 boards, which is the most that were allowed...
            -> ...
            -> ...all boards of boards.pbn are played: give others under another --name
            -> ...
            -> the boards as PBN or CSV: tourney export second.toml --format pbn --out FOLDER...
        $ export second.toml --format csv --out boards
    """)
    assert len(Path("boards", "boards.csv").read_text().splitlines()) == 1 + 2 * 2


def test_a_changed_program_does_not_get_the_verdict_of_another_and_again_plays_it(folder: Path) -> None:
    program = folder / "new.sh"
    started, _, words = bot(2).partition(" --")
    program.write_text(f'#!/bin/sh\nexec {started} "$@"\n')
    program.chmod(0o755)
    duel = f"duel './new.sh --{words}' OLD {OPTIONS} --sprt none --boards"
    nothing = "(nothing was played just now: all boards are of before..."
    converse(f"""
        ~ {duel} 2 -> ... -> All 2 boards are played -> ...
        $ {duel} 2 -> {nothing} -> ... -> All 2 boards are played -> ...
    """)
    program.write_text(program.read_text() + "# better\n")
    converse(f"""
        $ {duel} 2
            -> refused: New has changed since this duel was played: --again plays it anew...
            -> ...
            -> All 2 boards are played...
            -> ...
        ~ {duel} 2 --again -> ... -> All 2 boards are played... -> ...
        ~ {duel} 4
            -> ...
            -> ...the interval does not allow for boards that are added after a look...
            -> ...
            -> All 4 boards are played...
            -> ...
    """)
    assert {path.name for path in folder.glob("*.toml")} == {"New-v-Old.toml", "New-v-Old-2.toml"}


def test_a_required_verdict_decides_the_exit_status_and_the_junit_report() -> None:
    # The same player twice; a difference of 24 IMPs a board is ruled out by three boards without a swing.
    programs = shlex.join([bot(1), bot(1, think_ms=1)])
    words = f"duel {programs} {OPTIONS} --sprt 0,24 --junit-file d.xml --fail-unless"
    verdict = "New and Old play alike: no swing after 3 boards"
    converse(f"~ {words} same --boards 8 -> (--fail-unless same is met: {verdict}) -> ...")
    assert ElementTree.parse("d.xml").getroot().attrib["failures"] == "0"
    converse(f"""
        $ {words} better --boards 8 -> ... -> (--fail-unless better is not met: {verdict}) -> status 1 -> ...
        $ {words} same --boards 12
            -> ...
            -> refused: New v Old is decided after 3 boards: more boards would not change the verdict...
            -> ...
    """)
    (failure,) = ElementTree.parse("d.xml").getroot().iter("failure")
    assert failure.attrib["message"] == verdict


def write_boards(boards: Iterable[Board]) -> None:
    Path("boards.pbn").write_text(format_boards([*boards], "test"), encoding="ascii", newline="")


def solved_boards(count: int) -> Iterable[Board]:
    """Boards that know what can be made."""
    makes = DoubleDummyTable.parse("789a6" * 4)
    return (replace(board_from_seed(5, "1.1", number), makes=makes) for number in range(1, count + 1))


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


def play_both_ways(*options: str) -> tuple[dict[str, Any], str]:
    """The figures and boards of the duel of New and Old, which are the same through sockets as in one process."""
    Path("players.py").write_text(PLAYERS, encoding="utf-8")
    played = []
    for name, more in (("sockets", ()), ("process", ("--in-process",))):
        words = ("duel", "players:New", "players:Old", *options, "--sprt", "none", "--concurrency", "1", "--name")
        figures = json_of(run(*words, name, *more, "--json"))["test"]
        assert run("export", f"{name}.toml", "--format", "pbn", "--out", name).exit_code == 0
        played.append((figures, without_times(Path(name, "all.pbn").read_text(encoding="ascii"))))
        check_record(f"{name}.toml")
    assert played[0] == played[1]
    return played[0]


def json_of(done: Result) -> Any:  # what json.loads gives
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def test_the_same_classes_play_the_same_boards_as_through_sockets() -> None:
    _, boards = play_both_ways("--boards", "4", "--seed", "5")
    assert boards.count("[Auction ") == 8
    assert boards.count("total points.") >= 8
    assert run("export", "process.toml", "--format", "openspiel", "--out", "process").exit_code == 0
    trajectories = list(iter_dataset(Path("process", "trajectories.txt")) or ())
    assert len({board.deal for board in trajectories}) == 4
    assert len(trajectories) == 8


@pytest.mark.campaign
def test_auctions_alone_make_what_the_tables_of_the_file_say_in_process_and_through_sockets() -> None:
    write_boards(solved_boards(4))
    figures, boards = play_both_ways("--deals", "boards.pbn", "--auctions")
    assert figures["level"] == 4  # they differ in their cards alone
    results = re.findall(r'\[Contract "\d([A-Z]+?)X*"\]\n\[Result "(\d+)"\]', boards)
    assert set(results) <= set({"NT": "7", "S": "8", "H": "9", "D": "10", "C": "6"}.items())
    assert boards.count('[Termination "adjudication"]') == len(results) > 0


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
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(duel_in_process, "TABLE_BOARDS", 2)
    Path("together.py").write_text(TOGETHER, encoding="utf-8")
    write_boards(solved_boards(24))
    converse("""
        $ duel together:Together together:Passive --sprt none --deals boards.pbn --auctions --in-process \
--concurrency 4 --name d
    """)
    assert max(map(int, Path("asked.txt").read_text(encoding="ascii").split())) >= 2
    check_record("d.toml")


def without_times(pbn: str) -> str:
    """A PBN file without its dates and thinking times."""
    timeless = re.sub(r'\[(Auction|Play)TimeTable "[^"]*"\]\n(\S* \S*\n)*', "", pbn.replace("\r\n", "\n"))
    return re.sub(r'\[(UTC)?(Date|Time) "[^"]*"\]\n', "", timeless)


def test_what_is_no_class_is_refused_before_anything_is_written(folder: Path) -> None:
    before = set(folder.iterdir())
    converse("""
        $ duel ./new players:Old --in-process
            -> refused 2: --in-process plays classes such as my_bot:MyBot, basic and random, and new is the command \
'./new'...
        $ duel nobody:Gone players:Old --in-process -> refused: ...there is no module 'nobody'...
        $ lab league nobody:Gone basic --in-process --folder league -> refused: ...there is no module 'nobody'...
    """)
    assert set(folder.iterdir()) == before


def test_the_limit_of_a_match_is_of_all_its_boards(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duel_in_process, "TABLE_BOARDS", 1)
    Path("players.py").write_text(PLAYERS, encoding="utf-8")
    teams = [
        DuelTeam(name, {"command": seat_player(f"players:{name}", Language.BLUE_CHIP), "profile": "tourney"})
        for name in ("Slow", "Old")
    ]
    text = format_duel(DuelSettings(first=teams[0], second=teams[1], boards=4, matches=1, seed=5))
    path = folder / "slow.toml"
    path.write_text(f'{text}\n[clock]\nmatch_s = 1\nremedy = "forfeit-match"\n', encoding="utf-8")
    file = load_event_file(path)
    players = duel_in_process.players_of(teams, folder)
    play_duel(file, QuietDuel(), players=players, jobs=1)
    with open_duel(file) as (database, event):
        assert event is not None
        rulings = load_rulings(database, event.id)
    assert {(ruling.team, ruling.kind) for ruling in rulings} >= {("Slow", RulingKind.MATCH_FORFEIT)}
