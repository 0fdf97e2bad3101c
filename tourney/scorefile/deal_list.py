"""Reads the deals of a game at one table: from a list with one deal a line, or from the records of a file.

A line of the list has declarer or the side that declares, the contract and the tricks that declarer's side won:
`N 4SX 9`, `EW 3NT 10`; `pass` for a deal that was passed out; at Minibridge `S part H 8`. After these may follow, in
any order, `honours EW 150`, `hcp NS 23`, `fit NS S 9` (or `fit NS none`) and `vul NS`. A `#` begins a comment.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Contract, Result, Seat, Side
from tourney.bridge.cards import STRAINS_BY_TEXT
from tourney.bridge.minibridge import HCP_IN_DECK, MinibridgeContract, contract_at_level
from tourney.errors import FormatError, RuleError
from tourney.formats import lenient
from tourney.formats.unchecked import TEXT_LENGTH_MAX
from tourney.plurals import shorten
from tourney.scorefile.checking import FileRecord
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.games import GameKind, GameSettings
from tourney.scoring.ledger import NO_POINTS, PlayedDeal, SidePoints
from tourney.scoring.targets import FIT_CARDS, Fit

DEALS_MAX: Final = 10_000
"""The most deals of a list; far above what anybody plays, it limits the time per file."""

_SIDES: Final = {
    **dict.fromkeys(("NS", "N", "S", "WE", "NORTH", "SOUTH"), Side.NS),
    **dict.fromkeys(("EW", "E", "W", "THEY", "EAST", "WEST"), Side.EW),
}
"""The words for sides; `WE` and `THEY` are the columns of a score sheet."""

_SIDE: Final = f"(?P<side>{'|'.join(_SIDES)})"
_LINE: Final = re.compile(
    rf"(?:(?P<passed>PASS|PASSED|AP|P)|{_SIDE} "
    r"(?:(?P<premium>PART|GAME) (?P<strain>NT|[NSHDC])|(?P<contract>\S+)) (?P<tricks>1[0-3]|[0-9]))(?P<more> .*|)"
)
_ADDITIONS: Final = {
    "HONOURS": (rf"{_SIDE} (100|150)", "NS or EW and 100 or 150"),
    "HCP": (rf"{_SIDE} ([0-3]?[0-9]|40)", "NS or EW and 0 to 40 high-card points"),
    "FIT": (
        rf"{_SIDE} (?:NONE|(S|H|D|C|MAJOR|MINOR) ([89]|1[0-3]))",
        "NS or EW and none, or a suit and 8 to 13 cards",
    ),
    "VUL": (r"(NONE|LOVE|-|N[/-]?S|E[/-]?W|ALL|BOTH)", "None, NS, EW or All"),
}
"""What may follow the tricks, each with the form of what stands after it, and how to say that."""
_OTHER_WORDS: Final = {"HONORS": "HONOURS", "VULNERABLE": "VUL"}

_COUNTED_POINTS: Final = re.compile(r"NS (-?[0-9]{1,6}) EW (-?[0-9]{1,6})")
"""What the tag Counted has where a ruling gives points in place of a result."""


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


def read_list(name: str, text: str, kind: GameKind, *, counts_honours: bool) -> list[ListedDeal]:
    """Return the deals of a list, in its order; honours that it states may count.

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
            deal = _read_line(number, " ".join(words), kind)
        except (FormatError, RuleError) as error:
            raise FormatError(f"{name} line {number}: {error}") from None
        played = deal.deal if counts_honours else replace(deal.deal, honours=NO_POINTS)
        deals.append(replace(deal, deal=played))
    if not deals:
        raise FormatError(f"{name} has no deal: {_form(kind)}")
    return deals


def _form(kind: GameKind) -> str:
    example = (
        "'N part S 8' or 'W game NT 9'" if kind is GameKind.MINIBRIDGE else "'N 4SX 9' or 'W 3NT 10 honours EW 150'"
    )
    return f"a line has declarer, the contract and 0 to 13 tricks, such as {example}, or is 'pass'"


def _read_line(number: int, text: str, kind: GameKind) -> ListedDeal:
    found = _LINE.fullmatch(text.upper())
    contract = _contract(found, kind) if found is not None else None
    if found is None or (contract is None and not found["passed"]):
        raise FormatError(f"{_form(kind)}, got {_quote(text)}")
    added = _additions(found["more"].split())
    honours, hcp, fit, vulnerable = map(added.get, _ADDITIONS)
    points = SidePoints.of(_SIDES[honours["side"]], int(honours[2])) if honours is not None else NO_POINTS
    hcp_ns = int(hcp[2]) if hcp is not None else None
    if hcp is not None and hcp_ns is not None and _SIDES[hcp["side"]] is Side.EW:
        hcp_ns = HCP_IN_DECK - hcp_ns
    deal = PlayedDeal(
        contract=contract,
        tricks=int(found["tricks"] or 0),
        honours=points,
        hcp_ns=hcp_ns,
        fits={_SIDES[fit["side"]]: Fit(fit[2] in ("S", "H", "MAJOR"), int(fit[3] or FIT_CARDS - 1))} if fit else {},
        vulnerability=lenient.parse_vulnerability(vulnerable[1]) if vulnerable is not None else None,
    )
    return ListedDeal(number, found["side"] or "", deal)


def _contract(found: re.Match[str], kind: GameKind) -> Contract | MinibridgeContract | None:
    """Return the contract of a line; None if it is passed out, or has none that the game can have."""
    if found["passed"]:
        return None
    side = _SIDES[found["side"]]
    declarer = Seat.from_letter(found["side"][0]) if len(found["side"]) == 1 else side.seats[0]
    if found["premium"]:
        strain = STRAINS_BY_TEXT[found["strain"]]
        return (
            MinibridgeContract(strain, found["premium"] == "GAME", declarer) if kind is GameKind.MINIBRIDGE else None
        )
    read = lenient.parse_contract(found["contract"])
    if read is None:
        return None
    bid, doubled = read
    if kind is not GameKind.MINIBRIDGE:
        return Contract(bid.level, bid.strain, doubled, declarer)
    if doubled:
        raise FormatError(f"there are no doubles at Minibridge, got {_quote(found['contract'])}")
    return contract_at_level(bid.level, bid.strain, declarer)


def _additions(words: Sequence[str]) -> dict[str, re.Match[str]]:
    """Return what follows the tricks of a deal, by its first word."""
    texts: dict[str, list[str]] = {}
    name = ""
    for word in words:
        key = _OTHER_WORDS.get(word, word)
        if key in texts:
            raise FormatError(f"each addition is given once, got {word.lower()!r} twice")
        if key in _ADDITIONS:
            name, texts[key] = key, []
        elif name:
            texts[name].append(word)
        else:
            raise FormatError(f"after the tricks come honours, hcp, fit or vul, got {_quote(word.lower())}")
    found = {}
    for key, after in texts.items():
        pattern, form = _ADDITIONS[key]
        match = re.fullmatch(pattern, " ".join(after))
        if match is None:
            raise FormatError(f"{key.lower()} is followed by {form}, got {_quote(' '.join(after))}")
        found[key] = match
    return found


def _quote(text: str) -> str:
    return repr(shorten(text, TEXT_LENGTH_MAX))


def deals_of_records(name: str, records: Sequence[FileRecord], settings: GameSettings) -> list[ListedDeal]:
    """Return the deals of the records of one match; honours are found in the hands where they count.

    Raises:
        FormatError: there are none, or those of several matches, or a deal has no result.
    """
    if not records:
        raise FormatError(f"{name} has no record of a board that was played")
    firsts: dict[tuple[str, ...], FileRecord] = {}
    for record in records:
        if record.names_teams:
            firsts.setdefault((*record.key[-2:], record.source.text("table")), record)
    if len(firsts) > 1:
        first, other, *_ = (record.source.line for record in firsts.values())
        said = (
            f"this board is of another match than that on line {first}; a game is scored from the file of one match"
        )
        raise FormatError(f"{name} line {other}: {said}")
    deals = []
    for record in records:
        try:
            deals.append(_deal_of(record, settings))
        except (FormatError, RuleError) as error:
            raise FormatError(f"{name} line {record.source.line}: {error}") from None
    return deals


def _deal_of(game: FileRecord, settings: GameSettings) -> ListedDeal:
    """Return a deal of a record, as a ruling has it count if there is one (the tag Counted).

    Raises:
        FormatError: it has no result.
        RuleError: what a ruling gives is no result.
    """
    counted, line = game.source.text("counted"), game.source.line
    points = _COUNTED_POINTS.fullmatch(counted)
    # Where the file does not say it, the vulnerability of a duplicate board would stand there.
    vulnerability = game.vulnerability if "vulnerable" in game.source.tags else None
    played = settings.deal_of(game.deal, game.result, vulnerability)
    if points is not None:
        awarded = SidePoints(int(points[1]), int(points[2]))
        return ListedDeal(line, "", settings.deal_of(game.deal, None, vulnerability), awarded, played)
    result = game.result
    if counted:
        part = parse_assigned(counted)
        result = Result(part.contract, part.tricks, 0)
    if result is None:
        raise FormatError("the board has no result, so nothing after it can be scored")
    by = result.contract.declarer.letter if result.contract is not None else ""
    deal = settings.deal_of(game.deal, result, vulnerability)
    return ListedDeal(line, by, deal, None, played if counted else None)
