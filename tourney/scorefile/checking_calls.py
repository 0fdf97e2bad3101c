"""The auction of a file, call by call against the rules (Laws 2017, Law 17 to 22)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.bridge import PASS, Auction, Contract, Seat
from tourney.formats.spellings import bare, read_call, read_seat
from tourney.formats.stated import Finding, Stated, StatedGame

_ALL_PASS = "AP"
_REST_UNKNOWN = ("*", "+")  # the rest is not known; the auction goes on (PBN 2.1 section 3.5)
_NO_TURN = "-"


@dataclass(frozen=True, slots=True)
class CheckedAuction:
    """What the auction comes to: neither a contract nor passed out where it cannot be followed to its end."""

    contract: Contract | None = None
    is_passed_out: bool = False
    findings: tuple[Finding, ...] = ()


def check_auction(game: StatedGame, dealer: Seat | None) -> CheckedAuction:
    """Follow the auction to its end, or to the first call that is wrong.

    A file that marks an irregularity (`^I`, `^S`; PBN 2.1 section 3.5) says itself that the rules were broken there:
    the auction is followed no further, and that is no finding.
    """
    if not game.calls:
        return CheckedAuction()
    tag = game.tags.get("auction")
    first = read_seat(tag.text) if tag is not None else None
    if tag is not None and first is None:
        return CheckedAuction(findings=(game.finding(f"an auction starts N, E, S or W, got {tag.quoted}", tag.line),))
    if first is None:
        first = dealer
    if first is None:
        return CheckedAuction(findings=(game.finding("it says nothing of the dealer", game.calls[0].line),))
    words = [Stated(text, word.line) for word in game.calls if (text := bare(word.text))]
    skipped = 0
    while skipped < len(words) and words[skipped].text == _NO_TURN:
        skipped += 1
    first = first.plus(skipped)
    findings = []
    if dealer is not None and first is not dealer:
        findings.append(
            game.finding(f"the dealer is {dealer.title}, the auction starts with {first.title}", game.calls[0].line)
        )
    auction = Auction(first)
    fault = _follow(auction, words[skipped:])
    if fault is not None:
        findings.append(game.finding(fault.text, fault.line))
    return CheckedAuction(auction.contract, auction.is_passed_out, tuple(findings))


def _follow(auction: Auction, words: Sequence[Stated]) -> Stated | None:
    """Make the calls; the first thing that is wrong, with its line."""
    for word in words:
        if word.text in _REST_UNKNOWN or word.text == _NO_TURN or word.text.startswith("^"):
            return None
        if word.text == _ALL_PASS and not auction.is_over:
            _pass_out(auction)
            continue
        call = read_call(word.text)
        if call is None:
            return Stated(f"a call is Pass, X, XX or 1C..7NT, got {word.quoted}", word.line)
        why = auction.why_illegal(call)
        if why is not None:
            return Stated(f"{auction.turn.title} may not call {call}: {why}", word.line)
        auction.add(call)
    if auction.is_over or not words:
        return None
    said = " ".join(map(str, auction.calls))
    _pass_out(auction)
    return Stated(f"the auction stops before it is over, after {said}", words[-1].line)


def _pass_out(auction: Auction) -> None:
    while not auction.is_over:
        auction.add(PASS)
