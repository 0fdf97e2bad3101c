"""What the tests of an author's player need: a question to put to it, and boards that it plays without a socket."""

from tourney.bridge import (
    SEATS,
    PlayerView,
    Seat,
    Side,
    Vulnerability,
    boards_from_seed,
    parse_call,
    parse_card,
    parse_hand,
)
from tourney.errors import RuleError
from tourney.lab.player_table import PlayerTable
from tourney.lab.players import PlayerMaker
from tourney.player import Player, View
from tourney.player.answers import find_card
from tourney.protocol.session.records import IRREGULARITIES, BoardEnded, Incident
from tourney.protocol.session.table import TableSettings


def calling_view(
    hand: str, calls: str = "", *, dealer: str = "N", vulnerability: str = "None", board_number: int = 1
) -> View:
    """Return what a player is asked who has a hand and has heard some calls, and whose turn it is to call.

    Args:
        hand: as in PBN, spades first: `AK97.K32.QT3.AK7`.
        calls: the auction from the dealer on, with blanks between: `1C Pass 1H X`.
        dealer: `N`, `E`, `S` or `W`.
        vulnerability: `None`, `NS`, `EW` or `All`.
        board_number: the number of the board.

    Raises:
        FormatError: one of the texts does not follow its format.
        RuleError: the calls are no auction, or it is over.
    """
    said = calls.split()
    first = Seat.from_letter(dealer)
    turn = first.plus(len(said))
    known = PlayerView(turn, board_number, first, Vulnerability(vulnerability), parse_hand(hand, turn))
    for call in said:
        known.add_call(parse_call(call))
    return View(known, turn)


def playing_view(
    hand: str,
    calls: str,
    cards: str = "",
    *,
    dummy: str = "",
    dealer: str = "N",
    vulnerability: str = "None",
    board_number: int = 1,
) -> View:
    """Return what a player is asked whose turn it is to play, from its own hand or as declarer from dummy's.

    Args:
        hand: the 13 cards that it was dealt, as in PBN, spades first: `AK97.K32.QT3.AK7`.
        calls: the whole auction from the dealer on, with blanks between: `1NT Pass Pass Pass`.
        cards: those that have been played, from the opening lead on, with blanks between: `SA S2 ST S3 SK`.
        dummy: the 13 cards that dummy was dealt, in the same form; not needed for the opening lead.
        dealer: `N`, `E`, `S` or `W`.
        vulnerability: `None`, `NS`, `EW` or `All`.
        board_number: the number of the board.

    Raises:
        FormatError: one of the texts does not follow its format.
        RuleError: the calls are no auction with a contract, or the cards are not what this player may have seen.
    """
    known: PlayerView = calling_view(hand, dealer=dealer, vulnerability=vulnerability, board_number=board_number)
    for call in calls.split():
        known.add_call(parse_call(call))
    contract = known.contract
    if contract is None:
        raise RuleError(f"cards are played after an auction that ends in a contract, got {calls!r}")
    played = [find_card(card) or parse_card(card) for card in cards.split()]
    for card in played:
        known.add_card(card)
    turn = known.turn
    if turn is None or len(set(played)) < len(played):
        raise RuleError(f"each card is played once, and the last one is left to the player, got {cards!r}")
    known.seat = contract.declarer if turn is contract.dummy else turn
    known.hand = parse_hand(hand, known.seat)
    if played:
        known.show_dummy(parse_hand(dummy, contract.dummy))
    seen = {known.seat: known.hand.cards, contract.dummy: known.dummy_hand.cards if known.dummy_hand else ()}
    for seat, card in known.cards:
        holders = [each for each, held in seen.items() if card in held]
        if (seat in seen or holders) and holders != [seat]:
            raise RuleError(f"{seat.title} cannot have played {card}")
    return View(known, turn)


def play_boards(player: type[Player], boards: int = 1, *, seed: int = 1) -> list[BoardEnded]:
    """Have a player's class play boards as North and South against the reference player, at a table without a socket.

    The table is that of events, with its rules; its clock stands still here. What is returned has a `result` for each
    board with the contract and the tricks.

    Raises:
        PlayerError: the player raised, or answered with what is no call or card.
        RuleError: it answered with what is not legal.
    """
    deals = tuple(boards_from_seed(seed, "test", boards))
    makers = {seat: PlayerMaker(player if seat.side is Side.NS else "basic", seed) for seat in SEATS}
    table = PlayerTable(TableSettings(ns_team="Mine", ew_team="Basic", boards=deals), makers)
    while (question := table.question) is not None:
        before = len(table.records)
        table.answer(question.ask(), 0.0)
        for record in table.records[before:]:
            if isinstance(record, Incident) and record.kind in IRREGULARITIES:
                raise RuleError(record.text)
    for link in table.seated:
        link.end_board()
    return [record for record in table.records if isinstance(record, BoardEnded)]
