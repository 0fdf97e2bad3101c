"""The director's commands, made from the actions: an argument or option for each field, and what comes of it."""

import getpass
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli._common import Function, event_argument, flag_option, open_event, print_note
from tourney.cli._groups import CommandEntries, LazyGroup
from tourney.cli._output import Printer
from tourney.coordinator.director import RulingBasis
from tourney.director.action import ActionPreview, DirectorAction, Reason, one_line
from tourney.director.actions import ACTIONS
from tourney.director.parameters import AUTHOR_MAX, ActionField, action_fields
from tourney.director.results import Finalise
from tourney.director.users import PhraseAction
from tourney.errors import UsageError
from tourney.runtime import clock
from tourney.store.users import check_phrase, hash_user_phrase, load_users

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent

SUMMARY_CHARS: Final = 60
"""How long the first sentence of an action's docstring may be, which stands in the list of commands."""

PHRASE_CHARS_READ_MAX: Final = 10_000
"""More is not read where a passphrase is piped in."""


DIRECTOR_VARIABLE: Final = "TOURNEY_DIRECTOR"
"""The environment variable with the name of who gives orders and rulings; without it, the login name counts."""

_reason_option: Final = click.option(
    "--reason", required=True, metavar="TEXT", help="Why, in one sentence; kept on record."
)
_law_option: Final = click.option(
    "--law", metavar="TEXT", help="The law or condition applied; by default the usual one."
)
_yes_option: Final = flag_option("--yes", "is_sure", help="Do it without asking, as in a script.")


def _action_command(action: type[DirectorAction]) -> click.Command:
    """Return the command that has an action done; its help is the docstring of the action."""
    offer = action.offer

    def run(
        event_path: Path,
        reason: str | None = None,
        law: str | None = None,
        *,
        is_sure: bool = False,
        **given: Any,  # what the fields of the action are given
    ) -> None:
        asked = {
            field.name: field.convert(value) if isinstance(value := given[field.name], str) else value
            for field in _asked_fields(action)
        }
        act(event_path, action(**asked), basis_of(reason, law), is_sure=is_sure)

    takes_reason = offer.reason in (Reason.RECORD, Reason.PUBLIC)
    options: list[Callable[[Any], Any]] = [
        event_argument,
        asks_for(action),
        *([_reason_option] if takes_reason else []),
        *([_law_option] if offer.has_law else []),
        *([_yes_option] if offer.asks_first else []),
    ]
    for option in reversed(options):
        run = option(run)
    return click.command(offer.command.rpartition(" ")[2], cls=_ActionCommand, help=action.__doc__)(run)


def act(event_path: Path, action: DirectorAction, basis: RulingBasis, *, is_sure: bool = False) -> None:
    """Have an action done, once it is confirmed where it has a cost; print what came of it."""
    rankings: list[str] = []
    with open_event(event_path) as drawn:
        if action.offer.asks_first:
            meant = action.fixed(drawn)
            preview = meant.preview(drawn)
            if preview.cost:
                is_meant = is_sure or not preview.question
                ask_first(f"{preview.cost}{action.offer.instead}", preview.question, is_sure=is_meant)
            if not is_sure:
                action = meant  # what was said is what is done
            rankings = list(_describe_pairs(drawn, action, preview))
        _carry_out(drawn, action, basis)
        for line in rankings:
            click.echo(line)


class _ActionCommand(click.Command):
    """A command among whose arguments a number below 0 is no option: the action says what numbers it takes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments."""
        ctx.ignore_unknown_options = any(arg[:1] == "-" and arg[1:2].isdigit() for arg in args)
        return super().parse_args(ctx, args)


def asks_for(action: type[DirectorAction]) -> Callable[[Function], Function]:
    """Add an argument or an option for each field of an action that commands ask for."""

    def add(function: Function) -> Function:
        for field in reversed(_asked_fields(action)):
            function = _parameter(field)(function)
        return function

    return add


def _asked_fields(action: type[DirectorAction]) -> list[ActionField]:
    return [field for field in action_fields(action) if field.parameter.argument or field.parameter.option]


def _parameter(field: ActionField) -> Callable[[Function], Function]:
    """Return the argument or option of a field."""
    parameter = field.parameter
    type_ = int if field.type is int and parameter.convert is None else str
    if parameter.argument:
        is_required = not parameter.argument.startswith("[")
        nargs = -1 if field.is_tuple else 1
        return click.argument(field.name, metavar=parameter.argument, type=type_, required=is_required, nargs=nargs)
    if field.type is bool:
        return flag_option(parameter.option, field.name, help=parameter.help)
    return click.option(
        parameter.option,
        field.name,
        metavar=parameter.metavar,
        type=type_,
        multiple=field.is_tuple,
        required=field.is_required,
        help=parameter.help,
    )


def basis_of(reason: str | None, law: str | None = None) -> RulingBasis:
    """Return the basis of an action: its author, its reason and law as options gave them, and the time.

    Raises:
        UsageError: the author, the reason or the law is empty, too long or cannot be printed.
    """
    author = author_name()
    by_law = one_line(law, "--law", AUTHOR_MAX) if law is not None else None
    why = one_line(reason, "--reason") if reason is not None else ""
    return RulingBasis(author, why, by_law, clock.wall_ms(), secrets.token_hex(16))


def author_name() -> str:
    """Return the author of an order: the name in the environment, else the login name.

    Raises:
        UsageError: there is no login name, or the name is too long or cannot be printed.
    """
    name = os.environ.get(DIRECTOR_VARIABLE)
    if name is None:
        try:
            name = getpass.getuser()
        except (KeyError, ImportError, OSError):
            raise UsageError(
                f"this user has no login name: set {DIRECTOR_VARIABLE} to the name of who asks"
            ) from None
    return one_line(name, DIRECTOR_VARIABLE, AUTHOR_MAX)


def _carry_out(drawn: "DrawnEvent", action: DirectorAction, basis: RulingBasis) -> None:
    """Carry out an action, with the passphrase that it takes, and print what came of it."""
    if isinstance(action, PhraseAction):
        action.preview(drawn)  # refused before a phrase is asked for
        action = replace(action, phrase_hash=hash_user_phrase(_ask_phrase(action.login)))
    for line in action.carry_out(drawn, basis):
        click.echo(line)


def _describe_pairs(drawn: "DrawnEvent", action: DirectorAction, preview: ActionPreview) -> Iterator[str]:
    """Describe what becomes of the pairs that a ruling is on, whose matches have no score of their own."""
    from tourney.views.ranking import load_ranking_changes

    matches = [match for match in action.matches(drawn) if match.compared_scale is None]
    entrants = {entrant for match in matches for entrant in match.entrants}
    for ranking in load_ranking_changes(drawn, preview.change) if matches and preview.change is not None else ():
        for line in ranking.lines:
            if line.team in entrants:
                now, then = (
                    f"{each.figure} {ranking.heading}, rank {each.rank}" for each in (line.before, line.after)
                )
                yield f"{line.team}: {then}; before, {now}"


def _ask_phrase(login: str) -> str:
    """Ask for a passphrase twice at a terminal; elsewhere read a line."""
    if is_terminal():
        phrase = click.prompt(f"Passphrase of {login}", hide_input=True, confirmation_prompt="Once more", err=True)
    else:
        phrase = sys.stdin.readline(PHRASE_CHARS_READ_MAX).rstrip("\r\n")
        if not phrase:
            raise UsageError("there is no terminal to ask for the passphrase, and no line on standard input")
    return check_phrase(phrase, login)


def is_terminal() -> bool:
    """Return whether there is a terminal on which to ask."""
    return sys.stdin.isatty()


def ask_first(cost: str, question: str, *, is_sure: bool) -> None:
    """Say what an order costs, and ask on a terminal whether it is meant; with `is_sure` it is.

    Raises:
        UsageError: there is no terminal on which to ask.
        click.Abort: it is not meant.
    """
    print_note(cost)
    if is_sure:
        return
    if not is_terminal():
        raise UsageError("nothing was done: there is no terminal on which to ask; `--yes` confirms it")
    click.confirm(question, abort=True, err=True)


# Commands that do more than have an action done


RESULTS: Final = {"final": "finalise", "provisional": "reopen", "published": "publish"}
"""What the results of an event can be made, with the action that does it."""


@click.command("results")
@event_argument
@click.argument("state", type=click.Choice(list(RESULTS)))
@asks_for(Finalise)
@click.option("--reason", metavar="TEXT", help="Why, in one sentence; only `final` can do without.")
def results_command(event_path: Path, state: str, is_abandoned: bool, reason: str | None) -> None:
    """Make the results of an event final, or provisional again; or publish rounds that are frozen.

    EVENT is the path of an event file. Results are provisional until they are made final, for which every match must
    have its score. After that no ruling is possible until they are provisional again.

    An event that will not be played to its end is made final by --abandoned with a reason. `tourney run` then plays
    nothing more of it, and other events with the same deals no longer keep their boards secret on its account.

    `[web] freeze_rounds` keeps the last rounds from live pages until the results are final. They can be published
    before that, which cannot be taken back.

    \b
        tourney results club.toml final
        tourney results club.toml provisional --reason "an appeal was upheld"
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    if is_abandoned and state != "final":
        raise UsageError(f"--abandoned goes with final, got {state}")
    if reason is None and (is_abandoned or state != "final"):
        raise UsageError(f"{'--abandoned' if is_abandoned else state} needs a --reason")
    basis = basis_of(reason if reason is not None else "all matches are over")
    act(event_path, Finalise(is_abandoned) if state == "final" else ACTIONS[RESULTS[state]](), basis)


@click.command("list")
@event_argument
def list_command(event_path: Path) -> None:
    """List the users of the director's console.

    EVENT is the path of an event file.
    """
    from tourney.output.content import Instant
    from tourney.output.rows import NOTHING, Cell
    from tourney.output.tables import make_table

    with open_event(event_path) as drawn:
        users = load_users(*drawn.record)
    if not users:
        click.echo("no users: `tourney user add EVENT NAME ROLE` makes one, and with it the console")
        return
    columns = [
        Cell("User", lambda user: user.name),
        Cell("Role", lambda user: user.role.value),
        Cell("Team", lambda user: user.team or NOTHING),
        Cell("Since", lambda user: Instant(user.created_at_ms, drawn.zone)),
    ]
    Printer().print(make_table(columns, users))


def _sections(group: str, *others: click.Command) -> dict[str, CommandEntries]:
    """Return the commands of the actions whose command is in a group, and others."""
    actions = [each for each in ACTIONS.values() if each.offer.command.startswith(f"{group} ")]
    commands = [*map(_action_command, actions), *others]
    return {"Commands": {str(each.name): (each, each.get_short_help_str(SUMMARY_CHARS)) for each in commands}}


@click.group("table", cls=LazyGroup, sections=_sections("table"))
def table_group() -> None:
    """Give orders to tables that are in play; each is on record with its author and time.

    Tables act on an order within a second, even on other machines. `tourney status` shows what tables wait for,
    `tourney watch` follows one. Scores are changed by `tourney rule`. The author is the name in the
    environment variable TOURNEY_DIRECTOR, or else your login name.
    """


@click.group("rule", cls=LazyGroup, sections=_sections("rule"))
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule withdraw` takes a ruling
    back; nothing is ever deleted. The author is the name in the environment variable TOURNEY_DIRECTOR, or else your
    login name.
    """


@click.group("user", cls=LazyGroup, sections=_sections("user", list_command))
def user_group() -> None:
    """Manage the users of the director's console; whatever is changed, the sessions of the user end.

    `tourney serve` has a console once it has a user. A passphrase is asked for at a terminal, or read from the first
    line of standard input. Never give one on a command line: every program of the machine can read it.
    """
