"""The help of every command."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from tourney.cli.main import COMMANDS, cli


def command_of(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def with_subcommands(command: click.Command) -> list[click.Command]:
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return [command, *(each for sub in below for each in with_subcommands(sub))]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(name: str) -> None:
    assert command_of(name).name == name
    for command in with_subcommands(command_of(name)):
        assert command.help is not None, command.name
        assert len(command.help.partition(".")[0]) >= 10, command.name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name: str) -> None:
    for command in with_subcommands(command_of(name)):
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{command.name} {parameter.name}"
                assert parameter.help.endswith("."), f"{command.name} {parameter.name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_its_help(name: str) -> None:
    for flag in ("-h", "--help"):
        result = CliRunner().invoke(cli, [name, flag])
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.startswith(f"Usage: cli {name} ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_no_mark_that_is_meant_for_click(name: str) -> None:
    for command in with_subcommands(command_of(name)):
        words = [name] if command.name == name else [name, str(command.name)]
        result = CliRunner().invoke(cli, [*words, "--help"])
        assert result.exit_code == 0
        assert not {"\\", "\b"} & set(result.stdout), result.stdout


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("init", "  tourney init my-event.toml"),
        ("vp", "  tourney vp --boards 16 --scale wbf-discrete --csv"),
        ("export", "  json  event.json, with everything"),
        ("alert", "      tourney alert club.toml 3-open --no"),
        ("deal", "  tourney deal club.toml --seal"),
    ],
)
def test_help_keeps_examples_line_by_line(name: str, line: str) -> None:
    assert line in CliRunner().invoke(cli, [name, "--help"]).stdout.splitlines()


def test_help_lists_every_command_in_the_order_of_an_event() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    listed = [line.split()[0] for line in result.stdout.partition("Commands:\n")[2].splitlines() if line.strip()]
    assert listed == list(COMMANDS)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "init",
            "check",
            "coc",
            "schedule",
            "deal",
            "standings",
            "match",
            "crosstable",
            "rounds",
            "boards",
            "swings",
        ),
        *("butler", "head-to-head", "times", "rulings", "rule", "analyse", "export", "score"),
    ],
)
def test_help_of_a_command_loads_neither_the_store_nor_rich(name: str) -> None:
    # In a process of its own: this one has loaded everything already.
    program = (
        f"import sys\nsys.argv = ['tourney', {name!r}, '--help']\n"
        "from tourney.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('sqlalchemy', 'rich', 'pydantic', 'tourney.bridge') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.endswith("\n[]\n")
