"""Reads the boards of a LIN text (Bridge Base Online), a vugraph presentation or single records, spelt as in PBN.

The format has no specification; this follows actual files: pairs of `key|value|`, with line ends ignored. `vg` and
`rs` head a presentation: teams, first and last board, and the result of every board in both rooms; `pn` names the
players, South first; `qx` starts a board of a room. The rules of the game are not known here.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.formats.unchecked import SourceFinding, SourceText, UncheckedGame

_PAIR: Final = re.compile(r"([A-Za-z]{2})\|([^|]*)\|")
_BOARD: Final = re.compile(r"\s*([oc])\s*([0-9]{1,6})", re.IGNORECASE)
_CALL: Final = re.compile(r"[1-7](?:NT?|[SHDC])|pass|p|redbl|rdbl|dbl|d|r|xx?|\S", re.IGNORECASE)
_CARD: Final = re.compile(r"[SHDC](?:10|[2-9TJQKA])|\S+", re.IGNORECASE)
_RESULT: Final = re.compile(r"([1-7][SHDCN])([NESW])(x{0,2})(=|[+-][0-9]{1,2})", re.IGNORECASE)

_SEATS: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; the dealer is numbered by it from 1."""

_VULNERABILITIES: Final = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_BEGINS_WITH: Final = re.compile(r"[+-]?[0-9]*(?:\.[0-9]*)?")
_HEADED: Final = re.compile(r"\bboard\W{0,3}([0-9]{1,6})\b|^\W*([0-9]{1,6})\W*$", re.IGNORECASE)
"""What says the number of a board: `Board 12`, `12`."""

_ROOMS: Final = {"o": "Open", "c": "Closed"}
_SCORINGS: Final = {"i": "IMP", "b": "BAM", "p": "MatchPoints"}

BOARDS_MAX: Final = 100_000
"""Boards in a file."""

PAIRS_MAX: Final = 5000
"""Pairs `key|value|` in a board: its calls, cards and pages, and the remarks of commentators."""

VALUE_LENGTH_MAX: Final = 50_000
"""Characters of a value that are read: the results of the longest presentation take 16,000."""

_RESULTS_MAX: Final = 2000
"""Maximum number of results read from a presentation: two rooms of the longest match that has a scale."""


def iter_lin(text: str, name: str, findings: list[SourceFinding]) -> Iterator[UncheckedGame]:
    """Yields the boards of a LIN text, in the order of the file, reading no further than asked.

    Those of a presentation of which only the result is known come last in it.

    Args:
        text: the whole file.
        name: what to call it in errors.
        findings: receives what is wrong with the text as such.

    Raises:
        FormatError: it has more boards, or more in a board, than are read.
    """
    reader = _Reader(name, findings)
    line, position, pairs, count = 1, 0, 0, 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for pair in _PAIR.finditer(text):
        line += text.count("\n", position, pair.start())
        position = pair.start()
        reader.take(pair[1].lower(), SourceText(pair[2][:VALUE_LENGTH_MAX].replace("\n", "").strip(), line))
        pairs += 1
        if reader.games:
            yield from reader.games
            count += len(reader.games)
            reader.games.clear()
            pairs = 0
        if pairs > PAIRS_MAX:
            raise FormatError(
                f"{name} line {line}: a board has more than {PAIRS_MAX} entries, the most that are read"
            )
        if count > BOARDS_MAX:
            raise FormatError(f"{name} line {line}: a file has more than {BOARDS_MAX} boards, the most that are read")
    reader.end_presentation()
    yield from reader.games


@dataclass
class _Board:
    line: int
    tags: dict[str, SourceText] = field(default_factory=dict)
    from_qx: bool = False
    """Whether a `qx` has named it; otherwise another deal starts the next board."""
    names: list[SourceText] = field(default_factory=list)
    """Its own, from South on; empty if it has none."""
    calls: list[SourceText] = field(default_factory=list)
    cards: list[SourceText] = field(default_factory=list)

    @property
    def has_begun(self) -> bool:
        return bool(self.calls or self.cards or "claim" in self.tags)

    @property
    def room(self) -> str:
        """`o` or `c`; the open room where the file does not say it."""
        return self.tags["room"].text[0].lower() if "room" in self.tags else "o"


class _Reader:
    """Receives the pairs one after the other and builds the boards.

    What describes a board (names, deal, number, vulnerability) may come before its `qx` or after it. What comes when
    the current board has been called or played, or has such a thing already, belongs to the board that follows; what
    no board follows belongs to none.
    """

    def __init__(self, file: str, findings: list[SourceFinding]) -> None:
        self.games: list[UncheckedGame] = []
        """The boards that have been read and not been taken yet."""
        self.file = file
        self.findings = findings
        self._board: _Board | None = None
        self._next: _Board | None = None  # what has come of the board after it
        self._is_first = True  # whether neither a presentation nor a board has begun
        self._head: dict[str, SourceText] = {}  # tags of every board of the presentation
        self._names: dict[str, list[SourceText]] = {}  # by room, of boards without names of their own
        self._results: dict[tuple[str, int], SourceText] = {}  # by room and place in the presentation; those not used
        self._first = 1
        self._read: set[tuple[str, str]] = set()  # rooms and numbers of the boards of the presentation

    def take(self, key: str, value: SourceText) -> None:
        match key:
            case "vg" if value.text:
                self._take_head(value)
            case "rs":
                self._take_results(value)
            case "pn":
                self._take_names(value)
            case "qx":
                self._take_place(value)
            case "md":
                self._take_deal(value)
            case "sv":
                vulnerable = _VULNERABILITIES.get(value.text[:1].lower(), value.text)
                self._describe("vulnerable", SourceText(vulnerable, value.line))
            case "ah":
                self._describe("ah", value)
            case "mb" if self._board is not None:
                self._board.calls += _words(_CALL, value)
            case "pc" if self._board is not None:
                self._board.cards += _words(_CARD, value)
            case "mc" if self._board is not None and value.text:
                self._board.tags["claim"] = value
            case _:
                pass

    def end_presentation(self) -> None:
        """Finish the current board; results of boards without a record of their own become boards."""
        self._start(None)
        self._next = None
        for room, place in list(self._results):
            line = self._results[room, place].line
            tags = {"board": str(self._first + place), "room": _ROOMS[room]}
            if (room, tags["board"]) in self._read:  # its record came before the results
                continue
            self._start(_Board(line, {name: SourceText(text, line) for name, text in tags.items()}))
        self._start(None)

    def _take_head(self, value: SourceText) -> None:
        if not self._is_first:
            self.end_presentation()
            self._names = {}
        if self._head:
            self._read.clear()
        self._is_first = False
        fields = [part.strip() for part in value.text.split(",")]
        # Titles and names of teams have commas too: how it is scored, and two numbers, show where the fields are.
        usual = max(len(fields) - 7, 0)  # the last eight of nine fields are the same in every heading
        places = (usual, *range(len(fields) - 2))
        place = next((place for place in places if _is_scoring(fields[place : place + 3])), max(usual, 2))
        fields += [""] * (place + 3 - len(fields))
        self._first = int(fields[place + 1]) if _NUMBER.fullmatch(fields[place + 1]) else 1
        home, visit = _teams(fields[place + 3 :])
        names = {"event": ", ".join(fields[: max(place - 1, 0)]), "round": fields[place - 1] if place else ""}
        names |= {"hometeam": home, "visitteam": visit, "scoring": _SCORINGS.get(fields[place].lower(), "")}
        if names["scoring"] == "MatchPoints":  # two tables of a pairs event are shown as the two rooms
            names["competition"] = "Pairs"
        self._head = {name: SourceText(text, value.line) for name, text in names.items() if text}

    def _take_results(self, value: SourceText) -> None:
        for index, text in enumerate(value.text.split(",")[:_RESULTS_MAX]):
            if text.strip():
                self._results["oc"[index % 2], index // 2] = SourceText(text.strip(), value.line)

    def _take_names(self, value: SourceText) -> None:
        names = [SourceText(name.strip(), value.line) for name in value.text.split(",")]
        board = self._board
        if len(names) > len(_SEATS):
            if board is not None and board.has_begun:
                board.names = board.names or self._names.get(board.room, [])
            self._names = {"o": names[: len(_SEATS)], "c": names[len(_SEATS) :]}
            return
        if board is None or board.has_begun or board.names:
            board = self._next = self._next or _Board(value.line)
        board.names = names

    def _describe(self, name: str, value: SourceText) -> None:
        """Notes a tag of the current board, or of the one after it."""
        board = self._next or self._board
        if board is None or (board is self._board and board.has_begun and name in board.tags):
            board = self._next = _Board(value.line)
        if value.text:
            board.tags[name] = value

    def _take_place(self, value: SourceText) -> None:
        if self._board is None or self._board.from_qx or self._board.has_begun:
            self._start(self._next or _Board(value.line))
        board = self._board
        assert board is not None, "it has been started"
        board.from_qx = True
        found = _BOARD.match(value.text)
        if found is None:
            said = f"a board is o or c and its number, such as o1, got {value.quoted}"
            self.findings.append(SourceFinding(self.file, value.line, None, None, said))
            return
        board.tags["room"] = SourceText(_ROOMS[found[1].lower()], value.line)
        board.tags["board"] = SourceText(str(int(found[2])), value.line)

    def _take_deal(self, value: SourceText) -> None:
        board = self._board
        hands = "".join(value.text.split())
        dealer, hands = hands[:1], hands.lstrip("0123456789")
        texts = [hand or "-" for hand in hands.rstrip(",").split(",")]
        deal = SourceText("S:" + " ".join(texts + ["-"] * (len(_SEATS) - len(texts))), value.line)
        if not value.text:
            return
        before = board.tags.get("deal") if board is not None else None
        if board is None or board.has_begun or (before is not None and (self._next is not None or not board.from_qx)):
            board = self._next or _Board(value.line)
            # The same deal again may be said of the board that is being played; then no `qx` follows.
            if self._board is not None and self._board.from_qx and before is not None and before.text == deal.text:
                self._next = board
            else:
                self._start(board)
        if dealer in tuple("1234"):
            board.tags["dealer"] = SourceText(_SEATS[int(dealer) - 1].letter, value.line)
        board.tags["deal"] = deal

    def _start(self, board: _Board | None) -> None:
        """Builds the current board, and makes another the current one."""
        self._is_first = False
        if self._board is not None:
            self.games.append(self._build(self._board))
        self._board = board
        if board is self._next:
            self._next = None

    def _build(self, board: _Board) -> UncheckedGame:
        if board.names:
            self._names[board.room] = board.names
        place, number = board.tags.get("board"), _board_number(board.tags)
        for stated in (number, place):
            result = self._results.pop((board.room, int(stated.text) - self._first), None) if stated else None
            if result is not None:
                board.tags |= _result_tags(result)
                break
        if number is not None:
            board.tags["board"] = number
            self._read.add((board.room, number.text))
        if number is place is not None and not self._head:
            board.tags["counter"] = place  # browser extensions number what they save through a session
        tricks = tuple(tuple(board.cards[start : start + 4]) for start in range(0, len(board.cards), 4))
        names = zip(_SEATS, self._names.get(board.room, []), strict=False)
        seated = {seat.title.lower(): name for seat, name in names if name.text}
        tags = self._head | seated | board.tags
        return UncheckedGame(self.file, board.line, tags, tuple(board.calls), tricks, cards_in_order=True)


def _board_number(tags: Mapping[str, SourceText]) -> SourceText | None:
    """Returns the number of a board: of `ah|Board 7|` where it has one, else of its `qx`, which may be a counter."""
    heading, place = tags.get("ah"), tags.get("board")
    if heading is None:
        return place
    found = _HEADED.search(heading.text) or (re.search(r"[0-9]{1,6}", heading.text) if place is None else None)
    return place if found is None else SourceText(str(int(found[found.lastindex or 0])), heading.line)


def _is_scoring(fields: Sequence[str]) -> bool:
    """Whether fields of a heading are how it is scored, and the first and the last board."""
    return len(fields) == 3 and fields[0].lower() in _SCORINGS and all(map(_NUMBER.fullmatch, fields[1:]))


def _teams(fields: Sequence[str]) -> tuple[str, str]:
    """Returns the names of the teams, each of which what it begins with follows."""
    names, own = [], list[str]()
    for text in fields:
        if own and _BEGINS_WITH.fullmatch(text):
            names.append(", ".join(own))
            own = []
        else:
            own.append(text)
    found = [*names, ", ".join(own), ""]
    return found[0], found[1]


def _words(pattern: re.Pattern[str], value: SourceText) -> Iterator[SourceText]:
    for word in pattern.findall(value.text.replace("!", "")):
        yield SourceText("Pass" if word == "-" else word, value.line)


def _result_tags(result: SourceText) -> dict[str, SourceText]:
    """Returns the tags of a result such as `4HE=`, `3NW+1`, `4SWx-4` or `PASS`."""
    found = _RESULT.fullmatch(result.text)
    if found is None:
        return {"contract": result}
    bid, declarer, doubled, tricks = found.groups()
    texts = {"contract": bid + doubled, "declarer": declarer, "result": tricks}
    return {name: SourceText(text.upper(), result.line) for name, text in texts.items()}
