"""The network, where a corpus is not at hand: pooch downloads a file, whole or not at all."""

import logging
from pathlib import Path
from urllib.parse import urlsplit

from reproduction.corpora.errors import CorpusError, CorpusUnavailable

# Seconds for the answer of each address of a host, and between two pieces of a file.
TIMEOUT = (3, 12)


def download(name, url, target, sha256, remedy):
    """Download a file of the corpus ``name`` to ``target``.

    Its SHA-256 is checked, if there is one; ``remedy`` says how to get the file otherwise. Raises
    CorpusUnavailable if it could not be downloaded, and CorpusError if it has another hash.
    """
    import pooch
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    target, host = Path(target), urlsplit(url).hostname
    get = pooch.HTTPDownloader(timeout=TIMEOUT)
    try:
        pooch.retrieve(url, sha256, fname=target.name, path=target.parent, downloader=get)
        target.chmod(0o644)  # of pooch's temporary file, which only its owner may read
    except (requests.ConnectionError, requests.Timeout) as error:
        raise CorpusUnavailable(name, f"{host} cannot be reached", remedy) from error
    except OSError as error:  # an answer of the host that is no file, or a disk
        raise CorpusUnavailable(name, f"{host}: {error}", remedy) from error
    except ValueError as error:
        message = f"the file at {url} has another SHA-256 than the pinned {sha256}"
        remedy = "allow_other_hashes: true would use it all the same"
        raise CorpusError(name, f"{message}; {remedy}") from error
