"""The help of every command."""

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from tests.support.commands import printed, run
from tests.support.manual import DOCS
from tests.support.refusals import refused_commands
from tourney.cli._groups import LazyGroup
from tourney.cli.main import COMMAND_GROUPS, COMMANDS, cli
from tourney_manual.commands import walk_commands

ALL = {" ".join(words): command for (_, *words), command in walk_commands()}
"""Every command by its words, and the groups; the whole by no word."""


@pytest.mark.parametrize("words", [*filter(None, ALL)])
def test_every_command_and_every_option_has_a_help_without_marks_that_are_meant_for_click(words: str) -> None:
    command = ALL[words]
    assert command.name == words.rsplit(maxsplit=1)[-1]
    assert len((command.help or "").partition(".")[0]) >= 10
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert (parameter.help or "").endswith("."), parameter.name
    assert not {"\\", "\b"} & set(printed(run(*words.split(), "--help")))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("init", "  tourney init my-event.toml"),
        ("vp", "  tourney vp --boards 16 --vp-scale wbf-discrete"),
        ("export", "  json  event.json, with everything"),
        ("table alert", "      tourney table alert club.toml 3-open --no"),
        ("deals seal", "  tourney deals seal club.toml"),
    ],
)
def test_help_keeps_examples_line_by_line(name: str, line: str) -> None:
    assert line in run(*name.split(), "--help").stdout.splitlines()


def test_help_lists_what_is_needed_every_day_first_and_groups_last() -> None:
    result = printed(run("--help"))
    listed: dict[str, list[str]] = {}
    for line in result.partition("Show this message and exit.\n")[2].splitlines():
        if line.startswith("  "):
            listed[next(reversed(listed))].append(line.split()[0])
        elif line:
            listed[line.removesuffix(":")] = []
    assert listed == {title: list(commands) for title, commands in COMMAND_GROUPS.items()}
    first, *_, last = listed
    assert len(listed[first]) == 9
    assert all(isinstance(ALL[name], click.Group) is (name in listed[last]) for name in COMMANDS)


GROUPS = [words for words, command in ALL.items() if isinstance(command, LazyGroup)]


@pytest.mark.parametrize("words", GROUPS)
def test_summaries_of_commands_begin_below_each_other_and_fit_80_columns(words: str) -> None:
    group = ALL[words]
    assert isinstance(group, LazyGroup)
    lines = [
        line
        for line in run(*words.split(), "--help").stdout.splitlines()
        if line.startswith("  ") and line.split()[0] in group.entries and not line.startswith("   ")
    ]
    assert [line.split()[0] for line in lines] == list(group.entries)
    begin = 4 + max(map(len, group.entries))
    assert {line[begin - 2 : begin] for line in lines} == {"  "}
    assert " " not in {line[begin] for line in lines}
    assert max(map(len, lines)) <= 78
    assert not [line for line in lines if re.search(r"(?<!, )\.\.\.$", line)], "a summary does not fit"


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/help"))
def test_a_mistyped_command_or_option_is_refused_with_what_may_have_been_meant(
    words: list[str], status: int, sentence: str
) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert result.stderr.splitlines()[-1] == f"Error: {sentence}"


LIGHT = (
    "init check schedule deals standings match crosstable rounds boards swings butler times rulings analyse export "
    "score"
)
"""Commands whose help has to be there at once."""

LOADED_FOR_HELP = """
import os, sys
from tourney.cli.main import main
for name in sys.argv[1:]:
    if os.fork() == 0:
        sys.argv, sys.stdout = ["tourney", name, "--help"], open(os.devnull, "w")
        try:
            main()
        except SystemExit as end:
            assert not end.code
        heavy = {"sqlalchemy", "rich", "pydantic", "tourney.bridge"} & sys.modules.keys()
        print(name, *sorted(heavy), file=sys.stderr, flush=True)
        os._exit(0)
    os.wait()
"""
"""Say for each command what its help has loaded, in a process that has loaded the command line alone."""


def test_help_of_a_command_loads_neither_the_store_nor_rich() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED_FOR_HELP, *LIGHT.split()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stderr.splitlines() == LIGHT.split()


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["tourney", "sta"], {"status", "standings"}),
        (["tourney", "rule", "w"], {"withdraw-team", "withdraw"}),
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
    found = printed(CliRunner().invoke(cli, prog_name="tourney", env={"_TOURNEY_COMPLETE": f"{shell}_source"}))
    assert "_TOURNEY_COMPLETE" in found
