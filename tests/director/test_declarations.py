"""An action of the director is declared once: its command and its form are made from the declaration."""

import click
import pytest

from tourney.cli.main import cli
from tourney.director.action import Level, Reason
from tourney.director.parameters import action_fields
from tourney.director.registry import ACTIONS, load_action
from tourney.web.director import actions as console

JOINED = tuple(
    name
    for name, entry in ACTIONS.items()
    if name == "alert" or sum(each.command == entry.command for each in ACTIONS.values()) > 1
)
"""Actions whose commands do more than have them done: they list what there is, or join several actions."""


def command_of(name: str) -> click.Command:
    context = click.Context(cli)
    command: click.Command | None = cli
    for word in ACTIONS[name].command.split():
        if word.startswith("--"):
            break
        assert isinstance(command, click.Group)
        command = command.get_command(context, word)
    assert command is not None
    return command


@pytest.mark.parametrize("name", [name for name in ACTIONS if name not in JOINED])
def test_a_command_asks_for_the_fields_of_its_action(name: str) -> None:
    action, command = load_action(name), command_of(name)
    asked = [field.name for field in action_fields(action) if field.parameter.argument or field.parameter.option]
    assert [each.name for each in command.params if each.name in asked] == asked


@pytest.mark.parametrize("name", [name for name in ACTIONS if name not in JOINED])
def test_a_command_has_the_words_of_its_action_and_what_its_offer_says(name: str) -> None:
    action, command = load_action(name), command_of(name)
    asked = [field.name for field in action_fields(action)]
    rest = {each.name for each in command.params if each.name not in asked}
    assert rest <= {"event_path", "reason", "law", "is_sure"}
    assert ("law" in rest) == action.offer.has_law
    assert command.help == click.Command("made", help=action.__doc__).help


@pytest.mark.parametrize("name", ACTIONS)
def test_a_form_of_the_console_has_the_inputs_of_its_action_and_says_what_it_does(name: str) -> None:
    action, offered = load_action(name), console.ACTIONS[name]
    names = [each.name for each in offered.fields]
    assert names == [
        *(each.name for field in action_fields(action) for each in field.inputs),
        *["law"] * action.offer.has_law,
        *["reason"] * (action.offer.reason is not Reason.NONE),
    ]
    assert len(names) == len(set(names))
    assert action.__doc__ is not None
    assert action.__doc__.startswith(offered.summary.partition("\n")[0])
    given = {Level.MATCH: "match", Level.TABLE: "table", Level.USER: "user"}.get(offered.offer.level)
    assert given is None or given in names, "what it is offered beside has no input to be filled in"
