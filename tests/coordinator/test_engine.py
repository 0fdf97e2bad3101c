"""What starts the hosts of an event: why a cluster cannot be had is one sentence each."""

from pathlib import Path

import pytest

from tests.support import commands
from tests.support.events import write_event
from tourney.coordinator.engine import _url_of_workers

TEAMS = [("Alpha", None), ("Beta", None)]
DASK = '[launch]\nscheduler = "{}"\n'


def test_a_record_in_a_file_is_refused_for_a_cluster_by_check_and_run_alike(tmp_path: Path) -> None:
    event = write_event(tmp_path, TEAMS, extra=DASK.format("tls://127.0.0.1:1"))
    sentence = (
        "launch, scheduler: a cluster needs the record in PostgreSQL, which hosts on other machines can reach: set"
    )
    checked = commands.run("check", event)
    assert (checked.exit_code, sentence in checked.stdout + checked.stderr) == (1, True)
    run = commands.run("run", event)
    assert run.exit_code in (1, 2)
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("launch", "sentence"),
    [
        ("", "takes only those who have a certificate: name the folder that `tourney cluster keys` has made, or set"),
        ('keys = "none"\n', "none/cluster.pem cannot be read: `tourney cluster keys"),
    ],
)
def test_what_is_missing_for_a_cluster_is_one_sentence(
    tmp_path: Path, postgres_url: str, launch: str, sentence: str
) -> None:
    event = write_event(tmp_path, TEAMS, extra=DASK.format("tls://127.0.0.1:1") + launch, record=False)
    text = event.read_text().replace('results = "results"\n', f'results = "results"\ndatabase = "{postgres_url}"\n')
    event.write_text(text)
    run = commands.run("run", event)
    assert run.exit_code in (1, 2)
    assert sentence in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


def test_no_scheduler_is_one_sentence(tmp_path: Path, postgres_url: str) -> None:
    event = write_event(tmp_path, TEAMS, extra=DASK.format("tcp://127.0.0.1:1"), record=False)
    text = event.read_text().replace('results = "results"\n', f'results = "results"\ndatabase = "{postgres_url}"\n')
    event.write_text(text)
    run = commands.run("run", event)
    assert (run.exit_code, len(run.stderr.strip().splitlines())) == (1, 1)
    assert (
        "no scheduler at tcp://127.0.0.1:1 (Connection refused): start one there with `tourney cluster scheduler`"
        in run.stderr
    )


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
