"""Finding the class that a text such as `my_bot:MyBot` names, and running what its author wrote."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from tourney.errors import PlayerError
from tourney.extras import check_extra
from tourney.player.player import Player

_Answer = TypeVar("_Answer")


def load_player(name: str, folder: Path) -> type[Player]:
    """Import the class that a name such as `my_bot:MyBot` stands for; `my_net:policy@pgx480` stands for an `Agent`.

    Args:
        name: a module, as in an import statement, and a class in it; a file `my_bot.py` will do for the module. The
            class may be left out where the module has only one.
        folder: where modules are looked for before the installed ones.

    Raises:
        PlayerError: there is no such module or class, it is no `Player`, or importing it fails.
    """
    module_name, _, class_name = name.partition(":")
    class_name, _, encoder = class_name.partition("@")
    module_name = module_name.removesuffix(".py").replace("/", ".")
    if not module_name or not all(part.isidentifier() for part in module_name.split(".")):
        raise PlayerError(f"a player is named by its module and its class, such as my_bot:MyBot, got {name!r}")
    sys.path.insert(0, str(folder))
    what = f"importing {module_name}"
    is_there = guarded(what, lambda: importlib.util.find_spec(module_name) is not None)
    module = guarded(what, lambda: importlib.import_module(module_name)) if is_there else None
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
    if encoder:
        check_extra("env", "a network as a player")
        from tourney.player.agents import make_agent  # noqa: PLC0415 # as above

        return make_agent(asked, class_name, encoder)
    if asked is None:
        raise PlayerError(
            f"{module_name} has no class {class_name!r}; its players are: {', '.join(sorted(found)) or 'none'}"
        )
    if not isinstance(asked, type) or not issubclass(asked, Player):
        raise PlayerError(
            f"{name} is no player: it has to be a subclass of tourney.player.Player; a network has its encoder "
            "behind it, as in my_net:policy@pgx480"
        )
    return asked


def import_players(named: Sequence[tuple[str, Path]]) -> Iterator[None]:
    """Import classes by their names and the folders of their modules, to find out what is wrong with one.

    Raises:
        PlayerError: as of `load_player`.
    """
    for name, folder in named:
        load_player(name, folder)
        yield


def check_signatures(player: type[Player]) -> None:
    """Check that the methods of a class take what they will be given.

    Raises:
        PlayerError: one does not; the sentence has the signature that it needs.
    """
    for name, method in inspect.getmembers(Player, inspect.isroutine):
        if name.startswith("_") and name != "__init__":
            continue
        needed, own = inspect.signature(method), inspect.signature(getattr(player, name))
        try:
            own.bind(*needed.parameters)
        except TypeError:
            raise PlayerError(f"{player.__name__}.{name} takes {_bare(needed)}, got {_bare(own)}") from None


def _bare(signature: inspect.Signature) -> str:
    """Return a signature without types: `(self, model=None)`."""
    parameters = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def guarded(what: str, run: Callable[[], _Answer]) -> _Answer:
    """Run code of an author.

    Raises:
        PlayerError: it raised, which is the cause of the error, or wanted to end the process.
    """
    try:
        return run()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever it is, it is its author's: `sys.exit()` too
        raise failed(what, error) from error


def failed(what: str, error: BaseException) -> PlayerError:
    """Return the error for code of an author that raised."""
    described = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    player_error = PlayerError(f"{what} raised {described}")
    player_error.__cause__ = error
    return player_error
