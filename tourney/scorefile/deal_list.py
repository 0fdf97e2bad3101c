"""Reads the deals of a game at one table: from a list with one deal a line, or from PBN.

A line of the list has declarer or the side that declares, the contract and the tricks that declarer's side won:
`N 4SX 9`, `EW 3NT 10`; `pass` for a deal that was passed out; at Minibridge `S part H 8`. After these may follow, in
any order, `honours EW 150`, `hcp NS 23`, `fit NS S 9` (or `fit NS none`) and `vul NS`; at Minibridge with overcalls
`calls`, and after it the calls from the dealer on: `calls pass open 2S 3C pass`. A `#` begins a comment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Contract, Result, Seat, Side, Strain, Vulnerability
from tourney.bridge.minibridge import HCP_IN_DECK, MinibridgeContract, contract_at_level
from tourney.bridge.slips import OPEN, SlipAuction, SlipCall
from tourney.errors import FormatError, RuleError
from tourney.formats import lenient
from tourney.formats.unchecked import TEXT_LENGTH_MAX
from tourney.scorefile.checking import CheckedGame
from tourney.scorefile.matches import FileRecord
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.ledger import (
    ALL_HONOURS,
    FOUR_HONOURS,
    NO_POINTS,
    PlayedDeal,
    SidePoints,
    find_honours,
    hcp_of_ns,
)
from tourney.scoring.targets import FIT_CARDS, Fit, find_fits

DEALS_MAX: Final = 10_000
"""The most deals of a list; far above what anybody plays, it limits the time per file."""

_SIDES: Final = {
    **dict.fromkeys(("N", "S", "NS", "WE", "NORTH", "SOUTH"), Side.NS),
    **dict.fromkeys(("E", "W", "EW", "THEY", "EAST", "WEST"), Side.EW),
}
"""The words for sides; `WE` and `THEY` are the columns of a score sheet."""

_STRAINS: Final = {**{strain.letters: strain for strain in Strain}, "N": Strain.NOTRUMP}
_SUITS_OF_FIT: Final = {"S": True, "H": True, "D": False, "C": False, "MAJOR": True, "MINOR": False}
"""Whether the suit of a fit is a major, by its word."""

_COUNTED_POINTS: Final = re.compile(r"NS (-?[0-9]{1,6}) EW (-?[0-9]{1,6})")
"""What the tag Counted has where a ruling gives points in place of a result."""

_FORM: Final = "a line looks like 'N 4SX 9', 'W 3NT 10 honours EW 150' or 'pass'"
_MINIBRIDGE_FORM: Final = "a line looks like 'N part S 8', 'W game NT 9' or 'pass'"


@dataclass(frozen=True, slots=True)
class ListedDeal:
    """A deal of a file. `by` is declarer or the declaring side, as the file has it; empty if it was passed out."""

    line: int
    by: str
    deal: PlayedDeal
    awarded: SidePoints | None = None
    """What a ruling gives both sides in place of what the deal is worth."""
    at_table: PlayedDeal | None = None
    """What was played, where a ruling has something else count; None where it is what counts."""
    calls: tuple[SlipCall, ...] = ()
    """At Minibridge with overcalls: the calls from the dealer on; empty if the file does not give them."""

    def check_calls(self, dealer: Seat) -> None:
        """Check that the calls, if there are any, are legal and lead to the contract.

        Raises:
            RuleError: they are not, or do not.
        """
        if not self.calls:
            return
        auction = SlipAuction(dealer)
        for call in self.calls:
            auction.add(call)
        if auction.turn is not None:
            raise RuleError(f"the calls end before the bidding does, {auction.turn.title} is in turn")
        called, contract = auction.contract, self.deal.contract
        is_side = len(self.by) != 1
        if called is not None and contract is not None and is_side and called.declarer.side is contract.declarer.side:
            called = replace(called, declarer=contract.declarer)
        if called != contract:
            by_calls = f"{called} by {called.declarer.title}" if called is not None else "none"
            raise RuleError(f"by the calls the contract is {by_calls}")


@dataclass(frozen=True, slots=True, kw_only=True)
class DealListRules:
    """How a file is read for a game."""

    is_minibridge: bool = False
    honours_from_cards: bool = False
    """Whether honours are found in the hands where the file has them; a list states its honours."""
    counts_honours: bool = True
    """Whether honours that a list states count."""
    has_overcalls: bool = False
    """Whether it is Minibridge with overcalls, of which a list may state the calls."""


def read_list(name: str, text: str, rules: DealListRules) -> list[ListedDeal]:
    """Return the deals of a list, in its order.

    Raises:
        FormatError: it cannot be read, or it has no deal or too many.
    """
    deals: list[ListedDeal] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        if len(deals) == DEALS_MAX:
            raise FormatError(f"{name}: the most deals that are read are {DEALS_MAX}, line {number} has another")
        try:
            deals.append(_Line(number, words, rules).read())
        except (FormatError, RuleError) as error:
            raise FormatError(f"{name} line {number}: {error}") from None
    if not deals:
        form = _MINIBRIDGE_FORM if rules.is_minibridge else _FORM
        raise FormatError(f"{name} has no deal: {form}")
    return deals


class _Line:
    """A line of the list, read word by word."""

    def __init__(self, number: int, words: Sequence[str], rules: DealListRules) -> None:
        self._number = number
        self._text = " ".join(words)
        self._words = list(words)
        self._rules = rules

    def read(self) -> ListedDeal:
        by, contract, tricks = "", None, 0
        first = self._next()
        if not lenient.is_passed_out(first):
            by = first.upper()
            side = _SIDES.get(by)
            if side is None:
                raise self._not_understood()
            declarer = Seat.from_letter(by[0]) if len(by) == 1 else Seat.NORTH if side is Side.NS else Seat.EAST
            contract = self._contract(declarer)
            tricks = self._figure("the number of tricks", 0, 13)
        honours, hcp_ns, vulnerability = NO_POINTS, None, None
        fits: dict[Side, Fit] = {}
        calls: tuple[SlipCall, ...] = ()
        seen: set[str] = set()
        while self._words:
            word = self._next().lower()
            if word in seen:
                raise FormatError(f"each addition is given once, got {word!r} twice")
            seen.add(word)
            match word:
                case "honours" | "honors":
                    honours = self._honours()
                case "hcp":
                    hcp_ns = self._hcp()
                case "vul" | "vulnerable":
                    vulnerability = self._vulnerability()
                case "fit":
                    fits = self._fit()
                case "calls" if self._rules.has_overcalls:
                    calls = self._calls()
                case _:
                    names = (
                        "honours, hcp, fit, vul or calls" if self._rules.has_overcalls else "honours, hcp, fit or vul"
                    )
                    raise FormatError(f"after the tricks come {names}, got {_quote(word)}")
        deal = PlayedDeal(
            contract=contract,
            tricks=tricks,
            honours=honours if self._rules.counts_honours else NO_POINTS,
            hcp_ns=hcp_ns,
            fits=fits,
            vulnerability=vulnerability,
        )
        return ListedDeal(self._number, by, deal, calls=calls)

    def _contract(self, declarer: Seat) -> Contract | MinibridgeContract:
        word = self._next()
        if self._rules.is_minibridge and word.lower() in ("part", "game"):
            strain = _STRAINS.get(self._next().upper())
            if strain is None:
                raise self._not_understood()
            return MinibridgeContract(strain, word.lower() == "game", declarer)
        found = lenient.parse_contract(word)
        if found is None:
            raise self._not_understood()
        bid, doubled = found
        if self._rules.is_minibridge:
            if doubled:
                raise FormatError(f"there are no doubles at Minibridge, got {_quote(word)}")
            return contract_at_level(bid.level, bid.strain, declarer)
        return Contract(bid.level, bid.strain, doubled, declarer)

    def _honours(self) -> SidePoints:
        side = self._side("honours")
        points = self._figure("honours", FOUR_HONOURS, ALL_HONOURS)
        if points not in (FOUR_HONOURS, ALL_HONOURS):
            raise FormatError(f"honours are {FOUR_HONOURS} or {ALL_HONOURS}, got {points}")
        return SidePoints.of(side, points)

    def _hcp(self) -> int:
        side = self._side("hcp")
        points = self._figure("the high-card points of a side", 0, 40)
        return points if side is Side.NS else HCP_IN_DECK - points

    def _fit(self) -> dict[Side, Fit]:
        side = self._side("fit")
        suit = self._next("fit").upper()
        if suit == "NONE":
            return {side: Fit(is_major=False, cards=FIT_CARDS - 1)}
        if suit not in _SUITS_OF_FIT:
            raise FormatError(f"fit has none or a suit after the side, got {_quote(suit)}")
        return {side: Fit(is_major=_SUITS_OF_FIT[suit], cards=self._figure("the cards of a fit", FIT_CARDS, 13))}

    def _calls(self) -> tuple[SlipCall, ...]:
        calls = []
        while self._words:
            word = self._next()
            call = OPEN if word.lower() == str(OPEN) else lenient.parse_call(word.upper())
            if call is None:
                raise FormatError(f"calls are pass, open and bids such as 2S, got {_quote(word)}")
            calls.append(call)
        return tuple(calls)

    def _vulnerability(self) -> Vulnerability:
        word = self._next("vul")
        found = lenient.parse_vulnerability(word)
        if found is None:
            raise FormatError(f"vul is followed by None, NS, EW or All, got {_quote(word)}")
        return found

    def _side(self, what: str) -> Side:
        word = self._next(what)
        side = _SIDES.get(word.upper())
        if side is None:
            raise FormatError(f"{what} is followed by NS or EW, got {_quote(word)}")
        return side

    def _figure(self, what: str, least: int, most: int) -> int:
        word = self._next(what)
        # int() takes more than ASCII digits, and long texts take it long.
        value = int(word) if word.isascii() and word.isdecimal() and len(word) <= 4 else -1
        if not least <= value <= most:
            raise FormatError(f"{what}: expected {least} to {most}, got {_quote(word)}")
        return value

    def _next(self, what: str = "") -> str:
        if not self._words:
            raise (
                FormatError(f"{what} has nothing after it, got {_quote(self._text)}")
                if what
                else self._not_understood()
            )
        return self._words.pop(0)

    def _not_understood(self) -> FormatError:
        form = _MINIBRIDGE_FORM if self._rules.is_minibridge else _FORM
        return FormatError(f"{form}, got {_quote(self._text)}")


def _quote(text: str) -> str:
    return repr(text if len(text) <= TEXT_LENGTH_MAX else text[: TEXT_LENGTH_MAX - 3] + "...")


def deals_of_records(name: str, records: Sequence[FileRecord], rules: DealListRules) -> list[ListedDeal]:
    """Return the deals of the records of one match.

    Raises:
        FormatError: there are none, too many, or those of several matches, or a deal has no result.
    """
    _check_one_match(name, records)
    if not records:
        raise FormatError(f"{name} has no record of a board that was played")
    if len(records) > DEALS_MAX:
        raise FormatError(f"{name}: the most deals that are read are {DEALS_MAX}, got {len(records)}")
    deals = []
    for record in records:
        try:
            deals.append(_deal_of(record.game, rules))
        except (FormatError, RuleError) as error:
            raise FormatError(f"{name} line {record.game.source.line}: {error}") from None
    return deals


def _check_one_match(name: str, records: Sequence[FileRecord]) -> None:
    """Check that the deals are of one match, as far as the records name its teams.

    Raises:
        FormatError: they are of several.
    """
    first: tuple[str, ...] | None = None
    for record in records:
        source = record.game.source
        if record.names_teams:
            match = tuple(source.text(tag) for tag in ("hometeam", "visitteam", "table"))
            first = first or match
            if match != first:
                raise FormatError(
                    f"{name} line {source.line}: {match[0]} against {match[1]} is another match than {first[0]} "
                    f"against {first[1]}; a game is scored from the file of one match"
                )


def _deal_of(game: CheckedGame, rules: DealListRules) -> ListedDeal:
    """Return a deal of PBN, as a ruling has it count if there is one (the tag Counted).

    Raises:
        FormatError: it has no result.
        RuleError: its contract is none of the game, or what a ruling gives is no result.
    """
    counted, line = game.source.text("counted"), game.source.line
    points = _COUNTED_POINTS.fullmatch(counted)
    played = _played_deal(game, game.result, rules)
    if points is not None:
        awarded = SidePoints(int(points[1]), int(points[2]))
        return ListedDeal(line, "", _played_deal(game, None, rules), awarded, played)
    result = game.result
    if counted:
        part = parse_assigned(counted)
        result = Result(part.contract, part.tricks, 0)
    if result is None:
        raise FormatError("the board has no result, so nothing after it can be scored")
    by = result.contract.declarer.letter if result.contract is not None else ""
    return ListedDeal(line, by, _played_deal(game, result, rules), None, played if counted else None)


def _played_deal(game: CheckedGame, result: Result | None, rules: DealListRules) -> PlayedDeal:
    """Return a deal with a result; without one it is as if passed out.

    Raises:
        RuleError: Minibridge has no such contract.
    """
    contract: Contract | MinibridgeContract | None = result.contract if result is not None else None
    honours = NO_POINTS
    if rules.honours_from_cards and game.deal is not None and contract is not None:
        honours = find_honours(game.deal, contract.strain)
    if rules.is_minibridge and isinstance(contract, Contract):
        contract = contract_at_level(contract.level, contract.strain, contract.declarer)
    return PlayedDeal(
        contract=contract,
        tricks=result.tricks if result is not None else 0,
        honours=honours,
        hcp_ns=hcp_of_ns(game.deal) if game.deal is not None else None,
        fits=find_fits(game.deal) if game.deal is not None else {},
        # Where the file does not say it, the vulnerability of a duplicate board would stand here.
        vulnerability=game.vulnerability if "vulnerable" in game.source.tags else None,
    )
