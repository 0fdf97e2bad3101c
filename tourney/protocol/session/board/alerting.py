"""Manual alerting: after which calls the operator is asked what they mean (BC-25, BC-26).

`pauses_after` implements the list of version 18 under "Pausing for manual alerting", in the first variation: after
which calls the table waits for its operator. It is read so:

- Calls in parentheses are the opponents' of the pair that made the last call. As turns alternate, the last call of
  a line is the pair's own and every second one before it, so the order of the calls says the same as the parentheses.
- Passes before the first bid are dropped. A line without `>>` is then the whole auction, from the first bid on;
  `>>` stands for any calls before, or none.
- `X` and `Y` are suits, the same throughout a line, `X` the lower if a line has both. `B` is any suit,
  `N` notrump. `Z` is any call but a pass, each `Z` independently; `?` is any call, passes included.
- After a pass the table waits only in the two forms of `_PAUSE_AFTER_PASS`; after any other call it waits unless the
  call is in the lists: (1X) - 1N - (NB) - 2Y, which version 18 singles out, is in none of them, nor is an overcall
  at the one level or a notrump response to an opening.
- "Unless inverted minor raises are being used" governs all four raises below it, major suits included:
  the list makes no exception, and a needless pause costs the operator one key.
- The last line is printed 1X - (NB) - (1Y) - Dbl, two calls of the opponents in a row. The double that is called
  negative is responder's of an overcall, so the pass is taken for a slip; all other doubles remain outside the list.
"""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import DOUBLE, PASS, Bid, Call, Strain
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.rules import AlertMode, PairMethods, TableRules

_OFF: Final = AlertMode.OFF  # asked about after every call: see `tourney.protocol.session.table`
_PAUSE_AFTER_PASS: Final = (
    ">> Z - (Z) - pass",
    ">> Z - (?) - ? - (Z) - pass",
)
_NO_PAUSE: Final = (
    "1X",
    "1N",
    "1X - (NB) - 1Y",
    "1Y - (NB) - 2X",
    "(1Y) - 2X",
    "(1X) - Dbl",
    "1X - (1Y) - 1B",
    "1X - (1Y) - 1N",
    "1X - (Dbl) - 1Y",
    "1X - (Dbl) - 1N",
)
_NO_PAUSE_UNLESS_INVERTED_MINORS: Final = (
    "1X - (NB) - 2X",
    "1X - (1Y) - 2X",
    "1X - (1N) - 2X",
    "(1X) - 1Y - (NB) - 2Y",
)
_NO_PAUSE_UNLESS_NEGATIVE_DOUBLES: Final = ("1X - (1Y) - Dbl",)


def calls_to_ask(board: BoardState, rules: TableRules) -> list[int]:
    """Return the numbers of the calls to ask the operator about after the last call."""
    mode = rules.alerting
    if mode is _OFF:
        return []
    auction = board.in_play.auction
    seq = len(auction.calls) - 1
    if mode is AlertMode.KEYWORD:
        said = board.meaning_of(seq)
        return [seq] if said.alerted and not said.text else []
    if mode is AlertMode.AUCTION:
        asked = range(seq + 1) if auction.is_over else range(0)
    else:
        asked = range(seq, seq + 1)
    return [number for number in asked if _needs_explanation(board, rules, number)]


def _needs_explanation(board: BoardState, rules: TableRules, seq: int) -> bool:
    """Return whether a call is neither in the no-pause list nor explained by its player."""
    methods = rules.methods.get(board.history[seq].actor, PairMethods())
    return not board.meaning_of(seq).text and pauses_after(board.in_play.auction.calls[: seq + 1], methods)


def pauses_after(calls: Sequence[Call], methods: PairMethods) -> bool:
    """Return whether the table waits after a call until the operator has said whether it is alertable.

    Args:
        calls: the auction from the dealer's first call up to the call in question, at least one call, all legal.
        methods: the methods of the pair that made the last call.
    """
    first_bid = next((index for index, call in enumerate(calls) if isinstance(call, Bid)), len(calls))
    since_opening = calls[first_bid:]
    if calls[-1] is PASS:
        return _is_listed(_PAUSE_AFTER_PASS, since_opening)
    lines = list(_NO_PAUSE)
    if not methods.inverted_minors:
        lines += _NO_PAUSE_UNLESS_INVERTED_MINORS
    if not methods.negative_doubles:
        lines += _NO_PAUSE_UNLESS_NEGATIVE_DOUBLES
    return not _is_listed(lines, since_opening)


def _is_listed(lines: Sequence[str], calls: Sequence[Call]) -> bool:
    return any(_fits(line, calls) for line in lines)


def _fits(line: str, calls: Sequence[Call]) -> bool:
    """Return whether calls, the first of them a bid, match a line of the list."""
    words = [word.strip("()") for word in line.removeprefix(">> ").split(" - ")]
    if line.startswith(">>"):
        calls = calls[-len(words) :]
    suits: dict[str, Strain] = {}
    if len(words) != len(calls) or not all(_is(*pair, suits) for pair in zip(words, calls, strict=True)):
        return False
    return not {"X", "Y"} <= suits.keys() or suits["X"] < suits["Y"]


def _is(word: str, call: Call, suits: dict[str, Strain]) -> bool:
    """Return whether a call matches a word of a line; `suits` holds X, Y and B so far and is extended."""
    if word in ("?", "Z"):
        return word == "?" or call is not PASS
    if word in ("NB", "pass", "Dbl"):
        return call is (DOUBLE if word == "Dbl" else PASS)
    level, letter = int(word[0]), word[1]
    if not isinstance(call, Bid) or call.level != level:
        return False
    if letter == "N" or call.strain is Strain.NOTRUMP:
        return letter == "N" and call.strain is Strain.NOTRUMP
    return suits.setdefault(letter, call.strain) is call.strain
