"""The help of every command."""

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from tests.support.manual import DOCS
from tourney.cli._common import OLD_NAMES
from tourney.cli.main import COMMAND_GROUPS, COMMANDS, cli


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
    listed: dict[str, list[str]] = {}
    for line in result.stdout.partition("Show this message and exit.\n")[2].splitlines():
        if line.startswith("  "):
            listed[next(reversed(listed))].append(line.split()[0])
        elif line:
            listed[line.removesuffix(":")] = []
    assert listed == {title: list(commands) for title, commands in COMMAND_GROUPS.items()}
    assert list(listed) == [
        "Organiser",
        "Director",
        "Reports and scoring",
        "Players",
        "Authors of programs",
        "Record",
    ]


def test_summaries_of_all_groups_begin_below_each_other_and_fit_80_columns() -> None:
    lines = [line for line in CliRunner().invoke(cli, ["--help"]).stdout.splitlines() if line.startswith("  ")]
    lines = [line for line in lines if line.split()[0] in COMMANDS]
    assert len(lines) == len(COMMANDS)
    assert {len(line) - len(line[17:]) for line in lines if line[16] == " " and line[17] != " "} == {17}
    assert max(map(len, lines)) <= 78


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["stauts"], "there is no command 'stauts'; did you mean 'status'?"),
        (["Standing"], "there is no command 'Standing'; did you mean 'standings'?"),
        (["head_to_head"], "there is no command 'head_to_head'; did you mean 'head-to-head'?"),
        (["withdraw", "1"], "there is no command 'withdraw'; did you mean 'rule revoke'?"),
        (["rule", "ajust"], "there is no command 'ajust'; did you mean 'adjust'?"),
        (["db", "chekc"], "there is no command 'chekc'; did you mean 'check'?"),
        (["xyzzy"], "there is no command 'xyzzy'"),
        (["standings", "--roudn", "1"], "No such option '--roudn'. (Did you mean one of: '--json', '--round'?)"),
        (["--verison"], "No such option '--verison'. Did you mean '--version'?"),
    ],
)
def test_a_mistyped_command_or_option_is_refused_with_what_may_have_been_meant(
    words: list[str], sentence: str
) -> None:
    result = CliRunner().invoke(cli, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[-1] == f"Error: {sentence}"


def test_the_old_names_of_commands_work_and_no_help_has_them() -> None:
    for group, names in OLD_NAMES.items():
        before = [group] if group != "cli" else []
        shown = CliRunner().invoke(cli, [*before, "--help"]).stdout
        for old, new in names.items():
            asked = [CliRunner().invoke(cli, [*before, name, "--help"]) for name in (old, new)]
            assert [each.exit_code for each in asked] == [0, 0]
            assert asked[0].stdout.splitlines()[1:] == asked[1].stdout.splitlines()[1:]
            assert re.search(rf"^  {old} ", shown, re.MULTILINE) is None
            assert re.search(rf"^  {new} ", shown, re.MULTILINE) is not None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "init",
            "check",
            "conditions",
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


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["tourney", "sta"], {"status", "standings"}),
        (["tourney", "rule", "w"], {"withdraw-team", "warn"}),
        (["tourney", "standings", "--ro"], {"--round"}),
        (["tourney", "export", "x.toml", "--format", "u"], {"usebio"}),
    ],
)
def test_a_shell_completes_commands_options_and_values(words: list[str], completed: set[str]) -> None:
    found = CliRunner().invoke(
        cli,
        prog_name="tourney",
        env={
            "_TOURNEY_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        },
    )
    assert {line.partition(",")[2] for line in found.stdout.splitlines()} == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_manual_says_how_a_shell_learns_to_complete(shell: str) -> None:
    line = f"_TOURNEY_COMPLETE={shell}_source tourney"
    assert line in (DOCS / "cli.md").read_text(encoding="utf-8")
    found = CliRunner().invoke(cli, prog_name="tourney", env={"_TOURNEY_COMPLETE": f"{shell}_source"})
    assert found.exit_code == 0
    assert "_TOURNEY_COMPLETE" in found.stdout
