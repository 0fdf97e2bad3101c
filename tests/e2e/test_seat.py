"""A person who plays in a browser against a program of its own."""

import html
import re
import signal
from pathlib import Path
from typing import Final

import httpx2
import pytest

from tests.support.commands import check_record, json_report, run
from tests.support.events import FOREIGN, read_until, rest_of, start_tourney

WAIT_S: Final = 60
"""How long the table may take until it is the person's turn again."""

_LEGAL: Final = re.compile(r'<button class="(?:call|face)[^"]*" name="(call|card)" value="([^"]+)"(?![^>]*disabled)')
_HIDDEN: Final = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


class SeatBrowser:
    """One person with the cookies of a browser.

    Args:
        address: that of the server, with a slash at its end.
    """

    def __init__(self, address: str) -> None:
        self._origin = address.rstrip("/")
        self._client = httpx2.Client(base_url=address, timeout=WAIT_S, headers={"origin": self._origin})
        self.page = ""
        """The page as it was last read."""

    def sit(self, **form: str) -> None:
        """Fill in the door."""
        answer = self._client.post("/seat/enter", data={"phrase": "", **form})
        assert answer.headers.get("location") == "/seat/table", answer.text
        self.read()

    def read(self) -> str:
        """Read the page anew."""
        self.page = self._client.get("/seat/table").text
        return self.page

    def legal(self) -> list[tuple[str, str]]:
        """The buttons that may be pressed, each with its name and its value."""
        return [(name, value) for name, value in _LEGAL.findall(self.page)]

    def press(self, name: str, value: str) -> None:
        """Press a button."""
        fields = {key: html.unescape(text) for key, text in _HIDDEN.findall(self.page)}
        answer = self._client.post("/seat/do", data=fields | {name: value})
        assert answer.status_code == 303, answer.text
        self.read()

    def play_until(self, text: str) -> None:
        """Pass, and play the first card that may be played, until the page has a text."""
        with self._client.stream("GET", "/seat/events") as stream:
            changes = (line for line in stream.iter_lines() if line.startswith("event: "))
            while text not in self.read():
                legal = self.legal()
                if legal:
                    passing = ("call", "Pass")
                    self.press(*(passing if passing in legal else legal[0]))
                else:
                    next(changes)

    def close(self) -> None:
        self._client.close()


def test_a_person_plays_against_its_own_program_without_a_script_and_the_game_is_on_record(tmp_path: Path) -> None:
    playing = start_tourney(
        *("play", "--against", FOREIGN, "--boards", "1", "--seed", "5", "--keep", "game"),
        cwd=tmp_path,
    )
    found = re.search(r"(http://\S+/)seat\?name=You", read_until(playing, "seat?name=You"))
    assert found is not None
    read_until(playing, "passphrase")
    person = SeatBrowser(found[1])
    try:
        person.sit(name="You")
        person.play_until("Board 1: ")
        read_until(playing, "All boards are played")
    finally:
        person.close()
        playing.send_signal(signal.SIGINT)
    assert rest_of(playing).status == 130
    event = tmp_path / "game" / "event.toml"
    check_record(event)
    (match,) = json_report("standings", event)["fields"][0]["standings"][:1]
    assert match["played"] == 1


@pytest.mark.campaign
def test_a_program_that_cannot_be_started_is_named_to_who_wants_to_play_against_it() -> None:
    ended = run("play", "--against", "no-such-program {port}", "--boards", "1")
    assert ended.exit_code == 1
    assert "no-such-program" in ended.stderr


def test_options_that_do_not_go_with_a_game_against_a_program_are_refused() -> None:
    for words, why in (
        (("--against", "x", "--port", "2100"), "has a table of its own"),
        (("--name", "Ann"), "--port and --name say where you play"),
        (("--port", "9", "--name", "Ann", "--seat", "North"), "--seat is for a --game"),
    ):
        refused = run("play", *words)
        assert refused.exit_code == 2
        assert why in refused.stderr
