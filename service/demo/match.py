"""A match from its first deal to the winner, through the client alone."""

import hashlib
from collections.abc import Iterable

from rich.text import Text

from burraco import Client, Table
from burraco.v1.cards_pb2 import HandOrder
from burraco.v1.events_pb2 import Event
from burraco.v1.moves_pb2 import LegalMoves
from burraco.v1.scores_pb2 import ScoreSheet
from burraco.v1.views_pb2 import Phase, View
from service.demo.display import Display
from service.demo.games import Game
from service.demo.sheet import deal_sheet, match_sheet, penalty_sheet, survivor, winner
from service.demo.words import Narrator

BY_SUIT = HandOrder.HAND_ORDER_SUIT_FIRST


class Match:
    """Simple seats at a table of the service. Each sees its own view, and this class no more than they do."""

    def __init__(self, game: Game, client: Client, display: Display, seed: str) -> None:
        self._game = game
        self._display = display
        self._sheets = list[ScoreSheet]()
        self._out = [set[int]()]  # the sides that were out as each deal began
        self._table = Table.create(
            client,
            game.preset,
            options=game.options,
            request_id="demo",
            given_seed=hashlib.sha256(seed.encode()).digest(),
            draw_seats=game.draw_seats,
            hand_order=BY_SUIT,
        )
        rules = self._table.view(include_rules=True).rules
        self._rules = getattr(rules, rules.WhichOneof("game") or "")
        view = self._table.updates[0].view
        self._names = [game.players[seat.player] for seat in view.seats]
        self._sides = [
            " & ".join(self._names[seat.seat] for seat in view.seats if seat.side == side.side) for side in view.sides
        ]
        self._narrator = Narrator(game.players, self._names, self._sides, game.look)
        display.introduce(self._names, self._sides, game.look)

    @property
    def title(self) -> str:
        """What is played, and to what end."""
        return self._game.title.format(rules=self._rules)

    def play(self) -> None:
        """Play to the end."""
        table = self._table
        self._display.say(*self._sentences(table.updates[0].events))
        while True:
            self._play_deal()
            if table.phase == Phase.PHASE_MATCH_OVER:
                break
            accepted = table.next_deal(viewers=[None])
            self._display.say(*self._sentences(accepted.updates[0].events))
        result = table.view().result
        won = (survivor if self._game.look.penalties else winner)(result, self._sides)
        self._display.say(match_sheet(self._sheets, self._sides, self._out), "", won)

    def _play_deal(self) -> None:
        table, number, view = self._table, 0, View()
        legal = LegalMoves() if table.turn is None else table.legal(table.turn)
        while (seat := table.turn) is not None:
            view, number = table.view(seat, hand_order=BY_SUIT), number + 1
            self._display.turn(view, number)
            while table.turn == seat:
                move = self._game.choose(view, legal)
                accepted = table.play(seat, move, viewers=[seat], hand_order=BY_SUIT, list_legal_moves=True)
                view, legal = accepted.updates[0].view, accepted.legal_moves
                self._display.moved(view, self._sentences(accepted.updates[0].events))
        if view.HasField("score_sheet"):  # a void deal has none
            self._count(view)

    def _count(self, view: View) -> None:
        self._sheets.append(self._table.score().score_sheet)
        if self._game.look.penalties:
            self._display.counted(penalty_sheet(self._sheets[-1], self._sides, self._out[-1]))
        else:
            self._display.counted(deal_sheet(self._sheets[-1], view.melds, self._names, self._sides))
        self._out.append({seat.side for seat in view.seats if seat.out})

    def _sentences(self, events: Iterable[Event]) -> list[Text]:
        return [sentence for event in events for sentence in self._narrator.tell(event)]
