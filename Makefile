# The seven commands that a contributor needs. CI runs test.sh.
.PHONY: build test quick lint docs site demo

build: ## the program, in ./build
	CGO_ENABLED=0 go build -trimpath -o build/amlfix ./cmd/amlfix

test: ## everything, as CI does
	./test.sh

quick: ## all tests whose requirements are met here; the others are listed
	GORACE=atexit_sleep_ms=0 go run gotest.tools/gotestsum@v1.13.0 --format pkgname-and-test-fails -- ./...

lint: ## formatting and the linters, including all of go vet
	test -z "$$(gofmt -l .)" && .ci/lint

docs: ## regenerate literals, rule pages, transcripts, goldens and the picture; review the diff
	go generate ./schema/...
	go test ./rules -run Golden -update
	go test ./cmd/amlfix -run 'RuleDocs|Transcripts|Quickstart' -update
	mkdir -p build && go run ./cmd/internal/picture >build/amlfix.svg && mv build/amlfix.svg docs/amlfix.svg

site: ## the documentation site, in ./build/site
	go run ./cmd/internal/site

demo: ## amlfix's main use on a bundled sample
	./testdata/demo.sh
