"""The pages that are made from the protos have all of them, and every page has its place."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from burraco.v1 import reasons_pb2
from scripts.clients.manifest import read_clients
from scripts.docs_site.codes import rules_of, with_reason_links, with_rule_anchors, with_rule_links
from scripts.docs_site.contract import File, read_contract
from scripts.docs_site.navigation import configuration, ordered, sections
from scripts.docs_site.pages import Page, gather, languages
from scripts.docs_site.reasons import GROUPS, explain, reasons_of
from scripts.docs_site.reference import linked
from service.rules.book import BOOK
from service.server.adapter import ARBITER_SERVICE, GAME_SERVICE

ROOT: Final = Path(__file__).parents[2]
CONTRACT: Final = read_contract()


@cache
def pages() -> dict[str, str]:
    """All pages by path."""
    return {page.path: page.text for page in gather()}


def said(comment: str) -> str:
    """A comment as its page has it: with links to files and rules that it names."""
    return with_rule_links(linked(comment), rules_of(ROOT / "docs" / "rules"), "../rules")


def reasons_file() -> File:
    """The file of the reasons."""
    (file,) = (file for file in CONTRACT if file.name == "reasons")
    return file


@pytest.mark.parametrize("file", CONTRACT, ids=lambda file: file.name)
def test_the_reference_has_everything_with_its_comment(file: File) -> None:
    text = pages()[f"reference/{file.name}.md"]
    assert said(file.comment) in text
    for service in file.services:
        assert f"\n## The service {service.name}\n\n{said(service.comment)}\n" in text
        for method in service.methods:
            assert f"\n### {method.name}\n\n{said(method.comment)}\n" in text
            assert not method.http or f"JSON over HTTP: `{method.http}`" in text
    for message in file.messages:
        assert message.comment
        assert f"\n## {message.name}\n\n{said(message.comment)}\n" in text
        for field in message.fields:
            assert field.comment, f"{message.name}.{field.name}"
            row = next(
                line for line in text.split(f"## {message.name}\n")[1].splitlines() if f"| `{field.name}`" in line
            )
            assert row.count(" | ") >= 2
            assert said(" ".join(field.comment.split()).replace("|", "&#124;")) in row
    for enum in file.enums:
        assert f"\n## {enum.name}\n" in text
        assert all(value.comment for value in enum.values)
        assert enum.name == "Reason" or all(f"| `{value.name}`" in text for value in enum.values)


def test_the_reference_has_every_rpc_of_the_server() -> None:
    named = {method.name for file in CONTRACT for service in file.services for method in service.methods}
    assert named == {rpc.name for service in (GAME_SERVICE, ARBITER_SERVICE) for rpc in service.methods}


def test_links_between_types_lead_to_their_headings() -> None:
    for file in CONTRACT:
        for page, anchor in re.findall(r"\]\((\w+\.md)#([\w.-]+)\)", pages()[f"reference/{file.name}.md"]):
            titles = re.findall(r"^#+ (.+)$", pages()[f"reference/{page}"], re.MULTILINE)
            assert anchor in {title.lower() for title in titles}


def test_every_reason_is_explained_with_an_example() -> None:
    reasons = {reason.name: reason for reason in reasons_of(reasons_file())}
    assert set(reasons) == set(reasons_pb2.Reason.keys()) - {"REASON_UNSPECIFIED"}
    text = pages()["reference/reasons.md"]
    for reason in reasons.values():
        assert reason.meaning.endswith(".")
        assert "Args:" not in reason.meaning
        assert "Example" not in reason.meaning
        assert reason.deprecated or re.fullmatch(r"\S.*\.", reason.example), reason.name
        assert text.count(f'<a id="{reason.name.lower()}"></a>') == 1
        assert sum(group.first <= reason.number <= group.last for group in GROUPS) == 1


def test_a_reason_s_comment_is_taken_apart() -> None:
    values = {value.name: explain(value) for enum in reasons_file().enums for value in enum.values}
    few = values["REASON_TOO_FEW_CARDS"]
    assert (few.number, few.meaning) == (40, "A meld has at least three cards (B4-19).")
    assert (few.arguments, few.example) == ("count, min", "`7S 8S`.")
    moved = values["REASON_REVISION_MISMATCH"]
    assert moved.arguments == "expected, actual"
    assert moved.meaning == "The expected revision is not the state's: somebody moved in between. Reload; do not retry."
    assert moved.example == "expected revision 41 on a state at revision 42."
    deck = values["REASON_DECK_WRONG"]
    assert deck.arguments == "number (of the deal)"


def test_arguments_are_those_that_texts_are_filled_with() -> None:
    names = {
        name.partition(" ")[0]
        for reason in reasons_of(reasons_file())
        for name in filter(None, reason.arguments.split(", "))
    }
    assert all(re.fullmatch(r"[a-z_]+", name) for name in names), names


def test_every_quick_start_is_reached_from_the_first_page() -> None:
    """By the name of its language; those that are recipes are said to be."""
    index, unproved = pages()["index.md"], {each.language for each in read_clients() if each.manifest.unproved}
    (row,) = (line for line in index.splitlines() if line.startswith("| call it from your language |"))
    clients, _, recipes = row.partition("recipes for")
    for folder, name in languages().items():
        assert f"[{name}](start/{folder}.md)" in (recipes if folder in unproved else clients)


def test_every_page_has_one_place_in_the_navigation() -> None:
    config = tomllib.loads(configuration([Page(path, "") for path in pages()]))
    listed: list[str] = []

    def walk(entries: list[dict[str, object]]) -> None:
        for entry in entries:
            ((_, value),) = entry.items()
            if isinstance(value, str):
                listed.append(value)
            else:
                assert isinstance(value, list)
                walk(value)

    walk(config["project"]["nav"])
    assert len(listed) == len(set(listed))
    assert set(listed) == set(pages())


@pytest.mark.parametrize(("more", "fewer"), [("new.md", ""), ("", "errors.md")])
def test_a_page_without_a_place_or_a_place_without_a_page_is_an_error(more: str, fewer: str) -> None:
    there = [Page(path, "") for path in (*pages(), more) if path and path != fewer]
    with pytest.raises(LookupError, match=more or fewer):
        ordered(there)


def test_no_page_is_written_twice() -> None:
    """A client's quick start is its README, under the language's name."""
    readme = (ROOT / "clients/python/README.md").read_text("utf-8")
    page = pages()["start/python.md"]
    assert page.startswith("# Python\n")
    assert re.findall(r"^```.*?^```", page, re.MULTILINE | re.DOTALL) == re.findall(
        r"^```.*?^```", readme, re.MULTILINE | re.DOTALL
    )
    assert "\n## Quick start\n" in pages()["start/index.md"]
    assert "](python.md)" in pages()["start/index.md"]


def test_every_page_has_one_title() -> None:
    for path, text in pages().items():
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        assert len(re.findall(r"^# .+$", prose, re.MULTILINE)) == 1, path


def test_section_names_and_titles_are_unique() -> None:
    titles = [title for title, _ in sections()]
    assert len(titles) == len(set(titles))
    for _, entries in sections():
        names = [name for name, _ in entries]
        assert len(names) == len(set(names))


def test_every_rule_has_a_place_of_its_own() -> None:
    places = [
        place
        for path, text in pages().items()
        if path.startswith("rules/")
        for place in re.findall(r'<a id="([^"]+)">', text)
    ]
    assert len(places) == len(set(places))
    assert set(places) == {rule.rule_id.lower() for rules in BOOK.values() for rule in rules}


def test_rules_and_reasons_that_are_named_lead_to_their_places() -> None:
    rules = {"B4-19": "burraco.md", "GI-7": "gin.md"}
    text = "Too few (B4-19, GI-7, E12, B4-99); `B4-19` and [B4-19](x.md) stay."
    assert with_rule_links(text, rules, "../rules") == (
        "Too few ([B4-19](../rules/burraco.md#b4-19), [GI-7](../rules/gin.md#gi-7), E12, B4-99); "
        "`B4-19` and [B4-19](x.md) stay."
    )
    assert with_rule_anchors("| B4-1 | x |\n| a | B4-2 |\n") == '| <a id="b4-1"></a>B4-1 | x |\n| a | B4-2 |\n'
    linked_reason = with_reason_links("`REASON_A`, `REASON_B`, [`REASON_A`](y)", frozenset({"REASON_A"}), "r.md")
    assert linked_reason == "[`REASON_A`](r.md#reason_a), `REASON_B`, [`REASON_A`](y)"
    assert "(reference/reasons.md#reason_revision_mismatch)" in pages()["errors.md"] + pages()["storing-state.md"]
    assert "[B4-19](../rules/burraco.md#b4-19)" in pages()["reference/reasons.md"]
