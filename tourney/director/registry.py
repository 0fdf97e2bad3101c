"""The actions of the director, in the order in which they are offered.

Nothing is imported until an action is wanted, so that the help of commands is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from tourney.frozen import frozen

if TYPE_CHECKING:
    from tourney.director.action import DirectorAction


@frozen
class ActionEntry:
    """Where an action is declared, and how it is called."""

    place: str
    """Its module, below this package, and its class."""
    command: str
    """The words of its command."""
    summary: str = ""
    """Its line in the list of commands; empty where another action of the command has it, or the list itself."""


ACTIONS: Final = {
    "pause": ActionEntry("orders:PauseTables", "table pause", "Pause tables until they are resumed."),
    "resume": ActionEntry("orders:ResumeTables", "table resume", "Resume tables that were paused or stopped."),
    "extend": ActionEntry(
        "extension:ExtendTables", "table extend", "Extend the time of a board, a match or a round."
    ),
    "stop": ActionEntry("orders:StopTables", "table stop", "Stop tables: their sessions end until they are resumed."),
    "kick": ActionEntry("orders:Kick", "table kick", "End the connection of a player."),
    "replay": ActionEntry("orders:ReplayBoard", "table replay", "Have a board played again in one room."),
    "alert": ActionEntry("orders:AnswerAlert", "table alert", "List calls waiting for the operator, or answer one."),
    "adjust": ActionEntry("rulings:Adjust", "rule adjust", "Adjust the score of a board, or assign it a result."),
    "assign": ActionEntry("rulings:Assign", "rule adjust"),
    "cancel": ActionEntry("rulings:Cancel", "rule cancel", "Cancel a board: it counts for nobody."),
    "penalty": ActionEntry("rulings:Fine", "rule penalty", "Take IMPs, points or victory points off a team's score."),
    "forfeit": ActionEntry("rulings:Forfeit", "rule forfeit", "Forfeit a match, or a board, of a team."),
    "retire": ActionEntry("rulings:WithdrawTeam", "rule withdraw-team", "Withdraw a team from the event."),
    "withdraw": ActionEntry("rulings:WithdrawRulings", "rule withdraw", "Withdraw rulings; they stay on record."),
    "finalise": ActionEntry("results:Finalise", "results"),
    "publish": ActionEntry("results:Publish", "results"),
    "reopen": ActionEntry("results:Reopen", "results"),
    "add-user": ActionEntry("users:AddUser", "user"),
    "log-out-user": ActionEntry("users:LogOutUser", "user"),
    "change-phrase": ActionEntry("users:ChangePhrase", "user"),
    "change-role": ActionEntry("users:ChangeRole", "user"),
    "remove-user": ActionEntry("users:RemoveUser", "user"),
}
"""The actions, by the name that each has at the console and in its log."""


def load_action(name: str) -> "type[DirectorAction]":
    """Return the action of a name at the console."""
    module, _, action = ACTIONS[name].place.partition(":")
    found: type[DirectorAction] = getattr(import_module(f"{__package__}.{module}"), action)
    return found
