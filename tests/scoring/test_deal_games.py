"""Rubber bridge, Chicago and Minibridge against the golden figures, deal by deal."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.money_games import further_games, money_games, play_all, played, points_of
from tourney.bridge import Contract, Seat, Side, Strain, Vulnerability, deal_points, parse_deal
from tourney.bridge.minibridge import MinibridgeContract, choose_declarer, contract_at_level
from tourney.bridge.score import Laws
from tourney.errors import RuleError
from tourney.scoring.chicago import Chicago, ChicagoOrder, ChicagoScoring
from tourney.scoring.ledger import (
    GameState,
    PlayedDeal,
    SidePoints,
    find_honours,
    hcp_of_ns,
)
from tourney.scoring.minibridge import Minibridge
from tourney.scoring.rubber import Rubber
from tourney.scoring.targets import Fit

GAMES = money_games()


CHICAGOS = [GAMES["chicago_seed"], *GAMES["chicago_computed"]]


def example_id(example: dict[str, Any]) -> str:
    return str(example.get("id", example["kind"]))


@pytest.mark.parametrize(
    "row", GAMES["undertrick_penalties"], ids=lambda r: f"{r['doubled']}{'v' * r['vulnerable']}-{r['down']}"
)
def test_undertricks_cost_what_the_laws_say(row: dict[str, Any]) -> None:
    contract = Contract(7, Strain.SPADES, row["doubled"], Seat.NORTH)
    points = deal_points(contract, 13 - row["down"], vulnerable=row["vulnerable"])
    assert points == (0, 0, 0, 0, row["penalty"])


@pytest.mark.parametrize(
    "row", further_games()["older_laws"]["undertricks"], ids=lambda r: f"{r['doubled']}-{r['down']}"
)
def test_undertricks_cost_less_by_older_laws(row: dict[str, Any]) -> None:
    contract = Contract(7, Strain.SPADES, row["doubled"], Seat.NORTH)
    points = deal_points(contract, 13 - row["down"], vulnerable=False, laws=Laws.OLDER)
    assert points == (0, 0, 0, 0, row["penalty"])
    older, current = (deal_points(contract, 13 - row["down"], vulnerable=True, laws=laws) for laws in reversed(Laws))
    assert older == current


# Rubber


def test_the_published_last_deal_of_a_rubber_ends_it_at_930_to_120() -> None:
    (example,) = GAMES["rubber_published"]
    before = GameState(
        games=SidePoints(1, 0), below=SidePoints(70, 60), totals=SidePoints(190, 120), is_between=False
    )
    entry = Rubber().play(before, played(example["last_deal"]))
    assert entry.after.totals == points_of(example["totals"])
    assert entry.after.is_finished


def test_a_second_rubber_begins_with_nobody_vulnerable_and_nothing_below_the_line() -> None:
    deals = [*GAMES["rubber_seed"]["deals"], {"by": "E", "contract": "2S", "tricks": 8}]
    ledger = play_all(Rubber(), map(played, deals))
    state = ledger.state
    assert (state.completed, state.games, state.below) == (1, SidePoints(), SidePoints(0, 60))
    assert ledger.entries[-1].vulnerability is Vulnerability.NONE
    assert not state.is_finished
    assert ledger.entries[-1].if_stopped == SidePoints(1690, 880 + 60 + 100)


# Honours


@pytest.mark.parametrize(
    ("deal", "strain", "points"),
    [
        ("N:AKQJT987.6.5.432 65432.A.AKQ.AKQJ .KQJT98.JT98.T98 .75432.76432.765", Strain.SPADES, SidePoints(150, 0)),
        ("N:5432.AKQJ.5432.5 AKQJ.5432.A.6432 T987.T987.KQJT.A 6.6.9876.KQJT987", Strain.SPADES, SidePoints(0, 100)),
        ("N:5432.AKQJ.5432.5 AKQJ.5432.A.6432 T987.T987.KQJT.A 6.6.9876.KQJT987", Strain.HEARTS, SidePoints(100, 0)),
        ("N:5432.AKQJ.5432.5 AKQJ.5432.A.6432 T987.T987.KQJT.A 6.6.9876.KQJT987", Strain.NOTRUMP, SidePoints()),
        ("N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98", Strain.NOTRUMP, SidePoints(150, 0)),
        ("N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98", Strain.SPADES, SidePoints(0, 100)),
    ],
)
def test_honours_count_in_one_hand_of_either_side(deal: str, strain: Strain, points: SidePoints) -> None:
    assert find_honours(parse_deal(deal), strain) == points


# Chicago


@pytest.mark.parametrize("example", CHICAGOS, ids=example_id)
def test_a_chicago_has_the_points_of_each_hand_below_and_above_the_line(example: dict[str, Any]) -> None:
    order = ChicagoOrder(example.get("vulnerability", "modern"))
    ledger = play_all(Chicago(order=order), map(played, example["deals"]))
    for entry, expected in zip(ledger.entries, example["ledger"], strict=True):
        if expected.get("passed_out"):
            assert entry.items == ()
            continue
        assert (entry.dealer.letter, entry.vulnerability) == (expected["dealer"], expected["vul"])
        assert entry.below == points_of(expected["below"])
        assert entry.above == points_of(expected["above"])
        assert entry.game_won == (Side(expected["game"]) if "game" in expected else None)
        assert entry.if_stopped == entry.after.totals == points_of(expected["running"])
    assert ledger.state.totals == points_of(example["totals"])
    assert ledger.state.is_finished


@pytest.mark.parametrize("row", GAMES["russian"], ids=lambda r: r.get("id", f"{r.get('ns_hcp')}-{r['contract']}"))
def test_russian_scoring_gives_the_imps_above_the_target(row: dict[str, Any]) -> None:
    if "ns_hcp" in row:
        ns_hcp, vulnerability, imps_ns = row["ns_hcp"], row["vul"], row["imps_ns"]
    else:
        of_ns = row["side"] == "NS"
        ns_hcp = row["side_hcp"] if of_ns else 40 - row["side_hcp"]
        vulnerability = row.get("vul") or ("EW" if row["side_vul"] else "None")
        imps_ns = row["imps_for_side"] if of_ns else -row["imps_for_side"]
    game = Chicago(scoring=ChicagoScoring.RUSSIAN, redeals=False)
    entry = game.play(GameState(), played(row, vulnerability=vulnerability, hcp_ns=ns_hcp))
    assert entry.imps_ns == imps_ns
    assert entry.after.totals == SidePoints(max(imps_ns, 0), max(-imps_ns, 0))
    if "ns_target" in row:
        assert entry.target_ns == row["ns_target"]


def test_russian_scoring_without_high_card_points_is_refused() -> None:
    game = Chicago(scoring=ChicagoScoring.RUSSIAN, redeals=False)
    with pytest.raises(RuleError, match="Russian scoring needs the high-card points"):
        game.play(GameState(), PlayedDeal(contract=None))


def test_estonian_scoring_needs_the_fit_of_the_side_with_more_points_or_of_dealers() -> None:
    game = Chicago(scoring=ChicagoScoring.ESTONIAN, redeals=False)
    fit = Fit(is_major=False, cards=8)
    for hcp_ns, dealer, side, target_ns in (
        (20, Seat.NORTH, "NS", -20),
        (20, Seat.EAST, "EW", 20),
        (19, Seat.NORTH, "EW", -30),
    ):
        state = GameState(dealer=dealer)
        deal = PlayedDeal(contract=None, hcp_ns=hcp_ns, vulnerability=Vulnerability.NONE)
        with pytest.raises(RuleError, match=f"Estonian scoring needs the fit of {side}, and it is not given"):
            game.play(state, deal)
        entry = game.play(state, replace(deal, fits={Side(side): fit}))
        assert entry.target_ns == target_ns


def test_a_passed_out_hand_counts_at_russian_scoring_unless_it_is_redealt() -> None:
    deal = PlayedDeal(contract=None, hcp_ns=23, vulnerability=Vulnerability.NS)
    counted = Chicago(scoring=ChicagoScoring.RUSSIAN, redeals=False).play(GameState(), deal)
    redealt = Chicago(scoring=ChicagoScoring.RUSSIAN).play(GameState(), deal)
    assert (counted.after.hand, counted.imps_ns) == (2, -3)
    assert (redealt.after.hand, redealt.imps_ns) == (1, 0)


# Minibridge


@pytest.mark.parametrize(
    "row", GAMES["minibridge_scores"], ids=lambda r: f"{r['contract']}-{r['strain']}-{r['tricks']}"
)
def test_minibridge_scores_every_trick_of_a_contract_that_is_made(row: dict[str, Any]) -> None:
    strain = next(strain for strain in Strain if strain.letters == row["strain"])
    contract = MinibridgeContract(strain, row["contract"] == "game", Seat.EAST)
    points = Minibridge().play(GameState(), PlayedDeal(contract=contract, tricks=row["tricks"])).after.totals
    assert points.ew - points.ns == row["score_for_declarer"]


@pytest.mark.parametrize("row", GAMES["minibridge_declarer"])
def test_the_side_with_more_points_declares_at_minibridge(row: dict[str, Any]) -> None:
    hcp = {Seat.from_letter(letter): points for letter, points in row["points"].items()}
    declarer = choose_declarer(Seat.from_letter(row["dealer"]), hcp)
    assert (declarer.letter if declarer is not None else None) == row["declarer"]


def test_a_bid_stands_for_a_part_score_or_the_lowest_game_at_minibridge() -> None:
    assert contract_at_level(1, Strain.HEARTS, Seat.NORTH) == MinibridgeContract(Strain.HEARTS, False, Seat.NORTH)
    assert contract_at_level(5, Strain.CLUBS, Seat.NORTH).is_game
    with pytest.raises(RuleError, match="1NT for a part score and 3NT for a game, got 2NT"):
        contract_at_level(2, Strain.NOTRUMP, Seat.NORTH)


def test_the_high_card_points_of_a_deal_are_those_of_north_and_south() -> None:
    deal = parse_deal("N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98")
    assert hcp_of_ns(deal) == 28
