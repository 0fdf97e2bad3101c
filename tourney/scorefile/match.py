"""The matches in files: compares rooms, computes IMPs and victory points, and tells what is inconsistent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from operator import itemgetter
from typing import Annotated, Final, TypeAlias

from tourney.bridge import Side
from tourney.errors import ConfigError, FormatError
from tourney.formats.unchecked import SourceFinding
from tourney.movement.seating import Room
from tourney.output.rows import INLINE, Cell, Row, Unit
from tourney.output.tables import Part, TextTable, make_table
from tourney.output.units import ContractText, RoomName, SideLetters
from tourney.plurals import count
from tourney.scorefile.checking import POINTS_TAG, FileRecord
from tourney.scorefile.kinds import EventKind, EventRecords, classify_records
from tourney.scorefile.matches import FoundMatch, TeamTracker, find_matches
from tourney.scorefile.records import ReadFiles
from tourney.scoring import POINTS_SCALE
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale
from tourney.scoring.match import BoardComparison, ImpTotals, score_match, total_imps
from tourney.scoring.victory_points import VpHundredths, format_vp
from tourney.views.figures import BoardFigures, MatchFigures, board_figures, match_figures
from tourney.views.outcome import PlayedDocument, contract_of
from tourney.views.report import Report
from tourney.views.scorecard import won_cells


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """One board of a match. `comparison` is None if it cannot be compared."""

    board: str
    records: Mapping[Room, FileRecord]
    home_open: Side = Side.NS
    """Where the home team sat in the open room."""
    comparison: BoardComparison | None = None


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A match of two teams in a file. `vp` are hundredths, of the home team and of the away team."""

    file: str
    title: str
    """Event, stage and round, as far as the file gives them."""
    home: str
    away: str
    boards: tuple[ScoredBoard, ...]
    totals: ImpTotals
    """What both teams have won, in IMPs, or in hundredths of points, as the scale has it."""
    vp: tuple[VpHundredths, VpHundredths] | None
    scale: BoardScale
    """How its boards are scored: in IMPs, or at board-a-match where the file says so."""
    findings: tuple[SourceFinding, ...]

    @property
    def compared(self) -> int:
        """Number of boards that could be compared."""
        return sum(board.comparison is not None for board in self.boards)


def score_matches(read: ReadFiles, scale_name: str) -> "MatchesReport":
    """Scores the matches in files.

    Args:
        read: the files.
        scale_name: one of `SCALE_NAMES`.

    Raises:
        FormatError: no board in them was played in both rooms of a match, or they are of another kind of event.
    """
    others = [event for event in classify_records(read.records) if event.kind is not EventKind.TEAMS]
    elsewhere = {id(record) for event in others for record in event.records}
    found = find_matches(record for record in read.records if id(record) not in elsewhere)
    matches = tuple(_score(match, scale_name) for match in found if match.has_both_rooms)
    if not matches:
        raise FormatError(_why_nothing(read, others))
    findings = list(read.findings)
    findings += (_left_out(event.records, _kind_sentence(event)) for event in others)
    for match in found:
        if not match.has_both_rooms:
            why = "there is no record of the other room"
            findings += [_left_out(match.records, why), *_findings_of(match)]
    return MatchesReport(matches, findings, scale_name)


def _why_nothing(read: ReadFiles, others: Sequence[EventRecords]) -> str:
    """Return the sentence about files in which there is nothing to compare."""
    if others:
        most = max(others, key=lambda event: len(event.records))
        return f"{most.records[0].file} has no match of two teams: {_kind_sentence(most)}"
    if not read.records:
        return f"{read.name}: there is no record of a board that was played, so there is nothing to score"
    records = count(len(read.records), "record of a board", "records of boards")
    return (
        f"{read.name}: no board was played in both rooms of a match, among {records}, so there is nothing to compare"
    )


def _kind_sentence(event: EventRecords) -> str:
    stated = event.sign.casefold()
    game = next((name for name in ("Chicago", "Minibridge") if name.casefold() in stated), EventKind.RUBBER.value)
    what = {
        EventKind.PAIRS: "it is a pairs event, which --pairs scores",
        EventKind.INDIVIDUAL: "it is an event of individuals",
        EventKind.RUBBER: f"it is {game}, which --game scores",
    }[event.kind]
    return f"{what} ({event.sign})"


def _left_out(records: Sequence[FileRecord], why: str) -> SourceFinding:
    """Return the finding on records that no match has."""
    more = f"this board and {len(records) - 1} that go with it are" if len(records) > 1 else "this board is"
    return records[0].source.finding(f"{more} left out: {why}")


def _findings_of(match: FoundMatch) -> Iterator[SourceFinding]:
    """Yield the findings on the records of a match, and on those that repeat another."""
    for record in match.records:
        yield from record.findings
    for record, counting in match.repeats:
        at = counting.source
        where = f"line {at.line}" if counting.file == record.file else f"line {at.line} of {counting.file}"
        room = next(room for room in Room if match.boards[counting.board].get(room) is counting)
        scores = " and ".join(f"NS {game.score_ns}" for game in (counting, record))
        text = f"the {room} room has two results of this board, {scores}: the first, on {where}, counts"
        yield record.source.finding(text)


def _score(match: FoundMatch, scale_name: str) -> ScoredMatch:
    records = match.records
    findings = list(_findings_of(match))
    teams = TeamTracker(records)
    scale = _scale_of(records)
    boards = [
        _compare(index, rooms, teams, scale, findings) for index, rooms in enumerate(match.boards.values(), start=1)
    ]
    if all(board.board.isdecimal() for board in boards):
        boards.sort(key=lambda board: int(board.board))
    comparisons = [board.comparison for board in boards if board.comparison is not None]
    first = records[0].source
    round_ = first.text("round")
    title = (first.text("event"), first.text("stage"), f"round {round_}" if round_.isdecimal() else round_)
    return ScoredMatch(
        file=first.file,
        title=", ".join(filter(None, title)),
        home=teams.names[0],
        away=teams.names[1],
        boards=tuple(boards),
        totals=total_imps(comparisons, board_scale=scale),
        vp=_victory_points(comparisons, scale, scale_name) if len(comparisons) == len(boards) else None,
        scale=scale,
        findings=tuple(sorted(findings, key=lambda found: (found.file != first.file, found.file, found.line))),
    )


def _scale_of(records: Iterable[FileRecord]) -> BoardScale:
    """Return how a match is scored: at board-a-match if a record says so; then 2 points a board if one has over 1."""
    stated = [record.stated for record in records if record.score_tag == POINTS_TAG]
    if not stated:
        return IMPS
    most = max((points for of_game in stated for points in of_game.values()), default=Decimal())
    return board_a_match_scale(BoardPoints.TWO if most > 1 else BoardPoints.ONE, POINTS_SCALE)


def _victory_points(
    comparisons: Sequence[BoardComparison], scale: BoardScale, scale_name: str
) -> tuple[VpHundredths, VpHundredths] | None:
    try:
        score = score_match(comparisons, scale.vp_scale(scale_name, len(comparisons), {}))
    except ConfigError:
        return None
    return score.vp_home, score.vp_away


def _compare(
    index: int,
    rooms: Mapping[Room, FileRecord],
    teams: TeamTracker,
    scale: BoardScale,
    findings: list[SourceFinding],
) -> ScoredBoard:
    """Compare the records of a board in both rooms; `findings` receives what does not add up."""
    games = {room: rooms[room] for room in Room if room in rooms}
    board = ScoredBoard(next(iter(games.values())).source.board or "", games)
    home = teams.seat_board(rooms) if len(rooms) == len(Room) else None
    faults = []
    if len(rooms) < len(Room):
        faults.append("the other room's record is not there")
    elif home is None:
        faults.append("one pair, or one team, sat the same way in both rooms, so the board is not compared")
    else:
        said = {name: {getattr(game, name) for game in games.values()} - {None} for name in _SAID}
        faults += (f"the two rooms have different {_SAID[name]}" for name in said if len(said[name]) > 1)
        is_same = len(said["deal"]) < len(Room)
        board = replace(board, home_open=home, comparison=_comparison(index, games, home, scale, is_same=is_same))
    later = max(games.values(), key=lambda game: game.source.line).source
    findings += map(later.finding, faults)
    if board.comparison is not None:
        for room, game in games.items():
            figures = board.comparison.imps_home, board.comparison.imps_away
            findings += _check_stated(game, figures[_place_ns(room, board.home_open)], scale)
    return board


_SAID: Final = {
    "deal": "deals, so the board is not compared",
    "dealer": "dealers",
    "vulnerability": "vulnerabilities",
}
"""What both rooms say of a board, and what is said if they do not say the same."""


def _place_ns(room: Room, home_open: Side) -> int:
    """Return whose figures are those of North-South in a room: 0 for the home team's, 1 for the away team's."""
    return int((home_open is Side.NS) is not (room is Room.OPEN))


def _comparison(
    index: int, games: Mapping[Room, FileRecord], home_open: Side, scale: BoardScale, *, is_same: bool
) -> BoardComparison | None:
    """Return what both teams have won: by a ruling, if a file says that one decides, else by the scores of a deal."""
    for room, game in games.items():
        ruled = _stated(game, scale) if game.is_ruled else None
        if ruled is not None and all(figure == int(figure) for figure in ruled):
            home = _place_ns(room, home_open)
            return BoardComparison(index, int(ruled[home]), int(ruled[1 - home]))
    scores = [(WeightedScore(1, game.score_ns),) for game in games.values() if game.score_ns is not None]
    if not is_same or len(scores) < len(Room):
        return None
    opened, closed = scores
    sign = 1 if home_open is Side.NS else -1
    return BoardComparison(index, scale.compare(opened, closed, sign), scale.compare(opened, closed, -sign))


def _stated(game: FileRecord, scale: BoardScale) -> tuple[Decimal, Decimal] | None:
    """Return North-South's and East-West's figures by the file; that of one side alone leaves the other the rest."""
    figures = {side: 100 * figure / scale.hundredths_each for side, figure in game.stated.items()}
    if not figures or game.score_tag != scale.pbn_score.casefold():
        return None
    whole = scale.least + scale.most
    ns, ew = (figures[side] if side in figures else whole - figures[side.other] for side in Side)
    return ns, ew


def _check_stated(game: FileRecord, figure_ns: int, scale: BoardScale) -> Iterator[SourceFinding]:
    """Yield a finding if the file states other figures than the scores of both rooms make."""
    stated = _stated(game, scale)
    if stated is None or game.is_ruled or "cross" in game.source.text("scoring").casefold():
        return
    ns, ew = stated
    wrong = next((said for said in (ns, scale.least + scale.most - ew) if said != figure_ns), None)
    if wrong is not None:
        said = f"{wrong * scale.hundredths_each / 100:g}"
        text = f"the {scale.unit} are NS {said}, by the scores of both rooms they are NS {scale.format(figure_ns)}"
        yield game.source.finding(text, game.source.tags[game.score_tag].line)


def _number(board: str) -> int | str:
    """Turn the text of a board into a number where it is one."""
    return int(board) if board.isascii() and board.isdigit() else board


BoardName: TypeAlias = Annotated[str, Unit(form=int | str, json=_number)]
"""A board as a file has it, a number where it is one."""


class FindingDocument(Row):
    """Something in a file that does not add up."""

    file: str
    """The name of the file, as it was given."""
    line: int
    """The line of the file, from 1."""
    board: BoardName | None
    """The board as the file has it, a number where it is one; null where the file does not say."""
    room: RoomName | None
    """The room; null where the file does not say."""
    text: str
    """One sentence that says what is wrong."""


def finding_rows(findings: Sequence[SourceFinding]) -> list[FindingDocument]:
    """Return findings as rows."""
    return list(map(FindingDocument.from_attributes, findings))


def describe_findings(findings: Sequence[SourceFinding], where: str) -> Iterator[str]:
    """Yield a sentence for each finding with its place, after one that counts them; nothing if there are none.

    Args:
        findings: what does not add up.
        where: where that is: `in this file`.
    """
    if findings:
        yield f"{count(len(findings), 'thing does', 'things do')} not add up {where}:"
    for finding in findings:
        place = f"{finding.file} line {finding.line}"
        if finding.board is not None:
            place += f", board {finding.board}"
        if finding.room is not None:
            place += f", {finding.room} room"
        yield f"{place}: {finding.text}"


class ScoredResultDocument(PlayedDocument):
    """What a file says of a board in one room; fields but the score are null where the file does not say."""

    contract: ContractText | None  # type: ignore[assignment]
    """The contract, or Pass for a board that was passed out."""


class ScoredBoardDocument(Row, kw_only=True):
    """One board of a match in a file."""

    board: BoardName | None
    """The board as the file has it, a number where it is one; null where the file does not say."""
    open: ScoredResultDocument | None
    """The result in the open room; null where there is none."""
    closed: ScoredResultDocument | None
    """The result in the closed room; null where there is none."""
    figures: Annotated[BoardFigures, INLINE]
    home_open: SideLetters
    """Where the home team sat in the open room."""


class ScoredMatchDocument(Row, kw_only=True):
    """A match of two teams in a file."""

    file: str
    """The name of the file; where the rooms are in two files, of the first."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    boards: list[ScoredBoardDocument]
    """The boards of the match, by number where each has one."""
    figures: Annotated[MatchFigures, INLINE]
    findings: list[FindingDocument]
    """What does not add up in this match, in the order of lines."""


class ScoredFilesDocument(Row):
    """The matches that were found in files, checked and scored."""

    matches: list[ScoredMatchDocument]
    """The matches, in the order of the files."""
    findings: list[FindingDocument]
    """What does not add up outside of matches."""


class MatchesReport(Report):
    """All matches and findings of files."""

    matches: tuple[ScoredMatch, ...]
    findings: list[SourceFinding]
    """Findings on records that belong to no match."""
    scale_name: str
    """The victory point scale."""

    def content(self) -> ScoredFilesDocument:
        """Return the matches with their boards."""
        rows = [
            ScoredMatchDocument.from_attributes(
                match,
                boards=[_board_row(board, match.scale) for board in match.boards],
                figures=match_figures(match.scale, *match.totals[:2], match.vp),
                findings=finding_rows(match.findings),
            )
            for match in self.matches
        ]
        return ScoredFilesDocument(rows, finding_rows(self.findings))

    def text(self) -> Iterator[Part]:
        """Yield a scorecard for each match, with what does not add up in it."""
        for match in self.matches:
            yield f"{match.file}: {match.title}" if match.title else match.file
            yield f"Home: {match.home}"
            yield f"Away: {match.away}"
            yield ""
            yield _scorecard(match)
            yield ""
            if match.compared < len(match.boards):
                yield f"{match.compared} of {count(len(match.boards), 'board')} compared"
            elif match.vp is None and match.scale.match_unit:
                yield f"VP scale {self.scale_name} has no table for {count(match.compared, 'board')}"
            if match.findings:
                yield from (*describe_findings(match.findings, "in this match"), "")
        yield from describe_findings(self.findings, "outside of matches")


def _board_row(board: ScoredBoard, scale: BoardScale) -> ScoredBoardDocument:
    compared = board.comparison
    home, away = (compared.imps_home, compared.imps_away) if compared is not None else (None, None)
    return ScoredBoardDocument(
        board=board.board or None,
        open=_result_row(board.records.get(Room.OPEN)),
        closed=_result_row(board.records.get(Room.CLOSED)),
        figures=board_figures(scale, home, away),
        home_open=board.home_open,
    )


def _result_row(game: FileRecord | None) -> ScoredResultDocument | None:
    if game is None or game.score_ns is None:
        return None
    contract, by, tricks = contract_of(game.result) if game.result is not None else (None, None, None)
    return ScoredResultDocument(contract, by, tricks, game.score_ns)


def _scorecard(match: ScoredMatch) -> TextTable:
    headings = (">Board", "Dlr", "Vul", "Open", ">Score", "Closed", ">Score", ">Home", ">Away")
    scale = match.scale
    totals: list[tuple[object, ...]] = [(scale.heading, *_BLANK, *map(scale.format, match.totals[:2]))]
    if scale.match_unit:
        totals.append((scale.match_unit, *_BLANK, *(map(format_vp, match.vp) if match.vp else (None, None))))
    columns = [Cell(heading, itemgetter(place)) for place, heading in enumerate(headings)]
    return make_table(columns, (tuple(_cells(board, scale)) for board in match.boards), totals)


_BLANK: Final = [""] * 6
"""The cells of a total between its name and its figures."""


def _cells(board: ScoredBoard, scale: BoardScale) -> Iterator[object]:
    yield board.board or None
    games = board.records.values()
    yield next((game.dealer for game in games if game.dealer is not None), None)
    yield next((game.vulnerability.value for game in games if game.vulnerability is not None), None)
    for game in map(board.records.get, Room):
        yield from (game.result, game.score_ns) if game is not None and game.score_ns is not None else (None, None)
    made = board.comparison
    yield from won_cells(scale, made.imps_home, made.imps_away) if made is not None else (None, None)
