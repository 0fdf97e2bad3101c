"""Players whose class is seated in one process for each seat, for a pair at a table, and for all seats of a team.

A table host in this process plays both rooms of a match; what it starts are real processes.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.table_host import floor
from tourney.config import Processes, parse_event_file
from tourney.errors import ConfigError
from tourney.movement.seating import Room, TableState
from tourney.store.record.live import load_seatings

PLAYERS = """
import os
from pathlib import Path

from tourney.player import PASS, Bid, Player, Strain, is_certain_claim

FOLDER = Path(__file__).parent


class Alpha(Player):
    @classmethod
    def load(cls):
        with (FOLDER / f"{cls.__name__}.pids").open("a") as file:
            file.write(f"{os.getpid()}\\n")
        return f"a network of {cls.__name__}"

    def call(self, view):
        assert self.model == f"a network of {type(self).__name__}"
        bid = Bid(1, Strain.NOTRUMP)
        return (bid, "at least 13 cards.") if bid in view.legal_calls else PASS

    def play(self, view):
        self.stumble(view)
        return view.legal_cards[-1]

    def stumble(self, view):
        pass


class Beta(Alpha):
    def play(self, view):
        return view.legal_cards[0]


def is_first_time(name):
    try:
        (FOLDER / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


class Crashing(Alpha):
    def stumble(self, view):
        if len(view.tricks) == 5 and is_first_time("crashed"):
            os._exit(9)


class Raising(Alpha):
    def stumble(self, view):
        if len(view.tricks) == 5 and is_first_time("raised"):
            print("about to divide")
            1 / 0


class Claiming(Alpha):
    def claim(self, view):
        return is_certain_claim(view, view.seat, view.held(view.seat))

    def explain(self, view, call):
        return "any 13 cards." if call is not PASS else ""


class Rash(Alpha):
    def call(self, view):
        return super().call(view)[0] if len(view.calls) < 1 else PASS

    def claim(self, view):
        return len(view.tricks) == 3


class Speaking(Alpha):
    batch = 2  # both rooms
    batch_ms = 50

    @classmethod
    def act(cls, model, players, views):
        assert len(players) == len(set(players)) <= 2
        with (FOLDER / "batches").open("a") as file:
            file.write(f"{len(views)}\\n")
        FOLDER.joinpath("told").write_text(f"{views[0].scoring} {views[0].time_left_ms}")
        return [player.call(view) if view.asks_call else player.play(view) for player, view in zip(players, views)]
"""


@dataclass
class Played:
    """What is on record of a match that was played, and what its programs have left behind."""

    actions: list[tuple[Any, ...]]
    folder: Path
    seatings: list[str]
    incidents: list[tuple[Any, ...]]
    ends: list[str | None]

    def processes(self, player: str) -> int:
        """How many processes have loaded what a class needs."""
        return len((self.folder / f"{player}.pids").read_text(encoding="utf-8").splitlines())

    @property
    def output(self) -> str:
        """What the first team's programs have printed."""
        files = sorted((self.folder / "results").glob("**/bots/*/*.log"))
        return "".join(file.read_text(encoding="utf-8") for file in files)


async def play(folder: Path, alpha: str, beta: str, processes: Processes, *, rules: str = "") -> Played:
    """Play both rooms of a match on one host."""
    (folder / "players.py").write_text(PLAYERS, encoding="utf-8")
    of_alpha, of_beta = (f'player = "players:{player}"\nprocesses = "{processes}"' for player in (alpha, beta))
    tables = f'[clock]\ncall_s = 60\n[rules]\nprocess_plays = "{processes}"\n{rules}\n[sandbox]\nkind = "none"'
    async with floor(folder, tuple(Room), alpha=of_alpha, beta=of_beta, tables=tables) as place:
        both = [place.table(room) for room in Room]
        for table in both:
            await place.until(table, TableState.FINISHED)
        place.host.stop()
        await place.running  # what happened in the last second of a board is on record once the session has ended
        query = "SELECT {} FROM {} JOIN board_attempts USING (table_id, board, attempt) WHERE final ORDER BY 1,2,3"
        return Played(
            place.query(query.format("table_id, board, seq, call, alert", "calls"))
            + place.query(query.format("table_id, board, seq, card, 0", "cards")),
            folder,
            [f"{each.table_id} {each.seat.letter}" for each in load_seatings(place.database, [t.id for t in both])],
            place.query("SELECT kind, text FROM incidents ORDER BY at_ms"),
            place.ends(Room.OPEN) + place.ends(Room.CLOSED),
        )


def folder_of(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder


@pytest.mark.campaign
async def test_a_match_takes_the_same_course_with_a_process_for_a_seat_a_room_or_a_team(tmp_path: Path) -> None:
    matches = {kind: await play(folder_of(tmp_path, kind), "Alpha", "Beta", kind) for kind in Processes}
    seat, room, team = (matches[kind] for kind in Processes)
    assert len(seat.actions) > 104
    assert seat.actions == room.actions == team.actions
    for played, processes in ((seat, 4), (room, 2), (team, 1)):
        assert played.processes("Alpha") == played.processes("Beta") == processes
        assert len(played.seatings) == 8


async def test_when_a_shared_process_crashes_each_of_its_seats_comes_back_as_after_a_crash_of_its_own(
    tmp_path: Path,
) -> None:
    played = await play(tmp_path, "Crashing", "Beta", Processes.TEAM)
    assert played.processes("Crashing") == 2
    assert played.processes("Beta") == 1
    assert sorted(set(played.seatings)) == sorted(set(played.seatings[:8]))
    assert len(played.seatings) == 12, "four seats have been taken again"
    assert len(played.actions) > 104


async def test_a_player_that_raises_loses_its_seat_alone_and_is_named_in_the_output(tmp_path: Path) -> None:
    played = await play(tmp_path, "Raising", "Beta", Processes.TEAM)
    assert played.processes("Raising") == 1
    assert len(played.seatings) == 9
    heading = played.output.partition("about to divide")[0].rstrip().rpartition("\n")[2]
    assert heading.startswith("==== match 1, ")
    assert "ZeroDivisionError: division by zero" in played.output
    assert "left the seat: Raising.play() raised ZeroDivisionError: division by zero" in played.output
    assert [text for _, text in played.incidents if "left its seat: Raising.play() raised" in text], played.incidents


async def test_a_class_is_asked_for_the_seats_that_wait_at_once_and_knows_the_terms_of_its_table(
    tmp_path: Path,
) -> None:
    played = await play(tmp_path, "Speaking", "Speaking", Processes.TEAM)
    batches = [int(line) for line in (tmp_path / "batches").read_text(encoding="utf-8").split()]
    assert sum(batches) == len(played.actions)
    assert set(batches) <= {1, 2}
    # Against a quick opponent its turns in both rooms meet; against itself they may alternate for ever.
    quick = folder_of(tmp_path, "quick")
    await play(quick, "Speaking", "Beta", Processes.TEAM)
    batches = [int(line) for line in (quick / "batches").read_text(encoding="utf-8").split()]
    assert max(batches) > 1
    scoring, left_ms = (tmp_path / "told").read_text(encoding="utf-8").split()
    assert scoring == "imps"
    assert 0 < int(left_ms) <= 60_000


@pytest.mark.campaign
async def test_claims_that_cannot_fail_are_accepted_and_others_rejected(tmp_path: Path) -> None:
    certain = await play(folder_of(tmp_path, "certain"), "Claiming", "Beta", Processes.TEAM, rules="claims = true")
    assert "claimed" in certain.ends
    assert [row[4] for row in certain.actions if row[3] == "1NT"] == ["at least 13 cards."] * 2
    seat = await play(folder_of(tmp_path, "seat"), "Claiming", "Beta", Processes.SEAT, rules="claims = true")
    assert seat.actions == certain.actions
    rash = await play(folder_of(tmp_path, "rash"), "Rash", "Beta", Processes.TEAM, rules="claims = true")
    assert {kind for kind, _ in rash.incidents} == {"claim", "claim-rejected"}
    assert set(rash.ends) == {"played"}


@pytest.mark.parametrize(
    ("team", "rules", "sentence"),
    [
        ('player = "a:B"\nprocesses = "team"', "", 'a process of "team" sees more than one hand'),
        ('player = "a:B"\nprocesses = "team"', 'process_plays = "room"', '[rules] has process_plays = "room"'),
        ('command = "./bot {port} {seat}"\nprocesses = "room"', "", "give a player, not a command"),
    ],
)
def test_what_conditions_or_commands_do_not_allow_is_refused_in_a_sentence(
    team: str, rules: str, sentence: str
) -> None:
    text = (
        f'[event]\nname = "Shared"\n[[team]]\nname = "Alpha"\n{team}\n[[team]]\nname = "Beta"\n'
        f"[[stage]]\nboards_per_match = 2\n[rules]\n{rules}\n"
    )
    with pytest.raises(ConfigError) as refused:
        parse_event_file(text, "event.toml")
    assert sentence in str(refused.value)
