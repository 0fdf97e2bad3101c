"""Who may do what at the console: the rights of each role, and what a user's own team forbids."""

from collections.abc import Iterable
from typing import Final

from tourney.contest.draw import MatchInfo
from tourney.director.action import Right
from tourney.errors import TourneyError
from tourney.store.models import UserRole
from tourney.store.users import ConsoleUser

USERS_S: Final = 2.0
"""How often it is asked whether anybody may use the console at all."""

_OPERATOR: Final = frozenset({Right.HOLD, Right.ANSWER})
_DIRECTOR: Final = _OPERATOR | {Right.CONDUCT, Right.SEE_HANDS, Right.SEE_LOG}
RIGHTS: Final = {
    UserRole.OPERATOR: _OPERATOR,
    UserRole.DIRECTOR: _DIRECTOR,
    UserRole.ORGANISER: frozenset(Right),
}

_OF_NO_TEAM: Final = frozenset({Right.SEE_LOG})
"""What a user who belongs to a team may not do at all: the log tells how boards were ruled on."""


class NotAllowed(TourneyError):  # noqa: N818 # a refusal
    """The user may not do this."""


def may(user: ConsoleUser, right: Right) -> bool:
    """Return whether a user has a right, on matches that are not of the user's own team."""
    return right in RIGHTS[user.role] and not (user.team is not None and right in _OF_NO_TEAM)


def check_right(user: ConsoleUser, right: Right) -> None:
    """Check that a user has a right.

    Raises:
        NotAllowed: the role of the user does not give it.
    """
    if not may(user, right):
        raise NotAllowed(f"{user.name} is {user.role.value}, who may not {right.value}")


def check_own_team(user: ConsoleUser, right: Right, matches: Iterable[MatchInfo]) -> None:
    """Check that a user does not decide on the user's own team; whoever sees a table in alarm may pause it.

    Raises:
        NotAllowed: the user belongs to a team of one of these matches.
    """
    if right is Right.HOLD or user.team is None:
        return
    for match in matches:
        if user.team in match.entrants:
            raise NotAllowed(f"{user.name} belongs to {user.team}, so match {match.number} is for somebody else")
