"""The cross-table: what each team made of its matches against each other team."""

from dataclasses import dataclass

from tourney.movement.ranking import RankingRules
from tourney.report.standings import rank_event
from tourney.scoring.victory_points import VpHundredths
from tourney.store.database import Database
from tourney.store.objects import EventInfo, MatchInfo, StoredMatchScore
from tourney.store.results import load_match_scores
from tourney.store.verdicts import RulingInfo


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
    rulings: tuple[RulingInfo, ...]
    """Those against this team that are in these figures."""


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """One team's line."""

    number: int
    """Its place in the draw."""
    team: str
    rank: int
    vp: VpHundredths
    """Of all its matches that are over."""
    imps: int
    """IMPs won less IMPs lost in them, as in the standings."""
    cells: tuple[CrosstableCell, ...]
    """Its matches in the order of the rounds."""
    rulings: tuple[RulingInfo, ...]
    """All against it that count."""
    withdrawn: bool
    """Whether it has left the event."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    event: str
    rows: tuple[CrosstableRow, ...]
    """In the order of the draw, which stays the same through the event."""
    matches: int
    matches_over: int


def load_crosstable(database: Database, event: EventInfo, rules: RankingRules) -> Crosstable:
    """The cross-table from the stored scores; `rules` as for `load_standings`.

    Raises:
        StoreError: the database cannot be used.
    """
    scores = load_match_scores(database, event.id)
    table = rank_event(database, event, scores, rules)
    ranked = {row.team: row for row in table.rows}
    cells: dict[str, list[CrosstableCell]] = {team.name: [] for team in event.teams}
    for match in event.matches:
        for team in (match.home, match.away):
            rulings = tuple(r for r in table.rulings_on(team) if r.match == match.number)
            cells[team].append(_cell(match, scores.get(match.number), rulings, is_home=team == match.home))
    rows = tuple(
        CrosstableRow(
            number=team.number,
            team=team.name,
            rank=ranked[team.name].rank,
            vp=ranked[team.name].vp,
            imps=ranked[team.name].imps_for - ranked[team.name].imps_against,
            cells=tuple(cells[team.name]),
            rulings=table.rulings_on(team.name),
            withdrawn=table.is_withdrawn(team.name),
        )
        for team in event.teams
    )
    return Crosstable(event.name, rows, table.matches, table.matches_over)


def _cell(
    match: MatchInfo, score: StoredMatchScore | None, rulings: tuple[RulingInfo, ...], *, is_home: bool
) -> CrosstableCell:
    """The match as its home team, or its away team, sees it."""
    opponent = match.away if is_home else match.home
    imps_for = imps_against = vp = None
    if score is not None and is_home:
        imps_for, imps_against, vp = score.imps_home, score.imps_away, score.vp_home
    elif score is not None:
        imps_for, imps_against, vp = score.imps_away, score.imps_home, score.vp_away
    return CrosstableCell(match.number, match.round, opponent, is_home, imps_for, imps_against, vp, rulings)
