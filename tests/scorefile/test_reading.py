"""Files of all ages are read: spellings, inherited values, comments, what is torn or left open."""

import pytest

from tests.support.score_texts import (
    AUCTION,
    DEAL,
    both,
    document_of,
    game,
    match_in,
    score,
    text_of,
    told,
    whole_play,
)
from tourney.bridge import Result, Seat, parse_call
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.movement.seating import Room
from tourney.scorefile import records as records_module
from tourney.scorefile.match import ScoredMatch


def result_of(match: ScoredMatch, room: Room = Room.OPEN) -> Result:
    result = match.boards[0].records[room].result
    assert result is not None
    return result


def tricks_in(*, auction: str = "", play: str = "", **tags: str | None) -> int:
    match = match_in(both(auction=auction, play=play, **tags))
    assert told(match.findings) == []
    return result_of(match).tricks


# The text


def test_a_comment_that_is_never_closed_ends_before_the_next_tag_and_is_told() -> None:
    scored = score(both() + "{ words\n\nmore { words\n" + both(Board="2"))
    (match,) = scored.matches
    assert [board.board for board in match.boards] == ["1", "2"]
    assert match.compared == 2
    said = "the comment that opens here with { is not closed: it ends before the next tag or empty line"
    assert told(scored.findings) == [f"19, None, None: {said}", f"21, None, None: {said}"]


def test_a_game_torn_apart_by_an_empty_line_is_one_game() -> None:
    text = both(auction=AUCTION).replace("[Auction", "\n[Auction")
    match = match_in(text)
    assert told(match.findings) == []
    assert match.compared == 1
    wrong = match_in(text.replace("1NT Pass Pass", "1NT 1C Pass", 1))
    assert told(wrong.findings) == ["11, 1, open: East may not call 1C: 1C is not higher than 1NT"]


def test_a_value_of_one_mark_is_that_of_the_nearest_game_before() -> None:
    text = both(Event="Final", Deal=DEAL) + game("Open", Board="2", Event="#", Deal="#") + game("#", Board="2")
    (match,) = score(text.replace('[Room "#"]', '[Room "Closed"]\n[Event "#"]')).matches
    assert match.title == "Final"
    assert match.compared == 2


def test_a_value_of_two_marks_holds_until_it_is_given_again() -> None:
    first = game("Open", HomeTeam="##Ants", VisitTeam="##Bees") + game("Closed")
    second = game("Open", Board="2") + game("Closed", Board="2")
    third = both(Board="3", HomeTeam="Cats") + both(Board="4")
    scored = score(first + second + third)
    homes = [(match.home, [board.board for board in match.boards]) for match in scored.matches]
    assert homes == [("Ants", ["1", "2"]), ("Cats", ["3"]), ("North-South in the open room", ["4"])]


# Values


@pytest.mark.parametrize(
    ("text", "tricks"),
    [
        *(("9", 9), ("^9", 9), ("NS 9", 9), ("EW 9", 4), ("EW 4 NS 9", 9), ("0", 0), ("13", 13)),
        *(("=", 7), ("+2", 9), ("-1", 6), ("n-s 9", 9)),
    ],
)
def test_a_result_has_many_spellings(text: str, tricks: int) -> None:
    assert tricks_in(Result=text) == tricks


@pytest.mark.parametrize("text", ["14", "-9", "seven", "NS 9 EW 9", "7.5", "99999999999"])
def test_a_result_that_is_none_is_told(text: str) -> None:
    match = match_in(game("Open", Result=text, Score="NS 120") + game("Closed"))
    assert told(match.findings) == [f"7, 1, open: a result is 0..13 tricks, got {text!r}"]
    assert result_of(match).tricks == 8


@pytest.mark.parametrize(
    ("text", "level_strain_doubling"),
    [
        *(("3NT", "3NT0"), ("3N", "3NT0"), ("4s", "4S0"), ("4SX", "4S1"), ("4Sxx", "4S2"), ("4 S", "4S0")),
        *(("4S**", "4S2"), ("^5DX", "5D1")),
    ],
)
def test_a_contract_has_many_spellings(text: str, level_strain_doubling: str) -> None:
    read = lenient.parse_contract(text)
    assert read is not None
    assert f"{read[0]}{read[1]}" == level_strain_doubling


@pytest.mark.parametrize("text", ["Pass", "PASS", "All Pass", "passed out"])
def test_a_board_may_be_passed_out(text: str) -> None:
    match = match_in(both(Contract=text, Declarer="", Result="", Score="0"))
    assert told(match.findings) == []
    assert result_of(match) == Result(None, 0, 0)


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("-50", "None -50"),
        ("NS 50", "NS 50"),
        ("EW -50", "EW -50"),
        ("EW 50 NS -50", "EW 50, NS -50"),
        ("N/S 1.5", "NS 1.5"),
        ("^NS 3", "NS 3"),
    ],
)
def test_a_figure_may_name_its_side(text: str, figures: str) -> None:
    assert ", ".join(f"{side} {figure}" for side, figure in lenient.parse_scores(text) or []) == figures


@pytest.mark.parametrize(
    ("word", "call"),
    [("p", "Pass"), ("dbl", "X"), ("Rdbl", "XX"), ("1N", "1NT"), ("1c!", "1C"), ("2H=12=", "2H"), ("X$4!?", "X")],
)
def test_a_call_has_many_spellings_and_marks(word: str, call: str) -> None:
    assert lenient.parse_call(lenient.strip_annotations(word)) == parse_call(call)


@pytest.mark.parametrize("word", ["SA", "AS", "sa", "SA!", "SA=1="])
def test_a_card_has_many_spellings_and_marks(word: str) -> None:
    card = lenient.parse_card(lenient.strip_annotations(word))
    assert str(card) == "AS"


# What stands in for what is not given


def test_contract_and_declarer_may_come_from_the_auction() -> None:
    match = match_in(both(Contract=None, Declarer=None, auction="Pass 1C Pass 1S Pass 2S AP", Result="8"))
    contract = result_of(match).contract
    assert told(match.findings) == []
    assert (str(contract), contract and contract.declarer) == ("2S", Seat.WEST)


def test_the_declarer_may_come_from_the_opening_lead() -> None:
    text = both(Declarer=None, play="S2 *").replace('[Play "E"]', '[Play "W"]')
    contract = result_of(match_in(text)).contract
    assert contract is not None
    assert contract.declarer is Seat.SOUTH


@pytest.mark.parametrize(("text", "tricks"), [("NS 120", 8), ("EW 50", 6), ("90", 7), ("-100", 5), ("EW -150", 9)])
def test_the_result_may_come_from_the_score(text: str, tricks: int) -> None:
    assert tricks_in(Result=None, Score=text) == tricks


def test_the_result_may_come_from_a_play_to_the_end() -> None:
    rows, tricks, _ = whole_play()
    assert tricks_in(Result=None, auction=AUCTION, play=text_of(rows)) == tricks


def test_a_claim_without_a_result_has_none() -> None:
    match = match_in(both(Result="?", play="HA H3 H5 H2\n*") + both(Board="2"))
    assert told(match.findings) == ["1, 1, open: the result is not given", "13, 1, closed: the result is not given"]
    assert (match.compared, match.vp) == (1, None)


def test_the_last_of_four_hands_may_be_left_out() -> None:
    hidden = DEAL.rpartition(" ")[0] + " -"
    match = match_in(game("Open", Deal=hidden, auction=AUCTION, play="HA H3 H5 H2\n*") + game("Closed"))
    assert told(match.findings) == []
    assert match.compared == 1


def test_a_deal_of_unknown_hands_is_no_fault_and_one_that_is_wrong_is() -> None:
    assert told(match_in(both(Deal="N:- AK9.AJT6.KT3.A82 - -")).findings) == []
    assert told(match_in(game("Open", Deal=DEAL.replace("Q65", "AQ6")) + game("Closed")).findings) == [
        "4, 1, open: card AS is dealt twice, to North and to East"
    ]


def test_boards_without_a_number_are_told_apart_by_their_deals() -> None:
    scored = score(both(Board=None))
    assert [match.compared for match in scored.matches] == [1]
    assert document_of(scored)["matches"][0]["boards"][0]["board"] is None


# Nothing to score


def test_files_without_a_board_that_was_played_are_refused_in_a_sentence() -> None:
    with pytest.raises(FormatError) as caught:
        score(both(Contract="", Declarer="", Result=""))
    sentence = "a.pbn: there is no record of a board that was played, so there is nothing to score"
    assert str(caught.value) == sentence


def test_a_file_with_more_records_than_are_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "RECORDS_MAX", 3)
    with pytest.raises(FormatError) as caught:
        score(both() + both(Board="2"))
    assert str(caught.value) == ("a.pbn line 28: a file has more than 3 records of boards, the most that are read")
