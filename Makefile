# Everything a contributor needs; `make help` lists it. Needs Python 3.11 or newer, make and git.

PYTHON ?= python3
ROUNDS ?= 20
MINUTES ?= 5
SEED ?= 1
# The extras of the container image.
SERVER := server mcp postgres openai pdf pii
# One more than the cores: some tests wait for a server, a disk or a clock.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
VENV := .venv
BIN := $(VENV)/bin
FRAMEWORKS := .venv-frameworks
# uv reads the dependency groups of pyproject.toml, which pip does only from 25.1 on, and is quick.
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python
# Many containers set this. Hundreds of processes would then compile every module again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test frameworks frameworks-apart lint format chromium client runtimes client-types client-runtimes plugins web web-types web-shots bench load soak torture wheel image docs embedder-check clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.core ## remember a sample conversation, ask it questions, show why
	@$(BIN)/python -m recollect.cli.demo

test: $(VENV)/.test lint chromium client runtimes ## lint, then run every test and the documentation's code
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --hypothesis-profile=ci

frameworks: $(VENV)/.made ## test the adapters against the newest releases of their frameworks, in .venv-frameworks
	@test -x $(FRAMEWORKS)/bin/python || $(BIN)/uv venv --quiet --python $(PYTHON) $(FRAMEWORKS)
	@echo "installing the newest frameworks into $(FRAMEWORKS)"
	@$(BIN)/uv pip install --quiet --python $(FRAMEWORKS)/bin/python --upgrade --editable . --group frameworks
	@$(FRAMEWORKS)/bin/python -m pytest -n auto --dist worksteal --hypothesis-profile=ci tests/integrations \
		-o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function

frameworks-apart: $(VENV)/.made ## the same for CrewAI and Hermes, which need other versions: in .venv-frameworks-NAME
	@for name in crewai hermes; do \
		python=$(FRAMEWORKS)-$$name/bin/python; \
		test -x $$python || $(BIN)/uv venv --quiet --python $(PYTHON) $(FRAMEWORKS)-$$name || exit 1; \
		echo "installing the newest $$name into $(FRAMEWORKS)-$$name"; \
		$(BIN)/uv pip install --quiet --python $$python --upgrade --editable . --group frameworks-$$name || exit 1; \
		$$python -m pytest tests/integrations/test_$$name.py tests/integrations/test_arguments.py \
			tests/integrations/test_pages.py -k $$name || exit 1; \
	done

lint: $(VENV)/.test ## ruff, mypy and the import rules
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo "not formatted: run make format"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo --config pyproject.toml > $(VENV)/imports.log || { cat $(VENV)/imports.log; exit 1; }

format: $(VENV)/.test ## format the code and mend what can be mended by itself
	@$(BIN)/ruff format --quiet .
	@$(BIN)/ruff check --quiet --fix .

chromium:
	@sh scripts/chromium.sh

web: web/node_modules/.made ## build the web page into the package (needs Node 20)
	@cd web && npm run --silent build

web-types: web/node_modules/.made $(VENV)/.test ## make the page's types from the server's OpenAPI (needs Node 20)
	@$(BIN)/python -m scripts.openapi > web/openapi.tmp && cd web && npm run --silent types < openapi.tmp; rm -f openapi.tmp

plugins: $(VENV)/.test ## write the plugin of coding agents again, after a change of its skill or the version
	@$(BIN)/python -m scripts.build_plugins

client-types: clients/typescript/node_modules/.made $(VENV)/.test ## make the TypeScript client's types likewise
	@$(BIN)/python -m scripts.openapi all > clients/typescript/openapi.tmp && cd clients/typescript && npm run --silent types < openapi.tmp; rm -f openapi.tmp

client: ## install and build the TypeScript client where Node is; the tests need it
	@sh scripts/client.sh

runtimes:
	@sh scripts/runtimes.sh

client-runtimes: $(VENV)/.test client ## run the client's tests in the newest Deno and Bun too, from .runtimes
	@CI=true sh scripts/runtimes.sh
	@$(BIN)/python -m pytest tests/clients -k "deno or bun"

web-shots: $(VENV)/.test chromium ## take the pictures of the documentation again (needs Chromium)
	@RECOLLECT_SHOTS=docs/images $(BIN)/python -m pytest -n 0 tests/web/test_shots.py

bench: $(VENV)/.bench ## speed on generated data, and what changed; quality too with BENCH="--locomo FILE --beam FILE"
	@$(BIN)/python -m benchmarks all $(BENCH)

load: $(VENV)/.bench ## users who add and search: URL=http://... KEY=..., or on a server of its own; LOAD="--users 100"
	@RECOLLECT_KEY="$$KEY" $(BIN)/python -m benchmarks.load $(if $(URL),--url "$(URL)") $(if $(KEEP),--keep) $(if $(DELETE),--delete "$(DELETE)") $(LOAD)

soak: $(VENV)/.test ## every test ROUNDS times (20), each time with other random examples
	@for round in $$(seq $(ROUNDS)); do echo "round $$round"; $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal || exit 1; done

torture: $(VENV)/.test ## attack stores and a server for MINUTES (5) and report; SEED=1
	@$(BIN)/python -m benchmarks.torture --minutes $(MINUTES) --seed $(SEED)

wheel: $(VENV)/.made ## build the sdist, the wheel from it, and lists of dependencies with hashes, into dist/
	@$(BIN)/uv build --quiet -o dist .
	@$(BIN)/uv pip compile --quiet --generate-hashes --all-extras pyproject.toml -o dist/requirements.txt
	@$(BIN)/uv pip compile --quiet --generate-hashes --universal $(SERVER:%=--extra %) pyproject.toml -o dist/requirements-server.txt
	@cd dist && sha256sum *.whl *.tar.gz requirements*.txt

image: wheel ## build the container image recollect (needs Docker)
	@docker build --tag recollect .

docs: $(VENV)/.docs ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "look at it: $(BIN)/python -m http.server --directory site"

embedder-check: ## rebuild the bundled embedder's data and compare it (minutes, 1.5 GB)
	@PYTHON="$(PYTHON)" sh scripts/embedder-check.sh

clean: ## remove what was built, the virtual environment included
	@rm -rf $(VENV) $(FRAMEWORKS) $(FRAMEWORKS)-* .runtimes web/node_modules clients/typescript/node_modules clients/typescript/dist site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

# Stamps, written last: installed again only when pyproject.toml or package-lock.json is newer.

%/node_modules/.made: %/package-lock.json
	@cd $* && npm ci --silent --no-audit --no-fund
	@touch $@

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

$(VENV)/.core: $(VENV)/.made pyproject.toml
	@echo "installing recollect into $(VENV)"
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.core
	@echo "installing what the tests need"
	@$(INSTALL) --group test
	@touch $@

$(VENV)/.docs: $(VENV)/.core
	@echo "installing what the documentation needs"
	@$(INSTALL) --group docs
	@touch $@

$(VENV)/.bench: $(VENV)/.core
	@echo "installing what the benchmarks need"
	@$(INSTALL) --group bench
	@touch $@
