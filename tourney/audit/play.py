"""The calls and cards of one attempt gone through in the shortest way: what they make, if the rules allow every one.

What the rules say of a call or a card that they do not allow is no affair of this module: `BoardInPlay` tells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tourney.bridge import CALLS, RANKS, SEATS, Auction, Board, BoardInPlay, Call, Contract, Side
from tourney.errors import RuleError
from tourney.store.record.audit import Values

_CALLS: Final[dict[str, Call]] = {str(call): call for call in CALLS}
_LETTERS: Final = "".join(seat.letter for seat in SEATS)
_POWER: Final = {letter: power for power, letter in enumerate(RANKS, start=2)}
_TRUMP: Final = 20
"""More than an ace is above nothing."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the calls and cards of an attempt come to."""

    calls: int
    cards: int
    contract: Contract | None
    """None where the auction was passed out, or is not over."""
    is_passed_out: bool
    tricks: int
    """Of declarer's side, in the tricks that are complete."""
    spent_ms: dict[Side, int] | None
    """What their rows say that each side has thought; None where they say no such thing."""

    @classmethod
    def of(cls, in_play: BoardInPlay, spent_ms: dict[Side, int] | None) -> "Outcome":
        """That of a board on which all calls were made and all cards were played."""
        play, auction = in_play.play, in_play.auction
        return cls(
            len(auction.calls),
            len(play.cards) if play is not None else 0,
            in_play.contract,
            auction.is_passed_out,
            play.tricks_won if play is not None else 0,
            spent_ms,
        )


class DealtBoard:
    """A board as many attempts are held against it."""

    def __init__(self, board: Board) -> None:
        self.board: Final = board

    @cached_property
    def _holders(self) -> dict[str, int]:
        """Who holds each card, as a place in `SEATS`."""
        return {str(card): seat for seat in SEATS for card in self.board.deal[seat].cards}

    @cached_property
    def _lengths(self) -> list[dict[str, int]]:
        """How many cards of each suit are in each hand."""
        return [
            {suit: sum(str(card)[1] == suit for card in self.board.deal[seat].cards) for suit in "CDHS"}
            for seat in SEATS
        ]

    def go_through(self, calls: Sequence[Values], cards: Sequence[Values]) -> Outcome | None:
        """What rows of calls and cards make; None when any is not as the rules and its place would have it."""
        auction = Auction(self.board.dealer)
        spent = [0, 0]
        if calls:
            _, _, _, seqs, seats, texts, _, _, _, _, times, _, _, _ = zip(*calls, strict=True)
            if not (_are_in_order(seqs, times) and _call_all(auction, seats, texts)):
                return None
            _add_times(spent, seats, times)
        contract, tricks = auction.contract, 0
        if cards:
            _, _, _, seqs, seats, texts, times, _, _, _ = zip(*cards, strict=True)
            won = self._play_all(contract, seats, texts) if contract is not None else None
            if won is None or not _are_in_order(seqs, times):
                return None
            tricks = won
            _add_times(spent, seats, times)
        spent_ms = dict(zip((Side.NS, Side.EW), spent, strict=True))
        return Outcome(len(calls), len(cards), contract, auction.is_passed_out, tricks, spent_ms)

    def _play_all(self, contract: Contract, seats: Iterable[Any], texts: Iterable[Any]) -> int | None:
        """The tricks that declarer's side has won when these hands have played these cards; None where they may not.

        Law 44: each hand in turn, following suit where it can; the highest trump wins, else the highest of the suit.
        """
        held, lengths = self._holders.copy(), [suits.copy() for suits in self._lengths]
        trumps = contract.strain.letters
        declarers = contract.declarer % 2
        turn, place, led, best, winner, won = int(contract.leader), 0, "", 0, 0, 0
        for seat, text in zip(seats, texts, strict=True):
            if seat != _LETTERS[turn] or held.pop(text, None) != turn:
                return None
            rank, suit = text
            if place == 0:
                led, best = suit, 0
            elif suit != led and lengths[turn][led]:
                return None
            power = _POWER[rank] + _TRUMP if suit == trumps else _POWER[rank] if suit == led else 0
            lengths[turn][suit] -= 1
            if power > best:
                best, winner = power, turn
            if place < 3:
                place, turn = place + 1, (turn + 1) % 4
            else:
                place, turn = 0, winner
                won += winner % 2 == declarers
        return won


def _call_all(auction: Auction, seats: Iterable[Any], texts: Iterable[Any]) -> bool:
    """Make calls; whether these seats were in turn for them and might make them."""
    for seat, text in zip(seats, texts, strict=True):
        call = _CALLS.get(text)
        if call is None or seat != auction.turn.letter:
            return False
        try:
            auction.add(call)
        except RuleError:
            return False
    return True


def _are_in_order(seqs: tuple[Any, ...], times: tuple[Any, ...]) -> bool:
    """Whether rows are counted from 0 without a gap, and their times are times."""
    return seqs == tuple(range(len(seqs))) and set(map(type, times)) == {int} and min(times) >= 0


def _add_times(spent: list[int], seats: Iterable[str], times: Iterable[int]) -> None:
    for seat, thinking_ms in zip(seats, times, strict=True):
        spent[seat in "EW"] += thinking_ms
