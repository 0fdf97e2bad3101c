"""The commands `tourney rule` and `tourney results`: what they put on record, and what it makes of a match."""

from pathlib import Path

import pytest

from tests.support.commands import json_report, refusal, run
from tests.support.event_conversation import converse
from tests.support.played_event import OPEN, PlayedEvent, draw_compared, draw_event, event_text, once
from tests.support.refusals import refused_commands
from tourney.coordinator.run_lease import hold_run_lock
from tourney.store.rulings import load_rulings

BECAUSE = "--reason 'a fouled board'"
IMPS = "$ match EVENT 1 --json | boards: imps imps_away"
REPLAY = f"$ table replay EVENT 1-open 4 {BECAUSE}"


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_compared(tmp_path)


def check_score(played: PlayedEvent) -> None:
    """What is stored is what results and rulings make; results put on record by hand have no calls."""
    converse(played, "$ verify EVENT --json | findings[record=score] -> nothing")


def test_each_side_gets_its_own_artificial_score(played: PlayedEvent) -> None:
    """Both average plus on board 4, where Alpha had lost 17: 13 to 12, margins of 10 - 9 + 3 and 9 - 10 + 3."""
    converse(
        played,
        f"""
        $ rule adjust EVENT 1 4 --award alpha=avg+ --award Beta=avg+ {BECAUSE}
            -> rulings 1, 2; match 1: Alpha - Beta 13 - 12 IMPs, 12.29 - 11.20 VPs
        {IMPS} -> 10 -10 -> -9 9 -> 0 0 -> 3 3
        $ rulings EVENT --json | rulings.0: team kind amount law author reason board room
            -> Alpha adjusted-score 3 Law 12C2 Ada a fouled board 4 -
        """,
    )
    check_score(played)


def test_an_assigned_result_is_compared_with_the_other_room(played: PlayedEvent) -> None:
    """6H one off in the open room, all vulnerable: -100 against 1430 is 17 IMPs; six made is 1430: 0."""
    converse(
        played,
        f"""
        $ rule assign EVENT 1-open 4 '6H S 12' {BECAUSE} -> rulings 1, 2; match 1: Alpha - Beta 10 - 9 IMPs, ...
        {IMPS} -> ... -> 0 0
        $ match EVENT 1
            -> ...
            -> (1) board 4, open room: Alpha: assigned 6H S =: a fouled board (Law 12C1, by Ada)
            -> ...
        """,
    )
    check_score(played)
    assert "6H S = for Alpha (1); 6H S = for Beta (2)" in " ".join(run("match", played.path, "1").stdout.split())


def test_a_split_score_by_weight_gives_each_side_its_own(played: PlayedEvent) -> None:
    """For Alpha half of 6H made (0) and half of one off (-1530: -17): -8.5 is -9. For Beta the table's 17.

    Then 0 against 1430 for Beta.
    """
    converse(
        played,
        f"""
        $ rule assign EVENT 1-open 4 '50: 6H S 12' '50: 6H S 11' --team Alpha {BECAUSE}
        {IMPS} -> ... -> -9 17
        $ rule assign EVENT 1-open 4 Pass --team Beta {BECAUSE}
        {IMPS} -> ... -> -9 16
        $ rulings EVENT --json | rulings.0.assigned: weight -> 50 -> 50
        $ rulings EVENT --json | rulings.1.assigned -> weight=1 contract=Pass declarer=- tricks=-
        """,
    )
    check_score(played)


def test_boards_and_matches_can_be_forfeited(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ rule forfeit EVENT 1-open Beta --board 4 {BECAUSE}
        {IMPS} -> ... -> 3 -3
        $ rule forfeit EVENT 1 Beta {BECAUSE} -> ruling 2; match 1: ...
        $ match EVENT 1 --json | vp_away -> 0.00
        """,
    )
    check_score(played)


def test_a_ruling_that_is_withdrawn_stays_on_record_and_counts_no_more(played: PlayedEvent) -> None:
    before = json_report("match", played.path, "1")
    converse(
        played,
        f"""
        $ rule adjust EVENT 1 4 --award Alpha=0 --award Beta=0 {BECAUSE}
        $ rule withdraw EVENT 1 2 --reason 'on appeal'
            -> ruling 1 is withdrawn: match 1, board 4: Alpha: average, +0 IMPs: a fouled board (Law 12C2, by Ada)
            -> ...
        $ rulings EVENT --json | rulings: withdrawn.by withdrawn.reason -> Ada on appeal -> Ada on appeal
        $ rule withdraw EVENT 2 --reason x -> refused: ruling 2 was withdrawn already, by Ada
        """,
    )
    assert json_report("match", played.path, "1") == before


def test_a_board_that_a_rule_took_from_a_side_can_be_given_another_score(tmp_path: Path) -> None:
    converse(
        draw_event(tmp_path, event_text("Alpha", "Beta", boards=1)),
        f"""
        1-open board 1: E forfeits
        1-closed board 1: 4S N 10
        scored
        {IMPS} -> 3 -3
        $ rule assign EVENT 1-open 1 '4S N 9' {BECAUSE}
            -> refused: board 1 of match 1 has ruling 1 on it, for Beta: withdraw that first...
        $ rule withdraw EVENT 1 --reason 'the network was down'
        {IMPS} -> - -
        $ rule assign EVENT 1-open 1 '4S N 9' {BECAUSE}
        {IMPS} -> -10 10
        """,
    )


def test_a_team_that_retires_is_withdrawn_from_the_event(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ rule withdraw-team EVENT BETA {BECAUSE} -> ruling 1; Beta has left the event
        $ rulings EVENT --json | rulings: kind team match -> withdrawal Beta -
        """,
    )


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/rule"))
def test_rulings_that_make_no_sense_are_refused_and_change_nothing(
    played: PlayedEvent, words: list[str], status: int, sentence: str
) -> None:
    before = json_report("match", played.path, "1")
    assert refusal(run("rule", words[0], played.path, *words[1:], "--reason", "a fouled board"), status) == sentence
    assert json_report("match", played.path, "1") == before
    assert load_rulings(played.database, played.event.id) == []


def test_a_board_that_is_to_be_played_again_is_a_ruling_too(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {REPLAY}
        $ rulings EVENT --json --director | rulings: kind team room board -> board-replay - open 4
        $ match EVENT 1 --json | vp_home -> -
        """,
    )


ARE_FINAL = "Ada has made the results of 'Test Cup' final; `tourney results EVENT provisional` opens them again"


def test_final_results_change_by_nothing_until_they_are_opened_again(played: PlayedEvent) -> None:
    cancel = f"$ rule cancel EVENT 4 --match 1 {BECAUSE}"
    converse(
        played,
        f"""
        $ results EVENT final -> the results of Test Cup are final
        {cancel} -> refused: {ARE_FINAL}
        {REPLAY} -> refused: {ARE_FINAL}
        $ results EVENT final -> refused: {ARE_FINAL}
        $ standings EVENT -> Test Cup: 1 of 1 match scored, final since 20... -> ...
        $ results EVENT provisional -> refused 2: provisional needs a --reason
        $ results EVENT provisional --reason 'an appeal' -> the results of Test Cup are provisional again
        {cancel}
        $ results EVENT provisional --reason x -> refused: the results of 'Test Cup' are provisional: there is...
        """,
    )


def test_results_are_final_only_when_every_match_has_its_score_or_the_event_is_abandoned(tmp_path: Path) -> None:
    cancel = f"$ rule cancel EVENT 1 --match 1 {BECAUSE}"
    converse(
        draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", boards=1)),
        f"""
        $ results EVENT final
            -> refused: 3 of 3 matches have no score yet: matches 1, 2, 3; `tourney results EVENT...
        $ results EVENT final --abandoned -> refused 2: --abandoned needs a --reason
        $ results EVENT final --abandoned --reason 'a flood' -> the results of Test Cup are final
        {cancel} -> refused: {ARE_FINAL}
        $ run EVENT -> refused: {ARE_FINAL}
        $ results EVENT provisional --reason 'the water is gone'
        {cancel}
        """,
    )


def test_an_event_that_is_being_played_is_not_abandoned(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=1))
    with hold_run_lock(played.file.results):
        converse(
            played,
            "$ results EVENT final --abandoned --reason 'a flood'"
            " -> refused: 'Test Cup' is being played: stop its `tourney run` first",
        )


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
    converse(
        pairs,
        f"""
        $ rule forfeit EVENT 1 Alpha {BECAUSE}
            -> refused: every board of match 1 has been played, and counts as it is: forfeit single boards
        $ rulings EVENT --json | rulings -> nothing
        """,
    )


def test_a_ruling_on_a_pair_says_its_new_figure_and_rank(pairs: PlayedEvent) -> None:
    alpha = "$ standings EVENT --json | standings[team=Alpha]: percentage rank"
    converse(
        pairs,
        f"""
        {alpha} -> 50.0 1
        $ rule penalty EVENT 1 Alpha 30 --percent {BECAUSE}
            -> ruling 1; match 1: Delta - Alpha 1 board
            -> Alpha: 40.00 %, rank 4; before, 50.00 %, rank 1=
        {alpha} -> 40.0 4
        """,
    )


def test_what_has_no_meaning_at_pairs_is_refused_in_a_sentence(pairs: PlayedEvent) -> None:
    home, board = pairs.match(1).home, pairs.boards(1)[0].number
    converse(
        pairs,
        f"""
        $ rule adjust EVENT 1 {board} --award {home}=5 {BECAUSE}
            -> refused 2: --award: {home} gets avg+, avg or avg- (or assign a result), got '5'
        $ rule penalty EVENT 1 {home} 1 --vp {BECAUSE}
            -> refused 2: --vp: pairs win no victory points: give percent of a top at matchpoints, or IMPs
        """,
    )
