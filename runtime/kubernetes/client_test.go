//go:build unix

package kubernetes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestConnect: what keeps kubectl from reaching a cluster is one sentence with the next step. kubectl is a stand-in
// here.
func TestConnect(t *testing.T) {
	const config = `{"current-context": "a", "contexts": [{"name": "a", "context": {"namespace": "team"}}, {"name": "b", "context": {}}]}`
	version := func(minor string) string {
		return `{"clientVersion": {"gitVersion": "v1.` + minor + `.0", "minor": "` + minor + `"}, "serverVersion": {"gitVersion": "v1.30.1"}}`
	}
	const name = ": name one with kubernetes.context in .amlfix.yaml or --k8s context=NAME; `kubectl config get-contexts` lists them"
	for _, test := range []struct {
		name, config, version string // no config: there is no kubectl
		asked                 Cluster
		at, want              string
	}{
		{"no kubectl", "", "", Cluster{}, "", "kubectl is not on the PATH: install it (https://kubernetes.io/docs/tasks/tools), version 1.24 or later"},
		{"too old", config, version("23"), Cluster{}, "a/team", "kubectl is version v1.23.0: install 1.24 or later"},
		{"old enough", config, version("24+"), Cluster{}, "a/team", ""},
		{"no namespace", config, version("34"), Cluster{Context: "b"}, "b/default", ""},
		{"both named", config, version("34"), Cluster{"b", "mine"}, "b/mine", ""},
		{"wrong context", config, version("34"), Cluster{Context: "c"}, "", `there is no context "c"; there are: a, b` + name},
		{"no configuration", `{"current-context": "", "contexts": null}`, version("34"), Cluster{}, "", "no context is set" + name},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.config != "" {
				script := "#!/bin/sh\ncase $1 in config) echo '" + test.config + "' ;; *) echo '" + test.version + "' ;; esac\n"
				testkit.OK(t, os.WriteFile(filepath.Join(dir, "kubectl"), []byte(script), 0o755))
			}
			t.Setenv("PATH", dir)
			client, err := Connect(t.Context(), test.asked, os.Environ())
			if err == nil {
				testkit.Same(t, test.at, client.String())
				_, _, err = client.Version(t.Context())
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			testkit.Same(t, test.want, said)
		})
	}
}
