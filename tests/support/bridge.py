"""Between the melds of the service and those of the oracle; and what a test has really come across."""

from collections import Counter
from collections.abc import Iterable

from service.rules.melds import NO_WILD, Meld, MeldKind
from tests.oracle.melds import OMeld


def to_oracle(meld: Meld) -> OMeld:
    """See a meld of the service as one of the oracle's."""
    kind = meld.kind.name.lower()
    assert kind in {"set", "sequence"}
    return OMeld(
        "set" if kind == "set" else "sequence", tuple(meld.cards), None if meld.wild_at < 0 else meld.wild_at, meld.low
    )


def from_oracle(meld: OMeld, meld_id: int = 0, side: int = 0) -> Meld:
    """Lay a meld of the oracle on a table of the service."""
    wild_at = NO_WILD if meld.wild is None else meld.wild
    return Meld(MeldKind[meld.kind.upper()], bytes(meld.cards), wild_at, meld.low, meld_id, side)


class Reached(Counter[str]):
    """Counts the situations that a test has come across, so that it fails if its examples stop reaching some."""

    def note(self, situation: str, reached: bool) -> None:
        """Count a situation if this is one."""
        if reached:
            self[situation] += 1

    def demand(self, *situations: str, least: int = 1) -> None:
        """Fail unless each situation was reached so often."""
        missing = [situation for situation in situations if self[situation] < least]
        assert not missing, f"the examples no longer reach {missing}; they reach {dict(self)}"


def names(kinds: Iterable[str]) -> tuple[str, ...]:
    """Situations by name, in a stable order."""
    return tuple(sorted(kinds))
