"""Writes the pages of an event, or of one of its matches, into a folder.

Any web server can serve them; they are read without scripts and fetch nothing from elsewhere. One match is in memory
at a time. The page of a board that is to be replayed is removed. The pages of a single match have their own folder
and link to no other page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError
from tourney.event.drawn import DrawnEvent
from tourney.export.files import PROGRAM, make_export_folder, match_file_stem, replace_file
from tourney.export.registry import ExportRequest
from tourney.report.registry import REPORTS, ReportEntry
from tourney.report.report import Report
from tourney.results.played import PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import load_travellers
from tourney.site import urls
from tourney.site.rendering import render_page, style_sheet
from tourney.site.views.pages import EventPages, Page
from tourney.site.views.pairs import PairsViews
from tourney.store.draw.objects import EventInfo

_BOARD_FILE: Final = re.compile(r"(stage-\d+-)?board-\d+\.html")


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the pages of the event, or those of the only match; yields the path of the first page alone."""
    if request.match is None:
        # Loaded first, so that every board which is shown here is also among those of the matches.
        pairs = _load_pairs(request.drawn)
        reports = [(entry, entry.load(request.drawn)) for entry in REPORTS.values() if entry.page_title]
        pages = EventPages(request.event, PROGRAM, request.written_at_ms, pairs)
        yield write_pages(pages, request.standings, request.played(), request.folder, reports)
    else:
        yield write_match_html(request.event, next(request.played()), request.folder, request.written_at_ms)


def _load_pairs(drawn: DrawnEvent) -> PairsViews:
    """Loads the stages of pairs; there is nothing to load for an event that has none."""
    if not any(stage.format.is_of_pairs for stage in drawn.event.stages):
        return PairsViews()
    return PairsViews(
        load_travellers(drawn.database, drawn.event, drawn.ranking_rules, drawn.movements),
        drawn.file.config.reports.matchpoints,
        has_several_stages=len(drawn.event.stages) > 1,
    )


def write_event_html(
    event: EventInfo,
    standings: Standings,
    played: Iterable[PlayedMatch],
    folder: Path,
    written_at_ms: int,
    reports: Sequence[tuple[ReportEntry, Report]] = (),
) -> Path:
    """Writes the pages of an event into a folder that exists; returns the path of its front page.

    Args:
        event: the event.
        standings: of the event.
        played: all matches in the order of the draw.
        folder: where the pages go.
        written_at_ms: the time that every page gives as that of its writing.
        reports: those that have a page of their own, each with its entry in the registry.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
    """
    return write_pages(EventPages(event, PROGRAM, written_at_ms), standings, played, folder, reports)


def write_pages(
    pages: EventPages,
    standings: Standings,
    played: Iterable[PlayedMatch],
    folder: Path,
    reports: Sequence[tuple[ReportEntry, Report]] = (),
) -> Path:
    """Writes pages as `write_event_html` does, with pages of pairs as `pages` has them."""
    _write_text(folder / urls.STYLE, style_sheet())
    _remove_old_boards(folder, set(pages.pairs.pages))
    summaries = []
    for match in played:
        _write_match(pages, match, folder, urls.match_folder(match.match.number), "../")
        summaries.append(pages.summarise(match))
    for page in pages.event_pages(standings, summaries, reports):
        _write_page(folder, page)
    return folder / urls.FRONT


def write_match_html(event: EventInfo, played: PlayedMatch, folder: Path, written_at_ms: int) -> Path:
    """Writes the pages of one match, complete in their own folder; returns the path of its scorecard.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
    """
    name = match_file_stem(played.match)
    _write_match(EventPages(event, PROGRAM, written_at_ms), played, folder, name, None)
    _write_text(folder / name / urls.STYLE, style_sheet())
    return folder / name / urls.FRONT


def _write_match(pages: EventPages, played: PlayedMatch, folder: Path, name: str, top: str | None) -> None:
    make_export_folder(folder / name)
    _remove_old_boards(folder / name, {urls.board_page(board.board.number) for board in played.boards})
    for page in pages.match(played, name, top):
        _write_page(folder, page)


def _remove_old_boards(folder: Path, kept: set[str]) -> None:
    """Removes pages of boards that were finished at an earlier export but are now being replayed."""
    try:
        for path in folder.iterdir():
            if _BOARD_FILE.fullmatch(path.name) and path.name not in kept:
                path.unlink()
    except OSError as error:
        raise LaunchError(f"old pages in {folder} cannot be removed: {error.strerror}") from None


def _write_page(folder: Path, page: Page) -> None:
    _write_text(folder / page.path, render_page(page))


def _write_text(path: Path, text: str) -> None:
    with replace_file(path) as file:
        file.write(text)
