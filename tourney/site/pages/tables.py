"""The lines and tables of a report, as a page shows them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from tourney.output.content import Content, Folded, Hands, Heading, Link, Linked, Title, Toned, text_of
from tourney.output.tables import Part, TextTable
from tourney.site.pages.axes import Chart
from tourney.views.report import Report

PageKey = TypeVar("PageKey")
"""What tells a page from others of its kind, such as its number."""


PartView: TypeAlias = "TextTable | Folded | Hands | Content"
"""A table, lines that fold, hands, or a paragraph."""


@dataclass(frozen=True, slots=True)
class SectionView:
    """A part of a page with what it has."""

    id: str
    """What links to it end in, after a number sign."""
    heading: Heading | None
    """None for what comes before the first heading."""
    parts: Sequence[PartView]


@dataclass(frozen=True, slots=True)
class Turner:
    """Leads to the page before and the page after, among pages of one kind."""

    label: str
    """What they are: `Rounds`."""
    before: Linked | None
    after: Linked | None


def turn(
    label: str,
    pages: Sequence[PageKey],
    here: PageKey,
    words: Callable[[PageKey], str],
    to: Callable[[PageKey], Link],
) -> Turner:
    """Return what leads to the pages before and after one of these."""
    place = pages.index(here)
    before, after = pages[:place][-1:], pages[place + 1 :][:1]
    return Turner(label, *(Linked(words(each[0]), to(each[0])) if each else None for each in (before, after)))


def view_report(report: Report, title: str, **more: Any) -> dict[str, Any]:  # as parameters of view_page
    """View a report as a page, for the template of all reports."""
    return view_page(report.text(), title, note=report.note, **more)


def view_page(
    parts: Iterable[Part],
    title: str,
    *,
    charts: Sequence[Chart] = (),
    trail: Sequence[Linked] = (),
    here_words: str = "",
    turner: Turner | None = None,
    note: Content = "",
) -> dict[str, Any]:
    """View parts of reports as a page, for the template of all reports.

    Args:
        parts: what it has.
        title: the heading of the page.
        charts: what stands above its tables.
        trail: the pages above it, from the top.
        here_words: what it is called below these.
        turner: leads to the pages beside it.
        note: what stands before its parts.
    """
    return {
        "sections": view_sections(parts),
        "title": title,
        "turner": turner,
        "note": note,
        "charts": charts,
        "trail": trail,
        "here_words": here_words or title,
    }


def view_sections(parts: Iterable[Part]) -> list[SectionView]:
    """View the parts of a report by its headings."""
    sections: list[tuple[Heading | None, list[Part]]] = [(None, [])]
    for part in parts:
        if isinstance(part, Heading):
            sections.append((part, []))
        else:
            sections[-1][1].append(part)
    return [
        SectionView(f"section-{number}" if number else "title", heading, list(view_parts(own)))
        for number, (heading, own) in enumerate(sections)
        if heading is not None or own
    ]


def view_parts(parts: Iterable[Part]) -> Iterator[PartView]:
    """Yield the parts below a heading; a line just above a table that has no caption is that."""
    above: Content = ""
    for part in parts:
        is_captioned = isinstance(part, TextTable) and not part.caption
        if above and not is_captioned:
            yield above
        if isinstance(part, TextTable):
            yield replace(part, caption=part.caption or text_of(above))
            above = ""
        elif isinstance(part, (Folded, Hands)):
            yield part
            above = ""
        elif isinstance(part, Title):
            above = part.words[:1].upper() + part.words[1:] if isinstance(part.words, str) else part.words
        else:
            above = str(part).strip()
    if above:
        yield above


def tone_of(content: Content) -> str:
    """Return the class of the cell that has this content; empty for none."""
    return content.tone if isinstance(content, Toned) else ""
