"""The actions of the console, in the order in which they are offered.

An action of `tourney.director` is offered by its declaration: its fields become a form, and the form the action.
"""

from dataclasses import replace
from inspect import getdoc
from typing import Final

from tourney.coordinator.director import RulingBasis
from tourney.director import registry
from tourney.director.action import ActionBegun, DirectorAction
from tourney.director.parameters import AUTHOR_MAX, Input, action_fields, inputs_of
from tourney.director.users import PhraseAction
from tourney.store.users import hash_user_phrase
from tourney.web.director.actions import ActionRequest, ConsoleAction, Preview

_LAW: Final = Input("law", "Law", is_required=False, help="the usual one if it is left empty", chars_max=AUTHOR_MAX)


def offer(name: str, action: type[DirectorAction]) -> ConsoleAction:
    """Return the action of the console, by its name, that asks for an action of the director."""
    offered, fields = action.offer, action_fields(action)
    summary, _, _ = (getdoc(action) or "").partition("\n\n")

    def make(asked: ActionRequest) -> DirectorAction:
        return action(**{field.name: field.read(asked) for field in fields})

    def preview(asked: ActionRequest) -> Preview:
        made = make(asked)
        shown = made.preview(asked.drawn)
        fixed = made.fixed(asked.drawn)
        return Preview(
            made.subject(asked.drawn),
            shown,
            made.matches(asked.drawn),
            made.must_type(asked.drawn),
            {
                each.name: str(getattr(fixed, field.name))
                for field in fields
                for each in field.parameter.inputs
                if getattr(fixed, field.name) != getattr(made, field.name)
            },
            made.login if isinstance(made, PhraseAction) else None,
        )

    def carry_out(asked: ActionRequest) -> ActionBegun:
        law = asked[_LAW.name]
        basis = RulingBasis(asked.author, asked.reason, law or None, asked.now_ms, asked.request_id)
        made = make(asked)
        if isinstance(made, PhraseAction):
            made = replace(made, phrase_hash=hash_user_phrase(asked.phrase))
        return made.begin(asked.drawn, basis)

    return ConsoleAction(
        name,
        offered,
        summary,
        preview,
        carry_out,
        (*inputs_of(action), *([_LAW] if offered.has_law else [])),
        action.is_offered,
    )


ACTIONS: Final = {name: offer(name, registry.load_action(name)) for name in registry.ACTIONS}
