"""`[stateful]` and a team's `protocol` in an event file."""

import pytest

from tourney.config import parse_event_file
from tourney.errors import ConfigError
from tourney.event.file import tournament_id
from tourney.protocol.session.rules import UndoRule
from tourney.protocol.wires import Language

EVENT = '[event]\nname = "E"\n[[team]]\nname = "Alpha"\n{team}\n[[team]]\nname = "Beta"\n[[stage]]\n{rest}\n'


def test_a_port_and_a_protocol_are_read() -> None:
    config = parse_event_file(EVENT.format(team='protocol = "stateful"', rest="[stateful]\nport = 5000"), "e.toml")
    assert config.stateful is not None
    assert config.stateful.port == 5000
    assert [team.protocol for team in config.team] == [Language.STATEFUL, Language.BLUE_CHIP]


def test_a_program_that_tourney_starts_needs_no_port_of_the_event() -> None:
    team = 'protocol = "stateful"\ncommand = "x {port}"'
    assert parse_event_file(EVENT.format(team=team, rest=""), "e.toml").stateful is None


@pytest.mark.parametrize(
    ("team", "rest", "why"),
    [
        (
            'protocol = "stateful"',
            "",
            "team 1, protocol: its programs connect to the port of [stateful], which is missing",
        ),
        ("", "[stateful]\nport = 2001", "stateful, port: 2001 is one of the tables' ports 2000-4999; take another"),
        ('protocol = "morse"', "", 'team 1, protocol: expected one of "blue-chip", "stateful", got \'morse\''),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(team: str, rest: str, why: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_event_file(EVENT.format(team=team, rest=rest), "e.toml")
    assert why in str(refusal.value)


@pytest.mark.parametrize(
    ("ports", "why"),
    [
        ("5001", "tables, team_ports: 5001-5001 is 1 of the 2 ports that as many teams need"),
        ("4999-5000", "tables, team_ports: 4999-5000 and the tables' own ports 2000-4999 overlap"),
        ("5000-5001", "tables, team_ports: 5000 of 5000-5001 is the port of [stateful]"),
    ],
)
def test_ports_of_teams_are_as_many_as_teams_and_nobody_elses(ports: str, why: str) -> None:
    rest = f'[stateful]\nport = 5000\n[tables]\nteam_ports = "{ports}"'
    with pytest.raises(ConfigError) as refusal:
        parse_event_file(EVENT.format(team="", rest=rest), "e.toml")
    assert why in str(refusal.value)


@pytest.mark.clause("SS-06")
@pytest.mark.parametrize(
    ("event", "tournament"),
    [("Club night 7", "clubnight7"), ("Zürich", "zurich"), ("♠", "event"), ("x" * 99, "x" * 64)],
)
def test_the_id_of_an_event_has_small_letters_and_digits(event: str, tournament: str) -> None:
    assert tournament_id(event) == tournament


PAIRS = '[event]\nname = "E"\n{pairs}[[stage]]\nformat = "howell"\n[rules]\n{rules}\n'
PAIRS = PAIRS.replace("{pairs}", "".join(f'[[pair]]\nname = "Pair {number}"\n' for number in range(1, 9)))


def test_in_an_event_of_pairs_calls_may_be_taken_back() -> None:
    rules = parse_event_file(PAIRS.format(rules='undo = "calls"'), "e.toml").table_rules
    assert rules.undo is UndoRule.CALLS
    assert parse_event_file(EVENT.format(team="", rest=""), "e.toml").table_rules.undo is UndoRule.NEVER


@pytest.mark.clause("SS-52")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            EVENT.format(team="", rest='[rules]\nundo = "all"'),
            "rules, undo: in an event of teams nothing is taken back: leave it out, or take 'never'",
        ),
        (
            PAIRS.format(rules='undo = "all"\nalerting = "calls"'),
            "rules, undo: where an operator explains calls nothing is taken back: take 'never', or alerting = 'off'",
        ),
    ],
)
def test_where_nothing_can_be_taken_back_the_key_is_refused_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        parse_event_file(text, "e.toml")
    assert str(refusal.value) == f"e.toml: {why}"
