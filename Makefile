# Everything a person types. Each target sets up what it needs; the second time that costs nothing.
SHELL := /bin/bash
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test test-long cover check format bench rules train clean

run: $(VENV)/.run ## set up, then start the main job
	@$(BIN)/pipwatch demo

test: $(VENV)/.test ## set up, then run the tests
	@$(BIN)/python -m pytest -n auto $(ARGS)

test-long: $(VENV)/.test ## the suites that take minutes to hours
	@$(BIN)/python -m pytest -n auto -m long --timeout=7200 $(ARGS)

cover: $(VENV)/.test ## every branch of the rule books is exercised, or this fails
	@$(BIN)/python -m pytest -n auto tests/engine --cov=engine --cov-branch --cov-report=term --cov-fail-under=100 $(ARGS)

check: $(VENV)/.check ## lint, format and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(VENV)/.check ## put every file into the house format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench: $(VENV)/.bench ## speed, as ratios against known programs in the same run
	@$(BIN)/python -m benchmarks $(ARGS)

rules: $(VENV)/.test ## make docs/rules.md anew from the rule books and the tests
	@$(BIN)/python -m tests.trace

train: $(VENV)/.train ## draw pictures and teach the networks anew, hours on two cores; it goes on where it stopped
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 2200 --seed 1
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 920 --seed 3
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 520 --seed 4 --kind dice
	@$(BIN)/python -m training.piece_finder --data out/pictures --out out/networks --steps 7200
	@$(BIN)/python -m training.domino_reader --data out/pictures --out out/networks --steps 11000
	@$(BIN)/python -m training.small_reader --data out/pictures --out out/networks --steps 17000

clean: ## forget the environment and everything made
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

# One environment; each stamp adds what one kind of work needs.
$(VENV)/bin/python:
	@echo "Setting up Pipwatch in $(VENV) (once, about a minute)…"
	@$(PY) -c 'import sys; sys.exit("Pipwatch needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@$(PY) -m venv $(VENV) || { rm -rf $(VENV); echo "Could not make an environment. On Debian: sudo apt install python3-venv"; exit 1; }

EXTRAS_run := pc,print
EXTRAS_test := pc,print,test
EXTRAS_check := pc,print,test,check
EXTRAS_bench := pc,print,bench
EXTRAS_train := pc,print,train

$(VENV)/.run $(VENV)/.test $(VENV)/.check $(VENV)/.bench $(VENV)/.train: $(VENV)/.%: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "Installing what '$*' needs…"
	@$(PIP) install --progress-bar on -q -c constraints.txt -e '.[$(EXTRAS_$*)]'
	@touch $@
