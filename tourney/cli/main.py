"""The command `tourney`: its subcommands and exit statuses.

Exit status: 0 done, 1 refused, 2 usage, 70 a bug in tourney (with a traceback), 75 to be done again, 130 stopped with
Ctrl-C. The module of a command is imported when the command is used, and imports the rest when it runs, so that
`tourney --help` is quick.
"""

import gc
import sys
import traceback
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import click

from tourney import __version__
from tourney.cli._common import EXIT_BUG, EXIT_INTERRUPTED, print_note, terminate_at
from tourney.cli._groups import CommandEntries, LazyGroup
from tourney.errors import PlayerError, TourneyError
from tourney.suggestions import close_names, suggest_all
from tourney.terminal import shown_streams
from tourney.views.registry import REPORTS


def _parse_commands(text: str) -> Iterator[tuple[str, CommandEntries]]:
    for section in text.strip().split("\n\n"):
        title, *lines = section.splitlines()
        rows = (line.split(maxsplit=2) for line in lines)
        yield (
            title,
            {
                name: (f"tourney.cli.{place}", summary[0] if summary else REPORTS[name].summary)
                for name, place, *summary in rows
            },
        )


COMMAND_GROUPS: Final = dict(
    _parse_commands(
        """
Every day
    init          files:init_command            Write an event file, ready to run with bots of our own.
    check         files:check_command           Check an event file and what it names, and summarise it.
    schedule      reports:schedule_command      Show the matches of an event; draw it if need be.
    run           run:run_command               Play an event until every match has a result.
    serve         serve:serve_command           Serve live pages of an event for browsers.
    status        reports:status_command        Show the state of a running event.
    standings     reports:report_command
    match         reports:report_command
    export        export:export_command         Write the record, or the conditions of contest, as files.

Organisers
    demo          demo:demo_command             Play a small event of four teams from start to finish.
    invite        invite:invite_command         Print what a team has to know, or a link for it.
    team-key      team_key:team_key_command     Make or revoke the key of a team that plays remotely.
    results       director:results_command      Make results final, provisional again, or public.
    lobby         lobby:lobby_command           Keep a port open where players make their own games.
    verify        verify:verify_command         Check that the record is complete and unchanged.
    analyse       reports:analyse_command       Solve finished boards double dummy.

Players and spectators
    play          play:play_command             Play bridge yourself, in a terminal.
    watch         watch:watch_command           Follow a table call by call and card by card.

Reports and scoring
    crosstable    reports:report_command
    rounds        reports:report_command
    boards        reports:report_command
    pair          reports:report_command
    swings        reports:report_command
    butler        reports:report_command
    opening-leads reports:report_command
    times         reports:report_command
    rulings       reports:report_command
    vp            vp:vp_command                 Print the victory points of a margin, or a whole scale.
    score         score:score_command           Score a match from a PBN or LIN file, and check it.

Authors of programs
    bot           bot:bot_command               Play at a table with the player that ships with tourney.
    new-player    new_player:new_player_command Make a bridge program to begin with.
    connect       connect:connect_command       Connect programs here to the tables of an event.
    check-bot     check_bot:check_bot_command   Test whether a program speaks the protocol.
    duel          duel:duel_command             Find out which of two programs is better.
    merge         merge:merge_command           Make one record of the shares of a duel.

Groups of commands, each with its own help
    table         director:table_group          Orders: pause, resume, extend, stop, kick, ...
    rule          director:rule_group           Rulings on scores: adjust, cancel, penalty, withdraw, ...
    user          director:user_group           Users of the console: add, role, passphrase, remove, ...
    deals         groups:deals_group            Boards: make, solve, seal, open, check.
    lab           groups:lab_group              Strength of programs: league, strength, card.
    cluster       groups:cluster_group          More machines: keys, scheduler, worker, drain.
    db            groups:db_group               The database: backup, restore.
"""
    )
)
"""The commands under the headings of `--help`: what is needed every day first, what few need in groups last."""

COMMANDS: Final = {name: entry for group in COMMAND_GROUPS.values() for name, entry in group.items()}


class _Misused(click.ClickException):
    exit_code = 2


class RefusingGroup(click.Group):
    """Turns an error that the user can correct into one sentence and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:  # what Click declares
        """Run the command; an error of ours gets its exit status."""
        try:
            return super().invoke(ctx)
        except TourneyError as error:
            if isinstance(error, PlayerError):
                click.echo(error.traceback, nl=False, err=True)
            refusal = _Misused if error.exit_status == _Misused.exit_code else click.ClickException
            raise refusal(str(error)) from error


class MainGroup(LazyGroup, RefusingGroup):
    """All commands."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # Click's signature
        """Run a command line; no character that a terminal would act on gets out, whoever wrote it."""
        with shown_streams():
            return super().main(*args, **kwargs)

    def suggest_command(self, ctx: click.Context, name: str) -> str:
        """Suggest commands, also those of groups: `adjust` is `rule adjust`."""
        known: dict[str, str] = {}
        for group_name, (place, _) in COMMANDS.items():
            group = self.get_command(ctx, group_name) if str(place).endswith("_group") else None
            if isinstance(group, click.Group):
                known |= {member: f"{group_name} {member}" for member in group.list_commands(ctx)}
        known |= {each: each for each in COMMANDS}
        close = [name] if name in known else close_names(name, known)
        return suggest_all(dict.fromkeys(known[each] for each in close))


_SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "color": True,  # Click would take sequences out of what a pipe gets, and so hide that they were there
}


@click.group(cls=MainGroup, sections=COMMAND_GROUPS, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="tourney")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    metavar="TIME",
    help="End the command at this local time, such as 2026-11-29T17:45, as SIGTERM does.",
)
def cli(until: datetime | None) -> None:
    """Run tournaments of computer bridge: draw, play over TCP, score, rank, export.

    Start with `tourney init my-event.toml`, or see everything at once with `tourney demo`.
    """
    if until is not None:
        terminate_at(until)


GARBAGE_AFTER: Final = 50_000
"""How many new objects Python allocates before it looks for garbage among them, instead of 700.

The objects that a command creates at its start are modules, classes and functions, which stay; looking at them again
and again takes a tenth of the time of a short command. This many objects take ten megabytes at most.
"""


def main(group: click.Command = cli) -> None:
    """Run a command line, and exit with its status."""
    gc.set_threshold(GARBAGE_AFTER)
    with shown_streams():
        try:
            status = group.main(standalone_mode=False)
            sys.exit(status if isinstance(status, int) else 0)
        except click.Abort:
            print_note("stopped")
            sys.exit(EXIT_INTERRUPTED)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except BrokenPipeError:
            # The reader of our output has gone, as with `| head`: there is nobody to tell.
            sys.stderr.close()
            sys.exit(1)
        except Exception:  # noqa: BLE001 # the outermost level: a bug is shown with its traceback and its own exit status
            traceback.print_exc()
            sys.exit(EXIT_BUG)
        finally:
            gc.freeze()  # the process ends: collecting garbage would take a fifth of the time of a short command
