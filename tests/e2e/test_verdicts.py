"""Verdicts and orders at the tables of a run, and what they leave on record; some on simulated time."""

from pathlib import Path

import pytest
from click.testing import Result

from tests.e2e.test_run import query
from tests.support.commands import check_record, json_report, run
from tests.support.events import Finished, bot, write_event
from tests.support.simulated_run import run_simulated, simulated_runs


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def incidents_of(event: Path) -> list[tuple[str, str]]:
    found = json_report("rulings", event, "--incidents")["incidents"]
    return [(incident["kind"], incident["team"]) for incident in found]


def run_and_order(event: Path, sql: str, order: tuple[str | Path, ...]) -> tuple[Finished, Result]:
    """Run an event, with an order of its director as soon as a number on record is no longer 0: the ends of both."""
    ordered: list[Result] = []
    with simulated_runs() as machine:
        step = (lambda: query(event, sql) != [(0,)], lambda: ordered.append(machine.order(*order)))
        done = machine.tourney("run", event, steps=[step])
    return done, ordered[0]


def test_a_board_lost_by_a_kick_in_a_match_of_segments_is_sound_on_record(tmp_path: Path) -> None:
    teams = [("Alpha", bot(1, think_ms=20)), ("Beta", bot(2, think_ms=20))]
    event = write_event(tmp_path, teams, boards=4, stage='format = "match"\nsegments = 2')
    kick = ("table", "kick", event, "1-open", "East", "--reason", "it was told to go", "--yes")
    done, kicked = run_and_order(event, "SELECT count(*) FROM calls WHERE table_id = 1 AND board = 1", kick)
    assert kicked.exit_code == 0, kicked.stderr
    assert kicked.stdout == (
        "1-open: East was sent away; board 1 is forfeited: average minus to Beta, average plus to Alpha\n"
    )
    assert kicked.stderr.startswith("1-open: board 1 is in play. If East is sent away, Beta forfeits it")
    assert done.status == 0, done.out
    assert query(event, "SELECT board, ended, fault FROM board_attempts WHERE ended = 'disconnect'") == [
        (1, "disconnect", "E")
    ]
    assert "crash" not in {kind for kind, _ in incidents_of(event)}, "the table had sent the program away"
    assert query(event, "SELECT count(*) FROM tables WHERE segment = 2 AND state = 'finished'") == [(2,)]
    (ruling,) = json_report("rulings", event)["rulings"]
    assert (ruling["author"], ruling["kind"], ruling["team"]) == ("Ada", "board-forfeit", "Beta")
    check_record(event)


def test_a_stop_after_the_board_lets_it_be_finished_and_begins_no_other(tmp_path: Path) -> None:
    teams = [("Alpha", bot(1, think_ms=20)), ("Beta", bot(2, think_ms=20))]
    event = write_event(tmp_path, teams, boards=3, stage='format = "match"')
    stop = ("table", "stop", event, "1-open", "--after-board")
    done, stopped = run_and_order(event, "SELECT count(*) FROM calls WHERE table_id = 1 AND board = 1", stop)
    assert (stopped.exit_code, stopped.stdout) == (0, "1-open: stops when board 1 is over\n")
    assert done.status == 1, done.out
    assert query(event, "SELECT board, ended FROM board_attempts WHERE table_id = 1") == [(1, "played")]
    assert query(event, "SELECT count(*) FROM board_attempts WHERE table_id = 2 AND ended = 'played'") == [(3,)]
    assert run("table", "resume", event, "1-open").exit_code == 0
    again = run_simulated(event)
    assert again.status == 0, again.out
    assert query(event, "SELECT board, attempt, ended FROM board_attempts WHERE table_id = 1 ORDER BY board") == [
        (board, 1, "played") for board in (1, 2, 3)
    ]
