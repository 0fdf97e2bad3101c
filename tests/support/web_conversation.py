"""What browsers ask for and are answered, as people write it down: of public pages, and of the director's console."""

import re
import shlex
from collections.abc import Mapping

import httpx2

from tests.support.console_client import ConsoleEvent, open_console
from tests.support.conversation import Step, steps_of
from tests.support.event_conversation import converse
from tests.support.html_pages import Page
from tests.support.played_event import PlayedEvent
from tests.support.web_server import WatchedEvent, browser
from tourney.store.console_log import load_entries

_HEADER = re.compile(r" \[([\w-]+): (.*?)\](?= |$)")


async def browse(at: PlayedEvent | httpx2.AsyncClient, script: str) -> None:
    """Ask for pages of an event, and check what is answered:

    /live /vugraph -> 404                 the status of each, and where it leads to (303 /seat); else no refusal
    /live -> has Boards in play -> lacks Auction    the page; `...` stands for any letters
    /live -> has 2 times class="duel"
    /live [host: a.example] -> etag: ...  with a header, and a header of the answer
    /live again -> 304                    as a browser that has it asks
    POST /vugraph phrase=wrong            a form
    """
    if isinstance(at, PlayedEvent):
        async with browser(WatchedEvent(at)) as client:
            await browse(client, script)
        return
    for step in steps_of(script):
        headers = dict(_HEADER.findall(step.what))
        words = shlex.split(_HEADER.sub("", step.what))
        method = words.pop(0) if words[0].isupper() else "GET"
        for address in (word for word in words if word.startswith("/")):
            answer = await at.request(method, address, data=fields_in(words) or None, headers=headers)
            if words[-1] == "again":
                answer = await at.get(address, headers=headers | {"if-none-match": answer.headers["etag"]})
            check_answer(step, answer)


async def conduct(at: PlayedEvent | ConsoleEvent, script: str) -> None:
    """Let users go about at the console of an event, each in a browser of its own in which it has logged in:

    anna sees / /hosts -> has LAPTOP2     pages below /director, checked as those of `browse` are
    ben previews penalty match=1 team=Ants amount=3 reason='slow play' -> has ...
    ben does it typed=Ants -> has ...     what was previewed; the page of what was done
    ben does pause table=2-open reason=x  both
    ben sends /logout from /account       the form of a page that goes there
    ben sees it                           where the answer to that leads to
    log -> ben log in: logged in -> ...   who has done what, to what, and what came of it
    16 min pass
    holds -> pause 2-open                 and all that `event_conversation` knows of the event
    """
    if isinstance(at, PlayedEvent):
        async with open_console(at) as console:
            await conduct(console, script)
        return
    sent, previewed = dict[str, httpx2.Response](), dict[str, httpx2.Response]()
    for step in steps_of(script):
        name, *words = shlex.split(step.what)
        fields, typed = fields_in(words), dict[str, str]()
        match words:
            case ["sees", "it"]:
                check_answer(step, await (await at.user(name)).get(sent[name].headers["location"]))
            case ["sees", *addresses]:
                for address in addresses:
                    check_answer(step, await (await at.user(name)).get(f"/director{address.removesuffix('/')}"))
            case ["previews", action, *_]:
                previewed[name] = await (await at.user(name)).fill_in(action, fields)
                check_answer(step, previewed[name])
            case ["does", action, *_]:
                user, typed["typed"] = await at.user(name), fields.pop("typed", "")
                seen = previewed[name] if action == "it" else await user.preview(action, **fields)
                done = await user.submit(seen, seen.request.url.path, step="do", **typed)
                if done.status_code in (200, 422):  # it is shown again
                    previewed[name] = done
                check_answer(step, await user.get(done.headers["location"]) if done.has_redirect_location else done)
            case ["sends", address, "from", page, *_]:
                user = await at.user(name)
                form = await user.get(f"/director{page.removesuffix('/')}")
                sent[name] = await user.submit(form, f"/director{address}", **fields)
                check_answer(step, sent[name])
            case ["min", "pass"]:
                at.now_ms += 60_000 * int(name)
            case _ if step.what == "log":
                step.check(log_of(at.played))
            case _:
                converse(at.played, "\n    -> ".join([step.what, *step.expected]))


def fields_in(words: list[str]) -> dict[str, str]:
    """The fields of a form: `name=Ann phrase=x`."""
    return dict(word.split("=", 1) for word in words if "=" in word and word[0] not in "/?")


def log_of(played: PlayedEvent) -> list[str]:
    """What users have done at the console, the oldest first."""
    entries = load_entries(played.database, played.event.id, limit=100)
    return [
        f"{' '.join(filter(None, (entry.user, entry.action, entry.subject)))}: {entry.outcome}"
        for entry in reversed(entries)
    ]


def check_pages(pages: Mapping[str, Page], script: str) -> None:
    """Check pages of a written site, whose texts have no markup: `match-001/index -> has Ants -> lacks Bees`."""
    for step in steps_of(script):
        for name in step.what.split():
            for line in step.expected:
                check_text(f"{name}.html", line, pages[f"{name}.html"].text)


def check_text(place: str, line: str, text: str) -> None:
    """Check that a text `has ...`, `has 2 times ...`, or `lacks ...`."""
    verb, _, words = line.partition(" ")
    assert verb in ("has", "lacks"), line
    counted = re.fullmatch(r"(\d+) times (.+)", words)
    found = len(re.findall(".*?".join(map(re.escape, (counted[2] if counted else words).split("..."))), text))
    is_so = found == int(counted[1]) if counted else (found > 0) is (verb == "has")
    assert is_so, f"{place}, in place of {line!r}: {text}"


def check_answer(step: Step, answer: httpx2.Response) -> None:
    """Check the status of an answer, its headers, and what its page has and lacks."""
    status = f"{answer.status_code} {answer.headers.get('location', '')}".strip()
    assert answer.is_success or answer.is_redirect or step.expected, f"at {step.what!r}: {status}"
    for line in step.expected:
        name, is_header, value = line.partition(": ")
        if line.startswith(("has ", "lacks ")):
            check_text(step.what, line, " ".join(answer.text.replace("&#39;", "'").split()))
        elif is_header:
            Step(step.what, [value]).check([answer.headers.get(name, "none")])
        else:
            assert line in (status, str(answer.status_code)), f"at {step.what!r}, in place of {line}: {status}"
