"""Rubber bridge and Chicago in an event: what event files may say of them, and what commands show."""

import re
from pathlib import Path

import pytest

from tests.support.commands import json_report, printed, refusal, rows_of, run
from tests.support.event_conversation import converse
from tests.support.game_events import draw_game, play_game, play_game_event, play_games
from tests.support.played_event import PlayedEvent, event_text, once
from tests.support.refusals import refused_commands
from tourney.config.reader import parse_event_file
from tourney.config.toml import EventFileError
from tourney.store.rulings import load_rulings


def test_a_match_of_minibridge_has_its_deals_and_no_rules_of_other_games() -> None:
    text = event_text("Ants", "Bees", stage='format = "minibridge"\ndeals = 4').replace("boards_per_match = 2\n", "")
    text = text.replace("[[team]]", '[[team]]\nprotocol = "stateful"').replace(
        "[[stage]]", "[stateful]\nport = 1999\n[[stage]]"
    )
    (stage,) = parse_event_file(text, "event.toml").stage
    assert stage.game_settings is not None
    assert (stage.game_settings.length, stage.boards_per_match) == (4, 12)
    told = text.replace("deals = 4", "deals = 4\nhonours = true")
    with pytest.raises(EventFileError, match="honours: it is for rubber or chicago, not for a minibridge"):
        parse_event_file(told, "event.toml")


@pytest.mark.parametrize(
    ("stage", "rules", "is_fine"),
    [
        ('format = "rubber"', "", False),
        ('format = "rubber"', 'penalty = "1 VP"', False),
        ('format = "rubber"', 'penalty = "100 points"', True),
        ('format = "chicago"\nscoring = "russian"', "", True),
        ('format = "chicago"\nscoring = "russian"', 'penalty = "1 VP"', False),
    ],
)
def test_an_event_file_says_how_many_points_a_penalty_of_a_game_costs(stage: str, rules: str, is_fine: bool) -> None:
    more = f'[rules]\nirregularity_remedy = "penalty"\n{rules}\n'
    text = event_text("Ants", "Bees", stage=stage, more=more).replace("boards_per_match = 2\n", "")
    if is_fine:
        assert parse_event_file(text, "event.toml").rules.penalty.amount in (3, 100)
        return
    with pytest.raises(
        EventFileError, match=r"penalty: in stage 1, a (rubber|chicago), a penalty is in (points|IMPs)"
    ):
        parse_event_file(text, "event.toml")


@pytest.mark.parametrize("pairing", ["swiss", "knockout", "gauntlet", "match", "double-round-robin"])
def test_a_game_is_played_in_any_format(pairing: str) -> None:
    rounds = "rounds = 1\n" if pairing == "swiss" else ""
    text = event_text("Ants", "Bees", stage=f'format = "{pairing}"\ngame = "chicago"\nchicagos = 3\n{rounds}')
    (stage,) = parse_event_file(text.replace("boards_per_match = 2\n", ""), "event.toml").stage
    assert (stage.format.name, stage.format.tables_per_match) == (f"chicago {pairing}", 1)
    assert (stage.name, stage.boards_per_match) == ("Chicago", 24)


@pytest.fixture
@once
def rubber(tmp_path: Path) -> PlayedEvent:
    return play_game_event(tmp_path, 'format = "rubber"')


def test_a_match_is_shown_as_its_score_sheet(rubber: PlayedEvent) -> None:
    document = json_report("match", rubber.path, "1")
    assert document["sheet"]["totals"] == {"NS": int(document["points_home"]), "EW": int(document["points_away"])}
    (paper,) = document["sheet"]["sheets"]
    assert paper["games"][paper["winner"]] == 2
    rows = rows_of(run("match", rubber.path, "1", "--csv"))
    assert [row["board"] for row in rows] == [str(deal["board"]) for deal in document["sheet"]["deals"]]
    assert list(rows[0])[-4:] == ["ns_below", "ew_below", "ns_above", "ew_above"]
    converse(rubber, "$ match EVENT 1 -> ... -> Rubber 1, won by ... -> ...")


RULED = """
    $ rule adjust EVENT 1 1 --award Ants=150 --reason x
    $ rule penalty EVENT 1 Bees 30 --reason x
"""
"""The rulings that name a unit."""


@pytest.mark.parametrize(
    ("words", "others"),
    [
        *(("standings", ""), ("standings --explain", ""), ("rounds", ""), ("status", "")),
        *(("match 1", "rooms?|teams?"), ("schedule", "rooms?|teams?")),
        *(("rulings", "rooms?|teams?"), ("crosstable", "rooms?|teams?")),
    ],
)
def test_no_report_of_a_game_names_imps_or_victory_points_nor_rooms_and_teams(
    words: str, others: str, rubber: PlayedEvent
) -> None:
    name, *more = words.split()
    shown = printed(run(name, rubber.path, *more))
    assert not others or not re.search(rf"\b({others})\b", shown, re.IGNORECASE)
    converse(rubber, RULED)
    assert not re.search(r"\b(IMPs?|VPs?|victory)\b", printed(run(name, rubber.path, *more)))


def test_russian_scoring_is_in_imps(tmp_path: Path) -> None:
    game = play_game_event(tmp_path, 'format = "chicago"\nscoring = "russian"')
    converse(game, "$ rounds EVENT -> ... -> ...IMPs... -> ...\n$ standings EVENT -> ... -> ...Net IMPs... -> ...")
    rows = json_report("standings", game.path)["standings"]
    assert all(float(row["ranking_score"]) == row["imps_for"] - row["imps_against"] for row in rows)
    assert not re.search(r"\b(VPs?|victory|points)\b", run("match", game.path, "1").stdout)


def test_a_ruling_of_a_game_gives_points_and_has_no_averages(rubber: PlayedEvent) -> None:
    converse(
        rubber,
        f"""
        $ rule adjust EVENT 1 1 --award Ants=avg+ --reason x
            -> refused 2: --award: Ants gets a number of points, got 'avg+'
        {RULED}
        $ verify EVENT -> ..., 0 findings
        $ rulings EVENT -> ... -> ...adjusted score, +150 points... -> ...
        $ rulings EVENT --json | rulings: amount -> 150 -> 30
        """,
    )


@pytest.mark.parametrize("report", ["swings", "boards", "butler"])
def test_reports_that_compare_two_rooms_say_what_they_are_for(report: str, rubber: PlayedEvent) -> None:
    said = "compares the rooms of matches of teams, 'Test Cup' has none: `tourney match` has"
    converse(rubber, f"$ {report} EVENT -> refused: ...{said}...")


def test_a_seal_holds_though_vulnerability_comes_of_the_play(tmp_path: Path) -> None:
    game = draw_game(tmp_path, 'format = "rubber"')
    converse(game, "$ deals seal EVENT")
    converse(play_games(game), "$ deals open EVENT")


def test_rules_that_change_after_the_first_board_are_refused(rubber: PlayedEvent) -> None:
    rubber.path.write_text(rubber.path.read_text().replace('format = "rubber"', 'format = "rubber"\nhonours = false'))
    converse(rubber, "$ schedule EVENT -> refused 2: ...game: the rules are not those it was drawn with...")


# Rulings


@once
def half_played(folder: Path, stage: str, *teams: str) -> PlayedEvent:
    """A match of which two boards are finished, and the third was begun."""
    game = draw_game(folder, stage, *teams)
    play_game(game, stop_after=2)
    game.reload()
    return game


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/rule_game"))
def test_a_ruling_that_a_game_has_not_is_refused_with_a_sentence(
    words: list[str], status: int, sentence: str, tmp_path: Path
) -> None:
    game = half_played(tmp_path, 'format = "rubber"')
    assert sentence in refusal(run("rule", words[0], game.path, *words[1:], "--reason", "x"), status)
    assert load_rulings(game.database, game.event.id) == []


def test_an_unfinished_rubber_keeps_a_swiss_waiting_and_final_results_are_refused(tmp_path: Path) -> None:
    game = half_played(tmp_path, 'format = "swiss"\nrounds = 2\ngame = "rubber"', "Ants", "Bees", "Cats", "Dogs")
    play_game(game, number=2)
    converse(
        game,
        """
        scored
        $ verify EVENT
        $ results EVENT final -> refused: ...round 2 of 2 is not drawn yet...
        """,
    )
    assert not game.reload().stages[0].rounds[1].is_drawn


def test_a_match_goes_on_when_it_was_broken_off_by_mistake(tmp_path: Path) -> None:
    game = half_played(tmp_path, 'format = "rubber"')
    converse(game, "$ rule cancel EVENT 3 --match 1 --reason x\n$ rule withdraw EVENT 1 --reason x")
    converse(
        play_games(game),
        "$ match EVENT 1 --json | sheet.sheets.0.finished -> yes\n$ verify EVENT -> ..., 0 findings",
    )
