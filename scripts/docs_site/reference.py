"""The pages of the API reference, one a file of the contract."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from scripts.docs_site.contract import Enum, Field, File, Message, Method, Service

FOLDER: Final = "reference"
TITLES: Final = {
    "game_service": "GameService",
    "arbiter_service": "ArbiterService",
    "cards": "Cards and viewers",
    "melds": "Melds",
    "moves": "Moves",
    "events": "Events",
    "views": "Views",
    "scores": "Scores",
    "rules": "Rules and options",
    "reasons": "Reasons",
    "state": "The open state",
}
"""What each file's page is called, in the order of the navigation."""


def index_page(contract: Iterable[File]) -> str:
    """What there is, and where."""
    lines = [
        "# API reference",
        "",
        "Made from the protos, `protos/burraco/v1`, each time that this site is built. The package is `burraco.v1`.",
        "",
        "| page | what it has |",
        "| --- | --- |",
    ]
    by_name = {file.name: file for file in contract}
    for name, title in TITLES.items():
        lines.append(f"| [{title}]({name}.md) | {_cell(by_name[name].comment)} |")
    rpcs = [method for name in TITLES for service in by_name[name].services for method in service.methods]
    lines += ["", "## All RPCs", "", "| RPC | what it does | JSON over HTTP |", "| --- | --- | --- |"]
    where = _places(by_name.values())
    for method in rpcs:
        http = f"`{method.http}`" if method.http else ""
        lines.append(f"| [`{method.name}`]({where[method.name]}) | {_cell(method.comment)} | {http} |")
    return "\n".join([*lines, ""])


def page(file: File, contract: Iterable[File]) -> str:
    """The page of one file."""
    where = _places(contract)
    lines = [f"# {TITLES[file.name]}", "", file.comment, ""]
    for service in file.services:
        lines += _service(service, where)
    for message in file.messages:
        lines += _message(message, where)
    for enum in file.enums:
        lines += _enum(enum)
    return linked("\n".join(lines))


def linked(text: str) -> str:
    """Text in which files that comments name are links to their pages."""
    text = re.sub(
        r"(?<![\w/`\[])(\w+)\.proto\b",
        lambda found: f"[{TITLES[found[1]]}]({found[1]}.md)" if found[1] in TITLES else found[0],
        text,
    )
    return re.sub(r"(?<![\w/`\[])docs/([\w-]+)\.md\b", r"[\1](../\1.md)", text)


def anchor(name: str) -> str:
    """What the heading of a name is called in an address."""
    return re.sub(r"[^\w-]", "", name.lower())


def _places(contract: Iterable[File]) -> Mapping[str, str]:
    """Where each name is described, as a link from a page of the reference."""
    return {
        name: f"{file.name}.md#{anchor(name)}"
        for file in contract
        for name in (
            *(message.name for message in file.messages),
            *(enum.name for enum in file.enums),
            *(method.name for service in file.services for method in service.methods),
        )
    }


def _service(service: Service, where: Mapping[str, str]) -> Iterator[str]:
    # The page may be called like its service, which is then described under that title already.
    yield from (f"## The service {service.name}", "", service.comment, "")
    for method in service.methods:
        yield from _method(method, where)


def _method(method: Method, where: Mapping[str, str]) -> Iterator[str]:
    yield from (f"### {method.name}", "", method.comment, "")
    stream = "stream of " if method.streams else ""
    request, response = (f"{stream}{_link(name, where)}" for name in (method.request, method.response))
    yield from (f"{request} → {response}", "")
    if method.http:
        yield from (f"JSON over HTTP: `{method.http}`", "")


def _message(message: Message, where: Mapping[str, str]) -> Iterator[str]:
    yield from (f"## {message.name}", "", message.comment, "")
    if not message.fields:
        yield from ("It has no fields.", "")
        return
    yield from ("| field | type | what it is |", "| --- | --- | --- |")
    for field in message.fields:
        yield f"| {_name(field.name, deprecated=field.deprecated)} | {_type(field, where)} | {_cell(field.comment)} |"
    yield ""
    for name in dict.fromkeys(field.oneof for field in message.fields if field.oneof):
        members = ", ".join(f"`{field.name}`" for field in message.fields if field.oneof == name)
        yield from (f"**One of `{name}`** ({members}): {message.oneofs[name]}", "")


def _enum(enum: Enum) -> Iterator[str]:
    yield from (f"## {enum.name}", "", enum.comment, "", "| value | number | what it is |", "| --- | --- | --- |")
    for value in enum.values:
        yield f"| {_name(value.name, deprecated=value.deprecated)} | {value.number} | {_cell(value.comment)} |"
    yield ""


def _type(field: Field, where: Mapping[str, str]) -> str:
    words = "repeated " if field.repeated else "optional " if field.optional else ""
    return f"{words}{_link(field.type_name, where)}"


def _link(name: str, where: Mapping[str, str]) -> str:
    return f"[`{name}`]({where[name]})" if name in where else f"`{name}`"


def _name(name: str, *, deprecated: bool) -> str:
    return f"`{name}` (deprecated)" if deprecated else f"`{name}`"


def _cell(text: str) -> str:
    """Text as it may stand in a cell of a table."""
    return " ".join(text.split()).replace("|", "&#124;")
