# `make` alone prints this help. Everything else is in scripts/ci, scripts/release and scripts/lab.
.DEFAULT_GOAL := help
SHELL := bash
CARGO ?= cargo
# The folder that `cargo install` takes: the program goes to bin/, the pages to share/man/man1/.
PREFIX = $(or $(CARGO_INSTALL_ROOT),$(CARGO_HOME),$(HOME)/.cargo)
SECONDS_EACH ?= 600

##@ Use
build: ## Build the program: target/release/huller
	$(CARGO) build --release -p huller-cli

sample: ## Build it quickly, unoptimised, and run it on the bundled pages
	$(CARGO) build --profile quick -p huller-cli
	target/quick/huller extract data/sample.warc.gz -o out/sample --overwrite

install: ## Install the program and its manual pages (PREFIX=~/.cargo)
	$(CARGO) install --path crates/cli --locked --root "$(PREFIX)"
	"$(PREFIX)/bin/huller" man --out-dir "$(PREFIX)/share/man/man1"

wheel: ## Build the Python package into dist/
	scripts/release/python.sh wheel

##@ Change
test: ## Run all tests
	scripts/ci/run test

lint: ## Check formatting, lints, crate edges, documents and prose
	scripts/ci/run lint

fmt: ## Format every workspace
	scripts/ci/run format

check: ## Run everything that CI checks: lint, test and the rest
	scripts/ci/run check

# Without the tests, which .ci/run runs first.
check-rest:
	scripts/ci/run rest

docs: ## Build the book and the documentation of the crates
	scripts/ci/run docs

##@ Measure and release
bench: ## Run the criterion benches of every stage
	$(CARGO) bench -p huller-benches

fuzz: ## Run every fuzz target (SECONDS_EACH=600)
	scripts/lab/fuzz.sh all $(SECONDS_EACH)

dist: ## Build the files of a release into dist/
	scripts/release/dist.py

clean: ## Remove target/, out/ and dist/
	rm -rf target out dist

##@ Help
help: ## Show this help
	@awk -F ':.*## ' '/^##@ /{printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z-]+:.*## /{printf "  %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@printf '\nMore: scripts/ci/run --help (the check), scripts/lab/run --help (measurements,\n'
	@printf 'attacks, training), and --help of the scripts in scripts/release/.\n'

.PHONY: help build sample install wheel test lint fmt check check-rest docs bench fuzz dist clean
