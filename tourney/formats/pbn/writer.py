r"""Writes played boards in PBN 2.1 export format, in a form that today's PBN readers accept without loss.

Knows the order and the limits of the format, but not where records come from. Beyond the standard, it avoids what
breaks common readers: it writes no escapes, no inherited values, no comments, no `AP` and no byte outside
ASCII, and every game ends with an empty line.

Thinking times are tables (AuctionTimeTable and PlayTimeTable, PBN 2.1 sections 5.4 and 5.8), a row a call or card in
the order of the words in the section before. The standard counts whole seconds only; the column of milliseconds is
our own, as section 5.2 allows.

A board on which a ruling decides has the tag Ruling, one of our own (section 4.9), with what was ruled, and the IMPs
of both sides in ScoreIMP. A comment or a note would say as much to people, but common readers fail on the one and
take the other for a note on a call.

What each declarer can make in each denomination is an OptimumResultTable (section 5.7).

Further tables, such as ScoreTable and TotalScoreTable (sections 5.9 and 5.10), are given as columns and rows of
cells; a column is written as wide as its longest cell.
"""

import datetime
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tourney.bridge import (
    DECK,
    SEATS,
    Auction,
    Board,
    Call,
    Card,
    Contract,
    DoubleDummyTable,
    Result,
    Seat,
    format_deal,
)
from tourney.bridge.double_dummy import TABLE_PLACES
from tourney.formats.ascii import cut_at_word, plain_text
from tourney.formats.pbn.games import MANDATORY_TAGS

LINE_LENGTH_MAX: Final = 255
"""Bytes in a line, its CR LF included (PBN 2.1 section 2.3)."""

NOTES_MAX: Final = 32
"""The highest index of a note (PBN 2.1 section 3.5.4)."""

MORE_NOTES: Final = "More alerts than PBN can number: see the full record"
"""The last note of an auction with more different alerts than notes; the remaining calls share it."""

NO_TEXT: Final = "Alert"
"""The note of a call alerted without an explanation."""

AUCTION_TIMES: Final = "AuctionTimeTable"
PLAY_TIMES: Final = "PlayTimeTable"
TIME_COLUMNS: Final = "Time;Milliseconds"
RESULTS: Final = "OptimumResultTable"
RESULT_COLUMNS: Final = r"Declarer;Denomination\2R;Result\2R"
"""The column headings of the tables, which are the values of their tags."""

_END: Final = "\r\n"
_ROW: Final = 4
_ROW_STARTS: Final = tuple(index - index % _ROW for index in range(len(DECK)))


@dataclass(frozen=True, slots=True)
class PbnTable:
    """A table of a game (PBN 2.1 section 5.2). A cell without text is written as `-`, one with blanks in quotes."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The cells of each row, one for each column."""
    texts: Collection[str]
    """The columns whose cells stand on the left; figures stand on the right."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PbnRecord:
    """One board at one table, finished or not. Texts may be in any language; an empty text means unknown."""

    event: str = ""
    date: datetime.date | None = None
    board: Board
    names: tuple[str, ...]
    """`names[seat]`: the player, the program or the team that sat there."""
    calls: tuple[tuple[Call, str | None], ...] = ()
    """Every call from the dealer's on, with the text of its alert; None where it was not alerted."""
    cards: tuple[tuple[Seat, Card], ...] = ()
    """Every card in the order of play, with the hand it came from."""
    result: Result | None = None
    """The result; None if the board is unfinished or scored by a ruling."""
    is_of_programs: bool = True
    """Whether all players are known to be programs."""
    scoring: str = "IMP"
    room: str | None = None
    """`Open` or `Closed`."""
    home_team: str = ""
    visit_team: str = ""
    round: str = ""
    stage: str = ""
    table: str = ""
    ruling: str = ""
    """What was ruled on the board, by which its IMPs are not those of the two results."""
    termination: str = ""
    """Why the board ended, in the words of PBN 2.1 section 4.1.8, such as `normal` or `time forfeit`."""
    call_ms: tuple[int, ...] = ()
    """Thinking time of each call in milliseconds, `call_ms[i]` that of `calls[i]`; empty when it is not known."""
    card_ms: tuple[int, ...] = ()
    """Thinking time of each card in milliseconds, likewise."""
    makeable: DoubleDummyTable | None = None
    """What each declarer can make double dummy; None if it was not solved."""
    par_ns: int | None = None
    """North-South's score if both sides bid and play as well as possible."""
    tags: tuple[tuple[str, str], ...] = ()
    """Further tags by name, such as those of pairs and of rubber bridge (PBN 2.1 chapter 4)."""
    tables: tuple[PbnTable, ...] = ()
    """Further tables."""

    @property
    def auction(self) -> Auction:
        """Replays the calls.

        Raises:
            RuleError: a call is not legal.
        """
        auction = Auction(self.board.dealer)
        for call, _ in self.calls:
            auction.add(call)
        return auction

    @property
    def contract(self) -> Contract | None:
        """The contract of the result, else that of the auction; None if passed out or never reached.

        Raises:
            RuleError: a call is not legal.
        """
        return self.result.contract if self.result is not None else self.auction.contract


def format_records(records: Iterable[PbnRecord], creator: str) -> str:
    """Formats a whole PBN file, in ASCII, CR LF at the end of each line, an empty line at the end of each game.

    Alert texts longer than a line are cut at a word and end in ` ...`; equal texts of one auction share a note.

    Args:
        records: the games in the order to write them.
        creator: program and version, for the `%Creator` line.

    Raises:
        RuleError: a call of a record is not legal.
    """
    games = [format_record(record) for record in records]
    return format_header(creator) + ("".join(games) or _END)


def format_header(creator: str) -> str:
    """Formats the lines that begin a file; no empty line follows, for readers would take them for a game."""
    head = "%Creator: "
    lines = ("% PBN 2.1", "% EXPORT", head + cut_at_word(plain_text(creator), _room(head)))
    return "".join(f"{line}{_END}" for line in lines)


def format_record(record: PbnRecord) -> str:
    """Formats one game with the empty line after it.

    Raises:
        RuleError: a call of the record is not legal.
    """
    return _END.join(_game_lines(record)) + _END


def _game_lines(record: PbnRecord) -> list[str]:
    assert len(record.call_ms) in (0, len(record.calls)), "a time for each call, or none at all"
    contract = record.contract
    mandatory = _mandatory_values(record, contract)
    lines = [_tag(name, mandatory[name]) for name in MANDATORY_TAGS]
    lines += [_tag(name, value) for name, value in sorted(_supplemental_values(record).items())]
    if record.calls:
        lines += _auction_lines(record)
    places = _places(contract.leader, record.cards) if contract is not None else []
    if contract is not None:
        lines += _play_lines(contract.leader, record.cards, places)
    if record.call_ms:
        lines += (_table_tag(AUCTION_TIMES, TIME_COLUMNS), *_time_rows(record.call_ms))
    if record.makeable is not None:
        lines += (_table_tag(RESULTS, RESULT_COLUMNS), *_result_rows(record.makeable))
    if contract is not None and record.card_ms:
        lines += (_table_tag(PLAY_TIMES, TIME_COLUMNS), *_in_rows(places, _time_rows(record.card_ms), "- -"))
    for table in record.tables:
        lines += _aligned_lines(table)
    lines.append("")
    return lines


def _mandatory_values(record: PbnRecord, contract: Contract | None) -> dict[str, str]:
    """Returns values by tag name; `?` if unknown, empty for what a passed-out board lacks (sections 3.4.13-15)."""
    board = record.board
    if contract is not None:
        declarer, contract_text = contract.declarer.letter, str(contract)
        result = str(record.result.tricks) if record.result is not None else "?"
    elif record.result is not None:
        declarer, contract_text, result = "", "Pass", ""
    else:
        declarer = contract_text = result = "?"
    return {
        "Event": plain_text(record.event) or "?",
        "Site": "?",
        "Date": "????.??.??" if record.date is None else record.date.isoformat().replace("-", "."),
        "Board": str(board.number),
        **{seat.title: plain_text(record.names[seat]) or "?" for seat in SEATS},
        "Dealer": board.dealer.letter,
        "Vulnerable": board.vulnerability.value,
        "Deal": format_deal(board.deal, board.dealer),
        "Scoring": plain_text(record.scoring) or "?",
        "Declarer": declarer,
        "Contract": contract_text,
        "Result": result,
    }


def _supplemental_values(record: PbnRecord) -> dict[str, str]:
    """Returns values by tag name; only those that the record has."""
    values = {
        **({f"{seat.title}Type": "program" for seat in SEATS} if record.is_of_programs else {}),
        "HomeTeam": record.home_team,
        "OptimumScore": f"NS {record.par_ns}" if record.par_ns is not None else "",
        "Room": record.room or "",
        "Round": record.round,
        "Ruling": record.ruling,
        "Score": f"NS {record.result.score}" if record.result is not None else "",
        "Stage": record.stage,
        "Table": record.table,
        "Termination": record.termination,
        "VisitTeam": record.visit_team,
        **dict(record.tags),
    }
    return {name: value for name, value in values.items() if plain_text(value)}


def both_sides(north_south: object, east_west: object | None) -> str:
    """Returns the value of ScoreIMP or ScoreMP: of one side, or of both (PBN 2.1 section 4.2)."""
    return f"NS {north_south}" + (f" EW {east_west}" if east_west is not None else "")


def _auction_lines(record: PbnRecord) -> Iterator[str]:
    """Yields the calls, four a line, then the notes (PBN 2.1 section 3.5)."""
    alerts = [None if alert is None else _note_text(alert) for _, alert in record.calls]
    texts = list(dict.fromkeys(alert for alert in alerts if alert is not None))
    if len(texts) > NOTES_MAX:
        texts[NOTES_MAX - 1 :] = [MORE_NOTES]
    notes = {text: number for number, text in enumerate(texts, 1)}
    words = [
        str(call) if alert is None else f"{call} ={notes.get(alert, NOTES_MAX)}="
        for (call, _), alert in zip(record.calls, alerts, strict=True)
    ]
    yield _tag("Auction", record.board.dealer.letter)
    yield from _rows(words)
    if not record.auction.is_over:
        yield "*"
    for text, number in notes.items():
        yield _tag("Note", f"{number}:{text}")


def _play_lines(leader: Seat, cards: Sequence[tuple[Seat, Card]], places: Sequence[int]) -> Iterator[str]:
    """Yields a line for each trick; the columns always start from the opening leader (PBN 2.1 section 3.6)."""
    yield _tag("Play", leader.letter)
    words = _in_rows(places, [card.pbn for _, card in cards], "-")
    yield from _rows(words)
    if len(cards) < 52:
        yield "*"


def _rows(words: Sequence[str]) -> Iterator[str]:
    """Yields words in lines, four in each."""
    for start in range(0, len(words), _ROW):
        yield " ".join(words[start : start + _ROW])


def _places(leader: Seat, cards: Sequence[tuple[Seat, Card]]) -> list[int]:
    """Returns each card's position in the Play section: four a trick, from the opening leader."""
    columns = [(seat - leader) % _ROW for seat in SEATS]
    return [start + columns[seat] for start, (seat, _) in zip(_ROW_STARTS, cards, strict=False)]


def _in_rows(places: Sequence[int], texts: Iterable[str], missing: str) -> list[str]:
    """Returns each card's text in the order of the Play section; `missing` for a card not played."""
    rows = [missing] * (-(-len(places) // _ROW) * _ROW)
    for place, text in zip(places, texts, strict=True):
        rows[place] = text
    return rows


def _table_tag(name: str, columns: str) -> str:
    return f'[{name} "{columns}"]'


def _aligned_lines(table: PbnTable) -> Iterator[str]:
    """Yields the tag of a table and its rows, in columns."""
    rows = [[_cell(text) for text in row] for row in table.rows]
    widths = [max((len(row[place]) for row in rows), default=1) for place in range(len(table.columns))]
    columns = ";".join(
        f"{column}\\{width}{'L' if column in table.texts else 'R'}"
        for column, width in zip(table.columns, widths, strict=True)
    )
    yield _table_tag(table.name, columns)
    for row in rows:
        cells = zip(row, table.columns, widths, strict=True)
        line = " ".join(
            cell.ljust(width) if column in table.texts else cell.rjust(width) for cell, column, width in cells
        )
        yield cut_at_word(line.rstrip(), LINE_LENGTH_MAX - len(_END))


def _cell(text: str) -> str:
    plain = plain_text(text).replace('"', "'").replace(";", ",")
    if not plain:
        return "-"
    return f'"{plain}"' if " " in plain or plain[0] in "[{%*" else plain


def _time_rows(times_ms: Iterable[int]) -> list[str]:
    """Returns seconds, rounded, and milliseconds."""
    return [f"{(ms + 500) // 1000} {ms}" for ms in times_ms]


def _result_rows(table: DoubleDummyTable) -> Iterator[str]:
    """Yields 20 rows of declarer's tricks: declarers N, S, E, W, for each of them NT, S, H, D, C."""
    for seat, strain in TABLE_PLACES:
        yield f"{seat.letter} {strain.letters:>2} {table.tricks[seat, strain]:>2}"


def _note_text(alert: str) -> str:
    # Room for the index, two figures and a colon.
    return cut_at_word(plain_text(alert), _room('[Note "12:"]')) or NO_TEXT


@lru_cache(maxsize=4096)  # most tags are the same in the next game
def _tag(name: str, value: str) -> str:
    text = plain_text(value)
    if text.startswith("#"):  # a value of # or ##text would be that of another game (PBN 2.1 section 4.8)
        text = f"No. {text.lstrip('#').strip()}".rstrip()
    room = _room(f'[{name} ""]')
    return f'[{name} "{cut_at_word(text, room)}"]'


def _room(rest: str) -> int:
    """Returns how many characters a value may have in a line that also contains `rest`."""
    return LINE_LENGTH_MAX - len(rest) - len(_END)
