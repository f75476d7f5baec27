"""Check the docstrings of the public names by numpydoc: `python docs/check_docstrings.py`.

`make lint` runs it. Each fault is one line: the name, numpydoc's code and its words.
"""

import inspect
import sys

from numpydoc.validate import validate

import condprob

# What is not asked for: extended summaries and "See Also" of every name, sections in numpydoc's
# order of words, types of what is returned where its class says it.
IGNORED = {"ES01", "SA01", "SA04", "GL01", "GL02", "GL03", "RT02", "SS06", "YD01"}
# Methods and attributes inherit or are one line; an example is asked of functions and classes.
OF_MEMBERS = {"EX01", "PR01", "RT01", "RT03"}


def names():
    """Return the public names, and those of the public methods that classes define."""
    for name in sorted(condprob.__all__):
        value = getattr(condprob, name)
        if callable(value) and not inspect.ismodule(value):
            yield f"condprob.{name}", False
        if inspect.isclass(value):
            for member, each in sorted(vars(value).items()):
                if not member.startswith("_") and callable(getattr(each, "__func__", each)):
                    yield f"condprob.{name}.{member}", True


def faults():
    """Return a line for each fault."""
    for name, is_member in names():
        for code, words in validate(name)["errors"]:
            if code not in IGNORED and not (is_member and code in OF_MEMBERS):
                yield f"{name}: {code} {words}"


if __name__ == "__main__":
    found = list(faults())
    print(*found, sep="\n")
    sys.exit(f"{len(found)} faults in docstrings" if found else 0)
