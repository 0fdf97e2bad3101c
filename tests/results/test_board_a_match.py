"""An event scored at board-a-match: figures worked out again here, rulings, every report and export, bad input."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.board_a_match_standings import recompute_points
from tests.support.commands import json_report, printed, run
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tests.support.refusals import refused_commands
from tourney.config import EventConfig
from tourney.config.reader import parse_event_file
from tourney.export.registry import FORMATS

BAM = 'scoring = "board-a-match"\n'
BECAUSE = ("--reason", "a fouled board")
WHY = "--reason 'a fouled board'"


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def tourney(command: str, played: PlayedEvent, *words: str) -> str:
    group, _, name = command.rpartition(" ")
    return printed(run(*([group] if group else []), name, played.path, *words))


@pytest.fixture
@once
def four(tmp_path: Path) -> PlayedEvent:
    """Four teams, three rounds of 6 boards, played at random."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=6, stage=BAM))
    played.play_all()
    return played


@pytest.fixture
@once
def two(tmp_path: Path) -> PlayedEvent:
    """Alpha, at home, wins boards 1 and 4, loses board 2 and ties board 3: 2.5 to 1.5."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=4, stage=BAM))
    played.compare(
        1,
        ("1NT N", 8, "2H N", 8),  # 120, 110
        ("3NT W", 9, "Pass", 0),
        ("1NT S", 7, "1NT S", 7),
        ("6H S", 12, "6HX S", 11),
    )
    return played


def test_standings_are_the_points_of_all_boards(four: PlayedEvent) -> None:
    rows = json_report("standings", four.path)["standings"]
    points = [Fraction(row["ranking_score"]) for row in rows]
    assert {row["team"]: score for row, score in zip(rows, points, strict=True)} == recompute_points(
        four.database.file
    )
    assert points == sorted(points, reverse=True) == [Fraction(row["points_for"]) for row in rows]
    assert [row["imps_for"] for row in rows] == [None] * 4
    assert tourney("verify", four).endswith("0 findings\n")


SCORECARD = "$ match EVENT 1 --json"


def test_a_scorecard_is_in_points(two: PlayedEvent) -> None:
    converse(
        two,
        f"""
        $ match EVENT 1 -> ... -> Points 2.5 1.5 -> ...
        {SCORECARD} | boards: points points_away -> 1 0 -> 0 1 -> 0.5 0.5 -> 1 0
        {SCORECARD} | : points_home points_away imps_home lead -> 2.5 1.5 - 1
        """,
    )
    assert not re.search("IMP|VP", tourney("match", two, "1"))


def test_rulings_are_in_points(two: PlayedEvent) -> None:
    # The lead has the fine in full, and half the difference of the figures of the boards.
    converse(
        two,
        f"""
        $ rule adjust EVENT 1 1 --award Alpha=avg+ --award Beta=avg+ {WHY} -> ...Alpha - Beta 2.1 - 2.1 points
        $ rule assign EVENT 1-open 2 '50: 3NT W 9' '50: 3NT W 8' {WHY} -> ...Alpha - Beta 2.6 - 1.6 points
        $ rule penalty EVENT 1 Beta 0.25 {WHY} -> ...2.6 - 1.35 points
        $ rule cancel EVENT 3 --match 1 {WHY} -> ...2.1 - 0.85 points
        $ match EVENT 1
            -> ... -> ...average plus, 0.6 points... -> ... -> ...penalty of 0.25 points... -> ...
        $ rounds EVENT --json | rounds.matches: points_home points_away lead -> 2.1 0.85 1.25
        """,
    )
    assert "IMP" not in tourney("match", two, "1")


def test_verify_works_out_the_points_with_rulings(four: PlayedEvent) -> None:
    converse(
        four,
        f"""
        $ rule adjust EVENT 1 1 --award Ants=avg+ --award Dogs=avg+ {WHY}
        $ rule assign EVENT 2-open 2 '60: 4S N 10' '40: 4S N 9' {WHY}
        $ rule penalty EVENT 4 Bees 0.5 {WHY}
        $ verify EVENT -> ...0 findings
        """,
    )


def test_a_split_score_is_compared_for_each_team(two: PlayedEvent) -> None:
    converse(
        two,
        f"""
        $ rule assign EVENT 1-open 3 '1NT S 8' --team Alpha {WHY}
        $ rule assign EVENT 1-open 3 '1NT S 7' --team Beta {WHY} -> ...Alpha - Beta 3 - 1.5 points
        """,
    )


@pytest.mark.parametrize(("words", "status", "problem"), refused_commands("commands/rule_board_a_match"))
def test_rulings_that_make_no_sense_are_refused(
    two: PlayedEvent, words: list[str], status: int, problem: str
) -> None:
    result = run("rule", words[0], two.path, *words[1:], *BECAUSE)
    assert result.exit_code == status
    assert problem in " ".join(result.output.split())


def test_every_report_is_in_points(four: PlayedEvent) -> None:
    for command, words in (
        ("standings", ("--explain",)),
        ("crosstable", ()),
        ("rounds", ()),
        ("boards", ()),
        ("match", ("1",)),
        ("rounds", ("Ants", "Bees")),
        ("schedule", ()),
        ("status", ()),
    ):
        text = tourney(command, four, *words)
        assert "IMP" not in text, command
    assert "at board-a-match a board is won by points" in tourney("swings", four)
    assert "IMPs" in tourney("butler", four)  # Butler is in IMPs, whatever the scoring


def test_every_export_is_written(four: PlayedEvent, tmp_path: Path) -> None:
    # No round has a start time, so there is no calendar.
    for form in (name for name, each in FORMATS.items() if not each.is_for_director and name != "ics"):
        folder = tmp_path / form
        printed(run("export", four.path, "--format", form, "--out", folder))
    pbn = "".join(path.read_text(encoding="ascii") for path in sorted((tmp_path / "pbn").rglob("*.pbn")))
    assert '[Scoring "BAM"]' in pbn
    assert "ScoreIMP" not in pbn
    assert pbn.count("[ScoreMP ") == 2 * 6 * 6  # in the file of its match, and in that of the event
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "html").rglob("*.html")}
    assert {name for name, text in pages.items() if "IMP" in text} <= {"butler.html"}
    assert "board-a-match" in pages["index.html"]
    root = ET.parse(next((tmp_path / "usebio").rglob("*.xml"))).getroot()
    assert root.findtext(".//BOARD_SCORING_METHOD") == "BAM"
    for line in root.iter("TRAVELLER_LINE"):
        assert sum(Fraction(line.findtext(f"{side}_MATCH_POINTS") or 0) for side in ("NS", "EW")) == 1


def config_of(stage: str, more: str = "") -> EventConfig:
    return parse_event_file(event_text("Ants", "Bees", "Cats", "Dogs", stage=stage, more=more), "event.toml")


def test_defaults_follow_the_scoring() -> None:
    stage = config_of(BAM).stage[0]
    assert (stage.vp_scale, stage.tie_breaks) == ("points", ["head-to-head-points"])
    house = "[vp_table.house]\nsteps = [[0, 10, 10], [2, 15, 5]]"
    assert config_of(f'{BAM}vp_scale = "house"', house).stage[0].tie_breaks == ["points"]


def test_a_knockout_goes_by_points_and_has_extra_boards_if_level(tmp_path: Path) -> None:
    played = draw_event(
        tmp_path, event_text("Alpha", "Beta", boards=2, stage=f'format = "match"\nextra_boards = 2\n{BAM}')
    )
    converse(played, "match 1 board 1: 1NT N 8, 1NT N 9\nmatch 1 board 2: 1NT N 9, 1NT N 8\nscored")
    match = played.match(1)
    from tourney.results.load import load_results

    made = load_results(played.database, played.event, {}).finished[1]
    assert made.lead == 0
    extra = match.format.extra_segment(match, made)
    assert [(table.first, table.boards) for table in extra] == [(2, 2), (2, 2)]
    converse(played, f"$ rule penalty EVENT 1 Beta 0.5 {WHY}")
    assert load_results(played.database, played.event, {}).finished[1].lead == 50
    assert "1 - 0.5" in tourney("rounds", played).replace("1-0.5", "1 - 0.5")
