"""The conditions of contest of an event, written from the event file that the machine itself obeys.

Every figure comes from the checked file. What would spoil the event is left out: pass phrases, addresses of teams,
the seed and the file of the boards. So is what concerns the organiser's own machine alone: paths, commands, backups.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from tourney.conditions.event import event_sections
from tourney.conditions.play import play_sections
from tourney.conditions.text import CODE_BEGINS, CODE_ENDS, Section, clean
from tourney.config import EventConfig

_CODE: Final = re.compile(f"{CODE_BEGINS}([^{CODE_ENDS}]*){CODE_ENDS}")
_MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>|&~#$])")
"""What Markdown, or a dialect of it, may take for a sign of its own."""


_MARKDOWN_FIRST: Final = re.compile(r"^(\d*)([-+.)])(?= )")
"""The same at the beginning of an item: the sign of another list."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The whole document."""

    event: str
    sections: tuple[Section, ...]


def conditions_of(config: EventConfig, commitment: str | None = None) -> Conditions:
    """The conditions of the event of this file.

    Args:
        config: the event file.
        commitment: the hash that the boards are sealed with, when they are (`tourney.formats.seal`).
    """
    sections = (*event_sections(config, commitment), *play_sections(config))
    return Conditions(clean(config.event.name), sections)


def format_markdown(conditions: Conditions) -> str:
    """As Markdown with tables."""
    return _templates().get_template("coc.md").render(conditions=conditions)


def format_html(conditions: Conditions) -> str:
    """As one HTML page that needs nothing else: no script, no other file; it prints well."""
    return _templates().get_template("coc.html").render(conditions=conditions)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=PackageLoader("tourney.conditions"),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"markdown": _to_markdown, "html": _to_html}
    return environment


def _to_markdown(text: str) -> str:
    parts = _CODE.split(text)  # plain text and code by turns
    whole = "".join(_code_span(part) if i % 2 else _MARKDOWN.sub(r"\\\1", part) for i, part in enumerate(parts))
    return _MARKDOWN_FIRST.sub(r"\1\\\2", whole)


def _code_span(text: str) -> str:
    """Nothing is escaped in it; its fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}"


def _to_html(text: str) -> Markup:
    parts = _CODE.split(text)
    return Markup("").join(Markup("<code>{}</code>").format(p) if i % 2 else escape(p) for i, p in enumerate(parts))
