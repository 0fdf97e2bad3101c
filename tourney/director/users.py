"""Users of the director's console: added, logged out, given another passphrase or role, removed."""

from abc import abstractmethod
from dataclasses import field, replace
from typing import Annotated, ClassVar, Final

from tourney.coordinator.director import RulingBasis
from tourney.director.action import ActionPreview, DirectorAction, Level, Offer, Reason, Right
from tourney.director.parameters import ActionParameter, Choices, FilledForm, teams
from tourney.errors import RuleError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.store.models import UserRole
from tourney.store.rulings import DecisionOutcome
from tourney.store.users import (
    NAME_CHARS_MAX,
    ConsoleUser,
    add_user,
    change_phrase,
    change_role,
    end_all_sessions,
    has_users,
    load_users,
    parse_user_name,
    remove_user,
)

_ROLES: Final = {
    UserRole.ORGANISER: "organiser: everything",
    UserRole.DIRECTOR: "director: orders, rulings, alert answers",
    UserRole.OPERATOR: "operator: alert answers, pause, resume; sees no hands",
}


def _users(form: FilledForm) -> Choices:
    users = load_users(form.drawn.database, form.drawn.event.id)
    return [(user.name, f"{user.name} ({user.role.value})") for user in users]


_NEW_NAME: Final = ActionParameter(
    "NAME",
    name="name",
    help="a-z, 0-9, '.', '_' and '-'; in either case",
    chars_max=NAME_CHARS_MAX,
    convert=parse_user_name,
)
_WHO: Final = ActionParameter("NAME", name="user", choices=_users, convert=parse_user_name)


def _role_named(text: str) -> UserRole:
    try:
        return UserRole(text)
    except ValueError:
        raise UsageError(f"a role is {', '.join(UserRole)}, got {text!r}") from None


_ROLE: Final = ActionParameter(
    "ROLE", choices=lambda _: [(role.value, words) for role, words in _ROLES.items()], convert=_role_named
)
_TEAM: Final = ActionParameter(
    option="--team",
    metavar="TEAM",
    label="Team of the user",
    help="They neither rule on its matches nor see boards that it has to play.",
    choices=teams,
)


def _offer(name: str, command: str, title: str, level: Level = Level.USER) -> Offer:
    right, reason = Right.ADMINISTER, Reason.CONSOLE
    return Offer(name, f"user {command}", title, right=right, level=level, reason=reason)


class UserAction(DirectorAction):
    """Something that is done to a user of the console."""

    login: Annotated[str, _WHO]

    def subject(self, drawn: DrawnEvent) -> str:  # noqa: ARG002 # of the base class
        """Return the name of the user."""
        return self.login

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Change the user."""
        return DecisionOutcome((f"{self.login} {self.change(drawn, basis.at_ms)}",))

    @abstractmethod
    def change(self, drawn: DrawnEvent, now_ms: int) -> str:
        """Change the user; return what became of them, after their name.

        Raises:
            RuleError: there is no such user, or it is not possible.
            StoreError: the database cannot be used.
        """

    def user(self, drawn: DrawnEvent) -> ConsoleUser:
        """Return the user.

        Raises:
            UsageError: there is none.
        """
        for user in load_users(*drawn.record):
            if user.name == self.login:
                return user
        raise UsageError(f"there is no user {self.login!r}", remedy="`tourney user list EVENT` names them")


def _team_id(drawn: DrawnEvent, team: str | None) -> int | None:
    return drawn.team_id(team) if team is not None else None


def _describe(role: UserRole, team: str | None) -> str:
    return f"{role.value}{f' of {team}' if team is not None else ''}"


class PhraseAction(UserAction):
    """An action that gives a user a new passphrase, which is asked for apart from all else."""

    phrase_hash: str = field(default="", repr=False, kw_only=True)
    """As `hash_user_phrase` makes it."""


class AddUser(PhraseAction):
    """Add a user, and ask for the passphrase.

    EVENT is the path of an event file, NAME what the user logs in with: letters, digits, `.`, `_`, `-`, in either
    case. ROLE is operator, director or organiser. An operator answers alerts, pauses and resumes, and sees no hands.
    A director gives every order and ruling; an organiser also makes results final and manages users. A user who
    belongs to a team neither rules on its matches nor sees the hands of boards that it still has to play.
    """

    offer: ClassVar = _offer("add-user", "add", "Add a user", Level.USERS)

    login: Annotated[str, _NEW_NAME]
    role: Annotated[UserRole, _ROLE]
    team: Annotated[str | None, _TEAM] = None

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return as what the user can log in."""
        _team_id(drawn, self.team)
        if any(user.name == self.login for user in load_users(*drawn.record)):
            raise RuleError(
                f"there is a user {self.login!r} already",
                remedy="`tourney user` has passphrase and role to change one",
            )
        who = _describe(self.role, self.team)
        return ActionPreview((f"{self.login} can log in with the passphrase that you type below, as {who}",))

    def change(self, drawn: DrawnEvent, now_ms: int) -> str:
        """Put the user on record."""
        team_id = _team_id(drawn, self.team)
        add_user(*drawn.record, self.login, self.role, team_id, self.phrase_hash, now_ms)
        return f"is added, as {_describe(self.role, self.team)}"

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Add the user; a line more says that there is a console from the first one on."""
        is_first = not has_users(*drawn.record)
        done = super().record(drawn, basis)
        more = ("`tourney serve` has a console from now on, at /director",) if is_first else ()
        return replace(done, lines=(*done.lines, *more))


class LogOutUser(UserAction):
    """End all sessions of a user, who can log in again.

    EVENT is the path of an event file.
    """

    offer: ClassVar = _offer("log-out-user", "log-out", "Log out")

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what ends."""
        name = self.user(drawn).name
        return ActionPreview((f"all sessions of {name} end; {name} can log in again",))

    def change(self, drawn: DrawnEvent, now_ms: int) -> str:
        """End them."""
        end_all_sessions(drawn.database, self.user(drawn).id, now_ms)
        return "is logged out everywhere"


class ChangePhrase(PhraseAction):
    """Give a user another passphrase. The sessions with the old one end.

    EVENT is the path of an event file.
    """

    offer: ClassVar = _offer("change-phrase", "passphrase", "New passphrase")

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return how the user logs in then."""
        name = self.user(drawn).name
        words = f"{name} logs in with the passphrase that you type below; all sessions of {name} end"
        return ActionPreview((words,))

    def change(self, drawn: DrawnEvent, now_ms: int) -> str:
        """Put it on record."""
        change_phrase(*drawn.record, self.login, self.phrase_hash, now_ms)
        return "has a new passphrase"


class ChangeRole(UserAction):
    """Give a user another role. They belong to a team or to none, and their sessions end.

    EVENT is the path of an event file.
    """

    offer: ClassVar = _offer("change-role", "role", "Change role")

    role: Annotated[UserRole, _ROLE]
    team: Annotated[str | None, _TEAM] = None

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what the user was and becomes."""
        user, now = self.user(drawn), _describe(self.role, self.team)
        before = _describe(user.role, user.team)
        return ActionPreview((f"{user.name}: {before} becomes {now}; all sessions of {user.name} end",))

    def change(self, drawn: DrawnEvent, now_ms: int) -> str:
        """Put it on record."""
        team_id = _team_id(drawn, self.team)
        change_role(*drawn.record, self.login, self.role, team_id, now_ms)
        return f"is {_describe(self.role, self.team)} now"


class RemoveUser(UserAction):
    """Remove a user, whose sessions end at once.

    EVENT is the path of an event file. Orders, rulings and the log of the console keep the name.
    """

    offer: ClassVar = _offer("remove-user", "remove", "Remove")

    def must_type(self, drawn: DrawnEvent) -> str | None:  # noqa: ARG002 # of the base class
        """Return the name of the user."""
        return self.login

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return what the user cannot do any more."""
        name = self.user(drawn).name
        return ActionPreview((f"{name} cannot log in any more; orders, rulings and the log keep the name",))

    def change(self, drawn: DrawnEvent, now_ms: int) -> str:  # noqa: ARG002 # of the base class
        """Take the user away."""
        remove_user(*drawn.record, self.login)
        return "is removed"
