"""What organisers do with the users of the desk, as `tourney user` does; the first one is made there."""

from typing import Final

from tourney.director.offer import Level, Right
from tourney.director.parameters import Choices, FilledForm, Input, InputKind
from tourney.errors import RuleError, UsageError
from tourney.store.models import UserRole
from tourney.store.users import (
    NAME_CHARS_MAX,
    DeskUser,
    add_user,
    change_phrase,
    change_role,
    end_all_sessions,
    hash_user_phrase,
    load_users,
    parse_user_name,
    remove_user,
)
from tourney.web.director.actions import ActionOutcome, ActionRequest, DeskAction, Preview

_ROLES: Final = {
    UserRole.ORGANISER: "organiser: everything",
    UserRole.DIRECTOR: "director: orders, rulings, alert answers",
    UserRole.OPERATOR: "operator: alert answers, pause, resume; sees no hands",
}


def _users(form: FilledForm) -> list[DeskUser]:
    return load_users(form.drawn.database, form.drawn.event.id)


def _user(asked: ActionRequest) -> DeskUser:
    found = next((user for user in _users(asked) if user.name == asked["user"]), None)
    if found is None:
        raise UsageError(f"there is no user {asked['user']!r}")
    return found


def _names(form: FilledForm) -> Choices:
    return [(user.name, f"{user.name} ({user.role.value})") for user in _users(form)]


def _roles(form: FilledForm) -> Choices:  # noqa: ARG001 # as all choices
    return [(role.value, words) for role, words in _ROLES.items()]


def _teams(form: FilledForm) -> Choices:
    return [(team.name, team.name) for team in form.drawn.event.teams]


def _role_and_team(asked: ActionRequest) -> str:
    team = asked["team"]
    return f"{asked['role']}{f' of {team}' if team else ''}"


def _team_id(asked: ActionRequest) -> int | None:
    return next((team.id for team in asked.drawn.event.teams if team.name == asked["team"]), None)


def _preview_add(asked: ActionRequest) -> Preview:
    name = parse_user_name(asked["name"])
    if any(user.name == name for user in _users(asked)):
        raise RuleError(f"there is a user {name!r} already")
    words = f"{name} can log in with the pass phrase that you type below, as {_role_and_team(asked)}"
    return Preview(name, (words,), phrase_of=name)


def _add(asked: ActionRequest) -> ActionOutcome:
    name, role = parse_user_name(asked["name"]), UserRole(asked["role"])
    hashed = hash_user_phrase(asked.phrase)
    add_user(asked.drawn.database, asked.drawn.event.id, name, role, _team_id(asked), hashed, asked.now_ms)
    return ActionOutcome(f"{name} is added, as {_role_and_team(asked)}")


def _preview_phrase(asked: ActionRequest) -> Preview:
    user = _user(asked)
    words = f"{user.name} logs in with the pass phrase that you type below; all sessions of {user.name} end"
    return Preview(user.name, (words,), phrase_of=user.name)


def _change_phrase(asked: ActionRequest) -> ActionOutcome:
    user = _user(asked)
    hashed = hash_user_phrase(asked.phrase)
    change_phrase(asked.drawn.database, asked.drawn.event.id, user.name, hashed, asked.now_ms)
    return ActionOutcome(f"{user.name} has a new pass phrase")


def _preview_log_out(asked: ActionRequest) -> Preview:
    user = _user(asked)
    return Preview(user.name, (f"all sessions of {user.name} end; {user.name} can log in again",))


def _log_out(asked: ActionRequest) -> ActionOutcome:
    user = _user(asked)
    end_all_sessions(asked.drawn.database, user.id, asked.now_ms)
    return ActionOutcome(f"{user.name} is logged out everywhere")


def _preview_role(asked: ActionRequest) -> Preview:
    user, now = _user(asked), _role_and_team(asked)
    before = f"{user.role.value}{f' of {user.team}' if user.team else ''}"
    return Preview(user.name, (f"{user.name}: {before} becomes {now}; all sessions of {user.name} end",))


def _change_role(asked: ActionRequest) -> ActionOutcome:
    user, role = _user(asked), UserRole(asked["role"])
    change_role(asked.drawn.database, asked.drawn.event.id, user.name, role, _team_id(asked), asked.now_ms)
    return ActionOutcome(f"{user.name} is {role.value} now")


def _preview_remove(asked: ActionRequest) -> Preview:
    user = _user(asked)
    words = f"{user.name} cannot log in any more; orders, rulings and the log keep the name"
    return Preview(user.name, (words,), must_type=user.name)


def _remove(asked: ActionRequest) -> ActionOutcome:
    user = _user(asked)
    remove_user(asked.drawn.database, asked.drawn.event.id, user.name)
    return ActionOutcome(f"{user.name} is removed")


_WHO: Final = Input("user", "User", InputKind.CHOICE, choices=_names)
_ROLE: Final = Input("role", "Role", InputKind.CHOICE, choices=_roles)
_TEAM: Final = Input(
    "team",
    "Team of the user",
    InputKind.CHOICE,
    is_required=False,
    help="they neither rule on its matches nor see boards that it has to play",
    choices=_teams,
)

ADD_USER: Final = DeskAction(
    name="add-user",
    title="Add a user",
    summary="Somebody else may use the desk.",
    right=Right.ADMINISTER,
    preview=_preview_add,
    carry_out=_add,
    fields=(
        Input("name", "Name", help="a-z, 0-9, '.', '_' and '-'; in either case", chars_max=NAME_CHARS_MAX),
        _ROLE,
        _TEAM,
    ),
    level=Level.USERS,
)
CHANGE_PHRASE: Final = DeskAction(
    name="change-phrase",
    title="New pass phrase",
    summary="Gives a user another pass phrase, such as one who has forgotten it.",
    right=Right.ADMINISTER,
    preview=_preview_phrase,
    carry_out=_change_phrase,
    fields=(_WHO,),
    level=Level.USER,
)

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
    fields=(_WHO, _ROLE, _TEAM),
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

PEOPLE: Final = (ADD_USER, LOG_OUT_USER, CHANGE_PHRASE, CHANGE_ROLE, REMOVE_USER)
