PREFIX ?= /usr/local
DEMO ?= plimsoll-demo
DOCS ?= .build/docs
SWIFT ?= swift
PACKAGES = libbrotli-dev libcmark-dev libcurl4-openssl-dev libexpat1-dev libsqlite3-dev libssl-dev libzstd-dev zlib1g-dev pkg-config
# Optional: without them the tests that use them are skipped and say so.
TEST_PACKAGES = age clickhouse-server gcc libc6-dev libxml2-utils openssh-client openssh-server openssl python3-aiosmtpd rsync sqlite3 strace zstd
SHARE = $(DESTDIR)$(PREFIX)/share/plimsoll
# A release holds Swift's runtime. Nothing looks its symbols up, so it exports none: 2 MB less of it are read at its start.
STATIC = --static-swift-stdlib $(if $(filter Linux,$(shell uname -s)),-Xlinker --no-export-dynamic)

.DEFAULT_GOAL := help
.PHONY: help report test attack fuzz build bench bench-alerts worlds check check-site docs pictures release deb tarball test-deb install clean packages test-packages

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 18

report: packages ## Build a demo site from sample data and print its path
	$(SWIFT) build --product plimsoll
	.build/debug/plimsoll demo --output $(DEMO)

# Three processes. Stand-in services live in the process of the tests that talk to them and must answer in time, so
# those run without the tests that hold the cores for long; and starting a program reads all open files of the process,
# so the tests that start programs run without those that hold hundreds of sockets. They take longest, and have 45 minutes.
SOCKETS = ^(Attaching|Preview|Providers|Publishing|Tokens|Transport)Tests
# SANITIZE=address or thread builds with that sanitizer, next to the usual build, and gives the tests four times as long.
# Memory is watched in an optimized build, as what is released is one; races in one that leaves out no access.
# It shows each source one simulated world, not five: the same code runs for each, and their numbers are checked without.
SANITIZE ?=
# Programs that tests start have no PATH in which the sanitizer would find what gives it names.
SYMBOLIZER = $(shell command -v llvm-symbolizer)
export TSAN_OPTIONS = suppressions=$(CURDIR)/Tests/thread-sanitizer.txt$(if $(SYMBOLIZER),:external_symbolizer_path=$(SYMBOLIZER))
# What Swift keeps in pointers with marks in their spare bits looks lost to the search for leaks.
export ASAN_OPTIONS = detect_leaks=0
ifeq ($(SANITIZE),thread)
export PLIMSOLL_UNOPTIMIZED = yes
endif
OPTIMIZED = $(if $(filter address,$(SANITIZE)),-c release -Xswiftc -enable-testing)
SANITIZED = $(if $(SANITIZE),--sanitize=$(SANITIZE) --scratch-path .build-$(SANITIZE) $(OPTIMIZED))
TESTS = $(if $(SANITIZE),TEST_SECONDS=7200 WORLDS=1) SWIFT="$(SWIFT)" .ci/tests $(SANITIZED) --experimental-maximum-parallelization-width 4
test: packages test-packages ## Build everything and run all tests (SANITIZE=address or thread)
	$(SWIFT) build --build-tests $(SANITIZED)
	$(TESTS) --filter '$(SOCKETS)'
	$(TESTS) --skip '$(SOCKETS)' --skip PlimsollCommandTests
	TEST_SECONDS=$${TEST_SECONDS:-2700} $(TESTS) --filter PlimsollCommandTests

ATTACK_MINUTES ?= 60
attack: packages test-packages ## Let each call on files of each command go wrong, for ATTACK_MINUTES (60)
	$(SWIFT) build --build-tests
	PLIMSOLL_ATTACK="$(ATTACK_MINUTES)" SWIFT="$(SWIFT)" .ci/attack

FUZZ_MINUTES ?= 28
FUZZING = -c release --sanitize fuzzer --sanitize address --scratch-path .build-fuzz -Xswiftc -enable-testing
fuzz: packages ## Feed what reads foreign data with mutated inputs for FUZZ_MINUTES (28)
	PLIMSOLL_FUZZING=yes $(SWIFT) build $(FUZZING) --product plimsoll-fuzz
	FUZZ_MINUTES="$(FUZZ_MINUTES)" .ci/fuzz

build: packages ## Build the program for release
	$(SWIFT) build -c release --product plimsoll

# BENCH names parts: pages charts fetch memory archive publish warehouse peers growth; PEERS is a folder of other generators.
PEERS ?=
BENCH ?=
bench: packages ## Measure building, fetching and publishing against the writing of the bytes, curl, aws and rclone
	sh .ci/packages nginx-light curl
	sh .ci/packages --optional awscli rclone clickhouse-server python3
	$(SWIFT) build -c release --product plimsoll $(STATIC)
	$(SWIFT) build -c release --product plimsoll-bench $(STATIC)
	PEERS="$(PEERS)" .build/release/plimsoll-bench $(BENCH)

SET ?= ../shared/statistics/scenarios/public
OUT ?= alerts.jsonl
bench-alerts: packages ## Run the detectors over the labeled series in SET and write their alerts to OUT
	@test -d "$(SET)" || { echo "error: there is no folder '$(SET)' of labeled series; name yours: make bench-alerts SET=<folder>" >&2; exit 2; }
	$(SWIFT) build -c release --product plimsoll-bench-alerts
	.build/release/plimsoll-bench-alerts "$(SET)" "$(OUT)"

worlds: packages ## Hold the numbers of sites made from simulated worlds (WORLDS=50) against the truth
	$(SWIFT) build -c release --product plimsoll
	$(SWIFT) build --build-tests
	PLIMSOLL_PROGRAM="$$PWD/.build/release/plimsoll" SWIFT="$(SWIFT)" .ci/worlds

check: packages ## Check formatting, build with warnings as errors, run all tests, then check a site
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests
	$(MAKE) test
	$(MAKE) check-site

check-site: packages ## Make a site and run browser, axe, W3C and link checkers over it
	$(SWIFT) build --product plimsoll
	bash .ci/check-site

docs: packages ## Write the generated pages of the manual, build it as a site in DOCS (.build/docs) and check it
	$(SWIFT) build --build-tests
	UPDATE_GOLDEN=1 $(SWIFT) test --disable-xctest --skip-build --filter ManualReferenceTests
	.build/debug/plimsoll build --config Content/manual/plimsoll.yml --output "$(DOCS)"
	.build/debug/plimsoll check --site "$(DOCS)"

pictures: packages ## Take the README's pictures again from the demo's pages
	$(SWIFT) build --product plimsoll
	bash .ci/check-site --pictures Content/pictures

# A program that needs no Swift where it runs; PROGRAM names one that is built already.
PROGRAM ?=
DIST ?= dist
program = $(if $(PROGRAM),$(PROGRAM),.build/release/plimsoll)

release: packages
	@sh .ci/packages patchelf binutils man-db python3
	@[ -n "$(PROGRAM)" ] || $(SWIFT) build -c release --product plimsoll $(STATIC)
	@install -d $(DIST)

deb: release ## Make a Debian package in DIST (dist)
	@sh .ci/packages dpkg-dev
	packaging/deb $(program) $(DIST)

tarball: release ## Make a relocatable archive in DIST (dist) with its SHA-256, the archive of the sources and its Homebrew formula
	packaging/tarball $(program) $(DIST)
	packaging/formula "$$($(program) --version)" $(DIST)

test-deb: ## Install, run and remove the package of DIST in a clean root made by debootstrap; needs root
	packaging/test-deb $(DIST)/plimsoll_*.deb

install: packages ## Install the program and its data below PREFIX (/usr/local)
	$(SWIFT) build -c release --product plimsoll $(STATIC)
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)"
	install -m 755 -s .build/release/plimsoll "$(DESTDIR)$(PREFIX)/bin/plimsoll"
	rm -rf "$(SHARE)/Themes" "$(SHARE)/Content"
	cp -R Themes Content "$(SHARE)/"

clean: ## Remove what was built
	rm -rf .build .build-* $(DEMO)

packages:
	@sh .ci/packages $(PACKAGES)

test-packages:
	@sh .ci/packages --optional $(TEST_PACKAGES)
