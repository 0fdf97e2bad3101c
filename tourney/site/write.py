"""Writes the pages of an event, or of one of its matches, into a folder.

Any web server can serve them; they are read without scripts and fetch nothing from elsewhere. One match is in memory
at a time. Pages that were written before and are no more, such as that of a board which is to be replayed, are
removed. The pages of a single match have their own folder and link to no other page.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from tourney.export.files import make_export_folder, match_file_stem
from tourney.export.registry import ExportRequest
from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.folder import PageFolder, page_folder
from tourney.site.public import PublicRules, PublicView
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.routes import file_of, place_in_match
from tourney.site.site import Site, pages_of_match
from tourney.site.views.frame import Frame


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the pages of the event, or those of the only match; yields the path of the first page alone."""
    view = PublicView(request.drawn, PublicRules(), request.written_at_ms)
    if request.match is None:
        yield write_site(view, request.folder, request.written_at_ms, request.count)
    else:
        played = view.played(request.match.number)
        request.count(played)
        yield write_match_html(Frame(view, request.written_at_ms, has_site=False), played, request.folder)


def write_site(
    view: PublicView, folder: Path, written_at_ms: int, count: Callable[[PlayedMatch], None] = lambda _: None
) -> Path:
    """Writes the pages of an event into a folder that exists; returns the path of its front page.

    Args:
        view: the event as everybody may see it.
        folder: where the pages go.
        written_at_ms: the time that every page gives as that of its writing.
        count: is given each match as it is written.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
        StoreError: the database cannot be used.
    """
    site = Site(view, written_at_ms, file_of)
    with page_folder(folder) as files:
        _write_assets(files)
        for match in view.iter_played():
            count(match)
            _write_match(site.frame, match, files, file_of)
        for address in site.addresses():
            page = site.render(address)
            assert page is not None, address
            _write(files, file_of(address), page)
        if view.has_starts:
            _write(files, file_of(urls.CALENDAR), view.calendar)
    return folder / urls.INDEX


def write_match_html(frame: Frame, played: PlayedMatch, folder: Path) -> Path:
    """Writes the pages of one match, complete in their own folder; returns the path of its scorecard.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
    """
    name = match_file_stem(played.match)
    make_export_folder(folder / name)
    with page_folder(folder / name) as files:
        _write_match(frame, played, files, place_in_match(played.match.number, name), f"{name}/")
        _write_assets(files)
    return folder / name / urls.INDEX


def _write_assets(files: PageFolder) -> None:
    for address in ASSETS:
        _write(files, file_of(address), asset(address))


def _write_match(frame: Frame, played: PlayedMatch, files: PageFolder, place: urls.Place, within: str = "") -> None:
    """Writes the pages of a match; `within` is the beginning of their places that is the folder itself."""
    for page in pages_of_match(frame, played):
        _write(files, place(page.address), render_page(page, place), within)


def _write(files: PageFolder, place: str | None, content: bytes, within: str = "") -> None:
    assert place is not None
    files.write(place.removeprefix(within), content)
