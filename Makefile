# Two commands on a machine that has only Python 3.11 or newer and make:
#   make lab     set everything up and open the first notebook
#   make test    set everything up and run every check
# A set-up that is still valid is not repeated.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install
# uv asks for all packages at once and needs a third of pip's time; where it cannot be had, or does
# not find what pip is configured to find, pip does the work.
INSTALL = { $(PIP) -q uv && $(BIN)/uv pip install --python $(BIN)/python $(1); } || $(PIP) $(1)
ARGS ?=

# The first Python that is new enough and can create environments (Debian packs venv separately).
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	if $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' \
	>/dev/null 2>&1; then echo $$p; break; fi; done)

# Two halves that need one core each: the examples of the package compile nearly all kernels, which
# several workers would else all compile at the same time; those on poker are compiled while mypy
# reads, then what comes along, and bytecode for the tests.
unexport PYTHONDONTWRITEBYTECODE
PYTEST = $(BIN)/python -m pytest $(MARKED)
POKER = workbench/poker workbench/jamfold
BEGIN = { $(BIN)/mypy && $(PYTEST) -q workbench $(POKER:%=--ignore=%); } & others=$$!; \
	$(PYTEST) -q $(POKER) data && { $(PYTEST) --collect-only tests >/dev/null 2>&1 || true; }; \
	poker=$$?; wait $$others && exit $$poker
WORKERS := -n auto --dist worksteal
# Workers have no core to spare, and a thread of BLAS that waits for work takes a whole one.
test test-all: export OPENBLAS_NUM_THREADS = 1
test test-all: export MPLBACKEND = Agg
test-all: MARKED = -m ''

.DEFAULT_GOAL := help
.PHONY: help lab test test-all browser bench ledger course notebooks truths clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) \
	| while IFS='|' read -r target text; do printf '%-18s %s\n' "$$target" "$$text"; done

lab: $(VENV)/stamp-lab  ## set up, compile the kernels, open JupyterLab on the first notebook
	$(BIN)/workbench lab $(ARGS)

test: $(VENV)/stamp-dev browser  ## set up, then ruff, mypy and all tests but the slow ones
test-all: $(VENV)/stamp-dev browser  ## the same with the slow tests
test test-all:
	$(BIN)/ruff check .
	@$(BEGIN)
	$(PYTEST) tests $(WORKERS) $(ARGS)

bench: $(VENV)/stamp-bench  ## compare the speed with other solvers; ARGS=--keep keeps the results
	$(BIN)/python -m tests.bench $(ARGS)

ledger: $(VENV)/stamp-lab  ## write ledger.html: published numbers beside ours
	$(BIN)/python -m workbench.lab.reports.ledger ledger.html

course: $(VENV)/stamp-lab  ## write course/: all notebooks and the reference as pages that need no network
	$(BIN)/workbench report notebooks -o course

notebooks: $(VENV)/stamp-lab  ## run all notebooks and keep their outputs
	$(BIN)/python -m nbconvert --to notebook --execute --inplace \
		--ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False \
		$$($(BIN)/python -m workbench.lab.shelves)

truths: $(VENV)/stamp-lab  ## run the worked solutions and record what their exercises compare answers with
	MPLBACKEND=agg $(BIN)/python -m tests.truths

clean:  ## remove the set-up and everything that tools left behind
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find workbench tests notebooks -name __pycache__ -prune -exec rm -rf {} +

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
	echo "workbench needs Python 3.11 or newer with its venv module, and found none" \
	"(python3 is $$(python3 --version 2>&1 || true)). Install one, or name it:" \
	"make lab PYTHON=/path/to/python3" >&2; exit 1; fi
	$(PYTHON) -m venv --clear $(VENV)

$(VENV)/stamp-lab: pyproject.toml | $(BIN)/python
	@echo "Installing what the notebooks need; the first time this takes a minute or two."
	@$(call INSTALL,-e .)
	@touch $@

$(VENV)/stamp-dev: pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need; the first time this takes a minute or two."
	@$(call INSTALL,-e '.[dev]')
	@touch $@ $(VENV)/stamp-lab

# Browser tests drive Chromium. Where it can be had for the asking (root on Debian: containers, CI)
# it is installed; elsewhere these tests are skipped and say why. Never a reason to fail here.
browser:
	@for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do \
	command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "Installing Chromium for the browser tests."; \
	{ apt-get update -q && export DEBIAN_FRONTEND=noninteractive && \
	get="apt-get install -yq --no-install-recommends fonts-dejavu-core" && \
	{ $$get chromium-headless-shell || $$get chromium; }; } >/dev/null || \
	echo "Chromium cannot be installed here; going on without it."; \
	else echo "There is no Chromium here: tests that need one are skipped."; fi

# One by one: a peer that cannot be installed here is named by the benchmark as missing.
PEERS := import tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	print(*project["optional-dependencies"]["bench"], sep="\n")

$(VENV)/stamp-bench: $(VENV)/stamp-lab
	@$(BIN)/python -c '$(PEERS)' | while read -r peer; do \
	$(PIP) "$$peer" || echo "$$peer cannot be installed here; going on without it"; done
	@touch $@
