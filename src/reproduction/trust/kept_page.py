"""The page of a run as a reference keeps it: pictures and links lead to the files beside it."""

import re
from pathlib import Path

_PICTURE = re.compile(r'src="data:image/[^"]*" data-exhibit="([^"]+)"')
_LINK = re.compile(r'<a href="(\.\./[^"#]*)(#[^"]*)?">(.*?)</a>', re.DOTALL)


def write_kept_page(page, results, reference):
    """Return the HTML of ``RESULTS/SCOPE/report.html`` for a reference.

    A picture is that of the exhibit's PNG. Links to results that the reference lacks, such as
    scores, become text; those to the code lead there from the folder of the reference.

    Parameters
    ----------
    page : pathlib.Path
        The page.
    results, reference : pathlib.Path
        The folders of the results and of the reference, which has its other files already.
    """
    folder = reference.resolve() / page.parent.name

    def link(found):
        address, place, text = found.groups(default="")
        path = (page.parent / address).resolve()
        if path.is_relative_to(results.resolve()):
            name = Path(re.sub(r"\.svg$", ".png", address))
            return f'<a href="{name}">{text}</a>' if (folder / name).is_file() else text
        return f'<a href="{_way(folder, path)}{place}">{text}</a>'

    html = page.read_text(encoding="utf-8").replace("img-src data:", "img-src data: file: 'self'")
    return _LINK.sub(link, _PICTURE.sub(r'src="exhibits/\1.png"', html))


def _way(folder, path):
    """Return the address of a path, seen from a page in a folder."""
    common = next(each for each in [folder, *folder.parents] if path.is_relative_to(each))
    up = len(folder.relative_to(common).parts)
    return "/".join([".."] * up + [path.relative_to(common).as_posix()])
