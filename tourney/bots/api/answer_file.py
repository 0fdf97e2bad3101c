"""The answers of a service, kept in a file: a board that is begun again takes the same course."""

import json
from pathlib import Path

from tourney.bots.api.dialect import ApiAnswer, ApiQuestion, read_call_text, read_card_text
from tourney.bots.strategy import Decision
from tourney.errors import FormatError, LaunchError


class AnswerFile:
    """Answers by what the seat knew when it asked: the board, its hand, the calls and cards."""

    def __init__(self, path: Path) -> None:
        """Read the answers that are there.

        Raises:
            LaunchError: the file cannot be read or written.
        """
        self._path = path
        self._answers: dict[str, ApiAnswer] = {}
        try:
            with path.open("a+", encoding="utf-8", errors="replace") as file:
                file.seek(0)
                text = file.read()
                if text and not text.endswith("\n"):  # the program was ended while it wrote the line
                    file.write("\n")
        except OSError as error:
            raise self._unusable(error) from None
        for line in text.splitlines():
            try:
                self._read(json.loads(line))
            except (ValueError, KeyError, TypeError, FormatError):
                continue

    def find(self, question: ApiQuestion) -> ApiAnswer | None:
        """Return what was answered when the seat knew the same; None if it was not asked."""
        return self._answers.get(_describe(question))

    def add(self, question: ApiQuestion, answer: ApiAnswer) -> None:
        """Keep an answer.

        Raises:
            LaunchError: the file cannot be written.
        """
        known = _describe(question)
        self._answers[known] = answer
        if isinstance(answer, Decision):
            line = {"known": known, "call": str(answer.call), "alert": answer.alert}
        else:
            line = {"known": known, "card": str(answer)}
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")
        except OSError as error:
            raise self._unusable(error) from None

    def _read(self, line: dict[str, str]) -> None:
        if "card" in line:
            self._answers[line["known"]] = read_card_text(line["card"])
        else:
            self._answers[line["known"]] = Decision(read_call_text(line["call"]), line["alert"])

    def _unusable(self, error: OSError) -> LaunchError:
        return LaunchError(f"{self._path}, the file of answers, cannot be used: {error.strerror}")


def _describe(question: ApiQuestion) -> str:
    """Return what the seat knows, and the hand in turn, as a line."""
    view = question.view
    calls = " ".join(map(str, view.auction.calls))
    cards = " ".join(str(card) for _, card in view.cards)
    return f"{view.number} {view.seat.letter} {question.hand.letter} {view.hand} | {calls} | {cards}"
