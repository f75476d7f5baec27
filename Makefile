# Each target sets up what it needs, in an environment of its own. The folder may have any name.
#
#   CORES=8            jobs at a time
#   CONFIG=mine.yaml   settings over those of config.yaml
#   NAME=figure-1a     the exhibit of `make figure`
#   VENV=...           the folder of the environment

CORES ?= 8
PYTHON ?= python3.13 python3.12 python3.11 python3

# Snakemake cannot run a Python whose path has a space. Of a folder whose path has one, the
# environment lies in the user's cache, under a checksum of that path.
ifeq ($(words x$(CURDIR)x),1)
VENV ?= .venv
else
VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/condprob-$(firstword $(shell pwd | cksum))
endif

PY := $(VENV)/bin/python
INSTALLED := $(VENV)/installed
BENCH_INSTALLED := $(VENV)/installed-bench
SETTINGS := $(if $(CONFIG),--configfile $(CONFIG))
SNAKEMAKE := $(PY) -m snakemake --logger progress -j$(CORES)
COMPILE := $(PY) -m uv pip compile --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-annotate --no-header

.PHONY: help reproduce resume figure multiverse smoke test verify bench lint lock clean

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 18

reproduce: $(INSTALLED) ## every figure and table of the paper, from raw data
	$(SNAKEMAKE) $(SETTINGS)

resume: $(INSTALLED) ## go on after a run that was killed (TARGET=multiverse: after that one)
	$(PY) -m snakemake --unlock $(SETTINGS)
	$(SNAKEMAKE) --rerun-incomplete $(SETTINGS) -- $(TARGET)

figure: $(INSTALLED) ## one exhibit: its figure, and its table in print (NAME=figure-1a)
	@$(if $(NAME),,echo "error: which exhibit? make figure NAME=figure-1a" >&2; exit 2)
	$(SNAKEMAKE) $(SETTINGS) -- exhibit_$(NAME)

multiverse: $(INSTALLED) ## the claims of Table 1 under every defensible reading, and on new texts
	$(SNAKEMAKE) $(SETTINGS) -- multiverse

smoke: $(INSTALLED) ## the whole pipeline on small settings, in about a minute
	$(SNAKEMAKE) --configfile tests/smoke.yaml

test: $(INSTALLED) ## the whole test suite
	$(PY) -m pytest

verify: $(INSTALLED) ## compare the results with their manifest and with results/reference
	$(PY) -m reproduction.trust.verify

bench: $(BENCH_INSTALLED) ## time the library beside its peers
	$(PY) benchmarks/run.py

lint: $(INSTALLED) ## check the form of the code
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m snakefmt --check Snakefile workflow

lock: $(INSTALLED) ## choose and pin all versions anew, from pyproject.toml
	$(PY) -m pip install --quiet 'uv>=0.9'
	{ sed '/^[^#]/,$$d' requirements.txt; \
	  $(COMPILE) --quiet --extra pipeline --group dev --group lock pyproject.toml; } > $(VENV)/lock.txt
	mv $(VENV)/lock.txt requirements.txt
	{ sed '/^[^#]/,$$d' requirements-bench.txt; \
	  $(COMPILE) --quiet --group bench --constraint requirements.txt; } > $(VENV)/lock.txt
	mv $(VENV)/lock.txt requirements-bench.txt

clean: ## remove what was computed; keeps results/reference and .venv
	if [ -d results ]; then find results -mindepth 1 -maxdepth 1 ! -name reference -exec rm -r {} +; fi
	rm -rf .snakemake .pytest_cache .ruff_cache .hypothesis .benchmarks logs
	find . -path ./.venv -prune -o -name __pycache__ -exec rm -r {} +

# A changed lock or pyproject.toml installs again; the mark is made only when all went well.
$(INSTALLED): requirements.txt pyproject.toml
	@$(if $(filter .venv,$(VENV)),,echo "the environment lies in $(VENV)")
	@$(PY) -c '' 2> /dev/null || { \
	  for python in $(PYTHON); do \
	    "$$python" -c 'import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	      2> /dev/null && exec "$$python" -m venv --clear "$(VENV)"; \
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
