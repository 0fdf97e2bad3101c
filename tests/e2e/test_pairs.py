"""An event of pairs over sockets, killed in the middle and resumed: the same result as undisturbed."""

import json
import os
import signal
from pathlib import Path

from tests.e2e.test_killed import query, until
from tests.support.events import bot, port_range, printed, read_until, rest_of, start_tourney, tourney
from tests.support.pairs_standings import recompute_standings

PAIRS = ("Alpha", "Beta", "Gamma", "Delta")


def write_pairs(folder: Path, tables: str = "") -> Path:
    """An event of four pairs, a Howell of three rounds with one board each."""
    folder.mkdir()
    pairs = "".join(
        f"[[pair]]\nname = {json.dumps(name)}\nprofile = 'tourney'\ncommand = {json.dumps(bot(seed, 'basic'))}\n"
        for seed, name in enumerate(PAIRS, 1)
    )
    path = folder / "event.toml"
    path.write_text(
        f'[event]\nname = "Pairs"\nresults = "results"\n{pairs}[[stage]]\nformat = "howell"\nboards_per_round = 1\n'
        f'[deals]\nseed = 5\n[tables]\ntrick_pause_ms = 0\nlease_s = 2\nports = "{port_range()}"\n{tables}\n',
        encoding="utf-8",
    )
    return path


def ranked(event: Path) -> list[tuple[int, str, str]]:
    rows = json.loads(printed("standings", event, "--json").out)["standings"]
    return [(row["rank"], row["team"], f"{row['percentage']:.2f}") for row in rows]


def test_an_event_of_pairs_that_is_killed_and_resumed_ends_as_one_that_is_not(tmp_path: Path) -> None:
    whole = write_pairs(tmp_path / "whole")
    killed = write_pairs(tmp_path / "killed", 'port_plan = "per-pair"')
    done = tourney("run", whole)
    assert done.status == 0, done.out + done.err
    run = start_tourney("run", killed, "--hosts", "1")
    read_until(run, "open room: ")
    until(killed, "SELECT count(*) FROM results", lambda results: results >= 3)
    pids = [int(pid) for (pid,) in query(killed, "SELECT pid FROM hosts WHERE ended_at_ms IS NULL")]
    run.kill()
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    rest_of(run)
    again = tourney("run", killed)
    assert again.status == 0, again.out + again.err
    assert ranked(killed) == ranked(whole)
    doors = query(
        killed,
        "SELECT e.name, p.port FROM teams e JOIN (SELECT ns_team_id AS team, port_north AS port FROM tables"
        " UNION SELECT ns_team_id, port_south FROM tables UNION SELECT ew_team_id, port_east FROM tables"
        " UNION SELECT ew_team_id, port_west FROM tables) p ON p.team = e.id ORDER BY e.number",
    )
    assert [name for name, _ in doors] == list(PAIRS), "a pair has one port all event long"
    assert [port - doors[0][1] for _, port in doors] == [0, 1, 2, 3]
    for event in (whole, killed):
        assert printed("verify", event).status == 0
        database = event.parent / "results" / "event.db"
        names = [team for _, team, _ in ranked(event)]
        (figures,) = recompute_standings(database, "matchpoints", [names])
        assert [(rank, f"{float(level):.2f}") for rank, level in (figures[name] for name in names)] == [
            (rank, percentage) for rank, _, percentage in ranked(event)
        ]


def test_what_shows_matches_of_teams_only_says_so_of_pairs_in_one_sentence(tmp_path: Path) -> None:
    event = write_pairs(tmp_path / "drawn")
    assert printed("schedule", event).status == 0
    for words in (
        ("match", event, "1"),
        ("crosstable", event),
        ("rounds", event),
        ("boards", event),
        ("swings", event),
        ("head-to-head", event, "Alpha", "Beta"),
    ):
        done = printed(*words)
        assert (done.status, done.err.count("\n")) == (1, 1), done
        assert "pairs" in done.err
    for name in ("standings", "status", "rulings", "times", "butler", "opening-leads"):
        assert printed(name, event).status == 0, name
    for kind in ("csv", "json", "pbn", "lin", "usebio", "html"):
        assert printed("export", event, "--format", kind, "--out", tmp_path / kind).status == 0
