"""The players of boards in this process: what names them, how they are made, and how many are asked at once."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from tourney.bots import STYLES, strategy_of
from tourney.bots.seated_player import SeatedPlayer, ask_players, load_model, make_player_of
from tourney.bots.strategy import Strategy
from tourney.errors import PlayerError
from tourney.lab.player_table import Interrupted, Made, PlayerTable, Question, interrupting
from tourney.player.loading import failed, guarded, load_player
from tourney.player.player import Player
from tourney.player.view import View
from tourney.protocol.seat_handover import TableTerms

PlayerSource: TypeAlias = str | Callable[[], Player]
"""What a seat is played by: a `Player` class, its name such as `my_bot:MyBot`, a function that makes a player, or
`basic` or `random` for the players that ship with tourney."""


@dataclass(frozen=True, slots=True)
class PlayerMaker:
    """Makes the player of a seat, again for each table and after each failure."""

    source: PlayerSource
    seed: int = 1
    """What the choices of the reference players vary by."""
    scoring: str = ""
    """What players are told about the scoring."""
    folder: Path = Path()
    """Where the module of a class that is named is looked for before the installed ones."""

    @property
    def name(self) -> str:
        """What it is called in results: the name of the class, or of the style."""
        if isinstance(self.source, str):
            return self.source.rpartition(":")[2]
        name: str = getattr(self.source, "__name__", type(self.source).__name__)
        return name

    def __call__(self) -> Strategy:
        """Make a player.

        Raises:
            PlayerError: there is no such class, or it raised.
        """
        if self.source in STYLES:
            assert isinstance(self.source, str)
            return strategy_of(self.source, self.seed)
        source = _find_class(self.source, self.folder) if isinstance(self.source, str) else self.source
        if isinstance(source, type):
            player = make_player_of(source, _load_model(source))
        else:
            player = guarded(f"{self.name}()", source)
            if not isinstance(player, Player):
                raise PlayerError(f"{self.name}() makes no Player, but {player!r:.100}")
        return SeatedPlayer(player, TableTerms(scoring=self.scoring))


@cache
def _find_class(name: str, folder: Path) -> type[Player]:
    """Return the class that is named, which is imported once in a process."""
    return load_player(name, folder.resolve())


_load_model: Final = cache(load_model)
"""Loads what a class needs, once in a process; a function that makes players has a model of its own."""


def answer_questions(tables: Iterable[PlayerTable]) -> None:
    """Have the players answer that are asked at tables, those of a class together (`Player.act`)."""
    of_class: dict[type[Player], list[PlayerTable]] = {}
    for table in tables:
        question = table.question
        assert question is not None
        strategy = question.link.strategy
        if isinstance(strategy, SeatedPlayer):
            of_class.setdefault(type(strategy.player), []).append(table)
        else:
            began_s = time.perf_counter()
            made = question.ask()
            table.answer(made, time.perf_counter() - began_s)
    for player_class, asked in of_class.items():
        for start in range(0, len(asked), player_class.batch):
            _answer_together(asked[start : start + player_class.batch])


def _answer_together(tables: Sequence[PlayerTable]) -> None:
    """Have players of one class answer; each is charged the time that they take together."""
    began_s = time.perf_counter()
    asked = [(table, table.question) for table in tables if table.question is not None]
    faults = [table.begin(question.link.seat) for table, question in asked]
    fault = next((fault for fault in faults if fault is not None), None)
    if fault is not None:
        made: Sequence[Made | PlayerError] = [PlayerError(fault.error)] * len(asked)
        began_s -= fault.seconds
    else:
        try:
            with interrupting(lambda seconds: sum(table.waits_for(each, seconds) for table, each in asked) > 0):
                made = _ask([question for _, question in asked])
        except Interrupted as error:
            made = [failed("thinking", error)] * len(asked)
    seconds = time.perf_counter() - began_s
    for (table, question), each in zip(asked, made, strict=True):
        table.answer(each, seconds, question)


def end_boards(table: PlayerTable) -> None:
    """Tell the players of a table that has ended that their last board is over."""
    ready_s = table.core.state.settings.rules.time.ready_ms / 1000
    for link in table.seated:
        fault = table.begin(link.seat)
        if fault is not None:
            table.note_failure(link, PlayerError(fault.error))
            continue
        try:
            with interrupting(lambda seconds: seconds < ready_s):
                link.end_board()
        except PlayerError as error:
            table.note_failure(link, error)


def _ask(questions: Sequence[Question]) -> list[Made | PlayerError]:
    """Return what the players that are asked have decided, or how they have failed."""
    made: list[Made | PlayerError | None] = []
    views: list[View] = []
    players: list[SeatedPlayer] = []
    for question in questions:
        player = question.link.strategy
        assert isinstance(player, SeatedPlayer)
        try:
            views.append(player.begin_question(question.known, question.hand))
            players.append(player)
            made.append(None)
        except PlayerError as error:
            made.append(error)
    answers = iter(ask_players([each.player for each in players], views) if players else ())
    asked = zip(players, views, answers, strict=True)
    return [each if each is not None else _read(*next(asked)) for each in made]


def _read(player: SeatedPlayer, view: View, answer: object) -> Made | PlayerError:
    try:
        return player.read_call(view, answer) if view.asks_call else player.read_card(answer)
    except PlayerError as error:
        return error
