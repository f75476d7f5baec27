"""The plan of `survey`: the models of a survey beside all others, and verdicts on its claims."""

from reproduction.studies.survey.parts import (
    BROWN,
    COST,
    DEFAULT,
    FULL,
    GENRES,
    HERE,
    LABELS,
    MAP,
    PARTS,
    RECEIPT,
    STUDY,
    TABLE,
    TAGGED,
    TAGGED_RECEIPT,
    TAGGING,
)
from reproduction.study import Scope, Texts, Theory, section_of

LARGER = f"{STUDY}_{FULL}"
APART = ("table",)  # parts whose larger settings have a scope of their own: `nplm_full`
VERDICTS = ("claims", "claims-evidence", "claims-readings", "theory")
CHECKED = (TABLE, TAGGING, GENRES)  # exhibits whose scores the checks look at
# Exhibits that no reference keeps: words of a text, and seconds, which no two runs share.
UNKEPT = (COST, MAP)
# Checks of fits that do not come to rest: see `study.Scope`.
UNSTEADY = ("better", "genres", "ridged", "once", "negatives", "types", "counts")


def plan(config):
    """Return the scopes of this study: see `reproduction.study`."""
    section = section_of(config, STUDY)
    if not section:
        return []
    title = "A survey of dimension reduction"
    small = {part: section[part] for part in APART if part in section}
    return [
        _plan_scope(STUDY, title, section, config, DEFAULT,
                    takes="about 14 minutes", larger=LARGER),
        _plan_scope(LARGER, f"{title}, larger", section_at(config, FULL) | small, config, FULL,
                    takes="about an hour"),
        *([_plan_networks(section_at(config, FULL), config)] if "table" in section else []),
    ]  # fmt: skip


def section_at(config, size):
    """Return the study's part of the config at a size: in full, some settings are others."""
    section = dict(section_of(config, STUDY))
    full = section.pop(FULL, {})
    if size == FULL:
        section |= {name: section[name] | changed for name, changed in full.items()}
    return section


def _plan_networks(section, config):
    """Return the scope of Table 1 alone, on all of Brown: its fits go on after a kill."""
    jobs, exhibits = PARTS["table"](section["table"], config, FULL)
    return Scope(
        "nplm_full", STUDY, "Neural models on all of Brown", "Are neural models better than "
        "n-grams on 800,000 words?", {job.name: job for job in jobs},
        {exhibit.name: exhibit for exhibit in exhibits},
        texts=tuple(_plan_texts(section, config, FULL)), theory=_plan_theory((TABLE,)),
        files=tuple(file.format(size=FULL) for file in (BROWN, LABELS, RECEIPT)),
        agreement="choosing", kept=_kept([TABLE]), larger=STUDY, takes="about an hour",
    )  # fmt: skip


def _plan_texts(section, config, size):
    """Yield Brown in sentences, as it is cut at a size; and its tokens with their tags."""
    if "table" in section:
        corpus, keys = section["table"]["corpus"], ("every", "train", "stop", "least")
        yield Texts(
            size, f"{HERE}.texts:find_brown", f"{HERE}.texts:save_texts",
            (BROWN.format(size=size), LABELS.format(size=size)), RECEIPT.format(size=size),
            {corpus: config["corpora"].get(corpus)}, {key: section["table"][key] for key in keys},
            corpus, about=f"Survey: reading Brown, {size}",
        )  # fmt: skip
    if "tagging" in section:
        corpus, module = section["tagging"]["corpus"], f"{HERE}.texts"
        yield Texts(
            "tagged", f"{module}:find_tagged", f"{module}:save_tagged", (TAGGED,), TAGGED_RECEIPT,
            {corpus: config["corpora"].get(corpus)}, {"every": section["tagging"]["every"]}, corpus,
            about="Survey: reading Brown with its tags",
        )  # fmt: skip


def _plan_scope(name, title, section, config, size, **further):
    jobs, exhibits = {}, {}
    larger = section_of(config, STUDY).get(FULL, {}).keys() - {*APART}
    for part in (part for part in PARTS if part in section):
        # A part that is no larger has the same jobs at both sizes.
        at = size if part in larger else DEFAULT
        own, shown = PARTS[part](section[part], config, at)
        jobs |= {job.name: job for job in own}
        exhibits |= {exhibit.name: exhibit for exhibit in shown}
    return Scope(
        name, STUDY, title, "Do LSA, PLSA, SDR, neural and structural models do what a survey says "
        "of them, and how good are they at what all others do?",
        jobs, exhibits, tuple(section.get("comparison", {}).get("corpora", ())),
        tuple(_plan_texts(section, config, DEFAULT)), theory=_plan_theory(exhibits),
        files=tuple(file.format(size=DEFAULT) for file in (BROWN, LABELS, RECEIPT)),
        unsteady=tuple(f"a-{check}" for check in UNSTEADY) if TAGGING in exhibits else (),
        agreement="choosing", kept=_kept(name for name in exhibits if name not in UNKEPT),
        **further,
    )  # fmt: skip


def _plan_theory(exhibits):
    """Return the checks, which look at some of the exhibits."""
    looked_at = tuple(name for name in CHECKED if name in exhibits)
    return Theory(f"{HERE}.checks:check_cases", ("lr", "sdr"), exhibits=looked_at)


def _kept(exhibits):
    """Return the ends of the names of files that are a reference: of exhibits, and of verdicts."""
    return (*(f"/exhibits/{name}.{form}" for name in exhibits for form in ("csv", "png")),
            *(f"/{name}.csv" for name in VERDICTS))  # fmt: skip
