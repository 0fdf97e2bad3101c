"""The groups of commands that an administrator needs, or somebody who compares programs."""

from typing import Final

import click

from tourney.cli._groups import LazyGroup

_TITLE: Final = "Commands"


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
