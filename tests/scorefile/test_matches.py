"""Which records are one board in both rooms, which boards are one match, and whose the IMPs are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.golden_figures import golden_rows
from tests.support.score_texts import DEAL, OTHER_DEAL, both, document_of, game, match_in, score, told
from tourney.scorefile.match import ScoredMatch


def imps(match: ScoredMatch) -> list[tuple[int, int]]:
    """The IMPs of the home team and the away team, board by board."""
    found = [board.comparison for board in match.boards]
    return [(each.imps_home, each.imps_away) for each in found if each is not None]


def names(ns: str, ew: str) -> dict[str, str]:
    """Two names a side, `A-B`; one name stands for both."""
    (north, _, south), (east, _, west) = ns.partition("-"), ew.partition("-")
    return {"North": north, "South": south or north, "East": east, "West": west or east}


# A real match


def test_the_final_of_1999_has_the_scores_and_imps_that_its_files_state() -> None:
    rows = golden_rows("trials_1999_final")
    text = ""
    for row in rows:
        for room in ("Open", "Closed"):
            key = room.lower()
            text += game(
                room,
                Board=row["board"],
                Dealer=row["dealer"],
                Vulnerable=row["vulnerability"],
                Deal=None,
                Contract=row[f"{key}_contract"],
                Declarer=row[f"{key}_declarer"],
                Result=row[f"{key}_tricks"],
                Score=f"NS {row[f'{key}_score_ns']}",
            )
    match = match_in(text)
    assert told(match.findings) == []
    assert [home for home, _ in imps(match)] == [int(row["imps_open_ns"]) for row in rows]
    assert len(match.boards) == 30
    assert match.totals[:2] == (62, 65)


# Rooms


def test_two_records_of_a_board_that_both_say_open_are_two_rooms_where_the_teams_have_turned() -> None:
    match = match_in(
        game("Open", Result="7", **names("Ann-Bob", "Cid-Dan"))
        + game("Open", Result="5", **names("Cid-Dan", "Ann-Bob"))
    )
    assert len(imps(match)) == 1


@pytest.mark.parametrize("order", [("1a", "1b", "2a", "2b"), ("1a", "2a", "1b", "2b"), ("1a", "2a", "2b", "1b")])
def test_records_without_a_room_are_paired_in_a_row_or_set_after_set(order: tuple[str, ...]) -> None:
    records = {
        "1a": game(Result="7"),
        "1b": game(Result="5"),
        "2a": game(Board="2", Deal=OTHER_DEAL, Result="8"),
        "2b": game(Board="2", Deal=OTHER_DEAL, Result="9"),
    }
    match = match_in("".join(records[each] for each in order))
    assert [board.board for board in match.boards] == ["1", "2"]
    assert imps(match) == [(5, -5), (-1, 1)]


def test_players_who_sat_in_a_room_before_are_in_it_again() -> None:
    ants, bees = names("Ants", "Bees"), names("Bees", "Ants")
    text = game(**ants) + game(**bees, Result="5") + game(Board="2", **bees, Result="5") + game(Board="2", **ants)
    match = match_in(text)
    assert (match.home, match.away) == ("Ants", "Bees")
    assert imps(match) == [(5, -5), (5, -5)]


def test_the_rooms_of_a_match_may_be_in_two_files() -> None:
    match = match_in(
        game("Open") + game("Open", Board="2"), game("Closed", Board="2", Score="NS 80") + game("Closed")
    )
    assert match.compared == 2
    assert match.file == "a.pbn"
    (finding,) = match.findings
    assert (finding.file, finding.line) == ("b.pbn", 9)


# Matches


@pytest.mark.parametrize("tag", ["Event", "Stage", "Round", "Section", "HomeTeam", "VisitTeam"])
def test_records_that_name_another_round_or_team_are_another_match(tag: str) -> None:
    scored = score(both(**{tag: "1"}) + both(**{tag: "2"}) + both(Board="2", **{tag: "1"}))
    assert [[board.board for board in match.boards] for match in scored.matches] == [["1", "2"], ["1"]]


def test_a_board_that_comes_up_again_begins_another_match() -> None:
    scored = score(both() + both(Board="2") + both(Deal=OTHER_DEAL) + both(Board="2", Deal=OTHER_DEAL))
    assert [len(match.boards) for match in scored.matches] == [2, 2]


def test_records_without_teams_are_matched_by_their_players() -> None:
    a, b = names("a-b", "c-d"), names("e-f", "g-h")
    x, y = names("k-l", "m-n"), names("o-p", "q-r")
    text = game(**a) + game(**b, Result="5")
    text += game(**x, Result="9") + game(**y) + game(Board="2", **y) + game(Board="2", **a) + game(Board="2", **b)
    scored = score(text + game(Board="2", **x, Result="8"))
    assert [(match.home, match.away) for match in scored.matches] == [
        ("a-b, g-h", "c-d, e-f"),
        ("k-l, q-r", "m-n, o-p"),
    ]
    assert [imps(match) for match in scored.matches] == [[(5, -5), (0, 0)], [(2, -2), (1, -1)]]


def test_boards_of_one_room_beside_a_match_are_left_out_and_told() -> None:
    scored = score(both() + game("Open", Round="2") + game("Open", Round="2", Board="2", Score="NS 1"))
    assert len(scored.matches) == 1
    assert told(scored.findings) == [
        "19, 1, open: this board and 1 that go with it are left out: there is no record of the other room",
        "38, 2, open: the score is NS 1, 1NT by North with 7 tricks with None vulnerable is NS 90",
    ]


# Teams


def test_the_home_team_sits_north_south_in_the_open_room_where_nothing_is_said() -> None:
    match = match_in(
        game("Closed", Result="5", HomeTeam="Ants", VisitTeam="Bees")
        + game("Open").replace("[Board", '[HomeTeam "Ants"]\n[VisitTeam "Bees"]\n[Board')
    )
    assert (match.home, match.away) == ("Ants", "Bees")
    assert imps(match) == [(5, -5)]


def test_a_home_team_that_sits_east_west_in_the_open_room_is_known_by_its_name() -> None:
    teams = {"HomeTeam": "Ants", "VisitTeam": "Bees"}
    text = game("Open", **teams, **names("Bees", "Ants")) + game(
        "Closed", Result="5", **teams, **names("Ants", "Bees")
    )
    scored = score(text)
    (match,) = scored.matches
    assert (match.home, imps(match), match.totals.away) == ("Ants", [(-5, 5)], 5)
    (board,) = document_of(scored)["matches"][0]["boards"]
    assert (board["imps"], board["home_open"]) == (-5, "EW")


def test_a_substitute_plays_for_the_team_of_the_partner() -> None:
    open_1, closed_1 = names("a-b", "c-d"), names("e-f", "g-h")
    open_2, closed_2 = names("c-z", "a-b"), names("g-h", "e-f")
    text = game("Open", **open_1) + game("Closed", **closed_1, Result="5")
    text += game("Open", Board="2", **open_2, Result="5") + game("Closed", Board="2", **closed_2)
    match = match_in(text)
    assert match.away == "c-d, e-f, c-z"
    assert imps(match) == [(5, -5), (5, -5)]


def test_a_team_that_sits_the_same_way_in_both_rooms_is_told() -> None:
    match = match_in(both(**names("Ants", "Bees")) + both(Board="2"))
    assert told(match.findings) == [
        "14, 1, closed: one pair, or one team, sat the same way in both rooms, so the board is not compared"
    ]
    assert match.compared == 1


# Victory points


def test_boards_stand_in_the_order_of_their_numbers() -> None:
    match = match_in(both(Board="10") + both(Board="9") + both(Board="011"))
    assert [board.board for board in match.boards] == ["9", "10", "11"]
    odd = match_in(both(Board="12a") + both(Board="3"))
    assert [board.board for board in odd.boards] == ["12a", "3"]


# Replays, other cards, results given twice


def turned(seats: int, deal: str = DEAL) -> dict[str, str]:
    """1NT by North of a deal that was turned clockwise by so many seats."""
    letter = "NESW"[seats]
    return {"Deal": letter + deal[1:], "Dealer": letter, "Declarer": letter}


@given(st.integers(0, 3), st.sampled_from(["None", "NS", "EW", "All"]), st.integers(5, 9))
def test_a_record_has_the_same_imps_however_its_deal_is_turned(seats: int, vulnerable: str, tricks: int) -> None:
    other_way = {"NS": "EW", "EW": "NS"}.get(vulnerable, vulnerable) if seats % 2 else vulnerable
    sat = [names("Bees", "Ants"), names("Ants", "Bees")][seats % 2]
    first = game(Vulnerable=vulnerable, **names("Ants", "Bees"))
    plain = match_in(first + game(Vulnerable=vulnerable, Result=str(tricks), **names("Bees", "Ants")))
    replay = match_in(first + game(Vulnerable=other_way, Result=str(tricks), **turned(seats), **sat))
    assert imps(replay) == imps(plain)


@pytest.mark.parametrize("room", [("Open", "Closed"), (None, None)])
def test_a_board_with_other_cards_in_the_other_room_is_not_compared_and_told(room: tuple[str | None, ...]) -> None:
    ants, bees = names("Ants", "Bees"), names("Bees", "Ants")
    fouled = game(room[0], **ants) + game(room[1], Deal=OTHER_DEAL, **bees)
    match = match_in(fouled + "".join(game(room[i], Board="2", **each) for i, each in enumerate((ants, bees))))
    assert (match.compared, len(match.boards)) == (1, 2)
    assert [line.rpartition(": ")[2] for line in told(match.findings)] == [
        "the two rooms have different deals, so the board is not compared"
    ]


@pytest.mark.parametrize("room", ["Open", None])
def test_each_further_result_of_a_room_is_told_and_the_first_counts(room: str | None) -> None:
    ants, bees = names("Ants", "Bees"), names("Bees", "Ants")
    match_text = game(room, **ants) + game("Closed" if room else None, **bees, Result="6")
    repeats = [game(room, **ants, Result="9"), game(room, **ants), game(room, **ants, Result="5")]
    expected = [
        f"the open room has two results of this board, NS 90 and NS {score_ns}: the first, on line 1{{}}, counts"
        for score_ns in (150, 90, -100)
    ]
    for files, where in (((match_text + "".join(repeats),), ""), ((match_text, *repeats), " of a.pbn")):
        match = match_in(*files)
        assert imps(match) == [(4, -4)]
        assert [finding.text for finding in match.findings] == [text.format(where) for text in expected]
