# make demo   play a small ladder between sample bots; again, it says that it is complete
# make test   lint, types, tests; needs some programs of the system and says which are missing
# make wheel  a wheel in dist/ that needs no checkout; wheel-compiled, one with compiled rules and referee
# make soak   the long searches
# make bench  figures beside their peers, in plain Python and compiled; `make bench-peers` installs the peers alone
# make compiled       a copy with compiled rules and referee in build/compiled (needs a C compiler)
# make test-compiled  the rules', protocol's and referee's tests on that copy
# Each sets up .venv by itself from nothing but python3 (and uses uv when it is there).

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BROWSER := $(VENV)/.browser
JOBS   ?= 2
COPY   := build/compiled

# Into .venv, the project with one of its extras.
define INSTALL
$(BIN)/python -m pip --version >/dev/null 2>&1 && \
  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[$(1)]' || \
  uv pip install --quiet --python $(BIN)/python -e '.[$(1)]'
endef

.PHONY: demo test wheel wheel-compiled system machine lint types tests soak bench bench-peers clean compiled test-compiled

demo: $(READY)
	$(BIN)/arena ladder run ladders/quickstart.toml

test: system lint types tests

wheel: $(READY)
	rm -f dist/*.whl
	$(BIN)/python -m hatchling build -t wheel -d dist

wheel-compiled: $(READY)
	rm -f dist/*.whl
	HATCH_BUILD_HOOKS_ENABLE=true $(BIN)/python -m hatchling build -t wheel -d dist

# What the tests drive besides Python: a sandbox, a database, a browser, bots in C, JavaScript and shell.
PROGRAMS := bwrap:bubblewrap cc:gcc node:nodejs jq:jq openssl:openssl setpriv:util-linux chromium:chromium
system:
	@missing=""; \
	for pair in $(PROGRAMS); do \
	  command -v $${pair%%:*} >/dev/null 2>&1 || missing="$$missing $${pair##*:}"; \
	done; \
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	echo '#include <pthread.h>' | cc -E - >/dev/null 2>&1 || missing="$$missing libc6-dev"; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
	  echo "installing$$missing"; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing >/dev/null; \
	elif [ -n "$$missing" ]; then \
	  echo "the tests need more of the system. Try: apt install$$missing"; exit 1; \
	fi

# What it must allow: namespaces, and a checkout that others may enter.
machine: $(READY)
	@$(BIN)/python -m tests.machine

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

tests: machine $(BROWSER)
	ARENA_E2E=1 $(BIN)/python -m pytest -n $(JOBS) -rs

# What is asked of the rules a hundred thousand times is asked of the compiled ones, which are the same.
RULES := tests/contracts/test_game_contract.py tests/games/test_imagination.py tests/games/test_memory.py
soak: compiled
	cd $(COPY) && ARENA_SOAK=100 $(abspath $(BIN))/python -m pytest -n $(JOBS) $(RULES)
	ARENA_SOAK=100 FUZZ_FRAMES=100000000 $(BIN)/python -m pytest -n $(JOBS) tests/contracts tests/protocol tests/arena tests/websocket \
	  tests/sandbox tests/cli/test_ladder_plug.py $(RULES:%=--ignore=%)
	$(BIN)/python -m bench.forfeits 10000

compiled: $(READY)
	$(BIN)/python hatch_build.py $(COPY)

test-compiled: compiled
	cd $(COPY) && $(abspath $(BIN))/python -m pytest -n $(JOBS) \
	  tests/compiled tests/games tests/contracts/test_game_contract.py tests/contracts/test_planted_mistakes.py \
	  tests/playthroughs tests/protocol tests/arena

bench: compiled bench-peers
	$(BIN)/python -m bench

bench-peers: $(READY)
	@$(call INSTALL,bench)

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/build build dist

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

$(BROWSER): $(READY)
	@$(call INSTALL,e2e)
	@touch $@
