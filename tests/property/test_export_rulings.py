"""A match with any rulings on its boards, exported as PBN, has the same IMPs when `tourney score` reads it again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.bridge import Contract, Result, Seat, Side, Strain, score_ns
from tourney.contest.record import Ruling
from tourney.export.files import PROGRAM
from tourney.export.pbn import match_records
from tourney.formats.pbn.writer import format_records
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.scorecard import make_scorecard
from tourney.scorefile.match import score_matches
from tourney.scorefile.records import read_files
from tourney.scoring import WBF_CONTINUOUS
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.victory_points import vp_scale
from tourney.store.draw.objects import BoardRecord, CardColumns
from tourney.store.record.results import BoardResult

BOARDS = 4
KINDS = (
    RulingKind.BOARD_FORFEIT,
    RulingKind.ADJUSTED_SCORE,
    RulingKind.ASSIGNED_SCORE,
    RulingKind.BOARD_CANCELLED,
)
ASSIGNED = (("4S N 10",), ("60: 4S N 10", "40: 4S N 9"), ("Pass",))

results = st.none() | st.tuples(
    st.integers(1, 7), st.sampled_from(Strain), st.sampled_from(Seat), st.integers(0, 2), st.integers(0, 13)
)
rulings = st.lists(
    st.tuples(
        st.sampled_from(KINDS),
        st.integers(1, BOARDS),
        st.sampled_from(["Ants", "Bees"]),
        st.sampled_from(Room),
        st.integers(-12, 12),
        st.sampled_from(ASSIGNED),
    ),
    max_size=8,
)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """Ants at home to Bees, in two segments between which they change seats; boards count however few are left.

    The award for a void match belongs to no board, so that no file of boards can have it.
    """
    stage = 'segments = 2\nseats = "alternate"\nvoid_matches = "as-played"'
    return draw_event(tmp_path_factory.mktemp("drawn"), event_text("Ants", "Bees", boards=BOARDS, stage=stage))


def ruling(number: int, given_ruling: tuple[RulingKind, int, str, Room, int, tuple[str, ...]]) -> Ruling:
    kind, board, team, room, amount, assigned = given_ruling
    has_room = kind in (RulingKind.BOARD_FORFEIT, RulingKind.ASSIGNED_SCORE)
    return Ruling(
        id=number,
        kind=kind,
        team="" if kind is RulingKind.BOARD_CANCELLED else team,
        match=1,
        room=room if has_room else None,
        board=board,
        attempt=None,
        ended=None,
        amount=amount if kind is RulingKind.ADJUSTED_SCORE else 0,
        reason='saw "the hands" {of} [Bees]; twice',
        law="Law 12C",
        author="Jane",
        at_ms=BEGINS_AT_MS + number,
        assigned=tuple(map(parse_assigned, assigned)) if kind is RulingKind.ASSIGNED_SCORE else (),
    )


@given(
    played=st.lists(results, min_size=2 * BOARDS, max_size=2 * BOARDS),
    begun=st.lists(st.booleans(), min_size=2 * BOARDS, max_size=2 * BOARDS),
    ruled=rulings,
)
@examples(25)
def test_what_is_read_back_has_the_imps_of_the_match(
    drawn: PlayedEvent,
    played: list[tuple[int, Strain, Seat, int, int] | None],
    begun: list[bool],
    ruled: list[tuple[RulingKind, int, str, Room, int, tuple[str, ...]]],
) -> None:
    match, boards = drawn.match(1), drawn.boards(1)
    given_rulings = [ruling(number, each) for number, each in enumerate(ruled, 1)]
    decided = {each.board for each in given_rulings if each.kind is not RulingKind.ASSIGNED_SCORE}
    found: dict[Room, dict[int, BoardResult]] = {room: {} for room in Room}
    records: dict[tuple[int, Room], BoardRecord] = {}
    for index, (made, was_begun) in enumerate(zip(played, begun, strict=True)):
        board, room = boards[index // 2], tuple(Room)[index % 2]
        if board.number in decided and not was_begun:
            continue
        contract = Contract(made[0], made[1], made[3], made[2]) if made is not None else None
        tricks = made[4] if made is not None else 0
        result = Result(contract, tricks, score_ns(contract, tricks, board.vulnerability))
        found[room][board.number] = BoardResult(board.number, result, dict.fromkeys(Side, 0))
        table = match.tables_at(index // 2)[room]
        records[board.number, room] = BoardRecord(
            match=1,
            table=table,
            attempt=1,
            board=board,
            result=found[room][board.number],
            calls=(),
            play=CardColumns(),
            began_at_ms=BEGINS_AT_MS,
            ended=BoardEnd.PLAYED,
            fault=None,
            reason="",
        )
    card = make_scorecard(match, boards, found, given_rulings, vp_scale(WBF_CONTINUOUS, BOARDS), stored=None)
    shown = [line for line in card.boards if line.imps is not None and line.imps_away is not None]
    match_played = PlayedMatch(
        card,
        tuple(
            PlayedBoard(
                board=next(board for board in boards if board.number == line.number),
                line=line,
                records={room: records[line.number, room] for room in Room if (line.number, room) in records},
                analysis=None,
            )
            for line in shown
        ),
        (),
    )
    text = format_records(match_records(drawn.event, match_played), PROGRAM)
    if not shown:
        return
    (scored,) = score_matches(read_files([("match.pbn", text.encode())]), WBF_CONTINUOUS).matches
    assert scored.findings == ()
    assert (scored.home, scored.away) == ("Ants", "Bees")
    read = [board.comparison and (board.comparison.imps_home, board.comparison.imps_away) for board in scored.boards]
    assert read == [(line.imps, line.imps_away) for line in shown]
    assert scored.totals[:2] == (card.totals.home, card.totals.away)
    if len(shown) == BOARDS and card.score is not None:
        assert scored.vp == (card.score.vp_home, card.score.vp_away)
