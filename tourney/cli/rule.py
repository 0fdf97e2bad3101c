"""`tourney rule`: the director's rulings on scores; `tourney finalise` and `tourney publish`."""

from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli._common import SuggestingGroup, event_argument
from tourney.cli.director import replay_board_command
from tourney.cli.orders import by_option, carry_out, grounds_of
from tourney.errors import UsageError

if TYPE_CHECKING:
    from tourney.director.action import DirectorAction

_Function = TypeVar("_Function", bound=Callable[..., Any])

_reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why, in one sentence; kept on record.")
_law_option = click.option("--law", metavar="TEXT", help="The law or condition applied; by default the usual one.")
_match_argument = click.argument("number", metavar="MATCH", type=int)
_table_argument = click.argument("place", metavar="MATCH-ROOM")
_board_argument = click.argument("board", metavar="BOARD", type=int)
_team_argument = click.argument("team", metavar="TEAM")


@click.group("rule", cls=SuggestingGroup)
def rule_group() -> None:
    """Rule on scores: each ruling is on record with its author, time and reason.

    The match is scored again at once. `tourney rulings` lists what was ruled, `tourney rule revoke` takes a ruling
    back; nothing is ever deleted.
    """


_replay_command = copy(replay_board_command)
_replay_command.name = "replay"
rule_group.add_command(_replay_command)


def _grounds_options(function: _Function) -> _Function:
    """Add `--reason`, `--law` and `--by`."""
    return _reason_option(_law_option(by_option(function)))


def _rule(event_path: Path, ruling: "DirectorAction", reason: str, law: str | None, author: str | None) -> None:
    carry_out(event_path, ruling, grounds_of(reason, author, law))


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
    from tourney.director.rulings import Adjust

    _rule(event_path, Adjust(number, board, awards), reason, law, author)


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
    from tourney.director.rulings import Assign

    _rule(event_path, Assign(place, board, results, team), reason, law, author)


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
    from tourney.director.rulings import Cancel

    _rule(event_path, Cancel(number, board), reason, law, author)


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
    from tourney.director.rulings import Fine

    _rule(event_path, Fine(number, team, amount, in_vp, in_percent), reason, law, author)


@rule_group.command("warn")
@event_argument
@_match_argument
@_team_argument
@_grounds_options
def warn_command(event_path: Path, number: int, team: str, reason: str, law: str | None, author: str | None) -> None:
    """Put a warning to a team on record; no score changes.

    EVENT is the path of an event file.
    """
    from tourney.director.rulings import Warn

    _rule(event_path, Warn(number, team), reason, law, author)


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
    from tourney.director.rulings import Forfeit

    _rule(event_path, Forfeit(place, team, board), reason, law, author)


@rule_group.command("withdraw-team")
@event_argument
@_team_argument
@_grounds_options
def withdraw_team_command(event_path: Path, team: str, reason: str, law: str | None, author: str | None) -> None:
    """Withdraw a team from the event: every match that it has not finished is forfeited.

    EVENT is the path of an event file. A run in progress forfeits them at once; otherwise the next `tourney run`
    does.
    """
    from tourney.director.rulings import Retire

    _rule(event_path, Retire(team), reason, law, author)


@rule_group.command("revoke")
@event_argument
@click.argument("rulings", metavar="RULING...", nargs=-1, required=True, type=int)
@_reason_option
@by_option
def revoke_command(event_path: Path, rulings: tuple[int, ...], reason: str, author: str | None) -> None:
    """Revoke rulings, by their numbers in `tourney rulings`; they stay on record but do not count.

    EVENT is the path of an event file. A board whose forfeit is revoked has no result in that room: have it played
    again, or assign a result.
    """
    from tourney.director.rulings import Withdraw

    _rule(event_path, Withdraw(rulings), reason, None, author)


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
    from tourney.director.results import Finalise, Reopen

    for is_given, option in ((reopen, "--reopen"), (abandoned, "--abandoned")):
        if is_given and reason is None:
            raise UsageError(f"{option} needs a --reason")
    if reopen and abandoned:
        raise UsageError("--reopen and --abandoned exclude each other: what is opened again is played on")
    why = reason if reason is not None else "all matches are over"
    carry_out(event_path, Reopen() if reopen else Finalise(abandoned), grounds_of(why, author))


@click.command("publish")
@event_argument
@_reason_option
@by_option
def publish_command(event_path: Path, reason: str, author: str | None) -> None:
    """Publish the results of frozen rounds before the results are final.

    EVENT is the path of an event file whose `[web] freeze_rounds` keeps the last rounds from live pages until the
    results are final. It cannot be taken back: what was shown was seen.
    """
    from tourney.director.results import Publish

    carry_out(event_path, Publish(), grounds_of(reason, author))
