"""Writing a match in its one canonical form."""

from collections.abc import Iterator

from service.notation.body import print_entry
from service.notation.head import print_head
from service.notation.match_text import DealMark, MatchText


def print_match(match: MatchText) -> str:
    """Write a match as text; reading that gives the match again.

    :raises ValueError: a name or a comment has characters that may not stand in a text.
    """
    return "\n".join((*print_head(match), *_print_body(match))) + "\n"


def _print_body(match: MatchText) -> Iterator[str]:
    """Write the body; a blank line stands before it and before each deal."""
    for number, entry in enumerate(match.body):
        if number == 0 or isinstance(entry, DealMark):
            yield ""
        yield print_entry(entry)
