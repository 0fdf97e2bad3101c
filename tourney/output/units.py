"""Units: types of values, with what JSON, CSV and people read, and what a JSON Schema says of them."""

from typing import Annotated, TypeAlias, TypeVar

from tourney.bridge import Card, Contract, Deal, Seat, format_deal
from tourney.config import Durability
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.output.rows import Cell, Unit
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.scoring.victory_points import VpHundredths, format_hundredths, format_vp
from tourney.store.draw.objects import EventInfo
from tourney.times import format_duration, format_utc


def _round_figure(figure: float) -> float:
    """Round for CSV: further digits differ from machine to machine."""
    return round(figure, 6)


Time: TypeAlias = Annotated[
    str,
    Unit(
        "ISO 8601 in UTC, with milliseconds where there are any.",
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$",
    ),
]
Moment: TypeAlias = Annotated[int, Unit(form=Time, json=format_utc)]
"""Milliseconds since 1970-01-01 UTC."""
Milliseconds: TypeAlias = Annotated[int, Unit("Milliseconds.", text=format_duration, minimum=0)]
"""Milliseconds; people read minutes and seconds."""
VpText: TypeAlias = Annotated[str, Unit("Victory points, such as 13.34.", pattern=r"^-?\d+\.\d\d$")]
Vp: TypeAlias = Annotated[VpHundredths, Unit(form=VpText, json=format_vp)]
"""Hundredths of a victory point."""
CarriedImps: TypeAlias = Annotated[
    int,
    Unit(
        "IMPs carried over from the stage before, such as 2.5.",
        form=str,
        json=format_hundredths,
        pattern=r"^-?\d+(\.\d\d?)?$",
    ),
]
"""Hundredths of IMPs."""
LeadImps: TypeAlias = Annotated[
    int, Unit("IMPs, such as -14.5.", form=str, json=format_hundredths, pattern=r"^-?\d+(\.\d\d?)?$")
]
"""Hundredths of IMPs, or of points."""
GroupLetter: TypeAlias = Annotated[str, Unit("The letter of a group.", pattern="^[A-Z]+$")]
Points: TypeAlias = Annotated[str, Unit("Points of a match or board, such as 4.5.", pattern=r"^-?\d+(\.\d\d?)?$")]
Amount: TypeAlias = Annotated[
    int | Points | VpText | None,
    Unit("IMPs, or points or victory points as a text, depending on the kind; null if the kind has none."),
]
Margin: TypeAlias = Annotated[
    int | Points, Unit("IMPs; in matches scored in points those, as a decimal string such as -4.5.")
]
SeatLetter: TypeAlias = Annotated[str, Unit(enum=["N", "E", "S", "W"])]
SideLetters: TypeAlias = Annotated[str, Unit(enum=["NS", "EW"])]
DurabilityName: TypeAlias = Annotated[str, Unit(enum=[durability.value for durability in Durability])]
RoomName: TypeAlias = Annotated[str, Unit(enum=[room.value for room in Room])]
VulnerabilityName: TypeAlias = Annotated[str, Unit(enum=["None", "NS", "EW", "All"])]
CallText: TypeAlias = Annotated[str, Unit(pattern="^(Pass|XX?|[1-7](C|D|H|S|NT))$")]
CardText: TypeAlias = Annotated[str, Unit("Rank, then suit.", pattern="^[2-9TJQKA][CDHS]$")]
ContractText: TypeAlias = Annotated[str, Unit(pattern="^(Pass|[1-7](C|D|H|S|NT)X{0,2})$")]
SeatUnit: TypeAlias = Annotated[Seat, Unit(form=SeatLetter, json=lambda seat: seat.letter)]
CardUnit: TypeAlias = Annotated[Card, Unit(form=CardText, json=str)]
ContractUnit: TypeAlias = Annotated[Contract, Unit(form=ContractText, json=str)]
EventName: TypeAlias = Annotated[EventInfo, Unit(form=str, json=lambda event: event.name)]
MatchNumber: TypeAlias = Annotated[MatchInfo, Unit(form=int, json=lambda match: match.number)]
ImpsABoard: TypeAlias = Annotated[float, Unit(csv=_round_figure, text="{:+.2f}".format)]
BoardCount: TypeAlias = Annotated[int, Cell(">Boards")]
"""A number of boards, which has a column in a table of text."""
TeamName: TypeAlias = Annotated[str, Cell("Team")]
"""The name of a team, likewise."""
Probability: TypeAlias = Annotated[float, Unit(csv=_round_figure, text=lambda share: f"{100 * share:.0f} %")]
Tricks: TypeAlias = Annotated[int, Unit(minimum=0, maximum=13)]
DealText: TypeAlias = Annotated[
    str,
    Unit(
        "PBN, from North: four hands, suits from spades to clubs.",
        pattern=r"^N:([AKQJT2-9.]{16} ){3}[AKQJT2-9.]{16}$",
    ),
]
DealUnit: TypeAlias = Annotated[Deal, Unit(form=DealText, json=format_deal)]
RulingKindName: TypeAlias = Annotated[str, Unit(enum=[*(kind.value for kind in RulingKind), "penalty-percent"])]
FinalEnd: TypeAlias = Annotated[
    str,
    Unit(
        "How the board ended: by the rules, or, from `time` on, forfeited by one side.",
        enum=[end.value for end in BoardEnd if end.is_final],
    ),
]

Value = TypeVar("Value")


ByRoom: TypeAlias = dict[RoomName, Value]
"""A value for each room of a match."""
