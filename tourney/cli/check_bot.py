"""`tourney check-bot`: checks a program before the event."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import FILE, SEAT_NAMES, default_option, flag_option, print_note, protocol_option
from tourney.cli._output import Printer, json_option, print_json
from tourney.cli._ranges import FloatRange, IntRange
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import TextTable, make_table
from tourney.plurals import count, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tourney.bridge import Seat
    from tourney.compliance.check import CheckReport
    from tourney.compliance.findings import CheckedStep, Mistake
    from tourney.store.control.host_settings import SandboxSettings

MARKS = {"ok": "ok", "remark": "remark", "not-seen": "not seen", "failed": "FAILED"}


@click.command("check-bot")
@click.option("--port", type=IntRange(0, 65535), default=0, help="Port to listen on, by default any free one.")
@default_option("--host", default="127.0.0.1", help="Address to listen on.")
@click.option(
    "--seat",
    "seats",
    type=click.Choice(SEAT_NAMES, case_sensitive=False),
    multiple=True,
    help="Try this seat only; may be repeated. By default all four.",
)
@click.option(
    "--step",
    "steps",
    type=int,
    multiple=True,
    help="Try only the step with this number, as a report has it; may be repeated.",
)
@protocol_option("Protocol that the program speaks.")
@click.option(
    "--player",
    metavar="MODULE:CLASS",
    help="In place of a command: a class of Python that fills in tourney.player.Player, such as my_bot:MyBot.",
)
@default_option("--team", default="Alpha", help="Team name the program logs on with.")
@default_option("--profile", default="default", help="Named profile to start with.")
@default_option(
    "--timeout-s",
    type=FloatRange(0.1, 3600),
    default=20,
    help="Seconds that a line of the program may take, thinking included. It may take three times as long to connect,"
    " and six times if a person starts it.",
)
@flag_option("--sandbox", "is_sandboxed", help="Start the program within bubblewrap, as a run does by default.")
@click.option(
    "--readable",
    type=click.Path(exists=True, path_type=Path, resolve_path=True),
    multiple=True,
    help="With --sandbox, a file or folder that the program may read besides its own; may be repeated.",
)
@click.option("--transcript", type=FILE, help="Append every line to this file.")
@json_option
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
def check_bot_command(
    port: int,
    host: str,
    seats: tuple[str, ...],
    steps: tuple[int, ...],
    protocol: str,
    player: str | None,
    team: str,
    profile: str,
    timeout_s: float,
    is_sandboxed: bool,
    readable: tuple[Path, ...],
    transcript: Path | None,
    as_json: bool,
    command: tuple[str, ...],
) -> None:
    """Check whether a program speaks the protocol: it plays boards at every seat, and every line is checked.

    COMMAND, after `--`, starts the program as in an event file: {host}, {port}, {seat} and {team} are filled in. It
    is started once for every session, at all four seats side by side. Without a command, tourney waits for the
    program to connect, and with --port it tries one seat after another. What is being tried is printed on standard
    error.

    A service over HTTP is checked as the program that asks it, which needs no place: `-- tourney bot --api
    "DIALECT URL"`.

    Exit status: 0 if every step passed or was not seen, 1 if a step failed, 2 if the command cannot be used.
    """
    import asyncio

    from tourney.bridge import SEATS, Seat
    from tourney.compliance.check import check_program
    from tourney.compliance.context import VOCABULARIES, CheckSettings
    from tourney.compliance.findings import steps_numbered
    from tourney.compliance.program import check_startable, parse_command
    from tourney.config.command import check_player, complete_client, seat_player
    from tourney.errors import UsageError
    from tourney.output.rows import document_of
    from tourney.protocol.wires import Language

    language = Language(protocol)
    if language is Language.STATEFUL and profile != "default":
        raise UsageError(f"--profile is for the other language: the stateful protocol has none, got {profile!r}")
    if player is not None:
        if command:
            raise UsageError("--player stands in place of a command: leave one of them out")
        try:
            command = (seat_player(check_player(player), language),)
        except ValueError as error:
            raise UsageError(str(error)) from None
    started = parse_command(command)
    if started is not None:
        started = complete_client(started, language)
    settings = CheckSettings(
        command=started,
        host=host,
        port=port,
        seats=tuple(Seat[seat.upper()] for seat in dict.fromkeys(seats)) or SEATS,
        kinds=steps_numbered(steps, VOCABULARIES[language].steps),
        team=team,
        profile=profile,
        timeout_s=timeout_s,
        transcript=transcript,
        protocol=language,
        sandbox_settings=_sandbox(is_sandboxed, readable, started is not None),
    )
    if started is not None:
        check_startable(started)
    report = asyncio.run(check_program(settings, print_note))
    if as_json:
        print_json(document_of(report.content()))
    else:
        _print_report(report)
    if not report.passed:
        click.get_current_context().exit(1)


def _sandbox(is_sandboxed: bool, readable: "Sequence[Path]", has_command: bool) -> "SandboxSettings":
    """Return the sandbox that is wanted.

    Raises:
        UsageError: they are for nothing.
        LaunchError: bubblewrap does not work here.
    """
    from tourney.config import SandboxKind
    from tourney.errors import UsageError
    from tourney.launch.sandbox import choose_kind
    from tourney.store.control.host_settings import SandboxSettings

    if readable and not is_sandboxed:
        raise UsageError(f"--readable is for a program in a sandbox: give --sandbox too, got {readable[0]}")
    if not is_sandboxed:
        return SandboxSettings()
    if not has_command:
        raise UsageError("--sandbox is for a program that check-bot starts: give its command after --")
    return SandboxSettings(kind=choose_kind(SandboxKind.BUBBLEWRAP).kind, readable=tuple(map(str, readable)))


def _print_report(report: "CheckReport") -> None:
    console = Printer()
    console.print(_summary(report))
    console.print(_table(report))
    for mistake in report.mistakes:
        _print_mistake(console, mistake, report.step(mistake.steps[0]))
    for note in _notes(report):
        console.print(note)
    for remark in report.remarks:
        console.print(f"remark {remark.clause}: {remark.text}")
    _print_verdict(console, report)
    _print_known_program(console, report)
    console.print("passed" if report.passed else f"{count(_failed(report), 'step')} failed")


def _table(report: "CheckReport") -> TextTable:
    """Return a row for each step with its outcome at each seat."""
    columns = [
        Cell(">step", lambda step: str(step.number)),
        Cell("what", lambda step: step.what),
        *(Cell(seat.title, partial(_mark, seat)) for seat in report.settings.seats),
        Cell("clauses", lambda step: ", ".join(step.clauses)),
    ]
    return make_table(columns, report.steps)


def _mark(seat: "Seat", step: "CheckedStep") -> str:
    found = next((result for result in step.results if result.seat is seat), None)
    return MARKS[found.outcome.value] if found is not None else NOTHING


def _print_mistake(console: Printer, mistake: "Mistake", first: "CheckedStep") -> None:
    failure, what = mistake.failure, f"{first.what} ({mistake.failure.clause})"
    if len(mistake.seats) == len(mistake.steps) == 1:
        console.print(f"\nFAILED step {first.number} at {mistake.seats[0]}: {what}")
    else:
        console.print(f"\nFAILED {mistake.where}: {what}")
    if failure.after:
        console.print(f"  it was told  `{failure.after}`")
    console.print(f"  expected     {failure.expected}")
    console.print(f"  got          {failure.said}")
    console.print(f"  to change    {failure.advice}")
    for line in failure.output:
        if not failure.said.endswith(f": {line}"):  # that one is shown with the exit status
            console.print(f"  it printed   {line}")


def _notes(report: "CheckReport") -> "Iterator[str]":
    """Say of each note once at which steps and seats it was made."""
    by_note: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for step in report.steps:
        for result in step.results:
            if result.note:
                numbers, titles = by_note.setdefault(result.note, ({}, {}))
                numbers[str(step.number)] = titles[result.seat.title] = None
    for note, (numbers, titles) in by_note.items():
        yield f"{plural(len(numbers), 'step')} {', '.join(numbers)} at {', '.join(titles)}: {note}"


def _failed(report: "CheckReport") -> int:
    return sum(result.failure is not None for result in report.results)


def _summary(report: "CheckReport") -> str:
    """Return what came of the check, in one line for each mistake."""
    from tourney.compliance.findings import StepOutcome

    tried = [result for result in report.results if result.outcome is not StepOutcome.NOT_SEEN]
    not_seen, failed = len(report.results) - len(tried), _failed(report)
    parts = [f"failed: {failed} of {count(len(tried), 'step')}" if failed else f"passed: {count(len(tried), 'step')}"]
    if failed:
        parts.append(count(len(report.mistakes), "mistake"))
    if not_seen:
        parts.append(f"{not_seen} not seen")
    if report.remarks:
        parts.append(count(len(report.remarks), "remark"))
    if report.profile is not None:
        parts.append(f"profile {report.profile}")
    mistakes = [f"  {mistake.failure.clause} {mistake.where}" for mistake in report.mistakes]
    return "\n".join([", ".join(parts), *mistakes])


def _print_known_program(console: Printer, report: "CheckReport") -> None:
    """Say what is known of the program that the command starts, if it is one of the known ones."""
    from tourney.config.programs import programs_of_command

    command = report.settings.command
    versions = programs_of_command(command) if command is not None else []
    for program in [each for each in versions if each.profile == report.profile] or versions:
        first, *others = program.describe()
        profile = f' Its profile is "{program.profile}".' if report.profile != program.profile else ""
        console.print(f"known program: {first}{profile}")
        for text in others:
            console.print(f"  {text}")


def _print_verdict(console: Printer, report: "CheckReport") -> None:
    from tourney.compliance.profiles import format_setting, team_settings
    from tourney.protocol.wires import Language

    if report.settings.protocol is Language.STATEFUL:
        pass  # which has no profiles
    elif not report.has_called:
        console.print("no profile can be named: it has called nothing")
        return
    elif report.found is None:
        console.print("no profile can be named before it plays: steps have failed")
    elif report.profile is not None:
        console.print(f'profile that suits: profile = "{report.profile}"')
        settings = team_settings(report.found, report.profile)
        for name, why in (
            ("board_restart", "it can begin a board again, which its profile does not use; for that:"),
            ("alerts", "it takes the texts of alerts, which its profile leaves out; for these:"),
            (
                "line_gap_ms",
                "it needs no longer gap between two lines than this, which makes its tables faster:",
            ),
        ):
            if name in settings:
                console.print(f"{why}\n  [team.wire]\n  {format_setting(name, settings[name])}")
    else:
        console.print("no named profile suits; in the event file:\n  [team.wire]")
        for line in report.wire:
            console.print(f"  {line}")
    for what, times in (("calls", report.thinking.calls), ("cards", report.thinking.cards)):
        console.print(f"thinking, {times.count} {what}: median {times.median_ms} ms, longest {times.max_ms} ms")
