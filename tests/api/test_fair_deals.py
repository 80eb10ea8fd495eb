"""Matches of every preset, played on a real server and checked as a player would: by the lines of docs/fairness.md."""

import random
from pathlib import Path
from typing import Any, Final

import pytest

from burraco.v1 import events_pb2, rules_pb2, scores_pb2, views_pb2
from burraco.v1 import game_service_pb2 as pb
from service.rules.cards import parse, texts
from service.rules.games import PRESETS, game_with
from service.rules.options import Game, Preset
from service.rules.presets import FIBUR, ITALIAN
from service.wire.rules_codec import FIELD_OF
from tests.api.client import SECONDS, Api, everyone, only, play_on
from tests.fairness.page import answers, ask, games

DEALS: Final = 2
SHORTER: Final = {"target": 700, "limit": 45}
"""What ends a match after a few deals, where it has no number of deals."""
LAST_STRETCH: Final = 505
"""Points from the target at which nobody is alone any more, of three (B3-4)."""


def short(preset: Preset) -> rules_pb2.RulesSelection:
    """The selection of a preset whose matches are a few deals long."""
    rules: Any = PRESETS[preset]
    chosen = only(preset)
    options = getattr(chosen, FIELD_OF[rules.game])
    if rules.game is Game.BURRACO and rules.players != 3:
        options.target, options.deals_per_match = 0, DEALS
        options.victory_points = rules_pb2.VICTORY_POINTS_NONE
        return chosen
    for key, most in SHORTER.items():
        if getattr(rules, key, 0) > most:
            setattr(options, key, most)
    return chosen


class Seen:
    """What the players saw of a match that was played to its end."""

    def __init__(self, api: Api, preset: Preset, **fields: Any) -> None:  # noqa: ANN401 - fields of the request
        self.committed = api.stub.CommitSeed(pb.CommitSeedRequest(), timeout=SECONDS)
        rules: Any = PRESETS[preset]
        self.rules = rules
        players = rules.players
        self.entropy = [bytes((65 + player,)) * (1 + 9 * player) for player in range(players)]
        self.request_id = f"tavolo è {preset.name}"
        # The commitment is known before any entropy is: the seed cannot have been chosen to fit it.
        request = pb.CreateMatchRequest(
            rules=short(preset),
            viewers=everyone(players),
            sealed_seed=self.committed.sealed_seed,
            entropy=self.entropy,
            request_id=self.request_id,
            **fields,
        )
        created = api.stub.CreateMatch(request, timeout=SECONDS)
        self.match_id = created.match_id
        self.started = created.updates[0].events[0].match_started
        self.dealt: list[list[events_pb2.Dealt]] = []
        self.points: list[list[int]] = []
        """Match points of the sides when each deal began."""
        points = [0] * len(created.updates[0].view.sides)
        self._note(created.updates, points)
        view = created.updates[0].view
        hand = created.updates[view.turn].view.seats[view.turn].hand if self.rules.game is not Game.BURRACO else ()
        rng = random.Random(preset.name)
        for step in play_on(api, created.state, view.turn, rng, players=players, hand=hand):
            self._note(step.accepted.updates, points)
            points = [side.match_points for side in step.accepted.updates[0].view.sides]
            view = step.accepted.updates[-1].view
        assert view.phase == views_pb2.PHASE_MATCH_OVER
        assert view.result.match_end != scores_pb2.MATCH_END_RESIGNED
        self.fairness = view.fairness

    def _note(self, updates: Any, points: list[int]) -> None:  # noqa: ANN401 - repeated updates of viewers
        told = [[event.dealt for event in update.events if event.HasField("dealt")] for update in updates[:-1]]
        if told[0]:
            self.dealt.append([each for (each,) in told])
            self.points.append(points)

    def questions(self) -> list[tuple[str, dict[str, Any]]]:
        """What the page's `check` is asked, deal by deal, out of nothing but what was seen."""
        found = []
        for told, points in zip(self.dealt, self.points, strict=True):
            seats = len(told)
            order = [(told[0].dealer + 1 + at) % seats for at in range(seats)]
            game = games()[self.rules.preset.name]
            if self.rules.players == 3 and max(points) >= SHORTER["target"] - LAST_STRETCH:
                game = game | {"pozzetti": [11, 11, 11]}
            asked = {
                "seed": self.fairness.seed.hex(),
                "salt": self.fairness.salt.hex(),
                "commitment": self.committed.commitment.hex(),
                "entropy": [entry.hex() for entry in self.entropy],
                "requestId": self.request_id,
                "matchId": self.match_id.hex(),
                "deal": told[0].deal_number,
                "seats": [seat for seat in order if told[0].hand_counts[seat]],
                "game": game,
            }
            found.append(("check", asked))
        return found


@pytest.fixture(scope="module", params=PRESETS, ids=lambda preset: preset.name)
def seen(request: pytest.FixtureRequest, api: Api) -> Seen:
    """A finished match of each preset, of more than one deal; where luck would have it, the first deal ends a match."""
    return next(match for match in (Seen(api, request.param) for _ in range(20)) if len(match.dealt) > 1)


def test_a_player_checks_every_deal_of_a_finished_match(seen: Seen, tmp_path: Path) -> None:
    """Hands, cut, up-card and stock of each deal are those that seed and entropy give; another seed is refused."""
    assert seen.fairness.verifiable
    questions = seen.questions()
    assert [asked["deal"] for _, asked in questions] == list(range(1, len(questions) + 1))
    assert len(questions) > 1
    for told, found in zip(seen.dealt, answers(tmp_path, questions), strict=True):
        assert sorted(found["deck"].split()) == sorted(texts(game_with(seen.rules).deck(seen.rules)).split())
        for seat, each in enumerate(told):
            assert each.cut == found["cut"]
            assert texts((each.upcard,)) == found["upcard"]
            assert each.stock_count == len(found["stock"].split())
            assert bytes(each.hand) == bytes(sorted(parse(found["hands"].get(str(seat), ""))))
    wrong = [("check", asked | {"seed": bytes(32).hex()}) for _, asked in questions]
    assert [each.get("error") for each in ask(tmp_path, wrong)] == ["another seed was committed to"] * len(wrong)


def test_a_player_checks_the_first_dealer(seen: Seen, tmp_path: Path) -> None:
    """Where nobody names the dealer, the seed does."""
    (checked,) = answers(tmp_path, seen.questions()[:1])
    asked = {"key": checked["key"], "purpose": 2, "deal": 0, "bound": seen.rules.players, "count": 1}
    assert answers(tmp_path, [("below", asked)]) == [[seen.dealt[0][0].dealer]]


@pytest.mark.parametrize("rules", [ITALIAN, FIBUR], ids=["ITALIAN", "FIBUR"])
def test_a_player_checks_the_cards_drawn_for_seats(api: Api, rules: Any, tmp_path: Path) -> None:  # noqa: ANN401 - rules of Burraco
    """The cards that were drawn are the first of a deck that the seed gives (B4-4)."""
    drawing = Seen(api, rules.preset, drawn_seats=pb.DrawnSeats())
    (checked,) = answers(tmp_path, drawing.questions()[:1])
    deck = texts(game_with(rules).deck(rules)).split()
    (drawn,) = answers(tmp_path, [("shuffled", {"key": checked["key"], "purpose": 1, "deal": 0, "cards": deck})])
    told = [texts((draw.card,)) for draw in drawing.started.draws]
    assert len(told) >= 4
    assert drawn.split()[: len(told)] == told
