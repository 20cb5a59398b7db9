//go:build linux

package kubetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// varies matches the parts of a transcript that differ from run to run.
var varies = regexp.MustCompile(`\d{8}-\d{6}-[0-9a-f]{6}(-[a-z0-9]{5}\b)?|after \d+(\.\d+)?m?s|v1\.\d+\.\d+`)

// TestDocument replays the transcript of docs/kubernetes.md: `cat FILE` shows the content of a file to create, and
// every other command must print what the page says.
func TestDocument(t *testing.T) {
	n := Start(t)
	n.Kubectl(t, "delete", "storageclasses", "--all") // the page has none; tests that were killed may have left some
	root, _, err := here()
	testkit.OK(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs/kubernetes.md"))
	testkit.OK(t, err)
	dir, commands := t.TempDir(), 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for _, step := range strings.Split("\n"+block[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(step, "\n")
			want = strings.TrimSuffix(want, "\n")
			name, isFile := strings.CutPrefix(command, "cat ")
			if _, err := os.Stat(filepath.Join(dir, name)); isFile && err != nil {
				testkit.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(want+"\n"), 0o644))
				continue
			}
			program, err := program()
			testkit.OK(t, err)
			cmd := n.Command(t, dir, "")
			cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", command}
			cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(program)+":"+filepath.Join(n.dir, "bin")+":"+os.Getenv("PATH"))
			out, _ := cmd.CombinedOutput() // a command may be meant to fail
			got := varies.ReplaceAllString(strings.TrimSuffix(string(out), "\n"), "X")
			testkit.Same(t, varies.ReplaceAllString(want, "X"), got, command)
			commands++
		}
	}
	if commands < 5 {
		t.Errorf("only %d commands: is the page whole?", commands)
	}
}
