"""Rulings and incidents: in words, as documents, and the report that lists them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.event.drawn import DrawnEvent
from tourney.output.content import Content, EntrantLink, Folded, Heading, Instant, Linked, MatchLink, Title
from tourney.output.rows import ABSENT, LEFT, NOT_IN_CSV, Cell, Document, Row, Unit, document_of
from tourney.output.tables import CsvTable, Parts, csv_table, make_table
from tourney.output.units import Amount, ContractText, Moment, RoomName, RulingKindName, SeatUnit, Tricks
from tourney.plurals import count
from tourney.protocol.session.records import RULE_AUTHOR, BoardEnd, RulingKind
from tourney.results.scorecard import load_scorecard
from tourney.results.travellers import name_tables
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.victory_points import format_vp
from tourney.store.draw.objects import Visibility
from tourney.store.results.secrecy import load_shown_rulings
from tourney.store.rulings import IncidentInfo, load_incidents, load_match_rulings, load_rulings
from tourney.views.outcome import contract_of, format_assigned, format_assigned_outcome
from tourney.views.report import Report

NO_TABLES: Final[Mapping[int, str]] = MappingProxyType({})

_WHAT: Final = {
    RulingKind.WARNING: "warning",
    RulingKind.BOARD_FORFEIT: "board forfeited",
    RulingKind.BOARD_CANCELLED: "board cancelled",
    RulingKind.BOARD_REPLAY: "board to be played again",
    RulingKind.WITHDRAWAL: LEFT,
}


def describe_kind(ruling: Ruling) -> str:
    """Describe what a ruling does: `board forfeited`, `penalty of 3 IMPs`."""
    scale = ruling.board_scale
    if ruling.kind is RulingKind.PENALTY_IMPS:
        return f"penalty of {scale.describe_penalty(ruling.amount)}"
    if ruling.kind is RulingKind.PENALTY_VP:
        return f"penalty of {scale.describe_vp_penalty(ruling.amount)}"
    if ruling.kind is RulingKind.ADJUSTED_SCORE:
        return scale.describe_award(ruling.amount)
    if ruling.kind is RulingKind.ASSIGNED_SCORE:
        return f"assigned {format_assigned_outcome(ruling.assigned)}"
    if ruling.kind is RulingKind.MATCH_FORFEIT:
        return scale.match_forfeit
    return _WHAT[ruling.kind]


def describe_cause(ruling: Ruling) -> str:
    """Describe the reason; for a forfeit at the table, after how the board ended: `stall: East owed a call ...`."""
    end = ruling.ended
    return f"{end}: {ruling.reason}" if end is not None and end.is_forfeit else ruling.reason


def describe_author(ruling: Ruling) -> str:
    return "by rule" if ruling.author == RULE_AUTHOR else f"by {ruling.author}"


def describe_ruling(ruling: Ruling, tables: Mapping[int, str] = NO_TABLES, *, with_match: bool = True) -> str:
    """Describe it in one line: `match 3, board 7, open room: Beta: board forfeited: stall: ... (BC-45, by rule)`.

    `tables` are the names of the tables of pairs events by their matches, as `name_tables` returns them.
    """
    place = describe_place(ruling, tables, with_match=with_match)
    source = ", ".join(filter(None, (ruling.law, describe_author(ruling))))
    words = [place, ruling.team, describe_kind(ruling), describe_cause(ruling)]
    return f"{': '.join(filter(None, words))} ({source})"


def describe_place(ruling: Ruling, tables: Mapping[int, str] = NO_TABLES, *, with_match: bool = True) -> str:
    """Describe what a ruling is on: `match 3, board 7, open room`; empty for the whole event."""
    places = [
        tables.get(ruling.match, f"match {ruling.match}") if with_match and ruling.match is not None else "",
        f"board {ruling.board}" if ruling.board is not None else "",
        ruling.board_scale.room_form.format(ruling.room.value) if ruling.room is not None else "",
    ]
    return ", ".join(filter(None, places))


# Documents


class AssignedDocument(Row):
    """A result that counts for the team instead of the one at the table."""

    weight: int
    """The weight of this result among those that were assigned."""
    contract: ContractText
    """The contract, such as 4SX, or Pass."""
    declarer: SeatUnit | None
    """The declarer; null for a board passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null for a board passed out."""


def _assigned(results: Sequence[AssignedResult]) -> list[Document]:
    return [document_of(AssignedDocument(part.weight, *contract_of(part))) for part in results]


class WithdrawnDocument(Row):
    """When, by whom and why a ruling was withdrawn."""

    at: Moment
    """When the ruling was withdrawn."""
    by: str | None
    """Who withdrew it; null if no name was given."""
    reason: str | None
    """Why; null if no reason was given."""


class RulingDocument(Row, kw_only=True):
    """A ruling."""

    ruling: int
    """The number of the ruling."""
    at: Moment
    """When the ruling was made."""
    match: int | None
    """The number of the match; null for a ruling on the whole event."""
    room: RoomName | None
    """The room; null for a ruling that is not on one room."""
    board: int | None
    """The number of the board; null for a ruling that is not on a board."""
    attempt: int | None
    """Which attempt at the board the ruling is on, from 1; null if it is on no attempt."""
    team: str | None
    """The team that the ruling is on; null if it is the same for both."""
    kind: RulingKindName
    """What the ruling does."""
    amount: Amount
    """IMPs as a number, points or victory points as a decimal string, depending on the kind; null if the kind has
    none."""
    assigned: Annotated[
        Sequence[AssignedResult], Unit(form=list[AssignedDocument], json=_assigned, csv=format_assigned)
    ]
    """The results of an assigned score; empty for other kinds."""
    reason: str
    """Why the ruling was made."""
    law: str
    """The law or clause that it is based on; may be empty."""
    author: str
    """Who made the ruling."""
    ended: BoardEnd | None
    """How the attempt at the board ended that the ruling is on; null if it is on no attempt."""
    withdrawn: WithdrawnDocument | None
    """When, by whom and why the ruling was withdrawn; null while it is in force."""


class CountedRulingDocument(Row):
    """A ruling in a row of the standings, the cross-table or a list of matches."""

    match: int | None
    """The number of the match; null for a ruling on the whole event."""
    kind: RulingKindName
    """What the ruling does."""
    amount: Amount
    """IMPs as a number, points or victory points as a decimal string, depending on the kind; null if the kind has
    none."""
    reason: str
    """Why the ruling was made."""


def _counted(rulings: Iterable[Ruling]) -> list[Document]:
    return [
        document_of(CountedRulingDocument(ruling.match, _kind_of(ruling), _amount(ruling), describe_cause(ruling)))
        for ruling in rulings
    ]


CountedRulings: TypeAlias = Annotated[
    Sequence[Ruling], Unit(form=list[CountedRulingDocument], json=_counted), NOT_IN_CSV
]
"""Rulings in the short form shown beside the score that includes them."""


class IncidentDocument(Row, kw_only=True):
    """What happened at a table that a director may want to know."""

    at: Moment
    """When it happened."""
    match: int
    """The number of the match."""
    room: RoomName
    """The room in which it happened."""
    board: int | None
    """The number of the board; null between boards."""
    attempt: int | None
    """Which attempt at the board it was, from 1; null between boards."""
    kind: str
    """The kind of incident."""
    seat: SeatUnit | None
    """The seat that the incident is about; null if it is about no seat."""
    team: str | None
    """The team in that seat; null if the incident is about no seat."""
    text: str
    """The offending line, or what happened."""


class RulingsDocument(Row):
    """What `tourney rulings` lists."""

    event: str
    """The name of the event."""
    rulings: list[RulingDocument]
    """The rulings, newest last, withdrawn ones included."""
    incidents: list[IncidentDocument] = ABSENT
    """The incidents, newest last; only with `--incidents`."""


def ruling_row(ruling: Ruling) -> RulingDocument:
    """Return a ruling as a row."""
    return RulingDocument.from_attributes(
        ruling,
        ruling=ruling.id,
        at=ruling.at_ms,
        team=ruling.team or None,
        kind=_kind_of(ruling),
        amount=_amount(ruling),
        withdrawn=None
        if ruling.withdrawn_at_ms is None
        else WithdrawnDocument(ruling.withdrawn_at_ms, ruling.withdrawn_by, ruling.withdrawn_reason),
    )


def _kind_of(ruling: Ruling) -> str:
    """Return the kind by name; a penalty of pairs is in percent of a top."""
    is_in_percent = ruling.kind is RulingKind.PENALTY_VP and ruling.board_scale.ranking_unit == "percent"
    return "penalty-percent" if is_in_percent else ruling.kind.value


def _amount(ruling: Ruling) -> int | str | None:
    if ruling.kind in (RulingKind.PENALTY_IMPS, RulingKind.ADJUSTED_SCORE):
        return ruling.board_scale.document(ruling.amount)
    return format_vp(ruling.amount) if ruling.kind is RulingKind.PENALTY_VP else None


def incident_row(incident: IncidentInfo) -> IncidentDocument:
    """Return an incident as a row."""
    return IncidentDocument.from_attributes(incident, at=incident.at_ms)


# The report


class Rulings(Report):
    """The rulings of an event or of one match, newest last, optionally with its incidents."""

    drawn: DrawnEvent
    match: MatchInfo | None
    """The match; None for the whole event."""
    rulings: Sequence[Ruling]
    incidents: Sequence[IncidentInfo] | None
    """None unless they were requested."""

    def content(self) -> RulingsDocument:
        """Return the rulings, and the incidents if requested."""
        incidents = ABSENT if self.incidents is None else list(map(incident_row, self.incidents))
        return RulingsDocument(self.drawn.event.name, list(map(ruling_row, self.rulings)), incidents)

    def csv(self) -> CsvTable:
        """Return the rulings, or the incidents instead, as in the files that `tourney export` writes."""
        if self.incidents is not None:
            return csv_table(IncidentDocument, map(incident_row, self.incidents))
        return csv_table(RulingDocument, map(ruling_row, self.rulings))

    def text(self) -> Parts:
        """Yield tables of rulings and of incidents."""
        tables, where = name_tables(self.drawn), self.drawn.event.name
        if self.match is not None:
            name = tables.get(self.match.number, f"match {self.match.number}")
            where = f"{where}, {name}: {self.match.home} - {self.match.away}"
        entrant = self.drawn.event.entrant.title()
        when = Cell("When", lambda each: Instant(each.at_ms, self.drawn.zone))
        withdrawn = sum(not ruling.is_live for ruling in self.rulings)
        of_them = f", {withdrawn} of them withdrawn" if withdrawn else ""
        yield Title(where, f"{count(len(self.rulings), 'ruling')}{of_them}")
        if self.rulings:
            columns = [
                Cell(">No", "id", worth=3),
                Cell(entrant, _whom, worth=2),
                Cell("What", describe_kind, worth=3),
                *self._where(tables),
                Cell("Why", describe_cause, worth=1, tone="wide"),
                Cell("Clause", "law"),
                Cell("Whose", describe_author),
                when,
                Cell("Withdrawn", self._show_withdrawal, worth=1, tone="wide", if_any=True),
            ]
            yield make_table(columns, self.rulings, tone_of=lambda ruling: "" if ruling.is_live else "muted")
        if self.incidents is not None:
            yield Heading(count(len(self.incidents), "incident"))
            if self.incidents:
                columns = [
                    when,
                    *self._where(tables),
                    Cell("What", "kind.value", worth=2),
                    Cell("Seat", lambda incident: incident.seat.title if incident.seat is not None else ""),
                    Cell(entrant, lambda incident: incident.team or ""),
                    Cell("Text", "text", worth=1),
                ]
                yield make_table(columns, self.incidents)

    def _where(self, tables: Mapping[int, str]) -> Iterator[Cell]:
        """Yield where something was, in a room where there are two."""
        matches = self.drawn.event.matches_by_number
        named = [number in tables for number in matches]
        yield Cell(
            "Table" if all(named) else "Match or table" if any(named) else ">Match",
            lambda row: tables.get(row.match, row.match) if row.match is not None else "",
            worth=2,
            to=lambda row: MatchLink(row.match) if row.match is not None else None,
        )
        yield Cell(
            "Room",
            lambda row: matches[row.match].format.name_room(row.room) if row.match is not None else "",
            worth=2,
            if_any=True,
        )
        yield Cell(">Board", lambda row: row.board if row.board is not None else "", worth=2)

    def _show_withdrawal(self, ruling: Ruling) -> Content:
        """Show when, by whom and why a ruling was withdrawn: `2026-11-21 15:00 CET by Jane: heard again`."""
        if ruling.withdrawn_at_ms is None:
            return ""
        by = f"by {ruling.withdrawn_by}" if ruling.withdrawn_by else ""
        words = ": ".join(filter(None, (by, ruling.withdrawn_reason)))
        return Instant(ruling.withdrawn_at_ms, self.drawn.zone), *filter(None, [words])


def _whom(ruling: Ruling) -> Content:
    """Show whom a ruling is about."""
    if ruling.team:
        return Linked(ruling.team, EntrantLink(ruling.team))
    return "both" if ruling.match is not None else ""


def load(drawn: DrawnEvent, *, match_number: int | None = None, with_incidents: bool = False) -> Rulings:
    """Load the rulings of an event, or of one match.

    What would tell how boards were played that are still to be played somewhere is for the director only.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    database, event = drawn.database, drawn.event
    match = drawn.match(match_number) if match_number is not None else None
    rulings = load_rulings(database, event.id) if match is None else load_match_rulings(database, match)
    incidents = load_incidents(database, event.id, match) if with_incidents else None
    if event.visibility is not Visibility.EVERYTHING:
        cards = {
            each.number: load_scorecard(database, event, each, drawn.scales[each.stage])
            for each in event.matches
            if each.number in {*(r.match for r in rulings), *(found.match for found in incidents or ())}
        }
        rulings = [
            ruling
            for ruling in load_shown_rulings(database, event, rulings)
            if ruling.match is None or ruling.board is None or ruling in cards[ruling.match].rulings
        ]
        if incidents is not None:
            incidents = [
                found for found in incidents if not found.is_for_director and cards[found.match].shows(found.board)
            ]
    return Rulings(drawn, match, rulings, incidents)


# Below the tables of other reports


STARRED_MAX: Final = 12
"""How many rulings are listed one by one below a table; with more, the table would not fit a screen of 24 lines."""


def explain_stars(rulings: Sequence[Ruling], event_path: object, tables: Mapping[int, str] = NO_TABLES) -> Parts:
    """Explain the stars of a table: list the rulings; if there are many, a terminal only counts them.

    `event_path` is the event file, as the user gave it; `tables` are as in `describe_ruling`.
    """
    if not rulings:
        return
    number = count(len(rulings), "ruling")
    yield ""
    yield Folded(
        f"* {number}",
        [f"* {describe_ruling(ruling, tables)}" for ruling in rulings],
        instead=f"* {number}, which `tourney rulings {event_path}` lists" if len(rulings) > STARRED_MAX else "",
    )


def describe_rulings(of_lines: Iterable[Sequence[Ruling]], tables: Mapping[int, str] = NO_TABLES) -> Iterator[str]:
    """Yield what the stars stand for, each ruling once; `tables` are as in `describe_ruling`."""
    for ruling in {ruling.id: ruling for of_line in of_lines for ruling in of_line}.values():
        yield f"* {describe_ruling(ruling, tables)}"
