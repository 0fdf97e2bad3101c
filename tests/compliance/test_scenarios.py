"""The boards of a check: the situation arises, whatever the program calls and plays."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tourney.bridge import (
    BIDS,
    SEATS,
    BoardInPlay,
    Call,
    PlayerView,
    Seat,
    Strain,
    board_dealer,
    format_deal,
    parse_deal,
)
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.findings import StepKind, steps_numbered
from tourney.compliance.scenarios import (
    BOARDS,
    LONG_ALERT_CHARS,
    VARIANTS,
    Scenario,
    long_alert_text,
    role_kind,
)
from tourney.errors import UsageError
from tourney.protocol.alerts import parse_alert

SEVEN_NOTRUMP = BIDS[-1]
CERTAIN = (
    StepKind.DUMMY,
    StepKind.LEADER,
    StepKind.THIRD_HAND,
    StepKind.REDOUBLED,
    StepKind.SLOW,
    StepKind.RESTART,
    StepKind.CUT,
)
STEPS = BLUE_CHIP.steps
SCRIPTED = tuple(kind for kind in BLUE_CHIP.by_kind if kind in BOARDS)

seats = st.sampled_from(SEATS)


def play_out(scenario: Scenario, seed: int, *, never: tuple[Call, ...] = (), tricks: int = 0) -> BoardInPlay:
    """Play a board, up to a trick; the program makes any legal call but those in `never`, and any legal play."""
    random = Random(seed)
    board = BoardInPlay(scenario.board(0))
    views = {seat: view_of(scenario, seat) for seat in SEATS}
    while board.in_auction:
        caller = board.auction.turn
        legal = [call for call in board.auction.legal_calls() if call not in never]
        # One call in two is a pass, or every auction would end at the seven level.
        mine: Call = random.choice(legal) if random.random() < 0.5 else legal[0]
        call = mine if caller is scenario.me else scenario.choose_call(views[caller]).call
        board.add_call(call)
        for view in views.values():
            view.add_call(call)
    while board.play is not None and len(board.play.tricks) < tricks:
        hand = board.play.turn
        if board.actor is scenario.me:
            card = random.choice(board.play.legal_cards())
        else:
            card = scenario.choose_card(views[hand], hand)
        board.add_card(card)
        for view in views.values():
            view.add_card(card)
    return board


def view_of(scenario: Scenario, seat: Seat) -> PlayerView:
    board = scenario.board(0)
    return PlayerView(seat, board.number, board.dealer, board.vulnerability, board.deal[seat])


@pytest.mark.parametrize("kind", SCRIPTED, ids=lambda kind: kind.name)
@pytest.mark.parametrize("seat", SEATS)
def test_every_board_is_a_whole_deal_whose_dealer_is_that_of_its_number(kind: StepKind, seat: Seat) -> None:
    for variant in range(VARIANTS):
        for number in (0, 5):
            board = Scenario(kind, seat, variant).board(number)
            assert parse_deal(format_deal(board.deal)) == board.deal
            assert board.dealer is board_dealer(board.number)


@pytest.mark.parametrize("kind", CERTAIN, ids=lambda kind: kind.name)
@settings(max_examples=25)
@given(seat=seats, seed=st.integers(0, 2**32 - 1))
def test_a_part_comes_to_the_program_whatever_it_calls_short_of_seven_notrump(
    kind: StepKind, seat: Seat, seed: int
) -> None:
    scenario = Scenario(kind, seat)
    board = play_out(scenario, seed, never=(SEVEN_NOTRUMP,))
    assert scenario.arose(board)
    assert board.contract is not None
    assert board.contract.strain is Strain.NOTRUMP
    assert board.contract.declarer is scenario.declarer is not seat


@settings(max_examples=30)
@given(seat=seats, seed=st.integers(0, 2**32 - 1), variant=st.integers(0, VARIANTS - 1))
def test_dummy_leads_to_trick_two_when_the_program_declares_that_board(seat: Seat, seed: int, variant: int) -> None:
    scenario = Scenario(StepKind.DUMMY_LEADS, seat, variant)
    board = play_out(scenario, seed, tricks=1)
    assert board.contract is None or board.contract.declarer is seat
    if board.play is not None:
        assert board.play.current.leader is seat.partner


@settings(max_examples=30)
@given(seat=seats, seed=st.integers(0, 2**32 - 1))
def test_a_board_that_the_others_pass_is_declared_by_the_program_or_passed_out(seat: Seat, seed: int) -> None:
    for kind in (StepKind.PASSED_OUT, StepKind.DECLARER, StepKind.VOIDS):
        scenario = Scenario(kind, seat)
        board = play_out(scenario, seed)
        assert board.contract is None or role_kind(board.contract, seat) is StepKind.DECLARER
        assert scenario.arose(board) is ((board.contract is None) is (kind is StepKind.PASSED_OUT))


def test_the_hand_with_three_voids_is_thirteen_cards_of_a_suit() -> None:
    board = Scenario(StepKind.VOIDS, Seat.WEST).board(0)
    assert str(board.deal[Seat.WEST]) == "AKQJT98765432..."


@pytest.mark.parametrize("seat", SEATS)
def test_the_alerted_board_has_an_alerted_double_and_a_call_with_infos_when_the_program_passes(seat: Seat) -> None:
    scenario = Scenario(StepKind.ALERT, seat)
    board = BoardInPlay(scenario.board(0))
    said: list[tuple[Seat, str, bool]] = []
    while board.in_auction:
        turn = board.auction.turn
        if turn is seat:
            board.add_call(board.auction.legal_calls()[0])
            continue
        view = view_of(scenario, turn)
        for call in board.auction.calls:
            view.add_call(call)
        planned = scenario.choose_call(view)
        said.append((turn, str(planned.call), planned.alerted))
        board.add_call(planned.call)
    assert (seat.previous, "X", True) in said
    assert (seat.next, "1D", False) in said
    assert board.contract is not None


def test_the_long_alert_is_as_long_as_those_of_programs_in_use_and_in_the_grammar() -> None:
    text = long_alert_text()
    assert LONG_ALERT_CHARS <= len(text) < LONG_ALERT_CHARS + 200
    # More meanings than the protocol foresees is the only thing that a director would be told.
    assert [finding for finding in parse_alert(text).findings if "alternative" not in finding] == []


def test_steps_are_numbered_from_one_and_any_other_number_is_refused() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert steps_numbered((3, 5), STEPS) == {STEPS[2].kind, STEPS[4].kind}
    assert len(steps_numbered((), STEPS)) == len(STEPS)
    for number in (0, len(STEPS) + 1):
        with pytest.raises(UsageError, match=f"numbered 1 to {len(STEPS)}, got {number}"):
            steps_numbered((number,), STEPS)
