"""Stands for a code generator: writes what it is asked for, as a plugin of protoc or as protoc itself."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet


def main() -> None:
    """Answer as the program would by whose name it was called."""
    name, arguments = os.environ["STAND_IN"], sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write("libprotoc 36.2\n")
    elif arguments:
        described = FileDescriptorSet.FromString(Path(value_of(arguments, "descriptor_set_in")).read_bytes())
        out = Path(value_of(arguments, "csharp_out").rpartition(":")[2])
        for wanted in (word for word in arguments if word.endswith(".proto")):
            file = out / file_name(name, wanted)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(told(described.file), "utf-8")
    else:
        request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
        answer = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
        for wanted in request.file_to_generate:
            answer.file.add(name=file_name(name, wanted), content=told(request.proto_file))
        sys.stdout.buffer.write(answer.SerializeToString())


def value_of(arguments: list[str], option: str) -> str:
    """The value of an option of protoc."""
    (value,) = [word.partition("=")[2] for word in arguments if word.startswith(f"--{option}=")]
    return value


def file_name(program: str, proto: str) -> str:
    """The file that a program writes for a proto."""
    return f"{program}/{proto}.txt"


def told(files: Iterable[FileDescriptorProto]) -> str:
    """A line for each file that the generator was given."""
    return "".join(f"{each.name}\n" for each in files)


if __name__ == "__main__":
    main()
