"""The command `tourney score --pairs`."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.commands import converse, document_of, printed, refusal, run, select
from tests.support.conversation import steps_of
from tests.support.document_schemas import schema_of_document
from tests.support.golden_figures import golden_rows
from tests.support.refusals import refused_texts


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(schema_of_document("score --pairs"))


READ = "what is read here is PBN, LIN or CSV of pairs (columns board,ns,ew,score)"


def write(folder: Path, text: str | bytes, name: str = "field.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def document(path: Path, scoring: str = "matchpoints") -> Any:  # JSON
    made = document_of(run("score", path, "--pairs", scoring, "--json"))
    validator().validate(made)
    return made


def check(folder: Path, text: str, *asked: str, scoring: str = "matchpoints", name: str = "field.csv") -> None:
    """Score a file, and check what its document tells at places, each as `boards.results: ns score -> A 420`."""
    made = document(write(folder, text, name), scoring)
    for step in steps_of("\n".join(asked)):
        step.check(select(made, step.what))


HEAD = "board,ns,ew,score\n"
SEED = HEAD + "".join(
    f"1,{row['pair_ns']},{row['pair_ew']},{row['ns_score']}\n" for row in golden_rows("matchpoints_seed")
)


def test_pairs_that_kept_their_direction_are_ranked_in_two_lists(tmp_path: Path) -> None:
    check(
        tmp_path,
        SEED,
        "pairs[direction=NS]: rank pair -> 1 3 -> 2 5 -> 3 2 -> 4 1 -> 4 4 -> 6 7 -> 7 6",
        f"pairs: direction{' -> NS' * 7}{' -> EW' * 7}",
        "pairs.7 -> rank=1 pair=12 direction=EW boards=1 total=12.0 available=12 percentage=100.0",
    )


def test_the_text_has_rankings_and_travellers_in_80_columns(tmp_path: Path) -> None:
    path = write(tmp_path, f"{HEAD}1,A,B,420\n1,C,D,-50\n2,B,C,100\n2,D,A,100\n")
    converse(
        tmp_path,
        """
        $ score --pairs stated FOLDER/field.csv
            -> FOLDER/field.csv: matchpoints; 4 pairs, 2 boards, 4 results
            -> Rank Pair Boards MP of %
            -> 1= A 2 3.00 4 75.00
            -> 1= D 2 3.00 4 75.00
            -> 3= B 2 1.00 4 25.00
            -> 3= C 2 1.00 4 25.00
            -> Board 1, top 2
            -> North-South East-West Score MP NS MP EW % NS % EW
            -> A B 420 2.00 0.00 100.00 0.00
            -> C D -50 0.00 2.00 0.00 100.00
            -> Board 2, top 2
            -> North-South East-West Score MP NS MP EW % NS % EW
            -> B C 100 1.00 1.00 50.00 50.00
            -> D A 100 1.00 1.00 50.00 50.00
        """,
    )
    lines = printed(run("score", "--pairs", "stated", path)).splitlines()
    assert max(map(len, lines[1:])) <= 80


@pytest.mark.parametrize(
    ("text", "why"),
    [("", f" is empty: {READ}"), ("\x00\x01\x02", f" is binary: {READ}"), *refused_texts("scored_fields")],
)
def test_bad_input_is_one_sentence_with_status_1(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path, text)
    assert refusal(run("score", "--pairs", "stated", path)) == f"{path}{why}"


def test_columns_may_be_in_any_order_with_others_between_and_a_byte_order_mark(tmp_path: Path) -> None:
    text = "\ufeffScore,Contract,EW,NS,Board\r\n+420,4S,B,A,1\r\n\u221250,4S,D,C,1\r\n"
    check(tmp_path, text, "boards.results: ns score -> A 420 -> C -50")


# PBN

TABLE = r"""% PBN 2.1
[Event "Final"]
[Board "28"]
[Vulnerable "NS"]
[Scoring "MatchPoints;MP1"]
[Competition "Pairs"]
[ScoreTable "Table\2R;PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Score_NS\6R;Score_EW\6R"]
19  4 11 2HX  S  8  "670"      -
16 14  1 2S   E  5  "150"      -
10 20 38 2H   S  9       -  -140
20  5 10 Pass -  -       0     0

[Board "29"]
[Vulnerable "All"]
[ScoreTable "PairId_NS\4R;PairId_EW\4R;Contract\5L;Declarer\1R;Result\2R;Names_NS;Names_EW"]
 4 11 3NT S 12 Ann Lee - Bob Ray   Cid - Dan
14  1 3S  W  7 Eve - Fay           Guy - Hal
20 38 -   -  -
"""


TABLE_RESULTS = "4 11 670 -> 14 1 150 -> 20 38 140 -> 5 10 0 -> 4 11 690 -> 14 1 200"


@pytest.mark.parametrize(
    ("text", "results"),
    [
        (TABLE, TABLE_RESULTS),
        (TABLE.replace("\n\n", "\n"), TABLE_RESULTS),
        (
            '[Board "1"]\n[ScoreTable "PairId_NS;PairId_EW;Score_NS"]\n1 1 420\n2 2 450\n',
            "1 NS 1 EW 420 -> 2 NS 2 EW 450",
        ),
    ],
    ids=["stated scores and results", "no line between boards", "the same numbers in both directions"],
)
def test_pbn_has_a_result_of_each_row_of_a_table(tmp_path: Path, text: str, results: str) -> None:
    check(tmp_path, text, f"boards.results: ns ew score -> {results}", name="final.pbn")


def test_pbn_with_frequencies_only_has_travellers_and_no_ranking(tmp_path: Path) -> None:
    text = '[Board "1"]\n[ScoreTable "Score_NS\\5R;Multiplicity"]\n  420 2\n  -50 1\n'
    check(tmp_path, text, "pairs -> nothing", "boards.results: ns_points -> 3.0 -> 3.0 -> 0.0", name="times.pbn")
    assert "Rank" not in printed(run("score", "--pairs", "stated", tmp_path / "times.pbn"))


# What real files have


def table_of(rows: str, columns: str, scoring: str = "MP", board: int = 1) -> str:
    return f'[Board "{board}"]\n[Scoring "{scoring}"]\n[ScoreTable "{columns}"]\n{rows}\n'


@pytest.mark.parametrize("unknown", ["-", "?", "???"])
def test_a_row_of_two_unknown_pairs_counts_for_the_others_and_leaves_the_field_whole(
    tmp_path: Path, unknown: str
) -> None:
    columns = "PairId_NS;PairId_EW;Score_NS"
    first = table_of(f"1 2 420\n3 4 170\n{unknown} {unknown} 50", columns)
    # One field, not a list for each direction.
    check(
        tmp_path,
        first + "\n" + table_of("2 1 420\n4 3 -50", columns, board=2),
        "pairs: pair direction -> 3 - -> 1 - -> 2 - -> 4 -",
        "boards.0.results: ns ns_points -> 1 4.0 -> 3 2.0 -> - 0.0",
        name="field.pbn",
    )


def test_a_table_with_imps_of_pairs_is_scored_in_imps(tmp_path: Path) -> None:
    text = table_of("1 2 420 6 -6\n3 4 170 -6 6", "PairId_NS;PairId_EW;Score_NS;IMP_NS;IMP_EW", "IMP")
    asked = "pairs: pair imps_per_board -> 1 6.0 -> 3 -6.0 -> 4 6.0 -> 2 -6.0"
    check(tmp_path, text, asked, scoring="stated", name="field.pbn")


# Records that do not tell pairs apart


def record_of(board: int, north_south: str, east_west: str, score: int) -> str:
    seats = {"North": north_south, "South": north_south, "East": east_west, "West": east_west}
    tags = {"Event": "Open Pairs", "Board": str(board), **seats, "Score": f"NS {score}"}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + "\n"


def test_robots_with_one_name_leave_the_others_ranked(tmp_path: Path) -> None:
    text = "".join(
        record_of(board, human, "GIB", score)
        for board in (1, 2)
        for human, score in (("Ann", 420), ("Bob", 170), ("Cy", -50))
    )
    check(
        tmp_path,
        text,
        "pairs: pair percentage -> Ann - Ann 100.0 -> Bob - Bob 50.0 -> Cy - Cy 0.0",
        "findings: text -> GIB - GIB has 3 results, the first on line 1: it is not ranked...",
        name="robots.pbn",
    )
    told = "-> ... -> 1 thing does not add up in these results: -> ..."
    converse(tmp_path, f"$ score --pairs stated FOLDER/robots.pbn {told}")


# Lists and files of strangers

CLUB = f"""{HEAD}1,1,12,420
1,2,13,450
1,3,14,-50
1,4,11,420
2,1,13,110
2,2,14,-100
2,3,11,140
2,4,12,110
"""


def figures(path: Path) -> list[str]:
    return select(document(path), "pairs: pair boards total")


@pytest.mark.parametrize(
    "text",
    [
        CLUB.replace(",", ";"),
        CLUB.replace(",", "\t").replace("\n", "\r\n"),
        "\ufeffsep=;\n" + CLUB.replace(",", ";"),
        '"' + CLUB.strip().replace(",", '";"').replace("\n", '"\n"') + '"\n',
        CLUB.replace(",", ";").replace("0\n", "0,00\n"),
        CLUB.replace("\n", "\r"),
        CLUB.replace("450", "4\x025\x010") + "\n,,,\n",
    ],
)
def test_spreadsheets_may_divide_quote_and_write_numbers_in_their_way(tmp_path: Path, text: str) -> None:
    expected = figures(write(tmp_path, CLUB, "plain.csv"))
    assert figures(write(tmp_path, text)) == expected
    made = document_of(run("score", write(tmp_path, text.encode("utf-16"), "utf16.csv"), "--json"))
    assert select(made, "pairs: pair boards total") == expected


@pytest.mark.parametrize("word", ["NP", " np ", "Not played", "", "-"])
def test_a_row_of_a_board_that_was_not_played_is_no_result(tmp_path: Path, word: str) -> None:
    asked = "pairs[boards=1]: pair -> 2 -> 13", "boards.0.results.0.ns_points -> 4.33"
    check(tmp_path, CLUB.replace("450", word), *asked)


@pytest.mark.parametrize(
    ("word", "averages"),
    [
        *(("A6040", "A+ A-"), ("60%/40%", "A+ A-"), ("AVE+/AVE-", "A+ A-"), ("A5050", "A A")),
        *(("a4060", "A- A+"), ("Average", "A A"), ("A-A+", "A- A+")),
    ],
)
def test_averages_of_scoring_terminals_are_averages(tmp_path: Path, word: str, averages: str) -> None:
    check(tmp_path, CLUB.replace("450", word), f"boards.0.results.1: adjusted_ns adjusted_ew -> {averages}")


def test_tables_of_a_field_in_lists_of_their_own_are_scored_as_one(tmp_path: Path) -> None:
    rows = CLUB.splitlines(keepends=True)[1:]
    paths = [write(tmp_path, HEAD + "".join(rows[at::3]), f"{at}.csv") for at in range(3)]
    made = document_of(run("score", "--pairs", "stated", *paths, "--json"))
    assert {*select(made, "pairs: pair boards total")} == {*figures(write(tmp_path, CLUB))}
    again = run("score", "--pairs", "stated", paths[0], write(tmp_path, f"{HEAD}1,1,13,50\n", "again.csv"))
    assert f"pair 1 already has a result on board 1, in {paths[0]} line 2" in again.stderr


CARDS = "N:9853.T98.832.J42 AK76.J654.J4.A63 QT4.AKQ7.9765.98 J2.32.AKQT.KQT75"
FOULED = "N:A853.T98.832.J42 K976.J654.J4.A63 QT4.AKQ7.9765.98 J2.32.AKQT.KQT75"
RESULTS = {90: CARDS, 600: CARDS, 120: CARDS, -100: FOULED, -110: FOULED}


@pytest.mark.parametrize("order", [1, -1])
def test_results_of_other_cards_are_compared_among_themselves_and_brought_to_one_top(
    tmp_path: Path, order: int
) -> None:
    records = [
        record_of(2, f"n{at}", f"e{at}", score).replace("\n\n", f'\n[Deal "{deal}"]\n\n')
        for at, (score, deal) in enumerate(RESULTS.items())
    ]
    points = ("90 0.67", "600 7.33", "120 4.0", "-100 6.5", "-110 1.5")
    check(
        tmp_path,
        "".join(records[::order]),
        " -> ".join(["boards.results: score ns_points", *points[::order]]),
        "findings: text -> the cards are other ones than on line ...",
        name="fouled.pbn",
    )


@pytest.mark.parametrize("calls", ["Pass", "Pass Pass", "Pass Pass Pass", "1C", "1C Pass Pass"])
def test_a_table_whose_auction_stopped_has_no_result_and_is_told(tmp_path: Path, calls: str) -> None:
    records = [record_of(1, f"n{at}", f"e{at}", score) for at, score in enumerate((140, 110, -50))]
    stopped = record_of(1, "n4", "e4", 0).replace('[Score "NS 0"]\n', f'[Dealer "N"]\n[Auction "N"]\n{calls}\n')
    check(
        tmp_path,
        "".join([*records, stopped]),
        "boards.0.results: score -> 140 -> 110 -> -50",
        f"findings: text -> ... -> the auction stops before it is over, after {calls} -> ...",
        name="stopped.pbn",
    )
