"""Scores the matches in files: compares rooms, computes IMPs and victory points, and reports what is inconsistent."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Annotated, Any, Final, TypeAlias

from tourney.bridge import Seat, Side, Vulnerability
from tourney.bridge.score import Laws
from tourney.errors import ConfigError, FormatError
from tourney.formats import lenient
from tourney.formats.file_kinds import GAME_KINDS, FileKind, read_text
from tourney.formats.game_files import iter_records
from tourney.formats.unchecked import SourceFinding
from tourney.movement.seating import Room
from tourney.output.rows import ABSENT, INLINE, Row, Unit, document_of
from tourney.output.units import ContractText, Points, RoomName, SeatUnit, SideLetters, Tricks
from tourney.plurals import count
from tourney.report.figures import MatchFigures, imps_of, match_figures, points_of
from tourney.scorefile.checking import CheckedGame, check_game, was_played
from tourney.scorefile.kinds import EventKind, EventRecords, classify_records
from tourney.scorefile.matches import FileRecord, FoundMatch, TeamTracker, find_matches_of_files, relate_records
from tourney.scoring import POINTS_SCALE
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale
from tourney.scoring.match import BoardComparison, score_match, total_imps
from tourney.scoring.victory_points import VpHundredths, vp_scale

_BOARD_A_MATCH: Final = re.compile(r"\s*(?:BAM|PAB|board[ -]?a[ -]?match|point[ -]?a[ -]?board)\b", re.IGNORECASE)
"""What the tag Scoring begins with at board-a-match."""

RECORDS_MAX: Final = 20_000
"""Maximum number of board records in a file; it bounds the running time, and is far above what any event has."""


@dataclass(frozen=True, slots=True)
class FileFinding:
    """A finding with the file it concerns."""

    file: str
    finding: SourceFinding


def describe_findings(findings: Sequence[FileFinding], where: str) -> Iterator[str]:
    """Yield a sentence for each finding with its place, after one that counts them; nothing if there are none.

    Args:
        findings: what does not add up.
        where: where that is: `in this file`.
    """
    if findings:
        yield f"{count(len(findings), 'thing does', 'things do')} not add up {where}:"
    for found in findings:
        finding = found.finding
        place = f"{found.file} line {finding.line}"
        if finding.board is not None:
            place += f", board {finding.board}"
        if finding.room is not None:
            place += f", {finding.room} room"
        yield f"{place}: {finding.text}"


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """One board of a match. `comparison` is None if it cannot be compared."""

    board: str
    records: Mapping[Room, CheckedGame]
    home_open: Side
    """Where the home team sat in the open room."""
    comparison: BoardComparison | None

    @property
    def dealer(self) -> Seat | None:
        return next((game.dealer for game in self.records.values() if game.dealer is not None), None)

    @property
    def vulnerability(self) -> Vulnerability | None:
        return next((game.vulnerability for game in self.records.values() if game.vulnerability is not None), None)


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A match of two teams in a file. `vp` are hundredths, of the home team and of the away team."""

    file: str
    title: str
    """Event, stage and round, as far as the file gives them."""
    home: str
    away: str
    boards: tuple[ScoredBoard, ...]
    imps_home: int
    """IMPs of the home team, or hundredths of points, as the scale has it."""
    imps_away: int
    vp: tuple[VpHundredths, VpHundredths] | None
    scale: BoardScale
    """How its boards are scored: in IMPs, or at board-a-match where the file says so."""
    findings: tuple[FileFinding, ...]

    @property
    def compared(self) -> int:
        """Number of boards that could be compared."""
        return sum(board.comparison is not None for board in self.boards)


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """All matches and findings of the files."""

    matches: tuple[ScoredMatch, ...]
    findings: tuple[FileFinding, ...]
    """Findings on records that belong to no match."""

    @property
    def boards_compared(self) -> int:
        return sum(match.compared for match in self.matches)


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """The records of files, by the kind of event they come from."""

    names: tuple[str, ...]
    records: tuple[tuple[FileRecord, ...], ...]
    """The records of matches of teams, file by file."""
    others: tuple[EventRecords, ...]
    """Those of other events."""
    findings: tuple[FileFinding, ...]
    """What is wrong with the text of the files."""

    @property
    def has_pairs_only(self) -> bool:
        """Whether all records are of pairs."""
        return (
            bool(self.others)
            and not any(self.records)
            and all(event.kind is EventKind.PAIRS for event in self.others)
        )


def read_files(files: Sequence[tuple[str, bytes]], laws: Laws = Laws.CURRENT) -> ReadFiles:
    """Reads PBN or LIN files.

    Args:
        files: each file's name, as shown in messages, and its contents.
        laws: those that boards are scored by.

    Raises:
        FormatError: one has more records than are read.
    """
    findings: list[FileFinding] = []
    read: list[list[FileRecord]] = []
    for name, data in files:
        own, on_text = read_records(name, data, laws)
        read.append(own)
        findings += [FileFinding(name, finding) for finding in on_text]
    related = relate_records(read)
    events = classify_records(related)
    of_teams = {id(record) for event in events if event.kind is EventKind.TEAMS for record in event.records}
    return ReadFiles(
        tuple(name for name, _ in files),
        tuple(tuple(record for record in records if id(record) in of_teams) for records in related),
        tuple(event for event in events if event.kind is not EventKind.TEAMS),
        tuple(findings),
    )


def score_matches(read: ReadFiles, scale_name: str) -> ScoredFiles:
    """Scores the matches in files.

    Args:
        read: the files.
        scale_name: one of `SCALE_NAMES`.

    Raises:
        FormatError: no board in them was played in both rooms of a match, or they are of another kind of event.
    """
    findings = list(read.findings)
    found = find_matches_of_files(read.records)
    matches = tuple(_score(match, scale_name) for match in found if match.has_both_rooms)
    if not matches:
        raise FormatError(_why_nothing(read.names, read.records, read.others))
    findings += map(_of_other_kind, read.others)
    for match in found:
        if not match.has_both_rooms:
            findings += _left_out(match)
    return ScoredFiles(matches, tuple(findings))


def read_records(name: str, data: bytes, laws: Laws = Laws.CURRENT) -> tuple[list[FileRecord], list[SourceFinding]]:
    """Returns the checked records of a PBN or LIN file, and what is wrong with its text.

    Raises:
        FormatError: it is another kind of file, or has more records than are read.
    """
    text = read_text(data, name, *GAME_KINDS, FileKind.PAIRS_CSV)
    findings: list[SourceFinding] = []
    played = list(islice(filter(was_played, iter_records(text, name, findings)), RECORDS_MAX + 1))
    if len(played) > RECORDS_MAX:
        line = played[-1].line
        raise FormatError(
            f"{name} line {line}: a file has more than {RECORDS_MAX} records of boards, the most that are read"
        )
    return [FileRecord(name, check_game(game, laws)) for game in played], findings


def _why_nothing(
    names: Sequence[str], records: Sequence[Sequence[FileRecord]], others: Sequence[EventRecords]
) -> str:
    """Return the sentence about files in which there is nothing to compare."""
    if others:
        most = max(others, key=lambda event: len(event.records))
        return f"{most.records[0].file} has no match of two teams: {_kind_sentence(most)}"
    where = names[0] if len(names) == 1 else f"the {len(names)} files together"
    number = sum(map(len, records))
    if number == 0:
        return f"{where}: there is no record of a board that was played, so there is nothing to score"
    seen: dict[tuple[object, ...], FileRecord] = {}
    for record in (record for own in records for record in own):
        first = seen.setdefault((record.board, record.game.deal, *record.names.values()), record)
        if first is not record and any(record.names.values()):
            at = record.game.source.line
            text = f"line {at}, board {record.board}: the players have the cards that they had on line"
            return f"{record.file} {text} {first.game.source.line}, so there is nothing to compare"
    boards = "1 record of a board" if number == 1 else f"{number} records of boards"
    return f"{where}: no board was played in both rooms of a match, among {boards}, so there is nothing to compare"


def _kind_sentence(event: EventRecords) -> str:
    stated = event.sign.text.casefold()
    game = next((name for name in ("Chicago", "Minibridge") if name.casefold() in stated), EventKind.RUBBER.value)
    what = {
        EventKind.PAIRS: "it is a pairs event, which --pairs scores",
        EventKind.INDIVIDUAL: "it is an event of individuals",
        EventKind.RUBBER: f"it is {game}, which --game scores",
    }[event.kind]
    return f"{what} ({event.sign.text})"


def _of_other_kind(event: EventRecords) -> FileFinding:
    """Return the finding on records of another kind of event, which are left out."""
    first = event.records[0]
    boards = f"this board and the {len(event.records) - 1} that go with it are left out"
    if len(event.records) == 1:
        boards = "this board is left out"
    text = f"{boards}: {_kind_sentence(event)}"
    return FileFinding(first.file, first.game.source.finding(text))


def _left_out(match: FoundMatch) -> list[FileFinding]:
    """Return the findings on records of a match that only one room has, which are left out."""
    records = match.records
    first = records[0]
    text = "only one room has it, so it is left out"
    if len(records) > 1:
        text = f"only one room has this board and the {len(records) - 1} that go with it, so they are left out"
    return [FileFinding(first.file, first.game.source.finding(text)), *_findings_of(records), *_repeats_of(match)]


def _repeats_of(match: FoundMatch) -> Iterator[FileFinding]:
    for record, counting in match.repeats:
        at = counting.game.source
        where = f"line {at.line}" if counting.file == record.file else f"line {at.line} of {counting.file}"
        room = next(room for room in Room if match.boards[counting.board].get(room) is counting)
        scores = " and ".join(f"NS {game.score_ns}" for game in (counting.game, record.game))
        text = f"the {room} room has two results of this board, {scores}: the first, on {where}, counts"
        yield FileFinding(record.file, record.game.source.finding(text))


def _findings_of(records: Iterable[FileRecord]) -> list[FileFinding]:
    return [FileFinding(record.file, finding) for record in records for finding in record.game.findings]


def _score(match: FoundMatch, scale_name: str) -> ScoredMatch:
    records = match.records
    findings = [*_findings_of(records), *_repeats_of(match)]
    teams = TeamTracker(records)
    scale = _scale_of(records)
    boards = []
    for index, rooms in enumerate(match.boards.values(), start=1):
        board, on_board = _compare(index, rooms, teams, scale)
        boards.append(board)
        findings += on_board
    if all(board.board.isdecimal() for board in boards):
        boards.sort(key=lambda board: int(board.board))
    comparisons = [board.comparison for board in boards if board.comparison is not None]
    totals = total_imps(comparisons, board_scale=scale)
    has_vp = len(comparisons) == len(boards) and not scale.is_board_a_match
    files = list(dict.fromkeys([*(record.file for record in records), *sorted(found.file for found in findings)]))
    first = records[0].game.source
    return ScoredMatch(
        file=files[0],
        title=", ".join(filter(None, (first.text("event"), first.text("stage"), _round(first.text("round"))))),
        home=teams.home,
        away=teams.away,
        boards=tuple(boards),
        imps_home=totals.home,
        imps_away=totals.away,
        vp=_victory_points(comparisons, scale_name) if has_vp else None,
        scale=scale,
        findings=tuple(sorted(findings, key=lambda found: (files.index(found.file), found.finding.line))),
    )


def _scale_of(records: Iterable[FileRecord]) -> BoardScale:
    """Return how a match is scored: at board-a-match if a record says so; then 2 points a board if one has over 1."""
    bam = [record.game for record in records if _BOARD_A_MATCH.match(record.game.source.text("scoring")) is not None]
    if not bam:
        return IMPS
    most = max((points for game in bam for points in _stated_points(game).values()), default=Decimal())
    return board_a_match_scale(BoardPoints.TWO if most > 1 else BoardPoints.ONE, POINTS_SCALE)


def _stated_points(game: CheckedGame) -> dict[Side, Decimal]:
    """Return the points of the sides as the file states them in ScoreMP, as far as it does."""
    figures = lenient.parse_scores(game.source.text("scoremp")) or []
    return {side: figure for side, figure in figures if side is not None}


def _round(text: str) -> str:
    return f"round {text}" if text.isdecimal() else text


def _victory_points(
    comparisons: Sequence[BoardComparison], scale_name: str
) -> tuple[VpHundredths, VpHundredths] | None:
    try:
        scale = vp_scale(scale_name, len(comparisons))
    except ConfigError:
        return None
    score = score_match(comparisons, scale)
    return score.vp_home, score.vp_away


def _compare(
    index: int, rooms: Mapping[Room, FileRecord], teams: TeamTracker, scale: BoardScale
) -> tuple[ScoredBoard, list[FileFinding]]:
    records = {room: rooms[room] for room in Room if room in rooms}
    games = {room: record.game for room, record in records.items()}
    label = next(iter(games.values())).source.board or ""
    if len(records) < len(Room):
        (record,) = records.values()
        alone = [FileFinding(record.file, record.game.source.finding("the other room's record is not there"))]
        return ScoredBoard(label, games, Side.NS, None), alone
    later = max(records.values(), key=lambda record: record.game.source.line)
    stated = later.game.source
    home = teams.seat_board(records)
    if home is None:
        text = "one pair, or one team, sat the same way in both rooms, so the board is not compared"
        return ScoredBoard(label, games, Side.NS, None), [FileFinding(later.file, stated.finding(text))]
    findings = [FileFinding(later.file, stated.finding(text)) for text in _differences(games)]
    ruled = _ruled_comparison(index, games, home, scale)
    if ruled is not None:
        return ScoredBoard(label, games, home, ruled), findings
    open_score, closed_score = (games[room].score_ns for room in Room)
    if open_score is None or closed_score is None or _differing_deals(games):
        return ScoredBoard(label, games, home, None), findings
    scores = (WeightedScore(1, open_score),), (WeightedScore(1, closed_score),)
    sign = 1 if home is Side.NS else -1
    comparison = BoardComparison(index, scale.compare(*scores, sign), scale.compare(*scores, -sign))
    for room, record in records.items():
        is_home_ns = (home is Side.NS) is (room is Room.OPEN)
        figure_ns = comparison.imps_home if is_home_ns else comparison.imps_away
        findings += (_check_points if scale.is_board_a_match else _check_imps)(record, figure_ns, scale)
    return ScoredBoard(label, games, home, comparison), findings


def _check_points(record: FileRecord, figure_ns: int, scale: BoardScale) -> Iterator[FileFinding]:
    stated, points = _stated_points(record.game), scale.format(figure_ns)
    if Side.NS in stated and 100 * stated[Side.NS] != 100 * Decimal(points):
        text = f"the points are NS {stated[Side.NS]}, by the scores of both rooms they are NS {points}"
        yield FileFinding(record.file, record.game.source.finding(text, record.game.source.tags["scoremp"].line))


def _ruled_comparison(
    index: int, games: Mapping[Room, CheckedGame], home_open: Side, scale: BoardScale
) -> BoardComparison | None:
    """Return the figures that a ruling gives both teams; None if the file has no ruling on the board."""
    for room, game in games.items():
        ruled = _ruled_points(game, scale) if scale.is_board_a_match else game.ruled_imps
        if ruled is not None:
            ns, ew = ruled
            is_home_ns = (home_open is Side.NS) is (room is Room.OPEN)
            return BoardComparison(index, ns if is_home_ns else ew, ew if is_home_ns else ns)
    return None


def _ruled_points(game: CheckedGame, scale: BoardScale) -> tuple[int, int] | None:
    """Return both sides' points by a ruling in hundredths; those of one side alone are what the other leaves."""
    stated = _stated_points(game) if game.is_ruled else {}
    if not stated:
        return None
    ns, ew = (int(100 * stated[side]) if side in stated else None for side in Side)
    return ns if ns is not None else scale.most - (ew or 0), ew if ew is not None else scale.most - (ns or 0)


def _differing_deals(games: Mapping[Room, CheckedGame]) -> bool:
    return len({game.deal for game in games.values()} - {None}) > 1


def _differences(games: Mapping[Room, CheckedGame]) -> list[str]:
    """Return differences between the two rooms in what should be the same."""
    texts = []
    if _differing_deals(games):
        texts.append("the two rooms have different deals, so the board is not compared")
    if len({game.dealer for game in games.values()} - {None}) > 1:
        texts.append("the two rooms have different dealers")
    if len({game.vulnerability for game in games.values()} - {None}) > 1:
        texts.append("the two rooms have different vulnerabilities")
    return texts


def _check_imps(record: FileRecord, imps_ns: int, _scale: BoardScale) -> Iterator[FileFinding]:
    game = record.game
    if game.imps_ns not in (None, imps_ns) and "cross" not in game.source.text("scoring").casefold():
        text = f"the IMPs are NS {game.imps_ns}, by the scores of both rooms they are NS {imps_ns}"
        yield FileFinding(record.file, game.source.finding(text, game.source.tags["scoreimp"].line))


def _number(board: str) -> int | str:
    """Turn the text of a board into a number where it is one."""
    return int(board) if board.isascii() and board.isdigit() else board


BoardName: TypeAlias = Annotated[str, Unit(form=int | str, json=_number)]
"""A board as a file has it."""


class FileFindingDocument(Row):
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
    ns_ms: None
    """Always null: files do not have times."""
    ew_ms: None
    """Always null: files do not have times."""
    tm_ms: None
    """Always null: files do not have times."""


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
    findings: list[FileFindingDocument]
    """What does not add up in this match, in the order of lines."""


class ScoredFilesDocument(Row):
    """The matches that were found in files, checked and scored."""

    matches: list[ScoredMatchDocument]
    """The matches, in the order of the files."""
    findings: list[FileFindingDocument]
    """What does not add up outside of matches."""


def score_document(scored: ScoredFiles) -> Any:  # JSON
    """Make the JSON document of `tourney score`."""
    findings = list(map(_finding_row, scored.findings))
    return document_of(ScoredFilesDocument(list(map(_match_row, scored.matches)), findings))


def _match_row(match: ScoredMatch) -> ScoredMatchDocument:
    return ScoredMatchDocument(
        file=match.file,
        home=match.home,
        away=match.away,
        boards=[_board_row(board, match.scale) for board in match.boards],
        figures=match_figures(match.scale, match.imps_home, match.imps_away, match.vp),
        findings=list(map(_finding_row, match.findings)),
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
    result = game.result
    contract = result.contract if result is not None else None
    return ScoredResultDocument(
        contract=None if result is None else str(contract or "Pass"),
        declarer=contract.declarer if contract is not None else None,
        tricks=result.tricks if result is not None and contract is not None else None,
        score=game.score_ns,
        ns_ms=None,
        ew_ms=None,
        tm_ms=None,
    )


def _finding_row(found: FileFinding) -> FileFindingDocument:
    finding = found.finding
    return FileFindingDocument(found.file, finding.line, finding.board, finding.room, finding.text)
