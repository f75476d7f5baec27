"""Check the results: ``make verify``, or ``python -m reproduction.trust.verify``.

Two questions. Are the results those that the run left, byte for byte (their manifest says)? Are
they those of the reference that comes with the code (``results/reference``)?
"""

import argparse
import math
import os
import shutil
import sys
from pathlib import Path, PurePosixPath

from condprob.files import write_text
from condprob.interrupts import end_on_signals
from reproduction.jobs import describe_error
from reproduction.trust.kept_page import write_kept_page
from reproduction.trust.manifest import (
    MANIFEST,
    OF_SCOPE,
    ManifestError,
    check_files,
    find_manifests,
    hash_again,
    hash_file,
    read_manifest,
    read_provenance,
    write_manifest,
)
from reproduction.trust.reference import (
    DIFFERENT,
    Comparison,
    Reference,
    TableError,
    compare_figures,
    compare_tables,
    number_in,
    read_rows,
)
from reproduction.verdicts.criteria import COLUMNS_OF_CASES

# Folders that the reference does not hold: scores before averaging, models and texts.
LEFT_OUT_FOLDERS = {"scores", "models", "blocks", "texts", "corpora"}
LARGEST_KEPT_FILE = 300_000  # bytes
MOST_CELLS_SHOWN = 10  # differing cells listed for each file
CASES = "theory.csv"  # of a target: what its claims on cases rest on
NO_REFERENCE = "--reference results/reference compares with the project's own"


def check_hashes(folder):
    """Return a line for each file that is changed or missing, and paths that no manifest names."""
    found = check_files(folder)
    extra = [Path(folder, name) for name in found.pop("extra")]
    return [f"{state}: {Path(folder, n)}" for state, names in found.items() for n in names], extra


def compare(results, reference):
    """Compare results with a reference, both with a manifest in the folder of each target.

    Returns a `Comparison` for each file, and notes on the files that were left out, and why.
    """
    results, reference = Path(results), Path(reference)
    ours, theirs = find_manifests(results), find_manifests(reference)
    comparisons, notes = [], []
    for name, wanted in theirs.items():
        if name not in ours:
            notes.append(f"left out: {name}: a target that was not asked for")
            continue
        found, left_out = _compare_target(name, ours[name], wanted, results, reference)
        comparisons += found
        notes += left_out
    notes += [f"left out: {name}: the reference lacks it" for name in ours if name not in theirs]
    return comparisons, list(dict.fromkeys(notes))


def _compare_target(name, ours, theirs, results, reference):
    """Compare what one target made with the reference's; see `compare`."""
    run = read_provenance(results / name / MANIFEST, ours)
    other_run = read_provenance(reference / name / MANIFEST, theirs)
    texts = other_texts(run["corpora"], other_run["corpora"])
    notes = [f"left out: {corpus}: {reason}" for corpus, reason in texts.items()]
    wanted, lacking = theirs["files"], [f for f in kept(results, ours) if f not in theirs["files"]]
    notes += [f"left out: {file}: the reference lacks it" for file in lacking]
    unsteady = theirs.get("unsteady", ())
    how = Reference(
        other_texts=texts,
        claims=_claims_on(lacking, results / name),
        unsteady=unsteady,
        of_cases=_claims_of_cases(results / name),
        bounds=_bounds_of_cases(reference / name),
    )
    comparisons = []
    for file, digest in wanted.items():
        if _is_page(file):  # it tells the time and the machine
            continue
        mine = results / file
        if mine.is_file() and hash_file(mine) == digest:
            comparisons.append(Comparison(file, same_bytes=True))
        elif file.endswith(".png") and any(
            row.get("corpus") in texts for row in _rows(mine.with_suffix(".csv"))
        ):
            notes.append(f"left out: {file}: it shows a corpus that is left out")
        elif file.endswith(".png") and mine.stem in unsteady:
            notes.append(f"left out: {file}: it shows fits that do not come to rest")
        else:
            comparisons.append(_compare_files(file, mine, reference / file, how))
    return comparisons, notes


def _rows(table):
    """Return the rows of a table; none where it cannot be read, which its comparison reports."""
    try:
        return list(read_rows(table)[1].values())
    except (OSError, TableError):
        return []


def _claims_on(names, folder):
    """Return the ids of a target's claims that rest on some of these files."""
    place = f"{folder.name}/exhibits"
    return {
        row.get("id")
        for row in _rows(folder / "claims.csv")
        if f"{place}/{row.get('exhibit')}.csv" in names
    }


def _claims_of_cases(folder):
    """Return the ids of a target's claims whose verdict rests on cases."""
    rows = _rows(folder / "claims.csv")
    return {row["id"] for row in rows if (row.get("columns"), row.get("unit")) in COLUMNS_OF_CASES}


def _bounds_of_cases(folder):
    """Return the bound of each claim of a target on cases, by its id: that of the tightest case."""
    bounds, tightest = {}, {}
    for row in _rows(folder / CASES):
        bound, share = number_in(row.get("bound")), number_in(row.get("share"))
        check = row.get("check")
        if bound > 0 and share > tightest.get(check, -math.inf):
            bounds[check], tightest[check] = bound, share
    return bounds


def _compare_files(name, ours, reference, how):
    """Compare two files that are not the same in every byte."""
    for path in (ours, reference):
        if not path.is_file():
            found = Comparison(name)
            found.add(DIFFERENT, f"{path} is missing")
            return found
    if name.endswith(".csv"):
        return compare_tables(name, ours, reference, how)
    return compare_figures(name, ours, reference)


def other_texts(ours, theirs):
    """Return the corpora that are not the same text in both, each with the reason."""
    reasons = {}
    for corpus, receipt in ours.items():
        wanted = theirs.get(corpus, {}).get("content_sha256")
        if "reason" in receipt:
            reasons[corpus] = f"it could not be had, because {receipt['reason']}"
        elif corpus in theirs and not {"content_sha256"} & (receipt.keys() | theirs[corpus].keys()):
            continue  # a part of a corpus, or a collection, which has no hash of its own
        elif wanted is None:
            reasons[corpus] = "the reference was made without it"
        elif (found := receipt.get("content_sha256", "")) != wanted:
            reasons[corpus] = (
                f"another text than the reference's (SHA-256 {found[:12]}, not {wanted[:12]})"
            )
    return reasons


def update_reference(results, reference):
    """Make the tables and figures of the results the reference; return their names.

    Raises ManifestError if a result differs from its manifest, or the reference is a folder of
    something else.
    """
    results, reference = Path(results), Path(reference)
    wrong, _ = check_hashes(results)
    if wrong:
        raise ManifestError(f"the results are not those of their manifest: {wrong[0]}")
    manifests = find_manifests(results)
    reference.mkdir(parents=True, exist_ok=True)
    if any(reference.iterdir()) and not any(reference.glob(f"*/{MANIFEST}")):
        read_manifest(reference / MANIFEST, "it is no reference")
    for name, manifest in manifests.items():  # files of other targets stay
        if (reference / name).is_dir():
            old = read_manifest(reference / name / MANIFEST, "it is no reference")["files"]
            for file in [*old, f"{name}/{MANIFEST}"]:
                (reference / file).unlink(missing_ok=True)
        names = kept(results, manifest)
        for file in names:
            (reference / file).parent.mkdir(parents=True, exist_ok=True)
        names.sort(key=_is_page)  # a page links those of its files that are there
        files = [_copy(file, results, reference) for file in names]
        scope = {key: manifest[key] for key in OF_SCOPE if key in manifest}
        (reference / name).mkdir(exist_ok=True)
        provenance = manifest.get("provenance", {})
        write_manifest(reference / name / MANIFEST, reference, provenance, files, scope)
    written = [file for manifest in manifests.values() for file in kept(results, manifest)]
    for name, manifest in find_manifests(reference).items():  # two targets may share a file
        if name not in manifests:
            hash_again(reference / name / MANIFEST, manifest, reference, written)
    return written


def _is_page(name):
    return name.endswith(".html")


def _copy(name, results, reference):
    """Copy a file of the results to the reference; return its path there."""
    if _is_page(name):
        write_text(reference / name, write_kept_page(results / name, results, reference))
        return reference / name
    return shutil.copyfile(results / name, reference / name)


def kept(results, manifest):
    """Return the names of the results in a manifest that a reference holds."""
    ends = tuple(manifest.get("kept", (".csv", ".png")))
    return [
        name
        for name in manifest["files"]
        if name.endswith(ends)
        and not LEFT_OUT_FOLDERS.intersection(PurePosixPath(name).parts)
        and Path(results, name).is_file()
        and (_is_page(name) or Path(results, name).stat().st_size <= LARGEST_KEPT_FILE)
    ]


def report(results, reference):
    """Print each comparison; return whether all is as it should be."""
    changed, extra = check_hashes(results)
    print("\n".join(changed) or f"every file is as the manifests in {results} say")
    for path in extra:
        print(f"not checked: {path}: no manifest names it")
    if not any(Path(reference).glob(f"*/{MANIFEST}")):
        read_manifest(Path(reference, MANIFEST), NO_REFERENCE)
    spoilt, strange = check_hashes(reference)
    spoilt += [f"extra: {path}" for path in strange]
    print("\n".join(spoilt), end="\n" if spoilt else "")
    comparisons, notes = compare(results, reference)
    for found in comparisons:
        print(found)
        for line in found.differences[:MOST_CELLS_SHOWN]:
            print(f"  {line}")
        if len(found.differences) > MOST_CELLS_SHOWN:
            print(f"  and {len(found.differences) - MOST_CELLS_SHOWN} more")
    print("\n".join(notes), end="\n" if notes else "")
    different = [found.name for found in comparisons if found.verdict == DIFFERENT]
    wrong = [f"{len(changed)} files are not as in their manifest"] if changed else []
    wrong += [f"{len(spoilt)} files of the reference are not as in its manifest"] if spoilt else []
    wrong += [f"different from the reference: {', '.join(different)}"] if different else []
    print("NOT VERIFIED: " + "; ".join(wrong) if wrong else f"verified against {reference}")
    return not wrong


def main(arguments=None):
    """Run the command; return its exit status: 0 verified, 1 different, 2 nothing to check."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.trust.verify", description=__doc__
    )
    parser.add_argument("--results", default="results", help="folder of the results")
    parser.add_argument("--reference", help="folder to compare with (default: reference in it)")
    parser.add_argument(
        "--update-reference",
        action="store_true",
        help="make the tables and figures of the results the reference",
    )
    given = parser.parse_args(arguments)
    reference = given.reference or Path(given.results, "reference")
    try:
        if given.update_reference:
            names = update_reference(given.results, reference)
            print(f"{reference}: {len(names)} files with their manifests")
            return 0
        verified = report(given.results, reference)
        sys.stdout.flush()
        return 0 if verified else 1
    except BrokenPipeError:  # the reader of the lines, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing fails at the exit
        print("error: the output was closed before its end", file=sys.stderr)
    except (OSError, MemoryError, ValueError) as error:
        print(f"error: {describe_error(error)}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    end_on_signals("verify")
    sys.exit(main())
