"""Links of pages that are read in the repository too, turned into links of the site.

In the repository a link is relative to its file, and may lead out of docs/. On the site it leads to the page that
stands for that file, by that page's title where it has the file's name for a text. A file that no page stands for is
named, and linked only where the repository's address is known.
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_FENCE: Final = re.compile(r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_FILE_NAME: Final = re.compile(r"[\w./-]+\.md")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class LinkError(Exception):
    """A link that leads nowhere."""


@dataclass(frozen=True)
class Linker:
    """What links are turned into."""

    root: Path
    """The repository's folder."""
    pages: Mapping[str, str]
    """Page of the site that stands for a file or folder of the repository; both are paths from their root."""
    repository: str = ""
    """Address in front of a file's path, such as https://HOST/OWNER/NAME/blob/main; empty: files are only named."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """What pages of the site are called."""

    def rewrite(self, text: str, source: str, page: str) -> str:
        """Turn the links of a file's text into those of the page that it becomes; code is left alone."""

        def turned(found: re.Match[str]) -> str:
            image, shown, target = found["image"], found["text"], found["target"]
            if _SCHEME.match(target) or target.startswith("#"):
                return found[0]
            path, mark, heading = target.partition("#")
            named = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
            if named.startswith("../") or not (self.root / named).exists():
                raise LinkError(f"{source}: the link to {target} leads nowhere; mend its path")
            at = posixpath.dirname(page) or "."
            if named in self.pages:
                if _FILE_NAME.fullmatch(shown):
                    shown = self.titles.get(self.pages[named], shown)
                return f"{image}[{shown}]({posixpath.relpath(self.pages[named], at)}{mark}{heading})"
            if image:
                raise LinkError(f"{source}: the picture {target} is outside docs/; move it there")
            if self.repository:
                return f"[{shown}]({self.repository.rstrip('/')}/{named}{mark}{heading})"
            return f'<span class="in-repository" title="In the repository: {named}">{shown}</span>'

        return outside_code(text, lambda prose: _LINK.sub(turned, prose))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what is no block of code."""
    made, at = [], 0
    for block in _FENCE.finditer(text):
        made += [change(text[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*made, change(text[at:])])
