"""The list of what each kind of file of the library must hold."""

import numpy as np

from condprob.contents import ANY_SHAPE, HISTORIES, Array, Arrays, Contents
from condprob.file_relations import (
    SCORES,
    check_alike,
    check_backed_off,
    check_courses,
    check_distributions,
    check_histories,
    check_network,
    check_normalised,
    check_pattern,
    check_rows_of,
    check_scores,
    check_tree,
)

ENDLESS = np.inf  # no upper bound of an array
NUMBER, WHOLE = Array("f", ()), Array("i", (), 0)
HISTORY = Array("f", ("iterations+1",), -ENDLESS, ENDLESS)
FACTORS = {
    "left": Array("f", ("contexts", "classes")),
    "right": Array("f", ("classes", "outcomes")),
}
SPARSE = {
    "indptr": Array("i", ("contexts+1",), 0),
    "outcomes": Array("i", ("entries",), 0),
    "values": Array("f", ("entries",)),
}
SEEN = {
    "seen_contexts": Array("i", ("seen contexts",), 0),
    "seen_outcomes": Array("i", ("seen outcomes",), 0),
}
MARK = {SCORES: Array("b", ())}
TREE = {
    "longest": WHOLE,
    "text": Array("i", ("places",), 0),
    "parent": Array("i", ("nodes",), -1),
    "depth": Array("i", ("nodes",), 0),
    "ends": Array("i", ("nodes",), 0),
    "first": Array("i", ("nodes+1",), 0),
    "factor": Array("f", ("nodes",), 0),
    "word": Array("i", ("pairs",), 0),
}


# What files of older versions lack, by which `ended` is told.
ENDED, TOL = {"ended": Array("U", ())}, {"tol": Array("f", (), 0)}
COURSE = {
    "history": Array("f", ("components", "starts", "longest"), -ENDLESS, ENDLESS, nan=True),
}
TEMPERATURE = {"temperature": Array("f", (), 0, 1)}
EVIDENCE = {"evidence": Array("f", (4,), -ENDLESS, ENDLESS)}


def _matrix(*relations, told: tuple[dict, ...] = (), **arrays: Array) -> Contents:
    """Return what a matrix must hold that has further arrays, which go together."""
    relations = check_pattern, check_alike, check_distributions, *relations
    return Contents(FACTORS | arrays, (SPARSE, SEEN, MARK, *told), relations=relations)


_FITTED = {
    "history": HISTORY,
    "penalty": Array("f", (), nan=True),
    "decay": NUMBER,
    "gap": Array("f", (), -ENDLESS, ENDLESS),
}
KINDS = {
    "counts": Contents(
        {
            "shape": Array("i", (2,), 1),
            "indptr": Array("i", ("contexts+1",), 0),
            "outcomes": Array("i", ("entries",), 0),
            "values": Array("fi", ("entries",)),
        },
        form="",
    ),
    "checkpoint": Contents(
        {"identity": Array("U", ("told",)), "done": WHOLE},
        ({"checksum": Array("U", ())},),
        others=Array("f", ANY_SHAPE, -ENDLESS, nan=True),
        form="",
    ),
    "sparse plus low rank": _matrix(),
    "low rank": Contents(
        {
            "W": Array("f", ("contexts", "rank"), 0),
            "H": Array("f", ("rank", "outcomes"), 0),
            "history": HISTORY,
        },
        (FACTORS, SPARSE, SEEN, MARK, {"converged": Array("b", ())}, TEMPERATURE),
        relations=(check_pattern, check_alike, check_distributions),
    ),
    "pitman-yor": _matrix(
        check_rows_of("shares"),
        check_courses,
        told=(COURSE, EVIDENCE),
        strength=Array("f", (), 0, ENDLESS),
        discounts=Array("f", (3,), 0),
        components=Array("U", ("components",)),
        bins=Array("f", ("bins",), 0),
        shares=Array("f", ("bins+1", "components"), 0),
        novel=Array("f", ("bins+1",), 0),
    ),
    "log-linear": _matrix(told=(TOL,), **_FITTED),
    "mixture": _matrix(
        check_rows_of("weights"), told=(ENDED,), weights=Array("f", ("components",), 0, 1)
    ),
    "linked scores": Contents(
        {
            "of_contexts": Array("f", ("contexts", "classes")),
            "of_outcomes": Array("f", ("classes", "outcomes")),
            "base": Array("f", ("outcomes",), 0),
            "share": Array("f", (), 0, 1),
            "link": Array("U", ()),
            "ended": Array("U", ()),
        },
        (SEEN, {"penalty": Array("f", (), 0)}),
        relations=(check_pattern, check_alike, check_scores, check_rows_of("base")),
    ),
    "hierarchical Pitman-Yor": _matrix(
        discounts=Array("f", ("samples", 2), 0, 1),
        strengths=Array("f", ("samples", 2)),
        tables=Array("f", ("pairs",), 0),
    ),
    "mixed matrices": Contents(
        {"share": Array("f", (), 0, 1)},
        parts=dict.fromkeys(("one", "other"), ("contexts", "outcomes")),
    ),
    "neural histories": Contents(
        {
            "embedding": Array("f", ("words+1", "size")),
            "inward": Array("f", ("inputs", "hidden")),
            "offset": Array("f", ("hidden",)),
            "outward": Array("f", ("features", "words")),
            "longest": WHOLE,
            "share": Array("f", (), 0, 1),
            "history": Array("f", ("epochs+1",), 0),
            "ended": Array("U", ()),
        },
        parts={"other": ()},
        relations=(check_network,),
        form=HISTORIES,
    ),
    "histories": Contents(
        {"histories": Array("i", ("histories", "longest"), -1)},
        ({"pairs": WHOLE},),
        parts={"matrix": ("contexts", "outcomes")},
        relations=(check_histories,),
        form=HISTORIES,
    ),
    "back-off histories": Contents(
        TREE | {"words": WHOLE, "probability": Array("f", ("pairs",), 0)},
        relations=(check_tree(last=0), check_backed_off),
        form=HISTORIES,
    ),
    "log-linear histories": Contents(
        TREE
        | _FITTED
        | {
            "words": WHOLE,
            "before": Array("f", ("pairs",)),
            "start": Array("i", ("pairs+1",), 0),
            "weight": Array("f", ("weights",)),
        },
        (TOL,),
        relations=(check_tree(last=-1), check_normalised),
        form=HISTORIES,
    ),
    "mixed histories": Contents(
        {"weights": Array("f", ("components",), 0, 1)},
        parts={"first": (), "rest": ()},
        relations=(check_rows_of("weights"),),
        form=HISTORIES,
    ),
    "grown histories": Contents(
        TREE | {"scores": Array("f", ("pairs",)), "penalty": NUMBER},
        parts={"base": ("words+1", "words")},
        relations=(check_tree(last=0),),
        form=HISTORIES,
    ),
}


def mark_old_scores(kind: str, arrays: Arrays) -> None:
    """Mark matrices of format 1, which had no mark, that may be none of distributions."""
    plain = "sparse plus low rank"
    if kind == plain:
        arrays.setdefault(SCORES, np.array(True))
    for name in KINDS[kind].parts if kind in KINDS else ():
        if name in arrays and arrays[name].shape == () and arrays[name].item() == plain:
            arrays.setdefault(f"{name}_{SCORES}", np.array(True))
