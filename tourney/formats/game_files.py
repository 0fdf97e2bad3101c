"""Reads the records of boards in a file of either format, PBN or LIN: the way in of every command."""

from collections.abc import Iterator

from tourney.formats.file_kinds import FileKind, recognise_text
from tourney.formats.lin.reader import iter_lin
from tourney.formats.pbn.unchecked_reader import iter_unchecked_games
from tourney.formats.unchecked import SourceFinding, UncheckedGame


def iter_records(text: str, name: str, findings: list[SourceFinding]) -> Iterator[UncheckedGame]:
    """Yields the records of a PBN or LIN text, in order, reading no further than asked.

    Args:
        text: the whole file.
        name: what to call it in errors.
        findings: receives what is wrong with the text as such.

    Raises:
        FormatError: it has more in it than is read.
    """
    is_lin = recognise_text(text) is FileKind.LIN
    return iter_lin(text, name, findings) if is_lin else iter_unchecked_games(text, name, findings)
