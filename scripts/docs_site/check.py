"""What the built site has to be: every link leads somewhere, and nothing is loaded from anywhere else."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
}
"""Elements whose address a browser asks for by itself."""
HARMLESS: Final = frozenset(("canonical", "alternate", "prev", "next", "license", "author"))
"""Relations of a `link` element that load nothing."""
LAZY: Final = frozenset(("mermaid", "glightbox", "pyodide"))
"""Classes of elements for which the theme's script would load another one from a public host."""
_STYLE_ADDRESS: Final = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])(?P<address>[^"')]+)""")
_HOST: Final = re.compile(r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*", re.IGNORECASE)
_LOCAL: Final = frozenset(("localhost", "127.0.0.1"))


@dataclass
class _Read(HTMLParser):
    """A page as far as it matters here."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    lazy: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names, links or loads."""
        given = {name: value for name, value in attrs if value is not None}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given:
            self.loaded.append(given[LOADED[tag]])
        if tag == "link" and "href" in given and not HARMLESS & set(given.get("rel", "").split()):
            self.loaded.append(given["href"])
        if "style" in given:
            self.loaded += addresses(given["style"])
        self.lazy |= LAZY & set(given.get("class", "").split())


def addresses(style: str) -> list[str]:
    """What a style sheet loads, data within itself aside."""
    found = (match["address"].strip() for match in _STYLE_ADDRESS.finditer(style))
    return [each for each in found if not each.startswith(("data:", "#"))]


def read(text: str) -> _Read:
    """Read a page."""
    made = _Read()
    made.feed(text)
    made.close()
    return made


def faults(folder: Path) -> Iterator[str]:
    """Everything wrong with the site in a folder, a sentence each."""
    pages = {
        path.relative_to(folder).as_posix(): read(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    if "index.html" not in pages:
        yield f"{folder} holds no site: there is no index.html"
        return
    for page, made in pages.items():
        for link in made.links:
            if why := _wrong_link(link, page, pages, folder):
                yield f"{page}: the link {link} {why}"
        for address in made.loaded:
            if why := _wrong_load(address, page, folder):
                yield f"{page}: {address} {why}"
        for name in sorted(made.lazy):
            yield f"{page}: an element of the class {name} makes the theme load a script from elsewhere"
    for sheet in sorted(folder.rglob("*.css")):
        name = sheet.relative_to(folder).as_posix()
        for address in addresses(sheet.read_text("utf-8")):
            if why := _wrong_load(address, name, folder):
                yield f"{name}: {address} {why}"


def _wrong_link(link: str, page: str, pages: dict[str, _Read], folder: Path) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return _ill_formed(link)
    path = _path(parts.path, page) if parts.path else page
    if path not in pages:
        return "" if (folder / path).is_file() else "leads to nothing"
    if parts.fragment and unquote(parts.fragment) not in pages[path].anchors:
        return f"leads to no place of {path}"
    return ""


def _wrong_load(address: str, page: str, folder: Path) -> str:
    if address.startswith("data:"):
        return ""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return "is loaded from elsewhere: the site has to work without a network"
    return "" if (folder / _path(parts.path, page)).is_file() else "is loaded, and is not there"


def _path(address: str, page: str) -> str:
    """The file that an address of a page means, from the site's root."""
    path = unquote(address)
    joined = posixpath.normpath(posixpath.join("/" + posixpath.dirname(page), path)).lstrip("/")
    return posixpath.join(joined, "index.html") if path.endswith("/") or not posixpath.splitext(joined)[1] else joined


def _ill_formed(link: str) -> str:
    """What is wrong with an external link as such; whether anybody answers there is not asked."""
    try:
        parts = urlsplit(link)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError as error:
        return f"is no address: {error}"
    if parts.scheme == "mailto":
        return "" if "@" in parts.path else "is no address of a person"
    if parts.scheme not in {"http", "https"}:
        return f"has the scheme {parts.scheme!r}"
    if re.search(r"\s", link) or not (host in _LOCAL or _HOST.fullmatch(host)):
        return "is no address of the web"
    return ""
