"""The command `tourney`: its subcommands and exit statuses.

Exit status: 0 done, 1 refused, 2 usage, 70 a bug in tourney (with a traceback), 130 stopped with Ctrl-C. The module
of a command is imported when the command is used, and imports the rest when it runs, so that `tourney --help` is
quick.
"""

import gc
import importlib
import sys
import traceback
from typing import Any, Final

import click

from tourney import __version__
from tourney.cli._common import EXIT_BUG, EXIT_INTERRUPTED, OLD_NAMES, SuggestingGroup
from tourney.director.registry import ACTIONS
from tourney.errors import TourneyError
from tourney.report.registry import REPORTS
from tourney.terminal import shown_streams

_ACTION: Final = "tourney.cli.director:director_command"

COMMAND_GROUPS: Final = {
    "Organiser": {
        "init": ("tourney.cli.files:init_command", "Write an event file with every setting explained."),
        "check": ("tourney.cli.files:check_command", "Check an event file and what it names, and summarise it."),
        "schedule": ("tourney.cli.schedule:schedule_command", "Draw the event and show its matches."),
        "deal": ("tourney.cli.deal:deal_command", "Deal boards as a PBN file, or seal the boards of an event."),
        "conditions": ("tourney.cli.conditions:conditions_command", "Print the conditions of contest."),
        "invite": ("tourney.cli.invite:invite_command", "Print what the author of a team's programs has to know."),
        "run": ("tourney.cli.run:run_command", "Play an event until every match has a result."),
        "serve": ("tourney.cli.serve:serve_command", "Serve live pages of an event for browsers."),
        "user": ("tourney.cli.user:user_group", "Say who may use the director's console of the live pages."),
        "lobby": ("tourney.cli.lobby:lobby_command", "Keep a port open at which players make games of their own."),
        "scheduler": ("tourney.cli.cluster:scheduler_command", "Keep the scheduler of a cluster of machines."),
        "worker": ("tourney.cli.cluster:worker_command", "Give this machine to a cluster, to play tables on it."),
        "agent": ("tourney.cli.cluster:agent_command", "Have programs of teams started on this machine."),
        "demo": ("tourney.cli.demo:demo_command", "Play a small event of four teams from start to finish."),
    },
    "Director": {
        "status": ("tourney.cli.status:status_command", "Show the state of a running event."),
        "watch": ("tourney.cli.watch:watch_command", "Follow a table call by call and card by card."),
        **{name: (_ACTION, ACTIONS[name].summary) for name in ("pause", "resume", "stop", "kick")},
        "replay-board": (_ACTION, ACTIONS["replay"].summary),
        "alert": ("tourney.cli.director:alert_command", ACTIONS["alert"].summary),
        "rule": ("tourney.cli.rule:rule_group", "Rule on scores; every ruling is kept on record."),
        "finalise": ("tourney.cli.director:finalise_command", ACTIONS["finalise"].summary),
        "publish": (_ACTION, ACTIONS["publish"].summary),
    },
    "Reports and scoring": {
        **{name: ("tourney.cli.reports:report_command", entry.summary) for name, entry in REPORTS.items()},
        "vp": ("tourney.cli.vp:vp_command", "Print the victory points of a margin, or a whole scale."),
        "score": ("tourney.cli.score:score_command", "Score a match from a PBN or LIN file, and check it."),
    },
    "Players": {
        "play": ("tourney.cli.play:play_command", "Play bridge yourself, in a terminal."),
    },
    "Authors of programs": {
        "bot": ("tourney.cli.bot:bot_command", "Play at a table with the player that ships with tourney."),
        "duel": ("tourney.cli.duel:duel_command", "Find out which of two programs is better."),
        "league": ("tourney.cli.league:league_command", "Rate programs that all play each other."),
        "gauntlet": ("tourney.cli.league:gauntlet_command", "Rate a program by games against several others."),
        "deals": ("tourney.cli.deals:deals_group", "Pick boards for duels."),
        "strength": ("tourney.cli.strength:strength_command", "Estimate how much better programs are than others."),
        "plan": ("tourney.cli.plan:plan_command", "Say how many boards it takes to tell two programs apart."),
        "check-bot": ("tourney.cli.check_bot:check_bot_command", "Test whether a program speaks the protocol."),
    },
    "Record": {
        "analyse": ("tourney.cli.analyse:analyse_command", "Solve finished boards double dummy."),
        "verify": ("tourney.cli.verify:verify_command", "Check that the record is complete and unchanged."),
        "export": ("tourney.cli.export:export_command", "Write the record as PBN, CSV, JSON, LIN, USEBIO or HTML."),
        "db": ("tourney.cli.db:db_group", "Maintain the database of an event."),
    },
}
"""The commands in the order of `--help`, by who needs them: module and function, and the line in `--help`."""

COMMANDS: Final = {name: entry for group in COMMAND_GROUPS.values() for name, entry in group.items()}

_NAME_CHARS: Final = max(map(len, COMMANDS))


class _Refused(click.ClickException):
    exit_code = 1


class _Misused(click.ClickException):
    exit_code = 2


class RefusingGroup(SuggestingGroup):
    """Turns an error that the user can correct into one sentence and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:  # what Click declares
        try:
            return super().invoke(ctx)
        except TourneyError as error:
            refusal = _Misused if error.exit_status == _Misused.exit_code else _Refused
            raise refusal(str(error)) from error


class CommandGroup(RefusingGroup):
    """Loads commands by name, each from its own module, when they are called."""

    def main(self, *args: Any, **kwargs: Any) -> Any:  # Click's signature
        """Run a command line; no character that a terminal would act on gets out, whoever wrote it."""
        with shown_streams():
            return super().main(*args, **kwargs)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # Click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 # as above
        cmd_name = OLD_NAMES["cli"].get(cmd_name, cmd_name)
        if cmd_name not in COMMANDS:
            return None
        place, _ = COMMANDS[cmd_name]
        module, _, name = place.partition(":")
        found = getattr(importlib.import_module(module), name)
        command = found if isinstance(found, click.Command) else found(cmd_name)
        assert isinstance(command, click.Command)
        return command

    def suggest_command(self, ctx: click.Context, name: str) -> str:
        """Suggest a command in a group too, of which users may remember the last word only: `rule revoke`."""
        for group_name in COMMANDS:
            group = self.get_command(ctx, group_name) if _is_group(group_name) else None
            wanted = OLD_NAMES.get(group_name, {}).get(name, name)
            if isinstance(group, click.Group) and wanted in group.list_commands(ctx):
                return f"; did you mean '{group_name} {wanted}'?"
        return super().suggest_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # as above
        """List the commands by who needs them, without importing them."""
        for title, commands in COMMAND_GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(_NAME_CHARS), summary) for name, (_, summary) in commands.items()])


def _is_group(name: str) -> bool:
    place, _ = COMMANDS[name]
    return place.endswith("_group")


_SETTINGS: Final = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "color": True,  # Click would take sequences out of what a pipe gets, and so hide that they were there
}


@click.group(cls=CommandGroup, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="tourney")
def cli() -> None:
    """Run tournaments of computer bridge: draw, play over TCP, score, rank, export.

    Start with `tourney init my-event.toml`, or see everything at once with `tourney demo`.
    """


GARBAGE_AFTER: Final = 50_000
"""How many new objects Python allocates before it looks for garbage among them, instead of 700.

The objects that a command creates at its start are modules, classes and functions, which stay; looking at them again
and again takes a tenth of the time of a short command. This many objects take ten megabytes at most.
"""


def main() -> None:
    """Run the console script."""
    run(cli)


def run(group: click.Command) -> None:
    """Run a command line, and exit with its status."""
    gc.set_threshold(GARBAGE_AFTER)
    with shown_streams():
        _run(group)


def _run(group: click.Command) -> None:
    try:
        status = group.main(standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.Abort:
        click.echo("stopped", err=True)
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
