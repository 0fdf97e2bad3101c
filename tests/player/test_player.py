"""An author's player at a table without a socket: what it is asked, what it may know, what its faults lead to."""

import inspect
from random import Random

import pytest

import tourney.player
from tests.support.table_rig import TableRig, play_out
from tourney.bots import Decision
from tourney.bots.seated_player import SeatedPlayer, make_player
from tourney.bridge import PASS, SEATS, Bid, Card, PlayerView, Seat, Strain, board_from_seed
from tourney.errors import PlayerError
from tourney.player import Player, View
from tourney.player.answers import CallAnswer
from tourney.protocol.seat_handover import TableTerms
from tourney.protocol.session.table import TableSettings

DEALS = tuple(board_from_seed(11, "player", number) for number in range(1, 5))


class Noted(Player):
    """Bids the lowest notrump when it may and plays its lowest card; keeps what it was asked."""

    def __init__(self, model: object = None) -> None:
        super().__init__(model)
        self.views: list[View] = []
        self.events: list[str] = []

    def call(self, view: View) -> CallAnswer:
        self.views.append(view)
        bids = [bid for bid in view.legal_calls if isinstance(bid, Bid) and bid.strain is Strain.NOTRUMP]
        return (bids[0], "at least 13 cards.") if bids and bids[0].level < 3 else "pass"

    def play(self, view: View) -> Card:
        self.views.append(view)
        return view.legal_cards[-1]

    def board_begins(self, view: View) -> None:
        self.events.append(f"begins {view.number} with {len(view.calls)} calls")

    def board_ends(self, view: View) -> None:
        self.events.append(f"ends {view.number} with {len(view.tricks)} tricks")


@pytest.fixture(scope="module")
def played() -> dict[Seat, Noted]:
    players = {seat: Noted() for seat in SEATS}
    rig = TableRig(TableSettings(ns_team="Alpha", ew_team="Beta", boards=DEALS))
    seated = {seat: SeatedPlayer(player, TableTerms(scoring="imps")) for seat, player in players.items()}
    play_out(rig, dict(seated), Random(5))
    for strategy in seated.values():
        strategy.end_board()
    assert rig.ended == [None]
    return players


def test_a_player_is_told_when_boards_begin_and_end(played: dict[Seat, Noted]) -> None:
    (north, east, *_) = played.values()
    assert north.events[:2] == ["begins 1 with 0 calls", "ends 1 with 13 tricks"]
    assert east.events[0] == "begins 1 with 1 calls"
    assert [event.partition(" with")[0] for event in north.events] == [
        f"{what} {number}" for number in range(1, 5) for what in ("begins", "ends")
    ]


def test_a_view_stays_as_it_was_when_the_player_was_asked(played: dict[Seat, Noted]) -> None:
    for player in played.values():
        for view in player.views:
            if view.contract is None:
                assert view.dealer.plus(len(view.calls)) is view.seat is view.turn
                assert view.legal_cards == []
            else:
                assert view.current is not None
                assert view.current.turn is view.turn
                assert view.turn in (view.seat, view.contract.dummy)
                assert view.legal_calls == []


def test_a_view_has_the_hands_and_explanations_that_the_seat_may_know_and_no_others(
    played: dict[Seat, Noted],
) -> None:
    for seat, player in played.items():
        for view in player.views:
            deal = DEALS[view.number - 1].deal
            assert view.hand == deal[seat]
            for other in SEATS:
                if other is not seat and not (
                    view.contract is not None and other is view.contract.dummy and view.dummy_hand
                ):
                    with pytest.raises(KeyError):
                        view.held(other)
            if view.dummy_hand is not None:
                assert view.contract is not None
                assert view.dummy_hand == deal[view.contract.dummy]
            for made in view.calls:
                is_told = made.seat.side is not seat.side and made.call is not PASS
                assert bool(made.explanation) == is_told
            assert view.scoring == "imps"


class Broken(Player):
    """Raises, or answers with what its `model` is."""

    def call(self, view: View) -> CallAnswer:
        if isinstance(self.model, type):
            raise self.model("of hands")
        return self.model  # type: ignore[no-any-return] # that is what is tried


ASKED = PlayerView(Seat.NORTH, 1, Seat.NORTH, DEALS[0].vulnerability, DEALS[0].deal[Seat.NORTH])


@pytest.mark.parametrize("raised", [ZeroDivisionError, SystemExit, GeneratorExit])
def test_a_player_that_raises_is_named_with_its_traceback(raised: type[BaseException]) -> None:
    with pytest.raises(PlayerError, match=rf"^Broken.call\(\) raised {raised.__name__}: of hands$") as failed:
        SeatedPlayer(Broken(raised)).choose_call(ASKED)
    assert "raise self.model" in failed.value.traceback


def test_an_illegal_call_is_passed_on_for_the_table_to_rule_on() -> None:
    assert SeatedPlayer(Broken("XX")).choose_call(ASKED) == Decision(tourney.player.REDOUBLE)


def test_a_player_that_fills_in_nothing_says_which_method_is_missing() -> None:
    with pytest.raises(PlayerError, match=r"Player has no method call\(view\)"):
        SeatedPlayer(Player()).choose_call(ASKED)
    leading = ASKED.snapshot()
    for call in (PASS, PASS, PASS, Bid(1, Strain.NOTRUMP), PASS, PASS, PASS):
        leading.add_call(call)
    with pytest.raises(PlayerError, match=r"Player has no method play\(view\)"):
        SeatedPlayer(Player()).choose_card(leading, Seat.NORTH)


def test_by_default_each_player_is_asked_by_itself_and_fails_by_itself() -> None:
    view = View(ASKED, Seat.NORTH)
    players = [Broken("1C"), Broken(ZeroDivisionError), Broken("2NT")]
    first, failed, last = Broken.act(None, players, [view] * 3)
    assert (first, str(failed), last) == ("1C", "of hands", "2NT")
    assert isinstance(failed, ZeroDivisionError)


class Heavy(Player):
    loads = 0

    @classmethod
    def load(cls) -> str:
        cls.loads += 1
        return "a network"


def test_what_a_player_loads_is_its_model() -> None:
    assert make_player(Heavy).model == "a network"
    assert Heavy.loads == 1


def test_what_a_class_raises_when_it_is_made_is_named() -> None:
    class Picky(Player):
        def __init__(self, model: object = None) -> None:
            raise OSError("no weights")

    with pytest.raises(PlayerError, match=r"^Picky\(\) raised OSError: no weights$"):
        make_player(Picky)


def test_the_public_surface_is_listed_documented_and_typed() -> None:
    assert sorted(tourney.player.__all__) == [
        "Action", "Answer", "AuctionCall", "BIDS", "Bid", "CALLS", "Call", "Card", "Contract", "DECK", "DOUBLE",
        "Hand", "PASS", "Player", "REDOUBLE", "SEATS", "Seat", "Side", "Strain", "Suit", "Trick", "View",
        "Vulnerability", "is_certain_claim", "load_player",
    ]  # fmt: skip # within version 1 this list only grows
    surface = {
        Player: {
            "accept_claim", "act", "batch", "batch_ms", "board_begins", "board_ends", "call", "claim", "explain",
            "load", "model", "play",
        },
        View: {
            "asks_call", "calls", "chooses_contract", "contract", "current", "dealer", "dummy_hand", "hand", "held",
            "is_vulnerable", "legal_calls", "legal_cards", "number", "seat", "scoring", "time_left_ms", "tricks",
            "tricks_won", "turn", "vulnerability",
        },
    }  # fmt: skip
    for public, names in surface.items():
        assert names <= {*dir(public)}
        for name in names & vars(public).keys() - {"batch", "batch_ms", "model", "scoring", "time_left_ms"}:
            member = inspect.getattr_static(public, name)
            function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            assert inspect.getdoc(function), name
            assert "return" in function.__annotations__, name
