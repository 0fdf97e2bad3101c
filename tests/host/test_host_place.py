"""Hosts on machines that have nothing of the organiser's: what they need comes from the record, and goes there."""

import sys
from dataclasses import replace
from pathlib import Path

from tests.support.events import port_range
from tourney.config import SandboxKind, parse_event_file
from tourney.event.file import EventFile
from tourney.host.host_process import HostLocation
from tourney.runtime.clock import HostClock, wall_ms

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
