"""The tags of rubber bridge and Chicago in PBN (PBN 2.1 sections 4.2.5 and 4.2.6), from the ledger of a match.

ScoreRubber is what a deal gives both sides, above and below the line; ScoreRubberHistory is what stands on the sheet
of a rubber before it: the points above the line of earlier rubbers and of this one, then those below it, game by
game. Two tags are our own, as section 4.9 allows, for a reader that is to keep the score again: `GameRules` has what
the players have agreed on, and after how many deals a match ended that left something unfinished; `Counted` what
counts by a ruling in place of the result: `4S N 10`, `Pass`, or the points of both sides, `NS 0 EW 300`.
"""

from collections.abc import Iterator, Mapping

from tourney.bridge import Side
from tourney.results.played import PlayedMatch
from tourney.results.score_sheet import ScoreSheet, score_sheet_of
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.games import GameKind, GameSettings
from tourney.scoring.ledger import NO_POINTS


def sheet_of(played: PlayedMatch) -> ScoreSheet | None:
    """Returns the score sheet of a match as far as its boards may be shown; None for a match of teams or pairs."""
    return score_sheet_of(played.card, [board.board for board in played.boards])


def game_tags(sheet: ScoreSheet) -> Mapping[int, tuple[tuple[str, str], ...]]:
    """Returns the tags of each deal on a sheet, by the number of its board."""
    histories = _histories(sheet) if sheet.settings.kind is GameKind.RUBBER else iter(())
    tags: dict[int, tuple[tuple[str, str], ...]] = {}
    for counted, entry in sheet.deals:
        # PBN's names for the games (section 4.1.1) are those of their scoring too; it has none for Minibridge.
        own = [("Competition", sheet.settings.kind.capitalize())]
        if sheet.settings.kind is not GameKind.MINIBRIDGE:
            own.append(("GameRules", format_rules(sheet.settings, stopped_after=_stopped_after(sheet))))
        if sheet.settings.has_line:
            own.append(("ScoreRubber", " ".join(f"{s} {entry.above[s]}/{entry.below[s]}" for s in Side)))
            own.append(("Score", ""))  # the score with the premiums of duplicate bridge is none here
        if entry.imps_ns is not None:
            own.append(("ScoreIMP", f"NS {entry.imps_ns}"))
        if sheet.settings.kind is GameKind.RUBBER:
            own.append(("ScoreRubberHistory", next(histories)))
        if counted.awarded is not None:
            own.append(("Counted", f"NS {counted.awarded.ns} EW {counted.awarded.ew}"))
        elif counted.result is not None and counted.result != counted.played:
            made = AssignedResult(0, counted.result.contract, counted.result.tricks)
            own.append(("Counted", str(made)))
        tags[counted.board.number] = tuple(own)
    return tags


def _stopped_after(sheet: ScoreSheet) -> int | None:
    """Returns after how many deals a match ended with something unfinished; None if it did not."""
    return len(sheet.deals) if sheet.is_over and sheet.deals and not sheet.deals[-1][1].after.is_finished else None


def _histories(sheet: ScoreSheet) -> Iterator[str]:
    """Yields what stands on the sheet before each deal."""
    earlier = current = NO_POINTS
    games = [NO_POINTS]
    for _, entry in sheet.deals:
        yield " ".join(
            f"{side} {earlier[side]} {current[side]}/{' '.join(str(game[side]) for game in games)}" for side in Side
        )
        current += entry.above
        games[-1] += entry.below
        if entry.game_won is not None:
            games.append(NO_POINTS)
        if entry.after.is_between:
            earlier, current, games = earlier + current, NO_POINTS, [NO_POINTS]


def format_rules(settings: GameSettings, *, stopped_after: int | None) -> str:
    """Formats what players have agreed on: `scoring=plain order=modern honours=yes passed-out=redeal ...`.

    A match that ended with something unfinished has the number of its deals, `deals=4`: premiums for that count.
    """
    rules = {
        "scoring": settings.scoring.value,
        "order": settings.order.value,
        "honours": "yes" if settings.honours else "no",
        "passed-out": settings.passed_out.value,
        "unfinished": settings.unfinished.value,
    }
    if settings.kind is GameKind.RUBBER:
        del rules["scoring"], rules["order"]
    if stopped_after is not None:
        rules["deals"] = str(stopped_after)
    return " ".join(f"{name}={value}" for name, value in rules.items())
