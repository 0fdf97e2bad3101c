"""The cards played in named situations. North deals throughout."""

import pytest

from tests.support.bots_table import PLAIN, card_to, hand_of, view_after
from tourney.bridge import Seat, parse_card

# South declares 4S, West leads, dummy is North
_SOUTH_SPADES = "Pass Pass 1S Pass 4S Pass Pass Pass"
_SOUTH_NOTRUMP = "Pass Pass 1NT Pass 3NT Pass Pass Pass"


class TestSecondHand:
    def test_a_defender_plays_low_before_dummy(self) -> None:
        # South leads a small diamond from hand at trick two, West has the king
        card = card_to(Seat.WEST, "84.KQJ2.K73.9842", "K732.985.AQ4.J53", _SOUTH_NOTRUMP, "KH 5H 3H AH 2D")
        assert card == "3D"

    def test_declarer_plays_low_from_dummy_when_its_hand_can_win(self) -> None:
        card = card_to(Seat.SOUTH, "AQ4.K85.AQJ5.J42", "K73.942.K42.QT85", _SOUTH_NOTRUMP, "QH", plays_dummy=True)
        assert card == "2H"

    def test_an_honour_of_dummy_is_covered_when_no_touching_card_lies_beside_it(self) -> None:
        # dummy leads the queen from Q-6-3, East holds K-7-5
        cards = "KH 5H 3H 7H 2H AH 4H 8H QD"
        card = card_to(Seat.EAST, "984.J43.K75.9532", "AK732.A5.Q63.J84", _SOUTH_NOTRUMP, cards)
        assert card == "KD"

    def test_the_first_of_touching_honours_is_not_covered(self) -> None:
        cards = "KH 5H 3H 7H 2H AH 4H 8H QD"
        card = card_to(Seat.EAST, "984.J43.K75.9532", "AK732.A5.QJ3.84T", _SOUTH_NOTRUMP, cards)
        assert card == "5D"


class TestThirdHand:
    @pytest.mark.parametrize(
        ("hearts", "expected"),
        [("K83", "KH"), ("QJ3", "JH"), ("A83", "AH")],
    )
    def test_plays_high_but_no_higher_than_needed(self, hearts: str, expected: str) -> None:
        hand = f"984.{hearts}.K752.953"
        card = card_to(Seat.EAST, hand, "KQ32.964.AQ4.J84", _SOUTH_NOTRUMP, "5H 4H")
        assert card == expected

    def test_does_not_play_over_partners_winner(self) -> None:
        assert card_to(Seat.EAST, "984.Q83.K752.953", "KQ32.964.AQ4.J84", _SOUTH_NOTRUMP, "AH 4H") == "3H"

    def test_keeps_the_card_that_stands_over_dummys_honour(self) -> None:
        assert card_to(Seat.EAST, "984.AJ3.K752.953", "KQ32.Q64.A84.J84", _SOUTH_NOTRUMP, "5H 4H") == "JH"

    def test_declarer_finesses_against_a_single_missing_honour(self) -> None:
        # South leads low to dummy's A-Q at trick two
        hand, dummy = "AK4.A85.T972.K42", "Q73.942.AQ43.QT8"
        card = card_to(Seat.SOUTH, hand, dummy, _SOUTH_NOTRUMP, "KH 2H 3H AH 2D 5D", plays_dummy=True)
        assert card == "QD"


class TestFourthHand:
    def test_wins_as_cheaply_as_possible(self) -> None:
        card = card_to(Seat.SOUTH, "AK4.AQJ5.9732.K4", "Q73.942.AQ43.QT8", _SOUTH_NOTRUMP, "6H 2H TH")
        assert card == "JH"

    def test_leaves_the_trick_to_partner(self) -> None:
        cards = "KH 5H 3H AH 2D KD 3D"
        card = card_to(Seat.EAST, "984.J43.A75.9532", "AK732.85.J63.J84", _SOUTH_NOTRUMP, cards)
        assert card == "5D"


class TestRuffs:
    def test_a_void_hand_ruffs_what_the_opponents_would_win(self) -> None:
        # East is out of clubs; South leads the king through dummy's small ones
        cards = "KH 5H 3H AH KC 8C 2C"
        card = card_to(Seat.EAST, "984.QJT93.A9752.-", "K732.85.J63.J742", _SOUTH_SPADES, cards)
        assert card == "4S"

    def test_partners_winner_is_not_ruffed(self) -> None:
        # West leads the ace of clubs, East is void
        card = card_to(Seat.EAST, "984.QJT93.A9752.-", "K732.85.J63.J742", _SOUTH_SPADES, "AC 2C")
        assert card[1] != "S"

    def test_a_discard_keeps_winners_and_guards(self) -> None:
        # at notrump East must discard on a club
        cards = "KH 5H 3H AH KC 8C 2C"
        card = card_to(Seat.EAST, "9842.J943.KQJT9.-", "K73.85.A63.J7542", _SOUTH_NOTRUMP, cards)
        assert card in ("2S", "4H")


class TestDeclarer:
    def test_draws_trumps_while_the_opponents_have_some(self) -> None:
        hand, dummy = "AKJ84.A3.K72.Q54", "Q732.85.AQ63.K82"
        assert card_to(Seat.SOUTH, hand, dummy, _SOUTH_SPADES, "KH 5H 3H AH")[1] == "S"

    def test_draws_no_more_trumps_than_there_are(self) -> None:
        hand, dummy = "AKJ84.A3.K72.Q54", "Q732.85.AQ63.K82"
        cards = "KH 5H 3H AH AS 5S 2S 9S KS 6S 3S TS"
        assert card_to(Seat.SOUTH, hand, dummy, _SOUTH_SPADES, cards)[1] != "S"

    def test_cashes_the_tricks_that_make_the_contract(self) -> None:
        hand, dummy = "AK4.A85.AKQJ.432", "Q73.942.5432.AK8"
        view = view_after(hand, _SOUTH_NOTRUMP)
        view.seat = Seat.SOUTH
        for text in ("KH", "2H", "3H", "AH"):
            view.add_card(parse_card(text))
            view.dummy_hand = view.dummy_hand or hand_of(dummy)
        card = PLAIN.choose_card(view, Seat.SOUTH)
        assert str(card) in ("AD", "KD", "QD", "JD", "AS", "KS")

    def test_holds_up_a_single_stopper_at_notrump(self) -> None:
        hand, dummy = "AK4.A85.QJT9.K42", "Q73.94.K432.QJ85"
        assert card_to(Seat.SOUTH, hand, dummy, _SOUTH_NOTRUMP, "KH 4H 3H") == "5H"

    def test_takes_the_stopper_when_the_tricks_are_there(self) -> None:
        hand, dummy = "AK4.A85.AKQJ.432", "Q73.94.5432.AK85"
        assert card_to(Seat.SOUTH, hand, dummy, _SOUTH_NOTRUMP, "KH 4H 3H") == "AH"


class TestDefence:
    def test_partners_suit_is_returned(self) -> None:
        # East wins the ace of diamonds and goes back to hearts, which West led
        cards = "5H 4H JH AH 2D 3D KD AD"
        card = card_to(Seat.EAST, "984.J83.A752.953", "KQ32.964.K84.J84", _SOUTH_NOTRUMP, cards)
        assert card[1] == "H"

    def test_the_setting_trick_is_cashed(self) -> None:
        # West has taken four hearts; its ace of spades is the fifth trick
        cards = "AH 2H 3H 4H KH 5H 6H 8H QH 4D 7H 9H JH 7D 2D 3D"
        card = card_to(Seat.WEST, "A842.AKQJ.973.84", "KQ3.52.K84.AJT97", _SOUTH_NOTRUMP, cards)
        assert card == "AS"
