"""The configuration, checked once, and what the rules look up in it.

TEXTS     which corpora and other texts there are, and why each of the others is missing
EXHIBITS  the figures and tables of the paper: their entries in config.yaml, with those corpora
STUDIES   what the rules look up of each target: its exhibits, the files of its scores
"""

import os
import sys
import time
from pathlib import Path

from reproduction.code import changed_since, checksum, code_version, words_behind
from reproduction.config import check_config, complete_config, list_files, or_exit
from reproduction.corpora.available import Available
from reproduction.corpora.sources import is_at_hand
from reproduction.methods import COMPILED_BY, groups_of
from reproduction.page.index import write_index
from reproduction.studies import STUDIES as PACKAGES
from reproduction.studies.near_optimal.answer import (
    corpora_of_answer,
    list_answer,
    list_answer_scores,
)
from reproduction.studies.near_optimal.plan import (
    corpora_of,
    law_of,
    list_exhibits,
    list_scores,
    methods_of_job,
    sizes_of,
)
from reproduction.study import (
    TOP,
    choose_methods,
    fields_of,
    fitted_in,
    ids_of,
    make_entry,
    make_study,
    section_of,
    without_style,
    without_style_of,
)

for file in or_exit(list_files):

    configfile: file


config = or_exit(complete_config, config)  # in a module it is the caller's

if workflow.is_main_process:  # the processes of jobs take the config as it is
    or_exit(check_config, config, list_files(workflow.overwrite_configfiles))

SRC = f"{TOP}/src/reproduction"
STARTED, CODE = time.time(), checksum() if workflow.is_main_process else {}
DECISION = "results/logs/missing.json"  # written by the main process, read by those of jobs
TEXTS = Available(config["strict"]) if workflow.is_main_process else Available.read(DECISION)
CORPORA = [
    corpus
    for corpus, entry in config["corpora"].items()
    if TEXTS.has(corpus, f"results/corpora/{corpus}.npz", is_at_hand(entry))
]
PAPER = list_exhibits(config["exhibits"], CORPORA)
EXHIBITS = dict(PAPER)  # those of further studies that score_models and score_corpus serve, too
ANSWER = list_answer(config, PAPER, CORPORA)
STUDIES = {
    "near_optimal": make_study(
        "near_optimal",
        "near_optimal",
        PAPER | ANSWER,
        list_scores("near_optimal", PAPER, config["methods"]) | list_answer_scores(ANSWER, PAPER),
        corpora=corpora_of(config["exhibits"]) | corpora_of_answer(config),
        fitted=("lr", "add-half-lr", "naive-add-half-lr"),
    )
}
STUDIES_BESIDE = [p for p in PACKAGES[1:] if section_of(config, p)]


wildcard_constraints:
    study="[a-z_]+",
    exhibit="[A-Za-z0-9-]+",
    method="[A-Za-z0-9-]+",
    corpus="|".join(config["corpora"]),
    k="[0-9]+",
    m="[0-9]+",


def study(wildcards):
    """Return the study that a rule works for."""
    return STUDIES[wildcards.study]


def abstract_of(name):
    """Return the file of a study's structured abstract, if it has one."""
    return ["results/near_optimal/abstract.csv"] if name == "near_optimal" and ANSWER else []


def kernels(ids):
    """Return the marks of the groups of functions that have to be compiled for some methods."""
    return [f"results/logs/{group}.compiled" for group in groups_of(ids)]


def methods_of(wildcards):
    """Return the entries of the methods that a job of the paper's fits."""
    return methods_of_job(config["methods"], EXHIBITS[wildcards.exhibit], wildcards.method)


def entries(wildcards):
    """Return the entries of the methods of an exhibit, with their labels."""
    return choose_methods(config, study(wildcards).exhibits[wildcards.exhibit].get("methods", ()))


def asked():
    """Return the studies that a run was asked for, by a target or by a file."""
    targets = [str(target) for target in workflow.dag_settings.targets] or ["near_optimal"]
    named = [
        study
        for study in STUDIES.values()
        if any(t in (study.name, "everything") or f"/{study.name}/" in t for t in targets)
    ]
    return named or [STUDIES["near_optimal"]]


def say_missing():
    """Name each text that is left out, at the start and at the end of a run."""
    for line in TEXTS.lines({text for study in asked() for text in study.texts}):
        print(line, file=sys.stderr)


def say_changed():
    """Name code that was edited while the run went on: its results may be of both versions."""
    if changed := changed_since(CODE):
        named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if changed[3:] else "")
        print(f"Changed during the run: {named}. Run the same command again.", file=sys.stderr)


def say_made():
    """Name what a run made: the page, or else the first figures."""
    for study in asked():
        files = map(Path, dict.fromkeys([*study.results, *study.files("csv")]))
        new = [file for file in files if file.is_file() and file.stat().st_mtime >= STARTED]
        shown = [file for form in (".html", ".png", ".csv") for file in new if file.suffix == form]
        print(f"{study.name}: {len(new)} results made.", *map(str, shown[:3]))
    write_index("results", STUDIES)
    print("The front page: results/index.html")
