package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// scene is a command of amlfix, and the parts of its output to show.
type scene struct {
	args  string
	parts *regexp.Regexp // matches the beginning of a part
	keep  []string       // parts with one of these texts are shown, the others become an ellipsis; none: all
}

var scenes = []scene{
	{"", regexp.MustCompile(`\n\n`), []string{"gpu/base-image", "gpu/nvidia-docker", "7 errors"}},
	{"--diff", regexp.MustCompile(`\n\S*--- `), []string{"+++ b/aml_config/gpuvm.compute"}},
	{"--apply", regexp.MustCompile(`\n\n?`), []string{"7 repaired"}},
	{"run -c replay replay.py", nil, nil},
}

// replay is a job for the last scene: it prints a line that TensorFlow prints on a machine without a usable GPU, so
// that the verdict is the same on every machine.
var replay = map[string]string{
	"replay.py":                   "print(\"failed call to cuInit: CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\")\n",
	"aml_config/replay.runconfig": "ArgumentVector: [$file]\nTarget: local\nFramework: Python\nCondaDependenciesFile: aml_config/replay.yml\n",
	"aml_config/replay.yml":       "dependencies: []\n",
}

// varying lists what differs between runs and machines, with what is drawn instead.
var varying = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`run \d{8}-\d{6}-[0-9a-f]{6} succeeded after [0-9.]+m?s`), "run 20261122-101500-3f9c1a succeeded after 0.2s"},
	{regexp.MustCompile(`running \S*python3\S*`), "running /usr/bin/python3"},
}

// session returns the commands with what a terminal shows, including colours.
func session(ctx context.Context, top, work string) (string, error) {
	bin, dir := filepath.Join(work, "amlfix"), filepath.Join(work, "article")
	build := exec.CommandContext(ctx, "go", "-C", top, "build", "-o", bin, "./cmd/amlfix")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("amlfix cannot be built: %w\n%s", err, out)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(top, "testdata", "article"))); err != nil {
		return "", err
	}
	var b strings.Builder
	for _, s := range scenes {
		if strings.HasPrefix(s.args, "run") {
			for name, text := range replay {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					return "", err
				}
			}
		}
		cmd := exec.CommandContext(ctx, bin, strings.Fields(s.args)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "FORCE_COLOR=1", "NO_COLOR=", "XDG_CACHE_HOME="+filepath.Join(work, "cache"))
		out, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			return "", fmt.Errorf("amlfix %s: %w\n%s", s.args, err, out)
		}
		text := string(out)
		for _, v := range varying {
			text = v.what.ReplaceAllString(text, v.as)
		}
		fmt.Fprintf(&b, "\x1b[2m$\x1b[0m \x1b[1m%s\x1b[0m\n%s\n\n", strings.TrimSpace("amlfix "+s.args), s.shown(strings.TrimRight(text, "\n")))
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// shown returns the parts of the output to show.
func (s scene) shown(text string) string {
	if s.parts == nil {
		return text
	}
	var b strings.Builder
	left, begin := false, 0
	for _, end := range append(s.parts.FindAllStringIndex(text, -1), []int{len(text)}) {
		part := text[begin:end[0]]
		begin = end[0]
		if !slices.ContainsFunc(s.keep, func(k string) bool { return strings.Contains(part, k) }) {
			left = true
			continue
		}
		if left {
			b.WriteString("\n\x1b[2m…\x1b[0m")
		}
		left = false
		b.WriteString("\n" + strings.Trim(part, "\n"))
	}
	if left {
		b.WriteString("\n\x1b[2m…\x1b[0m")
	}
	return strings.TrimPrefix(b.String(), "\n")
}
