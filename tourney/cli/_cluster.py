"""What the commands of a cluster share: its key or certificates, and the packages of the extra."""

import contextlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.errors import LaunchError, UsageError
from tourney.extras import check_extra

if TYPE_CHECKING:
    from tourney.launch.cluster.key import ClusterKey, Membership

KEY_CHARS_MAX: Final = 1000
"""More is not read where a key is piped in."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class OwnCertificates:
    """Certificates of the organiser's own, in place of a cluster key."""

    authority: Path
    certificate: Path
    private_key: Path


def own_certificates_options(function: _Function) -> _Function:
    """Add `--tls-ca`, `--tls-cert` and `--tls-key`."""
    path = click.Path(dir_okay=False, path_type=Path)
    for name, text in (
        ("--tls-key", "PEM file of the private key of --tls-cert."),
        (
            "--tls-cert",
            "PEM file of this machine's certificate, in place of a cluster key; with --tls-ca and --tls-key.",
        ),
        ("--tls-ca", "PEM file of the authority that has issued the certificates of the cluster."),
    ):
        function = click.option(name, type=path, metavar="FILE", help=text)(function)
    return function


def own_certificates(
    ca: Path | None, cert: Path | None, key: Path | None, key_file: Path | None
) -> OwnCertificates | None:
    """Return the certificates that were given; None if none was.

    Raises:
        UsageError: some are missing, or there is a cluster key as well.
        LaunchError: a file cannot be read.
    """
    if ca is None and cert is None and key is None:
        return None
    if ca is None or cert is None or key is None:
        raise UsageError("--tls-ca, --tls-cert and --tls-key go together")
    if key_file is not None:
        raise UsageError("--key-file does not go with certificates of your own (--tls-ca)")
    for path in (ca, cert, key):
        if not os.access(path, os.R_OK):
            raise LaunchError(f"file {path} cannot be read")
    return OwnCertificates(ca, cert, key)


def notify(text: str) -> None:
    """Print a sentence; whoever keeps a cluster goes on when nobody reads it any more, as after an SSH session."""
    with contextlib.suppress(OSError):
        click.echo(text)


def check_installed() -> None:
    """Refuse without the packages of the extra.

    Raises:
        LaunchError: they are missing.
    """
    check_extra("cluster", "a cluster")


def find_security(
    own: OwnCertificates | None, key_file: Path | None, name: str
) -> "tuple[Membership, ClusterKey | None]":
    """Return what makes this process a member, and the cluster key; it is asked for if nothing else has it.

    Args:
        own: certificates of the organiser's own, None to be a member by the cluster key.
        key_file: the file with the key, None for the variable or the prompt.
        name: what a certificate is issued for.

    Raises:
        LaunchError: the file cannot be read.
        ConfigError: what was given is not a key.
        UsageError: there is nobody to ask.
    """
    from tourney.launch.cluster.key import ClusterKey, find_cluster_key, security_of

    if own is not None:
        return security_of(str(own.authority), str(own.certificate), str(own.private_key)), None
    key = find_cluster_key(key_file) or ClusterKey.parse(_ask_key())
    return key.issue(name), key


def _ask_key() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Cluster key", hide_input=True, err=True))
    text = sys.stdin.readline(KEY_CHARS_MAX).strip()
    if not text:
        raise UsageError(
            "the key of the cluster is missing: give --key-file, TOURNEY_CLUSTER_KEY or a line on standard input"
        )
    return text
