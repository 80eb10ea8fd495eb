"""The versions of the stored form: how each is parsed, and how it is made into the next and into the one before.

A version that only adds fields keeps its message. One that changes what a field is gets a message of its own, in a
package of its own, and the old message stays as it is, frozen, for its upcaster to read.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from google.protobuf.unknown_fields import UnknownFieldSet

from service.rules.options import RULES_REVISION
from service.wire.storage.v1.stored_state_pb2 import StoredState
from service.wire.versions import NEWEST_VERSION, OLDEST_VERSION

Form: TypeAlias = Any
"""A stored message of some version; each has `version` as field 1 and the pinned `rules` as field 2."""


@dataclass(frozen=True, kw_only=True)
class StateForm:
    """One version of the stored form."""

    message: Any = StoredState
    """Class of its message."""
    rules_revision: int = RULES_REVISION
    """Newest revision of the rules that the releases know which read this version. New matches get it where this
    version is written."""
    up: Callable[[Form], Form] = lambda message: message
    """Makes a message of the next version. Version number and pinned rules are none of its business."""
    down: Callable[[Form], Form | None] = lambda message: message
    """Makes a message of the version before, or None when that one has no room for what this one says."""

    def parse(self, stored: bytes) -> Form:
        """Parse a message of this version.

        :raises DecodeError: it is none.
        :raises ValueError: it has a field that this version does not have.
        """
        message = self.message.FromString(stored)
        refuse_unknown_fields(message, "it")
        return message


FORMS: Final[Mapping[int, StateForm]] = {version: StateForm() for version in range(OLDEST_VERSION, NEWEST_VERSION + 1)}
"""Every version that is read, by number."""


def unknown_fields(message: Form) -> list[int]:
    """Numbers of the fields of a message that this release does not know, each once."""
    unknown = UnknownFieldSet(message)
    return sorted({unknown[at].field_number for at in range(len(unknown))}) if len(unknown) else []


def refuse_unknown_fields(message: Form, what: str) -> None:
    """Refuse what a newer release wrote without saying so in a number: to drop it could change the match.

    :raises ValueError: the message has fields that this release does not know.
    """
    if numbers := unknown_fields(message)[:4]:
        named = ", ".join(map(str, numbers))
        raise ValueError(f"{what} has a field that this release does not know (number {named})")
