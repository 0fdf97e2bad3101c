"""Portable Bridge Notation: read leniently, written strictly (PBN 2.1, its import and its export format)."""

from tourney.formats.pbn.games import Game, Tag, iter_games, parse_games
from tourney.formats.pbn.writer import (
    LINE_LENGTH_MAX,
    NOTES_MAX,
    PbnColumn,
    PbnRecord,
    PbnTable,
    both_sides,
    format_header,
    format_record,
    format_records,
)

__all__ = [
    "LINE_LENGTH_MAX",
    "NOTES_MAX",
    "Game",
    "PbnColumn",
    "PbnRecord",
    "PbnTable",
    "Tag",
    "both_sides",
    "format_header",
    "format_record",
    "format_records",
    "iter_games",
    "parse_games",
]
