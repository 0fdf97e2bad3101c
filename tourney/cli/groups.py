"""The groups of commands that a director or an administrator needs, or somebody who compares programs."""

from typing import Final

import click

from tourney.cli._groups import LazyGroup
from tourney.director.registry import ACTIONS

_TITLE: Final = "Commands"


def _actions_of(group: str) -> dict[str, tuple[str, str]]:
    """Return the commands of the actions whose command is in a group, in the order in which they are offered."""
    words = [(entry.command.split(), entry.summary) for entry in ACTIONS.values()]
    return {
        command[1]: ("tourney.cli.director:action_command", summary)
        for command, summary in words
        if command[0] == group and len(command) > 1
    }


@click.group(
    "table",
    cls=LazyGroup,
    prefix="table",
    sections={
        _TITLE: {
            **_actions_of("table"),
            "alert": ("tourney.cli.director:alert_command", ACTIONS["alert"].summary),
        }
    },
)
def table_group() -> None:
    """Give orders to tables that are in play; each is on record with its author and time.

    Tables act on an order within a second, even on other machines. `tourney status` shows what tables wait for,
    `tourney watch` follows one. Scores are changed by `tourney rule`. The author is the name in the
    environment variable TOURNEY_DIRECTOR, or else your login name.
    """


@click.group(
    "rule",
    cls=LazyGroup,
    prefix="rule",
    sections={
        _TITLE: _actions_of("rule") | {"adjust": ("tourney.cli.director:adjust_command", ACTIONS["adjust"].summary)}
    },
)
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule withdraw` takes a ruling
    back; nothing is ever deleted. The author is the name in the environment variable TOURNEY_DIRECTOR, or else your
    login name.
    """


@click.group(
    "deals",
    cls=LazyGroup,
    sections={
        _TITLE: {
            "make": ("tourney.cli.deals:make_command", "Deal boards as a PBN file."),
            "seal": ("tourney.cli.deals:seal_command", "Seal the boards of an event before its first board."),
            "open": ("tourney.cli.deals:open_command", "Open the sealed boards of an event after its last board."),
            "check": ("tourney.cli.deals:check_command", "Check opened boards against the hash that was published."),
        }
    },
)
def deals_group() -> None:
    """Deal boards, and seal those of an event so that nobody can doubt them.

    What was played on boards is shown by `tourney boards`, and solved double dummy by `tourney analyse`.
    """


@click.group(
    "lab",
    cls=LazyGroup,
    sections={
        _TITLE: {
            "league": ("tourney.cli.league:league_command", "Rate programs that play each other."),
            "strength": (
                "tourney.cli.strength:strength_command",
                "Estimate how strong programs are, from what was played.",
            ),
        }
    },
)
def lab_group() -> None:
    """Measure how strong programs are.

    `tourney duel` finds out which of two programs is better; these commands are about more than two, and about boards
    that were played already.
    """


@click.group(
    "cluster",
    cls=LazyGroup,
    sections={
        _TITLE: {
            "keys": ("tourney.cli.cluster:keys_command", "Make the certificate and the key of a cluster."),
            "scheduler": ("tourney.cli.cluster:scheduler_command", "Run the scheduler of a cluster of machines."),
            "worker": ("tourney.cli.cluster:worker_command", "Give this machine to a cluster, to play tables on it."),
            "drain": ("tourney.cli.cluster:drain_command", "Have a worker finish its boards and leave."),
        }
    },
)
def cluster_group() -> None:
    """Play an event on more than one machine.

    One machine runs the scheduler, which prints what to type on the others. An event is played there once its file
    names it in `[launch]`.
    """


@click.group(
    "db",
    cls=LazyGroup,
    sections={
        _TITLE: {
            "backup": ("tourney.cli.db:backup_command", "Make a backup, even while an event is running."),
            "restore": ("tourney.cli.db:restore_command", "Replace the database with a backup."),
            "upgrade": ("tourney.cli.db:upgrade_command", "Bring the schema up to date."),
        }
    },
)
def db_group() -> None:
    """Maintain the database of an event.

    It is the database named in the event file or in TOURNEY_DATABASE. `tourney check --database` says whether it is
    sound.
    """
