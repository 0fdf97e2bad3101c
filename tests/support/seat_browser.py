"""A person at the page of a seat without a script: reads the page, presses its buttons."""

import html
import re
from typing import Final

import httpx2

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
