"""This project's own estimator next to others, on models and on the paper's texts: `snakemake -j8
beyond`; with what takes longer, `beyond_full`; on texts and tables that nobody had looked at, `fresh`.
Most of its scores are those of score_models and score_corpus.

1. score_constants  what each constant of PY-LR is worth on {corpus}
2. score_structure  where structure pays: a slow {method} at an {exponent}, all others together
3. place_texts      where texts are on that map
4. read_samples     the texts and tables of a Debian {package}
5. score_samples    every method on them: {list} is fresh, or seen

REQUIRED INPUTS: results/corpora/{corpus}.npz; Debian packages in .nltk_data/debian
OUTPUTS: results/beyond/scores/beyond-constants/{corpus}.csv, beyond-structure/, {list}/{package}.csv
"""

from reproduction.studies.beyond import plan as beyond
from reproduction.studies.beyond.debs import list_copies

BEYOND = section_of(config, "beyond")
CONSTANTS, STRUCTURE = BEYOND["constants"], BEYOND["structure"]
LISTS = {name: BEYOND[name] for name in ("fresh", "seen")}
PACKAGES_OF_LISTS = {
    package: entry for section in LISTS.values() for package, entry in section["packages"].items()
}
OWN = list_exhibits(BEYOND["exhibits"], CORPORA)
EXHIBITS |= OWN
SCORES_OF_BEYOND = list_scores("beyond", OWN, config["methods"])
CORPORA_OF_BEYOND = corpora_of(BEYOND["exhibits"]) | {
    "beyond-constants": CONSTANTS["corpora"],
    "beyond-structure": STRUCTURE["corpora"],
}
OF_CONSTANTS = [corpus for corpus in CONSTANTS["corpora"] if corpus in CORPORA]
OF_STRUCTURE = [corpus for corpus in STRUCTURE["corpora"] if corpus in CORPORA]
LABELS = {corpus: config["corpora"][corpus].get("label", corpus) for corpus in OF_STRUCTURE}


CONSTANT, SCORES_OF_CONSTANTS = beyond.constants_of(CONSTANTS, OF_CONSTANTS)
MAP, SCORES_OF_MAP = beyond.structure_of(STRUCTURE, LABELS)
SHOWN = {
    name: beyond.list_of(
        name,
        section,
        [
            package
            for package, entry in section["packages"].items()
            if TEXTS.has(
                package,
                f"results/beyond/samples/{package}.json",
                any(list_copies(package, entry)),
                f"apt-get download {package}={entry['version']}, in .nltk_data/debian",
            )
        ],
    )
    for name, section in LISTS.items()
}
SMALLER = {name: entry for name, entry in OWN.items() if name not in BEYOND["larger"]}
OF_CORPORA = {"beyond-constants": OF_CONSTANTS, "beyond-structure": OF_STRUCTURE}
OF_CORPORA = {name: beyond.receipts_in(corpora) for name, corpora in OF_CORPORA.items()}
OF_CORPORA |= {
    exhibit: beyond.receipts_in((Path(file).stem for file in files), "beyond/samples")
    for _, scores in SHOWN.values()
    for exhibit, files in scores.items()
}
OF_LISTS = {
    f"{name}-{reading}": [
        package
        for package, entry in section["packages"].items()
        if beyond.is_table(entry) == (reading == "table")
    ]
    for name, section in LISTS.items()
    for reading in beyond.READINGS
}
FIRST = {"beyond-constants": CONSTANT} if OF_CONSTANTS else {}
EXHIBITS_OF_TARGETS = {
    "beyond": FIRST | SMALLER,
    "beyond_full": FIRST | {"beyond-structure": MAP} | SHOWN["seen"][0] | OWN,
    "fresh": SHOWN["fresh"][0],
}
for target, shown in EXHIBITS_OF_TARGETS.items():
    STUDIES[target] = make_study(
        "beyond",
        target,
        shown,
        SCORES_OF_BEYOND
        | {"beyond-constants": SCORES_OF_CONSTANTS, "beyond-structure": SCORES_OF_MAP}
        | SHOWN["seen"][1]
        | SHOWN["fresh"][1],
        corpora={
            name: texts
            for name, texts in (CORPORA_OF_BEYOND | OF_LISTS).items()
            if name.startswith("fresh") == (target == "fresh")
            and (target != "beyond" or name in SMALLER or name == "beyond-constants")
        },
        receipts=OF_CORPORA,
        has_checks=False,
    )


rule score_constants:
    input:
        words=rules.split_corpus.output.words,
        kernels=kernels(["py-lr"]),
    output:
        scores="results/beyond/scores/beyond-constants/{corpus}.csv",
    log:
        "results/logs/beyond/score_constants/{corpus}.log",
    benchmark:
        "results/benchmarks/beyond/score_constants/{corpus}.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings={key: CONSTANTS[key] for key in ("words", "seeds", "options")},
        changes={name: each["others"] for name, each in CONSTANTS["values"].items()},
        code=code_version("studies/beyond/scripts/score_constants.py", ["py-lr"]),
    message:
        "beyond: constants of PY-LR on {wildcards.corpus}"
    script:
        "scripts/score_constants.py"


rule score_structure:
    input:
        kernels=lambda w: kernels(ids_of(beyond.mapped(STRUCTURE, config, w)[0])),
    output:
        scores="results/beyond/scores/beyond-structure/fast.csv",
    log:
        "results/logs/beyond/score_structure/fast.log",
    benchmark:
        "results/benchmarks/beyond/score_structure/fast.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings={key: STRUCTURE[key] for key in ("k", "rank", "pairs", "trials")},
        methods=lambda w: beyond.mapped(STRUCTURE, config, w)[0],
        exponents=lambda w: beyond.mapped(STRUCTURE, config, w)[1],
        code=lambda w: code_version(
            "studies/beyond/scripts/score_structure.py",
            ids_of(beyond.mapped(STRUCTURE, config, w)[0]),
        ),
    message:
        "beyond: where structure pays"
    script:
        "scripts/score_structure.py"


use rule score_structure as score_structure_slowly with:
    output:
        scores="results/beyond/scores/beyond-structure/{method}/{exponent}.csv",
    log:
        "results/logs/beyond/score_structure/{method}-{exponent}.log",
    benchmark:
        "results/benchmarks/beyond/score_structure/{method}-{exponent}.tsv"
    wildcard_constraints:
        exponent="[0-9.]+",
    message:
        "beyond: where structure pays, {wildcards.method} at exponent {wildcards.exponent}"


rule place_texts:
    input:
        words=[f"results/corpora/{corpus}.npz" for corpus in OF_STRUCTURE],
    output:
        scores="results/beyond/scores/beyond-structure/texts.csv",
    log:
        "results/logs/beyond/place_texts.log",
    benchmark:
        "results/benchmarks/beyond/place_texts.tsv"
    resources:
        mem_mb=800,
    params:
        seed=config["seed"],
        settings={"corpora": OF_STRUCTURE, "rank": STRUCTURE["rank"]},
        code=code_version("studies/beyond/scripts/place_texts.py"),
    message:
        "beyond: where structure pays, exponents of texts"
    script:
        "scripts/place_texts.py"


rule read_samples:
    output:
        samples="results/beyond/samples/{package}.npz",
        receipt="results/beyond/samples/{package}.json",
    log:
        "results/logs/beyond/read_samples/{package}.log",
    benchmark:
        "results/benchmarks/beyond/read_samples/{package}.tsv"
    localrule: True
    resources:
        mem_mb=900,
    params:
        entry=lambda w: PACKAGES_OF_LISTS[w.package],
        words=lambda w: max(
            section["words"] for section in LISTS.values() if w.package in section["packages"]
        ),
        allow_other_hashes=config["allow_other_hashes"],
        code=code_version("studies/beyond/scripts/read_samples.py"),
    message:
        "beyond: reading {wildcards.package}"
    script:
        "scripts/read_samples.py"


rule score_samples:
    input:
        samples=rules.read_samples.output.samples,
        kernels=lambda w: kernels(ids_of(beyond.compared_in(LISTS[w.list], config))),
    output:
        scores="results/beyond/scores/{list}/{package}.csv",
    log:
        "results/logs/beyond/score_samples/{list}-{package}.log",
    benchmark:
        "results/benchmarks/beyond/score_samples/{list}-{package}.tsv"
    wildcard_constraints:
        list="fresh|seen",
    resources:
        mem_mb=1200,
    params:
        seed=config["seed"],
        methods=lambda w: beyond.compared_in(LISTS[w.list], config),
        settings=lambda w: {
            key: LISTS[w.list][key] for key in ("pairs", "rank", "seeds", "fewer", "many")
        },
        kinds=lambda w: {
            name: sample["kind"]
            for name, sample in PACKAGES_OF_LISTS[w.package]["samples"].items()
        },
        code=lambda w: code_version(
            "studies/beyond/scripts/score_samples.py",
            ids_of(beyond.compared_in(LISTS[w.list], config)),
        ),
    message:
        "beyond: texts and tables, {wildcards.list}: {wildcards.package}"
    script:
        "scripts/score_samples.py"
