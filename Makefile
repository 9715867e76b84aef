# Everything that is done here, by name. `make` alone lists it.

VENV := .venv
RUN := $(VENV)/bin/python
REQUIREMENTS ?= requirements-dev.txt
LOCK := locked/$(REQUIREMENTS)
# Further arguments for a target: make test ARGS="-k wallets"
ARGS ?=
# Each of these has a PostgreSQL and a Valkey of its own.
TEST_PROCESSES ?= auto
# The first Python of at least 3.11; PYTHON=... takes another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo "$$python" && break; done)
CHROMIUM = $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)
# Without its compiled form, each process of a house and of the tests would compile the project.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help frames hosts rolling setup run test lint check fix bench simulate services lockstep soak chaos counts books install-browser clean image-deps collectstatic gallery fits story books outages redteam fuzz hiding lock audit sbom

help:
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r a b; \
		do printf '  make %-16s %s\n' "$$a" "$$b"; done

# Kept as it is while the lock and the environment's Python are the same; made anew when that
# Python is gone or too old.
setup: ## make .venv from locked/, every file by its hash (quick when nothing has changed)
	@if ! $(RUN) -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		if [ -z "$(PYTHON)" ]; then echo "setup: Python 3.11 or later is needed" >&2; exit 1; fi; \
		$(PYTHON) -m venv --clear $(VENV) || { \
			echo "setup: $(PYTHON) cannot make a venv (Debian: install python3-venv)" >&2; exit 1; }; \
	fi; \
	stamp="$$({ $(RUN) -VV; cat $(LOCK); } | cksum)"; \
	if [ "$$stamp" != "$$(cat $(VENV)/stamp 2>/dev/null)" ]; then \
		echo "setup: installing $(REQUIREMENTS)"; \
		$(RUN) -m pip install --quiet --disable-pip-version-check \
			--require-hashes -r $(LOCK) || exit 1; \
		echo "$$stamp" > $(VENV)/stamp; \
	fi

run: setup ## open a demo house; PORT=8001 moves it, HOST=0.0.0.0 opens it to the network
	@exec $(RUN) -m casino.house

test: setup ## run the tests
	@$(if $(CHROMIUM),,echo "No Chromium here: browser tests are skipped; make install-browser adds it.")
	$(RUN) -m pytest -n $(TEST_PROCESSES) --maxprocesses 8 \
		--dist loadfile --no-loadscope-reorder $(ARGS)

lint: setup
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy casino tables wallets
	$(VENV)/bin/lint-imports
	$(RUN) -m casino.house.with_servers $(RUN) manage.py makemigrations --check --dry-run

check: lint test ## all that must hold before a change is kept: style, types, layers, migrations, tests

fix: setup ## put style right where that can be done by itself
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

bench: setup ## measure this machine: one table, the JSON of each question in var/bench (minutes); ARGS="engine rounds" asks only those
	@$(RUN) -m bench $(ARGS)

hosts: setup ## two hosts in networks of their own on one database, one cut off in mid-hand (root; two minutes); JSON
	@$(RUN) -m bench.hosts $(ARGS)

simulate: setup ## play random hands of every game and check every law; ARGS="--hands 20" is a short run
	$(RUN) manage.py simulate --every --hands 20000 $(ARGS)

lockstep: setup ## ten thousand hands of each game that PokerKit deals too, in step with it
	$(RUN) -m tests.engine.poker.lockstep $(ARGS)

soak: setup ## a house is played in while its processes are killed; ARGS="--seconds 900" is the long edition
	$(RUN) manage.py soak $(ARGS)

services: setup ## hands dealt by the house's services in the order, and with the faults, that a seed chooses; ARGS="--hands 20000 --processes 2"
	$(RUN) -m tests.simulation $(ARGS)

chaos: setup ## every mishap at every step of a hand, while players play; ARGS="--seconds 3600 --results docs/results/chaos.json"
	$(RUN) manage.py chaos $(ARGS)

rolling: setup ## a house of an older commit is replaced part by part while hands are played; ARGS="--old COMMIT"
	$(RUN) manage.py rolling $(ARGS)

counts: setup ## every hand there is, counted by class, and many hands of hard tables
	$(RUN) -m pytest -q -m slow tests/engine $(ARGS)

books: setup ## kill the database between any two statements of every posting (minutes)
	$(RUN) -m pytest -q -m slow tests/wallets

gallery: setup ## pictures of every family in its states, both languages, three sizes, in var/gallery (minutes)
	$(RUN) -m tests.web.gallery $(ARGS)

fits: setup ## every game at every number of players fits every screen, in every language (half an hour)
	$(RUN) -m tests.web.fits $(ARGS)

story: setup ## a visit in the player's client and a gaming day at the console, in a browser (minutes)
	$(RUN) -m pytest -q -m slow tests/web tests/console

outages: setup ## PostgreSQL, then all web processes away for a minute in mid-decision; a house as it was at a moment (minutes)
	$(RUN) -m pytest -q -m slow tests/flows

redteam: setup ## attacks on a house in mid-hand, each with the refusal it must meet; writes docs/results/redteam.json
	REDTEAM_REPORT=docs/results/redteam.json $(RUN) -m pytest -q tests/flows/redteam

lock: setup ## after a change of the pins: versions, hashes, licences; then make setup (asks the package index)
	@for set in requirements requirements-dev requirements-bench; do \
		$(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
			--no-annotate --no-header $(ARGS) $$set.txt -o locked/$$set.txt || exit 1; \
	done
	@$(MAKE) --no-print-directory setup
	$(RUN) -m tests.supply.licences > docs/licences.md

audit: setup ## known weaknesses of what is locked, where the data can be reached; secrets in the history
	$(RUN) -m tests.supply.audit $(ARGS)
	$(RUN) -m tests.supply.secret_scan --history

sbom: setup ## the bill of materials of a house, CycloneDX, in var/sbom.cdx.json
	$(RUN) -m tests.supply.sbom $(ARGS)

fuzz: setup ## a hundred thousand strange inputs to every parser, the API and the sockets (many minutes); writes docs/results/fuzz.json
	FUZZ_REPORT=docs/results/fuzz.json $(RUN) -m pytest -q -m slow tests/fuzz $(ARGS)

hiding: setup ## a million hands of the hiding game: is a card that was never shown guessed too often?
	$(RUN) -m pytest -q -s -m slow tests/proof $(ARGS)

frames: setup ## 500 hands of every game, each viewer's frames searched for hidden cards; writes docs/results/frames.json
	FRAMES_REPORT=docs/results/frames.json $(RUN) -m pytest -q -m slow tests/tables/test_frames_searched.py

install-browser: ## install Debian's Chromium where there is none, for the browser tests
	@if [ -n "$(CHROMIUM)" ]; then echo "Chromium is here: $(CHROMIUM)"; \
	elif ! command -v apt-get >/dev/null; then \
		echo "install-browser: no apt-get here; install Chromium by hand" >&2; exit 1; \
	else \
		root=; [ "$$(id -u)" = 0 ] || root=sudo; \
		$$root apt-get update -q && \
		$$root apt-get install -q -y --no-install-recommends chromium; \
	fi

clean: ## remove caches and collected files; data (var/) and .venv stay
	rm -rf static-collected .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -path ./$(VENV) -prune -o -name __pycache__ -type d -print | xargs -r rm -rf

image-deps: ## what an image needs installed: the run-time requirements alone
	@$(MAKE) --no-print-directory setup REQUIREMENTS=requirements.txt

# Static files do not depend on a house's keys; these are only there to let the settings load.
collectstatic: ## gather static files under hashed names into static-collected/
	@CROUPIER_ENV=demo $(RUN) manage.py collectstatic --no-input --clear -v 0
	@echo "collectstatic: $$(find static-collected -type f | wc -l) files"
