"""A fast replay of the calls and cards of an attempt, for an audit that reads millions of them.

It only says whether the rules allow all of them, and what they come to. Which one is not allowed, and why, is said by
`BoardInPlay`, with which `tourney.audit.attempt` replays what fails here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Final

from tourney.bridge import CALLS, RANKS, SEATS, Auction, Board, BoardInPlay, Call, Contract, Side
from tourney.errors import RuleError
from tourney.store.record.audit import count_rows
from tourney.store.record.rows import Columns

_CALLS: Final[dict[str, Call]] = {str(call): call for call in CALLS}
_LETTERS: Final = "".join(seat.letter for seat in SEATS)
_POWER: Final = {letter: power for power, letter in enumerate(RANKS, start=2)}
_TRUMP: Final = 20
"""Added to a trump: more than the power of an ace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What the calls and cards of an attempt come to."""

    calls: int
    cards: int
    contract: Contract | None
    """None where the board was passed out or the auction is not over."""
    is_passed_out: bool
    tricks: int
    """Tricks won by declarer's side, complete tricks only."""
    spent_ms: dict[Side, int] | None
    """Thinking time of each side by the rows; None where a row has no valid one."""

    @classmethod
    def from_board(cls, in_play: BoardInPlay, spent_ms: dict[Side, int] | None) -> "Replay":
        """Take it from a board in play on which all the calls and cards have been made."""
        play, auction = in_play.play, in_play.auction
        return cls(
            calls=len(auction.calls),
            cards=len(play.cards) if play is not None else 0,
            contract=in_play.contract,
            is_passed_out=auction.is_passed_out,
            tricks=play.tricks_won if play is not None else 0,
            spent_ms=spent_ms,
        )


class DealtBoard:
    """A board as it was dealt, against which attempts are checked."""

    def __init__(self, board: Board) -> None:
        self.board: Final = board

    @cached_property
    def _holders(self) -> dict[str, int]:
        """The seat that was dealt each card."""
        return {str(card): seat for seat in SEATS for card in self.board.deal[seat].cards}

    @cached_property
    def _lengths(self) -> list[dict[str, int]]:
        """The number of cards of each suit in each hand."""
        return [
            {suit: sum(str(card)[1] == suit for card in self.board.deal[seat].cards) for suit in "CDHS"}
            for seat in SEATS
        ]

    def replay(self, calls: Columns, cards: Columns) -> Replay | None:
        """Replay calls and cards; return None when any is illegal or out of order."""
        auction = Auction(self.board.dealer)
        spent = [0, 0]
        if calls:
            seqs, seats, texts, _, _, _, _, times, _, _, _ = calls
            if not (_are_in_order(seqs, times) and _call_all(auction, seats, texts)):
                return None
            _add_times(spent, seats, times)
        contract, tricks = auction.contract, 0
        if cards:
            seqs, seats, texts, times, _, _, _ = cards
            won = self._play_all(contract, seats, texts) if contract is not None else None
            if won is None or not _are_in_order(seqs, times):
                return None
            tricks = won
            _add_times(spent, seats, times)
        spent_ms = dict(zip((Side.NS, Side.EW), spent, strict=True))
        return Replay(
            calls=count_rows(calls),
            cards=count_rows(cards),
            contract=contract,
            is_passed_out=auction.is_passed_out,
            tricks=tricks,
            spent_ms=spent_ms,
        )

    def _play_all(self, contract: Contract, seats: Iterable[Any], texts: Iterable[Any]) -> int | None:
        """Play cards from these hands and return the tricks of declarer's side; None where one may not be played.

        Law 44: each hand in turn, following suit if able; the highest trump wins, else the highest of the suit led.
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
    """Make calls; return whether each seat was in turn and its call legal."""
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
    """Return whether rows are numbered from 0 without a gap and their times are integers from 0."""
    return seqs == tuple(range(len(seqs))) and set(map(type, times)) == {int} and min(times) >= 0


def _add_times(spent: list[int], seats: Iterable[str], times: Sequence[int]) -> None:
    east_west = sum(compress(times, map("EW".__contains__, seats)))
    spent[0] += sum(times) - east_west
    spent[1] += east_west
