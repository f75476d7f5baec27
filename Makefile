# Each target sets up what it needs, in an environment of its own. The folder may have any name.
#
#   CORES=8            jobs at a time
#   CONFIG=mine.yaml   settings over those of config.yaml
#   DIRECTORY=other    a folder for results/ in place of this one
#   SMOKE="all beyond" what `make smoke` makes
#   NAME=figure-1a     the exhibit of `make figure`
#   VENV=...           the folder of the environment
#   TARGET=readings    what `make resume`, `figure` and `slurm` take, in place of the paper
#   PROFILE=...        a folder in profiles: where the jobs run, in place of CORES
#   STRICT=1           a corpus that is missing fails `make reproduce` and `make verify`
#   SECONDS_LONG=3600  how long `make attack` goes on
#   UPGRADE=1          newer versions in the locks of `make lock`

CORES ?= 8
# The targets of studies, some of which have several.
STUDIES := near_optimal theory readings beyond structured textbook survey everything
SMOKE ?= all theory readings beyond structured textbook survey
PYTHON ?= python3.13 python3.12 python3.11 python3.14 python3

# Snakemake cannot run a Python whose path has a space. Of a folder whose path has one, the
# environment lies in the user's cache, under a checksum of that path.
ifeq ($(words x$(CURDIR)x),1)
VENV ?= .venv
else
VENV ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/condprob-$(firstword $(shell pwd | cksum))
endif

PY := $(VENV)/bin/python
LOCKS := workflow/locks
INSTALLED := $(VENV)/installed
TEST_INSTALLED := $(VENV)/installed-test
BENCH_INSTALLED := $(VENV)/installed-bench
NOTEBOOK_INSTALLED := $(VENV)/installed-notebook
DOCS_INSTALLED := $(VENV)/installed-docs
SLURM_INSTALLED := $(VENV)/installed-slurm
SETTINGS := $(strip $(if $(DIRECTORY),--directory $(DIRECTORY)) $(if $(CONFIG),--configfile $(CONFIG)) \
	$(if $(STRICT),--config strict=True))
# Snakemake reads these files before the workflow can: their mistakes are reported first.
CHECK = $(if $(CONFIG),@$(PY) -m reproduction.config $(CONFIG))
# On this machine it takes profiles/default by itself.
SNAKEMAKE = $(PY) -m snakemake $(if $(PROFILE),--workflow-profile $(PROFILE),-j$(CORES))
# Before a run: the texts that are not at hand. Without a network the run does without them.
FETCH = @$(PY) -m snakemake -j1 --keep-going --quiet all $(SETTINGS) -- $(1)_texts || true
PIP_INSTALL := $(PY) -m pip install --disable-pip-version-check
INSTALL := sh workflow/install_locks.sh $(PY)

# Names and versions alone are sent. Without a network pip-audit ends with a traceback, and fails.
AUDIT := $(PY) -m pip_audit --disable-pip --no-deps --require-hashes --progress-spinner off \
	--timeout 10 --vulnerability-service osv

# Versions that a lock names stay in it as long as they do what pyproject.toml asks for.
COMPILE := $(PY) -m uv pip compile --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-annotate --no-header $(if $(UPGRADE),--upgrade)
define write_lock
cp $(1) $(VENV)/lock.txt
$(COMPILE) $(2) --output-file $(VENV)/lock.txt
{ sed '/^[^#]/,$$d' $(1); cat $(VENV)/lock.txt; } > $(VENV)/whole-lock.txt
cmp -s $(VENV)/whole-lock.txt $(1) || cp $(VENV)/whole-lock.txt $(1)
endef

.PHONY: help reproduce corpora resume figure $(STUDIES) \
	slurm smoke test explore attack cluster verify notebook docs dist bench lint lock clean

help: ## say what can be made
	@sed -n 's/^\([a-z_]*\):.*## /  make \1	/p' Makefile | expand -t 24

reproduce: $(INSTALLED) ## every figure and table of the paper, from raw data
	$(CHECK)
	$(call FETCH,near_optimal)
	$(SNAKEMAKE) $(SETTINGS)

corpora: $(INSTALLED) ## fetch the paper's texts that are not at hand, and no more
	$(PY) -m snakemake -j1 --keep-going $(SETTINGS) -- near_optimal_texts

resume: $(INSTALLED) ## go on after a run that was killed (TARGET=readings: after that one)
	$(CHECK)
	$(if $(wildcard $(PROFILE)/cancel_jobs.sh),sh $(PROFILE)/cancel_jobs.sh)
	$(PY) -m snakemake --unlock $(SETTINGS)
	$(SNAKEMAKE) $(SETTINGS) -- $(TARGET)

figure: $(INSTALLED) ## one figure of the paper, or of TARGET (NAME=figure-1a)
	@$(if $(NAME),,echo "error: which exhibit? make figure NAME=figure-1a" >&2; exit 2)
	$(CHECK)
	$(SNAKEMAKE) $(SETTINGS) -- results/$(or $(TARGET),near_optimal)/exhibits/$(NAME).png

near_optimal: ## the same as `make reproduce`, by the name of its study
theory: ## the paper's theory as rates: slopes, bounds, descents
readings: ## AD-LR against Kneser-Ney under every defensible reading, and on new texts
beyond: ## this project's own estimator against all others
structured: ## the second paper: structured penalties, on a block of Brown
textbook: ## a textbook: clusters, low dimensions, n-grams, matrix completion
survey: ## a survey: LSA, PLSA, SDR, neural and structural models beside all others
everything: ## all of these
$(STUDIES): $(INSTALLED)
	$(CHECK)
	$(call FETCH,$@)
	$(SNAKEMAKE) $(SETTINGS) -- $@

slurm: PROFILE := profiles/slurm
slurm: $(SLURM_INSTALLED) ## the same as jobs of a SLURM cluster, from its login node
	$(SNAKEMAKE) $(SETTINGS) -- $(TARGET)

smoke: $(INSTALLED) ## the paper and its further studies on small settings, in some minutes
	$(SNAKEMAKE) --directory results/smoke --configfile tests/smoke.yaml -- $(SMOKE)

test: $(TEST_INSTALLED) ## the whole test suite
	$(PY) -m pytest -n auto --maxprocesses 4 --dist loadfile --no-loadscope-reorder

explore: $(TEST_INSTALLED) ## the property tests, by Hypothesis with fresh random examples
	$(PY) -m pytest -m hypothesis --hypothesis-profile=random

attack: $(TEST_INSTALLED) ## interrupt whole runs; let crafted files loose on the readers (SECONDS_LONG=3600)
	$(PY) -m pytest -m long
	$(PY) -W ignore tests/attack/fuzz_readers.py --seconds $(or $(SECONDS_LONG),600)

cluster: $(TEST_INSTALLED) $(SLURM_INSTALLED) ## the tests that start a SLURM on this machine, where one is installed
	$(PY) -m pytest -m cluster

verify: $(INSTALLED) ## compare the results with results/reference (STRICT=1: what is missing is an error)
	$(PY) -m reproduction.verify $(if $(STRICT),--strict)

notebook: $(NOTEBOOK_INSTALLED) ## open the notebooks in JupyterLab
	$(PY) -m jupyter lab --notebook-dir notebooks

docs: $(TEST_INSTALLED) $(DOCS_INSTALLED) ## the site: guide, gallery, API, results; then open each of its pages
	rm -rf docs/_build docs/gallery docs/notebooks
	$(PY) -m sphinx --builder html --fail-on-warning --keep-going --quiet \
	  --conf-dir docs --doctree-dir docs/_build/doctrees . docs/_build/html
	$(PY) -m pytest -m site -o faulthandler_timeout=300 -o faulthandler_exit_on_timeout=true tests/docs
	@echo "the site is docs/_build/html/index.html"

# The dates in the archives are that of the last commit: the same commit gives the same bytes.
dist: $(INSTALLED) ## wheel and source archive of the library, the same bytes of the same commit
	mkdir -p dist
	SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(PY) -c \
	  "from flit_core import buildapi as b; b.build_sdist('dist'); b.build_wheel('dist')"

bench: $(BENCH_INSTALLED) ## time the library beside its peers
	$(PY) benchmarks/run.py

lint: $(TEST_INSTALLED) $(DOCS_INSTALLED) ## check code, types, spelling and docstrings, and the locks for known vulnerabilities
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m snakefmt --check Snakefile workflow benchmarks/py_lr/Snakefile
	$(PY) -m mypy
	$(PY) -m pytest -m types tests/condprob/test_types.py
	$(VENV)/bin/codespell
	$(PY) docs/check_docstrings.py
	$(VENV)/bin/zizmor --offline --no-progress --quiet .github
	@echo "known vulnerabilities of the locks:"
	@$(AUDIT) $(patsubst %,--requirement %,requirements.txt $(wildcard $(LOCKS)/*.txt)) 2> $(VENV)/audit.log; \
	  status=$$?; \
	  if grep -q "^requests.exceptions\|ConnectionError\|ServiceError" $(VENV)/audit.log; then \
	    echo "not audited: no answer from the database OSV (is there a network?)"; \
	  else \
	    cat $(VENV)/audit.log >&2; exit $$status; \
	  fi

lock: $(INSTALLED) ## pin what pyproject.toml asks for; keeps pins that still fit
	$(PIP_INSTALL) --quiet --require-hashes --requirement $(LOCKS)/uv.txt
	$(call write_lock,requirements.txt,--extra reproduction pyproject.toml)
	$(call write_lock,$(LOCKS)/test.txt,--group dev --constraint requirements.txt)
	$(call write_lock,$(LOCKS)/bench.txt,--group bench --constraint requirements.txt)
	$(call write_lock,$(LOCKS)/docs.txt,--group docs --constraint requirements.txt)
	$(call write_lock,$(LOCKS)/notebook.txt,--group notebook --constraint requirements.txt)
	$(call write_lock,$(LOCKS)/slurm.txt,--group slurm --constraint requirements.txt)
	$(call write_lock,$(LOCKS)/uv.txt,--group uv)

clean: ## remove what was computed; keeps results/reference and .venv
	if [ -d results ]; then find results -mindepth 1 -maxdepth 1 ! -name reference -exec rm -r {} +; fi
	rm -rf .snakemake .pytest_cache .ruff_cache .hypothesis .benchmarks logs docs/_build docs/gallery docs/notebooks dist
	find . -path ./.venv -prune -o -name __pycache__ -exec rm -r {} +

# A changed lock or pyproject.toml installs again; the mark is made only when all went well.
$(INSTALLED): requirements.txt pyproject.toml
	@$(if $(filter .venv,$(VENV)),,echo "the environment lies in $(VENV)")
	@$(PY) -c '' 2> /dev/null || sh workflow/make_environment.sh "$(VENV)" $(PYTHON)
	@$(INSTALL) requirements.txt
	$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(TEST_INSTALLED) $(BENCH_INSTALLED) $(DOCS_INSTALLED) $(NOTEBOOK_INSTALLED) $(SLURM_INSTALLED): \
	$(VENV)/installed-%: $(LOCKS)/%.txt $(INSTALLED)
	@$(INSTALL) $<
	@touch $@
