"""Finds the results of a field of pairs in files: CSV with a result a line, or PBN or LIN of a pairs event.

CSV has the columns `board,ns,ew,score`, in any order, and others that are ignored; the score is North-South's, `NP`
or nothing where the board was not played, or averages such as `A6040` as scoring terminals write them. PBN
has the results of a board in its ScoreTable (PBN 2.1 section 5.9), or a record for each table. Both may have columns
for what counts where there is no plain score, as our own exports do (`tourney.formats.adjusted`). A PBN file may also
say how it is scored (the tag Scoring), to how many results a board is scored (ResultsExpected), and in its
TotalScoreTable (section 5.10) who the pairs are, what penalties took from them, and the order of ties.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, islice, repeat
from typing import Final

from tourney.bridge import Deal, Side
from tourney.bridge.score import Laws
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.formats.adjusted import parse_side_result
from tourney.formats.file_kinds import csv_rows
from tourney.formats.unchecked import ScoreTable, SourceFinding, SourceText, UncheckedGame
from tourney.plurals import count, plural
from tourney.scorefile.checking import FileRecord, check_game
from tourney.scorefile.kinds import CROSS_IMPS
from tourney.scorefile.records import ReadFiles
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import TravellerLine

RESULTS_MAX: Final = 50_000
"""The most results of an event: 500 tables with 100 boards; it limits the running time."""
_SCORE_MAX: Final = 7600
"""The largest duplicate score: 1NT redoubled and vulnerable, down 13."""
_NAME_LENGTH_MAX: Final = 80
_EXPECTED_MAX: Final = 1000
"""More results than a board has in any event."""
_EXACT: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")
_RANK: Final = re.compile(r"([0-9]{1,6})=?")
_COPIES: Final = re.compile(r"[0-9]{1,9}")
_SCORE: Final = re.compile(r"([+-]?[0-9]{1,6})(?:[.,]0{1,2})?")
"""A whole number, also as spreadsheets write it: `420,00`."""
_NOT_PLAYED: Final = frozenset(("", "NP", "N/P", "NOTPLAYED", "NOPLAY", "BYE", "-", "--", "X"))
_AVERAGE_WORD: Final = re.compile(r"AVERAGE|AVG|AVE|AV")
_AVERAGES: Final = re.compile(r"(?:A|(?=.*[/:-]))(60|50|40)[/:-]?A?(60|50|40)|(A[+-]?)/?(A[+-]?)")
"""Averages of both sides: `A6040`, `60/40`, `A+/A-`."""
_NO_VALUE: Final = re.compile(r"-*|\?*")
"""What stands in a table of PBN for a value that is not known: `-`, `?`, `???`."""


@dataclass(frozen=True, slots=True)
class FieldResult:
    """One result of a field."""

    board: str
    table: TravellerLine
    """Its line of the traveller; a pair is empty if the file does not name it."""
    file: str
    line: int
    """The line of the file, from 1."""
    session: int = 1
    """The session in which the board counts."""
    deal: Deal | None = None
    """The cards, if the file has them."""
    stage: str = ""
    """The stage that the board is of, where a file may have several."""

    @property
    def where(self) -> str:
        return f"{self.file} line {self.line}"

    @property
    def pairs(self) -> list[str]:
        """The pairs that the file names."""
        return [pair for pair in (self.table.ns, self.table.ew) if pair]


@dataclass(frozen=True, slots=True)
class StatedPair:
    """What a TotalScoreTable says of a pair, besides what follows from the results."""

    names: str
    """Its names; empty if it has none."""
    rank: int | None
    penalty: Fraction
    """Matchpoints or IMPs that were taken from it."""
    carried: Fraction
    """Percent or IMPs per board that it has brought from an earlier stage."""
    direction: str | None
    """The direction that it is ranked in; empty if there is one list of all, None if the file does not say."""


@dataclass(frozen=True, slots=True)
class FieldFile:
    """The results of one or more files, and what they say of the scoring."""

    results: Sequence[FieldResult]
    scoring: PairsScoring | None = None
    """How it is scored; None if it does not say."""
    expected: int | None = None
    """How many results a board is scored to; None for the most that any has."""
    pairs: Mapping[str, StatedPair] = field(default_factory=dict)
    """What is said of pairs, as far as it is."""
    findings: Sequence[SourceFinding] = ()
    """What could not be told from the files, so that not all of it counts for everybody."""

    @property
    def is_by_section(self) -> bool:
        """Whether sections are compared by themselves, as a file says that has the number of results for them."""
        return self.expected is not None and any(result.table.section for result in self.results)


def find_results(read: ReadFiles) -> FieldFile:
    """Find the results in files, in their order, with what they say of the scoring.

    Raises:
        FormatError: one sentence on what cannot be read, or on a pair that has two results on a board.
    """
    with_tables = [game for game in read.games if "scoretable" in game.tables and game.tables["scoretable"].rows]
    in_tables = {game.file for game in with_tables}
    records = [record for record in read.records if record.file not in in_tables]
    # Robots' rooms and old archives have points alone: that is all a field needs.
    in_doubt = [record for record in records if record.result is not None or record.score_ns is None]
    findings = [*read.findings, *(each for game in in_doubt for each in game.findings)]
    rows = [row for name, text in read.lists for row in _list_rows(name, text)]
    table_rows = list(_table_rows(with_tables, read.laws))
    # North-South and East-West pairs have the same numbers where some pair meets its own.
    is_two_fields = any(row["pairid_ns"] and row["pairid_ns"] == row["pairid_ew"] for row in table_rows)
    known, unclear = _drop_unclear_names(list(_record_results(records)))
    found = chain(
        map(_list_result, rows),
        (result for row in table_rows for result in _table_results(row, read.laws, is_two_fields=is_two_fields)),
        known,
    )
    results = list(islice((result for result in found if result is not None), RESULTS_MAX + 1))
    if len(results) > RESULTS_MAX:
        raise FormatError(f"{read.name} has more than {RESULTS_MAX} results, which is the most that are read")
    if not results:
        raise FormatError(f"{read.name}: there is no result of a board, so there is nothing to score")
    _check_results(results)
    scoring = next((rule for game in read.games if (rule := _scoring(game)) is not None), None)
    if any(record.source.text("scoring").casefold() == "imp" for record in records):
        scoring = scoring or PairsScoring.CROSS_IMPS
    expected = {row["results_expected"] for row in rows}
    expected |= {text for game in with_tables if (text := game.text("resultsexpected"))}
    return FieldFile(
        results,
        scoring,
        _count(expected.pop()) if len(expected) == 1 else None,
        {} if is_two_fields else _stated_pairs(read.games),
        findings + unclear,
    )


def _check_results(results: Sequence[FieldResult]) -> None:
    earlier: dict[tuple[str, str], FieldResult] = {}
    boards: dict[tuple[str, str], FieldResult] = {}
    for result in results:
        other = boards.setdefault((result.file, result.board), result)
        if other.stage != result.stage:
            raise FormatError(
                f"{result.where}: board {result.board} is of {result.stage!r}, on line {other.line} of "
                f"{other.stage!r}; a field is scored from a file with one event and one stage"
            )
        pair = result.table.ns
        if pair and pair == result.table.ew:
            raise FormatError(
                f"{result.where}: pair {pair} is its own opponent; where pairs of both directions "
                f"have the same numbers, call them N{pair} and E{pair}"
            )
        for pair in result.pairs:
            before = earlier.setdefault((result.board, pair), result)
            if before is not result:
                where = f"on line {before.line}" if before.file == result.file else f"in {before.where}"
                raise FormatError(
                    f"{result.where}: pair {pair} already has a result on board {result.board}, {where}"
                )


class _Row(defaultdict[str, str]):
    """The cells of a result by column, empty where there is none, with its place."""

    def __init__(self, cells: Iterable[tuple[str, str]], file: str, line: int, game: FileRecord | None) -> None:
        super().__init__(str, cells)
        self.file = file
        self.line = line
        self.game = game
        """That of its ScoreTable."""

    @property
    def where(self) -> str:
        return f"{self.file} line {self.line}"

    def result(self, ns: str, ew: str, score: str) -> FieldResult | None:
        """Return the result; None if the board was not played."""
        word = _AVERAGE_WORD.sub("A", "".join(score.upper().replace("%", "").split()))
        averages = _AVERAGES.fullmatch("A/A" if word == "A" else word)
        adjusted = [self["adjusted_ns"], self["adjusted_ew"]]
        if averages is not None and not any(adjusted):
            adjusted = [f"A{part.removeprefix('A')}" for part in averages.groups() if part]
        section = self["section"]
        if any(adjusted):
            try:
                ns_result, ew_result = map(parse_side_result, adjusted)
            except FormatError as error:
                raise FormatError(f"{self.where}: {error}") from None
            table = TravellerLine(ns=ns, ew=ew, ns_result=ns_result, ew_result=ew_result, section=section)
        elif word in _NOT_PLAYED:
            return None
        else:
            points = 0 if lenient.is_passed_out(word) else self.points(score)
            table = TravellerLine.of_score(ns, ew, points, section)
        session = _count(self["session"]) or 1
        return FieldResult(self["board"], table, self.file, self.line, session, stage=self["stage"])

    def points(self, text: str) -> int:
        """Return the points that a cell has."""
        found = _SCORE.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
        score = int(found[1]) if found is not None else None
        if score is None or score % 10 or abs(score) > _SCORE_MAX:
            raise FormatError(
                f"{self.where}: a score is North-South's, a multiple of 10 from -{_SCORE_MAX} to {_SCORE_MAX}, NP "
                f"for a board that was not played, or averages such as A6040, got {text!r}"
            )
        return score


def _count(text: str) -> int | None:
    """Return a number of results; None if a file does not say it as a sensible number."""
    return int(text) if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= _EXPECTED_MAX else None


# CSV


def _list_rows(name: str, text: str) -> Iterator[_Row]:
    rows = csv_rows(text, name)
    header = [cell.casefold() for cell in next(rows)[1]]
    for line, fields in rows:
        yield _Row(zip(header, fields, strict=False), name, line, None)


def _list_result(row: _Row) -> FieldResult | None:
    if not row["board"]:
        raise FormatError(f"{row.where}: there is no board")
    for cell in (row["board"], row["ns"], row["ew"]):
        if len(cell) > _NAME_LENGTH_MAX:
            raise FormatError(f"{row.where}: a name has at most {_NAME_LENGTH_MAX} letters, got {len(cell)}")
    return row.result(row["ns"], row["ew"], row["score"])


# PBN


def _scoring(game: UncheckedGame) -> PairsScoring | None:
    """Return how a game is scored by its tag Scoring (PBN 2.1 section 3.4.11).

    `IMP` alone is a match of teams, unless the table of a board has IMPs of pairs.
    """
    text = game.text("scoring").casefold()
    if text.startswith(("mp", "matchpoint", "match point")):
        return PairsScoring.MATCHPOINTS
    if "butler" in text:
        return PairsScoring.BUTLER
    table = game.tables.get("scoretable")
    has_imps = table is not None and any(column.startswith("imp") for column in table.columns)
    is_imps = CROSS_IMPS.search(text) is not None or (text.startswith("imp") and has_imps)
    return PairsScoring.CROSS_IMPS if is_imps else None


def _table_rows(games: Iterable[UncheckedGame], laws: Laws) -> Iterator[_Row]:
    seen = set[tuple[str, str | None, object]]()
    for game in games:
        table = game.tables["scoretable"]
        stage = ", ".join(filter(None, map(game.text, ("event", "stage"))))
        # Files of several tables have the table of a board once for each.
        rows = (stage, game.board, tuple(row for _, row in table.rows))
        if rows in seen:
            continue
        seen.add(rows)
        checked, names = check_game(game, laws), _names_at(table)
        own = {"board": game.board or "?", "session": game.text("session"), "stage": stage}
        for line, row in table.rows:
            if len(row) < names or (names == len(table.columns) and len(row) > names):
                before = " before the names" if names < len(table.columns) else ""
                raise FormatError(
                    f"{game.file} line {line}: the ScoreTable has {names} columns{before}, got {len(row)} values"
                )
            yield _Row((_cells(table, row) | own).items(), game.file, line, checked)


def _names_at(table: ScoreTable) -> int:
    """Return the place of the names of players, which may have blanks in them; the number of columns without any."""
    places = (place for place, column in enumerate(table.columns) if column.startswith("names"))
    return next(places, len(table.columns))


def _cells(table: ScoreTable, row: Sequence[str]) -> dict[str, str]:
    """Return the values of a row by column, as far as the names of players."""
    columns = table.columns[: _names_at(table)]
    return dict(zip(columns, (_value(word.strip('"').strip()) for word in row), strict=False))


def _value(text: str) -> str:
    """Return the text of a value; nothing for one that is not known."""
    return "" if _NO_VALUE.fullmatch(text) is not None else text


def _table_results(row: _Row, laws: Laws, *, is_two_fields: bool) -> Iterator[FieldResult | None]:
    assert row.game is not None
    source = row.game.source
    ns, ew = (
        f"{row['section']}{pair}{f' {side.value}' if is_two_fields else ''}" if pair else ""
        for side, pair in zip(Side, (row["pairid_ns"], row["pairid_ew"]), strict=True)
    )
    score = row["score_ns"]
    if not score and row["score_ew"]:
        score = str(-row.points(row["score_ew"]))
    if not score:
        tags = {name: tag for name, tag in source.tags.items() if name in ("board", "dealer", "vulnerable")}
        made = ((name, SourceText(row[name], row.line)) for name in ("contract", "declarer", "result") if row[name])
        by_result = check_game(replace(source, tags={**tags, **dict(made)}, calls=None, tricks=()), laws).score_ns
        score = str(by_result) if by_result is not None else ""
    result = row.result(ns, ew, score)
    if result is not None:
        is_counted = _COPIES.fullmatch(row["multiplicity"]) is not None and not ns + ew
        yield from repeat(replace(result, deal=row.game.deal), int(row["multiplicity"]) if is_counted else 1)


# Records of tables


def _record_results(records: Iterable[FileRecord]) -> Iterator[FieldResult]:
    """Yield the results of records of one table each; the file of a table may be given twice."""
    firsts: dict[tuple[str, TravellerLine, Deal | None], str] = {}
    for record in records:
        if record.score_ns is None:
            continue
        # Whichever of the two sits where; a pair is known by both.
        names = (sorted(record.names[seat] for seat in side.seats) for side in Side)
        ns, ew = (" - ".join(pair) if all(pair) else "" for pair in names)
        table = TravellerLine.of_score(ns, ew, record.score_ns)
        board = record.board or "?"
        if not (ns and ew) or firsts.setdefault((board, table, record.deal), record.file) == record.file:
            yield FieldResult(board, table, record.file, record.source.line, deal=record.deal)


def _drop_unclear_names(results: Sequence[FieldResult]) -> tuple[list[FieldResult], list[SourceFinding]]:
    """Return the results without the names that several pairs have, such as those of robots, and what was dropped.

    Such a result counts for the others on its board. A name that is unclear on half of its boards or more is dropped
    everywhere, one that is unclear on fewer on those alone.
    """
    times = Counter((pair, result.board) for result in results for pair in result.pairs)
    boards = Counter(pair for pair, _ in times)
    unclear: dict[str, str] = {}
    twice = Counter[str]()
    for (pair, board), number in times.items():
        if number > 1:
            unclear.setdefault(pair, board)
            twice[pair] += 1
    findings = []
    for pair, board in unclear.items():
        first, second, *others = (each for each in results if each.board == board and pair in each.pairs)
        lost = f"{count(twice[pair], 'board')} {plural(twice[pair], 'does', 'do')} not count for it"
        text = (
            f"{pair} has {2 + len(others)} results, the first on line {first.line}: "
            f"{'it is not ranked' if 2 * twice[pair] >= boards[pair] else lost}, and they count for the others"
        )
        findings.append(SourceFinding(second.file, second.line, board, None, text))
    known = []
    for result in results:
        ns, ew = (
            "" if times[pair, result.board] > 1 or boards[pair] <= 2 * twice[pair] else pair
            for pair in (result.table.ns, result.table.ew)
        )
        known.append(replace(result, table=replace(result.table, ns=ns, ew=ew)))
    return known, sorted(findings, key=lambda found: found.line)


# Pairs


def _stated_pairs(games: Iterable[UncheckedGame]) -> dict[str, StatedPair]:
    """Return what TotalScoreTables say of pairs, by the number of each; nothing of numbers that occur twice."""
    pairs: dict[str, StatedPair] = {}
    twice = set[str]()
    for game in games:
        table = game.tables.get("totalscoretable")
        if table is None or "pairid" not in table.columns:
            continue
        names = _names_at(table)
        is_last = names == len(table.columns) - 1
        for _, row in table.rows:
            cells = _cells(table, row)
            number = f"{cells.get('section', '')}{cells.get('pairid', '')}"
            text = " ".join(row[names:] if is_last else row[names : names + 1]).strip('"').strip()
            rank = _RANK.fullmatch(cells.get("rank", ""))
            if number in pairs:
                twice.add(number)
            pairs[number] = StatedPair(
                _value(text)[:_NAME_LENGTH_MAX],
                int(rank[1]) if rank is not None else None,
                _exact(cells.get("penalty", "")),
                _exact(cells.get("carryover", "")),
                cells.get("direction"),
            )
    return {number: stated for number, stated in pairs.items() if number not in twice}


def _exact(text: str) -> Fraction:
    """Return a penalty or carry-over, `1.5` or `7/15`; 0 for anything else."""
    return Fraction(text) if _EXACT.fullmatch(text) is not None else Fraction()
