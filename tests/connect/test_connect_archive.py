"""`connect.pyz` by a Python that has nothing else, with what Windows has, over TLS, with a console of few letters."""

import asyncio
import io
import ssl
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.connect.test_connect_client import free_port
from tests.support.tunnel_server import StubTunnelServer, tunnel_server
from tourney.connect.archive import archive_digest, build_archive

BLOCKED = ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "uvloop", "click", "pydantic", "sqlalchemy")
"""What Windows lacks, and what an author has not installed."""

AS_ON_WINDOWS = f"""
import asyncio, runpy, sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
def refuse(*_):
    raise NotImplementedError
asyncio.AbstractEventLoop.add_signal_handler = refuse
asyncio.SelectorEventLoop.add_signal_handler = refuse
sys.stdout.reconfigure(encoding="cp1252")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "connect.pyz"
    path.write_bytes(build_archive())
    return path


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "alpha.key"
    path.write_text("0123456789abcdef\n")
    path.chmod(0o600)
    return path


def test_the_same_installation_gives_the_same_bytes() -> None:
    first = build_archive()
    assert first == build_archive()
    assert len(archive_digest(first)) == 64
    names = zipfile.ZipFile(io.BytesIO(first)).namelist()
    assert "tourney/connect/main.py" in names
    assert "websockets/LICENSE" in names
    assert not [name for name in names if not name.endswith((".py", "LICENSE"))]


def test_the_archive_says_what_it_can_do(archive: Path) -> None:
    words = [sys.executable, "-S", "-I", str(archive), "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.startswith("usage: connect.pyz")


async def test_the_archive_plays_without_tourney_and_without_what_windows_lacks(
    archive: Path, key_file: Path
) -> None:
    async with tunnel_server(StubTunnelServer()) as server:
        words = ["-S", "-I", "-c", AS_ON_WINDOWS, str(archive), server.url]
        words += ["--team", "Équipe ♠", "--port", str(free_port())]
        program = (
            "import socket,sys; link=socket.create_connection((sys.argv[1], int(sys.argv[2]))); "
            "link.sendall(b'hello\\n'); print(link.makefile().readline())"
        )
        run = f'"{sys.executable}" -c "{program}" {{host}} {{port}}'
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *words,
            "--key-file",
            str(key_file),
            "--run",
            run,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={"PYTHONIOENCODING": "cp437"},
        )
        assert process.stdout is not None
        try:
            said = b""
            while b"North: HELLO" not in said:
                line = await process.stdout.readline()
                assert line, (said, await process.communicate())
                said += line
        finally:
            process.terminate()
            _, errors = await process.communicate()
    assert "Connected as Équipe \\u2660.".encode("cp1252") in said
    assert errors == b""
    assert process.returncode == 130


async def test_a_certificate_that_nobody_vouches_for_is_refused_and_one_of_the_file_is_not(
    archive: Path, key_file: Path, tmp_path: Path
) -> None:
    certificate = tmp_path / "server.pem"
    write_certificate(certificate)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate)
    async with tunnel_server(StubTunnelServer(bye="Good night."), tls) as server:
        url = server.url.replace("http:", "https:")
        words = [str(archive), url, "--team", "Alpha", "--key-file", str(key_file), "--port", str(free_port())]
        refused = await run_to_its_end(*words)
        assert refused[0] == 1
        assert "is not valid (self-signed certificate" in refused[1]
        assert refused[1].count("\n") == 1
        trusted = await run_to_its_end(*words, "--ca", str(certificate))
        assert trusted == (1, "Error: the organiser's server has ended the connection: Good night\n")


async def run_to_its_end(*words: str) -> tuple[int | None, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-I", *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await process.communicate()
    return process.returncode, errors.decode()


def write_certificate(path: Path) -> None:
    """Write a key and a certificate that it has signed itself, for 127.0.0.1."""
    import datetime
    import ipaddress

    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
