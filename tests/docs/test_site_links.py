"""Links of the pages: in the repository, and as the site has them."""

import re
from pathlib import Path
from typing import Final

import pytest

from scripts.docs_site.links import Linker, LinkError, outside_code
from scripts.docs_site.pages import BORROWED, languages

ROOT: Final = Path(__file__).parents[2]
WRITTEN: Final = sorted(
    {
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "clients").glob("*/README.md"),
        *(ROOT / "deploy").glob("*/README.md"),
        *(ROOT / name for name in BORROWED if (ROOT / name).exists()),
    }
)


@pytest.fixture
def linker(tmp_path: Path) -> Linker:
    """A repository of a few files."""
    for name in ("docs/a.md", "docs/sub/b.md", "docs/map.svg", "src/code.py", "clients/go/README.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    pages = {
        "docs/a.md": "a.md",
        "docs/sub/b.md": "sub/b.md",
        "docs/map.svg": "map.svg",
        "clients/go/README.md": "start/go.md",
    }
    return Linker(tmp_path, pages, titles={"sub/b.md": "All of B"})


@pytest.mark.parametrize(
    ("source", "page", "text", "expected"),
    [
        ("docs/a.md", "a.md", "see [b](sub/b.md#top).", "see [b](sub/b.md#top)."),
        ("docs/sub/b.md", "sub/b.md", "[a](../a.md)", "[a](../a.md)"),
        ("docs/a.md", "a.md", "[go](../clients/go/README.md)", "[go](start/go.md)"),
        ("docs/sub/b.md", "sub/b.md", "[go](../../clients/go/README.md#errors)", "[go](../start/go.md#errors)"),
        ("clients/go/README.md", "start/go.md", "[a](../../docs/a.md)", "[a](../a.md)"),
        ("docs/a.md", "a.md", "![map](map.svg)", "![map](map.svg)"),
        (
            "docs/a.md",
            "a.md",
            "[b.md](sub/b.md), [sub/b.md](sub/b.md#x)",
            "[All of B](sub/b.md), [All of B](sub/b.md#x)",
        ),
        ("docs/a.md", "a.md", "[old b.md](sub/b.md), [a.md](a.md)", "[old b.md](sub/b.md), [a.md](a.md)"),
        (
            "docs/a.md",
            "a.md",
            "[here](#there) [w](https://example.org/a.md)",
            "[here](#there) [w](https://example.org/a.md)",
        ),
        ("docs/a.md", "a.md", "```md\n[x](nothing.md)\n```\n", "```md\n[x](nothing.md)\n```\n"),
        (
            "docs/a.md",
            "a.md",
            "[`code.py`](../src/code.py)",
            '<span class="in-repository" title="In the repository: src/code.py">`code.py`</span>',
        ),
    ],
)
def test_a_link_leads_to_the_page_that_stands_for_the_file(
    linker: Linker, source: str, page: str, text: str, expected: str
) -> None:
    assert linker.rewrite(text, source, page) == expected


def test_where_the_repository_is_known_its_files_are_linked(linker: Linker) -> None:
    known = Linker(linker.root, linker.pages, "https://example.org/burraco/blob/main/")
    linked = known.rewrite("[code](../src/code.py#L3)", "docs/a.md", "a.md")
    assert linked == "[code](https://example.org/burraco/blob/main/src/code.py#L3)"


@pytest.mark.parametrize("text", ["[x](nothing.md)", "[x](../../elsewhere.md)", "![x](../src/code.py)"])
def test_a_link_that_leads_nowhere_is_an_error_with_its_file(linker: Linker, text: str) -> None:
    with pytest.raises(LinkError, match=r"^docs/a\.md: "):
        linker.rewrite(text, "docs/a.md", "a.md")


def slug(title: str) -> str:
    """What a repository's host calls a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def headings(path: Path) -> set[str]:
    """The headings of a file, as they are linked."""
    found: list[str] = []

    def note(prose: str) -> str:
        found.extend(re.findall(r"^#+ (.+)$", prose, re.MULTILINE))
        return prose

    outside_code(path.read_text("utf-8"), note)
    return {slug(title) for title in found}


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_hold_in_the_repository_too(path: Path) -> None:
    """Every relative link of a file leads to a file or folder, and its heading is there."""

    def follow(prose: str) -> str:
        for target in re.findall(r"\]\(([^()\s]+)\)", prose):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, heading = target.partition("#")
            aim = (path.parent / name).resolve() if name else path
            assert aim.exists(), f"{target} leads nowhere"
            assert aim.is_relative_to(ROOT), f"{target} leads out of the repository"
            assert not heading or aim.suffix != ".md" or heading in headings(aim), f"{target}: no such heading"
        return prose

    outside_code(path.read_text("utf-8"), follow)


def test_every_client_with_a_readme_is_a_language() -> None:
    """The folder of texts for front ends is none: it would stand in the navigation as a language."""
    assert set(languages()) == {path.parent.name for path in (ROOT / "clients").glob("*/client.toml")}
    assert "texts" not in languages()
    assert languages()["python"] == "Python"
