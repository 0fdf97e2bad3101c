"""Finding the class that a text such as `my_bot:MyBot` names."""

import importlib
import importlib.util
import sys
import traceback
from pathlib import Path

from tourney.errors import PlayerError
from tourney.player.player import Player


def load_player(name: str, folder: Path) -> type[Player]:
    """Import the class that a name such as `my_bot:MyBot` stands for.

    Args:
        name: a module, as in an import statement, and a class in it; a file `my_bot.py` will do for the module. The
            class may be left out where the module has only one.
        folder: where modules are looked for before the installed ones.

    Raises:
        PlayerError: there is no such module or class, it is no `Player`, or importing it fails; the traceback of a
            module that fails goes to standard error.
    """
    module_name, _, class_name = name.partition(":")
    module_name = module_name.removesuffix(".py").replace("/", ".")
    if not module_name or not all(part.isidentifier() for part in module_name.split(".")):
        raise PlayerError(f"a player is named by its module and its class, such as my_bot:MyBot, got {name!r}")
    sys.path.insert(0, str(folder))
    try:
        is_there = importlib.util.find_spec(module_name) is not None
        module = importlib.import_module(module_name) if is_there else None
    except Exception as error:  # noqa: BLE001 # whatever it is, it is its author's
        traceback.print_exc()
        raise PlayerError(f"importing {module_name} failed: {describe_exception(error)}") from None
    if module is None:
        raise PlayerError(f"there is no module {module_name!r} in {folder}, nor is one installed")
    found = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Player) and value.__module__ == module.__name__
    }
    if not class_name:
        if len(found) != 1:
            listed = ", ".join(sorted(found)) or "none"
            raise PlayerError(f"name the class after a colon, as in {module_name}:MyBot: {module_name} has {listed}")
        (player,) = found.values()
        return player
    asked = getattr(module, class_name, None)
    if asked is None:
        raise PlayerError(
            f"{module_name} has no class {class_name!r}; its players are: {', '.join(sorted(found)) or 'none'}"
        )
    if not isinstance(asked, type) or not issubclass(asked, Player):
        raise PlayerError(f"{name} is no player: it has to be a subclass of tourney.player.Player")
    return asked


def describe_exception(error: Exception) -> str:
    """Return the kind of an exception, with what it says if it says anything."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
