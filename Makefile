# Everything a person or CI runs. `make quickstart` and `make test` are all the set-up there is.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export OMP_WAIT_POLICY := PASSIVE

.PHONY: quickstart test test-extras test-long test-browser bench train-smollm check fix docs site calibration calibration-table catalogue-table clean

quickstart: $(VENV)/.local
	$(BIN)/biasscope quickstart

test: $(VENV)/.dev check
	$(BIN)/python -m pytest -n auto -m "not local and not slow and not long and not browser"

# The tests of the extra `reward` run with what `train` installs. One thread a worker: more would wait for each other.
test-extras: $(VENV)/.dev $(VENV)/.local $(VENV)/.inspect $(VENV)/.review $(VENV)/.train site
	-$(BIN)/biasscope models fetch qwen2.5-coder-0.5b
	-$(BIN)/biasscope models fetch smollm2-135m
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "slow and not local and not long and not browser"
	$(BIN)/python -m pytest -m "local and not long"

# The proof on planted judges, that of the gate, and a calibration through texts.
test-long: $(VENV)/.dev
	$(BIN)/python -m pytest -m long

# A training of a real small model, SmolLM2-135M, and whether it helped; an hour on two cores. What comes out is printed.
train-smollm: $(VENV)/.dev $(VENV)/.local $(VENV)/.train
	$(BIN)/biasscope models fetch smollm2-135m
	$(BIN)/python benchmarks/train_smollm.py runs/smollm

# The report and the review app in Debian's Chromium, which the tests install where apt can and else say why they do not run.
test-browser: $(VENV)/.dev $(VENV)/.review
	$(BIN)/python -m pytest -m browser tests/browser

# Speed, cost and scale (docs/performance.md); SIZE=smoke takes seconds, small minutes, full most of an hour. The tokens that
# llama.cpp evaluates are counted where smollm2-135m is there (biasscope models fetch smollm2-135m).
SIZE ?= full
bench: $(VENV)/.dev $(VENV)/.local
	$(BIN)/python -m benchmarks --size $(SIZE)

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev
	$(BIN)/python -m biasscope.cli.reference docs

# The pages as a site in site/. A warning, such as a link that leads nowhere, is an error; nothing is fetched.
site: $(VENV)/.docs
	$(BIN)/sphinx-build --builder html --fresh-env --fail-on-warning --keep-going --quiet docs site

# What the rule promises, on 2,000 simulated judges a claim; and its table in docs/statistics.md. Each an hour or two.
calibration: $(VENV)/.dev
	$(BIN)/python -m pytest benchmarks/test_calibration.py

calibration-table: $(VENV)/.dev
	$(BIN)/python -m biasscope.cli.calibration_table docs/statistics.md 500

# Every known trait on a judge that is planted with it; the table of docs/catalogue.md. Ten minutes.
catalogue-table: $(VENV)/.dev
	$(BIN)/python -m biasscope.cli.catalogue_table docs/catalogue.md

$(VENV)/.base:
	$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info < (3, 14) else "biasscope needs Python 3.11 to 3.13, this is " + sys.version.split()[0] + ". Hint: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	touch $@

# torch first and by version: what asks for any version of it takes the newest, which is another build of several GB.
$(VENV)/.train: $(VENV)/.base pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check torch==2.13.0
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[train]'
	touch $@

$(VENV)/.%: $(VENV)/.base pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[$*]'
	touch $@

clean:
	rm -rf $(VENV) dist build site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
