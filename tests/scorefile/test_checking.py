"""What a file says of a board is read in every spelling and held against the rules; what does not add up is told."""

import re

import pytest

from tests.support.refusals import refusals
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
from tourney.errors import FormatError
from tourney.movement.seating import Room
from tourney.output.content import text_of as text_of_content
from tourney.scorefile import records as records_module

PLAY = "HA H3 H5 H2"
"""The first trick against 1NT by North, East to lead."""


TAG = re.compile(r"(\w+) (?:= ?(.*)|-)")
"""A tag of a case, or one that is left out: `Declarer -`."""


def made(text: str) -> tuple[str, list[str]]:
    """The result of an open room's record, and the findings on it, with a closed room's that is fine."""
    match = match_in(text + game("Closed"))
    result = match.boards[0].records[Room.OPEN].result
    return text_of_content(result) if result is not None else "-", told(match.findings)


def findings(**tags: str | None) -> list[str]:
    return made(game("Open", **tags))[1]  # type: ignore[arg-type]  # auction and play are never None


@pytest.mark.parametrize(("kind", "tags", "said"), refusals("records"))
def test_what_is_right_is_read_in_every_spelling_and_what_is_wrong_or_missing_is_told_with_its_line(
    kind: str, tags: str, said: list[str]
) -> None:
    given = {found[1]: found[2] for found in map(TAG.fullmatch, tags.replace("\\n", "\r").split("\n")) if found}
    result, told_of = made(game("Open", **{name: text and text.replace("\r", "\n") for name, text in given.items()}))
    if kind == "read":
        assert ([result], told_of) == (said, [])
    else:
        line, _, text = said[0].partition(": ")
        assert told_of == [f"{line}, 1, open: {text}"]


def test_the_declarer_may_come_from_the_opening_lead_and_the_first_seats_of_an_auction_may_be_skipped() -> None:
    led = game("Open", Declarer=None, play="S2 *").replace('[Play "E"]', '[Play "W"]')
    assert made(led) == ("1NT S =", [])
    skipped = game("Open", auction="- - - 1NT Pass Pass Pass").replace('[Auction "N"]', '[Auction "E"]')
    assert made(skipped) == ("1NT N =", [])


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            game("Open", auction="Pass 1NT AP").replace('[Auction "N"]', '[Auction "W"]'),
            "10, 1, open: the dealer is North, the auction starts with West",
        ),
        (
            game("Open", auction=AUCTION).replace('[Auction "N"]', '[Auction "up"]'),
            "9, 1, open: an auction starts N, E, S or W, got 'up'",
        ),
        (
            game("Open", play=PLAY).replace('[Play "E"]', '[Play "S"]'),
            "9, 1, open: the play starts with 'S', the opening leader is East",
        ),
    ],
)
def test_an_auction_and_a_play_that_start_with_another_seat_are_told(text: str, finding: str) -> None:
    assert made(text)[1] == [finding]


def test_a_play_to_the_end_makes_the_result_and_cards_in_the_order_of_play_are_told() -> None:
    rows, tricks, in_play = whole_play()
    assert findings(play=text_of(rows), auction=AUCTION, Result=None) == []
    assert findings(play=text_of(rows), Result=str(tricks + 1)) == [
        f"7, 1, open: the result is {tricks + 1} tricks, by the play it is {tricks}"
    ]
    assert in_play.play is not None
    in_order = [[card.pbn for card in trick.cards] for trick in in_play.play.tricks]
    assert findings(play=text_of(in_order), Result=str(tricks)) == [
        "10, 1, open: the cards of a trick stand in the order of play, not in columns by seat"
    ]


@pytest.mark.parametrize(
    ("imps", "said"),
    [
        *(("NS 5", None), ("EW -5", None), ("5", None), ("NS 5.0", None), ("EW -5 NS 5", None)),
        *(("EW 5", "-5"), ("NS 4", "4"), ("NS 4.9", "4.9")),
    ],
)
def test_imps_that_the_scores_of_both_rooms_do_not_make_are_told(imps: str, said: str | None) -> None:
    # 90 against -100 is 190, which is 5 IMPs.
    match = match_in(game("Open", ScoreIMP=imps) + game("Closed", Result="5"))
    text = f"9, 1, open: the IMPs are NS {said}, by the scores of both rooms they are NS 5"
    assert (told(match.findings), match.totals.home) == ([text] if said is not None else [], 5)


# The two rooms


def test_rooms_with_different_dealers_or_vulnerabilities_are_told() -> None:
    match = match_in(game("Open") + game("Closed", Dealer="E", Vulnerable="All", Deal=DEAL))
    assert told(match.findings) == [
        "10, 1, closed: the two rooms have different dealers",
        "10, 1, closed: the two rooms have different vulnerabilities",
    ]
    assert match.compared == 1


def test_a_board_that_one_room_has_not_is_told() -> None:
    match = match_in(both() + game("Closed", Board="2"))
    assert told(match.findings) == ["19, 2, closed: the other room's record is not there"]
    assert (match.compared, len(match.boards), match.vp) == (1, 2, None)


def test_what_a_finding_quotes_is_short_and_has_nothing_that_a_terminal_obeys() -> None:
    (finding,) = findings(Contract="\x1b[31m" + "x" * 500)
    assert len(finding) < 150
    assert finding.isprintable()


# The text


def test_a_comment_that_is_never_closed_ends_before_the_next_tag_and_is_told() -> None:
    scored = score(both() + "{ words\n\nmore { words\n" + both(Board="2"))
    (match,) = scored.matches
    assert (match.compared, [board.board for board in match.boards]) == (2, ["1", "2"])
    said = "the comment that opens here with { is not closed: it ends before the next tag or empty line"
    assert told(scored.findings) == [f"19, None, None: {said}", f"21, None, None: {said}"]


def test_a_game_torn_apart_by_an_empty_line_is_one_game() -> None:
    match = match_in(
        both(auction=AUCTION).replace("[Auction", "\n[Auction").replace("1NT Pass Pass", "1NT 1C Pass", 1)
    )
    assert told(match.findings) == ["11, 1, open: East may not call 1C: 1C is not higher than 1NT"]


def test_a_value_of_one_mark_is_that_of_the_nearest_game_before() -> None:
    text = both(Event="Final", Deal=DEAL) + game("Open", Board="2", Event="#", Deal="#") + game("#", Board="2")
    (match,) = score(text.replace('[Room "#"]', '[Room "Closed"]\n[Event "#"]')).matches
    assert (match.title, match.compared) == ("Final", 2)


def test_a_value_of_two_marks_holds_until_it_is_given_again() -> None:
    first = game("Open", HomeTeam="##Ants", VisitTeam="##Bees") + game("Closed")
    scored = score(first + both(Board="2") + both(Board="3", HomeTeam="Cats") + both(Board="4"))
    homes = [(match.home, [board.board for board in match.boards]) for match in scored.matches]
    assert homes == [("Ants", ["1", "2"]), ("Cats", ["3"]), ("North-South in the open room", ["4"])]


def test_boards_without_a_number_are_told_apart_by_their_deals() -> None:
    scored = score(both(Board=None))
    assert [match.compared for match in scored.matches] == [1]
    assert document_of(scored)["matches"][0]["boards"][0]["board"] is None


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
