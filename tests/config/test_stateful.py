"""`[stateful]` and a team's `protocol` in an event file."""

import pytest

from tourney.config import parse_event_file
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
