#!/usr/bin/env bash
# Runs the pod of overlays/smoke with podman and asks it: `make kube-smoke`. $1 is a Python that has the client.
# shellcheck source-path=SCRIPTDIR
set -euo pipefail
source "$(dirname "$0")/../image/engine.sh"

cd "$ROOT"
command -v kubectl >/dev/null || die "there is no kubectl here to render the manifests with."
command -v podman >/dev/null || die "there is no podman here: run 'make image ENGINE=podman' first."
podman image exists "$TAG" || die "there is no image $TAG here: run 'make image ENGINE=podman' first."
[[ $TAG == localhost/burraco:dev ]] || die "overlays/smoke names localhost/burraco:dev: leave TAG unset."

folder=$(mktemp -d)
rendered=$folder/pod.yaml
"$1" -c 'import sys; from pathlib import Path; from deploy.image.keys import write_keys; write_keys(Path(sys.argv[1]))' "$folder/keys"
kubectl create secret generic burraco-keys --from-file="$folder/keys" --dry-run=client -o yaml >"$folder/secret.yaml"
kubectl kustomize deploy/kubernetes/overlays/smoke >"$folder/overlay.yaml"

up() {
  { cat "$folder/secret.yaml" && echo --- && cat "$folder/overlay.yaml"; } >"$rendered"
  podman play kube "$rendered" >"$folder/up"
}

down() {
  podman play kube --down "$rendered" >"$folder/down" 2>&1 || cat "$folder/down"
  podman secret rm burraco-keys >/dev/null 2>&1 || true
  podman volume rm --force burraco-keys >/dev/null 2>&1 || true
}
trap 'down; rm -rf "$folder"' EXIT

up
# podman 4.3 mounts a secret's data as it is written, in base64. Then it gets the text where Kubernetes has the base64.
mounted=$(podman volume inspect burraco-keys --format '{{.Mountpoint}}')
if [[ $(<"$mounted/api") == $(base64 --wrap=0 "$folder/keys/api") ]]; then
  echo "This podman does not decode secrets: it gets them as plain text."
  down
  for key in sealing opening api; do
    sed -i "s|^  $key: .*|  $key: $(<"$folder/keys/$key")|" "$folder/secret.yaml"
  done
  up
fi
"$1" -m deploy.kubernetes.smoke "$folder/keys/api"
