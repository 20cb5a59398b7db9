package migrate_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNextBuilds checks that the commands build an image of the project's own Dockerfile, which the files refer to.
func TestNextBuilds(t *testing.T) {
	project := sdk("environment: {docker: {enabled: true, baseDockerfile: own image/Dockerfile}, python: {userManagedDependencies: true}}") + "-- own image/Dockerfile --\nFROM python:3.12\n"
	for to, want := range map[string]string{
		"compose":  "docker compose run --rm --build job",
		"k8s":      "docker build -f '../own image/Dockerfile' -t r.io/digits-own-image-dockerfile:1 '../own image'",
		"skypilot": "docker push r.io/digits-own-image-dockerfile:1",
	} {
		w := worked{project: project, to: to}
		if to != "compose" {
			w.answers = "registry=r.io"
		}
		m, err := w.migrate(t)
		testkit.OK(t, err)
		if next := strings.Join(m.Emitter.Next(m), "\n"); strings.Count(next, want) != 1 {
			t.Errorf("%s: the commands lack %q:\n%s", to, want, next)
		}
	}
}

// TestNextQuotes checks that a shell reads names with spaces in the commands as one word each.
func TestNextQuotes(t *testing.T) {
	m, err := worked{project: "-- a b.py --\n1\n-- aml_config/vm.compute --\ntype: remotedocker\nbaseDockerImage: python:3.11\naddress: h\nusername: u\n-- aml_config/vm.runconfig --\nTarget: vm\nFramework: Python\nArgumentVector: [a b.py]\n", to: "v1"}.migrate(t)
	testkit.OK(t, err)
	m.Options.Out = m.Project.Root + "/../new"
	m.Project.Root += " x"
	script := "mv() { printf '<%s>' \"$@\"; }\ncp() { mv \"$@\"; }\naz() { mv \"$@\"; }\n" + strings.Join(m.Emitter.Next(m), "\n")
	out, err := exec.Command("sh", "-c", script).Output()
	testkit.OK(t, err)
	for _, want := range []string{"<../digits x/aml_config><../digits x/aml_config.workbench><-r><.azureml><../digits x/>", "<a b.py>"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s lacks %s", out, want)
		}
	}
}
