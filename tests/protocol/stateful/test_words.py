"""The words for people at a table: the state in one line, the break after a board, and what each leads to."""

import pytest

from tests.protocol.stateful.test_board import HANDS, begun, forget, in_1nt, say_all
from tests.protocol.stateful.test_coming_back import reconnect
from tests.support.stateful_tables import connect_stateful, seat_stateful
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, table
from tourney.bots import seated_bot
from tourney.bridge import SEATS, Board, Seat, parse_deal
from tourney.protocol.session.records import BoardBegan, BoardEnd, BoardEnded
from tourney.protocol.session.rules import TableRules
from tourney.protocol.stateful.messages import Extension
from tourney.protocol.stateful.values import CARD
from tourney.testing.table_rig import TableRig

NORTH_CARDS = "AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"
SOUTH_CARDS = "7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C"


# The state in one line


@pytest.mark.clause("SS-48")
def test_the_state_has_all_that_the_player_knows_the_last_trick_too() -> None:
    rig = in_1nt()
    say_all(rig, (EAST, "PLAY 10S"), (NORTH, "PLAY 5S"), (WEST, "PLAY 2S"), (NORTH, "PLAY JS"))
    lines = reconnect(rig, WEST, "STATE")
    assert lines[-2:] == [
        f"X-STATE W 1 N NONE 4S,3S,2S,AH,KH,QH,JH,10D,9D,8D,7C,6C,5C 1NT,PASS,PASS,PASS {SOUTH_CARDS} 10S,5S,2S,JS",
        "TRICK N -",
    ]
    assert rig.send_line(WEST, "JOIN-T")[-2:] == lines[-2:]


@pytest.mark.clause("SS-48")
def test_a_board_that_begins_needs_no_state_and_in_the_auction_dummy_is_nobody() -> None:
    rig = begun("STATE")
    assert not [line for line in rig.take(EAST) if line.startswith("X-STATE")]
    rig.send_line(NORTH, "BID 1NT")
    assert f"X-STATE N 1 N NONE {NORTH_CARDS} 1NT - -" in rig.send_line(NORTH, "JOIN-T")


# The break after a board


def passed_out(extensions: dict[str, str], break_ms: int = 30_000) -> TableRig:
    """Two boards, the first of them passed out; each seat asks for its own extensions, by its letter."""
    rig = begun(boards=(board(1), board(2)), rules=TableRules(board_break_ms=break_ms))
    for seat in SEATS:
        rig.send_line(seat, f"X-HELLO {extensions.get(seat.letter, '-')}")
    for seat in SEATS:
        rig.send_line(seat, "BID PASS")
    return rig


def boards_begun(rig: TableRig) -> int:
    return len(rig.of_kind(BoardBegan))


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_as_soon_as_all_who_say_it_are_ready() -> None:
    rig = passed_out({"N": "READY", "S": "READY"})
    assert rig.take(NORTH)[-1] == "X-READY 30000"
    assert "X-READY" not in " ".join(rig.take(EAST))
    rig.send_line(SOUTH, "X-READY")
    rig.wait(29_999)
    assert boards_begun(rig) == 1
    rig.send_line(NORTH, "X-READY")
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_when_the_break_is_over_whoever_is_ready() -> None:
    rig = passed_out({"N": "READY"})
    rig.wait(29_999)
    assert boards_begun(rig) == 1
    rig.wait(1)
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_nobody_waits_for_a_player_that_has_gone_or_has_not_asked_or_where_there_is_no_break() -> None:
    assert boards_begun(passed_out({})) == 2
    assert boards_begun(passed_out({"N": "READY"}, break_ms=0)) == 2
    rig = passed_out({"N": "READY"})
    reconnect(rig, NORTH, "READY")
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_who_is_ready_when_nothing_waits_for_it_is_refused_in_a_sentence() -> None:
    refused = ['NAK "no board waits for you: say that you are ready after one has ended"']
    rig = begun("READY")
    forget(rig)
    assert rig.send_line(WEST, "X-READY") == refused
    rig = passed_out({"N": "READY", "S": "READY"})
    forget(rig)
    rig.send_line(NORTH, "X-READY")
    assert rig.send_line(NORTH, "X-READY") == refused
    assert rig.send_line(EAST, "X-READY") == refused


# Claims

CLAIMS = TableRules(claims=True)

TOPS = Board.numbered(1, parse_deal("N:AKQ.AKQ.AKQJ.AKQ JT98.JT9.T98.JT9 765.8765.76.8765 432.432.5432.432"))
"""North has every trick from the top, whoever leads."""
EAST_LEFT = "9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC"


def to_claim(extensions: str = "CLAIM") -> TableRig:
    """North plays 1NT, East has led the ten of spades; nobody has been told anything since."""
    rig = in_1nt(extensions, boards=(board(1), board(2)), rules=CLAIMS)
    rig.send_line(EAST, "PLAY 10S")
    forget(rig)
    return rig


@pytest.mark.clause("SS-51")
def test_declarers_claim_is_shown_to_both_defenders_and_dummy_and_no_card_is_accepted_meanwhile() -> None:
    rig = to_claim()
    claim = f"X-CLAIM 1 N {NORTH_CARDS}"
    assert rig.send_line(NORTH, "X-CLAIM") == ["TRICK 0 10S", claim]
    for seat in (EAST, SOUTH, WEST):
        assert rig.take(seat) == ["TRICK 0 10S", claim]
    refused = ['NAK "North\'s claim is to be answered first"', HANDS[NORTH], "TRICK 0 10S", claim]
    assert rig.send_line(NORTH, "PLAY 5S") == refused
    assert rig.send_line(WEST, "JOIN-T")[-2:] == ["TRICK 0 10S", claim]


@pytest.mark.clause("SS-51")
def test_a_defenders_claim_is_shown_to_declarer_and_dummy_and_not_to_its_partner() -> None:
    rig = to_claim()
    claim = f"X-CLAIM 1 E {EAST_LEFT}"
    assert rig.send_line(EAST, "X-CLAIM")[-1] == claim
    assert (rig.take(NORTH)[-1], rig.take(SOUTH)[-1]) == (claim, claim)
    assert rig.take(WEST) == ["TRICK 0 10S"]


@pytest.mark.clause("SS-51")
def test_an_accepted_claim_ends_the_board_and_all_are_told_who_has_the_tricks() -> None:
    rig = to_claim()
    rig.send_line(NORTH, "X-CLAIM")
    forget(rig)
    assert rig.send_line(EAST, "X-ACCEPT 1") == []
    assert rig.send_line(WEST, "X-ACCEPT 1")[:2] == ["X-CLAIMED 1 YES", f"TRICKSWON {','.join('N' * 13)}"]
    assert rig.take(SOUTH)[0] == "X-CLAIMED 1 YES"
    (ended,) = rig.of_kind(BoardEnded)
    assert (ended.end, ended.reason) == (BoardEnd.CLAIMED, "North claimed")


@pytest.mark.clause("SS-51")
def test_after_a_rejected_claim_the_player_in_turn_is_asked_again_and_offers_have_new_numbers() -> None:
    rig = to_claim("CLAIM,TURN")
    rig.send_line(NORTH, "X-CLAIM")
    forget(rig)
    rig.send_line(WEST, "X-REJECT 1")
    told = rig.take(NORTH)
    assert told[:2] == ["X-CLAIMED 1 NO", "TRICK S 10S"]
    assert told[2].startswith("X-TURN N 1 ")
    say_all(rig, (NORTH, "PLAY 5S"), (WEST, "PLAY 2S"), (NORTH, "PLAY JS"))
    forget(rig)
    assert rig.send_line(EAST, "X-CLAIM")[-1].startswith("X-CLAIM 2 E ")
    assert rig.send_line(NORTH, "X-ACCEPT 1")[-1:] == [
        'NAK "no offer 1 waits for an answer: it has been settled, or play has gone on"'
    ]


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize(
    ("seat", "line", "why"),
    [
        (SOUTH, "X-ACCEPT 1", "North's claim is answered by East and West"),
        (NORTH, "X-ACCEPT 1", "North's claim is answered by East and West"),
        (EAST, "X-ACCEPT 2", "no offer 2 waits for an answer: it has been settled, or play has gone on"),
        (EAST, "X-ACCEPT", "the message is X-ACCEPT number, got 0 arguments"),
        (EAST, "X-CLAIM", "North's claim is not settled yet"),
        (SOUTH, "X-CLAIM", "dummy makes no claim"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_the_claim_still_waits(seat: Seat, line: str, why: str) -> None:
    rig = to_claim()
    rig.send_line(NORTH, "X-CLAIM")
    forget(rig)
    assert rig.send_line(seat, line) == [f'NAK "{why}"']
    rig.send_line(WEST, "X-REJECT 1")
    assert rig.take(NORTH)[0] == "X-CLAIMED 1 NO"


@pytest.mark.clause("SS-51")
def test_who_has_not_asked_for_claims_makes_none_and_none_is_made_against_it() -> None:
    rig = to_claim("")
    asked = 'NAK "ask for CLAIM with X-HELLO first: what comes of a claim is told in X-CLAIMED"'
    assert rig.send_line(NORTH, "X-CLAIM") == [asked]
    rig.send_line(NORTH, "X-HELLO CLAIM")
    rig.send_line(EAST, "X-HELLO CLAIM")
    assert rig.send_line(NORTH, "X-CLAIM") == ['NAK "West\'s program has no words to answer a claim: play on"']
    assert rig.send_line(NORTH, "X-HELLO -") == ["X-HELLO " + ",".join(Extension)]
    auction = begun("CLAIM", rules=CLAIMS)
    forget(auction)
    assert auction.send_line(NORTH, "X-CLAIM") == ['NAK "a claim is made during the play"']
    assert begun("CLAIM").send_line(NORTH, "X-CLAIM")[-1] == ('NAK "claims are not taken at this table: play on"')
    assert auction.send_line(connect_stateful(auction), "X-ACCEPT 1") == ['NAK "HELLO and a name come first"']


@pytest.mark.clause("SS-51")
def test_a_claim_is_rejected_when_a_player_that_is_to_answer_it_has_gone() -> None:
    rig = to_claim()
    rig.send_line(NORTH, "X-CLAIM")
    rig.hang_up(EAST)
    assert rig.take(NORTH)[-2:] == ["X-CLAIMED 1 NO", "TRICK S 10S"]


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize("accepts", [True, False])
def test_claims_are_one_law_for_players_of_both_protocols(accepts: bool) -> None:
    rig = table(rules=CLAIMS, trick_pause_ms=0)
    for seat in (EAST, WEST):
        rig.seats[seat] = rig.connect()
        rig.send_line(seat, f'Connecting "Beta" as {seat.title} using protocol version 18')
    seat_stateful(rig, "CLAIM", (NORTH, SOUTH))
    for what in ("for teams", "to start", "for deal", "for cards", "for North's bid"):
        for seat in (EAST, WEST):
            rig.send_line(seat, f"{seat.title} ready {what}")
    rig.send_line(NORTH, "BID 1NT")
    rig.send_line(EAST, "East passes")
    rig.send_line(WEST, "West ready for East's bid")
    rig.send_line(EAST, "East ready for South's bid")
    rig.send_line(WEST, "West ready for South's bid")
    rig.send_line(SOUTH, "BID PASS")
    rig.send_line(WEST, "West passes")
    rig.send_line(EAST, "East ready for West's bid")
    rig.send_line(EAST, "East plays TS")
    for seat in SEATS:
        rig.take(seat)
    rig.send_line(NORTH, "X-CLAIM")
    assert rig.take(EAST)[0] == "North claims"
    rig.send_line(EAST, "East accepts North's claim")
    rig.send_line(WEST, f"West {'accepts' if accepts else 'rejects'} North's claim")
    assert f"X-CLAIMED 1 {'YES' if accepts else 'NO'}" in rig.take(NORTH)


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize(("seat", "verdict"), [(NORTH, "X-CLAIMED 1 YES"), (EAST, "X-CLAIMED 1 NO")])
def test_our_player_accepts_a_claim_only_if_it_must_come_true(seat: Seat, verdict: str) -> None:
    rig = in_1nt("CLAIM", boards=(TOPS,), rules=CLAIMS)
    judges = {other: seated_bot("basic", 1) for other in SEATS if other.side is not seat.side}
    for other in judges:
        rig.send_line(other, "X-HELLO CLAIM,STATE")
    rig.send_line(EAST, f"PLAY {CARD.format(TOPS.deal[EAST].cards[0])}")
    forget(rig)
    rig.send_line(seat, "X-CLAIM")
    for other, player in judges.items():
        for line in [line for line in rig.take(other) if line.startswith("X-")]:
            for said in player(line):
                rig.send_line(other, said)
    assert verdict in rig.take(seat)
