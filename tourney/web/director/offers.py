"""How the desk offers an action of `tourney.director`: the fields of its form become the action."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from tourney.coordinator.director import RulingBasis
from tourney.director.action import AUTHOR_MAX, DirectorAction
from tourney.errors import RuleError
from tourney.event.drawn import DrawnEvent
from tourney.movement.seating import Room
from tourney.store.draw.objects import MatchInfo
from tourney.web.director.access import Right
from tourney.web.director.actions import (
    ActionOutcome,
    Choices,
    DeskAction,
    Errand,
    FieldKind,
    FormField,
    Level,
    Preview,
    Reason,
)

ActionT = TypeVar("ActionT", bound=DirectorAction)

PLACE: Final = FormField("table", "Table", help="such as 3-open")
MATCH: Final = FormField("match", "Match", FieldKind.NUMBER)
BOARD: Final = FormField("board", "Board", FieldKind.NUMBER)
LAW: Final = FormField(
    "law", "Law", is_required=False, help="the usual one if it is left empty", chars_max=AUTHOR_MAX
)


def _nothing(errand: Errand, action: DirectorAction) -> Mapping[str, str]:  # noqa: ARG001 # as all `fill`
    return {}


def offer(
    name: str,
    title: str,
    summary: str,
    make: Callable[[Errand], ActionT],
    subject: Callable[[Errand], str],
    *,
    right: Right = Right.CONDUCT,
    fields: tuple[FormField, ...] = (),
    level: Level = Level.TABLE,
    reason: Reason = Reason.PUBLIC,
    must_type: Callable[[Errand], str | None] = lambda _: None,
    fill: Callable[[Errand, ActionT], Mapping[str, str]] = _nothing,
    is_offered: Callable[[DrawnEvent], bool] = lambda _: True,
    whole_title: str = "",
    tells_results: bool = False,
) -> DeskAction:
    """Return the action of the desk that asks for an action of the director.

    Args:
        name: the last part of its address.
        title: what its button says.
        summary: what it does.
        make: makes the action of what was filled in; what it raises is shown beside the form.
        subject: what it is done to, for the log.
        right: who may ask for it.
        fields: its form, without the reason.
        level: what it is offered beside.
        reason: whether it takes a reason, and who will read it.
        must_type: what has to be typed to show that it is meant; None if nothing has.
        fill: what fields that were left open stand for at the moment, so that nothing else is done later.
        is_offered: whether there is something for it to be done to.
        whole_title: what its button says beside the whole event; empty if it is not done to all tables at once.
        tells_results: whether its preview and its outcome tell what boards were worth.
    """

    def preview(errand: Errand) -> Preview:
        action = make(errand)
        shown = action.preview(errand.drawn)
        lines = (*shown.changes, shown.cost) if shown.cost else shown.changes
        return Preview(
            subject(errand),
            lines,
            action.matches(errand.drawn),
            must_type(errand),
            fill(errand, action),
            shown.words,
            shown.change,
        )

    def carry_out(errand: Errand) -> ActionOutcome:
        begun = make(errand).begin(errand.drawn, _grounds(errand))
        return ActionOutcome("; ".join(begun.lines), begun.orders, begun.is_now_or_never)

    return DeskAction(
        name,
        title,
        summary,
        right,
        preview,
        carry_out,
        fields,
        level,
        reason,
        is_offered,
        whole_title,
        tells_results,
    )


def _grounds(errand: Errand) -> RulingBasis:
    law = errand[LAW.name]
    return RulingBasis(errand.author, errand.reason, law or None, errand.now_ms, errand.request_id)


def is_possible(action: DirectorAction) -> Callable[[DrawnEvent], bool]:
    """Return what tells whether an action that names nothing can be done at the moment."""

    def ask(drawn: DrawnEvent) -> bool:
        try:
            action.preview(drawn)
        except RuleError:
            return False
        return True

    return ask


def number(errand: Errand, field: FormField) -> int:
    """Return the number that a field was given, which the desk has checked to be one."""
    return int(errand[field.name])


def match_board(errand: Errand) -> str:
    """Return the match and board of an errand, for the log."""
    return f"match {errand[MATCH.name]}, board {errand[BOARD.name]}"


def teams(errand: Errand) -> Choices:
    """Return the teams of the match that is filled in, or of the event if none is."""
    match = match_of(errand)
    names = match.teams if match is not None else [team.name for team in errand.drawn.event.teams]
    return [(name, name) for name in names]


def match_of(errand: Errand) -> MatchInfo | None:
    """Return the match that is filled in, as a number or as the place of a table; None if none is."""
    text = errand[MATCH.name] or errand[PLACE.name].partition("-")[0]
    return next((match for match in errand.drawn.event.matches if str(match.number) == text), None)


def rooms(errand: Errand) -> Choices:
    """Return the rooms of the match that is filled in; both if none is."""
    match = match_of(errand)
    found = match.segments[0].tables if match is not None else Room
    return [(room.value, room.value) for room in found]
