# Needs make and Python 3.11 or newer; every target sets up what it needs by itself.

HOST ?= 127.0.0.1
PORT ?= 8400
# The first Python on the PATH that is new enough; PYTHON=... overrides it.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

BIN := .venv/bin
RUNTIME := .venv/.runtime-installed
DEV := .venv/.dev-installed
# Nothing is fetched without its hash: what builds packages comes first, locked, and without isolation
# a package that comes as source is built with it instead of with whatever is newest.
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
INSTALL_BUILD := $(INSTALL) --require-hashes --only-binary :all: -r requirements-build.lock
INSTALL_LOCKED := $(INSTALL) --require-hashes --no-build-isolation -r
INSTALL_PROJECT := $(INSTALL) --no-deps --no-build-isolation -e .
SERVE := $(BIN)/commonroom serve --host $(HOST) --port $(PORT)
DEMO := .cache/demo
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-config \
	--no-header --no-annotate --group build
COMPILE_RUNTIME := $(COMPILE) pyproject.toml --extra dynamodb

# Tests start many servers and commands: without bytecode, each would compile the whole source anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run demo wheel dev test coverage check format bench model lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(RUNTIME) ## set up what is needed to run Commonroom, in .venv

run: $(RUNTIME) ## start Commonroom (HOST=127.0.0.1 PORT=8400)
	@$(SERVE)

demo: $(DEMO) ## start Commonroom with demonstration data, in .cache/demo
	@$(SERVE) --data $(DEMO)

wheel: $(RUNTIME) ## build a wheel, in dist
	@$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist/*.whl

dev: $(DEV) ## set up what is needed to work on Commonroom, in .venv

test: $(DEV) ## run the tests on all cores (ALL=1 for the slow ones too; ARGS=tests/library to choose)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(if $(ALL),--all) $(ARGS)

coverage: $(DEV) ## run all tests and report the branches they leave out
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --all $(ARGS)
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

DEVIATIONS := docs/decisions/0009-where-tables-differ-from-the-data-models.md

model: $(DEV) ## write docs/model.md and decision 9 anew from the declarations
	$(BIN)/commonroom model > docs/model.md
	sed '/^<!-- below:/q' $(DEVIATIONS) > $(DEVIATIONS).new && echo >> $(DEVIATIONS).new
	$(BIN)/commonroom model --against --markdown >> $(DEVIATIONS).new
	mv $(DEVIATIONS).new $(DEVIATIONS)

bench: $(DEV) ## run the benchmarks
	$(BIN)/python -m benchmarks $(ARGS)

# Keeps every version that still fits; the other locks take their versions from the development lock.
# No option writes an index address into the files, and the last step makes sure of it.
lock: $(DEV) ## write the lock files anew from pyproject.toml (UPGRADE=1 for newest versions)
	$(COMPILE_RUNTIME) $(if $(UPGRADE),--upgrade) --group dev --group bench -o requirements-dev.lock
	$(COMPILE_RUNTIME) -c requirements-dev.lock -o requirements.lock
	$(COMPILE) -c requirements-dev.lock -o requirements-build.lock
	@if grep -n -e '://' -e '^-' requirements*.lock; then \
		echo 'A lock file holds an address or an option; it must only hold names, versions and hashes.'; \
		exit 1; fi

clean: ## remove everything that was set up or built here
	rm -rf .venv .cache build dist htmlcov .coverage .coverage.* .hypothesis
	rm -rf .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Commonroom needs Python 3.11 or newer; none was found.'; exit 1; }
	@echo "Making .venv with $$($(PYTHON) --version) …"
	@$(PYTHON) -m venv .venv

$(RUNTIME): requirements.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo 'Installing what Commonroom needs (the first time, this takes about a minute) …'
	@$(INSTALL_BUILD)
	@$(INSTALL_LOCKED) requirements.lock
	@$(INSTALL_PROJECT)
	@touch $@

# The development lock holds the whole runtime lock.
$(DEV): requirements-dev.lock requirements.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo 'Installing what working on Commonroom needs (the first time, this takes about two minutes) …'
	@$(INSTALL_BUILD)
	@$(INSTALL_LOCKED) requirements-dev.lock
	@$(INSTALL_PROJECT)
	@touch $(RUNTIME) $@

# Filled beside its place, so that an interrupted demonstration is not taken for a whole one.
$(DEMO): | $(RUNTIME)
	@rm -rf $@.new
	@$(BIN)/commonroom demo --data $@.new
	@mv $@.new $@
