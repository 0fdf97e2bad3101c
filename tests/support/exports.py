"""Exports of played events, and what is read back from them, for tests."""

import csv
import json
from pathlib import Path
from typing import Any

from tests.support.pbn import parse_games
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.config.web import WebConfig
from tourney.export.csv import write_csv
from tourney.export.json import write_json
from tourney.export.pbn import match_games, write_event_pbn
from tourney.formats.file_kinds import decode_text
from tourney.movement.ranking import RankingRules
from tourney.results.played import PlayedMatch, iter_played
from tourney.results.standings import load_standings
from tourney.site.public import PublicView
from tourney.site.write import MANIFEST, write_match_html, write_site
from tourney.store.results.secrecy import load_hidden_boards


def matches_of(played: PlayedEvent) -> list[PlayedMatch]:
    return list(iter_played(played.database, played.event, played.event.matches, played.file.scales))


def export_pbn(played: PlayedEvent, folder: Path) -> list[Path]:
    return list(write_event_pbn(played.event, match_games(played.event, matches_of(played)), folder))


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


def export_match(played: PlayedEvent, match: PlayedMatch, folder: Path) -> Path:
    """Write the pages of a match alone into a folder of its own; return the path of its scorecard."""
    return write_match_html(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), match, folder, BEGINS_AT_MS)


def export_csv(played: PlayedEvent, folder: Path) -> dict[str, list[dict[str, str]]]:
    """The rows of every table of an event, by its name."""
    standings = load_standings(played.database, played.event, {1: RankingRules()})
    return {path.stem: table_of(path) for path in write_csv(standings, matches_of(played), folder)}


def table_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def export_json(played: PlayedEvent, path: Path) -> Any:  # what json.loads gives
    standings = load_standings(played.database, played.event, {1: RankingRules()})
    seed = load_hidden_boards(played.database, played.event).shown_seed(played.event)
    write_json(played.event, standings, matches_of(played), path, seed)
    return json.loads(path.read_text(encoding="utf-8"))
