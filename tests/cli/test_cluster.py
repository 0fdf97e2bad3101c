"""`tourney cluster` refuses what cannot be done in one sentence."""

import socket
from pathlib import Path

import pytest

from tests.support.commands import refusal, run
from tests.support.refusals import refused_commands
from tourney.cluster.connection import make_keys
from tourney.extras import install_command


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DASK_LOGGING__DISTRIBUTED", "error")  # a worker sets it for what its process starts
    make_keys(tmp_path / "keys")
    (tmp_path / "blocked").mkdir()
    (tmp_path / "blocked" / "tourney-worker-LAPTOP2").touch()
    return tmp_path


WORKER = ("cluster", "worker", "--scheduler", "tls://127.0.0.1:9", "--name", "LAPTOP2")


@pytest.mark.parametrize(("words", "status", "said"), refused_commands("commands/cluster"))
def test_what_cannot_be_is_said_in_a_sentence(words: list[str], status: int, said: str) -> None:
    assert said in refusal(run(*words), status)


def test_a_folder_that_cannot_be_written_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "blocked")
    refused = refusal(run(*WORKER, "--keys", "../keys"))
    assert "tourney-worker-LAPTOP2 cannot be written: File exists" in refused


@pytest.mark.filterwarnings("ignore:unclosed <socket")  # Dask's, which could not be bound
def test_a_port_that_another_program_has_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = run("cluster", "scheduler", "--host", "127.0.0.1", "--port", port)
    assert refusal(done) == f"the scheduler cannot listen on 127.0.0.1, port {port}: Address already in use"


def test_without_the_extra_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    command = install_command("cluster")
    for words in (WORKER, ("cluster", "scheduler"), ("cluster", "keys", "new")):
        assert f"a cluster needs packages that are not installed: {command}" in run(*words).stderr
