"""The studies: each a folder here and one of the same name in ``workflow/studies``."""

# The one list: `snakemake -j8` makes the first, the others are targets of their own.
STUDIES = (
    "near_optimal",
    "theory",
    "readings",
    "beyond",
    "structured",
    "textbook",
    "survey",
)
