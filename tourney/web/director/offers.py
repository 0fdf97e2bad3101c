"""How the desk offers an action of `tourney.director`: its fields become a form, and the form becomes the action."""

from inspect import getdoc
from typing import Final

from tourney.coordinator.director import RulingBasis
from tourney.director.action import DirectorAction
from tourney.director.parameters import AUTHOR_MAX, Input, action_fields, inputs_of
from tourney.web.director.actions import ActionOutcome, DeskAction, Errand, Preview

_LAW: Final = Input("law", "Law", is_required=False, help="the usual one if it is left empty", chars_max=AUTHOR_MAX)


def offer(name: str, action: type[DirectorAction]) -> DeskAction:
    """Return the action of the desk, by its name, that asks for an action of the director."""
    offered, fields = action.offer, action_fields(action)
    summary, _, _ = (getdoc(action) or "").partition("\n\n")

    def make(errand: Errand) -> DirectorAction:
        return action(**{field.name: field.read(errand) for field in fields})

    def preview(errand: Errand) -> Preview:
        made = make(errand)
        shown = made.preview(errand.drawn)
        fixed = made.fixed(errand.drawn)
        return Preview(
            made.subject(errand.drawn),
            (*shown.changes, shown.cost) if shown.cost else shown.changes,
            made.matches(errand.drawn),
            made.must_type(errand.drawn),
            {
                each.name: str(getattr(fixed, field.name))
                for field in fields
                for each in field.parameter.inputs
                if getattr(fixed, field.name) != getattr(made, field.name)
            },
            shown.words,
            shown.change,
        )

    def carry_out(errand: Errand) -> ActionOutcome:
        law = errand[_LAW.name]
        basis = RulingBasis(errand.author, errand.reason, law or None, errand.now_ms, errand.request_id)
        begun = make(errand).begin(errand.drawn, basis)
        return ActionOutcome("; ".join(begun.lines), begun.orders, begun.is_now_or_never)

    return DeskAction(
        name,
        offered.title,
        summary,
        offered.right,
        preview,
        carry_out,
        (*inputs_of(action), *([_LAW] if offered.has_law else [])),
        offered.level,
        offered.reason,
        action.is_offered,
        offered.whole_title,
        offered.tells_results,
    )
