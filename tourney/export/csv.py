"""Exports matches as CSV tables, UTF-8 with a line of headings; an unknown or missing value is an empty field.

standings.csv   rank, team, played, won, drawn, lost, imps_for, imps_against, vp, withdrawn: the event, without a
                stage; then, in an event of several, the rows of each stage and group separately
matches.csv     a row a match; IMPs so far, victory points once it has finished, and IMPs carried over; each
                team's own margin, the home team's lead (Law 12C4) once it has finished, 1 for a void match, and 1
                for one that does not count because a team left early, which has no victory points
boards.csv      a row a board and room; score_ns is North-South's, imps_home the home team's, imps_away the away
                team's, times in milliseconds: of both sides, and tm_ms the table's own share; ended is how it ended,
                fault the seat responsible for a forfeit, forfeited_by the teams that lose the board in this room by
                a ruling; cancelled is 1 for a cancelled board, which has 0 IMPs, otherwise 0
calls.csv       a row a call: number counts from 1; alert is the information as sent by the player or given by the
                operator; alerted and substituted (by the table) are 1 or 0
cards.csv       a row a card: number counts from 1 to 52; seat is the hand it came from, dummy's for dummy's cards;
                cost are the tricks that it cost its side double dummy, 0 for none, nothing where the play of the
                board was not solved
analysis.csv    a row a board that `tourney analyse` has solved: par, North-South's score when both sides bid and play
                as well as possible, the contracts that lead to it, IMPs North-South won against par in each room,
                and what each declarer makes in each denomination: n_nt North in notrump
travellers.csv  in pairs events: a row for each result that counts, of the boards that all tables have played;
                board,ns,ew,score and, where no score counts for both sides, adjusted_ns and adjusted_ew (A+, A, A- or
                60:420/40:-50) and results_expected are what `tourney score --pairs` reads; contract to tricks are
                what was played at the table, points are matchpoints or IMPs
sheets.csv      at rubber bridge and Chicago: a row a deal, as it counts, below and above the line; totals are those
                if play had stopped after it
rulings.csv     a row a ruling, those that were withdrawn too; amount as in `rulings`, assigned such as `4S N 10` or
                `60: 4S N 10, 40: 4S N 9` with the weights in front
incidents.csv   a row an incident; text has the offending line, or says what happened

In pairs events nothing is compared within a match, so IMPs and victory points of matches and boards are empty there.

Only boards that both rooms have finished have rows, and are in rulings and incidents. A board that was forfeited has
no contract, no result and no tm_ms, and the calls and cards made up to then; one that was forfeited before it was
begun has no row for that room. Times of day are ISO 8601 in UTC. A text that a spreadsheet would run as a formula has
an apostrophe in front, unless texts are asked for exactly.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

from tourney.export.files import replace_file
from tourney.export.game_tags import sheet_of
from tourney.export.json import (
    CallDocument,
    CardDocument,
    EndDocument,
    RecordTimesDocument,
    call_rows,
    card_rows,
    end_row,
    times_row,
)
from tourney.export.registry import ExportRequest
from tourney.formats.spreadsheet import CsvWriter
from tourney.movement.seating import Room
from tourney.output.rows import ABSENT, INLINE, Document, InCsv, Row
from tourney.output.tables import csv_columns, csv_row
from tourney.output.units import DealUnit, Points, RoomName, SeatUnit, VulnerabilityName
from tourney.report.analysis import BoardPar, compare_with_par
from tourney.report.figures import columns_left_out, imps_of, points_of
from tourney.report.match import ScoreDocument, score_row
from tourney.report.outcome import ContractDocument, contract_row
from tourney.report.rulings import IncidentDocument, RulingDocument, incident_row, ruling_row
from tourney.report.schedule import CarryDocument
from tourney.report.score_sheet import SheetDealDocument, sheet_row
from tourney.report.standings import standings_csv
from tourney.report.travellers import in_order, result_row
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import StageTravellers
from tourney.scoring.double_dummy import DECLARERS, STRAINS
from tourney.store.draw.objects import BoardRecord

_MAKEABLE: Final = {
    (seat, strain): f"{seat.letter}_{strain.letters}".lower() for seat in DECLARERS for strain in STRAINS
}

_OF_RESULTS: Final = (
    *("board", "ns", "ew", "score", "adjusted_ns", "adjusted_ew", "results_expected"),
    *("stage", "section", "session", "round", "table", "match", "contract", "declarer", "lead", "tricks"),
    *("ns_points", "ew_points", "ns_percentage", "ew_percentage"),
)
"""The columns of travellers.csv."""


class ExportedMatch(Row, kw_only=True):
    """A row of matches.csv."""

    match: int
    round: int
    home: str
    away: str
    boards: int
    boards_finished: int
    score: Annotated[ScoreDocument, INLINE]
    stage: Annotated[int, InCsv(after="vp_away")]
    carry: Annotated[CarryDocument, INLINE, InCsv(after="stage")]
    third_place: Annotated[bool, InCsv(after="carry_away")]
    cancelled: Annotated[bool, InCsv(after="void")]


class BoardPlace(Row):
    """A board in a room."""

    match: int
    board: int
    room: RoomName


class ExportedBoard(Row, kw_only=True):
    """A row of boards.csv."""

    match: int
    round: int
    board: int
    room: RoomName
    home: str
    away: str
    ns: str
    ew: str
    dealer: SeatUnit
    vulnerable: VulnerabilityName
    deal: DealUnit
    played: Annotated[ContractDocument | None, INLINE]
    score_ns: int | None
    imps_home: int | None
    imps_away: int | None
    times: Annotated[RecordTimesDocument, INLINE]
    end: Annotated[EndDocument, INLINE]
    forfeited_by: str
    cancelled: bool
    points_home: Points | None = ABSENT
    points_away: Points | None = ABSENT


class ExportedCall(Row):
    """A row of calls.csv."""

    place: Annotated[BoardPlace, INLINE]
    call: Annotated[CallDocument, INLINE]


class ExportedCard(Row):
    """A row of cards.csv."""

    place: Annotated[BoardPlace, INLINE]
    card: Annotated[CardDocument, INLINE]


class ExportedDeal(Row):
    """A row of sheets.csv."""

    match: int
    deal: Annotated[SheetDealDocument, INLINE]


class ExportedAnalysis(Row):
    """A row of analysis.csv, without the tricks that each declarer makes."""

    match: int
    round: int
    board: int
    par: Annotated[BoardPar, INLINE]


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the tables of the event, or those of the only match, which have no standings."""
    standings = request.standings if request.match is None else None
    prefix = f"{request.stem}-" if request.match is not None else ""
    if request.match is None and request.travellers:
        yield _write_travellers(request)
    yield from write_csv(
        standings,
        request.played(),
        request.folder,
        prefix,
        without=columns_left_out(request.event),
        has_sheets=any(stage.contest.keeps_sheet for stage in request.event.stages),
    )


def _write_travellers(request: ExportRequest) -> Path:
    """Writes the results of all boards of pairs that count; returns the path."""
    path = request.folder / "travellers.csv"
    with replace_file(path) as file:
        _write_documents(CsvWriter(file, _OF_RESULTS, strict=False), _result_rows(request.travellers.values()))
    return path


def _result_rows(stages: Iterable[StageTravellers]) -> Iterator[Document]:
    for stage in stages:
        for traveller in stage.travellers:
            for line in in_order(traveller.lines):
                row = result_row(line)
                if row.score is None and row.adjusted_ns is ABSENT:
                    continue
                yield csv_row(row) | {
                    "board": traveller.board.number,
                    "results_expected": stage.expected,
                    "stage": traveller.stage.name,
                    "section": line.section,
                    "session": line.session,
                }


def write_csv(
    standings: Standings | None,
    played: Iterable[PlayedMatch],
    folder: Path,
    prefix: str = "",
    *,
    without: Sequence[str] = (),
    has_sheets: bool = False,
) -> Iterator[Path]:
    """Writes the tables; yields their paths.

    Args:
        standings: None leaves standings.csv out.
        played: the matches.
        folder: where the files go.
        prefix: what the name of every file starts with.
        without: columns that are left out, as no stage is scored in them.
        has_sheets: writes score sheets, in an event of rubber bridge or Chicago.

    Raises:
        LaunchError: a file cannot be written.
    """
    if standings is not None:
        path = folder / f"{prefix}standings.csv"
        with replace_file(path) as file:
            table = standings_csv(standings)
            _write_documents(CsvWriter(file, table.columns, strict=False), table.rows)
        yield path
    names = {
        "matches": csv_columns(ExportedMatch, without),
        "boards": csv_columns(ExportedBoard, without),
        "calls": csv_columns(ExportedCall),
        "cards": csv_columns(ExportedCard),
        "rulings": csv_columns(RulingDocument),
        "incidents": csv_columns(IncidentDocument),
        "analysis": (*csv_columns(ExportedAnalysis), *_MAKEABLE.values()),
    }
    if has_sheets:
        names["sheets"] = csv_columns(ExportedDeal)
    paths = {name: folder / f"{prefix}{name}.csv" for name in names}
    with ExitStack() as stack:
        writers = {
            name: CsvWriter(stack.enter_context(replace_file(paths[name])), columns, strict=False)
            for name, columns in names.items()
        }
        # Withdrawals concern the event, not a match.
        rulings = [r for r in standings.rulings if r.match is None] if standings is not None else []
        for match in played:
            _write_rows(writers["matches"], [_match_row(match)])
            rulings += match.card.rulings
            _write_rows(writers["incidents"], map(incident_row, match.incidents))
            writers["analysis"].writerows(_analysis_rows(match))
            sheet = sheet_of(match) if has_sheets else None
            if sheet is not None:
                _write_rows(
                    writers["sheets"], (ExportedDeal(match.match.number, deal) for deal in sheet_row(sheet).deals)
                )
            for board in match.boards:
                for room, record in board.records.items():
                    _write_rows(writers["boards"], [_board_row(match, board, room, record)])
                    place = BoardPlace(match.match.number, board.board.number, room)
                    _write_rows(writers["calls"], (ExportedCall(place, call) for call in call_rows(record)))
                    solved = board.analysis.play(room) if board.analysis is not None else None
                    costs = solved.cost_by_number if solved is not None else None
                    _write_rows(writers["cards"], (ExportedCard(place, card) for card in card_rows(record, costs)))
        rulings.sort(key=lambda ruling: (ruling.at_ms, ruling.id))
        _write_rows(writers["rulings"], map(ruling_row, rulings))
    yield from paths.values()


def _write_rows(writer: CsvWriter, rows: Iterable[Row]) -> None:
    _write_documents(writer, map(csv_row, rows))


def _write_documents(writer: CsvWriter, rows: Iterable[Document]) -> None:
    for row in rows:
        writer.writerow({key: int(value) if isinstance(value, bool) else value for key, value in row.items()})


def _match_row(played: PlayedMatch) -> ExportedMatch:
    card, match = played.card, played.match
    score = score_row(card, is_cancelled=played.is_cancelled)
    # Also where nothing is compared within a match, as in pairs events.
    is_void = card.finished is not None and card.finished.is_void
    return ExportedMatch.of(
        match,
        match=match.number,
        boards=len(card.boards),
        boards_finished=card.boards_finished,
        score=replace(score, margins=replace(score.margins, void=is_void)),
        carry=CarryDocument(match.carry_home, match.carry_away),
        third_place=match.is_third_place,
        cancelled=played.is_cancelled,
    )


def _board_row(played: PlayedMatch, finished: PlayedBoard, room: Room, record: BoardRecord) -> ExportedBoard:
    match, board, table = played.match, finished.board, record.table
    scale = match.compared_scale
    return ExportedBoard.of(
        match,
        board,
        match=match.number,
        board=board.number,
        room=room,
        ns=table.ns_team,
        ew=table.ew_team,
        vulnerable=board.vulnerability,
        played=contract_row(record.result),
        score_ns=record.result.result.score if record.result is not None else None,
        imps_home=imps_of(scale, finished.imps),
        imps_away=imps_of(scale, finished.imps_away),
        times=times_row(record),
        end=end_row(record),
        forfeited_by=", ".join(ruling.team for ruling in finished.forfeits if ruling.room is room),
        cancelled=finished.is_cancelled,
        points_home=points_of(scale, finished.imps),
        points_away=points_of(scale, finished.imps_away),
    )


def _analysis_rows(played: PlayedMatch) -> Iterator[Document]:
    """Yields the rows of a match's solved boards; `n_nt` is what North makes in notrump."""
    solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
    pars = compare_with_par(played.card, solved)
    for number, worth in solved.items():
        row = ExportedAnalysis(played.match.number, played.match.round, number, pars[number])
        yield csv_row(row) | {name: worth.table.tricks[place] for place, name in _MAKEABLE.items()}
