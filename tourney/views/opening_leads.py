"""Opening leads: each team's leads, the contracts led against, and the tricks that a lead cost where it was solved.

A lead is listed if its board has a result with a contract, its calls and cards are on record, and both rooms have
finished the board, as on the scorecard. The cost of a lead is known after `tourney analyse`: it is the number of
tricks by which the lead raised what declarer can make double dummy.
"""

from collections.abc import Iterable
from typing import Annotated

from tourney.event.drawn import DrawnEvent
from tourney.output.content import BoardLink, EntrantLink, Title
from tourney.output.rows import INLINE, Cell, Row
from tourney.output.tables import CsvTable, Parts, csv_table, text_table
from tourney.output.units import (
    CardUnit,
    ContractUnit,
    EventName,
    MatchNumber,
    RoomName,
    SeatUnit,
    SideLetters,
    TeamName,
    Tricks,
)
from tourney.plurals import count
from tourney.results.scorecard import iter_scorecards
from tourney.scoring.butler import format_average
from tourney.store.results.event_results import MatchFilter, load_leads
from tourney.store.results.matches import load_play_tricks
from tourney.views.report import Report


class LeadDocument(Row):
    """An opening lead."""

    match: Annotated[MatchNumber, Cell(">Match", "match.number")]
    """The number of the match."""
    round: int
    """The number of its round, counted through the event."""
    board: Annotated[int, Cell(">Board", worth=1, to=(BoardLink, "match.number", "board"))]
    """The number of the board."""
    room: Annotated[RoomName, Cell("Room", lambda lead: lead.match.format.name_room(lead.room), if_any=True)]
    """The room in which it was led."""
    team: Annotated[str, Cell("Team", worth=1, to=(EntrantLink, "team"))]
    """The leader's team."""
    side: SideLetters
    """The leader's side."""
    seat: Annotated[SeatUnit, Cell("By")]
    """The leader's seat."""
    contract: Annotated[ContractUnit, Cell("Contract", lambda lead: (lead.contract, lead.declarer), worth=1)]
    """The contract that was led against."""
    declarer: SeatUnit
    """The seat of declarer."""
    lead: Annotated[CardUnit, Cell("Lead", worth=1)]
    """The card that was led: rank, then suit."""
    tricks: Tricks
    """The tricks that declarer made."""
    cost: Annotated[int | None, Cell(">Tricks", worth=1, words="Tricks that the lead cost")]
    """The tricks that the lead cost; null where the play was not solved."""


class LeadTotalsDocument(Row):
    """Totals of the leads of a team, or of all leads."""

    leads: Annotated[int, Cell(">Leads")]
    """How many leads there are."""
    solved: Annotated[int, Cell(">Solved", words="Leads whose cost is known")]
    """How many of them have been solved, so that their cost is known."""
    costly: Annotated[int, Cell(">Costly", worth=1, words="Leads that cost a trick or more")]
    """How many of them cost a trick or more."""
    cost: Annotated[int, Cell(">Tricks", worth=1, words="Tricks that they cost together")]
    """The tricks that they cost together."""
    average: Annotated[str | None, Cell(">Average", worth=1, words="Tricks a lead that was solved")]
    """Tricks per lead that was solved, with two decimals; null where none was."""


class TeamLeadsDocument(Row):
    """The leads of a team."""

    team: TeamName
    """The name of the team."""
    totals: Annotated[LeadTotalsDocument, INLINE]


class OpeningLeads(Report):
    """The opening leads of an event, a round or a match."""

    event: EventName
    """The name of the event."""
    round: int | None
    """The number of the round; null for all rounds."""
    match: MatchNumber | None
    """The number of the match; null for all matches."""
    all: LeadTotalsDocument
    """Totals of all leads."""
    teams: tuple[TeamLeadsDocument, ...]
    """Totals of each team, in the order of the draw."""
    leads: tuple[LeadDocument, ...]
    """The leads in the order of the matches, then of play, the open room first."""

    @property
    def costly(self) -> list[LeadDocument]:
        """The leads that cost a trick or more, the most expensive first."""
        return sorted((lead for lead in self.leads if lead.cost), key=lambda lead: -(lead.cost or 0))

    def csv(self) -> CsvTable:
        """Return a row per lead."""
        return csv_table(LeadDocument, self.leads)

    def text(self) -> Parts:
        """Yield a table of teams, and a table of the leads that cost tricks."""
        where = f", round {self.round}" if self.round is not None else ""
        if self.match is not None:
            where = f", match {self.match.number}: {self.match.home} - {self.match.away}"
        yield Title(
            f"{self.event.name}{where}", f"{count(len(self.leads), 'opening lead')}, {self.all.solved} of them solved"
        )
        team = {"team": self.event.entrant.title()}
        total = TeamLeadsDocument("All", self.all)
        yield text_table(TeamLeadsDocument, self.teams, headings=team, last=[total])
        if self.costly:
            yield ""
            yield "Leads that cost tricks"
            yield text_table(LeadDocument, self.costly, headings=team)


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
    found: list[LeadDocument] = []
    for card in cards:
        tricks = load_play_tricks(database, card.match)
        costs = {place: max(0, after - before) for place, (before, after, *_) in tricks.items()}
        for board in card.boards:
            for room, played in board.results.items():
                table, contract = board.tables[room], played.result.contract
                lead = leads.get((table.id, board.number))
                if contract is not None and lead is not None:
                    found.append(
                        LeadDocument(
                            match=card.match,
                            round=card.match.round,
                            board=board.number,
                            room=room,
                            team=card.match.player_at(table, contract.leader),
                            side=contract.leader.side,
                            seat=contract.leader,
                            contract=contract,
                            declarer=contract.declarer,
                            lead=lead,
                            tricks=played.result.tricks,
                            cost=costs.get((room, board.number)),
                        )
                    )
    names = match.entrants if match is not None else event.team_names
    return OpeningLeads(
        event=event,
        round=round_number,
        match=match,
        all=_add_up(found),
        teams=tuple(TeamLeadsDocument(name, _add_up(lead for lead in found if lead.team == name)) for name in names),
        leads=tuple(found),
    )


def _add_up(leads: Iterable[LeadDocument]) -> LeadTotalsDocument:
    costs = [lead.cost for lead in leads]
    solved = [cost for cost in costs if cost is not None]
    return LeadTotalsDocument(
        leads=len(costs),
        solved=len(solved),
        costly=sum(map(bool, solved)),
        cost=sum(solved),
        average=format_average(sum(solved), len(solved)) if solved else None,
    )
