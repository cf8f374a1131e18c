# One command each, the same on a laptop and in CI. Everything may be run again at any time: a step
# whose inputs did not change is skipped. The stamps of finished steps are in .build/.

PYTHON ?= python3
PROFILE ?= $(if $(CI),ci,dev)
ARGS ?=

BIN := .venv/bin
STATIC := src/toprung/console/static
export PATH := $(CURDIR)/$(BIN):$(PATH)

PURE_CRATES := crates/toprung-rank crates/toprung-decide crates/toprung-intake
CRATES := $(PURE_CRATES) crates/toprung-py
CRATE_FILES := $(shell find $(CRATES) -name target -prune -o -type f -print)
CONSOLE_FILES := $(shell find console -name node_modules -prune -o -type f -print)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test setup lint lint-python lint-rust test-rust test-console \
	test-python test-debug bench lock audit clean doctor

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

run: setup ## set up what is missing and start the product with a demo game
	@exec $(BIN)/toprung demo $(ARGS)

test: setup lint test-rust test-debug test-console test-python ## set up what is missing and run every check and test

setup: doctor .build/package .build/console ## make .venv, build the Rust core and the console

lint: lint-python lint-rust ## style, types, import contracts, stubs

lint-python: .build/package
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict src
	$(BIN)/lint-imports
	$(BIN)/stubtest toprung._native --mypy-config-file pyproject.toml

lint-rust: | doctor
	for crate in $(CRATES); do \
		(cd $$crate && cargo fmt --check && cargo clippy --quiet --locked --all-targets -- -D warnings) || exit 1; \
	done

test-rust: | doctor ## the tests of the pure crates; they need no network
	for crate in $(PURE_CRATES); do \
		(cd $$crate && cargo test --quiet --locked --offline) || exit 1; \
	done

# In a debug build an overflow is a panic instead of a wrong number. The package stands there once
# more: links to the source beside a core of its own.
test-debug: .build/package ## what is native on a debug build of the core
	cd crates/toprung-py && PYO3_BUILD_EXTENSION_MODULE=1 cargo build --quiet --locked
	rm -rf .build/debug && mkdir -p .build/debug/toprung/_native
	ln -s $(filter-out %/_native,$(wildcard $(CURDIR)/src/toprung/*)) .build/debug/toprung/
	ln -s $(wildcard $(CURDIR)/src/toprung/_native/*.py*) .build/debug/toprung/_native/
	cp crates/toprung-py/target/debug/lib_core.so .build/debug/toprung/_native/_core.abi3.so
	PYTHONPATH=.build/debug $(BIN)/python -c 'from toprung import _native; assert _native.build_profile() == "debug"'
	PYTHONPATH=.build/debug $(BIN)/pytest -n 2 --hypothesis-profile=$(PROFILE) \
		tests/contract/test_native_*.py tests/property/test_deciders_agree.py \
		tests/property/test_batches_agree.py

test-console: .build/console ## types and unit tests of the pages
	cd console && npm test

test-python: .build/package .build/console packages-for-tests ## pytest, with a browser on the built pages; choose with ARGS="-k top", more examples with PROFILE=ci
	$(BIN)/pytest -n 2 --dist loadscope --hypothesis-profile=$(PROFILE) $(ARGS)

bench: setup packages-for-benchmarks ## measure everything in short, beside Redis and Valkey, and print a table
	$(BIN)/python bench/suite.py $(ARGS)

# Without ARGS=--upgrade a version stays where it was unless pyproject.toml no longer allows it.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --custom-compile-command "make lock" $(ARGS) pyproject.toml --extra server
lock: .build/requirements ## remake the Python and npm locks; newer Python packages with ARGS=--upgrade
	$(LOCK) --output-file requirements/server.lock.txt
	$(LOCK) --extra data --extra redis --group dev --output-file requirements/dev.lock.txt
	cd console && npm install --package-lock-only --ignore-scripts --no-audit --no-fund
	node scripts/bare-lock.mjs console/package-lock.json

audit: .build/requirements ## ask for known vulnerabilities in what a server installs
	$(BIN)/pip-audit --strict --disable-pip --require-hashes --vulnerability-service osv \
		-r requirements/server.lock.txt

clean: ## remove what these commands made; the demo's data in .demo is kept
	rm -rf .build .venv console/node_modules $(STATIC) $(CRATES:%=%/target) dist
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis schemathesis-report
	rm -f src/toprung/_native/_core*.so

doctor:
	@scripts/doctor "$(PYTHON)"

packages-for-%:
	@scripts/debian-packages $*

# The target is a file whose time is that of its making; the interpreter is a link to an older one.
.venv/pyvenv.cfg: | doctor
	$(PYTHON) -m venv .venv

.build/requirements: .venv/pyvenv.cfg requirements/dev.lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock.txt
	@mkdir -p .build && touch $@

# Only metadata and the compiled module need this step again; Python files are used where they are.
.build/package: .build/requirements pyproject.toml $(CRATE_FILES)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

console/node_modules/.package-lock.json: console/package.json console/package-lock.json | doctor
	cd console && npm ci --no-audit --no-fund
	@touch $@

.build/console: console/node_modules/.package-lock.json $(CONSOLE_FILES)
	cd console && npm run build
	@mkdir -p .build && touch $@
