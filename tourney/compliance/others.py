"""The three others at the table: players in memory that follow a situation's script."""

from collections.abc import Callable
from functools import partial

from tourney.bridge import Seat
from tourney.compliance.situations import Situation
from tourney.protocol.bluechip import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say

Hold = Callable[[Situation, AskCall | AskCard, Callable[[], None]], bool]
"""Asked before one of the others calls or plays: True when the answer is held back; the last argument gives it."""


class Other:
    """One of the others: a connection number of the table, and the lines that it has to say."""

    def __init__(
        self,
        connection: int,
        seat: Seat,
        team: str,
        situations: dict[int, Situation],
        say: Callable[[int, str], None],
        hold: Hold,
    ) -> None:
        """Prepare a player.

        Args:
            connection: its number at the table.
            seat: where it sits.
            team: the name it logs on with.
            situations: what it does on a board, by board number.
            say: takes its lines, with its connection.
            hold: may delay its calls and cards.
        """
        self.connection = connection
        self.seat = seat
        self._situations = situations
        self._say = say
        self._hold = hold
        self._core = PlayerCore(seat, team)

    def log_on(self) -> None:
        self._carry_out(self._core.start())

    def receive_line(self, line: str) -> None:
        self._carry_out(self._core.receive_line(line.encode()))

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case Say():
                    self._say(self.connection, effect.line)
                case AskCall():
                    self._decide(effect, partial(self._call, effect))
                case AskCard():
                    self._decide(effect, partial(self._play, effect))
                case Leave():
                    pass

    def _decide(self, ask: AskCall | AskCard, answer: Callable[[], None]) -> None:
        if not self._hold(self._situations[ask.view.number], ask, answer):
            answer()

    def _call(self, ask: AskCall) -> None:
        planned = self._situations[ask.view.number].choose_call(ask.view)
        effects = self._core.make_call(planned.call)
        if effects and planned.word:
            line, *rest = effects
            assert isinstance(line, Say)
            effects = [Say(f"{line.line} {planned.word}. {planned.text}"), *rest]
        self._carry_out(effects)

    def _play(self, ask: AskCard) -> None:
        card = self._situations[ask.view.number].choose_card(ask.view, ask.hand)
        self._carry_out(self._core.make_card(ask.hand, card))
