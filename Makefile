# Every command of the project. CI calls these targets.
PY = .venv/bin/python
# Write bytecode: the tests start hundreds of processes, which would otherwise compile every source again.
export PYTHONDONTWRITEBYTECODE =
STOMP = docs/examples/mqconvert-stomp

.PHONY: speed pure wheels test-speed fuzz-native serve check test test-deep test-long test-random test-systems interop oracle lint generate check-generated package docs pictures site vendor lock bench race bench-codecs bench-memory bench-move bench-page bench-spark load check-dockerfile

serve:  ## start the service on 127.0.0.1:8000
	@scripts/venv serve
	@echo "the command line: .venv/bin/mqconvert --help"
	@MQCONVERT_ALLOW_RULES=$${MQCONVERT_ALLOW_RULES-on} $(PY) -m mqconvert.app serve

speed:  ## compile the hot modules with mypyc, beside their sources; make pure deletes them
	@scripts/venv build
	@scripts/compiler
	@$(PY) scripts/speed/build.py $(ARGS)

pure:  ## delete the compiled modules
	@$(PY) scripts/speed/build.py --remove

wheels: speed  ## build the pure wheel and this machine's compiled wheel in dist/, and install both into an empty environment
	@$(PY) scripts/speed/wheels.py

COMPILED = $(addprefix converters/,model wire protocols words json/test_schemas.py test_corpus.py test_losses.py test_laws.py test_transcoding.py) \
           $(patsubst %,converters/engine/test_%.py,last_rows notes place_rows report tables type_rows values) test_compiled.py
test-speed: speed  ## run the tests of the compiled modules, with all examples of random ones; `make test` runs them on the sources
	@scripts/venv dev
	@$(PY) -m pytest -q $(TOGETHER) --deep $(addprefix tests/,$(COMPILED))

fuzz-native:  ## run a million mutated inputs through the compiled modules with the address sanitizer; writes benchmarks/fuzz.md; ARGS="--inputs 10000" only prints it
	@scripts/venv dev
	@scripts/compiler
	@nice -n 10 $(PY) -m tests.fuzz $(ARGS)

QUICK = model wire words json/test_schemas.py $(patsubst %,engine/test_%.py,compiler expansion files nodes rules samples) \
        protocols/amqp10/words protocols/test_calls.py test_environment.py test_errors.py test_overlays.py test_protocols.py test_routes.py
check: lint  ## run lint, types and quick tests, while you work
	@$(PY) -m pytest -q $(TOGETHER) $(addprefix tests/converters/,$(QUICK)) tests/test_codes.py

# Compiled modules lack docstrings, and with them their examples: these targets run the sources.
check lint test: export MQCONVERT_PURE = 1

# A worker runs whole files, in the order of collection: tests/app comes first, and has the groups that take longest.
TOGETHER = -n auto --dist loadgroup --no-loadscope-reorder
test:  ## the fast lane: run all tests but those of whole systems; of random tests a fifth of the examples, of proofs those with changed inputs
	@scripts/venv dev
	@scripts/java
	@scripts/java-archive
	@scripts/browser
	@$(PY) -m pytest -q $(TOGETHER) --record-proofs -m "not system"

test-deep:  ## the deep lane: run live brokers, RabbitMQ's own code, load, whole systems, all examples of random tests, and all proofs
	@scripts/venv dev
	@scripts/java
	@scripts/java-archive
	@scripts/browser
	@$(MAKE) --no-print-directory interop
	@$(MAKE) --no-print-directory oracle CASES=20000
	@$(MAKE) --no-print-directory load ARGS=--short
	@$(MAKE) --no-print-directory test-long

# The fast lane runs the tests that this one leaves out. Hypothesis marks its tests.
test-long:
	@MQCONVERT_PURE=1 $(PY) -m pytest -q $(TOGETHER) --deep --record-proofs -m "system or proof or hypothesis"

RANDOM_SEED := $(or $(SEED),$(shell date +%s))
test-random:  ## run the random tests with examples that CI does not draw; SEED=1 repeats a run
	@scripts/venv dev
	@echo "make test-random SEED=$(RANDOM_SEED)"
	@MQCONVERT_PURE=1 $(PY) -m pytest -q $(TOGETHER) --deep --hypothesis-seed=$(RANDOM_SEED) -m "hypothesis and not system"

test-systems:  ## run the tests that install, build or start whole systems: Spark clusters, jobs that are killed, another package, the site
	@scripts/venv dev
	@scripts/java
	@scripts/java-archive
	@scripts/browser
	@$(PY) -m pytest -q $(TOGETHER) -m system

interop:  ## run real clients over real brokers, prepared in a cache folder; BROKER=nsqd runs one broker, SEED=1 repeats a run, KILLS=10 kills more
	@scripts/venv dev
	@rm -rf build/stomp && mkdir -p build/stomp && cp -r $(STOMP) build/stomp/source
	@$(PY) -m pip install -q --disable-pip-version-check --no-index --no-deps --no-build-isolation --target build/stomp/site build/stomp/source
	@PYTHONPATH=build/stomp/site $(PY) -m pytest -q -p no:cacheprovider -n 3 --dist loadgroup --no-loadscope-reorder tests/interop $(if $(BROKER),--broker $(BROKER)) $(if $(SEED),--seed $(SEED)) $(if $(KILLS),--kills $(KILLS))

CASES = 100000
oracle:  ## compare random conversions with RabbitMQ's own code; CASES=20000 SEED=1 sets number and seed
	@scripts/venv dev
	@$(PY) -m tests.oracle --cases $(CASES) $(if $(SEED),--seed $(SEED))

lint:
	@scripts/venv dev
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(PY) -m mypy --explicit-package-bases docs/*.py docs/examples/*.py
	@MYPYPATH=$(STOMP):$(STOMP)/tests $(PY) -m mypy $(STOMP)
	@$(PY) -m mypy benchmarks/*.py
	@$(PY) -m tests.examples
	@.venv/bin/lint-imports

# The documents have docstrings, which compiled classes lack.
generate check-generated: export MQCONVERT_PURE = 1
generate:  ## write generated files: documents, schemas, pulsar_pb2.py, and the functions of all tables
	@scripts/venv dev
	@scripts/proto
	@$(PY) -m docs.openapi
	@$(PY) -m docs.pages
	@$(PY) -m docs.generate
	@$(PY) -m docs.stub
	@$(PY) -m docs.codecs
	@$(PY) -m docs.functions

check-generated:
	@scripts/venv dev
	@scripts/proto --check
	@$(PY) -m docs.openapi --check
	@$(PY) -m docs.pages --check
	@$(PY) -m docs.generate --check
	@$(PY) -m docs.stub --check
	@$(PY) -m docs.codecs --check
	@$(PY) -m docs.functions --check
	@scripts/vendor --check

package:  ## build dist/, check it with twine, and try the wheel in empty environments of each Python from 3.11
	@scripts/venv dev
	@$(PY) scripts/package

pictures:  ## take the screenshots in docs/images again; review them before a commit
	@scripts/venv dev
	@scripts/browser
	@RENEW=1 CI=1 $(PY) -m pytest -q -n 0 tests/app/test_browser.py -k kept_picture

docs:  ## build the site into build/site; a broken link is an error
	@scripts/venv dev
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict

site:  ## build the site with the workbench, which runs Python in the browser (Pyodide) instead of a server
	@scripts/venv dev
	@TRY=1 NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict
	@$(PY) scripts/site build/site/try

vendor:  ## fetch the browser's libraries in app/web/vendor/vendor.json with npm
	@scripts/vendor

lock:  ## pin the dependencies of pyproject.toml
	@scripts/lock

bench-spark:  ## measure the overhead of Spark; writes benchmarks/spark.md
	@scripts/venv dev
	@scripts/java
	@$(PY) benchmarks/spark.py

bench:  ## measure library, interfaces, adapters and codecs; writes benchmarks/results.md
	@scripts/venv dev
	@$(PY) benchmarks/run.py

race:  ## measure against RabbitMQ's own conversion code; writes benchmarks/race.md; ARGS="--kind typical" is shorter
	@scripts/venv dev
	@$(PY) benchmarks/race.py $(ARGS)

bench-codecs:  ## measure the brokers' codecs against an older commit; writes benchmarks/broker_codecs.md
	@scripts/venv dev
	@$(PY) benchmarks/broker_codecs.py $(ARGS)

bench-memory:  ## measure the memory for 1 GB of jsonl
	@scripts/venv dev
	@$(PY) -m benchmarks.memory

bench-move:  ## measure move against a loop by hand, between real brokers; writes benchmarks/move.md
	@scripts/venv dev
	@PYTHONPATH=.:benchmarks $(PY) benchmarks/move.py

bench-page:  ## measure the page from a key to its picture; writes benchmarks/page.md
	@scripts/venv dev
	@scripts/browser
	@PYTHONPATH=.:benchmarks $(PY) benchmarks/page.py

load:  ## measure the service under load and attack; writes benchmarks/load.md; ARGS=--short only asserts
	@scripts/venv dev
	@$(PY) benchmarks/load.py $(ARGS)

check-dockerfile:  ## run the steps of the Dockerfile in a folder; they compile all modules, here without optimization
	@scripts/venv dev
	@MYPYC_OPT_LEVEL=0 $(PY) scripts/check-dockerfile
