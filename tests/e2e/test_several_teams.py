"""A whole field of teams on simulated time, killed between the halves of its matches and resumed."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.e2e.test_killed import query
from tests.support.board_a_match_standings import recompute_points
from tests.support.events import Finished, bot, port_range, printed
from tests.support.simulated_run import KILLED, run_simulated, simulated_runs

TEAMS = ("Ants", "Bees", "Cats")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def write_session(folder: Path, think_ms: int = 0) -> Path:
    """An American Whist of three teams: two rounds of one board at three tables."""
    folder.mkdir()
    commands = [json.dumps(bot(seed, "basic", think_ms)) for seed in range(1, len(TEAMS) + 1)]
    teams = "".join(
        f"[[team]]\nname = {json.dumps(name)}\nprofile = 'tourney'\ncommand = {command}\n"
        for name, command in zip(TEAMS, commands, strict=True)
    )
    path = folder / "event.toml"
    path.write_text(
        f'[event]\nname = "Session"\nresults = "results"\n{teams}[[stage]]\nformat = "american-whist"\n'
        "boards_per_round = 1\n"
        f'[deals]\nseed = 5\n[tables]\ntrick_pause_ms = 0\nlease_s = 2\nports = "{port_range(6)}"\n',
        encoding="utf-8",
    )
    return path


def points(event: Path) -> dict[str, Fraction]:
    rows = json.loads(printed("standings", event, "--json").out)["standings"]
    return {row["team"]: Fraction(row["vp"]) for row in rows}


def test_a_session_that_is_killed_and_resumed_ends_as_one_that_is_not(tmp_path: Path) -> None:
    whole, killed = write_session(tmp_path / "whole"), write_session(tmp_path / "killed", think_ms=20)
    done = run_simulated(whole)
    assert done.status == 0, done.out + done.err

    def is_between() -> bool:
        results = query(killed, "SELECT count(*) FROM results")[0][0]
        return results >= 4 and machine.has_told("round 2: ")()

    with simulated_runs() as machine:
        cut_off = machine.tourney("run", killed, steps=[(is_between, machine.kill_all)])
        assert cut_off.err == KILLED
        check_seats(killed)
        again = machine.tourney("run", killed)
    assert again.status == 0, again.out + again.err
    assert "round 1:" not in again.out, "the first halves are not played again"
    assert points(killed) == points(whole)
    for event in (whole, killed):
        assert printed("verify", event).out.endswith("0 findings\n")
        assert recompute_points(event.parent / "results" / "event.db") == points(event)


def check_seats(killed: Path) -> None:
    """The second halves are being played, where each team was before."""
    seats = json.loads((killed.parent / "results" / "connections.json").read_text(encoding="utf-8"))
    assert {(seat["round"], seat["room"], len(seats)) for seat in seats} == {(2, "closed", 12)}
    first = min(seat["port"] for seat in seats)
    at_home = {seat["team"]: seat["port"] - first for seat in seats if seat["seat"] in ("North", "South")}
    assert at_home == {"Ants": 0, "Bees": 1, "Cats": 2}, "North-South of a team stay at its table"


def test_a_board_of_a_first_half_is_played_again_before_its_match_is_scored(tmp_path: Path) -> None:
    event = write_session(tmp_path / "replayed", think_ms=40)
    ordered: list[tuple[Finished, str]] = []

    def order_replay() -> None:
        ((place, board),) = query(
            event,
            "SELECT m.number || '-open', min(a.board) FROM board_attempts a JOIN tables t ON t.id = a.table_id"
            " JOIN matches m ON m.id = t.match_id WHERE t.room = 'open' AND m.number = 3",
        )
        done = printed("table", "replay", event, place, str(board), "--reason", "a misdeal")
        ordered.append((done, machine.out.getvalue()))

    with simulated_runs() as machine:
        told = machine.tourney("run", event, steps=[(machine.has_told("round 2: "), order_replay)])
    ((done, before),) = ordered
    assert done.status == 0, done
    assert told.status == 0, told
    after = told.out.removeprefix(before)
    assert "round 1: 3 " in after
    assert "round 2: " not in after, "the second halves are played once"
    assert after.count("match 3: ") == 1
    assert recompute_points(event.parent / "results" / "event.db") == points(event)
    assert printed("verify", event).out.endswith("0 findings\n")
