#!/bin/sh
# Runs the tests, with the race detector where there is a C compiler for it.
set -eu
cd "$(dirname "$0")"
race=
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC)" >/dev/null; then
  race=-race
else
  echo "without the race detector, which needs cgo and a C compiler" >&2
fi
if [ -z "${BURRACO_TARGET:-}" ] && [ ! -x "${BURRACO_PYTHON:-../../.venv/bin/python}" ]; then
  echo "SKIPPED: the tests that want a server: set BURRACO_TARGET, or run 'make .venv/.dev' in the repository" >&2
fi
# Never from the cache: it does not know of the server.
exec go test -count=1 $race "$@" ./...
