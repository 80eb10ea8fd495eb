#!/usr/bin/env bash
# Makes the stand-in for the Dockerfile's base: Debian's own Python, under the base's name, in the private store.
# shellcheck source-path=SCRIPTDIR
set -euo pipefail
source "$(dirname "$0")/engine.sh"

name=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$ROOT/Dockerfile" | sort -u)
[[ $name == python:*-slim-* && $name != *$'\n'* ]] || die "the Dockerfile's stages are not all from one python:…-slim-SUITE."
suite=${name##*-}
full=docker.io/library/$name

if buildah inspect --type image "$full" >/dev/null 2>&1; then
  echo "The stand-in for $name is there already (rm -r .image makes it anew)."
  exit 0
fi

# The mirror that this machine installs from.
# shellcheck disable=SC2016 # apt-get fills the format in
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE) $(LABEL)' 'Created-By: Packages' | sed -n 's/ Debian$//p' | sed -n 1p)}
[[ -n $mirror ]] || die "apt-get names no Debian mirror here: name one with DEBIAN_MIRROR."

echo "Making a stand-in for $name from Debian $suite: Debian's Python, not the official image, which is not pulled."
tar=$STORE/base.tar
trap 'rm -f "$tar"' EXIT
mmdebstrap --quiet --variant=minbase --include=ca-certificates,python3,python3-venv --components=main "$suite" "$tar" "$mirror"
container=$(buildah from scratch)
buildah add --quiet "$container" "$tar" / >/dev/null
buildah config --env PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env LANG=C.UTF-8 --cmd python3 "$container"
# Where the official image has its Python, and without Debian's mark that only apt may install into it.
buildah run "$container" -- sh -ec '
  ln -s /usr/bin/python3 /usr/local/bin/python
  ln -s /usr/bin/python3 /usr/local/bin/python3
  rm -f /usr/lib/python3*/EXTERNALLY-MANAGED'
buildah commit --quiet --rm "$container" "$full" >/dev/null
