"""The sandbox around a team's program: what it may see, reach and use, and as which user it runs.

Nothing here knows bridge. What stands between a program and the rest of the machine is worked out before it is
started: the words of a command line, an environment, and what the child does before its program.
"""

import glob
import os
import pwd
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
from tourney.launch.program import ProgramFolder, Start
from tourney.launch.program_files import FileSearch, describe_unseen, find_team_folders, led_to
from tourney.runtime.open_files import files_of_program
from tourney.runtime.privacy import without_secrets
from tourney.runtime.processes import parent_death_hook
from tourney.store.control.host_settings import ProgramLimits, SandboxSettings

KIND_VARIABLE: Final = "TOURNEY_SANDBOX"
"""The environment variable that has the kind for event files that name none."""

_PROBE_S: Final = 10
"""How long trying whether bubblewrap works may take, in seconds."""

_MB: Final = 1024 * 1024
_PROCESSES_OF_USER: Final = 64
"""How many times a program's limit of processes a team's user may have: its programs at all tables together."""

_KERNEL_COUNTS_BY_NAMESPACE: Final = (5, 14)
"""The version of Linux from which a sandbox has its own count of processes."""

_MAY_PASS: Final = 0o001
"""Others may go through a folder to one in it whose name they know, and not list it."""

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
class User:
    """A user of this machine that runs programs."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]

    def may(self, access: int, path: Path) -> bool:
        """Return whether this user has a right (`os.R_OK`, ...) to a file by its mode; access lists are not read."""
        try:
            found = path.stat()
        except OSError:
            return False
        if self.uid == 0:
            return True
        if found.st_uid == self.uid:
            return bool(found.st_mode >> 6 & access)
        is_of_group = found.st_gid in (self.gid, *self.groups)
        return bool(found.st_mode >> (3 if is_of_group else 0) & access)

    def reaches(self, path: Path) -> bool:
        """Return whether this user may go through every folder above a path."""
        return all(self.may(os.X_OK, folder) for folder in path.resolve().parents)

    def reads(self, path: Path) -> bool:
        return self.reaches(path) and self.may(os.R_OK, path)


def find_user(name: str) -> User:
    """Find a user by name or number; a number need not have a name.

    Raises:
        LaunchError: there is no such user.
    """
    number = int(name) if name.isdecimal() else None
    try:
        entry = pwd.getpwuid(number) if number is not None else pwd.getpwnam(name)
    except KeyError:
        if number is None:
            raise LaunchError(f"run_as: there is no user {name!r} on this machine") from None
        return User(name, number, number, ())
    return User(name, entry.pw_uid, entry.pw_gid, tuple(os.getgrouplist(entry.pw_name, entry.pw_gid)))


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

    @property
    def user(self) -> User | None:
        """Whom programs run as, if not as the user of this process.

        Raises:
            LaunchError: there is no such user.
        """
        name = self.settings.users.get(self.team)
        if name is None or self.kind not in (SandboxKind.USER, SandboxKind.BUBBLEWRAP):
            return None
        return find_user(name)

    def make_folder(self, own: ProgramFolder) -> None:
        """Make a program's own folder, with a way to it.

        Raises:
            OSError: it cannot be written.
            LaunchError: there is no user of that name.
        """
        user = self.user
        own.make((user.uid, user.gid) if user is not None else None)
        if user is not None:
            # Of its table, of all programs, and the results folder unless they are elsewhere.
            for folder in own.path.parents[: 2 if self.settings.folders else 3]:
                mode = folder.stat().st_mode
                if not mode & _MAY_PASS:
                    folder.chmod(mode | _MAY_PASS)

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

        Raises:
            LaunchError: there is no such user.
        """
        limits = self.settings.limits
        if self.kind in (SandboxKind.NONE, SandboxKind.COMMAND):
            whole = without_secrets(os.environ) | variables
            return Start(words=words, environment=whole, before=_before(None, limits)), None
        few = self._few_variables() | variables
        user = self.user
        if self.kind is SandboxKind.USER:
            few["HOME"] = str(own)
            assert user is not None
            few |= {"USER": user.name, "LOGNAME": user.name}
            most = (limits.processes or 0) * _PROCESSES_OF_USER
            return Start(words=words, environment=few, before=_before(user, limits, most)), None
        few["HOME"] = str(folder)
        view = SandboxView(self.settings, self.team, words, folder, own, few.get("PATH", os.defpath))
        uid = os.geteuid() if user is None else user.uid
        start = Start(
            words=_bubblewrap_words(
                view,
                words,
                uid,
                channel=channel,
                port=port,
                processes=_own_processes(limits),
                shares_network=self.shares_network,
            ),
            environment=few,
            before=_before(user, limits),
            channel=channel or None,
            is_wrapped=True,
        )
        return start, view

    def _few_variables(self) -> dict[str, str]:
        wanted = {*_VARIABLES, *self.settings.environment}
        return {key: value for key, value in os.environ.items() if key in wanted or key.startswith("LC_")}


def _own_processes(limits: ProgramLimits) -> int:
    """Return the limit that the kernel keeps within a sandbox, 0 for none: older ones count all of a user's."""
    version = os.uname().release.split(".")
    numbers = tuple(int(part) for part in version[:2] if part.isdecimal())
    return (limits.processes or 0) if numbers >= _KERNEL_COUNTS_BY_NAMESPACE else 0


def _before(user: User | None, limits: ProgramLimits, processes: int = 0) -> Callable[[], None] | None:
    """Return what a child does before its program: it takes its limits, becomes a user, and dies with its parent."""
    caps = [
        (number, amount)
        for number, amount in (
            (resource.RLIMIT_DATA, (limits.memory_mb or 0) * _MB),
            (resource.RLIMIT_CPU, limits.cpu_s or 0),
            (resource.RLIMIT_NOFILE, limits.open_files or 0),
            (resource.RLIMIT_NPROC, processes),
        )
        if amount
    ]
    files = files_of_program() if limits.open_files is None else None
    die_with_parent = parent_death_hook()
    if user is None and not caps and files is None:
        return die_with_parent

    def prepare() -> None:
        for number, amount in caps:
            hard = resource.getrlimit(number)[1]
            capped = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
            # A second later the processor time is over for good: the first signal says why.
            more = 1 if number == resource.RLIMIT_CPU and capped == amount else 0
            resource.setrlimit(number, (capped, capped + more))
        if files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
        if user is not None:
            os.setgroups(user.groups)
            os.setgid(user.gid)
            os.setuid(user.uid)
        if die_with_parent is not None:
            die_with_parent()  # not before: a change of the user cancels it

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
            if each.exists() and any(each.is_relative_to(shown) for shown in self._shown):
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
        return [
            describe_unseen(place, self._event_folder)
            for path in paths
            for place in (path, *led_to(path, self._folder, self._path))
            if os.path.exists(place)  # noqa: PTH110 # Path's raises for names that are too long
            and not any(place.is_relative_to(each) for each in (*known, *_OF_THE_SANDBOX))
            and not any(each.is_relative_to(place) for each in known)
        ]


def _folders_of_rivals(settings: SandboxSettings, team: str, folder: Path, software: tuple[Path, ...]) -> set[Path]:
    """Return the folders of other teams, as far as the event file tells."""
    ours = settings.commands.get(team, ())
    found = set(map(Path, settings.team_folders.values()))
    for rival, commands in settings.commands.items():
        for command in commands if rival != team and rival not in settings.team_folders else ():
            if command not in ours:  # a program that both have
                found |= find_team_folders(split_command(command), folder)
    named = {Path(os.path.normpath(folder / word)) for command in ours for word in split_command(command)}
    return {
        each
        for each in found - {folder}
        if not any(path.is_relative_to(each) for path in named)
        and not any(each.is_relative_to(place) for place in software)
    }


def _bubblewrap_words(
    view: SandboxView,
    words: Sequence[str],
    uid: int,
    *,
    channel: int = 0,
    port: int = 0,
    processes: int = 0,
    shares_network: bool = False,
) -> list[str]:
    """Return the command line that runs a program on a machine of its own.

    Args:
        view: what it sees of the machine's files.
        words: its command line.
        uid: as whom it runs; the program of root is nobody, as it sees itself.
        channel: what `inside` sends its listening socket through.
        port: on which `inside` listens.
        processes: its limit of processes, which `inside` sets.
        shares_network: whether it has the network of the machine.
    """
    namespaces = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
    namespaces += [] if shares_network else ["--unshare-net"]
    namespaces += ["--unshare-cgroup-try", "--die-with-parent", "--hostname", "table"]
    if uid == 0:
        namespaces += ["--uid", "65534", "--gid", "65534"]
    own = ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]  # noqa: S108 # its own
    first = [sys.executable, "-I", "-S", inside.__file__, str(channel), str(port), str(processes)]
    return [shutil.which("bwrap") or "bwrap", *namespaces, *own, *view.arguments, "--", *first, *words]


def why_no_bubblewrap() -> str:
    """Return why bubblewrap does not work on this machine, in words that follow its name; empty if it does."""
    if shutil.which("bwrap") is None:
        return "is not installed"
    try:
        with tempfile.TemporaryDirectory(prefix="tourney-") as folder:
            own = Path(folder)
            view = SandboxView(SandboxSettings(), "", ["true"], own, own, os.defpath)
            words = _bubblewrap_words(view, ["true"], os.geteuid())
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
    if wanted is SandboxKind.USER and os.geteuid() != 0:
        raise LaunchError(
            'sandbox, kind: with "user" the event is run by root, who alone can start programs as other users; '
            f"user {os.geteuid()} runs it"
        )
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


def user_problems(settings: SandboxSettings, folder: Path) -> list[str]:
    """Return what the users that run programs could read, or cannot reach, a sentence each.

    Args:
        settings: with `SandboxKind.USER`.
        folder: the folder of the event file.
    """
    problems = []
    for team, name in settings.users.items():
        try:
            user = find_user(name)
        except LaunchError as error:
            problems.append(f"{team}: {error}")
            continue
        where = Path(settings.team_folders.get(team, folder))
        if user.uid == os.geteuid():
            problems.append(f"{team}: run_as is {name!r}, the user who runs the event: give it another")
            continue
        if not user.reaches(where / "."):
            problems.append(f"{team}: user {name} cannot enter {where}, where its programs are started")
        problems += [
            f"{team}: user {name} could read {path}: close it to others (chmod o-r)"
            for path in map(Path, settings.hidden)
            if path.is_file() and user.reads(path)
        ]
    return problems
