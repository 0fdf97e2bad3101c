"""`tourney cluster` refuses what cannot be done in one sentence."""

import socket
from pathlib import Path

import pytest

from tests.support.commands import refusal, run
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


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("cluster", "worker"), 2, "Missing option '--scheduler'"),
        (("cluster", "worker", "--scheduler", "tcp://10.0.0.1:8786"), 2, "for a scheduler on 127.0.0.1 alone"),
        (("cluster", "worker", "--scheduler", "10.0.0.1"), 2, "expected \"tls://HOST:PORT\", got '10.0.0.1'"),
        ((*WORKER, "--name", "a b"), 2, "the name of a worker is made of up to 63 letters, digits, '.', '_' and '-'"),
        ((*WORKER, "--tables", "0"), 2, "0 is not in the range 1 to 1000"),
        (
            (*WORKER, "--keys", "none"),
            1,
            "file none/cluster.pem cannot be read: `tourney cluster keys none`",
        ),
        (WORKER, 2, "the scheduler at tls://127.0.0.1:9 takes only those who have a certificate: name the folder"),
        (("cluster", "drain", "LAPTOP1"), 2, "Missing option '--scheduler'"),
        (("cluster", "scheduler"), 2, "without a certificate everybody could start programs on every machine"),
        (("cluster", "keys", "keys"), 1, "folder keys has keys already: take a new one, or remove them"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(words: tuple[str, ...], status: int, said: str) -> None:
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
