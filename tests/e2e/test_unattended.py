"""An event with programs that go wrong, run to its end with no one at the keyboard."""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.e2e.test_run import processes_with
from tests.support import commands, misbehaving
from tests.support.events import bot, standings, write_event

WRONG = (
    f"{sys.executable} {misbehaving.__file__} {{}} --host {{{{host}}}} --port {{{{port}}}}"
    " --seat {{seat}} --team {{team}}"
)

TEAMS = [
    ("Good", bot(1, "basic")),
    ("Hangs", WRONG.format("hang --after 10")),
    ("Crashes", WRONG.format("crash --at-card 3")),
    ("Illegal", WRONG.format("illegal-call")),
]
MATCHES = 3


def test_an_event_with_programs_that_hang_crash_and_call_illegally_runs_to_its_end(tmp_path: Path) -> None:
    event = write_event(
        tmp_path,
        TEAMS,
        boards=1,
        stage='format = "gauntlet"\nagainst_all = "Illegal"\nrounds = 1',  # the one that plays on meets the others
        extra='[clock]\nstall_s = 3\n[rules]\nrejoin = "forfeit"\n',
    )
    done = commands.run("run", event)
    assert done.exit_code == 0, done.stdout + done.stderr
    assert processes_with(str(event.parent)) == []

    document = json.loads(commands.run("rulings", event, "--incidents", "--json").stdout)
    rulings = document["rulings"]
    # The end of a process may come to light later than the verdict on its connection where the machine is busy.
    assert {(ruling["team"], ruling["kind"], ruling["ended"]) for ruling in rulings} - {
        ("Crashes", "board-forfeit", "disconnect")
    } == {("Hangs", "board-forfeit", "stall"), ("Crashes", "board-forfeit", "crash")}
    assert {place(ruling) for ruling in rulings if ruling["team"] == "Hangs"} == rooms(event, "Hangs")
    assert all(" owed a c" in ruling["reason"] for ruling in rulings if ruling["team"] == "Hangs")
    assert all(" crashed after " in ruling["reason"] for ruling in rulings if ruling["ended"] == "crash")
    illegal = [incident for incident in document["incidents"] if incident["kind"] == "illegal-call"]
    assert {(incident["team"]) for incident in illegal} == {"Illegal"}
    # Where an opponent hangs before its turn to call comes it has no time for it.
    assert {place(incident) for incident in illegal} >= rooms(event, "Illegal") - rooms(event, "Hangs")

    rows = {row["team"]: row for row in standings(event)}
    assert {name: row["played"] for name, row in rows.items()} == {"Good": 1, "Hangs": 1, "Crashes": 1, "Illegal": 3}
    assert {name: row["imps_for"] for name, row in rows.items()} == imps_by_hand(event, rulings)
    assert rows["Hangs"]["imps_for"] == 0


def place(entry: dict[str, Any]) -> tuple[int, str]:
    return entry["match"], entry["room"]


def card_of(event: Path, number: int) -> dict[str, Any]:
    card: dict[str, Any] = json.loads(commands.run("match", event, str(number), "--json").stdout)
    return card


def rooms(event: Path, team: str) -> set[tuple[int, str]]:
    """Every room of every match of a team: its bad habit shows in each."""
    places = json.loads(commands.run("schedule", event, "--json").stdout)
    return {
        (match["match"], room)
        for round_ in places["rounds"]
        for match in round_["matches"]
        if team in (match["home"], match["away"])
        for room in ("open", "closed")
    }


def imps_by_hand(event: Path, rulings: list[dict[str, Any]]) -> dict[str, int]:
    """IMPs of each team: 3 to the opponents of who forfeits a board in either room (Law 12C2), else as compared."""
    imps: Counter[str] = Counter({name: 0 for name, _ in TEAMS})
    for number in range(1, MATCHES + 1):
        card = card_of(event, number)
        guilty = {ruling["team"] for ruling in rulings if ruling["match"] == number}
        innocent = {card["home"], card["away"]} - guilty
        (board,) = card["boards"]
        if len(guilty) == 1:
            imps[innocent.pop()] += 3
        elif not guilty:
            imps[card["home"]] += max(0, board["imps"])
            imps[card["away"]] += max(0, -board["imps"])
    return dict(imps)
