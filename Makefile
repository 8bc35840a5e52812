# Two commands do everything: `make bench` (set up, run a scripted policy under two harnesses, compare, write the report)
# and `make test`. `make score` scores the sample sessions.
# One task of each category that needs Python alone, with the twin of the one that cannot be done.
BENCH = stock-reservations,house-tab,spool-segments,locker-codes-six,locker-codes-nine,trail-points
.PHONY: bench score test slow validate check docs dist bench-speed lock sealed-wheel clean

bench:
	@echo "12 runs of a scripted policy without and with an AGENTS.md (no model, API key or network): about 2 minutes." >&2
	@scripts/setup bench
	@.venv/bin/rigor run rigor --tasks $(BENCH) --agent react --harness baseline,agents-md=examples/AGENTS.md \
	  --model scripted/as-told --jobs 2 --out out/bench

score:
	@scripts/setup
	@.venv/bin/rigor score examples/sessions --html out/report

test:
	@scripts/setup dev
	@{ scripts/browser >&2 || echo "there is no Chromium; the tests that look at pages are skipped" >&2; \
	  scripts/agents .agents >&2 \
	  || echo "the agents' programs could not be installed; the tests that drive them are skipped" >&2; } & \
	  $(MAKE) --no-print-directory check; status=$$?; wait; exit $$status
	@RIGOR_AGENTS=$(CURDIR)/.agents .venv/bin/python -m pytest -n 3 --dist worksteal -m "not slow"

# The tests that take long: whole experiments, proofs of packages, stability under load. CI runs them after `make test`.
slow:
	@scripts/setup dev
	@RIGOR_AGENTS=$(CURDIR)/.agents .venv/bin/python -m pytest -n 2 --dist worksteal -m slow

# Proves the tasks and packages that have changed since they were proved; and one task and two recipes more, chosen by what
# is committed, without policies. A recipe whose packages cannot be fetched is reported and left out.
validate:
	@scripts/setup dev
	@.venv/bin/rigor suite validate suites/controls
	@.venv/bin/rigor suite validate suites/rigor
	@.venv/bin/rigor suite validate suites/rigor --no-policies --sample 1 --seed "$$(git rev-parse HEAD)"
	@.venv/bin/rigor suite prepare suites/real --skip-gone
	@.venv/bin/rigor suite validate suites/real
	@.venv/bin/rigor suite validate suites/real --no-policies --sample 2 --seed "$$(git rev-parse HEAD)"
	@.venv/bin/rigor judge verify suites/projdev/*/ --record suites/projdev/proofs.json --changed

check:
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/python -m mypy
	@.venv/bin/lint-imports
	@.venv/bin/python scripts/budget.py

# The docs site; a broken link fails it. The slow tests build it as well.
docs:
	@scripts/setup docs
	@NO_MKDOCS_2_WARNING=1 .venv/bin/python -m mkdocs build --strict --quiet
	@echo "out/docs/index.html (its search needs a server: python3 -m http.server -d out/docs)"

# The sdist and the wheel, which pipx and uvx install from the file (docs/releasing.md).
dist:
	@scripts/setup
	@rm -rf dist && .venv/bin/python -m hatchling build -d dist

bench-speed:
	@scripts/setup dev
	@.venv/bin/python benchmarks/run.py throughput

# Run it with the oldest Python we support (Debian 12 has 3.11.2): newer ones choose versions that it cannot install.
COMPILE = .venv/bin/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-emit-index-url \
  --no-emit-find-links --no-emit-trusted-host

lock:
	CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) --output-file requirements/base.txt pyproject.toml requirements/base.in
	CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) --extra bench --output-file requirements/bench.txt pyproject.toml requirements/base.in
	CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) --extra bench --extra judge --extra reader --extra ray --output-file requirements/dev.txt pyproject.toml requirements/dev.in
	CUSTOM_COMPILE_COMMAND="make lock" $(COMPILE) --output-file requirements/docs.txt pyproject.toml requirements/docs.in

# A wheel in which hidden tests, solutions and the rest of the suites are encrypted: make sealed-wheel KEY=rigor.key
sealed-wheel:
	@scripts/setup bench
	@rm -rf out/sealed && for suite in suites/*/; do .venv/bin/rigor suite seal $$suite out/sealed/$$(basename $$suite) --key-file $(KEY) || exit 1; done
	@RIGORBENCH_SUITES=out/sealed .venv/bin/pip wheel -qq --no-deps --wheel-dir dist .

clean:
	rm -rf .venv .agents out dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis
