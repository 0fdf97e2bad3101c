"""Sends one message to all addresses, in a process of its own.

apprise takes 36 MB and a fifth of a second to load, and a server that does not answer would hold up the watcher, so
`send_message` starts `python -m tourney.alarms.sender`, which reads the message from its standard input: what is on a
command line every user of the machine can read.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from tourney.extras import check_extra

SEND_S: Final = 45
"""How long sending may take; less than a claim lasts."""

_NOT_SENT: Final = "the service has refused the message, or cannot be reached"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What has come of a message to one address, of which only the scheme is shown."""

    number: int
    scheme: str
    error: str | None
    """Why it was not sent; None if it was."""

    def __str__(self) -> str:
        return f"address {self.number} ({self.scheme}): {self.error or 'sent'}"


def send_message(addresses: Sequence[str], title: str, body: str, timeout_s: float = SEND_S) -> list[Delivery]:
    """Send a message to all addresses at once; return what has come of each.

    Raises:
        LaunchError: apprise is not installed.
    """
    check_extra("alarms", "sending messages")
    words = [sys.executable, "-m", "tourney.alarms.sender"]
    message = json.dumps({"addresses": list(addresses), "title": title, "body": body})
    try:
        done = subprocess.run(  # noqa: S603 # our own module
            words, input=message, capture_output=True, text=True, check=False, timeout=timeout_s
        )
        errors = json.loads(done.stdout) if done.returncode == 0 else ["the sender has failed"] * len(addresses)
    except subprocess.TimeoutExpired:
        errors = [f"no answer within {timeout_s:g} s"] * len(addresses)
    return [
        Delivery(number, address.partition("://")[0], error)
        for number, (address, error) in enumerate(zip(addresses, errors, strict=True), 1)
    ]


def _send_to(apprise: Any, address: str, title: str, body: str) -> str | None:  # the module, which has no types
    service = apprise.Apprise()
    if not service.add(address):
        return "apprise does not understand the address"
    return None if service.notify(title=title, body=body) else _NOT_SENT


def main() -> None:
    """Read a message from standard input, send it, and print a list with an error or null for each address."""
    import apprise  # noqa: PLC0415 # only this process needs it

    logging.disable(logging.CRITICAL)  # what apprise logs may have passwords
    message = json.load(sys.stdin)
    addresses: list[str] = message["addresses"]
    with ThreadPoolExecutor(len(addresses)) as pool:
        sent = [pool.submit(_send_to, apprise, address, message["title"], message["body"]) for address in addresses]
        errors = [each.result() for each in sent]
    print(json.dumps(errors))  # noqa: T201 # the answer to the process that has started this one


if __name__ == "__main__":
    main()
