"""A ruling on a match from which a later round has been drawn says first what becomes of that round."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tourney.contest.draw import MatchInfo
from tourney.coordinator.director import RulingBasis
from tourney.coordinator.draw import draw_again, draw_next
from tourney.director.rulings import Adjust, Fine, Forfeit, WithdrawRulings
from tourney.movement.seating import Room

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")
GROUNDS = RulingBasis("Ada", "slow play", None, 1)
TURNS = Fine(1, "Alpha", "6")
KNOCKOUT = 'format = "knockout"\nextra_boards = 0'
STAYS = (
    "round 2 has begun and stays as drawn, though this ruling would draw it with Delta in place of Alpha. "
    "`tourney rule forfeit` or `tourney rule penalty` on its matches can make up for that."
)


def play_round(played: PlayedEvent, round_: int, winner: Callable[[MatchInfo], str] | None = None) -> None:
    """Let each match of a round, of one board, be won by 1 IMP: by the home team unless told otherwise."""
    for match in played.reload().matches:
        if match.round == round_:
            (board,) = played.boards(match.number)
            won_by = winner(match) if winner is not None else match.home
            ahead = OPEN if played.table(match.number, OPEN).ns_team == won_by else CLOSED
            for room in Room:
                played.record(match.number, room, board.number, "1NT N", 8 if room is ahead else 7)
    played.score()
    draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    played.reload()


@pytest.fixture
@once
def knockout(tmp_path: Path) -> PlayedEvent:
    """Four teams, one board a match: Alpha has beaten Delta, Beta Gamma, each by 1 IMP; the final is drawn."""
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, stage=KNOCKOUT))
    play_round(played, 1)
    return played


def costs(played: PlayedEvent, *rulings: Fine | Adjust | WithdrawRulings) -> list[str]:
    """What each ruling would do to rounds that have been drawn."""
    return [ruling.preview(played.drawn).cost for ruling in rulings]


def test_a_round_that_has_not_begun_is_drawn_again_and_the_ruling_says_with_whom(knockout: PlayedEvent) -> None:
    preview = TURNS.preview(knockout.drawn)
    assert (preview.cost, preview.question) == (
        "round 2 is drawn again before it begins: with Delta in place of Alpha.",
        "",
    )
    TURNS.carry_out(knockout.drawn, GROUNDS)
    draw_again(knockout.file, knockout.database, knockout.reload(), knockout.event.rounds[1], BEGINS_AT_MS)
    assert knockout.reload().matches[2].teams == ("Beta", "Delta")


def test_a_round_that_has_begun_stays_as_drawn_which_has_to_be_confirmed(knockout: PlayedEvent) -> None:
    converse(
        knockout,
        f"""
        3-open opens
        $ rule penalty EVENT 1 Alpha 6 --reason 'slow play'
            -> ({STAYS})
            -> refused 2: nothing was done: there is no terminal on which to ask; `--yes` confirms it
        $ rulings EVENT --json | rulings -> nothing
        $ rule penalty EVENT 1 Alpha 6 --reason 'slow play' --yes -> ({STAYS}) -> ruling 1; ...
        """,
    )


def test_what_turns_nothing_is_not_asked_about(knockout: PlayedEvent) -> None:
    converse(knockout, "3-open opens")
    assert costs(knockout, Fine(1, "Delta", "6"), Fine(3, "Alpha", "6")) == ["", ""]
    TURNS.carry_out(knockout.drawn, GROUNDS)
    assert costs(knockout, Fine(1, "Alpha", "1"), WithdrawRulings((1,))) == ["", ""]


def test_every_form_says_who_goes_on_from_a_match_that_was_turned_after_the_next_round(
    knockout: PlayedEvent,
) -> None:
    play_round(knockout, 2, lambda _: "Beta")
    TURNS.carry_out(knockout.drawn, GROUNDS)
    words = "Alpha wins, for the next round was drawn before a ruling turned the match"
    converse(
        knockout,
        f"""
        $ rounds EVENT --json | rounds.matches: match winner won_by -> 1 Alpha draw -> 2 Beta score -> 3 Beta score
        $ match EVENT 1 --json | winner -> Alpha
        $ match EVENT 1 -> ... -> ...{words}... -> ...
        $ rounds EVENT -> ... -> ...Match 1: {words}... -> ...
        $ rounds EVENT --csv | 0: winner won_by -> Alpha draw
        $ standings EVENT --json | standings: rank team won lost
            -> 1 Beta 2 0 -> 2 Alpha 1 1 -> 3 Gamma 0 1 -> 3 Delta 0 1
        $ export EVENT --format html --out FOLDER/site
        """,
    )
    for page in ("index.html", "round-001.html", "match-001/index.html"):
        assert words in (knockout.path.parent / "site" / page).read_text(encoding="utf-8"), page


def test_a_semi_final_of_its_own_stage_is_decided_by_who_has_entered_the_final(tmp_path: Path) -> None:
    semis = 'format = "knockout"\nrounds = 1\nextra_boards = 0\nname = "Semi-finals"'
    final = '[[stage]]\nname = "Final"\nformat = "match"\nboards_per_match = 1\nteams = 2'
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, stage=f"{semis}\n{final}"))
    play_round(played, 1)
    converse(played, "3-open opens")
    assert costs(played, TURNS) == [STAYS]
    TURNS.carry_out(played.drawn, GROUNDS)
    played.reload()
    assert [match.advanced for match in played.event.matches[:2]] == [frozenset({"Alpha"}), frozenset({"Beta"})]
    converse(played, "$ rounds EVENT --json | rounds.0.matches.0: winner won_by -> Alpha draw")


def test_a_carry_over_into_a_round_that_has_begun_stays_as_drawn(tmp_path: Path) -> None:
    swiss = 'name = "Swiss"\nformat = "swiss"\nrounds = 1'
    cup = '[[stage]]\nname = "Cup"\nformat = "knockout"\nboards_per_match = 1\nteams = 2\nrounds = 1\n'
    cup += "[stage.carry_over]\nwon = 0.5\nlost = 0.5"
    played = draw_event(tmp_path, event_text("Alpha", "Beta", boards=1, stage=f"{swiss}\n{cup}"))
    play_round(played, 1)
    ruling = Adjust(1, 1, ("Alpha=10", "Beta=-10"))
    assert costs(played, ruling) == ["round 2 is drawn again before it begins: with another carry-over."]
    converse(played, "2-open opens")
    (cost,) = costs(played, ruling)
    assert cost.startswith(
        "round 2 has begun and stays as drawn, though this ruling would draw it with another carry-over."
    )


def test_when_both_teams_forfeit_it_is_said_that_neither_goes_on(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, stage=KNOCKOUT))
    neither = "match 1: neither team goes on, for both have forfeited the match"
    Forfeit("1", "Alpha").carry_out(played.drawn, GROUNDS)
    second = Forfeit("1", "Delta")
    assert second.preview(played.drawn).changes[1:] == (neither,)
    assert second.carry_out(played.drawn, GROUNDS)[1:] == (neither,)
