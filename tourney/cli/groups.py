"""The groups of commands that an administrator needs, or somebody who compares programs."""

import inspect

import click

from tourney.cli._groups import LazyGroup


def _make_group(name: str, about: str, module: str = "", **summaries: str) -> click.Group:
    """Return a group of commands.

    Args:
        name: of the group.
        about: its help.
        module: where its commands are, `keys_command` and so on; each is in a module of its own name by default.
        summaries: of the commands, by their names.
    """
    commands = {
        command: (f"tourney.cli.{module or command}:{command}_command", summary)
        for command, summary in summaries.items()
    }
    return LazyGroup(name, sections={"Commands": commands}, help=inspect.cleandoc(about))


deals_group = _make_group(
    "deals",
    """Deal boards, and seal those of an event so that nobody can doubt them.

    What was played on boards is shown by `tourney boards`, and solved double dummy by `tourney analyse`.
    """,
    "deals",
    make="Deal boards as a PBN file.",
    solve="Solve the boards of a file double dummy.",
    seal="Seal the boards of an event before its first board.",
    open="Open the sealed boards of an event after its last board.",
    check="Check opened boards against the hash that was published.",
)

lab_group = _make_group(
    "lab",
    """Measure how strong programs are.

    `tourney duel` finds out which of two programs is better; these commands are about more than two, and about boards
    that were played already.
    """,
    league="Rate programs that play each other.",
    strength="Estimate how strong programs are, from what was played.",
    card="Print the result card of a duel.",
)

cluster_group = _make_group(
    "cluster",
    """Play an event on more than one machine.

    One machine runs the scheduler, which prints what to type on the others. An event is played there once its file
    names it in `[launch]`.
    """,
    "cluster",
    keys="Make the certificate and the key of a cluster.",
    scheduler="Run the scheduler of a cluster of machines.",
    worker="Give this machine to a cluster, to play tables on it.",
    drain="Have a worker finish its boards and leave.",
)

db_group = _make_group(
    "db",
    """Maintain the database of an event.

    It is the database named in the event file or in TOURNEY_DATABASE. `tourney check --database` says whether it is
    sound.
    """,
    "db",
    backup="Make a backup, even while an event is running.",
    restore="Replace the database with a backup.",
)
