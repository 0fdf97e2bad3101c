"""The address of a scheduler, its versions, and why it cannot be had."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from distributed import Scheduler

from tourney import __version__
from tourney.errors import ConfigError, LaunchError
from tourney.launch.cluster.connection import (
    VERSION_KEY,
    SchedulerAbsent,
    SchedulerAddress,
    Versions,
    ask_scheduler,
    configure_dask,
    own_versions,
)
from tourney.launch.cluster.key import ClusterKey, security_of


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tls://192.168.1.10:8786", "tls://192.168.1.10:8786"),
        ("192.168.1.10", "tls://192.168.1.10:8786"),
        ("bridge.example.org:9000", "tls://bridge.example.org:9000"),
        ("tls://[2001:db8::7]:8786", "tls://[2001:db8::7]:8786"),
        ("2001:db8::7", "tls://[2001:db8::7]:8786"),
        ("tcp://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://localhost", "tcp://localhost:8786"),
    ],
)
def test_an_address_needs_no_more_than_its_host(text: str, meant: str) -> None:
    assert str(SchedulerAddress.parse(text)) == meant


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is tls://HOST:PORT, got ''"),
        ("tls://:8786", "is tls://HOST:PORT"),
        ("http://192.168.1.10:8787", "is tls://HOST:PORT, got 'http://192.168.1.10:8787'"),
        ("tls://192.168.1.10:0", "a number from 1 to 65535, got '0'"),
        ("192.168.1.10:port", "a number from 1 to 65535, got 'port'"),
        ("tls://192.168.1.10:99999", "a number from 1 to 65535, got '99999'"),
        ("tcp://192.168.1.10:8786", "so it is for 127.0.0.1 only: use tls://"),
    ],
)
def test_what_is_no_address_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        SchedulerAddress.parse(text)


def test_versions_that_cannot_work_together_are_told_in_a_sentence() -> None:
    ours = Versions("1.4.0", "2026.8.0", "3.12")
    assert ours.what_differs(Versions("1.4.0", "2026.8.0", "3.11")) is None
    assert ours.what_differs(Versions(None, "2026.8.0", "3.12")) is None  # a scheduler that Dask itself has started
    assert ours.what_differs(Versions("1.5.0", "2026.8.0", "3.12")) == (
        "this machine has tourney 1.4.0 and the scheduler 1.5.0, and they must be the same: "
        "install 1.5.0 here, or 1.4.0 there"
    )
    assert ours.what_differs(Versions("1.4.0", "2026.9.0", "3.12")) == (
        "this machine has distributed 2026.8.0 and the scheduler 2026.9.0, and they must be the same: "
        "pip install distributed==2026.9.0"
    )
    assert ours.what_to_know(Versions("1.4.0", "2026.8.0", "3.11")) == (
        "this machine has Python 3.12 and the scheduler 3.11: programs may care"
    )


async def test_a_scheduler_tells_its_versions_to_members_alone() -> None:
    key = ClusterKey.make()
    configure_dask()
    async with Scheduler(
        host="127.0.0.1", port=0, protocol="tls", security=key.issue("scheduler"), dashboard_address="127.0.0.1:0"
    ) as scheduler:
        address = SchedulerAddress.parse(scheduler.address)
        found = await ask_scheduler(address, key.issue("worker"))
        assert found == Versions(None, own_versions().distributed, own_versions().python)
        scheduler.set_metadata([VERSION_KEY], __version__)
        assert await ask_scheduler(address, key.issue("worker")) == own_versions()
        with pytest.raises(LaunchError, match="belongs to another cluster: its key differs from ours"):
            await ask_scheduler(address, ClusterKey.make().issue("worker"))


async def test_where_no_scheduler_answers_the_sentence_says_what_was_found() -> None:
    security = ClusterKey.make().issue("worker")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free_port = taken.getsockname()[1]
    with pytest.raises(SchedulerAbsent, match=r"no scheduler at tls://127.0.0.1:\d+ \(.*refused.*: start one there"):
        await ask_scheduler(SchedulerAddress("127.0.0.1", free_port), security)
    with pytest.raises(LaunchError, match=r"no address is known for 'nowhere\.invalid'"):
        await ask_scheduler(SchedulerAddress("nowhere.invalid", 8786), security)

    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as other:
        address = SchedulerAddress("127.0.0.1", other.sockets[0].getsockname()[1])
        with pytest.raises(LaunchError, match="does not talk TLS as a scheduler does: wrong version number"):
            await ask_scheduler(address, security)


async def test_certificates_that_cannot_be_used_are_named_before_anybody_is_asked() -> None:
    security = security_of("/nowhere/ca.pem", "/nowhere/cert.pem", "/nowhere/key.pem")
    with pytest.raises(ConfigError, match="the certificates for the cluster cannot be used: No such file"):
        await ask_scheduler(SchedulerAddress("127.0.0.1", 9), security)


def test_what_dask_has_to_say_goes_to_its_file_and_not_to_the_terminal(tmp_path: Path) -> None:
    names = ("distributed.client", "distributed.worker", "distributed.gc", "tornado.application")
    code = (
        "import logging, sys; from pathlib import Path\n"
        "import distributed\n"
        "from tourney.launch.cluster.connection import log_dask\n"
        "log_dask(Path(sys.argv[1]))\n"
        "for name in sys.argv[2:]: logging.getLogger(name).error(f'{name} has failed')"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "dask.log"), *names]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = (tmp_path / "dask.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(names)
    assert all(f"{name} has failed" in line for name, line in zip(names, lines, strict=True))
