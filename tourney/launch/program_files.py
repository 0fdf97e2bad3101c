"""The files that a command line names, and the environments and installations of the interpreters among them.

Nothing here guesses what a program opens: other files are shown by the team's `folder`, or by `readable`.

A command is the organiser's; links, environments and the first line of a script are those of a team, who may write
into them what they like. So what only they lead to is shown if it is an environment or an installation of an
interpreter, and neither hidden nor another team's.
"""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os.path import exists, isdir, isfile, islink
from pathlib import Path
from typing import Final

from tourney.config.command import PLAYER_OPTION

_CORE_PARTS: Final = (
    *("pyvenv.cfg", "bin", "include/python3*", "lib/python3*", "lib/pypy3*", "lib64/python3*", "lib/node_modules"),
)
"""What belongs to an environment or installation whose folder has other things too: it may be a home."""

_ENVIRONMENT_PARTS: Final = ("pyvenv.cfg", "bin", "etc", "include", "lib", "lib64", "share")
"""What belongs to an environment of Python that has a folder of its own."""

_SEARCHED_UP: Final = ("node_modules", "package.json")
"""What Node looks for in the folder of a script and in all above it."""

_MARKS: Final = ("lib/python3*/os.py", "lib/pypy3*/os.py", "conda-meta", "libexec/pyenv", "include/node/node.h")
"""What is found in an installation of Python, an environment of conda, pyenv, and an installation of Node."""

_JAVASCRIPT: Final = frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts"})
_HOME: Final = re.compile(r"^[ \t]*home[ \t]*=[ \t]*(.*\S)", re.IGNORECASE | re.MULTILINE)
_START_MAX: Final = 4096
_LINKS_MAX: Final = 40  # path_resolution(7)


def find_team_folders(words: Sequence[str], folder: Path) -> set[Path]:
    """Find the folders in which a team's files lie, as the words of its command tell.

    Neither those of environments, nor the one in which its programs are started, which is nobody's.
    """
    places = {path if isdir(path) else path.parent for path in _named(words, folder) if exists(path)}
    return {
        place
        for place in places
        if not (
            contains(place, _common(folder)) or isfile(place.parent / "pyvenv.cfg") or _is_installation(place.parent)
        )
    }


def describe_unseen(path: Path, folder: Path) -> tuple[str, str]:
    """Return what would show a file that is not within the sandbox, and the sentence that says so.

    `folder` is that of the event file.
    """
    wanted = path
    if path.parent.name == "bin" and len(path.parts) > 3 and not contains(path.parents[1], _common(folder)):
        wanted = path.parents[1]  # an interpreter needs its libraries
    name, entry = (
        str(each.relative_to(folder)) if each.is_relative_to(folder) else str(each) for each in (path, wanted)
    )
    return entry, f'{name} is there, but not within the sandbox: `readable = ["{entry}"]` in [sandbox] would show it'


def led_to(path: Path, folder: Path, search_path: str) -> Iterator[Path]:
    """Yield where a file leads, link by link: to what its path has links to, and to the interpreter of a script."""
    yield from _links(path)
    first = _read_start(path).partition("\n")[0]
    for word in first[2:].split() if first.startswith("#!") else ():
        program = word if "/" in word else shutil.which(word, path=search_path)
        if program is not None:
            yield (place := _join(folder, program))
            yield from _links(place)


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

    def follow_command(self, words: Sequence[str]) -> list[Path]:
        """Find what to show for a command line: of a file that it names, the folder in which it lies.

        Not that folder where it is the one in which programs are started, a home, or has something that is hidden:
        then the file alone.
        """
        for path in _named(words, self.folder):
            if path not in _common(self.folder) and exists(path):
                self._name(path)
        return [
            path
            for path in self.found
            if is_within(path, self.hidden) or not any(place in self.found for place in path.parents)
        ]

    def _name(self, path: Path) -> None:
        """Show what the organiser has named, and the environment behind it."""
        folder = path if isdir(path) else path.parent
        kept = (*self.hidden, *_common(self.folder))
        shown = path if contains(folder, kept) or contains(_real(folder), kept) else folder
        others = (*self.hidden, *self.rivals)
        is_link_to_others = is_within(_real(shown), others) and not is_within(shown, others)
        if not is_link_to_others and not any(contains(each, self.hidden) for each in (shown, _real(shown))):
            self._show(shown)
        if path.suffix.lower() in _JAVASCRIPT or "node_modules" in path.parts or exists(path / "package.json"):
            for each in (place / name for place in (folder, *folder.parents) for name in _SEARCHED_UP):
                if exists(each) and _real(each).name == each.name and self._may_lead_to(each):
                    self._show(each)
        if isdir(path):
            return
        for place in (path, *led_to(path, self.folder, self.path)):
            self._show_environment(place)

    def _show_environment(self, path: Path) -> None:
        """Show the environment or installation that a program lies in, and what that was made with."""
        if len(path.parts) < 4 or path.parent.name not in ("bin", "shims"):  # few parts: of the system itself
            return
        root = path.parents[1]
        if not isfile(root / "pyvenv.cfg"):
            self._show_installation(root)
            return
        self._show_parts(root)
        home = _read_home(root / "pyvenv.cfg")
        for base in (home, *_links(home)) if home is not None else ():
            if base.name == "bin":
                self._show_installation(base.parent)

    def _show_installation(self, root: Path) -> None:
        if _is_installation(root) and self._may_lead_to(root):
            if self._is_broad(root):
                self._show_parts(root)
            else:
                self._show(root)

    def _show_parts(self, root: Path) -> None:
        for pattern in _CORE_PARTS if self._is_broad(root) else _ENVIRONMENT_PARTS:
            for path in sorted(root.glob(pattern)):
                is_part = _real(path).is_relative_to(_real(root))  # and no link to something else
                if is_part and self._may_lead_to(path) and not self._is_broad(path):
                    self._show(path)

    def _show(self, path: Path) -> None:
        is_hidden = is_within(path, self.hidden)  # what is named there is shown nevertheless
        if is_hidden or not is_within(path, (*self.shown, *self.found)):
            self.found[path] = None

    def _is_broad(self, folder: Path) -> bool:
        """Return whether a folder has more in it than one thing, some of which is not to be seen."""
        kept = (*self.hidden, *self.rivals, *_common(self.folder))
        return contains(folder, kept) or contains(_real(folder), kept)

    def _may_lead_to(self, path: Path) -> bool:
        """Return whether what only a team's files lead to may be shown."""
        return not any(is_within(place, (*self.hidden, *self.rivals)) for place in (path, _real(path)))


def _links(path: Path) -> Iterator[Path]:
    """Yield where a path leads, link by link."""
    for _ in range(_LINKS_MAX):
        place = next((each for each in (*reversed(path.parents), path) if islink(each)), None)
        if place is None:
            return
        path = _join(place.parent, str(place.readlink())) / path.relative_to(place)
        yield path


def _named(words: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the paths that a command line may name: its words, the values of its options, and modules of Python."""
    for before, word in zip(("", *words), words, strict=False):
        module = word.partition(":")[0] if before == PLAYER_OPTION else word if before == "-m" else ""
        first = module.partition(".")[0]
        if first.isidentifier():
            yield from (folder / first, folder / f"{first}.py")
        yield _join(folder, word.partition("=")[2] if word.startswith("-") else word)


def _common(folder: Path) -> set[Path]:
    """Return folders that have things of all kinds: nothing that contains them is shown."""
    return {folder, Path(os.path.expanduser("~")), Path("/tmp")}  # noqa: S108 # there need not be a home


def contains(folder: Path, paths: Iterable[Path]) -> bool:
    """Return whether one of the paths is within a folder, or is the folder."""
    return any(path.is_relative_to(folder) for path in paths)


def is_within(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path is within one of the folders, or is one of them."""
    return any(path.is_relative_to(folder) for folder in folders)


def _join(folder: Path, name: str) -> Path:
    return Path(os.path.normpath(folder / name))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _is_installation(root: Path) -> bool:
    """Return whether a folder is an installation of Python or Node, one of pyenv, or an environment of conda."""
    return len(root.parts) > 1 and any(any(root.glob(pattern)) for pattern in _MARKS)


def _read_home(configuration: Path) -> Path | None:
    """Return the folder of the Python that a virtual environment was made with, as its `pyvenv.cfg` says."""
    found = _HOME.search(_read_start(configuration))
    return _join(configuration.parent, found[1]) if found is not None else None


def _read_start(path: Path) -> str:
    """Return how a file begins; nothing of what is no file."""
    try:
        if isfile(path):
            with path.open(encoding="utf-8", errors="replace") as file:
                return file.read(_START_MAX)
    except OSError:
        pass
    return ""
