"""An action of the director is declared once: its command and its form are made from the declaration."""

import pytest

from tourney.director.action import Level, Reason
from tourney.director.actions import ACTIONS
from tourney.director.parameters import action_fields
from tourney.web.director import actions as console


@pytest.mark.parametrize("name", ACTIONS)
def test_a_form_of_the_console_has_the_inputs_of_its_action_and_says_what_it_does(name: str) -> None:
    action, offered = ACTIONS[name], console.ACTIONS[name]
    names = [each.name for each in offered.fields]
    assert names == [
        *(each.name for field in action_fields(action) for each in field.inputs),
        *["law"] * action.offer.has_law,
        *["reason"] * (action.offer.reason is not Reason.NONE),
    ]
    assert len(names) == len(set(names))
    assert action.__doc__ is not None
    assert action.__doc__.startswith(offered.summary.partition("\n")[0])
    given = {Level.MATCH: "match", Level.TABLE: "table", Level.USER: "user"}.get(offered.offer.level)
    assert given is None or given in names, "what it is offered beside has no input to be filled in"
