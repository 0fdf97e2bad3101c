"""What tables in PBN have in common: a tag with the names of the columns, a row a line (PBN 2.1 section 5.2)."""

import re
from typing import Final

_COLUMN: Final = re.compile(r"[+-]?(?P<name>[^\\]*)(?:\\.*)?")


def column_names(value: str) -> list[str]:
    r"""The names of the columns out of the value of a tag, without order and width: `+Declarer;Result\2R`."""
    return [match["name"] if (match := _COLUMN.fullmatch(column)) else column for column in value.split(";")]
