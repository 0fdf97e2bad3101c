"""Reads the results of a field of pairs: CSV with a result a line, or PBN or LIN of a pairs event, in several files.

CSV has the columns `board,ns,ew,score`, in any order, and others that are ignored; the score is North-South's, `NP`
or nothing where the board was not played, or averages such as `A6040` as scoring terminals write them. PBN
has the results of a board in its ScoreTable (PBN 2.1 section 5.9), or a record for each table. Both may have columns
for what counts where there is no plain score, as our own exports do (`tourney.formats.adjusted`). A PBN file may also
say how it is scored (the tag Scoring), to how many results a board is scored (ResultsExpected), and in its
TotalScoreTable (section 5.10) who the pairs are, what penalties took from them, and the order of ties.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Final

from tourney.bridge import Deal, Side
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.formats.adjusted import parse_side_result
from tourney.formats.file_kinds import GAME_KINDS, FileKind, csv_rows, read_text, recognise
from tourney.formats.game_files import iter_records
from tourney.formats.unchecked import ScoreTable, SourceFinding, SourceText, UncheckedGame
from tourney.plurals import count, plural
from tourney.scorefile.checking import CheckedGame, check_game
from tourney.scorefile.kinds import CROSS_IMPS
from tourney.scorefile.matches import FileRecord, relate_records
from tourney.scorefile.score import check_records
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.pairs.traveller import SideResult, TravellerLine

RESULTS_MAX: Final = 50_000
"""The most results of a file: 500 tables with 100 boards; it limits the running time."""
_SCORE_MAX: Final = 7600
"""The largest duplicate score: 1NT redoubled and vulnerable, down 13."""
_NAME_LENGTH_MAX: Final = 80
_RANK_DIGITS_MAX: Final = 6
_EXPECTED_MAX: Final = 1000
"""More results than a board has in any event."""
_EXACT: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9}|/[1-9][0-9]{0,8})?")
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
    section: str
    """The section that it is ranked in; empty if there is none."""
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


def read_field(files: Sequence[tuple[str, bytes]]) -> FieldFile:
    """Read the results in files, in their order, with what they say of the scoring.

    Args:
        files: what messages call each, and its contents: PBN, LIN or CSV.

    Raises:
        FormatError: one sentence on what cannot be read, or on a pair that has two results on a board.
    """
    results: list[FieldResult] = []
    games: list[UncheckedGame] = []
    with_tables: list[UncheckedGame] = []
    records: list[list[FileRecord]] = []
    findings: list[SourceFinding] = []
    expected = set[str]()
    for name, data in files:
        text = read_text(data, name, *GAME_KINDS, FileKind.PAIRS_CSV)
        if recognise(data) is FileKind.PAIRS_CSV:
            results += _at_most(_csv_results(text, name, expected), name)
            continue
        own = list(iter_records(text, name, findings))
        games += own
        found = [game for game in own if "scoretable" in game.tables and game.tables["scoretable"].rows]
        with_tables += found
        if not found:
            read = check_records(own)
            records.append(read)
            # Robots' rooms and old archives have points alone: that is all a field needs.
            in_doubt = [each.game for each in read if each.game.result is not None or each.game.score_ns is None]
            findings += (each for game in in_doubt for each in game.findings)
    rows = list(_table_rows(with_tables))
    # North-South and East-West pairs have the same numbers where some pair meets its own.
    is_two_fields = any(row.pairs[Side.NS] and row.pairs[Side.NS] == row.pairs[Side.EW] for row in rows)
    expected |= {text for game in with_tables if (text := game.text("resultsexpected"))}
    results += _at_most(_table_results(rows, is_two_fields=is_two_fields), files[0][0])
    of_records = [result for own in relate_records(records) for record in own for result in _record_result(record)]
    firsts: dict[tuple[str, TravellerLine, Deal | None], str] = {}
    once = (  # the file of a table may be given twice
        result
        for result in of_records
        if len(result.pairs) < len(Side)
        or firsts.setdefault((result.board, result.table, result.deal), result.file) == result.file
    )
    known, unclear = _drop_unclear_names(_at_most(once, files[0][0]))
    results += known
    if not results:
        where = files[0][0] if len(files) == 1 else f"the {len(files)} files together"
        raise FormatError(f"{where}: there is no result of a board, so there is nothing to score")
    _check_pairs(results)
    scoring = next((rule for game in games if (rule := _scoring(game)) is not None), None)
    if any(each.game.source.text("scoring").casefold() == "imp" for own in records for each in own):
        scoring = scoring or PairsScoring.CROSS_IMPS
    return FieldFile(
        results,
        scoring,
        _parse_expected(expected.pop()) if len(expected) == 1 else None,
        {} if is_two_fields else _stated_pairs(games),
        findings + unclear,
    )


def _at_most(results: Iterator[FieldResult], name: str) -> list[FieldResult]:
    found = list(islice(results, RESULTS_MAX + 1))
    if len(found) > RESULTS_MAX:
        raise FormatError(f"{name} has more than {RESULTS_MAX} results, which is the most that are read")
    return found


def _check_pairs(results: Sequence[FieldResult]) -> None:
    earlier: dict[tuple[str, str], FieldResult] = {}
    for result in results:
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


# CSV


def _csv_results(text: str, name: str, expected: set[str]) -> Iterator[FieldResult]:
    stages = _Stages(name)
    rows = csv_rows(text, name)
    header = [cell.casefold() for cell in next(rows)[1]]
    for line, fields in rows:
        cells = defaultdict(str, zip(header, fields, strict=False))
        where = f"{name} line {line}"
        board, ns, ew = (cells[column] for column in ("board", "ns", "ew"))
        if not board:
            raise FormatError(f"{where}: there is no board")
        for cell in (board, ns, ew):
            if len(cell) > _NAME_LENGTH_MAX:
                raise FormatError(f"{where}: a name has at most {_NAME_LENGTH_MAX} letters, got {len(cell)}")
        stages.note(board, cells["stage"], line)
        expected.add(cells["results_expected"])
        word = _AVERAGE_WORD.sub("A", "".join(cells["score"].upper().replace("%", "").split()))
        averages = _AVERAGES.fullmatch("A/A" if word == "A" else word)
        ns_text, ew_text = cells["adjusted_ns"], cells["adjusted_ew"]
        if averages is not None and not ns_text + ew_text:
            ns_text, ew_text = (f"A{part.removeprefix('A')}" for part in averages.groups() if part)
        adjusted = _adjusted(ns_text, ew_text, where)
        if adjusted is None and word in _NOT_PLAYED:
            continue
        score = 0 if adjusted is not None or lenient.is_passed_out(word) else _parse_score(cells["score"], where)
        table = _line(ns, ew, adjusted, score, cells["section"])
        yield FieldResult(board, table, name, line, _parse_expected(cells["session"]) or 1)


def _line(
    ns: str, ew: str, adjusted: tuple[SideResult, SideResult] | None, score_ns: int, section: str
) -> TravellerLine:
    """Return the line of a result: of what counts in place of a score, or else of the score."""
    if adjusted is None:
        return TravellerLine.of_score(ns, ew, score_ns, section)
    return TravellerLine(ns=ns, ew=ew, ns_result=adjusted[0], ew_result=adjusted[1], section=section)


def _adjusted(ns_text: str, ew_text: str, where: str) -> tuple[SideResult, SideResult] | None:
    """Return what counts for North-South and East-West in place of a score; None if nothing does."""
    if not ns_text and not ew_text:
        return None
    if not ns_text or not ew_text:
        raise FormatError(f"{where}: an adjusted score is given for both sides, got only that of one")
    try:
        ns, ew = parse_side_result(ns_text), parse_side_result(ew_text)
    except FormatError as error:
        raise FormatError(f"{where}: {error}") from None
    return ns, ew


def _parse_expected(text: str) -> int | None:
    """Return how many results a board is scored to; None if a file does not say it as a sensible number."""
    return int(text) if text.isascii() and text.isdecimal() and 1 <= int(text[:9]) <= _EXPECTED_MAX else None


@dataclass
class _Stages:
    """Notices boards of several stages with the same numbers, which are no field."""

    name: str
    seen: dict[str, tuple[str, int]] = field(default_factory=dict)

    def note(self, board: str, stage: str, line: int) -> None:
        """Note the stage of a board.

        Raises:
            FormatError: another stage has a board with its number.
        """
        first, before = self.seen.setdefault(board, (stage, line))
        if first != stage:
            raise FormatError(
                f"{self.name} line {line}: board {board} is of {stage!r}, on line {before} of {first!r}; "
                "a field is scored from a file with one event and one stage"
            )


def _parse_score(text: str, where: str) -> int:
    found = _SCORE.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    score = int(found[1]) if found is not None else None
    if score is None or score % 10 or abs(score) > _SCORE_MAX:
        raise FormatError(
            f"{where}: a score is North-South's, a multiple of 10 from -{_SCORE_MAX} to {_SCORE_MAX}, NP for a board "
            f"that was not played, or averages such as A6040, got {text!r}"
        )
    return score


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


@dataclass(frozen=True, slots=True)
class _TableRow:
    """A row of the ScoreTable of a board: the cells by column, as far as the names of players."""

    game: CheckedGame
    line: int
    cells: Mapping[str, str]

    @property
    def pairs(self) -> Mapping[Side, str]:
        """The numbers of both pairs; empty where they are not known."""
        return {side: self.cells.get(f"pairid_{side.value.casefold()}", "") for side in Side}


def _table_rows(games: Iterable[UncheckedGame]) -> Iterator[_TableRow]:
    stages: dict[str, _Stages] = {}
    seen = set[tuple[str | None, object]]()
    for game in games:
        table, number = game.tables["scoretable"], game.board or "?"
        stage = ", ".join(filter(None, map(game.text, ("event", "stage"))))
        stages.setdefault(game.file, _Stages(game.file)).note(number, stage, game.line)
        # Files of several tables have the table of a board once for each.
        rows = tuple(row for _, row in table.rows)
        if (number, rows) in seen:
            continue
        seen.add((number, rows))
        checked, names = check_game(game), _names_at(table)
        for line, row in table.rows:
            if len(row) < names or (names == len(table.columns) and len(row) > names):
                before = " before the names" if names < len(table.columns) else ""
                raise FormatError(
                    f"{game.file} line {line}: the ScoreTable has {names} columns{before}, got {len(row)} values"
                )
            yield _TableRow(checked, line, _cells(table, row))


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


def _table_results(rows: Iterable[_TableRow], *, is_two_fields: bool) -> Iterator[FieldResult]:
    for row in rows:
        game, cells = row.game, row.cells
        source = game.source
        where = f"{source.file} line {row.line}"
        adjusted = _adjusted(cells.get("adjusted_ns", ""), cells.get("adjusted_ew", ""), where)
        score = _table_score(row, where) if adjusted is None else None
        if adjusted is None and score is None:
            continue
        section = cells.get("section", "")
        ns, ew = (
            f"{section}{pair}{f' {side.value}' if is_two_fields else ''}" if pair else ""
            for side, pair in row.pairs.items()
        )
        copies = cells.get("multiplicity", "")
        table = _line(ns, ew, adjusted, score or 0, section)
        session = _parse_expected(source.text("session")) or 1
        for _ in range(int(copies) if copies.isdecimal() and not ns + ew else 1):
            yield FieldResult(source.board or "?", table, source.file, row.line, session, game.deal)


def _table_score(row: _TableRow, where: str) -> int | None:
    """Return the score of a row: as it states it, or else by its result; None if it has none."""
    own, other = (row.cells.get(f"score_{side.value.casefold()}", "") for side in Side)
    if own or other:
        return _parse_score(own, where) if own else -_parse_score(other, where)
    source = row.game.source
    tags = {name: tag for name, tag in source.tags.items() if name in ("board", "dealer", "vulnerable")}
    made = {name: SourceText(row.cells.get(name, ""), row.line) for name in ("contract", "declarer", "result")}
    tags |= {name: tag for name, tag in made.items() if tag.text}
    return check_game(replace(source, tags=tags, calls=None, tricks=())).score_ns


def _record_result(record: FileRecord) -> Iterator[FieldResult]:
    """Yield the result of a record of one table, if it has one."""
    game = record.game
    if game.score_ns is None:
        return
    ns, ew = (_partners(game, side) for side in Side)
    table = TravellerLine.of_score(ns, ew, game.score_ns)
    yield FieldResult(record.board or "?", table, record.file, game.source.line, deal=game.deal)


def _drop_unclear_names(results: Sequence[FieldResult]) -> tuple[list[FieldResult], list[SourceFinding]]:
    """Return the results without the names that several pairs have, such as those of robots, and what was dropped.

    Such a result counts for the others on its board. A name that is unclear on half of its boards or more is dropped
    everywhere, one that is unclear on fewer on those alone.
    """
    lines: defaultdict[str, defaultdict[str, list[FieldResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        for pair in result.pairs:
            lines[pair][result.board].append(result)
    unclear: dict[str, set[str]] = {}
    findings = []
    for pair, by_board in lines.items():
        twice = {board: found for board, found in by_board.items() if len(found) > 1}
        if not twice:
            continue
        is_everywhere = 2 * len(twice) >= len(by_board)
        unclear[pair] = set(by_board if is_everywhere else twice)
        board, found = next(iter(twice.items()))
        boards = f"{count(len(twice), 'board')} {plural(len(twice), 'does', 'do')} not count for it"
        which = "it is not ranked" if is_everywhere else boards
        where = f"the first on line {found[0].line}"
        text = f"{pair} has {len(found)} results, {where}: {which}, and they count for the others"
        findings.append(SourceFinding(found[1].file, found[1].line, board, None, text))
    known = [
        replace(
            result,
            table=replace(
                result.table,
                ns="" if result.board in unclear.get(result.table.ns, ()) else result.table.ns,
                ew="" if result.board in unclear.get(result.table.ew, ()) else result.table.ew,
            ),
        )
        for result in results
    ]
    return known, sorted(findings, key=lambda found: found.line)


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
            rank = cells.get("rank", "").rstrip("=")
            if number in pairs:
                twice.add(number)
            pairs[number] = StatedPair(
                _value(text)[:_NAME_LENGTH_MAX],
                int(rank) if rank.isascii() and rank.isdecimal() and len(rank) <= _RANK_DIGITS_MAX else None,
                _parse_exact(cells.get("penalty", "")),
                _parse_exact(cells.get("carryover", "")),
                cells.get("section", ""),
                cells.get("direction"),
            )
    return {number: stated for number, stated in pairs.items() if number not in twice}


def _parse_exact(text: str) -> Fraction:
    """Return a penalty or carry-over, `1.5` or `7/15`; 0 for anything else."""
    found = _EXACT.fullmatch(text)
    return Fraction(text) if found is not None else Fraction()


def _partners(game: CheckedGame, side: Side) -> str:
    """Return the names of a pair, whichever of the two sits where; empty unless both are known."""
    names = sorted(game.names[seat] for seat in side.seats)
    return " - ".join(names) if all(names) else ""
