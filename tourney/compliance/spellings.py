"""Spellings that tourney understands and other programs do not: what each is, and who refuses it.

What is known of the others was read in their sources and logs, or seen when they ran. A table manager that relays a
line as it came hands a player's spelling to the programs of the other players, so they are named too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Seat
from tourney.compliance.findings import Remark
from tourney.protocol.bluechip.player_lines import PlayerMessage, split_alert
from tourney.protocol.session.intents import CallIntent, CardIntent, LogOnIntent, Ready, ReadyFor

_RELAYED: Final = "where a line is relayed as it came"


@dataclass(frozen=True, slots=True)
class Spelling:
    """A tolerated spelling."""

    clause: str
    what: str
    """What the program does, as a sentence without its full stop."""
    refused: str
    """Who refuses it, as the rest of a sentence."""

    def remark(self, said: str) -> Remark:
        """Return the remark on a line that has it."""
        return Remark(self.clause, f"{self.what}, as in `{said}`: {self.refused}.")


CAPITALS: Final = Spelling(
    "BC-11",
    "It writes seats in capitals",
    f"BEN stops at them {_RELAYED}; OpenSpiel's interface takes nothing else",
)
SMALL: Final = Spelling(
    "BC-11",
    "It writes seats in small letters",
    f"BEN stops at them {_RELAYED}; OpenSpiel's interface takes capitals alone",
)
CALL_CASE: Final = Spelling(
    "BC-15",
    "It writes the words of calls in other letters than version 18 prints",
    "no program in use is known to refuse that where the seat has title case; OpenSpiel's interface takes `bids` in"
    " small letters alone, and the other calls in capitals",
)
SHORT_CALL: Final = Spelling(
    "BC-15",
    "It has other words for calls than `passes`, `doubles`, `redoubles` and `bids 1NT`",
    f"BEN, bridge_env and table-master-parser do not read them {_RELAYED}",
)
SUIT_FIRST: Final = Spelling(
    "BC-30",
    "It names the suit of a card before the rank",
    f"BEN, RoboBridge and table-master-parser read the rank first {_RELAYED}",
)
TEN: Final = Spelling(
    "BC-30",
    "It writes the ten as `10`",
    f"no program in use sends it; table-master-parser refuses it, and BEN reads it backwards {_RELAYED}",
)
CARD_CASE: Final = Spelling(
    "BC-30",
    "It writes cards in small letters",
    f"table-master-parser takes capitals alone {_RELAYED}; OpenSpiel's interface takes nothing else",
)
CARD_TEXT: Final = Spelling(
    "BC-30",
    "It says something after a card",
    f"bridge_env's client takes the text for the card {_RELAYED}; RoboTM relays it to version 19 alone",
)
DUMMYS_UNDER_OWN: Final = Spelling(
    "BC-33",
    "It plays dummy's cards under its own name",
    f"BEN and bridge_env's client wait for dummy's seat {_RELAYED}",
)
DUMMY_PLAYS: Final = Spelling(
    "BC-33", "It plays dummy's cards as `Dummy`", "Blue Chip's own table manager does not know that"
)
DUMMY_BY_SEAT: Final = Spelling(
    "BC-31",
    "It asks for dummy's cards by dummy's seat",
    "bridge_env's server takes `dummy's card` alone",
)
ALL_DUMMYS: Final = Spelling(
    "BC-31",
    "As dummy it asks for everybody's cards as `dummy's`",
    "RoboTM and bridge_env's server wait for the line with the seat",
)
TRICK: Final = Spelling(
    "BC-31",
    "It asks for a card of a trick by another number",
    "RoboTM and bridge_env's server compare the whole line",
)
BLANKS: Final = Spelling(
    "BC-01",
    "It puts several blanks between words",
    "RoboTM makes one of two blanks, not of more; OpenSpiel's interface compares exactly",
)
APOSTROPHE: Final = Spelling(
    "BC-01", "It writes a typographic apostrophe", "RoboTM and bridge_env's server compare with the straight one"
)
STOP_AFTER_READY: Final = Spelling(
    "BC-01",
    "It ends lines in a full stop",
    "Blue Chip's own table manager, bridge_env's and Brdge-Bot's refuse ready lines that have one",
)
STOP_AFTER_CALL: Final = Spelling(
    "BC-15",
    "It ends calls in a full stop",
    f"Blue Chip's own table manager refuses them, and BEN and bridge_env's client do {_RELAYED}",
)
STOP_AFTER_VERSION: Final = Spelling(
    "BC-05", "It ends its log-on in a full stop", "Blue Chip's own table manager refuses lines that have one"
)
VERSION_19: Final = Spelling(
    "BC-08", "It logs on with version 19", "RoboTM takes that too, bridge_env's server only 18"
)
ANY_SEAT: Final = Spelling("BC-52", "It asks for any seat", "RoboTM refuses `ANYPL`")
TIGHT_ALERT: Final = Spelling(
    "BC-17",
    "It puts no blanks around `Alert.` or `Infos.`",
    f"BEN looks for a word of its own {_RELAYED}",
)
BARE_ALERT: Final = Spelling(
    "BC-17",
    "A bare `Alert.` tells nothing, and is relayed to nobody here",
    f"WBridge5 waits for some five minutes when it is the next to call {_RELAYED}",
)

_VERBS: Final = frozenset({"passes", "doubles", "redoubles", "bids"})
_PRINTED_BID: Final = re.compile(r"[1-7]([SHDC]|NT)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class InPlay:
    """What has to be known of the play to judge how a card is named or asked for."""

    dummy: Seat
    hand: Seat
    """The hand in turn."""
    trick: int
    """The number of the trick, from 1."""


def spellings_of(message: PlayerMessage, text: str, play: InPlay | None) -> Iterator[Spelling]:
    """List the tolerated spellings of a line that has been accepted.

    Args:
        message: the line as it was understood.
        text: the line as it came.
        play: the play, if a card is in turn.
    """
    words = text.split()
    if isinstance(message, LogOnIntent):
        yield from _of_log_on(message, words, text)
    else:
        yield from _of_seat(words[0])
    head = split_alert(text)[0].strip() if isinstance(message, CallIntent) else text
    if "  " in head and not isinstance(message, LogOnIntent):
        yield BLANKS
    if "\N{RIGHT SINGLE QUOTATION MARK}" in text or "\x92" in text:
        yield APOSTROPHE
    match message:
        case Ready():
            if text.endswith("."):
                yield STOP_AFTER_READY
            yield from _of_request(message, play)
        case CallIntent():
            yield from _of_call(message, head, text)
        case CardIntent():
            yield from _of_card(message, words, play)
        case _:
            pass


def _of_seat(word: str) -> Iterator[Spelling]:
    if word.isupper():
        yield CAPITALS
    elif word != word.title():
        yield SMALL


def _of_log_on(message: LogOnIntent, words: list[str], text: str) -> Iterator[Spelling]:
    if message.any_seat:
        yield ANY_SEAT
    else:
        yield from _of_seat(message.seat_word)
    if message.version == 19:
        yield VERSION_19
    if text.endswith(".") and words[-1].rstrip(".").isdecimal():
        yield STOP_AFTER_VERSION


def _of_request(message: Ready, play: InPlay | None) -> Iterator[Spelling]:
    if message.what is not ReadyFor.CARD or play is None:
        return
    if message.whose is play.dummy:
        yield DUMMY_BY_SEAT
    elif message.whose is None and play.hand is not play.dummy:
        yield ALL_DUMMYS
    if message.trick not in (None, play.trick):
        yield TRICK


def _of_call(message: CallIntent, head: str, text: str) -> Iterator[Spelling]:
    words = head.split()
    verb = words[1].rstrip(".")
    if verb.lower() not in _VERBS or (
        verb.lower() == "bids" and not (len(words) == 3 and _PRINTED_BID.fullmatch(words[2].rstrip(".")))
    ):
        yield SHORT_CALL
    elif verb != verb.lower() or words[2:] != [word.upper() for word in words[2:]]:
        yield CALL_CASE
    if message.alerted and not message.text:
        yield BARE_ALERT
    elif head.endswith(".") and not message.text:
        yield STOP_AFTER_CALL
    elif message.text and not re.search(r" (Alert|Infos)\. ", text, re.IGNORECASE):
        yield TIGHT_ALERT


def _of_card(message: CardIntent, words: list[str], play: InPlay | None) -> Iterator[Spelling]:
    said = words[2].partition(".")[0]
    if "10" in said:
        yield TEN
    rank, suit = said.replace("10", "T")[0], said.replace("10", "T")[-1]
    if rank.upper() in "SHDC" and suit.upper() not in "SHDC":
        yield SUIT_FIRST
    if said != said.upper():
        yield CARD_CASE
    if message.text:
        yield CARD_TEXT
    if message.seat is None:
        yield DUMMY_PLAYS
    elif play is not None and message.seat is not play.hand:
        yield DUMMYS_UNDER_OWN
