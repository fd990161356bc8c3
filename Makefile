# make demo   play a match set between sample bots
# make test   lint, types, tests
# make soak   the long searches
# make bench  figures beside their peers
# Each sets up .venv by itself from nothing but python3 (and uses uv when it is there).

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
JOBS   ?= 2

.PHONY: demo test lint types tests soak bench clean

demo: $(READY)
	$(BIN)/arena play sheepzzz greedy random --deals 20

test: lint types tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

tests: $(READY)
	$(BIN)/python -m pytest -n $(JOBS)

soak: $(READY)
	ARENA_SOAK=100 FUZZ_FRAMES=100000000 $(BIN)/python -m pytest -n $(JOBS) tests/contracts tests/protocol tests/arena

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/referee.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/build

$(READY): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  test -x $(BIN)/python || uv venv --quiet --python $(PYTHON) $(VENV); \
	  uv pip install --quiet --python $(BIN)/python -e '.[dev]'; \
	else \
	  test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	    echo "python3 cannot make a virtual environment here. Try: apt install python3-venv"; exit 1; }; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@
