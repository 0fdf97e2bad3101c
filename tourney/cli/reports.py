"""`tourney standings`, `tourney match` and `tourney crosstable`: how the event stands."""

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.tables_out import CsvTable, form_options, print_report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tourney.cli.output import Printer
    from tourney.cli.text_table import TextTable
    from tourney.report.crosstable import Crosstable, CrosstableCell, CrosstableField
    from tourney.report.par import BoardPar
    from tourney.results.scorecard import Scorecard, ScorecardBoard
    from tourney.results.standings import Standings
    from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, TableInfo
    from tourney.store.rulings.verdicts import RulingInfo

STARRED_MAX: Final = 12
"""Rulings that are told one by one below a table: with more, the table would leave a screen of 24 lines."""


@click.command("standings")
@event_argument
@form_options
@click.option("--round", "rounds", type=int, metavar="N", help="Count rounds 1 to N only.")
@click.option("--explain", is_flag=True, help="Tell how teams with the same victory points were parted.")
def standings_command(event_path: Path, as_json: bool, as_csv: bool, rounds: int | None, explain: bool) -> None:
    """Rank the teams by victory points, then by the tie-breaks of the event file.

    EVENT is the path of an event file. Matches count once both rooms have finished all boards, or one team has
    forfeited. A team that a ruling counts against is marked with a star, and the rulings are below; of more than 12
    it is told how many each team has. With --explain the ties follow: who came before whom by which tie-break, with
    the figures of the teams in that order.
    """
    from tourney.errors import UsageError
    from tourney.results.standings import load_standings

    if explain and as_csv:
        raise UsageError("--explain: a CSV table is of teams, ties are told without --csv, or with --json")
    with open_event(event_path) as drawn:
        last = len(drawn.event.rounds)
        if rounds is not None and not 1 <= rounds <= last:
            raise UsageError(f"--round: rounds of {drawn.event.name!r} are 1..{last}, got {rounds}")
        table = load_standings(drawn.database, drawn.event, drawn.ranking_rules, rounds)

    def document() -> Any:  # what json.dumps takes
        from tourney.report.documents import standings_document

        return standings_document(table, explained=explain)

    def csv_table() -> CsvTable:
        from tourney.export.csv import STANDINGS, standing_rows

        return CsvTable(STANDINGS, standing_rows(table))

    print_report(
        as_json,
        as_csv,
        document=document,
        table=csv_table,
        people=lambda: _print_standings(table, event_path, only_first=rounds is not None, explain=explain),
    )


def _print_standings(standings: "Standings", event_path: Path, only_first: bool, explain: bool) -> None:
    from tourney.cli.output import count, make_console

    console = make_console()
    after = f", after round {standings.rounds}" if only_first else ""
    scored = _how_many_scored(standings.matches_over, standings.matches)
    to_draw = f", {count(standings.undrawn, 'round', 'rounds')} to be drawn" if standings.undrawn else ""
    console.print(f"{standings.event}{after}: {scored}{to_draw}{'' if only_first else _how_sure(standings)}")
    for field in standings.fields or (standings,):
        if standings.fields:
            console.print()
            console.print(field.title)
        console.print(_standings_table(field, with_vp=not field.is_knockout))
        if explain and not field.is_knockout:
            _print_ties(console, field)
    if standings.fields:
        console.print()
        console.print("The event")
        console.print(_standings_table(standings, with_vp=False))
    print_starred(console, standings.rulings, event_path)


def _standings_table(standings: "Standings", with_vp: bool) -> "TextTable":
    from tourney.cli.output import make_table
    from tourney.scoring.victory_points import format_vp

    columns = (">Rank", "Team", ">Played", ">Won", ">Drawn", ">Lost", ">IMPs for", ">IMPs against")
    table = make_table(*columns, *([">VP"] if with_vp else []))
    for row in standings.rows:
        figures = (row.played, row.won, row.drawn, row.lost, row.imps_for, row.imps_against)
        name = _name(row.team, standings.is_withdrawn(row.team), standings.rulings_on(row.team))
        table.add_row(str(row.rank), name, *map(str, figures), *([format_vp(row.vp)] if with_vp else []))
    return table


def _print_ties(console: "Printer", standings: "Standings") -> None:
    from tourney.report.ties import describe_tie

    console.print()
    for tie in standings.ties:
        console.print(describe_tie(tie))
    if not standings.ties:
        console.print("No two teams have the same victory points")


def _name(team: str, withdrawn: bool, rulings: "Sequence[RulingInfo]") -> str:
    """`Beta (withdrawn) *`."""
    return f"{team}{' (withdrawn)' if withdrawn else ''}{' *' if rulings else ''}"


def print_starred(console: "Printer", rulings: "Sequence[RulingInfo]", event_path: Path) -> None:
    """What the stars of a table stand for: each ruling, or of many how many each team has."""
    from tourney.report.rulings import describe_ruling, summarize_rulings

    if not rulings:
        return
    console.print()
    is_long = len(rulings) > STARRED_MAX
    for line in summarize_rulings(rulings) if is_long else map(describe_ruling, rulings):
        console.print(f"* {line}")
    if is_long:
        console.print(f"`tourney rulings {event_path}` lists them")


def _how_sure(standings: "Standings") -> str:
    """`, provisional` or `, final since ...` once every match has its score."""
    from tourney.report.times import format_utc

    if standings.final_since_ms is not None:
        return f", final since {format_utc(standings.final_since_ms)}"
    return ", provisional" if standings.is_over else ""


def _how_many_scored(over: int, matches: int) -> str:
    from tourney.cli.output import count

    return f"{over} of {count(matches, 'match', 'matches')} scored"


@click.command("match")
@event_argument
@click.argument("number", metavar="MATCH", type=int)
@form_options
@click.option("--times", is_flag=True, help="Add thinking times, and the table's own share, board by board.")
def match_command(event_path: Path, number: int, as_json: bool, as_csv: bool, times: bool) -> None:
    """Show the scorecard of a match.

    EVENT is the path of an event file, MATCH the number of a match in the schedule. A board is shown once both rooms
    have finished it; scores are North-South's. Rulings are numbered and below. With --times each room has columns for
    North-South, East-West and the Table Manager; the JSON document and the CSV table always have them. Once `tourney
    analyse` has solved boards there are columns for par, North-South's score when both sides bid and play as well as
    can be, and the IMPs that North-South won against it in each room.
    """
    from tourney.report.par import load_pars
    from tourney.results.scorecard import load_scorecard

    with open_event(event_path, number) as drawn:
        match = drawn.match(number)
        card = load_scorecard(drawn.database, drawn.event, match, drawn.scales[match.stage])
        pars = load_pars(drawn.database, card)

    def document() -> Any:  # as above
        from tourney.report.documents import scorecard_document

        return scorecard_document(card, pars)

    def csv_table() -> CsvTable:
        from tourney.report.par import PAR_COLUMNS
        from tourney.report.table_rows import SCORECARD, scorecard_rows

        return CsvTable((*SCORECARD, *(PAR_COLUMNS if pars else ())), scorecard_rows(card, pars))

    print_report(
        as_json,
        as_csv,
        document=document,
        table=csv_table,
        people=lambda: _print_scorecard(drawn.event, card, pars, times),
    )


def _print_scorecard(event: "EventInfo", card: "Scorecard", pars: "Mapping[int, BoardPar]", times: bool) -> None:
    from tourney.cli.output import NOTHING, make_console, make_table
    from tourney.movement.carry_over import format_imps_hundredths
    from tourney.movement.seating import Room
    from tourney.report.rulings import describe_ruling
    from tourney.report.schedule import describe_round
    from tourney.results.scorecard import total_hundredths
    from tourney.scoring.victory_points import format_vp

    match = card.match
    console = make_console()
    place = describe_round(event, match.round)
    place = (
        f"{place[0].lower()}{place[1:]}, match {match.number}{', for third place' if match.is_third_place else ''}"
    )
    console.print(f"{card.event}, {place}: {match.home} - {match.away}")
    console.print()
    table = make_table(
        *(">Board", "Dlr", "Vul", "Open", ">Score", "Closed", ">Score"),
        *(f">{match.home}", f">{match.away}"),
        *((">Par", *(f">{room.value.title()} v par" for room in Room)) if pars else ()),
        *(f">{room.value.title()} {who}" for room in Room if times for who in ("N-S", "E-W", "TM")),
    )
    notes = {ruling.id: index for index, ruling in enumerate(card.live_rulings, 1)}
    for board in card.boards:
        par_cells = _par_cells(board, pars.get(board.number)) if pars else ()
        table.add_row(*_board_row(match, board, notes), *par_cells, *(_time_cells(board) if times else ()))
    table.add_section()
    if match.carry_home or match.carry_away:
        carried = (format_imps_hundredths(imps) for imps in (match.carry_home, match.carry_away))
        table.add_row("Carried", *[""] * 6, *carried)
    totals = total_hundredths(card)
    table.add_row("IMPs", *[""] * 6, *map(format_imps_hundredths, totals))
    points = [NOTHING] * 2 if card.score is None else [format_vp(card.score.vp_home), format_vp(card.score.vp_away)]
    if not event.stage_of(match).format.is_knockout:
        table.add_row("VP", *[""] * 6, *points)
    console.print(table)
    console.print()
    if pars:
        console.print("Par is North-South's score double dummy, v par the IMPs that they won against it in the room")
    if card.score is None:
        console.print(f"{card.boards_finished} of {len(card.boards)} boards finished in both rooms")
    for at_table in match.tables:
        console.print(_room_line(card, at_table))
    if notes:
        console.print()
    for ruling in card.live_rulings:
        console.print(f"({notes[ruling.id]}) {describe_ruling(ruling, with_match=False)}")


_RULED: Final = {"board-forfeit": "forfeited by", "assigned-score": "assigned for"}
"""Rulings on one room of a board, before the name of the team."""


def _board_row(match: "MatchInfo", board: "ScorecardBoard", notes: "Mapping[int, int]") -> list[str]:
    from tourney.cli.output import NOTHING
    from tourney.movement.seating import Room

    cells = [str(board.number), board.dealer.letter, board.vulnerability.value]
    if board.imps is None or board.imps_away is None:
        return cells + [NOTHING] * 6
    for room in Room:
        result = board.results.get(room)
        words = [format_outcome(result)] if result is not None else []
        words += [f"{_RULED[r.kind.value]} {r.team} ({notes[r.id]})" for r in board.rulings if r.room is room]
        cells += [", ".join(words), str(result.result.score) if result is not None else ""]
    is_balanced = board.imps == -board.imps_away
    figures = ["", ""] if board.is_cancelled else [str(board.imps), str(board.imps_away)]
    if is_balanced:
        figures = [figure if not figure.startswith(("-", "0")) else "" for figure in figures]
    for ruling in board.rulings:
        if ruling.room is None and not board.is_cancelled:
            place = 0 if ruling.team == match.home else 1
            figures[place] = f"{figures[place]} ({notes[ruling.id]})".strip()
        elif ruling.room is None:
            figures = [f"cancelled ({notes[ruling.id]})", ""]
    return cells + figures


def _par_cells(board: "ScorecardBoard", par: "BoardPar | None") -> list[str]:
    """North-South's par, and what they won against it in both rooms."""
    from tourney.cli.output import NOTHING
    from tourney.movement.seating import Room

    if par is None:
        return [NOTHING if board.imps is None else ""] * 3
    return [str(par.score_ns), *(f"{par.imps[room]:+}" if room in par.imps else "" for room in Room)]


def _time_cells(board: "ScorecardBoard") -> list[str]:
    """Of both rooms: North-South, East-West, the table's own share."""
    from tourney.bridge import Side
    from tourney.cli.output import NOTHING
    from tourney.movement.seating import Room
    from tourney.report.times import format_duration

    cells: list[str] = []
    for room in Room:
        result = board.results.get(room)
        if result is None:
            cells += [NOTHING] * 3
        else:
            cells += map(format_duration, (result.times_ms[Side.NS], result.times_ms[Side.EW], result.tm_ms))
    return cells


def format_outcome(board: "BoardResult") -> str:
    """`4SX N +1`: contract, declarer, tricks more or less than it asks for, `=` for just made."""
    contract = board.result.contract
    if contract is None:
        return "Pass"
    over = board.result.tricks - contract.tricks_needed
    return f"{contract} {contract.declarer.letter} {f'{over:+}' if over else '='}"


def _room_line(card: "Scorecard", table: "TableInfo") -> str:
    """Who sat there, and how long each side has thought over the boards that are shown."""
    from tourney.bridge import Side
    from tourney.report.times import format_duration

    thought = ", ".join(
        f"{table.team(side)} {where} {format_duration(card.thinking_ms(table, side))}"
        for side, where in ((Side.NS, "N-S"), (Side.EW, "E-W"))
    )
    why = f": {table.reason}" if table.reason else ""
    segment = (
        f"Segment {table.segment}, {table.room.value}" if len(card.match.segments) > 1 else table.room.value.title()
    )
    return f"{segment} room, {table.state.value}{why}; thinking time {thought}"


@click.command("crosstable")
@event_argument
@form_options
@click.option("--imps", "only_imps", is_flag=True, help="IMPs alone: for and against, and each team's difference.")
def crosstable_command(event_path: Path, as_json: bool, as_csv: bool, only_imps: bool) -> None:
    """Show what each team made of its match against each other team.

    EVENT is the path of an event file. Teams are in the order of the draw; a cell has victory points, then IMPs for
    and against. A star marks a score of which a ruling took something; the rulings are below.
    """
    from tourney.report.crosstable import load_crosstable
    from tourney.report.documents import crosstable_document
    from tourney.report.table_rows import CROSSTABLE, crosstable_rows

    with open_event(event_path) as drawn:
        table = load_crosstable(drawn.database, drawn.event, drawn.ranking_rules)
    print_report(
        as_json,
        as_csv,
        document=lambda: crosstable_document(table),
        table=lambda: CsvTable(CROSSTABLE, crosstable_rows(table)),
        people=lambda: _print_crosstable(table, event_path, only_imps),
    )


def _print_crosstable(crosstable: "Crosstable", event_path: Path, only_imps: bool) -> None:
    from tourney.cli.output import make_console

    console = make_console()
    console.print(f"{crosstable.event}: {_how_many_scored(crosstable.matches_over, crosstable.matches)}")
    for field in crosstable.fields:
        if len(crosstable.fields) > 1:
            console.print()
            console.print(field.title)
        console.print(_crosstable_table(field, only_imps))
    print_starred(console, [ruling for row in crosstable.rows for ruling in row.rulings], event_path)


def _crosstable_table(field: "CrosstableField", only_imps: bool) -> "TextTable":
    from tourney.cli.output import make_table
    from tourney.scoring.victory_points import format_vp

    unit = ">IMPs" if only_imps else ">VP"
    table = make_table(">No", "Team", *(f">{row.number}" for row in field.rows), unit, ">Rank")
    for row in field.rows:
        against: defaultdict[str, list[CrosstableCell]] = defaultdict(list)
        for cell in row.cells:
            against[cell.opponent].append(cell)
        cells = (
            "" if other is row else "\n".join(_format_cell(cell, only_imps) for cell in against[other.team])
            for other in field.rows
        )
        on_event = [ruling for ruling in row.rulings if ruling.match is None]
        name = _name(row.team, row.withdrawn, on_event)
        total = f"{row.imps:+}" if only_imps else format_vp(row.vp)
        table.add_row(str(row.number), name, *cells, total, str(row.rank))
    return table


def _format_cell(cell: "CrosstableCell", only_imps: bool) -> str:
    from tourney.cli.output import NOTHING
    from tourney.scoring.victory_points import format_vp

    if cell.vp is None:
        return NOTHING
    star = "*" if cell.rulings else ""
    imps = f"{cell.imps_for}-{cell.imps_against}"
    return f"{imps}{star}" if only_imps else f"{format_vp(cell.vp)}{star} ({imps})"
