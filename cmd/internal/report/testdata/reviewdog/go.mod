module github.com/amlfix/amlfix/cmd/internal/report/testdata/reviewdog

go 1.26

require github.com/reviewdog/reviewdog v0.20.1

require (
	github.com/haya14busa/go-sarif v0.0.0-20240630170108-a3ba8d79599f // indirect
	github.com/reviewdog/errorformat v0.0.0-20240608101709-1d3280ed6bd4 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
)
