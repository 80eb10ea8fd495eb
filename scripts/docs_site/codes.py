"""Rule ids and reason codes as links: the site has a place for each of them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

RULE: Final = re.compile(r"\b(?:B4|VP|B2|B3|BI|BR|RA|GI|SC)-\d+\b")
_ROW: Final = re.compile(rf"^\| (?P<rule>{RULE.pattern}) \|", re.MULTILINE)
_REASON: Final = re.compile(r"(?<!\[)`(?P<reason>REASON_[A-Z0-9_]+)`(?!\])")
_CODE_OR_LINK: Final = re.compile(r"`[^`]*`|\[[^\]]*\]\([^)]*\)")


def rules_of(folder: Path) -> Mapping[str, str]:
    """Each rule's page, of those in a folder, by its id."""
    return {
        found["rule"]: path.name
        for path in sorted(folder.glob("*.md"))
        for found in _ROW.finditer(path.read_text("utf-8"))
    }


def with_rule_anchors(text: str) -> str:
    """A page of rules on which every rule can be linked to."""
    return _ROW.sub(lambda found: f'| <a id="{found["rule"].lower()}"></a>{found["rule"]} |', text)


def with_rule_links(text: str, pages: Mapping[str, str], folder: str) -> str:
    """Text whose rule ids lead to their rules; code and links stay as they are."""

    def linked(prose: str) -> str:
        return RULE.sub(
            lambda found: (
                f"[{found[0]}]({folder}/{pages[found[0]]}#{found[0].lower()})" if found[0] in pages else found[0]
            ),
            prose,
        )

    made, at = [], 0
    for kept in _CODE_OR_LINK.finditer(text):
        made += [linked(text[at : kept.start()]), kept[0]]
        at = kept.end()
    return "".join([*made, linked(text[at:])])


def with_reason_links(text: str, known: frozenset[str], page: str) -> str:
    """Text in which a reason that stands as code leads to its row on the page of reasons."""
    return _REASON.sub(
        lambda found: f"[{found[0]}]({page}#{found['reason'].lower()})" if found["reason"] in known else found[0], text
    )
