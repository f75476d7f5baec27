#!/bin/sh
# Makes the environment: make_environment.sh FOLDER PYTHON...; from the top folder.
#
# The first Python that fits makes it. Where none fits, the first that has its venv module installs
# uv, and uv fetches one that does; both lie inside the folder.
set -eu
folder=$1
shift

fail() {
    echo "error: needs Python 3.11 to 3.14 with its venv module; none among: $pythons$1" \
        "(name another with 'make PYTHON=...')" >&2
    exit 1
}

pythons=$*
for python in "$@"; do
    fits='import ensurepip, sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))'
    if "$python" -c "$fits" 2> /dev/null; then
        exec "$python" -m venv --clear "$folder"
    fi
done

rm -rf "$folder"
uv=$folder/uv
for python in "$@"; do
    "$python" -m venv --clear "$uv" > /dev/null 2>&1 && break
done || fail "; Debian has it in python3-venv"
echo "no Python 3.11 to 3.14 among: $pythons; uv fetches Python 3.13 into $uv"
export UV_PYTHON_INSTALL_DIR="$uv/pythons"
{
    "$uv/bin/python" -m pip install --disable-pip-version-check --quiet \
        --require-hashes --requirement workflow/locks/uv.txt &&
        "$uv/bin/uv" python install --no-bin 3.13 &&
        python=$("$uv/bin/uv" python find --system --managed-python 3.13)
} || fail ", and uv could not fetch one"
exec "$python" -m venv "$folder"
