"""Pausing and resuming tables from the desk."""

from functools import partial
from typing import Final

from tourney.errors import RuleError
from tourney.plurals import count
from tourney.store.control.orders import give_orders
from tourney.store.draw.objects import TableInfo
from tourney.store.models import OrderKind, TableState
from tourney.web.director.access import Right
from tourney.web.director.actions import ActionOutcome, DeskAction, Errand, FormField, Preview

_EFFECTS: Final = {
    OrderKind.PAUSE: "no play takes place there until it is resumed",
    OrderKind.RESUME: "play goes on",
}


def _tables(errand: Errand, kind: OrderKind) -> list[TableInfo]:
    place = errand["table"] or None
    tables = [table for table in errand.drawn.tables_at(place) if table.state is not TableState.FINISHED]
    if not tables:
        what = "every table of the event is" if place is None else f"{place} is"
        raise RuleError(f"{what} over: there is nothing to {kind.value}")
    return tables


def _preview(kind: OrderKind, errand: Errand) -> Preview:
    tables = _tables(errand, kind)
    if errand["table"]:
        lines = tuple(f"{table.place} ({table.ns_team} - {table.ew_team}): {_EFFECTS[kind]}" for table in tables)
    else:
        lines = (f"the whole event, {count(len(tables), 'table')}: {_EFFECTS[kind]}",)
    return Preview(errand["table"] or "the whole event", lines)


def _carry_out(kind: OrderKind, errand: Errand) -> ActionOutcome:
    tables = _tables(errand, kind)
    ids = [table.id for table in tables]
    orders = give_orders(
        errand.drawn.database, ids, kind, author=errand.author, now_ms=errand.now_ms, text=errand.reason
    )
    return ActionOutcome(f"{kind.value} ordered at {count(len(tables), 'table')}", tuple(orders))


_PLACE: Final = FormField(
    "table", "Table or match", is_required=False, help="3-open, 3, or empty for the whole event"
)

PAUSE: Final = DeskAction(
    name="pause",
    title="Pause",
    summary="No play takes place until the table is resumed; a call or card under way is finished first.",
    right=Right.HOLD,
    fields=(_PLACE,),
    preview=partial(_preview, OrderKind.PAUSE),
    carry_out=partial(_carry_out, OrderKind.PAUSE),
)
RESUME: Final = DeskAction(
    name="resume",
    title="Resume",
    summary="Paused tables go on; stopped ones are played again by the run.",
    right=Right.HOLD,
    fields=(_PLACE,),
    preview=partial(_preview, OrderKind.RESUME),
    carry_out=partial(_carry_out, OrderKind.RESUME),
)
