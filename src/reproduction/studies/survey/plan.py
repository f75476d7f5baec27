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
from reproduction.study import Texts, Theory, make_scope, section_of

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
    small = {part: section[part] for part in APART if part in section}
    return [
        _plan_scope(STUDY, section, config, DEFAULT),
        _plan_scope(f"{STUDY}_{FULL}", section_at(config, FULL) | small, config, FULL),
        *([_plan_networks(section_at(config, FULL), config)] if "table" in section else []),
    ]


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
    return make_scope(
        __file__, "nplm_full", jobs, exhibits, texts=tuple(_plan_texts(section, config, FULL)),
        theory=_plan_theory((TABLE,)), files=_files(FULL), kept=_kept([TABLE]),
    )  # fmt: skip


def _files(size):
    """Return the files of Brown at a size."""
    return tuple(file.format(size=size) for file in (BROWN, LABELS, RECEIPT))


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


def _plan_scope(name, section, config, size):
    jobs, exhibits = [], []
    larger = section_of(config, STUDY).get(FULL, {}).keys() - {*APART}
    for part in (part for part in PARTS if part in section):
        # A part that is no larger has the same jobs at both sizes.
        own, shown = PARTS[part](section[part], config, size if part in larger else DEFAULT)
        jobs += own
        exhibits += shown
    names = [exhibit.name for exhibit in exhibits]
    return make_scope(
        __file__, name, jobs, exhibits,
        corpora=tuple(section.get("comparison", {}).get("corpora", ())),
        texts=tuple(_plan_texts(section, config, DEFAULT)), theory=_plan_theory(names),
        files=_files(DEFAULT), kept=_kept(name for name in names if name not in UNKEPT),
        unsteady=tuple(f"a-{check}" for check in UNSTEADY) if TAGGING in names else (),
    )  # fmt: skip


def _plan_theory(exhibits):
    """Return the checks, which look at some of the exhibits."""
    looked_at = tuple(name for name in CHECKED if name in exhibits)
    return Theory(f"{HERE}.checks:check_cases", ("lr", "sdr"), exhibits=looked_at)


def _kept(exhibits):
    """Return the ends of the names of files that are a reference: of exhibits, and of verdicts."""
    return (*(f"/exhibits/{name}.{form}" for name in exhibits for form in ("csv", "png")),
            *(f"/{name}.csv" for name in VERDICTS))  # fmt: skip
