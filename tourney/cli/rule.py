"""`tourney rule`: the director's rulings on scores; and `tourney finalise`."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.cli._common import SuggestingGroup, event_argument, open_event
from tourney.cli.director import replay_board_command
from tourney.cli.orders import AUTHOR_MAX, author_name, by_option, one_line
from tourney.errors import RuleError, UsageError
from tourney.plurals import plural
from tourney.suggestions import suggest
from tourney.table import clock

if TYPE_CHECKING:
    from tourney.coordinator.director import Director, Grounds
    from tourney.event.drawn import DrawnEvent
    from tourney.scoring.board_scale import BoardScale
    from tourney.store.draw.objects import MatchInfo

_Function = TypeVar("_Function", bound=Callable[..., Any])

_AVERAGES: Final = ("avg+", "avg", "avg-")
"""Artificial adjusted scores (Laws 2017, Law 12C2)."""

_AMOUNT: Final = re.compile(r"\d{1,4}(?:\.\d{1,2})?")

_reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why, in one sentence; kept on record.")
_law_option = click.option("--law", metavar="TEXT", help="The law or condition applied; by default the usual one.")
_match_argument = click.argument("number", metavar="MATCH", type=int)
_table_argument = click.argument("place", metavar="MATCH-ROOM")
_board_argument = click.argument("board", metavar="BOARD", type=int)
_team_argument = click.argument("team", metavar="TEAM")


@click.group("rule", cls=SuggestingGroup)
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule withdraw` takes a ruling
    back; nothing is ever deleted.
    """


_replay_command = copy(replay_board_command)
_replay_command.name = "replay"
rule_group.add_command(_replay_command)


def _grounds_options(function: _Function) -> _Function:
    """Add `--reason`, `--law` and `--by`."""
    return _reason_option(_law_option(by_option(function)))


@contextmanager
def _direct(
    event_path: Path, reason: str, law: str | None, author: str | None
) -> "Iterator[tuple[DrawnEvent, Director]]":
    from tourney.coordinator.director import Director

    grounds = _grounds(reason, law, author)
    with open_event(event_path) as drawn:
        yield drawn, Director(drawn.database, drawn.event, drawn.scales, grounds)


def _grounds(reason: str, law: str | None, author: str | None) -> "Grounds":
    from tourney.coordinator.director import Grounds

    by_law = one_line(law, "--law", AUTHOR_MAX) if law is not None else None
    return Grounds(author_name(author), one_line(reason, "--reason"), by_law, clock.wall_ms())


def _team_of(match: "MatchInfo", name: str) -> str:
    """Return the team of the match with that name, in upper or lower case."""
    for team in (match.home, match.away):
        if team.casefold() == name.strip().casefold():
            return team
    meant = suggest(name, (match.home, match.away))
    raise UsageError(f"match {match.number} is {match.home} - {match.away}, got team {name!r}{meant}")


def _tell(director: "Director", match: "MatchInfo", ids: Sequence[int]) -> None:
    """Print which rulings were given, and the score of the match with them."""
    from tourney.contest import contest_of

    which = ", ".join(map(str, ids))
    score = director.score_of(match)
    name = f"match {match.number}: {match.home} - {match.away}"
    if score is None:
        now = "has no score yet"
    else:
        now = contest_of(match.format).describe_score(match, score)
    click.echo(f"{plural(len(ids), 'ruling')} {which}; {name} {now}")


@rule_group.command("adjust")
@event_argument
@_match_argument
@_board_argument
@click.option(
    "--award",
    "awards",
    multiple=True,
    required=True,
    metavar="TEAM=AMOUNT",
    help="What a team gets: avg+ (+3), avg (0), avg- (-3), or a number of IMPs; at board-a-match avg+ (0.6 of a "
    "board), avg (a half), avg- (0.4), or a number of points. Once per team.",
)
@_grounds_options
def adjust_command(
    event_path: Path,
    number: int,
    board: int,
    awards: tuple[str, ...],
    reason: str,
    law: str | None,
    author: str | None,
) -> None:
    """Give an artificial adjusted score on a board, to each team separately.

    EVENT is the path of an event file. What one team gets need not be what the other loses; a team that is not named
    keeps its score from the tables. At pairs avg+ is 60 percent of a top or 3 IMPs, or what the pair has won on its
    other boards if that is better, and avg- likewise 40 percent or -3 IMPs. At rubber bridge and Chicago a number of
    points above the line takes the place of what the deal was worth; there are no averages. Example: tourney rule
    adjust club.toml 3 7 --award Alpha=avg+ --award Beta=avg- --reason "board fouled in the closed room".
    """
    with _direct(event_path, reason, law, author) as (drawn, director):
        match = drawn.match(number)
        given = _awards(match, awards)
        if match.format.is_of_pairs and not set(given.values()) <= {3, 0, -3}:
            raise UsageError(
                "--award: at pairs a score is avg+, avg or avg-, compared with nothing; or assign a result"
            )
        _tell(director, match, director.adjust(match, board, given))


def _awards(match: "MatchInfo", texts: Sequence[str]) -> dict[str, int]:

    scale = match.board_scale
    averages = dict(zip(_AVERAGES, (scale.plus, scale.average, scale.minus), strict=True))
    if not scale.has_averages:
        averages.clear()
    awards: dict[str, int] = {}
    for text in texts:
        name, mark, amount = text.rpartition("=")
        amount = amount.strip().casefold()
        if not mark:
            raise UsageError(f"--award is TEAM=AMOUNT, such as Alpha=avg+ or Alpha=-3, got {text!r}")
        team = _team_of(match, name)
        if team in awards:
            raise UsageError(f"--award: {team} is named twice")
        if amount in averages:
            awards[team] = averages[amount]
        elif (found := _figure(amount, scale)) is not None:
            awards[team] = found
        else:
            words = f"{', '.join(averages)} or a number" if averages else "a number"
            raise UsageError(f"--award: {team} gets {words} of {scale.unit}, got {amount!r}")
    return awards


def _figure(text: str, scale: "BoardScale") -> int | None:
    """Parse a number of IMPs, or of points with at most 2 decimals, as a figure of the scale; None if it is none."""
    found = re.fullmatch(r"([+-]?)(\d{1,4})(?:\.(\d{1,2}))?", text)
    if found is None or (found[3] and not scale.is_board_a_match):
        return None
    hundredths = 100 * int(found[2]) + int((found[3] or "").ljust(2, "0"))
    return (-1 if found[1] == "-" else 1) * hundredths // scale.hundredths_each


@rule_group.command("assign")
@event_argument
@_table_argument
@_board_argument
@click.argument("results", metavar="RESULT...", nargs=-1, required=True)
@click.option("--for", "team", metavar="TEAM", help="For this team only, as in a split score; by default for both.")
@_grounds_options
def assign_command(
    event_path: Path,
    place: str,
    board: int,
    results: tuple[str, ...],
    team: str | None,
    reason: str,
    law: str | None,
    author: str | None,
) -> None:
    """Assign a result to a board in one room, or several results by weight.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open. RESULT is contract, declarer and tricks,
    such as "4S N 10", "3NTX W 7" or Pass; several results have weights, such as "60: 4S N 10" "40: 4S N 9". Each is
    compared with the other room and converted to IMPs, or to points at board-a-match; these are weighted and rounded
    to whole IMPs, or to hundredths of a point. At pairs each is compared with the results of all other tables first,
    and then weighted, unrounded. For a split score, rule twice, with --for each team.
    """
    from tourney.scoring.assigned import parse_all_assigned

    assigned = parse_all_assigned(results)
    with _direct(event_path, reason, law, author) as (drawn, director):
        table = drawn.table_at(place, board)
        match = drawn.match(table.match)
        teams = (match.home, match.away) if team is None else (_team_of(match, team),)
        _tell(director, match, director.assign(table, board, assigned, teams))


@rule_group.command("cancel")
@event_argument
@_match_argument
@_board_argument
@_grounds_options
def cancel_command(
    event_path: Path, number: int, board: int, reason: str, law: str | None, author: str | None
) -> None:
    """Cancel a board of a match: it counts for nobody.

    EVENT is the path of an event file. The match is scored on its other boards, by the same scale. A match of rubber
    bridge or Chicago is broken off by cancelling the first board that is not finished, best while its table is
    paused: it ends there, with the premiums for what is unfinished.
    """
    with _direct(event_path, reason, law, author) as (drawn, director):
        match = drawn.match(number)
        _tell(director, match, director.cancel(match, board))


@rule_group.command("penalty")
@event_argument
@_match_argument
@_team_argument
@click.argument("amount", metavar="AMOUNT")
@click.option("--vp", "in_vp", is_flag=True, help="Victory points, such as 0.5; by default IMPs or points.")
@click.option(
    "--percent", "in_percent", is_flag=True, help="At matchpoints: percent of a top on one board, such as 10."
)
@_grounds_options
def penalty_command(
    event_path: Path,
    number: int,
    team: str,
    amount: str,
    in_vp: bool,
    in_percent: bool,
    reason: str,
    law: str | None,
    author: str | None,
) -> None:
    """Take IMPs or victory points off a team's score in a match; its opponents gain nothing.

    EVENT is the path of an event file. IMPs, or points such as 0.25 at board-a-match, come off before the conversion
    to victory points. At pairs the total of the pair is reduced: at matchpoints by so many percent of a top with
    --percent, where 3 IMPs are 10 percent; at cross-IMPs and Butler by IMPs.
    """
    from tourney.config.stages import is_at_matchpoints
    from tourney.protocol.session.records import RulingKind

    if in_vp and in_percent:
        raise UsageError("--vp and --percent exclude each other")
    with _direct(event_path, reason, law, author) as (drawn, director):
        match = drawn.match(number)
        if in_vp and match.format.is_of_pairs:
            raise UsageError("--vp: pairs win no victory points, give --percent at matchpoints, or IMPs")
        if in_percent and not is_at_matchpoints(drawn.file.config.stage[match.stage - 1]):
            raise UsageError("--percent: it is for pairs at matchpoints, give IMPs")
        with_decimals = in_vp or in_percent or match.board_scale.is_board_a_match
        if _AMOUNT.fullmatch(amount) is None or (not with_decimals and "." in amount):
            in_decimals = "victory points" if in_vp else "percent of a top" if in_percent else match.board_scale.unit
            unit = (
                f"{in_decimals} with at most 2 decimals"
                if with_decimals
                else f"a whole number of {match.board_scale.unit}"
            )
            raise UsageError(f"AMOUNT is {unit}, up to 9999, got {amount!r}")
        whole, _, decimals = amount.partition(".")
        units = 100 * int(whole) + int(decimals.ljust(2, "0")) if with_decimals else int(whole)
        kind = RulingKind.PENALTY_VP if in_vp or in_percent else RulingKind.PENALTY_IMPS
        _tell(director, match, director.fine(match, _team_of(match, team), kind, units))


@rule_group.command("warn")
@event_argument
@_match_argument
@_team_argument
@_grounds_options
def warn_command(event_path: Path, number: int, team: str, reason: str, law: str | None, author: str | None) -> None:
    """Put a warning to a team on record; no score changes.

    EVENT is the path of an event file.
    """
    from tourney.protocol.session.records import RulingKind

    with _direct(event_path, reason, law, author) as (drawn, director):
        match = drawn.match(number)
        _tell(director, match, director.fine(match, _team_of(match, team), RulingKind.WARNING, 0))


@rule_group.command("forfeit")
@event_argument
@click.argument("place", metavar="MATCH[-ROOM]")
@_team_argument
@click.option("--board", type=int, metavar="BOARD", help="This board only; PLACE then names the room.")
@_grounds_options
def forfeit_command(
    event_path: Path,
    place: str,
    team: str,
    board: int | None,
    reason: str,
    law: str | None,
    author: str | None,
) -> None:
    """Forfeit a match, or a board, of a team.

    EVENT is the path of an event file. For a forfeited match, the opponents get 60 percent of the victory points, or
    their own score if that is better and half of the boards were played. For a forfeited board, the team gets average
    minus and its opponents average plus.
    """
    with _direct(event_path, reason, law, author) as (drawn, director):
        tables = drawn.tables_at(place)
        match = drawn.match(tables[0].match)
        name = _team_of(match, team)
        if board is not None:
            ids = director.forfeit_board(drawn.table_at(place, board), board, name)
        elif len(tables) < len(match.segments[0].tables):
            raise UsageError(f"a match is forfeited in both rooms: name it as {match.number}, got {place!r}")
        else:
            before = director.score_of(match)
            ids = director.forfeit_match(match, name)
            if match.format.is_of_pairs and before is not None and director.score_of(match) == before:
                click.echo(
                    f"every board of match {match.number} has been played, and counts as it is: --board forfeits one"
                )
        _tell(director, match, ids)


@rule_group.command("retire")
@event_argument
@_team_argument
@_grounds_options
def retire_command(event_path: Path, team: str, reason: str, law: str | None, author: str | None) -> None:
    """Withdraw a team from the event: every match that it has not finished is forfeited.

    EVENT is the path of an event file. A run in progress forfeits them at once; otherwise the next `tourney run`
    does.
    """
    with _direct(event_path, reason, law, author) as (drawn, director):
        name = drawn.team_named(team)
        (ruling,) = director.retire(name)
    click.echo(f"ruling {ruling}; {name} has left the event")


@rule_group.command("withdraw")
@event_argument
@click.argument("rulings", metavar="RULING...", nargs=-1, required=True, type=int)
@_reason_option
@by_option
def withdraw_command(event_path: Path, rulings: tuple[int, ...], reason: str, author: str | None) -> None:
    """Withdraw rulings, by their numbers in `tourney rulings`; they stay on record but do not count.

    EVENT is the path of an event file. A board whose forfeit is withdrawn has no result in that room: have it played
    again, or assign a result.
    """
    from tourney.report.rulings import describe_ruling

    with _direct(event_path, reason, None, author) as (drawn, director):
        withdrawn = director.withdraw(list(dict.fromkeys(rulings)))
        for ruling in withdrawn:
            click.echo(f"ruling {ruling.id} is withdrawn: {describe_ruling(ruling)}")
        for number in sorted({ruling.match for ruling in withdrawn if ruling.match is not None}):
            match = drawn.match(number)
            _tell(director, match, [ruling.id for ruling in withdrawn if ruling.match == number])


@click.command("finalise")
@event_argument
@click.option("--reopen", is_flag=True, help="Let final results change again.")
@click.option("--abandoned", is_flag=True, help="Make them final although matches are left, which nobody will play.")
@click.option("--reason", metavar="TEXT", help="Why, in one sentence; required with --reopen and --abandoned.")
@by_option
def finalise_command(event_path: Path, reopen: bool, abandoned: bool, reason: str | None, author: str | None) -> None:
    """Make the results of an event final: until then they are provisional.

    EVENT is the path of an event file. Every match must have its score. After that no ruling is possible until the
    results are opened again by --reopen with a reason.

    An event that will not be played to its end is made final by --abandoned with a reason: `tourney run` plays
    nothing more of it, and other events with the same deals no longer keep their boards secret on its account.
    """
    from tourney.coordinator import director
    from tourney.coordinator.run_lease import load_activity

    for is_given, option in ((reopen, "--reopen"), (abandoned, "--abandoned")):
        if is_given and reason is None:
            raise UsageError(f"{option} needs a --reason")
    if reopen and abandoned:
        raise UsageError("--reopen and --abandoned exclude each other: what is opened again is played on")
    with open_event(event_path) as drawn:
        if abandoned and load_activity(drawn.file, drawn.database, drawn.event.id, clock.wall_ms()).is_played:
            raise RuleError(f"{drawn.event.name!r} is being played: stop its `tourney run` first")
        if reopen:
            director.reopen(drawn.database, drawn.event, _grounds(reason or "", None, author))
            click.echo(f"the results of {drawn.event.name} are provisional again")
        else:
            grounds = _grounds(reason or "all matches are over", None, author)
            director.finalise(drawn.database, drawn.event, grounds, is_abandoned=abandoned)
            click.echo(f"the results of {drawn.event.name} are final")
