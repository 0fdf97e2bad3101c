"""Rulings on scores: each says what it would change, and the score of its match afterwards."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Annotated, ClassVar, Final

from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.coordinator.director import Director, RulingBasis, RulingPreview, unfinished_boards
from tourney.coordinator.draw import load_redrawn
from tourney.director.action import ActionPreview, DirectorAction, Level, Offer
from tourney.director.parameters import (
    BOARD,
    MATCH,
    TABLE,
    TEAM,
    ActionParameter,
    Choices,
    FilledForm,
    Input,
    InputKind,
    teams,
)
from tourney.errors import FormatError, RuleError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import WonBy
from tourney.movement.seating import Room
from tourney.plurals import plural
from tourney.protocol.session.records import RULE_AUTHOR, RulingKind
from tourney.results.load import ResultsChange
from tourney.results.travellers import name_tables
from tourney.scoring.assigned import parse_all_assigned
from tourney.scoring.board_scale import IMPS
from tourney.scoring.match import MatchScore
from tourney.store.results.matches import load_match_boards, load_match_scores
from tourney.store.rulings import DecisionOutcome, load_finalisation, load_rulings
from tourney.suggestions import suggest
from tourney.views.rulings import describe_kind, describe_place, describe_ruling

_AVERAGES: Final = ("avg+", "avg", "avg-")
"""Artificial adjusted scores (Laws 2017, Law 12C2)."""

_WARNING: Final = "warning"
"""The amount of a penalty that takes nothing off a score."""

_AMOUNT: Final = re.compile(r"\d{1,4}(?:\.\d{1,2})?")


_OTHER_UNITS: Final = {"vp": "victory points", "percent": "percent of a top"}
"""The units of penalties beside that of the boards, as options have them, and as people read them."""

_AWARD: Final = "avg+, avg, avg-, or a number; empty: as at the tables"
_DIGITS_MAX: Final = 9


def _read_awards(form: FilledForm) -> tuple[str, ...]:
    match = form.drawn.match(int(form["match"]))
    given = ((match.home, form["home"]), (match.away, form["away"]))
    return tuple(f"{team}={amount}" for team, amount in given if amount)


def _units(form: FilledForm) -> Choices:
    scale = form.match.board_scale if form.match is not None else IMPS
    return [("", scale.unit), *(each for each in _OTHER_UNITS.items() if each[0] not in scale.refused_penalties)]


def _rooms(form: FilledForm) -> Choices:
    """Return the rooms of the match that is filled in; both if none is."""
    return [(room.value, room.value) for room in (form.match.segments[0].tables if form.match is not None else Room)]


def _read_place(form: FilledForm) -> str:
    room = form["room"]
    if bool(room) is not bool(form["board"]):
        raise UsageError("a board is forfeited in one room: give both, or neither to forfeit the match")
    return f"{form['match']}-{room}" if room else form["match"]


def _read_rulings(form: FilledForm) -> tuple[int, ...]:
    words = form["rulings"].replace(",", " ").split()
    if not all(word.isascii() and word.isdigit() and len(word) <= _DIGITS_MAX for word in words):
        raise UsageError(f"rulings are numbers such as 3 4, got {form['rulings'][:40]!r}")
    return tuple(map(int, words))


_AWARDS: Final = ActionParameter(
    option="--award",
    metavar="TEAM=AMOUNT",
    help="What a team gets: avg+ (+3), avg (0), avg- (-3), or a number of IMPs. At board-a-match, avg+ (0.6 of a "
    "board), avg (a half), avg- (0.4), or a number of points. Once per team.",
    inputs=(
        Input(
            "home",
            "To the home team",
            is_required=False,
            help=_AWARD,
            own_label=lambda form: f"To {form.match.home}" if form.match is not None else None,
        ),
        Input(
            "away",
            "To the visiting team",
            is_required=False,
            help=_AWARD,
            own_label=lambda form: f"To {form.match.away}" if form.match is not None else None,
        ),
    ),
    read=_read_awards,
)
_RESULTS: Final = ActionParameter(
    "RESULT...",
    inputs=(
        Input("results", "Result", help="4S N 10, 3NTX W 7 or Pass; several by weight: 60: 4S N 10, 40: 4S N 9"),
    ),
    read=lambda form: tuple(result.strip() for result in form["results"].split(",")),
)
_FOR: Final = ActionParameter(
    option="--team",
    metavar="TEAM",
    help="For this team only, as in a split score; by default for both.",
    choices=teams,
)
_AMOUNT_OFF: Final = ActionParameter("AMOUNT", help="3, or 0.5, or warning")
_IN_VP: Final = ActionParameter(
    option="--vp",
    help="Victory points, such as 0.5; by default IMPs or points.",
    inputs=(Input("unit", "Of", InputKind.CHOICE, is_required=False, choices=_units),),
    read=lambda form: form["unit"] == "vp",
)
_IN_PERCENT: Final = ActionParameter(
    option="--percent",
    help="At matchpoints: percent of a top on one board, such as 10.",
    read=lambda form: form["unit"] == "percent",
)
_PLACE: Final = ActionParameter(
    "MATCH[-ROOM]",
    inputs=(
        Input("match", "Match", InputKind.NUMBER),
        Input("room", "Room", InputKind.CHOICE, is_required=False, help="of a single board", choices=_rooms),
    ),
    read=_read_place,
)
_SINGLE_BOARD: Final = ActionParameter(
    option="--board", metavar="BOARD", help="This board only, in the room that is named."
)
_IN_MATCH: Final = ActionParameter(option="--match", metavar="N", help="Cancel it in this match.")
_IN_ROUND: Final = ActionParameter(
    option="--round", metavar="N", help="Cancel it in all matches of this round that play it."
)
_RULINGS: Final = ActionParameter(
    "RULING...",
    inputs=(Input("rulings", "Rulings", help="their numbers, such as 3 4; each has a button under Rulings"),),
    read=_read_rulings,
)


def _offer(name: str, command: str, title: str, level: Level = Level.MATCH, *, has_law: bool = True) -> Offer:
    return Offer(name, f"rule {command}", title, level=level, has_law=has_law, asks_first=True, tells_results=True)


class RulingAction(DirectorAction):
    """A ruling: done by a `Director`, previewed by one that records nothing."""

    @classmethod
    def is_offered(cls, drawn: DrawnEvent) -> bool:
        """Return whether results may still change."""
        word = load_finalisation(*drawn.record)
        return word is None or not word.is_final

    @abstractmethod
    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Give the ruling; return what came of it, a line for each match, team or ruling.

        Raises:
            UsageError: something that it names is not there, or an amount cannot be read.
            RuleError: it is not possible.
            StoreError: the database cannot be used.
        """

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return the ruling in words, and what it does to the scores of matches."""
        director = RulingPreview(drawn.database, drawn.event, drawn.scales)
        self.rule(drawn, director)
        return _shown(drawn, director, director.change, self.words(drawn, director))

    def words(self, drawn: DrawnEvent, director: RulingPreview) -> tuple[str, ...]:
        """Return the ruling in words, without anything that was played, once it was given to a preview."""
        return tuple(
            sentence
            for number in director.scores
            for sentence in _describe_given(
                drawn.match(number), [each for each in director.change.given if each.match == number]
            )
        )

    def record(self, drawn: DrawnEvent, basis: RulingBasis) -> DecisionOutcome:
        """Rule, and score the match again."""
        return DecisionOutcome(self.rule(drawn, Director(drawn.database, drawn.event, drawn.scales, basis)))


class Adjust(RulingAction):
    """Adjust the score of a board, for each team separately.

    EVENT is the path of an event file. What one team gets need not be what the other loses; a team that is not named
    keeps its score from the tables, and so does a pair. For pairs, avg+ is 60 percent of a top or 3 IMPs, or what the
    pair has won on its other boards if that is better. avg- is likewise 40 percent or -3 IMPs. At rubber bridge and
    Chicago a number of points above the line takes the place of what the deal was worth to both sides; there are no
    averages.

    \b
        tourney rule adjust club.toml 3 7 --award Alpha=avg+ --award Beta=avg- --reason "a fouled board"
    """  # noqa: D301 # Law 12C2; Click knows a paragraph to be kept as it is by the character itself

    offer: ClassVar = _offer("adjust", "adjust", "Adjust a score")

    match: Annotated[int, MATCH]
    board: Annotated[int, BOARD]
    awards: Annotated[tuple[str, ...], _AWARDS]
    """`TEAM=AMOUNT` for each team that gets one: avg+, avg, avg-, or a number on the scale of the match."""

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Give each team what it is awarded."""
        match = drawn.match(self.match)
        if not self.awards:
            raise UsageError("say what at least one of the teams gets", option="--award")
        given = _parse_awards(match, self.awards)
        return _outcome(director, match, director.give(RulingKind.ADJUSTED_SCORE, match, given, board=self.board))


class Assign(RulingAction):
    """Assign a result to a board, or several by weight.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open. RESULT is contract, declarer and tricks,
    such as "4S N 10", "3NTX W 7" or Pass. Several results have weights, such as "60: 4S N 10" "40: 4S N 9". Each is
    compared with the other room and converted to IMPs, or to points at board-a-match. These are weighted and rounded
    to whole IMPs, or to hundredths of a point. For pairs each is compared with the results of all other tables first,
    and then weighted, unrounded. For a split score, rule twice, with --team for each.

    \b
        tourney rule assign club.toml 3-open 7 "4S N 10" --reason "misinformation"
    """  # noqa: D301 # Law 12C1; Click knows a paragraph to be kept as it is by the character itself

    offer: ClassVar = _offer("assign", "assign", "Assign a result", Level.TABLE)

    place: Annotated[str, TABLE]
    board: Annotated[int, BOARD]
    results: Annotated[tuple[str, ...], _RESULTS]
    """Contract, declarer and tricks, such as `4S N 10`; with its weight, `60: 4S N 10`, if there are several."""
    team: Annotated[str | None, _FOR] = None
    """For this team only, as in a split score; None for both."""

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Assign them."""
        try:
            assigned = parse_all_assigned(self.results)
        except (FormatError, RuleError) as error:
            raise UsageError(str(error)) from None
        table = drawn.table_at(self.place, self.board)
        match = drawn.match(table.match)
        teams = match.teams if self.team is None else (_team_of(match, self.team),)
        ids = director.give(
            RulingKind.ASSIGNED_SCORE,
            match,
            dict.fromkeys(teams, 0),
            table=table,
            board=self.board,
            assigned=assigned,
        )
        return _outcome(director, match, ids)


class Cancel(RulingAction):
    """Cancel a board: it counts for nobody. That is in one match, or in all matches of a round that play it.

    EVENT is the path of an event file. A match is scored on its other boards, by the same scale. Cancelling the first
    unfinished board of a match of rubber bridge or Chicago, best while its table is paused, breaks it off. It ends
    there, with the premiums for what is unfinished. In a round, all boards are cancelled or none; a match in which
    another ruling sets the score of the board is named, and that ruling has to be withdrawn first.

    \b
        tourney rule cancel club.toml 7 --match 3 --reason "fouled in the closed room"
        tourney rule cancel club.toml 7 --round 2 --reason "the deal became known"
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself

    offer: ClassVar = _offer("cancel", "cancel", "Cancel a board")

    board: Annotated[int, BOARD]
    match: Annotated[int | None, _IN_MATCH] = None
    """The number of the match; None for those of a round."""
    round: Annotated[int | None, _IN_ROUND] = None
    """The round, counted through the event, if it is for all its matches."""

    def matches(self, drawn: DrawnEvent) -> tuple[MatchInfo, ...]:
        """Return the match, or the matches of the round that have the board."""
        if (self.match is None) is (self.round is None):
            raise UsageError("name a match or a round in which the board is cancelled, and not both")
        if self.match is not None:
            return (drawn.match(self.match),)
        rounds = drawn.event.rounds
        if self.round is None or not 1 <= self.round <= len(rounds):
            raise UsageError(f"rounds of {drawn.event.name!r} are 1 to {len(rounds)}, got {self.round}")
        found = tuple(
            match
            for match in rounds[self.round - 1].matches
            if any(board.number == self.board for board in load_match_boards(drawn.database, match))
        )
        if not found:
            raise UsageError(f"no match of round {self.round} has board {self.board}")
        return found

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Cancel it in each of them."""
        return tuple(
            line
            for match in self.matches(drawn)
            for line in _outcome(director, match, director.cancel(match, self.board))
        )


class Fine(RulingAction):
    """Take IMPs, points or victory points off a team's score. Its opponents in the match gain nothing.

    EVENT is the path of an event file. IMPs, or points such as 0.25 at board-a-match, come off before the conversion
    to victory points. For pairs it reduces the total: at matchpoints by a percentage of a top with --percent, where 3
    IMPs are 10 percent; at cross-IMPs and Butler by IMPs. The AMOUNT `warning` takes nothing off: it puts a warning
    on record.
    """  # Law 90

    offer: ClassVar = _offer("penalty", "penalty", "Penalty")

    match: Annotated[int, MATCH]
    team: Annotated[str, TEAM]
    amount: Annotated[str, _AMOUNT_OFF]
    in_vp: Annotated[bool, _IN_VP] = False
    in_percent: Annotated[bool, _IN_PERCENT] = False
    """Percent of a top on one board, at matchpoints."""

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Take them off."""
        if self.in_vp and self.in_percent:
            raise UsageError("--vp and --percent exclude each other")
        match = drawn.match(self.match)
        team = _team_of(match, self.team)
        if self.amount.strip().casefold() == _WARNING:
            return _outcome(director, match, director.give(RulingKind.WARNING, match, {team: 0}))
        asked = "vp" if self.in_vp else "percent" if self.in_percent else ""
        if why := match.board_scale.refused_penalties.get(asked):
            raise UsageError(why, option=f"--{asked}")
        kind = RulingKind.PENALTY_VP if asked else RulingKind.PENALTY_IMPS
        return _outcome(director, match, director.give(kind, match, {team: self._units(match)}))

    def _units(self, match: MatchInfo) -> int:
        with_decimals = self.in_vp or self.in_percent or match.board_scale.hundredths_each == 1
        if _AMOUNT.fullmatch(self.amount) is None or (not with_decimals and "." in self.amount):
            unit = match.board_scale.unit
            in_decimals = "victory points" if self.in_vp else "percent of a top" if self.in_percent else unit
            wanted = f"{in_decimals} with at most 2 decimals" if with_decimals else f"a whole number of {unit}"
            raise UsageError(f"the amount is {wanted}, up to 9999, got {self.amount!r}")
        whole, _, decimals = self.amount.partition(".")
        return 100 * int(whole) + int(decimals.ljust(2, "0")) if with_decimals else int(whole)


class Forfeit(RulingAction):
    """Forfeit a match, or a board, of a team.

    EVENT is the path of an event file. For a forfeited match, the opponents get 60 percent of the victory points, or
    their own score if that is better and half of the boards were played. For a forfeited board, the team gets average
    minus and its opponents average plus.
    """

    offer: ClassVar = _offer("forfeit", "forfeit", "Forfeit")

    place: Annotated[str, _PLACE]
    """The match; with a board, one of its rooms."""
    team: Annotated[str, TEAM]
    board: Annotated[int | None, _SINGLE_BOARD] = None

    def must_type(self, drawn: DrawnEvent) -> str | None:  # noqa: ARG002 # of the base class
        """Return the team, if it forfeits the whole match."""
        return self.team if self.board is None else None

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Forfeit it."""
        tables = drawn.tables_at(self.place)
        match = drawn.match(tables[0].match)
        name = _team_of(match, self.team)
        if self.board is not None:
            table = drawn.table_at(self.place, self.board)
            ids = director.give(RulingKind.BOARD_FORFEIT, match, {name: 0}, table=table, board=self.board)
            return _outcome(director, match, ids)
        if len(tables) < len(match.segments[0].tables):
            raise UsageError(f"a match is forfeited in both rooms: name it as {match.number}, got {self.place!r}")
        if why := match.format.forfeit_problem(match.number, unfinished_boards(drawn.database, match)):
            raise RuleError(why)
        return _outcome(director, match, director.give(RulingKind.MATCH_FORFEIT, match, {name: 0}))


class WithdrawTeam(RulingAction):
    """Withdraw a team from the event. Every match that it has not finished is forfeited.

    EVENT is the path of an event file. A run in progress forfeits them at once; otherwise the next `tourney run`
    does.
    """

    offer: ClassVar = _offer("retire", "withdraw-team", "Withdraw a team", Level.EVENT)

    team: Annotated[str, TEAM]

    def must_type(self, drawn: DrawnEvent) -> str | None:  # noqa: ARG002 # of the base class
        """Return the team."""
        return self.team

    def matches(self, drawn: DrawnEvent) -> tuple[MatchInfo, ...]:
        """Return those of the team."""
        name = drawn.team_named(self.team)
        return tuple(match for match in drawn.event.matches if name in match.teams)

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Put it on record; the run in progress, or the next, forfeits the matches."""
        name = drawn.team_named(self.team)
        (ruling,) = director.give(RulingKind.WITHDRAWAL, None, {name: 0})
        return (f"ruling {ruling}; {name} has left the event",)

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return who leaves."""
        director = RulingPreview(drawn.database, drawn.event, drawn.scales)
        self.rule(drawn, director)
        name = drawn.team_named(self.team)
        words = f"{name} leaves the event: every match that it has not finished is forfeited"
        scores = load_match_scores(*drawn.record)
        left = [match for match in self.matches(drawn) if match.number not in scores]
        for match in left:  # as the run will, without which the standings would seem to stay as they are
            director.give(RulingKind.MATCH_FORFEIT, match, {name: 0})
        numbers = f"{plural(len(left), 'match', 'matches')} {', '.join(str(match.number) for match in left)}"
        forfeits = (f"the run in progress, or the next, forfeits {numbers}",) if left else ()
        change = director.change
        given = (replace(each, author=RULE_AUTHOR) if each.match is not None else each for each in change.given)
        return _shown(drawn, director, replace(change, given=tuple(given)), (words, *forfeits))


class WithdrawRulings(RulingAction):
    """Withdraw rulings by their numbers; they stay on record.

    EVENT is the path of an event file; `tourney rulings` lists the numbers. A board whose forfeit is withdrawn has no
    result in that room: have it played again, or assign a result.
    """

    offer: ClassVar = _offer("withdraw", "withdraw", "Withdraw rulings", Level.EVENT, has_law=False)

    rulings: Annotated[tuple[int, ...], _RULINGS]

    def subject(self, drawn: DrawnEvent) -> str:  # noqa: ARG002 # of the base class
        """Return the rulings."""
        return f"rulings {', '.join(map(str, self.rulings))[:80]}"

    def matches(self, drawn: DrawnEvent) -> tuple[MatchInfo, ...]:
        """Return those that the rulings are on."""
        numbers = {each.match for each in load_rulings(*drawn.record) if each.id in self.rulings}
        return tuple(match for match in drawn.event.matches if match.number in numbers)

    def words(self, drawn: DrawnEvent, director: RulingPreview) -> tuple[str, ...]:  # noqa: ARG002 # as all rulings
        """Return which rulings end; what they say may tell how a board was played."""
        return tuple(f"ruling {number} no longer counts" for number in dict.fromkeys(self.rulings))

    def preview(self, drawn: DrawnEvent) -> ActionPreview:
        """Return which rulings end, what they say, and what becomes of the scores of their matches."""
        shown = super().preview(drawn)
        rulings = {each.id: each for each in load_rulings(*drawn.record)}
        tables = name_tables(drawn)
        said = tuple(f"ruling {number} is: {describe_ruling(rulings[number], tables)}" for number in self.rulings)
        return replace(shown, changes=(*said, *shown.changes))

    def rule(self, drawn: DrawnEvent, director: Director) -> tuple[str, ...]:
        """Withdraw all of them or none, and score their matches again."""
        withdrawn = director.withdraw(list(dict.fromkeys(self.rulings)))
        tables = name_tables(drawn)
        lines = [f"ruling {ruling.id} is withdrawn: {describe_ruling(ruling, tables)}" for ruling in withdrawn]
        for number in sorted({ruling.match for ruling in withdrawn if ruling.match is not None}):
            ids = [ruling.id for ruling in withdrawn if ruling.match == number]
            lines += _outcome(director, drawn.match(number), ids)
        return tuple(lines)


def _describe_given(match: MatchInfo, rulings: Iterable[Ruling]) -> Iterator[str]:
    """Describe rulings as lists of them do, with what the other teams get; a sentence for all on the same board."""
    scale = match.board_scale
    for (kind, _, _), same in groupby(rulings, key=lambda each: (each.kind, each.room, each.board)):
        given, others_get = list(same), ""
        gets: dict[str, list[str]] = {}
        for ruling in given:
            gets.setdefault(describe_kind(ruling), []).append(ruling.team)
        if kind in (RulingKind.ADJUSTED_SCORE, RulingKind.ASSIGNED_SCORE):
            others_get = match.format.others_get
        elif kind is RulingKind.BOARD_FORFEIT and scale.averages:
            others_get = scale.describe_award(scale.plus)
            gets = {f"{what}, {scale.describe_award(scale.minus)}": teams for what, teams in gets.items()}
        others = [team for team in match.teams if team not in {ruling.team for ruling in given}]
        if others and others_get:
            gets.setdefault(others_get, []).extend(others)
        words = [": ".join(filter(None, (" and ".join(teams), what))) for what, teams in gets.items()]
        yield f"{describe_place(given[0])}: {'; '.join(words)}"


def _outcome(director: Director, match: MatchInfo, ids: Sequence[int]) -> tuple[str, ...]:
    """Return which rulings were given, and the score of the match with them."""
    which = ", ".join(map(str, ids))
    now = _describe(match, director.score_of(match))
    line = f"{plural(len(ids), 'ruling')} {which}; match {match.number}: {match.home} - {match.away} {now}"
    return (line, *_notes(director, match))


def _notes(director: Director, match: MatchInfo) -> tuple[str, ...]:
    """Return what there is to be said of a match beside its score: that it is level, or who goes on nevertheless."""
    if match.number in director.notes:
        return (director.notes[match.number],)
    made = director.finished.get(match.number)
    said = match.format.describe_winner(made) if made is not None and made.won_by is not WonBy.DRAW else ""
    return (f"match {match.number}: {said}",) if said else ()


def _shown(
    drawn: DrawnEvent, director: RulingPreview, change: ResultsChange, words: tuple[str, ...]
) -> ActionPreview:
    """Return what rulings change: scores, and the rounds that were drawn from them."""
    scores = (_change(drawn.match(number), *scores) for number, scores in director.scores.items())
    notes = (note for number in director.scores for note in _notes(director, drawn.match(number)))
    redrawn = load_redrawn(drawn.file, drawn.database, drawn.event, change)
    costs = [
        f"round {each.number} has begun and stays as drawn, though this ruling would draw it {each.difference}. "
        "`tourney rule forfeit` or `tourney rule penalty` on its matches can make up for that."
        if each.has_begun
        else f"round {each.number} is drawn again before it begins: {each.difference}."
        for each in redrawn
    ]
    question = "Rule all the same?" if any(each.has_begun for each in redrawn) else ""
    return ActionPreview((*scores, *notes), " ".join(costs), question, change, words)


def _change(match: MatchInfo, now: MatchScore | None, then: MatchScore | None) -> str:
    name = f"match {match.number}: {match.home} - {match.away}"
    if now == then:
        return f"{name} {_describe(match, now)}, as before"
    before = f"it was {_describe(match, now)}" if now is not None else "it had no score"
    return f"{name} {_describe(match, then)}; before, {before}"


def _describe(match: MatchInfo, score: MatchScore | None) -> str:
    return "has no score yet" if score is None else match.format.describe_score(match, score)


def _team_of(match: MatchInfo, name: str) -> str:
    """Return the team of the match with that name, in upper or lower case."""
    for team in match.teams:
        if team.casefold() == name.strip().casefold():
            return team
    meant = suggest(name, match.teams)
    raise UsageError(f"match {match.number} is {match.home} - {match.away}, got team {name!r}{meant}")


def _parse_awards(match: MatchInfo, texts: Sequence[str]) -> dict[str, int]:
    scale = match.board_scale
    averages = dict(zip(_AVERAGES, scale.averages, strict=False))
    awards: dict[str, int] = {}
    for text in texts:
        name, mark, amount = text.rpartition("=")
        amount = amount.strip().casefold()
        if not mark:
            raise UsageError(f"--award is TEAM=AMOUNT, such as Alpha=avg+ or Alpha=-3, got {text!r}")
        team = _team_of(match, name)
        if team in awards:
            raise UsageError(f"{team} is named twice", option="--award")
        if amount in averages:
            awards[team] = averages[amount]
        elif (found := scale.parse_figure(amount)) is not None:
            awards[team] = found
        else:
            raise UsageError(f"{team} gets {scale.describe_awards()}, got {amount!r}", option="--award")
    return awards
