"""`[[stage]]`: who meets whom, on how many boards, for what; and what teams bring along from the stage before."""

from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Final

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, model_validator

from tourney.config.sections import Name, Section, member
from tourney.config.values import NAME_CHARS_MAX, parse_hundredths, parse_part, parse_vp_amount, shown
from tourney.config.words import EarlyLeavers
from tourney.movement.carry_over import CarryOver, ImpHundredths
from tourney.movement.formats import FORMATS, StageFormat
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import SeatsRule
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS, TieBreak
from tourney.scoring.adjusted import walkover_vp
from tourney.scoring.victory_points import VpHundredths, VpScale

BOARDS_MAX: Final = 1000
BYE_VP_MAX: Final = 100
SEGMENTS_MAX: Final = 100
EXTRA_BOARDS_MAX: Final = 64
CARRY_MAX: Final = 1000
"""IMPs or victory points."""


def _check_tie_breaks(tie_breaks: list[TieBreak]) -> list[TieBreak]:
    for number, tie_break in enumerate(tie_breaks):
        if tie_break in tie_breaks[:number]:
            raise ValueError(f"each is named once, got '{tie_break}' twice")
        if TieBreak.LOT in tie_breaks[:number]:
            raise ValueError(
                f"'{TieBreak.LOT}' stands last, for it leaves nothing to part, got '{tie_break}' after it"
            )
    return tie_breaks


def _parse_vp(value: Any) -> int:  # before pydantic has looked at the type
    return parse_vp_amount(value, BYE_VP_MAX, may_be_none=True)


def _parse_part(value: Any) -> Fraction:  # before pydantic has looked at the type
    return parse_part(value)


def _parse_cap(value: Any) -> int:  # before pydantic has looked at the type
    return parse_hundredths(value, CARRY_MAX, "IMPs or victory points")


def _parse_by_rank(value: Any) -> tuple[int, ...]:  # before pydantic has looked at the type
    if not isinstance(value, list) or not value:
        raise ValueError(f"a list of amounts, the best team's first, is asked for, got {shown(value)}")
    amounts = tuple(_parse_cap(amount) for amount in value)
    if list(amounts) != sorted(amounts, reverse=True):
        raise ValueError(f"a team of a lower rank brings no more than one above it, got {shown(value)}")
    return amounts


_HALF: Final = Fraction(1, 2)
_THIRD: Final = Fraction(1, 3)


def _parse_format(value: Any) -> StageFormat:  # before pydantic has looked at the type
    if isinstance(value, StageFormat):
        return value
    if not isinstance(value, str) or value not in FORMATS:
        allowed = ", ".join(f'"{name}"' for name in FORMATS)
        raise ValueError(f"allowed is one of {allowed}, got {shown(value)}")
    return FORMATS[value]


class CarryOverConfig(Section):
    """`[stage.carry_over]`: a part of what was won in the stage before, or an amount by rank, and at most a cap."""

    won: Annotated[Fraction | None, BeforeValidator(_parse_part)] = None
    """Of the margin between the two teams, when the higher ranked has won it; of victory points in other formats."""
    lost: Annotated[Fraction | None, BeforeValidator(_parse_part)] = None
    """Of that margin when the lower ranked team has won it."""
    cap: Annotated[int | None, BeforeValidator(_parse_cap)] = None
    """Hundredths."""
    by_rank: Annotated[tuple[int, ...] | None, BeforeValidator(_parse_by_rank)] = None
    """Hundredths."""

    @model_validator(mode="after")
    def _one_rule(self) -> "CarryOverConfig":
        if self.by_rank is not None and (self.won is not None or self.lost is not None):
            raise ValueError("give parts of what was won (won, lost), or by_rank, not both")
        return self

    @property
    def rules(self) -> CarryOver:
        cap = ImpHundredths(self.cap) if self.cap is not None else None
        if self.by_rank is not None:
            return CarryOver(Fraction(0), Fraction(0), cap, self.by_rank)
        won = self.won if self.won is not None else _HALF
        lost = self.lost if self.lost is not None else min(won, _THIRD)
        return CarryOver(won, lost, cap)


Start = Annotated[AwareDatetime, Field(ge=datetime(2000, 1, 1, tzinfo=UTC), le=datetime(2999, 12, 31, tzinfo=UTC))]
"""A year far off is a slip of the keyboard."""


class StageConfig(Section):
    """`[[stage]]`. `fit_problems` says what a stage may follow."""

    name: Name = ""
    """Never empty once it is read: without one it is that of the format."""
    format: Annotated[StageFormat, BeforeValidator(_parse_format)] = StageFormat.ROUND_ROBIN
    teams: Annotated[int | None, Field(ge=2)] = None
    """How many go on into this stage from the one before; None for all."""
    groups: Annotated[int, Field(ge=1, le=64)] = 1
    """Round robins side by side."""
    rounds: Annotated[int | None, Field(ge=1, le=BOARDS_MAX)] = None
    """Asked for by a Swiss; a knockout and a gauntlet have a number of their own."""
    boards_per_match: Annotated[int, Field(ge=1, le=BOARDS_MAX)] = 16
    segments: Annotated[int, Field(ge=1, le=SEGMENTS_MAX)] = 1
    """Parts of a match of the same number of boards, between which teams may change seats."""
    seats: Annotated[SeatsRule, member(SeatsRule)] = SeatsRule.FIXED
    """How they change."""
    vp_scale: Annotated[str, Field(max_length=NAME_CHARS_MAX)] = "wbf-continuous"
    starts: list[Start] | None = None
    extra_boards: Annotated[int | None, Field(ge=0, le=EXTRA_BOARDS_MAX)] = None
    """Of a knockout match that is level: played up to four times, until it is not."""
    third_place: bool = False
    """Whether the beaten semi-finalists meet."""
    against_all: Annotated[str | None, Field(max_length=NAME_CHARS_MAX)] = None
    """In a gauntlet, who meets everybody; by default the first team."""
    carry_over: CarryOverConfig | None = None
    tie_breaks: Annotated[list[Annotated[TieBreak, member(TieBreak)]], AfterValidator(_check_tie_breaks)] = Field(
        default_factory=lambda: list(DEFAULT_TIE_BREAKS)
    )
    """What parts teams equal in victory points, the first one first; no part of the draw."""
    bye_vp: Annotated[int | None, BeforeValidator(_parse_vp)] = None
    """In hundredths; by default 60 percent of the most a match is worth. No part of the draw."""
    late_vp: Annotated[int | None, BeforeValidator(_parse_vp)] = None
    """In hundredths, for each round that a team of a Swiss has come too late for; by default 40 percent."""
    early_leavers: Annotated[EarlyLeavers, member(EarlyLeavers)] = EarlyLeavers.FORGET
    """No part of the draw."""

    @model_validator(mode="before")
    @classmethod
    def _has_a_name(cls, data: Any) -> Any:  # before pydantic has looked at the type
        if not isinstance(data, dict) or "name" in data:
            return data
        named = data.get("format")
        known = FORMATS.get(named) if isinstance(named, str) else None
        return data | {"name": (known or StageFormat.ROUND_ROBIN).title}  # a format that is wrong is another problem

    @property
    def extra(self) -> int:
        """Extra boards of a level match, each time; 0 for none."""
        return self.extra_boards if self.extra_boards is not None else self.format.default_extra_boards

    def ranking_rules(self, scale: VpScale | None) -> RankingRules:
        """How teams are ranked; `scale` is None when the event file has it no more: then 20 are at stake."""
        usual = RankingRules()
        most = scale.steps[-1].winner if scale is not None else usual.most_vp
        walkover = walkover_vp(scale) if scale is not None else usual.bye_vp
        late = self.late_vp if self.late_vp is not None else most * 40 // 100
        return RankingRules(
            tie_breaks=tuple(self.tie_breaks),
            bye_vp=VpHundredths(self.bye_vp if self.bye_vp is not None else walkover),
            most_vp=most,
            forgets_early_leavers=self.early_leavers is EarlyLeavers.FORGET and self.format.is_round_robin,
            late_vp=VpHundredths(late),
        )


def decimal_text(hundredths: int) -> str:
    """As an event file would have it: `12.5`."""
    return format((Decimal(hundredths) / 100).normalize(), "f")
