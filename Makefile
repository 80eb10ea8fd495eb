# Everything here runs on a fresh machine with Python 3.11 or newer and make: the environment is made on first use.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input
IMAGE  := protos/burraco.v1.binpb
WIRE   := {"version":"v2","modules":[{"path":"protos"},{"path":"third_party"}],"breaking":{"use":["WIRE"]}}
TYPED  := $(wildcard service clients/python/burraco tests scripts bench)

MADE     := $(VENV)/.made
RUNTIME  := $(VENV)/.runtime
DEV      := $(VENV)/.dev
LOCKER   := .venv-lock/.made
PACKAGES := pyproject.toml clients/python/pyproject.toml

# Keep what the tools download or remember inside the environment.
export BUF_CACHE_DIR := $(CURDIR)/$(VENV)/.buf

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo run test matches matches-all test-all check lint format typecheck protos protos-check proto-lint proto-image \
        hadolint bench overload golden states perft arbiter-corpus vectors lock image clean

help: ## Show this list
	@awk 'BEGIN {FS = ":[^#]*## "} /^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- use ---

demo: $(RUNTIME) ## Play a whole match on the real server (SEED=7 repeats one, FAST=1 never pauses)
	@$(if $(SEED),BURRACO_DEMO_SEED='$(SEED)') $(if $(FAST),BURRACO_DEMO_FAST='$(FAST)') \
	 $(if $(GAME),BURRACO_DEMO_GAME='$(GAME)') $(BIN)/python -m service.demo

run: $(RUNTIME) ## Start the server in development mode and leave it running
	@BURRACO_DEVELOPMENT=1 exec $(BIN)/python -m service

image: ## Build the container image
	docker build -t burraco .

# --- prove ---

test: $(DEV) ## Run the tests (ARGS='-k B4_31' chooses some)
	@$(BIN)/python -m pytest -n 2 $(ARGS)

matches: $(DEV) ## Play more than 1,000 random matches to their end
	@BURRACO_TEST_PROFILE=full $(BIN)/pytest -n 2 tests/laws/test_matches.py

matches-all: $(DEV) ## Play 10,000 random matches over all presets to their end
	@BURRACO_TEST_PROFILE=full $(BIN)/pytest -n 2 tests/games/test_matches.py

test-all: $(DEV) ## Run the tests at full size: 1,000 random matches, long fuzzing
	@BURRACO_TEST_PROFILE=full $(BIN)/python -m pytest -n 2 $(ARGS)

perft: $(DEV) ## Count the trees of legal moves (ARGS=--write writes them; ARGS='--preset GIN --divide 3')
	@$(BIN)/python -m scripts.perft $(ARGS)

arbiter-corpus: $(DEV) ## Write the corpus of bad states and their defects anew
	@$(BIN)/python -m tests.arbiter.write_corpus

bench: $(DEV) ## Measure the speed goals
	@$(BIN)/python -m bench $(ARGS)

overload: $(DEV) ## Measure a server that is offered three times what it takes; fails on what callers must not see
	@$(BIN)/python -m bench.overload $(ARGS)

# --- check ---

check: proto-lint protos-check lint typecheck hadolint ## Run every static check

lint: $(DEV) ## Check the Python style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(DEV) ## Rewrite Python and protos in the house style
	@$(BIN)/ruff check --fix-only --exit-zero .
	@$(BIN)/ruff format .
	@$(BIN)/buf format -w protos

typecheck: $(DEV) ## Check the types
	@$(BIN)/mypy $(TYPED)

hadolint: $(DEV) ## Check the Dockerfile
	@$(BIN)/hadolint Dockerfile && echo "hadolint: no findings"

proto-lint: $(DEV) ## Check the protos: style, format, no break of the last landed contract or of stored states
	@$(BIN)/buf lint
	@$(BIN)/buf format -d --exit-code protos
	@if [ -f $(IMAGE) ]; then $(BIN)/buf breaking protos --against $(IMAGE); \
	 else echo "NOT COMPARED with the last landed contract: $(IMAGE) is missing (make proto-image)"; fi
	@for released in $(sort $(wildcard tests/states/v*/stored_state.binpb)); do \
	   $(BIN)/buf breaking protos --against $$released --config '$(WIRE)' || exit; done
	@echo "proto-lint: no findings"

protos-check: $(DEV) ## Fail if the generated code is not what the protos give
	@$(BIN)/python scripts/generate_protos.py --check

# --- make ---

protos: $(DEV) ## Generate the Python code of the protos
	@$(BIN)/python scripts/generate_protos.py

vectors: $(DEV) ## Write the conformance vectors anew, to be reviewed as a diff
	@$(BIN)/python -m tests.conformance.generate

proto-image: $(DEV) ## Take the protos as the landed contract that proto-lint compares with
	$(BIN)/buf build protos --path protos/burraco -o $(IMAGE)

golden: $(DEV) ## Write the golden matches from their sources
	@$(BIN)/python -m tests.golden.write

states: $(DEV) ## Write the corpus of stored states of a new version (VERSION=2), which nobody changes afterwards
	@$(BIN)/python -m tests.states.write $(VERSION)

lock: $(LOCKER) ## Derive requirements/*.txt from pyproject.toml (UPGRADE=1 takes the newest versions)
	@mkdir -p requirements
	$(call compile,dev,pyproject.toml --extra demo --group build --group dev,)
	$(call compile,demo,pyproject.toml --extra demo --group build,-c requirements/dev.txt)
	$(call compile,runtime,pyproject.toml,-c requirements/dev.txt)
	$(call compile,build,--group build,-c requirements/dev.txt)
	$(call compile,lock,--group lock,)

# $(call compile,NAME,WHAT,CONSTRAINTS): the locks name no index, hold for every supported Python and agree on versions.
define compile
	@echo "requirements/$(1).txt"
	@.venv-lock/bin/uv pip compile $(2) $(3) --no-emit-package burraco --universal --python-version 3.11 \
	 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command 'make lock' \
	 $(if $(UPGRADE),--upgrade) --quiet --output-file requirements/$(1).txt
endef

clean: ## Remove the environment and all that the tools left
	rm -rf .venv .venv-lock .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment ---

$(MADE):
	@$(call require-python)
	@echo "Making $(VENV) with $$($(PYTHON) --version)..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUNTIME): requirements/demo.txt $(PACKAGES) | $(MADE)
	@echo "Installing what the server needs..."
	@$(PIP) install --require-hashes -r requirements/demo.txt
	@$(PIP) install --no-deps --no-build-isolation -e clients/python -e .
	@touch $@

$(DEV): requirements/dev.txt $(RUNTIME)
	@echo "Installing what the tests and checks need..."
	@$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

$(LOCKER): requirements/lock.txt
	@$(call require-python)
	@rm -rf .venv-lock
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/lock.txt
	@touch $@

define require-python
	command -v $(PYTHON) >/dev/null || { \
	  echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, or name one, as in 'make test PYTHON=python3.12'." >&2; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "'$(PYTHON)' is older than Python 3.11: install a newer one and name it, as in 'make test PYTHON=python3.12'." >&2; exit 1; }; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: install its venv module (Debian, Ubuntu: apt-get install python3-venv) and try again." >&2; exit 1; }
endef
