"""`tourney duel --in-process`: the duel of two classes that is played through sockets, without them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.commands import run
from tourney.bridge import DoubleDummyTable, board_from_seed
from tourney.cli.displays import QuietDuel
from tourney.config.command import seat_player
from tourney.event.file import load_event_file
from tourney.formats.boards import format_boards
from tourney.lab import duel_in_process
from tourney.lab.datasets import iter_dataset
from tourney.lab.duel import DuelSettings, DuelTeam, format_duel
from tourney.lab.duel_run import open_duel, play_duel
from tourney.protocol.session.records import RulingKind
from tourney.protocol.wires import Language
from tourney.store.rulings import load_rulings

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
    assert run("verify", tmp_path / "process.toml").stdout.rstrip().endswith("0 findings")
    assert run("export", "process.toml", "--format", "openspiel", "--out", "process").exit_code == 0
    trajectories = list(iter_dataset(tmp_path / "process" / "trajectories.txt") or ())
    assert len({board.deal for board in trajectories}) == 4
    assert len(trajectories) == 8


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
        assert run("verify", f"{name}.toml").stdout.rstrip().endswith("0 findings")
    assert exported[0] == exported[1]
    results = re.findall(r'\[Contract "\d([A-Z]+?)X*"\]\n\[Result "(\d+)"\]', exported[0])
    assert set(results) <= set({"NT": "7", "S": "8", "H": "9", "D": "10", "C": "6"}.items())
    assert exported[0].count('[Termination "adjudication"]') == len(results) > 0


def without_times(pbn: str) -> str:
    """A PBN file without its dates and thinking times."""
    timeless = re.sub(r'\[(Auction|Play)TimeTable "[^"]*"\]\n(\S* \S*\n)*', "", pbn.replace("\r\n", "\n"))
    return re.sub(r'\[(UTC)?(Date|Time) "[^"]*"\]\n', "", timeless)


def test_commands_of_programs_are_refused() -> None:
    refused = run("duel", "./new", "players:Old", "--in-process")
    assert refused.exit_code == 2
    assert "--in-process plays classes such as my_bot:MyBot, and new is the command './new'" in refused.stderr


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
