#!/usr/bin/env bash
# Builds the image, then runs it and asks it: `make image`. $1 is a Python that has the client.
# shellcheck source-path=SCRIPTDIR
set -euo pipefail
source "$(dirname "$0")/engine.sh"

echo "Engine: $ENGINE. Base: $BASE. (ENGINE=docker|podman, BASE=pull|standin)"
"$ROOT/deploy/image/build.sh"
cd "$ROOT"
ENGINE=$ENGINE TAG=$TAG "$1" -m deploy.image.smoke
if [[ $BASE == standin ]]; then
  echo "This image stands on Debian's own Python in place of $(sed -n 's/^FROM \([^ ]*\).*/\1/p' Dockerfile | tail -n 1), which was not pulled."
fi
