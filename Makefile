# Two commands: `make run` serves the site, `make test` checks everything.
# They need Python 3.11 or newer and make; the rest is installed into .venv.

PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
UV ?= uv

.PHONY: run test harden audit licences bench format pins clean

run: .venv/run
	$(BIN)/python manage.py migrate --verbosity 0
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	$(BIN)/python manage.py serve --port $(PORT)

test: .venv/dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m tests.format --check
	$(BIN)/mypy
	$(BIN)/python manage.py check --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tests.run

# What `make test` leaves out: before a release.
harden: .venv/dev
	$(BIN)/python -m tests.run --harden

# Fails too where not all pinned versions could be asked about.
audit: .venv/audit
	$(BIN)/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

licences: .venv/run
	$(BIN)/python -m tests.deploy.licences

# BEFORE=REVISION measures beside an earlier revision too. Fails if phones lose a tap.
bench: .venv/dev
	$(BIN)/python -m tests.bench $(if $(BEFORE),--before $(BEFORE))

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/python -m tests.format

# What is pinned stays so; delete a line to have its newest version.
COMPILE := $(UV) pip compile --quiet --universal --no-emit-index-url --no-header --no-annotate \
	--python-version 3.11 pyproject.toml
pins:
	$(COMPILE) --all-extras --output-file constraints.txt
	$(COMPILE) --generate-hashes --constraint constraints.txt --output-file requirements.txt

clean:
	rm -rf .venv var

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/run: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet -c constraints.txt -e .
	touch $@

.venv/audit: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet -c constraints.txt -e '.[audit]'
	touch $@

.venv/dev: pyproject.toml constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet -c constraints.txt -e '.[dev]'
	touch $@ .venv/run
