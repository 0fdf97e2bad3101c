"""The auction and the play of a file, replayed call by call and card by card (Laws 2017, Laws 17 to 22 and 44)."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import PASS, Auction, Contract, Deal, Play, Seat
from tourney.errors import RuleError
from tourney.formats import lenient
from tourney.formats.unchecked import SourceText, UncheckedGame
from tourney.player.answers import find_call, find_card

_ALL_PASS: Final = "AP"
_AUCTION_UNKNOWN: Final = ("*", "+")  # the rest is not known; the auction continues (PBN 2.1 section 3.5)
_NO_TURN: Final = "-"
_PLAY_UNKNOWN: Final = ("*", "+", "-")  # ended by a claim; continues; an unknown card (PBN 2.1 section 3.6)


Note: TypeAlias = Callable[[str, int], None]
"""Takes a sentence on what is wrong, and its line."""


def check_auction(game: UncheckedGame, dealer: Seat | None, note: Note) -> Auction | None:
    """Follows the auction to its end, or to the first call that is wrong; None if the file has none to follow.

    If a file marks an irregularity (`^I`, `^S`; PBN 2.1 section 3.5), it says itself that the rules were broken
    there: the auction is followed no further, and nothing is reported.
    """
    if not game.calls:
        return None
    tag = game.tags.get("auction")
    first = lenient.parse_seat(tag.text) if tag is not None else dealer
    if first is None:
        if tag is not None:
            note(f"an auction starts N, E, S or W, got {tag.quoted}", tag.line)
        else:
            note("the dealer is not given", game.calls[0].line)
        return None
    words = [SourceText(text, word.line) for word in game.calls if (text := lenient.strip_annotations(word.text))]
    skipped = next((place for place, word in enumerate(words) if word.text != _NO_TURN), len(words))
    auction = Auction(first.plus(skipped))
    if dealer is not None and dealer is not auction.dealer:
        note(f"the dealer is {dealer.title}, the auction starts with {auction.dealer.title}", game.calls[0].line)
    fault = _follow_auction(auction, words[skipped:])
    if fault is not None:
        note(fault.text, fault.line)
    return auction


def _follow_auction(auction: Auction, words: Sequence[SourceText]) -> SourceText | None:
    """Makes the calls; returns the first thing that is wrong, with its line."""
    for word in words:
        if word.text in _AUCTION_UNKNOWN or word.text == _NO_TURN or word.text.startswith("^"):
            return None
        if word.text == _ALL_PASS and not auction.is_over:
            auction.pass_out()
            continue
        call = find_call(word.text)
        if call is None:
            return SourceText(f"a call is Pass, X, XX or 1C..7NT, got {word.quoted}", word.line)
        try:
            auction.add(call)
        except RuleError as error:
            return SourceText(str(error), word.line)
    if auction.is_over or not words:
        return None
    said = " ".join(map(str, auction.calls))
    if any(call is not PASS for call in auction.calls):
        auction.pass_out()  # what the contract would be, for a record that has a result; no board is passed out so
    return SourceText(f"the auction stops before it is over, after {said}", words[-1].line)


class CheckedPlay(NamedTuple):
    """The tricks declarer's side can have won, `least` to `most`; `final` if all 52 cards are known."""

    least: int = 0
    most: int = 13
    final: int | None = None


def check_play(game: UncheckedGame, deal: Deal | None, contract: Contract, note: Note) -> CheckedPlay:
    """Follows the play to its last known card, or to the first that is wrong.

    If a file marks an irregularity (`^R`, `^L`; PBN 2.1 section 3.6), it says itself that the rules were broken
    there: the play is followed no further, and nothing is reported.
    """
    played = _check_cards(game, deal, contract, note)
    claim = game.tags.get("claim")
    if claim is None:
        return played
    tricks = int(claim.text) if re.fullmatch(r"[0-9]{1,2}", claim.text) else None
    if tricks is None or not played.least <= tricks <= played.most:
        note(
            f"the claim is of {played.least} to {played.most} tricks by the cards played, got {claim.quoted}",
            claim.line,
        )
        return played
    return CheckedPlay(tricks, tricks, tricks)


def _check_cards(game: UncheckedGame, deal: Deal | None, contract: Contract, note: Note) -> CheckedPlay:
    if not game.tricks or deal is None:
        return CheckedPlay()
    tag = game.tags.get("play")
    if tag is not None and lenient.parse_seat(tag.text) is not contract.leader:
        note(f"the play starts with {tag.quoted}, the opening leader is {contract.leader.title}", tag.line)
        return CheckedPlay()
    columns = None if game.cards_in_order else contract.leader
    play, fault = _follow_play(game.tricks, deal, contract, columns)
    if fault is not None and columns is not None:
        other, other_fault = _follow_play(game.tricks, deal, contract, None)
        if other_fault is None:
            line = game.tricks[0][0].line
            fault = SourceText("the cards of a trick stand in the order of play, not in columns by seat", line)
            play = other
    if fault is not None:
        note(fault.text, fault.line)
    return CheckedPlay(play.tricks_won, 13 - play.tricks_lost, play.tricks_won if play.is_over else None)


def _follow_play(
    tricks: Sequence[Sequence[SourceText]], deal: Deal, contract: Contract, columns: Seat | None
) -> tuple[Play, SourceText | None]:
    """Plays the cards; returns the play, and the first thing that is wrong with its line."""
    play = Play(deal, contract)
    for word in _in_turn(tricks, play, columns):
        if play.is_over:
            return play, SourceText(f"there are more than 13 tricks: {word.quoted}", word.line)
        card = find_card(word.text)
        if card is None:
            return play, SourceText(f"a card is a suit and a rank, such as SA, got {word.quoted}", word.line)
        try:
            play.add(card)
        except RuleError as error:
            return play, SourceText(str(error), word.line)
    return play, None


def _in_turn(tricks: Sequence[Sequence[SourceText]], play: Play, columns: Seat | None) -> Iterator[SourceText]:
    """Yield the cards in turn, up to the first that is not known, reading `play` as it advances."""
    for trick in tricks:
        words = [SourceText(text, word.line) for word in trick if (text := lenient.strip_annotations(word.text))]
        if any(word.text.startswith("^") for word in words):
            return
        for place in range(len(words) if columns is None else 4):
            index = place if columns is None else (play.turn - columns) % 4
            if index >= len(words) or words[index].text in _PLAY_UNKNOWN:
                return
            yield words[index]
