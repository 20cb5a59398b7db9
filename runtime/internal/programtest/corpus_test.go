//go:build linux

package programtest_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/schema/testkit"
)

// ownImage is a locally built image with Python and the packages that the corpus's jobs use most.
const ownImage = "amlfix-test/v2:1"

// TestCorpusOfV2Runs runs every v2 job and pipeline in a folder of projects that needs only its own files, on a locally
// built image, whatever its environment says. AMLFIX_TEST_V2RUN names the folder. The result is a table for
// docs/testing.md; a job that could be planned and fails is listed with the first thing that it lacked. The test fails
// if amlfix itself is at fault.
func TestCorpusOfV2Runs(t *testing.T) {
	folder := os.Getenv("AMLFIX_TEST_V2RUN")
	if folder == "" {
		t.Skip("AMLFIX_TEST_V2RUN names no folder of projects")
	}
	m := machine{engine: enginetest.Start(t)}
	made, err := testkit.Cached("v2image", "sh build.sh", os.DirFS("testdata/v2image"), "build.sh", "requirements.txt")
	testkit.OK(t, err)
	archive := []byte(testkit.Read(t, made, "image.tar"))
	m.engine.Import(t, ownImage, archive)
	projects, err := os.ReadDir(folder)
	testkit.OK(t, err)
	refused, ran := map[string]int{}, 0
	for _, p := range projects {
		dir := filepath.Join(t.TempDir(), p.Name())
		testkit.OK(t, exec.Command("cp", "-r", filepath.Join(folder, p.Name()), dir).Run())
		for _, file := range v2Jobs(t, dir) {
			args := []string{"run", file, "--image", ownImage, "--gpus", "none"}
			if planned := do(t, m, dir, append(args, "--plan")...); planned.code != 0 {
				refused[reason(planned.err)]++
				continue
			}
			r := do(t, m, dir, append(args, "--timeout", "2m")...)
			result := "succeeded"
			if r.code != 0 {
				result = fmt.Sprintf("exit %d: %s", r.code, lacked(r))
			} else {
				ran++
			}
			t.Logf("| %s/%s | %s |", p.Name(), file, result)
			if r.code == 125 && !strings.Contains(r.err, "not started: ") || strings.Contains(r.err, "panic:") {
				t.Errorf("%s: %d\n%s", file, r.code, r.err)
			}
		}
		testkit.OK(t, os.RemoveAll(dir))
	}
	for why, n := range refused {
		t.Logf("refused %d: %s", n, why)
	}
	if ran == 0 {
		t.Error("no job ran")
	}
}

// v2Jobs returns the files of command jobs and pipelines in a folder, relative to it.
func v2Jobs(t *testing.T, dir string) (files []string) {
	t.Helper()
	is := regexp.MustCompile(`(?i)(commandJob|pipelineJob)\.schema\.json`)
	testkit.OK(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".yml", ".yaml"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		if err == nil && is.Match(text[:min(len(text), 4096)]) {
			rel, rerr := filepath.Rel(dir, name)
			files, err = append(files, filepath.ToSlash(rel)), rerr
		}
		return err
	}))
	return files
}

// reason returns why a file was refused, without positions and names.
func reason(said string) string {
	if n := regexp.MustCompile(`not started: \d+ errors?`).FindString(said); n != "" {
		return "errors in the files"
	}
	line := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(said), "amlfix: "), "\n", 2)[0]
	line = regexp.MustCompile(`^\S+:\d+: `).ReplaceAllString(line, "")
	line = regexp.MustCompile(`(input|step) \S+ (is|has) \S+,?`).ReplaceAllString(line, "$1 X $2 Y,")
	return line
}

// lacked returns the line of a job's output that says what it lacked, or its last one.
func lacked(r ended) string {
	text := r.out + "\n" + r.err
	found := ""
	for _, pattern := range []string{`not started: .*`, `ModuleNotFoundError: .*`, `ImportError: .*`, `[^\n]*command not found`, `[^\n]*No such file or directory[^\n]*`, `(?m)^[\w.]*(Error|Exception)\b.*`} {
		if found = regexp.MustCompile(pattern).FindString(text); found != "" {
			break
		}
	}
	if found == "" {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "amlfix: ") {
				found = line
			}
		}
	}
	return strings.ReplaceAll(found[:min(len(found), 120)], "|", "\\|")
}
