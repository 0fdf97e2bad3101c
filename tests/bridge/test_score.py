"""Duplicate score against Law 77."""

import pytest

from tests.support.golden_figures import golden_example, golden_rows
from tourney.bridge import Contract, Seat, Strain, Vulnerability, declarer_score, score_ns

STRAINS = {"C": Strain.CLUBS, "D": Strain.DIAMONDS, "H": Strain.HEARTS, "S": Strain.SPADES, "NT": Strain.NOTRUMP}
STRAINS["N"] = Strain.NOTRUMP


def test_every_published_score() -> None:
    rows = golden_rows("duplicate_scores")
    wrong = []
    for row in rows:
        contract = Contract(int(row["level"]), STRAINS[row["strain"]], len(row["doubled"]), Seat.SOUTH)
        score = declarer_score(contract, int(row["tricks"]), vulnerable=row["vulnerable"] == "V")
        if score != int(row["declarer_score"]):
            wrong.append((row, score))
    assert len(rows) == 7 * 5 * 3 * 2 * 14
    assert not wrong, f"{len(wrong)} of {len(rows)} scores differ, the first: {wrong[:3]}"


def test_the_worked_scores() -> None:
    examples = [*golden_example("duplicate_examples")]
    played = golden_example("play_example_004")
    examples.append({**played, "vul": played["ns_vulnerable"]})
    for example in examples:
        level, strain = int(example["contract"][0]), STRAINS[example["contract"][1:]]
        contract = Contract(level, strain, 0, Seat.SOUTH)
        assert declarer_score(contract, example["tricks"], vulnerable=example["vul"]) == example["score"], example


@pytest.mark.parametrize(
    ("vulnerability", "north", "east"),
    [
        (Vulnerability.NONE, 420, -420),
        (Vulnerability.NS, 620, -420),
        (Vulnerability.EW, 420, -620),
        (Vulnerability.ALL, 620, -620),
    ],
)
def test_the_score_of_north_south_depends_on_declarer_s_side_and_its_vulnerability(
    vulnerability: Vulnerability, north: int, east: int
) -> None:
    for declarer, score in ((Seat.NORTH, north), (Seat.SOUTH, north), (Seat.EAST, east), (Seat.WEST, east)):
        assert score_ns(Contract(4, Strain.SPADES, 0, declarer), 10, vulnerability) == score


@pytest.mark.parametrize("vulnerability", Vulnerability)
def test_a_board_passed_out_scores_nothing(vulnerability: Vulnerability) -> None:
    assert score_ns(None, 0, vulnerability) == 0
