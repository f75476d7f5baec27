#!/bin/sh
# Installs what locks pin into an environment: install_locks.sh PYTHON LOCK...; from the top folder.
#
# uv takes half of pip's time, and does not stay. Where it finds no index, such as one of pip's own
# settings, pip installs the same. The locks are whole, and the versions in them agree: nothing is
# resolved.
set -eu
python=$1
shift

for lock in "$@"; do
    set -- "$@" --requirement "$lock"
    shift
done
pip="$python -m pip install --disable-pip-version-check --require-hashes"

tools=$(mktemp -d "$(dirname "$python")/uv.XXXXXX")
trap 'rm -rf "$tools"' EXIT
if $pip --quiet --target "$tools" --requirement workflow/locks/uv.txt && PYTHONPATH=$tools \
    "$python" -m uv pip install --python "$python" --require-hashes --no-deps --compile-bytecode "$@"; then
    exit
fi
echo "uv could not install them: pip does"

# For Python 3.14 there is no wheel of immutables, which Snakemake needs. Its part in C asks for a
# compiler and the headers of Python; built without it, the package does the same in Python.
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 14))'; then
    options='--config-settings=--global-option=build_py --config-settings=--build-option=--skip-build'
    one=$(mktemp)
    sed -n "/^immutables==/,/[^\\\\]\$/{s/==[^ ]*/& $options/;p;}" requirements.txt > "$one"
    $pip --requirement "$one"
    rm "$one"
fi
$pip --no-deps "$@"
