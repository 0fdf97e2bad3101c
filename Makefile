# tourney: what a developer and a new user run. `make help` lists the targets.

PYTHON ?= python3
# Another Python has its own environment: `make test PYTHON=python3.13` makes .venv-python3.13. So have the versions of
# constraints/: `make test LOCKED=1` makes .venv-locked, of nothing but files whose hashes stand there.
LOCKED ?=
VENV := .venv$(if $(LOCKED),-locked)$(if $(filter-out python3,$(PYTHON)),-$(notdir $(PYTHON)))
BIN := $(VENV)/bin
TOOLS := .venv-tools
PYTEST = env -u PYTHONDONTWRITEBYTECODE TMPDIR=$$(sh tools/scratch-folder) $(BIN)/pytest -n 3 --dist worksteal

.PHONY: help demo serve test campaigns test-quick test-pythons simulate lint lint-container audit constraints format docs dist test-dist bench hostile soak clean kills

help: ## list the targets; with LOCKED=1 any of them uses the versions of constraints/, each file checked by its hash
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

demo: $(VENV)/.installed ## install what is needed and play a small event: 4 teams, a whole round robin
	$(BIN)/tourney demo

serve: $(VENV)/.installed-web ## install what is needed and serve an event that is being played: open it in a browser
	@trap : INT; $(BIN)/tourney serve --demo || [ $$? -eq 130 ]  # Ctrl-C is how it ends: no error for make

test: $(VENV)/.installed-dev ## install what is needed and run all tests, PostgreSQL included
	@$(PYTEST)

campaigns: $(VENV)/.installed-dev ## run the tests that measure, try much at random or play on clusters, which `make test` leaves out
	@$(PYTEST) -m campaign
	@HYPOTHESIS_PROFILE=thorough $(PYTEST) tests/property

# Whole events, kills and the manual are left out: they take most of the time, and little of it is Python's.
test-quick: $(VENV)/.installed-dev ## run the tests of single parts and of tables over sockets, the wire
	$(PYTEST) $(foreach folder,docs e2e kills launch sim,--ignore=tests/$(folder))

test-pythons: ## run all tests on every Python from 3.11 on that is found, each in an environment of its own
	@failed=; for python in $$(sh tools/find-pythons $(PYTHON)); do \
		echo "== $$python, $$($$python --version)"; \
		$(MAKE) --no-print-directory test PYTHON=$$python || failed="$$failed $$python"; \
	done; [ -z "$$failed" ] || { echo "failed on:$$failed" >&2; exit 1; }

SEEDS ?= 1000

simulate: $(VENV)/.installed-dev ## play simulated events full of faults, from a random seed: SEEDS=n, FIRST=n; SEED=n and its lines; SCALE=n: cost of n tables
	$(BIN)/python -m $(if $(SCALE),tests.sim.scale $(SCALE),tests.sim $(if $(SEED),--seed $(SEED),$(if $(FIRST),--first $(FIRST)) $(SEEDS)))

N ?= 500

kills: $(VENV)/.installed-dev ## kill runs, hosts, programs and servers of real events: N=500 kills, or SEED=n
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m tests.kills $(if $(SEED),--seed $(SEED),$(N))

lint: $(VENV)/.installed-dev ## style, types, the rules of imports, the English of the manual, and the units of systemd
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@sh tools/lint-prose $(BIN)/python
	@sh tools/verify-units config/systemd

lint-container: $(TOOLS)/.installed ## check the container file
	$(TOOLS)/bin/hadolint Containerfile

audit: ## ask the public database of known weaknesses about the versions of constraints/, in an environment of its own
	@[ -x .venv-audit/bin/python ] || $(PYTHON) -m venv .venv-audit
	@sh tools/audit .venv-audit/bin/python

constraints: $(VENV)/.installed-dev $(TOOLS)/.installed ## write constraints/: the versions that are installed and tested here, with hashes
	$(BIN)/python tools/write-constraints $(TOOLS)/bin/uv

dist: $(TOOLS)/.installed ## build the wheel and the source distribution into dist/, of the same bytes wherever that is done
	sh tools/build-dist $(TOOLS)/bin/python

test-dist: dist $(VENV)/.installed-dev ## install the wheel of dist/ into an empty environment and try it
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest tests/dist/installed_wheel.py

format: $(VENV)/.installed-dev ## put the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.installed-docs ## bring the manual's derived pages up to date, and build it into docs/_build
	PYTHONPATH=docs/_ext $(BIN)/python -m tourney_manual
	$(BIN)/sphinx-build --fail-on-warning --keep-going --nitpicky --quiet --builder html docs docs/_build
	@echo "the manual is docs/_build/index.html"

SOAK_MINUTES ?= 20

soak: $(VENV)/.installed-dev ## play 64 tables for SOAK_MINUTES, 20, and fail if a host's memory grows by more than 5 %
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m bench soak --minutes $(SOAK_MINUTES)

bench: $(VENV)/.installed-dev ## measure tables, wire, reports: some 10 minutes, written to results/bench
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m bench.suite

hostile: $(VENV)/.installed-dev $(VENV)/.installed-web ## attack the door of a table, the web server and that of tunnels, and measure who is beside; written to results/hostile*.md
	@status=0; for bench in hostile hostile-web hostile-tunnels; do \
	    env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m bench $$bench --seconds 4 --file results/$$bench.md || status=1; \
	done; exit $$status

clean: ## remove the environments, the built manual and what demos have left
	rm -rf .venv .venv-* tourney-demo* docs/_build tools/prose/node_modules

# The environment is made once, and installed into again when what the project needs has changed.
$(VENV)/bin/python:
	sh tools/make-venv $(PYTHON) $(VENV)

PIP_INSTALL = -m pip install --quiet --disable-pip-version-check

# The project itself has no hash, and pip wants one for all or for none: what it needs is installed first.
ifneq ($(LOCKED),)
LOCKS := constraints/development.txt
install = $(BIN)/python $(PIP_INSTALL) --require-hashes --requirement $(LOCKS) && \
	$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable .
else
install = $(BIN)/python $(PIP_INSTALL) --editable '.$(1)'
endif

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml $(LOCKS)
	$(call install)
	touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml $(LOCKS)
	$(call install,[dev])
	touch $@ $(VENV)/.installed

$(VENV)/.installed-web: $(VENV)/bin/python pyproject.toml $(LOCKS)
	$(call install,[web])
	touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python pyproject.toml $(LOCKS)
	$(call install,[docs])
	touch $@ $(VENV)/.installed

# Tools that build and check, in an environment of their own; always of the versions that constraints/ has.
$(TOOLS)/.installed: constraints/tools.txt
	[ -x $(TOOLS)/bin/python ] || sh tools/make-venv $(PYTHON) $(TOOLS)
	$(TOOLS)/bin/python $(PIP_INSTALL) --require-hashes --requirement constraints/tools.txt
	touch $@
