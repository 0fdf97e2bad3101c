"""The links between table hosts on real sockets: who has no key, who says nothing, who reads nothing."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import free_port
from tests.support.waiting import until
from tourney.config import parse_event_file
from tourney.event.file import EventFile
from tourney.host import front_door
from tourney.host.front_door import LINK_FILE, EventPort
from tourney.host.ports import HostAdmission
from tourney.host.seat_links import HostSeats
from tourney.runtime.clock import HostClock


@asynccontextmanager
async def port_owner(folder: Path) -> AsyncIterator[tuple[EventPort, dict[str, Any]]]:
    """The owner of an event's port, and what it tells other hosts of its links."""
    port = free_port()
    text = (
        '[event]\nname = "Links"\nresults = "."\n[[team]]\nname = "Alpha"\n[[team]]\nname = "Beta"\n'
        f"[[stage]]\nboards_per_match = 1\n[stateful]\nport = {port}\n"
    )
    settings = EventFile(folder / "event.toml", parse_event_file(text, "event.toml")).host_settings
    clock = HostClock()
    owner = EventPort(settings, HostSeats(), {}, HostAdmission(clock))
    await owner.open("127.0.0.1", port)
    try:
        yield owner, json.loads((folder / LINK_FILE).read_text(encoding="utf-8"))
    finally:
        await owner.close(is_over=True)


async def test_a_connection_that_does_not_present_the_key_in_time_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_door, "LINK_FIRST_LINE_S", 0.05, raising=False)
    async with port_owner(tmp_path) as (owner, known):
        for said in (b"", b'["another key"]\n', b"[" * 100_000 + b"\n", b'["\xff"]\n'):
            reader, writer = await asyncio.open_connection("127.0.0.1", known["port"])
            writer.write(said)
            with suppress(ConnectionResetError):
                assert await reader.read() == b""
            writer.close()
        assert owner._links == {}


async def test_a_host_that_reads_nothing_is_cut_off_and_may_link_itself_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(front_door, "LINK_UNREAD_BYTES_MAX", 1_000_000, raising=False)
    async with port_owner(tmp_path) as (owner, known):
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", known["port"]))
            deaf.sendall(json.dumps([known["key"]]).encode() + b"\n")
            await until(lambda: 1 in owner._links)
            for _ in range(20_000):
                owner.send_to_host(1, ["said", 1, "x" * 1000])
                assert all(link.transport.get_write_buffer_size() <= 1_002_000 for link in owner._links.values())
            await until(lambda: 1 not in owner._links)
        reader, writer = await asyncio.open_connection("127.0.0.1", known["port"])
        writer.write(json.dumps([known["key"]]).encode() + b"\n")
        await until(lambda: 2 in owner._links)
        owner.send_to_host(2, ["said", 1, "PASS"])
        assert json.loads(await reader.readline()) == ["said", 1, "PASS"]
        writer.close()
