"""The scorecard of a match: board by board, the IMPs so far, and the score once it is over.

A board counts when all of its tables have finished it, by a result or by a ruling. It is shown once nobody has it to
play any more, in this match or in another one that plays the same boards: until then a program at another table could
read how it was played here. So is a ruling on a board. Once all these matches are over nothing is held back but
boards that one table never finished.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tourney.bridge import Board, Seat, Side, Vulnerability
from tourney.contest import contest_of
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.seating import Room
from tourney.protocol.session.record_words import RulingKind
from tourney.scoring.match import BoardComparison, MatchScore
from tourney.scoring.victory_points import VpScale, format_vp
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, StoredMatchScore, TableInfo
from tourney.store.record.boards_in_play import BoardsInPlay, kept_secret, load_boards_in_play
from tourney.store.results.matches import load_board_results, load_match_boards, load_match_score
from tourney.store.rulings.rulings import load_match_rulings
from tourney.store.rulings.verdicts import RulingInfo

Scales: TypeAlias = Mapping[int, VpScale | None]
"""What margins are worth in each stage, by its number; None, or no entry, where it is not known."""


@dataclass(frozen=True, slots=True)
class ScorecardBoard:
    """One board of a match. While somebody has it to play there is nothing but what the schedule says."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    results: Mapping[Room, BoardResult]
    """Of the rooms in which it came to a result."""
    forfeits: tuple[RulingInfo, ...]
    """Those of `rulings` by which a team has lost the board in one room."""
    imps: int | None
    """Of the home team, negative when it lost; None while the board is not shown."""
    imps_away: int | None
    """Of the away team: the opposite, unless the score was adjusted."""
    rulings: tuple[RulingInfo, ...] = ()
    """All that make its score what it is, the oldest first."""
    is_cancelled: bool = False
    """It counts for nobody: its IMPs are 0 then, and it is not among the boards of the score."""
    tables: Mapping[Room, TableInfo] = field(default_factory=dict)
    """Where it is played: who sits how."""


@dataclass(frozen=True, slots=True)
class Scorecard:
    """A match as far as it has been played."""

    event: str
    match: MatchInfo
    boards: tuple[ScorecardBoard, ...]
    """All of the match, in the order of play."""
    imps_home: int
    """IMPs so far, as `score_match` adds them up; those of the score once the match is over."""
    imps_away: int
    score: StoredMatchScore | None
    """Once the match is over: as it is stored, else as boards and rulings make it."""
    rulings: tuple[RulingInfo, ...]
    """Given in this match, the oldest first; those on boards that are not shown are left out."""
    secret: frozenset[int] = frozenset()
    """Numbers of the boards that another match still has to play."""

    @property
    def boards_finished(self) -> int:
        """Boards that are shown."""
        return sum(board.imps is not None for board in self.boards)

    @property
    def live_rulings(self) -> tuple[RulingInfo, ...]:
        """Those that stand."""
        return tuple(ruling for ruling in self.rulings if ruling.is_live)

    def thinking_ms(self, table: TableInfo, side: Side) -> int:
        """What a side has thought at a table over the boards that came to a result and are shown."""
        return sum(
            board.results[table.room].times_ms[side]
            for board in self.boards[table.first : table.first + table.boards]
            if table.room in board.results
        )

    def shows(self, board: int | None) -> bool:
        """Whether what happened on a board, or apart from boards, may be read by everybody."""
        over = {line.number for line in self.boards if line.imps is not None}
        return board is None or board in over or (self.score is not None and board not in self.secret)


def load_scorecard(
    database: Database,
    event: EventInfo,
    match: MatchInfo,
    scale: VpScale | None,
    in_play: BoardsInPlay | None = None,
    boards: Sequence[Board] | None = None,
) -> Scorecard:
    """The scorecard of a match, from the record.

    Args:
        database: where the record is.
        event: the event of the match.
        match: one of its matches.
        scale: what margins are worth; None when it is not known: then a match that is over has a score only when
            one was stored.
        in_play: the boards of the event that matches have still to play; read when it is not given.
        boards: those of the match in the order of play; so too.

    Raises:
        StoreError: the database cannot be used.
        RuleError: the seats are such that a board cannot be compared.
    """
    # In this order: a score that is there means that all results and rulings are; what is to be played is read first.
    if in_play is None:
        in_play = load_boards_in_play(database, event.id, match.board_set_id)
    stored = load_match_score(database, match)
    return _load(database, event, match, scale, stored, kept_secret(in_play, match), boards)


def work_out_score(database: Database, event: EventInfo, match: MatchInfo, scale: VpScale) -> StoredMatchScore | None:
    """The score that the results and rulings on record make now, whatever is stored; None for a match not over.

    It is to be stored by `replace_match_score` after a ruling on a match that had a score already.

    Raises:
        StoreError: the database cannot be used.
        RuleError: the seats are such that a board cannot be compared.
    """
    return _load(database, event, match, scale, None).score


def _load(
    database: Database,
    event: EventInfo,
    match: MatchInfo,
    scale: VpScale | None,
    stored: StoredMatchScore | None,
    secret: frozenset[int] = frozenset(),
    boards: Sequence[Board] | None = None,
) -> Scorecard:
    results = load_board_results(database, match)
    rulings = load_match_rulings(database, match)
    if boards is None:
        boards = load_match_boards(database, match)
    return make_scorecard(event.name, match, boards, results, rulings, scale, stored, secret)


def make_scorecard(
    event: str,
    match: MatchInfo,
    boards: Sequence[Board],
    results: Mapping[Room, Mapping[int, BoardResult]],
    rulings: Sequence[RulingInfo],
    scale: VpScale | None,
    stored: StoredMatchScore | None,
    secret: frozenset[int] = frozenset(),
) -> Scorecard:
    """The scorecard from its parts; `results` are those of each room by board number, `secret` is not shown.

    Raises:
        RuleError: the seats are such that a board cannot be compared.
    """
    contest = contest_of(match.format)
    live = [ruling for ruling in rulings if ruling.is_live]
    # The set may have extra boards that are played in a level match only.
    places = enumerate(boards[: match.boards])
    lines = [_board_line(match, match.tables_at(place), board, results, live) for place, board in places]
    comparisons = {
        line.number: BoardComparison(line.number, line.imps, line.imps_away)
        for line in lines
        if line.imps is not None and line.imps_away is not None and not line.is_cancelled
    }
    score = stored
    if stored is None and scale is not None:
        is_complete = all(line.imps is not None for line in lines)
        made = contest.score(match, comparisons.values(), live, scale, is_complete=is_complete)
        score = _stored(match, made) if made is not None else None
    lines = [_blank(line) if line.number in secret else line for line in lines]
    over = {line.number for line in lines if line.imps is not None}
    may_show = over | ({line.number for line in lines} - secret if score is not None else set())
    shown = [r for r in rulings if r.board is None or r.board in may_show]
    if score is not None:
        imps_home, imps_away = score.imps_home, score.imps_away
    else:
        counting = [ruling for ruling in shown if ruling.is_live]
        visible = [compared for number, compared in comparisons.items() if number in over]
        imps_home, imps_away = contest.add_up(match, visible, counting)
    return Scorecard(event, match, tuple(lines), imps_home, imps_away, score, tuple(shown), secret)


def _blank(line: ScorecardBoard) -> ScorecardBoard:
    """What the schedule says of a board, and nothing else."""
    return ScorecardBoard(line.number, line.dealer, line.vulnerability, {}, (), None, None, tables=line.tables)


def describe_score(match: MatchInfo, score: StoredMatchScore, *, is_knockout: bool) -> str:
    """`26 - 10 IMPs, 14.21 - 5.79 VPs`; of a knockout `28.5 - 10 IMPs, 2.5 - 0 of them carried over`."""
    if not is_knockout:
        points = f"{format_vp(score.vp_home)} - {format_vp(score.vp_away)} VPs"
        return f"{score.imps_home} - {score.imps_away} IMPs, {points}"
    carried = (match.carry_home, match.carry_away)
    totals = (carried[0] + 100 * score.imps_home, carried[1] + 100 * score.imps_away)
    imps, of_them = (" - ".join(map(format_imps_hundredths, pair)) for pair in (totals, carried))
    return f"{imps} IMPs, {of_them} of them carried over" if any(carried) else f"{imps} IMPs"


def total_hundredths(card: Scorecard) -> tuple[int, int]:
    """Hundredths of IMPs of both teams so far, with what they have brought along from the stage before."""
    match = card.match
    return match.carry_home + 100 * card.imps_home, match.carry_away + 100 * card.imps_away


def _board_line(
    match: MatchInfo,
    tables: Mapping[Room, TableInfo],
    board: Board,
    results: Mapping[Room, Mapping[int, BoardResult]],
    live: Sequence[RulingInfo],
) -> ScorecardBoard:
    found = {room: results[room][board.number] for room in tables if board.number in results.get(room, {})}
    rulings = tuple(r for r in live if r.board == board.number and r.kind.scores_board)
    forfeits = tuple(ruling for ruling in rulings if ruling.kind is RulingKind.BOARD_FORFEIT)
    scores = {room: result.result.score for room, result in found.items()}
    compared = contest_of(match.format).compare(match, tables, board, scores, rulings)
    if compared is None:
        return ScorecardBoard(board.number, board.dealer, board.vulnerability, {}, (), None, None, tables=tables)
    return ScorecardBoard(
        board.number,
        board.dealer,
        board.vulnerability,
        found,
        forfeits,
        compared.imps_home,
        compared.imps_away,
        rulings,
        any(ruling.kind is RulingKind.BOARD_CANCELLED for ruling in rulings),
        tables,
    )


def _stored(match: MatchInfo, made: MatchScore) -> StoredMatchScore:
    return StoredMatchScore(
        match.number,
        made.boards,
        made.imps_home,
        made.imps_away,
        made.vp_home,
        made.vp_away,
        made.lost_home,
        made.lost_away,
    )
