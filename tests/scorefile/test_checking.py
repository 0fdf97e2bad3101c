"""What a file says of a board is held against the rules, and each thing that does not add up is told."""

import pytest

from tests.support.score_texts import AUCTION, DEAL, both, game, match_in, text_of, told, whole_play


def findings(*, auction: str = "", play: str = "", **tags: str | None) -> list[str]:
    """Those on an open room's record with a closed room's that is fine."""
    return told(match_in(game("Open", auction=auction, play=play, **tags) + game("Closed")).findings)


# The auction


@pytest.mark.parametrize(
    "auction",
    [
        AUCTION,
        "1NT AP",
        "1NT Pass\nPass\tPass",
        '1nt! =1= p $3 p p\n[Note "1:12 to 14"]',
        "1NT *",
        "1NT Pass +",
        "1NT Pass Pass -",
        "1NT ^S Pass Pass Pass",
        "*",
        "",
    ],
)
def test_an_auction_that_is_right_or_not_whole_is_no_finding(auction: str) -> None:
    assert findings(auction=auction) == []


def test_dashes_stand_for_seats_before_the_dealer() -> None:
    text = game("Open", auction="- - - 1NT Pass Pass Pass").replace('[Auction "N"]', '[Auction "E"]')
    assert told(match_in(text + game("Closed")).findings) == []


@pytest.mark.parametrize(
    ("auction", "finding"),
    [
        ("1NT Pass 1C Pass Pass Pass", "10, 1, open: South may not call 1C: 1C is not higher than 1NT"),
        ("Pass\nX", "11, 1, open: East may not call X: there is no bid to double"),
        ("1NT Pass Pass Pass Pass", "10, 1, open: North may not call Pass: the auction is over"),
        ("1NT pas", "10, 1, open: a call is Pass, X, XX or 1C..7NT, got 'PAS'"),
        ("1NT Pass\nPass", "11, 1, open: the auction stops before it is over, after 1NT Pass Pass"),
        ("1NT Pass 2NT AP", "6, 1, open: the contract is 1NT by North, by the auction it is 2NT by North"),
        ("Pass 1NT AP", "6, 1, open: the contract is 1NT by North, by the auction it is 1NT by East"),
        ("1NT X AP", "6, 1, open: the contract is 1NT by North, by the auction it is 1NTX by North"),
        ("AP", "6, 1, open: the contract is '1NT', by the auction the board was passed out"),
    ],
)
def test_an_auction_that_breaks_the_rules_or_the_contract_is_told(auction: str, finding: str) -> None:
    assert [f for f in findings(auction=auction) if "result" not in f] == [finding]


# The play


PLAY = "HA H3 H5 H2"
"""The first trick against 1NT by North, East to lead."""


@pytest.mark.parametrize(
    "play",
    [
        PLAY,
        f"{PLAY}\n*",
        "ah! h3 H5$2 H2\n*",
        'HA H3 =1= H5 H2\n[Note "1:low"]',
        "HA - - H2\n*",
        f"{PLAY}\n^R HJ H4 H7 H9",
        "HA H3\nH5 H2\n*",
        "HA H3 H5 H2 *",
        "*",
        "",
    ],
)
def test_a_play_that_is_right_or_not_whole_is_no_finding(play: str) -> None:
    assert findings(play=play) == []


@pytest.mark.parametrize(
    ("play", "finding"),
    [
        ("SQ H3 H5 H2", "10, 1, open: East may not play QS: East does not hold QS"),
        (f"{PLAY}\nHT HQ H7 D2", "11, 1, open: North may not play 2D: North must follow suit in H"),
        (f"{PLAY}\nHA H4 H7 H9", "11, 1, open: East may not play AH: East does not hold AH"),
        ("HA H3 H55 H2", "10, 1, open: a card is a suit and a rank, such as SA, got 'H55'"),
    ],
)
def test_a_card_that_breaks_the_rules_is_told(play: str, finding: str) -> None:
    assert findings(play=play) == [finding]


def test_cards_in_the_order_of_play_are_read_and_told() -> None:
    rows, tricks, in_play = whole_play()
    assert in_play.play is not None
    in_order = [[card.pbn for card in trick.cards] for trick in in_play.play.tricks]
    assert in_order != rows
    assert findings(play=text_of(in_order), Result=str(tricks)) == [
        "10, 1, open: the cards of a trick stand in the order of play, not in columns by seat"
    ]


def test_a_result_that_a_play_to_the_end_does_not_make_is_told() -> None:
    rows, tricks, _ = whole_play()
    assert findings(play=text_of(rows), Result=str(tricks)) == []
    assert findings(play=text_of(rows), Result=str(tricks + 1)) == [
        f"7, 1, open: the result is {tricks + 1} tricks, by the play it is {tricks}"
    ]


PASSED_OUT = {"Contract": "Pass", "Declarer": "", "Result": ""}


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            game("Open", auction=AUCTION, **PASSED_OUT),
            "6, 1, open: the contract is Pass, by the auction it is 1NT by North",
        ),
        (
            game("Open", auction="Pass 1NT AP").replace('[Auction "N"]', '[Auction "W"]'),
            "10, 1, open: the dealer is North, the auction starts with West",
        ),
        (
            game("Open", auction=AUCTION).replace('[Auction "N"]', '[Auction "up"]'),
            "9, 1, open: an auction starts N, E, S or W, got 'up'",
        ),
        (
            game("Open", play=PLAY).replace('[Play "E"]', '[Play "S"]'),
            "9, 1, open: the play starts with 'S', the opening leader is East",
        ),
        (
            game("Open", **PASSED_OUT, Score="NS 50"),
            "9, 1, open: the score is NS 50, passed out with None vulnerable is NS 0",
        ),
        (game("Open", Scoring="IMP;Cross", ScoreIMP="NS 2.5"), None),  # those against many tables
    ],
)
def test_what_a_record_says_against_itself_is_told(text: str, finding: str | None) -> None:
    assert told(match_in(text + game("Closed")).findings) == ([] if finding is None else [finding])


@pytest.mark.parametrize(("result", "is_fine"), [("12", True), ("13", False), ("0", True)])
def test_a_claim_leaves_only_the_tricks_that_are_not_played(result: str, is_fine: bool) -> None:
    expected = [] if is_fine else [f"7, 1, open: the result is {result} tricks, by the play it is 0 to 12"]
    assert findings(play=f"{PLAY}\n*", Result=result) == expected


# Scores


@pytest.mark.parametrize(
    ("score", "said"),
    [("NS 120", "120"), ("EW 90", "-90"), ("-50", "-50"), ("EW 120 NS -120", "-120"), ("NS 9.5", None), ("x", None)],
)
def test_a_score_that_the_result_does_not_make_is_told(score: str, said: str | None) -> None:
    problem = (
        f"the score is NS {said}, 1NT by North with 7 tricks with None vulnerable is NS 90"
        if said is not None
        else f"a score is a number with NS or EW in front of it, got {score!r}"
    )
    assert findings(Score=score) == [f"9, 1, open: {problem}"]


@pytest.mark.parametrize(
    ("imps", "said"),
    [
        *(("NS 5", None), ("EW -5", None), ("5", None), ("NS 5.0", None), ("EW -5 NS 5", None)),
        *(("EW 5", "-5"), ("NS 4", "4"), ("NS 4.9", "4.9")),
    ],
)
def test_imps_that_the_scores_of_both_rooms_do_not_make_are_told(imps: str, said: str | None) -> None:
    # 90 against -100 is 190, which is 5 IMPs.
    match = match_in(game("Open", ScoreIMP=imps) + game("Closed", Result="5"))
    expected = (
        [] if said is None else [f"9, 1, open: the IMPs are NS {said}, by the scores of both rooms they are NS 5"]
    )
    assert told(match.findings) == expected
    assert match.totals.home == 5
    assert told(match_in(game("Open") + game("Closed", Result="5", ScoreIMP="EW 5")).findings) == []


@pytest.mark.parametrize(
    ("tag", "text", "line", "finding"),
    [
        ("Contract", "8S", 6, "a contract is 1C..7NT with X or XX, or Pass, got '8S'"),
        ("Declarer", "?", 1, "the declarer is not given"),
        ("Declarer", "me", 5, "a declarer is N, E, S or W, got 'me'"),
        ("Dealer", "Z", 2, "a dealer is N, E, S or W, got 'Z'"),
        ("ScoreIMP", "many", 9, "IMPs are a number with NS or EW in front of it, got 'many'"),
        ("Contract", "", 1, "the contract is not given"),
    ],
)
def test_a_value_that_says_nothing_is_told(tag: str, text: str, line: int, finding: str) -> None:
    assert findings(**{tag: text}) == [f"{line}, 1, open: {finding}"]


# The two rooms


def test_rooms_with_different_dealers_or_vulnerabilities_are_told() -> None:
    match = match_in(game("Open") + game("Closed", Dealer="E", Vulnerable="All", Deal=DEAL))
    assert told(match.findings) == [
        "10, 1, closed: the two rooms have different dealers",
        "10, 1, closed: the two rooms have different vulnerabilities",
    ]
    assert match.compared == 1


def test_a_board_that_one_room_has_not_is_told() -> None:
    match = match_in(both() + game("Closed", Board="2"))
    assert told(match.findings) == ["19, 2, closed: the other room's record is not there"]
    assert (match.compared, len(match.boards), match.vp) == (1, 2, None)


def test_what_a_finding_quotes_is_short_and_has_nothing_that_a_terminal_obeys() -> None:
    (finding,) = findings(Contract="\x1b[31m" + "x" * 500)
    assert len(finding) < 150
    assert finding.isprintable()
