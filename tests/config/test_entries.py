"""A list of entries in CSV, and the event file that is made of it."""

import pytest

from tests.support.refusals import refusals
from tourney.config import parse_event_file
from tourney.config.entries import EventEntry, named_entries, parse_entries
from tourney.config.new_event import find_new_format, make_event_text
from tourney.config.toml import EventFileError
from tourney.contest import formats_by_word
from tourney.errors import ConfigError
from tourney.resources import example_event_text


def parse(text: str) -> list[EventEntry]:
    return parse_entries(text.encode(), "entries.csv")


def problems(data: bytes) -> list[str]:
    with pytest.raises(EventFileError) as caught:
        parse_entries(data, "entries.csv")
    return caught.value.problems


def make(format_name: str, entries: list[EventEntry], source: str = "entries.csv") -> str:
    played = find_new_format(format_name)
    return make_event_text(example_event_text(), played, played.entrant, entries, source)


# The list


def test_a_list_of_a_spreadsheet_is_read_whatever_its_delimiter_and_heading() -> None:
    ants = EventEntry("Ants", "Anna, Bea Cleo", "anna@example.org", "bot --port {port}", line=2)
    assert parse('name,members,contact,command\nAnts,"Anna, Bea\nCleo",anna@example.org,bot --port {port}\n') == [
        ants
    ]
    excel = (
        '\ufeffCommand ;NAME;Members;Contact;;\r\nbot --port {port};Ants;"Anna, Bea\r\nCleo";anna@example.org;;\r\n'
    )
    assert parse(excel) == [ants]
    assert parse("sep=;\nname;contact\nA;b,c\n") == [EventEntry("A", contact="b,c", line=3)]
    assert parse("name\tcommand\n\n\nA\t\n") == [EventEntry("A", line=4)]
    assert parse('name\n"A ""1"""\n') == [EventEntry('A "1"', line=2)]


@pytest.mark.parametrize(
    ("_", "text", "expected"),
    [
        *refusals("entries"),
        ("", "", ["it is empty: its first line has to name columns, name, members, contact, command"]),
    ],
)
def test_a_list_that_cannot_be_read_names_each_line_and_column(_: str, text: str, expected: list[str]) -> None:
    assert problems(text.encode()) == expected


def test_a_list_in_another_encoding_is_refused_with_the_way_to_save_it() -> None:
    why = "is not UTF-8 text: save the list as CSV with UTF-8, in Excel `CSV UTF-8`"
    assert problems("name\nA\nCaf\xe9\n".encode("latin-1")) == [f"line 3 {why}"]


# The event file


def test_every_format_is_made_for_its_numbers_and_refuses_others_in_one_sentence() -> None:
    refused = {}
    for word in formats_by_word().keys() - {"movement"}:
        for number in (2, 5, 8):
            played = find_new_format(word)
            entries = named_entries(number, played.entrant)
            try:
                config = parse_event_file(make(word, entries, f"{word} {number}"), word)
            except EventFileError as error:
                refused[word, number] = error.problems
                continue
            assert config.stage[0].format is played
            assert config.entrant_section == played.entrant
            assert [team.name for team in config.team] == [entry.name for entry in entries]
    two = {(word, number): [f"a {word} has 2 teams, got {number}"] for word in ("match", "duel") for number in (5, 8)}
    assert refused == two | {
        ("mitchell", 2): ["a Mitchell has at least 2 tables, that is 4 pairs, got 2 pairs"],
        ("howell", 2): ["a Howell has 4 to 128 pairs, got 2"],
        ("individual", 2): ["an individual is for 8, 12, 13, 16, 17, 20, 21 or 24 players, got 2"],
        ("individual", 5): ["an individual is for 8, 12, 13, 16, 17, 20, 21 or 24 players, got 5"],
        **{
            ("american-whist", number): [
                f"american-whist is for an odd number of teams, got {number}; an even one plays 'new-england-relay'"
            ]
            for number in (2, 8)
        },
        ("new-england-relay", 2): ["a New England Relay has an even number of teams, at least 4, got 2"],
        ("new-england-relay", 5): [
            "new-england-relay is for an even number of teams, got 5; an odd one plays 'american-whist'"
        ],
    }


def test_a_format_that_needs_a_file_is_not_made() -> None:
    with pytest.raises(ConfigError, match="'movement' plays a movement from your own file"):
        find_new_format("movement")


def test_four_teams_in_a_round_robin_are_the_example_itself() -> None:
    assert make("round-robin", named_entries(4, "team")) == example_event_text()


def test_more_teams_than_letters_have_numbers() -> None:
    assert [entry.name for entry in named_entries(26, "pair")][22:] == ["Psi", "Omega", "Pair 25", "Pair 26"]


def test_members_and_contacts_are_comments_and_our_bot_plays_for_who_has_no_command() -> None:
    ants = EventEntry("Ants", "Anna \x7fBea", "a@example.org", r"C:\ants.exe {port}", line=2)
    text = make("swiss", [ants, EventEntry("Bees", line=3)])
    first, second = parse_event_file(text, "event.toml").team
    assert (first.command, first.profile) == (r"C:\ants.exe {port}", "default")
    assert second.command == "tourney bot --host {host} --port {port} --seat {seat} --team {team} --seed 2"
    assert second.profile == "tourney"
    assert 'name = "Ants"\n# Members: Anna Bea\n# Contact: a@example.org\n' in text
    assert 'name = "Bees"\n# The list of entries has no command here, so our own bot plays.' in text


def test_what_is_wrong_with_entries_is_said_with_their_lines_all_at_once() -> None:
    entries = parse("name,command\nAnts,\nBees,\n,x\nC/D,bot {sead}\n")
    with pytest.raises(EventFileError) as caught:
        make("swiss", entries)
    found = caught.value.problems
    assert [problem.partition(":")[0] for problem in found] == [
        "line 4, name",
        "line 5, name",
        "line 5, command",
    ]
    with pytest.raises(EventFileError, match="line 3, name: names must differ in more than case"):
        make("swiss", parse("name\nAnts\nants\n"))
    with pytest.raises(EventFileError) as caught:
        make("howell", parse("name\nA\n"))
    assert caught.value.problems == ["an event has 2 to 256 pairs, got 1"]
