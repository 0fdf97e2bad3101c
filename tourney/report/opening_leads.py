"""Opening leads: each team's leads, the contracts led against, and the tricks that a lead cost where it was solved.

A lead is listed if its board has a result with a contract, its calls and cards are on record, and both rooms have
finished the board, as on the scorecard. The cost of a lead is known after `tourney analyse`: it is the number of
tricks by which the lead raised what declarer can make double dummy.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from typing_extensions import TypedDict

from tourney.bridge import Card, Contract, Side
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.output.tables import CsvTable, TextTable
from tourney.plurals import count
from tourney.report.report import Column, Report, csv_table, for_entrant, text_table
from tourney.report.values import CardText, ContractText, RoomName, SeatLetter, SideLetters, Tricks
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.store.draw.objects import MatchInfo, TableInfo
from tourney.store.results.analyses import load_play_tricks
from tourney.store.results.event_results import MatchFilter, load_leads


class LeadDocument(TypedDict):
    """An opening lead."""

    match: int
    """The number of the match."""
    round: int
    """The number of its round, counted through the event."""
    board: int
    """The number of the board."""
    room: RoomName
    """The room in which it was led."""
    team: str
    """The leader's team."""
    side: SideLetters
    """The leader's side."""
    seat: SeatLetter
    """The leader's seat."""
    contract: ContractText
    """The contract that was led against."""
    declarer: SeatLetter
    """The seat of declarer."""
    lead: CardText
    """The card that was led: rank, then suit."""
    tricks: Tricks
    """The tricks that declarer made."""
    cost: int | None
    """The tricks that the lead cost; null where the play was not solved."""


class LeadTotalsDocument(TypedDict):
    """Totals of the leads of a team, or of all leads."""

    leads: int
    """How many leads there are."""
    solved: int
    """How many of them have been solved, so that their cost is known."""
    costly: int
    """How many of them cost a trick or more."""
    cost: int
    """The tricks that they cost together."""
    average: str | None
    """Tricks per lead that was solved, with two decimals; null where none was."""


class TeamLeadsDocument(LeadTotalsDocument):
    """The leads of a team."""

    team: str
    """The name of the team."""


class OpeningLeadsDocument(TypedDict):
    """The opening leads of an event, a round or a match."""

    event: str
    """The name of the event."""
    round: int | None
    """The number of the round; null for all rounds."""
    match: int | None
    """The number of the match; null for all matches."""
    all: LeadTotalsDocument
    """Totals of all leads."""
    teams: list[TeamLeadsDocument]
    """Totals of each team, in the order of the draw."""
    leads: list[LeadDocument]
    """The leads in the order of the matches, then of play, the open room first."""


@dataclass(frozen=True, slots=True)
class OpeningLead:
    """An opening lead."""

    match: MatchInfo
    table: TableInfo
    board: int
    contract: Contract
    lead: Card
    tricks: int
    """Tricks that declarer made."""
    cost: int | None
    """Tricks that the lead cost; None where the play was not solved."""

    @property
    def side(self) -> Side:
        return self.contract.leader.side

    @property
    def team(self) -> str:
        return self.table.team(self.side)


@dataclass(frozen=True, slots=True)
class LeadTotals:
    """Totals of the leads of a team, or of all leads."""

    team: str
    """The name of the team; empty for all leads."""
    leads: int
    solved: int
    costly: int
    cost: int

    @property
    def average(self) -> str | None:
        """Tricks per solved lead, rounded half up: `0.13`."""
        if not self.solved:
            return None
        hundredths = (200 * self.cost + self.solved) // (2 * self.solved)
        return f"{hundredths // 100}.{hundredths % 100:02}"


_Totals = Column[LeadTotals]
TOTAL_COLUMNS: Final = (
    _Totals("", "Team", lambda totals: totals.team or "All"),
    _Totals("", ">Leads", lambda totals: totals.leads),
    _Totals("", ">Solved", lambda totals: totals.solved),
    _Totals("", ">Costly", lambda totals: totals.costly),
    _Totals("", ">Tricks", lambda totals: totals.cost),
    _Totals("", ">Average", lambda totals: totals.average),
)

_Lead = Column[OpeningLead]
COLUMNS: Final = (
    _Lead("match", ">Match", lambda lead: lead.match.number),
    _Lead("round", "", lambda lead: lead.match.round),
    _Lead("board", ">Board", lambda lead: lead.board),
    _Lead("room", "Room", lambda lead: lead.table.room),
    _Lead("team", "Team", lambda lead: lead.team),
    _Lead("side", "", lambda lead: lead.side.value),
    _Lead("seat", "By", lambda lead: lead.contract.leader.letter),
    _Lead("contract", "", lambda lead: str(lead.contract)),
    _Lead("declarer", "", lambda lead: lead.contract.declarer.letter),
    _Lead("", "Contract", lambda lead: f"{lead.contract} {lead.contract.declarer.letter}"),
    _Lead("lead", "Lead", lambda lead: str(lead.lead)),
    _Lead("tricks", "", lambda lead: lead.tricks),
    _Lead("cost", ">Tricks", lambda lead: lead.cost),
)


@dataclass(frozen=True, slots=True)
class OpeningLeads(Report):
    """The opening leads of an event, a round or a match."""

    event: str
    round: int | None
    match: MatchInfo | None
    teams: tuple[str, ...]
    """In the order of the draw; for a single match, the home team first."""
    leads: tuple[OpeningLead, ...]
    """In the order of the matches, then of play, the open room first."""
    entrant: str
    """What takes part, `team` or `pair`."""

    @property
    def has_rooms(self) -> bool:
        """Whether any of the leads was made in one of the two rooms of a match."""
        return not all(lead.match.format.is_at_one_table for lead in self.leads)

    @property
    def totals(self) -> LeadTotals:
        """Totals of all leads."""
        return _add_up("", self.leads)

    @property
    def team_totals(self) -> list[LeadTotals]:
        """Totals of each team."""
        return [_add_up(team, (lead for lead in self.leads if lead.team == team)) for team in self.teams]

    @property
    def costly(self) -> list[OpeningLead]:
        """The leads that cost a trick or more, the most expensive first."""
        return sorted((lead for lead in self.leads if lead.cost), key=lambda lead: -(lead.cost or 0))

    def document(self) -> OpeningLeadsDocument:
        """Return the totals, then every lead."""
        return {
            "event": self.event,
            "round": self.round,
            "match": self.match.number if self.match is not None else None,
            "all": _totals_document(self.totals),
            "teams": [{"team": totals.team, **_totals_document(totals)} for totals in self.team_totals],
            "leads": [_lead_document(lead) for lead in self.leads],
        }

    def csv(self) -> CsvTable:
        """Return a row per lead."""
        return csv_table(COLUMNS, self.leads)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of teams, and a table of the leads that cost tricks."""
        where = f", round {self.round}" if self.round is not None else ""
        if self.match is not None:
            where = f", match {self.match.number}: {self.match.home} - {self.match.away}"
        yield f"{self.event}{where}: {count(len(self.leads), 'opening lead')}, {self.totals.solved} of them solved"
        table = text_table(for_entrant(TOTAL_COLUMNS, self.entrant), self.team_totals)
        table.add_section()
        table.add_row(*(column.format(self.totals) for column in TOTAL_COLUMNS))
        yield table
        if self.costly:
            yield ""
            yield "Leads that cost tricks"
            columns = for_entrant(COLUMNS, self.entrant)
            if not self.has_rooms:
                columns = [column for column in columns if column.name != "room"]
            yield text_table(columns, self.costly)


def load(drawn: DrawnEvent, *, round_number: int | None = None, match_number: int | None = None) -> OpeningLeads:
    """Load the opening leads of an event, a round or a match.

    Raises:
        StoreError: the database cannot be used, or the analysis in it is malformed.
        UsageError: there is no such round or match.
    """
    drawn.check_round(round_number)
    database, event = drawn.database, drawn.event
    match = drawn.match(match_number) if match_number is not None else None
    scope = MatchFilter(event.id, round_number, [match.number] if match is not None else None)
    cards = list(iter_scorecards(database, event, {}, scope))
    # Read after the results: each of them has its lead.
    leads = load_leads(database, scope)
    found: list[OpeningLead] = []
    for card in cards:
        tricks = load_play_tricks(database, card.match)
        costs = {place: max(0, after - before) for place, (before, after, *_) in tricks.items()}
        found += _leads_of(card, leads, costs)
    teams = (match.home, match.away) if match is not None else tuple(team.name for team in event.teams)
    return OpeningLeads(event.name, round_number, match, teams, tuple(found), event.entrant)


def _leads_of(
    card: Scorecard, leads: Mapping[tuple[int, int], Card], costs: Mapping[tuple[Room, int], int]
) -> Iterator[OpeningLead]:
    """Yield the leads of a match; `leads` is keyed by table and board, `costs` by room and board."""
    for board in card.boards:
        for room, found in board.results.items():
            table, contract = board.tables[room], found.result.contract
            lead = leads.get((table.id, board.number))
            if contract is not None and lead is not None:
                yield OpeningLead(
                    match=card.match,
                    table=table,
                    board=board.number,
                    contract=contract,
                    lead=lead,
                    tricks=found.result.tricks,
                    cost=costs.get((room, board.number)),
                )


def _add_up(team: str, leads: Iterable[OpeningLead]) -> LeadTotals:
    costs = [lead.cost for lead in leads]
    solved = [cost for cost in costs if cost is not None]
    return LeadTotals(
        team=team, leads=len(costs), solved=len(solved), costly=sum(map(bool, solved)), cost=sum(solved)
    )


def _totals_document(totals: LeadTotals) -> LeadTotalsDocument:
    return {
        "leads": totals.leads,
        "solved": totals.solved,
        "costly": totals.costly,
        "cost": totals.cost,
        "average": totals.average,
    }


def _lead_document(lead: OpeningLead) -> LeadDocument:
    return {
        "match": lead.match.number,
        "round": lead.match.round,
        "board": lead.board,
        "room": lead.table.room.value,
        "team": lead.team,
        "side": lead.side.value,
        "seat": lead.contract.leader.letter,
        "contract": str(lead.contract),
        "declarer": lead.contract.declarer.letter,
        "lead": str(lead.lead),
        "tricks": lead.tricks,
        "cost": lead.cost,
    }
