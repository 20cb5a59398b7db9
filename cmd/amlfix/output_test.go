package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/rules"
	"github.com/amlfix/amlfix/schema/testkit"
)

// everyFormat returns arguments that request all reports at once, all but the first in files.
func everyFormat() (args []string) {
	for i, f := range report.Formats() {
		if i > 0 {
			f += "=out." + f
		}
		args = append(args, "--format", f)
	}
	return args
}

func TestSeveralReports(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n")
	r := amlfix(t, dir, everyFormat()...)
	if r.code != console.Findings || !strings.Contains(r.out, "[schema/value]") || r.err != "" {
		t.Errorf("%+v", r)
	}
	for _, f := range report.Formats()[1:] {
		alone := amlfix(t, dir, "--format", f)
		if d := cmp.Diff(alone.out, testkit.Read(t, dir, "out."+f)); d != "" || alone.out == "" {
			t.Errorf("%s: the file and the output differ:\n%s", f, d)
		}
	}
	r = amlfix(t, dir, "--format", "sarif=no/such/folder.sarif")
	if r.code != console.Failure || r.err != "amlfix: --format sarif=no/such/folder.sarif: the file cannot be written: no: no such file or directory\n" {
		t.Errorf("%+v", r)
	}
}

// TestReportToAFullDisk checks that amlfix fails if a report cannot be written.
func TestReportToAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("SKIPPED: there is no /dev/full here")
	}
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: local\n")
	r := amlfix(t, dir, "--format", "json=/dev/full")
	if r.code != console.Failure || r.err != "amlfix: /dev/full: the report could not be written: no space left on device\n" {
		t.Errorf("%+v", r)
	}
}

// smallDisk returns the folder of a file system of 4 KiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: a full disk needs root to mount one: run the tests as root")
	}
	small := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4k", "none", small).CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: no file system can be mounted here: %s", out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", small).Run() })
	return small
}

// TestMigrateOnAFullDisk names the file that has no space, and leaves nothing behind.
func TestMigrateOnAFullDisk(t *testing.T) {
	small := smallDisk(t)
	testkit.Write(t, small, "aml_config/a.runconfig", "target: local\nframework: Python\nscript: train.py\n")
	r := amlfix(t, small, "migrate", "--to", "v2")
	if r.code != console.Failure || r.err != "amlfix: .amlignore: cannot be written: no space left on device\n" {
		t.Errorf("%+v", r)
	}
	testkit.Same(t, []string{"aml_config/a.runconfig"}, listFiles(t, small))
}

// TestReportCutByAFullDisk: half a report would be taken for a whole one, so nothing stays of it.
func TestReportCutByAFullDisk(t *testing.T) {
	small := smallDisk(t)
	report := filepath.Join(small, "r.sarif")
	testkit.Write(t, small, "r.sarif", "an older report")
	r := amlfix(t, testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n"), "--format", "sarif="+report)
	if r.code != console.Failure || !strings.Contains(r.err, "the report could not be written: no space left on device") {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(report); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the report is still there: %v", err)
	}
}

func TestFormatInAGitHubWorkflow(t *testing.T) {
	dir := testkit.Folder(t, "-- sub/aml_config/x.compute --\ntype: loal\n")
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": dir}
	sub := filepath.Join(dir, "sub")
	r := amlfixWith(t.Context(), sub, env)
	text, command, found := strings.Cut(r.out, "\n::error ")
	if !found || !strings.Contains(text, "[schema/value]") || !strings.HasPrefix(command, "file=sub/aml_config/x.compute,line=1,endLine=1,col=7,endColumn=11,title=schema/value::") {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"--format", "text"}, {"--format", "json"}} {
		if r := amlfixWith(t.Context(), sub, env, args...); strings.Contains(r.out, "::error") {
			t.Errorf("%q: %s", args, r.out)
		}
	}
	if r := amlfixWith(t.Context(), sub, env, "--diff"); r.code != console.OK || r.out != "" {
		t.Errorf("--diff: %+v", r)
	}
}

// TestReportsAreStable repeatedly writes every report of many faulty projects.
//
//testkit:norace
func TestReportsAreStable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i, r := range rules.All() {
		for _, f := range txtar.Parse([]byte(r.Bad)).Files {
			testkit.Write(t, dir, filepath.Join(strings.Repeat("n/", i%3)+strings.ReplaceAll(r.ID, "/", "-"), f.Name), f.Data)
		}
	}
	var first []string
	for run := range 20 { // a random order shows in one run of two
		reports := []string{amlfix(t, dir, everyFormat()...).out}
		for _, f := range report.Formats()[1:] {
			reports = append(reports, testkit.Read(t, dir, "out."+f))
		}
		if run == 0 {
			first = reports
		}
		if d := cmp.Diff(first, reports); d != "" {
			t.Fatalf("run %d differs:\n%s", run, d)
		}
	}
}

// sarifLog is the part of SARIF that the tests read.
type sarifLog struct {
	Runs []struct {
		Results []struct {
			RuleID    string
			Locations []sarifPlace
			Fixes     []struct {
				ArtifactChanges []struct {
					ArtifactLocation struct{ URI string }
					Replacements     []struct {
						DeletedRegion   sarifRegion
						InsertedContent struct{ Text string }
					}
				}
			}
		}
		Invocations []struct {
			ExecutionSuccessful bool
			ExitCode            int
		}
	}
}

type sarifPlace struct {
	PhysicalLocation struct {
		ArtifactLocation struct{ URI string }
		Region           sarifRegion
	}
}

type sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }

func readSARIF(t *testing.T, text string) (log sarifLog) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v\n%s", err, text)
	}
	return log
}

// offset finds a position by counting lines and code points, as a SARIF reader unaware of amlfix does.
func offset(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	for range column - 1 {
		at += len(string([]rune(text[at:])[0]))
	}
	return at
}

// TestSARIFFixes makes each fix in a SARIF report as its reader would, and checks that the finding is gone and there
// are no new ones.
//
//testkit:norace
func TestSARIFFixes(t *testing.T) {
	t.Parallel()
	made := 0
	for _, r := range rules.All() {
		dir := testkit.Folder(t, r.Bad)
		log := readSARIF(t, amlfix(t, dir, "--format", "sarif").out)
		for i, result := range log.Runs[0].Results {
			for _, fix := range result.Fixes {
				dir := testkit.Folder(t, r.Bad)
				for _, change := range fix.ArtifactChanges {
					name := change.ArtifactLocation.URI
					text := testkit.Read(t, dir, name)
					for _, e := range slices.Backward(change.Replacements) {
						start, end := offset(text, e.DeletedRegion.StartLine, e.DeletedRegion.StartColumn), offset(text, e.DeletedRegion.EndLine, e.DeletedRegion.EndColumn)
						text = text[:start] + e.InsertedContent.Text + text[end:]
					}
					testkit.Write(t, dir, name, text)
				}
				made++
				after := readSARIF(t, amlfix(t, dir, "--format", "sarif").out).Runs[0].Results
				for _, a := range after {
					if a.RuleID == result.RuleID && cmp.Equal(a.Locations, result.Locations) {
						t.Errorf("%s: result %d, %s, is still there after its fix", r.ID, i, result.RuleID)
					}
				}
			}
		}
	}
	if made < 15 {
		t.Errorf("only %d fixes were made", made)
	}
}

func TestSARIFDescribesTheRun(t *testing.T) {
	dir := testkit.Folder(t, "-- aml_config/x.compute --\ntype: loal\n")
	for args, want := range map[string]struct {
		ok   bool
		code int
	}{"": {true, 1}, "--exit-zero": {true, 0}, "nowhere .": {false, 3}} {
		r := amlfix(t, dir, append(strings.Fields(args), "--format", "sarif")...)
		run := readSARIF(t, r.out).Runs[0].Invocations[0]
		if run.ExecutionSuccessful != want.ok || run.ExitCode != want.code || r.code != want.code {
			t.Errorf("%q: %+v, exit %d", args, run, r.code)
		}
	}
}
