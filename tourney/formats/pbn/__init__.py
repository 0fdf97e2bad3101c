"""Portable Bridge Notation: read forgivingly, write strictly (PBN 2.1, its import and its export format)."""

from tourney.formats.pbn.deals import BOARD_NUMBER_MAX, parse_boards
from tourney.formats.pbn.deals_writer import format_boards
from tourney.formats.pbn.reader import Game, Tag, parse_games
from tourney.formats.pbn.record_reader import parse_records
from tourney.formats.pbn.records import PbnRecord
from tourney.formats.pbn.tokens import decode_pbn
from tourney.formats.pbn.writer import LINE_LENGTH_MAX, NOTES_MAX, format_records

__all__ = [
    "BOARD_NUMBER_MAX",
    "LINE_LENGTH_MAX",
    "NOTES_MAX",
    "Game",
    "PbnRecord",
    "Tag",
    "decode_pbn",
    "format_boards",
    "format_records",
    "parse_boards",
    "parse_games",
    "parse_records",
]
