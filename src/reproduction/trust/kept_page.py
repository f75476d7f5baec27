"""The page of a run as a reference keeps it: its links lead to the files next to it."""

import os
import re

_LINK = re.compile(r'<a href="((?:\.\./)+)([^"#]*)(#[^"]*)?">(.*?)</a>', re.DOTALL)


def write_kept_page(page, results, reference):
    """Return the HTML of ``RESULTS/TARGET/report.html`` for a reference.

    Its pictures are the PNG files next to it. Links lead to the results and the code that are
    next to the reference, wherever the page was made. A link to a file that is missing there, such
    as a table of scores, becomes text.

    Parameters
    ----------
    page : pathlib.Path
        The page.
    results, reference : pathlib.Path
        The folders of the results and of the reference, which has its other files already.
    """
    folder = reference.resolve() / page.parent.name

    def link(found):
        up, name, place, text = found.groups(default="")
        if (page.parent / up).resolve().is_relative_to(results.resolve()):
            tops = [reference.resolve()]
            name = re.sub(r"\.svg$", ".png", name)
        else:  # the same file of the code in the checkout of the reference
            tops = folder.parents
        top = next((top for top in tops if (top / name).is_file()), None)
        return f'<a href="{os.path.relpath(top / name, folder)}{place}">{text}</a>' if top else text

    return _LINK.sub(link, page.read_text(encoding="utf-8"))
