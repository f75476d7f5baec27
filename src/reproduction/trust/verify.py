"""Check the results: ``make verify``, or ``python -m reproduction.trust.verify``.

Two questions. Are the results those that the run left, byte for byte (their manifest says)? Are
they those of the reference that comes with the code (``results/reference``)?
"""

import argparse
import os
import shutil
import sys
from pathlib import Path, PurePosixPath

from reproduction.trust.manifest import (
    MANIFEST,
    OPTIONAL,
    ManifestError,
    check_files,
    hash_file,
    optional_files,
    read_manifest,
    read_provenance,
    write_manifest,
)
from reproduction.trust.reference import (
    DIFFERENT,
    Comparison,
    TableError,
    compare_figures,
    compare_tables,
    read_rows,
)

# What the reference holds: for each folder of the results, files whose names end so. It leaves out
# what would take too much room in a repository, such as the table of all universes.
KEPT = {
    ".": (".csv",),
    "exhibits": (".csv", ".png"),
    "multiverse": (".csv",),
    "structured": (".csv",),
    "structured/default": (".csv", ".png"),
    "structured/full": (".csv", ".png"),
}
LARGEST = 300_000  # bytes
SHOWN = 10  # differing cells told for each file
NO_REFERENCE = "`python -m reproduction.trust.verify --update-reference` makes one of the results"


def check_hashes(folder):
    """Return a line for each file that is not what its manifest says, and the extra files.

    Parameters
    ----------
    folder : str or Path

    Returns
    -------
    wrong : list of str
        Files that are changed or missing.
    extra : list of Path
        Files that no manifest names, such as an exhibit of one's own.
    """
    found = check_files(folder)
    extra = [Path(folder, name) for name in found.pop("extra")]
    return [f"{what}: {Path(folder, n)}" for what, names in found.items() for n in names], extra


def compare(results, reference):
    """Compare the results with the reference.

    Parameters
    ----------
    results, reference : str or Path
        Folders with a manifest each.

    Returns
    -------
    comparisons : list of Comparison
    notes : list of str
        What was left out, and why.
    """
    results, reference = Path(results), Path(reference)
    ours, theirs = read_manifest(results / MANIFEST), read_manifest(reference / MANIFEST)
    run = read_provenance(results / MANIFEST, ours)
    other_run = read_provenance(reference / MANIFEST, theirs)
    methods, texts = other_run["methods"], other_texts(run["corpora"], other_run["corpora"])
    notes = [f"left out: {corpus}: {reason}" for corpus, reason in texts.items()]
    made, wanted = ours["files"] | optional_files(results), theirs["files"]
    wanted = wanted | optional_files(reference)
    lacking = [name for name in kept(results) if name not in wanted]
    notes += [f"left out: {name}: the reference lacks it" for name in lacking]
    claims = _claims_on(lacking, results)
    comparisons = []
    for name, digest in wanted.items():
        mine = results / name
        if name not in made and name not in theirs["files"]:
            notes.append(f"left out: {name}: of a target that was not asked for")
        elif mine.is_file() and hash_file(mine) == digest:
            comparisons.append(Comparison(name, same_bytes=True))
        elif name.endswith(".png") and _shows(mine.with_suffix(".csv"), texts):
            notes.append(f"left out: {name}: it shows a corpus that is left out")
        else:
            given = (mine, reference / name, methods, texts, claims)
            comparisons.append(_compare_files(name, *given))
    return comparisons, notes


def _claims_on(names, results):
    """Return the ids of the claims that rest on some of these files."""
    try:
        rows = read_rows(results / "claims.csv")[1].values()
    except (OSError, TableError):  # told where the file itself is compared
        return set()
    return {row.get("id") for row in rows if f"exhibits/{row.get('exhibit')}.csv" in names}


def _compare_files(name, ours, reference, methods, texts, claims=()):
    """Compare two files that are not the same in every byte.

    Parameters
    ----------
    name : str
        Of the file in the results.
    ours, reference : path
    methods : dict
        The config's methods, on whose randomness tolerances hang.
    texts : collection of str
        Corpora that are not the same text in both.
    claims : collection of str
        Ids of claims that the reference may lack.
    """
    for path in (ours, reference):
        if not path.is_file():
            found = Comparison(name)
            found.add(DIFFERENT, f"{path} is missing")
            return found
    if name.endswith(".csv"):
        return compare_tables(name, ours, reference, methods, texts, claims)
    return compare_figures(name, ours, reference)


def other_texts(ours, theirs):
    """Return the corpora that are not the same text in both, each with the reason."""
    reasons = {}
    for corpus, receipt in ours.items():
        wanted = theirs.get(corpus, {}).get("content_sha256")
        if "reason" in receipt:
            reasons[corpus] = f"it could not be had, because {receipt['reason']}"
        elif wanted is None:
            reasons[corpus] = "the reference was made without it"
        elif (found := receipt.get("content_sha256", "")) != wanted:
            reasons[corpus] = (
                f"another text than the reference's (SHA-256 {found[:12]}, not {wanted[:12]})"
            )
    return reasons


def update_reference(results, reference):
    """Make the tables and figures of the results the reference; return their names.

    Raises
    ------
    ManifestError
        If a result is not what its manifest says, or the reference is a folder of something else.
    """
    results, reference = Path(results), Path(reference)
    wrong, _ = check_hashes(results)
    if wrong:
        raise ManifestError(f"the results are not those of their manifest: {wrong[0]}")
    reference.mkdir(parents=True, exist_ok=True)
    if any(reference.iterdir()):
        old = read_manifest(reference / MANIFEST, "it is no reference")["files"]
        for name in [*old, *optional_files(reference)]:
            (reference / name).unlink(missing_ok=True)
        for path in [reference / MANIFEST, *reference.glob(OPTIONAL)]:
            path.unlink()
    for path in [results / MANIFEST, *results.glob(OPTIONAL)]:
        manifest = read_manifest(path)
        names = [name for name in kept(results) if name in manifest["files"]]
        for name in names:
            (reference / name).parent.mkdir(parents=True, exist_ok=True)
        files = [shutil.copyfile(results / name, reference / name) for name in names]
        write_manifest(reference / path.name, manifest.get("provenance", {}), files)
    return kept(results)


def kept(results):
    """Return the names of the results that a reference holds; see `KEPT`."""
    names = read_manifest(Path(results, MANIFEST))["files"] | optional_files(results)
    return [name for name in names if _is_kept(name, Path(results, name))]


def _is_kept(name, path):
    """Whether a reference holds a result of this name, which lies at ``path``."""
    ends = KEPT.get(str(PurePosixPath(name).parent), ())
    return name.endswith(ends) and path.is_file() and path.stat().st_size <= LARGEST


def _shows(table, texts):
    """Whether a table has rows of a corpus that is left out."""
    try:
        _, rows = read_rows(table)
    except (OSError, TableError):  # told where the table itself is compared
        return False
    return any(row.get("corpus") in texts for row in rows.values())


def report(results, reference):
    """Print what was found; return whether all is as it should be."""
    changed, extra = check_hashes(results)
    print("\n".join(changed) or f"every file is as {results}/{MANIFEST} says")
    for path in extra:
        print(f"not checked: {path}: no manifest names it")
    read_manifest(Path(reference, MANIFEST), NO_REFERENCE)
    spoilt, strange = check_hashes(reference)
    spoilt += [f"extra: {path}" for path in strange]
    print("\n".join(spoilt), end="\n" if spoilt else "")
    comparisons, notes = compare(results, reference)
    for found in comparisons:
        print(found)
        for line in found.differences[:SHOWN]:
            print(f"  {line}")
        if len(found.differences) > SHOWN:
            print(f"  and {len(found.differences) - SHOWN} more")
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
            print(f"{reference}: {len(names)} files and {MANIFEST}")
            return 0
        verified = report(given.results, reference)
        sys.stdout.flush()
        return 0 if verified else 1
    except ManifestError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # whoever read the lines, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing fails at the exit
        print("error: the output was closed before all was told", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
