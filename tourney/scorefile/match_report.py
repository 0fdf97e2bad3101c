"""The score of the matches in files, as a document and as text."""

from collections.abc import Iterator, Sequence
from typing import Annotated, TypeAlias

from tourney.formats.unchecked import SourceFinding
from tourney.movement.seating import Room
from tourney.output.content import format_made
from tourney.output.rows import ABSENT, INLINE, NOTHING, Row, Unit
from tourney.output.tables import Part, TextTable
from tourney.output.units import ContractText, Points, RoomName, SeatUnit, SideLetters, Tricks
from tourney.plurals import count
from tourney.report.figures import MatchFigures, imps_of, match_figures, points_of
from tourney.report.outcome import contract_of
from tourney.report.report import Report
from tourney.report.scorecard import won_cells
from tourney.scorefile.checking import CheckedGame
from tourney.scorefile.score import ScoredBoard, ScoredFiles, ScoredMatch
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import format_vp


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
    return [FindingDocument(each.file, each.line, each.board, each.room, each.text) for each in findings]


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


class ScoredResultDocument(Row):
    """What a file says of a board in one room; fields but the score are null where the file does not say."""

    contract: ContractText | None
    """The contract, or Pass for a board that was passed out."""
    declarer: SeatUnit | None
    """The declarer; null too for a board that was passed out."""
    tricks: Tricks | None
    """Tricks won by declarer's side; null too for a board that was passed out."""
    score: int
    """The score of North-South in points."""


class ScoredBoardDocument(Row, kw_only=True):
    """One board of a match in a file."""

    board: BoardName | None
    """The board as the file has it, a number where it is one; null where the file does not say."""
    open: ScoredResultDocument | None
    """The result in the open room; null where there is none."""
    closed: ScoredResultDocument | None
    """The result in the closed room; null where there is none."""
    imps: int | None
    """IMPs of the home team, wherever it sat; null where the rooms cannot be compared, and at board-a-match."""
    points: Points | None = ABSENT
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: Points | None = ABSENT
    """In matches scored in points: those of the away team."""
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
    """The matches of files as they are shown."""

    scored: ScoredFiles
    scale_name: str
    """The victory point scale."""

    def content(self) -> ScoredFilesDocument:
        """Return the matches with their boards."""
        return ScoredFilesDocument(list(map(_match_row, self.scored.matches)), finding_rows(self.scored.findings))

    def text(self) -> Iterator[Part]:
        """Yield a scorecard for each match, with what does not add up in it."""
        for match in self.scored.matches:
            yield f"{match.file}: {match.title}" if match.title else match.file
            yield f"Home: {match.home}"
            yield f"Away: {match.away}"
            yield ""
            yield _scorecard(match)
            yield ""
            if match.compared < len(match.boards):
                yield f"{match.compared} of {count(len(match.boards), 'board')} compared"
            elif match.vp is None and not match.scale.is_in_points:
                yield f"VP scale {self.scale_name} has no table for {count(match.compared, 'board')}"
            if match.findings:
                yield from (*describe_findings(match.findings, "in this match"), "")
        yield from describe_findings(self.scored.findings, "outside of matches")


def _match_row(match: ScoredMatch) -> ScoredMatchDocument:
    return ScoredMatchDocument(
        file=match.file,
        home=match.home,
        away=match.away,
        boards=[_board_row(board, match.scale) for board in match.boards],
        figures=match_figures(match.scale, match.imps_home, match.imps_away, match.vp),
        findings=finding_rows(match.findings),
    )


def _board_row(board: ScoredBoard, scale: BoardScale) -> ScoredBoardDocument:
    compared = board.comparison
    home, away = (compared.imps_home, compared.imps_away) if compared is not None else (None, None)
    return ScoredBoardDocument(
        board=board.board or None,
        open=_result_row(board.records.get(Room.OPEN)),
        closed=_result_row(board.records.get(Room.CLOSED)),
        imps=imps_of(scale, home),
        points=points_of(scale, home),
        points_away=points_of(scale, away),
        home_open=board.home_open,
    )


def _result_row(game: CheckedGame | None) -> ScoredResultDocument | None:
    if game is None or game.score_ns is None:
        return None
    contract, by, tricks = contract_of(game.result) if game.result is not None else (None, None, None)
    return ScoredResultDocument(contract, by, tricks, game.score_ns)


def _scorecard(match: ScoredMatch) -> TextTable:
    scale = match.scale
    table = TextTable(">Board", "Dlr", "Vul", "Open", ">Score", "Closed", ">Score", ">Home", ">Away")
    for board in match.boards:
        cells = [
            board.board or NOTHING,
            board.dealer.letter if board.dealer is not None else NOTHING,
            board.vulnerability.value if board.vulnerability is not None else NOTHING,
        ]
        for game in map(board.records.get, Room):
            result, score = (game.result, game.score_ns) if game is not None else (None, None)
            cells.append(
                format_made(result.contract, result.tricks) if result is not None and score is not None else NOTHING
            )
            cells.append(str(score) if score is not None else NOTHING)
        made = board.comparison
        cells += won_cells(scale, made.imps_home, made.imps_away) if made is not None else [NOTHING] * 2
        table.add_row(*cells)
    table.add_section()
    totals = map(scale.format, (match.imps_home, match.imps_away))
    table.add_row("Points" if scale.is_in_points else "IMPs", *[""] * 6, *totals)
    if not scale.is_in_points:
        table.add_row("VP", *[""] * 6, *(map(format_vp, match.vp) if match.vp is not None else [NOTHING] * 2))
    return table
