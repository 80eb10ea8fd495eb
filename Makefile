# Everything here runs on a fresh machine with Python 3.11 or newer and make: the environment is made on first use.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet --no-input
IMAGE  := protos/burraco.v1.binpb
WIRE   := {"version":"v2","modules":[{"path":"protos"},{"path":"third_party"}],"breaking":{"use":["WIRE"]}}
TYPED  := $(wildcard service clients/python/burraco clients/python/burraco_conformance clients/python/examples/back_end tests scripts bench deploy)

MADE     := $(VENV)/.made
RUNTIME  := $(VENV)/.runtime
DEV      := $(VENV)/.dev
LOCKER   := .venv-lock/.made
PROMETHEUS := $(VENV)/prometheus/.made
CHECKOV  := .venv-checkov/.made
SITE     := .venv-site/.made
SITE_PORT ?= 8000
PACKAGES := pyproject.toml clients/python/pyproject.toml

# Keep what the tools download or remember inside the environment.
export BUF_CACHE_DIR := $(CURDIR)/$(VENV)/.buf

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo run test test-native matches matches-all test-all check lint format typecheck protos protos-check proto-lint proto-image \
        hadolint bench overload soak golden states kill-test perft arbiter-corpus vectors texts texts-check mutation lock image prometheus prometheus-rule sbom checkov kube-smoke clean \
        clients clients-check clients-build clients-test clients-examples conformance \
        site site-serve openapi openapi-check

help: ## Show this list
	@awk 'BEGIN {FS = ":[^#]*## "} /^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- use ---

demo: $(RUNTIME) ## Play a whole match on the real server (SEED=7 repeats one, FAST=1 never pauses)
	@$(if $(SEED),BURRACO_DEMO_SEED='$(SEED)') $(if $(FAST),BURRACO_DEMO_FAST='$(FAST)') \
	 $(if $(GAME),BURRACO_DEMO_GAME='$(GAME)') $(BIN)/python -m service.demo

run: $(RUNTIME) ## Start the server in development mode and leave it running
	@BURRACO_DEVELOPMENT=1 exec $(BIN)/python -m service

image: $(RUNTIME) ## Build the container image, run it and ask it (ENGINE=docker or podman; docs/image.md)
	@ENGINE='$(ENGINE)' BASE='$(BASE)' TAG='$(TAG)' deploy/image/make.sh $(BIN)/python

sbom: $(DEV) ## Write what the image installs as a CycloneDX bill of materials (dist/burraco.cdx.json)
	@$(BIN)/python -m scripts.sbom dist/burraco.cdx.json

# --- prove ---

test: $(DEV) ## Run the tests (ARGS='-k B4_31' chooses some)
	@$(BIN)/python -m pytest -n 2 $(ARGS)

test-native: $(DEV) ## Run the tests that talk to servers on the native transport
	@BURRACO_TEST_TRANSPORT=native $(BIN)/python -m pytest -n 2 tests/api tests/server tests/clients tests/arbiter $(ARGS)

matches: $(DEV) ## Play more than 1,000 random matches to their end
	@BURRACO_TEST_PROFILE=full $(BIN)/pytest -n 2 tests/laws/test_matches.py

matches-all: $(DEV) ## Play 10,000 random matches over all presets to their end
	@BURRACO_TEST_PROFILE=full $(BIN)/pytest -n 2 tests/games/test_matches.py

test-all: $(DEV) ## Run the tests at full size: 1,000 random matches, long fuzzing
	@BURRACO_TEST_PROFILE=full $(BIN)/python -m pytest -n 2 $(ARGS)

kill-test: $(DEV) ## Kill and stop replicas under load, behind each way in (ARGS='--rounds 5 --callers 12')
	@command -v nginx /usr/sbin/nginx >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends nginx; }
	@CI=1 $(BIN)/python -m tests.edge.kill $(ARGS)

perft: $(DEV) ## Count the trees of legal moves (ARGS=--write writes them; ARGS='--preset GIN --divide 3')
	@$(BIN)/python -m scripts.perft $(ARGS)

arbiter-corpus: $(DEV) ## Write the corpus of bad states and their defects anew
	@$(BIN)/python -m tests.arbiter.write_corpus

mutation: $(DEV) ## Put faults into the rules, see that tests notice (SAMPLE=400 SEED=1, FILE=service/rules/..., RESUME=1, AGAIN=1)
	@PYTHONHASHSEED=0 $(BIN)/python -m scripts.mutation $(if $(SAMPLE),--sample $(SAMPLE)) $(if $(SEED),--seed $(SEED)) \
	 $(foreach file,$(FILE),--file $(file)) $(if $(BUDGET),--budget $(BUDGET)) $(if $(RESUME),--resume) \
	 $(if $(AGAIN),--again) $(ARGS)

prometheus-rule: $(DEV) ## Write the alerts as the Prometheus Operator has them, from deploy/prometheus/alerts.yaml
	@$(BIN)/python -m scripts.prometheus_rule

prometheus: $(PROMETHEUS) ## Bring Prometheus and promtool, which some tests want (Debian's package, unpacked into .venv)

bench: $(DEV) ## Measure the speed goals
	@$(BIN)/python -m bench $(ARGS)

soak: $(DEV) ## Make a million mixed calls, and see that the server is as it was (ARGS='--calls 100000')
	@$(BIN)/python -m bench.soak $(ARGS)

overload: $(DEV) ## Measure a server that is offered three times what it takes; fails on what callers must not see
	@$(BIN)/python -m bench.overload $(ARGS)

# --- read ---

site: $(SITE) ## Build the documentation as a site, without a network, and check its links (build/site/site)
	@.venv-site/bin/python -m scripts.docs_site

site-serve: site ## Build the site and show it on this machine (SITE_PORT=8000)
	@echo "http://127.0.0.1:$(SITE_PORT)/"
	@.venv-site/bin/python -m http.server --bind 127.0.0.1 --directory build/site/site $(SITE_PORT)

# --- check ---

check: proto-lint protos-check texts-check lint typecheck hadolint ## Run every static check

lint: $(DEV) ## Check the Python style
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(DEV) ## Rewrite Python and protos in the house style
	@$(BIN)/ruff check --fix-only --exit-zero .
	@$(BIN)/ruff format .
	@$(BIN)/buf format -w protos

typecheck: $(DEV) ## Check the types
	@$(BIN)/mypy $(TYPED)

checkov: $(CHECKOV) ## Judge the manifests and the Dockerfile by what attackers look for
	@deploy/kubernetes/checkov.sh .venv-checkov/bin/checkov

kube-smoke: $(RUNTIME) ## Run the pod of the manifests with podman, and ask it (after make image ENGINE=podman)
	@ENGINE=podman BASE='$(BASE)' TAG='$(TAG)' deploy/kubernetes/smoke.sh $(BIN)/python

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

# --- clients; what is not installed is skipped, or a failure with BURRACO_TEST_CLIENTS=required ---

clients-check: $(DEV) ## Fail if the generated code of the clients is not what the protos give (ARGS='go typescript')
	@$(BIN)/python -m scripts.clients check $(ARGS)

clients-build: $(DEV) ## Compile the clients (ARGS='go typescript')
	@$(BIN)/python -m scripts.clients build $(ARGS)

clients-test: $(DEV) ## Build the clients and run their own tests (ARGS='--built go' does not build)
	@$(BIN)/python -m scripts.clients test $(ARGS)

clients-examples: $(DEV) ## Build the clients and let the example of each play a match (ARGS='--built go')
	@$(BIN)/python -m scripts.clients example $(ARGS)

conformance: $(DEV) ## Build the clients, hold them against the vectors, and the matrix against that of README.md (ARGS=--write writes it)
	@$(BIN)/python -m scripts.clients conformance $(ARGS)

texts-check: $(DEV) ## Fail if a catalogue, or what is made of it, is not what the English texts give
	@$(BIN)/python -m scripts.texts --check

openapi-check: $(DEV) ## Fail if docs/openapi.yaml is not what the protos give; says so where Go is missing
	@if command -v go >/dev/null; then $(build-openapi-generator) && $(BIN)/python -m scripts.openapi --check; \
	 else echo "SKIPPED: docs/openapi.yaml is not compared with the protos, since there is no 'go' to build the generator"; fi

# --- make ---

protos: $(DEV) ## Generate the Python code of the protos, and the descriptors that Envoy makes JSON with
	@$(BIN)/python scripts/generate_protos.py

clients: $(DEV) ## Generate the code of the clients in all languages (ARGS='go typescript' chooses some)
	@$(BIN)/python -m scripts.clients generate $(ARGS)

texts: $(DEV) ## Bring the English texts into the catalogues, compile and export them (ADD=de begins another language)
	@$(BIN)/python -m scripts.texts $(if $(ADD),--language $(ADD))

openapi: $(DEV) ## Write docs/openapi.yaml, which describes the JSON over HTTP, from the protos (needs Go)
	@command -v go >/dev/null || { echo "There is no 'go' here: install Go, which builds the generator, and try again." >&2; exit 1; }
	@$(build-openapi-generator)
	@$(BIN)/python -m scripts.openapi

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
	$(call compile,dev,pyproject.toml --extra demo --extra native --extra tracing --group build --group dev,)
	$(call compile,demo,pyproject.toml --extra demo --group build,-c requirements/dev.txt)
	$(call compile,runtime,pyproject.toml,-c requirements/dev.txt)
	$(call compile,tracing,pyproject.toml --extra tracing,-c requirements/dev.txt)
	$(call compile,build,--group build,-c requirements/dev.txt)
	$(call compile,checkov,--group checkov,)
	$(call compile,site,--group site,)
	$(call compile,lock,--group lock,)

# $(call compile,NAME,WHAT,CONSTRAINTS): the locks name no index, hold for every supported Python and agree on versions.
define compile
	@echo "requirements/$(1).txt"
	@.venv-lock/bin/uv pip compile $(2) $(3) --no-emit-package burraco --universal --python-version 3.11 \
	 --generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --custom-compile-command 'make lock' \
	 $(if $(UPGRADE),--upgrade) --quiet --output-file requirements/$(1).txt
endef

clean: ## Remove the environment and all that the tools left
	rm -rf .venv .venv-lock .venv-checkov .venv-site .image .mypy_cache .pytest_cache .ruff_cache .hypothesis .mutation build dist clients/python/dist
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

# Unpacked, not installed: an installed one is a service that starts by itself and listens on every address.
$(PROMETHEUS): | $(MADE)
	@command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || { \
	  echo "This takes Prometheus from Debian: elsewhere put 'prometheus' and 'promtool' on the PATH." >&2; exit 1; }
	@rm -rf $(@D) && mkdir -p $(@D)
	@cd $(@D) && { apt-get download prometheus || { \
	  echo "No Debian mirror knows 'prometheus': run 'apt-get update' as root and try again." >&2; exit 1; }; }
	@dpkg-deb -x $(@D)/prometheus_*.deb $(@D) && rm $(@D)/prometheus_*.deb
	@touch $@

$(LOCKER): requirements/lock.txt
	@$(call require-python)
	@rm -rf .venv-lock
	@$(PYTHON) -m venv .venv-lock
	@.venv-lock/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r requirements/lock.txt
	@touch $@

$(CHECKOV): requirements/checkov.txt
	@$(call require-python)
	@echo "Installing checkov..."
	@rm -rf .venv-checkov
	@$(PYTHON) -m venv .venv-checkov
	@.venv-checkov/bin/python -m pip --disable-pip-version-check --quiet --no-input install --require-hashes -r requirements/checkov.txt
	@touch $@

$(SITE): requirements/site.txt
	@$(call require-python)
	@echo "Installing what builds the site..."
	@rm -rf .venv-site
	@$(PYTHON) -m venv .venv-site
	@.venv-site/bin/python -m pip --disable-pip-version-check --quiet --no-input install --require-hashes -r requirements/site.txt
	@touch $@

# Pinned, with checksums, by scripts/openapi/go.mod and go.sum. Go itself decides whether anything is to be built anew.
define build-openapi-generator
	go build -C scripts/openapi -mod=readonly -o $(CURDIR)/$(BIN)/protoc-gen-openapiv3 \
	  github.com/grpc-ecosystem/grpc-gateway/v2/protoc-gen-openapiv3
endef

define require-python
	command -v $(PYTHON) >/dev/null || { \
	  echo "There is no '$(PYTHON)' here: install Python 3.11 or newer, or name one, as in 'make test PYTHON=python3.12'." >&2; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "'$(PYTHON)' is older than Python 3.11: install a newer one and name it, as in 'make test PYTHON=python3.12'." >&2; exit 1; }; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments: install its venv module (Debian, Ubuntu: apt-get install python3-venv) and try again." >&2; exit 1; }
endef
