"""Whole boards at random: every legal auction and play comes to an end that the rules allow."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import (
    PlayedBoard,
    contracts,
    deals,
    played_boards,
    vulnerabilities,
    whole_boards,
)
from tourney.bridge import (
    DECK,
    RANKS,
    SEATS,
    BoardInPlay,
    Contract,
    Deal,
    PlayerView,
    Seat,
    Vulnerability,
    declarer_score,
    format_deal,
    parse_deal,
    score_ns,
)


def slow_winner(trick: list[tuple[Seat, str]], trumps: str) -> Seat:
    """Who wins four cards written suit first: trumps are worth 100 more than their rank, discards nothing."""

    def worth(card: str) -> int:
        if card[0] == trumps:
            return 100 + RANKS.index(card[1])
        return RANKS.index(card[1]) if card[0] == trick[0][1][0] else -1

    return max(trick, key=lambda played: worth(played[1]))[0]


@given(deals)
def test_a_deal_written_from_any_seat_is_read_back(deal: Deal) -> None:
    for first in SEATS:
        assert parse_deal(format_deal(deal, first)) == deal


@whole_boards
@given(played_boards(passed_out=False))
def test_thirteen_tricks_are_played_by_turns_following_suit(played: PlayedBoard) -> None:
    in_play = BoardInPlay(played.board)
    for call in played.calls:
        in_play.add_call(call)
    contract = in_play.contract
    assert contract is not None
    held = {seat: {card.pbn for card in played.board.deal[seat].cards} for seat in SEATS}
    trumps = contract.strain.letters
    leader, tricks = contract.declarer.next, 0
    for start in range(0, 52, 4):
        trick = [(seat, card.pbn) for seat, card in played.cards[start : start + 4]]
        assert [seat for seat, _ in trick] == [leader.plus(i) for i in range(4)]
        for seat, card in trick:
            assert card in held[seat]
            assert card[0] == trick[0][1][0] or not any(other[0] == trick[0][1][0] for other in held[seat])
            held[seat].remove(card)
        leader = slow_winner(trick, trumps)
        tricks += leader in (contract.declarer, contract.dummy)
    for _, played_card in played.cards:
        in_play.add_card(played_card)
    assert in_play.result is not None
    assert in_play.result.tricks == tricks
    assert not any(held.values())


@whole_boards
@given(played_boards(passed_out=False))
def test_the_hand_in_turn_may_play_exactly_the_cards_that_are_not_refused(played: PlayedBoard) -> None:
    in_play = BoardInPlay(played.board)
    for call in played.calls:
        in_play.add_call(call)
    play = in_play.play
    assert play is not None
    for seat, card in played.cards:
        legal = play.legal_cards()
        assert legal == sorted((one for one in DECK if play.why_illegal(seat, one) is None), reverse=True)
        play.add(card)


@whole_boards
@given(played_boards())
def test_what_each_seat_knows_stays_in_step_with_the_table(played: PlayedBoard) -> None:
    board = played.board
    in_play = BoardInPlay(board)
    views = [PlayerView(seat, board.number, board.dealer, board.vulnerability, board.deal[seat]) for seat in SEATS]
    for call in played.calls:
        in_play.add_call(call)
        for view in views:
            view.add_call(call)
            assert (view.turn, view.contract) == (in_play.turn, in_play.contract)
    for index, (_, card) in enumerate(played.cards):
        play, contract = in_play.play, in_play.contract
        assert play is not None
        assert contract is not None
        for view in views:
            visible = {view.seat, contract.dummy} if index else {view.seat}
            for hand in visible:
                assert view.held(hand) == play.held(hand)
            if in_play.turn in visible:
                assert view.legal_from(in_play.turn) == play.legal_cards()
        in_play.add_card(card)
        for view in views:
            view.add_card(card)
            if index == 0:
                view.show_dummy(board.deal[contract.dummy])
            assert view.cards == play.cards
            assert (view.turn, view.tricks, view.current) == (in_play.turn, play.tricks, play.current)
            assert view.tricks_won == play.tricks_won


@given(contract=contracts, tricks=st.integers(0, 13), vulnerability=vulnerabilities)
def test_what_one_side_scores_the_other_loses(contract: Contract, tricks: int, vulnerability: Vulnerability) -> None:
    turned = Contract(contract.level, contract.strain, contract.doubled, contract.declarer.next)
    swapped = {Vulnerability.NS: Vulnerability.EW, Vulnerability.EW: Vulnerability.NS}
    mirrored = swapped.get(vulnerability, vulnerability)
    assert score_ns(turned, tricks, mirrored) == -score_ns(contract, tricks, vulnerability)


@given(contract=contracts, tricks=st.integers(0, 12), vulnerable=st.booleans())
def test_one_trick_more_never_scores_less(contract: Contract, tricks: int, vulnerable: bool) -> None:
    fewer = declarer_score(contract, tricks, vulnerable=vulnerable)
    more = declarer_score(contract, tricks + 1, vulnerable=vulnerable)
    assert more > fewer
    assert (more > 0) == (tricks + 1 >= contract.tricks_needed)
    assert more % 10 == 0
