package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestFacts checks that a subject is found in every notation.
func TestFacts(t *testing.T) {
	tests := map[string][]string{
		"torch==2.3.0":                       {"torch 2.3.0"},
		"torch 2.3.0":                        {"torch 2.3.0"},
		"What does torch 2.3.0 need?":        {"torch 2.3.0"},
		"pytorch=2.3.0":                      {"pytorch", "pytorch 2.3.0"},
		"torch==2.3.0+cu118":                 {"torch 2.3.0+cu118"},
		"tensorflow-gpu==2.5":                {"tensorflow-gpu 2.5"},
		"tensorflow-gpu==2.12.0":             {"tensorflow-gpu >=2.12", "tensorflow-gpu 2.12.0"},
		"Standard_NC6s_v3":                   {"Standard_NC6s_v3"},
		"is the VM size nc6s_v3 retired?":    {"Standard_NC6s_v3"},
		"RTX PRO 6000":                       {"RTX PRO 6000"},
		"sm_70":                              {"V100"},
		"python 3.8":                         {"Python 3.8"},
		"when does Python 3.12 end":          {"Python 3.12"},
		"spark 3.4":                          {"Spark runtime 3.4"},
		"cuda 12.1":                          {"CUDA 12.1"},
		"numpy 1.19.0 on python 3.11":        {"numpy 1.19.0"},
		"sklearn":                            {"sklearn"},
		"scikit-lear":                        {"scikit-lear"},
		"json":                               {"json"},
		"onnxruntime-gpu==1.28":              {"onnxruntime-gpu 1.28", "onnxruntime-gpu 1.28"},
		"azureml:AzureML-sklearn-1.0@latest": {"AzureML-sklearn-1.0"},
		"mcr.microsoft.com/azureml/curated/sklearn-1.0":             {"AzureML-sklearn-1.0"},
		"openmpi4.1.0-ubuntu20.04":                                  {"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04"},
		"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:latest": {"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:latest"},
		"nvidia/cuda:10.2-base":                                     {"nvidia/cuda:10.2-base"},
		"microsoft/mmlspark":                                        {"microsoft/mmlspark"},
		"torch==2.3.0 numpy==1.19.0":                                {"torch 2.3.0", "numpy 1.19.0"},
		"mlflow":                                                    {"mlflow: releases with wheels", "mlflow >=1.30,<2.16 with numpy >=2", "mlflow >=1.30,<2.16 with setuptools >=82", "azureml-mlflow 1.62.0.post6 with mlflow"},
		"nccl_socket_ifname":                                        {"NCCL_SOCKET_IFNAME"},
		"microsoft/mmlspark:plus-99":                                {"microsoft/mmlspark:plus-99"},
		"torch 9.9":                                                 nil,
		"":                                                          nil,
		"what is it?":                                               nil,
		"registry.example.com/mine:3":                               nil,
		"=== < > :::":                                               nil,
	}
	for query, want := range tests {
		var got []string
		for _, f := range Facts(query, "2026-11-22") {
			got = append(got, f.Subject)
			if f.Source == "" || f.Seen == "" || f.Certainty == "" || len(f.Values) == 0 {
				t.Errorf("%q: %+v has no source, or says nothing", query, f)
			}
		}
		testkit.Same(t, want, got, "%q", query)
	}
}

func TestFactsOfADay(t *testing.T) {
	tests := []struct{ query, asOf, want string }{
		{"python 3.10", "2026-10-31", "support=ends in 2026-10"},
		{"python 3.10", "2026-11-01", "support=ended in 2026-10"},
		{"Standard_NC6s_v3", "2025-01-01", "status=will be retired on 2025-09-30"},
		{"Standard_NC6s_v3", "2026-01-01", "status=retired on 2025-09-30"},
	}
	for _, test := range tests {
		var got []string
		for _, f := range Facts(test.query, test.asOf) {
			for _, v := range f.Values {
				got = append(got, v.Name+"="+v.Text)
			}
		}
		if !slices.Contains(got, test.want) {
			t.Errorf("%s on %s: %q, want %q", test.query, test.asOf, got, test.want)
		}
	}
}

// TestFactsOfEveryName checks that each suggested name leads to facts with non-empty names and texts.
func TestFactsOfEveryName(t *testing.T) {
	for _, name := range FactNames() {
		query := name
		if name == "cuda" {
			query = "cuda 12.1"
		}
		facts := Facts(strings.ReplaceAll(query, "-*", "-x"), AsOf)
		if len(facts) == 0 {
			t.Errorf("%s: nothing", name)
		}
		for _, f := range facts {
			for _, v := range f.Values {
				if v.Name == "" || v.Text == "" || strings.TrimSpace(v.Text) != v.Text {
					t.Errorf("%s: %+v", name, f)
				}
			}
		}
	}
}

func TestSeries(t *testing.T) {
	tests := map[string]string{
		"3.8 3.9 3.10 3.11": "3.8 to 3.11", "2.7 3.5 3.6 3.8": "2.7, 3.5, 3.6, 3.8", "3.8": "3.8", "": "", "3.9 3.10": "3.9, 3.10",
	}
	for list, want := range tests {
		testkit.Same(t, want, series(strings.Fields(list)), "series(%s)", list)
	}
}

func FuzzFacts(f *testing.F) {
	f.Add("torch==2.3.0+cu118", "2026-11-22")
	f.Add("mcr.microsoft.com/azureml/curated/x:@", "2026")
	f.Fuzz(func(t *testing.T, query, day string) {
		for _, fact := range Facts(query, day) {
			if fact.Subject == "" || fact.Source == "" {
				t.Errorf("Facts(%q) has %+v", query, fact)
			}
		}
	})
}
