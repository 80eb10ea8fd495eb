"""Whether today's messages can still hold what was written in those of old: field by field, number by number."""

from collections.abc import Iterator, Mapping
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
)

ROOTS: Final = ("burraco.v1.Rules",)
"""Messages that lie inside of a stored one as bytes."""


def orphaned(then: FileDescriptorSet, now: FileDescriptorSet, stored_then: str, stored_now: str) -> list[str]:
    """Say everything about today's messages that would orphan states written in those of then.

    A version whose message was frozen is compared with its frozen message, which is the one it is parsed with.
    """
    old, new = _Messages(then), _Messages(now)
    wrong = list(_message(old, new, stored_then, stored_now))
    for root in ROOTS:
        for name in sorted(old.reach(root)):
            wrong += _message(old, new, name, name)
    return wrong


def added(then: FileDescriptorSet, now: FileDescriptorSet, name: str) -> list[str]:
    """Fields of a message that it did not have then."""
    before = {field.number for field in _Messages(then).messages[name].field}
    return [field.name for field in _Messages(now).messages[name].field if field.number not in before]


class _Messages:
    """Messages and enums by full name."""

    def __init__(self, files: FileDescriptorSet) -> None:
        self.messages: dict[str, DescriptorProto] = {}
        self.enums: dict[str, EnumDescriptorProto] = {}
        for file in files.file:
            self.enums |= {f"{file.package}.{enum.name}": enum for enum in file.enum_type}
            for message in file.message_type:
                self.messages[f"{file.package}.{message.name}"] = message

    def reach(self, name: str) -> set[str]:
        """A message and all that its fields are made of."""
        found, new = set[str](), {name}
        while new:
            found |= new
            fields = [field for each in new for field in self.messages[each].field]
            new = {field.type_name[1:] for field in fields if field.type == FieldDescriptorProto.TYPE_MESSAGE} - found
        return found


def _message(old: _Messages, new: _Messages, old_name: str, new_name: str) -> Iterator[str]:
    if new_name not in new.messages:
        yield f"{old_name} is gone"
        return
    fields = {field.number: field for field in new.messages[new_name].field}
    for field in old.messages[old_name].field:
        path = f"{old_name}.{field.name}"
        today = fields.get(field.number)
        if today is None:
            yield f"{path} = {field.number} is gone"
            continue
        before, after = _kind(field, old_name), _kind(today, new_name)
        for what in before:
            if before[what] != after[what]:
                yield f"{path} = {field.number} had {what} {before[what]!r} and has {after[what]!r}"
        if field.type == FieldDescriptorProto.TYPE_ENUM and field.type_name == today.type_name:
            yield from _enum(path, old.enums[field.type_name[1:]], new.enums[today.type_name[1:]])


def _kind(field: FieldDescriptorProto, owner: str) -> Mapping[str, object]:
    """All that the meaning of a field's bytes hangs on, and its name, which the codec asks for it by."""
    return {
        "name": field.name,
        "type": FieldDescriptorProto.Type.Name(field.type),
        "label": FieldDescriptorProto.Label.Name(field.label),
        "type name": field.type_name.removeprefix("." + owner.rpartition(".")[0]),
        "presence": (field.HasField("oneof_index"), field.proto3_optional),
    }


def _enum(path: str, old: EnumDescriptorProto, new: EnumDescriptorProto) -> Iterator[str]:
    numbers = {value.name: value.number for value in new.value}
    for value in old.value:
        if numbers.get(value.name) != value.number:
            yield f"{path}: {value.name} was {value.number} and is {numbers.get(value.name)}"
