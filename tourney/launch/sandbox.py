"""The sandbox around a team's program: what it may see, reach and use.

Nothing here knows bridge. What stands between a program and the rest of the machine is worked out before it is
started: the words of a command line, an environment, and what the child does before its program.
"""

import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.config import SandboxKind
from tourney.config.command import split_command
from tourney.errors import LaunchError
from tourney.launch import inside
from tourney.launch.program import Start
from tourney.launch.program_files import (
    FileSearch,
    contains,
    describe_unseen,
    find_team_folders,
    is_within,
    led_to,
)
from tourney.runtime.open_files import files_of_program
from tourney.runtime.privacy import without_secrets
from tourney.runtime.processes import parent_death_hook
from tourney.store.control.host_settings import ProgramLimits, SandboxSettings

KIND_VARIABLE: Final = "TOURNEY_SANDBOX"
"""The environment variable that has the kind for event files that name none."""

_PROBE_S: Final = 10
"""How long trying whether bubblewrap works may take, in seconds."""

_MB: Final = 1024 * 1024

_SYSTEM: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store")
"""The folders of installed software."""

_OF_ETC: Final = (
    *("alternatives", "ca-certificates", "crypto-policies", "dotnet", "fonts", "group", "host.conf", "hosts"),
    *("java*", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "locale.alias", "localtime", "mono", "nsswitch.conf"),
    *("os-release", "passwd", "pki/tls/certs", "ssl/certs", "ssl/openssl.cnf", "terminfo", "timezone"),
)
"""What runtimes read in /etc; the rest may hold secrets."""

_ALSO_SYSTEM: Final = ("/sys/devices/system/cpu",)

_OF_THE_SANDBOX: Final = tuple(
    map(Path, ("/proc", *(f"/dev/{name}" for name in ("fd", "full", "null", "random", "tty", "urandom", "zero"))))
)
"""What a sandbox has of its own."""

_PATH: Final = re.compile(r"(?:[\w.~+@-]*/)+[\w.~+@-]+")
"""A path in a message."""

_VARIABLES: Final = ("LANG", "LANGUAGE", "TERM", "TZ")
"""The environment variables that programs in a sandbox have; those that begin with LC_ too."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The sandbox of the programs of one team."""

    settings: SandboxSettings
    team: str
    shares_network: bool = False
    """Whether a program has the network of the machine: our own client, where it asks a service over HTTP."""

    @property
    def kind(self) -> SandboxKind:
        return self.settings.kind

    @property
    def has_own_network(self) -> bool:
        """Whether a program reaches nothing but the port that it is told."""
        return self.kind is SandboxKind.BUBBLEWRAP and not self.shares_network

    def start(
        self, words: list[str], folder: Path, own: Path, variables: dict[str, str], port: int, channel: int
    ) -> tuple[Start, "SandboxView | None"]:
        """Work out how a program is started, and what it sees of the machine's files; None if that is all of them.

        Args:
            words: its command line, the program with its path.
            folder: where it is started.
            own: its own folder.
            variables: what its environment is to have.
            port: the port that it is told.
            channel: what a sandbox with a network of its own sends its listening socket through; 0 for none.
        """
        limits = self.settings.limits
        if self.kind is not SandboxKind.BUBBLEWRAP:
            whole = without_secrets(os.environ) | variables
            return Start(words=words, environment=whole, before=_before(limits)), None
        few = {key: value for key, value in os.environ.items() if key in _VARIABLES or key.startswith("LC_")}
        few |= {**variables, "HOME": str(folder)}
        view = SandboxView(self.settings, self.team, words, folder, own, few.get("PATH", os.defpath))
        start = Start(
            words=_bubblewrap_words(
                view,
                words,
                channel=channel,
                port=port,
                shares_network=self.shares_network,
            ),
            environment=few,
            before=_before(limits),
            channel=channel or None,
            is_wrapped=True,
        )
        return start, view


def _before(limits: ProgramLimits) -> Callable[[], None] | None:
    """Return what a child does before its program: it takes its limits, and dies with its parent."""
    memory_bytes = limits.memory_mb * _MB if limits.memory_mb is not None else None
    files, die_with_parent = files_of_program(), parent_death_hook()
    if memory_bytes is None and files is None:
        return die_with_parent

    def prepare() -> None:
        if memory_bytes is not None:
            hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
            capped = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
            resource.setrlimit(resource.RLIMIT_DATA, (capped, capped))
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        if die_with_parent is not None:
            die_with_parent()

    return prepare


# Bubblewrap


class SandboxView:
    """What a program within bubblewrap sees of the machine's files.

    Nothing of the machine is there unless it is named: folders of installed software, the Python that tourney runs
    in, the files of the program, read-only, and the program's own folder, which it sees in the place of the folder
    that it is started in. A path of `settings.hidden` is empty wherever it would show.
    """

    def __init__(
        self, settings: SandboxSettings, team: str, words: Sequence[str], folder: Path, own: Path, path: str
    ) -> None:
        """Find what it sees.

        Args:
            settings: what else may be read, and what may not.
            team: whose program it is.
            words: the command line of the program.
            folder: where it is started.
            own: its own folder, which is there.
            path: where programs are looked for.
        """
        self._folder = folder
        self._path = path
        self._event_folder = Path("/") if str(folder) in settings.team_folders.values() else folder
        """The folder to which paths in the event file are relative, if programs are started there; else the root."""
        self._hidden = {each for name in settings.hidden for each in (Path(name), Path(name).resolve())}
        self._mounts: dict[Path, list[str]] = {}
        """What is mounted where, as arguments of `bwrap`."""
        for name in (*_SYSTEM, *(f"/etc/{name}" for name in _OF_ETC), *_ALSO_SYSTEM):
            for found in sorted(glob.glob(name)):  # noqa: PTH207 # of absolute patterns
                self._read(Path(found))
        for place in (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix)):
            self._read(Path(place))
        self._read(Path(inside.__file__).parents[1])  # tourney itself, which may be elsewhere than the rest
        software = self._shown
        for name in settings.readable:
            self._read(Path(name))
        if str(folder) in (*settings.team_folders.values(), *settings.readable):
            for each in sorted(folder.iterdir()):
                self._read(each)
        rivals = _folders_of_rivals(settings, team, folder, software)
        search = FileSearch(folder=folder, path=path, hidden=self._hidden, shown=self._shown, rivals=rivals)
        self._mounts[folder] = ["--bind", str(own), str(folder)]
        for each in search.follow_command(words):
            self._read(each)
        for each in self._hidden:
            if each.exists() and is_within(each, self._shown):
                self._mounts[each] = ["--tmpfs", str(each)] if each.is_dir() else ["--ro-bind", os.devnull, str(each)]

    def _read(self, path: Path) -> None:
        """Show a file or folder, read-only."""
        if path in self._hidden or path in self._mounts or not path.exists():
            return
        if path.is_symlink() and path.parent == Path("/"):  # /bin of a system that has all in /usr
            self._mounts[path] = ["--symlink", str(path.readlink()), str(path)]
            return
        is_device = path.is_char_device() or path.is_block_device()
        word = "--dev-bind" if is_device and path.is_relative_to("/dev") else "--ro-bind"
        self._mounts[path] = [word, str(path), str(path)]

    @property
    def _shown(self) -> tuple[Path, ...]:
        """What is seen, but for the program's own folder."""
        return tuple(path for path in self._mounts if path != self._folder)

    @property
    def arguments(self) -> list[str]:
        """Those of `bwrap` before the words of the program: folders before what is in them."""
        mounts = sorted(self._mounts.items(), key=lambda mount: len(mount[0].parts))
        return [*(word for _, words in mounts for word in words), "--chdir", str(self._folder)]

    def unseen_in(self, lines: Iterable[str]) -> list[str]:
        """Return what a program has said of files that are there and that it does not see, a sentence each."""
        names = dict.fromkeys(name for line in lines for name in _PATH.findall(line))
        paths = dict.fromkeys(Path(os.path.normpath(self._folder / name)) for name in names)
        known = [*self._shown, *self._hidden]
        unseen = [
            describe_unseen(place, self._event_folder)
            for path in paths
            for place in (path, *led_to(path, self._folder, self._path))
            if os.path.exists(place)  # noqa: PTH110 # Path's raises for names that are too long
            and not is_within(place, (*known, *_OF_THE_SANDBOX))
            and not contains(place, known)
        ]
        # One sentence for all that the same entry would show: the first, after which those of its links come.
        return list(dict(reversed(unseen)).values())[::-1]


def _folders_of_rivals(settings: SandboxSettings, team: str, folder: Path, software: tuple[Path, ...]) -> set[Path]:
    """Return the folders of other teams, as far as the event file tells."""
    ours = settings.commands.get(team)
    found = set(map(Path, settings.team_folders.values()))
    for rival, command in settings.commands.items():
        if rival not in settings.team_folders and command != ours:  # a program that both have
            found |= find_team_folders(split_command(command), folder)
    named = {Path(os.path.normpath(folder / word)) for word in (split_command(ours) if ours else ())}
    return {each for each in found - {folder} if not contains(each, named) and not is_within(each, software)}


def _bubblewrap_words(
    view: SandboxView,
    words: Sequence[str],
    *,
    channel: int = 0,
    port: int = 0,
    shares_network: bool = False,
) -> list[str]:
    """Return the command line that runs a program on a machine of its own.

    Args:
        view: what it sees of the machine's files.
        words: its command line.
        channel: what `inside` sends its listening socket through.
        port: on which `inside` listens.
        shares_network: whether it has the network of the machine.
    """
    namespaces = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
    namespaces += [] if shares_network else ["--unshare-net"]
    namespaces += ["--unshare-cgroup-try", "--die-with-parent", "--hostname", "table"]
    if os.geteuid() == 0:  # the program of root is nobody, as it sees itself
        namespaces += ["--uid", "65534", "--gid", "65534"]
    own = ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]  # noqa: S108 # its own
    first = [sys.executable, "-I", "-S", inside.__file__, str(channel), str(port)]
    return [shutil.which("bwrap") or "bwrap", *namespaces, *own, *view.arguments, "--", *first, *words]


def why_no_bubblewrap() -> str:
    """Return why bubblewrap does not work on this machine, in words that follow its name; empty if it does."""
    if shutil.which("bwrap") is None:
        return "is not installed"
    try:
        with tempfile.TemporaryDirectory(prefix="tourney-") as folder:
            own = Path(folder)
            view = SandboxView(SandboxSettings(), "", ["true"], own, own, os.defpath)
            words = _bubblewrap_words(view, ["true"])
            done = subprocess.run(  # noqa: S603 # ours
                words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PROBE_S, check=False
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"cannot be started: {error}"
    said = " ".join(done.stderr.split()).removeprefix("bwrap: ")
    return f"does not work here: {said or f'it ends with status {done.returncode}'}" if done.returncode else ""


# What stands at the start of a run


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """The kind of sandbox that programs have on this machine, and what is to be said about them."""

    kind: SandboxKind
    notice: str = ""
    """What programs could do, if there is no sandbox although nobody has said that there should be none."""


def choose_kind(wanted: SandboxKind | None) -> SandboxChoice:
    """Choose the kind of sandbox: the one that is wanted, else bubblewrap where it works.

    Raises:
        LaunchError: what is wanted cannot be had here.
    """
    given = os.environ.get(KIND_VARIABLE)
    if wanted is None and given in tuple(SandboxKind):
        wanted = SandboxKind(given)
    if wanted not in (None, SandboxKind.BUBBLEWRAP):
        return SandboxChoice(wanted)
    problem = why_no_bubblewrap()
    if not problem:
        return SandboxChoice(SandboxKind.BUBBLEWRAP)
    if wanted is not None:
        raise LaunchError(f"sandbox, kind: bubblewrap (bwrap) {problem}")
    return SandboxChoice(
        SandboxKind.NONE,
        f"bubblewrap (bwrap) {problem}, so programs have no sandbox: they run as your own user, and could read the "
        "deals, the event file with its passphrases, and each other's files; [sandbox] says what else there is",
    )
