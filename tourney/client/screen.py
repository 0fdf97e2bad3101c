"""The picture of a table in a terminal: auction, hands and tricks in at most as many columns and rows as there are.

`draw_screen` is a function of the session and the size of the terminal; nothing is remembered between two pictures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from tourney.bridge import PASS, SEATS, Bid, Card, Hand, Seat, Side, Strain, Suit, Trick
from tourney.bridge.auction import AUCTION_COLUMNS, auction_rows
from tourney.bridge.minibridge import count_hcp
from tourney.client.game_view import GameView
from tourney.client.session import PlaySession
from tourney.client.wording import (
    SUIT_SIGNS,
    call_text,
    clean,
    contract_words,
    rank_text,
    score_by_side,
    suits_of,
    vulnerability_word,
)

WIDTH_MAX: Final = 100
"""Columns that the picture takes at most: an eye does not go further to and fro."""

NOTICE_LINES: Final = 4
ALERT_LINES: Final = 6
"""The last explanations of calls are shown, as far as they need no more lines than this."""

AUCTION_ROWS_MAX: Final = 8
AUCTION_ROWS_MIN: Final = 2

"""The order of an auction's columns, as bidding sheets and bulletins have it."""

_CALL_WIDTH: Final = 7
_AUCTION_WIDTH: Final = 4 * _CALL_WIDTH
_GAP: Final = 2
_PLACE_WIDTH: Final = 6
_TRICK_WIDTH: Final = 21
"""The last trick with its leader in one line."""

_SUIT_STYLES: Final = {
    Suit.SPADES: "bright_blue",
    Suit.HEARTS: "bright_red",
    Suit.DIAMONDS: "yellow",
    Suit.CLUBS: "green",
}
_TURN_STYLE: Final = "reverse"
_DIM: Final = "dim"
_BOLD: Final = "bold"


@dataclass(frozen=True, slots=True)
class ScreenStyle:
    """How a terminal can show a picture."""

    columns: int
    rows: int
    has_signs: bool = True
    """Whether it has suit signs and lines; letters and hyphens take their place."""


def draw_screen(session: PlaySession, typed: str, style: ScreenStyle) -> list[Text]:
    """Return the lines of the picture, none longer than the terminal is wide, no more than it has rows.

    The last line is the one that the person types on.
    """
    return _Picture(session, style).lines(typed)


class _Picture:
    def __init__(self, session: PlaySession, style: ScreenStyle) -> None:
        self._session = session
        self._view: GameView = session.view
        self._style = style
        self._width = max(20, min(style.columns - 1, WIDTH_MAX))

    def lines(self, typed: str) -> list[Text]:
        rows = self._style.rows
        below = [*self._notices(), self._rule(), *self._prompt(), self._typed(typed)]
        view = self._view
        if view.seat is None:
            above = [_text(f"tourney play: {clean(self._session.name.partition('#')[0])}", _BOLD)]
        else:
            cards = self._cards()
            free = rows - len(below) - len(cards) - len(self._heading()) - 2
            above = [*self._heading(), *self._bidding(max(AUCTION_ROWS_MIN, min(free, AUCTION_ROWS_MAX))), *cards]
        cut = max(0, len(above) + len(below) - rows)
        shown = [*above[cut:], *below][-rows:]
        for line in shown:
            line.truncate(self._style.columns - 1, overflow="ellipsis")
        return shown

    # The heading

    def _heading(self) -> list[Text]:
        view = self._view
        assert view.seat is not None
        words = [f"Game {view.game}"]
        if view.board is not None:
            vulnerable = f"Vul {vulnerability_word(view.board.vulnerability)}"
            words = [f"Board {view.board.number}", f"Dealer {view.board.dealer.title}", vulnerable, *words]
        return [_text("  ".join(words), _BOLD), self._names(), self._rule()]

    def _names(self) -> Text:
        view, cells = self._view, []
        width = (self._width - 3 * _GAP) // 4
        for place, seat in enumerate(SEATS):
            name = "you" if seat is view.seat else clean(view.names.get(seat, ""))
            cell = _text(f"{seat.letter} {name}", _TURN_STYLE if seat is view.actor else "")
            cell.truncate(width, overflow="ellipsis")
            cells.append((place * (width + _GAP), [cell]))
        return _side_by_side(*cells)[0]

    def _rule(self) -> Text:
        return _text(("─" if self._style.has_signs else "-") * self._width, _DIM)

    # The auction and the score

    def _bidding(self, rows: int) -> list[Text]:
        beside = (_AUCTION_WIDTH + _GAP, self._score())
        return [*_side_by_side((0, self._auction(rows)), beside), *self._alerts(), Text()]

    def _auction(self, rows: int) -> list[Text]:
        view = self._view
        if view.points:
            return self._points()
        head = Text()
        for seat in AUCTION_COLUMNS:
            style = _BOLD if seat is view.seat else ""
            head.append(seat.title.ljust(_CALL_WIDTH), style)
        if view.known is None:
            return [head]
        cells = [self._call(number) for number in range(1, len(view.calls) + 1)]
        if view.in_auction and view.turn is not None:
            cells.append(_text("?", _BOLD if view.is_my_turn else ""))
        table = auction_rows(view.known.dealer, cells)
        shown = table[-rows:]
        if len(shown) < len(table):
            shown = table[-(rows - 1) :]
            head = _padded(head, _AUCTION_WIDTH - 2)
            head.append("… " if self._style.has_signs else ".. ", _DIM)
        return [head, *(Text.assemble(*(_padded(cell or _text(""), _CALL_WIDTH) for cell in row)) for row in shown)]

    def _call(self, number: int) -> Text:
        call = self._view.calls[number - 1]
        if isinstance(call, Bid):
            text = self._bid(call.level, call.strain)
        else:
            text = _text(call_text(call), _DIM if call is PASS else "")
        if number in self._view.alerts:
            text.append("!", _BOLD)
        return text

    def _bid(self, level: int, strain: Strain, style: str = "") -> Text:
        trumps = strain.trumps
        return _text(str(level), style).append_text(_text("NT", style) if trumps is None else self._suit(trumps))

    def _points(self) -> list[Text]:
        points = self._view.points
        return [_text("Points announced"), *(_text(f"{seat.title:<6} {points[seat]:>2}") for seat in points)]

    def _alerts(self) -> list[Text]:
        lines = []
        for number, text in sorted(self._view.alerts.items()):
            if number > len(self._view.calls):
                continue
            caller = self._view.caller(number)
            line = _text(f"{caller.title if caller is not None else ''} ").append_text(self._call(number))
            first, *rest = _wrapped(f"{line.plain} {clean(text)}", self._width)
            lines += [line.append(first[len(line.plain) :]), *map(_text, rest)]
        return lines[-ALERT_LINES:]

    def _score(self) -> list[Text]:
        view = self._view
        lines = [self._contract()]
        if view.contract is not None:
            won = "  ".join(f"{side} {view.tricks_won(side)}" for side in Side)
            lines.append(_text(f"Tricks    {won}"))
        if view.score is not None:
            lines += map(_text, score_by_side(view.score))
        return lines

    def _contract(self) -> Text:
        view = self._view
        if view.is_passed_out:
            return _text("Passed out", _BOLD)
        contract = view.contract
        if contract is None:
            return _text("")
        line = _text("Contract  ", _BOLD)
        if view.points:
            return line.append(contract_words(contract, is_minibridge=True), _BOLD)
        line.append_text(self._bid(contract.level, contract.strain, _BOLD))
        doubled = (" ", " doubled ", " redoubled ")[contract.doubled]
        return line.append(f"{doubled}by {contract.declarer.title}", _BOLD)

    # The cards

    def _cards(self) -> list[Text]:
        view = self._view
        assert view.seat is not None
        if view.known is None:
            return []
        width = (self._width - _TRICK_WIDTH - 2 * _GAP) // 2
        own = self._hand(f"You, {view.seat.title}", view.seat, width)
        dummy, middle = view.dummy, self._tricks()
        other: list[Text] = []
        if dummy is not None and view.dummy_hand is not None and dummy is not view.seat:
            other = self._hand(f"Dummy {dummy.letter}", dummy, width)
        return _side_by_side((0, own), (width + _GAP, middle), (width + _TRICK_WIDTH + 2 * _GAP, other))

    def _hand(self, title: str, seat: Seat, width: int) -> list[Text]:
        view = self._view
        cards = view.held(seat)
        if len(cards) == 13:
            title = f"{title}, {count_hcp(Hand.of(cards))} HCP"
        is_turn = not view.in_auction and view.turn is seat
        legal = set(view.legal_cards()) if is_turn and view.is_my_turn else set()
        lines = [_text(title, _TURN_STYLE if is_turn else _BOLD)]
        for suit, held in suits_of(cards).items():
            lines.append(self._suit(suit).append(" ").append_text(self._ranks(held, legal, width - 2)))
        return lines

    def _ranks(self, held: Sequence[Card], legal: Iterable[Card], width: int) -> Text:
        texts = [rank_text(card) for card in held]
        apart = " ".join(texts)
        between = " "
        if len(apart) > width:
            texts, between = [card.rank_letter for card in held], ""
        line = Text()
        for place, (card, text) in enumerate(zip(held, texts, strict=True)):
            line.append(between if place else "")
            line.append(text, _BOLD if card in legal else _DIM if legal else "")
        return line if held else _text("-", _DIM)

    def _tricks(self) -> list[Text]:
        """The trick in progress by compass; the one before it in one line below."""
        view = self._view
        if view.contract is None:
            return []
        trick = view.trick
        places = {seat: self._place(trick, seat) for seat in SEATS}
        lines = [
            _padded(Text(), _PLACE_WIDTH).append_text(places[Seat.NORTH]),
            _padded(places[Seat.WEST], 2 * _PLACE_WIDTH).append_text(places[Seat.EAST]),
            _padded(Text(), _PLACE_WIDTH).append_text(places[Seat.SOUTH]),
        ]
        last = view.last_trick
        if last is None or last == trick:
            return [Text(), *lines]
        before = _text("last ", _DIM).append(f"{last.leader.letter} ", _DIM)
        for card in last.cards:
            before.append_text(self._card(card)).append(" ")
        return [*lines, Text(), before]

    def _place(self, trick: Trick | None, seat: Seat) -> Text:
        at = (seat - trick.leader) % 4 if trick is not None else 4
        if trick is not None and at < len(trick.cards):
            return _text(f"{seat.letter} ").append_text(self._card(trick.cards[at]))
        is_turn = self._view.turn is seat
        return _text(f"{seat.letter} {'?' if is_turn else '.'}", _BOLD if is_turn else _DIM)

    def _card(self, card: Card) -> Text:
        return self._suit(card.suit).append(rank_text(card), "default")

    def _suit(self, suit: Suit) -> Text:
        sign = SUIT_SIGNS[suit] if self._style.has_signs else suit.letter
        return _text(sign, _SUIT_STYLES[suit])

    # Below

    def _notices(self) -> list[Text]:
        most = self._style.rows // 2 if self._session.shows_all else NOTICE_LINES
        notices = list(self._session.notices)[-most:]
        return [_text(line) for notice in notices for line in _wrapped(notice, self._width)][-most:]

    def _prompt(self) -> list[Text]:
        style = _BOLD if self._session.is_connected and self._view.is_my_turn else ""
        return [_text(line, style) for line in _wrapped(self._session.prompt, self._width)[:2]]

    def _typed(self, typed: str) -> Text:
        room = max(4, self._style.columns - 5)
        while cell_len(typed) > room:
            typed = typed[1:]  # the end is what is being typed
        return _text("> ").append(typed)


def _text(text: str, style: str = "") -> Text:
    """Return a text whose style is its own, not that of what is appended to it."""
    return Text().append(text, style)


def _padded(text: Text, width: int) -> Text:
    padded = text.copy()
    padded.append(" " * max(0, width - padded.cell_len))
    return padded


def _side_by_side(*blocks: tuple[int, Sequence[Text]]) -> list[Text]:
    """Return lines of several blocks, each of which begins in its column."""
    lines = [Text()] * max(len(block) for _, block in blocks)
    for column, block in blocks:
        lines = [_padded(line, column) for line in lines]
        for line, part in zip(lines, block, strict=False):
            line.append_text(part)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    lines, line = [], ""
    for word in text.split(" "):
        if line and cell_len(f"{line} {word}") > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
