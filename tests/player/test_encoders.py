"""Vectors of what a seat knows, beside those of OpenSpiel and pgx."""

import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="the extra env is not installed")

import numpy as np

from tests.support.golden_figures import GOLDEN
from tourney.bridge import (
    SEATS,
    Board,
    BoardInPlay,
    Card,
    PlayerView,
    Seat,
    Side,
    Vulnerability,
    deal_from_seed,
    format_deal,
    parse_call,
    parse_card,
    parse_deal,
)
from tourney.player.encoders import ENCODERS

OPENSPIEL, PGX = ENCODERS["openspiel571"], ENCODERS["pgx480"]

STORED = GOLDEN / "encoders.json"
"""Positions with the tensor of each seat by open_spiel 2.0.2, in hexadecimal digits of its bits."""


@dataclass
class Position:
    """A board as far as it has come."""

    board: Board
    made: list[str]

    def play(self) -> BoardInPlay:
        in_play = BoardInPlay(self.board)
        for text in self.made:
            if in_play.in_auction:
                in_play.add_call(parse_call(text))
            else:
                in_play.add_card(parse_card(text))
        return in_play

    def view(self, seat: Seat) -> PlayerView:
        in_play = self.play()
        view = PlayerView(seat, 1, self.board.dealer, self.board.vulnerability, self.board.deal[seat])
        view.follow(in_play, {})
        return view

    def tensor(self, seat: Seat) -> Any:
        """What OpenSpiel has for the seat, on the board turned so that its dealer is player 0."""
        pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
        dealer = self.board.dealer
        of_game = {
            "use_double_dummy_result": False,
            "dealer_vul": self.board.vulnerability.includes(dealer.side),
            "non_dealer_vul": self.board.vulnerability.includes(dealer.side.other),
        }
        state = pyspiel.load_game("bridge", of_game).new_initial_state()
        hands = [self.board.deal[dealer.plus(player)].cards for player in range(4)]
        in_play = BoardInPlay(self.board)
        for number in range(52):
            state.apply_action(OPENSPIEL.number(hands[number % 4][number // 4]))
        for text in self.made:
            made = parse_call(text) if in_play.in_auction else parse_card(text)
            (in_play.add_call if in_play.in_auction else in_play.add_card)(made)  # type: ignore[arg-type]
            state.apply_action(OPENSPIEL.number(made))
        return np.array(state.observation_tensor((seat - dealer) % 4))


def positions(seed: int, count: int) -> Iterator[Position]:
    """Boards of any dealer and vulnerability after any number of legal calls and cards."""
    source = random.Random(seed)
    for number in range(count):
        board = Board(
            1, source.choice(SEATS), source.choice(list(Vulnerability)), deal_from_seed(seed, "encoders", number)
        )
        in_play, made = BoardInPlay(board), []
        for _ in range(source.randrange(60)):
            if in_play.is_over:
                break
            if in_play.in_auction:
                call = source.choice([in_play.auction.legal_calls()[0], *in_play.auction.legal_calls()[:8]])
                in_play.add_call(call)
                made.append(str(call))
            else:
                assert in_play.play is not None
                assert in_play.turn is not None
                card = source.choice(in_play.play.legal_from(board.deal[in_play.turn]))
                in_play.add_card(card)
                made.append(str(card))
        if not in_play.is_over:
            yield Position(board, made)


def bits(vector: Any) -> str:
    return np.packbits(np.asarray(vector).astype(bool)).tobytes().hex()


@pytest.mark.campaign
def test_five_thousand_positions_are_as_open_spiel_has_them() -> None:
    seed = random.randrange(2**32)
    for position in positions(seed, 1500):
        for seat in SEATS:
            ours = OPENSPIEL.encode(position.view(seat))
            assert np.array_equal(ours, position.tensor(seat)), (seed, position, seat)


@pytest.mark.campaign
def test_positions_of_auctions_are_as_pgx_has_them(tmp_path: Path) -> None:
    """Each is that of the seat to call: pgx takes the vulnerability of that seat for everybody."""
    pytest.importorskip("pgx", reason="pgx is not installed")
    import jax  # type: ignore[import-not-found]
    from pgx.bridge_bidding import BridgeBidding  # type: ignore[import-not-found]

    tables = tmp_path / "tables.npy"
    np.save(tables, np.zeros((2, 10, 4), np.int32))
    env = BridgeBidding(str(tables))
    init, step, seed, compared = jax.jit(env.init), jax.jit(env.step), random.randrange(2**32), 0
    for position in positions(seed, 400):
        board = position.board
        state = init(jax.random.PRNGKey(0))
        hands = [sorted(_card_of_pgx(card) for card in board.deal[seat].cards) for seat in SEATS]
        state = state.replace(
            _hand=jax.numpy.array(list(chain.from_iterable(hands)), dtype=state._hand.dtype),
            _dealer=jax.numpy.int32(board.dealer),
            _vul_NS=jax.numpy.bool_(board.vulnerability.includes(Side.NS)),
            _vul_EW=jax.numpy.bool_(board.vulnerability.includes(Side.EW)),
            current_player=state._shuffled_players[board.dealer],
        )
        in_play = BoardInPlay(board)
        for number, text in enumerate(position.made):
            in_play.add_call(parse_call(text))
            if not in_play.in_auction:
                break
            state = step(state, PGX.number(parse_call(text)))
            view = Position(board, position.made[: number + 1]).view(board.dealer.plus(number + 1))
            assert np.array_equal(PGX.encode(view), state.observation), (seed, position, number)
            compared += 1
    assert compared > 5000


def _card_of_pgx(card: Card) -> int:
    """The number of a card there: ace, two to king, from spades down."""
    return 13 * (3 - card.suit) + (0 if card.rank == 14 else card.rank - 1)


def test_stored_positions_are_as_open_spiel_has_them() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        rows = [
            [
                *(format_deal(each.board.deal), each.board.dealer.letter, each.board.vulnerability.value),
                *(" ".join(each.made), [bits(each.tensor(seat)) for seat in SEATS]),
            ]
            for each in positions(1, 40)
        ]
        STORED.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="ascii")
    for deal, dealer, vulnerability, made, tensors in json.loads(STORED.read_text(encoding="ascii")):
        board = Board(1, Seat.from_letter(dealer), Vulnerability(vulnerability), parse_deal(deal))
        position = Position(board, made.split())
        views = [position.view(seat) for seat in SEATS]
        assert [bits(OPENSPIEL.encode(view)) for view in views] == tensors
        if position.play().in_auction:
            assert all(np.array_equal(PGX.encode(view), OPENSPIEL.encode(view)[4:484]) for view in views)


def test_calls_and_cards_have_the_numbers_of_both_and_back() -> None:
    assert [OPENSPIEL.number(parse_call(text)) for text in ("Pass", "X", "XX", "1C", "7NT")] == [52, 53, 54, 55, 89]
    assert [PGX.number(parse_call(text)) for text in ("Pass", "X", "XX", "1C", "7NT")] == [0, 1, 2, 3, 37]
    assert [OPENSPIEL.number(parse_card(text)) for text in ("2C", "2D", "2S", "3C", "AS")] == [0, 1, 3, 4, 51]
    for encoder in (OPENSPIEL, PGX):
        for number in range(0 if encoder.plays else encoder.first_call, encoder.actions):
            assert encoder.number(encoder.made(number)) == number
