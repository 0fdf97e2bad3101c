"""Standings and cross-tables from the stored scores."""

from pathlib import Path

import pytest
from sqlalchemy import event as sqlalchemy_event

from tests.support.commands import json_report
from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.movement.ranking import RankingRules
from tourney.results.standings import load_standings
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.results.matches import load_match_scores, save_match_score
from tourney.views.ranking import folded_ties

ROWS = "$ standings EVENT --json | standings: rank team"
FORGOTTEN = "$ standings EVENT --json | standings: team played vp"


@once
def draw_four(folder: Path, stage: str = "") -> PlayedEvent:
    """The draw: 1 Ants - Dogs, 2 Bees - Cats; 3 Dogs - Cats, 4 Ants - Bees; 5 Bees - Dogs, 6 Cats - Ants."""
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs", stage=stage))
    converse(
        played,
        """
        round 1 -> Ants - Dogs -> Bees - Cats
        round 2 -> Dogs - Cats -> Ants - Bees
        round 3 -> Bees - Dogs -> Cats - Ants
        """,
    )
    return played


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_four(tmp_path)


TWO_ROUNDS = """
    match 1 ends 20 - 5, 15.00 - 5.00 VP
    match 2 ends 3 - 3, 10.00 - 10.00 VP
    match 4 ends 0 - 30, 1.23 - 18.77 VP
"""


def test_standings_worked_out_by_hand(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {TWO_ROUNDS}
        $ standings EVENT -> Test Cup: 3 of 6 matches scored -> ...
        $ standings EVENT --json | : event final -> Test Cup -
        {ROWS} played won drawn lost imps_for imps_against vp withdrawn rulings
            -> 1 Bees 2 1 1 0 33 3 28.77 no none
            -> 2 Ants 2 1 0 1 20 35 16.23 no none
            -> 3 Cats 1 0 1 0 3 3 10.00 no none
            -> 4 Dogs 1 0 0 1 5 20 5.00 no none
        """,
    )


def test_standings_after_a_round_leave_later_rounds_out(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {TWO_ROUNDS}
        $ standings EVENT --round 1 -> Test Cup, after round 1: 2 of 2 matches scored -> ...
        $ standings EVENT --round 1 --json | standings: rank team vp
            -> 1 Ants 15.00 -> 2 Bees 10.00 -> 2 Cats 10.00 -> 4 Dogs 5.00
        """,
    )


def test_standings_read_no_boards(played: PlayedEvent) -> None:
    converse(played, TWO_ROUNDS)
    scored = load_match_scores(played.database, played.event.id)
    played.leave_aside(*(match.number for match in played.event.matches if match.number not in scored))
    statements: list[str] = []
    engine = played.database._pool.engine
    sqlalchemy_event.listen(engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    load_standings(played.database, played.event, {1: RankingRules()})
    read = [" ".join(statement.split()) for statement in statements if statement != "BEGIN"]
    assert [statement.partition(" FROM ")[2].partition(" ")[0] for statement in read] == [
        "events",  # none has boards to play any more
        "matches",
        "rulings",
        "finalisations",
    ]


def test_a_cross_table_has_each_match_from_both_sides_in_the_order_of_the_draw(played: PlayedEvent) -> None:
    of = "$ crosstable EVENT --json | teams[team={}].matches: opponent vp"
    converse(
        played,
        f"""
        {TWO_ROUNDS}
        $ crosstable EVENT --json | teams: team rank vp
            -> Ants 2 16.23 -> Bees 1 28.77 -> Cats 3 10.00 -> Dogs 4 5.00
        {of.format("Ants")} -> Dogs 15.00 -> Bees 1.23 -> Cats -
        {of.format("Bees")} -> Cats 10.00 -> Ants 18.77 -> Dogs -
        {of.format("Cats")} -> Bees 10.00 -> Dogs - -> Ants -
        {of.format("Dogs")} -> Ants 5.00 -> Cats - -> Bees -
        """,
    )


# Tie-breaks


def test_a_criterion_that_could_not_be_asked_is_explained_by_its_reason(tmp_path: Path) -> None:
    reason = "lots are drawn when all matches are over"
    converse(
        draw_four(tmp_path, 'tie_breaks = ["head-to-head-vp", "lot"]'),
        f"""
        match 1 ends 0 - 0, 10.00 - 10.00 VP
        $ standings EVENT --explain --json | explained.0.steps.0.order -> Ants,Dogs
        $ standings EVENT --explain --json | explained.0.steps.0.asked: criterion figures reason
            -> head-to-head-vp Ants=10.00 Dogs=10.00 -
            -> lot - {reason}
        $ standings EVENT --explain --json | explained.1: rank vp -> 3 0.00
        """,
    )


def test_lots_are_drawn_from_the_seed_of_the_event_once_the_matches_that_count_are_over(tmp_path: Path) -> None:
    """All matches are over; Ants have won 15 to 5 against Bees and have 30, as Bees have; Ants are behind on IMPs.

    Ants 10 + 15 + 5, Bees 10 + 5 + 15, Cats 10 + 10 + 15 = 35, Dogs 10 + 10 + 5 = 25. The seed is 1: SHA-256 of
    1/Bees begins with 9bb7, of 1/Ants with f1ce.
    """
    played = draw_four(tmp_path, 'tie_breaks = ["lot"]')
    converse(
        played,
        f"""
        match 1 ends 0 - 0, 10.00 - 10.00 VP
        match 2 ends 9 - 0, 10.00 - 10.00 VP
        match 3 ends 0 - 0, 10.00 - 10.00 VP
        match 4 ends 8 - 0, 15.00 - 5.00 VP
        match 5 ends 8 - 0, 15.00 - 5.00 VP
        match 6 ends 8 - 0, 15.00 - 5.00 VP
        {ROWS} -> 1 Cats -> 2 Bees -> 3 Ants -> 4 Dogs
        """,
    )
    save_match_score(played.database, played.match(6), None)
    converse(
        played,
        """
        $ standings EVENT --explain --json | explained: teams steps.0.asked.0.reason
            -> Ants,Dogs lots are drawn when all matches are over
        $ standings EVENT --round 1 --json | standings: rank -> 1 -> 2 -> 3 -> 4
        """,
    )


@pytest.mark.parametrize(
    ("tie_break", "rows"),
    [
        ("imp-difference", "1 Ants 9 -> 1 Bees 9"),
        ("total-points-quotient", "1 Bees 9 -> 2 Ants 9"),
        ("boards-won", "1 Ants 9 -> 1 Bees 9"),
    ],
)
def test_boards_are_read_when_a_tie_break_asks_for_them(tmp_path: Path, tie_break: str, rows: str) -> None:
    """9 IMPs and a board for each: 400 for Ants on the first one, 420 for Bees on the second."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", stage=f'tie_breaks = ["{tie_break}"]'))
    converse(
        played,
        f"""
        match 1 board 1: 3NT N 9, Pass
        match 1 board 2: 4S W 10, Pass
        scored
        {ROWS} imps_for -> {rows}
        """,
    )
    if tie_break == "boards-won":
        folded = folded_ties(load_standings(played.database, played.event, played.file.ranking_rules))
        assert folded is not None
        assert list(folded.lines) == ["10.00 VP: Ants, Bees share their rank: boards-won level at 1"]


# Rulings


def store_score(played: PlayedEvent, number: int, imps: tuple[int, int], vp: tuple[int, int], *lost: int) -> None:
    score = MatchScore(2, *imps, VpHundredths(vp[0]), VpHundredths(vp[1]), *lost)
    save_match_score(played.database, played.match(number), score)


@pytest.fixture
def forfeited(played: PlayedEvent) -> PlayedEvent:
    """Match 1, Ants - Dogs: Dogs forfeit. Match 4, Ants - Bees: 20 to 10, Ants are fined 6 IMPs."""
    converse(
        played,
        """
        rule 1 match-forfeit Dogs: never came
        match 1 ends 0 - 0, 12.00 - 0.00 VP
        rule 4 penalty-imps Ants 6: slow
        """,
    )
    store_score(played, 4, (14, 10), (1200, 700), 6, 0)
    return played


def test_a_forfeited_match_is_lost_and_won_without_an_imp(forfeited: PlayedEvent) -> None:
    converse(
        forfeited,
        """
        $ standings EVENT --json | standings[team=Dogs]: lost vp imps_against -> 1 0.00 0
        $ standings EVENT --json | standings[team=Ants]: won vp -> 2 24.00
        """,
    )


BOTH_FORFEIT = "rule 1-open board 1 board-forfeit Ants\nrule 1-closed board 1 board-forfeit Dogs"


def test_a_board_that_both_forfeited_is_a_loss_of_each_to_nobody(played: PlayedEvent) -> None:
    # Board 1: -3 to each. Board 2: 3 to Dogs.
    converse(played, f"{BOTH_FORFEIT}\nrule 1-open board 2 board-forfeit Ants")
    store_score(played, 1, (-3, 0), (700, 1000), 3, 3)
    converse(
        played,
        """
        $ standings EVENT --json --director | standings[team=Ants]: imps_for imps_against lost -> -3 3 1
        $ standings EVENT --json --director | standings[team=Dogs]: imps_for imps_against won -> 0 0 1
        """,
    )


def test_the_boards_of_a_match_forfeited_without_a_score_of_its_own_cost_nobody_anything(
    forfeited: PlayedEvent,
) -> None:
    converse(
        forfeited,
        f"""
        {BOTH_FORFEIT}
        $ standings EVENT --json | standings[team=Dogs]: imps_for imps_against -> 0 0
        """,
    )


def test_standings_name_the_rulings_that_count_against_each_team(forfeited: PlayedEvent) -> None:
    converse(
        forfeited,
        """
        rule 4 warning Bees: slow
        rule 4 penalty-vp Bees 100: rude
        ruling 4 is withdrawn
        rule 5 penalty-vp Bees 100: in a match that is not over
        $ standings EVENT --json | standings.rulings
            -> match=4 kind=penalty-imps amount=6 reason=slow
            -> match=1 kind=match-forfeit amount=- reason=never came
        $ standings EVENT --json | standings[team=Dogs].rulings: match -> 1
        """,
    )


def test_standings_after_a_round_have_the_rulings_of_these_rounds_and_withdrawals(forfeited: PlayedEvent) -> None:
    converse(forfeited, "rule withdrawal Cats: gone home")
    table = load_standings(forfeited.database, forfeited.event, {1: RankingRules()}, 1)
    assert [ruling.team for ruling in table.rulings] == ["Dogs", "Cats"]


def test_a_team_that_left_is_shown_as_withdrawn_until_that_is_withdrawn_itself(played: PlayedEvent) -> None:
    converse(
        played,
        """
        rule withdrawal Cats: gone home
        $ standings EVENT --json | standings[withdrawn=yes]: team -> Cats
        $ crosstable EVENT --json | teams[withdrawn=yes]: team -> Cats
        ruling 1 is withdrawn
        $ standings EVENT --json | standings[withdrawn=yes]: team -> nothing
        """,
    )


def test_imps_of_standings_and_margins_of_scorecards_agree_whatever_was_ruled(tmp_path: Path) -> None:
    """Each team's difference is its own margin: what it won less what the other won, and its own losses."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    converse(
        played,
        """
        match 1 boards 1 2 are played
        match 1 board 3: N forfeits, N forfeits
        1-open board 4 is played
        1-closed board 4: E forfeits
        rule 1 penalty-imps Bees 5
        scored
        """,
    )
    rows = {row.team: row for row in load_standings(played.database, played.event, {1: RankingRules()}).rows}
    ants, bees = rows["Ants"], rows["Bees"]
    margins = json_report("match", played.path, "1")
    assert ants.imps_for - ants.imps_against == margins["margin_home"]
    assert bees.imps_for - bees.imps_against == margins["margin_away"]
    assert ants.vp + bees.vp < 2000


def test_a_bye_counts_once_its_round_is_over(tmp_path: Path) -> None:
    """Three teams: each sits out one round. Round 1 is Bees - Cats."""
    converse(
        draw_event(tmp_path, event_text("Ants", "Bees", "Cats")),
        f"""
        round 1 -> Bees - Cats -> Ants
        round 2 -> Ants - Bees -> Cats
        round 3 -> Cats - Ants -> Bees
        {FORGOTTEN} -> Ants 0 0.00 -> Bees 0 0.00 -> Cats 0 0.00
        match 1 ends 7 - 0, 13.00 - 7.00 VP
        {FORGOTTEN} -> Bees 1 13.00 -> Ants 0 12.00 -> Cats 1 7.00
        """,
    )


@pytest.mark.parametrize(
    ("stage", "rows"),
    [
        ("", "Ants 0 0.00 -> Bees 0 0.00 -> Cats 0 0.00 -> Dogs 0 0.00"),
        ('early_leavers = "forfeit"', "Ants 1 17.00 -> Cats 1 12.00 -> Dogs 2 3.00 -> Bees 0 0.00"),
    ],
)
def test_a_team_that_leaves_early_takes_its_scores_with_it_unless_the_event_says_otherwise(
    tmp_path: Path, stage: str, rows: str
) -> None:
    """Dogs have played one of three matches when they leave; the second is forfeited by rule."""
    converse(
        draw_four(tmp_path, stage),
        f"""
        match 1 ends 20 - 0, 17.00 - 3.00 VP
        Jane rules withdrawal Dogs: gone home
        rule 3 match-forfeit Dogs: Dogs has withdrawn
        match 3 ends 0 - 0, 0.00 - 12.00 VP
        {FORGOTTEN} -> {rows}
        """,
    )


@pytest.mark.parametrize(
    ("ruling", "vp"),
    [
        ("rule 1 match-forfeit Bees", "12.00"),
        ("Jane rules 1 match-forfeit Cats", "12.00"),
        ("rule 1 match-forfeit Cats", "0.00"),
    ],
    ids=["given a walkover", "forfeited by the director", "forfeited by leaving"],
)
def test_a_bye_counts_if_it_was_before_the_first_round_missed_by_leaving(
    ruling: str, vp: str, tmp_path: Path
) -> None:
    """Round 1 is Bees - Cats, the Cats sit out round 2, Ants - Bees, and leave; round 3 is Ants - Cats."""
    converse(
        draw_event(tmp_path, event_text("Ants", "Bees", "Cats", stage='early_leavers = "forfeit"')),
        f"""
        {ruling}
        rule 3 match-forfeit Cats
        Jane rules withdrawal Cats
        0 IMPs in matches 1 2 3
        $ standings EVENT --json | standings[team=Cats]: vp -> {vp}
        """,
    )
