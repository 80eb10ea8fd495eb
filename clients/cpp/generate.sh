#!/bin/sh
# Writes protos.binpb anew, with this project's Python and the buf beside it.
set -eu
cd "$(dirname "$0")"
exec "${BURRACO_PYTHON:-../../.venv/bin/python}" generate.py
