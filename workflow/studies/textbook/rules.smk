"""What the textbook has beyond the rules of every study.

1. read_texts  find the texts, number the sentences, count function words in blocks
"""

from reproduction.studies.textbook.plan import BLOCKS as STYLE_BLOCKS
from reproduction.studies.textbook.plan import RECEIPT as TEXTBOOK_RECEIPT
from reproduction.studies.textbook.plan import WORDS as TEXTBOOK_WORDS
from reproduction.study import section_of

TEXTBOOK = section_of(config, "textbook")


if TEXTBOOK:

    localrules:
        read_texts,

    rule read_texts:
        input:
            modules("textbook/read_texts"),
        output:
            words=results(TEXTBOOK_WORDS),
            style=results(STYLE_BLOCKS),
            receipt=results(TEXTBOOK_RECEIPT),
        log:
            results("logs/read_texts.log"),
        benchmark:
            results("benchmarks/read_texts.tsv")
        resources:
            mem_mb=1500,
        params:
            corpora={
                name: config["corpora"].get(name)
                for name in (TEXTBOOK["corpus"], *TEXTBOOK["bibles"])
            },
            section={
                key: TEXTBOOK[key]
                for key in ("corpus", "bibles", "block", "least", "files")
                if key in TEXTBOOK
            },
            at_hand=lambda wildcards: at_hand(
                TEXTBOOK_RECEIPT, config["corpora"].get(TEXTBOOK["corpus"])
            ),
            strict=config["strict"],
            allow_other_hashes=config["allow_other_hashes"],
        message:
            "Textbook: reading its texts"
        script:
            "scripts/read_texts.py"
