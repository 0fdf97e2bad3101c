"""Claims, where the organiser takes them."""

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, board, in_auction, in_play
from tourney.protocol.session.records import BoardEnded
from tourney.protocol.session.rules import TableRules

CLAIMS = TableRules(claims=True)


def with_claims() -> TableRig:
    """North plays 1NT, East has led; nobody has been told anything since."""
    rig = in_play([board(1), board(2)], rules=CLAIMS)
    rig.converse("""
        all hear E: plays TS
        clear
    """)
    return rig


@pytest.mark.clause("BC-40")
def test_declarers_claim_goes_to_both_defenders_and_dummy_with_what_declarer_holds() -> None:
    with_claims().converse("""
        N: claims -> nothing
        E hears -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
        S hears -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
        W hears -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
    """)


@pytest.mark.clause("BC-40")
def test_a_defenders_claim_goes_to_declarer_and_dummy_without_the_cards_that_are_gone() -> None:
    with_claims().converse("""
        E: claims
        N hears -> ... -> East's cards : S 9 8. H 7 6 5. D 4 3 2. C A K Q J.
        S hears -> East claims -> East's cards...
        W hears -> nothing
    """)


@pytest.mark.clause("BC-41")
def test_a_defenders_claim_is_declarers_to_accept() -> None:
    rig = with_claims()
    rig.converse("E: claims\nN: accepts East's claim")
    (ended,) = rig.of_kind(BoardEnded)
    assert ended.result is not None
    assert (ended.result.tricks, ended.result.score) == (0, -350)


@pytest.mark.clause("BC-41")
def test_the_answer_of_the_other_defender_to_a_claim_that_was_rejected_meanwhile_is_no_error() -> None:
    with_claims().converse("""
        N: claims
        E: rejects North's claim
        clear
        W: accepts North's claim -> nothing
        S: accepts North's claim -> Error: ...
        incidents -> claim N -> claim-rejected E
    """)


@pytest.mark.clause("BC-41")
@pytest.mark.parametrize(
    "answer", ["S: accepts North's claim", "E: accepts West's claim", "N: accepts North's claim"]
)
def test_an_answer_from_whom_it_is_not_is_an_error(answer: str) -> None:
    with_claims().converse(f"""
        N: claims
        clear
        {answer} -> Error: ...
        ended -> nothing
    """)


@pytest.mark.clause("BC-40")
def test_a_claim_in_the_auction_or_by_dummy_is_an_error() -> None:
    in_auction([board(1)], rules=CLAIMS).converse("N: claims -> Error: ...")
    with_claims().converse("S: claims -> Error: ...")


@pytest.mark.clause("BC-40", "BC-45")
def test_the_time_in_which_a_claim_is_answered_is_not_charged_to_who_is_to_play() -> None:
    with_claims().converse("""
        N: ready for dummy
        wait 1000
        N: claims
        wait 60_000
        E: rejects North's claim
        wait 2000
        N: South plays 7S
        thought -> ... -> 3000
    """)


@pytest.mark.clause("BC-40")
def test_a_claim_is_told_to_a_player_once_it_knows_the_auction() -> None:
    rig = in_auction([board(1), board(2)], rules=CLAIMS)
    rig.converse("""
        all hear N: bids 1NT
        all hear E S: passes
        W: passes
        N: ready for West's bid
        clear
        N: claims
        E hears -> nothing
        S hears -> nothing
        # it has made the last call itself
        W hears -> North claims -> ...
        E: ready for West's bid
            -> West passes
            -> North claims
            -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
    """)
    assert [line.what for line in rig.core.state.pending_lines() if line.seat is EAST] == ["an answer to the claim"]
    rig.converse("""
        wait 5000
        E: rejects North's claim -> North's claim is rejected -> East to lead
        # it is settled
        S: ready for West's bid -> West passes
        wait 70
        E: plays TS
        thought -> ... -> 70
    """)


@pytest.mark.clause("BC-40")
def test_a_player_that_comes_back_is_told_of_the_claim_that_waits() -> None:
    with_claims().converse("""
        N: claims
        S hangs up
        wait 1000
        S comes back
        S: ready for North's bid
        S: ready for East's bid
        S: passes
        S: ready for West's bid
        S: ready for East's card to trick 1
        S has heard -> ... -> North claims -> North's cards...
    """)
