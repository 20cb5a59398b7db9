package schema

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestDistribution(t *testing.T) {
	for _, test := range []struct {
		dialect                 Dialect
		framework, communicator string
		want                    Distribution
	}{
		{SDKv1, "Python", "", NoDistribution},
		{SDKv1, "Python", "None", NoDistribution},
		{SDKv1, "PyTorch", "Nccl", PyTorch},
		{SDKv1, "PyTorch", " gloo ", PyTorch},
		{SDKv1, "TensorFlow", "ParameterServer", TensorFlow},
		{SDKv1, "TensorFlowParameterServer", "None", TensorFlow},
		{SDKv1, "Python", "IntelMpi", MPI},
		{SDKv1, "PythonMPI", "", MPI},
		{SDKv1, "Python", "pytorch", UnknownDistribution},
		{V2, "", "PyTorch", PyTorch},
		{V2, "", "tensorflow", TensorFlow},
		{V2, "", "mpi", MPI},
		{V2, "", "ray", UnknownDistribution},
	} {
		j := &Job{Dialect: test.dialect, Framework: Field{Text: test.framework}, ServiceSettings: &ServiceSettings{Communicator: Field{Text: test.communicator}}}
		testkit.Same(t, test.want, j.Distribution(), "%+v", test)
	}
}
