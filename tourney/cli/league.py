"""`tourney lab league`: many programs on the same deals, with ratings."""

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli._common import FILE, FOLDER, available_cores, default_option, flag_option, print_note
from tourney.cli._output import print_report, write_page
from tourney.cli._ranges import IntRange
from tourney.cli.duel import (
    auctions_option,
    check_output,
    concurrency_option,
    deals_option,
    end_stopped,
    event_option,
    exit_on_term,
    in_process_option,
    json_at_end_option,
    shard_option,
    tell_share,
)
from tourney.errors import LaunchError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.config.suites import DealSource
    from tourney.event.file import EventFile
    from tourney.lab.duel import DuelTeam
    from tourney.lab.league import League
    from tourney.lab.shards import Shard

PROGRAMS_MAX: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueOptions:
    """What the command line says; None for an option that was not given."""

    programs: tuple[str, ...]
    is_gauntlet: bool
    event_path: Path | None
    names: str | None
    folder: Path
    boards: int | None
    matches: int | None
    deals_source: "DealSource | None"
    auctions: bool
    in_process: bool
    as_json: bool
    html_path: Path | None
    share: str | None

    def __post_init__(self) -> None:
        if self.share is not None and self.deals_source is None:
            raise UsageError("--shard takes the boards of --deals: otherwise each share would deal its own")

    @property
    def shard(self) -> "Shard":
        """The share that is played, of each duel."""
        from tourney.lab.shards import Shard

        return Shard.parse(self.share)

    @property
    def programs_folder(self) -> Path:
        """The folder in which the programs are started."""
        return self.event_path.parent if self.event_path is not None else Path()

    def teams(self) -> "Sequence[DuelTeam]":
        """Return the programs."""
        from tourney.lab.duel import name_teams

        if not 2 <= len(self.programs) <= PROGRAMS_MAX:
            raise UsageError(f"programs are compared: give 2 to {PROGRAMS_MAX}, got {len(self.programs)}")
        teams = name_teams(self.event_path, self.programs, self.names, None)
        for one, other in combinations(teams, 2):
            if (one.keys, one.wire) == (other.keys, other.wire):
                raise UsageError(f"{one.name} and {other.name} have one command: they would play alike")
        return teams


@click.command("league")
@click.argument("programs", metavar="PROGRAM...", nargs=-1, required=True)
@flag_option("--gauntlet", "is_gauntlet", help="Only the first program meets the others.")
@event_option("Programs are named as teams of this event file, instead of by commands.")
@click.option("--names", metavar="A,B,C", help="What the programs are called; by default as they are.")
@default_option("--folder", default="league", type=FOLDER, help="The folder of the games.")
@click.option(
    "--boards",
    type=IntRange(1),
    metavar="N",
    help="Boards that each two programs play; 400 by default, or all of the --deals file.",
)
@concurrency_option
@deals_option
@auctions_option
@in_process_option
@shard_option
@json_at_end_option
@click.option(
    "--html-file",
    "html_path",
    metavar="FILE",
    type=FILE,
    help="Write a page with the ratings and their intervals, after each two programs and at the end.",
)
def league_command(**given: Any) -> None:
    """Rate programs that play each other on the same deals.

    \b
    tourney lab league "./a {port} {seat} {team}" "./b {port} {seat} {team}" "./c {port} {seat} {team}"
    tourney lab league --gauntlet "./new {port} {seat}" "./a {port} {seat}" "./b {port} {seat}"

    Each two programs play a duel of --boards boards, both rooms, everything on record, with an event file of its own
    in --folder. The same command goes on with a league that was cut off. With one program more it plays the games of
    that program only. Ratings are in IMPs a board, their errors by deal; they cover all games in the folder. Each
    program is tried on a few boards until the wire profile is found that it needs; the teams of an event have theirs.

    With --gauntlet the first program plays each of the others, which do not meet. A second candidate that plays in
    the same folder has the same deals. The two are compared by what each won against the same opponents, which takes
    nearly half as many boards as with other deals.

    Exit status: 0 when all boards are played, 1 when some could not be, 130 after Ctrl-C. After SIGTERM it is 75: the
    same command goes on.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    _play(LeagueOptions(**given))


def _play(options: LeagueOptions) -> None:
    from tourney.cli.displays import DuelPrinter, QuietDuel
    from tourney.config.suites import name_boards
    from tourney.lab.duel_in_process import check_players, players_of
    from tourney.lab.duel_run import describe_struck, play_duel
    from tourney.lab.event_files import duel_on_disk, read_boards
    from tourney.lab.league import League, load_league
    from tourney.lab.programs import RESULTS, find_profiles

    check_output("--html-file", options.html_path)
    teams, folder = options.teams(), options.folder
    source, auctions = options.deals_source, options.auctions
    is_varied = source is not None and source.is_varied
    deals = read_boards(source, options.boards, auctions=auctions, variants=is_varied)
    in_process, name = options.in_process or options.share is not None, name_boards(source)
    players = players_of(teams, options.programs_folder) if in_process else None
    if players is not None:
        check_players(players.values())
    league = League(folder, options.boards, options.matches, deals, name, auctions=auctions, in_process=in_process)
    if options.event_path is None:
        show = print_note if not options.as_json else lambda _: None
        played = {name: team for path in folder.glob("*.toml") for name, team in duel_on_disk(path).teams.items()}
        teams = find_profiles(teams, Path(), folder / RESULTS, played, show)
    shard = options.shard
    pairings = [(teams[0], old) for old in teams[1:]] if options.is_gauntlet else combinations(teams, 2)
    # All files first: what cannot be played is said before anything is.
    files = [_write_duel(league, pair, options) for pair in pairings]
    outcome, is_played = None, True
    for file in files:
        exit_on_term()
        display = QuietDuel() if options.as_json else DuelPrinter()
        found, outcome = play_duel(file, display, players=players, jobs=available_cores(), shard=shard)
        is_played = is_played and found.is_over
        struck = describe_struck(found)
        if struck is not None:
            print_note(f"{found.event}: {struck}")
        if options.html_path is not None:
            from tourney.site.pages.estimates import chart_strength

            rated = load_league(folder)
            charts = chart_strength(rated.strength) if rated.strength is not None else ()
            write_page(rated, "Ratings", charts, options.html_path)
        if outcome is not None and outcome.stopped:
            break
    if not shard.suffix:
        report = load_league(folder)
        print_report(report, as_json=options.as_json)
        is_played = report.is_over
    if outcome is not None and outcome.stopped and not is_played:
        end_stopped(outcome)
    if not is_played:
        raise SystemExit(1)
    if shard.suffix:
        tell_share(shard, folder / folder.name, folder)


def _write_duel(league: "League", pair: "tuple[DuelTeam, DuelTeam]", options: LeagueOptions) -> "EventFile":
    """Write the event file of two programs, which are started where their commands were given."""
    from tourney.lab.duel import started_in
    from tourney.lab.duel_run import describe_changed
    from tourney.lab.programs import changed_programs, note_programs

    folder = options.programs_folder
    first, second = (started_in(team, folder, options.folder) for team in pair)
    file = league.write(first, second)
    options.shard.check_share(file.config.stage[0].matches)
    file = options.shard.of_file(file, options.folder.name)
    if changed := changed_programs(pair, folder, file.results):
        raise LaunchError(describe_changed(changed, "play it under another name (--names)"))
    note_programs(pair, folder, file.results)
    return file
