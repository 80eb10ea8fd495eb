"""How the demo tells what happened."""

import pytest

from burraco.cards import card, cards
from burraco.v1.cards_pb2 import CardGroup
from burraco.v1.events_pb2 import (
    DealEnded,
    Dealt,
    Discarded,
    Drew,
    Event,
    Knocked,
    LaidOff,
    PlayerOut,
    PlayerReentered,
    RevealedHand,
    StockRenewed,
    TookPile,
    UpcardPassed,
    WildReplaced,
)
from burraco.v1.scores_pb2 import DealEnd
from service.demo.games import GAMES
from service.demo.words import Narrator
from tests.demo.positions import SEQUENCE, SET, laid

NAMES = ["Anna", "Bruno", "Carla", "Dario"]
PAIRS = Narrator(NAMES, NAMES, ["Anna & Carla", "Bruno & Dario"], GAMES["burraco"].look)
RUMMY = Narrator(NAMES, NAMES, NAMES, GAMES["scala40"].look)
GIN = Narrator(NAMES[:2], NAMES[:2], NAMES[:2], GAMES["gin"].look)
RUN = laid(1, 1, "JK 6C 7C 8C", SEQUENCE, 0, wild_as="5C")
JOKER_SET = laid(2, 0, "KS KH JK", SET, 2, wild_as="KD")


def pile(text: str) -> TookPile:
    """Take cards from the pile."""
    return TookPile(cards=cards(text), count=len(cards(text)))


def knock(melds: str, deadwood: str, points: int) -> Knocked:
    """Knock with melds, parted by bars."""
    groups = [CardGroup(cards=cards(meld)) for meld in melds.split("|") if meld]
    return Knocked(melds=groups, deadwood=cards(deadwood), deadwood_points=points)


@pytest.mark.parametrize(
    ("narrator", "event", "said"),
    [
        (PAIRS, Event(seat=0, took_pile=pile("7S")), "Anna takes the only card of the pile: 7♠."),
        (PAIRS, Event(seat=0, took_pile=pile("7S 8H")), "Anna takes the pile of 2 cards: 7♠ 8♥."),
        (RUMMY, Event(seat=0, took_pile=pile("7S")), "Anna takes 7♠ from the pile."),
        (RUMMY, Event(seat=0, drew=Drew()), "Anna draws a card."),
        (RUMMY, Event(seat=2, discarded=Discarded(card=card("KD"))), "Carla discards K♦."),
        (
            RUMMY,
            Event(seat=0, laid_off=LaidOff(cards=cards("8C"), meld=RUN)),
            "Anna adds 8♣ to Bruno's meld: ♣ [JK=5] 6 7 8.",
        ),
        (RUMMY, Event(seat=1, laid_off=LaidOff(cards=cards("8C"), meld=RUN)), "Bruno adds 8♣: ♣ [JK=5] 6 7 8."),
        (PAIRS, Event(seat=3, laid_off=LaidOff(cards=cards("8C"), meld=RUN)), "Dario adds 8♣: ♣ [JK=5] 6 7 8."),
        (
            RUMMY,
            Event(seat=3, wild_replaced=WildReplaced(meld=laid(2, 0, "KS KH KD", SET), card=card("KD"))),
            "Dario puts K♦ in the joker's place in Anna's meld and takes the joker: K ♠ ♥ ♦.",
        ),
        (
            RUMMY,
            Event(seat=0, wild_replaced=WildReplaced(meld=laid(2, 0, "KS KH KD", SET), card=card("KD"))),
            "Anna puts K♦ in the joker's place and takes the joker: K ♠ ♥ ♦.",
        ),
        (RUMMY, Event(seat=2, player_out=PlayerOut(points=104)), "Carla is out, with 104 points."),
        (
            RUMMY,
            Event(seat=2, player_reentered=PlayerReentered(points=90)),
            "Carla comes in again, with 90 points.",
        ),
        (GIN, Event(seat=1, upcard_passed=UpcardPassed()), "Bruno passes the up-card."),
        (GIN, Event(seat=0, dealt=Dealt(dealer=0, upcard=card("9H"))), "Anna deals. The first card of the pile is 9♥."),
        (
            GIN,
            Event(seat=0, knocked=knock("7S 8S 9S|KS KH KD", "AS 3D", 4)),
            "Anna knocks with 4: 7♠ 8♠ 9♠ · K♠ K♥ K♦ · deadwood A♠ 3♦.",
        ),
        (GIN, Event(seat=0, knocked=knock("", "AS 3D", 4)), "Anna knocks with 4: deadwood A♠ 3♦."),
        (GIN, Event(seat=1, knocked=knock("7S 8S 9S|KS KH KD", "", 0)), "Bruno has gin: 7♠ 8♠ 9♠ · K♠ K♥ K♦."),
        (
            RUMMY,
            Event(stock_renewed=StockRenewed(stock_count=20)),
            "The stock has run out: the pile, shuffled, becomes a new one of 20 cards.",
        ),
        (
            PAIRS,
            Event(stock_renewed=StockRenewed(stock_count=11)),
            "The stock has run out: a pozzetto that nobody took becomes a new one of 11 cards.",
        ),
        (
            GIN,
            Event(deal_ended=DealEnded(deal_end=DealEnd.DEAL_END_VOID)),
            "The deal is void: nothing is counted, and the same dealer deals again.",
        ),
    ],
)
def test_tell(narrator: Narrator, event: Event, said: str) -> None:
    """An event is a sentence that says who did what, and whose a meld is where that is not plain."""
    assert [sentence.plain for sentence in narrator.tell(event)] == [said]


def test_tell_the_end_of_a_deal() -> None:
    """Hands are laid open; one of Gin in its melds."""
    hands = [RevealedHand(seat=0), RevealedHand(seat=1, cards=cards("2C 7S 8S 9S KD"))]
    ended = Event(deal_ended=DealEnded(deal_end=DealEnd.DEAL_END_GIN, hands=hands))
    assert [sentence.plain for sentence in GIN.tell(ended)] == [
        "The deal is over: a player has gin.",
        "Anna has left: nothing.",
        "Bruno has left: 7♠ 8♠ 9♠ · K♦ 2♣ (deadwood 12).",
    ]


def test_every_end_is_told() -> None:
    """Every way in which a deal ends has a sentence of its own."""
    ends = [end for end in DealEnd.values() if end != DealEnd.DEAL_END_UNSPECIFIED]
    said = [next(iter(RUMMY.tell(Event(deal_ended=DealEnded(deal_end=end))))).plain for end in ends]
    assert len(set(said)) == len(ends)
    assert "The deal is over." not in said


def test_every_event_is_told_or_shown() -> None:
    """No event is forgotten: those that are not told are shown by the table or the sheet."""
    what = [field.name for field in Event.DESCRIPTOR.oneofs_by_name["what"].fields]
    silent = []
    for name in what:
        event = Event(seat=0)
        getattr(event, name).SetInParent()
        try:
            told = list(RUMMY.tell(event))
        except (RuntimeError, ValueError):  # it is known, but lacks its cards
            continue
        if not told:
            silent.append(name)
    assert silent == ["turn_started", "deal_scored", "match_ended"]
