"""The release after this one, for tests: it reads version 2 of the stored state, and a second revision of the rules.

Version 2 has a field more, the number of cards in the hands. Run as a module it is that release's server, whose
BURRACO_STATE_VERSION may be 2. A second next release has an option more too; its old one is as this is without it.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from service.rules.options import RULES_REVISION, Game, RuleSet
from service.rules.state import State
from service.wire import versions
from service.wire.rules_codec import Before, Revisions, rules_bytes
from service.wire.state_codec import HAND, VERSIONS, StateCodec, Versions
from service.wire.state_forms import FORMS, Form, StateForm
from service.wire.storage.v1 import stored_state_pb2

PRESENT: Final = versions.NEWEST_VERSION
NEXT: Final = PRESENT + 1
"""The version that the next release brings."""
OPTION: Final = "duplicate_sequences"
"""The option of Burraco that comes with it in some tests; without it there is the behaviour of false."""
REVISIONS: Final = Revisions(RULES_REVISION + 1, {})


def _message_with_a_field_more() -> Any:  # noqa: ANN401  # a class made of a descriptor
    file = descriptor_pb2.FileDescriptorProto()
    stored_state_pb2.DESCRIPTOR.CopyToProto(file)
    file.name, file.package = "tests/states/next_state.proto", "tests.states.next"
    (stored,) = [message for message in file.message_type if message.name == "StoredState"]
    stored.field.add(
        name="cards_in_hands",
        number=max(field.number for field in stored.field) + 1,
        type=descriptor_pb2.FieldDescriptorProto.TYPE_UINT32,
        label=descriptor_pb2.FieldDescriptorProto.LABEL_OPTIONAL,
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("tests.states.next.StoredState"))


NextState: Final = _message_with_a_field_more()


def up(message: Form) -> Form:
    """Bring a message to the next version: count the cards."""
    raised = NextState.FromString(message.SerializeToString())
    hands = HAND.iter_unpack(message.hands)
    raised.cards_in_hands = sum(once.bit_count() + twice.bit_count() + jokers for once, twice, jokers in hands)
    return raised


def down(message: Form) -> Form | None:
    """Bring a message back: leave the count away; there is no room for a match in its hundredth deal."""
    if message.deal_number >= 100:
        return None
    lowered = NextState.FromString(message.SerializeToString())
    lowered.ClearField("cards_in_hands")
    return FORMS[PRESENT].message.FromString(lowered.SerializeToString())


def writer(revisions: Revisions) -> Callable[[State], Form]:
    """What writes a message of the next version."""

    def write(state: State) -> Form:
        message = NextState.FromString(VERSIONS.write(state).SerializeToString())
        message.version, message.rules = NEXT, rules_bytes(state.match.rules, NEXT, revisions)
        message.cards_in_hands = sum(hand.size for hand in state.hands)
        return message

    return write


def read(message: Form, rules: RuleSet) -> State:
    """Read a message of the next version, which has to have its count."""
    state = VERSIONS.read(message, rules)
    if message.cards_in_hands != sum(hand.size for hand in state.hands):
        raise ValueError(f"it counts {message.cards_in_hands} cards in its hands")
    return state


FORMS_THEN: Final = {
    **FORMS,
    NEXT: StateForm(message=NextState, rules_revision=RULES_REVISION + 1, down=down),
    PRESENT: replace(FORMS[PRESENT], up=up),
}
VERSIONS_THEN: Final = Versions(FORMS_THEN, writer(REVISIONS), read, REVISIONS)

_BEFORE: Final = {(Game.BURRACO, OPTION): Before(NEXT, value=False)}
WITHOUT_OPTION: Final = replace(VERSIONS, revisions=Revisions(RULES_REVISION, _BEFORE))
"""This release as if it lacked the option: it plays as false says."""
_WITH: Final = Revisions(RULES_REVISION + 1, _BEFORE)
WITH_OPTION: Final = Versions(FORMS_THEN, writer(_WITH), read, _WITH)
"""The next release with the option."""


def codec(written: int) -> StateCodec:
    """The next release's codec, told to write this version."""
    return StateCodec(written, VERSIONS_THEN)


def main() -> int:
    """Serve as the next release does."""
    versions.NEWEST_VERSION = NEXT  # type: ignore[misc]  # before the settings are made of it

    from service.api.game_service import GameService
    from service.api.seat_tokens import Issuer
    from service.server.main import run
    from service.server.settings import Settings
    from service.wire.sealing import Sealer

    def compose(settings: Settings) -> GameService:
        sealer = Sealer(settings.sealing_key_bytes, settings.opening_keys_bytes)
        issuer = Issuer(settings.token_keys, settings.seat_token_seconds)
        return GameService(sealer, issuer, codec(settings.state_version))

    return run(compose)


if __name__ == "__main__":
    sys.exit(main())
