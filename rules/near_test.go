package rules_test

import (
	"fmt"
	"testing"

	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNearNamesOfMany checks that a name is compared with those that a project defines, unless there are too many.
func TestNearNamesOfMany(t *testing.T) {
	for defined, want := range map[int]int{1000: 1, 1001: 0} {
		files := map[string][]byte{"deployment.yml": []byte("$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineDeployment.schema.json\nname: blue\nendpoint_name: taxi-fares-x\nmodel: azureml:taxi:1\n")}
		for i := range defined {
			name := map[bool]string{true: "taxi-fare-x", false: fmt.Sprintf("other-%d", i)}[i == 0]
			files[fmt.Sprintf("e%d.yml", i)] = []byte("$schema: https://azuremlschemas.azureedge.net/latest/managedOnlineEndpoint.schema.json\nname: " + name + "\nauth_mode: key\n")
		}
		got := 0
		for _, f := range rules.Check(schema.Load(schema.Root{Dir: "."}, schema.Options{}).With(files)) {
			if f.Rule == "ref/name" {
				got++
			}
		}
		testkit.Same(t, want, got, "%d endpoints", defined)
	}
}
