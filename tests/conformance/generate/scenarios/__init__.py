"""Every scenario, by game; importing this fills the catalogue."""

from tests.conformance.generate.catalogue import SCENARIOS
from tests.conformance.generate.scenarios import (
    arbiter,
    burraco_refusals,
    burraco_tables,
    burraco_turns,
    calls,
    gin,
    matches,
    ramino,
    replays,
    scala_40,
    seat_tokens,
)

__all__ = [
    "SCENARIOS",
    "arbiter",
    "burraco_refusals",
    "burraco_tables",
    "burraco_turns",
    "calls",
    "gin",
    "matches",
    "ramino",
    "replays",
    "scala_40",
    "seat_tokens",
]
