"""What the survey has beyond the rules of every study.

1. read_brown   find Brown, cut and number its sentences
2. read_tagged  number the tokens of Brown, with parts of speech
"""

from reproduction.studies.survey.part import BROWN as SURVEY_BROWN
from reproduction.studies.survey.part import LABELS as SURVEY_LABELS
from reproduction.studies.survey.part import RECEIPT as SURVEY_RECEIPT
from reproduction.studies.survey.part import SIZES as SURVEY_SIZES
from reproduction.studies.survey.parts.tagging import TAGGED as SURVEY_TOKENS
from reproduction.studies.survey.parts.tagging import TAGGED_RECEIPT as SURVEY_TOKENS_RECEIPT
from reproduction.studies.survey.plan import section_at as survey_at
from reproduction.study import section_of

SURVEY = section_of(config, "survey").get("table")


if SURVEY:

    localrules:
        read_brown,

    rule read_brown:
        input:
            modules("survey/read_brown"),
        output:
            words=results(SURVEY_BROWN),
            labels=results(SURVEY_LABELS),
            receipt=results(SURVEY_RECEIPT),
        log:
            results("logs/read_brown/{size}.log"),
        benchmark:
            results("benchmarks/read_brown/{size}.tsv")
        wildcard_constraints:
            size="|".join(SURVEY_SIZES),
        resources:
            mem_mb=1500,
        params:
            corpora={SURVEY["corpus"]: config["corpora"].get(SURVEY["corpus"])},
            section=lambda wildcards: {
                key: survey_at(config, wildcards.size)["table"][key]
                for key in ("corpus", "every", "train", "stop", "least")
            },
            at_hand=lambda wildcards: at_hand(
                SURVEY_RECEIPT.format(size=wildcards.size),
                config["corpora"].get(SURVEY["corpus"]),
            ),
            strict=config["strict"],
            allow_other_hashes=config["allow_other_hashes"],
        message:
            "Survey: reading Brown, {wildcards.size}"
        script:
            "scripts/read_brown.py"


SURVEY_TAGGED = section_of(config, "survey").get("tagging")


if SURVEY_TAGGED:

    localrules:
        read_tagged,

    rule read_tagged:
        input:
            modules("survey/read_tagged"),
        output:
            tokens=results(SURVEY_TOKENS),
            receipt=results(SURVEY_TOKENS_RECEIPT),
        log:
            results("logs/read_tagged.log"),
        benchmark:
            results("benchmarks/read_tagged.tsv")
        resources:
            mem_mb=1500,
        params:
            corpora={SURVEY_TAGGED["corpus"]: config["corpora"].get(SURVEY_TAGGED["corpus"])},
            section={key: SURVEY_TAGGED[key] for key in ("corpus", "every")},
            at_hand=lambda wildcards: at_hand(
                SURVEY_TOKENS_RECEIPT, config["corpora"].get(SURVEY_TAGGED["corpus"])
            ),
            strict=config["strict"],
            allow_other_hashes=config["allow_other_hashes"],
        message:
            "Survey: reading Brown with its tags"
        script:
            "scripts/read_tagged.py"
