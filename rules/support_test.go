package rules_test

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// v2Schema returns the first line of a v2 file.
func v2Schema(kind string) string {
	return "$schema: https://azuremlschemas.azureedge.net/latest/" + kind + ".schema.json\n"
}

// ofImage, ofSize, ofPython, ofRuntime and ofPackage return v2 projects that name one thing whose support ends.
func ofImage(image string) string {
	return "-- e.yml --\n" + v2Schema("environment") + "name: e\nimage: " + image + "\n"
}

func ofSize(size string) string {
	return "-- c.yml --\n" + v2Schema("amlCompute") + "name: c\ntype: amlcompute\nsize: " + size + "\n"
}

func ofPython(python string) string {
	return ofImage("registry.example.com/base:1") + "conda_file: conda.yml\n-- conda.yml --\nchannels: [conda-forge]\ndependencies:\n  - python=" + python + "\n"
}

func ofRuntime(version string) string {
	return "-- j.yml --\n" + v2Schema("sparkJob") + "type: spark\nresources:\n  instance_type: standard_e4s_v3\n  runtime_version: " + version + "\n"
}

func ofPackage(pkg string) string {
	return "-- j.yml --\n" + v2Schema("commandJob") + "command: python -V\nenvironment:\n  image: registry.example.com/base:1\n  conda_file:\n" +
		"    channels: [conda-forge]\n    dependencies: [python=3.11, pip=24.0, {pip: [" + pkg + "]}]\n"
}

func ofEnvironment(name string) string {
	return "-- j.yml --\n" + v2Schema("commandJob") + "command: python -V\nenvironment: " + name + "\n"
}

// TestSystemOfTheSuccessor checks that no reason is given that also applies to what is advised.
func TestSystemOfTheSuccessor(t *testing.T) {
	project := load(t, ofImage("mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04:20240101.v1"))
	for _, f := range rules.Check(project) {
		if f.Rule == "image/removed" && strings.Contains(f.Message, "operating system") {
			t.Error(f.Message)
		}
	}
}

// TestSupportOverTime checks the severities in v2: a warning for support that has ended or ends within a year, an info
// or nothing for support that ends later, and an error for what the service rejects.
func TestSupportOverTime(t *testing.T) {
	const monitored = "-- m.yml --\nname: m\ntrigger: {type: cron, expression: 0 5 * * *}\ncreate_monitor:\n  compute: {instance_type: standard_e4s_v3, runtime_version: "
	const sdk = "-- .azureml/a.runconfig --\ntarget: amlcompute\n"
	tests := []struct{ rule, project, days string }{
		{"gpu/retired-hardware", ofSize("Standard_NC6s_v3"), "2024-09-29 info, 2024-09-30 warning, 2025-09-30 warning, 2026-11-22 warning"},
		{"gpu/retired-hardware", ofSize("Standard_DS3_v2"), "2026-11-22 info, 2027-05-02 warning, 2028-05-01 warning"},
		{"gpu/retired-hardware", ofSize("Standard_NC4as_T4_v3"), "2026-11-22, 2040-01-01"},
		{"gpu/retired-hardware", sdk + "amlcompute: {vmSize: Standard_NC6s_v3}\n", "2024-01-01, 2025-01-01 info, 2026-11-22 info"},
		{"gpu/retired-hardware", ofImage("microsoft/mmlspark:gpu-0.12"), "2026-11-22 warning"},
		{"gpu/retired-hardware", sdk + "environment: {docker: {enabled: true, baseImage: \"microsoft/mmlspark:gpu-0.12\"}}\n", "2026-11-22 info"},
		{"image/removed", ofImage("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1"),
			"2023-12-31, 2024-02-24 warning, 2025-02-24 warning, 2025-06-01 warning, 2026-11-22 warning"},
		{"image/removed", ofImage("mcr.microsoft.com/azureml/openmpi4.1.0-cuda11.8-cudnn8-ubuntu22.04:20240101.v1"), "2024-09-08, 2024-09-09 warning, 2026-11-22 warning, 2027-05-01 warning"},
		{"image/removed", ofImage("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04:20260101.v1"), "2026-03-31, 2026-11-22 info, 2027-05-01 warning"},
		{"image/removed", ofImage("mcr.microsoft.com/azureml/openmpi5.0-ubuntu24.04:20260101.v1"), "2026-11-22, 2028-06-01 info, 2029-05-01 warning"},
		{"image/removed", ofImage("mcr.microsoft.com/aifx/acpt/stable-ubuntu2204-cu126-py310-torch27x:1"), "2026-11-22 info, 2027-05-01 warning"},
		{"image/removed", ofImage("microsoft/mmlspark:plus-0.9.9"), "2026-11-22 info"},
		{"image/removed", sdk + "environment: {docker: {baseImage: \"mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1\"}}\n", "2023-12-31, 2026-11-22 info"},
		{"python/end-of-support", ofPython("3.10"), "2026-10-31, 2026-11-01 info, 2027-10-31 info, 2027-11-01 warning"},
		{"python/end-of-support", ofPython("3.8"), "2024-10-31, 2024-11-01 info, 2026-11-22 warning"},
		{"python/end-of-support", ofPython("3.13"), "2026-11-22, 2031-01-01 warning"},
		{"ref/environment", ofEnvironment("azureml:AzureML-sklearn-0.24-ubuntu18.04-py37-cpu@latest"), "2020-01-01, 2026-11-22 warning"},
		{"ref/environment", ofEnvironment("azureml:AzureML-sklearn-1.5@latest"), "2026-11-22"},
		{"spark/runtime", ofRuntime(`"3.3"`), "2024-03-30, 2024-04-01 warning, 2025-03-31 warning, 2026-11-22 warning"},
		{"spark/runtime", ofRuntime("3.4.0"), "2025-03-30, 2025-04-01 warning, 2026-03-31 warning, 2026-11-22 warning"},
		{"spark/runtime", ofRuntime(`"3.5"`), "2026-11-22, 2040-01-01"},
		{"spark/runtime", ofRuntime("${{parent.inputs.spark}}"), "2026-11-22"},
		{"spark/runtime", ofRuntime("3.3"), "2026-11-22 warning"},
		{"spark/runtime", monitored + "3.3}\n", "2026-11-22"},
		{"schema/type", monitored + "3.3}\n", "2026-11-22 error"},
		{"spark/runtime", monitored + "\"3.3\"}\n", "2024-03-30, 2025-03-31 warning"},
		{"spark/runtime", "-- s.yml --\n$schema: http://azureml/sdk-2-0/FeatureStore.json\nname: s\ncompute_runtime: {spark_runtime_version: \"3.2\"}\n", "2026-11-22 warning"},
		{"pip/sdk-v1", ofPackage("azureml-core==1.55.0"), "2025-06-29, 2025-07-01 warning, 2026-06-30 warning, 2026-11-22 warning"},
	}
	for _, test := range tests {
		for day := range strings.SplitSeq(test.days, ", ") {
			day, want, _ := strings.Cut(day, " ")
			p := load(t, "as-of: "+day+"\n"+test.project)
			got := ""
			for _, f := range rules.Check(p) {
				if f.Rule == test.rule {
					got = strings.TrimSpace(got + " " + f.Severity.String())
				}
			}
			testkit.Same(t, want, got, "%s on %s:\n%s", test.rule, day, test.project)
		}
	}
}

// TestNothingIsSaidToBeGone checks that no message says that something is gone if it still resolves.
func TestNothingIsSaidToBeGone(t *testing.T) {
	projects := []string{
		ofImage("mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu20.04:20240101.v1"), ofSize("Standard_NC6s_v3"), ofPython("3.7"),
		ofEnvironment("azureml:AzureML-sklearn-0.24-ubuntu18.04-py37-cpu@latest"), ofEnvironment("azureml:AzureML-Minimal:1"), ofRuntime(`"3.4"`), ofPackage("mxnet==1.9.1"),
	}
	for _, project := range projects {
		findings := rules.Check(load(t, project))
		if len(findings) == 0 {
			t.Errorf("nothing is reported about\n%s", project)
		}
		for _, f := range findings {
			for _, word := range []string{"gone", "removed", "deleted", "no longer available", "does not exist", "was taken"} {
				if strings.Contains(f.Message, word) {
					t.Errorf("%s: %q says %q", f.Rule, f.Message, word)
				}
			}
		}
	}
}
