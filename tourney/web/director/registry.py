"""The actions of the desk, in the order in which they are offered."""

from typing import Final

from tourney.web.director.actions import DeskAction
from tourney.web.director.orders import ORDERS
from tourney.web.director.people import PEOPLE
from tourney.web.director.rulings import RESULTS, RULINGS

ACTIONS: Final[dict[str, DeskAction]] = {action.name: action for action in (*ORDERS, *RULINGS, *RESULTS, *PEOPLE)}
