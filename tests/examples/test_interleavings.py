"""Racing players, one thread awake at a time: the order of all calls is drawn, and so is which of them fail."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from back_end.game import Matches, Played, Stale
from back_end.store import Store
from burraco import Client
from tests.examples.chaos import ChaoticStore, Fault, Lockstep, chaotic_client
from tests.examples.players import Player, deal
from tests.examples.verdict import judge
from tests.support.profile import examples

NUMBERS = count()
FAULTS = st.lists(st.sampled_from([Fault.NONE, Fault.NONE, *Fault]), max_size=30)


def order(choices: list[int]) -> Iterator[int]:
    """The choices, and then one thread after another."""
    yield from choices
    while True:
        yield 0


@examples(25)
@given(
    choices=st.lists(st.integers(0, 5), max_size=150),
    store_faults=FAULTS,
    client_faults=FAULTS,
    seed=st.integers(0, 2**32),
    devices=st.integers(2, 3),
    seats=st.sampled_from([2, 4]),
)
def test_racing_players_lose_nothing(
    store: Store,
    replicas: tuple[Client, Client],
    choices: list[int],
    store_faults: list[Fault],
    client_faults: list[Fault],
    seed: int,
    devices: int,
    seats: int,
) -> None:
    """Devices, two of them of the same player, on two back ends and two replicas of the rules."""
    plan = order(choices)
    lockstep = Lockstep(lambda waiting: next(plan) % waiting)
    match = f"interleaved {next(NUMBERS)}"
    chaotic = ChaoticStore(store, iter(store_faults), lockstep.step)
    back_ends = [Matches(chaotic_client(each, iter(client_faults), lockstep.step), chaotic) for each in replicas]
    Matches(replicas[0], store).create(match, seats, deal(seats))
    begun = store.load(match)
    assert begun is not None
    players = [
        Player(
            *(f"device-{number}", match, back_ends[number % 2], replicas[number % 2], store),
            random.Random(seed + number),
            viewer=(0, 0, 1)[number],
        )
        for number in range(devices)
    ]
    lockstep.run([player.rounds(4) for player in players])
    judge(replicas[0], store, match, begun, players)


def test_the_races_are_races(store: Store, replicas: tuple[Client, Client]) -> None:
    """The law above would prove little if nobody lost: there are winners, losers and answers given twice."""
    rng = random.Random(1)
    outcomes: Counter[str] = Counter()
    for number in range(12):
        lockstep = Lockstep(rng.randrange)
        match = f"measured {number}"
        faults = iter(rng.choices([*Fault], [8, 1, 1, 1], k=60))
        chaotic = ChaoticStore(store, faults, lockstep.step)
        back_ends = [Matches(chaotic_client(each, iter(()), lockstep.step), chaotic) for each in replicas]
        Matches(replicas[0], store).create(match, 2, deal(2))
        begun = store.load(match)
        assert begun is not None
        players = [
            Player(
                f"{device}", match, back_ends[device], replicas[device], store, random.Random(number + device), device
            )
            for device in range(2)
        ]
        lockstep.run([player.rounds(5) for player in players])
        outcomes["revisions"] += judge(replicas[0], store, match, begun, players)
        for sent in (sent for player in players for sent in player.sent):
            outcomes.update(type(answer).__name__ for answer in sent.answers[:1])
            outcomes["twice"] += len([answer for answer in sent.answers if isinstance(answer, Played)]) > 1
    assert min(outcomes[kind] for kind in (Played.__name__, Stale.__name__, "str", "twice", "revisions")) > 2, outcomes
