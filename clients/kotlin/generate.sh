#!/bin/sh
# Writes src/generated of burraco-kotlin anew from the protos. They have no options for Java: buf sets them, as for Java.
# BURRACO_PYTHON is the Python whose environment has buf; by default that of this repository.
set -eu
cd "$(dirname "$0")"
python=${BURRACO_PYTHON:-../../.venv/bin/python}
buf=$(dirname "$python")/buf
version=$(sed -n 's|.*<grpc.kotlin.version>\(.*\)</grpc.kotlin.version>.*|\1|p' pom.xml)
mkdir -p target/generators
# Outside of any project: this one needs the Java client, and generating needs neither.
(cd target/generators && mvn --quiet --batch-mode --strict-checksums \
  org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy \
  -Dartifact="io.grpc:protoc-gen-grpc-kotlin:$version:jar:jdk8" -DoutputDirectory=. -Dmdep.stripVersion=true)
"$buf" generate --template buf.gen.yaml
