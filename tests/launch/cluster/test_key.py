"""The key of a cluster: what people type, what files hold, and whom the certificates let in."""

import os
import ssl
from pathlib import Path

import pytest
from distributed.security import Security

from tourney.errors import ConfigError, LaunchError
from tourney.launch.cluster.key import ClusterKey, find_cluster_key, keep_cluster_key, load_cluster_key, security_of
from tourney.runtime.privacy import CLUSTER_KEY_VARIABLE, without_secrets


def tls(security: Security) -> dict[str, str]:
    found = security.get_tls_config_for_role("worker")
    assert isinstance(found, dict)
    return found


def handshake(client: Security, server: Security) -> None:
    """Do a TLS handshake in memory, as Dask's sockets would; raise what stops it."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.get_connection_args("client")["ssl_context"].wrap_bio(to_client, to_server)
    theirs = server.get_listen_args("scheduler")["ssl_context"].wrap_bio(to_server, to_client, server_side=True)
    waiting = [ours, theirs]
    while waiting:
        for side in list(waiting):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            waiting.remove(side)


def test_members_of_a_cluster_trust_each_other_after_each_has_derived_everything_from_the_typed_key() -> None:
    key = ClusterKey.make()
    typed = ClusterKey.parse(key.format())
    handshake(key.issue("worker LAPTOP2"), typed.issue("scheduler"))
    assert typed.fingerprint == key.fingerprint


def test_a_member_of_another_cluster_is_refused_by_either_side() -> None:
    ours, theirs = ClusterKey.make(), ClusterKey.make()
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(ours.issue("worker"), theirs.issue("scheduler"))
    own = tls(ours.issue("worker"))
    mixed = security_of(tls(theirs.issue("worker"))["ca_file"], own["cert"], own["key"])  # it trusts the scheduler
    with pytest.raises(ssl.SSLCertVerificationError):
        handshake(mixed, theirs.issue("scheduler"))


def test_the_key_of_the_authority_is_not_in_what_a_process_of_the_cluster_gets() -> None:
    key = ClusterKey(bytes(range(32)))
    issued = tls(key.issue("worker"))
    assert issued["key"] != tls(key.issue("worker"))["key"]  # its own, made by chance
    assert "PRIVATE KEY" not in issued["ca_file"] + issued["cert"]


def test_the_same_key_gives_the_same_authority_on_every_version_of_tourney() -> None:
    key = ClusterKey(bytes(range(32)))
    assert key.format() == "AAAQ-EAYE-AUDA-OCAJ-BIFQ-YDIO-B4IB-CEQT-CQKR-MFYY-DENB-WHA5-DYPV-Y6VY"
    assert key.fingerprint == "BCE6-E441"
    numbers = key._derive_authority().public_key().public_numbers()
    assert f"{numbers.x:064x}" == "7b649ea0a2665877f15ed765c033d7e9bb75320fa6a6125532a9aa222e7930cc"


def test_a_key_is_read_as_people_type_it() -> None:
    key = ClusterKey(bytes(range(32)))
    shown = key.format()
    misread = shown.replace("B", "8").replace("O", "0").replace("I", "1")
    for typed in (shown.lower(), shown.replace("-", " "), shown.replace("-", ""), f" {shown}\n", misread):
        assert ClusterKey.parse(typed) == key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a cluster key has 56 letters and digits, got 0"),
        ("ABCD-EFGH", "a cluster key has 56 letters and digits, got 8"),
        ("!" * 56, "the letters A to Z and the digits 2 to 7"),
        ("A" * 56, "the cluster key was mistyped"),
    ],
)
def test_what_is_not_a_key_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        ClusterKey.parse(text)


def test_the_key_is_never_shown_by_accident() -> None:
    key = ClusterKey.make()
    assert key.fingerprint in repr(key)
    assert str(key.secret) not in repr(key)
    with pytest.raises(ConfigError) as refused:
        ClusterKey.parse(
            key.format().translate(str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "BCDEFGHIJKLMNOPQRSTUVWXYZA"))
        )
    assert key.format()[:9] not in str(refused.value)


def test_the_file_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "cluster.key"
    made = keep_cluster_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert keep_cluster_key(file) == made
    file.chmod(0o644)
    with pytest.raises(LaunchError, match=r"is open to every user of this machine: chmod 600"):
        load_cluster_key(file)


def test_a_file_that_is_missing_or_holds_something_else_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cluster.key"
    with pytest.raises(LaunchError, match=r"cluster\.key cannot be read: No such file"):
        load_cluster_key(file)
    with pytest.raises(LaunchError, match="cannot be written: No such file"):
        keep_cluster_key(tmp_path / "nowhere" / "cluster.key")
    file.touch(mode=0o600)
    with pytest.raises(ConfigError, match=r"cluster\.key: a cluster key has 56 letters and digits, got 0"):
        load_cluster_key(file)


def test_the_variable_is_taken_out_of_the_environment_that_programs_would_inherit(tmp_path: Path) -> None:
    key, other = ClusterKey.make(), keep_cluster_key(tmp_path / "cluster.key")
    environment = {CLUSTER_KEY_VARIABLE: key.format(), "HOME": "/home/anna"}
    assert CLUSTER_KEY_VARIABLE not in without_secrets(environment)
    assert find_cluster_key(None, environment) == key
    assert environment == {"HOME": "/home/anna"}
    assert find_cluster_key(None, environment) is None
    environment = {CLUSTER_KEY_VARIABLE: key.format()}
    assert find_cluster_key(tmp_path / "cluster.key", environment) == other
    with pytest.raises(ConfigError, match="variable TOURNEY_CLUSTER_KEY: a cluster key has 56"):
        find_cluster_key(None, {CLUSTER_KEY_VARIABLE: "secret"})
    assert CLUSTER_KEY_VARIABLE not in os.environ
