"""The manifest of a run: the SHA-256 of every result, with what computed them.

``provenance.json`` and ``manifest.json`` differ from run to run (they tell the time and the
machine); of the other results only the pages, which show the provenance, may. Each target has a
manifest of its own, in its folder of results.
"""

import hashlib
import json
import os
from pathlib import Path

from reproduction.study import MANIFEST

INDEX = "index.html"
NOT_RESULTS = {"logs", "benchmarks", "reference"}  # folders beside the results

OF_SCOPE = ("kept", "unsteady")  # the fields of `study.Scope` in a manifest


class ManifestError(ValueError):
    """A manifest is missing or is none; the message is one line."""


def write_manifest(path, folder, provenance, files, scope=None):
    """Write the SHA-256 of ``files``, named from the ``folder`` of the results.

    ``scope`` has the fields `OF_SCOPE`, which a comparison needs: the ``unsteady`` fits, and the
    ends of the names of files that are ``kept`` as a reference.
    """
    hashes = {Path(file).relative_to(folder).as_posix(): hash_file(file) for file in files}
    data = dict(scope or {}) | {
        "provenance": provenance,
        "provenance_sha256": hash_data(provenance),
    }
    write_json(path, data | {"files": dict(sorted(hashes.items()))})


def hash_again(path, manifest, folder, names):
    """Write a manifest with the SHA-256 that those of its files have now whose names are given."""
    hashes = {name: hash_file(Path(folder, name)) for name in names if name in manifest["files"]}
    if hashes:
        write_json(path, manifest | {"files": manifest["files"] | hashes})


def find_manifests(folder):
    """Return the manifests of the targets that were made, by name; ManifestError if none was."""
    found = {
        path.parent.name: read_manifest(path) for path in sorted(Path(folder).glob(f"*/{MANIFEST}"))
    }
    if not found:
        read_manifest(Path(folder, MANIFEST))
    return found


def read_manifest(path, remedy="run `make reproduce` first"):
    """Read a manifest; ManifestError if there is none, or it is not one."""
    try:
        manifest = json.loads(Path(path).read_text(encoding="utf-8"))
        if not all(map(_is_inside, manifest["files"].items())):
            raise TypeError
    except FileNotFoundError:
        raise ManifestError(f"{path} does not exist: {remedy}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, IsADirectoryError):
        raise ManifestError(f"{path} is not a manifest: {remedy}") from None
    return manifest


def _is_inside(item):
    """Whether a file has a hash, and a name that leads to nothing outside of its folder."""
    name, digest = item
    is_plain = not Path(name).is_absolute() and ".." not in Path(name).parts
    return is_plain and isinstance(digest, str)


def read_provenance(path, manifest):
    """Return what a manifest says of methods and corpora; ManifestError if it does not say it."""
    provenance = manifest.get("provenance")
    for part in ("methods", "corpora"):
        if not isinstance(provenance, dict) or not isinstance(provenance.get(part), dict):
            raise ManifestError(f"{path} does not tell the {part} of its run: nothing to compare")
    return provenance


def files_of(manifests):
    """Return the hashes of all files in some manifests."""
    return {name: digest for each in manifests.values() for name, digest in each["files"].items()}


def check_files(folder):
    """Hash every file of each target's folder again.

    Returns the files that are ``changed``, ``missing`` (in the manifest, not in the folder) and
    ``extra`` (in the folder, not in the manifest). A manifest whose provenance is not the one that
    was written with it is among the changed. A folder with logs or a manifest of its own, such as
    ``results/smoke``, holds the results of another run and is passed over. Raises ManifestError if
    there is no manifest.
    """
    manifests = find_manifests(folder)
    recorded = files_of(manifests)
    present = list_results(folder)
    changed = [
        name
        for name, digest in recorded.items()
        if name in present and hash_file(Path(folder, name)) != digest
    ]
    for name, manifest in manifests.items():
        if manifest.get("provenance_sha256") != hash_data(manifest.get("provenance")):
            changed.append(f"{name}/{MANIFEST}")
    return {
        "changed": changed,
        "missing": [name for name in recorded if name not in present],
        "extra": [name for name in sorted(present) if name not in recorded],
    }


def list_results(folder):
    """Return the names, from ``folder``, of a run's results: no logs, benchmarks or manifests."""
    found = set()
    for place, folders, files in os.walk(folder):
        here = Path(place)
        top = here == Path(folder)
        folders[:] = [
            name
            for name in folders
            if not (top and name in NOT_RESULTS) and not (here / name / "logs").is_dir()
        ]
        # A link that leads nowhere is no result.
        files = [here / name for name in files if (here / name).is_file()]
        found |= {file.relative_to(folder).as_posix() for file in files}
    return {name for name in found if not name.endswith(f"/{MANIFEST}")} - {INDEX}


def hash_file(path):
    """Return the SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_data(data):
    """Return the SHA-256 of numbers and texts, in hexadecimal, however they are laid out."""
    text = json.dumps(data, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def write_json(path, data):
    """Write JSON that a person can read, whole or not at all."""
    from condprob.files import write_text  # NumPy comes with it: see `study`

    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    write_text(path, text)
