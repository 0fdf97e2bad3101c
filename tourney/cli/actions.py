"""The commands of the director, made from the actions: an argument or option for each field, and what comes of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.orders import ask_first, by_option, grounds_of, no_wait_option, yes_option
from tourney.director.action import DirectorAction
from tourney.director.offer import Reason
from tourney.director.parameters import ActionField, action_fields

REASON_OPTION: Final = click.option(
    "--reason", required=True, metavar="TEXT", help="Why, in one sentence; kept on record."
)
_LAW_OPTION: Final = click.option(
    "--law", metavar="TEXT", help="The law or condition applied; by default the usual one."
)


def action_command(action: type[DirectorAction], name: str) -> click.Command:
    """Return the command that has an action done.

    Its help is the docstring of the action; one that does not say what EVENT is gets the sentence.
    """
    fields = [field for field in action_fields(action) if field.parameter.argument or field.parameter.option]
    offer = action.offer

    def run(
        event_path: Path,
        author: str | None,
        reason: str | None = None,
        law: str | None = None,
        *,
        no_wait: bool = False,
        is_sure: bool = False,
        **given: Any,  # what the fields of the action are given
    ) -> None:
        values = {field.name: _convert(field, given[field.name]) for field in fields}
        made = action(**values, **({"waits": False} if no_wait else {}))
        basis = grounds_of(reason, author, law)
        with open_event(event_path) as drawn:
            if offer.asks_first:
                meant = made.fixed(drawn)
                preview = meant.preview(drawn)
                if preview.cost:
                    ask_first(f"{preview.cost}{offer.instead}", preview.question, is_sure=is_sure)
                if not is_sure:
                    made = meant  # what was said is what is done
            for line in made.carry_out(drawn, basis):
                click.echo(line)

    takes_reason = offer.reason in (Reason.RECORD, Reason.PUBLIC)
    options: list[Callable[[Any], Any]] = [
        event_argument,
        *map(_parameter, fields),
        *([REASON_OPTION] if takes_reason else []),
        *([_LAW_OPTION] if offer.has_law else []),
        *([yes_option] if offer.asks_first else []),
        by_option,
        *([no_wait_option] if offer.waits else []),
    ]
    for option in reversed(options):
        run = option(run)
    return click.command(name, help=action.__doc__)(run)


def _parameter(field: ActionField) -> Callable[[Any], Any]:
    """Return the argument or option of a field."""
    parameter, type_ = field.parameter, int if field.type is int else str
    if parameter.argument:
        is_required = not parameter.argument.startswith("[")
        nargs = -1 if field.is_tuple else 1
        return click.argument(field.name, metavar=parameter.argument, type=type_, required=is_required, nargs=nargs)
    if field.type is bool:
        return click.option(parameter.option, field.name, is_flag=True, help=parameter.help)
    return click.option(
        parameter.option,
        field.name,
        metavar=parameter.metavar,
        type=type_,
        multiple=field.is_tuple,
        required=field.is_tuple,
        help=parameter.help,
    )


def _convert(field: ActionField, value: Any) -> Any:
    convert = field.parameter.convert
    return convert(value) if convert is not None and value is not None else value
