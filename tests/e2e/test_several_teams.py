"""A whole field of teams on simulated time, a board of which is played again."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import Result

from tests.e2e.test_killed import query
from tests.support.board_a_match_standings import recompute_points
from tests.support.commands import run
from tests.support.events import bot, write_event
from tests.support.simulated_run import simulated_runs

TEAMS = ("Ants", "Bees", "Cats")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def points(event: Path) -> dict[str, Fraction]:
    rows = json.loads(run("standings", event, "--json").stdout)["standings"]
    return {row["team"]: Fraction(row["ranking_score"]) for row in rows}


def test_a_board_of_a_first_half_is_played_again_before_its_match_is_scored(tmp_path: Path) -> None:
    teams = [(name, bot(seed, "basic", think_ms=40)) for seed, name in enumerate(TEAMS, 1)]
    # Two rounds of one board at three tables.
    event = write_event(tmp_path, teams, boards=None, stage='format = "american-whist"\nboards_per_round = 1')
    ordered: list[tuple[Result, str]] = []

    def order_replay() -> None:
        ((place, board),) = query(
            event,
            "SELECT m.number || '-open', min(a.board) FROM board_attempts a JOIN tables t ON t.id = a.table_id"
            " JOIN matches m ON m.id = t.match_id WHERE t.room = 'open' AND m.number = 3",
        )
        done = run("table", "replay", event, place, str(board), "--reason", "a misdeal")
        ordered.append((done, machine.out.getvalue()))

    with simulated_runs() as machine:
        told = machine.tourney("run", event, steps=[(machine.has_told("round 2: "), order_replay)])
    ((done, before),) = ordered
    assert done.exit_code == 0, done
    assert told.status == 0, told
    after = told.out.removeprefix(before)
    assert "round 1: 3 " in after
    assert "round 2: " not in after, "the second halves are played once"
    assert after.count("match 3: ") == 1
    assert recompute_points(event.parent / "results" / "event.db") == points(event)
    assert run("verify", event).stdout.endswith("0 findings\n")
