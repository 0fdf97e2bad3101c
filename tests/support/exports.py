"""Exports of played events, and what is read back from them, for tests."""

import csv
import json
from pathlib import Path
from typing import Any

from tests.support.pbn import parse_games
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.config.web import WebConfig
from tourney.export import csv as csv_tables
from tourney.export import json as event_json
from tourney.export import pbn
from tourney.export.request import ExportRequest
from tourney.formats.file_kinds import decode_text
from tourney.results.played import PlayedMatch, iter_played
from tourney.site.public import PublicView
from tourney.site.write import MANIFEST, write_site


def matches_of(played: PlayedEvent) -> list[PlayedMatch]:
    return list(iter_played(played.database, played.event, played.event.matches, played.file.scales))


def export_pbn(played: PlayedEvent, folder: Path, match: int | None = None) -> list[Path]:
    return list(pbn.export(request_of(played, folder, match)))


def games_of(path: Path) -> list[dict[str, str]]:
    """The tags of each game of a PBN file."""
    games = parse_games(decode_text(path.read_bytes()), path.name)
    return [{tag.name: tag.value for tag in game.tags} for game in games]


def export_site(played: PlayedEvent, folder: Path) -> Path:
    """Write the pages of an event into a folder, which is made; return the path of its front page."""
    folder.mkdir(exist_ok=True)
    return write_site(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), folder, BEGINS_AT_MS)


def write_as_before(folder: Path, name: str, content: str = "old") -> Path:
    """Write a page as if an earlier export into the folder had written it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    manifest = folder / MANIFEST
    listed = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else []
    manifest.write_text(json.dumps([*listed, name]), encoding="utf-8")
    return path


def request_of(played: PlayedEvent, folder: Path, match: int | None = None) -> ExportRequest:
    """A request to export an event, or a match, as it is on record now."""
    only = played.match(match) if match is not None else None
    return ExportRequest(drawn=played.drawn, match=only, folder=folder, written_at_ms=BEGINS_AT_MS)


def export_csv(played: PlayedEvent, folder: Path) -> dict[str, list[dict[str, str]]]:
    """The rows of every table of an event, by its name."""
    return {path.stem: table_of(path) for path in csv_tables.export(request_of(played, folder))}


def table_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def export_json(played: PlayedEvent, folder: Path) -> Any:  # what json.loads gives
    (path,) = event_json.export(request_of(played, folder))
    return json.loads(path.read_text(encoding="utf-8"))
