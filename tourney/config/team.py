"""`[[team]]`: a team, its programs, what they show when they log on, and how they are spoken to."""

import enum
from dataclasses import replace
from ipaddress import ip_network
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tourney.config.api import REQUEST_S_MAX, Service, check_service, seat_service
from tourney.config.base import LIST_MAX, OneOf, Section, Text, between
from tourney.config.command import (
    check_command,
    check_player,
    seat_player,
    share_program,
    uses_placeholder,
)
from tourney.config.programs import PROFILES
from tourney.config.values import (
    OpenRoomSide,
    Processes,
    check_team_name,
    one_of,
    shown,
)
from tourney.protocol.access import Network, format_login
from tourney.protocol.lines import Charset
from tourney.protocol.session.rules import PairMethods
from tourney.protocol.wires import (
    LEAD_GAP_MS_MAX,
    LINE_GAP_MS_MAX,
    OWN_PROFILE,
    Language,
    ReadyForCards,
    SeatedForm,
    TeamsLineForm,
    WireProfile,
)

PHRASE_CHARS_MIN: Final = 4
PHRASE_CHARS_MAX: Final = 64

_PHRASE: Final = (
    f"a passphrase has {PHRASE_CHARS_MIN} to {PHRASE_CHARS_MAX} ASCII characters other than double quotes"
)


def _phrase(value: Any) -> Any:  # before pydantic has looked at the type, as its sentences quote what they refuse
    """Returns a passphrase as sent in a log-on, with single blanks; messages never quote it."""
    phrase = " ".join(value.split()) if isinstance(value, str) else ""
    if not PHRASE_CHARS_MIN <= len(phrase) <= PHRASE_CHARS_MAX:
        raise ValueError(f"{_PHRASE}, got {len(phrase) if isinstance(value, str) else 'no text'}")
    if not all(" " <= char <= "~" and char != '"' for char in phrase):
        raise ValueError(f"{_PHRASE}, got another character")
    return phrase


def _network(value: Any) -> Any:  # before pydantic has looked at the type
    form = 'expected an address or a network such as "10.0.0.7" or "192.168.1.0/24"'
    if not isinstance(value, str):
        raise ValueError(f"{form}, got {shown(value)}")  # noqa: TRY004 # pydantic's way
    try:
        return ip_network(value)
    except ValueError:
        pass
    try:
        meant = ip_network(value, strict=False)
    except ValueError:
        raise ValueError(f"{form}, got {shown(value)}") from None
    raise ValueError(f'the network is "{meant}", got {shown(value)}')


def _check_profile(profile: str) -> str:
    if profile not in PROFILES:
        raise ValueError(one_of(PROFILES, profile))
    return profile


Command = Annotated[Text, AfterValidator(check_command)]
Passphrase = Annotated[str, BeforeValidator(_phrase)]
Networks = Annotated[list[Annotated[Network, BeforeValidator(_network)]], Field(min_length=1, max_length=LIST_MAX)]


Api = Annotated[Text, AfterValidator(lambda text: str(Service.parse(text)))]

_OF_SERVICES: Final = ("play_api", "model", "opponents_model", "request_s")
"""The keys of a team that say more about the service at its `api`."""


def _seating(section: dict[str, Any]) -> str:
    """Return the command of a section with a player or a service, whose keys have not been checked yet."""
    is_stateful = section.get("protocol") in (Language.STATEFUL, Language.STATEFUL.value)
    protocol = Language.STATEFUL if is_stateful else Language.BLUE_CHIP
    if "player" in section:
        return seat_player(section["player"], protocol)
    settings = {key: section[key] for key in _OF_SERVICES if section.get(key) is not None}
    return seat_service(section["api"], protocol, settings)


class Method(enum.StrEnum):
    """A method by which the no-pause list of manual alerting differs from the usual one."""

    INVERTED_MINORS = "inverted-minors"
    PENALTY_DOUBLES = "penalty-doubles"


class WireConfig(Section):
    """`[team.wire]`: single settings that replace those of the profile."""

    teams_line: OneOf[TeamsLineForm] | None = None
    """The line with both team names: `"plain"`, `"v18"` (a full stop after the first name) or `"playing"` (ends
    in `. Playing IMP`)."""
    seated: OneOf[SeatedForm] | None = None
    """The line that confirms a seat: `"v18"`, or `"plain"` without brackets and quotes."""
    timing: bool | None = None
    """Whether the thinking times are sent after every board."""
    alerts: bool | None = None
    """Whether the texts of alerts are relayed to this team."""
    infos: bool | None = None
    """Whether texts without an alert are relayed too. By default they are to programs that log on with version
    19."""
    line_gap_ms: Annotated[int, between(0, LINE_GAP_MS_MAX)] | None = None
    """The least time between two lines to a program that has not spoken in between, in milliseconds."""
    lead_gap_ms: Annotated[int, between(0, LEAD_GAP_MS_MAX)] | None = None
    """The least pause before `to lead`, in milliseconds."""
    board_restart: bool | None = None
    """Whether the program begins again when it receives `Start of board` in the middle of a board."""
    charset: OneOf[Charset] | None = None
    """How letters outside ASCII in alert texts and team names are sent: as `"utf-8"`, as `"latin-1"`, or not at all
    (`"ascii"`): they lose their marks, and others become `?`. By default alert texts are sent in ASCII and team names
    as UTF-8. Lines from programs are read as UTF-8, or else as Latin-1."""
    ready_for_cards: OneOf[ReadyForCards] | None = None
    """When a program is dealt its cards: once it has asked for them (`"asked"`), or a moment after the board
    line (`"assumed"`)."""

    def over(self, profile: WireProfile) -> WireProfile:
        """Returns the profile with these settings in place of its own."""
        return replace(profile, **self.model_dump(exclude_none=True))


NOT_OF_PAIRS: Final = ("open_room", "enters")
"""The keys of a team that a pair and a player do not have."""


class TeamConfig(Section):
    """`[[team]]`, `[[pair]]` and `[[player]]`: who enters; a pair and a player lack the keys of `NOT_OF_PAIRS`."""

    name: Annotated[str, AfterValidator(check_team_name)]
    r"""The team's name, which its programs give when they log on. It has 1 to 64 characters that may occur in a
    file name, so none of `< > : " / \ | ? *` and no full stop at the end. Letters outside ASCII are allowed where the
    `charset` of every team has them. Two names must differ in more than case and marks: PBN and LIN have ASCII
    only."""
    command: Command | None = None
    """The command that starts the team's program, once for each seat, in the folder of the event file. It is
    split into words as a shell would, but no shell runs it. `~` at the start of a word is a home folder. Without a
    command nothing is started, and the team's programs are expected to connect by themselves. What is filled in:

    - `{host}`, `{port}`, `{team}`, `{match}` (a number), `{room}` (open or closed) and `{pair}` (1 or 2).
    - `{seat}` (North, East, South or West), `{seat_lower}` (north, ...) and `{seat_letter}` (N, ...).
    - `{login}`: the team's name, with its passphrase if there is one. Every program on this machine can read it
      there; the environment variable `TOURNEY_LOGIN` of the program has it too.
    - `{folder}`: the program's own folder, where it may write, and which is kept.

    A literal brace is written twice."""
    player: Annotated[Text, AfterValidator(check_player)] | None = None
    """A class of Python that plays for the team, in place of a `command`: `"my_bot:MyBot"` is the class `MyBot` of
    `my_bot.py`, as [the page on players](players.md) describes it. `tourney bot --player` seats it."""
    processes: OneOf[Processes] | None = None
    """Where the team has a `player`: how many processes play for it, each with a player object for each of its seats.
    What the class has loaded is shared by the seats of a process; so are the hands that these see, which is why
    `process_plays` in `[rules]` has to allow more than one seat for a process.

    - `"seat"`: one for each seat.
    - `"room"`: one for the two seats at a table.
    - `"team"`: one for all seats of the team, at all tables of a table host. There is a host for each core, or for
      each worker of a cluster, and each has a process of its own.

    By default `"seat"`; in a duel `"team"`.
    """
    api: Api | None = None
    """A service that plays for the team over HTTP, in place of a `command`: what it is asked in and its address, such
    as `"ben http://127.0.0.1:8085"`. `tourney bot --api` seats it and asks it, as
    [the page on services](bot-authors.md#http-programs) describes. Placeholders are filled in as in a command. Where
    all stages are at matchpoints, the service is told so. It may be asked in:

    - `ben`: BEN's `gameapi.py` since version 0.8.7.5.
    - `brill`: the Seat Robot API of Brill.
    - `bba`: BBA-Tools, which only bids.
    """
    play_api: Api | None = None
    """Another service that plays the cards, where the one of `api` bids, such as `"ben http://127.0.0.1:8085"`. By
    default one does both."""
    model: Text | None = None
    """The model or system that the service bids by, if it offers several. By default the service's own choice."""
    opponents_model: Text | None = None
    """The model or system of the opponents, for a service that can be told: `"bba"`. By default it assumes one."""
    request_s: Annotated[int, between(1, REQUEST_S_MAX)] | None = None
    """How long an answer of the service may take, in seconds, with repetitions: less than `call_s` of `[clock]`. By
    default 60."""
    open_room: OneOf[OpenRoomSide] | None = None
    """Where the team sits in the open room when it has the seating rights (`seats = "rights"`): `"north-south"`
    or `"east-west"`. By default North-South."""
    enters: Annotated[int | None, between(2, 1000)] = None
    """The round from which a late team plays, 2 to the last. The first stage must be a Swiss, and at least two
    teams must play from its first round. By default the first round."""
    pass_phrase: Annotated[Passphrase | None, Field(repr=False)] = None
    """What the team's programs must say, besides the name, to sit down: with `"open sesame"` they log on as
    `Alpha#open sesame`. 4 to 64 ASCII characters other than double quotes. Lines, logs and the record show
    the name alone; the database keeps a salted hash. By default the name is enough."""
    allow: Networks | None = None
    """The addresses and networks, IPv4 or IPv6, from which the team's programs may connect, 1 to 100 of them. If
    the team has a `command`, this machine must be among them. By default any address may connect."""
    folder: Text | None = None
    """The folder in which the team's programs are started, relative to that of the event file. In the sandbox of
    bubblewrap (`[sandbox]`), they may read all that is in it. By default the folder of the event file, of which they
    may read the files that their command names, with the folder of each."""
    protocol: OneOf[Language] = Language.BLUE_CHIP
    """The language of the team's programs: `"blue-chip"`, the table manager protocol, or `"stateful"`, the
    [stateful-server protocol](stateful.md). A program with a `command` that speaks the latter gets a `{port}` of its
    own; without a `command` its programs connect to the port of `[stateful]`. Any program may connect there, whatever
    this says."""
    profile: Annotated[str, AfterValidator(_check_profile)] = "default"
    """How lines are sent to the team's programs, according to what they are known to need. `tourney check-bot`
    finds out which profile suits a program; `[team.wire]` changes single settings."""
    wire: WireConfig = WireConfig()
    """`[team.wire]`: single settings that replace those of the profile."""
    methods: list[OneOf[Method]] = Field(default_factory=list)
    """What manual alerting has to know about the team's system. With `"inverted-minors"` the raise of a minor to two
    is the strong one. With `"penalty-doubles"` responder's double of an overcall is not for take-out."""

    @model_validator(mode="before")
    @classmethod
    def _seats_its_player(cls, section: Any) -> Any:
        """Give a team with a player or a service the command that seats it, and the profile of our own client."""
        if not isinstance(section, dict):
            return section
        given = [key for key in ("player", "api") if isinstance(section.get(key), str)]
        if not given:
            return section
        if len(given) > 1:
            raise ValueError("api and player both play for the team: leave one of them out")
        command = _seating(section)
        if section.get("command", command) != command:
            raise ValueError(f"{given[0]} stands in place of command: leave one of them out")
        profile = {"profile": OWN_PROFILE} if "protocol" not in section else {}
        return profile | section | {"command": command}

    @model_validator(mode="after")
    def _has_services_that_bid_and_play(self) -> "TeamConfig":
        if self.api is None:
            for key in _OF_SERVICES:
                if getattr(self, key) is not None:
                    raise ValueError(f"{key} is of the service that plays for the team: give its api too")
            return self
        play = Service.parse(self.play_api) if self.play_api is not None else None
        check_service(Service.parse(self.api), play, model=self.model, opponents_model=self.opponents_model)
        return self

    @property
    def wire_profile(self) -> WireProfile:
        """The named profile with the team's own settings."""
        return self.wire.over(PROFILES[self.profile])

    @property
    def pair_methods(self) -> PairMethods:
        """What the no-pause list of manual alerting must know (BC-26)."""
        return PairMethods(Method.INVERTED_MINORS in self.methods, Method.PENALTY_DOUBLES not in self.methods)

    @property
    def login(self) -> str:
        """The text its programs send between the quotes of a log-on (BC-05)."""
        return format_login(self.name, self.pass_phrase)

    @property
    def is_started_here(self) -> bool:
        """Whether its programs are started beside their table."""
        return self.command is not None

    @property
    def shows_login(self) -> bool:
        """Whether the log-on stands on the command line of its programs."""
        return self.command is not None and uses_placeholder(self.command, "login")

    @model_validator(mode="after")
    def _shares_processes_of_a_player(self) -> "TeamConfig":
        if self.processes not in (None, Processes.SEAT):
            try:
                share_program(self.command or "")
            except ValueError as error:
                raise ValueError(f"processes: {error}") from None
        return self
