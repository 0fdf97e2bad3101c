"""`tourney rule`: the director's rulings on scores, made from the actions as all groups of actions are."""

import click

from tourney.cli._common import OLD_NAMES, SuggestingGroup
from tourney.director.registry import ACTIONS


class ActionGroup(SuggestingGroup):
    """A group with the commands of all actions whose command begins with its name, each made when it is called.

    What commands of its own it has stand below them.
    """

    @property
    def _actions(self) -> dict[str, str]:
        """The names of the actions at the console, by the name of the command."""
        words = {name: entry.command.split() for name, entry in ACTIONS.items()}
        return {last: name for name, (first, *rest) in words.items() if first == self.name for last in rest}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # Click's signature
        return list(dict.fromkeys((*self._actions, *self.commands)))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = OLD_NAMES.get(self.name or "", {}).get(cmd_name, cmd_name)
        action = self._actions.get(name)
        if action is not None and name not in self.commands:
            from tourney.cli.director import action_command

            self.add_command(action_command(action, name))
        return super().get_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # as above
        summaries = {name: ACTIONS[action].summary for name, action in self._actions.items()}
        own = {name: own.get_short_help_str() for name, own in self.commands.items() if name not in summaries}
        with formatter.section("Commands"):
            formatter.write_dl([*summaries.items(), *own.items()])


@click.group("rule", cls=ActionGroup)
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule revoke` takes a ruling
    back; nothing is ever deleted.
    """
