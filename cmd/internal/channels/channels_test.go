package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"golang.org/x/tools/txtar"
	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "write testdata/channels.txtar")

// dist creates a release folder in which each program's content is the name of its platform.
func dist(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var sums strings.Builder
	add := func(name string) { fmt.Fprintf(&sums, "%064x  %s\n", strings.Count(sums.String(), "\n")+1, name) }
	for _, p := range platforms {
		ending := map[bool]string{true: ".zip", false: ".tar.gz"}[p.GOOS == "windows"]
		add("amlfix_1.2.3_" + p.GOOS + "_" + p.GOARCH + ending)
		testkit.Write(t, dir, fmt.Sprintf("amlfix_%s_%s_v1/%s", p.GOOS, p.GOARCH, p.Program()), p.GOOS+"/"+p.GOARCH+"\n")
	}
	add("amlfix-1.2.3.tar.gz")
	testkit.Write(t, dir, "checksums.txt", sums.String())
	return dir
}

// TestChannels compares everything written for a release with a golden text, and validates each file against the schema
// that the service publishes.
func TestChannels(t *testing.T) {
	top, out := testkit.Root(t), filepath.Join(t.TempDir(), "out")
	testkit.OK(t, write(top, dist(t), out))
	got := testkit.Contents(t, out)
	var golden txtar.Archive
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if path.Base(name) == "LICENSE" {
			testkit.Same(t, testkit.Read(t, top, "LICENSE"), got[name], name)
			continue
		}
		golden.Files = append(golden.Files, txtar.File{Name: name, Data: []byte(got[name])})
	}
	if *update {
		testkit.Write(t, "testdata", "channels.txtar", txtar.Format(&golden))
	}
	testkit.Same(t, testkit.Read(t, "testdata/channels.txtar"), string(txtar.Format(&golden)), "run: go test ./cmd/internal/channels -update")
	for _, p := range platforms {
		program := "npm/" + p.OS + "-" + p.CPU + "/" + p.Program()
		if info, err := os.Stat(filepath.Join(out, program)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: %v, %v", program, info, err)
		}
		testkit.Same(t, p.GOOS+"/"+p.GOARCH+"\n", got[program])
	}
	winget := "winget/manifests/a/amlfix/amlfix/1.2.3/amlfix.amlfix"
	for name, schema := range map[string]string{
		"scoop/amlfix.json": "scoop", winget + ".yaml": "winget-version", winget + ".locale.en-US.yaml": "winget-defaultLocale", winget + ".installer.yaml": "winget-installer",
	} {
		s := compiled(t, schema)
		value := parsed(t, got[name])
		if err := s.Validate(value); err != nil {
			t.Errorf("%s: %#v", name, err)
		}
		for _, key := range slices.Collect(maps.Keys(value.(map[string]any))) { // proves that the check can fail
			text := value.(map[string]any)[key]
			if value.(map[string]any)[key] = -1; s.Validate(value) == nil {
				t.Errorf("%s: the schema takes any %s", name, key)
			}
			value.(map[string]any)[key] = text
		}
	}
	for name, text := range got {
		switch path.Ext(name) {
		case ".json", ".yaml":
			parsed(t, text)
		}
		if strings.Contains(text, "<<") && path.Base(name) != "LICENSE" {
			t.Errorf("%s: a part of the template is left", name)
		}
	}
}

// parsed reads YAML, a superset of JSON, as JSON values.
func parsed(t *testing.T, text string) (value any) {
	t.Helper()
	testkit.OK(t, yaml.Unmarshal([]byte(text), &value))
	again, err := json.Marshal(value)
	testkit.OK(t, err)
	testkit.OK(t, json.Unmarshal(again, &value))
	return value
}

func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	testkit.OK(t, c.AddResource(name, bytes.NewReader([]byte(testkit.Read(t, "testdata/schemas", name+".json")))))
	s, err := c.Compile(name)
	testkit.OK(t, err)
	return s
}

// TestDescriptions checks that PyPI, the npm registry, conda and the others show the same sentence.
func TestDescriptions(t *testing.T) {
	text, summary := testkit.Read(t, testkit.Root(t), "cmd/python/pyproject.toml"), facts["summary"]
	if !strings.Contains(text, "\ndescription = \""+summary+"\"\n") {
		t.Errorf("cmd/python/pyproject.toml has another description than %q", summary)
	}
	if len(summary) > 80 || strings.HasSuffix(summary, ".") {
		t.Errorf("Homebrew takes at most 80 characters without a full stop: %q", summary)
	}
}

// TestIncomplete checks that nothing is written for a release that lacks a file.
func TestIncomplete(t *testing.T) {
	top := testkit.Root(t)
	for about, tt := range map[string]struct {
		change func(dist, out string) error
		want   string
	}{
		"no checksums":       {func(dist, _ string) error { return os.Remove(dist + "/checksums.txt") }, "checksums.txt"},
		"no version":         {func(dist, _ string) error { return os.WriteFile(dist+"/checksums.txt", nil, 0o600) }, "names no amlfix_VERSION_linux_amd64.tar.gz"},
		"a faulty line":      {func(dist, _ string) error { return os.WriteFile(dist+"/checksums.txt", []byte("12  x\n"), 0o600) }, `"12  x\n" is not a SHA-256`},
		"an archive missing": {func(dist, _ string) error { return cut(dist, "windows_arm64") }, "checksums.txt names no amlfix_1.2.3_windows_arm64.zip"},
		"no source":          {func(dist, _ string) error { return cut(dist, "amlfix-1") }, "checksums.txt names no amlfix-1.2.3.tar.gz"},
		"a program missing":  {func(dist, _ string) error { return os.Remove(dist + "/amlfix_linux_arm64_v1/amlfix") }, "holds 0 programs for linux/arm64, not one"},
		"a folder that is":   {func(_, out string) error { return os.Mkdir(out, 0o700) }, "name a folder that does not exist yet"},
	} {
		dist, out := dist(t), filepath.Join(t.TempDir(), "out")
		testkit.OK(t, tt.change(dist, out))
		if err := write(top, dist, out); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want: %s", about, err, tt.want)
		}
	}
}

// cut removes the lines that contain a text from the checksums.
func cut(dist, with string) error {
	name := filepath.Join(dist, "checksums.txt")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	lines := slices.DeleteFunc(slices.Collect(strings.Lines(string(text))), func(l string) bool { return strings.Contains(l, with) })
	return os.WriteFile(name, []byte(strings.Join(lines, "")), 0o600)
}
