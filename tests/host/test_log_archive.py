"""Logs that are handed in to the record from a host's folder."""

from pathlib import Path

from tests.support.played_event import draw_event
from tourney.host.log_archive import ASIDE, LogArchive
from tourney.launch.hosts import this_process
from tourney.runtime.clock import HostClock
from tourney.store.control.hosts import add_host, leave_host, load_hosts, load_log_files


def test_what_somebody_else_has_put_among_logs_that_wait_is_left_alone_and_they_are_handed_in(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    add_host(played.database, played.event.id, "far", 0)
    (info,) = load_hosts(played.database, played.event.id)
    folder = tmp_path / "far"
    table = played.event.rounds[0].assignments[0].tables[0]
    for name in ("logs-of-last-year", "copy-1", f"{'a' * 32}-{table.id}"):
        (folder / ASIDE / name / "wire").mkdir(parents=True)
        (folder / ASIDE / name / "wire" / "match-001-open.jsonl").write_text("{}\n", encoding="utf-8")
    (folder / ASIDE / f"{'b' * 32}-7").write_text("a file", encoding="utf-8")
    LogArchive(played.database, info, folder, this_process(), HostClock()).hand_in_left()
    assert [log.path for log in load_log_files(played.database, played.event.id)] == ["wire/match-001-open.jsonl"]
    left = sorted(path.name for path in (folder / ASIDE).iterdir())
    assert left == [f"{'b' * 32}-7", "copy-1", "logs-of-last-year"]


def test_the_output_of_a_process_for_all_seats_of_a_team_is_handed_in_once_its_host_has_ended(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    for name in ("near", "far"):
        add_host(played.database, played.event.id, name, 0)
    info, far = load_hosts(played.database, played.event.id)
    output = tmp_path / "near" / "bots" / "team-001-alpha"
    output.mkdir(parents=True)
    for name in ("near.log", "far.log", "processes.jsonl"):
        (output / name).write_text("I pass\n", encoding="utf-8")
    archive = LogArchive(played.database, info, tmp_path / "near", this_process(), HostClock())
    for ended in (info, far):
        leave_host(played.database, ended, "it was told to stop", 1)
        archive.hand_in_left()
        archive.hand_in_left()
    stored = load_log_files(played.database, played.event.id)
    assert [(log.path, log.size_bytes) for log in stored] == [
        (f"bots/team-001-alpha/{name}.log", 7) for name in ("far", "near")
    ]
