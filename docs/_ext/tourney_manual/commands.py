"""The command line reference, derived from the Click commands themselves."""

import inspect
import re
from collections.abc import Iterator
from typing import Final

import click

from tourney.cli._ranges import FloatRange, IntRange, describe_range
from tourney.cli.main import cli
from tourney_manual.markdown import as_item, escape_markdown

_METAVARS: Final[dict[type, str]] = {
    IntRange: "N",
    FloatRange: "X",
    click.Path: "PATH",
    click.File: "FILE",
}
"""What stands for a value whose option names none."""

_RANGE_SHOWN_MAX: Final = 10**9
"""Limits beyond this are those of the machine, and tell a reader nothing."""


def walk_commands(
    command: click.Command = cli, words: tuple[str, ...] = ("tourney",)
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with its words, such as `("tourney", "rule", "adjust")`, groups before what is in them."""
    yield words, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from walk_commands(below, (*words, name))


def render_commands() -> str:
    """A section for each command: usage, help, options. Subcommands have headings below their group's."""
    return "\n".join(_render(words, command) for words, command in walk_commands() if len(words) > 1)


def _render(words: tuple[str, ...], command: click.Command) -> str:
    context = click.Context(command, info_name=" ".join(words), **cli.context_settings)  # Click keeps the help option
    usage = " ".join([*words, *command.collect_usage_pieces(context)])
    lines = [
        f"{'#' * len(words)} `{' '.join(words)}`",
        "",
        "```text",
        usage,
        "```",
        "",
        render_help(command.help or ""),
        "",
    ]
    options = [param for param in command.params if isinstance(param, click.Option)]
    lines += [as_item(_option_term(option, context), describe_option(option)) for option in options]
    return "\n".join([*lines, ""])


def _option_term(option: click.Option, context: click.Context) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    return f"`{names}`" if option.is_flag else f"`{names} {_metavar(option, context)}`"


def _metavar(option: click.Option, context: click.Context) -> str:
    if option.metavar is None:
        if isinstance(option.type, click.Choice):
            return option.opts[-1].lstrip("-").upper()
        for kind, metavar in _METAVARS.items():
            if isinstance(option.type, kind):
                return metavar
    return option.make_metavar(context)


def describe_option(option: click.Option) -> str:
    """The option's help in Markdown, followed by what its declaration says of values, default and repetition."""
    sentences = [escape_markdown(option.help or "")]
    if isinstance(option.type, click.Choice):
        sentences.append(f"One of {', '.join(f'`{choice}`' for choice in option.type.choices)}.")
    if isinstance(option.type, IntRange | FloatRange):
        sentences.append(_range_sentence(option.type))
    if option.show_default and option.default not in (None, False, ()):
        sentences.append(f"Default: `{option.default}`.")
    if option.multiple:
        sentences.append("May be given more than once.")
    if option.required:
        sentences.append("Required.")
    return " ".join(filter(None, sentences))


def _range_sentence(kind: IntRange | FloatRange) -> str:
    if max(abs(kind.min or 0), abs(kind.max or 0)) > _RANGE_SHOWN_MAX:
        return ""
    return f"{describe_range(kind)}."


def render_help(text: str) -> str:
    """Click's help text as Markdown: paragraphs that Click keeps line by line become literal blocks."""
    out = []
    for paragraph in re.split(r"\n{2,}", inspect.cleandoc(text)):
        lines = paragraph.split("\n")
        if lines[0].strip() == "\b":
            out += ["```text", *inspect.cleandoc("\n".join(lines[1:])).split("\n"), "```", ""]
        elif all(line.startswith("    ") for line in lines):
            out += ["```text", *(line[4:] for line in lines), "```", ""]
        else:
            out += [escape_markdown(" ".join(line.strip() for line in lines)), ""]
    return "\n".join(out).rstrip()
