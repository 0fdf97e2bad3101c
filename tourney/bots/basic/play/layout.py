"""What a player can tell of the cards in the middle of the play: who may hold what, which cards are winners.

Sees what a `PlayerView` sees; the hands that are hidden from it stay hidden here.
"""

from dataclasses import dataclass

from tourney.bridge import DECK, SEATS, Card, Contract, PlayerView, Seat, Suit, Trick


@dataclass(frozen=True, slots=True)
class Table:
    """The play as one hand sees it that is to play a card: `seat`, which may be dummy in declarer's charge."""

    seat: Seat
    contract: Contract
    trick: Trick
    tricks: tuple[Trick, ...]
    legal: tuple[Card, ...]
    """The cards `seat` may play, highest first."""
    held: dict[Seat, tuple[Card, ...]]
    """What is left of each hand that is seen, highest first."""
    hidden: frozenset[Card]
    """The cards in the hands that are not seen."""
    voids: dict[Seat, frozenset[Suit]]
    """Suits in which each hand is known to have no card left."""
    played: frozenset[Card]
    tricks_won: int
    """Tricks of declarer's side."""

    @classmethod
    def of(cls, view: PlayerView, seat: Seat) -> "Table":
        """The play as the player of `view` knows it, about to play from `seat`."""
        assert view.contract is not None
        assert view.current is not None
        contract, tricks, trick = view.contract, tuple(view.tricks), view.current
        played = frozenset(card for _, card in view.cards)
        held = {view.seat: tuple(view.held(view.seat))}
        if view.dummy_hand is not None and not view.is_dummy:
            held[contract.dummy] = tuple(view.held(contract.dummy))
        hidden = frozenset(DECK).difference(played, *held.values())
        voids = _voids((*tricks, trick), held, hidden)
        legal = tuple(view.legal_cards(seat))
        return cls(seat, contract, trick, tricks, legal, held, hidden, voids, played, view.tricks_won)

    @property
    def trumps(self) -> Suit | None:
        return self.contract.strain.trumps

    @property
    def partner(self) -> Seat:
        return self.seat.partner

    @property
    def declares(self) -> bool:
        """Whether the hand is of declarer's side."""
        return self.seat.side is self.contract.declarer.side

    @property
    def own(self) -> tuple[Card, ...]:
        return self.held[self.seat]

    def ranks(self, seat: Seat, suit: Suit) -> list[int]:
        """Ranks left in a hand that is seen, highest first; empty for a hidden hand."""
        return [card.rank for card in self.held.get(seat, ()) if card.suit is suit]

    def outstanding(self, suit: Suit) -> list[int]:
        """Ranks left in the hidden hands, highest first."""
        return sorted((card.rank for card in self.hidden if card.suit is suit), reverse=True)

    def against(self, suit: Suit) -> list[int]:
        """Ranks that may be with the opponents, highest first: for a defender partner's hidden cards count too."""
        ranks = self.outstanding(suit)
        for seat in (self.seat.next, self.seat.previous):
            ranks += self.ranks(seat, suit)
        return sorted(ranks, reverse=True)

    def is_winner(self, card: Card) -> bool:
        """Whether nobody can hold a higher card of the suit but the own side."""
        higher = self.against(card.suit)
        return not higher or higher[0] < card.rank

    def winners(self, suit: Suit) -> int:
        """Tricks the two hands of the side can take at once from the top of a suit, as far as they are seen."""
        against = self.against(suit)
        best = against[0] if against else 0
        ours = sorted(self.ranks(self.seat, suit) + self.ranks(self.partner, suit), reverse=True)
        tops = sum(rank > best for rank in ours)
        longest = max(len(self.ranks(self.seat, suit)), len(self.ranks(self.partner, suit)))
        if tops >= (len(against) + 1) // 2 and tops >= 2 and len(against) <= tops:
            return longest
        return min(tops, longest)

    def may_hold(self, seat: Seat, suit: Suit) -> bool:
        """Whether a hand may still have a card of a suit."""
        if seat in self.held:
            return bool(self.ranks(seat, suit))
        return suit not in self.voids[seat]

    def opponents_may_ruff(self, suit: Suit) -> bool:
        """Whether an opponent that is known to be out of a suit may hold a trump."""
        if self.trumps is None or suit is self.trumps:
            return False
        return any(
            not self.may_hold(seat, suit) and self.may_hold(seat, self.trumps)
            for seat in (self.seat.next, self.seat.previous)
        )

    @property
    def best_so_far(self) -> Card:
        """The card that holds the trick under way; there is at least one."""
        index = (self.trick.winner(self.trumps) - self.trick.leader) % 4
        return self.trick.cards[index]

    @property
    def partner_holds(self) -> bool:
        """Whether partner's card holds the trick under way."""
        return bool(self.trick.cards) and self.trick.winner(self.trumps) is self.partner

    def beats(self, card: Card) -> bool:
        """Whether a card would hold the trick under way if played now."""
        best = self.best_so_far
        if card.suit is best.suit:
            return card.rank > best.rank
        return card.suit is self.trumps

    @property
    def still_to_play(self) -> list[Seat]:
        """The hands that play to this trick after `seat`, in turn."""
        return [self.seat.plus(i) for i in range(1, 4 - len(self.trick.cards))]

    def can_be_beaten(self, card: Card) -> bool:
        """Whether an opponent who plays later to this trick may beat a card."""
        led = self.trick.suit_led or card.suit
        for seat in self.still_to_play:
            if seat.side is self.seat.side:
                continue
            if self._may_beat(seat, card, led):
                return True
        return False

    def _may_beat(self, seat: Seat, card: Card, led: Suit) -> bool:
        if seat in self.held:
            follows = self.ranks(seat, led)
            higher = [rank for rank in self.ranks(seat, card.suit) if rank > card.rank]
            if card.suit is led:
                if follows:
                    return bool(higher)
                return self.trumps is not None and led is not self.trumps and bool(self.ranks(seat, self.trumps))
            return not follows and bool(higher)
        if card.suit is led:
            if led not in self.voids[seat] and any(rank > card.rank for rank in self.outstanding(led)):
                return True
            return led in self.voids[seat] and led is not self.trumps and self._may_trump(seat)
        return led in self.voids[seat] and any(rank > card.rank for rank in self.outstanding(card.suit))

    def _may_trump(self, seat: Seat) -> bool:
        return self.trumps is not None and self.may_hold(seat, self.trumps) and bool(self.outstanding(self.trumps))

    @property
    def tricks_left(self) -> int:
        return 13 - len(self.tricks)

    @property
    def tricks_wanted(self) -> int:
        """Tricks the own side still needs, to make the contract or to break it; 0 or less when that is settled."""
        if self.declares:
            return self.contract.tricks_needed - self.tricks_won
        return 14 - self.contract.tricks_needed - (len(self.tricks) - self.tricks_won)


def _voids(
    tricks: tuple[Trick, ...], held: dict[Seat, tuple[Card, ...]], hidden: frozenset[Card]
) -> dict[Seat, frozenset[Suit]]:
    shown_out: dict[Seat, set[Suit]] = {seat: set() for seat in SEATS}
    for trick in tricks:
        for index, card in enumerate(trick.cards):
            if card.suit is not trick.cards[0].suit:
                shown_out[trick.leader.plus(index)].add(trick.cards[0].suit)
    gone = {suit for suit in Suit if all(card.suit is not suit for card in hidden)}
    for seat in SEATS:
        if seat in held:
            shown_out[seat] = {suit for suit in Suit if all(card.suit is not suit for card in held[seat])}
        else:
            shown_out[seat] |= gone
    return {seat: frozenset(suits) for seat, suits in shown_out.items()}


def lowest(cards: list[Card] | tuple[Card, ...]) -> Card:
    """The lowest by rank; of equals the one of the lowest suit."""
    return min(cards, key=lambda card: (card.rank, card.suit))


def highest(cards: list[Card] | tuple[Card, ...]) -> Card:
    """The highest by rank; of equals the one of the highest suit."""
    return max(cards, key=lambda card: (card.rank, card.suit))


def of_suit(cards: tuple[Card, ...], suit: Suit) -> list[Card]:
    """The cards of a suit, in the order given."""
    return [card for card in cards if card.suit is suit]
