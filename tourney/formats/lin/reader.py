"""Reads the boards of a LIN text (Bridge Base Online), a vugraph presentation or single records, spelt as in PBN.

The format has no specification; this follows actual files: pairs of `key|value|`, with line ends ignored. `vg` and
`rs` head a presentation: teams, first and last board, and the result of every board in both rooms; `pn` names the
players, South first; `qx` starts a board of a room. The rules of the game are not known here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.formats.unchecked import SourceFinding, SourceText, UncheckedGame

_PAIR: Final = re.compile(r"([A-Za-z]{2})\|([^|]*)\|")
_SIGN: Final = re.compile(
    r"(?:^|\|)[ \t]*(?P<lin>vg|rs|pn|qx|md|st)\| | ^[ \t]*\[[ \t]*\w+[ \t]*\"",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
"""The first pair of a LIN text, or the first tag of a PBN text."""

_BOARD: Final = re.compile(r"\s*([oc])\s*([0-9]{1,6})", re.IGNORECASE)
_CALL: Final = re.compile(r"[1-7](?:NT?|[SHDC])|pass|p|redbl|rdbl|dbl|d|r|xx?|\S", re.IGNORECASE)
_CARD: Final = re.compile(r"[SHDC](?:10|[2-9TJQKA])|\S+", re.IGNORECASE)
_RESULT: Final = re.compile(r"([1-7][SHDCN])([NESW])(x{0,2})(=|[+-][0-9]{1,2})", re.IGNORECASE)

_SEATS: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; the dealer is numbered by it from 1."""

_VULNERABILITIES: Final = {"o": "None", "0": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}
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


def is_lin(text: str) -> bool:
    """Whether a text looks like LIN rather than PBN."""
    found = _SIGN.search(text)
    return found is not None and found["lin"] is not None


def parse_lin(text: str, name: str = "the file") -> tuple[list[UncheckedGame], list[SourceFinding]]:
    """Reads the boards of a LIN text and what is wrong with it; for the rest see `iter_lin`."""
    findings: list[SourceFinding] = []
    return list(iter_lin(text, name, findings)), findings


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
    reader = _Reader(findings)
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
    tags: dict[str, SourceText]
    from_qx: bool = True
    """Whether the board began with `qx`; otherwise a deal, or names, start the next board."""
    calls: list[SourceText] = field(default_factory=list)
    cards: list[SourceText] = field(default_factory=list)


class _Reader:
    """Receives the pairs one after the other and builds the boards."""

    def __init__(self, findings: list[SourceFinding]) -> None:
        self.games: list[UncheckedGame] = []
        """The boards that have been read and not been taken yet."""
        self.findings = findings
        self._board: _Board | None = None
        self._head: dict[str, SourceText] = {}  # tags of every board of the presentation
        self._names: list[SourceText] = []  # South, West, North, East of the open room, then of the closed room
        self._results: dict[tuple[str, str], SourceText] = {}  # by room and number; those not used yet
        self._first = 1

    def take(self, key: str, value: SourceText) -> None:
        match key:
            case "vg":
                self.end_presentation()
                self._take_head(value)
            case "rs":
                self._take_results(value)
            case "pn":
                self._take_names(value)
            case "qx":
                self._start(value)
            case "md":
                self._take_deal(value)
            case "sv":
                vulnerable = _VULNERABILITIES.get(value.text[:1].lower(), value.text)
                self._tag("vulnerable", SourceText(vulnerable, value.line))
            case "ah":
                number = re.search(r"[0-9]{1,6}", value.text)
                if number is not None and self._board is not None and "board" not in self._board.tags:
                    self._tag("board", SourceText(number[0], value.line))
            case "mb" if self._board is not None:
                self._board.calls += _words(_CALL, value)
            case "pc" if self._board is not None:
                self._board.cards += _words(_CARD, value)
            case "mc":
                self._tag("claim", value)
            case _:
                pass

    def end_presentation(self) -> None:
        """Finish the current board; results of boards without a record of their own become boards."""
        self._close()
        for (room, number), result in self._results.items():
            tags = {"board": SourceText(number, result.line), "room": SourceText(_ROOMS[room], result.line)}
            board = _Board(result.line, tags | self._seated(room))
            board.tags.update(_result_tags(result))
            self.games.append(self._build(board))
        self._results = {}

    def _take_head(self, value: SourceText) -> None:
        fields = [part.strip() for part in value.text.split(",")]
        fields += [""] * (9 - len(fields))
        self._first = int(fields[3]) if re.fullmatch(r"[0-9]{1,6}", fields[3]) else 1
        names = {"event": fields[0], "round": fields[1], "hometeam": fields[5], "visitteam": fields[7]}
        names["scoring"] = _SCORINGS.get(fields[2].lower(), "")
        if names["scoring"] == "MatchPoints":  # two tables of a pairs event are shown as the two rooms
            names["competition"] = "Pairs"
        self._head = {name: SourceText(text, value.line) for name, text in names.items() if text}
        self._names = []

    def _take_results(self, value: SourceText) -> None:
        for index, text in enumerate(value.text.split(",")[:_RESULTS_MAX]):
            if text.strip():
                self._results["oc"[index % 2], str(self._first + index // 2)] = SourceText(text.strip(), value.line)

    def _take_names(self, value: SourceText) -> None:
        names = [SourceText(name.strip(), value.line) for name in value.text.split(",")]
        board = self._board
        if board is not None and not board.from_qx and "deal" in board.tags:
            self._close()
            board = None
        if board is None or len(names) > len(_SEATS):
            self._names = names
        if board is not None:
            room = board.tags["room"].text[:1].lower() if "room" in board.tags else "o"
            board.tags.update(_by_seat(names, room))

    def _start(self, value: SourceText) -> None:
        self._close()
        found = _BOARD.match(value.text)
        if found is None:
            self.findings.append(
                SourceFinding(
                    value.line, None, None, f"a board is o or c and its number, such as o1, got {value.quoted}"
                )
            )
            self._board = _Board(value.line, {})
            return
        room, number = found[1].lower(), str(int(found[2]))
        tags = {"board": SourceText(number, value.line), "room": SourceText(_ROOMS[room], value.line)}
        self._board = _Board(value.line, tags | self._seated(room))
        result = self._results.pop((room, number), None)
        if result is not None:
            self._board.tags.update(_result_tags(result))

    def _take_deal(self, value: SourceText) -> None:
        board = self._board
        if board is None or (not board.from_qx and "deal" in board.tags):
            self._close()
            board = self._board = _Board(value.line, self._seated("o"), from_qx=False)
        if not value.text:
            return
        dealer = value.text[0]
        if dealer in "1234":
            board.tags["dealer"] = SourceText(_SEATS[int(dealer) - 1].letter, value.line)
        hands = [_pbn_hand(hand) for hand in "".join(value.text.split()).lstrip("0123456789").rstrip(",").split(",")]
        hands += ["-"] * (len(_SEATS) - len(hands))
        board.tags["deal"] = SourceText("S:" + " ".join(hands), value.line)

    def _tag(self, name: str, value: SourceText) -> None:
        if self._board is not None and value.text:
            self._board.tags[name] = value

    def _seated(self, room: str) -> dict[str, SourceText]:
        return _by_seat(self._names, room)

    def _close(self) -> None:
        if self._board is not None:
            self.games.append(self._build(self._board))
            self._board = None

    def _build(self, board: _Board) -> UncheckedGame:
        tricks = tuple(tuple(board.cards[start : start + 4]) for start in range(0, len(board.cards), 4))
        return UncheckedGame(board.line, self._head | board.tags, tuple(board.calls), tricks, cards_in_order=True)


def _by_seat(names: list[SourceText], room: str) -> dict[str, SourceText]:
    """Returns the players' name tags by seat; the closed room's names are the second four, if there are any."""
    start = len(_SEATS) if room == "c" and len(names) > len(_SEATS) else 0
    pairs = zip(_SEATS, names[start:], strict=False)
    return {seat.title.lower(): name for seat, name in pairs if name.text}


def _pbn_hand(text: str) -> str:
    """Converts `SAK2H43D...C...` to `AK2.43....`; a hand that is not given becomes `-`."""
    suits: dict[str, str] = {}
    suit = ""
    for letter in text.strip().upper():
        if letter in "SHDC":
            suit = letter
            suits.setdefault(suit, "")
        else:
            suits[suit] = suits.get(suit, "") + letter
    return ".".join(suits.get(suit, "") for suit in "SHDC") if suits else "-"


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
