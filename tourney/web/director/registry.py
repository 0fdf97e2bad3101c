"""The actions of the desk, in the order in which they are offered."""

from typing import Final

from tourney.director import registry as director_registry
from tourney.director.registry import load_action
from tourney.web.director.actions import DeskAction
from tourney.web.director.offers import offer
from tourney.web.director.people import PEOPLE

ACTIONS: Final[dict[str, DeskAction]] = {
    **{name: offer(name, load_action(name)) for name in director_registry.ACTIONS},
    **{action.name: action for action in PEOPLE},
}
