"""The order of the pages, and the configuration that the site is built with."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from scripts.docs_site import reference
from scripts.docs_site.pages import Page, languages

CONFIG: Final = Path(__file__).with_name("zensical.toml")
PLACE: Final = "nav = []\n"
"""Where the configuration gets the order of the pages."""
Entry = tuple[str, str]
"""A title and a page."""
Section = tuple[str, tuple[Entry, ...]]


def sections() -> tuple[Section, ...]:
    """Every part of the site with its pages."""
    return (
        (
            "Quick start",
            (
                ("Start here", "start/index.md"),
                *((name, f"start/{folder}.md") for folder, name in languages().items()),
                ("JSON over HTTP", "http.md"),
                ("All clients", "clients.md"),
            ),
        ),
        (
            "Concepts",
            (
                ("Overview", "concepts/index.md"),
                ("Matches and states", "concepts/state.md"),
                ("Seats and sides", "concepts/seats.md"),
                ("Moves", "concepts/moves.md"),
                ("Views", "concepts/views.md"),
                ("Events", "concepts/events.md"),
                ("Seals", "concepts/seals.md"),
                ("Devices hold no state", "concepts/devices.md"),
                ("Who calls", "callers.md"),
                ("Keeping the state", "storing-state.md"),
                ("Answers and errors", "errors.md"),
                ("Players' texts", "texts.md"),
                ("Fairness", "fairness.md"),
            ),
        ),
        (
            "Rules",
            (
                ("The games", "rules/index.md"),
                ("Burraco", "rules/burraco.md"),
                ("Ramino", "rules/ramino.md"),
                ("Gin", "rules/gin.md"),
                ("Scala 40", "rules/scala_40.md"),
                ("Matches as text", "notation.md"),
            ),
        ),
        (
            "Reference",
            (
                ("API reference", "reference/index.md"),
                ("RPCs and presets", "rpcs.md"),
                *((title, f"reference/{name}.md") for name, title in reference.TITLES.items()),
                ("Conformance vectors", "reference/conformance.md"),
            ),
        ),
        (
            "Operations",
            (
                ("Under load", "operations.md"),
                ("Settings", "settings.md"),
                ("The image", "image.md"),
                ("Kubernetes", "kubernetes.md"),
                ("Envoy and nginx", "edge.md"),
                ("TLS", "tls.md"),
                ("Observability", "observability.md"),
                ("Transports", "transports.md"),
                ("Upgrading", "upgrading.md"),
                ("The arbiter", "arbiter.md"),
            ),
        ),
        (
            "Project",
            (
                ("Architecture", "architecture.md"),
                ("Contributing", "project/contributing.md"),
                ("Changes of the contract", "project/contract-changes.md"),
                ("Perft", "perft.md"),
                ("Mutation testing", "mutation.md"),
            ),
        ),
    )


OPTIONAL: Final = frozenset(("clients.md", "texts.md"))
"""Pages that the navigation has where the repository has them."""


def ordered(pages: Iterable[Page]) -> tuple[Section, ...]:
    """The sections with the pages that are there; LookupError names a page that is in none, or is missing."""
    there = {page.path for page in pages}
    made = tuple(
        (title, tuple(e for e in entries if e[1] in there or e[1] not in OPTIONAL)) for title, entries in sections()
    )
    listed = {"index.md", *(path for _, entries in made for _, path in entries)}
    if listed != there:
        missing, unlisted = sorted(listed - there), sorted(there - listed)
        raise LookupError(
            f"The navigation and the pages differ: no page {missing}, in no section {unlisted}; "
            "mend `sections` of scripts/docs_site/navigation.py"
        )
    return made


def configuration(pages: Iterable[Page]) -> str:
    """The configuration with the order of the pages."""
    text = CONFIG.read_text("utf-8")
    if text.count(PLACE) != 1:
        raise LookupError(
            f"{CONFIG.name} has to have the line '{PLACE.strip()}' once: the order of the pages goes there"
        )
    return text.replace(PLACE, "".join(_nav(ordered(pages))))


def _nav(ordered_sections: Iterable[Section]) -> Iterator[str]:
    # TOML has JSON's texts, and inline tables that differ from JSON's objects by one sign.
    yield 'nav = [\n    { "Home" = "index.md" },\n'
    for title, entries in ordered_sections:
        yield f"    {{ {json.dumps(title)} = [\n"
        for name, path in entries:
            yield f"        {{ {json.dumps(name)} = {json.dumps(path)} }},\n"
        yield "    ] },\n"
    yield "]\n"
