"""Hosts on machines that have nothing of the organiser's: what they need comes from the record, and goes there."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

from sqlalchemy import func, select

from tests.support.events import port_range
from tourney.bridge import SEATS
from tourney.config import SandboxKind, parse_event_file
from tourney.coordinator.draw import draw_event
from tourney.coordinator.run_lease import load_activity
from tourney.event.file import EventFile
from tourney.host.host_process import HostLocation
from tourney.launch.hosts import HostProcess, HostSecrets
from tourney.movement.seating import Room
from tourney.runtime.clock import HostClock, wall_ms
from tourney.store.control.host_settings import save_settings
from tourney.store.control.hosts import add_host, drain_host, iter_log, load_addresses, load_hosts, load_log_files
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import save_draw
from tourney.store.models import CallRow, CardRow, TableState

NOWHERE = Path("/nonexistent/organiser")
"""The folder of the event file on a machine that is not this one."""


def event_file(folder: Path = NOWHERE, extra: str = "") -> EventFile:
    where = "--host {host} --port {port} --seat {seat} --team {team}"
    command = f'command = "{sys.executable} bots/player.py {where} --set think_ms=20"'
    text = (
        f'[event]\nname = "Far"\n[[team]]\nname = "Alpha"\n{command}\n[[team]]\nname = "Beta"\n{command}\n'
        '[[stage]]\nboards_per_match = 2\n[deals]\nseed = 3\n[sandbox]\nkind = "none"\n'
        f'[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n{extra}\n'
    )
    return EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))


def test_what_an_event_names_beside_its_file_is_in_the_folder_of_the_host() -> None:
    settings = event_file().host_settings
    sandbox = replace(
        settings.sandbox,
        readable=(str(NOWHERE / "nets"), "/opt/weights"),
        team_folders={"Alpha": str(NOWHERE / "bots/a"), "Beta": "/srv/b"},
    )
    here = HostLocation(Path("/w/cup"), "192.0.2.7", "0.0.0.0").adapt(  # as a worker has it
        replace(settings, sandbox=sandbox), SandboxKind.BUBBLEWRAP
    )
    assert (here.folder, here.results_folder, here.host) == ("/w/cup/event", "/w/cup", "0.0.0.0")
    assert here.sandbox.readable == ("/w/cup/event/nets", "/opt/weights")
    assert here.sandbox.team_folders == {"Alpha": "/w/cup/event/bots/a", "Beta": "/srv/b"}
    assert here.sandbox.kind is SandboxKind.BUBBLEWRAP
    assert {"/w/cup/bots", "/w/cup/wire", str(NOWHERE / "event.toml")} <= set(here.sandbox.hidden)
    assert "/w/cup" not in here.sandbox.hidden, "programs are started in a folder of it"
    assert here.logs_in_record
    assert HostLocation().adapt(settings) == settings


def test_a_clock_that_follows_a_server_has_its_time_whatever_the_machine_says() -> None:
    server_ms = wall_ms() - 7_200_000
    clock = HostClock(server_ms)
    assert 0 <= clock.now_ms() - server_ms < 60_000
    assert 0 <= clock.wall_ms() - server_ms < 60_000


async def test_a_host_elsewhere_whose_clock_is_two_hours_fast_plays_and_leaves_nothing_behind(
    postgres_database: Database, tmp_path: Path
) -> None:
    database = postgres_database
    far = tmp_path / "far"
    (far / "event/bots").mkdir(parents=True)
    player = (
        "import sys\nfrom tourney.cli.main import main\nsys.argv[0] = 'tourney'\nsys.argv.insert(1, 'bot')\nmain()\n"
    )
    (far / "event/bots/player.py").write_text(player, encoding="utf-8")
    file = event_file()
    save_draw(database, draw_event(file.config, None, ""), 0)
    event = load_event(database, "Far")
    assert event is not None
    save_settings(database, event.id, file.host_settings)
    add_host(database, event.id, "far", wall_ms(), worker="LAPTOP2")
    table = event.matches[0].tables_at(0)[Room.OPEN]
    assign_table(database, table.id, "far", dict.fromkeys(SEATS, file.config.tables.ports.first), wall_ms())
    process = HostProcess(
        "far",
        event.id,
        HostSecrets(database.address),
        far / "hosts" / "far.log",
        module="tests.support.fast_clock_host",
        more=("--folder", str(far), "--address", "192.0.2.7", "--listen", "127.0.0.1"),
    )
    process.start()
    began_ms = wall_ms()
    try:
        while load_progress(database, [table.id])[table.id].table.state is not TableState.FINISHED:
            assert not process.is_over, process.how_it_ended()
            await asyncio.sleep(0.05)
        assert load_addresses(database, event.id) == {"far": "192.0.2.7"}
        (info,) = load_hosts(database, event.id)
        assert abs(info.beat_at_ms - wall_ms()) < 60_000
        local = EventFile(tmp_path / "event.toml", file.config)
        two_hours_slow = wall_ms() - 7_200_000
        assert load_activity(local, database, event.id, two_hours_slow).hosts == 1
        drain_host(database, info)
        while process.status is None:  # noqa: ASYNC110 # another process is no event
            await asyncio.sleep(0.02)
        assert process.status == 0, process.how_it_ended()
    finally:
        await process.kill()
    with database.read() as connection:
        for rows in (CallRow, CardRow):
            query = select(func.min(rows.at_ms), func.max(rows.at_ms), func.max(rows.thinking_ms))
            first_ms, last_ms, longest_ms = connection.execute(query).one()
            assert began_ms - 1000 <= first_ms <= last_ms <= wall_ms() + 1000
            assert 0 < longest_ms < 3_600_000, "the clock of the other machine is two hours off"
    logs = {log.path: log.parts for log in load_log_files(database, event.id)}
    outputs = {
        f"bots/match-001-open/{seat.title.lower()}-{team}.log"
        for seat, team in zip(SEATS, ["alpha", "beta"] * 2, strict=True)
    }
    assert logs.keys() == {"wire/match-001-open.jsonl", "hosts/far.jsonl", *outputs} | (
        logs.keys() & {"hosts/far.log"}
    )
    wire = b"".join(iter_log(database, event.id, "wire/match-001-open.jsonl")).decode()
    times = [json.loads(line)["t_ms"] for line in wire.splitlines()]
    assert began_ms - 1000 <= min(times) <= max(times) <= wall_ms() + 1000
    assert b"==== started " in b"".join(iter_log(database, event.id, min(outputs)))
    assert not await asyncio.to_thread(NOWHERE.exists)
    left = {path.relative_to(far).as_posix() for path in far.rglob("*") if path.is_file()}
    assert not [name for name in left if name.endswith(".log") and name.startswith("bots")], left
    assert not [name for name in left if name.startswith(("wire", "unrecorded"))], left
