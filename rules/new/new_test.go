package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestNewRule creates a rule in a copy of the repository, and checks that it builds, that its tests ask for what is
// missing, and that a second run overwrites nothing.
func TestNewRule(t *testing.T) {
	top, dir := testkit.Root(t), t.TempDir()
	for _, folder := range []string{"rules", "fixers", "schema"} {
		testkit.OK(t, os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(top, folder))))
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text := []byte(testkit.Read(t, top, name))
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o644))
	}
	t.Chdir(dir)
	var out strings.Builder
	testkit.OK(t, run([]string{"gpu/shiny-new"}, &out))
	for _, name := range []string{"rules/gpu_shiny_new.go", "rules/testdata/gpu-shiny-new.txtar", "rules/rule.go"} {
		if !strings.Contains(out.String(), "wrote "+name+"\n") {
			t.Errorf("%s is not among what was written:\n%s", name, &out)
		}
	}
	testkit.Has(t, out.String(), "fails (TestExamples, TestCheck)")
	_, compute, _ := strings.Cut(testkit.Read(t, dir, "rules/testdata/gpu-shiny-new.txtar"), "--\n")
	if line := strings.Split(compute, "\n")[3-1]; strings.Index(line, "wrong") != 11-1 {
		t.Errorf("the case expects the finding at 3:11, which is not what is wrong: %q", line)
	}
	if out, err := exec.Command("gofmt", "-l", "rules").CombinedOutput(); len(out) > 0 || err != nil {
		t.Errorf("gofmt: %s, %v", out, err)
	}
	// Builds in another folder share the build cache only with -trimpath, and test.sh builds without cgo.
	test := exec.Command("go", "test", "-trimpath", "-vet=off", "./rules", "-run", "TestExamples/gpu/shiny-new|TestCheck/gpu-shiny-new")
	test.Env = append(os.Environ(), "CGO_ENABLED=0")
	said, err := test.CombinedOutput()
	for _, want := range []string{"--- FAIL: TestExamples/gpu/shiny-new", "--- FAIL: TestCheck/gpu-shiny-new"} {
		if err == nil || !strings.Contains(string(said), want) {
			t.Errorf("no %q: %v\n%s", want, err, said)
		}
	}
	if err := run([]string{"gpu/shiny-new"}, &out); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a second time: %v", err)
	}
}

func TestRegister(t *testing.T) {
	const text = "x\nvar registry = []*Rule{\n\t&yamlSyntax,\n\t&gpuA,\n\t&gpuB,\n\t&refTarget,\n}\n\ntype y struct {\n}\n"
	for id, want := range map[string]string{
		"gpu/big-one": "\t&yamlSyntax,\n\t&gpuA,\n\t&gpuB,\n\t&gpuBigOne,\n\t&refTarget,\n",
		"yaml/x":      "\t&yamlSyntax,\n\t&yamlX,\n\t&gpuA,\n\t&gpuB,\n\t&refTarget,\n",
		"re/x":        "\t&yamlSyntax,\n\t&gpuA,\n\t&gpuB,\n\t&refTarget,\n\t&reX,\n",
	} {
		got, err := register(text, id)
		if d := cmp.Diff("x\nvar registry = []*Rule{\n"+want+"}\n\ntype y struct {\n}\n", got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", id, err, d)
		}
	}
	if _, err := register("package rules\n", "gpu/x"); err == nil {
		t.Error("a file without a registry is not an error")
	}
}

func TestMistakes(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{nil, {"gpu"}, {"GPU/x"}, {"gpu/x_y"}, {"gpu/../x"}, {"gpu/x", "y"}, {"gpu/x-"}} {
		if err := run(args, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "GROUP/NAME") {
			t.Errorf("%q: %v", args, err)
		}
	}
	if err := run([]string{"gpu/x"}, &strings.Builder{}); err == nil || !strings.Contains(err.Error(), "at the top of the repository") {
		t.Errorf("elsewhere: %v", err)
	}
}
