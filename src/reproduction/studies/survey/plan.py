"""What `survey` makes: the models of a survey beside all others, and verdicts on what it says."""

from reproduction.studies.survey.part import (
    BROWN,
    DEFAULT,
    FULL,
    HERE,
    LABELS,
    RECEIPT,
    STUDY,
)
from reproduction.studies.survey.parts.every import PARTS
from reproduction.studies.survey.parts.perplexities import PERPLEXITIES
from reproduction.studies.survey.parts.tagging import TAGGED, TAGGED_RECEIPT
from reproduction.study import Scope, Texts, Theory, section_of

LARGER = f"{STUDY}_{FULL}"
APART = (PERPLEXITIES.name,)  # parts whose larger settings have a scope of their own: `nplm_full`
TABLES = ("claims", "claims-evidence", "claims-readings", "theory")


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
    jobs, exhibits = PERPLEXITIES.plan(section["table"], config, FULL)
    return Scope(
        "nplm_full", STUDY, "Neural models on all of Brown", "Are neural models better than "
        "n-grams on 800,000 words?", {job.name: job for job in jobs},
        {exhibit.name: exhibit for exhibit in exhibits},
        texts=tuple(_plan_texts(section, config, FULL)), theory=_plan_theory((PERPLEXITIES,)),
        files=tuple(file.format(size=FULL) for file in (BROWN, LABELS, RECEIPT)),
        agreement="choosing", kept=_kept(exhibits), larger=STUDY, takes="about an hour",
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
        corpus, module = section["tagging"]["corpus"], f"{HERE}.tagging_text"
        yield Texts(
            "tagged", f"{module}:find_tagged", f"{module}:save_tagged", (TAGGED,), TAGGED_RECEIPT,
            {corpus: config["corpora"].get(corpus)}, {"every": section["tagging"]["every"]}, corpus,
            about="Survey: reading Brown with its tags",
        )  # fmt: skip


def _plan_scope(name, title, section, config, size, **told):
    jobs, exhibits, parts = {}, {}, [part for part in PARTS if part.name in section]
    larger = section_of(config, STUDY).get(FULL, {}).keys() - {*APART}
    for part in parts:  # one that is no larger has the same jobs at both sizes
        own, shown = part.plan(section[part.name], config, size if part.name in larger else DEFAULT)
        jobs |= {job.name: job for job in own}
        exhibits |= {exhibit.name: exhibit for exhibit in shown}
    unkept = {name for part in parts for name in part.unkept}
    return Scope(
        name, STUDY, title, "Do LSA, PLSA, SDR, neural and structural models do what a survey says "
        "of them, and how good are they at what all others do?",
        jobs, exhibits, tuple(section.get("comparison", {}).get("corpora", ())),
        tuple(_plan_texts(section, config, DEFAULT)), theory=_plan_theory(parts),
        files=tuple(file.format(size=DEFAULT) for file in (BROWN, LABELS, RECEIPT)),
        unsteady=tuple(check for part in parts for check in part.unsteady),
        agreement="choosing", kept=_kept(each for each in exhibits.values()
                                         if each.name not in unkept), **told,
    )  # fmt: skip


def _plan_theory(parts):
    """Return the checks, which look at the exhibits of some parts."""
    return Theory(
        f"{HERE}.cases:check_cases", tuple(dict.fromkeys(m for p in PARTS for m in p.methods)),
        exhibits=tuple(name for part in parts for name in part.looked_at),
    )  # fmt: skip


def _kept(exhibits):
    """Return the ends of the names of files that are a reference: of exhibits, and of verdicts."""
    names = [exhibit.name for exhibit in exhibits]
    return (*(f"/exhibits/{name}.{form}" for name in names for form in ("csv", "png")),
            *(f"/{name}.csv" for name in TABLES))  # fmt: skip
