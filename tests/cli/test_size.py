"""The command line stays small enough for a person to hold in mind."""

from collections.abc import Iterator

import click
import pytest

from tourney.cli.main import cli

COMMANDS_MAX = 69
OPTIONS_MAX = 255


def iter_commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    """Walk the tree of commands: the words of each, and the command."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from iter_commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


def test_commands_and_options_are_so_many_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    options = {
        words: [each for each in command.params if isinstance(each, click.Option)]
        for words, command in iter_commands(cli)
    }
    commands, in_all = len(options), sum(map(len, options.values()))
    with capsys.disabled():
        click.echo(f"\n{commands} commands, {in_all} options")
    most = sorted(((len(each), words) for words, each in options.items()), reverse=True)[:5]
    assert commands <= COMMANDS_MAX
    assert in_all <= OPTIONS_MAX, f"the most have {most}"
