"""Reads the results of a field of pairs: CSV with a result a line, or PBN of a pairs event.

CSV has the columns `board,ns,ew,score`, in any order, and others that are ignored; the score is North-South's. PBN
has the results of a board in its ScoreTable (PBN 2.1 section 5.9), or a record for each table.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Contract, Seat, Side, Vulnerability, board_vulnerability, score_ns
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.formats.pbn.games import Game, Tag, decode_pbn, parse_games
from tourney.formats.pbn.unchecked_reader import parse_unchecked_games
from tourney.scorefile.checking import CheckedGame, check_game, was_played

COLUMNS: Final = ("board", "ns", "ew", "score")
RESULTS_MAX: Final = 50_000
"""The most results of a file: 500 tables with 100 boards; it limits the running time."""
_SCORE_MAX: Final = 7600
"""The largest duplicate score: 1NT redoubled and vulnerable, down 13."""
_NAME_LENGTH_MAX: Final = 80
_TRICKS_MAX: Final = 13
_SCORE: Final = re.compile(r"[+-]?[0-9]{1,6}")
_NO_VALUE: Final = ("", "-", "?")
"""What stands in a table of PBN for a value that is not known."""


@dataclass(frozen=True, slots=True)
class FieldResult:
    """One result: a line of a traveller."""

    board: str
    ns: str
    """The North-South pair; empty if the file does not name it."""
    ew: str
    score_ns: int
    line: int
    """The line of the file, from 1."""


def parse_field(data: bytes, name: str) -> list[FieldResult]:
    """Read the results in a file, in its order.

    Args:
        data: the contents, PBN or CSV.
        name: what messages call the file.

    Raises:
        FormatError: one sentence on what cannot be read, or on a pair that has two results on a board.
    """
    text = decode_pbn(data)
    results: list[FieldResult] = []
    for result in _parse_pbn(text, name) if _is_pbn(text) else _parse_csv(text, name):
        if len(results) == RESULTS_MAX:
            raise FormatError(f"{name} has more than {RESULTS_MAX} results, which is the most that are read")
        results.append(result)
    if not results:
        raise FormatError(f"{name} has no result of a board, so there is nothing to score")
    _check_pairs(results, name)
    return results


def _is_pbn(text: str) -> bool:
    return re.search(r"^\s*\[\s*\w+\s*\"", text, re.MULTILINE) is not None


def _check_pairs(results: Sequence[FieldResult], name: str) -> None:
    lines: dict[tuple[str, str], int] = {}
    for result in results:
        if result.ns and result.ns == result.ew:
            raise FormatError(
                f"{name} line {result.line}: pair {result.ns} is its own opponent; where pairs of both directions "
                f"have the same numbers, call them N{result.ns} and E{result.ns}"
            )
        for pair in filter(None, (result.ns, result.ew)):
            before = lines.setdefault((result.board, pair), result.line)
            if before != result.line:
                raise FormatError(
                    f"{name} line {result.line}: pair {pair} already has a result on board {result.board}, "
                    f"on line {before}"
                )


# CSV


def _parse_csv(text: str, name: str) -> Iterator[FieldResult]:
    reader = csv.reader(text.splitlines())
    try:
        header = [cell.strip().casefold() for cell in next(reader, [])]
        missing = [column for column in COLUMNS if column not in header]
        if missing:
            raise FormatError(f"{name}: the first line names the columns {','.join(COLUMNS)}, got no {missing[0]!r}")
        places = [header.index(column) for column in COLUMNS]
        for cells in reader:
            if any(cell.strip() for cell in cells):
                figures = [cells[place].strip() if place < len(cells) else "" for place in places]
                yield _csv_result(*figures, line=reader.line_num, name=name)
    except csv.Error as error:
        raise FormatError(f"{name} line {reader.line_num} is not CSV: {error}") from error


def _csv_result(board: str, ns: str, ew: str, score: str, *, line: int, name: str) -> FieldResult:
    where = f"{name} line {line}"
    if not board:
        raise FormatError(f"{where}: there is no board")
    for text in (board, ns, ew):
        if len(text) > _NAME_LENGTH_MAX:
            raise FormatError(f"{where}: a name has at most {_NAME_LENGTH_MAX} letters, got {len(text)}")
    return FieldResult(board, ns, ew, _parse_score(score, where), line)


def _parse_score(text: str, where: str) -> int:
    plain = text.replace("\N{MINUS SIGN}", "-")
    score = int(plain) if _SCORE.fullmatch(plain) else None
    if score is None or score % 10 or abs(score) > _SCORE_MAX:
        raise FormatError(
            f"{where}: a score is North-South's, a multiple of 10 from -{_SCORE_MAX} to {_SCORE_MAX}, got {text!r}"
        )
    return score


# PBN


def _parse_pbn(text: str, name: str) -> Iterator[FieldResult]:
    games = parse_games(text, name, lambda _: None)
    tables = [(game, table) for game in games if (table := game.tag("ScoreTable")) is not None and table.rows]
    if tables:
        is_two_fields = _numbers_each_direction(tables)
        for game, table in tables:
            yield from _table_results(game, table, name, is_two_fields=is_two_fields)
        return
    for unchecked in parse_unchecked_games(text, name)[0]:
        if was_played(unchecked):
            yield from _record_result(check_game(unchecked))


def _record_result(game: CheckedGame) -> Iterator[FieldResult]:
    """Yield the result of a record of one table, if it has one."""
    if game.score_ns is None:
        return
    own = {side: game.source.text(f"pair{side.value}") for side in Side}
    if not all(own.values()):
        own = {side: _partners(game, side) for side in Side}
    yield FieldResult(game.source.board or "?", own[Side.NS], own[Side.EW], game.score_ns, game.source.line)


def _partners(game: CheckedGame, side: Side) -> str:
    """Return the names of a pair, whichever of the two sits where; empty unless both are known."""
    seats = (Seat.NORTH, Seat.SOUTH) if side is Side.NS else (Seat.EAST, Seat.WEST)
    names = sorted(game.names[seat] for seat in seats)
    return " - ".join(names) if all(names) else ""


def _columns(table: Tag) -> list[str]:
    return [column.partition("\\")[0].strip().casefold() for column in table.value.split(";")]


def _cells(table: Tag, row: tuple[str, ...], where: str) -> Mapping[str, str]:
    """Return the values of a row by column, as far as the names of players, which may have blanks in them."""
    columns = _columns(table)
    names = next((place for place, column in enumerate(columns) if column.startswith("names")), None)
    if names is None and len(row) != len(columns):
        raise FormatError(f"{where}: the ScoreTable has {len(columns)} columns, got {len(row)} values")
    if names is not None and len(row) < names:
        raise FormatError(f"{where}: the ScoreTable has {names} columns before the names, got {len(row)} values")
    cells = dict(zip(columns[:names], (word.strip('"').strip() for word in row), strict=False))
    return {column: "" if value in _NO_VALUE else value for column, value in cells.items()}


def _numbers_each_direction(tables: Sequence[tuple[Game, Tag]]) -> bool:
    """Return whether North-South and East-West pairs have the same numbers, as some pair meets its own."""
    for _, table in tables:
        columns = _columns(table)
        if "pairid_ns" in columns and "pairid_ew" in columns:
            places = columns.index("pairid_ns"), columns.index("pairid_ew")
            if any(len(row) > max(places) and len({row[place] for place in places}) == 1 for row in table.rows):
                return True
    return False


def _table_results(game: Game, table: Tag, name: str, *, is_two_fields: bool) -> Iterator[FieldResult]:
    board = game.tag("Board")
    number = (board.value.strip() if board is not None else "") or "?"
    for line, row in zip(table.row_lines, table.rows, strict=True):
        where = f"{name} line {line}"
        cells = _cells(table, row, where)
        score = _table_score(cells, _vulnerability(game, number), where)
        if score is None:
            continue
        section = cells.get("section", "")
        pairs = defaultdict[str, str](str)
        for side in Side:
            own = cells.get(f"pairid_{side.value.casefold()}", "")
            if own:
                pairs[side.value] = f"{section}{own}{f' {side.value}' if is_two_fields else ''}"
        copies = cells.get("multiplicity", "")
        for _ in range(int(copies) if copies.isdecimal() and not pairs else 1):
            yield FieldResult(number, pairs["NS"], pairs["EW"], score, line)


def _vulnerability(game: Game, board: str) -> Vulnerability | None:
    tag = game.tag("Vulnerable")
    stated = lenient.VULNERABILITIES_BY_WORD.get(tag.value.strip().upper()) if tag is not None else None
    if stated is None and board.isascii() and board.isdigit() and int(board[:9]) > 0:
        return board_vulnerability(int(board[:9]))
    return stated


def _table_score(cells: Mapping[str, str], vulnerability: Vulnerability | None, where: str) -> int | None:
    """Return the score of a row: as it states it, or else by its result; None if it has none."""
    own, other = cells.get("score_ns", ""), cells.get("score_ew", "")
    if own or other:
        return _parse_score(own, where) if own else -_parse_score(other, where)
    contract = cells.get("contract", "")
    if lenient.is_passed_out(contract):
        return 0
    bid, declarer = lenient.parse_contract(contract), lenient.parse_seat(cells.get("declarer", ""))
    tricks = cells.get("result", "")
    if (
        bid is None
        or declarer is None
        or not tricks.isdecimal()
        or int(tricks) > _TRICKS_MAX
        or vulnerability is None
    ):
        return None
    made = Contract(bid[0].level, bid[0].strain, bid[1], declarer)
    return score_ns(made, int(tricks), vulnerability)
