# Every command of the project. CI calls these very targets.
PY = .venv/bin/python
# The tests start hundreds of processes, each of which would compile every source again.
export PYTHONDONTWRITEBYTECODE =
STOMP = docs/examples/mqconvert-stomp

.PHONY: speed pure wheels test-speed fuzz-native serve check test test-recipes interop oracle lint generate check-generated package docs pictures site vendor lock bench race bench-codecs bench-memory bench-spark load check-dockerfile

serve:  ## start the service on 127.0.0.1:8000
	@scripts/venv serve
	@echo "the command line: .venv/bin/mqconvert --help"
	@MQCONVERT_ALLOW_RULES=$${MQCONVERT_ALLOW_RULES-on} $(PY) -m mqconvert.app serve

speed:  ## compile the hot modules with mypyc, beside their sources; make pure takes them away
	@scripts/venv dev
	@scripts/compiler
	@$(PY) scripts/speed/build.py $(ARGS)

pure:  ## take the compiled modules away
	@$(PY) scripts/speed/build.py --remove

wheels: speed  ## build dist/ with the pure wheel and this machine's compiled one, and install both into an empty environment
	@$(PY) scripts/speed/wheels.py

BOTH = converters/model converters/engine/test_engine.py converters/engine/test_report.py converters/protocols \
       converters/words converters/test_corpus.py converters/test_losses.py converters/test_sections.py test_compiled.py
test-speed: speed  ## tests of the compiled modules, and the same on the sources
	@$(PY) -m pytest -q -n auto $(addprefix tests/,$(BOTH))
	@MQCONVERT_PURE=1 $(PY) -m pytest -q -n auto $(addprefix tests/,$(BOTH))

fuzz-native:  ## a million mutated inputs against the compiled decoders under the address sanitizer; ARGS="--inputs 10000"
	@scripts/venv dev
	@scripts/compiler
	@nice -n 10 $(PY) -m tests.fuzz $(ARGS)

QUICK = model words json/test_schemas.py engine/test_compiler.py engine/test_rules.py engine/test_samples.py \
        protocols/test_registry.py protocols/test_calls.py test_routes.py test_environment.py test_sections.py
check: lint  ## the inner loop: lint, types, and tests that take seconds
	@$(PY) -m pytest -q -n auto $(addprefix tests/converters/,$(QUICK)) tests/test_codes.py

test:  ## run all tests but the live ones and the recipes
	@scripts/venv dev
	@scripts/java
	@scripts/java-archive
	@scripts/browser
	@$(PY) -m pytest -q -n auto --dist loadgroup -m "not recipe"

test-recipes:  ## tests that install, build or start whole systems: a Spark cluster, another package's protocol, the site
	@scripts/venv dev
	@scripts/java
	@scripts/java-archive
	@scripts/browser
	@$(PY) -m pytest -q -n auto --dist loadgroup -m recipe

interop:  ## real clients over real brokers, which are prepared in a cache folder; BROKER=nsqd runs those of one, SEED=1 repeats a run
	@scripts/venv dev
	@rm -rf build/stomp && mkdir -p build/stomp && cp -r $(STOMP) build/stomp/source
	@$(PY) -m pip install -q --disable-pip-version-check --no-index --no-deps --no-build-isolation --target build/stomp/site build/stomp/source
	@PYTHONPATH=build/stomp/site $(PY) -m pytest -q -p no:cacheprovider tests/interop $(if $(BROKER),--broker $(BROKER)) $(if $(SEED),--seed $(SEED))

CASES = 100000
oracle:  ## random messages, converted by RabbitMQ's own code and by the library: CASES=20000 SEED=1 of them
	@scripts/venv dev
	@$(PY) -m tests.oracle --cases $(CASES) $(if $(SEED),--seed $(SEED))

lint:
	@scripts/venv dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -m mypy docs/*.py docs/examples/*.py
	@MYPYPATH=$(STOMP):$(STOMP)/tests $(PY) -m mypy $(STOMP)
	@$(PY) -m mypy benchmarks/*.py
	@.venv/bin/lint-imports

generate:  ## write the files generated from the tables, the app and pulsar.proto, and the functions of all tables for review
	@scripts/venv dev
	@scripts/proto
	@$(PY) -m mqconvert.app.http.openapi
	@$(PY) -m mqconvert.app.pages
	@$(PY) docs/generate.py
	@$(PY) -m tests.snapshots

check-generated:
	@scripts/venv dev
	@scripts/proto --check
	@$(PY) -m mqconvert.app.http.openapi --check
	@$(PY) -m mqconvert.app.pages --check
	@$(PY) docs/generate.py --check
	@scripts/vendor --check

package:  ## build dist/, check it with twine, and try the wheel in empty environments of each Python from 3.11 on
	@scripts/venv dev
	@$(PY) scripts/package

pictures:  ## take the pictures of the pages in docs/images again; look at them before you commit them
	@scripts/venv dev
	@scripts/browser
	@RENEW=1 CI=1 $(PY) -m pytest -q -n 0 tests/app/test_browser.py -k kept_picture

docs:  ## build the site into build/site; a broken link is an error
	@scripts/venv dev
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict

site:  ## the same, with the pages of the service, which convert in the browser: Python runs there (Pyodide), and no server
	@scripts/venv dev
	@TRY=1 NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@$(PY) scripts/site build/site/try

vendor:  ## fetch the browser's libraries with npm, as app/web/vendor/vendor.json lists them
	@scripts/vendor

lock:  ## pin what pyproject.toml allows
	@scripts/lock

bench-spark:  ## the overhead of Spark over the library, written to benchmarks/spark.md
	@scripts/venv dev
	@scripts/java
	@$(PY) benchmarks/spark.py

bench:  ## the figures of the library, the doors, the adapters and the codecs, written to benchmarks/results.md
	@scripts/venv dev
	@$(PY) benchmarks/run.py

race:  ## against RabbitMQ's own conversion code, in turn, written to benchmarks/race.md; ARGS="--kind typical" races less
	@scripts/venv dev
	@$(PY) benchmarks/race.py $(ARGS)

bench-codecs:  ## the codecs of the brokers against an older commit, in turn, written to benchmarks/broker_codecs.md
	@scripts/venv dev
	@$(PY) benchmarks/broker_codecs.py $(ARGS)

bench-memory:  ## the memory for 1 GB of jsonl
	@scripts/venv dev
	@$(PY) -m benchmarks.memory

load:  ## the service under load and under attack, written to benchmarks/load.md; ARGS=--short asserts without times
	@scripts/venv dev
	@$(PY) benchmarks/load.py $(ARGS)

check-dockerfile:  ## run the steps of the Dockerfile in a folder
	@scripts/venv dev
	@$(PY) scripts/check-dockerfile
