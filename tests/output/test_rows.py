"""`tourney.output`: what is made of a row is said by its fields, once."""

from typing import Annotated

from tourney.bridge import Seat
from tourney.output.json_schema import derive_schema
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, Cell, Row, Unit, document_of
from tourney.output.tables import csv_row, csv_table, text_table
from tourney.output.units import Moment, Probability, SeatUnit


class Thought(Row):
    """A thought."""

    seat: Annotated[SeatUnit, Cell("By")]
    """Whose it was."""
    ms: int
    """How long it took."""


class Base(Row, kw_only=True):
    """What all have."""

    boards: Annotated[int, Cell(">Boards", worth=1)]
    """How many boards count."""
    penalty: int = ABSENT
    """Only where there is one."""


class Shown(Base, kw_only=True):
    """A team."""

    team: Annotated[str, Cell("Team", lambda row: f"{row.team}*")]
    """The name of the team."""
    chance: Annotated[Probability | None, Cell(">Chance")]
    """A probability."""
    longest: Thought | None
    """The longest thought."""
    thoughts: Annotated[list[Thought], NOT_IN_CSV]
    """All of them."""
    at: Moment
    """When it was."""
    won: Annotated[dict[str, int], Unit(keys=("NS", "EW"))]
    """What each side won."""


THOUGHT = Thought(Seat.EAST, 70)
FULL = Shown(
    team="Ants",
    boards=3,
    penalty=2,
    chance=0.12345678,
    longest=THOUGHT,
    thoughts=[THOUGHT],
    at=1500,
    won={"NS": 4, "EW": 1},
)
BARE = Shown(team="Bees", boards=0, chance=None, longest=None, thoughts=[], at=0, won={"NS": 0, "EW": 0})


def test_a_document_has_the_fields_in_their_units_and_leaves_out_what_is_absent() -> None:
    assert list(document_of(FULL).items()) == [
        ("boards", 3),
        ("penalty", 2),
        ("team", "Ants"),
        ("chance", 0.12345678),
        ("longest", {"seat": "E", "ms": 70}),
        ("thoughts", [{"seat": "E", "ms": 70}]),
        ("at", "1970-01-01T00:00:01.500Z"),
        ("won", {"NS": 4, "EW": 1}),
    ]
    bare = document_of(BARE)
    assert "penalty" not in bare
    assert (bare["chance"], bare["longest"], bare["thoughts"]) == (None, None, [])
    assert document_of({"rows": (THOUGHT, None)}) == {"rows": [{"seat": "E", "ms": 70}, None]}


def test_a_csv_table_has_every_column_in_every_row() -> None:
    table = csv_table(Shown, [FULL, BARE])
    columns = ("boards", "penalty", "team", "chance", "longest_seat", "longest_ms", "at", "ns_won", "ew_won")
    assert (tuple(table.columns), tuple(Shown.csv_columns())) == (columns, columns)
    full, bare = table.rows
    assert list(full.values()) == [3, 2, "Ants", 0.123457, "E", 70, "1970-01-01T00:00:01.500Z", 4, 1]
    assert bare == csv_row(BARE)
    assert list(bare.values()) == [0, None, "Bees", None, None, None, "1970-01-01T00:00:00Z", 0, 0]


def test_a_table_of_text_shows_the_fields_with_a_cell() -> None:
    table = text_table(Shown, [FULL, BARE], headings={"team": "Pair"}, last=[FULL])
    assert [(column.heading, column.worth) for column in table.columns] == [
        *((">Boards", 1), ("Pair", 0), (">Chance", 0), ("By", 0)),
    ]
    first = ("3", "Ants*", "12 %", Seat.EAST)
    assert table.rows == [first, ("0", "Bees*", "-", "-"), first]
    assert list(map(len, table.sections)) == [2, 1]
    fewer = text_table(Shown, [BARE], headings={"boards": ""})
    assert [column.name for column in fewer.columns] == ["Team", "Chance", "By"]


def test_a_schema_describes_each_field_by_its_docstring_also_that_of_a_base() -> None:
    schema = derive_schema(Shown, "shown")
    assert schema["required"] == ["boards", "team", "chance", "longest", "thoughts", "at", "won"]
    assert list(schema["properties"]) == ["boards", "penalty", "team", "chance", "longest", "thoughts", "at", "won"]
    assert schema["properties"]["boards"] == {"description": "How many boards count.", "type": "integer"}
    assert schema["properties"]["penalty"] == {"description": "Only where there is one.", "type": "integer"}
    assert schema["$defs"]["Thought"]["properties"]["seat"]["enum"] == ["N", "E", "S", "W"]


class Result(Row):
    """What was played."""

    contract: str
    """The contract."""
    score: int
    """Its score."""


class Line(Row, kw_only=True):
    """A line of a traveller."""

    table: int
    """The number of the table."""
    board: int
    """The number of the board."""
    played: Annotated[Result | None, INLINE]
    thought: Annotated[Thought, INLINE] = ABSENT


def test_an_inline_row_has_its_fields_in_the_row_that_contains_it() -> None:
    line = Line(table=3, board=7, played=Result("4S", 420))
    assert list(document_of(line).items()) == [("table", 3), ("board", 7), ("contract", "4S"), ("score", 420)]
    assert document_of(Line(table=3, board=7, played=None))["score"] is None
    table = csv_table(Line, [line], without=Thought.csv_columns(), headings={"score": "score_ns"})
    assert table.columns == ["table", "board", "contract", "score_ns"]
    assert [{name: row[name] for name in table.columns} for row in table.rows] == [
        {"board": 7, "table": 3, "contract": "4S", "score_ns": 420}
    ]
    schema = derive_schema(Line, "line")
    assert schema["$defs"] == {}
    assert schema["required"] == ["table", "board", "contract", "score"]
    assert schema["properties"]["contract"] == {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "The contract.",
    }
