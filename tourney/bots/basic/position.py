"""The position in the middle of the play as one player sees it: who may hold what, which cards are winners.

Only what a `PlayerView` shows is known here; hands that are hidden from the player stay hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.bridge import DECK, SEATS, Card, Contract, PlayerView, Seat, Suit, Trick


@dataclass(frozen=True, slots=True)
class PlayPosition:
    """The position of the hand that is to play a card: `seat`, which is dummy's if declarer plays from dummy."""

    seat: Seat
    contract: Contract
    trick: Trick
    tricks: tuple[Trick, ...]
    legal: tuple[Card, ...]
    """The cards that `seat` may play, highest first."""
    held: dict[Seat, tuple[Card, ...]]
    """The cards left in each visible hand, highest first."""
    hidden: frozenset[Card]
    """The cards in the hidden hands."""
    voids: dict[Seat, set[Suit]]
    """The suits of which each hand is known to have no card left."""
    tricks_won: int
    """Tricks won by declarer's side."""

    @classmethod
    def of(cls, view: PlayerView, seat: Seat) -> "PlayPosition":
        """Derive the position from a player's view, before a card from `seat`."""
        play = view.play
        assert play is not None
        tricks, trick = tuple(play.tricks), play.current
        held = {view.seat: tuple(view.held(view.seat))}
        if view.dummy_hand is not None and not view.is_dummy:
            held[play.dummy] = tuple(view.held(play.dummy))
        hidden = frozenset(DECK).difference(play.played, *held.values())
        voids = _voids((*tricks, trick), held, hidden)
        legal = tuple(view.legal_from(seat))
        return cls(seat, play.contract, trick, tricks, legal, held, hidden, voids, play.tricks_won)

    @property
    def trumps(self) -> Suit | None:
        return self.contract.strain.trumps

    @property
    def partner(self) -> Seat:
        return self.seat.partner

    @property
    def declares(self) -> bool:
        """Whether the hand belongs to declarer's side."""
        return self.seat.side is self.contract.declarer.side

    def ranks(self, seat: Seat, suit: Suit | None) -> list[int]:
        """Return the ranks left in a visible hand, highest first; none of a hidden hand, and of trumps at notrump."""
        return [card.rank for card in self.held.get(seat, ()) if card.suit is suit]

    def both(self, suit: Suit | None) -> tuple[list[int], list[int]]:
        """Return the ranks left in this hand and in partner's, if that is visible, highest first."""
        return self.ranks(self.seat, suit), self.ranks(self.partner, suit)

    def outstanding(self, suit: Suit | None) -> list[int]:
        """Return the ranks left in the hidden hands, highest first; none of trumps at notrump."""
        return sorted((card.rank for card in self.hidden if card.suit is suit), reverse=True)

    def against(self, suit: Suit) -> list[int]:
        """Return the ranks the opponents may hold, highest first; a defender counts partner's hidden cards too."""
        ranks = self.outstanding(suit)
        for seat in self.seat.side.other.seats:
            ranks += self.ranks(seat, suit)
        return sorted(ranks, reverse=True)

    def is_winner(self, card: Card) -> bool:
        """Tell whether no opponent can hold a higher card of the suit."""
        higher = self.against(card.suit)
        return not higher or higher[0] < card.rank

    def winners(self, suit: Suit) -> int:
        """Count the tricks that the side's visible hands can take at once from the top of a suit."""
        against = self.against(suit)
        best = against[0] if against else 0
        own, other = self.both(suit)
        tops = sum(rank > best for rank in (*own, *other))
        longest = max(len(own), len(other))
        if tops >= 2 and len(against) <= tops:
            return longest
        return min(tops, longest)

    def may_hold(self, seat: Seat, suit: Suit) -> bool:
        """Tell whether a hand may still have a card of a suit."""
        return suit not in self.voids[seat]

    def opponents_may_ruff(self, suit: Suit) -> bool:
        """Tell whether an opponent known to be out of a suit may hold a trump."""
        if self.trumps is None or suit is self.trumps:
            return False
        return any(
            not self.may_hold(seat, suit) and self.may_hold(seat, self.trumps) for seat in self.seat.side.other.seats
        )

    @property
    def first(self) -> Card:
        """The card that was led to the current trick, to which at least one has been played."""
        return self.trick.cards[0]

    @property
    def best_so_far(self) -> Card:
        """The card that is winning the current trick."""
        index = (self.trick.winner(self.trumps) - self.trick.leader) % 4
        return self.trick.cards[index]

    @property
    def partner_holds(self) -> bool:
        """Whether partner's card is winning the current trick."""
        return bool(self.trick.cards) and self.trick.winner(self.trumps) is self.partner

    def beats(self, card: Card) -> bool:
        """Tell whether a card would win the current trick so far."""
        best = self.best_so_far
        if card.suit is best.suit:
            return card.rank > best.rank
        return card.suit is self.trumps

    @property
    def beating(self) -> list[Card]:
        """The legal cards that would win the current trick so far, lowest first."""
        return sorted((card for card in self.legal if self.beats(card)), key=lambda card: card.rank)

    @property
    def low(self) -> Card:
        """The lowest legal card."""
        return lowest(self.legal)

    @property
    def still_to_play(self) -> list[Seat]:
        """The hands that play to the current trick after `seat`, in order."""
        return [self.seat.plus(i) for i in range(1, 4 - len(self.trick.cards))]

    def can_be_beaten(self, card: Card) -> bool:
        """Tell whether an opponent who plays later to the current trick may beat a card."""
        opponents = [seat for seat in self.still_to_play if seat is not self.partner]
        return any(self._may_beat(seat, card, self.trick.suit_led or card.suit) for seat in opponents)

    def _may_beat(self, seat: Seat, card: Card, led: Suit) -> bool:
        follows, is_of_led = self.may_hold(seat, led), card.suit is led
        if is_of_led and not follows:
            return self.trumps not in (None, led) and self.may_hold(seat, self.trumps)
        held = self.ranks(seat, card.suit) if seat in self.held else self.outstanding(card.suit)
        return follows is is_of_led and count_above(card.rank, held) > 0

    @property
    def tricks_left(self) -> int:
        return 13 - len(self.tricks)

    @property
    def tricks_wanted(self) -> int:
        """Tricks the side still needs to make the contract or to defeat it; 0 or less once that is settled."""
        if self.declares:
            return self.contract.tricks_needed - self.tricks_won
        return 14 - self.contract.tricks_needed - (len(self.tricks) - self.tricks_won)


def _voids(
    tricks: tuple[Trick, ...], held: dict[Seat, tuple[Card, ...]], hidden: frozenset[Card]
) -> dict[Seat, set[Suit]]:
    shown_out: dict[Seat, set[Suit]] = {seat: set() for seat in SEATS}
    for trick in tricks:
        for index, card in enumerate(trick.cards):
            if card.suit is not trick.cards[0].suit:
                shown_out[trick.leader.plus(index)].add(trick.cards[0].suit)
    for seat, suits in shown_out.items():
        cards = held.get(seat, hidden)
        suits |= {suit for suit in Suit if all(card.suit is not suit for card in cards)}
    return shown_out


def count_above(rank: int, against: list[int]) -> int:
    """Count the ranks that are higher than one."""
    return sum(other > rank for other in against)


def is_sequence(cards: Sequence[Card], against: list[int]) -> bool:
    """Tell whether a suit is headed by touching honours: no card of those against it lies between the top two."""
    return len(cards) >= 2 and cards[0].rank >= 10 and not any(cards[1].rank < r < cards[0].rank for r in against)


def lowest(cards: list[Card] | tuple[Card, ...]) -> Card:
    """Return the lowest card by rank, and of equal ranks that of the lowest suit."""
    return min(cards, key=lambda card: (card.rank, card.suit))


def of_suit(cards: tuple[Card, ...], suit: Suit) -> list[Card]:
    """Select the cards of a suit, in the order given."""
    return [card for card in cards if card.suit is suit]
