"""Rulings on scores, and the results of the event as a whole, from the desk."""

from collections.abc import Iterator
from typing import Final

from tourney.director.results import Finalise, Publish, Reopen
from tourney.director.rulings import Adjust, Assign, Cancel, Fine, Forfeit, Retire, Warn, Withdraw
from tourney.errors import UsageError
from tourney.web.director.access import Right
from tourney.web.director.actions import Choices, DeskAction, Errand, FieldKind, FormField, Level, Reason
from tourney.web.director.offers import (
    BOARD,
    LAW,
    MATCH,
    PLACE,
    is_possible,
    match_board,
    match_of,
    number,
    offer,
    rooms,
    teams,
)

_TEAM: Final = FormField("team", "Team", FieldKind.CHOICE, choices=teams)
_AWARD: Final = "avg+, avg, avg-, or a number; empty: as at the tables"


def _adjust(errand: Errand) -> Adjust:
    return Adjust(number(errand, MATCH), number(errand, BOARD), tuple(_awards(errand)))


def _awards(errand: Errand) -> Iterator[str]:
    match = errand.drawn.match(number(errand, MATCH))
    for team, amount in ((match.home, errand["home"]), (match.away, errand["away"])):
        if amount:
            yield f"{team}={amount}"
    if not errand["home"] and not errand["away"]:
        raise UsageError("say what at least one of the teams gets")


def _to_home(errand: Errand) -> str | None:
    match = match_of(errand)
    return f"To {match.home}" if match is not None else None


def _to_away(errand: Errand) -> str | None:
    match = match_of(errand)
    return f"To {match.away}" if match is not None else None


def _assign(errand: Errand) -> Assign:
    results = tuple(line.strip() for line in errand["results"].splitlines() if line.strip())
    return Assign(errand[PLACE.name], number(errand, BOARD), results, errand[_TEAM.name] or None)


def _units(errand: Errand) -> Choices:
    match = match_of(errand)
    of_scale = match.board_scale.unit if match is not None else "IMPs"
    if match is not None and match.format.is_of_pairs:
        return [("", of_scale), ("percent", "percent of a top, at matchpoints")]
    return [("", of_scale), ("vp", "victory points")]


def _fine(errand: Errand) -> Fine:
    return Fine(
        number(errand, MATCH),
        errand[_TEAM.name],
        errand["amount"],
        in_vp=errand["unit"] == "vp",
        in_percent=errand["unit"] == "percent",
    )


def _forfeit(errand: Errand) -> Forfeit:
    match, room, board = number(errand, MATCH), errand["room"], errand[BOARD.name]
    if bool(room) is not bool(board):
        raise UsageError("a board is forfeited in one room: give both, or neither to forfeit the match")
    return Forfeit(f"{match}-{room}" if room else str(match), errand[_TEAM.name], int(board) if board else None)


def _withdraw(errand: Errand) -> Withdraw:
    words = errand["rulings"].replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) <= _DIGITS_MAX for word in words):
        raise UsageError(f"rulings are numbers such as 3 4, got {errand['rulings'][:40]!r}")
    return Withdraw(tuple(map(int, words)))


_DIGITS_MAX: Final = 9

RULINGS: Final[tuple[DeskAction, ...]] = (
    offer(
        "adjust",
        "Adjust a score",
        "An artificial adjusted score on a board, for each team separately: what one gets need not be what the other "
        "loses.",
        _adjust,
        match_board,
        fields=(
            MATCH,
            BOARD,
            FormField("home", "To the home team", is_required=False, help=_AWARD, own_label=_to_home),
            FormField("away", "To the visiting team", is_required=False, help=_AWARD, own_label=_to_away),
            LAW,
        ),
        level=Level.MATCH,
        tells_results=True,
    ),
    offer(
        "assign",
        "Assign a result",
        "A board gets a result in one room, or several by weight, which are compared with the other room.",
        _assign,
        lambda errand: f"{errand[PLACE.name]}, board {errand[BOARD.name]}",
        fields=(
            PLACE,
            BOARD,
            FormField(
                "results",
                "Results, a line each",
                FieldKind.LONG_TEXT,
                help="4S N 10, or with weights: 60: 4S N 10, and on the next line 40: 4S N 9",
            ),
            FormField("team", "For", FieldKind.CHOICE, is_required=False, help="empty: for both", choices=teams),
            LAW,
        ),
        tells_results=True,
    ),
    offer(
        "cancel",
        "Cancel a board",
        "A board of a match counts for nobody; the match is scored on its other boards.",
        lambda errand: Cancel(number(errand, MATCH), number(errand, BOARD)),
        match_board,
        fields=(MATCH, BOARD, LAW),
        level=Level.MATCH,
        tells_results=True,
    ),
    offer(
        "penalty",
        "Penalty",
        "A team loses IMPs, points or victory points in a match; its opponents gain nothing.",
        _fine,
        lambda errand: f"match {errand[MATCH.name]}, {errand[_TEAM.name]}",
        fields=(
            MATCH,
            _TEAM,
            FormField("amount", "Amount", help="3, or 0.5"),
            FormField("unit", "Of", FieldKind.CHOICE, is_required=False, choices=_units),
            LAW,
        ),
        level=Level.MATCH,
        tells_results=True,
    ),
    offer(
        "warn",
        "Warning",
        "A warning to a team goes on record; no score changes.",
        lambda errand: Warn(number(errand, MATCH), errand[_TEAM.name]),
        lambda errand: f"match {errand[MATCH.name]}, {errand[_TEAM.name]}",
        fields=(MATCH, _TEAM, LAW),
        level=Level.MATCH,
        tells_results=True,
    ),
    offer(
        "forfeit",
        "Forfeit",
        "A team forfeits a match, or a board of it in one room.",
        _forfeit,
        lambda errand: f"match {errand[MATCH.name]}, {errand[_TEAM.name]}",
        fields=(
            MATCH,
            _TEAM,
            FormField("room", "Room", FieldKind.CHOICE, is_required=False, help="of a single board", choices=rooms),
            FormField(BOARD.name, "Board", FieldKind.NUMBER, is_required=False, help="empty: the whole match"),
            LAW,
        ),
        level=Level.MATCH,
        must_type=lambda errand: None if errand[BOARD.name] else errand[_TEAM.name],
        tells_results=True,
    ),
    offer(
        "retire",
        "Withdraw a team",
        "A team leaves the event: every match that it has not finished is forfeited.",
        lambda errand: Retire(errand[_TEAM.name]),
        lambda errand: errand[_TEAM.name],
        fields=(_TEAM, LAW),
        level=Level.EVENT,
        must_type=lambda errand: errand[_TEAM.name],
        tells_results=True,
    ),
    offer(
        "withdraw",
        "Withdraw rulings",
        "Rulings stay on record but do not count any more. A board whose forfeit is withdrawn has no result in that "
        "room: have it played again, or assign one.",
        _withdraw,
        lambda errand: f"rulings {errand['rulings'][:80]}",
        fields=(FormField("rulings", "Rulings", help="their numbers, such as 3 4; each has a button under Rulings"),),
        level=Level.EVENT,
        tells_results=True,
    ),
)

RESULTS: Final[tuple[DeskAction, ...]] = (
    offer(
        "finalise",
        "Make final",
        "The results of the event become final: no ruling is possible until they are opened again.",
        lambda errand: Finalise(is_abandoned=bool(errand["abandoned"])),
        lambda errand: errand.drawn.event.name,
        right=Right.ADMINISTER,
        is_offered=lambda drawn: not is_possible(Reopen())(drawn),
        fields=(
            FormField(
                "abandoned", "Although matches are left, which nobody plays", FieldKind.TICK, is_required=False
            ),
        ),
        level=Level.EVENT,
        reason=Reason.DESK,
        must_type=lambda errand: errand.drawn.event.name,
    ),
    offer(
        "publish",
        "Publish now",
        "The results of the rounds that are frozen are shown to everybody, before they are final. It cannot be taken "
        "back.",
        lambda _: Publish(),
        lambda errand: errand.drawn.event.name,
        right=Right.ADMINISTER,
        is_offered=is_possible(Publish()),
        level=Level.EVENT,
        reason=Reason.DESK,
        must_type=lambda errand: errand.drawn.event.name,
    ),
    offer(
        "reopen",
        "Open again",
        "Final results may change again.",
        lambda _: Reopen(),
        lambda errand: errand.drawn.event.name,
        right=Right.ADMINISTER,
        is_offered=is_possible(Reopen()),
        level=Level.EVENT,
        reason=Reason.DESK,
    ),
)
