"""Which texts there are: decided once by the main process, before jobs are planned.

Nothing is downloaded here. A text that is neither at hand nor in results/ is left out of the plan,
and named with the command that gets it. A ``strict`` run leaves nothing out: its job fetches the
text, or fails.
"""

import json
from pathlib import Path

from reproduction.corpora.sources import DOWNLOADS

WHY = f"it is neither on NLTK's search path nor in {DOWNLOADS}"


class Available:
    """The texts that there are, and by their names why others are ``missing``."""

    def __init__(self, strict=False):
        self.missing = {}
        self._strict, self._is_decided = strict, False

    def has(self, name, result, at_hand, remedy=""):
        """Whether a text can be used: it is ``at_hand``, or an earlier run made its ``result``.

        Without a ``remedy`` of its own the job of the result fetches it.
        """
        if self._is_decided:
            return name not in self.missing
        if self._strict or at_hand or Path(result).is_file():
            return True
        fetch = f"snakemake -j1 {result}"
        files = [] if remedy else [result]
        self.missing[name] = {"reason": WHY, "remedy": remedy or fetch, "files": files}
        return False

    def files(self, names):
        """Return the files that fetch the missing texts with these names."""
        return [file for why in self.among(names).values() for file in why["files"]]

    def among(self, names):
        """Return why texts are missing, of those with these names."""
        return {name: why for name, why in self.missing.items() if name in names}

    def lines(self, names):
        """Yield a line for each missing text with one of these names: why, and how to get it."""
        for name, why in self.among(names).items():
            yield f"Left out: {name}, because {why['reason']}. To get it: {why['remedy']}"

    def write(self, path):
        """Write which texts are missing, for processes of jobs that read the rules again."""
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.missing, indent=2) + "\n", encoding="utf-8")

    @classmethod
    def read(cls, path):
        """Read what `write` wrote."""
        found = cls()
        found.missing = json.loads(Path(path).read_text(encoding="utf-8"))
        found._is_decided = True
        return found
