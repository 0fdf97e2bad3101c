"""The play of a file, card by card against the rules (Laws 2017, Law 44)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tourney.bridge import Contract, Deal, Play, Seat
from tourney.formats.spellings import bare, read_card, read_seat
from tourney.formats.stated import Finding, Stated, StatedGame

_REST_UNKNOWN = ("*", "+", "-")  # ended by a claim; goes on; a card not known (PBN 2.1 section 3.6)


@dataclass(frozen=True, slots=True)
class CheckedPlay:
    """How many tricks declarer's side can have won: `least` to `most`; `final` when all 52 cards are known."""

    least: int = 0
    most: int = 13
    final: int | None = None
    findings: tuple[Finding, ...] = ()


def check_play(game: StatedGame, deal: Deal | None, contract: Contract) -> CheckedPlay:
    """Follow the play to its last known card, or to the first that is wrong.

    A file that marks an irregularity (`^R`, `^L`; PBN 2.1 section 3.6) says itself that the rules were broken there:
    the play is followed no further, and that is no finding.
    """
    played = _check_cards(game, deal, contract)
    claim = game.tags.get("claim")
    if claim is None:
        return played
    tricks = int(claim.text) if re.fullmatch(r"[0-9]{1,2}", claim.text) else None
    if tricks is None or not played.least <= tricks <= played.most:
        text = f"the claim is of {played.least} to {played.most} tricks by the cards played, got {claim.quoted}"
        return replace(played, findings=(*played.findings, game.finding(text, claim.line)))
    return CheckedPlay(tricks, tricks, tricks, played.findings)


def _check_cards(game: StatedGame, deal: Deal | None, contract: Contract) -> CheckedPlay:
    if not game.tricks or deal is None:
        return CheckedPlay()
    tag = game.tags.get("play")
    first = read_seat(tag.text) if tag is not None else contract.leader
    if tag is not None and first is not contract.leader:
        text = f"the play starts with {tag.quoted}, the opening leader is {contract.leader.title}"
        return CheckedPlay(findings=(game.finding(text, tag.line),))
    columns = None if game.cards_in_order else contract.leader
    play, fault = _follow(game.tricks, deal, contract, columns)
    if fault is not None and columns is not None:
        other, other_fault = _follow(game.tricks, deal, contract, None)
        if other_fault is None:
            line = game.tricks[0][0].line
            fault = Stated("the cards of a trick stand in the order of play, not in columns by seat", line)
            play = other
    findings = (game.finding(fault.text, fault.line),) if fault is not None else ()
    lost = len(play.tricks) - play.tricks_won
    return CheckedPlay(play.tricks_won, 13 - lost, play.tricks_won if play.is_over else None, findings)


def _follow(
    tricks: Sequence[Sequence[Stated]], deal: Deal, contract: Contract, columns: Seat | None
) -> tuple[Play, Stated | None]:
    """Play the cards; the play, and the first thing that is wrong with its line."""
    play = Play(deal, contract)
    for word in _in_turn(tricks, play, columns):
        if play.is_over:
            return play, Stated(f"there are more than 13 tricks: {word.quoted}", word.line)
        card = read_card(word.text)
        if card is None:
            return play, Stated(f"a card is a suit and a rank, such as SA, got {word.quoted}", word.line)
        why = play.why_illegal(play.turn, card)
        if why is not None:
            return play, Stated(f"{play.turn.title} may not play {card}: {why}", word.line)
        play.add(card)
    return play, None


def _in_turn(tricks: Sequence[Sequence[Stated]], play: Play, columns: Seat | None) -> Iterator[Stated]:
    """The cards as their turn comes, up to the first that is not known. Looks at the play as it goes on."""
    for trick in tricks:
        words = [Stated(text, word.line) for word in trick if (text := bare(word.text))]
        if any(word.text.startswith("^") for word in words):
            return
        for place in range(len(words) if columns is None else 4):
            index = place if columns is None else (play.turn - columns) % 4
            if index >= len(words) or words[index].text in _REST_UNKNOWN:
                return
            yield words[index]
