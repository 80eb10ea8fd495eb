"""Which languages there are, and which of them a caller asks for."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final, TypeAlias

Language: TypeAlias = str

ENGLISH: Final[Language] = "en"
LANGUAGES: Final[tuple[Language, ...]] = (ENGLISH, "it", "pl", "fil", "my")
"""Tags of the languages that texts are in."""

_ALIASES: Final = {"tl": "fil"}
"""Other tags: Tagalog has an older one, and Filipino is its standard form."""

LONGEST: Final = 1024
"""Characters of a header that are read. What comes after is left out, a language cut in two with it."""
_MOST_RANGES: Final = 32

_RANGE: Final = re.compile(
    r"[ \t]*(?P<tag>\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)[ \t]*(?:;[ \t]*q=(?P<weight>0(?:\.\d*)?|1(?:\.0*)?)[ \t]*)?",
    re.ASCII | re.IGNORECASE,
)


def preferred(accept_language: Sequence[str]) -> Language:
    """Choose a language by the headers `accept-language` of a call, however odd; English where none of theirs is known.

    Languages are tried by weight (RFC 9110, 12.5.4), equal ones in their order, and each tag is shortened step by step
    (RFC 4647, 3.4). A weight of 0 rules a language out. What is no language range is passed over.
    """
    if not accept_language:
        return ENGLISH
    header = ",".join(islice(accept_language, _MOST_RANGES))
    if len(header) > LONGEST:
        header = header[:LONGEST].rpartition(",")[0]
    return _preferred(header)


@lru_cache(maxsize=256)
def _preferred(header: str) -> Language:
    ranges = sorted(islice(_ranges(header), _MOST_RANGES), key=lambda found: -found[1])
    unwanted = {_known(tag) for tag, weight in ranges if not weight and "-" not in tag}
    for tag, weight in ranges:
        if weight and tag == "*":
            return next((language for language in LANGUAGES if language not in unwanted), ENGLISH)
        if weight and (language := _lookup(tag)) and language not in unwanted:
            return language
    return ENGLISH


def _ranges(header: str) -> Iterator[tuple[str, float]]:
    """The language ranges of a header, each with its weight."""
    for member in header.split(","):
        if found := _RANGE.fullmatch(member):
            yield found["tag"].lower(), float(found["weight"] or 1)


def _lookup(tag: str) -> Language:
    """Find the language of a tag by shortening it; nothing where there is none."""
    while tag:
        if language := _known(tag):
            return language
        tag = tag.rpartition("-")[0]
    return ""


def _known(tag: str) -> Language:
    language = _ALIASES.get(tag, tag)
    return language if language in LANGUAGES else ""
