"""Rubber bridge on simulated time: killed in the middle it comes to the same result as undisturbed."""

import json
from pathlib import Path

from tests.e2e.test_killed import query
from tests.support.events import bot, printed, write_event
from tests.support.simulated_run import KILLED, run_simulated, simulated_runs

PLAYED = (
    "SELECT b.number, b.dealer, b.vulnerability, r.contract, r.declarer, r.tricks FROM results r "
    "JOIN tables t ON t.id = r.table_id JOIN matches m ON m.id = t.match_id "
    "JOIN boards b ON b.board_set_id = m.board_set_id AND b.number = r.board ORDER BY b.number"
)


def write_rubber(folder: Path, think_ms: int) -> Path:
    command = bot(0, "basic", think_ms)
    event = write_event(folder, [("Alpha", command), ("Beta", command)], stage='format = "rubber"')
    event.write_text(event.read_text().replace("boards_per_match = 2\n", ""))
    return event


def test_a_rubber_whose_host_and_run_are_killed_comes_to_the_same(tmp_path: Path) -> None:
    undisturbed = write_rubber(tmp_path / "undisturbed", think_ms=0)
    done = run_simulated(undisturbed)
    assert done.status == 0, done.out + done.err
    killed = write_rubber(tmp_path / "killed", think_ms=5)

    def is_third_begun() -> bool:
        return query(killed, "SELECT count(*) FROM board_attempts") == [(3,)]

    with simulated_runs() as machine:
        cut_off = machine.tourney("run", killed, steps=[(is_third_begun, machine.kill_all)])
        assert cut_off.err == KILLED
        again = machine.tourney("run", killed)
    assert again.status == 0, again.out + again.err
    assert query(killed, PLAYED) == query(undisturbed, PLAYED)
    ((boards, of_table),) = query(
        killed, "SELECT m.boards, t.boards FROM matches m JOIN tables t ON t.match_id = m.id"
    )
    assert boards == of_table == len(query(killed, PLAYED))
    for event in (undisturbed, killed):
        verified = printed("verify", event)
        assert (verified.status, ", 0 findings" in verified.out) == (0, True), verified.out
    sheets = [json.loads(printed("match", event, "1", "--json").out)["sheet"] for event in (undisturbed, killed)]
    assert sheets[0] == sheets[1]
    totals = sheets[0]["totals"]
    assert f"match 1: Alpha - Beta {totals['NS']} - {totals['EW']} points\n" in done.out
    standings = json.loads(printed("standings", killed, "--json").out)["standings"]
    assert sum(float(row["ranking_score"]) for row in standings) == 0
