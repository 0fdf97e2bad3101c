"""`[launch]`: where the hosts of tables are started, on this machine or through a Dask cluster."""

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from tourney.config.base import Section, Text
from tourney.config.values import shown


def check_scheduler_address(address: str) -> str:
    """Return the address of a scheduler if it has that form, and is encrypted unless it is on this machine.

    Raises:
        ValueError: it has not.
    """
    wanted = 'expected "tls://HOST:PORT"'
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"{wanted}, got {shown(address)}") from None
    if (
        parts.scheme not in {"tls", "tcp"}
        or host is None
        or port == 0
        or parts.username
        or parts.path not in {"", "/"}
    ):
        raise ValueError(f"{wanted}, got {shown(address)}")
    if parts.scheme == "tcp" and not _is_loopback(host):
        raise ValueError(
            f"tcp:// is not encrypted, so it is for a scheduler on 127.0.0.1 alone: {wanted}, got {shown(address)}"
        )
    return address


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class LaunchConfig(Section):
    """`[launch]`."""

    scheduler: Annotated[Text, AfterValidator(check_scheduler_address)] | None = None
    """The address of the scheduler of a Dask cluster, such as `"tls://bridge.example.org:8786"`, on whose workers the
    hosts of tables are started. `tcp://` is not encrypted, and is for a scheduler on 127.0.0.1 alone. The record has
    to be in PostgreSQL, which all workers can reach, and the extra `cluster` to be installed. By default the hosts
    are processes of the machine of the run."""
    database: Text | None = None
    """The database as workers reach it, `postgresql://user:password@host/database`, where that is not how the run
    does: the public name of its server. The password may be left out, and is then that of the run."""
    keys: Text | None = None
    """The folder with the certificate and the key of the cluster, which `tourney cluster keys` has made. By default
    the run has those that Dask's own configuration names (`distributed.comm.tls`)."""
