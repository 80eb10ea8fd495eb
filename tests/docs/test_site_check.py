"""The check of the built site finds what is wrong with one, and nothing in a sound one."""

from pathlib import Path

import pytest

from scripts.docs_site.check import addresses, faults

SOUND = {
    "index.html": '<link rel="stylesheet" href="assets/a.css"><script src="assets/a.js"></script>'
    '<h1 id="top">x</h1><a href="guide/#part-2">g</a><a href="#top">t</a><a href="assets/openapi.yaml">o</a>'
    '<a href="https://example.org/x?y=1#z">e</a><a href="mailto:someone@example.org">m</a>'
    '<a href="http://localhost:8000/">l</a><link rel="canonical" href="https://example.org/">',
    "guide/index.html": '<h2 id="part-2">2</h2><a href="../">up</a><a href="..">up</a><img src="../assets/i.svg">',
    "assets/a.css": "a{background:url(i.svg)} b{background:url(data:image/png;base64,AAAA)} c{mask:url(#m)}",
    "assets/a.js": "",
    "assets/i.svg": "<svg/>",
    "assets/openapi.yaml": "openapi: 3.1.0",
}


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def test_a_sound_site_has_no_faults(tmp_path: Path) -> None:
    assert not list(faults(write(tmp_path, SOUND)))


def test_an_empty_folder_is_no_site(tmp_path: Path) -> None:
    assert list(faults(tmp_path)) == [f"{tmp_path} holds no site: there is no index.html"]


@pytest.mark.parametrize(
    ("html", "told"),
    [
        ('<a href="nothing/">x</a>', "leads to nothing"),
        ('<a href="guide/#part-3">x</a>', "leads to no place of guide/index.html"),
        ('<a href="#nowhere">x</a>', "leads to no place of page/index.html"),
        ('<a href="ftp://example.org/">x</a>', "has the scheme 'ftp'"),
        ('<a href="https://example/">x</a>', "is no address of the web"),
        ('<a href="https://exa mple.org/">x</a>', "is no address of the web"),
        ('<a href="https://example.org:port/">x</a>', "is no address: "),
        ('<a href="//example.org/">x</a>', "has the scheme ''"),
        ('<a href="mailto:someone">x</a>', "is no address of a person"),
        ('<script src="https://cdn.example.org/a.js"></script>', "is loaded from elsewhere"),
        ('<script src="//cdn.example.org/a.js"></script>', "is loaded from elsewhere"),
        ('<link rel="stylesheet" href="https://fonts.example.org/css">', "is loaded from elsewhere"),
        ('<link rel="preconnect" href="https://fonts.example.org">', "is loaded from elsewhere"),
        ('<img src="missing.png">', "is loaded, and is not there"),
        ('<pre class="mermaid"><code>graph</code></pre>', "makes the theme load a script from elsewhere"),
        ('<p style="background: url(https://example.org/i.png)">', "is loaded from elsewhere"),
    ],
)
def test_a_fault_is_told_with_its_page(tmp_path: Path, html: str, told: str) -> None:
    (fault,) = faults(write(tmp_path, SOUND | {"page/index.html": html.replace('"guide/', '"../guide/')}))
    assert fault.startswith("page/index.html: ")
    assert told in fault


def test_style_sheets_load_nothing_from_elsewhere(tmp_path: Path) -> None:
    css = '@import "https://example.org/x.css"; @font-face{src:url("https://example.org/f.woff2")}'
    found = list(faults(write(tmp_path, SOUND | {"assets/b.css": css})))
    assert len(found) == 2
    assert all(fault.startswith("assets/b.css: ") for fault in found)


def test_addresses_of_a_style_sheet() -> None:
    assert addresses("a{b:url( 'x.png' )} @import 'y.css';") == ["x.png", "y.css"]
