# `make` alone prints this help. `make check` is what CI runs.
.DEFAULT_GOAL := help
SHELL := bash
CARGO ?= cargo
SHARED = $(or $(HULLER_SHARED),../shared)
CORPUS ?= benches/corpus/1100mb.warc.gz
# Scores of hull by cross-validation.
FOLDS ?= benches/runs/2026-11-22-hull/datasets.csv
PEER_SCORES ?= $(SHARED)/peers/scores-dev.csv.gz
WORKSPACES = Cargo.toml crates/python/Cargo.toml fuzz/Cargo.toml
# The packages of measurements, of faults and of recorders.
MEASURE = PYTHONPATH=benches python3 -B -m bench
FAULTS = PYTHONPATH=scripts python3 -B -m faults
READERS = target/readers/venv/bin/python
RECORDERS = PYTHONPATH=scripts python3 -B -m recorders
BUNDLED = data/sample.warc.gz --gold data/gold.jsonl --profile both --by dataset,page_type --format csv --no-speed

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## Build the program (target/release/huller)
	$(CARGO) build --release -p huller-cli

sample: build ## Run the main job on the bundled sample
	target/release/huller extract data/sample.warc.gz -o out/sample --overwrite

check: fmt clippy doc edges book test portable scripts-check sample-check eval-check datasets-check bench-check fuzz-build python-check deny ## Everything CI checks

fmt: ## Check the formatting of every workspace
	for manifest in $(WORKSPACES); do $(CARGO) fmt --all --check --manifest-path $$manifest || exit 1; done

clippy: ## Lint, warnings are errors
	$(CARGO) clippy --workspace --exclude huller-remote --all-targets --locked -- -D warnings

doc: ## Build the documentation, warnings are errors
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --exclude huller-remote --no-deps --locked

edges: ## Refuse forbidden edges between crates, circles of files, long or deep files, vague names, citations without a place
	scripts/check-deps.sh
	scripts/check-tree.sh
	scripts/check-circles.py
	scripts/check-specification.py

test: ## Run all tests (by cargo-nextest if it is installed)
	@if $(CARGO) nextest --version >/dev/null 2>&1; then \
	  $(CARGO) nextest run --workspace --exclude huller-remote --locked --no-fail-fast && $(CARGO) test --workspace --exclude huller-remote --locked --doc; \
	else \
	  $(CARGO) test --workspace --exclude huller-remote --locked --no-fail-fast; \
	fi

# What other processors run, forced on this one.
PORTABLE = --features huller-page/portable,huller-refine/portable

portable: ## Test the crates that have code for AVX2, and those whose output rests on it, with the code for other processors (ALL=1: all crates)
	$(CARGO) test $(if $(ALL),--workspace --exclude huller-remote,-p huller-page -p huller-select -p huller-methods -p huller-hull -p huller-metadata -p huller-extract -p huller-refine) $(PORTABLE) --locked --lib --bins --tests

stores: ## Lint, document and test the feature `remote`, which reads and writes at addresses (three minutes of CPU for its crates the first time)
	$(CARGO) clippy -p huller-remote -p huller-cli --features huller-cli/remote --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc -p huller-remote --no-deps --locked
	$(CARGO) test -p huller-remote --locked
	$(CARGO) test -p huller-cli --features remote --locked --test binary -- stores:: store_outputs:: network::

stores-servers: ## Hold runs over real servers (moto; s3s-fs and nginx where they are installed) against local ones (needs PyPI)
	$(CARGO) build --release --locked -p huller-cli --features remote --target-dir target/remote
	test -d target/stores/venv || python3 -m venv target/stores/venv
	target/stores/venv/bin/pip install -q 'moto[s3,server]==5.2.5'
	target/stores/venv/bin/python -B scripts/stores.py target/remote/release/huller

book: ## The documents as a book in target/book, if mdbook is installed (cargo install mdbook)
	scripts/check-docs.py
	@if mdbook --version >/dev/null 2>&1; then mdbook build; else echo "skipped: mdbook is not installed"; fi

scripts-check: ## Test the scripts that the check relies on
	python3 -B -m unittest discover -q -s scripts

sample-check: ## Check that data/sample.warc.gz has the records that its script writes
	python3 scripts/make-sample.py --check

eval: build ## Score all methods on the bundled pages and write benches/eval/bundled.csv
	target/release/huller eval $(BUNDLED) -o benches/eval/bundled.csv

eval-dev: build ## Score all methods on gold sets: DATASETS=folder of NAME.warc.zst and NAME.gold.jsonl.zst
	@test -n "$(DATASETS)" || { echo "set DATASETS to the folder of the gold sets"; exit 2; }
	target/release/huller eval $(DATASETS)/*.warc.zst --gold $(DATASETS)/*.gold.jsonl.zst --profile both --no-speed --format csv -o benches/eval/dev.csv
	target/release/huller eval $(DATASETS)/*.warc.zst --gold $(DATASETS)/*.gold.jsonl.zst --profile both --no-speed --quiet --format markdown -o benches/eval/dev.md

debug-build: ## Build the program as tests do (target/debug/huller)
	$(CARGO) test --workspace --exclude huller-remote --locked --no-run --quiet

eval-check: debug-build ## Fail if an F1 on the bundled pages is below that file
	target/debug/huller eval $(BUNDLED) --quiet --baseline benches/eval/bundled.csv -o /dev/null

datasets-check: ## Check the converters of public data sets on tiny samples
	python3 -B -m unittest discover -q -s research/datasets

datasets: ## Fetch public data sets and turn them into archives and gold (needs a connection)
	research/datasets/fetch.sh

deny: ## Licences, advisories, sources, if cargo-deny is installed (DENY="licenses bans sources": no advisories, no network)
	@if $(CARGO) deny --version >/dev/null 2>&1; then \
	  for manifest in $(WORKSPACES); do $(CARGO) deny --locked --manifest-path $$manifest check $(DENY) || exit 1; done; \
	else echo "skipped: cargo-deny is not installed"; fi

fuzz-build: ## Check that the fuzz targets use the current API
	$(CARGO) check --locked --manifest-path fuzz/Cargo.toml --target-dir target

fuzz: ## Run every fuzz target for SECONDS_EACH (600) or a million executions; needs a nightly toolchain and cargo-fuzz
	scripts/fuzz.sh all $(or $(SECONDS_EACH),600)

browser: build ## Look at explain, report and serve in a browser (BROWSER=chromium; needs node and npm)
	cd scripts/browser && npm install --silent --no-audit --no-fund --no-package-lock
	node scripts/browser/look.mjs target/release/huller $(or $(BROWSER),$(shell command -v chromium)) $(PICTURES)

linear: ## Count instructions of reading at n and 2n for every attack shape (needs valgrind)
	$(MEASURE) instructions page

linear-methods: ## The same for every method and profile; HOSTILE=the generator of attacks, for its HTML cases too (needs valgrind; minutes)
	$(MEASURE) instructions methods $(if $(HOSTILE),--hostile $(HOSTILE))

wheel: ## Build the Python package into dist/
	scripts/python.sh wheel

wheel-test: build ## Build it below target/, install it into a clean environment and run its tests
	scripts/python.sh test

python-check: debug-build ## Lints and tests of the Python package, all as tests are built
	HULLER_PROGRAM=$(CURDIR)/target/debug/huller scripts/python.sh check

spark-test: build ## Run the tests on a local Spark cluster (SPARK=4.3.0; needs Java 17)
	scripts/python.sh spark-test

ray-test: build ## Run the example for Ray without a network
	scripts/python.sh ray-test

bench: ## Criterion benches of every stage
	$(CARGO) bench -p huller-benches

index-cost: ## What an index costs beside tantivy's own tokenizers (ROWS=FILE.jsonl)
	$(CARGO) run --release --locked -p huller-index --example index-cost -- $(ROWS)

corpus: benches/corpus/1100mb.warc.gz ## Make the corpus of the peer table from the shared gold pages (1.1 GB raw)

benches/corpus/1100mb.warc.gz: | build
	mkdir -p $(@D)
	target/release/huller bench $(SHARED)/datasets/dev/*.warc.zst --make-corpus 1100 -o $@

bench-peers: build $(CORPUS) ## Run all peers and ours on that corpus (BENCH=--set-up builds the peers first)
	$(MEASURE) table $(CORPUS) $(BENCH)

bench-check: ## Test the computations of the measurements, and whether the peers' locks are up to date
	for peer in benches/peers benches/peers/rust-trafilatura; do $(CARGO) update --workspace --locked --quiet --manifest-path $$peer/Cargo.toml || exit 1; done
	cd benches && python3 -B -m unittest -q bench.test_parts

bench-table: build $(CORPUS) ## Build the peers, run all RUNS (5) times, write the tables of docs/measurements.md and README's picture; CORPUS, PEER_SCORES, BENCH (more options)
	$(MEASURE) table $(CORPUS) --set-up --wait 600 --in-memory --runs $(or $(RUNS),5) --name table \
	  --readme docs/measurements.md --quality benches/eval/dev.csv benches/eval/peers.csv $(FOLDS) --peer-quality $(PEER_SCORES) $(BENCH)
	$(MEASURE) picture docs/measurements.md docs/pictures

# A number of MB times SCALE.
scaled = $(shell awk 'BEGIN { mb = $(1) * $(or $(SCALE),1); printf "%d", mb < 1 ? 1 : mb }')

cost-growth: build ## CPU time by records and bytes, 1 KB to 16 MB pages, 0.1 to 10 GB, 10,000 files (SCALE=.01: a trial; BENCH: more options of huller bench)
	target/release/huller bench --growth=$(call scaled,512) --growth-files $(call scaled,10000) --runs 3 --extractors pvalue \
	  -o benches/runs/$(shell date +%F)-cost-growth $(BENCH)

scaling: build $(CORPUS) ## Throughput by worker count, stage costs, a model of more cores (BENCH: more options of huller bench)
	target/release/huller bench $(CORPUS) --stages --extractors hull,pvalue -o benches/runs/$(shell date +%F)-scaling $(BENCH)

bench-forms: build $(CORPUS) ## Throughput by charset and container, over the pages of CORPUS (BENCH: more options)
	$(MEASURE) forms $(CORPUS) --wait 600 $(BENCH)

train-nb: ## Train crates/methods/models/nb.json (DATASETS=folder of the training sets)
	research/train/nb.sh

train-hull: ## Train crates/hull/model/hull.bin (DATASETS=folder of the training sets)
	research/train/hull.sh

topics: build ## Topics by the texts of methods, K from 1 to 39: TOPICS=folder for pages of Debian's packages and the tables (needs apt-get)
	@test -n "$(TOPICS)" || { echo "set TOPICS to a folder"; exit 2; }
	HULLER=$(CURDIR)/target/release/huller research/topics/run.sh $(TOPICS)

hostile: build ## Run all 192 attacks and check the answers (PEERS=1 measures two peers too)
	$(if $(PEERS),python3 -m venv target/venv-peers && target/venv-peers/bin/pip install -q -r benches/peers/python/requirements.txt)
	$(CARGO) run --quiet --release --locked -p huller-testkit --bin attacks -- run target/release/huller \
	  $(if $(PEERS),--peers target/venv-peers/bin/python) --report benches/runs/$(shell date +%F)-hostile

faults: build ## Make every call of every command that writes fail, kill it there, cut the power; go on, compare (COMMAND= KIND= narrow it; needs cc)
	$(FAULTS) inject $(if $(COMMAND),--command $(COMMAND)) $(if $(KIND),--only $(KIND))

runs: build ## RUNS (10000) random sequences of runs of extract, refine, dedup and index (ONLY= one) from SEED (1): kills, shares, inputs that change (needs cc)
	$(CARGO) run --quiet --release --locked -p huller-testkit --bin runs -- target/release/huller \
	  --only $(or $(ONLY),all) --seed $(or $(SEED),1) --runs $(or $(RUNS),10000) --jobs $(or $(JOBS),1)

dirty: build ## RUNS (10000) random dirty corpora from SEED (1): refine, dedup, index, extract and verify agree about rows, reasons, status
	$(CARGO) run --quiet --release --locked -p huller-testkit --bin dirty -- target/release/huller \
	  --seed $(or $(SEED),1) --runs $(or $(RUNS),10000) --jobs $(or $(JOBS),1)

mutants: build ## RUNS (5000) files each of Parquet, CSV, ZIP and tar from SEED (1), with wrong values in their structure
	$(CARGO) run --quiet --release --locked -p huller-testkit --bin mutants -- target/release/huller \
	  --seed $(or $(SEED),1) --runs $(or $(RUNS),5000) --jobs $(or $(JOBS),1)

long-run: build ## One run over SIZE GB (3) with a hundredth damaged: memory flat, every record accounted for
	$(FAULTS) long-run --gb $(or $(SIZE),3)

kill-resume: build ## Kill runs at TRIALS (200) random moments, resume, compare byte for byte
	$(FAULTS) kill --trials $(or $(TRIALS),200)

recorders: build ## Record odd answers with wget, warcio, warcprox, wpull, Scrapy, Node; hold huller against warcio, FastWARC (needs PyPI, npm)
	$(RECORDERS) --report $(or $(REPORT),target/recorders/report) $(ARGS)

readers: build ## Have the real readers of every format read it, and compare with the default rows (needs PyPI)
	python3 -m venv target/readers/venv && $(READERS) -m pip install -q -r scripts/readers/requirements.txt
	PYTHONPATH=scripts $(READERS) -B -m readers target/release/huller target/readers/out

indexers: build ## Compare runs over indexes that cdxj-indexer and pyarrow write with whole runs (ARCHIVES=FILES; needs PyPI)
	python3 -m venv target/indexers/venv && target/indexers/venv/bin/python -m pip install -q -r scripts/indexers/requirements.txt
	PYTHONPATH=scripts target/indexers/venv/bin/python -B -m indexers target/release/huller target/indexers/out $(or $(ARCHIVES),data/sample.warc.gz)

browser-large: build ## Time how explain opens and reacts on 20,000 blocks and on 2 MB; fails from a second on (BROWSER=chromium; needs node and npm)
	cd scripts/browser && npm install --silent --no-audit --no-fund --no-package-lock
	node scripts/browser/large.mjs target/release/huller $(or $(BROWSER),$(shell command -v chromium))

known-items: build ## nDCG@10 of known-item queries by extractor (DATASETS=folder of NAME.warc.zst and NAME.gold.jsonl.zst; needs PyPI)
	@test -n "$(DATASETS)" || { echo "set DATASETS to the folder of the gold sets"; exit 2; }
	python3 -m venv target/retrieval/venv && target/retrieval/venv/bin/python -m pip install -q -r scripts/retrieval/requirements.txt
	PYTHONPATH=scripts target/retrieval/venv/bin/python -B -m retrieval.known_items target/release/huller $(DATASETS) target/retrieval/known

search-check: build ## Hold the hits of 500 queries against a naive scan (ARCHIVES=FILES)
	PYTHONPATH=scripts python3 -B -m retrieval.naive target/release/huller target/retrieval/naive $(or $(ARCHIVES),data/sample.warc.gz)

serve-load: build ## Ask huller serve as 200 clients do for a minute, p99 of the answers (CLIENTS=, SECONDS=, ARCHIVES=FILES)
	PYTHONPATH=scripts python3 -B -m retrieval.load target/release/huller target/retrieval/load $(or $(CLIENTS),200) $(or $(SECONDS),60) $(or $(ARCHIVES),data/sample.warc.gz)

search-speed: build ## Time huller search as a process on a million made rows; fails from 50 ms of processors on (ROWS=, ARCHIVES=FILES)
	PYTHONPATH=scripts python3 -B -m retrieval.speed target/release/huller target/retrieval/speed $(or $(ROWS),1000000) $(or $(ARCHIVES),data/sample.warc.gz)

memory: build ## Run over bombs of every kind with 1, 4 and 16 threads: memory within the bounds of SECURITY.md
	$(FAULTS) memory

dist: ## Build a release into dist/: static program as .tar.gz and .deb, wheel, bills of materials, SHA256SUMS (docs/releases.md)
	scripts/dist.py

dist-check: ## Build the release once more in another folder and compare byte for byte
	scripts/dist.py --again

install: ## Install the program with its manual pages
	$(CARGO) install --path crates/cli --locked

.PHONY: help build sample check fmt clippy doc edges test portable stores stores-servers book scripts-check sample-check eval eval-dev eval-check \
  datasets-check datasets deny fuzz-build fuzz browser linear linear-methods wheel wheel-test python-check spark-test ray-test bench index-cost \
  corpus bench-peers bench-check bench-table cost-growth scaling bench-forms train-nb train-hull topics hostile faults runs dirty long-run kill-resume \
  recorders readers indexers browser-large known-items search-check serve-load search-speed memory dist dist-check install
