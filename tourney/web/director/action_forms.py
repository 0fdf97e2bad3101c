"""The way of every action of the console: its form, a preview, and being carried out once, with a row in the log."""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from starlette.responses import Response

from tourney.coordinator.director import RulingBasis
from tourney.director.action import ActionPreview, DirectorAction, Right, one_line
from tourney.director.parameters import FilledForm, Input, InputKind, action_fields
from tourney.director.users import PhraseAction
from tourney.errors import RuleError, StoreError, TourneyError, UsageError
from tourney.store.console_log import PREVIEW, ConsoleEntry, NewEntry, begin_entry, end_entry, load_entry, log_done
from tourney.store.rulings import load_decision
from tourney.store.users import PHRASE_CHARS_MAX, PHRASE_CHARS_MIN, check_phrase, hash_user_phrase
from tourney.views.ranking import load_ranking_changes
from tourney.web.director.access import check_own_team, check_right
from tourney.web.director.actions import ACTIONS, ConsoleAction
from tourney.web.director.request import ConsoleRequest, see_other

_REFUSED: Final = "refused: "
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


def show_form(request: ConsoleRequest, name: str) -> Response | None:
    """Show the form of an action, with what the address gives filled in; None if there is no such action."""
    action = _action(request, name)
    return _form(request, action, _filled(request, action, request.query)) if action is not None else None


def send_form(request: ConsoleRequest, name: str) -> Response | None:
    """Take a form that was sent: check it, show the preview, or carry it out if that was seen.

    What was not previewed with the same fields, for this session, is previewed instead. None if there is no such
    action.
    """
    action = _action(request, name)
    if action is None:
        return None
    step = request.form.get("step", "")
    form = _filled(request, action, request.form)
    if step == "change":
        return _form(request, action, form)
    request_id = request_id_of(request)
    is_at_once = step == "now" and bool(action.offer.undo)
    if (step == "do" or is_at_once) and load_entry(*request.record, request_id) is not None:
        return see_other(f"/director/done/{request_id}")  # it was sent before, and has been done or refused
    try:
        form = replace(form, given={field.name: _checked(field, form) for field in action.fields})
        made = action.make(form)
        shown = made.preview(request.drawn)
        check_own_team(request.user, action.offer.right, made.matches(request.drawn))
    except TourneyError as error:
        return _form(request, action, form, error.message)
    if is_at_once:
        return _carry_out(request, action, made, form, request_id)
    seal = _seal(request, action, form, request_id)
    if step != "do" or not hmac.compare_digest(request.form.get("seen", "").encode(), seal.encode()):
        if action.offer.tells_results:  # who has looked at what a ruling would make of scores is on record
            subject = f"{action.offer.title}: {made.subject(request.drawn)}"
            outcome = "shown" if request.user.team is None else "shown without scores"
            entry = NewEntry(request.user.name, request.address, PREVIEW, subject, form["reason"])
            log_done(*request.record, entry, outcome, request.now_ms)
        return _preview(request, action, made, form, shown)
    try:
        wanted, typed = made.must_type(request.drawn), " ".join(request.form.get("typed", "").split())
        if wanted is not None and typed.casefold() != wanted.casefold():
            raise RuleError(f"nothing was done: {wanted!r} has to be typed to show that this is meant")
        if isinstance(made, PhraseAction):
            phrase = request.form.get("phrase", "")
            if not hmac.compare_digest(phrase.encode(), request.form.get("phrase-again", "").encode()):
                raise UsageError("the two passphrases differ: type the same one twice")
            made = replace(made, phrase_hash=hash_user_phrase(check_phrase(phrase, made.login)))
    except TourneyError as error:
        return _preview(request, action, made, form, shown, error.message)
    return _carry_out(request, action, made, form, request_id)


def request_id_of(request: ConsoleRequest) -> str:
    """Return the number of a form that was sent, under which what it asks for is done once.

    Raises:
        UsageError: it has none.
    """
    request_id = request.form.get("request", "")
    if not _REQUEST_ID.fullmatch(request_id):
        raise UsageError("this form was not made by the console")
    return request_id


def show_done(request: ConsoleRequest, request_id: str) -> Response | None:
    """Show what became of a form; None if there is none, or it is for others."""
    if not _REQUEST_ID.fullmatch(request_id):
        return None
    entry = load_entry(*request.record, request_id)
    if entry is not None and entry.outcome is None:  # this server may have been killed before it could say so there
        decided = load_decision(*request.record, request_id)
        if decided is not None:
            end_entry(request.database, entry.id, "; ".join(decided.lines), decided.orders, request.now_ms)
        entry = load_entry(*request.record, request_id)
    if entry is None or not may_read(request, entry):
        return None
    shown = as_seen(request, entry)
    action = ACTIONS.get(entry.action)
    undo = ACTIONS.get(action.offer.undo) if action is not None else None
    is_done = not (shown.outcome or _REFUSED).startswith(_REFUSED)
    title = action.offer.title if action is not None else entry.action.capitalize()
    return request.page("done.html", title, entry=shown, undo=undo if is_done else None)


def may_read(request: ConsoleRequest, entry: ConsoleEntry) -> bool:
    """Return whether the user may read a row of the log: what others did tells how boards were ruled on."""
    return entry.user == request.user.name or request.may(Right.SEE_LOG)


def as_seen(request: ConsoleRequest, entry: ConsoleEntry) -> ConsoleEntry:
    """Return a row of the log as the user may read it: what a ruling made of a score is for those without a team."""
    action = ACTIONS.get(entry.action)
    is_told = action is None or not action.offer.tells_results or entry.outcome is None
    if is_told or request.user.team is None or (entry.outcome or "").startswith(_REFUSED):
        return entry
    return replace(entry, outcome="done; what it makes of scores is not shown to users who belong to a team")


def _carry_out(
    request: ConsoleRequest, action: ConsoleAction, made: DirectorAction, form: FilledForm, request_id: str
) -> Response:
    user, reason = request.user.name, form["reason"]
    new = NewEntry(user, request.address, action.name, made.subject(request.drawn), reason, request_id)
    answer = see_other(f"/director/done/{request_id}")
    entry_id = begin_entry(*request.record, new, request.now_ms)
    if entry_id is None:
        return answer
    basis = RulingBasis(user, reason, form["law"] or None, request.now_ms, request_id)
    try:
        done = made.begin(request.drawn, basis)
    except StoreError:
        raise  # it may have been done nevertheless: the row says that its end is not on record
    except TourneyError as error:
        end_entry(request.database, entry_id, f"{_REFUSED}{error.message}", (), request.now_ms)
        return answer
    end_entry(request.database, entry_id, "; ".join(done.lines), done.orders, request.now_ms)
    request.watch_orders(done.orders if made.is_now_or_never else ())
    return answer


def _action(request: ConsoleRequest, name: str) -> ConsoleAction | None:
    action = ACTIONS.get(name)
    if action is not None:
        check_right(request.user, action.offer.right)
    return action


def _filled(request: ConsoleRequest, action: ConsoleAction, given: Mapping[str, str]) -> FilledForm:
    return FilledForm(request.drawn, {field.name: given.get(field.name, "").strip() for field in action.fields})


def _form(request: ConsoleRequest, action: ConsoleAction, form: FilledForm, error: str = "") -> Response:
    return request.page(
        "form.html",
        action.offer.title,
        is_live=False,
        status=422 if error else 200,
        action=action,
        form=form,
        error=error,
        choices={field.name: field.choices(form) for field in action.fields if field.choices is not None},
        kinds=InputKind,
    )


def _preview(
    request: ConsoleRequest,
    action: ConsoleAction,
    made: DirectorAction,
    form: FilledForm,
    shown: ActionPreview,
    error: str = "",
) -> Response:
    """Show what an action would do, with what was left open as it is now: when it is confirmed it may differ."""
    fixed = made.fixed(request.drawn)
    open_fields = (
        each for each in action_fields(action.action) if getattr(fixed, each.name) != getattr(made, each.name)
    )
    filled = {field.name: str(getattr(fixed, each.name)) for each in open_fields for field in each.inputs}
    form = replace(form, given={**form.given, **filled})
    request_id = secrets.token_urlsafe(18)
    # Users who belong to a team are told nothing of results, which may be of hidden boards and frozen rounds.
    lines, standings = shown.words, None
    if request.user.team is None or not action.offer.tells_results:
        lines = (*lines, *shown.changes, *([shown.cost] if shown.cost else []))
    if request.user.team is None and shown.change is not None:
        # Nothing is said of the standings where only a round that the ruling draws again will change them.
        standings = load_ranking_changes(request.drawn, shown.change) or (None if shown.cost else [])
    return request.page(
        "preview.html",
        f"{action.offer.title}: preview",
        is_live=False,
        status=422 if error else 200,
        action=action,
        form=form,
        subject=made.subject(request.drawn),
        must_type=made.must_type(request.drawn),
        phrase_of=made.login if isinstance(made, PhraseAction) else None,
        lines=lines,
        standings=standings,
        error=error,
        request_id=request_id,
        seen=_seal(request, action, form, request_id),
        phrase_chars_min=PHRASE_CHARS_MIN,
        phrase_chars_max=PHRASE_CHARS_MAX,
    )


def _seal(request: ConsoleRequest, action: ConsoleAction, form: FilledForm, request_id: str) -> str:
    """Return what the preview of a request has, by which the console knows what was seen when it is confirmed."""
    return request.seal([request_id, action.name, *(form[field.name] for field in action.fields)])


# What may be filled in


def _checked(field: Input, form: FilledForm) -> str:
    """Return what an input was given, as it may be.

    Raises:
        UsageError: it may not be that.
    """
    text = form[field.name]
    if not text:
        if field.is_required and field.kind is not InputKind.TICK:
            raise UsageError(f"{field.label}: this has to be filled in")
        return ""
    if field.kind in (InputKind.NUMBER, InputKind.HIDDEN):
        if not _NUMBER.fullmatch(text):
            raise UsageError(f"{field.label} is a whole number of up to 9 digits, got {text[:40]!r}")
        return text
    if field.kind is InputKind.CHOICE:
        assert field.choices is not None, field.name
        if text not in [value for value, _ in field.choices(form)]:
            raise UsageError(f"{field.label}: {text[:40]!r} cannot be chosen")
        return text
    return "yes" if field.kind is InputKind.TICK else one_line(text, field.label, field.chars_max)
