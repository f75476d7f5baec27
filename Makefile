# Each target sets up what it needs, in .venv. All paths are relative: the folder may have any name.

CORES ?= 8
PYTHON ?= python3.13 python3.12 python3.11 python3

PY := .venv/bin/python
INSTALLED := .venv/installed
BENCH_INSTALLED := .venv/installed-bench
COMPILE := $(PY) -m uv pip compile --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-annotate --no-header

.PHONY: help reproduce test smoke multiverse verify bench lint lock clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 18

reproduce: $(INSTALLED) ## every figure and table of the paper, from raw data
	$(PY) -m snakemake -j$(CORES)

test: $(INSTALLED) ## the whole test suite
	$(PY) -m pytest

smoke: $(INSTALLED) ## the whole pipeline on small settings, in about a minute
	$(PY) -m snakemake -j$(CORES) --configfile tests/smoke.yaml

multiverse: $(INSTALLED) ## the claims of Table 1 under every defensible reading, and on new texts
	$(PY) -m snakemake -j$(CORES) multiverse

verify: $(INSTALLED) ## compare the results with their manifest and with results/reference
	$(PY) -m reproduction.trust.verify

bench: $(BENCH_INSTALLED) ## time the library beside its peers
	$(PY) benchmarks/run.py

lint: $(INSTALLED) ## check the form of the code
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m snakefmt --check Snakefile workflow
	$(PY) -m snakemake --lint

lock: $(INSTALLED) ## choose and pin all versions anew, from pyproject.toml
	$(PY) -m pip install --quiet 'uv>=0.9'
	{ sed '/^[^#]/,$$d' requirements.txt; \
	  $(COMPILE) --quiet --extra pipeline --group dev --group lock pyproject.toml; } > .venv/lock.txt
	mv .venv/lock.txt requirements.txt
	{ sed '/^[^#]/,$$d' requirements-bench.txt; \
	  $(COMPILE) --quiet --group bench --constraint requirements.txt; } > .venv/lock.txt
	mv .venv/lock.txt requirements-bench.txt

clean: ## remove what was computed; keeps results/reference and .venv
	if [ -d results ]; then find results -mindepth 1 -maxdepth 1 ! -name reference -exec rm -r {} +; fi
	rm -rf .snakemake .pytest_cache .ruff_cache .hypothesis .benchmarks logs
	find . -path ./.venv -prune -o -name __pycache__ -exec rm -r {} +

# A changed lock or pyproject.toml installs again; the mark is made only when all went well.
$(INSTALLED): requirements.txt pyproject.toml
	@$(PY) -c '' 2> /dev/null || { \
	  for python in $(PYTHON); do \
	    "$$python" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	      2> /dev/null && exec "$$python" -m venv --clear .venv; \
	  done; \
	  echo "error: needs Python 3.11, 3.12 or 3.13 with its venv module; none among: $(PYTHON)" \
	    "(name another with 'make PYTHON=...')" >&2; \
	  exit 1; }
	$(PY) -m pip install --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(PY) -m pip install --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(BENCH_INSTALLED): requirements-bench.txt $(INSTALLED)
	$(PY) -m pip install --disable-pip-version-check --require-hashes --requirement requirements-bench.txt
	@touch $@
