"""`[clock]`, `[rules]`, `[team.wire]` and `[team.methods]`: what tables do beyond the plain protocol."""

from dataclasses import replace
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, model_validator

from tourney.config.sections import Section, member
from tourney.config.values import parse_vp_amount, shown
from tourney.protocol.session.alert_pauses import PairMethods
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import AlertMode, Penalty, Rejoin, RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.wires import (
    LEAD_GAP_MS_MAX,
    LINE_GAP_MS_MAX,
    ReadyForCards,
    SeatedForm,
    TeamsLineForm,
    WireProfile,
)

SECONDS_MAX: Final = 86_400
READY_S_MIN: Final = 30
"""BC-51: programs in use take seven seconds over a `ready` line on a good day."""
PENALTY_IMPS_MAX: Final = 100
PENALTY_VP_MAX: Final = 20

_CLOCK_REMEDIES: Final = tuple(name for name in RemedyName if name is not RemedyName.SUBSTITUTE)


def _clock_remedy(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, str) and value in tuple(_CLOCK_REMEDIES):
        return RemedyName(value)
    allowed = ", ".join(f'"{name.value}"' for name in _CLOCK_REMEDIES)
    raise ValueError(f"allowed is one of {allowed}, got {shown(value)}")


def _vp_amount(value: Any) -> Any:  # before pydantic has looked at the type
    return parse_vp_amount(value, PENALTY_VP_MAX, may_be_none=False)


Seconds = Annotated[int, Field(ge=1, le=SECONDS_MAX)]
ClockRemedy = Annotated[RemedyName, BeforeValidator(_clock_remedy)]


class ClockConfig(Section):
    """`[clock]`: limits of thinking time in seconds, and what follows when one is passed (BC-45)."""

    call_s: Seconds | None = None
    call_remedy: ClockRemedy = RemedyName.FORFEIT_BOARD
    board_s: Seconds | None = None
    board_remedy: ClockRemedy = RemedyName.PENALTY
    match_s: Seconds | None = None
    match_remedy: ClockRemedy = RemedyName.PENALTY
    stall_s: Seconds = 300
    ready_s: Annotated[int, Field(ge=READY_S_MIN, le=SECONDS_MAX)] = 300
    absence_s: Seconds = 120
    rejoin_s: Seconds = 60


class RulesConfig(Section):
    """`[rules]`: irregularities, penalties, rejoining, claims, manual alerting (BC-46, BC-48, BC-40, BC-25)."""

    irregularities: Annotated[int, Field(ge=1, le=1000)] = 3
    irregularity_remedy: Annotated[RemedyName, member(RemedyName)] = RemedyName.SUBSTITUTE
    penalty_imps: Annotated[int, Field(ge=1, le=PENALTY_IMPS_MAX)] | None = None
    penalty_vp: Annotated[int, BeforeValidator(_vp_amount)] | None = None
    rejoin: Annotated[Rejoin, member(Rejoin)] = Rejoin.REPLAY
    rejoins: Annotated[int, Field(ge=1, le=100)] = 3
    restarts: Annotated[int, Field(ge=0, le=100)] = 1
    claims: bool = False
    alerting: Annotated[AlertMode, member(AlertMode)] = AlertMode.OFF
    alert_wait_s: Seconds = 60
    strikes: Annotated[int, Field(ge=0, le=1000)] = 0
    """Crashes of a team in the event after which it is withdrawn; 0 for never."""

    @model_validator(mode="after")
    def _one_penalty(self) -> "RulesConfig":
        if self.penalty_imps is not None and self.penalty_vp is not None:
            raise ValueError("give penalty_imps or penalty_vp, not both")
        return self

    @property
    def penalty(self) -> Penalty:
        if self.penalty_vp is not None:
            return Penalty(RulingKind.PENALTY_VP, self.penalty_vp)
        return Penalty(RulingKind.PENALTY_IMPS, self.penalty_imps or Penalty().amount)


class WireConfig(Section):
    """`[team.wire]`: settings of a profile, each alone; what is not given is the profile's."""

    teams_line: Annotated[TeamsLineForm, member(TeamsLineForm)] | None = None
    seated: Annotated[SeatedForm, member(SeatedForm)] | None = None
    timing: bool | None = None
    alerts: bool | None = None
    infos: bool | None = None
    line_gap_ms: Annotated[int, Field(ge=0, le=LINE_GAP_MS_MAX)] | None = None
    lead_gap_ms: Annotated[int, Field(ge=0, le=LEAD_GAP_MS_MAX)] | None = None
    board_restart: bool | None = None
    ready_for_cards: Annotated[ReadyForCards, member(ReadyForCards)] | None = None

    def over(self, profile: WireProfile) -> WireProfile:
        """The profile with these settings in place of its own."""
        return replace(profile, **self.model_dump(exclude_none=True))


class MethodsConfig(Section):
    """`[team.methods]`: what the no-pause list of manual alerting must know of a team (BC-26)."""

    inverted_minors: bool = False
    negative_doubles: bool = True

    @property
    def pair_methods(self) -> PairMethods:
        return PairMethods(self.inverted_minors, self.negative_doubles)


def table_rules(clock: ClockConfig, rules: RulesConfig) -> TableRules:
    """What the two sections say, as tables take it. Methods of pairs are the teams'."""
    return TableRules(
        time=TimeRules(
            call=TimeLimit(_ms(clock.call_s), clock.call_remedy),
            board=TimeLimit(_ms(clock.board_s), clock.board_remedy),
            match=TimeLimit(_ms(clock.match_s), clock.match_remedy),
            stall_ms=clock.stall_s * 1000,
            ready_ms=clock.ready_s * 1000,
            absence_ms=clock.absence_s * 1000,
            rejoin_ms=clock.rejoin_s * 1000,
        ),
        penalty=rules.penalty,
        irregularities_max=rules.irregularities,
        irregularity_remedy=rules.irregularity_remedy,
        rejoin=rules.rejoin,
        rejoins_max=rules.rejoins,
        restarts_max=rules.restarts,
        claims=rules.claims,
        alerting=rules.alerting,
        alert_wait_ms=rules.alert_wait_s * 1000,
    )


def _ms(seconds: int | None) -> int | None:
    return seconds * 1000 if seconds is not None else None
