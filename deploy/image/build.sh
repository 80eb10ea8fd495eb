#!/usr/bin/env bash
# Builds the image from the Dockerfile; engine.sh says with what.
# shellcheck source-path=SCRIPTDIR
set -euo pipefail
source "$(dirname "$0")/engine.sh"

cd "$ROOT"
case $ENGINE-$BASE in
  docker-pull)
    echo "Building $TAG with docker."
    docker build --tag "$TAG" .
    ;;
  podman-pull)
    bring buildah podman
    echo "Building $TAG with buildah; the base is pulled."
    buildah bud --tag "$TAG" .
    ;;
  podman-standin)
    bring buildah podman runc catatonit mmdebstrap
    "$ROOT/deploy/image/base.sh"
    echo "Building $TAG with buildah, without a registry of images."
    # The machine's certificates are there while it builds only: pip reaches its index as this machine does.
    buildah bud --quiet --network host --pull-never --volume /etc/ssl/certs:/etc/ssl/certs:ro --tag "$TAG" .
    ;;
esac
