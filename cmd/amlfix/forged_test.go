//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

var forged = runid.MustParse("20261122-101112-f0f0f0")

// forge writes a record into a project.
func forge(t *testing.T, dir string, rec record.Record) {
	t.Helper()
	rec.Version, rec.ID, rec.Project = record.Version, forged, dir
	text, err := json.Marshal(rec)
	testkit.OK(t, err)
	testkit.Write(t, dir, ".amlfix/runs/"+forged.String()+"/record.json", text)
	for name, text := range map[string]string{"log": "", "log.index": "", "metrics.jsonl": hostileMetrics} {
		testkit.Write(t, dir, ".amlfix/runs/"+forged.String()+"/"+name, text)
	}
}

const hostileMetrics = `{"t": 1.0, "name": "\u001b[2J::error::x", "value": "\u202e##vso[x]\n::error::y"}` + "\n"

// TestForgedRecord checks that every command about runs refuses a record that came with the repository, in a sentence
// that says so, and does nothing.
func TestForgedRecord(t *testing.T) {
	dir := testkit.Folder(t, shellJobs)
	forge(t, dir, record.Record{Kind: "local", Tracked: true, State: progress.Running, States: []record.Step{{State: progress.Starting, At: time.Now()}}, Handle: record.Handle{Folder: "/etc"}})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "--all"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED, SO NOT TESTED: git: %v: %s", err, out)
		}
	}
	before := testkit.Read(t, dir, ".amlfix/runs/"+forged.String()+"/record.json")
	for _, args := range []string{"list", "show", "logs", "attach", "stop", "stop --now", "clean", "clean --older 0s", "push", "show " + forged.String(), "list --format json"} {
		r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(args)...)...)
		if !strings.Contains(r.err, ".amlfix/runs/"+forged.String()+": git tracks this record, so it came with the repository and is not trusted: remove it") || strings.Contains(r.out, forged.String()) || strings.Contains(r.err, "no runs here") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if after := testkit.Read(t, dir, ".amlfix/runs/"+forged.String()+"/record.json"); after != before {
		t.Errorf("the record was changed: %s", after)
	}
	if r := amlfix(t, dir, "run", "-c", "local", "hello.sh"); strings.Contains(r.err, "no record") {
		t.Errorf("a run of the user's own is hindered: %+v", r)
	}
}

// TestLinkedRecords checks that a link in place of the records' folder is neither read nor written through.
func TestLinkedRecords(t *testing.T) {
	dir, elsewhere := testkit.Folder(t, shellJobs), t.TempDir()
	testkit.OK(t, os.Symlink(elsewhere, filepath.Join(dir, ".amlfix")))
	for _, args := range []string{"run -c local job.sh", "runs list", "runs clean"} {
		if r := amlfix(t, dir, strings.Fields(args)...); !strings.Contains(r.err, ".amlfix: is a link") {
			t.Errorf("%s: %+v", args, r)
		}
	}
	if left, _ := os.ReadDir(elsewhere); len(left) > 0 {
		t.Errorf("written through the link: %v", left)
	}
}

// hostileTexts contain terminal control sequences, or commands for CI logs.
var hostileTexts = []string{"h\x1b[2J\n::error::INJECTED", "::error::x", "\r::warning::x", " \t::x", "##vso[task.setvariable variable=PATH]x", "##[error]x", "\u009b2J\u202ex\u2066", "\a\b\x7f", "a\u2028::error::b", "\U000e0041", "'; touch X; '"}

// checkOutput fails if amlfix's own output could control a terminal or be taken for a command.
func checkOutput(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		lower := strings.ToLower(line)
		bad := strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(lower, "##vso[") || strings.Contains(lower, "##[")
		for _, r := range line {
			bad = bad || !unicode.IsPrint(r) || unicode.Is(unicode.Cf, r)
		}
		if bad {
			t.Errorf("%s: %q", what, line)
		}
	}
}

// fill sets all string fields of a value to a text, and adds an element to lists.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Struct:
		if _, ok := v.Interface().(time.Time); ok {
			v.Set(reflect.ValueOf(time.Now()))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), text)
		fill(v.Index(1), text)
	}
}

// TestHostileRecord shows a record with such texts in every field, in every state.
func TestHostileRecord(t *testing.T) {
	for _, text := range hostileTexts {
		for _, state := range []progress.State{progress.Done, progress.Running, progress.State(text)} {
			dir := testkit.Folder(t, shellJobs)
			var rec record.Record
			fill(reflect.ValueOf(&rec).Elem(), text)
			rec.State = state
			forge(t, dir, rec)
			for _, args := range []string{"list", "show", "list --format json", "show --format json", "logs", "attach", "stop", "clean", "clean --older 0s"} {
				r := amlfix(t, dir, append([]string{"runs"}, strings.Fields(args)...)...)
				checkOutput(t, fmt.Sprintf("%q, %s", text, args), r.out+r.err)
				if args == "show" && !strings.Contains(r.out, forged.String()) {
					t.Errorf("it is not shown: %+v", r)
				}
			}
		}
	}
}

// TestHostileFields runs, plans and checks jobs with such texts in every field of their files.
//
//testkit:norace
func TestHostileFields(t *testing.T) {
	t.Parallel()
	fields := []string{"type", "address", "username", "password", "baseDockerImage", "nativeSharedDirectory", "pythonLocation", "yarnDeployMode"}
	for _, text := range hostileTexts {
		quoted, err := json.Marshal(text) // YAML reads this unchanged
		testkit.OK(t, err)
		for _, field := range fields {
			for _, kind := range []string{"local", "remote", "remotedocker", "localdocker", "cluster"} {
				values := map[string]string{"type": kind, "address": `"127.0.0.1:1"`, "username": "me", "baseDockerImage": "a/b:1", "sharedVolumes": "true", "nativeSharedDirectory": "/tmp/amlfix-test-share/x"}
				values[field] = string(quoted)
				var compute bytes.Buffer
				for name, value := range values {
					fmt.Fprintf(&compute, "%s: %s\n", name, value)
				}
				dir := t.TempDir()
				testkit.Write(t, dir, "aml_config/t.compute", compute.Bytes())
				testkit.Write(t, dir, "aml_config/t.runconfig", fmt.Appendf(nil, "Target: t\nFramework: Python\nArgumentVector: [train.py, %[1]s]\nEnvironmentVariables: {A: %[1]s}\nUseSampling: %[1]s\n", quoted))
				testkit.Write(t, dir, "train.py", "")
				r := amlfixWith(t.Context(), dir, map[string]string{"HOME": dir}, "run", "-c", "t", "--plan")
				checkOutput(t, fmt.Sprintf("%q in %s of %s", text, field, kind), r.out+r.err)
				if kind == "local" || kind == "localdocker" || field != "address" && field != "username" {
					continue
				}
				r = amlfix(t, dir, "run", "-c", "t") // gets as far as the machine, which does not exist
				checkOutput(t, fmt.Sprintf("%q in %s of %s", text, field, kind), r.out+r.err)
				if r.code != 125 {
					t.Errorf("%+v", r)
				}
			}
		}
	}
}
