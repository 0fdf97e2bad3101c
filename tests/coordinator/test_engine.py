"""What starts the hosts of an event: why a cluster cannot be had is one sentence each."""

from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.events import write_event
from tourney.coordinator.engine import _url_of_workers


def run_on_cluster(folder: Path, scheduler: str, database: str = "", launch: str = "", command: str = "run") -> str:
    """What is said where the event is to be played on a cluster that cannot be had."""
    event = write_event(
        folder, [("Alpha", None), ("Beta", None)], extra=f'[launch]\nscheduler = "{scheduler}"\n{launch}'
    )
    if database:
        event.write_text(event.read_text().replace("[event]\n", f'[event]\ndatabase = "{database}"\n'))
    done = run(command, event)
    assert done.exit_code in (1, 2)
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_record_in_a_file_is_refused_for_a_cluster_by_check_and_run_alike(tmp_path: Path, command: str) -> None:
    assert (
        "launch, scheduler: a cluster needs the record in PostgreSQL, which hosts on other machines can reach: set"
        in run_on_cluster(tmp_path, "tls://127.0.0.1:1", command=command)
    )


@pytest.mark.parametrize(
    ("scheduler", "launch", "sentence"),
    [
        (
            "tls://127.0.0.1:1",
            "",
            "takes only those who have a certificate: name the folder that `tourney cluster keys` has made, or set",
        ),
        ("tls://127.0.0.1:1", 'keys = "none"\n', "none/cluster.pem cannot be read: `tourney cluster keys"),
        (
            "tcp://127.0.0.1:1",
            "",
            "no scheduler at tcp://127.0.0.1:1 (Connection refused): start one there with `tourney cluster",
        ),
    ],
)
def test_what_is_missing_for_a_cluster_is_one_sentence(
    tmp_path: Path, postgres_url: str, scheduler: str, launch: str, sentence: str
) -> None:
    said = run_on_cluster(tmp_path, scheduler, postgres_url, launch)
    assert sentence in said
    assert len(said.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("given", "whole"),
    [
        (None, "postgresql+psycopg://ann:secret@localhost/cup"),
        ("postgresql://db.example.org/cup", "postgresql+psycopg://ann:secret@db.example.org/cup"),
        ("postgresql://bob@db.example.org/cup", "postgresql+psycopg://bob:secret@db.example.org/cup"),
        ("postgresql://bob:other@db.example.org/cup", "postgresql+psycopg://bob:other@db.example.org/cup"),
    ],
)
def test_workers_reach_the_database_with_what_the_run_has_unless_told(given: str | None, whole: str) -> None:
    assert _url_of_workers(given, "postgresql+psycopg://ann:secret@localhost/cup") == whole
