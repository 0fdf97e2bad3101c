"""The way of every action of the console: its form, a preview, and being carried out once, with a row in the log."""

import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from starlette.responses import Response

from tourney.director.action import ActionBegun
from tourney.director.offer import Reason, Right
from tourney.director.parameters import TEXT_MAX, Input, InputKind
from tourney.errors import RuleError, StoreError, TourneyError, UsageError
from tourney.report.ranking_changes import RankingChange, load_ranking_changes
from tourney.store.console_log import PREVIEW, ConsoleEntry, NewEntry, begin_entry, end_entry, load_entry, log_done
from tourney.store.rulings import load_decision
from tourney.store.users import PHRASE_CHARS_MAX, PHRASE_CHARS_MIN, check_phrase
from tourney.web.director.access import check_own_team, check_right
from tourney.web.director.actions import ActionRequest, ConsoleAction, Preview
from tourney.web.director.console_actions import ACTIONS
from tourney.web.director.request import ConsoleRequest, see_other

_REFUSED: Final = "refused: "
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of a form that was sent: the answer, and what was done, if anything."""

    answer: Response
    done: ActionBegun | None = None


def show_form(request: ConsoleRequest, name: str) -> Response | None:
    """Show the form of an action, with what the address gives filled in; None if there is no such action."""
    action = _action(request, name)
    if action is None:
        return None
    given = {field.name: request.query.get(field.name, "").strip() for field in action.fields}
    return _form(request, action, _asked(request, given, ""))


def send_form(request: ConsoleRequest, name: str) -> Sent | None:
    """Take a form that was sent: check it, show the preview, or carry it out if that was seen.

    What was not previewed with the same fields, for this session, is previewed instead. None if there is no such
    action.
    """
    action = _action(request, name)
    if action is None:
        return None
    step = request.form.get("step", "")
    given = {field.name: request.form.get(field.name, "").strip() for field in action.fields}
    asked = _asked(request, given, request.form.get("reason", "").strip())
    if step == "change":
        return Sent(_form(request, action, asked))
    request_id = request.form.get("request", "")
    if not _REQUEST_ID.fullmatch(request_id):
        raise UsageError("this form was not made by the console")
    is_at_once = step == "now" and bool(action.offer.undo)
    if (step == "do" or is_at_once) and load_entry(request.database, request.event_id, request_id) is not None:
        return Sent(see_other(f"/director/done/{request_id}"))  # it was sent before, and has been done or refused
    try:
        asked = _check(action, asked, needs_reason=not is_at_once)
        preview = action.preview(asked)
        check_own_team(request.user, action.offer.right, preview.matches)
    except TourneyError as error:
        return Sent(_form(request, action, asked, error.message))
    if is_at_once:
        return _carry_out(request, action, replace(asked, request_id=request_id), preview)
    seal = _seal(request, action, asked, request_id)
    if step != "do" or not hmac.compare_digest(request.form.get("seen", "").encode(), seal.encode()):
        _log_preview(request, action, asked, preview)
        return Sent(_preview(request, action, asked, preview))
    try:
        _check_typed(preview, request.form.get("typed", ""))
        if preview.phrase_of is not None:
            asked = replace(asked, phrase=_typed_phrase(preview.phrase_of, request.form))
    except TourneyError as error:
        return Sent(_preview(request, action, asked, preview, error.message))
    return _carry_out(request, action, replace(asked, request_id=request_id), preview)


def show_done(request: ConsoleRequest, request_id: str) -> Response | None:
    """Show what became of a form; None if there is none, or it is for others."""
    if not _REQUEST_ID.fullmatch(request_id):
        return None
    entry = _load_settled(request, request_id)
    if entry is None or not may_read(request, entry):
        return None
    shown = as_seen(request, entry)
    action = ACTIONS.get(entry.action)
    undo = ACTIONS.get(action.offer.undo) if action is not None else None
    is_done = not (shown.outcome or _REFUSED).startswith(_REFUSED)
    return request.page("done.html", _title_of(entry), entry=shown, undo=undo if is_done else None)


def _load_settled(request: ConsoleRequest, request_id: str) -> ConsoleEntry | None:
    """Load the row of a form, with what came of it even if this server was killed before it could say so there."""
    entry = load_entry(request.database, request.event_id, request_id)
    if entry is None or entry.outcome is not None:
        return entry
    decided = load_decision(request.database, request.event_id, request_id)
    if decided is not None:
        end_entry(request.database, entry.id, "; ".join(decided.lines), decided.orders, request.now_ms)
    return load_entry(request.database, request.event_id, request_id)


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


def _log_preview(request: ConsoleRequest, action: ConsoleAction, asked: ActionRequest, preview: Preview) -> None:
    """Put on record that a user looked at what a ruling would make of scores."""
    if not action.offer.tells_results:
        return
    subject = f"{action.offer.title}: {preview.subject}"
    outcome = "shown" if request.user.team is None else "shown without scores"
    new = NewEntry(request.user.name, request.address, PREVIEW, subject, asked.reason)
    log_done(request.database, request.event_id, new, outcome, request.now_ms)


def _carry_out(request: ConsoleRequest, action: ConsoleAction, asked: ActionRequest, preview: Preview) -> Sent:
    request_id = asked.request_id
    new = NewEntry(request.user.name, request.address, action.name, preview.subject, asked.reason, request_id)
    answer = see_other(f"/director/done/{request_id}")
    entry_id = begin_entry(request.database, request.event_id, new, request.now_ms)
    if entry_id is None:
        return Sent(answer)
    try:
        done = action.carry_out(asked)
    except StoreError:
        raise  # it may have been done nevertheless: the row says that its end is not on record
    except TourneyError as error:
        end_entry(request.database, entry_id, f"{_REFUSED}{error.message}", (), request.now_ms)
        return Sent(answer)
    end_entry(request.database, entry_id, "; ".join(done.lines), done.orders, request.now_ms)
    return Sent(answer, done)


def _action(request: ConsoleRequest, name: str) -> ConsoleAction | None:
    action = ACTIONS.get(name)
    if action is not None:
        check_right(request.user, action.offer.right)
    return action


def _asked(request: ConsoleRequest, given: Mapping[str, str], reason: str) -> ActionRequest:
    return ActionRequest(request.drawn, given, request.user, reason, request.now_ms)


def _form(request: ConsoleRequest, action: ConsoleAction, asked: ActionRequest, error: str = "") -> Response:
    return request.page(
        "form.html",
        action.offer.title,
        is_live=False,
        status=422 if error else 200,
        action=action,
        asked=asked,
        error=error,
        **_words_of_form(action, asked),
    )


def _preview(
    request: ConsoleRequest, action: ConsoleAction, asked: ActionRequest, preview: Preview, error: str = ""
) -> Response:
    filled = replace(asked, given={**asked.given, **preview.filled})
    request_id = secrets.token_urlsafe(18)
    return request.page(
        "preview.html",
        f"{action.offer.title}: preview",
        is_live=False,
        status=422 if error else 200,
        action=action,
        asked=filled,
        preview=preview,
        lines=_lines(request, action, preview),
        standings=_standings(request, preview),
        error=error,
        request_id=request_id,
        seen=_seal(request, action, filled, request_id),
        phrase_chars_min=PHRASE_CHARS_MIN,
        phrase_chars_max=PHRASE_CHARS_MAX,
        **_words_of_form(action, asked),
    )


def _lines(request: ConsoleRequest, action: ConsoleAction, preview: Preview) -> tuple[str, ...]:
    """Return what a preview says: to users who belong to a team nothing of results, which may be of hidden boards."""
    if action.offer.tells_results and request.user.team is not None:
        return preview.shown.words
    return (*preview.shown.words, *preview.shown.changes, *([preview.shown.cost] if preview.shown.cost else []))


def _standings(request: ConsoleRequest, preview: Preview) -> list[RankingChange] | None:
    """Return what becomes of the standings; None if they are not concerned, or not for the user's eyes.

    Nothing is said either where only a round that the ruling draws again will change them.

    They count boards that are hidden from players, and rounds that are frozen.
    """
    if preview.shown.change is None or request.user.team is not None:
        return None
    return load_ranking_changes(request.drawn, preview.shown.change) or (None if preview.shown.cost else [])


def _seal(request: ConsoleRequest, action: ConsoleAction, asked: ActionRequest, request_id: str) -> str:
    """Return what the preview of a request has, by which the console knows what was seen when it is confirmed."""
    return request.seal([request_id, action.name, asked.reason, *(asked[field.name] for field in action.fields)])


def _words_of_form(action: ConsoleAction, asked: ActionRequest) -> dict[str, Any]:
    choices = {field.name: field.choices(asked) for field in action.fields if field.choices is not None}
    return {"choices": choices, "kinds": InputKind, "reasons": Reason}


# What may be filled in


def _check(action: ConsoleAction, asked: ActionRequest, *, needs_reason: bool) -> ActionRequest:
    """Return a request whose inputs are such as they may be.

    Raises:
        UsageError: one is not.
    """
    given = {field.name: _checked(field, asked) for field in action.fields}
    reason = ""
    if action.offer.reason is not Reason.NONE:
        reason = _line("the reason", asked.reason)
        if not reason and needs_reason:
            raise UsageError("give a reason: it is kept on record")
    return replace(asked, given=given, reason=reason)


def _checked(field: Input, asked: ActionRequest) -> str:
    text = asked[field.name]
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
        if text not in [value for value, _ in field.choices(asked)]:
            raise UsageError(f"{field.label}: {text[:40]!r} cannot be chosen")
        return text
    if field.kind is InputKind.TICK:
        return "yes"
    return _line(field.label, text, field.chars_max)


def _line(label: str, text: str, chars_max: int = TEXT_MAX) -> str:
    line = " ".join(text.split())
    if len(line) > chars_max:
        raise UsageError(f"{label} has at most {chars_max} characters, got {len(line)}")
    if not line.isprintable():
        raise UsageError(f"{label} has a character that cannot be printed")
    return line


def _check_typed(preview: Preview, typed: str) -> None:
    if preview.must_type is not None and " ".join(typed.split()).casefold() != preview.must_type.casefold():
        raise RuleError(f"nothing was done: {preview.must_type!r} has to be typed to show that this is meant")


def _typed_phrase(name: str, form: Mapping[str, str]) -> str:
    phrase = form.get("phrase", "")
    if not hmac.compare_digest(phrase.encode(), form.get("phrase-again", "").encode()):
        raise UsageError("the two passphrases differ: type the same one twice")
    return check_phrase(phrase, name)


def _title_of(entry: ConsoleEntry) -> str:
    action = ACTIONS.get(entry.action)
    return action.offer.title if action is not None else entry.action.capitalize()
