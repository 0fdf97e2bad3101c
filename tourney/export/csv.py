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
travellers.csv  at pairs: a row a result that counts, of the boards that all tables have played; board,ns,ew,score
                and, where no score counts for both sides, adjusted_ns and adjusted_ew (A+, A, A- or 60:420/40:-50)
                and results_expected are what `tourney score --pairs` reads; contract to tricks are what was played
                at the table, points are matchpoints or IMPs
sheets.csv      at rubber bridge and Chicago: a row a deal, as it counts, below and above the line; totals are those
                if play had stopped after it
rulings.csv     a row a ruling, those that were withdrawn too; amount as in `rulings`, assigned such as `4S N 10` or
                `60: 4S N 10, 40: 4S N 9` with the weights in front
incidents.csv   a row an incident; text has the offending line, or says what happened

At pairs nothing is compared within a match, so IMPs and victory points of matches and boards are empty there.

Only boards that both rooms have finished have rows, and are in rulings and incidents. A board that was forfeited has
no contract, no result and no tm_ms, and the calls and cards made up to then; one that was forfeited before it was
begun has no row for that room. Times of day are ISO 8601 in UTC. A text that a spreadsheet would run as a formula has
an apostrophe in front, unless texts are asked for exactly.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, TypeAlias

from tourney.bridge import format_deal
from tourney.export.files import replace_file
from tourney.export.game_tags import sheet_of
from tourney.export.json import table_record_document
from tourney.export.pairs_tables import section_of
from tourney.export.registry import ExportRequest
from tourney.formats.spreadsheet import CsvWriter
from tourney.movement.seating import Room
from tourney.output.rows import Document
from tourney.output.tables import csv_columns, csv_row
from tourney.output.times import format_utc
from tourney.report.analysis import PAR_COLUMNS, compare_with_par, par_row
from tourney.report.figures import MATCH_POINTS, has_points, imps_of, match_points
from tourney.report.match import score_document
from tourney.report.rulings import IncidentDocument, RulingDocument, incident_row, ruling_row
from tourney.report.schedule import carry_document
from tourney.report.score_sheet import sheet_document
from tourney.report.standings import standings_csv
from tourney.report.travellers import traveller_document
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import StageTravellers
from tourney.scoring.double_dummy import DECLARERS, STRAINS
from tourney.store.draw.objects import BoardRecord

MATCHES: Final = (
    *("match", "round", "home", "away", "boards", "boards_finished"),
    *("imps_home", "imps_away", "vp_home", "vp_away", "stage", "carry_home", "carry_away", "third_place"),
    *("margin_home", "margin_away", "lead", "void", "cancelled"),
)
BOARDS: Final = (
    *("match", "round", "board", "room", "home", "away", "ns", "ew", "dealer", "vulnerable", "deal"),
    *("contract", "declarer", "tricks", "score_ns", "imps_home", "imps_away", "ns_ms", "ew_ms", "tm_ms"),
    *("attempt", "began_at", "ended", "fault", "reason", "forfeited_by", "cancelled"),
)
CALLS: Final = (
    *("match", "board", "room", "number", "seat", "team"),
    *("call", "alerted", "alert", "thinking_ms", "at", "substituted"),
)
CARDS: Final = (
    *("match", "board", "room", "number", "trick", "seat", "team"),
    *("card", "thinking_ms", "at", "substituted", "cost"),
)
_MAKEABLE: Final = {
    (seat, strain): f"{seat.letter}_{strain.letters}".lower() for seat in DECLARERS for strain in STRAINS
}
TRAVELLERS: Final = (
    *("board", "ns", "ew", "score", "adjusted_ns", "adjusted_ew", "results_expected", "stage", "section", "session"),
    *("round", "table"),
    *("match", "contract", "declarer", "lead", "tricks", "ns_points", "ew_points", "ns_percentage", "ew_percentage"),
)
SHEETS: Final = (
    *("match", "number", "board", "by", "contract", "tricks"),
    *("ns_below", "ns_above", "ew_below", "ew_above", "ns_total", "ew_total"),
)
ANALYSIS: Final = (*("match", "round", "board"), *PAR_COLUMNS, *_MAKEABLE.values())

_Row: TypeAlias = dict[str, Any]


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the tables of the event, or those of the only match, which have no standings."""
    standings = request.standings if request.match is None else None
    prefix = f"{request.stem}-" if request.match is not None else ""
    points = MATCH_POINTS if has_points(request.event) else ()
    if request.match is None and request.travellers:
        yield _write_travellers(request)
    yield from write_csv(
        standings,
        request.played(),
        request.folder,
        prefix,
        exact=request.exact_csv,
        points=points,
        has_sheets=any(stage.format.game is not None for stage in request.event.stages),
    )


def _write_travellers(request: ExportRequest) -> Path:
    """Writes the results of all boards of pairs that count; returns the path."""
    path = request.folder / "travellers.csv"
    with replace_file(path) as file:
        _write_rows(
            CsvWriter(file, TRAVELLERS, exact=request.exact_csv), _traveller_rows(request.travellers.values())
        )
    return path


def _traveller_rows(stages: Iterable[StageTravellers]) -> Iterator[_Row]:
    for stage in stages:
        for traveller in stage.travellers:
            document = traveller_document(traveller)
            lines = {line.match.number: line for line in traveller.lines}
            for result in document["results"]:
                if result["score"] is not None or "adjusted_ns" in result:
                    line = lines[result["match"]]
                    place = {"section": section_of(line), "session": line.session}
                    row: _Row = {**document, "results_expected": stage.expected, **place, **result}
                    yield {name: row[name] for name in TRAVELLERS if name in row}


def write_csv(
    standings: Standings | None,
    played: Iterable[PlayedMatch],
    folder: Path,
    prefix: str = "",
    *,
    exact: bool = False,
    points: tuple[str, ...] = (),
    has_sheets: bool = False,
) -> Iterator[Path]:
    """Writes the tables; yields their paths.

    Args:
        standings: None leaves standings.csv out.
        played: the matches.
        folder: where the files go.
        prefix: what the name of every file starts with.
        exact: writes texts as they are, also those that a spreadsheet would run as a formula.
        points: further columns of matches and boards, in an event that is scored in points.
        has_sheets: writes score sheets, in an event of rubber bridge or Chicago.

    Raises:
        LaunchError: a file cannot be written.
    """
    if standings is not None:
        path = folder / f"{prefix}standings.csv"
        with replace_file(path) as file:
            table = standings_csv(standings)
            _write_rows(CsvWriter(file, table.columns, exact=exact), table.rows)
        yield path
    rulings, incidents = csv_columns(RulingDocument), csv_columns(IncidentDocument)
    names: dict[str, tuple[str, ...]] = {
        "matches": MATCHES + points,
        "boards": BOARDS + points,
        "calls": CALLS,
        "cards": CARDS,
    }
    names |= {"rulings": rulings, "incidents": incidents, "analysis": ANALYSIS}
    if has_sheets:
        names["sheets"] = SHEETS
    paths = {name: folder / f"{prefix}{name}.csv" for name in names}
    with ExitStack() as stack:
        writers = {
            name: CsvWriter(stack.enter_context(replace_file(paths[name])), columns, exact=exact)
            for name, columns in names.items()
        }
        if standings is not None:  # withdrawals concern the event, not a match
            of_no_match = [ruling for ruling in standings.rulings if ruling.match is None]
            _write_rows(writers["rulings"], map(csv_row, map(ruling_row, of_no_match)))
        for match in played:
            writers["matches"].writerow(_match_row(match))
            _write_rows(writers["rulings"], map(csv_row, map(ruling_row, match.card.rulings)))
            _write_rows(writers["incidents"], map(csv_row, map(incident_row, match.incidents)))
            writers["analysis"].writerows(_analysis_rows(match))
            if has_sheets:
                _write_rows(writers["sheets"], _sheet_rows(match))
            for board in match.boards:
                for room, record in board.records.items():
                    writers["boards"].writerow(_board_row(match, board, room, record))
                    writers["calls"].writerows(_call_rows(match, room, record))
                    writers["cards"].writerows(_card_rows(match, board, room, record))
    yield from paths.values()


def _write_rows(writer: CsvWriter, rows: Iterable[Document]) -> None:
    for row in rows:
        writer.writerow({key: int(value) if isinstance(value, bool) else value for key, value in row.items()})


def _match_row(played: PlayedMatch) -> _Row:
    card, match = played.card, played.match
    is_void = card.finished is not None and card.finished.is_void
    return {
        "match": match.number,
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "boards": len(card.boards),
        "boards_finished": card.boards_finished,
        **score_document(card, is_cancelled=played.is_cancelled)
        | {"void": int(is_void), "cancelled": int(played.is_cancelled)},
        "stage": match.stage,
        **carry_document(match),
        "third_place": int(match.is_third_place),
    }


def _board_row(played: PlayedMatch, finished: PlayedBoard, room: Room, record: BoardRecord) -> _Row:
    match, board = played.match, finished.board
    table = record.table
    result: _Row = {**table_record_document(record)}
    result["score_ns"] = result.pop("score")
    return {
        **_place(played, room, record),
        "round": match.round,
        "home": match.home,
        "away": match.away,
        "ns": table.ns_team,
        "ew": table.ew_team,
        "dealer": board.dealer.letter,
        "vulnerable": board.vulnerability.value,
        "deal": format_deal(board.deal),
        **result,
        "imps_home": imps_of(match.compared_scale, finished.imps),
        "imps_away": imps_of(match.compared_scale, finished.imps_away),
        **match_points(match.compared_scale, finished.imps, finished.imps_away),
        "forfeited_by": ", ".join(ruling.team for ruling in finished.forfeits if ruling.room is room),
        "cancelled": int(finished.is_cancelled),
    }


def _place(played: PlayedMatch, room: Room, record: BoardRecord) -> _Row:
    return {"match": played.match.number, "board": record.board.number, "room": room.value}


def _call_rows(played: PlayedMatch, room: Room, record: BoardRecord) -> Iterator[_Row]:
    place, table = _place(played, room, record), record.table
    for number, call in enumerate(record.calls, 1):
        yield {
            **place,
            "number": number,
            "seat": call.seat.letter,
            "team": table.team(call.seat.side),
            "call": str(call.call),
            "alerted": int(call.alerted),
            "alert": call.alert,
            "thinking_ms": call.thinking_ms,
            "at": format_utc(call.at_ms),
            "substituted": int(call.substituted),
        }


def _card_rows(played: PlayedMatch, board: PlayedBoard, room: Room, record: BoardRecord) -> Iterator[_Row]:
    place, table = _place(played, room, record), record.table
    solved = board.analysis.play(room) if board.analysis is not None else None
    costs = solved.cost_by_number if solved is not None else None
    for index, card in enumerate(record.cards):
        yield {
            **place,
            "number": index + 1,
            "trick": index // 4 + 1,
            "seat": card.seat.letter,
            "team": table.team(card.seat.side),
            "card": str(card.card),
            "thinking_ms": card.thinking_ms,
            "at": format_utc(card.at_ms),
            "substituted": int(card.substituted),
            "cost": costs.get(index + 1, 0) if costs is not None else None,
        }


def _sheet_rows(played: PlayedMatch) -> Iterator[_Row]:
    sheet = sheet_of(played)
    for deal in sheet_document(sheet)["deals"] if sheet is not None else ():
        below, above, totals = deal["below"], deal["above"], deal["totals"]
        yield {
            "match": played.match.number,
            **{name: deal[name] for name in ("number", "board", "by", "contract", "tricks")},
            "ns_below": below["NS"],
            "ns_above": above["NS"],
            "ew_below": below["EW"],
            "ew_above": above["EW"],
            "ns_total": totals["NS"],
            "ew_total": totals["EW"],
        }


def _analysis_rows(played: PlayedMatch) -> Iterator[_Row]:
    """Yields the rows of a match's solved boards; `n_nt` is what North makes in notrump."""
    solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
    pars = compare_with_par(played.card, solved)
    for number, worth in solved.items():
        yield {
            "match": played.match.number,
            "round": played.match.round,
            "board": number,
            **par_row(pars[number]),
            **{name: worth.table.tricks[place] for place, name in _MAKEABLE.items()},
        }
