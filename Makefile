# Everything a person types. Each target sets up what it needs; the second time that costs nothing.
SHELL := /bin/bash
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where bytecode is not kept, each worker and each process that a test starts compiles everything anew.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: run test test-browser test-long test-long-plain cover check format bench rules train deb trial trial-boot clean

run: $(VENV)/.run ## set up, then start the main job
	@$(BIN)/pipwatch demo

# Browsers and processes that share two cores are slow now and then. A test that fails beside others and passes alone
# is named, and its timing is to be mended; one that fails alone, too, fails.
ALONE = || { code=$$?; [ $$code = 1 ] || exit $$code; echo "These failed beside others; now each of them alone:"; \
	$(BIN)/python -m pytest --lf --lfnf=none --maxfail=5 -rpf $(ARGS); }

# Half of a test's time is waiting: two for each core take 16 minutes on two cores, one takes 24. Each needs 2 GB.
WORKERS ?= $(shell awk -v most=$$((2 * $$(nproc))) '/^MemAvailable/ {n = int($$2 / 2000000); \
	print (n < 1) ? 1 : (n < most) ? n : most}' /proc/meminfo)

test: $(VENV)/.test ## set up, then run the tests; what fails beside others is tried once more, alone
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS) $(ALONE)

BROWSER := $(shell grep -ls 'web.browser' tests/web/test_*.py)

test-browser: $(VENV)/.test ## the pages in a real browser, which root has installed where it is missing; without one it fails
	@.ci/tools
	@$(BIN)/python -m tests.web.browser
	@$(BIN)/python -m pytest -n auto --dist worksteal $(BROWSER) $(ARGS)

test-long: $(VENV)/.test ## the suites that take minutes to hours
	@$(BIN)/python -m pytest -n auto --dist worksteal -m long --timeout=7200 $(ARGS)

# A million plies of each game take two cores some ten minutes; what stands before main has less.
PLIES ?= 500000

test-long-plain: $(VENV)/.test ## those of them that draw no table in full; plies of each game: PLIES=1000000
	@PIPWATCH_PLIES=$(PLIES) $(BIN)/python -m pytest -n auto --dist worksteal -m "long and plain" --timeout=1800 $(ARGS)

cover: $(VENV)/.test ## every branch of the rule books is exercised, or this fails
	@$(BIN)/python -m pytest -n auto --dist worksteal tests/engine --cov=engine --cov-branch --cov-report=term --cov-fail-under=100 $(ARGS)

check: $(VENV)/.check $(VENV)/.test ## lint, format and types; every test can be collected
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy
	@$(BIN)/python -m pytest --collect-only -q >$(VENV)/collected || { tail -n 40 $(VENV)/collected; exit 1; }

format: $(VENV)/.check ## put every file into the house format
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix .

bench: $(VENV)/.bench ## speed, as ratios against known programs in the same run
	@$(BIN)/python -m benchmarks $(ARGS)

rules: $(VENV)/.test ## make docs/rules.md anew from the rule books and the tests
	@$(BIN)/python -m tests.trace

# Maps of the Duel that people have corrected and kept (pipwatch doctor names the folder) are learned from, too.
KEPT ?= $(HOME)/.local/share/pipwatch/examples/sheets

train: $(VENV)/.train ## draw pictures and teach the networks anew, hours on two cores; it goes on where it stopped
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 2200 --seed 1
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 920 --seed 3
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 520 --seed 4 --kind dice
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 720 --seed 6 --kind table
	@for each in "240 7102" "600 7200" "120 9300" "160 9400" "120 9500"; do set -- $$each; \
		$(BIN)/python -m training.pictures --out out/pictures --pictures $$1 --seed $$2 --kind table || exit 1; done
	@$(BIN)/python -m training.piece_finder --data out/pictures --out out/networks --steps 14000
	@$(BIN)/python -m training.domino_reader --data out/pictures --out out/networks --steps 42400
	@$(BIN)/python -m training.pictures --out out/manned --pictures 160 --seed 21 --kind manned
	@$(BIN)/python -m training.pictures --out out/manned --pictures 440 --seed 22
	@$(BIN)/python -m training.pictures --out out/manned --pictures 200 --seed 23 --kind table
	@$(BIN)/python -m training.domino_reader --data out/manned --out out/manned --steps 7000 --seed 6 --start out/networks/domino_reader.onnx
	@cp out/manned/domino_reader.onnx out/networks/manned_reader.onnx
	@$(BIN)/python -m training.small_reader --data out/pictures --out out/networks --steps 27000
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 1600 --seed 8001 --kind every-die
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 640 --seed 8002 --kind every-die
	@$(BIN)/python -m training.pictures --out out/pictures --pictures 480 --seed 8003 --kind every-die
	@$(BIN)/python -m training.die_reader --data out/pictures --out out/networks --steps 36000
	@$(BIN)/python -m training.teach_hidden_halves --data out/pictures --out out/networks --steps 12000
	@$(BIN)/python -m training.packed out/networks/{domino_reader,manned_reader,die_reader,hidden_halves,piece_finder}.onnx
	@$(BIN)/python -m training.pictures --out out/more-tables --pictures 600 --seed 9700 --kind table
	@$(BIN)/python -m training.pictures --out out/more-tables --pictures 80 --seed 9600 --kind table
	@$(BIN)/python -m training.teach_company --data out/more-tables --out out/networks
	@$(BIN)/python -m training.teach_sheet_cells --out out/sheets --sheets 4650 --steps 30000
	@$(BIN)/python -m training.teach_sheet_cells --out out/more-sheets --sheets 14000 --steps 18000 --start out/sheets/sheet_cells.onnx
	@$(BIN)/python -m training.sheet_marks --data out/marks-31 --draw 18500 --seed 31
	@if [ -d "$(KEPT)" ]; then $(BIN)/python -m training.sheet_marks --data out/marks-31 --kept "$(KEPT)"; fi
	@$(BIN)/python -m training.sheet_marks --data out/marks-31 --out out/marks-31 --steps 19400 --squares 768 --seed 31
	@$(BIN)/python -m training.teach_sheet_cells --out out/bold-sheets --sheets 1400 --seed 13 --steps 6000 --start out/more-sheets/sheet_cells.onnx
	@$(BIN)/python -m training.packed out/bold-sheets/sheet_cells.onnx
	@$(BIN)/python -m training.packed --places 9 out/marks-31/sheet_marks.onnx
	@$(BIN)/python -m training.join_looks

deb: $(VENV)/bin/python ## the Debian package, in dist/
	@$(BIN)/python systemd/package/deb.py $(ARGS)

trial: $(VENV)/bin/python ## install, try, update, remove and purge it in roots of Debian; as root. ARGS="--arch arm64 --release trixie"
	@$(BIN)/python systemd/trial/roots.py $(ARGS)

trial-boot: $(VENV)/bin/python ## boot a Debian with it, watch, kill and stop its service; as root. ARGS="--release bookworm"
	@$(BIN)/python systemd/trial/boot.py $(ARGS)

clean: ## forget the environment and everything made
	rm -rf $(VENV) build dist out .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

# On a Raspberry Pi the camera, the pins and OpenCV come from Debian: the environment must see them, and a second
# numpy beside Debian's would be one that its camera library cannot load.
MODEL := /proc/device-tree/model
has = $(shell $(PY) -c 'from importlib.util import find_spec; print(find_spec("$(1)") and "yes" or "")' 2>/dev/null)
PI := $(if $(shell grep -as 'Raspberry Pi' $(MODEL) | tr -d '\0'),yes,$(call has,picamera2))
DEBIAN := $(if $(PI),$(call has,cv2))
PC := $(if $(DEBIAN),,pc,)print

# One environment; each stamp adds what one kind of work needs.
$(VENV)/bin/python:
	@echo "Setting up Pipwatch in $(VENV) (once, about a minute)…"
	@$(PY) -c 'import sys; sys.exit("Pipwatch needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@$(if $(PI),$(if $(DEBIAN),:,echo "For camera and pins: sudo apt install $(APT), then make clean"),:)
	@$(PY) -m venv $(if $(PI),--system-site-packages )$(VENV) || { rm -rf $(VENV); echo "Could not make an environment. On Debian: sudo apt install python3-venv"; exit 1; }

EXTRAS_run := $(PC)
EXTRAS_test := $(PC),test
EXTRAS_check := $(PC),test,check
EXTRAS_bench := $(PC),bench
EXTRAS_train := $(PC),train
APT := python3-opencv python3-picamera2 python3-gpiozero python3-lgpio
LIMITS := $(if $(DEBIAN),$(VENV)/limits.txt,constraints.txt)

$(VENV)/limits.txt: constraints.txt | $(VENV)/bin/python
	@grep -Ev '^(numpy|opencv)' $< > $@
	@$(BIN)/python -c 'import numpy; print("numpy==" + numpy.__version__)' >> $@

$(VENV)/.run $(VENV)/.test $(VENV)/.check $(VENV)/.bench $(VENV)/.train: $(VENV)/.%: pyproject.toml $(LIMITS) | $(VENV)/bin/python
	@echo "Installing what '$*' needs…"
	@$(PIP) install --progress-bar on -q -c $(LIMITS) -e '.[$(EXTRAS_$*)]'
	@$(if $(DEBIAN),$(PIP) install -q -c $(LIMITS) onnxruntime || echo "Without onnxruntime OpenCV runs the networks.",:)
	@touch $@
