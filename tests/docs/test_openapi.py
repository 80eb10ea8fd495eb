"""docs/openapi.yaml: valid, and all of the contract that has a path, with its comments, credentials and failures."""

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, MethodDescriptor
from openapi_spec_validator import OpenAPIV31SpecValidator

from scripts.docs_site.contract import Message, read_contract
from scripts.openapi.finish import FAILURES
from scripts.openapi.generate import plugin_path
from service.api.authority import OPEN_TO_SEATS
from service.server.adapter import GAME_SERVICE
from tests.edge.test_json import UNARY, path_of
from tests.edge.web import rule_of

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docs" / "openapi.yaml").read_text("utf-8"))
SCHEMAS: Final = DOCUMENT["components"]["schemas"]
PREFIX: Final = "#/components/schemas/"
OURS: Final = "burraco.v1"


@cache
def comments() -> dict[str, Message]:
    """Messages of the contract by name, with their comments."""
    return {message.name: message for file in read_contract() for message in file.messages}


def reached() -> tuple[dict[str, Descriptor], dict[str, EnumDescriptor]]:
    """Messages and enums of the contract that a call in JSON may have in it."""
    messages: dict[str, Descriptor] = {}
    enums: dict[str, EnumDescriptor] = {}
    left = [
        each
        for rpc in UNARY
        for each in (rpc.input_type, rpc.output_type)
        if rule_of(rpc).post or each is not rpc.input_type
    ]
    while left:
        message = left.pop()
        if message.name in messages or message.file.package != OURS:
            continue
        messages[message.name] = message
        left += [field.message_type for field in message.fields if field.message_type]
        enums |= {field.enum_type.name: field.enum_type for field in message.fields if field.enum_type}
    return messages, enums


MESSAGES, ENUMS = reached()


def operation(rpc: MethodDescriptor) -> dict[str, Any]:
    """What the file says of an RPC."""
    found: dict[str, Any] = DOCUMENT["paths"][path_of(rpc)][rule_of(rpc).WhichOneof("pattern")]
    return found


def test_the_file_is_valid() -> None:
    """By the schema of OpenAPI 3.1, references included."""
    OpenAPIV31SpecValidator(DOCUMENT).validate()


def test_it_has_every_rpc_that_has_a_path_and_no_other() -> None:
    """One operation a unary RPC, by its method and path."""
    told = {
        (path, verb, each["operationId"]) for path, verbs in DOCUMENT["paths"].items() for verb, each in verbs.items()
    }
    assert told == {(path_of(rpc), rule_of(rpc).WhichOneof("pattern"), rpc.name) for rpc in UNARY}


@pytest.mark.parametrize("rpc", UNARY, ids=lambda rpc: rpc.name)
def test_an_operation_has_its_messages_and_credentials(rpc: MethodDescriptor) -> None:
    """Request and answer by name; a seat's token where seats may call."""
    said = operation(rpc)
    answer = said["responses"]["200"]["content"]["application/json"]["schema"]
    assert answer == {"$ref": PREFIX + rpc.output_type.name}
    if rule_of(rpc).post:
        body = said["requestBody"]
        assert body["content"]["application/json"]["schema"] == {"$ref": PREFIX + rpc.input_type.name}
        assert body["required"]
    else:
        assert "requestBody" not in said
    assert {name for each in said["security"] for name in each} == (
        {"apiKey", "seatToken"} if rpc.name in OPEN_TO_SEATS else {"apiKey"}
    )


@pytest.mark.parametrize("rpc", UNARY, ids=lambda rpc: rpc.name)
def test_an_operation_has_its_failures(rpc: MethodDescriptor) -> None:
    """Every status that the call may end with, each a google.rpc.Status."""
    statuses = set(operation(rpc)["responses"]) - {"200"}
    expected = set(FAILURES)
    if "expected_revision" not in rpc.input_type.fields_by_name:
        expected -= {"409"}
    if not rule_of(rpc).post:
        expected -= {"413"}
    if rpc.name != "SuggestMoves":
        expected -= {"501"}
    assert statuses == expected
    for status in statuses:
        reference = operation(rpc)["responses"][status]["$ref"].rpartition("/")[2]
        response = DOCUMENT["components"]["responses"][reference]
        assert response["content"]["application/json"]["schema"] == {"$ref": PREFIX + "Status"}
        assert response["description"] == FAILURES[status]


def test_it_has_every_message_and_enum_that_a_call_may_have_in_it() -> None:
    """And besides them only what failures are made of."""
    assert set(SCHEMAS) == set(MESSAGES) | set(ENUMS) | {"Status", "ErrorInfo", "BadRequest", "RetryInfo"}


def kinds(field: FieldDescriptor) -> Iterator[dict[str, Any]]:
    """What a value of the field looks like in JSON."""
    plain: dict[int, dict[str, Any]] = {
        FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
        FieldDescriptor.TYPE_STRING: {"type": "string"},
        FieldDescriptor.TYPE_BYTES: {"type": "string", "format": "byte"},
        FieldDescriptor.TYPE_UINT64: {"type": "string", "format": "uint64"},
        FieldDescriptor.TYPE_UINT32: {"type": "integer", "format": "int64"},
        FieldDescriptor.TYPE_INT32: {"type": "integer", "format": "int32"},
        FieldDescriptor.TYPE_SINT32: {"type": "integer", "format": "int32"},
    }
    if field.message_type and field.message_type.full_name == "google.protobuf.Timestamp":
        yield {"type": "string", "format": "date-time"}
    elif named := field.message_type or field.enum_type:
        yield {"$ref": PREFIX + named.name}
    else:
        yield plain[field.type]


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_a_message_has_every_field_with_its_comment(name: str) -> None:
    """By its name in JSON, of its kind, told as in the proto."""
    schema, message, told = SCHEMAS[name], MESSAGES[name], comments()[name]
    fields = {field.json_name: field for field in message.fields}
    assert schema["type"] == "object"
    assert set(schema.get("properties", {})) == set(fields)
    said = {field.name: " ".join(field.comment.split()) for field in told.fields}
    for key, field in fields.items():
        about = dict(schema["properties"][key])
        assert " ".join(about.pop("description").split()) == said[field.name]
        (kind,) = kinds(field)
        repeated = field.is_repeated
        assert about == ({"type": "array", "items": kind} if repeated else kind), key


@pytest.mark.parametrize("name", sorted(ENUMS))
def test_an_enum_has_every_value_with_its_comment(name: str) -> None:
    """By name, since that is what answers have."""
    schema = SCHEMAS[name]
    assert schema["type"] == "string"
    assert schema["enum"] == [value.name for value in ENUMS[name].values]
    assert len(schema["x-enum-descriptions"]) == len(schema["enum"])
    assert all(schema["x-enum-descriptions"])


def test_the_page_has_the_same_statuses() -> None:
    """The table of docs/http.md, which has one more: a path that is none has no operation."""
    page = (ROOT / "docs" / "http.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d{3}) \| (\d+) `(\w+)` \|", page, re.MULTILINE)
    assert {status for status, _, _ in rows} == {*FAILURES, "404"}
    for status, code, name in rows:
        if status != "404":
            assert f"{name} ({code})" in FAILURES[status]


@pytest.mark.skipif(
    not plugin_path().exists(), reason="the generator is not built here: `make openapi-check` does, with Go"
)
def test_the_file_is_what_the_protos_give() -> None:
    """Made anew, it is the same."""
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.openapi", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_stream_has_no_path() -> None:
    """What JSON over HTTP cannot do is not promised."""
    assert {rpc.name for rpc in GAME_SERVICE.methods} - {rpc.name for rpc in UNARY} == {"StreamApplyMoves"}
    assert "StreamApplyMovesRequest" not in SCHEMAS
