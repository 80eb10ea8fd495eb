"""What an option is, in every game: how it is described, and how a value of it is checked."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from service.rules.options import contract_name
from service.rules.reasons import Reason


@dataclass(frozen=True, slots=True)
class BoolOption:
    """An option that is true or false."""

    key: str
    meaning: str
    sources: tuple[str, ...]
    when_true: str
    when_false: str
    only: bool | None = None
    """The one value accepted, where the other is not."""


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option that is a whole number."""

    key: str
    meaning: str
    sources: tuple[str, ...]
    least: int
    most: int
    zero_means_none: bool = False
    """Whether 0 is accepted below the range."""
    only: tuple[int, ...] = ()
    """The only numbers accepted, where the range has holes."""


@dataclass(frozen=True, slots=True)
class NameOption:
    """An option that is one of several names."""

    key: str
    meaning: str
    sources: tuple[str, ...]
    values: tuple[tuple[IntEnum, str], ...]
    """Accepted values, each with its meaning."""


Option: TypeAlias = BoolOption | NumberOption | NameOption


class Defect(NamedTuple):
    """What is wrong with one option."""

    key: str
    reason: Reason
    text: str
    """What is wrong and what to do, completing a sentence that begins with the option's name."""
    arguments: tuple[tuple[str, str], ...]
    """The value and what is accepted, or the option that it contradicts."""


def accepted_values(option: Option) -> str:
    """Say what an option may be."""
    if isinstance(option, BoolOption):
        return "true or false" if option.only is None else str(option.only).lower()
    if isinstance(option, NumberOption):
        none = ", or 0 for none" if option.zero_means_none else ""
        return " or ".join(map(str, option.only)) or f"{option.least} to {option.most}{none}"
    return ", ".join(contract_name(name) for name, _ in option.values)


def out_of_range(option: Option, value: object) -> Defect | None:
    """Find what is wrong with the value of one option; an unknown enum's value is given as its number."""
    if isinstance(option, BoolOption):
        fits = option.only in (None, value)
    elif isinstance(option, NumberOption) and isinstance(value, int):
        in_range = option.least <= value <= option.most or (option.zero_means_none and value == 0)
        fits = value in option.only if option.only else in_range
    else:
        fits = isinstance(option, NameOption) and value in [name for name, _ in option.values]
    if fits:
        return None
    shown = contract_name(value) if isinstance(value, IntEnum) else str(value).lower()
    accepted = accepted_values(option)
    text = f"is {shown}, but has to be {accepted}."
    return Defect(option.key, Reason.OPTION_OUT_OF_RANGE, text, (("accepted", accepted), ("value", shown)))
