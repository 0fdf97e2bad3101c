"""The commands `tourney rule` and `tourney results`: what they put on record, and what it makes of a match."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.support.commands import NOTE, document_of, json_report, printed, refusal, run
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_compared, draw_event, event_text, once
from tests.support.refusals import refused_commands
from tourney.bridge import Seat
from tourney.coordinator.run_lease import hold_run_lock
from tourney.protocol.session.records import RulingKind
from tourney.store.rulings import load_rulings

BECAUSE = ("--reason", "a fouled board")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_compared(tmp_path)


def rule(played: PlayedEvent, command: str, *words: str, because: tuple[str, ...] = BECAUSE) -> Result:
    return run("rule", command, played.path, *words, *because)


def replay(played: PlayedEvent) -> Result:
    return run("table", "replay", played.path, "1-open", "4", *BECAUSE)


def document(played: PlayedEvent, command: str, *words: str) -> Any:
    return json_report(command, played.path, *words)


def imps_of(played: PlayedEvent) -> list[tuple[int | None, int | None]]:
    return [(board["imps"], board["imps_away"]) for board in document(played, "match", "1")["boards"]]


def verified(played: PlayedEvent) -> bool:
    """Whether what is stored is what results and rulings make; results put on record by hand have no calls."""
    findings = json.loads(run("verify", played.path, "--json").stdout)["findings"]
    return not [finding for finding in findings if finding["record"] == "score"]


def test_each_side_gets_its_own_artificial_score(played: PlayedEvent) -> None:
    """Both average plus on board 4, where Alpha had lost 17: 13 to 12, margins of 10 - 9 + 3 and 9 - 10 + 3."""
    told = printed(rule(played, "adjust", "1", "4", "--award", "alpha=avg+", "--award", "Beta=avg+"))
    assert told == "rulings 1, 2; match 1: Alpha - Beta 13 - 12 IMPs, 12.29 - 11.20 VPs\n"
    assert imps_of(played) == [(10, -10), (-9, 9), (0, 0), (3, 3)]
    (first, _) = document(played, "rulings")["rulings"]
    assert (first["team"], first["kind"], first["amount"], first["law"]) == ("Alpha", "adjusted-score", 3, "Law 12C2")
    assert (first["author"], first["reason"], first["board"], first["room"]) == ("Ada", "a fouled board", 4, None)
    assert verified(played)


def test_an_assigned_result_is_compared_with_the_other_room(played: PlayedEvent) -> None:
    """6H one off in the open room, all vulnerable: -100 against 1430 is 17 IMPs; six made is 1430: 0."""
    told = printed(rule(played, "assign", "1-open", "4", "6H S 12"))
    assert "match 1: Alpha - Beta 10 - 9 IMPs" in told
    assert imps_of(played)[3] == (0, 0)
    assert verified(played)
    shown = printed(run("match", played.path, "1"))
    assert "6H S = for Alpha (1); 6H S = for Beta (2)" in " ".join(shown.split())
    assert "(1) board 4, open room: Alpha: assigned 6H S =: a fouled board (Law 12C1, by Ada)" in shown


def test_a_split_score_by_weight_gives_each_side_its_own(played: PlayedEvent) -> None:
    """For Alpha half of 6H made (0) and half of one off (-1530: -17): -8.5 is -9. For Beta the table's 17."""
    printed(rule(played, "assign", "1-open", "4", "50: 6H S 12", "50: 6H S 11", "--team", "Alpha"))
    assert imps_of(played)[3] == (-9, 17)
    printed(rule(played, "assign", "1-open", "4", "Pass", "--team", "Beta"))
    assert imps_of(played)[3] == (-9, 16), "0 against 1430"
    (first, second) = document(played, "rulings")["rulings"]
    assert [part["weight"] for part in first["assigned"]] == [50, 50]
    assert second["assigned"] == [{"weight": 1, "contract": "Pass", "declarer": None, "tricks": None}]
    assert verified(played)


def test_boards_and_matches_can_be_forfeited(played: PlayedEvent) -> None:
    printed(rule(played, "forfeit", "1-open", "Beta", "--board", "4"))
    assert imps_of(played)[3] == (3, -3)
    told = printed(rule(played, "forfeit", "1", "Beta"))
    assert told.endswith("VPs\n")
    assert document(played, "match", "1")["vp_away"] == "0.00"
    assert verified(played)


def test_a_ruling_that_is_withdrawn_stays_on_record_and_counts_no_more(played: PlayedEvent) -> None:
    before = document(played, "match", "1")
    printed(rule(played, "adjust", "1", "4", "--award", "Alpha=0", "--award", "Beta=0"))
    told = printed(rule(played, "withdraw", "1", "2", because=("--reason", "on appeal")))
    assert told.splitlines()[0] == (
        "ruling 1 is withdrawn: match 1, board 4: Alpha: average, +0 IMPs: a fouled board (Law 12C2, by Ada)"
    )
    assert document(played, "match", "1") == before
    rulings = document(played, "rulings")["rulings"]
    assert [(each["withdrawn"]["by"], each["withdrawn"]["reason"]) for each in rulings] == [("Ada", "on appeal")] * 2
    again = rule(played, "withdraw", "2", because=("--reason", "x"))
    assert refusal(again) == "ruling 2 was withdrawn already, by Ada"


def test_a_board_that_a_rule_took_from_a_side_can_be_given_another_score(tmp_path: Path) -> None:
    other = draw_event(tmp_path, event_text("Alpha", "Beta", boards=1))
    other.forfeit(1, OPEN, 1, Seat.EAST)
    other.record(1, CLOSED, 1, "4S N", 10)
    other.score()
    assert imps_of(other) == [(3, -3)]
    refused = rule(other, "assign", "1-open", "1", "4S N 9")
    assert "board 1 of match 1 has ruling 1 on it, for Beta: withdraw that first" in refusal(refused)
    printed(rule(other, "withdraw", "1", because=("--reason", "the network was down")))
    assert imps_of(other) == [(None, None)]
    printed(rule(other, "assign", "1-open", "1", "4S N 9"))
    assert imps_of(other) == [(-10, 10)]


def test_a_team_that_retires_is_withdrawn_from_the_event(played: PlayedEvent) -> None:
    assert printed(rule(played, "withdraw-team", "BETA")) == "ruling 1; Beta has left the event\n"
    (ruling,) = load_rulings(played.database, played.event.id)
    assert (ruling.kind, ruling.team, ruling.match) == (RulingKind.WITHDRAWAL, "Beta", None)


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/rule"))
def test_rulings_that_make_no_sense_are_refused_and_change_nothing(
    played: PlayedEvent, words: list[str], status: int, sentence: str
) -> None:
    before = document(played, "match", "1")
    assert refusal(rule(played, *words), status) == sentence
    assert document(played, "match", "1") == before
    assert load_rulings(played.database, played.event.id) == []


def test_a_board_that_is_to_be_played_again_is_a_ruling_too(played: PlayedEvent) -> None:
    printed(replay(played))
    (ruling,) = document_of(run("rulings", played.path, "--json", "--director"), NOTE)["rulings"]
    assert (ruling["kind"], ruling["team"], ruling["room"], ruling["board"]) == ("board-replay", None, "open", 4)
    assert document(played, "match", "1")["vp_home"] is None


def finalise(played: PlayedEvent, *words: str) -> Result:
    return run("results", played.path, "final", *words)


def reopen(played: PlayedEvent, *words: str) -> Result:
    return run("results", played.path, "provisional", *words)


def test_final_results_change_by_nothing_until_they_are_opened_again(played: PlayedEvent) -> None:
    assert printed(finalise(played)) == "the results of Test Cup are final\n"
    refused = refusal(rule(played, "cancel", "4", "--match", "1"))
    assert (
        refused
        == "Ada has made the results of 'Test Cup' final; `tourney results EVENT provisional` opens them again"
    )
    assert refusal(replay(played)) == refused
    assert refusal(finalise(played)) == refused
    shown = printed(run("standings", played.path))
    assert shown.startswith("Test Cup: 1 of 1 match scored, final since 20")
    assert document(played, "standings")["final"] is not None
    assert reopen(played).stderr.endswith("Error: provisional needs a --reason\n")
    assert printed(reopen(played, "--reason", "an appeal")) == "the results of Test Cup are provisional again\n"
    printed(rule(played, "cancel", "4", "--match", "1"))
    assert "provisional: there is nothing" in refusal(reopen(played, "--reason", "x"))


def test_results_are_final_only_when_every_match_has_its_score(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", boards=1))
    assert refusal(finalise(played)).startswith(
        "3 of 3 matches have no score yet: matches 1, 2, 3; `tourney results EVENT final --abandoned`"
    )


def test_an_abandoned_event_is_final_with_matches_left_and_is_not_played_on(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", boards=1))
    assert refusal(finalise(played, "--abandoned"), 2) == "--abandoned needs a --reason"
    assert printed(finalise(played, "--abandoned", "--reason", "a flood")) == "the results of Test Cup are final\n"
    assert refusal(rule(played, "cancel", "1", "--match", "1")).startswith(
        "Ada has made the results of 'Test Cup' final"
    )
    refused = refusal(run("run", played.path))
    assert refused.endswith("; `tourney results EVENT provisional` opens them again")
    printed(reopen(played, "--reason", "the water is gone"))
    printed(rule(played, "cancel", "1", "--match", "1"))


def test_an_event_that_is_being_played_is_not_abandoned(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=1))
    with hold_run_lock(played.file.results):
        asked = finalise(played, "--abandoned", "--reason", "a flood")
    assert refusal(asked) == "'Test Cup' is being played: stop its `tourney run` first"


# Pairs


@pytest.fixture
@once
def pairs(tmp_path: Path) -> PlayedEvent:
    """A Howell of four pairs with three boards, each played twice; everybody is average."""
    sections = "".join(f'[[pair]]\nname = "{name}"\n' for name in ("Alpha", "Beta", "Gamma", "Delta"))
    stage = '[[stage]]\nformat = "howell"\nboards_per_round = 1\n'
    played = draw_event(tmp_path, f'[event]\nname = "Pairs"\n{sections}{stage}[deals]\nseed = 1\n')
    for match in played.event.matches:
        played.record(match.number, OPEN, played.boards(match.number)[0].number, "3NT N", 9)
    played.score()
    return played


def test_a_forfeit_of_a_match_of_pairs_that_was_played_is_refused(pairs: PlayedEvent) -> None:
    refused = refusal(rule(pairs, "forfeit", "1", "Alpha"))
    assert refused == "every board of match 1 has been played, and counts as it is: forfeit single boards"
    assert load_rulings(pairs.database, pairs.event.id) == []


def test_a_ruling_on_a_pair_says_its_new_figure_and_rank(pairs: PlayedEvent) -> None:
    before = {row["team"]: (row["percentage"], row["rank"]) for row in document(pairs, "standings")["standings"]}
    told = printed(rule(pairs, "penalty", "1", "Alpha", "30", "--percent")).splitlines()
    (after,) = (row for row in document(pairs, "standings")["standings"] if row["team"] == "Alpha")
    percentage, rank = before["Alpha"]
    (line,) = told[1:]
    assert line.startswith(
        f"Alpha: {after['percentage']:.2f} %, rank {after['rank']}; before, {percentage:.2f} %, rank "
    )
    assert line.rpartition(" ")[2].rstrip("=") == str(rank)


def test_what_has_no_meaning_at_pairs_is_refused_in_a_sentence(pairs: PlayedEvent) -> None:
    home, board = pairs.match(1).home, str(pairs.boards(1)[0].number)
    assert refusal(rule(pairs, "adjust", "1", board, "--award", f"{home}=5"), 2) == (
        f"--award: {home} gets avg+, avg or avg- (or assign a result), got '5'"
    )
    assert refusal(rule(pairs, "penalty", "1", home, "1", "--vp"), 2) == (
        "--vp: pairs win no victory points: give percent of a top at matchpoints, or IMPs"
    )
