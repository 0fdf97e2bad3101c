"""The card that other sites show where somebody shares a page: a picture of 1200 by 630, drawn by Pillow.

It has what its page has and nothing else; where results are to be hidden, it is made without them. The signs of suits
are drawn here, as not every font has them.
"""

import io
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from tourney.bridge import SUITS_DOWN, Board, Seat, Suit
from tourney.site.filters import SIGNS, mark_holding
from tourney.site.pages.share import ShareCard

SIZE: Final = (1200, 630)

BRAND, BG, SURFACE, FELT = "#134e2f", "#f4f6f3", "#ffffff", "#e4eee6"
INK, MUTED, LINE = "#16201a", "#56615a", "#b9c3bb"
TONES: Final = {"home": "#1f5ccb", "away": "#ab4f08", "": LINE}
"""The colours of those of the style sheet: of the two teams of a match, and of neither."""
SUIT_COLOURS: Final = {
    Suit.SPADES: "#1b2a86",
    Suit.HEARTS: "#b3122b",
    Suit.DIAMONDS: "#a04800",
    Suit.CLUBS: "#0d6a35",
}

_SUITS: Final = {sign: suit for suit, sign in SIGNS.items()}
_FELT_BOX: Final = (620, 60, 1160, 600)
_PLACES: Final = {Seat.NORTH: (795, 75), Seat.WEST: (635, 260), Seat.EAST: (955, 260), Seat.SOUTH: (795, 445)}
"""Where the hands lie, by their upper left corners."""


def draw_card(card: ShareCard) -> bytes:
    """Draw a card as PNG."""
    image = Image.new("RGB", SIZE, BG)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 16), BRAND)
    width = (_FELT_BOX[0] if card.board is not None else SIZE[0]) - 100
    _write(draw, (56, 150), card.above, 26, width, MUTED)
    _write(draw, (56, 200), card.headline, 64, width, is_bold=True)
    for number, line in enumerate(card.lines):
        _write(draw, (56, 310 + 56 * number), line, 34, width)
    for number, tone in enumerate(card.gauge[:24]):
        left = 56 + 44 * number
        draw.rounded_rectangle((left, 330, left + 36, 366), 6, TONES[tone])
    if card.board is not None:
        _draw_board(draw, card.board)
    file = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_board(draw: ImageDraw.ImageDraw, board: Board) -> None:
    draw.rounded_rectangle(_FELT_BOX, 12, FELT)
    for seat, (left, top) in _PLACES.items():
        draw.rounded_rectangle((left, top, left + 190, top + 140), 8, SURFACE)
        for row, suit in enumerate(SUITS_DOWN):
            down = top + 8 + 32 * row
            _draw_pip(draw, suit, left + 14, down + 5, 20)
            held = mark_holding(board.deal[seat], suit)
            _write(draw, (left + 44, down), held, 23, 142, SUIT_COLOURS[suit])
    _write(draw, (840, 312), f"Dealer {board.dealer.letter}", 24, 110)
    _write(draw, (836, 344), f"Vul {board.vulnerability.value}", 20, 110, MUTED)


def _write(
    draw: ImageDraw.ImageDraw,
    place: tuple[int, int],
    text: str,
    size: int,
    width: int,
    colour: str = INK,
    *,
    is_bold: bool = False,
) -> None:
    """Write a line, as much smaller as it must be to fit."""

    def advance(letter: str) -> int:
        return round(0.85 * size) if letter in _SUITS else round(_font(size, is_bold=is_bold).getlength(letter))

    while size > 14 and sum(map(advance, text)) > width:
        size -= 2
    while len(text) > 2 and sum(map(advance, text)) > width:
        text = f"{text[:-2]}\N{HORIZONTAL ELLIPSIS}"
    left, top = place
    for letter in text:
        suit = _SUITS.get(letter)
        if suit is not None:
            _draw_pip(draw, suit, left, top + size // 4, round(size * 0.75))
        else:
            draw.text((left, top), letter, colour, _font(size, is_bold=is_bold))
        left += advance(letter)


@cache
def _font(size: int, *, is_bold: bool) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    """Return a font with as many letters as this machine has; Pillow's own has those of Latin alone."""
    try:
        return ImageFont.truetype("DejaVuSans-Bold.ttf" if is_bold else "DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)


def _draw_pip(draw: ImageDraw.ImageDraw, suit: Suit, left: float, top: float, size: float) -> None:
    """Draw the sign of a suit in a square of this size."""
    colour = SUIT_COLOURS[suit]

    def at(x: float, y: float) -> tuple[float, float]:
        return left + x * size, top + y * size

    def disc(x: float, y: float, radius: float) -> None:
        draw.ellipse((*at(x - radius, y - radius), *at(x + radius, y + radius)), colour)

    if suit is Suit.DIAMONDS:
        draw.polygon([at(0.5, 0), at(0.9, 0.5), at(0.5, 1), at(0.1, 0.5)], colour)
    elif suit is Suit.HEARTS:
        disc(0.28, 0.3, 0.26)
        disc(0.72, 0.3, 0.26)
        draw.polygon([at(0.05, 0.42), at(0.95, 0.42), at(0.5, 1)], colour)
    else:
        for x, y in ((0.26, 0.62), (0.74, 0.62), (0.5, 0.28)) if suit is Suit.CLUBS else ((0.28, 0.6), (0.72, 0.6)):
            disc(x, y, 0.25)
        if suit is Suit.SPADES:
            draw.polygon([at(0.04, 0.5), at(0.96, 0.5), at(0.5, 0)], colour)
        draw.polygon([at(0.5, 0.5), at(0.7, 1), at(0.3, 1)], colour)
