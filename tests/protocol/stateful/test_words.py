"""The words for people at a table: the state in one line, the break after a board, and what each leads to."""

import pytest

from tests.protocol.stateful.test_board import HANDS, begun, in_1nt
from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, table
from tourney.bots import seated_bot
from tourney.bridge import SEATS, Board, Seat, parse_deal
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnded,
    BoardSnapshot,
    CallMade,
    CardPlayed,
    Incident,
    IncidentKind,
)
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules, UndoRule
from tourney.protocol.stateful.messages import Extension
from tourney.protocol.stateful.values import CARD

NORTH_CARDS = "AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"
SOUTH_CARDS = "7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C"


# The state in one line


@pytest.mark.clause("SS-48")
def test_the_state_has_all_that_the_player_knows_the_last_trick_too() -> None:
    rig = in_1nt()
    rig.converse("""
        E: PLAY 10S
        N: PLAY 5S
        W: PLAY 2S
        N: PLAY JS
    """)
    lines = rig.reconnect(WEST, "STATE")
    assert lines[-2:] == [
        f"X-STATE W 1 N NONE 4S,3S,2S,AH,KH,QH,JH,10D,9D,8D,7C,6C,5C 1NT,PASS,PASS,PASS {SOUTH_CARDS} 10S,5S,2S,JS",
        "TRICK N -",
    ]
    assert rig.send_line(WEST, "JOIN-T")[-2:] == lines[-2:]


@pytest.mark.clause("SS-48")
def test_a_board_that_begins_needs_no_state_and_in_the_auction_dummy_is_nobody() -> None:
    rig = begun("STATE")
    assert not [line for line in rig.take(EAST) if line.startswith("X-STATE")]
    rig.converse("N: BID 1NT")
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


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_as_soon_as_all_who_say_it_are_ready() -> None:
    rig = passed_out({"N": "READY", "S": "READY"})
    rig.converse("N hears -> ... -> X-READY 30000")
    assert "X-READY" not in " ".join(rig.take(EAST))
    rig.converse("""
        S: X-READY
        wait 29_999
        begun -> 1
        N: X-READY
        begun -> 1 -> 2
    """)


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_when_the_break_is_over_whoever_is_ready() -> None:
    passed_out({"N": "READY"}).converse("""
        wait 29_999
        begun -> 1
        wait 1
        begun -> 1 -> 2
    """)


@pytest.mark.clause("SS-49")
def test_nobody_waits_for_a_player_that_has_gone_or_has_not_asked_or_where_there_is_no_break() -> None:
    passed_out({}).converse("begun -> 1 -> 2")
    passed_out({"N": "READY"}, break_ms=0).converse("begun -> 1 -> 2")
    passed_out({"N": "READY"}).converse("N comes back asking for READY\nbegun -> 1 -> 2")


@pytest.mark.clause("SS-49")
def test_who_is_ready_when_nothing_waits_for_it_is_refused_in_a_sentence() -> None:
    begun("READY").converse("""
        clear
        W: X-READY -> NAK "no board waits for you: say that you are ready after one has ended"
    """)
    passed_out({"N": "READY", "S": "READY"}).converse("""
        clear
        N: X-READY
        N E: X-READY -> NAK "no board waits for you: say that you are ready after one has ended"
    """)


# Claims

CLAIMS = TableRules(claims=True)

TOPS = Board.numbered(1, parse_deal("N:AKQ.AKQ.AKQJ.AKQ JT98.JT9.T98.JT9 765.8765.76.8765 432.432.5432.432"))
"""North has every trick from the top, whoever leads."""
EAST_LEFT = "9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC"


def to_claim(extensions: str = "CLAIM") -> TableRig:
    """North plays 1NT, East has led the ten of spades; nobody has been told anything since."""
    rig = in_1nt(extensions, boards=(board(1), board(2)), rules=CLAIMS)
    rig.converse("""
        E: PLAY 10S
        clear
    """)
    return rig


@pytest.mark.clause("SS-51")
def test_declarers_claim_is_shown_to_both_defenders_and_dummy_and_no_card_is_accepted_meanwhile() -> None:
    to_claim().converse("""
        N: X-CLAIM -> TRICK 0 10S -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
        E hears -> TRICK 0 10S -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
        S hears -> TRICK 0 10S -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
        W hears -> TRICK 0 10S -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
        N: PLAY 5S
            -> NAK "North's claim is to be answered first"
            -> HAND AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
            -> TRICK 0 10S
            -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
        W: JOIN-T -> ... -> TRICK 0 10S -> X-CLAIM 1 N AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C
    """)


@pytest.mark.clause("SS-51")
def test_a_defenders_claim_is_shown_to_declarer_and_dummy_and_not_to_its_partner() -> None:
    to_claim().converse("""
        E: X-CLAIM -> ... -> X-CLAIM 1 E 9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC
        N hears -> ... -> X-CLAIM 1 E 9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC
        S hears -> ... -> X-CLAIM 1 E 9S,8S,7H,6H,5H,4D,3D,2D,AC,KC,QC,JC
        W hears -> TRICK 0 10S
    """)


@pytest.mark.clause("SS-51")
def test_an_accepted_claim_ends_the_board_and_all_are_told_who_has_the_tricks() -> None:
    to_claim().converse("""
        N: X-CLAIM
        clear
        E: X-ACCEPT 1 -> nothing
        W: X-ACCEPT 1 -> X-CLAIMED 1 YES -> TRICKSWON N,N,N,N,N,N,N,N,N,N,N,N,N -> ...
        S hears -> X-CLAIMED 1 YES -> ...
        ended -> 1 claimed
        why -> North claimed
    """)


@pytest.mark.clause("SS-51")
def test_after_a_rejected_claim_the_player_in_turn_is_asked_again_and_offers_have_new_numbers() -> None:
    to_claim("CLAIM,TURN").converse("""
        N: X-CLAIM
        clear
        W: X-REJECT 1
        N hears -> X-CLAIMED 1 NO -> TRICK S 10S -> X-TURN N 1 ... -> ...
        N: PLAY 5S
        W: PLAY 2S
        N: PLAY JS
        clear
        E: X-CLAIM -> ... -> X-CLAIM 2 E ...
        N: X-ACCEPT 1 -> ... -> NAK "no offer 1 waits for an answer: it has been settled, or play has gone on"
    """)


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("S: X-ACCEPT 1", "North's claim is answered by East and West"),
        ("N: X-ACCEPT 1", "North's claim is answered by East and West"),
        ("E: X-ACCEPT 2", "no offer 2 waits for an answer: it has been settled, or play has gone on"),
        ("E: X-ACCEPT", "the message is X-ACCEPT number, got 0 arguments"),
        ("E: X-CLAIM", "North's claim is not settled yet"),
        ("S: X-CLAIM", "dummy makes no claim"),
    ],
)
def test_an_answer_that_cannot_be_is_refused_and_the_claim_still_waits(said: str, why: str) -> None:
    to_claim().converse(f"""
        N: X-CLAIM
        clear
        {said} -> NAK "{why}"
        W: X-REJECT 1
        N hears -> X-CLAIMED 1 NO -> ...
    """)


@pytest.mark.clause("SS-51")
def test_who_has_not_asked_for_claims_makes_none_and_none_is_made_against_it() -> None:
    to_claim("").converse(f"""
        N: X-CLAIM -> NAK "ask for CLAIM with X-HELLO first: else you are not told what comes of it"
        N E: X-HELLO CLAIM
        N: X-CLAIM -> NAK "West's program has no words to answer a claim: play on"
        N: X-HELLO - -> {"X-HELLO " + ",".join(Extension)}
    """)
    auction = begun("CLAIM", rules=CLAIMS)
    auction.converse("""
        clear
        N: X-CLAIM -> NAK "a claim is made during the play"
    """)
    assert begun("CLAIM").send_line(NORTH, "X-CLAIM")[-1] == ('NAK "claims are not taken at this table: play on"')
    assert auction.send_line(auction.connect_stateful(), "X-ACCEPT 1") == ['NAK "HELLO and a name come first"']


@pytest.mark.clause("SS-51")
def test_a_claim_is_rejected_when_a_player_that_is_to_answer_it_has_gone() -> None:
    to_claim().converse("""
        N: X-CLAIM
        E hangs up
        N hears -> ... -> X-CLAIMED 1 NO -> TRICK S 10S
    """)


@pytest.mark.clause("SS-51")
@pytest.mark.parametrize(("seat", "verdict"), [(NORTH, "X-CLAIMED 1 YES"), (EAST, "X-CLAIMED 1 NO")])
def test_our_player_accepts_a_claim_only_if_it_must_come_true(seat: Seat, verdict: str) -> None:
    rig = in_1nt("CLAIM", boards=(TOPS,), rules=CLAIMS)
    judges = {other: seated_bot("basic", 1) for other in SEATS if other.side is not seat.side}
    for other in judges:
        rig.send_line(other, "X-HELLO CLAIM,STATE")
    rig.converse(f"""
        E: PLAY {CARD.format(TOPS.deal[EAST].cards[0])}
        clear
    """)
    rig.send_line(seat, "X-CLAIM")
    for other, player in judges.items():
        for line in [line for line in rig.take(other) if line.startswith("X-")]:
            for said in player(line):
                rig.send_line(other, said)
    assert verdict in rig.take(seat)


# Taking back

UNDO_ALL = TableRules(undo=UndoRule.ALL)


def bidding(*calls: tuple[Seat, str], extensions: str = "UNDO", rule: UndoRule = UndoRule.ALL) -> TableRig:
    """Some calls, after which everybody forgets what it was told."""
    rig = begun(extensions, boards=(board(1), board(2)), rules=TableRules(undo=rule, claims=True))
    for seat, call in calls:
        rig.send_line(seat, f"BID {call}")
    rig.clear()
    return rig


def actions(rig: TableRig) -> list[list[str]]:
    """The calls and cards of each attempt on record, and how it ended."""
    attempts: list[list[str]] = []
    for record in rig.records:
        match record:
            case BoardBegan():
                attempts.append([])
            case CallMade():
                attempts[-1].append(str(record.call))
            case CardPlayed():
                attempts[-1].append(str(record.card))
            case BoardEnded():
                attempts[-1].append(record.end.value)
            case _:
                pass
    return attempts


@pytest.mark.clause("SS-52")
def test_a_call_is_taken_back_when_both_opponents_agree_with_the_call_made_since_and_both_stay_on_record() -> None:
    rig = bidding((NORTH, "1NT"), (EAST, "PASS"), (SOUTH, "7NT"), (WEST, "DOUBLE"))
    rig.converse(f"""
        S: X-UNDO -> X-UNDO 1 S
        E hears -> X-UNDO 1 S
        W hears -> X-UNDO 1 S
        N hears -> nothing
        W: X-ACCEPT 1 -> nothing
        E: X-ACCEPT 1
        N hears -> X-UNDONE 1 YES -> JOINED g1 N -> ... -> AUCOPEN S 1NT,PASS
        clear
        W: BID PASS -> NAK "it is South's turn to call" -> {HANDS[WEST]} -> AUCOPEN S 1NT,PASS
        S: BID 3NT
    """)
    assert actions(rig) == [["1NT", "Pass", "7NT", "X", "taken-back"], ["1NT", "Pass", "3NT"]]
    ended = rig.of_kind(BoardEnded)[0]
    assert (ended.reason, ended.fault, ended.result) == ("South takes back: South bids 7NT", None, None)
    assert [each.kind for each in rig.of_kind(Incident)][:3] == [
        IncidentKind.UNDO,
        IncidentKind.CONSENT,
        IncidentKind.UNDO_ACCEPTED,
    ]


@pytest.mark.clause("SS-52")
def test_a_card_is_taken_back_across_a_trick_and_the_board_is_played_to_its_end() -> None:
    rig = in_1nt("UNDO,STATE", rules=UNDO_ALL)
    rig.converse("""
        E: PLAY 10S
        N: PLAY 5S
        W: PLAY 2S
        N: PLAY JS
        N: PLAY 2C
        E: PLAY AC
        clear
        N: X-UNDO
        E W: X-ACCEPT 1
    """)
    told = rig.take(NORTH)
    assert told[-4:] == [
        "DUMMY 7S,6S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C",
        "TRICKSWON N",
        f"X-STATE N 1 N NONE {NORTH_CARDS} 1NT,PASS,PASS,PASS {SOUTH_CARDS} 10S,5S,2S,JS",
        "TRICK N -",
    ]
    rig.converse("N: PLAY AS -> ... -> TRICK E AS")
    assert actions(rig)[1][-5:] == ["TS", "5S", "2S", "JS", "AS"]


@pytest.mark.clause("SS-52")
@pytest.mark.parametrize(
    ("seat", "calls", "why"),
    [
        (NORTH, "", "you have neither called nor played on this board"),
        (NORTH, "1NT PASS PASS", "South has gone on since: it stands"),
        (EAST, "1NT", "you have neither called nor played on this board"),
    ],
)
def test_only_the_own_last_act_before_the_partners_next_is_taken_back(seat: Seat, calls: str, why: str) -> None:
    rig = bidding(*zip(SEATS, calls.split(), strict=False))
    assert rig.send_line(seat, "X-UNDO") == [f'NAK "{why}"']
    assert len(actions(rig)) == 1


@pytest.mark.clause("SS-52")
def test_nothing_is_taken_back_that_has_opened_dummy_nor_what_the_rule_of_the_table_forbids() -> None:
    in_1nt("UNDO", rules=UNDO_ALL).converse("""
        E: PLAY 10S
        clear
        E: X-UNDO -> NAK "it has opened dummy: it stands"
        W: X-UNDO -> NAK "East has gone on since: it stands"
    """)
    in_1nt("UNDO", rules=TableRules(undo=UndoRule.CALLS)).converse("""
        W: X-UNDO -> X-UNDO 1 W
        E: PLAY 10S
        N: PLAY 5S
        clear
        N: X-UNDO -> NAK "calls are taken back at this table, cards are not"
    """)
    never = bidding((NORTH, "1NT"), rule=UndoRule.NEVER)
    assert never.send_line(NORTH, "X-UNDO") == ['NAK "nothing is taken back at this table"']


@pytest.mark.clause("SS-52")
def test_one_opponent_who_does_not_agree_is_enough_and_the_same_is_not_asked_again() -> None:
    rig = bidding((NORTH, "1NT"))
    rig.converse("""
        N: X-UNDO
        E: X-ACCEPT 1
        clear
        W: X-REJECT 1 -> X-UNDONE 1 NO
        N hears -> X-UNDONE 1 NO
        E hears -> X-UNDONE 1 NO
        S hears -> nothing
        N: X-UNDO -> NAK "your opponents have not agreed to take this back"
        E: X-ACCEPT 1 -> NAK "no offer 1 waits for an answer: it has been settled, or play has gone on"
    """)
    assert actions(rig) == [["1NT"]]


@pytest.mark.clause("SS-52")
def test_a_wish_ends_when_anybody_calls_or_plays_and_its_number_is_nobodys_any_more() -> None:
    rig = bidding((NORTH, "1NT"))
    rig.converse("""
        N: X-UNDO
        clear
        E: BID PASS -> X-UNDONE 1 NO -> AUCOPEN S 1NT,PASS
    """)
    for judge in (EAST, WEST):
        assert "no offer 1 waits" in rig.send_line(judge, "X-ACCEPT 1")[-1]
    rig.converse("""
        N: X-UNDO -> ... -> X-UNDO 2 N
        N: X-UNDO -> NAK "North's wish to take something back is not settled yet"
        S: X-ACCEPT 2 -> ... -> NAK "North is answered by East and West"
        W comes back asking for UNDO -> ... -> X-UNDO 2 N -> AUCOPEN S 1NT,PASS
        E W: X-ACCEPT 2
    """)
    assert actions(rig) == [["1NT", "Pass", "taken-back"], []]


@pytest.mark.clause("SS-52")
def test_a_client_without_the_word_is_disconnected_and_comes_back_and_the_others_wait_for_it() -> None:
    rig = bidding((NORTH, "1NT"))
    rig.converse("S: X-HELLO PING")
    south = rig.seats[SOUTH]
    rig.converse("""
        N: X-UNDO
        E W: X-ACCEPT 1
    """)
    assert south.closed == "a call or card was taken back"
    rig.clear()
    rig.seats[SOUTH] = peer = rig.connect_stateful()
    rig.send_line(peer, "HELLO Alpha")
    assert rig.send_line(peer, "JOIN-T")[-1] == "AUCOPEN N -"
    rig.converse("N: BID 2C")
    assert actions(rig) == [["1NT", "taken-back"], ["2C"]]


@pytest.mark.clause("SS-52")
def test_nothing_is_taken_back_where_an_opponent_cannot_agree_or_a_player_is_away() -> None:
    bidding((NORTH, "1NT")).converse("""
        W: X-HELLO PING
        N: X-UNDO -> NAK "West's program has no words to agree: it stands"
        S hangs up
        N: X-UNDO -> NAK "South is not there: wait, and ask again"
    """)
    asks = 'NAK "ask for UNDO with X-HELLO first: else you are not told what comes of it"'
    assert bidding((NORTH, "1NT"), extensions="").send_line(NORTH, "X-UNDO") == [asks]


@pytest.mark.clause("SS-52")
def test_a_table_host_that_dies_goes_on_from_where_the_board_was_taken_back_to() -> None:
    rig = bidding((NORTH, "1NT"), (EAST, "PASS"), (SOUTH, "7NT"))
    rig.converse("""
        S: X-UNDO
        E W: X-ACCEPT 1
    """)
    began = max(at for at, record in enumerate(rig.records) if isinstance(record, BoardBegan))
    made = tuple(record for record in rig.records[began:] if isinstance(record, CallMade | CardPlayed))
    again = begun("UNDO", boards=(board(1),), rules=UNDO_ALL, under_way=BoardSnapshot(1, made))
    again.converse("N hears -> ... -> AUCOPEN S 1NT,PASS")
    assert rig.core.state.board is not None
    assert again.core.state.board is not None
    one, other = rig.core.state.board.state, again.core.state.board.state
    assert [entry.record for entry in one.history] == [entry.record for entry in other.history]
    assert one.clock.spent_ms == other.clock.spent_ms


@pytest.mark.clause("SS-52")
def test_a_claim_ends_a_wish_too_and_none_is_heard_before_it_is_settled() -> None:
    rig = in_1nt("UNDO,CLAIM", rules=TableRules(undo=UndoRule.ALL, claims=True))
    rig.converse("""
        E: PLAY 10S
        N: PLAY 5S
        N: X-UNDO
        clear
    """)
    told = rig.send_line(WEST, "X-CLAIM")
    assert (told[0], told[-1][:11]) == ("X-UNDONE 1 NO", "X-CLAIM 2 W")
    assert "no offer 1 waits" in rig.send_line(EAST, "X-ACCEPT 1")[-1]
    rig.converse("""
        N: X-UNDO -> ... -> NAK "West's claim is not settled yet"
    """)


@pytest.mark.clause("SS-52")
def test_ten_times_something_is_taken_back_on_a_board_and_then_it_stands() -> None:
    rig = bidding()
    for number in range(1, 11):
        rig.converse("""
            N: BID 1C
            N: X-UNDO
        """)
        rig.converse(f"E W: X-ACCEPT {number}")
    assert actions(rig) == [["1C", "taken-back"]] * 10 + [[]]
    rig.converse("""
        N: BID 1C
        clear
    """)
    most = 'NAK "10 times something has been taken back on this board, and that is the most"'
    rig.converse(f"N: X-UNDO -> {most}")


# Calls for the director


@pytest.mark.clause("SS-56")
def test_a_player_calls_the_director_once_a_minute_and_nobody_else_at_the_table_is_told() -> None:
    rig = begun("NOTE")
    rig.converse("""
        clear
        S: X-DIRECTOR "East hesitated" -> X-NOTE "the director is called"
        N hears -> nothing
        E hears -> nothing
        W hears -> nothing
        wait 59_000
        S: X-DIRECTOR again -> NAK "you have called the director: call again in 1 s"
        E: X-HELLO -
        E: X-DIRECTOR -> NAK "the director is called"
        wait 1000
        S: X-DIRECTOR again -> X-NOTE "the director is called"
    """)
    called = [(each.kind, each.board, each.seat, each.text) for each in rig.of_kind(Incident)]
    assert called == [
        (IncidentKind.DIRECTOR_CALLED, 1, SOUTH, "East hesitated"),
        (IncidentKind.DIRECTOR_CALLED, 1, EAST, "East calls the director"),
        (IncidentKind.DIRECTOR_CALLED, 1, SOUTH, "again"),
    ]
    rig.converse("N: BID PASS -> ... -> AUCOPEN E PASS")


@pytest.mark.clause("SS-56")
def test_a_call_for_the_director_that_is_too_long_or_of_nobody_at_the_table_is_refused() -> None:
    rig = begun()
    rig.clear()
    too_long = 'NAK "a text has at most 200 characters, this one has 201"'
    assert rig.send_line(SOUTH, f"X-DIRECTOR {'x' * 201}") == [too_long]
    connection = (fresh := table()).connect_stateful()
    fresh.send_line(connection, "HELLO Alpha")
    assert fresh.send_line(connection, "X-DIRECTOR") == ['NAK "who has a seat may call the director"']
    assert not rig.of_kind(Incident)
    assert not fresh.of_kind(Incident)


# What a call means


def asked(extensions: str = "ASK") -> TableRig:
    """North has bid 1NT and East 2C, and everybody has forgotten what it was told."""
    return bidding((NORTH, "1NT"), (EAST, "2C"), extensions=extensions)


@pytest.mark.clause("SS-53")
def test_a_call_is_explained_by_its_player_to_the_opponent_who_asks_and_nobody_else_hears_of_it() -> None:
    rig = asked()
    rig.converse("""
        S: X-ASK 2 -> nothing
        E hears -> X-ASKED 2
        E: X-TELL 2 "both majors" -> nothing
        N hears -> nothing
        S hears -> X-TELL 2 "both majors"
        W hears -> nothing
    """)
    assert [(each.kind, each.seat, each.text) for each in rig.of_kind(Incident)] == [
        (IncidentKind.ASKED, SOUTH, "what does call 2 mean, East bids 2C?"),
        (IncidentKind.EXPLAINED, EAST, "call 2: both majors"),
    ]
    rig.converse("""
        # it has been told before
        S: X-ASK 2 -> X-TELL 2 "both majors"
    """)
    assert len(rig.of_kind(Incident)) == 2


@pytest.mark.clause("SS-53")
@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("S: X-ASK 3", "the calls of this board are 1 to 2, got 3"),
        ("S: X-ASK 0", "the calls of this board are 1 to 2, got 0"),
        ("S: X-ASK 1", "only opponents are asked what their calls mean"),
        ("S: X-ASK two", "a whole number is expected, got 'two'"),
        ('E: X-TELL 2 "majors"', "nobody waits for you to explain call 2"),
        ('E: X-TELL 9 "majors"', "nobody waits for you to explain call 9"),
        (f'E: X-TELL 2 "{"x" * 201}"', "a text has at most 200 characters, this one has 201"),
        ('E: X-TELL 2 " "', "the text is empty"),
    ],
)
def test_a_question_or_an_answer_that_cannot_be_is_refused(said: str, why: str) -> None:
    asked().converse(f"""
        {said} -> NAK "{why}"
        S: BID PASS -> AUCOPEN W 1NT,2C,PASS
    """)


@pytest.mark.clause("SS-53")
def test_a_question_is_asked_once_and_only_of_whom_it_can_be_answered_by() -> None:
    asked().converse("""
        S: X-ASK 2
        S: X-ASK 2 -> NAK "you have asked about call 2: wait for the answer"
        W: X-TELL 2 "clubs" -> NAK "nobody waits for you to explain call 2"
        E: X-HELLO -
        N: X-ASK 2 -> NAK "East's program has no words to explain a call"
    """)
    begun("ASK").converse("""
        clear
        W: X-ASK 1 -> NAK "nobody has called yet"
    """)
    asks = 'NAK "ask for ASK with X-HELLO first: else you are not told what comes of it"'
    assert asked("").send_line(SOUTH, "X-ASK 2") == [asks]


@pytest.mark.clause("SS-53")
def test_nobody_is_asked_about_a_call_before_it_has_been_shown_the_board() -> None:
    asked().converse("""
        pause
        E comes back asking for ASK
        S: X-ASK 2 -> ... -> NAK "East is not there: wait, and ask again"
        resume
        S: X-ASK 2
        E hears -> ... -> X-ASKED 2 -> ...
    """)


@pytest.mark.clause("SS-53")
def test_a_question_waits_for_a_player_that_leaves_and_an_answer_for_one_that_has_left() -> None:
    rig = asked()
    rig.converse("S: X-ASK 2")
    assert rig.reconnect(EAST, "ASK").count("X-ASKED 2") == 1
    rig.converse("""
        S hangs up
        E: X-TELL 2 "both majors"
    """)
    assert rig.reconnect(SOUTH, "ASK").count('X-TELL 2 "both majors"') == 1
    assert "X-ASKED 2" not in rig.reconnect(EAST, "ASK")


@pytest.mark.clause("SS-53")
def test_our_player_explains_what_it_has_called() -> None:
    rig = asked("ASK,STATE")
    rig.converse("S: X-ASK 2")
    bot = seated_bot("basic", 1)
    (said,) = [answer for line in rig.take(EAST) for answer in bot(line)]
    assert said in ("X-TELL 2 natural", 'X-TELL 2 "no agreement"')
    rig.send_line(EAST, said)
    rig.converse(f"S hears -> {said}")


# What may be asked for


def told_options(rig: TableRig, seat: Seat, *sent: tuple[Seat, str]) -> list[str]:
    """the options that a player is told, before and while these lines are sent."""
    lines = rig.take(seat)
    for sender, line in sent:
        lines += rig.send_line(sender, line) if sender is seat else (rig.send_line(sender, line), rig.take(seat))[1]
    return [line for line in lines if line.startswith("X-MAY")]


PEOPLE = "CLAIM,UNDO,ASK,SAY,MAY"


@pytest.mark.clause("SS-57")
def test_a_player_is_told_what_it_may_ask_for_whenever_that_changes() -> None:
    rig = begun(PEOPLE, rules=TableRules(claims=True, undo=UndoRule.ALL, chat=True))
    assert told_options(rig, EAST) == ["X-MAY 0 0 1 -"]
    assert told_options(rig, NORTH, (NORTH, "BID 1NT")) == ["X-MAY 0 0 1 -", "X-MAY 0 1 1 -"]
    assert told_options(rig, EAST) == ["X-MAY 0 0 1 1"]
    assert told_options(rig, EAST, (EAST, "X-ASK 1")) == ["X-MAY 0 0 1 -"], "it waits for the answer"
    assert told_options(rig, NORTH, (EAST, "BID PASS")) == ["X-MAY 0 1 1 2"]
    assert told_options(rig, NORTH, (SOUTH, "BID PASS")) == ["X-MAY 0 0 1 2"], "South has gone on"
    assert told_options(rig, NORTH, (WEST, "BID PASS"), (EAST, "PLAY 10S"))[-1] == "X-MAY 1 0 1 2,4"
    assert told_options(rig, SOUTH)[-1] == "X-MAY 0 0 1 2,4", "dummy makes no claim"
    assert told_options(rig, NORTH, (NORTH, "X-CLAIM")) == ["X-MAY 0 0 1 2,4"]
    assert told_options(rig, NORTH, (EAST, "X-REJECT 1")) == [], "it has been rejected in this trick"
    assert told_options(rig, NORTH, (NORTH, "JOIN-T")) == ["X-MAY 0 0 1 2,4"]


@pytest.mark.clause("SS-57")
def test_nothing_may_be_asked_for_where_a_rule_or_the_program_of_another_player_stands_against_it() -> None:
    to_lead = [(NORTH, "BID 1NT"), (EAST, "BID PASS"), (SOUTH, "BID PASS"), (WEST, "BID PASS"), (EAST, "PLAY 10S")]
    rig = begun(PEOPLE)
    assert told_options(rig, NORTH, *to_lead)[-1] == "X-MAY 0 0 0 2,4"
    assert told_options(rig, NORTH, (WEST, "X-HELLO -")) == ["X-MAY 0 0 0 2"], "it has no words to explain a call"
    rig = begun(PEOPLE, rules=TableRules(claims=True, undo=UndoRule.ALL))
    rig.converse("W: X-HELLO -")
    assert told_options(rig, NORTH, *to_lead)[-1] == "X-MAY 0 0 0 2", "nor to answer a claim"
    assert told_options(rig, NORTH, (NORTH, "PLAY 5S"), (WEST, "PLAY 2S"), (NORTH, "PLAY JS"))[-1:] == []


# Time


@pytest.mark.clause("SS-54")
def test_all_who_ask_are_told_how_long_the_player_in_turn_may_think_by_the_tightest_limit() -> None:
    call, side = TimeLimit(60_000, RemedyName.WARN), TimeLimit(70_000, RemedyName.WARN)
    begun("CLOCK", rules=TableRules(time=TimeRules(call=call, board=side))).converse("""
        S hears -> ... -> X-CLOCK N 60000 -> AUCOPEN N -
        wait 25_000
        N: BID PASS
        E hears -> ... -> X-CLOCK E 60000 -> AUCOPEN E PASS
        wait 10_000
        N: JOIN-T -> ... -> X-CLOCK E 50000 -> AUCOPEN E PASS
        E: BID PASS
        # the side has used 25 s
        S hears -> ... -> X-CLOCK S 45000 -> AUCOPEN S PASS,PASS
    """)


# Talk


def talking(*, chat: bool = True) -> TableRig:
    rig = begun("SAY", rules=TableRules(chat=chat))
    rig.clear()
    return rig


@pytest.mark.clause("SS-55")
def test_what_a_player_says_all_hear_who_have_asked_for_it_once_a_second() -> None:
    rig = talking()
    rig.converse("""
        W: X-HELLO -
        S: X-SAY "hello, all" -> X-SAID S "hello, all"
        N hears -> X-SAID S "hello, all"
        E hears -> X-SAID S "hello, all"
    """)
    assert not [line for line in rig.take(WEST) if line.startswith("X-SAID")]
    rig.converse("""
        S: X-SAY again -> NAK "one line a second may be said"
        N: X-SAY hi -> ... -> X-SAID N hi
        wait 1000
        S: X-SAY "again" -> ... -> X-SAID S again
    """)


@pytest.mark.clause("SS-55")
def test_at_events_nothing_is_said_and_neither_is_what_is_empty_or_too_long_and_a_flood_ends_its_connection() -> None:
    assert talking(chat=False).send_line(SOUTH, "X-SAY hi") == ['NAK "nothing is said at this table"']
    rig = talking()
    assert rig.send_line(SOUTH, f"X-SAY {'x' * 201}") == ['NAK "a text has at most 200 characters, this one has 201"']
    rig.converse("""
        S: X-SAY -> NAK "the text is empty"
    """)
    for _ in range(20):
        rig.converse("S: X-SAY hi")
    assert rig.seats[SOUTH].closed.endswith("lines were refused, the limit is 20")
    rig.converse("N: BID PASS -> ... -> AUCOPEN E PASS")
