#!/bin/sh
# Builds the site into a folder: INTO/venv, INTO/site. The Dockerfile calls it; so may you:
#   deploy/build.sh /srv/coalition-1.4
# The folder must be new: what an older version had would stay in it. PYTHON is any Python with venv
# and pip; what is built has no pip.
set -eu
into=$(realpath -m "$1")
builder=${PYTHON:-python3}
python="$into/venv/bin/python"
cd "$(dirname "$0")/.."
if [ -e "$into" ]; then
	echo "$into is there already: name a new folder." >&2
	exit 1
fi

trap 'rm -rf "$into"' EXIT # half a site is none: the same line may be repeated
"$builder" -m venv --without-pip "$into/venv"
"$builder" -m pip --python "$python" install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: --no-compile --requirement requirements.txt
mkdir -p "$into/site"
cp -R manage.py LICENSE coalition_site decks scoring static templates "$into/site"
find "$into/site" -name __pycache__ -prune -exec rm -r {} +
env -i PATH="$PATH" COALITION_SECRET_KEY=while-building "$python" "$into/site/manage.py" collectstatic --no-input --verbosity 0
"$python" -m compileall -q -j 0 "$into/venv/lib" "$into/site"
trap - EXIT
