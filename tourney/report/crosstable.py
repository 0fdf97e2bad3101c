"""The cross-table: what each team made of its matches against each other team."""

from dataclasses import dataclass

from tourney.report.standings import rank_event
from tourney.scoring.victory_points import VpHundredths
from tourney.store.database import Database
from tourney.store.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_match_scores


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """One match from the side of one team; IMPs and victory points are None until it is over."""

    match: int
    round: int
    opponent: str
    is_home: bool
    imps_for: int | None
    imps_against: int | None
    vp: VpHundredths | None


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """One team's line."""

    number: int
    """Its place in the draw."""
    team: str
    rank: int
    vp: VpHundredths
    """Of all its matches that are over."""
    cells: tuple[CrosstableCell, ...]
    """Its matches in the order of the rounds."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    event: str
    rows: tuple[CrosstableRow, ...]
    """In the order of the draw, which stays the same through the event."""
    matches: int
    matches_over: int


def load_crosstable(database: Database, event: EventInfo) -> Crosstable:
    """The cross-table from the stored scores.

    Raises:
        StoreError: the database cannot be used.
    """
    scores = load_match_scores(database, event.id)
    table = rank_event(event, scores)
    ranked = {row.team: row for row in table.rows}
    cells: dict[str, list[CrosstableCell]] = {team.name: [] for team in event.teams}
    for match in event.matches:
        score = scores.get(match.number)
        cells[match.home].append(_cell(match, score, is_home=True))
        cells[match.away].append(_cell(match, score, is_home=False))
    rows = tuple(
        CrosstableRow(team.number, team.name, ranked[team.name].rank, ranked[team.name].vp, tuple(cells[team.name]))
        for team in event.teams
    )
    return Crosstable(event.name, rows, table.matches, table.matches_over)


def _cell(match: MatchInfo, score: StoredMatchScore | None, *, is_home: bool) -> CrosstableCell:
    """The match as its home team, or its away team, sees it."""
    opponent = match.away if is_home else match.home
    imps_for = imps_against = vp = None
    if score is not None and is_home:
        imps_for, imps_against, vp = score.imps_home, score.imps_away, score.vp_home
    elif score is not None:
        imps_for, imps_against, vp = score.imps_away, score.imps_home, score.vp_away
    return CrosstableCell(match.number, match.round, opponent, is_home, imps_for, imps_against, vp)
