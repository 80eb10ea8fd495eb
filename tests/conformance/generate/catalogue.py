"""The scenarios there are: each a function that plays one, under the name of its file."""

from collections.abc import Callable
from typing import Final, NamedTuple

from tests.conformance.generate.script import Script


class Scenario(NamedTuple):
    """A scenario to be played."""

    about: str
    play: Callable[[Script], None]
    needs: tuple[str, ...] = ()
    """What a runner has to be able to do beside the ordinary: see README.md."""


SCENARIOS: Final[dict[str, Scenario]] = {}
"""By name, such as `gin/knock`; filled by the modules that `scenarios/__init__.py` imports."""


def scenario(name: str, about: str, *needs: str) -> Callable[[Callable[[Script], None]], Callable[[Script], None]]:
    """Enter a scenario under a name."""

    def enter(play: Callable[[Script], None]) -> Callable[[Script], None]:
        if name in SCENARIOS:
            raise ValueError(f"there are two scenarios {name}")
        SCENARIOS[name] = Scenario(about, play, needs)
        return play

    return enter
