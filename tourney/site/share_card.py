"""The card that other sites show where somebody shares a page: a picture of 1200 by 630, drawn by Pillow.

It has what its page has and nothing else; where results are to be hidden, it is made without them.
"""

import io
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from tourney.bridge import SUITS_DOWN, Board, Seat
from tourney.site.filters import SIGNS, mark_holding
from tourney.site.pages.share import ShareCard

SIZE: Final = (1200, 630)

INK: Final = "#16201a"
TONES: Final = {"home": "#1f5ccb", "away": "#ab4f08", "": "#b9c3bb"}
"""The colours of those of the style sheet: of the two teams of a match, and of neither."""
SUIT_COLOURS: Final = dict(zip(SUITS_DOWN, ("#1b2a86", "#b3122b", "#a04800", "#0d6a35"), strict=True))

_PLACES: Final = {Seat.NORTH: (795, 75), Seat.WEST: (635, 260), Seat.EAST: (955, 260), Seat.SOUTH: (795, 445)}
"""Where the hands lie, by their upper left corners."""


def draw_card(card: ShareCard) -> bytes:
    """Draw a card as PNG."""
    image = Image.new("RGB", SIZE, "#f4f6f3")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, SIZE[0], 16), "#134e2f")
    width = 530 if card.board is not None else 1090
    for number, line in enumerate((card.above, card.headline, "", *card.lines)):
        _write(draw, (56, 150 + 56 * number), line, 60 if number == 1 else 32, width)
    for number, tone in enumerate(card.gauge[:24]):
        left = 56 + 44 * number
        draw.rounded_rectangle((left, 330, left + 36, 366), 6, TONES[tone])
    if card.board is not None:
        _draw_board(draw, card.board)
    file = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_board(draw: ImageDraw.ImageDraw, board: Board) -> None:
    draw.rounded_rectangle((620, 60, 1160, 600), 12, "#e4eee6")
    for seat, (left, top) in _PLACES.items():
        draw.rounded_rectangle((left, top, left + 190, top + 140), 8, "#ffffff")
        for row, suit in enumerate(SUITS_DOWN):
            held = f"{SIGNS[suit]} {mark_holding(board.deal[seat], suit)}"
            _write(draw, (left + 14, top + 8 + 32 * row), held, 23, 170, SUIT_COLOURS[suit])
    _write(draw, (840, 312), f"Dealer {board.dealer.letter}", 24, 110)
    _write(draw, (840, 344), f"Vul {board.vulnerability.value}", 20, 110)


def _write(
    draw: ImageDraw.ImageDraw, place: tuple[int, int], text: str, size: int, width: int, colour: str = INK
) -> None:
    """Write a line, as much smaller as it must be to fit."""
    while size > 14 and _font(size).getlength(text) > width:
        size -= 2
    while len(text) > 2 and _font(size).getlength(text) > width:
        text = f"{text[:-2]}\N{HORIZONTAL ELLIPSIS}"
    draw.text(place, text, colour, _font(size))


@cache
def _font(size: int) -> "ImageFont.FreeTypeFont | ImageFont.ImageFont":
    """Return a font with signs of suits, as most machines have one; Pillow's own has the letters of Latin alone."""
    try:
        return ImageFont.truetype("DejaVuSans-Bold.ttf" if size > 40 else "DejaVuSans.ttf", size)
    except OSError:
        return ImageFont.load_default(size)
