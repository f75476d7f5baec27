"""Keep results as the reference of their target: ``python -m reproduction.trust.keep TARGET``.

A reference has the tables and pictures of a target, its page where there was one, and the
provenance of the run. ``unsteady.json`` next to them lists rows of fits that do not converge, which
``--measure`` finds: it compares the reference with a run of the same code for another processor,

    NUMBA_CPU_NAME=x86-64-v2 NUMBA_CPU_FEATURES= make reproduce
"""

import argparse
import json
import shutil
from pathlib import Path

from condprob.files import write_text
from reproduction.study import studies_in_words, words_of
from reproduction.trust.kept_page import write_kept_page
from reproduction.verify import compare_target, read_table, read_terms

LARGEST = 300_000  # bytes of a file that is kept
OF_THE_SOURCE = ("statement", "criterion")  # words of a claim, which no processor moves
PAGE, PROVENANCE, UNSTEADY = "report.html", "provenance.json", "unsteady.json"


def keep_target(results, reference, target, only_page=False):
    """Make the tables, pictures and page of a target its reference; return their names."""
    ours, theirs = Path(results, target), Path(reference, target)
    names = [] if only_page else [n for n in _tables_and_pictures(ours) if _is_kept(target, n)]
    theirs.mkdir(parents=True, exist_ok=True)
    if not only_page:
        for path in _tables_and_pictures(theirs):
            (theirs / path).unlink()
        for name in [*names, PROVENANCE]:
            (theirs / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(ours / name, theirs / name)
    if only_page or (theirs / PAGE).is_file():
        page = write_kept_page(ours / PAGE, Path(results), Path(reference))
        write_text(theirs / PAGE, page)
        names.append(PAGE)
    return names


def _is_kept(target, name):
    """Whether a reference keeps a file: no exhibit that its words.toml has as ``kept = false``."""
    study = studies_in_words().get(target)
    words = words_of(study.package).get("exhibits", {}) if study else {}
    return words.get(name.stem, {}).get("kept", True)


def _tables_and_pictures(folder):
    """Return the names of what a reference keeps of a target's folder."""
    found = [*folder.glob("*.csv"), *folder.glob("exhibits/*.csv"), *folder.glob("exhibits/*.png")]
    return [path.relative_to(folder) for path in sorted(found) if path.stat().st_size <= LARGEST]


def measure_target(other, reference, target):
    """Write which rows of a reference a run for another processor moves; return them.

    With a row come its `_kin`, which a third processor may move. ``other`` has the results of the
    run. Raises ValueError where its rows or verdicts are others.
    """
    ours, theirs = Path(other, target), Path(reference, target)
    path = theirs / UNSTEADY
    named = json.loads(path.read_text(encoding="utf-8"))["named"] if path.is_file() else []
    how, rows = read_terms(ours, theirs), {}
    how.unsteady = {*named}
    for table, differences in compare_target(ours, theirs, how):
        for each in differences:
            if not each.row or each.column in ("", "verdict"):
                raise ValueError(f"{target}/{table}, {each}")
            if each.column in OF_THE_SOURCE:
                continue
            found = rows.setdefault((table, *each.row), {"table": table, "row": each.row})
            found[each.column] = [each.reference, each.ours]
    tables = {
        path.relative_to(theirs).as_posix(): read_table(path) for path in theirs.rglob("*.csv")
    }
    moved = {kin for table, *key in rows for kin in _kin(table, *tables[table], tuple(key))}
    moved |= {("claims", tables[table][1][tuple(key)].get("id")) for table, *key in rows}
    for table in sorted(tables):
        for key in tables[table][1]:
            if not moved.isdisjoint(_kin(table, *tables[table], key)):
                rows.setdefault((table, *key), {"table": table, "row": key})
    provenance = json.loads((ours / PROVENANCE).read_text(encoding="utf-8"))
    run = {key: provenance[key] for key in ("written", "git", "machine", "blas", "versions")}
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows.values())
    write_text(
        path,
        f'{{"named": {json.dumps(named)},\n"run": {json.dumps(run)},\n"rows": [\n{lines}\n]}}\n',
    )
    return [*rows.values()]


def _kin(table, columns, rows, key):
    """Yield the names of what a row shares with others that rest on the same fits.

    That is the method on other numbers of pairs, and the difference or the claim that it is about.
    """
    row, named = rows[key], columns[: len(key) - 1]
    if {"n", "method"} <= {*named}:
        yield table, *(cell for cell, column in zip(key, named, strict=False) if column != "n")
    if "quantity" in row:
        yield table, row["id"], row["quantity"]
    elif "id" in row:
        yield "claims", row["id"]


def main(arguments=None):
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m reproduction.trust.keep",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("targets", nargs="+", help="folders of results")
    parser.add_argument("--results", default="results", help="default: results")
    parser.add_argument("--reference", default="results/reference", help="default: %(default)s")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--page", action="store_true", help="keep the page alone")
    what.add_argument("--measure", action="store_true", help="list the rows that differ instead")
    given = parser.parse_args(arguments)
    for target in given.targets:
        if given.measure:
            rows = measure_target(given.results, given.reference, target)
            print(f"{target}: {len(rows)} unsteady rows")
        else:
            names = keep_target(given.results, given.reference, target, given.page)
            print(f"{target}: {len(names)} files")


if __name__ == "__main__":
    main()
