"""Groups of commands, whose commands are imported when they are called, so that help is quick."""

import importlib
from collections.abc import Mapping
from typing import Any, TypeAlias

import click

from tourney.suggestions import suggest

CommandEntries: TypeAlias = Mapping[str, tuple[str, str]]
"""Commands by name, in the order of the help: module and attribute, and the line in the help of the group.

The attribute is the command, or a function that makes the command of a name such as `rule adjust`.
"""


class LazyGroup(click.Group):
    """A group that imports each command when it is called, and suggests a name for one that was mistyped."""

    def __init__(self, *args: Any, sections: Mapping[str, CommandEntries], prefix: str = "", **kwargs: Any) -> None:
        """Create the group; other arguments are Click's.

        Args:
            args: as Click has them.
            sections: the commands by the heading above them in the help.
            prefix: what stands before the name of a command for the functions that make one: `rule`.
            kwargs: as Click has them.
        """
        super().__init__(*args, **kwargs)
        self.sections = sections
        self.entries: CommandEntries = {name: entry for each in sections.values() for name, entry in each.items()}
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # Click's signature
        """Return the names in the order of the help."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, imported now; None if there is none."""
        if cmd_name not in self.entries:
            return None
        command = super().get_command(ctx, cmd_name)
        if command is None:
            place, _ = self.entries[cmd_name]
            module, _, name = place.partition(":")
            found = getattr(importlib.import_module(module), name)
            command = found if isinstance(found, click.Command) else found(f"{self._prefix} {cmd_name}".strip())
            assert isinstance(command, click.Command)
            self.add_command(command, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a command line; refuse a name that is none with what may have been meant."""
        name = args[0]
        if not name.startswith("-") and not ctx.resilient_parsing and self.get_command(ctx, name) is None:
            raise click.UsageError(f"there is no command {name!r}{self.suggest_command(ctx, name)}", ctx)
        return super().resolve_command(ctx, args)

    def suggest_command(self, ctx: click.Context, name: str) -> str:
        """Return the end of a sentence that suggests commands: those that are close, else all of the group."""
        names = self.list_commands(ctx)
        return suggest(name, names) or f"; the commands of '{self.name}' are {', '.join(names)}"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # as above
        """List the commands under their headings, without importing them."""
        chars = max(map(len, self.entries))
        for title, entries in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(chars), summary) for name, (_, summary) in entries.items()])
