"""Logs in the record come out as files, for the director alone."""

from pathlib import Path

from click.testing import Result

from tests.support.commands import refusal, run
from tests.support.played_event import PlayedEvent, draw_half_played
from tourney.store.control.hosts import record_log


def export(played: PlayedEvent, *words: str) -> Result:
    words = ("export", str(played.path), "--format", "logs", "--out", str(played.path.parent / "out"), *words)
    return run(*words)


def test_logs_in_the_record_are_written_where_they_would_be_in_the_results_folder(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    out = played.path.parent / "out"
    nothing = export(played, "--director")
    assert (nothing.exit_code, nothing.stdout) == (0, "")
    assert (
        nothing.stderr.splitlines()[1]
        == f"no log is in the record; those that are kept in files are in {played.file.results}"
    )
    files = {
        ("wire/match-001-open.jsonl", 1, 2): b'{"t_ms": 2}\n',
        ("wire/match-001-open.jsonl", 1, 1): b'{"t_ms": 1}\n',
        ("bots/match-002-open/north-ants.log", 2, 1): b"==== start 1 ====\n\xff\n",
        ("hosts/far.jsonl", None, 1): b"{}\n",
    }
    for number, ((path, match, at_ms), data) in enumerate(files.items()):
        table = played.match(match).tables[0].id if match is not None else None
        record_log(
            played.database,
            played.event.id,
            path=path,
            mark=str(number),
            data=data,
            host="far",
            at_ms=at_ms,
            table_id=table,
        )
    done = export(played, "--director", "--match", "2")
    assert done.stdout == f"{out}/bots/match-002-open/north-ants.log\n"
    done = export(played, "--director")
    assert done.exit_code == 0
    assert (out / "wire/match-001-open.jsonl").read_bytes() == b'{"t_ms": 1}\n{"t_ms": 2}\n'
    assert (out / "bots/match-002-open/north-ants.log").read_bytes() == b"==== start 1 ====\n\xff\n"
    assert (out / "hosts/far.jsonl").read_bytes() == b"{}\n"
    assert "add --director" in refusal(export(played), 2)
    record_log(played.database, played.event.id, path="../x", mark="m", data=b"", host="far", at_ms=0)
    assert "a log in the record is named '../x'" in refusal(export(played, "--director"))
