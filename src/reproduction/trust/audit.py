"""Known vulnerabilities of what the locks pin: a part of ``make lint``, where a network allows it.

pip-audit looks up every pinned version in the database of OSV (https://osv.dev). Nothing else is
sent than names and versions.
"""

import argparse
import json
import subprocess
import sys
from urllib.request import Request, urlopen

OSV = "https://api.osv.dev/v1/query"
TIMEOUT = 10  # seconds for an answer
ASKED = {"package": {"name": "pip", "ecosystem": "PyPI"}, "version": "0"}  # to see if it answers


def main(arguments=None):
    """Run the command; return its exit status: 1 where something is known to be vulnerable."""
    parser = argparse.ArgumentParser(prog="python -m reproduction.trust.audit", description=__doc__)
    parser.add_argument("locks", nargs="+", help="files of pinned requirements")
    parser.add_argument("--service", default=OSV, help="address of the database (default: OSV's)")
    given = parser.parse_args(arguments)
    if problem := find_no_service(given.service):
        print(f"not audited for known vulnerabilities: {given.service} gives no answer: {problem}")
        return 0
    found, vulnerable = 0, []
    for lock in given.locks:
        try:
            audited = audit(lock, given.service)
        except RuntimeError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        found += len(audited)
        vulnerable += [
            f"{lock}: {each['name']} {each['version']}: {vulnerability['id']}{_fix(vulnerability)}"
            for each in audited
            for vulnerability in each["vulns"]
        ]
    print("\n".join(vulnerable) or f"no known vulnerability in {found} pinned versions")
    return 1 if vulnerable else 0


def find_no_service(url):
    """Return why a database cannot be asked, in one line; None where it answers as OSV does."""
    try:
        question = Request(url, json.dumps(ASKED).encode(), {"Content-Type": "application/json"})
        with urlopen(question, timeout=TIMEOUT) as answer:
            if not isinstance(json.load(answer), dict):
                raise ValueError("another answer than OSV's")
    except (OSError, ValueError) as error:
        return " ".join(str(error).split())
    return None


def audit(lock, service=OSV):
    """Return what pip-audit says of each pinned version: ``name``, ``version`` and ``vulns``.

    Raises RuntimeError if pip-audit ends without an answer; the message is its last line.
    """
    how = ["--disable-pip", "--no-deps", "--require-hashes", "--progress-spinner=off"]
    how += ["--format=json", "--vulnerability-service=osv", f"--osv-url={service}"]
    run = subprocess.run(
        [sys.executable, "-m", "pip_audit", *how, f"--timeout={TIMEOUT}", f"--requirement={lock}"],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        audited = json.loads(run.stdout)["dependencies"]
    except ValueError:
        last = (run.stderr.strip() or f"exit status {run.returncode}").splitlines()[-1]
        raise RuntimeError(f"pip-audit gives no answer for {lock}: {last}") from None
    return [each for each in audited if "vulns" in each]


def _fix(vulnerability):
    versions = vulnerability["fix_versions"]
    return f", mended in {', '.join(versions)}" if versions else ""


if __name__ == "__main__":
    sys.exit(main())
