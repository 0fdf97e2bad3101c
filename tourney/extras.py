"""The extras of tourney: what each is for, whether it is installed, and how to install it."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tourney.errors import LaunchError

DISTRIBUTION: Final = "tourney-bridge"
"""The name of the distribution; `tourney` is a program of somebody else on the package index."""

_MODULES: Final = {
    "alarms": ("apprise",),
    "cluster": ("distributed", "cryptography", "psutil"),
    "dd": ("endplay", "psutil"),
    "env": ("gymnasium", "numpy", "pettingzoo"),
    "postgres": ("psycopg",),
    "web": ("starlette", "uvicorn", "httptools", "PIL"),
}
"""What each extra brings that is imported by name."""

_CHECKOUT: Final = Path(__file__).resolve().parent.parent


def has_extra(extra: str) -> bool:
    """Whether everything that an extra brings is installed."""
    return all(find_spec(module) is not None for module in _MODULES[extra])


def check_extra(extra: str, what: str) -> None:
    """Check that an extra is installed; `what` needs it.

    Raises:
        LaunchError: it is not.
    """
    if not has_extra(extra):
        raise LaunchError(f"{what} needs packages that are not installed: {install_command(extra)}")


def install_command(extra: str) -> str:
    """Return the command that installs an extra from where this tourney was installed."""
    import shlex  # noqa: PLC0415 # what only a refusal needs is not loaded by every command

    return f"{_installer()} {shlex.quote(f'{_origin()}[{extra}]')}"


def _installer() -> str:
    """Return the command that installs into this environment, which uv or pipx may have made without pip."""
    environment = Path(sys.prefix)
    if (environment / "uv-receipt.toml").is_file():
        return "uv tool install"
    if (environment / "pipx_metadata.json").is_file():
        return "pipx install --force"
    return "pip install"


def _origin() -> str:
    """Return the source folder or the file that tourney was installed from; else its name on the package index."""
    import json  # noqa: PLC0415 # as above
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    if (_CHECKOUT / "pyproject.toml").is_file():
        return str(_CHECKOUT)
    try:
        url = distribution(DISTRIBUTION).read_text("direct_url.json")  # PEP 610: only where it was no package index
        parts = urlsplit(json.loads(url)["url"]) if url is not None else None
    except (PackageNotFoundError, ValueError, KeyError, TypeError):
        return DISTRIBUTION
    if parts is None or parts.scheme != "file":
        return DISTRIBUTION
    place = url2pathname(parts.path)
    return place if Path(place).exists() else DISTRIBUTION
