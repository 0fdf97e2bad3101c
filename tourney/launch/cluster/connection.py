"""What the processes of a cluster share: Dask's settings and log, how they end, and how they find their scheduler.

The settings of Dask are made here for every process of a cluster, so that the file in which a user has settings of
their own for Dask cannot loosen them.
"""

import asyncio
import importlib.metadata
import logging
import os
import platform
import re
import signal
import socket
import ssl
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

import dask
from distributed.core import rpc
from distributed.security import Security

from tourney import __version__
from tourney.errors import ConfigError, LaunchError
from tourney.log import JsonFormatter
from tourney.runtime.address import is_loopback

DEFAULT_PORT: Final = 8786

CONNECT_S: Final = 10.0
"""How long the scheduler may take to answer, in seconds: three lost packets, and some."""

WORKER_TTL_S: Final = 30
"""How long a worker may be silent before the scheduler gives it up, in seconds. Its tables do not wait for that:
their hosts have leases of their own."""

VERSION_KEY: Final = "tourney-version"
"""The key of the scheduler's metadata under which `tourney cluster scheduler` tells its version."""

DISCONNECTED: Final = (OSError, RuntimeError)
"""What is raised of a connection that is gone: by the network, or by Dask, which has closed it a moment ago."""

DRAINING_KEY: Final = "tourney-draining"
"""The key of the scheduler's metadata for workers that take no more tables: true by the name of the worker."""

HOST_RESOURCE: Final = "host"
"""The Dask resource of which each table host takes one."""


_HOST: Final = re.compile(r"[0-9A-Za-z_.:%-]{1,253}")
_HOST_AND_PORT: Final = re.compile(r"(?P<host>\[.*\]|[^:]*)(:(?P<port>.*))?")

_SETTINGS: Final[Mapping[str, Any]] = {
    # A supervisor whose worker is killed again and again is still no bad task: attempts are counted on record.
    "distributed.scheduler.allowed-failures": 10,
    "distributed.scheduler.worker-ttl": f"{WORKER_TTL_S}s",
    # A supervisor stays where its host is.
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.idle-timeout": None,
    # What programs print passes through the scheduler, which keeps so many of its latest parts.
    "distributed.admin.low-level-log-length": 1000,
    # No pages: whoever reaches them can look at tasks, and even retire workers, without a certificate.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.scheduler.preload": [],
    "distributed.worker.preload": [],
    "distributed.nanny.preload": [],
    # Hosts and programs inherit what a worker has: a neural network would run on one core by Dask's own settings.
    "distributed.nanny.pre-spawn-environ": {},
    "distributed.nanny.environ": {},
    # A worker only waits for its hosts: there is nothing to profile, to spill or to measure a GPU for.
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.diagnostics.nvml": False,
    "distributed.worker.multiprocessing-method": "spawn",
    "distributed.comm.timeouts.connect": f"{CONNECT_S}s",
    "distributed.comm.timeouts.tcp": f"{WORKER_TTL_S}s",
}


def configure_dask() -> None:
    """Give this process the settings that tourney needs of Dask."""
    dask.config.set(dict(_SETTINGS))


def log_dask(file: Path | None) -> None:
    """Let Dask log to a file, as JSON lines, and not to the terminal; without a file it only reports what fails.

    Raises:
        OSError: the file cannot be written.
    """
    handler: logging.Handler = logging.StreamHandler()
    if file is not None:
        handler = logging.FileHandler(file, encoding="utf-8")
        handler.setFormatter(JsonFormatter())
    for name in ("distributed", "tornado"):
        logger = logging.getLogger(name)
        _remove_handlers(logger)
        logger.addHandler(handler)
        logger.setLevel(logging.ERROR if file is None else logging.INFO)
        logger.propagate = False
    # Dask gives some loggers below these a handler of their own: `distributed.client` would write to the terminal.
    for name, below in logging.root.manager.loggerDict.items():
        if name.startswith(("distributed.", "tornado.")) and isinstance(below, logging.Logger):
            _remove_handlers(below)
            below.setLevel(logging.NOTSET)
            below.propagate = True


def _remove_handlers(logger: logging.Logger) -> None:
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        handler.close()


async def until_terminated(work: Coroutine[None, None, None]) -> signal.Signals | None:
    """Do the work until it is done, or until Ctrl-C, SIGTERM or SIGHUP, which cancels it; return the signal.

    A second signal does what it does by default, so that nobody has to wait for an orderly end.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    caught: list[signal.Signals] = []

    def end(number: int, _frame: FrameType | None) -> None:
        caught.append(signal.Signals(number))
        for each, handler in before.items():
            signal.signal(each, handler)
        loop.call_soon_threadsafe(task.cancel)

    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        await task
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return caught[0] if caught else None


@dataclass(frozen=True, slots=True)
class SchedulerAddress:
    """Where a scheduler listens."""

    host: str
    port: int
    is_tls: bool = True

    @staticmethod
    def parse(text: str) -> "SchedulerAddress":
        """Read `tls://HOST:PORT`; without a scheme it is TLS, without a port 8786. `tcp://` is for this machine only.

        Raises:
            ConfigError: it is something else.
        """
        scheme, found, rest = text.strip().rpartition("://")
        if found and scheme not in {"tls", "tcp"}:
            raise ConfigError(f"the address of a scheduler is tls://HOST:PORT, got {text!r}")
        if rest.count(":") > 1 and not rest.startswith("["):  # an IPv6 address alone
            rest = f"[{rest}]"
        parts = _HOST_AND_PORT.fullmatch(rest)
        host = parts["host"].strip("[]") if parts is not None else ""  # IPv6 (RFC 3986, 3.2.2)
        if parts is None or not _HOST.fullmatch(host):
            raise ConfigError(f"the address of a scheduler is tls://HOST:PORT, got {text!r}")
        digits = parts["port"] if parts["port"] is not None else str(DEFAULT_PORT)
        if not (digits.isascii() and digits.isdigit() and 1 <= int(digits) <= 65_535):
            raise ConfigError(f"the port of a scheduler is a number from 1 to 65535, got {digits!r} in {text!r}")
        if scheme == "tcp" and not is_loopback(host):
            raise ConfigError(f"tcp:// is open to everybody, so it is for 127.0.0.1 only: use tls://, got {text!r}")
        return SchedulerAddress(host, int(digits), scheme != "tcp")

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'tls' if self.is_tls else 'tcp'}://{host}:{self.port}"


def check_host(text: str) -> str:
    """Return a name or an IP address if it can be one.

    Raises:
        ConfigError: it cannot.
    """
    if not _HOST.fullmatch(text) or (text.count(":") == 1):
        raise ConfigError(f"an address is a name or an IP address without a port, got {text!r}")
    return text


# Versions


@dataclass(frozen=True, slots=True)
class Versions:
    """What has to be the same, or nearly so, on all machines of a cluster."""

    tourney: str | None
    """None at a scheduler that `tourney cluster scheduler` has not started."""
    distributed: str
    python: str
    """As in 3.12: the number behind the second point makes no difference."""

    def what_differs(self, theirs: "Versions") -> str | None:
        """Say in a sentence what keeps this machine from working with a scheduler; None if nothing does."""
        if theirs.tourney is not None and self.tourney != theirs.tourney:
            return (
                f"this machine has tourney {self.tourney} and the scheduler {theirs.tourney}, and they must be the "
                f"same: install {theirs.tourney} here, or {self.tourney} there"
            )
        if self.distributed != theirs.distributed:
            return (
                f"this machine has distributed {self.distributed} and the scheduler {theirs.distributed}, and they "
                f"must be the same: pip install distributed=={theirs.distributed}"
            )
        return None

    def what_to_know(self, theirs: "Versions") -> str | None:
        """Say in a sentence what differs without doing harm; None if nothing does."""
        if self.python != theirs.python:
            return f"this machine has Python {self.python} and the scheduler {theirs.python}: programs may care"
        return None


@cache  # a run asks twice a second
def own_versions() -> Versions:
    """Return the versions of this process."""
    python = ".".join(platform.python_version_tuple()[:2])
    return Versions(__version__, importlib.metadata.version("distributed"), python)


# The scheduler


class SchedulerAbsent(LaunchError):  # noqa: N818 # a passing state, not an error
    """No scheduler answers at the moment; one may a moment later."""


def tls_context(security: Security) -> ssl.SSLContext | None:
    """Return what `security` makes of a connection to a scheduler; None without TLS.

    Raises:
        ConfigError: its certificates cannot be used.
    """
    if not security.require_encryption:
        return None
    try:
        context = security.get_connection_args("client")["ssl_context"]
    except (OSError, ValueError) as error:  # SSLError is an OSError
        raise ConfigError(f"the certificates for the cluster cannot be used: {_reason(error)}") from None
    if not isinstance(context, ssl.SSLContext):
        raise ConfigError(
            "the certificates for the cluster are incomplete: authority, certificate and key are needed"
        )
    return context


async def ask_scheduler(address: SchedulerAddress, security: Security) -> Versions:
    """Connect to a scheduler and return its versions.

    Raises:
        SchedulerAbsent: none answers at the moment.
        LaunchError: there is another cluster, or no scheduler at all.
    """
    context = tls_context(security) if address.is_tls else None
    try:
        async with asyncio.timeout(CONNECT_S):
            # Dask tries again and again, and tells nothing but that it took too long: so look first.
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
            writer.transport.abort()
    except TimeoutError:
        raise SchedulerAbsent(
            f"no answer from {address} within {CONNECT_S:.0f} s: is the address right, and the firewall open?"
        ) from None
    except ssl.SSLCertVerificationError:
        raise LaunchError(
            f"the scheduler at {address} belongs to another cluster: its key differs from ours"
        ) from None
    except ssl.SSLError as error:
        raise LaunchError(
            f"what listens at {address} does not talk TLS as a scheduler does: {_reason(error)}"
        ) from None
    except socket.gaierror:
        raise LaunchError(f"no address is known for {address.host!r}, the host of the scheduler") from None
    except OSError as error:
        raise SchedulerAbsent(
            f"no scheduler at {address} ({_reason(error)}): start one there with `tourney cluster scheduler`"
        ) from None
    try:
        async with asyncio.timeout(CONNECT_S), scheduler_rpc(address, security) as scheduler:
            found = await scheduler.versions()
            version = await scheduler.get_metadata(keys=[VERSION_KEY], default=None)
            packages = found["packages"]
            python = ".".join(str(packages["python"]).split(".")[:2])
            return Versions(version, str(packages["distributed"]), python)
    except TimeoutError:
        raise SchedulerAbsent(f"what listens at {address} does not answer as a scheduler does") from None
    except OSError as error:
        raise SchedulerAbsent(f"the connection to {address} was lost: {_reason(error)}") from None
    except (KeyError, TypeError, ValueError):
        raise LaunchError(f"what listens at {address} does not answer as a scheduler does") from None


def scheduler_rpc(address: SchedulerAddress, security: Security) -> Any:  # Dask's makes its methods by name
    """Open a connection on which methods of the scheduler can be called; close it with `async with`."""
    return rpc(str(address), connection_args=security.get_connection_args("client"))


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).lower().replace("_", " ")
    if isinstance(error, OSError) and error.errno is not None:
        return os.strerror(error.errno)  # asyncio writes something else into `strerror`
    return str(error) or type(error).__name__
