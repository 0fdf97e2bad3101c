"""The command line reference, derived from the Click commands themselves, and shorter than their `--help`."""

import inspect
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
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

_SHARED_MIN: Final = 4
"""An option that as many commands have, in the same words, is described once for all of them."""

_SENTENCES_MAX: Final = 2
"""How much of a help text the page has; `--help` has the rest."""

_SENTENCE_END: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z`0-9])")
_ABOUT_ARGUMENTS: Final = re.compile(r"EVENT is the path of an event file\b|Exit status\b")
"""Sentences that the top of the page has for all commands."""

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
    """The shared options, then a section for each command. Subcommands have headings below their group's."""
    sections = [_render(words, command) for words, command in walk_commands() if len(words) > 1]
    return "\n".join([_render_shared(), *sections])


def _render_shared() -> str:
    return "\n".join(
        ["## Options of many commands", "", *(as_item(*option) for option in sorted(_shared_options())), ""]
    )


@cache
def _shared_options() -> frozenset[tuple[str, str]]:
    """The term and the description of each option that is described once for all commands."""
    found = Counter(
        _describe(option, click.Context(command)) for _, command in walk_commands() for option in _options(command)
    )
    return frozenset(option for option, count in found.items() if count >= _SHARED_MIN)


def _render(words: tuple[str, ...], command: click.Command) -> str:
    context = click.Context(command, info_name=" ".join(words), **cli.context_settings)  # Click keeps the help option
    usage = " ".join([*words, *command.collect_usage_pieces(context)])
    name = " ".join(words)
    lines = [f"{'#' * len(words)} `{name}`", ""]
    if not isinstance(command, click.Group):
        lines += [f"`{usage.replace(' [OPTIONS]', '')}`", ""]
    lines += [escape_markdown(summarise(command.help or "")), ""]
    described = [_describe(option, context) for option in _options(command)]
    lines += [as_item(*option) for option in described if option not in _shared_options()]
    if shared := [term for term, text in described if (term, text) in _shared_options()]:
        lines += [f"- Also {', '.join(shared)}."]
    return "\n".join([*lines, ""])


def _options(command: click.Command) -> list[click.Option]:
    return [param for param in command.params if isinstance(param, click.Option)]


def _describe(option: click.Option, context: click.Context) -> tuple[str, str]:
    return _option_term(option, context), describe_option(option)


def summarise(text: str) -> str:
    """The first sentences of a help text, without its examples and without what holds for all commands."""
    paragraphs = re.split(r"\n{2,}", inspect.cleandoc(text))
    prose = [" ".join(each.split()) for each in paragraphs if not each.startswith((" ", "\b"))]
    sentences = [sentence for each in prose for sentence in _SENTENCE_END.split(each)]
    kept = (sentence for sentence in sentences if not _ABOUT_ARGUMENTS.match(sentence))
    return " ".join(islice(kept, _SENTENCES_MAX))


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
    sentences = [escape_markdown(summarise(option.help or ""))]
    if isinstance(option.type, click.Choice):
        sentences.append(f"One of {', '.join(f'`{choice}`' for choice in option.type.choices)}.")
    if isinstance(option.type, IntRange | FloatRange):
        sentences.append(_range_sentence(option.type, sentences[0]))
    if option.show_default and option.default not in (None, False, True, ()):
        sentences.append(f"Default: `{option.default}`.")
    if option.multiple and "repeated" not in sentences[0]:
        sentences.append("May be given more than once.")
    if option.required:
        sentences.append("Required.")
    return " ".join(filter(None, sentences))


def _range_sentence(kind: IntRange | FloatRange, said: str) -> str:
    if max(abs(kind.min or 0), abs(kind.max or 0)) > _RANGE_SHOWN_MAX:
        return ""
    return "" if describe_range(kind) in said else f"{describe_range(kind)}."
