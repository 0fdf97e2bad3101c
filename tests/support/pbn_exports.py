"""Records out of a PBN export: what `format_records` wrote is read back whole, and everything else is refused.

Strict where the readers of the package are lenient: every mandatory tag, every call and card legal, contract, result
and play in agreement. What is not of the game as it was played (notes on cards, tables of other kinds, tags that a
record has no place for) is passed over.
"""

import datetime
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal

from tourney.bridge import (
    SEATS,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    Play,
    Result,
    Seat,
    Strain,
    Vulnerability,
    parse_call,
    parse_card,
    parse_deal,
)
from tourney.errors import FormatError, RuleError
from tourney.formats.boards import BOARD_NUMBER_MAX
from tourney.formats.pbn import Game, PbnRecord, Tag, parse_games
from tourney.formats.pbn.writer import (
    AUCTION_TIMES,
    COST_COLUMNS,
    COSTS,
    PLAY_TIMES,
    RESULT_COLUMNS,
    RESULTS,
    TIME_COLUMNS,
)
from tourney.scoring.double_dummy import DECLARERS, STRAINS, CardCost, DoubleDummyTable

_UNKNOWN: Final = "?"
_STRAINS: Final = {strain.letters: strain for strain in Strain}
_CONTRACT: Final = re.compile(r"([1-7])(NT|[CDHS])(X{0,2})")
_DATE: Final = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)
_OF_NS: Final = re.compile(r"NS (-?\d{1,9})", re.ASCII)
_NOTE: Final = re.compile(r"=(\d{1,2})=", re.ASCII)
_ROOMS: Final[dict[str, Literal["Open", "Closed"] | None]] = {"": None, "Open": "Open", "Closed": "Closed"}


_SECONDS, _MILLISECONDS = TIME_COLUMNS.split(";")
_CLOCK: Final = re.compile(r"(?:(?:(\d{1,4}):)?(\d{1,6}):)?(\d{1,9})", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,12}", re.ASCII)
_NOTHING: Final = "-"
_SEATS: Final = {seat.letter: seat for seat in SEATS}
_RESULTS: Final = {str(tricks): tricks for tricks in range(14)}
_COLUMN: Final = re.compile(r"[+-]?(?P<name>[^\\]*)(?:\\.*)?")


def column_names(value: str) -> list[str]:
    r"""The names of the columns out of the value of a tag, without order and width: `+Declarer;Result\2R`."""
    return [match["name"] if (match := _COLUMN.fullmatch(column)) else column for column in value.split(";")]


def parse_records(text: str, name: str) -> tuple[PbnRecord, ...]:
    """The records of a PBN text in our export format, in the order of the file.

    Texts come back as they were written, in ASCII and cut to the length of a line; a call that was alerted without a
    word has the text that was written in its place.

    Args:
        text: the whole file, as of `decode_text`.
        name: what to call it in errors.

    Raises:
        FormatError: one sentence with the file, the line and the board, on the first thing that is wrong.
    """
    return tuple(_GameReader(game, name).read() for game in parse_games(text, name))


class _GameReader:
    """Reads one game."""

    def __init__(self, game: Game, name: str) -> None:
        self._game = game
        self._name = name
        self._number: int | None = None  # of the board, once it is known

    def read(self) -> PbnRecord:
        board = self._board()
        auction, calls = self._auction(board)
        contract, result = self._outcome(auction)
        cards, slots = self._play(board, contract, result)
        return PbnRecord(
            event=self._mandatory_text("Event"),
            site=self._mandatory_text("Site"),
            date=self._date(),
            board=board,
            names=self._names(),
            calls=calls,
            cards=cards,
            result=result,
            scoring=self._mandatory_text("Scoring"),
            room=self._room(),
            home_team=self._text("HomeTeam"),
            visit_team=self._text("VisitTeam"),
            round=self._text("Round"),
            stage=self._text("Stage"),
            table=self._text("Table"),
            imps_ns=self._of_ns("ScoreIMP"),
            termination=self._text("Termination"),
            call_ms=self._times(AUCTION_TIMES, list(range(len(calls)))),
            card_ms=self._times(PLAY_TIMES, slots),
            makeable=self._makeable(),
            par_ns=self._of_ns("OptimumScore"),
            costs=self._costs(cards),
        )

    # Tags

    def _wrong(self, what: str, tag: Tag | None = None) -> FormatError:
        line = tag.line if tag is not None else self._game.line
        board = f", board {self._number}" if self._number is not None else ""
        return FormatError(f"{self._name} line {line}{board}: {what}")

    def _tag(self, name: str) -> Tag | None:
        tag = self._game.tag(name)
        if tag is not None and tag.value.startswith("#"):
            raise self._wrong(f"{name} has the value of another game, {tag.value[:20]!r}, which no export has", tag)
        return tag

    def _mandatory(self, name: str) -> Tag:
        tag = self._tag(name)
        if tag is None:
            raise self._wrong(f"the mandatory tag {name} is missing")
        return tag

    def _text(self, name: str) -> str:
        tag = self._tag(name)
        return "" if tag is None else tag.value

    def _mandatory_text(self, name: str) -> str:
        value = self._mandatory(name).value
        return "" if value == _UNKNOWN else value

    def _of_ns(self, name: str) -> int | None:
        tag = self._tag(name)
        if tag is None:
            return None
        match = _OF_NS.fullmatch(tag.value)
        if match is None:
            raise self._wrong(
                f'{name} is a whole number of North-South, such as "NS -50", got {tag.value[:20]!r}', tag
            )
        return int(match[1])

    def _names(self) -> tuple[str, str, str, str]:
        north, east, south, west = (self._mandatory_text(seat.title) for seat in SEATS)
        return north, east, south, west

    def _date(self) -> datetime.date | None:
        tag = self._mandatory("Date")
        if _UNKNOWN in tag.value:
            return None
        match = _DATE.fullmatch(tag.value)
        with suppress(ValueError):
            if match is not None:
                return datetime.date(int(match[1]), int(match[2]), int(match[3]))
        raise self._wrong(f"a date is YYYY.MM.DD, got {tag.value[:20]!r}", tag)

    def _room(self) -> Literal["Open", "Closed"] | None:
        value = self._text("Room")
        if value not in _ROOMS:
            raise self._wrong(f"a room is Open or Closed, got {value[:20]!r}", self._tag("Room"))
        return _ROOMS[value]

    # The board

    def _board(self) -> Board:
        tag = self._mandatory("Board")
        if not re.fullmatch(r"[1-9][0-9]{0,5}", tag.value) or int(tag.value) > BOARD_NUMBER_MAX:
            raise self._wrong(f"a board number is 1 to {BOARD_NUMBER_MAX}, got {tag.value[:20]!r}", tag)
        self._number = int(tag.value)
        dealer = self._seat(self._mandatory("Dealer"))
        tag = self._mandatory("Vulnerable")
        if tag.value not in tuple(Vulnerability):
            raise self._wrong(f"a vulnerability is None, NS, EW or All, got {tag.value[:20]!r}", tag)
        vulnerability = Vulnerability(tag.value)
        tag = self._mandatory("Deal")
        try:
            return Board(self._number, dealer, vulnerability, parse_deal(tag.value))
        except FormatError as error:
            raise self._wrong(str(error), tag) from error

    def _seat(self, tag: Tag) -> Seat:
        for seat in SEATS:
            if tag.value == seat.letter:
                return seat
        raise self._wrong(f"{tag.name} is N, E, S or W, got {tag.value[:20]!r}", tag)

    # The auction

    def _auction(self, board: Board) -> tuple[Auction | None, tuple[tuple[Call, str | None], ...]]:
        """The auction, None without a section of it, and its calls with their alerts."""
        tag = self._tag("Auction")
        if tag is None:
            return None, ()
        if self._seat(tag) is not board.dealer:
            raise self._wrong(f"the auction starts with {tag.value}, the dealer is {board.dealer.letter}", tag)
        auction = Auction(board.dealer)
        notes = self._notes(tag)
        alerts: list[str | None] = []
        words = [(word, row) for row, line in zip(_rows(tag), tag.rows, strict=True) for word in line]
        stops = [word for word, _ in words[-1:]] == ["*"]
        for word, row in words[:-1] if stops else words:
            note = _NOTE.fullmatch(word)
            if note is None:
                self._add_call(auction, word, row)
                alerts.append(None)
            elif not alerts or alerts[-1] is not None:
                raise self._wrong(f"note {word} follows no call", row)
            elif note[1] not in notes:
                raise self._wrong(f"note {word} of the auction is not given", row)
            else:
                alerts[-1] = notes[note[1]]
        if stops is auction.is_over:
            what = "is over but ends with *" if stops else f"stops after {len(alerts)} calls without *"
            raise self._wrong(f"the auction {what}", tag)
        return auction, tuple(zip(auction.calls, alerts, strict=True))

    def _add_call(self, auction: Auction, word: str, tag: Tag) -> None:
        try:
            auction.add(parse_call(word))
        except (FormatError, RuleError) as error:
            raise self._wrong(str(error), tag) from error

    def _notes(self, auction: Tag) -> dict[str, str]:
        """Their texts by their numbers; those of the auction stand right after it (PBN 2.1 section 3.5.4)."""
        notes: dict[str, str] = {}
        for tag in self._game.tags[self._game.tags.index(auction) + 1 :]:
            if tag.name != "Note":
                break
            number, _, text = tag.value.partition(":")
            notes[number] = text
        return notes

    # Contract and result

    def _outcome(self, auction: Auction | None) -> tuple[Contract | None, Result | None]:
        contract_tag, result_tag = self._mandatory("Contract"), self._mandatory("Result")
        declarer_tag = self._mandatory("Declarer")
        contract = self._contract(contract_tag, declarer_tag)
        is_known = contract_tag.value != _UNKNOWN
        if auction is not None and (is_known != auction.is_over or contract != auction.contract):
            reached = _describe(auction.contract) if auction.is_over else "nothing yet"
            raise self._wrong(f"the contract is {contract_tag.value!r}, the calls make {reached}", contract_tag)
        if contract is not None:
            if result_tag.value == _UNKNOWN:
                if auction is None:
                    raise self._wrong("there is a contract, but neither calls nor a result", contract_tag)
                return contract, None
            if not re.fullmatch(r"[0-9]|1[0-3]", result_tag.value):
                raise self._wrong(f"a result is 0 to 13 tricks, got {result_tag.value[:20]!r}", result_tag)
            return contract, Result(contract, int(result_tag.value), self._score())
        if result_tag.value != ("" if is_known else _UNKNOWN):
            raise self._wrong(f"there is no contract, but the result {result_tag.value[:20]!r}", result_tag)
        return None, Result(None, 0, self._score()) if is_known else None

    def _contract(self, tag: Tag, declarer: Tag) -> Contract | None:
        """None when it was passed out, or is not known."""
        if tag.value in ("Pass", _UNKNOWN):
            if declarer.value != ("" if tag.value == "Pass" else _UNKNOWN):
                raise self._wrong(f"there is no contract, but the declarer {declarer.value[:20]!r}", declarer)
            return None
        match = _CONTRACT.fullmatch(tag.value)
        if match is None:
            raise self._wrong(f"a contract is Pass or such as 3NT, 4SX, 5DXX, got {tag.value[:20]!r}", tag)
        return Contract(int(match[1]), _STRAINS[match[2]], len(match[3]), self._seat(declarer))

    def _score(self) -> int:
        score = self._of_ns("Score")
        if score is None:
            raise self._wrong("there is a result, but no tag Score")
        return score

    # The play

    def _play(
        self, board: Board, contract: Contract | None, result: Result | None
    ) -> tuple[tuple[tuple[Seat, Card], ...], list[int]]:
        """The cards in the order of play, and the place of each among the words of the section."""
        tag = self._tag("Play")
        if contract is None or tag is None:
            if contract is not None or tag is not None:
                has, has_not = ("contract", "Play section") if tag is None else ("Play section", "contract")
                raise self._wrong(f"there is a {has}, but no {has_not}", tag)
            return (), []
        if self._seat(tag) is not contract.leader:
            raise self._wrong(f"the play starts with {tag.value}, the leader is {contract.leader.letter}", tag)
        rows = list(tag.rows)
        stops = rows[-1:] == [("*",)]
        if stops:
            rows.pop()
        play = Play(board.deal, contract)
        slots: list[int] = []
        for index, (row, here) in enumerate(zip(rows, _rows(tag), strict=False)):  # but for the last row of `*`
            slots += self._add_trick(play, row, 4 * index, here)
        if stops is play.is_over:
            what = "is over but ends with *" if stops else f"stops after {len(play.cards)} cards without *"
            raise self._wrong(f"the play {what}", tag)
        if play.is_over and result is not None and result.tricks != play.tricks_won:
            raise self._wrong(f"the result is {result.tricks} tricks, the cards make {play.tricks_won}", tag)
        return tuple(play.cards), slots

    def _add_trick(self, play: Play, row: tuple[str, ...], first: int, tag: Tag) -> list[int]:
        """Play a row; its columns are from the opening leader's on (PBN 2.1 section 3.6)."""
        if len(row) != 4 or play.current.cards:
            raise self._wrong(f"a trick is a row of 4 cards, got {' '.join(row)[:40]!r}", tag)
        leader = play.current.leader
        slots: list[int] = []
        for step in range(4):
            column = (leader.plus(step) - play.contract.leader) % 4
            if row[column] != "-":
                if len(slots) < step:
                    raise self._wrong(f"card {row[column]} follows one that was not played", tag)
                self._add_card(play, row[column], tag)
                slots.append(first + column)
        return slots

    def _add_card(self, play: Play, word: str, tag: Tag) -> None:
        try:
            play.add(_parse_pbn_card(word))
        except (FormatError, RuleError) as error:
            raise self._wrong(str(error), tag) from error

    def _times(self, name: str, slots: list[int]) -> tuple[int, ...]:
        """The times of a table at these rows, which are all that have one."""
        tag = self._tag(name)
        if tag is None:
            return ()
        try:
            times = parse_times(tag.value, tag.rows)
        except FormatError as error:
            raise self._wrong(str(error), tag) from error
        if {index for index, ms in enumerate(times) if ms is not None} != set(slots):
            raise self._wrong(f"{name} has not a time for each of {len(slots)} words", tag)
        return tuple(ms for slot in slots if (ms := times[slot]) is not None)

    # Double dummy

    def _makeable(self) -> DoubleDummyTable | None:
        tag = self._tag(RESULTS)
        if tag is None:
            return None
        try:
            return parse_results(tag.value, tag.rows)
        except FormatError as error:
            raise self._wrong(str(error), tag) from error

    def _costs(self, cards: tuple[tuple[Seat, Card], ...]) -> tuple[CardCost, ...] | None:
        tag = self._tag(COSTS)
        if tag is None:
            return None
        try:
            return tuple(parse_costs(tag.value, tag.rows, cards))
        except FormatError as error:
            raise self._wrong(str(error), tag) from error


def _rows(tag: Tag) -> list[Tag]:
    """The tag, once for each of its rows, with the line of the row: for what is wrong there."""
    return [replace(tag, line=line) for line in tag.row_lines]


def _describe(contract: Contract | None) -> str:
    return "Pass" if contract is None else f"{contract} by {contract.declarer.letter}"


def _parse_pbn_card(word: str) -> Card:
    """A card from suit then rank, `DQ`, as `Card.pbn` has it."""
    return parse_card(word[1:] + word[:1])


def parse_times(columns: str, rows: Sequence[Sequence[str]]) -> tuple[int | None, ...]:
    """The thinking times of a table in milliseconds, a row each; None for a row that has none.

    Args:
        columns: the value of the tag.
        rows: the words of each line.

    Raises:
        FormatError: the table has no time, or a word is no time.
    """
    names = column_names(columns)
    wanted = _MILLISECONDS if _MILLISECONDS in names else _SECONDS
    if wanted not in names:
        raise FormatError(f"a table of times has the column {_SECONDS}, got the columns {columns!r}")
    index = names.index(wanted)
    times: list[int | None] = []
    for row in rows:
        if len(row) != len(names):
            raise FormatError(f"a row of times has {len(names)} words, got {' '.join(row)!r}")
        times.append(None if row[index] == _NOTHING else _parse_time(row[index], wanted))
    return tuple(times)


def _parse_time(word: str, column: str) -> int:
    if column == _MILLISECONDS:
        if _WHOLE.fullmatch(word):
            return int(word)
        raise FormatError(f"a time is a whole number of milliseconds, got {word!r}")
    match = _CLOCK.fullmatch(word)
    if match is None:
        raise FormatError(f"a time is SS, MM:SS or HH:MM:SS, got {word!r}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000


def parse_results(columns: str, rows: Sequence[Sequence[str]]) -> DoubleDummyTable:
    """What a table of results says, its columns and rows in any order.

    Args:
        columns: the value of the tag.
        rows: the words of each line.

    Raises:
        FormatError: a column is missing, a word is none of its column's, or not every declarer has every
            denomination once.
    """
    names = column_names(columns)
    wanted = column_names(RESULT_COLUMNS)
    if not set(wanted) <= set(names):
        raise FormatError(f"a table of results has the columns {', '.join(wanted)}, got the columns {columns!r}")
    tricks: dict[tuple[Seat, Strain], int] = {}
    for row in rows:
        words = dict(zip(names, row, strict=False))
        seat, strain, result = (words.get(name, "") for name in wanted)
        if len(row) != len(names) or seat not in _SEATS or strain not in _STRAINS or result not in _RESULTS:
            raise FormatError(f"a row of results is such as 'N NT 9', 0 to 13 tricks, got {' '.join(row)[:40]!r}")
        if (_SEATS[seat], _STRAINS[strain]) in tricks:
            raise FormatError(f"a table of results has each declarer and strain once, got {seat} {strain} again")
        tricks[_SEATS[seat], _STRAINS[strain]] = _RESULTS[result]
    if len(tricks) < len(DECLARERS) * len(STRAINS):
        raise FormatError(f"a table of results has 20 rows, got {len(rows)}")
    return DoubleDummyTable(tricks)


def parse_costs(columns: str, rows: Sequence[Sequence[str]], cards: Sequence[tuple[Seat, Card]]) -> list[CardCost]:
    """What `format_costs` gives, read back.

    Args:
        columns: the value of the tag.
        rows: the words of each line.
        cards: those of the board, which the rows must name.

    Raises:
        FormatError: the columns are others, or a row is not of a card that was played.
    """
    if columns != COST_COLUMNS:
        raise FormatError(f"a table of costs has the columns {COST_COLUMNS!r}, got {columns!r}")
    numbers: dict[tuple[str, ...], int] = {
        (str(number), seat.letter, card.pbn): number for number, (seat, card) in enumerate(cards, start=1)
    }
    costs: list[CardCost] = []
    for row in rows:
        *played, tricks = row
        number = numbers.get(tuple(played))
        if number is None or _RESULTS.get(tricks, 0) < 1:
            raise FormatError(
                "a row of costs is number, seat and card as they were played, and 1 to 13 tricks, "
                f"got {' '.join(row)[:40]!r}"
            )
        if costs and number <= costs[-1].number:
            raise FormatError(f"costs are in the order of play, got card {number} after card {costs[-1].number}")
        costs.append(CardCost(number, _RESULTS[tricks]))
    return costs
