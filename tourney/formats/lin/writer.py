"""Writes LIN, the format of Bridge Base: a vugraph file of a match, and single boards for hand viewers.

The format has no specification; this keeps to what vugraph files have and common readers accept. A file
is a row of `key|value|` pairs, in ASCII. Seats go from South: `pn` and `md` have South, West, North, East, and a
dealer is 1 for South to 4 for East. Hands, calls and cards are in capitals, `p`, `d`, `r` are pass, double and
redouble, `!` behind a call alerts it and `an` explains it, `mc` has the tricks of declarer's side after a claim.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tourney.bridge import SUITS_DOWN, Action, Board, Call, Card, Hand, Result, Seat, Vulnerability
from tourney.formats.ascii import printable, to_ascii

_FROM_SOUTH: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
_VULNERABILITIES: Final = dict(zip(Vulnerability, "oneb", strict=True))
_ACTIONS: Final = dict(zip(Action, "pdr", strict=True))
"""Letters for none, North-South, East-West and both; for pass, double and redouble."""
_SUIT_SIGNS: Final = str.maketrans(dict(zip("♠♥♦♣", "SHDC", strict=True)))
_NO_SUIT_SIGN: Final = re.compile(r"!(?=[SHDCshdc])")


@dataclass(frozen=True, slots=True)
class LinCall:
    """A call; `explanation` is empty if there is none, whether or not the call was alerted."""

    call: Call
    is_alerted: bool = False
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinGame:
    """One board as it was played in one room."""

    board: Board
    names: tuple[str, ...]
    """`names[seat]`: the program, or the team, that sat there."""
    calls: tuple[LinCall, ...]
    """The calls, starting with the dealer's."""
    cards: tuple[Card, ...]
    """The cards, in the order of play."""
    result: Result | None
    """None if the board has no result; its cards are then omitted, since readers assume that the play is complete."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinMatch:
    """A match, or the part of it played so far."""

    title: str
    segment: str
    """The part of the event it belongs to: a round or a session."""
    teams: tuple[str, str]
    """The names of the teams, first the one that sits North-South in the open room."""
    scoring: str = "I"
    """How it is scored: I for IMPs, P for matchpoints, B for board-a-match."""
    scores_before: tuple[str, str] = ("0", "0")
    """What each of them begins with: IMPs carried over and those of the parts before."""
    names: tuple[tuple[str, ...], tuple[str, ...]]
    """The names by seat, in the open and the closed room."""
    boards: tuple[int, ...]
    """Numbers of all its boards, in the order of play; at least one."""
    games: tuple[tuple[LinGame | None, LinGame | None], ...]
    """Each board that is shown, the open room's game first; None for a room in which it was not started."""


def format_vugraph(match: LinMatch) -> str:
    """Formats the match as one vugraph file: a heading, then each board in both rooms.

    In the heading are title, segment, scoring, first and last board, and both teams with the IMPs they begin with
    (`vg`; viewers take the first team for North-South in the open room), two results a board of the match, in the
    open and the closed room, empty without one (`rs`), and the names (`pn`).
    A pair of a board says the room and the number (`qx|o7|`).
    """
    title, segment, first, second = (_name(text) for text in (match.title, match.segment, *match.teams))
    first_begins, second_begins = map(_name, match.scores_before)
    shown = {game.board.number: pair for pair in match.games for game in pair if game is not None}
    results = [
        "" if game is None else _result(game.result)
        for number in match.boards
        for game in shown.get(number, (None, None))
    ]
    names = ",".join(_names(names) for names in match.names)
    lines = [
        f"vg|{title},{segment},{match.scoring},{match.boards[0]},{match.boards[-1]},"
        f"{first},{first_begins},{second},{second_begins}|",
        f"rs|{','.join(results)}|",
        f"pn|{names}|pg||",
    ]
    for pair in match.games:
        for room, game in zip("oc", pair, strict=True):
            if game is not None:
                calls = f"{''.join(_auction(game.calls))}pg||"
                lines += [f"qx|{room}{game.board.number}|{_deal(game)}", calls, *_play(game)]
    return "".join(f"{line}\n" for line in lines)


def format_lines(games: Iterable[LinGame]) -> str:
    """Formats each game as one line for a hand viewer, names included."""
    return "".join(f"{format_line(game)}\n" for game in games)


def format_line(game: LinGame) -> str:
    """Formats one game as one line, without its end."""
    pairs = (_deal(game), *_auction(game.calls), "pg||", *_play(game))
    return f"pn|{_names(game.names)}|{''.join(pairs)}"


def _deal(game: LinGame) -> str:
    board = game.board
    hands = ",".join(_hand(board.deal[seat]) for seat in _FROM_SOUTH)
    dealer = _FROM_SOUTH.index(board.dealer) + 1
    vulnerability = _VULNERABILITIES[board.vulnerability]
    return f"st||md|{dealer}{hands}|rh||ah|Board {board.number}|sv|{vulnerability}|"


def _hand(hand: Hand) -> str:
    """Formats every suit with its letter, including voids: `SAKT4HQJDC9876542`."""
    return "".join(suit.letter + hand.suit_letters(suit) for suit in SUITS_DOWN)


def _auction(calls: Iterable[LinCall]) -> Iterator[str]:
    for made in calls:
        text = _ACTIONS[made.call] if isinstance(made.call, Action) else str(made.call)[:2]  # `1N`
        yield f"mb|{text}{'!' if made.is_alerted else ''}|"
        explanation = _explanation(made.explanation)
        if explanation:
            yield f"an|{explanation}|"


def _play(game: LinGame) -> Iterator[str]:
    """Yields a page for each trick, then the claim."""
    if game.result is None:
        return
    for start in range(0, len(game.cards), 4):
        yield "".join(f"pc|{card.pbn}|" for card in game.cards[start : start + 4]) + "pg||"
    if game.result.contract is not None and len(game.cards) < 52:
        yield f"mc|{game.result.tricks}|pg||"


def _result(result: Result | None) -> str:
    """Formats a result: `4HE=`, `3NW+1`, `4SWx-4`, `PASS`; empty without one."""
    if result is None:
        return ""
    contract = result.contract
    if contract is None:
        return "PASS"
    bid = f"{contract.level}{contract.strain.letters[0]}"
    return f"{bid}{contract.declarer.letter}{'x' * contract.doubled}{contract.format_over(result.tricks)}"


def _names(names: Sequence[str]) -> str:
    return ",".join(_name(names[seat]) for seat in _FROM_SOUTH)


def _name(text: str) -> str:
    """Formats text for a list of texts: without commas."""
    return _value(text.translate(_SUIT_SIGNS).replace(",", ";"))


def _explanation(text: str) -> str:
    """Formats an explanation; suit symbols become `!S` and the like, and no other text can look like one."""
    shown = _NO_SUIT_SIGN.sub("! ", text)
    for sign, letter in zip("♠♥♦♣", "SHDC", strict=True):
        shown = shown.replace(sign, f"!{letter}")
    return _value(shown)


def _value(text: str) -> str:
    """Converts text to ASCII, on one line, without the delimiter."""
    value = " ".join(printable(to_ascii(text).replace("|", "/")).split())
    # At least one reader takes `pn|` at the end of any value for the names of the next board.
    return f"{value}." if value.endswith("pn") else value
