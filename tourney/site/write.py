"""Writes the pages of an event, or of one of its matches, into a folder.

Any web server can serve them; they are read without scripts and fetch nothing from elsewhere. One match is in memory
at a time. The page of a board that is to be replayed is removed. The pages of a single match have their own folder
and link to no other page.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError
from tourney.export.files import make_export_folder, match_file_stem, replace_file
from tourney.export.registry import ExportRequest
from tourney.results.played import PlayedMatch
from tourney.site import urls
from tourney.site.public import PublicRules, PublicView
from tourney.site.rendering import ASSETS, asset, render_page
from tourney.site.site import event_of, frame_of
from tourney.site.views.event_pages import EventPages
from tourney.site.views.frame import Frame
from tourney.site.views.match_pages import MatchPages

_BOARD_FILE: Final = re.compile(r"(stage-\d+-|round-\d+-)?board-\d+\.html")


def export(request: ExportRequest) -> Iterator[Path]:
    """Writes the pages of the event, or those of the only match; yields the path of the first page alone."""
    view = PublicView(request.drawn, PublicRules(), request.written_at_ms)
    if request.match is None:
        yield write_site(view, request.folder, request.written_at_ms, request.count)
    else:
        played = view.played(request.match.number)
        request.count(played)
        yield write_match_html(frame_of(view, request.written_at_ms, has_site=False), played, request.folder)


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
    # Loaded first, so that every board which is shown here is also among those of the matches.
    frame = frame_of(view, written_at_ms)
    for address in ASSETS:
        _write(folder / urls.file_of(address), asset(address))
    cards = []
    for match in view.iter_played():
        count(match)
        _write_match(frame, match, folder, urls.place_in_export)
        cards.append(match.card)
    pages = EventPages(frame, event_of(view, cards))
    addresses = list(pages.addresses())
    _remove_old_boards(folder, {urls.file_of(address) for address in addresses})
    for address in addresses:
        page = pages.page(address)
        assert page is not None, address
        _write(folder / urls.file_of(address), render_page(page))
    return folder / urls.INDEX


def write_match_html(frame: Frame, played: PlayedMatch, folder: Path) -> Path:
    """Writes the pages of one match, complete in their own folder; returns the path of its scorecard.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: the record of a forfeited board has an illegal auction.
    """
    name = match_file_stem(played.match)
    place = urls.place_in_match(played.match.number, name)
    _write_match(frame, played, folder, place)
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
