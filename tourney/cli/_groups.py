"""Groups of commands, whose commands are imported when they are called, so that help is quick."""

import importlib
from collections.abc import Mapping
from typing import Any, TypeAlias

import click

from tourney.suggestions import suggest

CommandEntries: TypeAlias = Mapping[str, tuple[str | click.Command, str]]
"""Commands by name, in the order of the help: the command or where it is, and its line in the help of the group.

Where it is: module and attribute, which is the command, or a function that makes the command of a name.
"""


class LazyGroup(click.Group):
    """A group that imports each command when it is called, and suggests a name for one that was mistyped."""

    def __init__(self, *args: Any, sections: Mapping[str, CommandEntries], **kwargs: Any) -> None:
        """Create the group; other arguments are Click's.

        Args:
            args: as Click has them.
            sections: the commands by the heading above them in the help.
            kwargs: as Click has them.
        """
        super().__init__(*args, **kwargs)
        self.sections = sections
        self.entries: CommandEntries = {name: entry for each in sections.values() for name, entry in each.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # Click's signature
        """Return the names in the order of the help."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 # as above
        """Return the command of a name, imported now; None if there is none."""
        if cmd_name not in self.entries:
            return None
        command, _ = self.entries[cmd_name]
        if isinstance(command, str):
            module, _, name = command.partition(":")
            found = getattr(importlib.import_module(module), name)
            command = found if isinstance(found, click.Command) else found(cmd_name)
            assert isinstance(command, click.Command)
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
