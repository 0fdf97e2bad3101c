"""Which files are of pairs, individuals or rubber bridge, and are never taken for matches of teams."""

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.score_texts import DEAL, OTHER_DEAL, both, game, match_in, score, told
from tourney.errors import FormatError
from tourney.scorefile.kinds import EventKind, classify_records, is_field
from tourney.scorefile.pairs import score_pairs
from tourney.scorefile.records import read_files


def seats(north: str, south: str, east: str, west: str) -> dict[str, str]:
    return {"North": north, "South": south, "East": east, "West": west}


def table(number: int) -> dict[str, str]:
    """Four players who sit at a table of that number and nowhere else."""
    return seats(f"n{number}", f"s{number}", f"e{number}", f"w{number}")


def kinds(text: str) -> list[EventKind]:
    read = read_files([("a.pbn", text.encode())])
    return [event.kind for event in classify_records(read.records)]


def refusal(*texts: str) -> str:
    with pytest.raises(FormatError) as refused:
        score(*texts)
    return str(refused.value)


PAIRS = "a.pbn has no match of two teams: it is a pairs event, which --pairs scores"


@pytest.mark.parametrize(
    ("tag", "text", "kind"),
    [
        *(("Scoring", text, "a pairs event, which --pairs scores") for text in ("MP", "IMP;Cross", "Butler", "XIMP")),
        ("Competition", "Pairs", "a pairs event, which --pairs scores"),
        ("Competition", "Individuals", "an event of individuals"),
        ("Competition", "Rubber", "rubber bridge, which --game scores"),
        ("Scoring", "Chicago", "Chicago, which --game scores"),
        ("ScoreTable", r"Table\2R;PairId_NS\2R;PairId_EW\2R", "a pairs event, which --pairs scores"),
        ("Event", "Championnat par paires", "a pairs event, which --pairs scores"),
        ("Stage", "Individual Final", "an event of individuals"),
    ],
)
def test_a_tag_says_the_kind_of_all_records_of_its_event(tag: str, text: str, kind: str) -> None:
    records = game(**table(1), **{tag: text}) + (game(**table(2)) if tag not in ("Event", "Stage") else "")
    assert refusal(records) == f"a.pbn has no match of two teams: it is {kind} ({tag} {text!r} on line 12)"


@pytest.mark.parametrize(
    "title", ["Team Match of the Pairs Champions", "Repairs Cup", "Individually Sponsored Teams"]
)
def test_a_title_with_another_word_is_of_teams(title: str) -> None:
    assert len(match_in(game(Event=title) + game(Event=title, Result="5")).boards) == 1


def test_rooms_or_teams_make_a_match_whatever_title_and_scoring() -> None:
    assert kinds(both(Event="Pairs of Teams, Pairs", Scoring="MP")) == [EventKind.TEAMS]
    assert kinds(game(HomeTeam="A", VisitTeam="B", Scoring="MP")) == [EventKind.TEAMS]


@pytest.mark.parametrize(("tables", "is_named"), [(8, True), (4, False), (3, True)])
def test_more_tables_than_matches_have_are_a_field(tables: int, is_named: bool) -> None:
    text = "".join(game(Board=b, **(table(i) if is_named else {})) for b in "1234" for i in range(tables))
    assert refusal(text) == f"{PAIRS} (board 1 on line 1 was played at {tables} tables, without rooms or teams)"


def howell() -> Iterator[str]:
    """Five pairs a round at two tables, one pair out: every pair meets every other, and both tables play a board."""
    pairs = [(f"p{i}", f"q{i}") for i in range(5)]
    for turn in range(5):
        (a, b), (c, d) = ((pairs[(turn + i) % 5], pairs[(turn - i) % 5]) for i in (1, 2))
        for ns, ew in ((a, b), (c, d)):
            yield game(Board=str(turn + 1), **seats(*ns, *ew))


def test_pairs_that_meet_each_other_in_turn_form_no_two_teams() -> None:
    assert refusal("".join(howell())).startswith(
        f"{PAIRS} (the players do not form two teams, as first seen on line "
    )


def test_players_who_change_partners_are_individuals() -> None:
    text = ""
    for turn in range(6):
        players = ["p7", *(f"p{(turn + i) % 7}" for i in range(7))]
        a, b, c, d, e, f, g, h = players
        text += game(Board=str(turn + 1), **seats(a, b, c, d)) + game(Board=str(turn + 1), **seats(e, f, g, h))
    assert "it is an event of individuals (the players do not form two teams" in refusal(text)


def test_a_match_beside_a_pairs_event_is_scored_and_the_pairs_are_told() -> None:
    scored = score(both(Event="Cup") + game(Event="Open Pairs") + game(Event="Open Pairs", Board="2"))
    assert len(scored.matches) == 1
    assert told(scored.findings) == [
        "21, 1, None: this board and 1 that go with it are left out: "
        "it is a pairs event, which --pairs scores (Event 'Open Pairs' on line 28)"
    ]


def test_a_match_without_rooms_of_which_one_board_has_wrong_seats_is_still_a_match() -> None:
    text = "".join(
        game(Board=board, **seats("a", "b", "c", "d")) + game(Board=board, **seats("e", "f", "g", "h"))
        for board in "1234"
    )
    text += game(Board="5", Deal=OTHER_DEAL, **seats("a", "b", "c", "d"))
    text += game(Board="5", Deal=OTHER_DEAL, **seats("g", "h", "e", "f"))
    assert match_in(text).compared == 4


def tables_of_a_field(boards: str = "123", tables: int = 5) -> list[str]:
    """A file a table: North-South sit, East-West go on by a table a board."""
    return [
        "".join(
            game(
                Board=board,
                Deal=f"{'NESW'[int(board) - 1]}:{DEAL[2:]}",
                Result=str(5 + (at * int(board)) % 7),
                **seats(f"n{at}", f"s{at}", f"e{(at + int(board)) % tables}", f"w{(at + int(board)) % tables}"),
            )
            for board in boards
        )
        for at in range(tables)
    ]


def scored_as_pairs(*texts: str) -> list[tuple[str, int | None, Fraction]]:
    read = read_files([(f"{place}.pbn", text.encode()) for place, text in enumerate(texts)])
    assert is_field(read)
    rankings = score_pairs(read).rankings
    return sorted((pair.pair, pair.rank, pair.figures.points) for ranking in rankings for pair in ranking.pairs)


@given(st.permutations(range(5)), st.integers(1, 5))
def test_a_field_is_scored_alike_from_one_file_and_from_several_in_any_order(order: list[int], files: int) -> None:
    tables = tables_of_a_field()
    parts = ["".join(tables[at] for at in order[first::files]) for first in range(files)]
    assert scored_as_pairs(*parts) == scored_as_pairs("".join(tables))
    assert scored_as_pairs(*parts, tables[0]) == scored_as_pairs("".join(tables)), "a table given twice counts once"


def test_files_of_a_match_each_are_matches_though_all_play_the_same_boards() -> None:
    def match(number: int) -> str:
        one, other = (f"a{number}", "b", "c", "d"), ("e", "f", "g", "h")
        rooms = [[f"{name}{number}" for name in each] for each in (one, other)]
        return "".join(game(Board=board, **seats(*room)) for board in "12" for room in rooms)

    assert [found.compared for found in score(*map(match, range(3))).matches] == [2, 2, 2]
