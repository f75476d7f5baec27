"""Why a corpus cannot be used."""


class CorpusError(Exception):
    """A corpus cannot be used as configured; the message is one line."""

    def __str__(self):
        name, message = self.args
        return f"corpus {name!r}: {message}"


class CorpusUnavailable(CorpusError):
    """A corpus is neither at hand nor to be had: `reason` says why, `remedy` how to get it."""

    def __init__(self, name, reason, remedy):
        self.reason, self.remedy = " ".join(str(reason).split()), remedy
        super().__init__(name, self.reason, remedy)

    def __str__(self):
        return f"corpus {self.args[0]!r} is not here: {self.reason}; to get it, {self.remedy}"
