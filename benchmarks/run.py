"""``make bench``: time the library beside its peers, and write the results.

Methods that are compared run in turn, several times; a ratio is taken within a repetition. Writes
benchmarks/results.csv after each section, and at the end docs/performance.png and .svg, and the
tables of docs/performance.md. A section that runs again takes the place of its rows; the rows of
another machine go. With --quick it only prints.
"""

import subprocess
import time
from argparse import ArgumentParser
from pathlib import Path

from first import time_first
from growth import measure_growth
from iteration import time_kernels, time_threads, time_yardstick
from measure import Results
from neural import time_neural
from ngrams import time_ngrams
from peers import compare_lsa, compare_users, compare_words
from pipeline import time_pipeline
from problems import load_texts, text_problems
from report import describe_machine, draw, write_page
from structured import time_structured
from threadpoolctl import threadpool_limits

TOP = Path(__file__).parent.parent
CSV = Path(__file__).parent / "results.csv"
DOCS = TOP / "docs"


def main():
    """Run the chosen sections."""
    sections = {
        "first": lambda: time_first(results, few),
        "iteration": lambda: time_kernels(results, problems, many),
        "yardstick": lambda: time_yardstick(results, problems, many),
        "threads": lambda: time_threads(results, problems, many, options.quick),
        "words": lambda: compare_words(results, texts, few),
        "users": lambda: compare_users(results, few, options.quick),
        "lsa": lambda: compare_lsa(results, texts, many),
        "ngrams": lambda: time_ngrams(results, texts, many),
        "neural": lambda: time_neural(results, few, options.quick),
        "structured": lambda: time_structured(results, many, options.quick),
        "growth": lambda: measure_growth(results, options.quick),
        "pipeline": lambda: time_pipeline(results, options.quick),
    }
    options = read_options(sections)
    few, many = (1, 3) if options.quick else (3, 9)
    texts, missing = load_texts()
    problems, machine = text_problems(texts), describe_machine()
    results = Results() if options.quick else Results.read(CSV, machine)
    results.drop("machine", "corpora")
    results.add("machine", "", "", "", note=machine)
    for name, reason in missing.items():
        results.add("corpora", name, "text", "", note=reason)
    for name in options.only or sections:
        print(name, flush=True)
        results.drop(name)
        start = time.perf_counter()
        try:
            sections[name]()
        except (MemoryError, subprocess.CalledProcessError) as error:  # the others go on
            results.add(name, "", "failed", "", note=str(error))
        results.add("make bench", name, "whole section", "s", [time.perf_counter() - start])
        if not options.quick:
            results.sort(["machine", "corpora", *sections])
            results.write(CSV)
    if not options.quick:
        write_page(results, DOCS / "performance.md")
        draw(results, DOCS)
        print("written: benchmarks/results.csv, docs/performance.md, .png, .svg")


def read_options(sections):
    """Read the command line."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, few repetitions")
    parser.add_argument("--only", nargs="+", choices=[*sections], help="these sections alone")
    return parser.parse_args()


if __name__ == "__main__":
    with threadpool_limits(1):  # BLAS of numpy and scikit-learn, too
        main()
