"""Check the docstrings of the public names by numpydoc: `python docs/check_docstrings.py`.

`make lint` runs it. Each fault is one line: the name, numpydoc's code and what is wrong.
"""

import inspect
import sys

from numpydoc.docscrape import ClassDoc
from numpydoc.validate import validate

import condprob

# Not asked for: an extended summary and "See Also" of every name, a line break after the quotation
# marks, an imperative (a noun phrase does), numpydoc's order of sections, types of named results.
IGNORED = {"ES01", "SA01", "GL01", "GL02", "GL03", "GL07", "SS05", "RT02", "RT04", "RT05", "YD01"}
# Members may be one line, and inherit; examples are asked of functions and classes.
OF_MEMBERS = {"EX01", "GL08", "PR01", "RT01", "RT03"}
# The fields of a class are documented as its attributes. An exception needs no example.
OF_CLASSES = {"PR01"}


def names():
    """Yield the public names with their values, and the public methods that classes define."""
    for name in sorted(condprob.__all__):
        value = getattr(condprob, name)
        if callable(value):
            yield f"condprob.{name}", value
        if inspect.isclass(value):
            for member, each in sorted(vars(value).items()):
                function = getattr(each, "__func__", each)
                if not member.startswith("_") and inspect.isfunction(function):
                    yield f"condprob.{name}.{member}", function


def faults():
    """Yield a line for each fault."""
    for name, value in names():
        ignored = set(IGNORED)
        if name.count(".") > 1:
            ignored |= OF_MEMBERS
        elif inspect.isclass(value):
            ignored |= OF_CLASSES | ({"EX01"} if issubclass(value, Warning) else set())
            for attribute in ClassDoc(value)["Attributes"]:
                if attribute.type and not attribute.desc:
                    yield f'{name}: attribute "{attribute.name}" has no description'
        for code, words in validate(name)["errors"]:
            if code not in ignored:
                yield f"{name}: {code} {words}"


if __name__ == "__main__":
    found = list(faults())
    print(*found, sep="\n")
    sys.exit(f"{len(found)} faults in docstrings" if found else 0)
