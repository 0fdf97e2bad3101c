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
from tourney.report.registry import ReportEntry, pages_of
from tourney.report.report import Report
from tourney.results.played import PlayedMatch
from tourney.results.standings import Standings
from tourney.results.travellers import load_travellers
from tourney.site import urls
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.views.event_pages import EventPages, PublicEvent
from tourney.site.views.frame import Frame
from tourney.site.views.match_pages import MatchPages
from tourney.site.views.pairs import PairsViews
from tourney.store.draw.objects import EventInfo

_BOARD_FILE: Final = re.compile(r"(stage-\d+-)?board-\d+\.html")


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the pages of the event, or those of the only match; yields the path of the first page alone."""
    if request.match is None:
        # Loaded first, so that every board which is shown here is also among those of the matches.
        pairs = _load_pairs(request.drawn)
        reports = [(entry, entry.load(request.drawn)) for entry in pages_of(request.event)]
        frame = Frame(request.event, PROGRAM, request.written_at_ms, pairs)
        yield write_pages(frame, request.standings, request.played(), request.folder, reports)
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
    return write_pages(Frame(event, PROGRAM, written_at_ms), standings, played, folder, reports)


def write_pages(
    frame: Frame,
    standings: Standings,
    played: Iterable[PlayedMatch],
    folder: Path,
    reports: Sequence[tuple[ReportEntry, Report]] = (),
) -> Path:
    """Writes pages as `write_event_html` does, with what `frame` has on all of them."""
    for address in ASSETS:
        _write(folder / urls.file_of(address), asset(address))
    _remove_old_boards(folder, {urls.file_of(page) for page in frame.pairs.pages})
    cards = []
    for match in played:
        _write_match(frame, match, folder, urls.file_of)
        cards.append(match.card)
    pages = EventPages(frame, PublicEvent(event=frame.event, standings=standings, cards=cards, reports=reports))
    for address in pages.addresses():
        page = pages.page(address)
        assert page is not None, address
        _write(folder / urls.file_of(address), render_page(page))
    return folder / urls.INDEX


def write_match_html(event: EventInfo, played: PlayedMatch, folder: Path, written_at_ms: int) -> Path:
    """Writes the pages of one match, complete in their own folder; returns the path of its scorecard.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
    """
    name = match_file_stem(played.match)
    place = urls.place_in_match(played.match.number, name)
    _write_match(Frame(event, PROGRAM, written_at_ms, has_site=False), played, folder, place)
    for address in ASSETS:
        _write(folder / name / urls.file_of(address), asset(address))
    return folder / name / urls.INDEX


def _write_match(frame: Frame, played: PlayedMatch, folder: Path, place: urls.Place) -> None:
    pages = MatchPages(frame, played)
    files = [file for address in pages.addresses() if (file := place(address)) is not None]
    own = (folder / files[-1]).parent  # the scorecard's, which is the last
    make_export_folder(own)
    _remove_old_boards(own, {Path(file).name for file in files})
    for file, page in zip(files, pages.pages(), strict=True):
        _write(folder / file, render_page(page, place))


def _remove_old_boards(folder: Path, kept: set[str]) -> None:
    """Removes pages of boards that were finished at an earlier export but are now being replayed."""
    try:
        for path in folder.iterdir():
            if _BOARD_FILE.fullmatch(path.name) and path.name not in kept:
                path.unlink()
    except OSError as error:
        raise LaunchError(f"old pages in {folder} cannot be removed: {error.strerror}") from None


def _write(path: Path, content: bytes) -> None:
    with replace_file(path) as file:
        file.write(content.decode())
