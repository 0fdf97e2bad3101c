"""Where messages go: addresses as apprise writes them, from the environment or a file that only its owner reads.

Addresses are the organiser's alone: no form and no page takes one. Whoever can write the file may have the server
connect to any host, so what matters here is that nothing but messages comes of an address: schemes that act on this
machine (desktop notices, the system's log) and those that read files are not among the ones that are taken.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from stat import S_IRWXG, S_IRWXO
from typing import Final
from urllib.parse import unquote

from tourney.config.alarms import AlarmsConfig
from tourney.errors import ConfigError, UsageError

VARIABLE: Final = "TOURNEY_ALARMS"

ADDRESSES_MAX: Final = 10

FILE_BYTES_MAX: Final = 100_000

SCHEMES: Final = frozenset(
    [
        "mailto",
        "mailtos",
        "ntfy",
        "ntfys",
        "gotify",
        "gotifys",
        "tgram",
        "discord",
        "slack",
        "msteams",
        "workflow",
        "workflows",
        "matrix",
        "matrixs",
        "mmost",
        "mmosts",
        "rocket",
        "rockets",
        "zulip",
        "signal",
        "signals",
        "threema",
        "pover",
        "pbul",
        "pagerduty",
        "opsgenie",
        "twilio",
        "vonage",
        "clicksend",
        "seven",
        "xmpp",
        "xmpps",
        "json",
        "jsons",
    ]
)
"""The schemes of addresses that are taken."""

_ADDRESS: Final = re.compile(r"([a-z0-9]{1,20})://[!-~]{1,2000}")
_READS_FILES: Final = re.compile(r"[?&;](template|attach|pgp[a-z]*|config)=", re.IGNORECASE)
"""Parameters by which some services read a file of this machine, or another address."""

_BLANK: Final = re.compile(r"[+\s]")
"""What apprise strips from the name of a parameter."""


def load_addresses(config: AlarmsConfig, folder: Path, environ: Mapping[str, str]) -> list[str]:
    """Load the addresses that messages go to.

    Args:
        config: `[alarms]`.
        folder: that of the event file.
        environ: the environment of the process.

    Raises:
        ConfigError: they cannot be read, or one is no address; the sentence does not show it.
        UsageError: there are none.
    """
    if environ.get(VARIABLE, "").strip():
        return _check(environ[VARIABLE].split(), VARIABLE)
    if config.addresses_file is None:
        raise UsageError(
            f"no addresses for alarms: set the environment variable {VARIABLE}, or addresses_file in [alarms]"
        )
    path = folder / config.addresses_file
    try:
        mode, size = path.stat().st_mode, path.stat().st_size
        lines = path.read_text(encoding="utf-8").splitlines() if size <= FILE_BYTES_MAX else []
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"addresses_file {path} cannot be read: {why}") from None
    if mode & (S_IRWXG | S_IRWXO):
        raise ConfigError(f"addresses_file {path} has passwords and others may read it: `chmod 600 {path}`")
    return _check([line.strip() for line in lines if line.strip() and not line.strip().startswith("#")], str(path))


def _check(addresses: list[str], where: str) -> list[str]:
    if not addresses:
        raise UsageError(f"{where} has no address for alarms")
    if len(addresses) > ADDRESSES_MAX:
        raise ConfigError(f"{where} has {len(addresses)} addresses, at most {ADDRESSES_MAX} are taken")
    for number, address in enumerate(addresses, 1):
        found = _ADDRESS.fullmatch(address)
        if found is None:
            raise ConfigError(f"{where}: address {number} is not of the form scheme://...")
        if found[1] not in SCHEMES:
            known = ", ".join(sorted(SCHEMES))
            raise ConfigError(f"{where}: address {number} has the scheme {found[1]}, taken are {known}")
        if parameter := _READS_FILES.search(_BLANK.sub("", unquote(unquote(address)))):
            raise ConfigError(f"{where}: address {number} has {parameter[1]}=, which may read files: leave it out")
    return addresses
