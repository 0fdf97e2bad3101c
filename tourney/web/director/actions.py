"""The actions of the director as the console offers them, in the order in which they are offered.

An action is a class of a module of `tourney.director.actions`. From there on the console does the rest: the form at
`/director/do/NAME`, who may send it, the preview, the word to be typed for a grave one, that a form is carried out
once however often it is sent, the log, and the outcomes of the orders that it gave (`action_forms`).
"""

from dataclasses import dataclass
from inspect import getdoc
from typing import Final

from tourney.director import actions
from tourney.director.action import DirectorAction, Offer, Reason
from tourney.director.parameters import AUTHOR_MAX, FilledForm, Input, action_fields

LAW: Final = Input("law", "Law", is_required=False, help="the usual one if it is left empty", chars_max=AUTHOR_MAX)


@dataclass(frozen=True, slots=True)
class ConsoleAction:
    """An action of the console."""

    action: type[DirectorAction]
    fields: tuple[Input, ...]

    @property
    def name(self) -> str:
        """The last part of its address: `pause`."""
        return self.action.offer.name

    @property
    def offer(self) -> Offer:
        """Its words, and who may ask for it where."""
        return self.action.offer

    @property
    def is_grave(self) -> bool:
        """Whether it cannot simply be undone, so that it is offered apart, with what it will do."""
        return self.offer.asks_first or self.action.must_type is not DirectorAction.must_type

    @property
    def summary(self) -> str:
        """What it does, in a sentence or two, above the form."""
        return (getdoc(self.action) or "").partition("\n\n")[0]

    def make(self, form: FilledForm) -> DirectorAction:
        """Return what a form that has been checked asks for.

        Raises:
            UsageError: its inputs do not go together, or what is named is not there.
        """
        return self.action(**{field.name: field.read(form) for field in action_fields(self.action)})


def _reason(offer: Offer) -> Input:
    is_public = offer.reason is Reason.PUBLIC
    shown = "It is shown on the public pages, and kept on record with your name."
    return Input(
        "reason",
        "Reason (public)" if is_public else "Reason",
        is_required=not offer.undo,  # what is done at one press takes none
        help=shown if is_public else "It is kept on record with your name.",
    )


def _offer(action: type[DirectorAction]) -> ConsoleAction:
    asked = [each for field in action_fields(action) for each in field.inputs]
    law = [LAW] if action.offer.has_law else []
    reason = [_reason(action.offer)] if action.offer.reason is not Reason.NONE else []
    return ConsoleAction(action, (*asked, *law, *reason))


ACTIONS: Final = {name: _offer(action) for name, action in actions.ACTIONS.items()}
