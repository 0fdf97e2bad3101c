"""With which certificates a run is a member of its cluster: those that its key makes, or those that it is given."""

from pathlib import Path

from distributed.security import Security

from tourney.errors import ConfigError
from tourney.launch.cluster.connection import SchedulerAddress
from tourney.launch.cluster.key import find_cluster_key, security_of
from tourney.launch.privacy import CLUSTER_KEY_VARIABLE


def find_security(
    scheduler: SchedulerAddress, key_file: Path | None, files: tuple[Path | None, Path | None, Path | None]
) -> Security:
    """Return what a run needs to talk to its scheduler.

    Args:
        scheduler: where it is.
        key_file: the file with the key of the cluster.
        files: those with certificate of the authority, own certificate and private key, all or none.

    Raises:
        ConfigError: there is neither a key nor a certificate, or they cannot be used.
        LaunchError: a file cannot be read.
    """
    key = find_cluster_key(key_file)
    if not scheduler.is_tls:
        return Security()
    authority, certificate, private_key = files
    if authority is not None and certificate is not None and private_key is not None:
        for file in (authority, certificate, private_key):
            if not file.is_file():
                raise ConfigError(f"launch: there is no file {file}")
        return security_of(str(authority), str(certificate), str(private_key))
    if key is None:
        raise ConfigError(
            f"launch: the scheduler at {scheduler} takes only those who have the key of the cluster: give key_file, "
            f"or set {CLUSTER_KEY_VARIABLE}"
        )
    return key.issue("run")
