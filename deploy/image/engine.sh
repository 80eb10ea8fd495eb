# shellcheck shell=bash
# Sourced by the scripts beside it: which engine builds and runs the image, and from which base.
#
#   ENGINE=docker|podman  default: docker where its daemon answers, otherwise podman (whose builder is buildah)
#   BASE=pull|standin     default: pull with docker, standin with podman
#   TAG                   name of the image
#
# pull: the Dockerfile's own base, from a registry. standin: Debian's Python under the name of that base, for machines
# without a registry; it is kept in a store of its own below .image/, so that no other build ever takes it for the real one.

TAG=${TAG:-localhost/burraco:dev}
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
STORE=$ROOT/.image

die() {
  echo "make image: $*" >&2
  exit 1
}

if [[ -z ${ENGINE:-} ]]; then
  ENGINE=podman
  if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    ENGINE=docker
  fi
fi
case $ENGINE in
  docker) BASE=${BASE:-pull} ;;
  podman) BASE=${BASE:-standin} ;;
  *) die "ENGINE is '$ENGINE': it takes docker or podman." ;;
esac
case $ENGINE-$BASE in
  docker-pull | podman-pull | podman-standin) ;;
  docker-standin) die "a stand-in under the name of the real base does not belong into docker's store: ENGINE=podman." ;;
  *) die "BASE is '$BASE': it takes pull or standin." ;;
esac

# Installs what is missing of the Debian packages that bring these commands.
bring() {
  local needed=() command package
  for command in "$@"; do
    package=$command
    command -v "$command" >/dev/null || needed+=("$package")
  done
  ((${#needed[@]})) || return 0
  command -v apt-get >/dev/null || die "there is no ${needed[*]} here, and no apt-get to install it with."
  ((EUID == 0)) || die "there is no ${needed[*]} here: install it as root, with apt-get install ${needed[*]}."
  echo "Installing ${needed[*]}..."
  DEBIAN_FRONTEND=noninteractive apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${needed[@]}" >/dev/null
}

# The configuration of the private store. runc and cgroupfs: crun wants unified cgroups and systemd a session, and a machine
# that is itself a container has neither. No default limits: raising them needs a capability that such a machine lacks.
private_store() {
  mkdir -p "$STORE"
  cat >"$STORE/storage.conf" <<END
[storage]
driver = "overlay"
graphroot = "$STORE/storage"
runroot = "$STORE/run"
END
  cat >"$STORE/containers.conf" <<END
[containers]
default_ulimits = []
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
runtime = "runc"
[network]
network_config_dir = "$STORE/networks"
END
  export CONTAINERS_STORAGE_CONF=$STORE/storage.conf CONTAINERS_CONF=$STORE/containers.conf BUILDAH_ISOLATION=chroot
}

if [[ $ENGINE == podman && $BASE == standin ]]; then
  private_store
fi
