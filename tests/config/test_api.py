"""Services that play over HTTP, as commands know them."""

import click
import pytest

from tourney.cli.bot import bot_command
from tourney.config.command import (
    CLIENT_FLAGS,
    CLIENT_OPTIONS,
    is_own_client,
    is_own_player,
    player_in,
    reaches_service,
)


def test_the_options_that_a_command_is_parsed_by_are_those_of_our_own_client() -> None:
    options = [option for option in bot_command.params if isinstance(option, click.Option)]
    names = {is_flag: set[str]() for is_flag in (False, True)}
    for option in options:
        names[option.is_flag] |= {name.removeprefix("--") for name in (*option.opts, *option.secondary_opts)}
    assert names == {False: set(CLIENT_OPTIONS), True: set(CLIENT_FLAGS) - {"help"}}


@pytest.mark.parametrize(
    "command",
    ["tourney bot --player=evil:Evil --port {port}", "tourney bot --set x --player evil:Evil --seat {seat}"],
)
def test_a_players_class_is_found_however_its_option_is_written(command: str) -> None:
    assert player_in(command) == "evil:Evil"
    assert not is_own_player(command)


@pytest.mark.parametrize(
    ("command", "reaches"),
    [
        ("tourney bot --api 'ben http://h' --port {port}", True),
        ("tourney bot --port {port}", False),
        ("/home/beta/tourney bot --api http://h --port {port}", False),
        ("sh -c evil tourney bot --api http://h", False),
        ("tourney bot --api http://h --player evil:Evil --port {port}", False),
        ("tourney bot --api='ben http://h' --port={port}", True),
        ("tourney bot --player=evil:Evil --set --api --port {port}", False),
        ("tourney bot --player=evil:Evil --api http://h", False),
        ("tourney bot --set --api --port {port}", False),
        ("tourney bot --api http://h --unknown --port {port}", False),
        ("tourney bot --api http://h evil", False),
    ],
)
def test_our_own_client_alone_has_a_network_within_a_sandbox(command: str, reaches: bool) -> None:
    assert reaches_service(command) is reaches
    if reaches:
        assert is_own_client(command)
        assert not is_own_player(command)
