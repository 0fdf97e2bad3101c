"""Programs of two teams that play from elsewhere: `tourney connect`, a bad network, a web server, the tables."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.test_killed import check_whole, query
from tests.support import commands
from tests.support.events import bot, environment, port_range, rest_of, start_tourney, tourney, write_event
from tests.support.network import served_in_thread

DELAY_S = 0.1
"""How long bytes are under way, each way."""

CUT_S = 4.0

NGINX = """\
daemon off;
pid nginx.pid;
error_log stderr crit;
events {{}}
http {{
    access_log off;
    client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
    server {{
        listen 127.0.0.1:{web} ssl;
        ssl_certificate club.pem;
        ssl_certificate_key club.key;
        location = /connect {{
            proxy_pass http://127.0.0.1:{door};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_read_timeout 60s;
            proxy_send_timeout 60s;
            proxy_buffering off;
        }}
    }}
}}
"""


@contextmanager
def web_server(folder: Path, web: int, door: int) -> Iterator[Path]:
    """A web server with TLS in front of the door; yields the authority by which it is known."""
    (folder / "nginx.conf").write_text(NGINX.format(web=web, door=door))
    (folder / "tmp").mkdir()
    made = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    subprocess.run(
        ["openssl", *made.split(), "-keyout", "club.key", "-out", "club.pem"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    server = subprocess.Popen([_NGINX or "", "-p", f"{folder}/", "-c", "nginx.conf"])
    try:
        yield folder / "club.pem"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def bad_network(web: int) -> Iterator[int]:
    """A way to the web server on which everything takes long, and all connections break again and again."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        late: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, data = await late.get()
                await asyncio.sleep(max(0, due - loop.time()))
                writer.write(data)
                await writer.drain()

        delivering = asyncio.create_task(deliver())
        try:
            while data := await reader.read(65_536):
                late.put_nowait((loop.time() + DELAY_S, data))
        except OSError:
            pass
        finally:
            delivering.cancel()
            writer.transport.abort()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", web)
        except OSError:
            writer.close()
            return
        cut = asyncio.get_running_loop().call_later(CUT_S, writer.transport.abort)
        await asyncio.gather(pass_on(reader, far_writer), pass_on(far_reader, writer))
        cut.cancel()

    with served_in_thread(accept) as port:
        yield port


@contextmanager
def client(url: str, ca: Path, key_file: Path, team: str, port: int, program: str) -> Iterator[None]:
    """`tourney connect` for a team, with its four programs."""
    words = ["connect", url, "--team", team, "--key-file", str(key_file), "--ca", str(ca), "--port", str(port)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tourney", *words, "--run", program], env=environment(), start_new_session=True
    )
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


_NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@pytest.mark.campaign
@pytest.mark.skipif(_NGINX is None, reason="nginx is not installed")
@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed, which makes the certificate")
def test_what_is_played_through_tunnels_that_break_again_and_again_is_what_is_played_without(tmp_path: Path) -> None:
    direct, remote = tmp_path / "direct", tmp_path / "remote"
    direct.mkdir()
    remote.mkdir()
    programs = {"Alpha": bot(1), "Beta": bot(2)}
    there = write_event(direct, list(programs.items()), boards=1)
    assert commands.run("run", there).exit_code == 0
    door, web, *local = range((first := int(port_range(4).partition("-")[0])), first + 4)
    event = write_event(remote, [(team, None) for team in programs], boards=1, tables=f"connect_port = {door}\n")
    assert commands.run("schedule", event).exit_code == 0
    with ExitStack() as stack:
        ca = stack.enter_context(web_server(remote, web, door))
        far = stack.enter_context(bad_network(web))
        url = f"https://127.0.0.1:{far}/"
        run = start_tourney("run", event)
        for (team, program), port in zip(programs.items(), local, strict=True):
            key_file = remote / f"{team}.key"
            key_file.write_text(tourney("team-key", event, team).out)
            key_file.chmod(0o600)
            stack.enter_context(client(url, ca, key_file, team, port, program.replace("{team}", team)))
        ended = rest_of(run)
        assert ended.status == 0, ended.out
    check_whole(event, 1)
    assert query(event, "SELECT kind, text FROM incidents") == []
    resumes = query(event, "SELECT t.name, sum(n.resumes) FROM tunnels n JOIN teams t ON t.id = n.team_id GROUP BY 1")
    assert [(team, count > 1) for team, count in sorted(resumes)] == [("Alpha", True), ("Beta", True)]
    for columns, table in (("seq, seat, call", "calls"), ("seq, seat, card", "cards")):
        made = f"SELECT t.room, a.board, {columns} FROM {table} a JOIN tables t ON t.id = a.table_id ORDER BY 1, 2, 3"
        assert query(event, made) == query(there, made)
