"""The cross-table: what each team made of its matches against each other team."""

from dataclasses import dataclass

from tourney.movement.ranking import FinishedMatch
from tourney.results.load import EventRules
from tourney.results.standings import Standings, load_standings
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.rulings.verdicts import RulingInfo


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """One match from the side of one team, as it counts.

    IMPs and victory points are None until it is over, and where it is cancelled because a team has left early.
    """

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
class CrosstableField:
    """Teams that meet each other."""

    stage: str
    group: str | None
    """Its letter, where the stage has several."""
    title: str
    rows: tuple[CrosstableRow, ...]
    """In the order of the draw, which stays the same through the event."""


@dataclass(frozen=True, slots=True)
class Crosstable:
    event: str
    fields: tuple[CrosstableField, ...]
    """Each stage but knockouts, each group of it by itself; in the order of the stages."""
    matches: int
    matches_over: int

    @property
    def rows(self) -> tuple[CrosstableRow, ...]:
        """Those of all fields."""
        return tuple(row for field in self.fields for row in field.rows)


def load_crosstable(database: Database, event: EventInfo, rules: EventRules) -> Crosstable:
    """The cross-table from the stored scores; `rules` as for `load_standings`.

    Raises:
        StoreError: the database cannot be used.
    """
    table = load_standings(database, event, rules)
    fields = tuple(_field(event, field) for field in table.fields or (table,) if not field.is_knockout)
    return Crosstable(event.name, fields, table.matches, table.matches_over)


def _field(event: EventInfo, table: Standings) -> CrosstableField:
    assert table.stage is not None
    counted = {match.number: match for match in table.counted}
    ranked = {row.team: row for row in table.rows}
    cells: dict[str, list[CrosstableCell]] = {team: [] for team in ranked}
    for match in table.stage.matches:
        if match.home not in cells:
            continue
        for team in (match.home, match.away):
            rulings = tuple(r for r in table.rulings_on(team) if r.match == match.number)
            cells[team].append(_cell(match, counted.get(match.number), rulings, is_home=team == match.home))
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
        if team.name in ranked
    )
    return CrosstableField(table.stage.name, table.group, table.title, rows)


def _cell(
    match: MatchInfo, counted: FinishedMatch | None, rulings: tuple[RulingInfo, ...], *, is_home: bool
) -> CrosstableCell:
    """The match as its home team, or its away team, sees it."""
    opponent = match.away if is_home else match.home
    imps_for = imps_against = vp = None
    if counted is not None and is_home:
        imps_for, imps_against, vp = counted.imps_home, counted.imps_away, counted.vp_home
    elif counted is not None:
        imps_for, imps_against, vp = counted.imps_away, counted.imps_home, counted.vp_away
    return CrosstableCell(match.number, match.round, opponent, is_home, imps_for, imps_against, vp, rulings)
