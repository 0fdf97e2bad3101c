"""Services that play over HTTP, as commands know them."""

import pytest

from tourney.cli._common import DIALECT_NAMES
from tourney.cli.bot import bot_command
from tourney.config.api import REQUEST_S, DialectName
from tourney.config.command import is_own_client, is_own_player, reaches_service


def test_the_options_of_commands_have_the_dialects_and_the_time_of_event_files() -> None:
    assert tuple(DialectName) == DIALECT_NAMES
    assert {option.name: option.default for option in bot_command.params}["request_s"] == REQUEST_S


@pytest.mark.parametrize(
    ("command", "reaches"),
    [
        ("tourney bot --api http://h --dialect ben --port {port}", True),
        ("tourney bot --port {port}", False),
        ("/home/beta/tourney bot --api http://h --port {port}", False),
        ("sh -c evil tourney bot --api http://h", False),
        ("tourney bot --api http://h --player evil:Evil --port {port}", False),
    ],
)
def test_our_own_client_alone_has_a_network_within_a_sandbox(command: str, reaches: bool) -> None:
    assert reaches_service(command) is reaches
    if reaches:
        assert is_own_client(command)
        assert not is_own_player(command)
