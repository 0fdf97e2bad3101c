"""The key of a cluster: one secret that makes every machine that has it a member, and nobody else.

All members derive the same certificate authority from the key, issue a certificate to themselves, and trust only
certificates of that authority. So TLS with certificates on both sides needs no file that is carried from one machine
to the next.
"""

import base64
import binascii
import hashlib
import os
import secrets
import stat
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from distributed.security import Security

from tourney.errors import ConfigError, LaunchError
from tourney.launch.cluster.connection import SchedulerAddress
from tourney.runtime.privacy import CLUSTER_KEY_VARIABLE

KEY_FILE_NAME: Final = "cluster.key"
"""The file in which `tourney cluster scheduler` keeps the key that it has made."""

Membership = Security
"""What makes a process a member of a cluster: Dask's object with the certificates for TLS."""

_SECRET_BYTES: Final = 32
_CHECK_BYTES: Final = 3
"""How much of a hash follows the secret, so that a slip in typing is known from the key of another cluster; with it
the key is 56 characters without padding."""

_GROUP_CHARS: Final = 4
_KEY_CHARS: Final = 8 * (_SECRET_BYTES + _CHECK_BYTES) // 5
_FILE_CHARS_MAX: Final = 1000
"""More is not read of a file that should hold a key."""

_MISREAD: Final = str.maketrans(
    {"0": "O", "1": "I", "8": "B", "-": None, " ": None, "\t": None, "\r": None, "\n": None}
)
"""Base32 (RFC 4648) has none of these digits, because they look like the letters."""

_CURVE: Final = ec.SECP256R1()
_CURVE_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # FIPS 186-5, P-256

_FOREVER: Final = (datetime(2000, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
"""The validity of the authority, the same wherever it is derived. The end is RFC 5280's for "never"."""

_BEFORE: Final = timedelta(days=30)
_AFTER: Final = timedelta(days=400)
"""A certificate is issued at each start of a member, and is valid on machines whose clocks are far off as well."""


@dataclass(frozen=True, slots=True)
class ClusterKey:
    """The secret of a cluster. It is never shown by accident: its `repr` is its fingerprint."""

    secret: bytes = field(repr=False)
    """32 bytes."""

    @staticmethod
    def make() -> "ClusterKey":
        """Make a key by chance."""
        return ClusterKey(secrets.token_bytes(_SECRET_BYTES))

    @staticmethod
    def parse(text: str) -> "ClusterKey":
        """Read a key as people type it: in either case, with or without dashes and blanks.

        Raises:
            ConfigError: it is not a key. The sentence does not quote it.
        """
        letters = text.translate(_MISREAD).upper()
        if len(letters) != _KEY_CHARS:
            raise ConfigError(f"a cluster key has {_KEY_CHARS} letters and digits, got {len(letters)}")
        try:
            data = base64.b32decode(letters)
        except (binascii.Error, ValueError):
            raise ConfigError("a cluster key is made of the letters A to Z and the digits 2 to 7") from None
        secret, check = data[:_SECRET_BYTES], data[_SECRET_BYTES:]
        if check != _check(secret):
            raise ConfigError("the cluster key was mistyped: its last characters do not go with the others")
        return ClusterKey(secret)

    def format(self) -> str:
        """Write the key as `tourney cluster scheduler` shows it: 14 groups of four characters."""
        letters = base64.b32encode(self.secret + _check(self.secret)).decode()
        return "-".join(letters[at : at + _GROUP_CHARS] for at in range(0, _KEY_CHARS, _GROUP_CHARS))

    @property
    def fingerprint(self) -> str:
        """Eight digits that tell one key from another and give nothing away: `3F2A-9C1D`."""
        digest = hashlib.sha256(b"tourney cluster fingerprint\0" + self.secret).hexdigest()[:8].upper()
        return f"{digest[:4]}-{digest[4:]}"

    def __repr__(self) -> str:
        return f"ClusterKey({self.fingerprint})"

    def issue(self, name: str) -> Security:
        """Issue a certificate, and return what Dask needs to be a member under it, all in memory.

        Args:
            name: what the certificate is for, as it appears in tools that show certificates.
        """
        authority, own = self._derive_authority(), ec.generate_private_key(_CURVE)
        authority_name = f"tourney cluster {self.fingerprint}"
        authority_id = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
        its_own = _certificate(authority_name, authority, 1, _FOREVER, [authority_id], authority_name, authority)
        now = datetime.now(UTC)
        certificate = _certificate(
            f"tourney {name}"[:64],
            own,
            x509.random_serial_number(),
            (now - _BEFORE, now + _AFTER),
            [
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]),
                x509.SubjectAlternativeName([x509.DNSName("tourney-cluster")]),
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(authority_id),
            ],
            authority_name,
            authority,
        )
        own_text = own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        return security_of(its_own, certificate, own_text)

    def _derive_authority(self) -> ec.EllipticCurvePrivateKey:
        # 48 bytes for a number below 2**256: what the remainder favours is less than 2**-128 (FIPS 186-5, A.2.1).
        derived = HKDF(hashes.SHA256(), length=48, salt=None, info=b"tourney cluster authority 1").derive(self.secret)
        return ec.derive_private_key(int.from_bytes(derived) % (_CURVE_ORDER - 1) + 1, _CURVE)


@dataclass(frozen=True, slots=True)
class OwnCertificates:
    """PEM files of the organiser's own, in place of a cluster key."""

    authority: Path
    certificate: Path
    private_key: Path

    @property
    def files(self) -> tuple[Path, Path, Path]:
        return self.authority, self.certificate, self.private_key

    @property
    def security(self) -> Security:
        """What makes a process that has them a member."""
        authority, certificate, private_key = map(str, self.files)
        return security_of(authority, certificate, private_key)


def security_of(authority: str, certificate: str, private_key: str) -> Security:
    """Return what Dask needs to talk TLS, certificates on both sides, in every part that a process can have.

    Each is the path of a PEM file, or its text.
    """
    return Security(
        require_encryption=True,
        tls_ca_file=authority,
        tls_client_cert=certificate,
        tls_client_key=private_key,
        tls_scheduler_cert=certificate,
        tls_scheduler_key=private_key,
        tls_worker_cert=certificate,
        tls_worker_key=private_key,
    )


def find_cluster_key(file: Path | None, environment: MutableMapping[str, str] = os.environ) -> ClusterKey | None:
    """Load the key from a file, else take it out of the environment, where children would find it; None without both.

    Raises:
        LaunchError: the file cannot be read, or others can read it.
        ConfigError: what is there is not a key.
    """
    text = environment.pop(CLUSTER_KEY_VARIABLE, "")
    if file is not None:
        return load_cluster_key(file)
    if not text:
        return None
    try:
        return ClusterKey.parse(text)
    except ConfigError as error:
        raise ConfigError(f"variable {CLUSTER_KEY_VARIABLE}: {error}") from None


def load_cluster_key(file: Path) -> ClusterKey:
    """Load the key from the first line of a file.

    Raises:
        LaunchError: it cannot be read, or others can read it.
        ConfigError: it holds no key.
    """
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            text = opened.readline(_FILE_CHARS_MAX)
    except OSError as error:
        raise LaunchError(f"key file {file} cannot be read: {error.strerror}") from None
    if mode & stat.S_IRWXO:
        raise LaunchError(f"key file {file} is open to every user of this machine: chmod 600 {file}")
    try:
        return ClusterKey.parse(text)
    except ConfigError as error:
        raise ConfigError(f"key file {file}: {error}") from None


def keep_cluster_key(file: Path) -> ClusterKey:
    """Load the key from a file; if there is no such file, make a key and the file.

    Raises:
        LaunchError: the file cannot be read or written, or others can read it.
        ConfigError: it holds no key.
    """
    key = ClusterKey.make()
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as opened:
            opened.write(f"{key.format()}\n")
    except FileExistsError:
        return load_cluster_key(file)
    except OSError as error:
        raise LaunchError(f"key file {file} cannot be written: {error.strerror}") from None
    return key


def find_security(scheduler: SchedulerAddress, key_file: Path | None, own: OwnCertificates | None) -> Security:
    """Return what a run needs to talk to its scheduler.

    Args:
        scheduler: where it is.
        key_file: the file with the key of the cluster.
        own: certificates in place of the key; None for the key.

    Raises:
        ConfigError: there is neither a key nor a certificate, or they cannot be used.
        LaunchError: a file cannot be read.
    """
    key = find_cluster_key(key_file)
    if not scheduler.is_tls:
        return Security()
    if own is not None:
        for file in own.files:
            if not file.is_file():
                raise ConfigError(f"launch: there is no file {file}")
        return own.security
    if key is None:
        raise ConfigError(
            f"launch: the scheduler at {scheduler} takes only those who have the key of the cluster: give key_file, "
            f"or set {CLUSTER_KEY_VARIABLE}"
        )
    return key.issue("run")


def _check(secret: bytes) -> bytes:
    return hashlib.sha256(b"tourney cluster key\0" + secret).digest()[:_CHECK_BYTES]


def _certificate(
    name: str,
    key: ec.EllipticCurvePrivateKey,
    serial: int,
    validity: tuple[datetime, datetime],
    extensions: Iterable[x509.ExtensionType],
    authority_name: str,
    authority: ec.EllipticCurvePrivateKey,
) -> str:
    """Return a certificate as PEM: that of the authority itself if it is for its own key, else that of a member.

    Args:
        name: whom it is for.
        key: whose public part it certifies.
        serial: its number.
        validity: from when and until when it is valid.
        extensions: what it says besides, which a reader may ignore.
        authority_name: who issues it.
        authority: the key that it is signed with.
    """
    is_authority = key is authority
    usage = x509.KeyUsage(
        digital_signature=not is_authority,
        key_cert_sign=is_authority,
        crl_sign=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )
    builder = (
        x509.CertificateBuilder()
        .subject_name(_common_name(name))
        .issuer_name(_common_name(authority_name))
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(validity[0])
        .not_valid_after(validity[1])
        .add_extension(x509.BasicConstraints(is_authority, 0 if is_authority else None), critical=True)
        .add_extension(usage, critical=True)
    )
    for extension in extensions:
        builder = builder.add_extension(extension, critical=False)
    return builder.sign(authority, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


def _common_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
