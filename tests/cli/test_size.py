"""The command line stays small enough for a person to hold in mind."""

import click
import pytest

from tourney_manual.commands import walk_commands

COMMANDS_MAX = 69
OPTIONS_MAX = 255


def test_commands_and_options_are_so_many_at_most(capsys: pytest.CaptureFixture[str]) -> None:
    options = {
        " ".join(words[1:]): [each for each in command.params if isinstance(each, click.Option)]
        for words, command in walk_commands()
        if not isinstance(command, click.Group)
    }
    commands, in_all = len(options), sum(map(len, options.values()))
    with capsys.disabled():
        click.echo(f"\n{commands} commands, {in_all} options")
    most = sorted(((len(each), words) for words, each in options.items()), reverse=True)[:5]
    assert commands <= COMMANDS_MAX
    assert in_all <= OPTIONS_MAX, f"the most have {most}"
