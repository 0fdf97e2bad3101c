"""What a command's exit status is: 2 where it cannot mean anything, 1 where it is refused or finds something."""

import re
from pathlib import Path
from types import MappingProxyType

import click
import pytest

from tests.support.commands import run
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney_manual.commands import walk_commands


def read_values(text: str) -> MappingProxyType[str, str]:
    """The values of parameters, a line each."""
    return MappingProxyType({name: value for name, _, value in (line.partition(" ") for line in text.split("\n"))})


VALUES = read_values("""\
match_number 1
match 1
place 1-open
board 1
round 1
team Alpha
first Alpha
second Beta
pair 1
amount 1
seat North
results Pass
rulings 1
login anna
role viewer
text 12 to 14 total points
reason test
awards Alpha=avg
time_s 5m
file_format csv
out out
source
backup backup.sqlite""")
"""A value for each argument, and each option that is required."""
TAKES_NO_EVENT_FIRST = ("vp", "duel", "lab league")


OF_EVENTS = {
    " ".join(words): command
    for (_, *words), command in walk_commands()
    if " ".join(words) not in TAKES_NO_EVENT_FIRST and any(each.name == "event_path" for each in command.params)
}


def command_line(words: str, event: Path, **changed: str) -> list[str | Path]:
    """A command with a value for all that it needs, but what is changed."""
    given: list[str | Path] = [*words.split(), event]
    for parameter in OF_EVENTS[words].params:
        value = changed.get(parameter.name or "", VALUES.get(parameter.name or "", "x"))
        if isinstance(parameter, click.Argument) and parameter.name != "event_path":
            given.append(value)
        elif isinstance(parameter, click.Option) and (parameter.required or parameter.name in changed):
            given += [parameter.opts[0], value]
    return given


@pytest.mark.parametrize("words", OF_EVENTS)
def test_an_event_file_that_is_not_there_or_cannot_be_used_is_status_2_for_every_command(
    tmp_path: Path, words: str
) -> None:
    path = tmp_path / "event.toml"
    assert run(*command_line(words, path)).exit_code == 2
    path.write_text("[event\n")
    done = run(*command_line(words, path))
    assert (done.exit_code, done.stdout) == (2, ""), done.stderr


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    played = draw_event(
        tmp_path_factory.mktemp("event"),
        event_text("Alpha", "Beta", "Gamma", "Delta", more="[clock]\nboard_s = 600\nmatch_s = 6000"),
    )
    played.play_all()
    return played


UNKNOWN = read_values("""\
match_number 99
match 99
place 99-open
board 99
round 99
round_number 99
team Nobody
first Nobody
rulings 99
seat North-east
file_format doc
login nobody
role king
results 10 tricks
amount much
awards Alpha=all
time_s soon
text natural""")
"""What is not there, or cannot be read."""


MAY_BE_NEW = (("table alert", "board"),)
"""A board of which a call waits for an answer, or of which none does."""


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (words, each.name)
        for words, command in OF_EVENTS.items()
        for each in command.params
        if each.name in UNKNOWN and (words, each.name) not in MAY_BE_NEW
    ],
)
def test_what_is_given_on_the_command_line_and_is_not_there_or_cannot_be_read_is_status_2_for_every_command(
    played: PlayedEvent, words: str, name: str
) -> None:
    done = run(*command_line(words, played.path, **{name: UNKNOWN[name]}))
    assert (done.exit_code, done.stdout) == (2, ""), done.stderr
    assert len(re.findall(r"^Error: ", done.stderr, re.MULTILINE)) == 1
