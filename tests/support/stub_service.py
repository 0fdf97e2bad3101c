"""A service that plays over HTTP, as strict as the real ones, with tourney's own player behind it.

It listens on a real port of this machine. What it answers next can be laid down, with the faults that real ones have.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from tourney.bots import strategy_of
from tourney.bridge import (
    PASS,
    Call,
    Card,
    PlayerView,
    Seat,
    Vulnerability,
    parse_call,
    parse_card,
    parse_deal,
    parse_hand,
)
from tourney.config.api import DialectName

JSON: Final = "application/json"
HTML: Final = "text/html"

_TWO_CHARACTERS: Final = {"--": "Pass", "Db": "X", "Rd": "XX"}


@dataclass(frozen=True)
class Reply:
    """An answer as it goes out."""

    status: int = 200
    body: str = ""
    content_type: str = JSON
    location: str = ""
    """Where it leads to; empty for nowhere."""
    cut: int = 0
    """How many bytes of the body are kept back before the connection is closed."""
    waits: bool = False
    """Whether nothing is sent before the service is closed."""


class Refused(Exception):  # noqa: N818 # what the service says
    """A question that the service does not take: a status and a body."""

    def __init__(self, status: int, **body: str) -> None:
        super().__init__(status, body)
        self.reply = Reply(status, json.dumps(body))


@dataclass
class StubService:
    """A service of one dialect. `asked` has the path and the query or body of each request."""

    dialect: DialectName
    url: str = ""
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    next_replies: list[Reply] = field(default_factory=list)
    """What it answers to the next requests, whatever they ask."""
    missing: str | None = None
    """A path that it does not have."""
    closing: threading.Event = field(default_factory=threading.Event)

    def reply(self, path: str, query: Mapping[str, Any]) -> Reply:
        """Answer a request."""
        self.asked.append((path, query))
        if path == self.missing:
            return Reply(404)
        if self.next_replies:
            return self.next_replies.pop(0)
        if self.dialect is DialectName.BBA:
            return self._continue_auction(path, query)
        try:
            return self._answer_ben(path, query)
        except Refused as refused:
            return refused.reply

    # BEN and Brill

    def _answer_ben(self, path: str, query: Mapping[str, str]) -> Reply:
        form = HTML if self.dialect is not DialectName.BRILL else JSON  # BEN's header is wrong
        if path == "/autoplay" and self.dialect is DialectName.BEN:
            raise Refused(400, error="An error occurred: 'deal' parameter required")
        if path not in ("/bid", "/lead", "/play"):
            raise Refused(404, error="not found")
        view = self._read_ben(query)
        if path == "/bid":
            if view.auction.is_over:
                raise Refused(200, message="Bidding is over")
            if view.turn is not view.seat:
                raise Refused(400, error="seat does not agree with dealer and ctx")
            call = strategy_of("basic", 1).choose_call(view)
            return Reply(200, json.dumps(self._bid(call.call, call.alert)), form)
        hand = view.turn
        if view.contract is None or hand is None:
            raise Refused(400, error="An error occurred: the auction is not over")
        if hand is not (view.contract.dummy if view.is_declarer and hand is not view.seat else view.seat):
            raise Refused(200, message="Not this player to lead")
        chosen = {"card": _choose(view, hand).pbn}
        more = {"model": "BRL"} if self.dialect is DialectName.BRILL else {"who": "stub"}
        return Reply(200, json.dumps(chosen | more), form)

    def _bid(self, call: Call, alert: str) -> dict[str, Any]:
        if self.dialect is DialectName.BRILL:
            text = {"Pass": "--", "X": "Db", "XX": "Rd"}.get(str(call), str(call).replace("NT", "N"))
            return {"bid": text, "alert": bool(alert), "explanation": alert, "candidates": [], "model": "BRL"}
        text = str(call).upper().replace("NT", "N")
        return {"bid": text, "who": "NN", "explanation": alert or "natural", "alert": str(bool(alert))}

    def _read_ben(self, query: Mapping[str, str]) -> PlayerView:
        """Read a position as the version does: BEN takes unknown words for the vulnerability for none."""
        if query["seat"] not in ("N", "E", "S", "W"):
            raise Refused(400, error=f"An error occurred: {query['seat']!r} is not in list")
        seat = Seat.from_letter(query["seat"])
        words = {str(v): str(v) for v in Vulnerability}
        if self.dialect is DialectName.BRILL and query["vul"] not in words:
            raise Refused(400, error=f"vul must be None, NS, EW or All, got {query['vul']!r}")
        view = _view(seat, query["dealer"], words.get(query["vul"], "None"), query["hand"])
        if len(view.hand) != 13 or query["hand"] != query["hand"].upper():
            raise Refused(200, message="Hand should have 13 cards")
        for text in re.findall("..", query["ctx"]):
            view.add_call(parse_call(_TWO_CHARACTERS.get(text, text.replace("N", "NT"))))
        if "played" in query:
            assert query["played"]
            _add_cards(view, query["dummy"], re.findall("..", query["played"]))
        return view

    # BBA

    def _continue_auction(self, path: str, body: Mapping[str, Any]) -> Reply:
        if path != "/api/auction/generate":
            return Reply(404, "")
        deal, called = body["deal"], body["auctionPrefix"]
        dealer = Seat.from_letter(deal["dealer"])
        seat = dealer.plus(len(called))
        vulnerability = {"Both": "All"}.get(deal["vulnerability"], deal["vulnerability"])
        view = _view(seat, deal["dealer"], vulnerability, str(parse_deal(deal["pbn"])[seat]))
        for text in called:
            view.add_call(parse_call(text))
        decision = strategy_of("basic", 1).choose_call(view)
        meaning: dict[str, Any] = {
            "position": len(called),
            "bid": str(decision.call),
            "isAlert": bool(decision.alert),
        }
        if decision.alert:
            meaning["meaningExtended"] = f" {decision.call} ALERT. {decision.alert}"
        auction = [*called, str(decision.call), str(PASS)]
        return Reply(200, json.dumps({"success": True, "auction": auction, "meanings": [meaning]}))


def _view(seat: Seat, dealer: str, vulnerability: str, hand: str) -> PlayerView:
    return PlayerView(seat, 1, Seat.from_letter(dealer), Vulnerability(vulnerability), parse_hand(hand, seat))


def _add_cards(view: PlayerView, dummy: str, cards: list[str]) -> None:
    """Add the cards played, suit first, after the lead that opens dummy."""
    assert view.contract is not None
    view.show_dummy(parse_hand(dummy, view.contract.dummy))
    for text in cards:
        view.add_card(parse_card(text[::-1]))


def _choose(view: PlayerView, hand: Seat) -> Card:
    return strategy_of("basic", 1).choose_card(view, hand)


@contextmanager
def serve_stub(dialect: DialectName) -> Iterator[StubService]:
    """Run a service on a free port."""
    service = StubService(dialect)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query, keep_blank_values=True).items()}
            self._send(service.reply(parts.path.removeprefix("/base"), query))

        def do_POST(self) -> None:
            assert self.headers["Content-Type"] == JSON
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(service.reply(urlsplit(self.path).path.removeprefix("/base"), body))

        def _send(self, reply: Reply) -> None:
            if reply.waits:
                service.closing.wait()
                return
            body = reply.body.encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Content-Length", str(len(body)))
            if reply.location:
                self.send_header("Location", reply.location)
            self.end_headers()
            self.wfile.write(body[: len(body) - reply.cut])

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service.url = f"http://127.0.0.1:{server.server_port}/base"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield service
        finally:
            service.closing.set()
            server.shutdown()
            thread.join()
