# Needs make and Python 3.11 or newer; every target sets up what it needs by itself.

HOST ?= 127.0.0.1
PORT ?= 8400
# The first Python on the PATH that is new enough; PYTHON=... overrides it.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
UV_VERSION := 0.13.7

BIN := .venv/bin
RUNTIME := .venv/.runtime-installed
DEV := .venv/.dev-installed
LOCK_TOOL := .cache/lock/$(UV_VERSION)
# Both locks hold the build backend, so nothing is fetched without its hash.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_LOCKED := $(INSTALL) --require-hashes -r
INSTALL_PROJECT := $(INSTALL) --no-deps --no-build-isolation -e .
COMPILE := $(LOCK_TOOL)/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-config --no-header --no-annotate --group build --extra dynamodb

# Tests start many servers and commands: without bytecode, each would compile the whole source anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run dev test coverage check format bench model lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(RUNTIME) ## set up what is needed to run Commonroom, in .venv

run: $(RUNTIME) ## start Commonroom (HOST=127.0.0.1 PORT=8400)
	$(BIN)/commonroom serve --host $(HOST) --port $(PORT)

dev: $(DEV) ## set up what is needed to work on Commonroom, in .venv

test: $(DEV) ## run the tests on all cores (ARGS="-k lend" to choose)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(ARGS)

coverage: $(DEV) ## run the tests and report the branches they leave out
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

check: $(DEV) ## check format, lint, types and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

model: $(DEV) ## write docs/model.md anew from the declarations
	$(BIN)/commonroom model > docs/model.md

bench: $(DEV) ## run the benchmarks
	$(BIN)/python -m benchmarks $(ARGS)

# Keeps every version that still fits; the runtime lock takes its versions from the development lock.
# No option writes an index address into the files, and the last step makes sure of it.
lock: $(LOCK_TOOL) ## write both lock files anew from pyproject.toml (UPGRADE=1 for newest versions)
	$(COMPILE) $(if $(UPGRADE),--upgrade) --group dev --group bench -o requirements-dev.lock
	$(COMPILE) -c requirements-dev.lock -o requirements.lock
	@if grep -n -e '://' -e '^-' requirements.lock requirements-dev.lock; then \
		echo 'A lock file holds an address or an option; it must only hold names, versions and hashes.'; \
		exit 1; fi

clean: ## remove everything that was set up or built here
	rm -rf .venv .cache build dist htmlcov .coverage .coverage.* .hypothesis
	rm -rf .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Commonroom needs Python 3.11 or newer; none was found.'; exit 1; }
	$(PYTHON) -m venv .venv

$(RUNTIME): requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL_LOCKED) requirements.lock
	$(INSTALL_PROJECT)
	@touch $@

# The development lock holds the whole runtime lock.
$(DEV): requirements-dev.lock requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL_LOCKED) requirements-dev.lock
	$(INSTALL_PROJECT)
	@touch $(RUNTIME) $@

$(LOCK_TOOL):
	@test -n '$(PYTHON)' || { echo 'Commonroom needs Python 3.11 or newer; none was found.'; exit 1; }
	$(PYTHON) -m venv $@.new
	$@.new/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	rm -rf $@ && mv $@.new $@
