"""An event whose teams and alerts have letters outside ASCII, with real processes and sockets."""

import csv
import json
import sys
from pathlib import Path

import pytest

from tests.support.commands import converse
from tests.support.events import BOT, write_event
from tests.support.wire_entries import read_entries

ALERT = "Fünf Karten, cœur, ♥ à 15, 強い"

PROGRAM = f"""
import sys
from tests.support.wire_entries import read_entries
from tourney.bots.client import BotSettings, run_bot
from tourney.bots.random_style import RandomStrategy
from tourney.bots.strategy import Decision
from tourney.bridge import Seat

class Explains(RandomStrategy):
    def choose_call(self, view):
        return Decision(super().choose_call(view).call, {ALERT!r})

host, port, seat, team = sys.argv[1:]
seat = next(each for each in Seat if each.title == seat)
run_bot(BotSettings(host, int(port), seat, team), Explains(seat), print)
"""

LATIN = "charset = 'latin-1'"


@pytest.mark.clause("BC-01", "BC-10", "BC-17")
@pytest.mark.campaign
def test_letters_outside_ascii_go_from_player_to_player_and_into_record_exports_and_reports(tmp_path: Path) -> None:
    program = tmp_path / "explains.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = f"{sys.executable} {program} {{host}} {{port}} {{seat}} {{team}}"
    event = write_event(tmp_path, [("Zürich", command), ("Øre", BOT)], boards=1)
    event.write_text(
        event.read_text(encoding="utf-8").replace("[[stage]]", f"[team.wire]\n{LATIN}\n[[stage]]"), encoding="utf-8"
    )
    converse(
        tmp_path,
        """
        $ check FOLDER/event.toml -> event.toml is fine -> ...
        $ run FOLDER/event.toml --hosts 1 -> ... -> every match is finished...
        $ verify FOLDER/event.toml -> ..., 0 findings -> ...
        $ standings FOLDER/event.toml --json | standings: team -> ... -> Zürich -> ...
        $ export FOLDER/event.toml --format csv --out FOLDER/csv -> ...
        $ export FOLDER/event.toml --format pbn --out FOLDER/pbn -> ...
        """,
    )
    with (tmp_path / "csv" / "calls.csv").open(encoding="utf-8", newline="") as file:
        calls = [row for row in csv.DictReader(file) if row["team"] == "Zürich"]
    assert {row["alert"] for row in calls} == {f"{ALERT}."}
    assert [path.name for path in sorted((tmp_path / "pbn").iterdir())] == ["all.pbn", "match-001-Zurich-Ore.pbn"]
    logs = [tmp_path / "results" / "wire" / f"match-001-{room}.jsonl" for room in ("open", "closed")]
    lines = [json.loads(line) for log in logs for line in read_entries(log)]
    relayed = {line["line"].partition(" Alert. ")[2] for line in lines if line["dir"] == "out"} - {""}
    # The receiver's profile has neither the ligature nor the heart nor the last two.
    assert f"{ALERT.replace('œ', 'oe').replace('♥', 'H').replace('強い', '??')}." in relayed
