"""The contract with its comments, as values: what the reference pages are made of."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from google.api.annotations_pb2 import http as http_extension
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDER: Final = "burraco/v1"
PACKAGE: Final = ".burraco.v1."

# Numbers of descriptor.proto, of which the paths of comments are made.
_PACKAGE, _MESSAGES, _ENUMS, _SERVICES = 2, 4, 5, 6
_FIELDS, _NESTED, _NESTED_ENUMS, _ONEOFS, _MEMBERS = 2, 3, 4, 8, 2

At = tuple[int, ...]
Comments = Mapping[At, str]


@dataclass(frozen=True)
class Field:
    """A field of a message."""

    name: str
    type_name: str
    """As in the proto: `uint32`, `Card`, `google.rpc.Status`."""
    repeated: bool
    optional: bool
    """Whether its absence can be told from its default by the word `optional`."""
    oneof: str
    """The choice that it belongs to; empty for none."""
    comment: str
    deprecated: bool


@dataclass(frozen=True)
class Message:
    """A message."""

    name: str
    comment: str
    fields: tuple[Field, ...]
    oneofs: Mapping[str, str]
    """What is said of each choice."""


@dataclass(frozen=True)
class Value:
    """A value of an enum."""

    name: str
    number: int
    comment: str
    deprecated: bool


@dataclass(frozen=True)
class Enum:
    """An enum."""

    name: str
    comment: str
    values: tuple[Value, ...]


@dataclass(frozen=True)
class Method:
    """An RPC."""

    name: str
    comment: str
    request: str
    response: str
    streams: bool
    http: str
    """Method and path of its JSON over HTTP; empty for none."""


@dataclass(frozen=True)
class Service:
    """A service."""

    name: str
    comment: str
    methods: tuple[Method, ...]


@dataclass(frozen=True)
class File:
    """One file of the contract."""

    name: str
    """Without folder and ending: `game_service`."""
    comment: str
    services: tuple[Service, ...]
    messages: tuple[Message, ...]
    enums: tuple[Enum, ...]


def read_contract(root: Path = ROOT) -> tuple[File, ...]:
    """Read the protos of the contract, in the order of their names."""
    protos, sources = root / "protos", sorted((root / "protos" / FOLDER).glob("*.proto"))
    includes = (protos, root / "third_party", files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "contract.binpb"
        command = [
            *(sys.executable, "-m", "grpc_tools.protoc", *(f"-I{folder}" for folder in includes)),
            *("--include_source_info", f"--descriptor_set_out={out}", *map(str, sources)),
        ]
        if subprocess.run(command, check=False).returncode:
            sys.exit("protoc failed: it says above what is wrong with the protos.")
        read = FileDescriptorSet.FromString(out.read_bytes())
    return tuple(_file(file) for file in sorted(read.file, key=lambda file: file.name))


def _file(file: FileDescriptorProto) -> File:
    comments = {tuple(location.path): _plain(location.leading_comments) for location in file.source_code_info.location}
    enums = [_enum(enum, (_ENUMS, index), comments, "") for index, enum in enumerate(file.enum_type)]
    messages: list[Message] = []
    for index, message in enumerate(file.message_type):
        for made in _message(message, (_MESSAGES, index), comments, ""):
            (messages if isinstance(made, Message) else enums).append(made)  # type: ignore[arg-type]
    return File(
        name=Path(file.name).stem,
        comment=comments.get((_PACKAGE,), ""),
        services=tuple(_service(each, (_SERVICES, index), comments) for index, each in enumerate(file.service)),
        messages=tuple(messages),
        enums=tuple(enums),
    )


def _message(message: DescriptorProto, at: At, comments: Comments, outer: str) -> Iterator[Message | Enum]:
    """A message and what is inside it."""
    name = outer + message.name
    yield Message(
        name=name,
        comment=comments.get(at, ""),
        fields=tuple(
            _field(field, message, comments.get((*at, _FIELDS, index), "")) for index, field in enumerate(message.field)
        ),
        oneofs={each.name: comments.get((*at, _ONEOFS, index), "") for index, each in enumerate(message.oneof_decl)},
    )
    for index, nested in enumerate(message.nested_type):
        yield from _message(nested, (*at, _NESTED, index), comments, f"{name}.")
    for index, enum in enumerate(message.enum_type):
        yield _enum(enum, (*at, _NESTED_ENUMS, index), comments, f"{name}.")


def _field(field: FieldDescriptorProto, message: DescriptorProto, comment: str) -> Field:
    chosen = field.HasField("oneof_index") and not field.proto3_optional
    return Field(
        name=field.name,
        type_name=_type_name(field),
        repeated=field.label == FieldDescriptorProto.LABEL_REPEATED,
        optional=field.proto3_optional,
        oneof=message.oneof_decl[field.oneof_index].name if chosen else "",
        comment=comment,
        deprecated=field.options.deprecated,
    )


def _type_name(field: FieldDescriptorProto) -> str:
    if field.type_name:
        return field.type_name.removeprefix(PACKAGE).removeprefix(".")
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _enum(enum: EnumDescriptorProto, at: At, comments: Comments, outer: str) -> Enum:
    values = (
        Value(value.name, value.number, comments.get((*at, _MEMBERS, index), ""), value.options.deprecated)
        for index, value in enumerate(enum.value)
    )
    return Enum(outer + enum.name, comments.get(at, ""), tuple(values))


def _service(service: ServiceDescriptorProto, at: At, comments: Comments) -> Service:
    methods = (_method(method, comments.get((*at, _MEMBERS, index), "")) for index, method in enumerate(service.method))
    return Service(service.name, comments.get(at, ""), tuple(methods))


def _method(method: MethodDescriptorProto, comment: str) -> Method:
    extension: Any = http_extension
    rule: Any = method.options.Extensions[extension]
    verb = rule.WhichOneof("pattern")
    return Method(
        name=method.name,
        comment=comment,
        request=method.input_type.removeprefix(PACKAGE),
        response=method.output_type.removeprefix(PACKAGE),
        streams=method.client_streaming or method.server_streaming,
        http=f"{verb.upper()} {getattr(rule, verb)}" if verb else "",
    )


def _plain(comment: str) -> str:
    """A comment without the space that each of its lines begins with; paragraphs stay apart."""
    return "\n".join(line.removeprefix(" ").rstrip() for line in comment.strip("\n").split("\n"))
