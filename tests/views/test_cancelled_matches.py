"""Matches that do not count because a team left early: no report, page or document gives them victory points."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tests.support.html_pages import read_pages
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tourney.cli.main import cli
from tourney.config.web import WebConfig
from tourney.protocol.session.records import RulingKind
from tourney.site.public import PublicView
from tourney.site.write import write_site


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """Dogs leave after one of three matches, which is match 1: Ants - Dogs."""
    played = draw_event(tmp_path_factory.mktemp("left"), event_text("Ants", "Bees", "Cats", "Dogs"))
    for number in (1, 2):
        played.play(number)
    played.score()
    played.rule(None, "Dogs", RulingKind.WITHDRAWAL, "gone home", author="Jane", law="")
    played.reload()
    assert played.match(1).teams == ("Ants", "Dogs")
    return played


def shown(played: PlayedEvent, *words: str) -> str:
    done = CliRunner().invoke(cli, [words[0], str(played.path), *words[1:]])
    assert done.exit_code == 0, done.output
    return done.output


def check(line: Any) -> None:
    assert (line["vp_home"], line["vp_away"], line["cancelled"]) == (None, None, True)


def test_rounds_and_scorecards_say_cancelled_and_give_no_victory_points(played: PlayedEvent) -> None:
    cancelled, counted = json.loads(shown(played, "rounds", "--json"))["rounds"][0]["matches"]
    check(cancelled)
    assert counted["vp_home"] is not None
    assert "cancelled" not in counted
    check(json.loads(shown(played, "match", "1", "--json")))
    (round_,) = json.loads(shown(played, "rounds", "Ants", "Dogs", "--json"))["rounds"]
    (met,) = round_["matches"]
    check(met)
    assert "cancelled: a team has left" in shown(played, "rounds")
    text = shown(played, "match", "1")
    assert "Cancelled: a team left" in text
    assert "VP" not in text.split()


def test_exports_do_too(played: PlayedEvent, tmp_path: Path) -> None:
    for file_format in ("json", "csv"):
        shown(played, "export", "--format", file_format, "--out", str(tmp_path))
    cancelled, *counted = json.loads((tmp_path / "event.json").read_text("utf-8"))["matches"]
    check(cancelled)
    assert all("cancelled" not in match for match in counted)
    with (tmp_path / "matches.csv").open(encoding="utf-8", newline="") as file:
        first, *others = csv.DictReader(file)
    assert (first["vp_home"], first["vp_away"], first["cancelled"]) == ("", "", "1")
    assert first["imps_home"] != ""
    assert {match["cancelled"] for match in others} == {"0"}


def test_the_pages_do_too(played: PlayedEvent, tmp_path: Path) -> None:
    write_site(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), tmp_path, BEGINS_AT_MS)
    pages = read_pages(tmp_path)
    for name in ("round-001", "entrant-001", "entrant-004"):
        (row,) = [row for table in pages[f"{name}.html"].tables for row in table.rows if "cancelled" in " ".join(row)]
        assert not any("." in cell for cell in row), "no victory points"
    match = pages["match-001/index.html"].text
    assert "Cancelled: a team left" in match
    assert " VP" not in match.partition("Written")[0].replace("VP scale", "")
