"""Files that travel with the package: migrations, example event files, known programs, players to begin with.

In a checkout they lie at the top level; in an installed wheel, inside the package (`pyproject.toml`, force-include).
"""

from pathlib import Path
from typing import Final

_PACKAGE: Final = Path(__file__).resolve().parent


def _folder(name: str) -> Path:
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def migrations_folder() -> Path:
    """The folder that Alembic reads."""
    return _folder("migrations")


EXAMPLES: Final = ("event", "stages", "pairs", "individual", "board-a-match", "rubber", "world-championship")
"""Names of the commented event files."""


def example_event_text(name: str = "event") -> str:
    """A commented event file, one of `EXAMPLES`; `tourney init` writes it."""
    return (_folder("config") / f"{name}.toml").read_text(encoding="utf-8")


def known_programs_text() -> str:
    """The table of known bridge programs, as TOML; `config.programs` reads it."""
    return (_folder("config") / "known-programs.toml").read_text(encoding="utf-8")


def new_player_files(language: str) -> dict[str, str]:
    """The files of a player to begin with, by name: `python`, `node` or `cpp`; `tourney new-player` writes them."""
    folder = _folder("config") / "new-player" / language
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()) if path.is_file()}
