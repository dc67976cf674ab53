# Every command of the project. CI calls these very targets.
PY = .venv/bin/python

.PHONY: test lint lock

test:  ## run all tests
	@scripts/venv dev
	@$(PY) -m pytest -q -n auto

lint:
	@scripts/venv dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports

lock:  ## pin what pyproject.toml allows
	@scripts/lock
