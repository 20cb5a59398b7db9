package format

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuggest(t *testing.T) {
	for _, c := range []struct {
		word       string
		candidates []string
		want       suggestion
	}{
		{"nvidiaDoker", []string{"nvidiaDocker", "baseDockerImage"}, suggestion{"nvidiaDocker", 1, true}},
		{"nvidiaDcoker", []string{"nvidiaDocker"}, suggestion{"nvidiaDocker", 1, true}},
		{"nvidiadocker", []string{"nvidiaDocker"}, suggestion{"nvidiaDocker", 1, true}},
		{"NVIDIADOCKER", []string{"nvidiaDocker"}, suggestion{"nvidiaDocker", 1, true}},
		{"NvidiaDoker", []string{"nvidiaDocker"}, suggestion{"nvidiaDocker", 2, true}},
		{"pathOnCompte", []string{"pathOnCompute", "pathOnCompete"}, suggestion{"pathOnCompete", 1, false}},
		{"idleTimeBeforeScaleDown", []string{"idle_time_before_scale_down", "size"}, suggestion{"idle_time_before_scale_down", 1, true}},
		{"OS", []string{"os"}, suggestion{"os", 1, true}},
		{"x", []string{"r"}, suggestion{}},
		{"", []string{"r"}, suggestion{}},
		{"hpi", []string{"hdi", "mpi"}, suggestion{"hdi", 1, false}},
		{"something", []string{"type", "address"}, suggestion{}},
		{"13. $schema", []string{"$schema", "schema"}, suggestion{"$schema", 1, true}},
		{"\u2022 compute", []string{"compute"}, suggestion{"compute", 1, true}},
		{"+ os", []string{"os"}, suggestion{"os", 1, true}},
		{"2_inputs_of", []string{"inputs"}, suggestion{}},
		{"größe", []string{"größer"}, suggestion{"größer", 1, true}},
	} {
		if diff := cmp.Diff(c.want, suggest(c.word, c.candidates), cmp.AllowUnexported(suggestion{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.word, diff)
		}
	}
}
