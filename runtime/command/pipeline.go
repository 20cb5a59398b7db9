package command

import (
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/schema"
)

// Pipeline is what is known of the pipeline around a job.
type Pipeline struct{}

// fromPipeline returns the input that an expression about the pipeline stands for.
func (m *maker) fromPipeline(schema.V2Data, schema.Field) (*plan.Input, bool, error) {
	return nil, false, nil
}
