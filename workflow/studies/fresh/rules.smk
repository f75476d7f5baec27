"""What fresh texts have beyond the rules of every study.

1. read_package  fetch a package of Debian by name and version, check it, cut its texts into words
"""

from reproduction.study import section_of

FRESH = section_of(config, "fresh")


if FRESH:

    localrules:
        read_package,

    rule read_package:
        input:
            modules("fresh/read_package"),
        output:
            texts=results("fresh/texts/{package}.npz"),
            receipt=results("fresh/texts/{package}.json"),
        log:
            results("logs/read_package/{package}.log"),
        benchmark:
            results("benchmarks/read_package/{package}.tsv")
        wildcard_constraints:
            package="[a-z0-9.+-]+",
        resources:
            mem_mb=900,
        params:
            entry=lambda wildcards: FRESH["packages"][wildcards.package],
            words=FRESH["words"],
            strict=config["strict"],
            allow_other_hashes=config["allow_other_hashes"],
        message:
            "Fresh texts: reading {wildcards.package}"
        script:
            "scripts/read_package.py"
