"""`tourney rule`: the director's rulings on scores; `tourney finalise`."""

from pathlib import Path
from typing import Final

import click

from tourney.cli._common import OLD_NAMES, SuggestingGroup, event_argument
from tourney.cli.orders import by_option, carry_out, grounds_of
from tourney.director.registry import ACTIONS, load_action
from tourney.errors import UsageError

_RULINGS: Final = {
    entry.command.removeprefix("rule "): (name, entry.summary)
    for name, entry in ACTIONS.items()
    if entry.command.startswith("rule ")
}
"""The name of an action and its summary, by the name of its command."""


class _RulingGroup(SuggestingGroup):
    """The commands of rulings, each made from its action when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # Click's signature
        return list(_RULINGS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = OLD_NAMES["rule"].get(cmd_name, cmd_name)
        if name in _RULINGS and name not in self.commands:
            from tourney.cli.actions import action_command

            self.add_command(action_command(load_action(_RULINGS[name][0]), name))
        return super().get_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # as above
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _RULINGS.items()])


@click.group("rule", cls=_RulingGroup)
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule revoke` takes a ruling
    back; nothing is ever deleted.
    """


@click.command("finalise")
@event_argument
@click.option("--reopen", is_flag=True, help="Let final results change again.")
@click.option("--abandoned", is_flag=True, help="Make them final although matches are left, which nobody will play.")
@click.option("--reason", metavar="TEXT", help="Why, in one sentence; required with --reopen and --abandoned.")
@by_option
def finalise_command(event_path: Path, reopen: bool, abandoned: bool, reason: str | None, author: str | None) -> None:
    """Make the results of an event final: until then they are provisional.

    EVENT is the path of an event file. Every match must have its score. After that no ruling is possible until the
    results are opened again by --reopen with a reason.

    An event that will not be played to its end is made final by --abandoned with a reason: `tourney run` plays
    nothing more of it, and other events with the same deals no longer keep their boards secret on its account.
    """
    from tourney.director.results import Finalise, Reopen

    for is_given, option in ((reopen, "--reopen"), (abandoned, "--abandoned")):
        if is_given and reason is None:
            raise UsageError(f"{option} needs a --reason")
    if reopen and abandoned:
        raise UsageError("--reopen and --abandoned exclude each other: what is opened again is played on")
    why = reason if reason is not None else "all matches are over"
    carry_out(event_path, Reopen() if reopen else Finalise(abandoned), grounds_of(why, author))
