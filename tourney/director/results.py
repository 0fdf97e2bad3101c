"""The results of an event as a whole: made final, and opened again."""

from typing import Annotated, ClassVar, Final

from tourney.coordinator.director import RulingBasis, check_open
from tourney.coordinator.run_lease import load_activity
from tourney.director.action import ActionPreview, DirectorAction, Level, Offer, Reason, Right
from tourney.director.parameters import ActionParameter
from tourney.errors import RuleError
from tourney.event.drawn import DrawnEvent
from tourney.plurals import count, plural
from tourney.runtime import clock
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings import (
    DecisionOutcome,
    FinalisationInfo,
    is_published,
    load_finalisation,
    save_finalisation,
    save_publication,
)

_ABANDONED: Final = ActionParameter(
    option="--abandoned", help="Make them final although matches are left, which nobody will play."
)


def _offer(name: str, title: str) -> Offer:
    return Offer(name, "results", title, right=Right.ADMINISTER, level=Level.EVENT, reason=Reason.RECORD)


class _OfWholeEvent(DirectorAction):
    """An action on the results of the whole event."""

    def subject(self, drawn: DrawnEvent) -> str:
        """Return the name of the event."""
        return drawn.event.name

    @classmethod
    def is_offered(cls, drawn: DrawnEvent) -> bool:
        """Return whether it can be done at the moment."""
        try:
            cls().preview(drawn)
        except RuleError:
            return False
        return True


class _SaysWhetherFinal(_OfWholeEvent):
    """An action after which the results are final, or provisional."""

    is_final: ClassVar[bool]

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Put on record that the results are final, or provisional again, if that is still possible."""
        self.preview(drawn)
        word = FinalisationInfo(is_final=self.is_final, author=basis.author, reason=basis.reason, at_ms=basis.at_ms)
        save_finalisation(*drawn.record, word)
        state = "final" if self.is_final else "provisional again"
        return DecisionOutcome((f"the results of {drawn.event.name} are {state}",))


class Finalise(_SaysWhetherFinal):
    """Make the results of an event final: until then they are provisional, and rulings are possible."""

    offer: ClassVar = _offer("finalise", "Make final")
    is_final: ClassVar = True

    is_abandoned: Annotated[bool, _ABANDONED] = False
    """Whether matches are left, which nobody will play."""

    def must_type(self, drawn: DrawnEvent) -> str | None:
        """Return the name of the event."""
        return drawn.event.name

    @classmethod
    def is_offered(cls, drawn: DrawnEvent) -> bool:
        """Return whether the results are provisional."""
        return not Reopen.is_offered(drawn)

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what becomes final."""
        if self.is_abandoned and load_activity(drawn.file, *drawn.record, clock.wall_ms()).is_played:
            raise RuleError(f"{drawn.event.name!r} is being played: stop its `tourney run` first")
        check_open(drawn.database, drawn.event)
        if not self.is_abandoned:
            _check_played(drawn)
        left = "; what is left of it will not be played" if self.is_abandoned else ""
        return ActionPreview((f"the results of {drawn.event.name} become final{left}",))


def _check_played(drawn: DrawnEvent) -> None:
    """Check that every round is drawn and every match has its score."""
    event = drawn.event
    undrawn = [round_.number for round_ in event.undrawn]
    if undrawn:
        raise RuleError(
            f"round {undrawn[0]} of {len(event.all_rounds)} is not drawn yet",
            remedy="`tourney run` goes on, or `tourney results EVENT final --abandoned` leaves it unplayed",
        )
    scores = load_match_scores(drawn.database, event.id)
    left = [str(match.number) for match in event.matches if match.number not in scores]
    if left:
        which, more = plural(len(left), "match", "matches"), ", ..." if len(left) > 10 else ""
        raise RuleError(
            f"{len(left)} of {len(event.matches)} matches have no score yet: {which} {', '.join(left[:10])}{more}",
            remedy="`tourney results EVENT final --abandoned` leaves them unplayed",
        )


class Reopen(_SaysWhetherFinal):
    """Let final results change again: they are provisional, and rulings are possible.

    EVENT is the path of an event file.
    """

    offer: ClassVar = _offer("reopen", "Open again")
    is_final: ClassVar = False

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what becomes provisional."""
        word = load_finalisation(*drawn.record)
        if word is None or not word.is_final:
            raise RuleError(f"the results of {drawn.event.name!r} are provisional: there is nothing to reopen")
        return ActionPreview((f"the results of {drawn.event.name} become provisional again",))


class Publish(_OfWholeEvent):
    """Publish the results of frozen rounds before the results are final. It cannot be taken back.

    EVENT is the path of an event file whose `[web] freeze_rounds` keeps the last rounds from live pages until the
    results are final.
    """

    offer: ClassVar = _offer("publish", "Publish now")

    def must_type(self, drawn: DrawnEvent) -> str | None:
        """Return the name of the event."""
        return drawn.event.name

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what everybody will see."""
        rounds = count(self._frozen(drawn), "round")
        return ActionPreview((f"the results of the last {rounds} of {drawn.event.name} are shown to everybody",))

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Publish them; they are not frozen again."""
        rounds = count(self._frozen(drawn), "round")
        save_publication(*drawn.record, basis.author, basis.reason, basis.at_ms)
        return DecisionOutcome((f"the results of the last {rounds} of {drawn.event.name} are published",))

    def _frozen(self, drawn: DrawnEvent) -> int:
        rounds = min(drawn.config.web.freeze_rounds, len(drawn.event.all_rounds))
        if not rounds:
            raise RuleError(f"no round of {drawn.event.name!r} is frozen: `[web] freeze_rounds` is 0")
        word = load_finalisation(*drawn.record)
        if word is not None and word.is_final:
            raise RuleError(f"the results of {drawn.event.name!r} are final: nothing of them is frozen")
        if is_published(*drawn.record):
            raise RuleError(f"the results of {drawn.event.name!r} are published already")
        return rounds
