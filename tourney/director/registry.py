"""The actions of the director, in the order in which they are offered.

Nothing is imported until an action is wanted, so that the help of commands is quick.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tourney.director.action import DirectorAction


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """Where an action is declared, and how it is called."""

    place: str
    """Its module, below this package, and its class."""
    command: str
    """The words of its command."""
    summary: str
    """Its line in the list of commands."""


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
    "adjust": ActionEntry("rulings:Adjust", "rule adjust", "Give an artificial adjusted score on a board."),
    "assign": ActionEntry("rulings:Assign", "rule assign", "Assign a result to a board in one room."),
    "cancel": ActionEntry("rulings:Cancel", "rule cancel", "Cancel a board of a match: it counts for nobody."),
    "cancel-round": ActionEntry(
        "rulings:CancelInRound", "rule cancel-round", "Cancel a board in all matches of a round that play it."
    ),
    "penalty": ActionEntry("rulings:Fine", "rule penalty", "Take IMPs, points or victory points off a team's score."),
    "warn": ActionEntry("rulings:Warn", "rule warn", "Put a warning to a team on record; no score changes."),
    "forfeit": ActionEntry("rulings:Forfeit", "rule forfeit", "Forfeit a match, or a board, of a team."),
    "retire": ActionEntry("rulings:WithdrawTeam", "rule withdraw-team", "Withdraw a team from the event."),
    "withdraw": ActionEntry("rulings:RevokeRulings", "rule revoke", "Revoke rulings; they stay on record."),
    "finalise": ActionEntry("results:Finalise", "results finalise", "Make the results of an event final."),
    "publish": ActionEntry("results:Publish", "results publish", "Publish frozen rounds before they are final."),
    "reopen": ActionEntry("results:Reopen", "results reopen", "Let final results change again."),
    "add-user": ActionEntry("users:AddUser", "user add", "Add a user, and ask for the passphrase."),
    "log-out-user": ActionEntry(
        "users:LogOutUser", "user log-out", "End all sessions of a user, who can log in again."
    ),
    "change-phrase": ActionEntry(
        "users:ChangePhrase", "user passwd", "Give a user another passphrase; the sessions with the old one end."
    ),
    "change-role": ActionEntry(
        "users:ChangeRole", "user role", "Give a user another role, and a team or none; their sessions end."
    ),
    "remove-user": ActionEntry("users:RemoveUser", "user remove", "Remove a user, whose sessions end at once."),
}
"""The actions, by the name that each has at the console and in its log."""


def load_action(name: str) -> "type[DirectorAction]":
    """Return the action of a name at the console."""
    module, _, action = ACTIONS[name].place.partition(":")
    found: type[DirectorAction] = getattr(import_module(f"{__package__}.{module}"), action)
    return found
