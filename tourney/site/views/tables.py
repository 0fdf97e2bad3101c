"""The lines and tables of a report, as a page shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tourney.output.content import Content, Title
from tourney.output.tables import Part, TextTable

PLUS_MINUS: Final = "\N{PLUS-MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of a table."""

    heading: str
    words: str
    """What the heading stands for; empty if it says that itself."""
    is_figure: bool
    is_roomy: bool
    """Whether a narrow screen leaves it out."""
    is_key: bool
    """Whether it names the row: the first that has words."""


@dataclass(frozen=True, slots=True)
class TableView:
    """A table with its caption."""

    caption: str
    columns: tuple[ColumnView, ...]
    has_headings: bool
    sections: tuple[tuple[Sequence[Content], ...], ...]
    """Its rows, in the parts that are set apart."""


PartView: TypeAlias = TableView | str
"""A table, or a paragraph."""


def view_parts(parts: Iterable[Part]) -> list[PartView]:
    """View the parts of a report; a line just above a table is its caption."""
    shown: list[PartView] = []
    above = ""
    for part in parts:
        if isinstance(part, TextTable):
            shown.append(view_table(part, above))
            above = ""
        else:
            shown += [above] if above else []
            above = part.words[:1].upper() + part.words[1:] if isinstance(part, Title) else part.strip()
    return [*shown, above] if above else shown


def view_table(table: TextTable, caption: str) -> TableView:
    """View a table under a caption."""
    is_weighed = any(worth > 0 for worth in table.worth)
    names = [heading.removeprefix(">") for heading in table.headings]
    key = next((place for place, heading in enumerate(table.headings) if not heading.startswith(">")), 0)
    columns = tuple(
        ColumnView(
            heading=name.replace("+-", PLUS_MINUS),
            words=table.words.get(name, ""),
            is_figure=table.headings[place].startswith(">"),
            is_roomy=table.worth[place] < 0 or (is_weighed and table.worth[place] == 0),
            is_key=place == key,
        )
        for place, name in enumerate(names)
    )
    ends = [*sorted(table.sections), len(table.rows)]
    starts = [0, *ends[:-1]]
    sections = tuple(tuple(table.rows[start:end]) for start, end in zip(starts, ends, strict=True) if end > start)
    return TableView(caption, columns, table.show_header, sections)
