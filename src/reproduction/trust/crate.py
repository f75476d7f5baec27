"""A run as a research object: a zip of its results, workflow and settings (Workflow Run RO-Crate).

`make crate` writes it from the manifest of a target that was made. Its ``ro-crate-metadata.json``
is the description that catalogues and archives of workflows read. A file whose hash is not that of
the manifest is refused. Snakemake has no report plugin for this (looked for in November 2026).
"""

import argparse
import json
import sys
import zipfile
from mimetypes import guess_type
from pathlib import Path

import yaml

from condprob.interrupts import end_on_signals
from condprob.io import replacing
from reproduction.jobs import describe_error
from reproduction.study import MANIFEST
from reproduction.trust.manifest import ManifestError, hash_file, read_manifest

METADATA = "ro-crate-metadata.json"
CRATES = "crates"  # folder of the results
WORKFLOW = "Snakefile"
SETTINGS = ("config.yaml", "environment.yml", "requirements.txt", "LICENSE", "CITATION.cff")
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": "Process Run Crate",
    "https://w3id.org/ro/wfrun/workflow/0.5": "Workflow Run Crate",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": "Workflow RO-Crate",
}
TERMS = {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
LICENCE = "https://spdx.org/licenses/MIT"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of zip: the same results are the same bytes


def write_crate(results, name, top="."):
    """Write the crate of a target that was made; return its path. ManifestError if it cannot be."""
    results, top = Path(results), Path(top)
    manifest = read_manifest(results / name / MANIFEST, f"run `make {name}` first")
    files = {file: results / file for file in manifest["files"]}
    for file, path in files.items():
        if not path.is_file() or hash_file(path) != manifest["files"][file]:
            raise ManifestError(f"{path} is not what the manifest says: see `make verify`")
    parts = {file: top / file for file in (WORKFLOW, *SETTINGS)}
    parts |= {f"results/{file}": path for file, path in files.items()}
    parts[f"results/{name}/{MANIFEST}"] = results / name / MANIFEST
    cited = yaml.safe_load((top / "CITATION.cff").read_text(encoding="utf-8"))
    try:
        metadata = describe(name, manifest, parts, cited)
    except (KeyError, TypeError, AttributeError):
        raise ManifestError(f"{results / name / MANIFEST} does not tell of its run") from None
    path = results / CRATES / f"{name}.zip"
    path.parent.mkdir(exist_ok=True)
    with replacing(path) as target, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as crate:
        text = json.dumps(metadata, indent=2, ensure_ascii=False) + "\n"
        crate.writestr(zipfile.ZipInfo(METADATA, FIRST_DAY), text)
        for part, file in parts.items():
            crate.writestr(zipfile.ZipInfo(part, FIRST_DAY), file.read_bytes())
    return path


def describe(name, manifest, parts, cited):
    """Return the metadata of a crate: the run, the workflow, and each part with its hash."""
    written, commit = manifest["provenance"]["written"], manifest["provenance"]["git"] or {}
    changed = ", with changes that were not committed" if commit.get("dirty") else ""
    about = f"Results of the target {name} of condprob, commit {commit.get('commit')}{changed}"
    profiles = [ref(profile) for profile in PROFILES]
    entities = [
        {"@id": METADATA, "@type": "CreativeWork", "about": ref("./"),
         "conformsTo": [ref("https://w3id.org/ro/crate/1.1"), profiles[-1]]},
        {"@id": "./", "@type": "Dataset", "name": f"condprob: {name}", "description": about,
         "datePublished": written, "license": ref(LICENCE), "author": ref("#agent"),
         "conformsTo": profiles, "mainEntity": ref(WORKFLOW), "mentions": ref("#run"),
         "hasPart": [ref(part) for part in parts]},
        {"@id": "#run", "@type": "CreateAction", "name": f"The run of {name}",
         "description": about, "instrument": ref(WORKFLOW), "agent": ref("#agent"),
         "endTime": written, "actionStatus": ref("http://schema.org/CompletedActionStatus"),
         "object": ref("config.yaml"), "result": [ref(p) for p in parts if is_result(p)]},
        {"@id": "#agent", "@type": "Organization", "name": cited["authors"][0]["name"]},
        {"@id": LANGUAGE, "@type": "ComputerLanguage", "name": "Snakemake",
         "url": ref("https://snakemake.github.io"),
         "version": manifest["provenance"]["versions"]["snakemake"]},
        {"@id": LICENCE, "@type": "CreativeWork", "name": "MIT licence"},
    ]  # fmt: skip
    for id, title in PROFILES.items():
        version = id.rpartition("/")[2]
        entities.append({"@id": id, "@type": "CreativeWork", "name": title, "version": version})
    for part, path in parts.items():
        known = {"name": part, "sha256": hash_file(path), "contentSize": str(path.stat().st_size)}
        known["encodingFormat"] = guess_type(part)[0] or "text/plain"
        entities.append({"@id": part, "@type": "File"} | known)
        if part == WORKFLOW:
            kinds = ["File", "SoftwareSourceCode", "ComputationalWorkflow"]
            workflow = {"@type": kinds, "name": cited["title"], "license": ref(LICENCE)}
            entities[-1] |= workflow | {"programmingLanguage": ref(LANGUAGE)}
            entities[-1]["version"] = commit.get("commit") or cited["version"]
    return {"@context": ["https://w3id.org/ro/crate/1.1/context", TERMS], "@graph": entities}


def is_result(part):
    """Whether a part of a crate was made by the run."""
    return part.startswith("results/")


def ref(id):
    """Return a reference to an entity."""
    return {"@id": id}


def main(arguments=None):
    """Write the crate of a target, and say where it is."""
    parser = argparse.ArgumentParser(prog="make crate", description=__doc__.splitlines()[0])
    parser.add_argument("name", help="a target that was made")
    parser.add_argument("--results", default="results", help="the folder of the results")
    given = parser.parse_args(arguments)
    try:
        print(f"the crate is {write_crate(given.results, given.name)}")
    except (ManifestError, OSError, MemoryError) as error:
        print(f"error: {describe_error(error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    end_on_signals("crate")
    sys.exit(main())
