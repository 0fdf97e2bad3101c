"""Portable Bridge Notation: read leniently, written strictly (PBN 2.1, its import and its export format)."""

from tourney.formats.pbn.boards import BOARD_NUMBER_MAX, format_boards, parse_boards
from tourney.formats.pbn.games import Game, Tag, decode_pbn, iter_games, parse_games
from tourney.formats.pbn.unchecked_reader import parse_unchecked_games
from tourney.formats.pbn.writer import (
    LINE_LENGTH_MAX,
    NOTES_MAX,
    PbnColumn,
    PbnRecord,
    PbnTable,
    format_header,
    format_record,
    format_records,
)

__all__ = [
    "BOARD_NUMBER_MAX",
    "LINE_LENGTH_MAX",
    "NOTES_MAX",
    "Game",
    "PbnColumn",
    "PbnRecord",
    "PbnTable",
    "Tag",
    "decode_pbn",
    "format_boards",
    "format_header",
    "format_record",
    "format_records",
    "iter_games",
    "parse_boards",
    "parse_games",
    "parse_unchecked_games",
]
