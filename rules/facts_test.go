package rules_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

// tableOf maps a function of the catalog to the table that it reads.
var tableOf = map[string]string{
	"BringsAlong": "conda_builds", "Conflicts": "conflicts", "CPUVariants": "package_variants", "CredentialKind": "credentials", "CUDANeeds": "cuda_needs",
	"Curated": "curated", "Flavoured": "conda_builds", "FrameworkBuild": "frameworks", "Gone": "retired_packages", "GPUByCapability": "gpus",
	"GPUTwin": "images", "GPUVariants": "package_variants", "KnownPackage": "packages", "LookupCommunicator": "communicators", "LookupGPU": "gpus",
	"LookupImage": "images", "LookupPublicToken": "public_tokens", "LookupRetiredPackage": "retired_packages", "LookupWheel": "wheels",
	"Misspelt": "misspelt", "MLflowPair": "azureml_mlflow", "Namesake": "namesakes", "NoGPU": "vm_families", "PlusVariant": "images",
	"PythonEnd": "pythons", "Service": "services", "SparkRuntime": "spark_runtimes", "Stdlib": "stdlib", "VMSize": "vm_sizes", "WheelsFor": "python_wheels",
}

var catalogCall = regexp.MustCompile(`\bcatalog\.([A-Z]\w*)\(`)

// TestFactsAreNamed checks that a rule names the tables that its file uses, so that explain can show their sources.
func TestFactsAreNamed(t *testing.T) {
	asked := map[string]bool{}
	for _, r := range rules.All() {
		for _, name := range r.Facts {
			if _, ok := catalog.LookupTable(name); !ok {
				t.Errorf("%s rests on a table %q that is not described", r.ID, name)
			}
		}
		text := testkit.Read(t, ".", strings.NewReplacer("/", "_", "-", "_").Replace(r.ID)+".go")
		for _, call := range catalogCall.FindAllStringSubmatch(text, -1) {
			table := tableOf[call[1]]
			asked[table] = true
			if table != "" && !slices.Contains(r.Facts, table) {
				t.Errorf("%s asks catalog.%s: name %q in its Facts", r.ID, call[1], table)
			}
		}
	}
	if len(asked) < 10 {
		t.Errorf("only %d tables were found to be asked", len(asked))
	}
}
