"""LIN texts of vugraph presentations and of single boards are scored as PBN is."""

import pytest

from tests.support.score_texts import match_in, score, told
from tourney.errors import FormatError
from tourney.formats.file_kinds import FileKind, recognise_text
from tourney.movement.seating import Room

HANDS = "ST4HQ843DAQ54CKJ9,SJ8732H75DJ96CQT3,SQ65HK92D872C7654,SAK9HAJT6DKT3CA82"
"""South, West, North, East."""

HEAD = """vg|Cup Final,Segment 2,I,1,2,Ants,10,Bees,0|
rs|1NN=,1NN-2,PASS,4SWx-1|
pn|Sue,Wes,Nan,Eve,Sid,Wim,Ned,Eli|pg||
"""

BOARD_1 = f"""qx|o1|pn|Sue,Wes,Nan,Eve|st||md|3{HANDS}|sv|o|nt|Hello. |pg||
mb|1N!|an|12 to 14|mb|p|mb|p|mb|P|pg||pc|HA|pc|H3|pc|h5|pc|H2|pg||mc|7|
qx|c1,Board 1|st||md|3{HANDS.rpartition(",")[0]},|sv|0|mb|1N|mb|-|mb|p|mb|p|pg||
"""


def test_a_presentation_is_scored_from_its_results_and_records() -> None:
    match = match_in(HEAD + BOARD_1)
    assert told(match.findings) == []
    assert (match.title, match.home, match.away) == ("Cup Final, Segment 2", "Ants", "Bees")
    assert [board.board for board in match.boards] == ["1", "2"]
    results = [board.records[room].result for board in match.boards for room in Room]
    assert [result and (result.tricks, result.score) for result in results] == [(7, 90), (5, -100), (0, 0), (9, 100)]
    assert match.totals[:2] == (5, 3)


def test_a_claim_that_the_results_do_not_have_is_told() -> None:
    match = match_in(HEAD + BOARD_1.replace("mc|7|", "mc|8|"))
    assert told(match.findings) == ["2, 1, open: the result is 7 tricks, by the play it is 8"]
    none = match_in(HEAD + BOARD_1.replace("mc|7|", "mc|14|"))
    assert told(none.findings) == ["5, 1, open: the claim is of 0 to 12 tricks by the cards played, got '14'"]


def test_single_boards_of_two_tables_are_paired() -> None:
    one = f"pn|a,b,c,d|st||md|3{HANDS}|rh||ah|Board 1|sv|o|mb|1N|mb|p|mb|p|mb|p|pg||mc|7|pg||\n"
    other = one.replace("a,b,c,d", "b,a,d,c").replace("mc|7|", "mc|8|")
    assert recognise_text(one) is FileKind.LIN
    match = match_in(one + other)
    assert (match.home, match.away) == ("c-a", "d-b")
    assert (match.boards[0].board, *match.totals[:2]) == ("1", 0, 1)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("qx|x9|", "8, None, None: a board is o or c and its number, such as o1, got 'x9'"),
        ("qx|o3|mb|1C|mb|p|mb|p|mb|p|pc|SZ|", "8, 3, open: the result is not given"),
    ],
)
def test_what_is_broken_is_told_and_the_rest_is_read(text: str, finding: str) -> None:
    scored = score(HEAD + BOARD_1.rstrip("\n") + "\n\n" + text)
    (match,) = scored.matches
    assert match.compared == 2
    assert any(line.startswith(finding) for line in told([*match.findings, *scored.findings]))


def test_a_presentation_that_was_not_played_is_refused() -> None:
    with pytest.raises(FormatError, match="there is no record of a board that was played"):
        score("vg|t,s,I,1,16,A,0,B,0|rs|,,,|pn|a,b,c,d,e,f,g,h|qx|o1|md|3|")


def board_of(room: str, names: str, tricks: int, order: str) -> str:
    """A board of a presentation, described by `order`: p names, q place, m deal, s number and vulnerability."""
    parts = {"p": f"pn|{names}|", "q": f"qx|{room}1|", "m": f"md|3{HANDS}|", "s": "st||rh||ah|Board 1|sv|o|"}
    return "".join(parts[each] for each in order) + f"mb|1N|mb|p|mb|p|mb|p|pg||\nmc|{tricks}|pg||\n"


@pytest.mark.parametrize("order", ["pqms", "qpms", "qmps", "qmsp", "mpqs", "mqps", "mspq", "spqm", "psmq", "pmsq"])
@pytest.mark.parametrize(
    "head", ["", "vg|Cup,1,I,1,1,Ants,0,Bees,0|\n", "rs|1NN=,1NN-2|\nvg|Cup,1,I,1,1,Ants,0,Bees,0|\n"]
)
@pytest.mark.parametrize("tail", ["", "pn|d,b,e,c,w,x,y,z|pg||\n"])
def test_names_belong_to_the_board_that_follows_them_in_whatever_order_it_is_described(
    order: str, head: str, tail: str
) -> None:
    match = match_in(head + board_of("o", "s,w,n,e", 7, order) + board_of("c", "w2,s2,e2,n2", 5, order) + tail)
    assert told(match.findings) == []
    (board,) = match.boards
    assert [board.records[room].names for room in Room] == [("n", "e", "s", "w"), ("e2", "n2", "w2", "s2")]
    assert (match.compared, *match.totals[:2]) == (1, 5, 0)


def test_results_count_once_where_they_and_the_heading_come_after_the_boards() -> None:
    boards = board_of("o", "s,w,n,e", 7, "pqms") + board_of("c", "w2,s2,e2,n2", 5, "pqms")
    for text in (
        f"vg|Cup,1,I,1,1,A,0,B,0|{boards}rs|1NN=,1NN-2|",
        f"{boards}vg|Cup,1,I,1,1,A,0,B,0|rs|1NN=,1NN-2|",
    ):
        assert match_in(text).compared == 1


@pytest.mark.parametrize(
    ("heading", "title", "teams"),
    [
        ("Cup, Final,Part 1,I,17,17,Reds,0,Blues,0", "Cup, Final, Part 1", ("Reds", "Blues")),
        (
            "Cup, Final, 2026, Day 3,Part 1,I,17,17,Reds,0,Blues,0",
            "Cup, Final, 2026, Day 3, Part 1",
            ("Reds", "Blues"),
        ),
        (",Part 1,I,17,17,Reds,0,Blues,0", "Part 1", ("Reds", "Blues")),
        ("Part 1,I,17,17,Reds,0,Blues,0", "Part 1", ("Reds", "Blues")),
        ("Cup,Part 1,I,17,17,Reds, Inc,10.5,Blues, Co,-3", "Cup, Part 1", ("Reds, Inc", "Blues, Co")),
        ("Cup, Final,Part 1,,17,17,Reds,0,Blues,0", "Cup, Final, Part 1", ("Reds", "Blues")),
    ],
)
def test_titles_and_teams_of_a_heading_may_have_commas_and_no_result_counts_twice(
    heading: str, title: str, teams: tuple[str, str]
) -> None:
    boards = (board_of("o", "s,w,n,e", 7, "qms") + board_of("c", "w2,s2,e2,n2", 5, "qms")).replace("1|md", "17|md")
    match = match_in(f"vg|{heading}|\nrs|1NN=,1NN-2|\n{boards.replace('ah|Board 1|', 'ah|Board 17|')}")
    assert (match.title, (match.home, match.away)) == (title, teams)
    assert [board.board for board in match.boards] == ["17"]
    assert told(match.findings) == []


@pytest.mark.parametrize("heading", ["ah|Board 1|", "ah|1|", ""])
def test_records_that_a_counter_numbers_are_the_board_of_their_heading_or_their_deal(heading: str) -> None:
    first = board_of("o", "s,w,n,e", 7, "qpms").replace("qx|o1|", "qx|o37|").replace("ah|Board 1|", heading)
    second = board_of("o", "w2,s2,e2,n2", 5, "qpms").replace("qx|o1|", "qx|o57|").replace("ah|Board 1|", heading)
    for files in ((first + second,), (first, second)):
        match = match_in(*files)
        assert [board.board for board in match.boards] == ["1" if heading else "37"]
        assert (match.compared, *match.totals[:2]) == (1, 5, 0)


@pytest.mark.parametrize("calls", ["mb|p|", "mb|p|mb|p|", "mb|p|mb|p|mb|p|"])
def test_an_auction_of_passes_that_stops_is_no_result(calls: str) -> None:
    text = HEAD.replace("rs|1NN=,1NN-2,PASS,4SWx-1|\n", "") + BOARD_1.replace("mb|1N|mb|-|mb|p|mb|p|pg||", calls)
    scored = score(text.replace("vg|Cup Final,Segment 2,I,1,2", "vg|Cup Final,Segment 2,I,1,1"))
    (match,) = scored.matches
    assert match.compared == 0
    assert any("the auction stops before it is over" in line for line in told(match.findings))
