"""A program of one's own that misbehaves: the verdict is the same in whatever way it is played.

The table of misdeeds has a row for each misdeed and a column for each way to play. A column is a duel, in which the
number of the board says what is done on it.
"""

from pathlib import Path
from typing import Final, TypeAlias

import pytest

from tests.e2e.test_run import processes_with
from tests.support.events import port_range, tourney
from tourney.bridge import board_from_seed
from tourney.cli.displays import DuelPrinter
from tourney.config.command import seat_player
from tourney.event.file import load_event_file
from tourney.formats.boards import format_boards
from tourney.lab.duel import DuelSettings, DuelTeam, format_duel
from tourney.lab.duel_in_process import players_of
from tourney.lab.duel_run import load_record, open_duel, play_duel
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.protocol.wires import Language
from tourney.store.rulings import load_rulings

STALL_S: Final = 2

PLAYERS: Final = '''
import os
import sys
import threading
import time

from tourney.player import DECK, Player


class Good(Player):
    """Opens 1NT and plays its lowest card."""

    def call(self, view):
        return "pass" if view.calls else "1NT"

    def play(self, view):
        return view.legal_cards[-1]


class Bad(Good):
    """Does on each board what its number says."""

    def call(self, view):
        return "XX" if MISDEEDS[view.number - 1] == "illegal call" else super().call(view)

    def play(self, view):
        match MISDEEDS[view.number - 1]:
            case "sys.exit":
                sys.exit(0)
            case "os._exit":
                os._exit(0)
            case "exception":
                raise ValueError("of mine")
            case "nonsense":
                return 42
            case "illegal card":
                return next(card for card in DECK if card not in view.legal_cards)
            case "hang":
                time.sleep(1000)
            case "threads":
                threading.Thread(target=threading.Event().wait, args=(1000,)).start()
        return super().play(view)
'''

CRASH: Final = (BoardEnd.CRASH, "BC-48")
MISDEEDS: Final = {
    "sys.exit": CRASH,
    "os._exit": CRASH,
    "exception": CRASH,
    "nonsense": CRASH,
    "illegal card": (BoardEnd.ILLEGAL, "BC-46"),
    "hang": (BoardEnd.STALL, "BC-45"),
    "illegal call": None,
    "threads": None,
}
"""What each misdeed is: how the board ends in both rooms, and the clause by which the side forfeits it; None if play
goes on."""

BOARDS: Final = [board_from_seed(3, "misdeeds", number) for number in range(1, len(MISDEEDS) + 1)]

IMPS: Final = [3, 3, 3, 3, 3, 3, 3, 0]
"""What the side without fault wins on each board."""

Forfeit: TypeAlias = tuple[str, BoardEnd | None, str]
"""Who has forfeited a board, how it ended, and by which clause."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    text = f"{PLAYERS}\nMISDEEDS = {list(MISDEEDS)!r}\n"
    (tmp_path / "misdeeds.py").write_text(text, encoding="utf-8")
    (tmp_path / "boards.pbn").write_text(format_boards(BOARDS, "test"), encoding="ascii", newline="")
    return tmp_path


def write_duel(folder: Path, processes: str) -> tuple[Path, list[DuelTeam]]:
    """Write the event file of a duel with short limits."""
    good, bad = (
        DuelTeam(name, {"command": seat_player(f"misdeeds:{name}", Language.BLUE_CHIP), "profile": "tourney"})
        for name in ("Good", "Bad")
    )
    text = format_duel(DuelSettings(first=good, second=bad, boards=len(BOARDS), matches=1, deals="boards.pbn"))
    text = text.replace('profile = "tourney"', f'profile = "tourney"\nprocesses = "{processes}"')
    text = text.replace("[tables]", f'[tables]\nports = "{port_range()}"')
    path = folder / "duel.toml"
    path.write_text(f"{text}\n[clock]\nstall_s = {STALL_S}\n\n[rules]\nrejoins = 1\n", encoding="utf-8")
    return path, [good, bad]


def play_without_sockets(path: Path, teams: list[DuelTeam], jobs: int) -> None:
    event_file, players = load_event_file(path), players_of(teams, path.parent)
    play_duel(event_file, DuelPrinter(), players=players, jobs=jobs)


def forfeits_on_record(path: Path) -> dict[tuple[int | None, Room | None], Forfeit]:
    with open_duel(load_event_file(path)) as (database, event):
        assert event is not None
        return {
            (ruling.board, ruling.room): (ruling.team, ruling.ended, ruling.law)
            for ruling in load_rulings(database, event.id)
            if ruling.kind is RulingKind.BOARD_FORFEIT
        }


@pytest.mark.parametrize(
    "way", ["1 job", *(pytest.param(way, marks=pytest.mark.campaign) for way in ("2 jobs", "seat", "room", "team"))]
)
def test_the_verdict_on_each_misdeed_is_the_same_in_each_way_to_play(folder: Path, way: str) -> None:
    path, teams = write_duel(folder, "seat" if "job" in way else way)
    if "job" in way:
        play_without_sockets(path, teams, int(way[0]))
    else:
        done = tourney("run", path)
        assert done.status == 0, done.err
        assert processes_with(str(folder)) == []
    assert forfeits_on_record(path) == {
        (number, room): ("Bad", *verdict)
        for number, verdict in enumerate(MISDEEDS.values(), 1)
        if verdict is not None
        for room in Room
    }
    report = load_record(load_event_file(path))
    assert report is not None
    assert list(report.result.swings) == IMPS
