"""`tourney butler`, `tourney boards` and `tourney swings`: what was made of the same deals at different tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.tables_out import CsvTable, form_options, print_report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tourney.report.boards import BoardAtTable, BoardComparisons, ComparedBoard
    from tourney.report.butler import ButlerRanking
    from tourney.report.swings import Swings
    from tourney.scoring.butler import Trim
    from tourney.store.rulings.verdicts import RulingInfo

TOP: Final = 20
"""Swings that are listed unless told otherwise: a screen of 24 lines."""

BUTLER_COLUMNS: Final = ("rank", "pair", "team", "side", "boards", "imps", "average")
BOARD_COLUMNS: Final = (
    *("board", "set", "dealer", "vulnerable", "deal", "match", "room", "ns", "ew"),
    *("contract", "declarer", "lead", "tricks", "score", "imps_ns", "adjusted"),
)
SWING_COLUMNS: Final = (
    *("match", "round", "board", "home", "away", "winner", "imps"),
    *(f"open_{name}" for name in ("contract", "declarer", "tricks", "score")),
    *(f"closed_{name}" for name in ("contract", "declarer", "tricks", "score")),
)

round_option = click.option("--round", "round_number", type=int, metavar="N", help="This round only.")


def _parse_trim(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> "Trim | None":
    """`1`, or `0.1`."""
    from decimal import Decimal, InvalidOperation

    from tourney.errors import UsageError
    from tourney.scoring.butler import check_trim

    if value is None:
        return None
    try:
        return check_trim(int(value) if value.isascii() and value.isdecimal() else Decimal(value))
    except InvalidOperation:
        raise UsageError(f'--trim: a number such as "1" or "0.1" is asked for, got {value!r}') from None
    except ValueError as error:
        raise UsageError(f"--trim: {error}") from None


@click.command("butler")
@event_argument
@form_options
@round_option
@click.option(
    "--datum",
    "datum_name",
    type=click.Choice(["mean", "median"]),
    help="What the scores of a board are compared with; by default as the event file says, else the mean.",
)
@click.option(
    "--trim",
    metavar="N",
    callback=_parse_trim,
    help="Leave N best and N worst results out of each datum, or a part below 0.5 of them, such as 0.1.",
)
def butler_command(
    event_path: Path,
    as_json: bool,
    as_csv: bool,
    round_number: int | None,
    datum_name: str | None,
    trim: "Trim | None",
) -> None:
    """Rank pairs by their scores against all tables that played the same deals.

    EVENT is the path of an event file. Each score is compared with the datum of its board, the mean of North-South's
    scores at all tables to the nearest 10, and the difference is turned into IMPs. A pair is a team in one direction,
    in whichever room it sits there. Pairs are ranked by IMPs a board. Boards count once both rooms have finished
    them; those whose score a ruling has changed are left out.
    """
    from tourney.report.butler import load_butler
    from tourney.report.comparison_documents import butler_document, butler_row_document
    from tourney.scoring.butler import Datum

    with open_event(event_path) as drawn:
        drawn.check_round(round_number)
        reports = drawn.file.config.reports
        kind = Datum(datum_name) if datum_name is not None else reports.butler_datum
        left_out = trim if trim is not None else reports.butler_trim
        ranking = load_butler(drawn.database, drawn.event, kind, left_out, round_number)
    print_report(
        as_json,
        as_csv,
        document=lambda: butler_document(ranking),
        table=lambda: CsvTable(BUTLER_COLUMNS, map(butler_row_document, ranking.rows)),
        people=lambda: _print_butler(ranking),
    )


def _print_butler(ranking: "ButlerRanking") -> None:
    from tourney.cli.output import count, make_console, make_table
    from tourney.scoring.butler import format_average

    table = make_table(">Rank", "Pair", ">Boards", ">IMPs", ">Average")
    for row in ranking.rows:
        average = format_average(row.imps, row.boards)
        table.add_row(str(row.rank), row.pair, str(row.boards), str(row.imps), average)
    console = make_console()
    where = f", round {ranking.round}" if ranking.round is not None else ""
    compared = f"{count(ranking.results, 'result', 'results')} of {count(ranking.boards, 'deal', 'deals')}"
    console.print(f"{ranking.event}{where}: Butler of {compared}, {_describe_datum(ranking)}")
    console.print(table)
    _print_left_out(ranking.adjusted)


def _describe_datum(ranking: "ButlerRanking") -> str:
    """`datum is the mean, without 2 results at either end`."""
    from tourney.cli.output import count

    words = f"datum is the {ranking.datum.value}"
    if not ranking.trim:
        return words
    left_out = (
        count(ranking.trim, "result", "results") if isinstance(ranking.trim, int) else f"{ranking.trim} of them"
    )
    return f"{words}, without {left_out} at either end"


def _print_left_out(adjusted: int) -> None:
    from tourney.cli.output import count, make_console

    if adjusted:
        are = "is" if adjusted == 1 else "are"
        make_console().print(
            f"{count(adjusted, 'board', 'boards')} of a match whose score a ruling has changed {are} left out"
        )


@click.command("boards")
@event_argument
@click.argument("board", metavar="[BOARD]", type=int, required=False)
@form_options
@click.option("--round", "round_number", type=int, metavar="N", help="Of this round; by default the newest one.")
def boards_command(
    event_path: Path, board: int | None, as_json: bool, as_csv: bool, round_number: int | None
) -> None:
    """Compare what all tables of a round made of the same boards.

    EVENT is the path of an event file, BOARD a number of a board; by default all of the round are shown. Where the
    matches of a round share their deals, tables of all of them are compared, else the two of each match. Scores and
    IMPs are North-South's, IMPs over both rooms of the match. A board of a match is shown once both rooms have
    finished it. A star marks a score that a ruling has changed; the rulings are below.
    """
    from tourney.errors import UsageError
    from tourney.report.boards import load_comparisons, newest_round
    from tourney.report.comparison_documents import board_rows, boards_document
    from tourney.store.results.matches import load_board_set_numbers

    with open_event(event_path) as drawn:
        database, event = drawn.database, drawn.event
        drawn.check_round(round_number)
        number = round_number if round_number is not None else newest_round(database, event)
        if board is not None:
            sets = load_board_set_numbers(database, event.id)
            matches = event.rounds[number - 1].matches
            found = sorted({n for match in matches for n in sets[match.board_set_id][: match.boards]})
            if not found:
                raise UsageError(f"round {number} has no match, got board {board}")
            if board not in found:
                limits = f"{found[0]}..{found[-1]}" if len(found) > 1 else str(found[0])
                raise UsageError(f"boards of round {number} are {limits}, got {board}")
        comparisons = load_comparisons(database, event, number, board)
    print_report(
        as_json,
        as_csv,
        document=lambda: boards_document(comparisons),
        table=lambda: CsvTable(BOARD_COLUMNS, board_rows(comparisons)),
        people=lambda: _print_boards(comparisons),
    )


def _print_boards(comparisons: "BoardComparisons") -> None:
    from tourney.cli.output import count, make_console
    from tourney.report.rulings import describe_ruling

    console = make_console()
    finished = count(len(comparisons.boards), "board", "boards")
    console.print(f"{comparisons.event}, round {comparisons.round}: {finished} finished in both rooms of a match")
    for compared in comparisons.boards:
        console.print()
        _print_board(compared)
        rulings = {ruling.id: ruling for table in compared.tables for ruling in table.rulings}
        for ruling in rulings.values():
            console.print(f"* {describe_ruling(ruling)}")


def _print_board(compared: "ComparedBoard") -> None:
    from tourney.bridge import format_deal
    from tourney.cli.output import count, make_console, make_table

    board = compared.board
    console = make_console()
    matches = count(len({table.match.number for table in compared.tables}), "match", "matches")
    console.print(
        f"Board {board.number} of set {compared.set_name}, compared over {matches}: "
        f"dealer {board.dealer.title}, vulnerable {board.vulnerability.value}"
    )
    console.print(format_deal(board.deal))
    table = make_table(
        "North-South", "East-West", "Contract", "Lead", ">Tricks", ">Score", ">Tables", ">IMPs", ">Match", "Room"
    )
    counted: set[int] = set()
    for at_table in compared.tables:
        table.add_row(*_table_cells(at_table, compared, counted))
    console.print(table)


def _table_cells(at_table: "BoardAtTable", compared: "ComparedBoard", counted: set[int]) -> "Iterable[str]":
    """A row of a board; how often a score was made is said where it is first."""
    from tourney.cli.output import NOTHING
    from tourney.cli.reports import format_outcome

    yield from (at_table.ns_team, at_table.ew_team)
    result = at_table.result
    if result is None:
        yield from ["no result", "", "", "", ""]
    else:
        score = result.result.score
        yield format_outcome(result)
        yield str(at_table.lead) if at_table.lead is not None else NOTHING
        yield str(result.result.tricks) if result.result.contract is not None else NOTHING
        yield str(score)
        is_first = not at_table.rulings and score not in counted
        yield str(compared.frequencies[score]) if is_first else ""
        if is_first:
            counted.add(score)
    yield f"{at_table.imps_ns}{_star(at_table.rulings)}"
    yield from (str(at_table.match.number), at_table.room.value)


def _star(rulings: "Iterable[RulingInfo]") -> str:
    return "*" if any(rulings) else ""


@click.command("swings")
@event_argument
@form_options
@round_option
@click.option("--match", "match_number", type=int, metavar="N", help="Those of this match only.")
@click.option(
    "--least", type=click.IntRange(1, 24), default=1, metavar="IMPS", help="Swings of so many IMPs at least, 1 to 24."
)
@click.option(
    "--top", type=click.IntRange(min=1), default=TOP, metavar="N", help=f"So many at most; by default {TOP}."
)
def swings_command(
    event_path: Path,
    as_json: bool,
    as_csv: bool,
    round_number: int | None,
    match_number: int | None,
    least: int,
    top: int,
) -> None:
    """List the boards that were won by most IMPs, with what was played in both rooms.

    EVENT is the path of an event file. Boards are shown once both rooms have finished them; scores are North-South's.
    Boards whose score a ruling has changed are left out.
    """
    from tourney.report.comparison_documents import swing_document, swings_document
    from tourney.report.swings import load_swings
    from tourney.store.results.bulk_results import Scope

    with open_event(event_path, match_number) as drawn:
        drawn.check_round(round_number)
        matches = [drawn.match(match_number).number] if match_number is not None else None
        scope = Scope(drawn.event.id, round_number, matches)
        swings = load_swings(drawn.database, drawn.event, scope, least, top)

    def table() -> CsvTable:
        from tourney.cli.tables_out import flat

        return CsvTable(SWING_COLUMNS, (flat(swing_document(swing)) for swing in swings.rows))

    print_report(
        as_json,
        as_csv,
        document=lambda: swings_document(swings),
        table=table,
        people=lambda: _print_swings(swings, least),
    )


def _print_swings(swings: "Swings", least: int) -> None:
    from tourney.cli.output import count, make_console, make_table
    from tourney.cli.reports import format_outcome
    from tourney.movement.seating import Room

    table = make_table(">IMPs", "To", "Against", ">Match", ">Board", "Open", ">Score", "Closed", ">Score")
    for swing in swings.rows:
        match = swing.match
        cells = [str(swing.size), swing.winner, match.away if swing.winner == match.home else match.home]
        cells += [str(match.number), str(swing.board)]
        for room in Room:
            cells += [format_outcome(swing.results[room]), str(swing.results[room].result.score)]
        table.add_row(*cells)
    console = make_console()
    at_least = f" of {least} IMPs or more" if least > 1 else ""
    found = count(swings.swings, "swing", "swings")
    listed = f", the biggest {len(swings.rows)}" if len(swings.rows) < swings.swings else ""
    console.print(f"{swings.event}: {found}{at_least} on {count(swings.boards, 'board', 'boards')}{listed}")
    if swings.rows:
        console.print(table)
    _print_left_out(swings.adjusted)
