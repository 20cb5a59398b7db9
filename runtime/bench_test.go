//go:build linux

package runtime

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
)

// dockerCommand is the real docker command, speaking to the benchmark's engine.
func dockerCommand(b *testing.B, e *enginetest.Engine, args ...string) *exec.Cmd {
	b.Helper()
	if _, err := exec.LookPath("docker"); err != nil {
		enginetest.Unavailable(b, "there is no docker command to compare with (apt-get install docker.io)")
	}
	cmd := exec.Command("docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.Host)
	return cmd
}

// ended runs a command that is to succeed.
func ended(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v: %s", cmd.Args, err, errs.String())
	}
}

// program is amlfix itself.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "amlfix-program-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "amlfix")
	out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", name, "github.com/amlfix/amlfix/cmd/amlfix").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return name, nil
})

// jobFolder is a project whose job runs testjob in the small image.
func jobFolder(b *testing.B, image, step string) string {
	b.Helper()
	dir := b.TempDir()
	for name, text := range map[string]string{
		"aml_config/docker.compute":         "type: localdocker\nbaseDockerImage: " + image + "\n",
		"aml_config/docker.runconfig":       "Target: docker\nFramework: Python\nPrepareEnvironment: true\nArgumentVector: [train.py, \"" + step + "\"]\n",
		"aml_config/conda_dependencies.yml": "name: bench\ndependencies:\n- python=3.11\n",
		"train.py":                          "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

// BenchmarkTrivialJob runs a job that does nothing: `amlfix run` as a process, beside `docker run`.
func BenchmarkTrivialJob(b *testing.B) {
	e := enginetest.Start(b)
	image := e.Python(b)
	name, err := program()
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(name))
	dir := jobFolder(b, image, "x")
	run := func(args ...string) *exec.Cmd {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "DOCKER_HOST="+e.Host)
		return cmd
	}
	ended(b, run("run", "-c", "docker")) // the environment is prepared once
	b.Run("amlfix", func(b *testing.B) {
		for b.Loop() {
			ended(b, run("run", "-c", "docker"))
		}
	})
	b.Run("docker", func(b *testing.B) {
		for b.Loop() {
			ended(b, dockerCommand(b, e, "run", "--rm", "--init", image, "python", "-c", ""))
		}
	})
}

// BenchmarkUpload copies a project into a container, beside `docker cp`.
func BenchmarkUpload(b *testing.B) {
	e := enginetest.Start(b)
	image := e.Job(b)
	for _, tt := range []struct {
		name  string
		files int
		size  int
	}{{"300 MB", 30, 10_000_000}, {"5000 files", 5000, 2000}} {
		dir := b.TempDir()
		content := make([]byte, tt.size)
		for i := range tt.files {
			content[0], content[1] = byte(i), byte(i>>8)
			sub := filepath.Join(dir, fmt.Sprint("d", i%50))
			if err := os.MkdirAll(sub, 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprint("f", i)), content, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		b.Setenv("DOCKER_HOST", e.Host)
		eng, err := docker.Connect()
		if err != nil {
			b.Fatal(err)
		}
		defer eng.Close()
		container := func(b *testing.B) string {
			id, err := eng.Create(context.Background(), docker.Container{Name: "amlfix-bench", RunID: "bench", Image: image, Argv: []string{"/testjob"}})
			if err != nil {
				b.Fatal(err)
			}
			return id
		}
		b.Run(tt.name+"/amlfix", func(b *testing.B) {
			b.SetBytes(int64(tt.files * tt.size))
			for b.Loop() {
				b.StopTimer()
				id := container(b)
				b.StartTimer()
				snap, err := project.Scan(dir)
				if err != nil {
					b.Fatal(err)
				}
				pr, pw := io.Pipe()
				go func() {
					_ = pw.CloseWithError(snap.Tar(context.Background(), pw, project.TarOptions{Prefix: docker.TarPrefix}))
				}()
				if err := eng.CopyIn(context.Background(), id, pr); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				_ = eng.Remove(context.Background(), id)
				b.StartTimer()
			}
		})
		b.Run(tt.name+"/docker", func(b *testing.B) {
			b.SetBytes(int64(tt.files * tt.size))
			for b.Loop() {
				b.StopTimer()
				id := container(b)
				b.StartTimer()
				ended(b, dockerCommand(b, e, "cp", dir+"/.", id+":/azureml-run"))
				b.StopTimer()
				_ = eng.Remove(context.Background(), id)
				b.StartTimer()
			}
		})
	}
}

// BenchmarkLog relays 100 MB of output that a container has printed, through the record, beside `docker logs -f`.
func BenchmarkLog(b *testing.B) {
	e := enginetest.Start(b)
	b.Setenv("DOCKER_HOST", e.Host)
	eng, err := docker.Connect()
	if err != nil {
		b.Fatal(err)
	}
	defer eng.Close()
	ctx := context.Background()
	c := docker.Container{Name: "amlfix-bench-log", RunID: "bench-log", Image: e.Job(b), Argv: []string{"/testjob", "bulk:100"}, ExactLog: true}
	id, err := eng.Create(ctx, c)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = eng.Remove(ctx, id) }()
	over := eng.Wait(ctx, id, true)
	if err := eng.Start(ctx, id); err != nil {
		b.Fatal(err)
	}
	<-over
	b.Run("amlfix", func(b *testing.B) {
		b.SetBytes(100_000_000)
		for b.Loop() {
			plan := Plan{RunID: NewRunID(time.Now()), Project: b.TempDir()}
			r := newRunner(plan, RunOptions{Stdout: devNull(b)})
			if err := r.create(); err != nil {
				b.Fatal(err)
			}
			out, err := eng.Logs(ctx, id)
			if err != nil {
				b.Fatal(err)
			}
			if err := out.CopyTo(process.Streams{Stdout: r.streams.Stdout, Stderr: r.streams.Stderr}); err != nil {
				b.Fatal(err)
			}
			out.Close()
			<-r.rec.git
			r.rec.run.Close()
		}
	})
	b.Run("docker", func(b *testing.B) {
		b.SetBytes(100_000_000)
		for b.Loop() {
			cmd := dockerCommand(b, e, "logs", "-f", id)
			cmd.Stdout = devNull(b)
			ended(b, cmd)
		}
	})
}

func devNull(b *testing.B) *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	return f
}
