//go:build linux

package runtime

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestEnvironmentIsActivated checks that the activation scripts of conda packages run before the job, and that nothing
// else about the job changes: its arguments, parent, exit code and signals.
func TestEnvironmentIsActivated(t *testing.T) {
	t.Parallel()
	e := engineHere(t)
	plain := e.Conda(t)
	const withBash = "amlfix-test/conda:bash"
	e.Derive(t, withBash, plain, map[string]string{"/usr/bin/bash": "#!/bin/sh\nexport BY=bash\nshift\ntext=$1; shift\nexec sh -c \"$text\" \"$@\"\n"})
	run := func(ctx context.Context, image, conda, program string, change func(*Plan), out *bytes.Buffer, more ...RunOptions) (Result, error) {
		t.Helper()
		job, root := load(t, files{"train.py": program, "aml_config/conda_dependencies.yml": conda, "aml_config/docker.compute": "type: localdocker\nbaseDockerImage: " + image + "\n",
			"aml_config/docker.runconfig": "Target: docker\nFramework: Python\nArgumentVector: [train.py, two words, '', \"it's\", -c]\nEnvironmentVariables: {ORDER: x}\n"}, "docker", schema.Options{})
		plan := newPlan(t, job, Options{Project: root})
		if change != nil {
			change(&plan)
		}
		opts := RunOptions{Stdout: out, Stderr: &bytes.Buffer{}}
		if len(more) > 0 {
			opts = more[0]
		}
		res, err := Run(ctx, plan, opts)
		e.NothingLeft(t, plan.RunID.String())
		return res, err
	}
	const activated, not = "dependencies: [python=3.5, activated]\n", "dependencies: [python=3.5]\n"
	const program = "import os, sys\nprint(sys.argv[1:], os.getppid(), *map(os.environ.get, ['ORDER', 'CUDA_HOME', 'BY']))\nsys.exit(3)\n"
	const args = "['two words', '', \"it's\", '-c'] 1 "
	for _, tt := range []struct{ name, image, conda, want string }{
		{"scripts", plain, activated, args + "xab /opt/amlfix/env/cuda None\n"},
		{"scripts and bash", withBash, activated, args + "xab /opt/amlfix/env/cuda bash\n"},
		{"none", withBash, not, args + "x None None\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			res, err := run(t.Context(), tt.image, tt.conda, program, nil, &out)
			if err != nil || res.Outcome != Failed || res.Code != 3 {
				t.Errorf("%+v, %v", res, err)
			}
			testkit.Same(t, tt.want, out.String())
		})
	}
	t.Run("no such program", func(t *testing.T) {
		res, err := run(t.Context(), plain, activated, program, func(p *Plan) { p.Interpreter.Value = "nosuchprogram" }, &bytes.Buffer{})
		if err != nil || res.Outcome != Failed || res.Code != 127 {
			t.Errorf("%+v, %v", res, err)
		}
	})
	t.Run("signals", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		const waits = "import signal, sys, time\nsignal.signal(signal.SIGINT, lambda *_: sys.exit(7))\nprint('up', flush=True)\ntime.sleep(600)\n"
		res, err := run(ctx, plain, activated, waits, nil, nil, RunOptions{Stdout: &cancelAt{text: "up", cancel: func() { cancel(&process.Signalled{Signal: os.Interrupt}) }}})
		if err != nil || res.Outcome != Cancelled || res.Code != 130 || res.JobCode != 7 {
			t.Errorf("%+v, %v", res, err)
		}
	})
}
