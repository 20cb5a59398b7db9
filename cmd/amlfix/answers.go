package main

import (
	"github.com/amlfix/amlfix/cmd/internal/cli"
)

// answerFlags returns the flags that answer what fixes leave open.
func answerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "gpu", Usage: "treat the compute target `TARGET` as a GPU target; in Azure ML v2, TARGET is a compute, a job file or a step of a pipeline; may be given several times"},
		&cli.StringSliceFlag{Name: "cpu", Usage: "treat the compute target `TARGET` as a CPU target: the reverse of --gpu"},
		&cli.StringSliceFlag{Name: "choose", Usage: "answer a question that a repair leaves open, as `QUESTION=ANSWER`: cuda=9.0, cntk=1bit-sgd"},
	}
}
