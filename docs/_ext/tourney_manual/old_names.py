"""The page of old names, derived from the table of the commands and from the options themselves."""

import click

from tourney.cli._names import OLD_COMMANDS, OptionWithOldNames
from tourney_manual.commands import walk_commands


def render_old_names() -> str:
    """Two tables: old names of commands, and old names of options by command."""
    lines = ["## Commands", "", "| old name | name |", "| --- | --- |"]
    lines += [f"| `tourney {old}` | `tourney {new}` |" for old, new in OLD_COMMANDS.items()]
    lines += ["", "## Options", "", "| command | old name | name |", "| --- | --- | --- |"]
    for words, command in walk_commands():
        for option in command.params:
            for old in _old_names(option):
                lines.append(f"| `{' '.join(words)}` | `{old}` | `{option.opts[0]}` |")
    return "\n".join(lines)


def _old_names(option: click.Parameter) -> tuple[str, ...]:
    return option.old_names if isinstance(option, OptionWithOldNames) else ()
