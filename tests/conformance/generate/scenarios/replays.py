"""Replays: the whole matches verified, and records that are wrong in every way."""

from typing import Final

from service.rules.cards import PACK, texts
from service.rules.stream import commitment
from tests.conformance.generate.catalogue import scenario
from tests.conformance.generate.matches import MATCHES, REQUEST_ID
from tests.conformance.generate.scenarios.calls import text_of
from tests.conformance.generate.script import Script, seed_bytes
from tests.conformance.generate.words import cards, move, moves

SEED: Final = bytes(range(32))
SALT: Final = bytes(range(32, 64))
FIRST: Final = "4S 5S 6S 7H 7D 7C AC 2D 3H KS"
SECOND: Final = "7S 8S KH KD KC 9D 9C 2S 3S 4H"
UP: Final = "2C"
"""With it the first hand knocks with 8, and the second is left with 22."""


def deck(first: str, second: str, up: str) -> str:
    """A deck of Gin that deals two hands and an up-card, the rest by number."""
    dealt = [word for pair in zip(first.split(), second.split(), strict=True) for word in pair]
    dealt.append(up)
    return " ".join((*dealt, *(word for word in texts(PACK).split() if word not in dealt)))


@scenario("calls/replays", "A whole match of each game, played again from its record: verified, with its final view.")
def replays(script: Script) -> None:
    for match in MATCHES:
        created = script.ask("CreateMatch", match.request())
        last = created
        for seat, words in match.turns():
            request = {"state": last["state"], "seat": seat, "moves": moves(words), "viewers": [{"spectator": {}}]}
            last = script.ask("ApplyMoves", request)["accepted"]
        record = {"rules": created["rules"], "seed": seed_bytes(match.seed), "requestId": REQUEST_ID}
        record |= {"givenSeats": {"dealer": match.dealer}, "moves": match.recorded(), "matchId": created["matchId"]}
        answer = script.call("ReplayMatch", record, any_of=["verified.state"])
        script.check_that(answer["verified"]["view"] == last["updates"][0]["view"], "the replay ends elsewhere")


@scenario(
    "calls/replays_of_decks", "A record with decks in place of a seed: what they deal is played, and no state is given."
)
def replays_of_decks(script: Script) -> None:
    rules = script.ask("GetRules", {"rules": {"preset": "PRESET_GIN"}})["rules"]
    order = cards(deck(FIRST, SECOND, UP))
    played = [{"seat": 0, "move": move("take")}, {"seat": 0, "move": move("knock KS")}]
    record = {"rules": rules, "decks": {"deals": [{"cards": order}]}, "givenSeats": {"dealer": 1}, "moves": played}
    answer = script.call("ReplayMatch", record)
    script.count(answer["verified"]["view"]["scoreSheet"], (14, 0))
    script.check_that("state" not in answer["verified"], "a record of decks came back with a state")
    following = [*played, {"seat": 0, "move": move("next")}]
    told = {"decks": "1", "number": "2"}
    script.invalid("ReplayMatch", {**record, "moves": following}, "DECK_MISSING", "moves[2]", arguments=told)
    script.invalid("ReplayMatch", {**record, "decks": {}}, "FIELD_MISSING", "decks.deals")
    twice = {"deals": [{"cards": [order[0], *order[:-1]]}]}
    script.invalid("ReplayMatch", {**record, "decks": twice}, "DECK_WRONG", "decks.deals[0]", arguments={"number": "1"})
    script.invalid("ReplayMatch", {**record, "salt": text_of(SALT)}, "FIELDS_CONTRADICT", "salt")


@scenario(
    "calls/replays_refused", "Records that break off, that are of other rules, or of another match than they say."
)
def replays_refused(script: Script) -> None:
    rules = script.ask("GetRules", {"rules": {"preset": "PRESET_GIN"}})["rules"]
    entropy = [text_of(b"anna"), text_of(b"bruno")]
    record = {"rules": rules, "seed": text_of(SEED), "entropy": entropy, "salt": text_of(SALT), "requestId": "table"}
    record |= {"givenSeats": {"dealer": 1}, "moves": [{"seat": 0, "move": {"passUpcard": {}}}]}
    published = {"commitment": text_of(commitment(SALT, SEED))}
    answer = script.call("ReplayMatch", record | published, any_of=["verified.state"])
    named = {"matchId": answer["verified"]["matchId"]}
    script.call("ReplayMatch", record | published | named, any_of=["verified.state"])
    other = text_of(commitment(SEED, SALT))
    script.invalid("ReplayMatch", record | {"commitment": other}, "COMMITMENT_BROKEN", "commitment")
    script.invalid("ReplayMatch", record | named | {"requestId": "other"}, "MATCH_ID_WRONG", "match_id")
    wrong = [*record["moves"], {"seat": 1, "move": {"drawStock": {}}}]
    answer = script.call("ReplayMatch", record | {"moves": wrong})["illegal"]
    script.check_that(answer["moveIndex"] == 1, "another move is illegal")
    script.refused("the draw", answer, "UPCARD_OFFERED")
    answer = script.call("ReplayMatch", record | {"rules": rules | {"revision": 99}})
    script.check_that(answer["diverged"]["recordedRevision"] == 99, "the revisions are told wrongly")
    script.invalid("ReplayMatch", record | {"rules": {"gin": rules["gin"]}}, "FIELD_MISSING", "rules.revision")
    without = {key: value for key, value in record.items() if key != "seed"}
    script.invalid("ReplayMatch", without, "FIELD_MISSING", "seed")
    script.invalid("ReplayMatch", record | {"moves": [{"seat": 2, "move": {}}]}, "FIELD_OUT_OF_RANGE", "moves[0].seat")
    script.invalid("ReplayMatch", record | {"moves": [{"seat": 0}]}, "FIELD_MISSING", "moves[0].move")
    script.invalid("ReplayMatch", record | {"salt": ""}, "FIELDS_CONTRADICT", "entropy")
