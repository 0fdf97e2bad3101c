"""What services are asked and what they answer: held against bodies of the real ones."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tourney.bots import Decision
from tourney.bots.api.service import ApiOptions, ApiQuestion
from tourney.bots.api.service_player import DIALECTS
from tourney.bridge import (
    DOUBLE,
    PASS,
    Bid,
    Card,
    PlayerView,
    Seat,
    Strain,
    Suit,
    Vulnerability,
    parse_call,
    parse_card,
    parse_deal,
    parse_hand,
)
from tourney.config.api import DialectName
from tourney.errors import FormatError

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "http_services.json").read_text(encoding="utf-8"))
BEN = [entry for entry in GOLDEN if entry["dialect"] == "ben"]
BBA_ANSWER, BBA_FAILURE = (entry["body"] for entry in GOLDEN if entry["dialect"] == "bba")

DECLARER, DUMMY = "AK97.K32.QT3.AK7", "QJ8.A95.K642.642"
THREE_NOTRUMP = "1NT Pass 3NT Pass Pass Pass"


def view(
    seat: str, hand: str, calls: str, vulnerability: str = "None", dummy: str = "", cards: str = ""
) -> PlayerView:
    place = Seat.from_letter(seat)
    made = PlayerView(place, 1, Seat.NORTH, Vulnerability(vulnerability), parse_hand(hand, place))
    for call in calls.split():
        made.add_call(parse_call(call))
    if dummy:
        assert made.contract is not None
        made.show_dummy(parse_hand(dummy, made.contract.dummy))
    for card in cards.split():
        made.add_card(parse_card(card))
    return made


OPTIONS = ApiOptions()


def question(known: PlayerView, options: ApiOptions = OPTIONS) -> ApiQuestion:
    assert known.turn is not None
    return ApiQuestion(known, known.turn, options)


BID = question(view("S", DECLARER, "Pass Pass", "NS"))
LEAD = question(view("E", "KJ53.KJ7.AT92.K5", THREE_NOTRUMP))
DUMMYS_CARD = question(view("N", DECLARER, THREE_NOTRUMP, dummy=DUMMY, cards="4H"))


@pytest.mark.parametrize(
    ("asked", "entry", "answer"),
    [
        (BID, BEN[0], Decision(Bid(1, Strain.NOTRUMP))),
        (LEAD, BEN[2], Card(Suit.SPADES, 3)),
        (DUMMYS_CARD, BEN[4], Card(Suit.HEARTS, 5)),
    ],
)
def test_ben_is_asked_in_its_words_and_its_answers_are_read(
    asked: ApiQuestion, entry: dict[str, Any], answer: Decision | Card
) -> None:
    dialect = DIALECTS[DialectName.BEN]
    request = dialect.write(asked)
    parts = urlsplit(entry["request"])
    assert (request.path, request.body) == (parts.path, None)
    assert request.query == dict(parse_qsl(parts.query, keep_blank_values=True)) | {"tournament": "imps"}
    assert dialect.read(entry["body"], asked) == answer


@pytest.mark.parametrize("entry", [entry for entry in BEN if "message" in entry["body"] or entry["status"] != 200])
def test_what_ben_refuses_is_no_answer_even_with_status_200(entry: dict[str, Any]) -> None:
    body = json.loads(entry["body"])
    said = body.get("message") or body["error"]
    with pytest.raises(FormatError) as refused:
        DIALECTS[DialectName.BEN].read(entry["body"], LEAD)
    assert str(refused.value) == f"refused the question: {said!r}"


def test_all_kinds_of_calls_take_two_characters() -> None:
    contested = question(view("E", DECLARER, "1NT X XX Pass 2H"))
    assert DIALECTS[DialectName.BRILL].write(contested).query["ctx"] == "1NDbRd--2H"


def test_brill_is_told_the_model_and_the_scoring() -> None:
    asked = ApiQuestion(BID.view, Seat.SOUTH, ApiOptions("PidginV2", None, is_matchpoints=True))
    query = DIALECTS[DialectName.BRILL].write(asked).query
    assert (query["model"], query["matchtype"]) == ("PidginV2", "MP")
    assert "model" not in DIALECTS[DialectName.BRILL].write(BID).query


@pytest.mark.parametrize(
    ("body", "decision"),
    [
        ({"bid": "--", "alert": False, "explanation": "weak"}, Decision(PASS)),
        ({"bid": "Db", "alert": True, "explanation": "take-out"}, Decision(DOUBLE, "take-out")),
        ({"bid": "X", "alert": "True", "explanation": " 2C Alert.\nStayman "}, Decision(DOUBLE, "2C Stayman")),
        ({"bid": "PASS", "alert": "False", "explanation": "stub meaning"}, Decision(PASS)),
        ({"bid": "2NT", "alert": True, "explanation": None}, Decision(Bid(2, Strain.NOTRUMP))),
        ({"bid": "1h", "alert": True, "explanation": "x" * 400}, Decision(Bid(1, Strain.HEARTS), "x" * 300)),
    ],
)
def test_only_alerted_calls_are_explained_whatever_says_that_they_are(
    body: dict[str, Any], decision: Decision
) -> None:
    assert DIALECTS[DialectName.BRILL].read(json.dumps(body), BID) == decision


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("<html><h1>Bad Gateway</h1>", "answered with a page of HTML or XML where JSON is due: '<html><h1>Bad Gat"),
        ('{"bid": "1N", "wh', 'answered with what is no JSON, or breaks off: \'{"bid": "1N", "wh\''),
        ("", "answered with what is no JSON, or breaks off: ''"),
        ('["1N"]', "answered with JSON that is no object"),
        ('{"card": "H5"}', "answered without a bid: its keys are card"),
        ("{}", "answered without a bid: its keys are none"),
        ('{"bid": "8N"}', "answered without a call: '8N'"),
        ('{"bid": 7}', "answered without a call: 7"),
    ],
)
def test_what_is_no_answer_is_quoted(body: str, sentence: str) -> None:
    with pytest.raises(FormatError) as refused:
        DIALECTS[DialectName.BEN].read(body, BID)
    assert str(refused.value).startswith(sentence)


# BBA


def test_bba_continues_the_auction_of_a_deal_in_which_only_the_hand_of_the_seat_is_right() -> None:
    dialect = DIALECTS[DialectName.BBA]
    asked = question(view("S", DECLARER, "1D 1S", "All"), ApiOptions("21GF-DEFAULT", "21GF-GIB"))
    body = dialect.write(asked).body
    assert body is not None
    deal = body["deal"]
    assert isinstance(deal, dict)
    assert parse_deal(deal.pop("pbn"))[Seat.SOUTH] == asked.view.hand
    assert body == {
        "deal": {"dealer": "N", "vulnerability": "Both", "scoring": "IMP"},
        "auctionPrefix": ["1D", "1S"],
        "conventions": {"ns": "21GF-DEFAULT", "ew": "21GF-GIB"},
    }
    assert dialect.read(BBA_ANSWER, asked) == Decision(
        Bid(2, Strain.HEARTS),
        "8 to 21 total points, 0 to 13 cards in clubs, 0 to 13 cards in diamonds, 5 to 13 cards in hearts, "
        "0 to 6 cards in spades.",
    )
    with pytest.raises(FormatError, match=r"^refused the question: 'Invalid PBN deal: Missing colon in PBN deal'$"):
        dialect.read(BBA_FAILURE, asked)
    with pytest.raises(FormatError, match=r"^answered without a call after 2: "):
        dialect.read('{"success": true, "auction": ["1D", "1S"]}', asked)
