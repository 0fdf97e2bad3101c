"""Checks one match: each table has played each of its boards once, and the score follows from the results."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Final

from tourney.audit.attempt import check_attempt, check_chain
from tourney.audit.findings import AttemptRows, Fault, LocatedFault, Location, RowKind, attempt_fault
from tourney.bridge import SEATS, Bid, Board, Result, Seat, Side, Vulnerability, parse_deal
from tourney.bridge.minibridge import MinibridgeChoice
from tourney.contest.draw import MatchInfo
from tourney.contest.games import GameBoards
from tourney.contest.record import Ruling
from tourney.errors import FormatError, RuleError
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.results.scorecard import Scorecard, make_scorecard
from tourney.scoring.games import GameKind
from tourney.scoring.victory_points import VpScale, format_vp
from tourney.store.draw.tables import read_makes
from tourney.store.record.audit import Cells, MatchRows
from tourney.store.record.hash_chain import board_text
from tourney.store.record.results import BoardResult, parse_stored_contract

RETRACTED_MAX: Final = 3
"""Calls and cards that are taken back at once, at most: the player's own, and two of an opponent since, who has won a
trick and led to the next."""

SCORED_WITHIN_MS: Final = 60_000
"""Time after its last board by which a match must have a score; a run needs less than a second."""


@dataclass(frozen=True, slots=True)
class BoardSetRows:
    """The boards of a set by number, in their order: every row, and a board for each row that makes one."""

    rows: Mapping[int, Cells]
    boards: Mapping[int, Board]
    faults: Sequence[LocatedFault]


def read_board_set(rows: Iterable[Cells]) -> BoardSetRows:
    """Read boards from rows; a row that is not a valid board is a fault."""
    by_number, boards, faults = {}, {}, []
    for cells in rows:
        number = cells["number"]
        by_number[number] = cells
        try:
            dealer, vulnerability = Seat.from_letter(cells["dealer"]), Vulnerability(cells["vulnerability"])
            boards[number] = Board(
                number, dealer, vulnerability, parse_deal(cells["hands"]), read_makes(cells["makes"])
            )
            continue
        except FormatError as error:
            text = f"it is not the deck: {error}"
        except RuleError as error:
            text = str(error)
        except (KeyError, ValueError) as error:
            text = f"its dealer or vulnerability is none: {error}"
        faults.append((Location(board=number), _board_fault(text)))
    return BoardSetRows(by_number, boards, faults)


def group_attempts(match: MatchInfo, rows: MatchRows) -> list[AttemptRows]:
    """Group the rows of a match by attempt: in the order of attempts, then those whose own row is missing."""
    tables, attempts = match.tables_by_id, dict[tuple[int, int, int], AttemptRows]()
    kinds = (rows.attempts, rows.calls, rows.cards, rows.results, rows.delays)
    for name, of_kind in zip(("rows", "calls", "cards", "results", "delays"), kinds, strict=True):
        for cells in of_kind:
            key = cells["table_id"], cells["board"], cells["attempt"]
            if key not in attempts:
                attempts[key] = AttemptRows(tables[key[0]].room, *key)
            getattr(attempts[key], name).append(cells)
    return list(attempts.values())


def check_tables(
    match: MatchInfo, rows: MatchRows, attempts: Sequence[AttemptRows], set_: BoardSetRows
) -> Iterator[LocatedFault]:
    """Yield what is wrong with the record of the tables of a match."""
    numbers = list(set_.rows)
    by_table: defaultdict[int, list[AttemptRows]] = defaultdict(list)
    for attempt in attempts:
        by_table[attempt.table_id].append(attempt)
    for table in match.tables:
        at_table, is_over = by_table[table.id], _is_over(rows, table.id)
        for attempt in at_table:
            for fault in _check_attempt_rows(attempt, set_):
                yield attempt.location, fault
        for number in numbers[table.span]:
            attempts_at_board = [found for found in at_table if found.board == number]
            yield from _check_board_attempts(table.room, number, attempts_at_board, is_over=is_over)
        under_way = [found for found in at_table if found.rows and found.rows[0]["ended"] is None]
        for attempt in under_way[1:]:
            yield attempt.fault("it is under way, and so is another at this table")
    # The tables of a room, one for each segment, have different boards.
    for room in match.rooms:
        yield from _check_forfeits(room, [found for found in attempts if found.room is room], rows.rulings)
    for ruling in rows.rulings:  # on an attempt at a table that is none of the match
        if ruling.attempt is not None and ruling.room is None:
            yield _missing_attempt(ruling)


def _is_over(rows: MatchRows, table_id: int) -> bool:
    """Return whether a table has finished all its boards, and not because a ruling has ended the match early."""
    is_finished = rows.tables[table_id]["state"] == TableState.FINISHED.value
    return is_finished and not any(ruling.ends_match for ruling in rows.rulings)


def _check_attempt_rows(attempt: AttemptRows, set_: BoardSetRows) -> Iterator[Fault]:
    """Check an attempt by itself: that its row and its board exist, its chain, its calls and cards."""
    number = attempt.board
    if not attempt.rows:
        count = len(attempt.calls) + len(attempt.cards) + len(attempt.results)
        yield attempt_fault(f"there is none; {count} rows of calls, cards or results say that they are of it")
        return
    row = attempt.rows[0]
    if number not in set_.rows:
        yield attempt_fault("the match has no such board")
        return
    cells = set_.rows[number]
    text = board_text(number, cells["dealer"], cells["vulnerability"], cells["hands"], cells["makes"])
    yield from check_chain(attempt, row, text)
    if number in set_.boards:
        yield from check_attempt(attempt, row, set_.boards[number])


def _check_board_attempts(
    room: Room, board: int, attempts: Sequence[AttemptRows], *, is_over: bool
) -> Iterator[LocatedFault]:
    """Check the attempts at one board of one table; `is_over` when nothing is left to be played there."""
    begun = [found for found in attempts if found.rows]
    for expected, attempt in enumerate(begun, 1):
        if attempt.number != expected:
            yield Location(room, board, expected), attempt_fault("it is gone, later ones are there")
            break
    for attempt in begun[:-1]:
        if attempt.rows[0]["final"]:
            yield attempt.fault("it is final, and the board was begun again")
        if attempt.rows[0]["ended"] is None:
            yield attempt.fault("it has no end, and the board was begun again")
    for before, after in pairwise(begun):
        if before.rows[0]["ended"] != BoardEnd.RETRACTED.value:
            continue
        one, other = _made(before), _made(after)
        kept = max(0, len(one) - RETRACTED_MAX)
        if one[:kept] != other[:kept]:  # it begins with all but the last calls and cards (SS-52)
            yield after.fault("it does not go on from the one before, of which a call or card was taken back")
    if is_over and not any(found.rows[0]["final"] for found in begun):
        at = begun[-1].location if begun else Location(room, board)
        yield at, Fault(RowKind.BOARD, "it was not played to an end, and the table is finished")


def _made(attempt: AttemptRows) -> list[tuple[object, object]]:
    calls = [(cells["seat"], cells["call"]) for cells in attempt.calls]
    return calls + [(cells["seat"], cells["card"]) for cells in attempt.cards]


def _check_forfeits(room: Room, attempts: Iterable[AttemptRows], rulings: Iterable[Ruling]) -> Iterator[LocatedFault]:
    """Check that each board forfeited in a room has its ruling, and each ruling the attempt it is about."""
    ruled = [ruling for ruling in rulings if ruling.room is room]
    begun = {(found.board, found.number): found for found in attempts if found.rows}
    on = {(r.board, r.attempt) for r in ruled if r.kind is RulingKind.BOARD_FORFEIT}
    decided = any(ruling.kind is RulingKind.MATCH_FORFEIT for ruling in ruled)
    forfeits = {end.value for end in BoardEnd if end.is_forfeit}
    for place, found in begun.items():
        ended = found.rows[0]["ended"]
        if ended in forfeits and place not in on and not decided:
            yield found.fault(f"it ended as {ended}, and there is no ruling on it")
    for ruling in ruled:
        if ruling.attempt is not None and (ruling.board, ruling.attempt) not in begun:
            yield _missing_attempt(ruling)


def _missing_attempt(ruling: Ruling) -> LocatedFault:
    text = f"number {ruling.id} is on an attempt that is not on record"
    return Location(ruling.room, ruling.board, ruling.attempt), Fault(RowKind.RULING, text)


# The score


def score_match(match: MatchInfo, rows: MatchRows, set_: BoardSetRows, scale: VpScale) -> Scorecard:
    """Return the scorecard that the results and rulings of a match make.

    Raises:
        RuleError: they cannot be scored.
    """
    results: dict[Room, dict[int, BoardResult]] = {table.room: {} for table in match.tables}
    tables = match.tables_by_id
    no_times = dict.fromkeys(Side, 0)
    for cells in rows.results:
        result = _result_of(cells)
        results[tables[cells["table_id"]].room][cells["board"]] = BoardResult(cells["board"], result, no_times)
    return make_scorecard(match, list(set_.boards.values()), results, rows.rulings, scale, None)


def is_extra_due(card: Scorecard, rows: MatchRows) -> bool:
    """Return whether a match has no score because the run still has to give it extra boards."""
    made = card.finished
    return rows.score is None and made is not None and made.needs_extra_boards and _is_played(rows)


def _is_played(rows: MatchRows) -> bool:
    return all(cells["state"] == TableState.FINISHED.value for cells in rows.tables.values())


def check_score(card: Scorecard, rows: MatchRows, now_ms: int) -> Iterator[LocatedFault]:
    """Check that the stored score of a match is that of a scorecard."""
    made = card.score
    if rows.score is None:
        latest_ms = max((cells["changed_at_ms"] for cells in rows.tables.values()), default=now_ms)
        if made is not None and _is_played(rows) and now_ms - latest_ms > SCORED_WITHIN_MS:
            yield score_fault("there is none, though both rooms are finished: `tourney run` writes it")
        return
    if made is None:
        yield score_fault("there is one, though boards are left to be played")
        return
    figures: Cells = asdict(made)
    stored = {name: rows.score[name] for name in figures}
    if stored != figures:
        yield score_fault(f"it says {_format_score(stored)}; results and rulings make {_format_score(figures)}")


def _result_of(cells: Cells) -> Result:
    """Return a stored result; whether its score fits the contract is checked with the calls and cards."""
    score = cells["score_ns"] if isinstance(cells["score_ns"], int) else 0
    declarer = next((seat for seat in SEATS if seat.letter == cells["declarer"]), None)
    contract = parse_stored_contract(str(cells["contract"]), declarer)
    tricks = cells["tricks"]
    return Result(contract, tricks if isinstance(tricks, int) else 0, score)


def check_conditions(
    match: MatchInfo, rows: MatchRows, attempts: Iterable[AttemptRows], set_: BoardSetRows
) -> Iterator[LocatedFault]:
    """Check that each deal of a game was dealt by who had to, and at the vulnerability that follows from the others.

    Rulings do not count here: they change what a deal is worth, not what was played.
    """
    if match.game is None:
        return
    (table,) = match.tables
    final = {found.board for found in attempts if found.rows and found.rows[0]["final"]}
    begun = {found.board for found in attempts if found.rows}
    results = {cells["board"]: _result_of(cells) for cells in rows.results}
    boards = list(set_.boards.values())
    source = GameBoards(match.game, boards, {})
    for board in boards:
        if board.number not in begun:
            break
        if source.is_decided:
            yield Location(table.room, board.number), _board_fault("it was begun after the match had been decided")
            return
        expected = source.take()
        if (board.dealer, board.vulnerability) != (expected.dealer, expected.vulnerability):
            says, should = (f"{each.dealer.title}, {each.vulnerability.value}" for each in (board, expected))
            yield (
                Location(table.room, board.number),
                _board_fault(f"dealer and vulnerability are {says}; by the boards before it they are {should}"),
            )
        if board.number not in final:
            break
        if match.game.kind is GameKind.MINIBRIDGE and board.number in results:
            why = _why_no_minibridge(board, results[board.number])
            if why is not None:
                yield Location(table.room, board.number), _board_fault(why)
        source.note_end(board, results.get(board.number))
    if _is_over(rows, table.id) and len(source) and source.finished < len(boards):
        text = f"the table is finished after {source.finished} boards, which have not decided the match"
        yield Location(table.room), _board_fault(text)


def _why_no_minibridge(board: Board, result: Result) -> str | None:
    """Return why a result cannot be one of Minibridge, where the points of the hands say who is declarer."""
    declarer, contract = MinibridgeChoice(board).declarer, result.contract
    if (contract.declarer if contract is not None else None) is not declarer:
        found = f"the contract is {contract} by {contract.declarer.title}" if contract is not None else "passed out"
        should = f"make {declarer.title} declarer" if declarer is not None else "have it dealt again"
        return f"{found}; the points of the four hands {should}"
    if contract is None:
        return None
    return MinibridgeChoice(board).why_illegal(Bid(contract.level, contract.strain))


def _board_fault(text: str) -> Fault:
    return Fault(RowKind.BOARD, text)


def score_fault(text: str) -> LocatedFault:
    """Make a fault of the score of a match."""
    return Location(), Fault(RowKind.SCORE, text)


def _format_score(score: Cells) -> str:
    """`26 - 10 IMPs, 14.21 - 5.79 VP on 4 boards`, with what one team lost beyond what the other has, if anything."""
    home, away = score["vp_home"], score["vp_away"]
    points = " - ".join(format_vp(vp) if isinstance(vp, int) else repr(vp) for vp in (home, away))
    lost = f", {score['lost_home']} - {score['lost_away']} IMPs more lost by the opponents"
    return (
        f"{score['imps_home']} - {score['imps_away']} IMPs, {points} VP on {score['boards']} boards"
        f"{lost if score['lost_home'] or score['lost_away'] else ''}"
    )
