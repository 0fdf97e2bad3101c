"""`[launch]` and `[sandbox]`: where hosts of tables are started, and what programs are kept from."""

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from tourney.config.base import LIST_MAX, OneOf, Section, Text, between
from tourney.config.command import check_wrapper
from tourney.config.values import SandboxKind, shown


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


class SandboxConfig(Section):
    """`[sandbox]`."""

    kind: OneOf[SandboxKind] | None = None
    """What programs that tourney starts are kept from.

    - `"bubblewrap"`: each program sees the system's own folders, read-only, the files that its command names, and a
      folder of its own. It reaches its table and nothing else on any network, and sees no other process. Needs
      `bwrap`, which Linux distributions call bubblewrap.
    - `"command"`: each program is started by `command`, such as that of a container or `sudo -u`.
    - `"none"`: they run as the user who runs the event, with all its rights.

    By default `"bubblewrap"` where it works, which is tried at the start of a run, and otherwise `"none"`; in a duel
    `"none"`.
    """
    command: Annotated[Text, AfterValidator(check_wrapper)] | None = None
    """With `kind = "command"`: the command that starts a program, with the word `{command}` where its own words
    go. It may have any of the names in braces that a team's command may have:
    `"podman run --rm --network=host --env=TOURNEY_LOGIN --volume={folder}:{folder} bridge {command}"`."""
    readable: Annotated[list[Text], Field(max_length=LIST_MAX)] | None = None
    """With `kind = "bubblewrap"`: files and folders that all programs may read besides those that their commands
    name, such as what a script starts or opens. Devices may be among them, such as `"/dev/nvidia0"`."""
    memory_mb: Annotated[int, between(16, 10_000_000)] | None = None
    """The memory that a program may take, with all that it starts, in megabytes. Files in `/tmp` and `/dev/shm` count
    with `kind = "bubblewrap"`, which keeps them in memory. A program that takes more is ended, as if it had crashed.
    By default there is no limit."""
    disk_mb: Annotated[int, between(1, 10_000_000)] | None = None
    """The disk space that a program may take in its own folder, in megabytes, with what is there from earlier starts.
    A file or folder counts 4 kB at least. A program that takes more is ended, as if it had crashed. By default there
    is no limit."""

    @model_validator(mode="after")
    def _command_of_its_kind(self) -> "SandboxConfig":
        if (self.kind is SandboxKind.COMMAND) != (self.command is not None):
            raise ValueError('kind = "command" and command belong together: give both or neither')
        return self
