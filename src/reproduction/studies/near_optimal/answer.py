"""What the rules look up of the exhibits that explain Table 1: their entries, files and corpora.

`lead` takes the differences of Table 1 apart, `lead-by-size` those of figures 2(a) and 2(b);
`training-texts` repeats the comparison on other training texts; `rounding` moves starts by one
rounding error. They are this project's, and follow from the section ``answer`` of config.yaml.
"""

from itertools import product

from reproduction.studies.near_optimal.printed import TABLE_1
from reproduction.study import make_entry

STUDY, FOLDER = "near_optimal", "results/near_optimal/answer"
TABLE, CURVES, MODELS = "table-1", ("figure-2a", "figure-2b"), ("figure-1b", "figure-1c")


def list_answer(config, exhibits, corpora):
    """Return the entries of the exhibits that can be made, by name.

    ``exhibits`` are the entries of the paper's, with the ``corpora`` that there are.
    """
    section, found, there = config.get("answer"), {}, set(corpora)
    if section is None:
        return found
    paired = [m for m in section["methods"] if any(m in pair for pair in section["pairs"])]
    of_lead = {"methods": section["methods"], "ours": section["ours"], "pairs": section["pairs"]}
    table = exhibits.get(TABLE, {})
    corpora = [corpus for corpus in table.get("corpora", ()) if corpus in TABLE_1]
    if corpora:
        of = {corpus: TABLE for corpus in corpora}
        found["lead"] = make_entry(STUDY, "lead", corpora=corpora, of=of, **of_lead)
    of = {c: name for name in CURVES for c in exhibits.get(name, {}).get("corpora", ())}
    if of:
        found["lead-by-size"] = make_entry(STUDY, "lead-by-size", corpora=[*of], of=of, **of_lead)
    if corpora:
        given = {"methods": paired, "pairs": section["pairs"], "seeds": section["seeds"]}
        whole = {name: text for name, text in section["whole"].items() if text in there}
        given |= {"rank": table.get("rank", 50), "whole": whole}
        found["training-texts"] = make_entry(STUDY, "training-texts", corpora=corpora, **given)
    models = [name for name in MODELS if name in exhibits]
    if models or corpora:
        given = {"methods": section["rounded"], "trials": section["trials"], "models": models}
        given |= {"rank": table.get("rank", 50), "seeds": section["seeds"]}
        found["rounding"] = make_entry(STUDY, "rounding", corpora=corpora, **given)
    return found


def list_answer_scores(answer, exhibits):
    """Return the files of scores behind each of these exhibits."""
    found = {}
    for name, entry in answer.items():
        corpora = entry["corpora"]
        if name == "training-texts":
            found[name] = [f"{FOLDER}/training-texts/{corpus}.csv" for corpus in corpora]
        elif name == "rounding":
            found[name] = [
                f"{FOLDER}/rounding/{model}/k{k}-m{m}.csv"
                for model in entry["models"]
                for k, m in product(exhibits[model]["k_values"], exhibits[model]["rank_values"])
            ]
            found[name] += [f"{FOLDER}/rounding/{TABLE}/{corpus}.csv" for corpus in corpora]
        else:
            found[name] = [
                f"{FOLDER}/lead/{entry['of'][corpus]}/{corpus}.csv" for corpus in corpora
            ]
    return found


def corpora_of_answer(config):
    """Return the corpora that the claims on each exhibit are about, also those that are missing.

    So a claim is untestable for want of a text, even if no text is left for its exhibit.
    """
    answer = list_answer(config, config["exhibits"], config["corpora"])
    return {
        name: entry["corpora"] if name == "lead-by-size" else [*TABLE_1]
        for name, entry in answer.items()
    }
