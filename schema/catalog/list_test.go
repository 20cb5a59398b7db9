package catalog

import (
	"testing"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestList(t *testing.T) {
	tests := []struct {
		list List
		item string
		want bool
	}{
		{WindowsRuntimes, "vs2015-runtime", true},
		{WindowsRuntimes, "pywin32", false},
		{WindowsLeftovers, "menuinst", true},
		{WindowsModules, "pywin32", true},
		{SparkTemplate, "dprep", true},
		{GoneIndexes, "azuremldownloads.", true},
		{HorovodFrameworks, "pytorch-cpu", true},
		{HorovodFrameworks, "torchvision", false},
		{CondaCUDA, "cuda-version", true},
		{Launchers, "torch.distributed", true},
		{SDKServing, "azureml-sdk", false},
		{SDKFamilies, "azureml-contrib", true},
		{WithoutMLflow, "azureml-telemetry", true},
		{CondaChannels, "conda-forge", true},
		{GoneIndexes, "mmlspark.azureedge.net", false},
		{Sampling("Bayesian"), "quniform", true},
		{Sampling("bayesian"), "loguniform", false},
		{Sampling("grid"), "uniform", false},
		{Sampling("sobol"), "choice", false},
		{LogsNoMetric, "log_param", true},
		{LogsNoMetric, "log_metrics", false},
		{LogsMetrics, "Trainer", true},
		{WithoutServer, "azureml-mlflow", true},
		{WithoutServer, "azureml-defaults", false},
		{FlowNodeTypes, "llm", true},
		{ComponentAttributes, "display_name", true},
		{ComponentAttributes, "epochs", false},
		{UnreadSchemes, "s3a", true},
		{UnreadSchemes, "wasbs", false},
		{"other", "pywin32", false},
	}
	for _, test := range tests {
		testkit.Same(t, test.want, test.list.Has(test.item), string(test.list)+": "+test.item)
	}
	for _, list := range []List{WindowsRuntimes, WindowsLeftovers, WindowsModules, HorovodFrameworks, CondaCUDA, SDKServing, SDKSeries, SDKFamilies, WithoutMLflow, WithoutServer, "open", "open-numpy", "open-httpx", "open-marshmallow", "open-setuptools", MacBuilds, WindowsBuilds} {
		for _, name := range list.Items() {
			testkit.Same(t, plain.PackageName(name), name, "is looked up in another spelling")
		}
	}
}

func TestFlowType(t *testing.T) {
	for word, want := range map[string]string{"str": "string", "Boolean": "bool", "array": "list", "tuple": "", "type": ""} {
		testkit.Same(t, want, FlowType(word), word)
	}
}

func TestOpens(t *testing.T) {
	for _, test := range []struct {
		name, other string
		want        bool
	}{
		{"joblib", "numpy", true}, {"mlflow", "numpy", false}, {"pandas", "marshmallow", true}, {"dataclasses-json", "marshmallow", false},
		{"joblib", "setuptools", true}, {"torch", "setuptools", false}, {"pandas", "other", false},
	} {
		testkit.Same(t, test.want, Opens(test.name, test.other), test.name+" and "+test.other)
	}
}

func TestEstimator(t *testing.T) {
	for class, want := range map[string]string{"PyTorch": "torch", "Estimator": "", "ScriptRunConfig": "-"} {
		got, ok := Estimator(class)
		if !ok {
			got = "-"
		}
		testkit.Same(t, want, got, class)
	}
}

func TestTimeZone(t *testing.T) {
	for name, want := range map[string]string{"UTC08": "UTC-08", "UTC12": "UTC+12", "WEuropeStandardTime": "W. Europe Standard Time", "PacificStandardTime": ""} {
		got, ok := TimeZone(name)
		testkit.Same(t, want, got, name)
		testkit.Same(t, want != "", ok, name)
	}
}
