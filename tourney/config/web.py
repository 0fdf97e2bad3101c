"""`[web]` of an event file: where live pages are served, and what the public may see on them."""

from typing import Annotated, ClassVar, Final

from pydantic import AfterValidator, Field, model_validator

from tourney.config.base import LIST_MAX, OneOf, Section, Text, between
from tourney.config.values import LiveBoards, check_host

PHRASE_CHARS_MIN: Final = 12


def _phrase(value: str) -> str:
    if len(value) < PHRASE_CHARS_MIN:
        raise ValueError(f"a passphrase has at least {PHRASE_CHARS_MIN} characters, got {len(value)}")
    return value


_Names = Annotated[list[Annotated[str, AfterValidator(check_host)]], Field(max_length=LIST_MAX)]


class WebConfig(Section):
    """`[web]`."""

    host: Annotated[str, AfterValidator(check_host)] = "127.0.0.1"
    """The address that `tourney serve` listens on. `"127.0.0.1"` lets in browsers on this machine only, and a server
    in front of it; `"0.0.0.0"` everybody."""
    port: Annotated[int, between(1, 65_535)] = 8080
    """The port it listens on, 1 to 65535; a port below 1024 usually needs rights of the system."""
    hosts: _Names = Field(default_factory=list)
    """The names by which browsers reach the director's console, such as `["bridge.example.org"]`; a request for
    another one is refused there. `host` and this machine itself are always among them. Public pages answer to any
    name."""
    proxies: _Names = Field(default_factory=list)
    """The addresses of the servers in front (nginx, Caddy) that speak HTTPS with the browsers, such as
    `["127.0.0.1"]`; their word on where a request comes from (`X-Forwarded-For`) is believed."""
    live: OneOf[LiveBoards] = LiveBoards.FINISHED
    """Which boards the public sees. `"finished"`: those that nobody has to play any more. `"last-table"`: also the
    calls, cards and dummy of the board in play at a table that is the last to have it, `delay_s` after they were
    made. The other hands and alerts follow when it has ended. `"vugraph"`: also every board in play, for those who
    know `vugraph_phrase`, with dummy alone; `"vugraph-hands"`: with all four hands. Take these two only where no
    program can read web pages."""
    delay_s: Annotated[int, between(0, 86_400)] = 0
    """How many seconds after they were made the calls and cards of a board in play are shown, 0 to 86400."""
    vugraph_phrase: Annotated[Text, AfterValidator(_phrase)] | None = None
    """The passphrase for `live = "vugraph"` and `"vugraph-hands"`, which need one; at least 12 characters."""
    freeze_rounds: Annotated[int, between(0, 100)] = 0
    """For how many rounds at the end nobody sees results until they are final: standings, all other figures, pages,
    exports and the API stop before them. 0 to 100."""
    notice: Annotated[Text, Field(max_length=300)] | None = None
    """A line for the top of every page, at most 300 characters; none by default."""
    seats: bool = False
    """Whether people may play in their browsers, at `/seat`: for a team that speaks the second wire, with its name
    and passphrase. Needs the port of `[stateful]`."""

    watchers_max: ClassVar[int] = 2000
    """How many browsers may watch live at once; further ones see the pages, which do not change by themselves."""
    streams_per_address: ClassVar[int] = 250
    """How many of them may come from one address; a hall behind one router is one address."""
    connections_per_address: ClassVar[int] = 500
    """How many connections one address may have; those of `proxies` have no such limit. One that has them all and
    opens another loses the one that has been idle for longest."""
    console_reserve: ClassVar[int] = 50
    """How many connections there are beside all these, over which only the director's console is answered."""
    request_s: ClassVar[float] = 10.0
    """Within how many seconds a request has to be there, from the connection or its first byte to its last."""
    header_bytes: ClassVar[int] = 16_384
    """How long the first line of a request and its headers may be together."""
    headers_max: ClassVar[int] = 100
    """How many headers a request may have."""

    @property
    def behind_tls(self) -> bool:
        """Whether browsers reach the pages through a server in front, which speaks HTTPS with them."""
        return bool(self.proxies)

    @model_validator(mode="after")
    def _vugraph_has_a_phrase(self) -> "WebConfig":
        if self.live.is_vugraph and self.vugraph_phrase is None:
            raise ValueError(f'live = "{self.live}" needs a vugraph_phrase of at least 12 characters')
        return self
