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
    """Limit for one call or card. By default there is none."""
    call_remedy: ClockRemedy = RemedyName.FORFEIT_BOARD
    """What follows when it is exceeded: `"warn"`, `"penalty"` (see `[rules]`), `"forfeit-board"` (3 IMPs to the
    other team) or `"forfeit-match"`."""
    board_s: Seconds | None = None
    """Limit for a side on one board. By default there is none; 120 is the custom at world championships."""
    board_remedy: ClockRemedy = RemedyName.PENALTY
    """What follows when it is exceeded, once per board and side: a remedy as in `call_remedy`."""
    match_s: Seconds | None = None
    """Limit for a side on all boards of one room of a match. By default there is none."""
    match_remedy: ClockRemedy = RemedyName.PENALTY
    """What follows when it is exceeded, once: a remedy as in `call_remedy`."""
    stall_s: Seconds = 300
    """A player that has owed a call or card for this long has stalled: its side forfeits the board, and its
    program is disconnected."""
    ready_s: Annotated[int, Field(ge=READY_S_MIN, le=SECONDS_MAX)] = 300
    """The same for any other line that a player owes."""
    absence_s: Seconds = 120
    """How long the others wait between two boards for a seat to be taken again; then its side forfeits the
    match."""
    rejoin_s: Seconds = 60
    """How long they wait in the middle of a board for a player whose connection was lost; then its side forfeits
    the board."""


class RulesConfig(Section):
    """`[rules]`: irregularities, penalties, rejoining, claims, manual alerting (BC-46, BC-48, BC-40, BC-25)."""

    irregularities: Annotated[int, Field(ge=1, le=1000)] = 3
    """From this many illegal or out-of-turn calls and cards of a side on one board on, each is followed by the
    remedy."""
    irregularity_remedy: Annotated[RemedyName, member(RemedyName)] = RemedyName.SUBSTITUTE
    """What follows then: `"warn"`, `"penalty"`, `"substitute"` (the table passes, or plays the lowest legal
    card, in the player's place), `"forfeit-board"` or `"forfeit-match"`."""
    penalty_imps: Annotated[int, Field(ge=1, le=PENALTY_IMPS_MAX)] | None = None
    """What `"penalty"` costs, in IMPs. By default 3. Give `penalty_imps` or `penalty_vp`, not both."""
    # In hundredths.
    penalty_vp: Annotated[int, BeforeValidator(_vp_amount)] | None = None
    """What `"penalty"` costs, in victory points: up to 20, with at most two decimals."""
    rejoin: Annotated[Rejoin, member(Rejoin)] = Rejoin.REPLAY
    """What happens when a program comes back into a board that it has left.

    - `"replay"`: it is told the board again and repeats what it had said, while the others wait. If it says
      something else than before, the board is restarted.
    - `"restart"`: the board is begun again for all four.
    - `"forfeit"`: the board was lost with the connection; the program may join the next one.

    Likewise a board whose table host has died is continued (`"replay"`) or begun again.
    """
    rejoins: Annotated[int, Field(ge=1, le=100)] = 3
    """Maximum reconnections per seat and board."""
    restarts: Annotated[int, Field(ge=0, le=100)] = 1
    """How many times a board is begun again because of one side; after that the side forfeits it."""
    claims: bool = False
    """Whether players may claim."""
    alerting: Annotated[AlertMode, member(AlertMode)] = AlertMode.OFF
    """Whether the table waits for an operator to explain calls (`tourney alert`).

    - `"off"`: it does not.
    - `"calls"`: after every call that is not on the protocol's list of calls that need no pause.
    - `"keyword"`: after a call with a bare `Alert`.
    - `"auction"`: at the end of the auction.
    """
    alert_wait_s: Seconds = 60
    """How long it waits, in seconds; after that the call counts as not alertable."""
    strikes: Annotated[int, Field(ge=0, le=1000)] = 0
    """After this many crashes in the event a team is withdrawn; 0 for never."""

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
    """The line with both team names: `"plain"`, `"v18"` (a full stop after the first name) or `"playing"` (ends
    in `. Playing IMP`)."""
    seated: Annotated[SeatedForm, member(SeatedForm)] | None = None
    """The line that confirms a seat: `"v18"`, or `"plain"` without brackets and quotes."""
    timing: bool | None = None
    """Whether the thinking times are sent after every board."""
    alerts: bool | None = None
    """Whether the texts of alerts are relayed to this team."""
    infos: bool | None = None
    """Whether texts without an alert are relayed too. By default they are to programs that log on with version
    19."""
    line_gap_ms: Annotated[int, Field(ge=0, le=LINE_GAP_MS_MAX)] | None = None
    """The least time between two lines to a program that has not spoken in between, in milliseconds."""
    lead_gap_ms: Annotated[int, Field(ge=0, le=LEAD_GAP_MS_MAX)] | None = None
    """The least pause before `to lead`, in milliseconds."""
    board_restart: bool | None = None
    """Whether the program begins again when it receives `Start of board` in the middle of a board."""
    ready_for_cards: Annotated[ReadyForCards, member(ReadyForCards)] | None = None
    """When a program is dealt its cards: once it has asked for them (`"asked"`), or a moment after the board
    line (`"assumed"`)."""

    def over(self, profile: WireProfile) -> WireProfile:
        """The profile with these settings in place of its own."""
        return replace(profile, **self.model_dump(exclude_none=True))


class MethodsConfig(Section):
    """`[team.methods]`: what the no-pause list of manual alerting must know of a team (BC-26)."""

    inverted_minors: bool = False
    """Whether the raise of a minor to two is the strong one."""
    negative_doubles: bool = True
    """Whether responder's double of an overcall is for take-out."""

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
