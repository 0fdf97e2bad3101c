"""The keys of a cluster, and why its scheduler cannot be had."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import dask
import pytest
from distributed import Scheduler
from distributed.security import Security

from tourney.cluster.connection import SchedulerAbsent, check_scheduler, load_security, make_keys
from tourney.errors import ConfigError, LaunchError


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    make_keys(tmp_path / "keys")
    return tmp_path / "keys"


async def test_a_scheduler_answers_those_who_have_its_certificate_alone(keys: Path, tmp_path: Path) -> None:
    async with Scheduler(
        host="127.0.0.1", port=0, protocol="tls", security=load_security(keys), dashboard_address="127.0.0.1:0"
    ) as scheduler:
        assert await check_scheduler(scheduler.address, load_security(keys))
        with pytest.raises(ConfigError, match="takes only those who have a certificate: name the folder"):
            await check_scheduler(scheduler.address, Security())
        make_keys(tmp_path / "others")
        with pytest.raises(LaunchError, match="has another certificate than ours trusts: self-signed certificate"):
            await check_scheduler(scheduler.address, load_security(tmp_path / "others"))
        with pytest.raises(SchedulerAbsent, match="does not answer as a scheduler does"):
            await check_scheduler(scheduler.address.replace("tls", "tcp"), load_security(keys))
        for settings in dask.config.collect_yaml([str(keys / "dask.yaml")]):
            dask.config.update(dask.config.config, settings)
        assert await check_scheduler(scheduler.address, Security()), "by Dask's own configuration"


async def test_where_no_scheduler_answers_the_sentence_says_what_was_found(keys: Path) -> None:
    security = load_security(keys)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free_port = taken.getsockname()[1]
    with pytest.raises(SchedulerAbsent, match=r"no scheduler at tls://127.0.0.1:\d+ \(.*refused.*: start one there"):
        await check_scheduler(f"tls://127.0.0.1:{free_port}", security)
    with pytest.raises(LaunchError, match=r"no address is known for 'nowhere\.invalid'"):
        await check_scheduler("tls://nowhere.invalid", security)

    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example.org ESMTP\r\n")
        writer.close()

    async with await asyncio.start_server(greet, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        with pytest.raises(LaunchError, match="does not talk TLS as a scheduler does: wrong version number"):
            await check_scheduler(f"tls://127.0.0.1:{port}", security)


def test_the_key_is_for_its_owner_alone_and_is_never_written_over(keys: Path) -> None:
    key = keys / "cluster.key"
    assert key.stat().st_mode & 0o777 == 0o600
    with pytest.raises(LaunchError, match="has keys already: take a new one, or remove them"):
        make_keys(keys)
    key.chmod(0o604)
    with pytest.raises(LaunchError, match=r"is open to every user of this machine: chmod 600 "):
        load_security(keys)
    key.unlink()
    with pytest.raises(LaunchError, match=r"cluster\.key cannot be read: `tourney cluster keys .*/keys` makes it"):
        load_security(keys)


async def test_certificates_that_cannot_be_used_are_named_before_anybody_is_asked(keys: Path) -> None:
    (keys / "cluster.pem").write_text("no certificate")
    with pytest.raises(ConfigError, match="the certificates for the cluster cannot be used: "):
        await check_scheduler("tls://127.0.0.1:9", load_security(keys))


def test_what_dask_has_to_say_goes_to_its_file_and_not_to_the_terminal(tmp_path: Path) -> None:
    names = ("distributed.client", "distributed.worker", "distributed.gc", "tornado.application")
    code = (
        "import logging, sys; from pathlib import Path\n"
        "import distributed\n"
        "from tourney.cluster.connection import log_dask\n"
        "log_dask(Path(sys.argv[1]))\n"
        "for name in sys.argv[2:]: logging.getLogger(name).error(f'{name} has failed')"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "dask.log"), *names]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    lines = (tmp_path / "dask.log").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(names)
    assert all(f"{name} has failed" in line for name, line in zip(names, lines, strict=True))
