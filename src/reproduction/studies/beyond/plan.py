"""What the rules look up of `beyond`: the exhibit of constants, and its files of scores."""

from reproduction.study import make_entry

CONSTANTS = "beyond-constants"


def constants_of(section, corpora):
    """Return the exhibit of what each constant is worth, and its files of scores, by text."""
    values = section["values"]
    entry = make_entry(
        "beyond",
        CONSTANTS,
        changes={name: each["others"] for name, each in values.items()},
        meanings={name: each["meaning"] for name, each in values.items()},
    )
    return entry, [f"results/beyond/scores/{CONSTANTS}/{corpus}.csv" for corpus in corpora]
