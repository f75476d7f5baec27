"""A made-up package, a made-up play, and how to put them where corpora are looked for."""

import hashlib
import io
import zipfile
from pathlib import Path

PACKAGE = {"source": "nltk", "package": "fables", "files": ["fox.txt", "crow.txt"]}
FILES = {"crow.txt": b"a crow\n", "fox.txt": b"the fox\n", "owl.txt": b"an owl\n"}
# Two lines of verse, one spoken by two people; nothing else is text.
PLAY = """<?xml version="1.0" encoding="utf-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><title>Nothing</title></teiHeader>
<text><front><p>Preface</p></front><body><div><head>Act</head><stage>Enter</stage>
<sp><speaker>She</speaker><l n="1">So <hi>glad</hi> é</l><note>Aside</note></sp>
<sp><speaker>He</speaker><l n="2" part="I">And</l></sp>
<sp><speaker>She</speaker><l n="2" part="F">you?</l></sp></div></body></text></TEI>
""".encode()
DRACOR = {"source": "dracor"}


def sha256(raw):
    return hashlib.sha256(raw).hexdigest()


def archive(files, package="fables"):
    """Return the bytes of a package's archive."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as opened:
        opened.mkdir(package)
        for name, content in files.items():
            opened.writestr(f"{package}/{name}", content)
    return raw.getvalue()


def put(folder, path, raw):
    target = Path(folder, path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(raw)
    return folder
