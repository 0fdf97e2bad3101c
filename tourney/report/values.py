"""Types of the values of JSON documents, with their constraints in a JSON Schema.

Documents are typed dictionaries; their schemas are derived by `schema`, the only module that loads pydantic.
"""

from collections.abc import Callable
from typing import Annotated, Any, TypeAlias, TypeVar

from tourney.config import Durability
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd


class Constraint:
    """Keywords of JSON Schema for an annotated type."""

    def __init__(self, description: str = "", **keywords: Any) -> None:  # values of JSON
        """Set a description, for fields whose name does not say enough, and any other keywords."""
        self._keywords = ({"description": description} if description else {}) | keywords

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Callable[[Any], dict[str, Any]]) -> Any:
        """Return the schema of the type with these keywords; pydantic calls this method."""
        return handler(core_schema) | self._keywords


Time: TypeAlias = Annotated[
    str,
    Constraint(
        "ISO 8601 in UTC, with milliseconds where there are any.",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$",
    ),
]
Milliseconds: TypeAlias = Annotated[int, Constraint("Milliseconds.", minimum=0)]
Vp: TypeAlias = Annotated[str, Constraint("Victory points, such as 13.34.", pattern=r"^-?\d+\.\d\d$")]
CarriedImps: TypeAlias = Annotated[
    str,
    Constraint("IMPs carried over from the stage before, such as 2.5.", pattern=r"^-?\d+(\.\d\d?)?$"),
]
LeadImps: TypeAlias = Annotated[str, Constraint("IMPs, such as -14.5.", pattern=r"^-?\d+(\.\d\d?)?$")]
GroupLetter: TypeAlias = Annotated[str, Constraint("The letter of a group.", pattern="^[A-Z]+$")]
Points: TypeAlias = Annotated[
    str, Constraint("Points of a match or board, such as 4.5.", pattern=r"^-?\d+(\.\d\d?)?$")
]
Amount: TypeAlias = Annotated[
    int | Points | Vp | None,
    Constraint("IMPs, or points or victory points as a text, depending on the kind; null if the kind has none."),
]
SeatLetter: TypeAlias = Annotated[str, Constraint(enum=["N", "E", "S", "W"])]
SideLetters: TypeAlias = Annotated[str, Constraint(enum=["NS", "EW"])]
DurabilityName: TypeAlias = Annotated[str, Constraint(enum=[durability.value for durability in Durability])]
RoomName: TypeAlias = Annotated[str, Constraint(enum=[room.value for room in Room])]
VulnerabilityName: TypeAlias = Annotated[str, Constraint(enum=["None", "NS", "EW", "All"])]
CallText: TypeAlias = Annotated[str, Constraint(pattern="^(Pass|XX?|[1-7](C|D|H|S|NT))$")]
CardText: TypeAlias = Annotated[str, Constraint("Rank, then suit.", pattern="^[2-9TJQKA][CDHS]$")]
ContractText: TypeAlias = Annotated[str, Constraint(pattern="^(Pass|[1-7](C|D|H|S|NT)X{0,2})$")]
Tricks: TypeAlias = Annotated[int, Constraint(minimum=0, maximum=13)]
DealText: TypeAlias = Annotated[
    str,
    Constraint(
        "PBN, from North: four hands, suits from spades to clubs.",
        pattern=r"^N:([AKQJT2-9.]{16} ){3}[AKQJT2-9.]{16}$",
    ),
]
FinalEnd: TypeAlias = Annotated[
    str,
    Constraint(
        "How the board ended: by the rules, or, from `time` on, forfeited by one side.",
        enum=[end.value for end in BoardEnd if end.is_final],
    ),
]

Value = TypeVar("Value")


ByRoom: TypeAlias = dict[RoomName, Value]
"""A value for each room of a match."""
