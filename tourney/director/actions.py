"""The actions of the director, in the order in which they are offered."""

from typing import Final

from tourney.director import extension, orders, results, rulings, users
from tourney.director.action import DirectorAction

ACTIONS: Final[dict[str, type[DirectorAction]]] = {
    action.offer.name: action
    for module in (orders, extension, rulings, results, users)
    for action in vars(module).values()
    if isinstance(action, type) and issubclass(action, DirectorAction) and "offer" in vars(action)
}
"""The actions of each module of them, by the name that each has at the console and in its log."""
