"""Logs that are handed in to the record from a host's folder."""

from pathlib import Path

from tests.support.played_event import draw_event
from tourney.host.log_archive import ASIDE, LogArchive
from tourney.launch.hosts import this_process
from tourney.runtime.clock import HostClock
from tourney.store.control.hosts import add_host, load_hosts, load_log_files


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
