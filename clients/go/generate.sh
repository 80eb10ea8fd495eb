#!/bin/sh
# Writes burracopb anew. Buf is the one beside this project's Python; the generators are pinned in tools/go.mod.
set -eu
cd "$(dirname "$0")"
python=${BURRACO_PYTHON:-../../.venv/bin/python}
buf=$(dirname "$python")/buf
if [ ! -x "$buf" ]; then
  echo "$buf is not there: run 'make .venv/.dev' in the repository, or name its Python in BURRACO_PYTHON." >&2
  exit 1
fi
rm -rf burracopb
exec "$buf" generate
