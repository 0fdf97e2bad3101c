"""Games over several deals: what holds for any of them, whatever is played."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.support.money_games import Ledger, play_all
from tourney.bridge import SEATS, Contract, Side, Strain, declarer_score
from tourney.scoring.chicago import Chicago, ChicagoOrder, ChicagoScoring
from tourney.scoring.ledger import GameState, LedgerKind, PlayedDeal, SidePoints
from tourney.scoring.rubber import Rubber
from tourney.scoring.targets import Fit

CONTRACTS = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.integers(0, 2), st.sampled_from(SEATS))
HONOURS = st.sampled_from([SidePoints(), SidePoints(100, 0), SidePoints(0, 150)])
HCP = st.integers(0, 40)
FITS = st.fixed_dictionaries(
    dict.fromkeys(Side, st.builds(Fit, is_major=st.booleans(), cards=st.integers(0, 13))),
)
PLAYED = st.builds(PlayedDeal, contract=CONTRACTS, tricks=st.integers(0, 13), honours=HONOURS, hcp_ns=HCP, fits=FITS)
DEALS = st.lists(st.one_of(PLAYED, st.builds(PlayedDeal, contract=st.none(), hcp_ns=HCP, fits=FITS)))
RUBBERS = st.builds(Rubber, both_unfinished=st.booleans(), same_dealer_redeals=st.booleans())
CHICAGOS = st.builds(
    Chicago,
    scoring=st.sampled_from(ChicagoScoring),
    order=st.sampled_from(ChicagoOrder),
    redeals=st.booleans(),
)
GAMES = st.one_of(RUBBERS, CHICAGOS)


def total(ledger: Ledger) -> SidePoints:
    points = SidePoints()
    for entry in ledger.entries:
        points = points + entry.below + entry.above
    return points


@given(RUBBERS | st.builds(Chicago), DEALS)
def test_the_totals_are_the_sum_of_what_is_below_and_above_the_line(
    game: Rubber | Chicago, deals: list[PlayedDeal]
) -> None:
    ledger = play_all(game, deals)
    assert ledger.state.totals == total(ledger)


@given(GAMES, DEALS, st.data())
def test_a_game_that_is_taken_up_from_its_state_goes_on_as_if_never_left(
    game: Rubber | Chicago, deals: list[PlayedDeal], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(deals)))
    whole = play_all(game, deals)
    first = play_all(game, deals[:cut])
    rest = play_all(game, deals[cut:], first.state)
    assert first.entries + rest.entries == whole.entries


@given(RUBBERS, DEALS)
def test_no_side_ever_has_a_game_below_the_line_or_two_games_in_a_rubber(
    game: Rubber, deals: list[PlayedDeal]
) -> None:
    for entry in play_all(game, deals).entries:
        after = entry.after
        assert max(after.below.ns, after.below.ew) < 100
        assert max(after.games.ns, after.games.ew) <= 1
        rubbers = [item for item in entry.items if item.kind is LedgerKind.RUBBER]
        assert (after.is_between and entry.game_won is not None) == bool(rubbers)


@given(DEALS)
def test_both_readings_of_an_unfinished_rubber_have_the_same_margin(deals: list[PlayedDeal]) -> None:
    one = play_all(Rubber(), deals)
    both = play_all(Rubber(both_unfinished=True), deals)
    for first, second in zip(one.entries, both.entries, strict=True):
        assert first.if_stopped.ns - first.if_stopped.ew == second.if_stopped.ns - second.if_stopped.ew


@given(DEALS, st.sampled_from(ChicagoOrder))
def test_chicago_at_duplicate_gives_each_hand_its_duplicate_score(
    deals: list[PlayedDeal], order: ChicagoOrder
) -> None:
    game = Chicago(scoring=ChicagoScoring.DUPLICATE, order=order)
    for entry in play_all(game, deals).entries:
        if entry.deal.contract is None:
            assert entry.items == ()
            continue
        assert isinstance(entry.deal.contract, Contract)
        side = entry.deal.contract.declarer.side
        points = entry.below + entry.above
        vulnerable = entry.vulnerability.includes(side)
        score = declarer_score(entry.deal.contract, entry.deal.tricks, vulnerable=vulnerable)
        assert points[side] - points[side.other] == score


@given(DEALS)
def test_the_dealer_of_chicago_changes_with_the_hand_and_stays_for_a_redeal(deals: list[PlayedDeal]) -> None:
    states = [GameState(), *(entry.after for entry in play_all(Chicago(), deals).entries)]
    for before, after in pairwise(states):
        assert after.dealer is SEATS[(after.hand - 1) % 4]
        assert after.hand in (before.hand, before.hand % 4 + 1)
    for deal, (before, after) in zip(deals, pairwise(states), strict=True):
        assert (before.hand == after.hand) == (deal.contract is None)
