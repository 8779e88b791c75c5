# Everything that CI runs is a target here; `make` alone prints what there is.

GO       ?= go
TOOL     ?= $(GO) tool -modfile=tools/go.mod
PKG      ?= ./...
FUZZTIME ?= 60s

.DEFAULT_GOAL := help

.PHONY: help
help: ## print this list
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{ printf "  make %-12s %s\n", $$1, $$2 }'

# --- checks: nothing here changes a file ------------------------------------

.PHONY: check
check: format vet layers pure lint tidy spelling ## format, vet, import arrows, lint, tidy, spelling

.PHONY: format
format:
	@out=$$(gofmt -s -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "gofmt -s -w these files (or: make fmt):"; echo "$$out"; exit 1; }

.PHONY: vet
vet:
	$(GO) build ./...
	$(GO) vet ./...
	cd tools && $(GO) vet ./...

.PHONY: layers
layers: ## import direction of ARCHITECTURE.md (.depguard.yml)
	$(TOOL) depguard $(PKG)

# An import rule cannot see a clock: time.Duration is welcome where time.Now is not.
.PHONY: pure
pure:
	@! grep -rnE '\btime\.(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)\b' --include='*.go' --exclude='*_test.go' --exclude-dir=executiontest statechart execution 2>/dev/null || \
		{ echo "statechart and execution read no clock: take the time as an argument"; exit 1; }

.PHONY: lint
lint:
	$(TOOL) staticcheck $(PKG)

.PHONY: tidy
tidy:
	$(GO) mod tidy -diff
	cd tools && $(GO) mod tidy -diff

.PHONY: spelling
spelling:
	$(TOOL) misspell -error $$(git ls-files '*.go' '*.md' '*.yml' '*.yaml' Makefile)

# VULNDB=pinned takes the copy of the database that tools/vulndb names, for
# machines that do not reach vuln.go.dev.
VULNDB ?= https://vuln.go.dev

.PHONY: vuln
vuln: $(if $(filter pinned,$(VULNDB)),bin/vulndb) ## known vulnerabilities that the code reaches
	$(TOOL) govulncheck -db $(if $(filter pinned,$(VULNDB)),file://$(CURDIR)/bin/vulndb,$(VULNDB)) $(PKG)

bin/vulndb: tools/vulndb/go.mod
	cd tools/vulndb && $(GO) mod download golang.org/x/vulndb
	cd tools/vulndb && $(GO) tool indexdb -vulns "$$($(GO) list -m -f '{{.Dir}}' golang.org/x/vulndb)/data/osv" -out $(CURDIR)/$@
	@touch $@

.PHONY: fmt
fmt: ## format all Go files
	gofmt -s -w $$(git ls-files '*.go')

# --- tests --------------------------------------------------------------------

.PHONY: test
test: ## race detector, shuffled, all that this machine allows
	@if scripts/test-mongo -- true; then \
		set -x; scripts/test-mongo -- $(GO) test -race -shuffle=on $(PKG); \
	elif [ "$$REQUIRE_MONGO" = 1 ]; then \
		echo "REQUIRE_MONGO=1, and there is no MongoDB server (see above)"; exit 1; \
	else \
		$(GO) test -race -shuffle=on $(PKG) && \
		printf '\n*** LEFT OUT: every test that needs a MongoDB server, for there is none (see above).\n'; \
	fi
	cd tools && $(GO) test -count=1 ./...

# The packages with tests that ask for a server, found by what these import.
MONGO_PKG = $$($(GO) list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... | grep internal/mongotest | cut -d' ' -f1)
FACES    ?= replica-set standalone

.PHONY: test-mongo
test-mongo: ## what needs a MongoDB server, on a replica set and on a standalone
	@set -e; for face in $(FACES); do \
		echo "on a $$face:"; \
		flag=; [ $$face = replica-set ] || flag=--$$face; \
		REQUIRE_MONGO=1 scripts/test-mongo $$flag -- $(GO) test -race -shuffle=on $(MONGO_PKG); \
	done

SCENARIOS  ?= floor drain call send cas fork fanout timers
BENCHFLAGS ?=

.PHONY: bench
bench: ## all workloads in full size, on memory and on MongoDB (BENCHFLAGS)
	$(GO) build -o bin/bench ./bench
	@set -e; for s in $(filter-out floor,$(SCENARIOS)); do bin/bench $$s -store memory $(BENCHFLAGS); done
	scripts/test-mongo -- sh -ec 'for s in $(SCENARIOS); do bin/bench $$s -store mongo $(BENCHFLAGS); done'

.PHONY: examples
examples: ## run each example as a reader would, and compare what it prints
	@set -e; for want in examples/*/testdata/output.txt; do \
		example=$${want%/testdata/output.txt}; \
		echo "go run ./$$example"; \
		$(GO) run ./$$example 2>/dev/null | diff $$want -; \
	done

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (60s), corpus kept
	@set -e; grep -ro --include='*_test.go' '^func Fuzz[A-Za-z0-9_]*' . | sed 's|/[^/]*:func | |' | sort -u | while read -r pkg target; do \
		echo "$$pkg $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$pkg </dev/null; \
	done
