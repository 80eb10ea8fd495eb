"""From events to messages, redacted for their viewer."""

from collections.abc import Iterable
from typing import Any

from burraco.v1 import cards_pb2
from burraco.v1 import events_pb2 as pb
from service.rules import events as ev
from service.rules.options import RuleSet
from service.text.catalogue import Catalogue
from service.wire.answers import meld_message, result_message, sheet_message
from service.wire.rules_codec import rules_message


def event_messages(
    events: Iterable[tuple[int, ev.Event]], viewer: int, rules: RuleSet, catalogue: Catalogue
) -> list[pb.Event]:
    """Write the events of a call, each with the revision after its move, as far as the viewer may know them."""
    messages = []
    last, index = -1, 0
    for revision, event in events:
        index = index + 1 if revision == last else 0
        last = revision
        message = event_message(ev.redact(event, viewer, rules), rules, catalogue)
        message.revision, message.index = revision, index
        if event.seat != ev.SPECTATOR:
            message.seat = event.seat
        messages.append(message)
    return messages


def event_message(event: ev.Event, rules: RuleSet, catalogue: Catalogue) -> pb.Event:
    """Write what happened, without revision, index and seat."""
    out: Any = pb  # card and enum numbers are plain ints in the rules
    match event:
        case ev.Drew(_, card, stock_count):
            return pb.Event(drew=out.Drew(card=card, stock_count=stock_count))
        case ev.TookPile(_, cards, size):
            return pb.Event(took_pile=out.TookPile(cards=cards, count=size))
        case ev.Melded(_, meld):
            return pb.Event(melded=pb.Melded(meld=meld_message(meld, rules)))
        case ev.LaidOff(_, cards, meld):
            return pb.Event(laid_off=out.LaidOff(cards=cards, meld=meld_message(meld, rules)))
        case ev.WildMoved(_, meld_id, card, was_as, now_as):
            return pb.Event(wild_moved=out.WildMoved(meld_id=meld_id, card=card, was_as=was_as, now_as=now_as))
        case ev.Discarded(_, card):
            return pb.Event(discarded=out.Discarded(card=card))
        case ev.TookPozzetto(_, direct, size, cards):
            way = pb.POZZETTO_WAY_DIRECT if direct else pb.POZZETTO_WAY_ON_DISCARD
            return pb.Event(took_pozzetto=out.TookPozzetto(way=way, count=size, cards=cards))
        case ev.PozzettoSeen(_, cards):
            return pb.Event(pozzetto_seen=out.PozzettoSeen(cards=cards))
        case ev.Closed():
            return pb.Event(closed=pb.Closed())
        case ev.TurnStarted():
            return pb.Event(turn_started=pb.TurnStarted())
        case ev.DealEnded(deal_end, hands):
            revealed = [out.RevealedHand(seat=seat, cards=cards) for seat, cards in enumerate(hands)]
            return pb.Event(deal_ended=out.DealEnded(deal_end=deal_end, hands=revealed))
        case ev.DealScored(sheet):
            return pb.Event(deal_scored=pb.DealScored(score_sheet=sheet_message(sheet, catalogue, rules.game)))
        case ev.MatchEnded(result, points):
            return pb.Event(match_ended=pb.MatchEnded(result=result_message(result, points)))
        case _:
            return _rare(event, out, rules)


def _rare(event: ev.Event, out: Any, match_rules: RuleSet) -> pb.Event:  # noqa: ANN401  # the module, see event_message
    out_cards: Any = cards_pb2
    match event:
        case ev.MatchStarted(rules, players, draws):
            drawn = [out.SeatingDraw(player=player, card=card, round=number) for player, card, number in draws]
            return pb.Event(match_started=pb.MatchStarted(rules=rules_message(rules), players=players, draws=drawn))
        case ev.Dealt():
            hand = next((hand for hand in event.hands if hand), b"")
            dealt = out.Dealt(
                deal_number=event.deal_number,
                dealer=event.dealer,
                cut=event.cut,
                upcard=event.upcard,
                hand=hand,
                hand_counts=event.hand_counts,
                stock_count=event.stock_count,
            )
            return pb.Event(dealt=dealt)
        case ev.TimeCalled(_, turns_left):
            return pb.Event(time_called=pb.TimeCalled(turns_left=turns_left))
        case ev.StalemateDeclared():
            return pb.Event(stalemate_declared=pb.StalemateDeclared())
        case ev.Resigned():
            return pb.Event(resigned=pb.Resigned())
        case ev.TurnTimedOut():
            return pb.Event(turn_timed_out=pb.TurnTimedOut())
        case ev.StockRenewed(stock_count):
            return pb.Event(stock_renewed=pb.StockRenewed(stock_count=stock_count))
        case ev.WildReplaced(_, meld, card):
            return pb.Event(wild_replaced=out.WildReplaced(meld=meld_message(meld, match_rules), card=card))
        case ev.Knocked(_, melds, deadwood, points):
            groups = [out_cards.CardGroup(cards=cards) for cards in melds]
            return pb.Event(knocked=out.Knocked(melds=groups, deadwood=deadwood, deadwood_points=points))
        case ev.PlayerOut(_, points):
            return pb.Event(player_out=pb.PlayerOut(points=points))
        case ev.PlayerReentered(_, points):
            return pb.Event(player_reentered=pb.PlayerReentered(points=points))
        case ev.UpcardPassed():
            return pb.Event(upcard_passed=pb.UpcardPassed())
    raise AssertionError(f"no message for {type(event).__name__}")
