"""`tourney cluster scheduler` and `worker` refuse what they cannot do in one sentence."""

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.events import printed
from tourney.cli.main import cli
from tourney.extras import install_command
from tourney.launch.cluster.key import ClusterKey, keep_cluster_key
from tourney.runtime.privacy import CLUSTER_KEY_VARIABLE


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(CLUSTER_KEY_VARIABLE, raising=False)
    return tmp_path


WORKER = ("cluster", "worker", "--scheduler", "tls://127.0.0.1:9", "--name", "LAPTOP2")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (
            (
                "cluster",
                "worker",
            ),
            2,
            "Missing option '--scheduler'",
        ),
        (
            ("cluster", "worker", "--scheduler", "tcp://10.0.0.1:8786"),
            2,
            "so it is for 127.0.0.1 only: use tls://, got",
        ),
        ((*WORKER, "--name", "a b"), 2, "the name of a worker is made of up to 63 letters, digits, '.', '_' and '-'"),
        ((*WORKER, "--tables", "0"), 2, "0 is not in the range 1 to 1000"),
        ((*WORKER, "--address", "http://me/"), 2, "an address is a name or an IP address without a port"),
        ((*WORKER, "--key-file", "none.key"), 1, "key file none.key cannot be read: No such file or directory"),
        (
            WORKER,
            2,
            "the key of the cluster is missing: give --key-file, TOURNEY_CLUSTER_KEY or a line on standard input",
        ),
        (("cluster", "drain", "LAPTOP1"), 2, "Missing option '--scheduler'"),
        (
            ("cluster", "worker", "--scheduler", "h", "--tls-ca", __file__),
            2,
            "--tls-ca, --tls-cert and --tls-key go together",
        ),
        (
            ("cluster", "scheduler", "--address", "my host"),
            2,
            "an address is a name or an IP address without a port, got 'my host'",
        ),
        (
            ("cluster", "scheduler", "--key-file", "no/cluster.key"),
            1,
            "key file no/cluster.key cannot be written: No such file",
        ),
        (
            ("cluster", "scheduler", "--tls-ca", "ca", "--tls-cert", "c", "--tls-key", "k"),
            1,
            "file ca cannot be read",
        ),
        (
            ("cluster", "scheduler", "--tls-ca", __file__, "--tls-cert", __file__, "--tls-key", __file__),
            2,
            "the certificates for the cluster cannot be used: ",
        ),
        (
            (
                "cluster",
                "scheduler",
                "--key-file",
                "k",
                "--tls-ca",
                __file__,
                "--tls-cert",
                __file__,
                "--tls-key",
                __file__,
            ),
            2,
            "--key-file does not go with certificates of your own",
        ),
        (
            ("cluster", "scheduler", "--host", "127.0.0.1", "--log-file", "no/dask.log"),
            1,
            "log file no/dask.log cannot be written",
        ),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(words: tuple[str, ...], status: int, said: str) -> None:
    done = printed(*words)
    assert done.status == status
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_port_that_another_program_has_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = printed("cluster", "scheduler", "--host", "127.0.0.1", "--port", str(port))
    assert done.status == 1
    assert done.err == f"Error: the scheduler cannot listen on 127.0.0.1, port {port}: Address already in use\n"


def test_the_key_comes_from_a_line_of_standard_input_where_there_is_no_terminal(folder: Path) -> None:
    key = keep_cluster_key(folder / "cluster.key")
    words = [*WORKER, "--wait-s", "0"]
    piped = CliRunner().invoke(cli, words, input=f"{key.format()}\n")
    assert piped.exit_code == 1
    assert f"LAPTOP2, cluster {key.fingerprint}: looking for the scheduler at tls://127.0.0.1:9" in piped.stdout
    assert "no scheduler at tls://127.0.0.1:9 (Connection refused): start one there with" in piped.stderr
    mistyped = CliRunner().invoke(cli, words, input=key.format()[:-1])
    assert "a cluster key has 56 letters and digits, got 55" in mistyped.stderr
    assert key.format()[:9] not in mistyped.stderr


def test_the_variable_has_the_key_for_services(monkeypatch: pytest.MonkeyPatch) -> None:
    key = ClusterKey.make()
    monkeypatch.setenv(CLUSTER_KEY_VARIABLE, key.format())
    assert f"cluster {key.fingerprint}" in printed(*WORKER, "--wait-s", "0").out


def test_without_the_extra_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    for words in (
        WORKER,
        (
            "cluster",
            "scheduler",
        ),
    ):
        command = install_command("cluster")
        assert printed(*words).err == f"Error: a cluster needs packages that are not installed: {command}\n"
