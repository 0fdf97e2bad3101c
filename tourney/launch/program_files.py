"""The files that a program needs to start: those that its command names, and the environments behind them.

A command names a script or an interpreter; what that needs is found by following it: links to the interpreter behind
them, the virtual environment that a Python lies in and the installation that this was made with, the `node_modules`
that Node looks for on the way up, the first line of a script, and what a shell script starts.

A command is the organiser's; scripts, links and environments are those of a team, who may write into them what they
like. So what only they lead to is shown where it is installed software (an environment or an installation of an
interpreter, wherever it is), or lies where programs are started and in no other team's folder. All else that is
there, and would not be seen, is named.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from os.path import exists, isdir, isfile, islink
from pathlib import Path
from typing import Final

from tourney.config.command import PLAYER_OPTION

_ENVIRONMENT_PARTS: Final = ("pyvenv.cfg", "bin", "etc", "include", "lib", "lib64", "share")
"""What belongs to an environment of Python."""

_CORE_PARTS: Final = (
    *("pyvenv.cfg", "bin", "include/python3*", "lib/python3*", "lib/pypy3*", "lib64/python3*", "lib/node_modules"),
)
"""What belongs to an environment or installation whose folder has other things too: it may be a home."""

_SEARCHED_UP: Final = ("node_modules", "package.json", "tsconfig.json", ".pnp.cjs", ".pnp.loader.mjs")
"""What Node and its tools look for in the folder of a script and in all above it."""

_JAVASCRIPT: Final = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts"})
_SHELL_SUFFIXES: Final = frozenset({"", ".sh", ".bash", ".zsh", ".ksh", ".command"})
_SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_PROGRAM_SUFFIXES: Final = _JAVASCRIPT | {".py", ".pyz", ".sh", ".bash", ".pl", ".rb", ".jar", ".lua", ".php", ".exe"}

_INTERPRETER: Final = re.compile(
    r"(python|pypy)[\d.]*t?|node|nodejs|npm|npx|yarn|pnpm|deno|bun|java|ruby|perl|lua|julia|mono|dotnet|uv|conda|mamba"
)
"""The name without a path of a program that a script starts."""

_PIECES: Final = re.compile(r"""[\s"'`;|&()<>=,\[\]]+""")
"""What stands between the words of a shell script."""

_VARIABLE: Final = re.compile(r"^(\$\w+|\$\{[^}]*\}|\$[@*#?!0-9]|\))+/?")
"""What begins a path that a script puts together: `$HERE/`, `${0%/*}/`."""

_SCRIPT_OPTION: Final = re.compile(r"-\w*c")
"""The option after which a shell is given a script."""

_SCRIPT_BYTES_MAX: Final = 256 * 1024
_PIECES_MAX: Final = 5000
_DEPTH_MAX: Final = 8
_LINKS_MAX: Final = 40  # path_resolution(7)
_PACKAGES_MAX: Final = 5000


@lru_cache(maxsize=512)
def find_team_folders(
    words: tuple[str, ...], folder: Path, path: str, shown: tuple[Path, ...] = ()
) -> Collection[Path]:
    """Find the folders in which a team's files lie, as its command tells: not those of environments and software.

    Args:
        words: the words of the command; those with placeholders are passed over.
        folder: where its programs are started; what lies in it directly is nobody's folder.
        path: where programs are looked for.
        shown: what everybody sees.
    """
    search = FileSearch(folder=folder, path=path, shown=shown)
    for word in (word for word in words if "{" not in word):
        search.name(_join(folder, word))
    return {
        found
        for found in search.found
        if isdir(found)
        and found.name not in _SEARCHED_UP
        and not _is_environment(found)
        and not _is_environment(found.parent)
    }


def describe_unseen(path: Path, folder: Path) -> str:
    """Say that a file is not within the sandbox, and what would show it; `folder` is that of the event file."""
    wanted = path
    if path.parent.name == "bin" and len(path.parts) > 3 and not _contains(path.parents[1], _common(folder)):
        wanted = path.parents[1]  # an interpreter needs its libraries
    name, entry = (
        str(each.relative_to(folder)) if each.is_relative_to(folder) else str(each) for each in (path, wanted)
    )
    return f'{name} is there, but not within the sandbox: `readable = ["{entry}"]` in [sandbox] would show it'


def _common(folder: Path) -> set[Path]:
    """Return folders that have things of all kinds: nothing that contains them is shown."""
    return {folder, Path(os.path.expanduser("~")), Path("/tmp")}  # noqa: S108 # there need not be a home


def _contains(folder: Path, paths: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for path in paths)


def _is_within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


@dataclass(slots=True, kw_only=True)
class FileSearch:
    """Finds the files and folders that a command line needs, within what may be shown of the machine."""

    folder: Path
    """Where programs are started."""
    path: str
    """Where programs are looked for."""
    hidden: Collection[Path] = ()
    """What is never shown."""
    shown: Collection[Path] = ()
    """What is shown already."""
    rivals: Collection[Path] = ()
    """Folders of other teams, from which only what a command names is shown."""
    found: dict[Path, None] = field(default_factory=dict)
    """What is shown besides, in the order in which it was found."""
    _unseen: dict[Path, None] = field(default_factory=dict)
    _named: set[Path] = field(default_factory=set)
    """Environments that the organiser has named."""
    _followed: set[Path] = field(default_factory=set)

    def follow_command(self, words: Sequence[str]) -> None:
        """Show what a command line needs: of a file that it names, the folder in which it lies.

        Not that folder where it is the one in which programs are started, a home, or has something that is hidden:
        then the file alone.
        """
        for number, word in enumerate(words):
            path = _join(self.folder, word.partition("=")[2] if word.startswith("-") else word)
            before = words[number - 1] if number else ""
            if before == "-m":
                self.name_module(word)
            elif before == PLAYER_OPTION:
                self.name_module(word.partition(":")[0])
            elif _SCRIPT_OPTION.fullmatch(before):
                self.read_text(word, [self.folder], is_named=True)
            elif number and _INTERPRETER.fullmatch(word):
                self.read_piece(word, [self.folder])
            self.name(path)

    @property
    def needed(self) -> list[Path]:
        """The files and folders to show: not what lies in a folder that was found later."""
        return [
            path
            for path in self.found
            if _is_within(path, self.hidden) or not any(place in self.found for place in path.parents)
        ]

    @property
    def unseen(self) -> list[Path]:
        """Files that a command leads to and that are there, but not shown."""
        # A folder of which something is seen is one that was named for that: such as tourney's own.
        return [path for path in self._unseen if not self.is_seen(path) and not _contains(path, self.shown)]

    # What is shown

    def is_seen(self, path: Path) -> bool:
        """Return whether a path is within what is shown."""
        if _is_within(path, self.hidden):  # it is seen if it was named, or something in what is hidden
            return any(path.is_relative_to(each) and _is_within(each, self.hidden) for each in self.found)
        return _is_within(path, self.shown) or _is_within(path, self.found)

    def _is_broad(self, folder: Path) -> bool:
        """Return whether a folder has more in it than one thing, some of which is not to be seen."""
        kept = {*self.hidden, *self.rivals, *_common(self.folder)}
        return _contains(folder, kept)

    def _may_lead_to(self, path: Path) -> bool:
        """Return whether what only a team's files lead to may be shown."""
        for place in (path, _real(path)):
            if _is_within(place, self.hidden):
                return False
            if _is_within(place, self.rivals) and not _is_within(place, self._named):
                return False
        return True

    def _show(self, path: Path) -> None:
        if not self.is_seen(path):
            self.found[path] = None

    # What a command names

    def name(self, path: Path) -> None:
        """Show what the organiser has named, and what it needs."""
        common = _common(self.folder)
        if path in common or not exists(path):
            return
        if isdir(path):
            if not _contains(path, self.hidden):
                self._show(path)
            if exists(path / "package.json"):
                self._show_searched_up(path)
            return
        shown = path if _contains(path.parent, {*self.hidden, *common}) else path.parent
        if not _contains(shown, self.hidden):
            self._show(shown)
        if path.parent.name == "bin":
            root = path.parents[1]
            self._named.add(root)
            if not isfile(root / "pyvenv.cfg") and isdir(root / "lib") and not self._is_broad(root):
                self._show(root)  # such as that of a Java, with all that belongs to it
        self._follow(path, 0)

    def name_module(self, name: str) -> None:
        """Show the package or module of Python after `-m`, if it lies where programs are started."""
        first = name.partition(".")[0]
        if first.isidentifier():
            self.name(self.folder / first)
            self.name(self.folder / f"{first}.py")

    # What files lead to

    def _follow(self, path: Path, depth: int) -> None:
        """Show what a file that is run needs."""
        if path in self._followed or depth > _DEPTH_MAX:
            return
        self._followed.add(path)
        self._show_environment(path)
        for place in _links(path):
            self._lead(place, depth)
        if path.suffix.lower() in _JAVASCRIPT or "node_modules" in path.parts:
            self._show_searched_up(path.parent)
        self._read_script(path, depth)

    def _lead(self, path: Path, depth: int) -> None:
        """Show a file that a team's files lead to, if it may be, and what it needs."""
        if self._may_lead_to(path):
            self._show_environment(path)
            if self._is_ground(path) and _is_program(path) and _is_program(_real(path)):
                shown = path if self._is_broad(path.parent) else path.parent
                if self._is_ground(shown) and not self._is_broad(_real(shown)):
                    self._show(shown)
            if self.is_seen(path):
                self._follow(path, depth + 1)
                return
        if not self.is_seen(path) and exists(path):
            self._unseen[path] = None

    def _show_environment(self, path: Path) -> None:
        """Show the environment or installation that a program lies in, and what that was made with."""
        if len(path.parts) < 4:  # of the system itself
            return
        root = path.parents[1]
        if path.parent.name == "shims" and exists(root / "libexec" / "pyenv"):
            self._show_software(root)
        if path.parent.name != "bin":
            return
        if isfile(root / "pyvenv.cfg"):
            self._show_parts(root)
            self._show_paths_of(root)
            home = _read_home(root / "pyvenv.cfg")
            for base in (home, *_links(home)) if home is not None else ():
                if base.name == "bin" and len(base.parts) > 2 and _is_installation(base.parent):
                    self._show_software(base.parent)
        elif _is_installation(root):
            self._show_software(root)

    def _show_software(self, root: Path) -> None:
        """Show an installation that is no environment."""
        if not self._may_lead_to(root):
            return
        if self._is_broad(root) or self._is_broad(_real(root)):
            self._show_parts(root)
        else:
            self._show(root)

    def _show_parts(self, root: Path) -> None:
        for pattern in _CORE_PARTS if self._is_broad(root) else _ENVIRONMENT_PARTS:
            for path in sorted(root.glob(pattern)):
                is_part = _real(path).is_relative_to(_real(root))  # and no link to something else
                if is_part and self._may_lead_to(path) and not self._is_broad(path):
                    self._show(path)

    def _show_paths_of(self, root: Path) -> None:
        """Show what is installed in an environment as a link to where it is developed, where it may be shown."""
        for file in sorted(root.glob("lib/python*/site-packages/*.pth")):
            for line in _read_text(file).splitlines():
                path = Path(os.path.normpath(file.parent / line.strip()))
                if line.strip() and not line.startswith(("#", "import")) and isdir(path):
                    self._lead_to_folder(path)

    def _lead_to_folder(self, path: Path) -> None:
        """Show a folder of packages that a team's files lead to, if it may be."""
        if self._is_ground(path) and not self._is_broad(_real(path)):
            self._show(path)
        if not self.is_seen(path):
            self._unseen[path] = None

    def _show_searched_up(self, folder: Path) -> None:
        for place in (folder, *folder.parents):
            for name in _SEARCHED_UP:
                path = place / name
                if exists(path) and _real(path).name == name and self._may_lead_to(path):
                    self._show(path)
                    if name == "node_modules":
                        self._show_linked_packages(path)

    def _show_linked_packages(self, modules: Path) -> None:
        """Show the packages of a workspace, which are links to where they are developed."""
        found = [*islice(modules.glob("*"), _PACKAGES_MAX), *islice(modules.glob("@*/*"), _PACKAGES_MAX)]
        for path in found:
            if (target := _real(path)) != path and isdir(target):
                self._lead_to_folder(target)

    # Scripts

    def _read_script(self, path: Path, depth: int) -> None:
        first, _, rest = _read_text(path).partition("\n")
        if first.startswith("#!"):
            words = first[2:].split()
            for word in words:
                self.read_piece(word, [self.folder], depth)
            is_shell = any(Path(word).name in _SHELLS for word in words)
        else:
            rest = f"{first}\n{rest}"
            is_shell = path.suffix.lower() in _SHELL_SUFFIXES
        if is_shell:
            bases = [path.parent, _real(path).parent, self.folder]
            self.read_text(rest, bases, depth)

    def read_text(self, text: str, bases: Sequence[Path], depth: int = 0, *, is_named: bool = False) -> None:
        """Follow the words of a shell script; `is_named` are those of a command, which are the organiser's."""
        lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
        found = dict.fromkeys(piece for line in lines for piece in _PIECES.split(line) if piece)
        pieces = list(islice(found, _PIECES_MAX))
        # A script may go to a folder, from which its other paths are then looked for.
        folders = [
            path for piece in pieces for path in _places(piece, bases) if isdir(path) and self._is_ground(path)
        ]
        for piece in pieces:
            self.read_piece(piece, list(dict.fromkeys([*bases, *folders])), depth, is_named=is_named)

    def _is_ground(self, path: Path) -> bool:
        """Return whether a path is, with no link out of it, where programs are started, or within what is shown."""
        spellings = (path, _real(path))
        is_ours = all(place.is_relative_to(self.folder) or self.is_seen(place) for place in spellings)
        return is_ours and self._may_lead_to(path)

    def read_piece(self, piece: str, bases: Sequence[Path], depth: int = 0, *, is_named: bool = False) -> None:
        """Follow a word of a script."""
        if _INTERPRETER.fullmatch(piece):
            program = shutil.which(piece, path=self.path)
            if program is not None:
                self._lead(Path(program), depth)
            return
        for path in _places(piece, bases):
            if not isfile(path):
                continue
            if is_named and _is_program(path) and not self.is_seen(path):
                self.name(path)
            else:
                self._lead(path, depth)


def _places(piece: str, bases: Sequence[Path]) -> Iterator[Path]:
    """Yield where a word of a script may lead, without what it puts before a path."""
    relative = _VARIABLE.sub("", piece)
    if "}/" in relative:
        relative = relative.rpartition("}/")[2]
    if relative.startswith("/"):
        if exists(path := _join(Path("/"), relative)):
            yield path
        relative = relative.lstrip("/")  # what stood before it may have been cut off: `$(dirname "$0")/`
    if relative and "$" not in relative:
        for base in bases:
            if exists(path := _join(base, relative)):
                yield path


def _links(path: Path) -> Iterator[Path]:
    """Yield where a path leads, link by link."""
    for _ in range(_LINKS_MAX):
        place = next((each for each in (*reversed(path.parents), path) if islink(each)), None)
        if place is None:
            return
        path = _join(place.parent, str(place.readlink())) / path.relative_to(place)
        yield path


def _join(folder: Path, name: str) -> Path:
    return Path(os.path.normpath(folder / name))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_program(path: Path) -> bool:
    """Return whether a file is one that is run, or read by what runs in an environment."""
    return (
        path.suffix.lower() in _PROGRAM_SUFFIXES
        or (isfile(path) and os.access(path, os.X_OK))
        or (path.parent.name == "bin" and _is_environment(path.parents[1]))
    )


def _is_environment(folder: Path) -> bool:
    return folder != Path("/") and (isfile(folder / "pyvenv.cfg") or _is_installation(folder))


def _is_installation(root: Path) -> bool:
    """Return whether a folder is an installation of Python or Node, or an environment of conda."""
    libraries = ("lib/python3*/os.py", "lib/pypy3*/os.py")
    if isdir(root / "conda-meta") or any(next(root.glob(each), None) for each in libraries):
        return True
    return exists(root / "bin/node") and (isdir(root / "include/node") or isdir(root / "lib/node_modules"))


def _read_home(configuration: Path) -> Path | None:
    """Return the folder of the Python that a virtual environment was made with, as its `pyvenv.cfg` says."""
    for line in _read_text(configuration).splitlines():
        key, _, value = line.partition("=")
        if key.strip().lower() == "home" and value.strip():
            return _join(configuration.parent, value.strip())
    return None


def _read_text(path: Path) -> str:
    """Return the text of a small file; empty for others."""
    try:
        if not isfile(path) or path.stat().st_size > _SCRIPT_BYTES_MAX:
            return ""
        data = path.read_bytes()
    except OSError:
        return ""
    return "" if b"\0" in data else data.decode("utf-8", "replace")
