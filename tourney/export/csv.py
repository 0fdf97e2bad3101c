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

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from tourney.bridge.double_dummy import TABLE_PLACES
from tourney.export.files import replace_file
from tourney.export.json import match_row
from tourney.export.request import ExportRequest
from tourney.formats.spreadsheet import CsvWriter
from tourney.output.rows import ABSENT, Document
from tourney.output.tables import CsvTable, csv_row, csv_values, parse_columns
from tourney.results.played import PlayedMatch
from tourney.results.travellers import StageTravellers
from tourney.views.analysis import compare_with_par
from tourney.views.figures import columns_left_out
from tourney.views.rulings import IncidentDocument, RulingDocument, ruling_row
from tourney.views.standings import standings_csv
from tourney.views.travellers import in_order, result_row

_MAKEABLE: Final = {place: f"{place[0].letter}_{place[1].letters}".lower() for place in TABLE_PLACES}

_COLUMNS: Final = {
    "matches": parse_columns("""
        match round home away boards boards_finished imps_home imps_away vp_home vp_away stage carry_home
        carry_away third_place margin_home margin_away lead winner won_by void cancelled points_home
        points_away ranking_score_home ranking_score_away
    """),
    "boards": parse_columns("""
        match round board room home away ns ew dealer vulnerable deal contract declarer tricks score_ns
        imps_home imps_away ns_ms ew_ms tm_ms attempt began_at ended fault reason forfeited_by cancelled
        points_home points_away
    """),
    "calls": parse_columns("""
        match board room number seat team call alerted alert thinking_ms at substituted
    """),
    "cards": parse_columns("""
        match board room number trick seat team card thinking_ms at substituted cost
    """),
    "rulings": RulingDocument.csv_columns(),
    "incidents": IncidentDocument.csv_columns(),
    "analysis": (
        *("match", "round", "board", "par", "par_contracts", "open_par_imps", "closed_par_imps"),
        *_MAKEABLE.values(),
    ),
    "travellers": parse_columns("""
        board ns ew score adjusted_ns adjusted_ew results_expected stage section session round table match
        contract declarer lead tricks ns_points ew_points ns_percentage ew_percentage
    """),
    "sheets": parse_columns("""
        match number board by contract tricks ns_below ns_above ew_below ew_above ns_total ew_total
    """),
}
"""The columns of each table but the standings; their rows are made of those of `event.json`."""


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the tables of the event, or those of the only match, which have no standings."""
    event, standings = request.event, request.standings if request.match is None else None
    travellers = request.travellers.values() if request.match is None else ()
    without = columns_left_out(event)
    columns = {name: [each for each in names if each not in without] for name, names in _COLUMNS.items()}
    ranking = standings_csv(standings) if standings is not None else CsvTable((), ())
    if standings is not None:
        columns = {"standings": list(ranking.columns), **columns}
    if not travellers:
        del columns["travellers"]
    if not any("sheets" in stage.format.own_tables for stage in event.stages):
        del columns["sheets"]
    prefix = "" if request.match is None else f"{request.stem}-"
    paths = {name: request.folder / f"{prefix}{name}.csv" for name in columns}
    with ExitStack() as stack:
        writers = {
            name: CsvWriter(stack.enter_context(replace_file(paths[name])), names) for name, names in columns.items()
        }
        # Withdrawals concern the event, not a match.
        rulings = [r for r in standings.rulings if r.match is None] if standings is not None else []
        if standings is not None:
            writers["standings"].writerows(ranking.rows)
        for stage in travellers:
            writers["travellers"].writerows(_result_rows(stage))
        for match in request.played():
            rulings += match.card.rulings
            for name, row in _rows_of(match):
                if name in writers:
                    writers[name].writerow(row)
        for ruling in sorted(rulings, key=lambda ruling: (ruling.at_ms, ruling.id)):
            writers["rulings"].writerow(csv_row(ruling_row(ruling)))
    yield from paths.values()


def _result_rows(stage: StageTravellers) -> Iterator[Document]:
    """Yields what counts of the boards of a pairs stage."""
    for traveller in stage.travellers:
        for line in in_order(traveller.lines):
            row = result_row(line)
            if row.figures.score is not None or row.figures.adjusted_ns is not ABSENT:
                yield csv_values(
                    _COLUMNS["travellers"],
                    row,
                    board=traveller.board.number,
                    results_expected=stage.expected,
                    stage=traveller.stage.name,
                    section=line.section,
                    session=line.session,
                )


def _rows_of(played: PlayedMatch) -> Iterator[tuple[str, Document]]:
    """Yields the rows of a match, each with the name of its table."""
    card, row = played.card, match_row(played)
    yield (
        "matches",
        csv_values(
            _COLUMNS["matches"],
            row,
            boards=len(card.boards),
            boards_finished=card.boards_finished,
            stage=played.match.stage,
            # Also where nothing is compared within a match, as in pairs events.
            void=card.finished is not None and card.finished.is_void,
            cancelled=played.is_cancelled,
        ),
    )
    for incident in row.incidents:
        yield "incidents", csv_row(incident)
    for deal in row.sheet.deals if row.sheet is not ABSENT else ():
        totals = {"ns_total": deal.totals.ns, "ew_total": deal.totals.ew}
        yield "sheets", csv_values(_COLUMNS["sheets"], deal, match=row.match, **totals)
    yield from _analysis_rows(played)
    for finished, board in zip(played.boards, row.boards, strict=True):
        for room, record in finished.records.items():
            at_table, table, figures = board.rooms[room], record.table, board.figures
            assert at_table is not None
            place = {"match": row.match, "board": board.board, "room": room}
            yield (
                "boards",
                csv_values(
                    _COLUMNS["boards"],
                    *(at_table, board, row),
                    room=room,
                    imps_home=figures.imps,
                    points_home=figures.points if figures.points is not ABSENT else None,
                    ns=table.ns_team,
                    ew=table.ew_team,
                    score_ns=at_table.played.score if at_table.played is not None else None,
                    forfeited_by=", ".join(each.team for each in board.forfeits if each.room == room),
                ),
            )
            for number, call in enumerate(at_table.calls, 1):
                team = table.team(call.seat.side)
                yield "calls", csv_values(_COLUMNS["calls"], call, **place, number=number, team=team)
            solved = finished.analysis.play(room) if finished.analysis is not None else None
            for number, played_card in enumerate(at_table.cards, 1):
                more = {"number": number, "trick": (number + 3) // 4, "team": table.team(played_card.seat.side)}
                cost = solved.cost_by_number.get(number, 0) if solved is not None else None
                yield "cards", csv_values(_COLUMNS["cards"], played_card, **place, **more, cost=cost)


def _analysis_rows(played: PlayedMatch) -> Iterator[tuple[str, Document]]:
    """Yields the rows of a match's solved boards; `n_nt` is what North makes in notrump."""
    solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
    pars = compare_with_par(played.card, solved)
    for number, worth in solved.items():
        tricks = {name: worth.table.tricks[place] for place, name in _MAKEABLE.items()}
        place = {"match": played.match.number, "round": played.match.round, "board": number}
        yield "analysis", csv_values(_COLUMNS["analysis"], pars[number], **place, **tricks)
