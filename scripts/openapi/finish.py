"""What the generator cannot know: addresses, credentials, headers, and how each failure looks in HTTP."""

import re
from collections.abc import Iterator
from typing import Any, Final

from scripts.docs_site.contract import Enum, File, Message, Method
from scripts.openapi.generate import Document
from service.api.authority import API_KEY_METADATA, OPEN_TO_SEATS, SEAT_TOKEN_METADATA

ABOUT: Final = """\
The rules of Burraco, Ramino, Gin and Scala 40, as JSON over HTTP: what Envoy makes of the gRPC service \
burraco.v1.GameService. Every call is pure, so any may be made again.

An illegal move is a normal answer, `rejected`, with status 200. Bytes (states, seeds, match ids) are base64, numbers \
of 64 bits are texts, and of the members of a choice one is there. Fields that a request leaves out are at their \
defaults; fields that the service does not know are ignored."""

_MOVED: Final = "409"
_TOO_LARGE: Final = "413"
_NOT_BUILT: Final = "501"
FAILURES: Final = {
    "400": "INVALID_ARGUMENT (3): malformed, over a cap, a broken seal, JSON that does not fit. FAILED_PRECONDITION "
    "(9): a newer state or an unknown key, a match that is over, an unfinished deal to count. No use in trying again.",
    "401": "UNAUTHENTICATED (16): no key or token, or one that is no good.",
    "403": "PERMISSION_DENIED (7): a token of another seat or match, or a call for back ends.",
    _MOVED: "ABORTED (10): expectedRevision is not the state's. Load the newer state and look again.",
    _TOO_LARGE: "RESOURCE_EXHAUSTED (8): the body is too large.",
    "429": "RESOURCE_EXHAUSTED (8): overload, with RetryInfo; or a message above the server's limit, without.",
    "499": "CANCELLED (1): the call met the end of a replica. Make it again.",
    "500": "INTERNAL (13): a fault of the service, in its log under the request id.",
    _NOT_BUILT: "UNIMPLEMENTED (12): the RPC is not built yet.",
    "503": "UNAVAILABLE (14): a replica is going away, or none is there. Make the call again.",
    "504": "DEADLINE_EXCEEDED (4): too slow. Make the call again.",
}
"""Statuses of HTTP that a call may fail with, and when."""

_HEADERS: Final[dict[str, Document]] = {
    "AcceptLanguage": {
        "name": "accept-language",
        "in": "header",
        "description": "Languages of the texts in the answer, the best first; without it they are English.",
        "schema": {"type": "string"},
        "example": "it, en;q=0.5",
    },
    "RequestId": {
        "name": "x-request-id",
        "in": "header",
        "description": "The caller's name for the call, under which the service logs it.",
        "schema": {"type": "string"},
    },
    "Timeout": {
        "name": "grpc-timeout",
        "in": "header",
        "description": "The caller's deadline, up to 30 seconds; without it, it is 10.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,8}[HMSmun]$"},
        "example": "500m",
    },
}
_TYPE: Final = "type.googleapis.com/google.rpc."
_SECURITY: Final = {
    "apiKey": [API_KEY_METADATA, "A back end's key."],
    "seatToken": [SEAT_TOKEN_METADATA, "A seat's token."],
}


def finish(made: Document, contract: tuple[File, ...]) -> Document:
    """The generator's document with short names, named requests, addresses, credentials, headers and failures."""
    schemas = {_short(name): schema for name, schema in made["components"]["schemas"].items()}
    methods = {m.name: m for file in contract for service in file.services for m in service.methods if m.http}
    paths: Document = {}
    for method in methods.values():
        verb, _, path = method.http.partition(" ")
        operation = dict(made["paths"][path][verb.lower()])
        _name_request(operation, method, schemas)
        paths[path] = {verb.lower(): _operation(operation, method, schemas)}
    for message in (message for file in contract for message in file.messages if message.name in schemas):
        _choices(schemas[message.name], message)
    for enum in (enum for file in contract for enum in file.enums if enum.name in schemas):
        _describe_values(schemas[enum.name], enum)
    _describe_details(schemas)
    document = {
        "openapi": made["openapi"],
        "info": {
            "title": "burraco",
            "version": "v1",
            "description": ABOUT,
            "license": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [
            {"url": "http://localhost:8081", "description": "Envoy's port for back ends, with an API key"},
            {
                "url": "http://localhost:8080",
                "description": "Envoy's port for browsers and devices, with a seat's token",
            },
        ],
        "tags": [
            {"name": service.name, "description": service.comment} for file in contract for service in file.services
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                name: {"type": "apiKey", "in": "header", "name": header, "description": about}
                for name, (header, about) in _SECURITY.items()
            },
            "parameters": _HEADERS,
            "responses": {f"Failed{status}": _failure(about) for status, about in FAILURES.items()},
            "schemas": dict(sorted(schemas.items())),
        },
    }
    document["tags"] = [tag for tag in document["tags"] if tag["name"] == "GameService"]
    finished: Document = _with_short_references(document)
    return finished


def failures_of(method: Method, schemas: Document) -> Iterator[str]:
    """Statuses that an RPC may fail with."""
    for status in FAILURES:
        if status == _MOVED and "expectedRevision" not in schemas.get(method.request, {}).get("properties", {}):
            continue
        if status == _TOO_LARGE and method.http.startswith("GET"):
            continue
        if status == _NOT_BUILT and "Not built yet" not in method.comment:
            continue
        yield status


def _name_request(operation: Document, method: Method, schemas: Document) -> None:
    """Give the body's schema a name, which the generator writes out in its place."""
    if "requestBody" not in operation:
        return
    body = operation["requestBody"] = dict(operation["requestBody"])
    written_out = body["content"]["application/json"]["schema"]
    if "$ref" not in written_out:
        schemas.setdefault(method.request, written_out)
        body["content"] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{method.request}"}}}


def _operation(operation: Document, method: Method, schemas: Document) -> Document:
    answers = {"200": operation["responses"]["200"]}
    answers |= {status: {"$ref": f"#/components/responses/Failed{status}"} for status in failures_of(method, schemas)}
    security: list[Document] = [{"apiKey": []}]
    if method.name in OPEN_TO_SEATS:
        security.append({"seatToken": []})
    return {
        **{key: value for key, value in operation.items() if key != "responses"},
        "operationId": method.name,
        "parameters": [
            *operation.get("parameters", ()),
            *({"$ref": f"#/components/parameters/{name}"} for name in _HEADERS),
        ],
        "security": security,
        "responses": answers,
    }


def _failure(about: str) -> Document:
    return {
        "description": about,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}},
    }


def _choices(schema: Document, message: Message) -> None:
    """Say that one member of each choice is there at most.

    The generator says it too, in a longer way, but not of bodies, and of no more than one choice a message.
    """
    schema.pop("oneOf", None)
    choices: dict[str, list[str]] = {}
    for field in message.fields:
        if field.oneof:
            choices.setdefault(field.oneof, []).append(_json_name(field.name))
    said = [
        {
            "oneOf": [
                *({"required": [name]} for name in names),
                {"not": {"anyOf": [{"required": [name]} for name in names]}},
            ]
        }
        for names in choices.values()
    ]
    if len(said) == 1:
        schema |= said[0]
    elif said:
        schema["allOf"] = said


def _json_name(name: str) -> str:
    """A field's name in JSON."""
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), name)


def _describe_values(schema: Document, enum: Enum) -> None:
    """Say what each value is, in the extension that generators of clients read."""
    comments = {value.name: " ".join(value.comment.split()) for value in enum.values}
    schema["x-enum-descriptions"] = [comments[name] for name in schema["enum"]]


def _describe_details(schemas: Document) -> None:
    """Say what stands in the details of a status, which are of any type in the contract."""
    text = {"type": "string"}
    violation = {
        "type": "object",
        "properties": {
            "field": {**text, "description": "Path of the field, in snake_case."},
            "description": {**text, "description": "What is wrong, in English."},
            "reason": {"$ref": "#/components/schemas/Reason"},
        },
        "required": ["field", "description", "reason"],
    }
    # Envoy itself refuses with a status alone, whose details are empty.
    schemas["ErrorInfo"] = _detail(
        "ErrorInfo",
        "Why the call failed.",
        {
            "reason": {"$ref": "#/components/schemas/Reason"},
            "domain": {"type": "string", "const": "burraco"},
            "metadata": {"type": "object", "additionalProperties": text, "description": "The reason's arguments."},
        },
    )
    schemas["BadRequest"] = _detail(
        "BadRequest", "Which fields are wrong.", {"fieldViolations": {"type": "array", "items": violation}}
    )
    schemas["RetryInfo"] = _detail(
        "RetryInfo", "When to make the call again.", {"retryDelay": {**text, "example": "0.200s"}}
    )
    schemas["Status"]["properties"]["details"]["items"] = {
        "oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("ErrorInfo", "BadRequest", "RetryInfo")],
        "discriminator": {
            "propertyName": "@type",
            "mapping": {
                f"{_TYPE}{name}": f"#/components/schemas/{name}" for name in ("ErrorInfo", "BadRequest", "RetryInfo")
            },
        },
    }


def _detail(name: str, about: str, properties: Document) -> Document:
    return {
        "type": "object",
        "description": about,
        "properties": {"@type": {"type": "string", "const": f"{_TYPE}{name}"}, **properties},
        "required": ["@type", *properties],
    }


def _short(name: str) -> str:
    return re.sub(r"^(?:burraco\.v1|google\.rpc)\.", "", name)


def _with_short_references(value: Any) -> Any:  # noqa: ANN401 - any part of a document
    if isinstance(value, dict):
        return {
            key: re.sub(r"^(#/components/schemas/)(?:burraco\.v1|google\.rpc)\.", r"\1", each)
            if key == "$ref"
            else _with_short_references(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_with_short_references(each) for each in value]
    return value
