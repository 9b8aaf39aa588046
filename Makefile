# brat: every command a contributor needs. `make` alone lists them.

SHELL := bash
.DEFAULT_GOAL := help
python := .venv/bin/python
# Tests wait for processes a third of their time: half as many again as there are cores keep them busy.
jobs := $(or $(JOBS),$(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2))))
pytest := $(python) -m pytest -n $(jobs) --dist worksteal --inline-snapshot=disable
code := $(wildcard app tests benchmarks)
compile := $(python) -m uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-header --no-emit-index-url --no-annotate --quiet

.PHONY: help demo test test-all lint types format bench lock clean set-up sandbox sandbox-tests engines aider

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo: set-up sandbox ## run a whole convoy on a sample project and show it (ENGINE=claude-code or codex: the real thing)
	@$(python) -m app.demo $(if $(ENGINE),--engine $(ENGINE))

test: set-up sandbox-tests engines ## run all tests but the long matrices, with real claude and codex binaries
	@$(pytest) -m "not full"

test-all: test aider ## run `make test`, then the long matrices (aider, every crash point)
	@$(pytest) -m full

lint: set-up ## check style, sizes and import arrows
	@$(python) -m ruff check $(code)
	@$(python) -m ruff format --check $(code)
	@.venv/bin/lint-imports

types: set-up ## check types, strictly, in tests too
	@$(python) -m mypy $(code)

format: set-up ## lay out the code and mend what ruff can mend
	@$(python) -m ruff format $(code)
	@$(python) -m ruff check --fix $(code)

bench: set-up sandbox ## measure, as ratios to what the machine could do at best
	@$(python) -m benchmarks

lock: set-up engines ## renew requirements.lock and the engines' locks from what is asked for
	@$(compile) --upgrade --all-extras pyproject.toml -o requirements.lock
	@$(compile) --upgrade tests/engines/aider.in -o tests/engines/aider.lock
	@$(compile) --upgrade tests/engines/node.in -o tests/engines/node.lock
	@cd tests/engines && PATH="$$PATH:$(CURDIR)/.venv/bin" npm install --package-lock-only --ignore-scripts --loglevel=error

clean: ## remove all that was installed or made here
	@rm -rf .venv .engines .demo .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

set-up:
	@scripts/setup-venv.sh

sandbox: set-up
	@scripts/setup-sandbox.sh

sandbox-tests: set-up
	@scripts/setup-sandbox.sh tests

engines: set-up
	@scripts/setup-engines.sh

aider: set-up
	@scripts/setup-engines.sh aider
