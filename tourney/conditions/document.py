"""The conditions of contest of an event, written from the event file that the program itself obeys.

Every figure comes from the checked file (`context`), every sentence from `templates/sections`. These are written with
the macros of `templates/macros.md` or `templates/macros.html`, so that both forms say the same. What would spoil the
event is left out: passphrases, addresses of teams, the seed and the file of the boards. So is what concerns the
organiser's own machine alone: paths, commands, backups.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from tourney.conditions import wording
from tourney.conditions.context import EventContext, event_context, grouped
from tourney.conditions.stage_context import StageContext, format_part, tabulate_vp
from tourney.config import Durability, EventConfig
from tourney.config.command import reachable
from tourney.errors import ConfigError
from tourney.movement.knockout import EXTRA_TIMES
from tourney.plurals import count, listed, seconds
from tourney.protocol.access import CONNECTIONS_MAX, SEPARATOR
from tourney.protocol.session.rules import IRREGULARITIES_END, NETWORK_LINES
from tourney.protocol.wires import VERSIONS
from tourney.scoring.adjusted import AVERAGE_MINUS, AVERAGE_PLUS
from tourney.scoring.imps import IMPS_MAX
from tourney.scoring.victory_points import format_hundredths, format_vp

_MARKDOWN: Final = re.compile(r"([\\`*_\[\]<>|&~#$])")
"""Characters that Markdown, or a dialect of it, may take for markup."""

_LIST_SIGN: Final = re.compile(r"^(\d*)([-+.)])(?= )")
"""The start of an item that would begin another list."""


@dataclass(frozen=True, slots=True)
class ConditionsSection:
    """A section of the document: its title, the template of its text, and the stage that it is about, if any."""

    title: str
    template: str
    stage: StageContext | None = None
    is_compared: bool = False
    """Whether it is about boards that several tables play, which there are none of in a game at one table."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions of contest, section by section."""

    event: EventContext
    sections: tuple[ConditionsSection, ...]
    durability: Durability
    """What the record survives, at its weakest."""


def conditions_of(
    config: EventConfig, commitment: str | None = None, durability: Durability | None = None
) -> Conditions:
    """Return the conditions of contest for an event file.

    If the event has only one stage, text about it is in the section of its subject; otherwise each stage has its own
    section.

    Args:
        config: the event file.
        commitment: the hash that seals the boards, if they are sealed (`tourney.formats.seal`).
        durability: what the record survives, at its weakest; None for what the event file says.

    Raises:
        ConfigError: the event is a lobby.
    """
    if config.lobby is not None:
        raise ConfigError("a lobby has no conditions of contest: its players make their games themselves")
    event = event_context(config, commitment)
    first = [ConditionsSection("Format", "stages")]
    first += [ConditionsSection(f"Stage {stage.number}: {stage.name}", "stage", stage) for stage in event.stages]
    if event.only is not None:
        first = [ConditionsSection("Format", "format", event.only)]
    rest = [
        section
        for section in _SECTIONS
        if not section.is_compared or len(event.stages_of("games")) < len(event.stages)
    ]
    if event.stages_of("games"):
        place = next(index for index, section in enumerate(rest) if section.template == "deals") + 1
        rest.insert(place, ConditionsSection(event.games, "games"))
    return Conditions(event, (*first, *rest), durability or config.record.durability)


_SECTIONS: Final = (
    ConditionsSection("Times of the rounds", "times"),
    ConditionsSection("Boards and seating", "boards"),
    ConditionsSection("Deals", "deals"),
    ConditionsSection("Scoring", "scoring", is_compared=True),
    ConditionsSection("Forfeits, adjusted scores and fines", "forfeits", is_compared=True),
    ConditionsSection("Standings", "standings"),
    ConditionsSection("Time", "thinking_time"),
    ConditionsSection("Irregularities", "irregularities"),
    ConditionsSection("Leaving and coming back", "rejoining"),
    ConditionsSection("Claims and alerts", "claims_and_alerts"),
    ConditionsSection("Programs and connections", "connections"),
    ConditionsSection("What the programs are sent", "wire"),
    ConditionsSection("Failures on the organiser's side", "failures"),
    ConditionsSection("Results and record", "record"),
)
"""The sections after the format."""


def format_markdown(conditions: Conditions) -> str:
    """Formats the conditions as Markdown with tables."""
    text = _environment("md").get_template("conditions.md").render(vars_of(conditions))
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def format_html(conditions: Conditions) -> Markup:
    """Formats what is below the title, as part of an HTML page."""
    text = _environment("html").get_template("conditions.html").render(vars_of(conditions))
    return Markup(re.sub(r"\n\s*\n", "\n", text))  # noqa: S704 # the template escapes what it is given


def vars_of(conditions: Conditions) -> dict[str, Any]:
    """Return the variables of a template by name."""
    event = conditions.event
    return {
        "event": event,
        "entrant": event.entrant,
        "config": event.config,
        "clock": event.config.clock,
        "rules": event.config.rules,
        "tables": event.config.tables,
        "web": event.config.web,
        "sections": conditions.sections,
        "durability": conditions.durability.value,
    }


@cache
def _environment(form: str) -> Environment:
    """Return the template environment for Markdown (`md`) or HTML (`html`), with values escaped accordingly."""
    environment = Environment(
        loader=PackageLoader("tourney.conditions"),
        autoescape=True,
        finalize=_escape_markdown if form == "md" else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "count": count,
        "times": wording.times,
        "seconds": seconds,
        "milliseconds": wording.milliseconds,
        "listed": listed,
        "ordinal": wording.ordinal,
        "quoted": wording.quoted,
        "vp": format_vp,
        "hundredths": format_hundredths,
        "grouped": grouped,
        "tabulated": tabulate_vp,
        "decimal": wording.decimal,
        "part": format_part,
        "reachable": reachable,
        "one_line": _one_line,
        "code_span": _code_span,
        "list_item": _list_item,
    }
    environment.globals |= {
        "AVERAGE_MINUS": AVERAGE_MINUS,
        "AVERAGE_PLUS": AVERAGE_PLUS,
        "CONNECTIONS_MAX": CONNECTIONS_MAX,
        "EXTRA_TIMES": EXTRA_TIMES,
        "IMPS_MAX": IMPS_MAX,
        "IRREGULARITIES_END": IRREGULARITIES_END,
        "NETWORK_LINES": NETWORK_LINES,
        "PHRASE_SEPARATOR": SEPARATOR,
        "VERSIONS": VERSIONS,
    }
    environment.globals["doc"] = environment.get_template(f"macros.{form}").module
    return environment


def _escape_markdown(value: Any) -> Any:
    """Escape a value of a template; markup stays as it is."""
    return value if hasattr(value, "__html__") else Markup(_MARKDOWN.sub(r"\\\1", str(value)))  # noqa: S704 # no HTML


def _one_line(text: Markup) -> Markup:
    """Join text that is wrapped in its template into one line."""
    return Markup(" ".join(text.split()))  # noqa: S704 # already markup


def _code_span(text: str) -> Markup:
    """Format Markdown code, in which nothing is escaped; its fence is longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    return Markup(f"{fence} {text} {fence}" if longest else f"{fence}{text}{fence}")  # noqa: S704 # no HTML


def _list_item(text: Markup) -> Markup:
    """Format text as an item of a Markdown list, escaped so that it never begins another list."""
    return Markup(_LIST_SIGN.sub(r"\1\\\2", text))  # noqa: S704 # no HTML
