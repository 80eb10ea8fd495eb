"""A client as its client.toml describes it: the commands of its language, and what they take."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

ROOT: Final = Path(__file__).resolve().parents[2]
CLIENTS: Final = ROOT / "clients"
TEXTS: Final = "texts"
"""A folder beside the clients: the texts for players, for front ends in any language."""
FILE: Final = "client.toml"

Transport = Literal["grpc", "grpc-web"]
PROVED: Final = ("build", "test", "example", "conformance", "transports", "transport_needs")
"""What a client has that is compiled and run here."""


class ManifestError(Exception):
    """A client.toml is wrong, or there is no such client; the text says what, and where."""


def _inside(path: str) -> str:
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts:
        raise ValueError("has to lie inside the client's folder")
    return path


Word = Annotated[str, Field(min_length=1)]
Command = Annotated[tuple[Word, ...], Field(min_length=1)]
Package = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9+.-]+$")]
"""The name of a package of Debian's."""
Inside = Annotated[Word, AfterValidator(_inside)]


class Manifest(BaseModel):
    """The fields of client.toml; docs/clients.md says what each is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Word
    needs: tuple[Word, ...] = ()
    debian: tuple[Package, ...] = ()
    generated: tuple[Inside, ...] = ()
    generate: Command | None = None
    prepare: tuple[Command, ...] = ()
    build: tuple[Command, ...] = ()
    test: tuple[Command, ...] = ()
    example: Command | None = None
    conformance: Command | None = None
    transports: tuple[Transport, ...] = ()
    transport_needs: Mapping[Transport, tuple[Word, ...]] = {}
    unproved: str = ""

    @model_validator(mode="before")
    @classmethod
    def _take_one_command_for_a_list(cls, data: object) -> object:
        """Take `test = ["go", "test"]` for `test = [["go", "test"]]`."""
        if isinstance(data, dict):
            for name in ("prepare", "build", "test"):
                value = data.get(name)
                if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
                    data = data | {name: [value]}
        return data

    @model_validator(mode="after")
    def _be_proved_or_say_why_not(self) -> Self:
        if (self.generate is None) != (not self.generated):
            raise ValueError("'generate' and 'generated' go together: what is generated, and by which command")
        if self.unproved:
            given = [name for name in PROVED if getattr(self, name)]
            if given:
                raise ValueError(f"'unproved' says that nothing is run here, but there is {', '.join(given)}")
            return self
        missing = [
            name for name in ("generate", "test", "example", "conformance", "transports") if not _has(self, name)
        ]
        if missing:
            raise ValueError(f"{', '.join(missing)} missing; a client that is not run here says why in 'unproved'")
        if extra := self.transport_needs.keys() - set(self.transports):
            raise ValueError(f"'transport_needs' names {', '.join(sorted(extra))}, which 'transports' has not")
        if len(set(self.transports)) != len(self.transports):
            raise ValueError("'transports' names one twice")
        return self


def _has(manifest: Manifest, name: str) -> bool:
    return bool(getattr(manifest, name))


@dataclass(frozen=True)
class Client:
    """A folder of clients/ with its manifest."""

    folder: Path
    manifest: Manifest

    @property
    def language(self) -> str:
        """What the command line calls it: the name of its folder."""
        return self.folder.name

    @property
    def name(self) -> str:
        """What people call it."""
        return self.manifest.name


def read_client(folder: Path) -> Client:
    """Read the client of a folder. :raises ManifestError: saying what is wrong in its client.toml."""
    file = folder / FILE
    try:
        return Client(folder, Manifest.model_validate(tomllib.loads(file.read_text("utf-8"))))
    except FileNotFoundError:
        raise ManifestError(f"{file}: missing; docs/clients.md says what it has to have") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ManifestError(f"{file}: no TOML: {error}") from None
    except ValidationError as error:
        lines = (f"{file}: {_place(each['loc'])}{_said(each['msg'])}" for each in error.errors())
        raise ManifestError("\n".join(lines)) from None


def _place(path: Iterable[str | int]) -> str:
    place = ""
    for step in path:
        place += f"[{step}]" if isinstance(step, int) else f"{'.' if place else ''}{step}"
    return f"{place}: " if place else ""


def _said(message: str) -> str:
    return message.removeprefix("Value error, ")


def read_clients(chosen: Iterable[str] = (), clients: Path = CLIENTS) -> tuple[Client, ...]:
    """Read the chosen clients, or all. :raises ManifestError: with all that is wrong in all of them."""
    folders = {each.name: each for each in sorted(clients.iterdir()) if each.is_dir() and _is_client(each)}
    if unknown := [name for name in chosen if name not in folders]:
        raise ManifestError(f"There is no client {', '.join(unknown)}; there are {', '.join(folders)}.")
    names = list(dict.fromkeys(chosen)) or list(folders)
    found, wrong = [], []
    for name in names:
        try:
            found.append(read_client(folders[name]))
        except ManifestError as error:
            wrong.append(str(error))
    if wrong:
        raise ManifestError("\n".join(wrong))
    return tuple(found)


def _is_client(folder: Path) -> bool:
    """Whether it has anything of a client; what tools leave behind of a removed one has not."""
    return folder.name != TEXTS and ((folder / FILE).exists() or (folder / "README.md").exists())
