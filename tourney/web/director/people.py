"""What organisers do with the users of the desk; pass phrases are given at a terminal (`tourney user`)."""

from typing import Final

from tourney.errors import UsageError
from tourney.store.desk.sessions import end_all_sessions
from tourney.store.desk.users import DeskUser, change_role, load_users, remove_user
from tourney.store.models import UserRole
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
)

_ROLES: Final = {
    UserRole.ORGANISER: "organiser: everything",
    UserRole.DIRECTOR: "director: orders, rulings, alert answers",
    UserRole.OPERATOR: "operator: alert answers, pause, resume; sees no hands",
}


def _users(errand: Errand) -> list[DeskUser]:
    return load_users(errand.drawn.database, errand.drawn.event.id)


def _user(errand: Errand) -> DeskUser:
    found = next((user for user in _users(errand) if user.name == errand["user"]), None)
    if found is None:
        raise UsageError(f"there is no user {errand['user']!r}")
    return found


def _names(errand: Errand) -> Choices:
    return [(user.name, f"{user.name} ({user.role.value})") for user in _users(errand)]


def _roles(errand: Errand) -> Choices:  # noqa: ARG001 # as all choices
    return [(role.value, words) for role, words in _ROLES.items()]


def _teams(errand: Errand) -> Choices:
    return [(team.name, team.name) for team in errand.drawn.event.teams]


def _preview_log_out(errand: Errand) -> Preview:
    user = _user(errand)
    return Preview(user.name, (f"all sessions of {user.name} end; {user.name} can log in again",))


def _log_out(errand: Errand) -> ActionOutcome:
    user = _user(errand)
    end_all_sessions(errand.drawn.database, user.id, errand.now_ms)
    return ActionOutcome(f"{user.name} is logged out everywhere")


def _preview_role(errand: Errand) -> Preview:
    user, team = _user(errand), errand["team"]
    now = f"{errand['role']}{f' of {team}' if team else ''}"
    before = f"{user.role.value}{f' of {user.team}' if user.team else ''}"
    return Preview(user.name, (f"{user.name}: {before} becomes {now}; all sessions of {user.name} end",))


def _change_role(errand: Errand) -> ActionOutcome:
    user = _user(errand)
    team_id = next((team.id for team in errand.drawn.event.teams if team.name == errand["team"]), None)
    role = UserRole(errand["role"])
    change_role(errand.drawn.database, errand.drawn.event.id, user.name, role, team_id, errand.now_ms)
    return ActionOutcome(f"{user.name} is {role.value} now")


def _preview_remove(errand: Errand) -> Preview:
    user = _user(errand)
    words = f"{user.name} cannot log in any more; orders, rulings and the log keep the name"
    return Preview(user.name, (words,), must_type=user.name)


def _remove(errand: Errand) -> ActionOutcome:
    user = _user(errand)
    remove_user(errand.drawn.database, errand.drawn.event.id, user.name)
    return ActionOutcome(f"{user.name} is removed")


_WHO: Final = FormField("user", "User", FieldKind.CHOICE, choices=_names)

LOG_OUT_USER: Final = DeskAction(
    name="log-out-user",
    title="Log out",
    summary="Ends all sessions of a user, in every browser.",
    right=Right.ADMINISTER,
    preview=_preview_log_out,
    carry_out=_log_out,
    fields=(_WHO,),
    level=Level.USER,
)
CHANGE_ROLE: Final = DeskAction(
    name="change-role",
    title="Change role",
    summary="Gives a user another role, and the team that is chosen or none.",
    right=Right.ADMINISTER,
    preview=_preview_role,
    carry_out=_change_role,
    fields=(
        _WHO,
        FormField("role", "Role", FieldKind.CHOICE, choices=_roles),
        FormField("team", "Team of the user", FieldKind.CHOICE, is_required=False, choices=_teams),
    ),
    level=Level.USER,
)
REMOVE_USER: Final = DeskAction(
    name="remove-user",
    title="Remove",
    summary="Takes a user away, whose sessions end at once.",
    right=Right.ADMINISTER,
    preview=_preview_remove,
    carry_out=_remove,
    fields=(_WHO,),
    level=Level.USER,
)

PEOPLE: Final = (LOG_OUT_USER, CHANGE_ROLE, REMOVE_USER)
