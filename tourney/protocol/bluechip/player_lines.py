"""Lines from players, parsed to intents (BC-05, BC-06, BC-12 to BC-19, BC-30 to BC-33).

Parsing is lenient: any case, any blanks, a final full stop, and the other forms that real programs send. No line
raises: one that is not understood is a `BadLine`, with the reason. Only a player's own words, such as the text of an
alert or the name of its team, may have letters outside ASCII.
"""

import re
import unicodedata
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import BIDS, DOUBLE, PASS, REDOUBLE, Call, Seat
from tourney.bridge.cards import CARD_SPELLINGS
from tourney.protocol.lines import decode_line, straighten
from tourney.protocol.session.intents import (
    BadLine,
    CallIntent,
    CardIntent,
    ClaimAnswerIntent,
    ClaimIntent,
    LogOnIntent,
    Ready,
    ReadyFor,
)
from tourney.protocol.wires import VERSIONS

ANY_SEAT: Final = "ANYPL"
"""What WBridge5 sends for "any seat" (BC-52)."""


class Courtesy(NamedTuple):
    """A line of older versions that needs no answer, such as `North received dummy`."""

    seat: Seat


PlayerMessage: TypeAlias = (
    LogOnIntent | Ready | CallIntent | CardIntent | ClaimIntent | ClaimAnswerIntent | Courtesy | BadLine
)

SEAT_WORDS: Final = {seat.title.lower(): seat for seat in Seat}
_ACTIONS: Final = {
    "passes": PASS,
    "pass": PASS,
    "doubles": DOUBLE,
    "double": DOUBLE,
    "x": DOUBLE,
    "redoubles": REDOUBLE,
    "redouble": REDOUBLE,
    "xx": REDOUBLE,
}
_BIDS: Final = {str(bid).lower(): bid for bid in BIDS} | {str(bid).lower().removesuffix("t"): bid for bid in BIDS}
_PLAIN_READY: Final = {
    "for teams": ReadyFor.TEAMS,
    "to start": ReadyFor.START,
    "for deal": ReadyFor.DEAL,
    "for cards": ReadyFor.CARDS,
    "for dummy": ReadyFor.DUMMY,
}

_ALERT: Final = re.compile(r"(?P<alert>alert\.)|infos\.", re.IGNORECASE | re.ASCII)


def read_player_line(line: bytes) -> PlayerMessage:
    """Parse a received line without its line end.

    Raises:
        FormatError: it has a control character, as for `decode_line`.
    """
    return parse_player_line(decode_line(line))


def parse_player_line(line: str) -> PlayerMessage:
    """Parse a player's line; `line` is printable and without its line end."""
    words = straighten(line).split()
    if not words:
        return BadLine("the line is empty")
    first = words[0].lower()
    if first.startswith("connecting"):
        return _parse_connecting(line)
    seat = SEAT_WORDS.get(first)
    if seat is None and first != "dummy":
        return BadLine(f"a line begins with Connecting or with a seat, got {words[0][:40]!a}")
    if len(words) == 1:
        return BadLine("nothing follows the seat")
    verb = words[1].lower().rstrip(".")
    if verb == "plays":
        return _parse_card(seat, line.split())
    if seat is None:
        return BadLine("only a card can be played by Dummy")
    if verb == "ready":
        return _parse_ready(seat, words)
    if verb == "received":
        return Courtesy(seat)
    if verb == "claims" and len(words) == 2:
        return ClaimIntent(seat)
    if verb in ("accepts", "rejects"):
        return _parse_claim_answer(seat, verb, words)
    return _parse_call(seat, line)


def _parse_ready(seat: Seat, words: list[str]) -> PlayerMessage:
    tail = " ".join(words[2:]).lower().rstrip(".").rstrip()
    plain = _PLAIN_READY.get(tail)
    if plain is not None:
        return Ready(seat, plain)
    whose_text, found, rest = tail.removeprefix("for ").partition("'s ")
    whose = SEAT_WORDS.get(whose_text)
    if found and (whose is not None or whose_text == "dummy"):
        if rest == "bid" and whose is not None:
            return Ready(seat, ReadyFor.CALL, whose)
        if rest == "card":
            return Ready(seat, ReadyFor.CARD, whose)
        number = rest.removeprefix("card to trick ")
        # The server matches the hand, not the number: programs in use say "trick 0" for the opening lead.
        if number != rest and number.isascii() and number.isdecimal() and len(number) <= 2:
            return Ready(seat, ReadyFor.CARD, whose, int(number))
    return BadLine(f"ready for {tail[:60]!a} is not known")


def _parse_claim_answer(seat: Seat, verb: str, words: list[str]) -> PlayerMessage:
    tail = " ".join(words[2:]).lower().rstrip(".")
    whose, found, rest = tail.partition("'s ")
    claimant = SEAT_WORDS.get(whose)
    if not found or rest != "claim" or claimant is None:
        return BadLine(f"an answer to a claim is: {seat.title} {verb} South's claim")
    return ClaimAnswerIntent(seat, claimant, verb == "accepts")


def _parse_call(seat: Seat, line: str) -> PlayerMessage:
    body, alerted, text = split_alert(line)
    words = body.split()
    verb = words[1].lower().rstrip(".") if len(words) > 1 else ""
    call: Call | None = _ACTIONS.get(verb) if len(words) == 2 else None
    if verb == "bids":
        said = words[2:]
        if len(said) == 2 and said[1].endswith(".") and said[0].lower() in _BIDS:
            said.pop()  # a remark such as `Rescue.`, which a program in use adds: not an alert
        bid = "".join(said).lower().rstrip(".")
        call = _BIDS.get(bid) or _ACTIONS.get(bid)
    if call is None:
        return BadLine(f"{' '.join(words[1:])[:60]!a} is no call, card or request")
    return CallIntent(seat, call, alerted, text)


def split_alert(line: str) -> tuple[str, bool, str]:
    """Split a call line at its first `Alert.` or `Infos.`: the call, whether it is alerted, the information."""
    found = _ALERT.search(line)
    if found is None:
        stripped = line.rstrip(" .")
        # `North bids 2D Alert`, the bare keyword of manual alerting (BC-25).
        if stripped[-6:].lower() in (" alert", ".alert"):
            return stripped[: -len("alert")], True, ""
        return line, False, ""
    text = line[found.end() :].strip()
    return line[: found.start()], found["alert"] is not None, text if text.strip(" .") else ""


def _parse_card(seat: Seat | None, words: list[str]) -> PlayerMessage:
    said, stop, text = " ".join(words[2:]).partition(".")
    name = said.partition(" ")[0]
    card = CARD_SPELLINGS.get(name.upper()) if name.isascii() else None
    if card is None:
        return BadLine(f"{' '.join(words[2:])[:40]!a} is no card: rank and suit, such as QD")
    return CardIntent(seat, card, text.strip(" .") if stop else "")


def _parse_connecting(line: str) -> LogOnIntent | BadLine:
    """Parse a log-on line: `Connecting "Team" as North using protocol version 18` (BC-05).

    Text after the number is the player's system; old programs put a full stop after the number. Without `as` and a
    seat, the log-on has no seat.
    """
    form = 'a log-on is: Connecting "Team" as North using protocol version 18'
    _, quote, rest = line.partition('"')
    team, closing, tail = rest.partition('"')
    if not quote or not closing:
        return BadLine(f"{form}; the team name stands in double quotes", is_log_on=True)
    words = tail.split()
    lower = [word.lower() for word in words]
    using = lower.index("using") if "using" in lower else 0
    if lower[using : using + 3] != ["using", "protocol", "version"] or len(words) < using + 4:
        return BadLine(form, is_log_on=True)
    if using and lower[0] != "as":
        return BadLine(form, is_log_on=True)
    number = words[using + 3].rstrip(".")
    if not number.isascii() or not number.isdecimal() or len(number) > 4:
        return BadLine(f"the protocol version is a number, got {number[:20]!a}", is_log_on=True)
    seat_word = " ".join(words[1:using])
    version = int(number)
    return LogOnIntent(
        team=" ".join(unicodedata.normalize("NFC", team).split()),
        seat=SEAT_WORDS.get(seat_word.lower()),
        any_seat=seat_word.upper() == ANY_SEAT,
        seat_word=seat_word,
        version=version,
        system=" ".join(words[using + 4 :]),
        why_not="" if version in VERSIONS else f"protocol version {version} is not spoken here, only 18 and 19",
    )


def format_connecting(team: str, seat: Seat | None, version: int, system: str = "") -> str:
    """Format a player's log-on (BC-05); without a seat it asks for any (BC-52)."""
    place = seat.title if seat is not None else ANY_SEAT
    line = f'Connecting "{team}" as {place} using protocol version {version}'
    return f"{line} {system}" if system else line
