"""The deck of a deal: shuffled from the seed, or one that a record brings; the only place that chooses between them."""

import hashlib
from collections.abc import Sequence
from typing import Final

from service.rules.state import Fairness
from service.rules.stream import PURPOSE_DECK, Stream

DECKS_DOMAIN: Final = b"burraco/decks/v1\x00"


class DeckMissing(Exception):  # noqa: N818  # what is the case, as in the rest of the rules
    """A deal is to be dealt for which there is no deck."""

    def __init__(self, deal_number: int, decks: int) -> None:
        super().__init__(f"deal {deal_number} has no deck: the decks are {decks}")
        self.deal_number = deal_number
        self.decks = decks


def deck_of_deal(key: bytes, deal_number: int, cards: bytes, decks: Sequence[bytes] = ()) -> bytes:
    """The deck of a deal as shuffled, top card first: from the key of the match's streams, or the one given for it.

    `cards` is the deck before it is shuffled; the first deal is 1.

    :raises DeckMissing: decks are given, but none for this deal.
    """
    if not decks:
        return Stream(key, PURPOSE_DECK, deal_number).shuffle(cards)
    if deal_number > len(decks):
        raise DeckMissing(deal_number, len(decks))
    return decks[deal_number - 1]


def of_decks(decks: Sequence[bytes]) -> Fairness:
    """Where the decks of a match come from that are given themselves.

    What else a seed chooses (a first dealer who is not named, seats drawn, a stock shuffled anew) follows from the
    SHA-256 of the domain and the decks, each after its length (2 bytes, big-endian).
    """
    text = b"".join(len(deck).to_bytes(2, "big") + deck for deck in decks)
    return Fairness(hashlib.sha256(DECKS_DOMAIN + text).digest(), given=True, decks=tuple(decks))


def is_shuffled(deck: bytes, cards: bytes) -> bool:
    """Whether a deck has exactly these cards, in any order."""
    return sorted(deck) == sorted(cards)
