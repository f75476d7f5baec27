"""The network, where a corpus is not at hand: pooch downloads a file, whole or not at all."""

import logging
import time
from pathlib import Path
from urllib.parse import urlsplit

from reproduction.corpora.errors import CorpusError, CorpusUnavailable

# Seconds for the answer of each address of a host, and between two pieces of a file.
TIMEOUT = (3, 12)
LARGEST_DOWNLOAD = 2**28  # bytes of a download
LONGEST_DOWNLOAD = 300  # seconds of a download; not measured
BYTES_AT_ONCE = 64  # bytes after which the time is looked at: a host may send byte by byte


def download(name, url, target, sha256, remedy):
    """Download a file of the corpus ``name`` to ``target``.

    Parameters
    ----------
    sha256 : str or None
        Its hash, in hexadecimal; None for any.
    remedy : str
        How to get the file otherwise, for the message.

    Raises
    ------
    CorpusUnavailable
        The file could not be downloaded.
    CorpusError
        It has another hash; it is not kept.
    """
    import pooch
    import requests

    pooch.get_logger().setLevel(logging.WARNING)
    target, host = Path(target), urlsplit(url).hostname
    try:
        pooch.retrieve(url, sha256, fname=target.name, path=target.parent, downloader=_write)
        target.chmod(0o644)  # of pooch's temporary file, which only its owner may read
    except (requests.ConnectionError, requests.Timeout) as error:
        raise CorpusUnavailable(name, f"{host} cannot be reached", remedy) from error
    except OSError as error:  # an answer of the host that is no file, or a disk
        raise CorpusUnavailable(name, f"{host}: {error}", remedy) from error
    except ValueError as error:
        message = f"the file at {url} has another SHA-256 than the pinned {sha256}"
        remedy = "allow_other_hashes: true would use it all the same"
        raise CorpusError(name, f"{message}; {remedy}") from error


def _write(url, target, _pooch):
    """Write what an address answers to a file; raise OSError where it does not end in time."""
    import requests

    end, size = time.monotonic() + LONGEST_DOWNLOAD, 0
    with requests.get(url, timeout=TIMEOUT, stream=True) as answer, open(target, "wb") as file:
        answer.raise_for_status()
        for piece in answer.iter_content(BYTES_AT_ONCE):
            size += len(piece)
            if size > LARGEST_DOWNLOAD:
                raise OSError(f"the file is larger than {LARGEST_DOWNLOAD / 1e6:,.0f} MB")
            if time.monotonic() > end:
                raise OSError(f"the download takes longer than {LONGEST_DOWNLOAD} seconds")
            file.write(piece)
