"""Checks a file's account of a board against the rules of the game: determines what counts, and what is inconsistent.

The contract, declarer and result given in the file count. If the contract or declarer is missing it is taken from the
auction; a missing result is taken from the play, or else from the score. The score is computed by the rules; the
file's own score counts only if it cannot be computed.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Final, TypeAlias, TypeVar

from tourney.bridge import (
    SEATS,
    Bid,
    Contract,
    Deal,
    Result,
    Seat,
    Side,
    Vulnerability,
    board_dealer,
    board_vulnerability,
    format_deal,
    parse_deal,
    score_ns,
)
from tourney.bridge.score import Laws
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.formats.boards import board_number
from tourney.formats.unchecked import SourceFinding, SourceText, UncheckedGame
from tourney.movement.seating import Room
from tourney.scorefile.replay import check_auction, check_play

_BOARD_A_MATCH: Final = re.compile(r"\s*(?:BAM|PAB|board[ -]?a[ -]?match|point[ -]?a[ -]?board)\b", re.IGNORECASE)
"""What the tag Scoring begins with at board-a-match."""

POINTS_TAG: Final = "scoremp"
"""The tag of points at board-a-match."""

_IMPS_TAG: Final = "scoreimp"

_Value = TypeVar("_Value")

_PLAYED: Final = ("contract", "declarer", "result", "score", "ruling")
"""Tags that only a board that was played or ruled on has; deals still to be played have none of them."""


Names: TypeAlias = dict[Side, frozenset[str]]
Key: TypeAlias = tuple[str, str, str, str, str, str]
"""Event, stage, round, section and the two teams, the lesser name first."""

_TURNED: Final = {Vulnerability.NS: Vulnerability.EW, Vulnerability.EW: Vulnerability.NS}
"""The vulnerability of a deal turned by one seat, where it is another."""


@dataclass(frozen=True)
class FileRecord:
    """One board at one table, as far as the file can be understood, and how it belongs to the others of its files."""

    source: UncheckedGame
    names: tuple[str, ...]
    """`names[seat]`; empty if the file does not give the name."""
    dealer: Seat | None
    vulnerability: Vulnerability | None
    deal: Deal | None
    result: Result | None
    """The result; None if the file has none that can be understood."""
    score_ns: int | None
    """North-South's points: by the result, or else as the file states them."""
    stated: Mapping[Side, Decimal]
    """What the sides have won at this table, as the file states it: IMPs, or points at board-a-match."""
    findings: tuple[SourceFinding, ...]
    first: "FileRecord | None" = None
    """The first record with its deal, whose number is that of the board; None for the first itself."""
    says_room: bool = True
    """Whether its room means anything."""

    @property
    def file(self) -> str:
        """What messages call the file that it comes from."""
        return self.source.file

    @property
    def score_tag(self) -> str:
        """The tag of what the sides have won: in points if the file says board-a-match, else in IMPs."""
        return _score_tag(self.source)

    @property
    def is_ruled(self) -> bool:
        """Whether the file says that a ruling decides the board."""
        return "ruling" in self.source.tags

    @cached_property
    def board(self) -> str:
        """The key of the board: its number, else its deal; empty if the file has neither."""
        if self.first is not None:
            return self.first.board
        if self.source.board is not None:
            return self.source.board
        return format_deal(self.deal) if self.deal is not None else ""

    @cached_property
    def room(self) -> Room | None:
        """The room; None if the file does not give it."""
        room = self.source.room if self.says_room else None
        return Room(room) if room is not None else None

    @cached_property
    def sides(self) -> Names:
        """The players on each side, case-folded; empty if the two sides cannot be told apart."""
        ns, ew = ({self.names[seat].casefold() for seat in side.seats} for side in Side)
        if ns & ew:
            return dict.fromkeys(Side, frozenset())
        return {Side.NS: frozenset(ns - {""}), Side.EW: frozenset(ew - {""})}

    @cached_property
    def players(self) -> frozenset[str]:
        """The players of both sides."""
        return self.sides[Side.NS] | self.sides[Side.EW]

    @cached_property
    def key(self) -> Key:
        """The values that all records of a match have in common.

        A record that has none of them is of the same event as the first with its deal.
        """
        event, stage, round_, section, *teams = (
            " ".join(self.source.text(name).casefold().split())
            for name in ("event", "stage", "round", "section", "hometeam", "visitteam")
        )
        key = (event, stage, round_, section, min(teams), max(teams))
        return self.first.key if self.first is not None and not any(key) else key

    @property
    def names_teams(self) -> bool:
        """Whether the file names the two teams."""
        return any(self.key[-2:])

    def turned_back(self, seats: int, deal: Deal) -> "FileRecord":
        """Return the record of a deal that was turned clockwise by so many seats as it would be of `deal`."""
        result, score, stated, vulnerability = self.result, self.score_ns, self.stated, self.vulnerability
        if seats % 2:
            score = -score if score is not None else None
            stated = {side.other: figure for side, figure in stated.items()}
            vulnerability = _TURNED.get(vulnerability, vulnerability) if vulnerability is not None else None
        if result is not None and result.contract is not None and score is not None:
            contract = replace(result.contract, declarer=result.contract.declarer.plus(-seats))
            result = Result(contract, result.tricks, score)
        return replace(
            self,
            names=tuple(self.names[seat.plus(seats)] for seat in SEATS),
            dealer=self.dealer.plus(-seats) if self.dealer is not None else None,
            vulnerability=vulnerability,
            deal=deal,
            result=result,
            score_ns=score,
            stated=stated,
        )


def was_played(game: UncheckedGame) -> bool:
    """Whether the file says anything about how the board was bid, played or scored."""
    return any(name in game.tags for name in _PLAYED) or bool(game.calls)


def check_game(game: UncheckedGame, laws: Laws = Laws.CURRENT) -> FileRecord:
    """Checks one board against the rules, and its score against the laws of its time."""
    return _Check(game, laws).run()


@dataclass
class _Check:
    game: UncheckedGame
    laws: Laws
    findings: list[SourceFinding] = field(default_factory=list)

    def run(self) -> FileRecord:
        game = self.game
        number = board_number(game.board)
        dealer = self._value("dealer", lenient.parse_seat, "a dealer is N, E, S or W")
        vulnerability = self._value(
            "vulnerable", lenient.parse_vulnerability, "a vulnerability is None, NS, EW or All"
        )
        if number is not None:
            dealer = board_dealer(number) if dealer is None else dealer
            vulnerability = board_vulnerability(number) if vulnerability is None else vulnerability
        deal = self._deal()
        result = self._result(dealer, vulnerability, deal)
        return FileRecord(
            source=game,
            names=tuple(game.text(seat.title.lower()) for seat in SEATS),
            dealer=dealer,
            vulnerability=vulnerability,
            deal=deal,
            result=result,
            score_ns=result.score if result is not None else _points_ns(game.tags.get("score"), None),
            stated=self._stated(result),
            findings=tuple(self.findings),
        )

    def _note_missing(self, text: str) -> None:
        """Note what the file does not give, unless a ruling decides the board."""
        if "ruling" not in self.game.tags:
            self._note(text)

    def _note(self, text: str, line: int | None = None) -> None:
        self.findings.append(self.game.finding(text, line))

    # The board

    def _value(self, name: str, parse: Callable[[str], _Value | None], form: str) -> _Value | None:
        """Return the value of a tag; None if the file has none, or one that does not have the form."""
        tag = self.game.tags.get(name)
        value = parse(tag.text) if tag is not None else None
        if tag is not None and value is None:
            self._note(f"{form}, got {tag.quoted}", tag.line)
        return value

    def _deal(self) -> Deal | None:
        """Return the deal; None if hands are missing, which is not an error."""
        tag = self.game.tags.get("deal")
        if tag is None:
            return None
        try:
            return parse_deal(tag.text, completes=True)
        except FormatError as error:
            if tag.text.split().count("-") == 0 and ":-" not in tag.text:
                self._note(str(error), tag.line)
            return None

    # The result

    def _result(self, dealer: Seat | None, vulnerability: Vulnerability | None, deal: Deal | None) -> Result | None:
        """Return the result that counts, checked against everything else in the file."""
        auction = check_auction(self.game, dealer, self._note)
        contract, passed_out = self._contract(
            auction.contract if auction is not None else None,
            is_passed_out=auction is not None and auction.is_passed_out,
        )
        if vulnerability is None:
            self._note("the vulnerability is not given, so the board cannot be scored")
            return None
        if passed_out:
            return self._check_score(Result(None, 0, 0), vulnerability)
        if contract is None:
            return None
        play = check_play(self.game, deal, contract, self._note)
        tricks = self._value("result", lambda text: _read_tricks(text, contract), "a result is 0..13 tricks")
        if tricks is None:
            tricks = play.final
        elif not play.least <= tricks <= play.most:
            tag = self.game.tags["result"]
            span = f"{play.least}" if play.least == play.most else f"{play.least} to {play.most}"
            self._note(f"the result is {tricks} tricks, by the play it is {span}", tag.line)
        if tricks is None:
            scores = [score_ns(contract, each, vulnerability, self.laws) for each in range(14)]
            stated = _points_ns(self.game.tags.get("score"), contract)
            tricks = scores.index(stated) if stated in scores else None
        if tricks is None:
            self._note_missing("the result is not given")
            return None
        score = score_ns(contract, tricks, vulnerability, self.laws)
        return self._check_score(Result(contract, tricks, score), vulnerability)

    def _contract(self, called: Contract | None, *, is_passed_out: bool) -> tuple[Contract | None, bool]:
        """Return the contract, and whether the board was passed out; None and False if neither can be determined."""
        stated = self.game.tags.get("contract")
        if stated is None:
            if called is None and not is_passed_out:
                self._note_missing("the contract is not given")
            return called, is_passed_out
        if lenient.is_passed_out(stated.text):
            if called is not None:
                self._note(f"the contract is Pass, by the auction it is {_with_declarer(called)}", stated.line)
            return None, True
        bid = lenient.parse_contract(stated.text)
        if bid is None:
            self._note(f"a contract is 1C..7NT with X or XX, or Pass, got {stated.quoted}", stated.line)
            return called, is_passed_out
        if is_passed_out:
            self._note(f"the contract is {stated.quoted}, by the auction the board was passed out", stated.line)
        declarer = self._declarer(called, bid[0])
        if declarer is None:
            return None, False
        contract = Contract(bid[0].level, bid[0].strain, bid[1], declarer)
        if called is not None and called != contract:
            self._note(
                f"the contract is {_with_declarer(contract)}, by the auction it is {_with_declarer(called)}",
                stated.line,
            )
        return contract, False

    def _declarer(self, called: Contract | None, bid: Bid) -> Seat | None:
        """Return declarer as stated, else by the auction, else by the opening lead."""
        declarer = self._value("declarer", lenient.parse_seat, "a declarer is N, E, S or W")
        if declarer is not None:
            return declarer
        if called is not None and (called.level, called.strain) == bid:
            return called.declarer
        leader = lenient.parse_seat(self.game.text("play"))
        if leader is not None:
            return leader.previous
        if "declarer" not in self.game.tags:
            self._note_missing("the declarer is not given")
        return None

    def _check_score(self, result: Result, vulnerability: Vulnerability) -> Result:
        tag = self.game.tags.get("score")
        if tag is None:
            return result
        score = _points_ns(tag, result.contract)
        if score is None:
            self._note(f"a score is a number with NS or EW in front of it, got {tag.quoted}", tag.line)
        elif score != result.score:
            made = "passed out"
            if result.contract is not None:
                made = f"{_with_declarer(result.contract)} with {result.tricks} tricks"
            self._note(
                f"the score is NS {score}, {made} with {vulnerability} vulnerable is NS {result.score}", tag.line
            )
        return result

    def _stated(self, result: Result | None) -> dict[Side, Decimal]:
        name = _score_tag(self.game)
        tag = self.game.tags.get(name)
        if tag is None:
            return {}
        figures = _figures_of_sides(tag.text, result.contract if result is not None else None)
        if not figures and name == _IMPS_TAG:
            self._note(f"IMPs are a number with NS or EW in front of it, got {tag.quoted}", tag.line)
        return figures


def _score_tag(game: UncheckedGame) -> str:
    return POINTS_TAG if _BOARD_A_MATCH.match(game.text("scoring")) is not None else _IMPS_TAG


def _read_tricks(text: str, contract: Contract) -> int | None:
    """Read tricks: `9`, `^9`, `NS 9`, `EW 4 NS 9`; `=`, `+1` and `-2` relative to the contract."""
    relative = text.strip().removeprefix("^")
    if relative == "=":
        return contract.tricks_needed
    figures = _figures_of_sides(text, contract).items()
    told = {figure if side is contract.declarer.side else 13 - figure for side, figure in figures}
    if len(told) != 1:
        return None
    tricks = told.pop() + (contract.tricks_needed if relative[:1] in ("+", "-") else 0)
    return int(tricks) if tricks in range(14) else None


def _points_ns(tag: SourceText | None, contract: Contract | None) -> int | None:
    """Return North-South's points; None if there are none, or the two sides' do not agree."""
    figures = _figures_of_sides(tag.text, contract) if tag is not None else {}
    by_ns = {figure if side is Side.NS else -figure for side, figure in figures.items()}
    return int(min(by_ns)) if len(by_ns) == 1 and min(by_ns) == int(min(by_ns)) else None


def _figures_of_sides(text: str, contract: Contract | None) -> dict[Side, Decimal]:
    """Return the figures of the sides; one without a side is declarer's (PBN 2.1 section 4). Empty if unclear."""
    figures = lenient.parse_scores(text) or []
    own = contract.declarer.side if contract is not None else None
    if own is None and any(side is None and figure for side, figure in figures):
        return {}
    return {side or own or Side.NS: figure for side, figure in figures}


def _with_declarer(contract: Contract) -> str:
    return f"{contract} by {contract.declarer.title}"
