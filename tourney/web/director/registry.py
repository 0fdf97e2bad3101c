"""The actions of the desk, in the order in which they are offered."""

from typing import Final

from tourney.web.director.actions import DeskAction
from tourney.web.director.holds import PAUSE, RESUME

ACTIONS: Final[dict[str, DeskAction]] = {action.name: action for action in (PAUSE, RESUME)}
