# The six commands that a contributor needs. test.sh is what CI runs.
GOLANGCI = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: build test quick lint docs demo

build: ## the program, in ./build
	CGO_ENABLED=0 go build -trimpath -o build/amlfix ./cmd/amlfix

test: ## everything, as CI does
	./test.sh

quick: ## the tests that need nothing but Go
	go test ./schema/... ./rules/... ./fixers/...

lint:
	test -z "$$(gofmt -l .)" && go vet ./... && go run $(GOLANGCI) run ./...

docs: ## write rule pages, transcripts and goldens again; read the difference
	go test ./rules -run Golden -update
	go test ./cmd/amlfix -run 'RuleDocs|Transcripts' -update

demo: ## the main job on a bundled sample
	./testdata/demo.sh
