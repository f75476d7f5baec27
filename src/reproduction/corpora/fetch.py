"""The network, where a corpus is not at hand: bounded in time, and never leaving half a file."""

import os
import tempfile
import threading
from pathlib import Path
from queue import Empty, SimpleQueue
from urllib.parse import urlsplit

TIMEOUT = 12  # seconds for a whole answer, so that a run without network goes on


def fetch(url, size=None):
    """Return the bytes at a URL, or the first `size` of them; OSError if not in `TIMEOUT` seconds.

    A thread bounds the whole: the time-out of `urlopen` counts anew for every address of a host,
    and where a firewall drops what is sent that is more than a minute.
    """
    import urllib.error
    import urllib.request

    answers = SimpleQueue()

    def ask():
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT) as page:
                answers.put(page.read(size))
        except Exception as error:  # whatever it is, it is raised below
            answers.put(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    try:
        answer = answers.get(timeout=TIMEOUT)
    except Empty:
        raise TimeoutError(f"{urlsplit(url).hostname}: no answer in {TIMEOUT} s") from None
    asking.join()  # it has nothing left to do; an interpreter may crash that ends before it
    if isinstance(answer, urllib.error.HTTPError):
        answer.close()  # it is a page, too, and Python 3.14 warns of one that is left open
    if isinstance(answer, Exception):
        raise OSError(f"{urlsplit(url).hostname}: {str(answer).strip('<>')}") from answer
    return answer


def save(folder, path, raw):
    """Write bytes to `path` under `folder` in one step: an interruption leaves no such file."""
    target = Path(folder, path)
    # Not writable for others, whatever the umask: NLTK refuses to install beside such a folder.
    for parent in reversed(target.relative_to(folder).parents):
        Path(folder, parent).mkdir(mode=0o755, parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as part:
        try:
            part.write(raw)
            part.flush()
            os.chmod(part.name, 0o644)
            os.replace(part.name, target)
        except BaseException:
            os.unlink(part.name)
            raise


def download_package(package, folder):
    """Let NLTK's downloader put a data package into a folder laid out like NLTK's data.

    Raises OSError or ValueError with NLTK's message if it could not.
    """
    import io

    import nltk
    from nltk.downloader import Downloader

    fetch(Downloader.DEFAULT_URL, size=1)  # NLTK itself would wait for two minutes
    said = io.StringIO()  # no message comes twice, on the terminal and in the exception
    nltk.download(
        package, download_dir=os.path.abspath(folder), raise_on_error=True, print_error_to=said
    )
