"""Values of the event file: commands, names of folders, and any text at all."""

import contextlib
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.config.test_file import FULL
from tourney.bridge import Seat
from tourney.compliance.program import parse_command
from tourney.config import EventConfig, parse_event_file, slug
from tourney.config.command import (
    PLACEHOLDERS,
    CommandValues,
    check_command,
    expand_command,
    format_check_bot,
    reachable,
)
from tourney.errors import ConfigError

VALUES = {"host": "127.0.0.1", "port": "2000", "seat": "North", "team": "Team One", "match": "3", "room": "open"}

# Commands


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            "bot --host {host} --port={port} {seat}",
            ["bot", "--host", "127.0.0.1", "--port=2000", "North"],
        ),
        ("bot '{team}' \"{team}\" {team}", ["bot", "Team One", "Team One", "Team One"]),
        ("bot {match}-{room}.log", ["bot", "3-open.log"]),
        ("bot {{seat}} '{{\"a\": 1}}'", ["bot", "{seat}", '{"a": 1}']),
        ("'my bot' a\\ b '' $HOME ; # x", ["my bot", "a b", "", "$HOME", ";", "#", "x"]),
        ("bot\n  --x\t1\n", ["bot", "--x", "1"]),
    ],
)
def test_a_command_becomes_words_with_the_values_in_their_places(command: str, words: list[str]) -> None:
    assert expand_command(check_command(command), VALUES, str) == words


@given(value=st.text())
def test_a_value_never_splits_a_word_and_is_never_expanded_itself(value: str) -> None:
    assert expand_command("bot {team} x{seat}y", VALUES | {"team": value, "seat": value}, str) == [
        "bot",
        value,
        f"x{value}y",
    ]


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("~/bots/run.sh {port}", ["/home/me/bots/run.sh", "2000"]),
        ("~other/run.sh ~", ["/home/other/run.sh", "/home/me"]),
        ("bot ~/{team}/x", ["bot", "/home/me/~odd/x"]),
        ("~nobody/run.sh", ["~nobody/run.sh"]),
        (
            "bot a~/x --home=~/x {team} {team}/x ~{seat}/x",
            ["bot", "a~/x", "--home=~/x", "~odd", "~odd/x", "~North/x"],
        ),
    ],
)
def test_a_tilde_at_the_start_of_a_word_is_a_home_folder_as_in_a_shell(command: str, words: list[str]) -> None:
    homes = {"~": "/home/me", "~other": "/home/other"}
    assert expand_command(command, VALUES | {"team": "~odd"}, lambda user: homes.get(user, user)) == words


def test_a_seat_is_filled_in_as_a_name_in_small_letters_and_as_a_letter() -> None:
    values = CommandValues(host="127.0.0.1", port=2000, seat=Seat.WEST, team="Alpha", login="Alpha#x", folder="/own")
    command = check_command("bot {seat} {seat_lower} {seat_letter} {login} {folder}")
    words = expand_command(command, values.by_placeholder(), str)
    assert words == ["bot", "West", "west", "W", "Alpha#x", "/own"]
    assert tuple(values.by_placeholder()) == PLACEHOLDERS


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("python3 player.py {host} {port}", "python3 player.py {host} {port}"),
        ("'my bot' --name='{team}' ''", "'my bot' --name={team} ''"),
        ("~/run.sh {{x}} {team},{seat} $HOME ; *", "~/run.sh {{x}} '{team},{seat}' '$HOME' ';' '*'"),
        ("'my bot'", "''\"'\"'my bot'\"'\"''"),
    ],
)
def test_the_command_for_a_check_is_typed_in_a_shell_as_it_stands(command: str, line: str) -> None:
    assert format_check_bot("Alpha", command) == f"tourney check-bot --team Alpha -- {line}"
    typed = tuple(shlex.split(line))
    assert parse_command(typed) is not None
    assert expand_command(parse_command(typed) or "", VALUES, str) == expand_command(command, VALUES, str)


def test_the_check_of_a_program_names_its_profile_and_has_the_walls_of_its_event() -> None:
    assert format_check_bot("Team One", None, "ben") == "tourney check-bot --team 'Team One' --profile ben"
    line = format_check_bot("Alpha", "./bot {port}", readable=["/srv/my nets"])
    assert line == "tourney check-bot --team Alpha --sandbox --readable '/srv/my nets' -- ./bot {port}"


@given(command=st.text(alphabet="ab {}'\"\\!:[]0.seat"))
def test_a_command_that_was_checked_can_be_expanded(command: str) -> None:
    with contextlib.suppress(ValueError):
        assert expand_command(check_command(command), VALUES, str)[0]


@pytest.mark.parametrize(
    ("listens", "connects"),
    [
        ("0.0.0.0", "127.0.0.1"),
        ("", "127.0.0.1"),
        ("::", "::1"),
        ("10.0.0.7", "10.0.0.7"),
        ("table.example.org", "table.example.org"),
    ],
)
def test_a_program_of_this_machine_connects_to_an_address_and_not_to_all_of_them(listens: str, connects: str) -> None:
    assert reachable(listens) == connects


# Names of folders


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Spring Cup 2026", "spring-cup-2026"),
        ("  --Spring__Cup!!  ", "spring-cup"),
        ("Été à l\N{RIGHT SINGLE QUOTATION MARK}île", "ete-a-lile"),
        ("Stra\N{LATIN SMALL LETTER SHARP S}e", "strae"),
        ("\N{FULLWIDTH DIGIT ONE}st Cup", "1st-cup"),
        ("../../etc", "etc"),
        ("\N{CYRILLIC CAPITAL LETTER KA}", "event"),
        ("", "event"),
    ],
)
def test_a_name_becomes_a_folder(name: str, folder: str) -> None:
    assert slug(name) == folder


@given(name=st.text())
def test_any_name_becomes_one_plain_folder(name: str) -> None:
    folder = slug(name)
    assert folder.replace("-", "").isalnum()
    assert folder == folder.lower()
    assert folder.isascii()
    assert slug(folder) == folder


# Any text


def assert_ends_well(text: str) -> None:
    """It is an event, or it is refused with a sentence for each problem."""
    try:
        assert isinstance(parse_event_file(text, "event.toml"), EventConfig)
    except ConfigError as error:
        lines = str(error).split("\n")
        assert all(line.startswith("event.toml: ") and len(line) < 600 for line in lines)


@given(text=st.text())
def test_any_text_is_an_event_or_is_refused_in_sentences(text: str) -> None:
    assert_ends_well(text)


_scalars = st.one_of(
    st.integers(-(2**70), 2**70).map(str),
    st.floats().map(lambda number: str(number).replace("e+", "e")),
    st.booleans().map(lambda value: str(value).lower()),
    st.datetimes(timezones=st.none() | st.timezones()).map(lambda moment: moment.isoformat()[:35]),
    st.dates().map(str),
    st.times().map(str),
    st.text(st.characters(exclude_characters="\\\"'\n\r", exclude_categories=["Cs", "Cc"]), max_size=70).map(
        lambda text: f"'{text}'"
    ),
    st.sampled_from(["'\\'", '"\\u0000"', '"\\U0010ffff"', "'{seat}'", "'2000-2001'", "'wbf-discrete'", "'house'"]),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
        st.dictionaries(st.sampled_from(["name", "steps", "x"]), inner, max_size=2).map(
            lambda items: "{" + ", ".join(f"{key} = {value}" for key, value in items.items()) + "}"
        ),
    ),
    max_leaves=8,
)


@given(data=st.data())
def test_any_value_for_any_setting_of_a_good_file_is_taken_or_refused_in_sentences(data: st.DataObject) -> None:
    lines = FULL.split("\n")
    places = [number for number, line in enumerate(lines) if " = " in line]
    place = data.draw(st.sampled_from(places))
    key = lines[place].partition(" = ")[0]
    lines[place] = f"{key} = {data.draw(_values)}"
    assert_ends_well("\n".join(lines))
