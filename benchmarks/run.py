"""``make bench``: time the library beside its peers, and write the results.

Methods that are compared run in turn, several times; a ratio is taken within a repetition. Writes
benchmarks/results.csv, docs/performance.png and .svg, and the two tables of docs/performance.md. A
--quick run only prints, unless --write is given.
"""

from argparse import ArgumentParser
from importlib.util import find_spec
from pathlib import Path

from completion import time_completion
from direct import time_direct
from front import measure_front
from growth import measure_growth
from iteration import time_kernels, time_threads
from lowdim import time_lowdim
from measure import Results
from ngrams import time_ngrams
from pipeline import time_pipeline
from problems import load_texts, text_problems
from report import describe_machine, draw, write_page
from roofline import measure_roofline
from structured import time_structured
from threadpoolctl import threadpool_limits
from trials import time_trials

TOP = Path(__file__).parent.parent
CSV = Path(__file__).parent / "results.csv"
DOCS = TOP / "docs"


def main():
    """Run the chosen sections."""
    options = read_options()
    texts, missing = load_texts()
    problems = text_problems(texts)
    few, many = (3, 5) if options.quick else (9, 31)
    sections = {
        "iteration": lambda: time_kernels(results, problems, few, many),
        "threads": lambda: time_threads(results, problems, many, options.quick),
        "roofline": lambda: measure_roofline(results, problems, many),
        "trials": lambda: time_trials(results, few, many),
        "direct": lambda: time_direct(results, texts, few, options.quick),
        "lowdim": lambda: time_lowdim(results, texts, few),
        "ngrams": lambda: time_ngrams(results, texts, few),
        "completion": lambda: time_completion(results, few, options.quick),
        "neural": lambda: _time_neural(results, texts, few),
        "structured": lambda: time_structured(results, few, options.quick),
        "growth": lambda: measure_growth(results, texts, options.quick),
        "front": lambda: measure_front(results, texts, few, options.quick),
        "pipeline": lambda: time_pipeline(results, options.quick),
    }
    results = Results()
    for name, reason in missing.items():
        results.add("corpora", name, "text", "", note=reason)
    for name, run in sections.items():
        if not options.only or name in options.only:
            print(name, flush=True)
            run()
            results.add("machine", name, "", "", note=describe_machine())
    if options.write or not (options.quick or options.only):
        if options.only and CSV.exists():
            results = results.put_into(Results.read(CSV))
        results.write(CSV)
        report(results)


def _time_neural(results, texts, repetitions):
    if find_spec("torch"):
        from neural_peer import time_neural, time_reduction

        time_neural(results, repetitions)
        time_reduction(results, texts, repetitions)
    else:
        results.add("neural", "", "PyTorch", "", note="it is not installed")


def report(results):
    """Write the page and the figure."""
    write_page(results, DOCS / "performance.md")
    draw(results, DOCS)
    print("written: benchmarks/results.csv, docs/performance.md, .png, .svg")


def read_options():
    """Read the command line."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, few repetitions")
    parser.add_argument("--only", nargs="+", metavar="SECTION", help="these sections alone")
    parser.add_argument(
        "--write", action="store_true", help="write their results, too; others stay"
    )
    return parser.parse_args()


if __name__ == "__main__":
    with threadpool_limits(1):  # BLAS of numpy and scikit-learn, too
        main()
