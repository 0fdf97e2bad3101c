"""The director's console of a played event, without a socket: users, and browsers that log in and send its forms."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from html import unescape

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from tests.support.phrase_paces import QuickPace
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tourney.store import users as users_module
from tourney.store.models import UserRole
from tourney.store.users import add_user, hash_user_phrase
from tourney.web.app import make_app, nothing_public
from tourney.web.director.app import ConsolePages
from tourney.web.director.service import ConsoleService
from tourney.web.hub import Hub

PHRASE = "correct horse battery"
NOW_MS = BEGINS_AT_MS + 3_600_000


@contextmanager
def quick_phrases() -> Iterator[None]:
    """Have passphrases hashed in no time: a third of a second each is for users, not for tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(users_module, "_SCRYPT_N", 16)
        patch.setattr(users_module, "_NOBODY", hash_user_phrase("nobody's"))
        yield


def add_console_user(
    played: PlayedEvent, name: str, role: UserRole = UserRole.DIRECTOR, team: str | None = None
) -> None:
    """Put a user on record whose phrase is `PHRASE`."""
    team_id = next((each.id for each in played.event.teams if each.name == team), None)
    with quick_phrases():
        add_user(played.database, played.event.id, name, role, team_id, hash_user_phrase(PHRASE), NOW_MS)


@dataclass
class ConsoleEvent:
    """A console that is served without a socket; its clock stands still unless it is moved."""

    played: PlayedEvent
    now_ms: int = NOW_MS
    hub: Hub = field(default_factory=lambda: Hub(100, spread_s=0))
    waits: QuickPace = field(default_factory=QuickPace)
    service: ConsoleService = field(init=False)
    pages: ConsolePages = field(init=False)
    _users: dict[str, "ConsoleBrowser"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.service = ConsoleService(self.played.drawn, lambda: self.now_ms)
        self.pages = ConsolePages(self.service, self.hub, "127.0.0.1", nothing_public, self.waits.pace)

    def browser(self, address: str = "192.0.2.1", host: str = "localhost") -> "ConsoleBrowser":
        """A browser at an address, which is not logged in."""

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            scope["client"] = (address, 1)
            await make_app(nothing_public, self.pages)(scope, receive, send)

        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=f"http://{host}")
        return ConsoleBrowser(client, f"http://{host}")

    async def log_in(self, name: str = "ben", address: str = "192.0.2.1") -> "ConsoleBrowser":
        """A browser at an address, in which a user has logged in."""
        browser = self.browser(address)
        assert (await browser.log_in(name)).status_code == 303, name
        return browser

    async def user(self, name: str) -> "ConsoleBrowser":
        """The browser of a user, who logs in when it is asked for first."""
        if name not in self._users:
            self._users[name] = await self.log_in(name)
        return self._users[name]


@dataclass
class ConsoleBrowser:
    """A browser with its cookies; it says of its forms where they come from, as real ones do."""

    client: httpx2.AsyncClient
    origin: str

    async def get(self, address: str) -> httpx2.Response:
        return await self.client.get(address)

    async def send(self, address: str, form: dict[str, str]) -> httpx2.Response:
        """Send a form as it is given, but for the ends of lines, which are CR LF in every form of a browser."""
        lines = {name: re.sub("\r\n|\r|\n", "\r\n", value) for name, value in form.items()}
        return await self.client.post(address, data=lines, headers={"origin": self.origin})

    async def log_in(self, name: str, phrase: str = PHRASE) -> httpx2.Response:
        return await self.send("/director/login", {"name": name, "phrase": phrase})

    async def text(self, address: str = "") -> str:
        """The page at an address below that of the console."""
        return (await self.get(f"/director{address}")).text

    async def submit(self, page: httpx2.Response, address: str, **given: str) -> httpx2.Response:
        """Send the form of a page that goes to an address, with what else is filled in."""
        return await self.send(address, fields_of(page.text, address) | given)

    # Actions

    async def preview(self, name: str, /, **given: str) -> httpx2.Response:
        """Fill in the form of an action, and ask for its preview."""
        answer = await self.fill_in(name, given)
        assert answer.status_code == 200, answer.text
        return answer

    async def refusal(self, name: str, /, **given: str) -> str:
        """What is said of an action that cannot be done."""
        answer = await self.fill_in(name, given)
        assert answer.status_code == 422, answer.text
        return answer.text

    async def fill_in(self, name: str, given: dict[str, str]) -> httpx2.Response:
        """Fill in the form of an action and ask for its preview, whether it can be done or not."""
        form = await self.get(f"/director/do/{name}")
        assert form.status_code == 200, form.text
        given = {key.replace("_", "-"): value for key, value in given.items()}
        return await self.submit(form, f"/director/do/{name}", **given, step="preview")

    async def do(self, name: str, /, typed: str = "", **given: str) -> tuple[str, str]:
        """Have an action done; the texts of its preview and of what was done."""
        preview = await self.preview(name, **given)
        answer = await self.submit(preview, f"/director/do/{name}", step="do", typed=typed)
        assert answer.status_code == 303, answer.text
        return preview.text, (await self.get(answer.headers["location"])).text

    async def preview_fields(self, name: str, /, **given: str) -> dict[str, str]:
        """The fields of the preview of an action."""
        return fields_of((await self.preview(name, **given)).text, f"/director/do/{name}")


def fields_of(page: str, address: str) -> dict[str, str]:
    """The fields of the form that goes to an address, with what they hold."""
    found = re.search(rf'<form method="post" action="{re.escape(address)}".*?</form>', page, re.DOTALL)
    assert found is not None, page
    return {
        name: unescape(value)
        for before, name, value, after in re.findall(
            r'<input([^>]*) name="([^"]+)"[^>]* value="([^"]*)"([^>]*)>', found[0]
        )
        if "checkbox" not in before or "checked" in after
    }


@asynccontextmanager
async def open_console(played: PlayedEvent) -> AsyncIterator[ConsoleEvent]:
    """The console of an event whose users are on record; its loop that looks for changes runs."""
    console = ConsoleEvent(played)
    with quick_phrases():
        await console.pages.start()
        try:
            yield console
        finally:
            await console.pages.close()


@asynccontextmanager
async def logged_in(played: PlayedEvent, name: str = "ben") -> AsyncIterator[ConsoleBrowser]:
    """A browser at the console of an event in which one of its users has logged in."""
    async with open_console(played) as console:
        yield await console.log_in(name)
