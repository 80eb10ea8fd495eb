"""Texts over the wire: the same refusal in every language, and headers that no call fails for."""

from typing import Any, Final

import grpc
import pytest

from burraco.v1 import game_service_pb2 as pb
from burraco.v1 import reasons_pb2, scores_pb2
from service.rules.cards import parse
from service.text.languages import LANGUAGES
from tests.api.client import EVERYONE, ITALIAN, SECONDS, Api
from tests.support.tables import played_table as table

REFUSED: Final = {
    "en": "Meld 1 is a set of K: 7S does not match.",
    "it": "Il gioco 1 è una combinazione di re: non puoi attaccare il 7 di picche.",
    "pl": "Układ 1 to trójka króli, więc to nie pasuje: 7 pik.",
    "fil": "Set ng mga king ang meld 1: hindi tugma ang 7 ng spades.",
    "my": "ပေါင်းစပ်မှု 1 က K အစုပါ။ စပိတ် 7 ကို ထည့်လို့မရပါဘူး။",
}
ODD: Final = (
    "",
    ",",
    ";q=1",
    "it;q=x",
    "*;q=0",
    "-" * 4000,
    "it," * 2000,
    "a-" * 3000,
    "%" * 100,
    "it_IT",
    "q=0.5",
)


def cards(words: str) -> Any:  # noqa: ANN401  # card numbers, where the contract's enum is asked for
    return list(parse(words))


def refused(api: Api, language: str) -> reasons_pb2.Violation:
    state = api.seal(table(hands=["7S 9D 9C"], melds={0: ["KS KH KD"]}))
    request = pb.CheckMovesRequest(state=state, seat=0)
    move = request.moves.add().lay_off
    move.meld_id = 1
    move.cards.extend(cards("7S"))
    answer = api.stub.CheckMoves(request, timeout=SECONDS, metadata=(("accept-language", language),))
    (violation,) = answer.violations
    found: reasons_pb2.Violation = violation
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_is_told_in_the_callers_language(api: Api, language: str) -> None:
    """The text differs, and everything else is the same."""
    told = refused(api, language)
    assert told.text == REFUSED[language]
    told.text = REFUSED["en"]
    assert told == refused(api, "en")


def test_the_best_language_known_is_taken(api: Api) -> None:
    """Weights, regions and Filipino by its older tag."""
    assert refused(api, "fr-FR, tl-PH;q=0.4, en;q=0.1").text == REFUSED["fil"]
    assert refused(api, "en;q=0.1, it-CH;q=0.9").text == REFUSED["it"]
    assert refused(api, "de, ja").text == REFUSED["en"]


def test_headers_are_read_as_one(api: Api) -> None:
    """A header that is sent twice."""
    payload = pb.ExplainMeldRequest(rules=ITALIAN, cards=cards("2H 2D")).SerializeToString()
    method: Any = api.channel.unary_unary("/burraco.v1.GameService/ExplainMeld")
    sent = (("accept-language", "fr"), ("accept-language", "pl;q=0.1, en;q=0.05"))
    answer = pb.ExplainMeldResponse.FromString(method(payload, timeout=SECONDS, metadata=sent))
    assert "Układ ma co najmniej 3 karty; tu są 2." in [found.text for found in answer.violations]


@pytest.mark.parametrize("header", ODD, ids=range(len(ODD)))
def test_no_header_makes_a_call_fail(api: Api, header: str) -> None:
    """However odd, and as long as the transport lets through: there is an answer in some language."""
    assert refused(api, header).text in REFUSED.values()


def test_a_score_sheet_is_told_in_the_callers_language(api: Api) -> None:
    """Of a finished deal: in the answer to the move, in views, and on its own."""
    closing = table(hands=["8S", "KS 2D", "3C"], melds={0: ["4H 5H 6H 7H 8H 9H 10H"]}, taken_by=(0, -1))
    state = api.seal(closing)
    request = pb.ApplyMovesRequest(state=state, seat=0, viewers=[EVERYONE[1]])
    request.moves.add().discard.card = cards("8S")[0]
    metadata = (("accept-language", "it"),)
    applied = api.stub.ApplyMoves(request, timeout=SECONDS, metadata=metadata)
    (update,) = applied.accepted.updates
    (scored,) = [event.deal_scored.score_sheet for event in update.events if event.WhichOneof("what") == "deal_scored"]
    after = applied.accepted.state
    own = api.stub.ScoreDeal(pb.ScoreDealRequest(state=after), timeout=SECONDS, metadata=metadata).score_sheet
    for sheet in (scored, update.view.score_sheet, own):
        texts = of_sheet(sheet)
        assert {"Burraco pulito, gioco 1", "Chiusura", "Pozzetto non preso", "Carte rimaste in mano, posto 1"} <= texts
    plain = api.stub.ScoreDeal(pb.ScoreDealRequest(state=after), timeout=SECONDS).score_sheet
    assert {"Clean burraco, meld 1", "Closing", "Pozzetto not taken", "Cards left in hand, seat 1"} <= of_sheet(plain)


def of_sheet(sheet: scores_pb2.ScoreSheet) -> set[str]:
    return {line.text for side in sheet.sides for line in side.lines}


def test_the_message_of_a_failed_call_stays_english(api: Api) -> None:
    """A status is for developers: ASCII, whatever the language."""
    for language in LANGUAGES:
        with pytest.raises(grpc.RpcError) as caught:
            api.stub.GetView(pb.GetViewRequest(), timeout=SECONDS, metadata=(("accept-language", language),))
        error: Any = caught.value
        assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
        assert error.details().startswith("state")
        assert error.details().isascii()
    table_of_none = pb.ScoreDealRequest()
    table_of_none.table.rules.CopyFrom(ITALIAN)
    table_of_none.table.sides.add().melds.add().cards.extend(cards("7S 8S"))
    table_of_none.table.sides.add()
    with pytest.raises(grpc.RpcError) as refused_table:
        api.stub.ScoreDeal(table_of_none, timeout=SECONDS, metadata=(("accept-language", "my"),))
    error = refused_table.value
    assert error.details().isascii()
    assert "A meld has at least 3 cards; these are 2." in error.details()
