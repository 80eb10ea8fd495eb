#!/bin/sh
# Writes src/generated of burraco and burraco-lite anew from the protos, which have no options for Java: buf sets them.
# BURRACO_PYTHON is the Python whose environment has buf; by default that of this repository.
set -eu
cd "$(dirname "$0")"
python=${BURRACO_PYTHON:-../../.venv/bin/python}
buf=$(dirname "$python")/buf
mvn --quiet --batch-mode --strict-checksums --non-recursive -P generators dependency:copy
cp target/generators/protoc.exe target/generators/protoc
cp target/generators/protoc-gen-grpc-java.exe target/generators/protoc-gen-grpc-java
chmod +x target/generators/protoc target/generators/protoc-gen-grpc-java
"$buf" generate --template buf.gen.yaml
