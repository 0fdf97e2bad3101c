"""Scores the matches in files: compares rooms, computes IMPs and victory points, and tells what is inconsistent."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Final

from tourney.bridge import Seat, Side, Vulnerability
from tourney.bridge.score import Laws
from tourney.errors import ConfigError, FormatError
from tourney.formats.file_kinds import GAME_KINDS, FileKind, read_text
from tourney.formats.game_files import iter_records
from tourney.formats.unchecked import SourceFinding, UncheckedGame
from tourney.movement.seating import Room
from tourney.scorefile.checking import CheckedGame, check_game, was_played
from tourney.scorefile.kinds import EventKind, EventRecords, classify_records
from tourney.scorefile.matches import FileRecord, FoundMatch, TeamTracker, find_matches_of_files, relate_records
from tourney.scoring import POINTS_SCALE
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale
from tourney.scoring.match import BoardComparison, score_match, total_imps
from tourney.scoring.victory_points import VpHundredths, vp_scale

RECORDS_MAX: Final = 20_000
"""Maximum number of board records in a file; it bounds the running time, and is far above what any event has."""


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """One board of a match. `comparison` is None if it cannot be compared."""

    board: str
    records: Mapping[Room, CheckedGame]
    home_open: Side = Side.NS
    """Where the home team sat in the open room."""
    comparison: BoardComparison | None = None

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
    findings: tuple[SourceFinding, ...]

    @property
    def compared(self) -> int:
        """Number of boards that could be compared."""
        return sum(board.comparison is not None for board in self.boards)


@dataclass(frozen=True, slots=True)
class ScoredFiles:
    """All matches and findings of the files."""

    matches: tuple[ScoredMatch, ...]
    findings: tuple[SourceFinding, ...]
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
    findings: tuple[SourceFinding, ...]
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
    findings: list[SourceFinding] = []
    related = relate_records([read_records(name, data, findings, laws) for name, data in files])
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


def read_records(
    name: str, data: bytes, findings: list[SourceFinding], laws: Laws = Laws.CURRENT
) -> list[FileRecord]:
    """Returns the checked records of a PBN or LIN file; `findings` receives what is wrong with its text.

    Raises:
        FormatError: it is another kind of file, or has more records than are read.
    """
    text = read_text(data, name, *GAME_KINDS, FileKind.PAIRS_CSV)
    return check_records(iter_records(text, name, findings), laws)


def check_records(games: Iterable[UncheckedGame], laws: Laws = Laws.CURRENT) -> list[FileRecord]:
    """Returns the checked records of a file, of those boards that were played.

    Raises:
        FormatError: there are more than are read.
    """
    played = list(islice(filter(was_played, games), RECORDS_MAX + 1))
    if len(played) > RECORDS_MAX:
        where = f"{played[-1].file} line {played[-1].line}"
        raise FormatError(f"{where}: a file has more than {RECORDS_MAX} records of boards, the most that are read")
    return [FileRecord(check_game(game, laws)) for game in played]


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


def _of_other_kind(event: EventRecords) -> SourceFinding:
    """Return the finding on records of another kind of event, which are left out."""
    boards = f"this board and the {len(event.records) - 1} that go with it are left out"
    if len(event.records) == 1:
        boards = "this board is left out"
    return event.records[0].game.source.finding(f"{boards}: {_kind_sentence(event)}")


def _left_out(match: FoundMatch) -> list[SourceFinding]:
    """Return the findings on records of a match that only one room has, which are left out."""
    records = match.records
    text = "only one room has it, so it is left out"
    if len(records) > 1:
        text = f"only one room has this board and the {len(records) - 1} that go with it, so they are left out"
    return [records[0].game.source.finding(text), *_findings_of(match)]


def _findings_of(match: FoundMatch) -> Iterator[SourceFinding]:
    """Yield the findings on the records of a match, and on those that repeat another."""
    for record in match.records:
        yield from record.game.findings
    for record, counting in match.repeats:
        at = counting.game.source
        where = f"line {at.line}" if counting.file == record.file else f"line {at.line} of {counting.file}"
        room = next(room for room in Room if match.boards[counting.board].get(room) is counting)
        scores = " and ".join(f"NS {game.score_ns}" for game in (counting.game, record.game))
        text = f"the {room} room has two results of this board, {scores}: the first, on {where}, counts"
        yield record.game.source.finding(text)


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
    totals = total_imps(comparisons, board_scale=scale)
    has_vp = len(comparisons) == len(boards) and not scale.is_board_a_match
    files = list(dict.fromkeys([*(record.file for record in records), *sorted(found.file for found in findings)]))
    first = records[0].game.source
    round_ = first.text("round")
    title = (first.text("event"), first.text("stage"), f"round {round_}" if round_.isdecimal() else round_)
    return ScoredMatch(
        file=files[0],
        title=", ".join(filter(None, title)),
        home=teams.home,
        away=teams.away,
        boards=tuple(boards),
        imps_home=totals.home,
        imps_away=totals.away,
        vp=_victory_points(comparisons, scale_name) if has_vp else None,
        scale=scale,
        findings=tuple(sorted(findings, key=lambda found: (files.index(found.file), found.line))),
    )


def _scale_of(records: Iterable[FileRecord]) -> BoardScale:
    """Return how a match is scored: at board-a-match if a record says so; then 2 points a board if one has over 1."""
    stated = [record.game.stated for record in records if record.game.is_board_a_match]
    if not stated:
        return IMPS
    most = max((points for of_game in stated for points in of_game.values()), default=Decimal())
    return board_a_match_scale(BoardPoints.TWO if most > 1 else BoardPoints.ONE, POINTS_SCALE)


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
    index: int,
    rooms: Mapping[Room, FileRecord],
    teams: TeamTracker,
    scale: BoardScale,
    findings: list[SourceFinding],
) -> ScoredBoard:
    """Compare the records of a board in both rooms; `findings` receives what does not add up."""
    records = {room: rooms[room] for room in Room if room in rooms}
    games = {room: record.game for room, record in records.items()}
    later = max(games.values(), key=lambda game: game.source.line).source
    label = next(iter(games.values())).source.board or ""
    home = teams.seat_board(records) if len(records) == len(Room) else None
    if home is None:
        text = "one pair, or one team, sat the same way in both rooms, so the board is not compared"
        findings.append(later.finding(text if len(records) > 1 else "the other room's record is not there"))
        return ScoredBoard(label, games)
    deals, dealers, vulnerabilities = (
        {getattr(game, name) for game in games.values()} - {None} for name in ("deal", "dealer", "vulnerability")
    )
    for said, text in (
        (deals, "deals, so the board is not compared"),
        (dealers, "dealers"),
        (vulnerabilities, "vulnerabilities"),
    ):
        if len(said) > 1:
            findings.append(later.finding(f"the two rooms have different {text}"))
    for room, game in games.items():
        ruled = _stated(game, scale) if game.is_ruled else None
        if ruled is not None:
            ns, ew = map(int, ruled)
            figures = (ns, ew) if _sits_ns(home, room) else (ew, ns)
            return ScoredBoard(label, games, home, BoardComparison(index, *figures))
    open_score, closed_score = (game.score_ns for game in games.values())
    if open_score is None or closed_score is None or len(deals) > 1:
        return ScoredBoard(label, games, home)
    scores = (WeightedScore(1, open_score),), (WeightedScore(1, closed_score),)
    sign = 1 if home is Side.NS else -1
    comparison = BoardComparison(index, scale.compare(*scores, sign), scale.compare(*scores, -sign))
    for room, game in games.items():
        findings += _check_stated(game, comparison.imps_home if _sits_ns(home, room) else comparison.imps_away, scale)
    return ScoredBoard(label, games, home, comparison)


def _sits_ns(home_open: Side, room: Room) -> bool:
    """Return whether the home team sits North-South in a room."""
    return (home_open is Side.NS) is (room is Room.OPEN)


def _stated(game: CheckedGame, scale: BoardScale) -> tuple[Decimal, Decimal] | None:
    """Return North-South's and East-West's figures by the file; that of one side alone leaves the other the rest."""
    figures = {side: 100 * figure / scale.hundredths_each for side, figure in game.stated.items()}
    whole = scale.least + scale.most
    if not figures:
        return None
    ns, ew = figures.get(Side.NS), figures.get(Side.EW)
    return ns if ns is not None else whole - figures[Side.EW], ew if ew is not None else whole - figures[Side.NS]


def _check_stated(game: CheckedGame, figure_ns: int, scale: BoardScale) -> Iterator[SourceFinding]:
    """Yield a finding if the file states other figures than the scores of both rooms make."""
    stated = _stated(game, scale)
    if stated is None or "cross" in game.source.text("scoring").casefold():
        return
    ns, ew = stated
    wrong = next((said for said in (ns, scale.least + scale.most - ew) if said != figure_ns), None)
    if wrong is not None:
        what, tag = ("points", "scoremp") if scale.is_board_a_match else ("IMPs", "scoreimp")
        said = f"{wrong * scale.hundredths_each / 100:g}"
        text = f"the {what} are NS {said}, by the scores of both rooms they are NS {scale.format(figure_ns)}"
        yield game.source.finding(text, game.source.tags[tag].line)
