"""Which pages the site has, and what each is made from. No text is written twice."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.docs_site import reasons, reference
from scripts.docs_site.codes import rules_of, with_reason_links, with_rule_anchors, with_rule_links
from scripts.docs_site.contract import ROOT, File, read_contract
from scripts.docs_site.links import Linker, outside_code

LANGUAGES: Final = {
    "python": "Python",
    "typescript": "TypeScript",
    "java": "Java",
    "kotlin": "Kotlin",
    "android": "Android",
    "go": "Go",
    "rust": "Rust",
    "cpp": "C++",
    "csharp": "C#",
    "swift": "Swift",
    "dart": "Dart",
}
"""What the folders under clients/ are called, in the order of the navigation; others come after them, as they are."""
START: Final = "start/index.md"
GAMES: Final = "rules/index.md"
REASONS: Final = "reference/reasons.md"
BORROWED: Final = {
    "README.md": START,
    "CONTRIBUTING.md": "project/contributing.md",
    "protos/CHANGELOG.md": "project/contract-changes.md",
    "tests/conformance/README.md": "reference/conformance.md",
}
"""Pages that stand elsewhere in the repository, where they are there."""


@dataclass(frozen=True)
class Page:
    """A page of the site, in Markdown."""

    path: str
    text: str


def languages(root: Path = ROOT) -> dict[str, str]:
    """The clients that have a README, with their names, in order; what is no client has no client.toml."""
    readmes = (root / "clients").glob("*/README.md")
    there = {readme.parent.name for readme in readmes if readme.with_name("client.toml").exists()}
    known = {folder: name for folder, name in LANGUAGES.items() if folder in there}
    if "java" in there and "kotlin" not in there and "Kotlin" in (root / "clients/java/README.md").read_text("utf-8"):
        known["java"] = "Java and Kotlin"
    return known | {folder: folder.capitalize() for folder in sorted(there - set(LANGUAGES))}


def gather(repository: str = "", root: Path = ROOT) -> tuple[Page, ...]:
    """Every page; LinkError names a link that leads nowhere."""
    contract = read_contract(root)
    sources = _sources(root)
    texts = {source: _text(root, source) for source in sources}
    titles = {sources[source]: _title(text) for source, text in texts.items()}
    linker = Linker(root, _stand_ins(root, sources, contract), repository, titles)
    reasons_there = frozenset(
        reason.name for file in contract if file.name == "reasons" for reason in reasons.reasons_of(file)
    )

    def written(text: str, source: str, page: str) -> Page:
        leading = posixpath.relpath(REASONS, posixpath.dirname(page) or ".")
        linked = linker.rewrite(text, source, page)
        return Page(page, outside_code(linked, lambda prose: with_reason_links(prose, reasons_there, leading)))

    pages = [written(texts[source], source, page) for source, page in sources.items()]
    rules = rules_of(root / "docs" / "rules")
    made = [Page(each.path, with_rule_links(each.text, rules, "../rules")) for each in _reference_pages(contract)]
    return (*pages, Page(GAMES, _games_page(root)), *made)


def _sources(root: Path) -> dict[str, str]:
    """Files that become a page as they are, with that page."""
    docs = sorted((root / "docs").rglob("*.md"))
    made = {str(path.relative_to(root)): str(path.relative_to(root / "docs")) for path in docs}
    made |= {source: page for source, page in BORROWED.items() if (root / source).exists()}
    return made | {f"clients/{folder}/README.md": f"start/{folder}.md" for folder in languages(root)}


def _stand_ins(root: Path, sources: dict[str, str], contract: tuple[File, ...]) -> dict[str, str]:
    """What a link to a file or folder leads to."""
    assets = {
        str(path.relative_to(root)): str(path.relative_to(root / "docs"))
        for path in (root / "docs").rglob("*")
        if path.is_file() and path.suffix != ".md"
    }
    protos = {f"protos/burraco/v1/{file.name}.proto": f"reference/{file.name}.md" for file in contract}
    folders = {
        "docs": "index.md",
        "docs/rules": GAMES,
        "clients": "clients.md" if "docs/clients.md" in sources else START,
        "protos/burraco/v1": "reference/index.md",
        "tests/conformance": "reference/conformance.md",
    }
    clients = {f"clients/{folder}": f"start/{folder}.md" for folder in languages(root)}
    return {**folders, **assets, **protos, **clients, **sources}


def _text(root: Path, source: str) -> str:
    text = (root / source).read_text("utf-8")
    folder = Path(source).parent
    if source == "README.md":
        return re.sub(r"\A# .+$", "# Start here", text, count=1, flags=re.MULTILINE)
    if folder.parent == Path("clients"):
        # The package has its own name for a title; in the navigation it is known by its language.
        return re.sub(r"\A# .+$", f"# {languages(root)[folder.name]}", text, count=1, flags=re.MULTILINE)
    return with_rule_anchors(text) if folder == Path("docs/rules") else text


def _title(text: str) -> str:
    heading = re.search(r"^# (?P<title>.+)$", text, re.MULTILINE)
    if heading is None:
        raise LookupError(f"a page has no title; it begins with {text[:60]!r}")
    return heading["title"]


def _games_page(root: Path) -> str:
    """The games, each with what its own page begins with."""
    lines = ["# The games", ""]
    for path in sorted((root / "docs" / "rules").glob("*.md")):
        head = re.sub(r"<!--.*?-->", "", path.read_text("utf-8"), flags=re.DOTALL)
        title, about = (part.strip() for part in head.split("\n\n", 3)[:2]) if head else ("", "")
        lines += [f"## {title.removeprefix('# ')}", "", about, "", f"[Rules, options and presets]({path.name})", ""]
    return "\n".join(lines)


def _reference_pages(contract: tuple[File, ...]) -> Iterator[Page]:
    yield Page("reference/index.md", reference.index_page(contract))
    for file in contract:
        text = reference.page(file, contract)
        if file.name == "reasons":
            # The enum's plain table gives way to one that takes the comments apart.
            text = text[: text.index(f"## {reasons.ENUM}\n")] + reasons.section(file)
        yield Page(f"reference/{file.name}.md", text)
