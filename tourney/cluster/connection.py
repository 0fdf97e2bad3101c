"""How the processes of a cluster find their scheduler and trust each other: Dask's TLS, and files for it.

Certificates are Dask's business, by its configuration (`distributed.comm.tls`). Where nobody has any, a folder made
by `tourney cluster keys` has one certificate, which every member shows and trusts.
"""

import asyncio
import logging
import os
import socket
import ssl
import stat
from pathlib import Path
from typing import Any, Final

from distributed.comm.addressing import parse_address, parse_host_port
from distributed.core import rpc
from distributed.security import Security

from tourney.errors import ConfigError, LaunchError
from tourney.log import JsonFormatter

DEFAULT_PORT: Final = 8786

CONNECT_S: Final = 10.0
"""How long the scheduler may take to answer, in seconds: three lost packets, and some."""

DISCONNECTED: Final = (OSError, RuntimeError)
"""What is raised of a connection that is gone: by the network, or by Dask, which has closed it a moment ago."""

_CERTIFICATE: Final = "cluster.pem"
_KEY: Final = "cluster.key"
_CONFIGURATION: Final = "dask.yaml"


class SchedulerAbsent(LaunchError):  # noqa: N818 # a passing state, not an error
    """No scheduler answers at the moment; one may a moment later."""


# Certificates


def make_keys(folder: Path) -> None:
    """Make a certificate, its private key and a configuration for Dask that names them.

    Raises:
        LaunchError: there are some already, or the folder cannot be written.
    """
    made = Security.temporary()
    certificate, key = (folder.absolute() / name for name in (_CERTIFICATE, _KEY))
    member = f"{{cert: {certificate}, key: {key}}}"
    configuration = (
        "distributed:\n  comm:\n    require-encryption: true\n    tls:\n"
        f"      ca-file: {certificate}\n"
        + "".join(f"      {role}: {member}\n" for role in ("scheduler", "worker", "client"))
    )
    texts = {_CERTIFICATE: made.tls_ca_file, _KEY: made.tls_worker_key, _CONFIGURATION: configuration}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            mode = 0o600 if name == _KEY else 0o644
            descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
                opened.write(text)
    except FileExistsError:
        raise LaunchError(f"folder {folder} has keys already: take a new one, or remove them") from None
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None


def load_security(folder: Path | None) -> Security:
    """Return what Dask needs to talk TLS with the keys in a folder; None for Dask's own configuration.

    Raises:
        LaunchError: the folder has no keys, or others can read them.
    """
    if folder is None:
        return Security()
    certificate, key = folder / _CERTIFICATE, folder / _KEY
    for file in (certificate, key):
        if not os.access(file, os.R_OK):
            raise LaunchError(f"file {file} cannot be read: `tourney cluster keys {folder}` makes it")
    if key.stat().st_mode & stat.S_IRWXO:
        raise LaunchError(f"file {key} is open to every user of this machine: chmod 600 {key}")
    parts = {"cert": str(certificate), "key": str(key)}
    members = {f"tls_{role}_{part}": parts[part] for role in ("client", "scheduler", "worker") for part in parts}
    return Security(require_encryption=True, tls_ca_file=str(certificate), **members)


def tls_context(security: Security, role: str = "client") -> ssl.SSLContext | None:
    """Return what a process connects with, or what a scheduler listens with; None where no certificate is set.

    Raises:
        ConfigError: the certificates cannot be used.
    """
    try:
        listens = role == "scheduler"
        found = security.get_listen_args(role) if listens else security.get_connection_args(role)
    except (OSError, ValueError) as error:  # SSLError is an OSError
        raise ConfigError(f"the certificates for the cluster cannot be used: {find_reason(error)}") from None
    context = found.get("ssl_context")
    assert context is None or isinstance(context, ssl.SSLContext)
    return context


# The scheduler


def split_address(address: str) -> tuple[str, int]:
    """Return host and port of `tls://HOST:PORT`; without a port it is Dask's."""
    return parse_host_port(parse_address(address)[1], DEFAULT_PORT)


async def check_scheduler(address: str, security: Security) -> str:
    """Connect to a scheduler and return its version of Dask's `distributed`.

    Raises:
        SchedulerAbsent: none answers at the moment.
        ConfigError: the certificates cannot be used, or there are none.
        LaunchError: there is another cluster, or no scheduler at all.
    """
    context, is_tls = tls_context(security), address.startswith("tls:")
    if is_tls and context is None:
        raise ConfigError(
            f"the scheduler at {address} takes only those who have a certificate: name the folder that `tourney "
            "cluster keys` has made, or set distributed.comm.tls in the configuration of Dask"
        )
    try:
        async with asyncio.timeout(CONNECT_S):
            # Dask tries again and again, and tells nothing but that it took too long: so look first.
            _, writer = await asyncio.open_connection(*split_address(address), ssl=context if is_tls else None)
            writer.transport.abort()
    except TimeoutError:
        raise SchedulerAbsent(
            f"no answer from {address} within {CONNECT_S:.0f} s: is the address right, and the firewall open?"
        ) from None
    except ssl.SSLCertVerificationError as error:
        raise LaunchError(
            f"the scheduler at {address} has another certificate than ours trusts: {error.verify_message}"
        ) from None
    except ssl.SSLError as error:
        raise LaunchError(
            f"what listens at {address} does not talk TLS as a scheduler does: {find_reason(error)}"
        ) from None
    except socket.gaierror:
        raise LaunchError(
            f"no address is known for {split_address(address)[0]!r}, the host of the scheduler"
        ) from None
    except OSError as error:
        raise SchedulerAbsent(
            f"no scheduler at {address} ({find_reason(error)}): start one there with `tourney cluster scheduler`"
        ) from None
    try:
        async with asyncio.timeout(CONNECT_S), scheduler_rpc(address, security) as scheduler:
            return str((await scheduler.versions())["packages"]["distributed"])
    except (OSError, RuntimeError, LookupError, TypeError, ValueError) as error:
        raise SchedulerAbsent(f"what listens at {address} does not answer as a scheduler does: {error}") from None


def scheduler_rpc(address: str, security: Security) -> Any:  # Dask's makes its methods by name
    """Open a connection on which methods of the scheduler can be called; close it with `async with`."""
    return rpc(address, connection_args=security.get_connection_args("client"))


def log_dask(file: Path) -> None:
    """Let Dask log to a file, as JSON lines, and not to the terminal.

    Raises:
        OSError: the file cannot be written.
    """
    handler = logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(JsonFormatter())
    for name in ("distributed", "tornado", *logging.root.manager.loggerDict):
        room, _, below = name.partition(".")
        if room in {"distributed", "tornado"}:
            logger = logging.getLogger(name)
            for each in list(logger.handlers):  # Dask gives some loggers below these one of their own
                logger.removeHandler(each)
                each.close()
            logger.propagate = bool(below)
            logger.setLevel(logging.NOTSET if below else logging.INFO)
    for room in ("distributed", "tornado"):
        logging.getLogger(room).addHandler(handler)


def find_reason(error: BaseException) -> str:
    """Return why a connection failed, in a few words of the system or of TLS."""
    if isinstance(error, ssl.SSLError):
        return (error.reason or str(error)).lower().replace("_", " ")
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)  # asyncio writes something else into `strerror`
    return str(getattr(error, "strerror", None) or error) or type(error).__name__
