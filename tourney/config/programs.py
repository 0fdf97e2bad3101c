"""The known bridge programs: what tables do for each, how it is started, and what is known of it.

From this table come the profiles of event files, `tourney init --team`, the advice of `tourney check` and of
`check-bot`, and the manual's page on known programs. Each fact stands in a source of its program, or was seen here:
`Tried` says which. None of the commercial programs has been run here.
"""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from tourney.config.api import Service
from tourney.config.command import split_command
from tourney.config.values import one_of
from tourney.protocol.lines import Charset
from tourney.protocol.wires import DEFAULT, OWN_PROFILE, ReadyForCards, SeatedForm, WireProfile


class Tried(enum.StrEnum):
    """How a program is known."""

    HERE = "tried with tourney"
    """The developers of tourney have run it at their tables."""
    OTHERS = "tried by others"
    """Others have published logs or reports of its play at tables."""
    DOCUMENTS = "from documents only"
    """Only documents, or its source, have been read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProgram:
    """A bridge program, and what is known of it."""

    name: str
    """What `tourney init --team` calls it; with a `wire` also the name of its profile."""
    title: str
    """What its makers call it."""
    versions: str = ""
    """The versions that this is about."""
    tried: Tried
    tried_how: str = ""
    """How, goes on from `tried`."""
    wire: WireProfile | None = None
    """What tables do for it; None where it is not known to need anything, or is asked over HTTP."""
    because: str = ""
    """Why they do, goes on from "because the program"."""
    team: Mapping[str, str] = field(default_factory=dict)
    """The keys of a team in an event file that start it, or say where it answers; empty if it connects by itself."""
    started: str = ""
    """What else has to be done to start it."""
    needs: tuple[str, ...] = ()
    """What it needs: an operating system, a display, a licence."""
    watch: tuple[str, ...] = ()
    """What an organiser should know of it, a sentence each."""
    marks: tuple[str, ...] = ()
    """Names of files and programs in a command by which it is known, in small letters."""
    has_seat_ports: bool = False
    """Whether it expects a port for each seat of a table."""
    sources: tuple[str, ...] = ()
    """The addresses that the facts come from."""

    @property
    def profile(self) -> str | None:
        """The profile of its teams; None for a service, whose teams have the profile of the client that asks it."""
        if "api" in self.team:
            return None
        return self.name if self.wire is not None else "default"

    def describe(self) -> list[str]:
        """Return what an organiser has to know of it, a sentence or two in each text."""
        versions = f" {self.versions}" if self.versions else ""
        how = f", {self.tried_how}" if self.tried_how else ""
        texts = [f"{self.title}{versions}: {self.tried}{how}.", self.started]
        if self.needs:
            texts.append(f"It needs {'; '.join(self.needs)}.")
        return [text for text in (*texts, *self.watch) if text]


_TABLE_MANAGER_CLIENT: Final = (
    "python table_manager_client.py --host {host} --port {port} --name {team} --seat {seat}"
)
_OF_BEN: Final = "table_manager_client"

_BEN: Final = "https://github.com/lorserker/ben"
_PONS: Final = "https://github.com/jdh8/pons"
_BRDGE_BOT: Final = "https://github.com/micahtracht/Brdge-Bot"
_ROBOT_UTILITIES: Final = "https://github.com/ThorvaldAagaard/Bridge-Robot-Utilities"
_COMPUTER_BRIDGE: Final = "https://github.com/JobScheffers/ComputerBridge"
_SERIOUS_GAMES: Final = "https://github.com/sim-museum/serious-games-lab"
_PROTOCOL: Final = "http://www.bluechipbridge.co.uk/protocol.htm"
_GOULDEN: Final = "https://www.computerbridge.se/christine-gouldens-computer-bridge-championship/"

_DAVIES: Final = "https://docslib.org/doc/5764843/computer-bridge-by-geoff-davies"

_UNPUBLISHED: Final = (
    "How it is connected to a table is not published, and no option of its command line for that is known."
)


PROGRAMS: Final = (
    KnownProgram(
        name="ben",
        title="BEN",
        versions="0.8.8",
        tried=Tried.HERE,
        tried_how="with stubs in place of its networks",
        wire=WireProfile(line_gap_ms=0, board_restart=True),
        because="reads line by line from a buffer; begins again on any `Start of board`; it also needs the `Timing` "
        "line and the teams line without the stop, which are the default",
        team={"command": _TABLE_MANAGER_CLIENT, "folder": "ben/src"},
        started="It is started in its folder `src`. `--config` names its system, `--matchpoint True` the scoring.",
        needs=("Python 3.12 with TensorFlow 2.18, which may use a GPU",),
        watch=(
            "It reads exactly one line after a board, so it must have the `Timing` line.",
            "It crashes on a full stop in the teams line.",
            "It takes one and a half to four minutes for a board, by its configuration.",
            "A call that is refused as illegal ends it.",
            "Above its own `src`, no folder of its path may be called `src`: it would not find its networks.",
        ),
        marks=(_OF_BEN,),
        sources=(_BEN, _BRDGE_BOT, _PONS, _SERIOUS_GAMES),
    ),
    KnownProgram(
        name="ben-2022",
        title="BEN of 2022, and Lia",
        tried=Tried.HERE,
        tried_how="with stubs in place of its networks",
        wire=WireProfile(timing=False, alerts=False, line_gap_ms=0, ready_for_cards=ReadyForCards.ASSUMED),
        because="takes the one line after a board, whatever it is, for the start of the next; takes the last word of "
        "a relayed call for the call; takes the board line and its cards in a row; begins no board again",
        team={"command": _TABLE_MANAGER_CLIENT, "folder": "ben/src"},
        watch=(
            "With a `Timing` line it crashes at the second board of a session.",
            "It plays dummy's cards under declarer's name, and asks for the opening lead as for `trick 0`.",
            "It ends its lines in LF, and with a full stop.",
        ),
        marks=(_OF_BEN,),
        sources=(_BEN,),
    ),
    KnownProgram(
        name="ben-2023",
        title="BEN of August 2023",
        tried=Tried.HERE,
        tried_how="with stubs in place of its networks",
        wire=WireProfile(timing=False, line_gap_ms=0),
        because="takes the one line after a board for the start of the next, too; begins no board again",
        team={"command": _TABLE_MANAGER_CLIENT, "folder": "ben/src"},
        watch=(
            "With a `Timing` line it says `ready for deal` at once, and crashes at the second board of a session.",
            "It looks for `Start of Board`, spelled so, and only before the board line.",
        ),
        marks=(_OF_BEN,),
        sources=(_BEN,),
    ),
    KnownProgram(
        name="wbridge5",
        title="WBridge5",
        versions="5.12",
        tried=Tried.OTHERS,
        tried_how="whose logs of the wire were read",
        wire=DEFAULT,
        because="plays with the defaults; a bare `Alert.`, on which it stalls, is sent to nobody",
        team={"command": "wine Wbridge5.exe Autoconnect {port}", "folder": "wbridge5"},
        started="By hand it is connected in Actions, Connection: host, port, seat, and the box Auto.",
        needs=("Windows, or Wine with a display",),
        watch=(
            "It is free.",
            "It takes the address of the table from `Adresse` in `WBRIDGE5.INI`.",
            "The team needs the name that WBridge5 logs on with. Without a seat it says `ANYPL`, and gets the first "
            "free seat of its team.",
            "It takes 7 s from `Start of board` to `ready for deal`, and about a minute for a board.",
            "It keeps settings only when they are saved in Preferences, so keep a copy of its INI file.",
            "It writes seats and `PASSES` in capitals, cards in small letters, and two blanks before `EAST` and "
            "`WEST`.",
        ),
        marks=("wbridge5",),
        sources=(
            "http://www.wbridge5.com",
            "https://github.com/google-deepmind/open_spiel",
            _BRDGE_BOT,
            _DAVIES,
        ),
    ),
    KnownProgram(
        name="robobridge",
        title="RoboBridge",
        versions="2017 and later",
        tried=Tried.HERE,
        tried_how="its library for tables as of 2017, without its engine",
        wire=WireProfile(line_gap_ms=50),
        because="takes one line per read",
        watch=(
            "It loses the second of two lines that come at once, and hangs without a gap before `to lead`.",
            "It logs on with version 19, and has texts of 1,500 characters, also after cards.",
            "It stays when the session has ended, and when the connection is cut.",
            "It leaves when it is called by another name than it gave: use `allow` in place of a passphrase.",
        ),
        marks=("robobridge",),
        sources=(_COMPUTER_BRIDGE,),
    ),
    KnownProgram(
        name="q-plus",
        title="Q-plus Bridge",
        versions="15.3 and 17.1",
        tried=Tried.OTHERS,
        tried_how="whose reports were read",
        wire=WireProfile(line_gap_ms=50, lead_gap_ms=500),
        because="misses a `to lead` that follows too closely",
        started=_UNPUBLISHED,
        needs=("Windows, or Wine with a display", "a licence"),
        watch=(
            "Half a second before `to lead` is the longest pause that any program was found to need.",
            "Version 17.1 looks for `LIB/WBRIDGE5/WB_1.DLL` to play at a table, which one installation was found to "
            "lack.",
            "The bridge server in its menu Network speaks another protocol.",
        ),
        marks=("qbridge.exe",),
        sources=(_COMPUTER_BRIDGE, _SERIOUS_GAMES, _GOULDEN),
    ),
    KnownProgram(
        name="gib",
        title="GIB with TMGib",
        versions="6.1 and 6.2",
        tried=Tried.OTHERS,
        tried_how="whose reports were read",
        wire=WireProfile(line_gap_ms=50, lead_gap_ms=300, board_restart=True),
        because="misses a `to lead` that follows within 300 ms; begins again on `Start of board`",
        team={"command": "TMGib.exe --seat {seat} --name {team} --ip {host} --port {port}", "folder": "tmgib"},
        started="TMGib connects GIB to a table. `--timing` is the time for a board in seconds, `--delay` the pause "
        "between two lines, `--gibdir` the folder of GIB.",
        needs=("Windows", "GIB's `bridge.exe`, `EVAL.DAT`, `MB.TXT` and `gib.ini` in the folder `GIB`", "a licence"),
        watch=("It says `received dummy`, which is no line of the protocol.",),
        marks=("tmgib",),
        sources=(_ROBOT_UTILITIES, _COMPUTER_BRIDGE),
    ),
    KnownProgram(
        name="bridge-moniteur-era",
        title="Other clients written for Bridge Moniteur",
        tried=Tried.OTHERS,
        tried_how="whose sources and logs were read",
        wire=WireProfile(
            seated=SeatedForm.PLAIN, alerts=False, line_gap_ms=50, lead_gap_ms=300, charset=Charset.ASCII
        ),
        because="was written for Bridge Moniteur, which quotes no names and relays no texts",
        watch=(
            "They read only `North Alpha seated`.",
            "One of them is TMMediator, which leads Blue Chip Bridge to such a table.",
        ),
        marks=("tmmediator",),
        sources=(_ROBOT_UTILITIES,),
    ),
    KnownProgram(
        name="bridge-player",
        title="bridge-player",
        versions="2016",
        tried=Tried.HERE,
        tried_how="with a player of ours",
        wire=WireProfile(
            seated=SeatedForm.PLAIN, alerts=False, line_gap_ms=0, board_restart=True, charset=Charset.ASCII
        ),
        because="was written for Bridge Moniteur, which quotes no names and relays no texts; reads line by line from "
        "a stream; begins again on `Start of board`",
        started="It is a library: a program of yours makes the calls and plays the cards.",
        needs=("Node.js",),
        watch=(
            "It asks for dummy before the lead, and as dummy says `dummy's card` for everybody's card.",
            "It comes back into a board after a crash.",
        ),
        marks=("bridge-player",),
        sources=("https://github.com/richardschneider/bridge-player",),
    ),
    KnownProgram(
        name="bridge-env",
        title="bridge_env",
        versions="0.2.0",
        tried=Tried.HERE,
        wire=WireProfile(timing=False, alerts=False, line_gap_ms=0),
        because="reads up to CR LF, however packets come; raises an exception on a `Timing` line, and on a text "
        "after a double",
        team={
            "command": "bridge-client-ex --port {port} --ip_address {host} --location {seat_letter} "
            "--team_name {team}",
        },
        started="Its example is a weak player; programs of your own are made with the package.",
        needs=("Python 3.7 or later, and NumPy",),
        watch=(
            "It leaves when it is called by another name than it gave: use `allow` in place of a passphrase.",
            "It goes on reading for ever after a cut: end its process.",
        ),
        marks=("bridge-client-ex",),
        sources=("https://github.com/yotaroy/bridge_env",),
    ),
    KnownProgram(
        name="blue-chip",
        title="Blue Chip Bridge",
        versions="6",
        tried=Tried.DOCUMENTS,
        wire=WireProfile(charset=Charset.ASCII),
        because='is what version 18 was written for; it plays on four ports (`port_plan = "per-seat"`)',
        started=_UNPUBLISHED,
        needs=("Windows", "a licence"),
        watch=(
            'It expects a port for each seat: `port_plan = "per-seat"` in `[tables]`.',
            "It reads only the quoted `seated`, and does not know `Dummy plays 8C`.",
        ),
        has_seat_ports=True,
        sources=(_PROTOCOL, _COMPUTER_BRIDGE, "https://www.computerbridge.se/blue-chip-bridge/"),
    ),
    KnownProgram(
        name=OWN_PROFILE,
        title="The players that come with tourney",
        tried=Tried.HERE,
        wire=WireProfile(line_gap_ms=0, board_restart=True, charset=Charset.UTF_8),
        because="is one of our own players: it reads every line that a packet brings, and begins again when told to",
        team={"command": "tourney bot --host {host} --port {port} --seat {seat} --team {team}"},
        started="`--style random` plays any legal call and card; `--player` seats a class of yours.",
    ),
    KnownProgram(
        name="ben-api",
        title="BEN's service",
        versions="0.8.7.5 to 0.8.8.6",
        tried=Tried.HERE,
        tried_how="with stubs in place of its networks",
        team={"api": "ben http://127.0.0.1:8085"},
        started="Start the service first, in its folder `src`: `python gameapi.py --host 127.0.0.1 --port 8085`.",
        needs=("Python 3.12 with TensorFlow 2.18, which may use a GPU", "about 1 GB of memory"),
        watch=(
            "It answers at most 100 requests a minute for calls, also on its own machine, and `--nolimit` is without "
            "effect.",
            "It handles one question after another: a second one waits.",
            "Its first answer takes 5 to 30 s.",
            "It keeps the scoring that it was told last: run one service for each form of scoring.",
            "On another machine, start it with `--allowed-hosts`.",
        ),
        sources=(_BEN, _PONS, _SERIOUS_GAMES),
    ),
    KnownProgram(
        name="pidgin",
        title="Pidgin",
        versions="V1 and V2",
        tried=Tried.DOCUMENTS,
        tried_how="its source included",
        team={"api": "brill http://127.0.0.1:8787/apis/brill", "model": "PidginV1"},
        started="Start the service first: `scripts/serve.sh`. `model` is `PidginV1`, `PidginV2` or `BRL`.",
        needs=("Python 3.10 or later", "its networks, 140 MB, which `scripts/get_models.sh` loads"),
        watch=("It takes 4 to 6 s for a board, with `PidginV2` 15 s.",),
        sources=("https://github.com/hsperr/pidgin",),
    ),
    KnownProgram(
        name="bba-api",
        title="BBA-Tools, with BEN for the play",
        versions="September 2026",
        tried=Tried.DOCUMENTS,
        team={"api": "bba http://127.0.0.1:5000", "play_api": "ben http://127.0.0.1:8085"},
        started="Start both services first. BBA-Tools wraps EPBot, the bidding of BBA; `model` names a convention "
        "card.",
        needs=("Windows for BBA-Tools",),
        watch=("It only bids. Another service plays the cards.",),
        sources=("https://github.com/bridge-craftwork/BBA-Tools",),
    ),
    KnownProgram(
        name="bba",
        title="BBA, Bridge Bidding Analyser",
        tried=Tried.DOCUMENTS,
        started="Its option `--TM_MEMBER` makes it a player at a table; what else that takes was not found.",
        needs=("Windows",),
        sources=(_PONS,),
    ),
)
"""The known programs: those with a profile of their own, services over HTTP, and the others."""

PROFILES: Final[Mapping[str, WireProfile]] = {
    "default": DEFAULT,
    **{program.name: program.wire for program in PROGRAMS if program.wire is not None},
}
"""Profiles that an event file may name."""

_BY_NAME: Final = {program.name: program for program in PROGRAMS}


def find_program(name: str) -> KnownProgram:
    """Return a known program by its name, in any case, with hyphens or underscores.

    Raises:
        ValueError: there is none; one sentence with those that are.
    """
    folded = name.casefold().replace("_", "-")
    if folded not in _BY_NAME:
        raise ValueError(one_of(_BY_NAME, name))
    return _BY_NAME[folded]


def programs_of_command(command: str) -> list[KnownProgram]:
    """Return the known programs that a checked command may start: none, one, or versions of the same."""
    names = [PurePath(word.replace("\\", "/")).name.casefold() for word in split_command(command)]
    return [program for program in PROGRAMS if any(name.startswith(program.marks) for name in names)]


def programs_of_service(api: str) -> list[KnownProgram]:
    """Return the known services that are asked as that of a team is."""
    dialect = Service.parse(api).dialect
    return [each for each in PROGRAMS if "api" in each.team and Service.parse(each.team["api"]).dialect is dialect]
