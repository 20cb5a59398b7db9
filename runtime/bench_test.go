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
	"slices"
	"testing"
	"time"

	"github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/internal/enginetest"
	"github.com/amlfix/amlfix/runtime/internal/sshtest"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/schema/testkit"
)

// dockerCommand returns the real docker command for the benchmark's engine.
func dockerCommand(b *testing.B, e *enginetest.Engine, args ...string) *exec.Cmd {
	b.Helper()
	if _, err := exec.LookPath("docker"); err != nil {
		testkit.Unavailable(b, "there is no docker command to compare with (apt-get install docker.io)")
	}
	cmd := exec.Command("docker", args...)
	cmd.Env = append(os.Environ(), "DOCKER_HOST="+e.Host)
	return cmd
}

// ended runs a command that must succeed.
func ended(b *testing.B, cmd *exec.Cmd) {
	b.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v: %s", cmd.Args, err, errs.String())
	}
}

// program builds amlfix itself and returns its path.
func program(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "amlfix")
	ended(b, exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", name, "github.com/amlfix/amlfix/cmd/amlfix"))
	return name
}

// jobFolder returns a project whose job runs a Python program: in a container of this machine's engine, or of one
// behind an SSH server if target names it.
func jobFolder(b *testing.B, image, target, program string) string {
	b.Helper()
	dir := b.TempDir()
	if target == "" {
		target = "type: localdocker\n"
	}
	for name, text := range map[string]string{
		"aml_config/docker.compute":         target + "baseDockerImage: " + image + "\n",
		"aml_config/docker.runconfig":       "Target: docker\nFramework: Python\nPrepareEnvironment: true\nArgumentVector: [train.py, x]\n",
		"aml_config/conda_dependencies.yml": "name: bench\ndependencies:\n- python=3.11\n",
		"train.py":                          program,
	} {
		testkit.OK(b, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		testkit.OK(b, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

// contender is one way to do what a benchmark measures.
type contender struct {
	name string
	run  func()
}

// compare lets all contenders take turns, because the load of the machine changes from minute to minute. It reports the
// median and the minimum time of each in milliseconds, and their ratios to those of the first.
func compare(b *testing.B, all ...contender) {
	b.Helper()
	times := make([][]float64, len(all))
	for b.Loop() {
		for i, c := range all {
			began := time.Now()
			c.run()
			times[i] = append(times[i], time.Since(began).Seconds()*1000)
		}
	}
	b.ReportMetric(0, "ns/op") // meaningless for all of them together
	for i, c := range all {
		slices.Sort(times[i])
		median, least := times[i][len(times[i])/2], times[i][0]
		b.ReportMetric(median, c.name+"-ms")
		b.ReportMetric(least, c.name+"-least-ms")
		if i > 0 {
			b.ReportMetric(median/times[0][len(times[0])/2], c.name+"-ratio")
			b.ReportMetric(least/times[0][0], c.name+"-least-ratio")
		}
	}
}

// withOutputs is a job that logs a metric and leaves a file.
const withOutputs = `
from azureml.logging import get_azureml_logger
get_azureml_logger().log("loss", 0.5)
open("outputs/model.bin", "w").write("x")
`

// BenchmarkTrivialJob runs a job that does nothing, and one that logs and writes a little. It compares `amlfix run` as
// a process with `docker run` and with the floor: the bare requests to create a container, copy the same project in,
// start it, see its end and remove it, from a program that is already running.
func BenchmarkTrivialJob(b *testing.B) {
	e := enginetest.Start(b)
	image := e.Python(b)
	name := program(b)
	b.Setenv("DOCKER_HOST", e.Host)
	nothing, outputs := jobFolder(b, image, "", ""), jobFolder(b, image, "", withOutputs)
	run := func(dir string) func() {
		return func() {
			cmd := exec.Command(name, "run", "-c", "docker")
			cmd.Dir = dir
			ended(b, cmd)
		}
	}
	run(nothing)() // the environment is prepared once
	compare(b,
		contender{"docker", func() { ended(b, dockerCommand(b, e, "run", "--rm", "--init", image, "python", "-c", "")) }},
		contender{"amlfix", run(nothing)}, contender{"amlfix-with-outputs", run(outputs)},
		contender{"floor", func() { bareRequests(b, nothing, image) }})
}

// bareRequests runs a job with the fewest possible requests to the engine.
func bareRequests(b *testing.B, dir, image string) {
	b.Helper()
	eng, err := docker.Connect()
	testkit.OK(b, err)
	defer eng.Close()
	ctx := context.Background()
	id, err := eng.Create(ctx, docker.Container{Name: "amlfix-bench", RunID: "bench", Image: image, Argv: []string{"python", "train.py"}})
	testkit.OK(b, err)
	snap, err := project.Scan(dir)
	testkit.OK(b, err)
	var tar bytes.Buffer
	testkit.OK(b, snap.Tar(ctx, &tar, project.TarOptions{Prefix: docker.TarPrefix}))
	testkit.OK(b, eng.CopyIn(ctx, id, &tar))
	out, err := eng.Attach(ctx, id)
	testkit.OK(b, err)
	defer out.Close()
	over := eng.Wait(ctx, id, true)
	testkit.OK(b, eng.Start(ctx, id))
	if w := <-over; w.Code != 0 || w.Err != nil {
		b.Fatalf("%+v", w)
	}
	testkit.OK(b, eng.Remove(ctx, id))
}

// BenchmarkTrivialJobOverSSH does the same through a real sshd on this machine, compared with `docker -H ssh://`, which
// starts the machine's ssh, and with `docker run` without SSH.
func BenchmarkTrivialJobOverSSH(b *testing.B) {
	e := enginetest.Start(b)
	image := e.Python(b)
	s := sshtest.Start(b, sshtest.Options{Env: map[string]string{"DOCKER_HOST": e.Host}})
	name := program(b)
	client, err := exec.LookPath("ssh")
	if err != nil {
		testkit.Unavailable(b, "there is no ssh command for docker -H ssh:// (apt-get install openssh-client)")
	}
	bin, keys := b.TempDir(), filepath.Join(s.Home, ".ssh") // ssh does not look for keys where HOME says
	wrapper := fmt.Sprintf("#!/bin/sh\nexec %s -F none -o UserKnownHostsFile=%s/known_hosts -o IdentityFile=%[2]s/id_ed25519 \"$@\"\n", client, keys)
	testkit.OK(b, os.WriteFile(filepath.Join(bin, "ssh"), []byte(wrapper), 0o755))
	b.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := jobFolder(b, image, "type: remotedocker\naddress: "+s.Address()+"\nusername: root\n", "")
	run := func() {
		cmd := exec.Command(name, "run", "-c", "docker")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+s.Home)
		ended(b, cmd)
	}
	run() // the environment is prepared once
	there := fmt.Sprintf("ssh://root@%s", s.Address())
	bare := []string{"run", "--rm", "--init", image, "python", "-c", ""}
	compare(b,
		contender{"docker-ssh", func() { ended(b, dockerCommand(b, e, append([]string{"-H", there}, bare...)...)) }},
		contender{"amlfix", run},
		contender{"docker-without-ssh", func() { ended(b, dockerCommand(b, e, bare...)) }})
}

// BenchmarkUpload copies a project into a container, compared with `docker cp`.
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
			testkit.OK(b, os.MkdirAll(sub, 0o755))
			testkit.OK(b, os.WriteFile(filepath.Join(sub, fmt.Sprint("f", i)), content, 0o644))
		}
		b.Setenv("DOCKER_HOST", e.Host)
		eng, err := docker.Connect()
		testkit.OK(b, err)
		defer eng.Close()
		container := func(b *testing.B) string {
			id, err := eng.Create(context.Background(), docker.Container{Name: "amlfix-bench", RunID: "bench", Image: image, Argv: []string{"/testjob"}})
			testkit.OK(b, err)
			return id
		}
		b.Run(tt.name+"/amlfix", func(b *testing.B) {
			b.SetBytes(int64(tt.files * tt.size))
			for b.Loop() {
				b.StopTimer()
				id := container(b)
				b.StartTimer()
				snap, err := project.Scan(dir)
				testkit.OK(b, err)
				pr, pw := io.Pipe()
				go func() {
					_ = pw.CloseWithError(snap.Tar(context.Background(), pw, project.TarOptions{Prefix: docker.TarPrefix}))
				}()
				testkit.OK(b, eng.CopyIn(context.Background(), id, pr))
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

// BenchmarkLog relays 100 MB of a container's output through the record, compared with `docker logs -f` and with the
// floor, which reads the output from the engine and discards it.
func BenchmarkLog(b *testing.B) {
	e := enginetest.Start(b)
	b.Setenv("DOCKER_HOST", e.Host)
	eng, err := docker.Connect()
	testkit.OK(b, err)
	defer eng.Close()
	ctx := context.Background()
	c := docker.Container{Name: "amlfix-bench-log", RunID: "bench-log", Image: e.Job(b), Argv: []string{"/testjob", "bulk:100"}, ExactLog: true}
	id, err := eng.Create(ctx, c)
	testkit.OK(b, err)
	defer func() { _ = eng.Remove(ctx, id) }()
	over := eng.Wait(ctx, id, true)
	testkit.OK(b, eng.Start(ctx, id))
	<-over
	null := devNull(b)
	relayed := func() {
		plan := Plan{RunID: runid.New(time.Now()), Project: b.TempDir()}
		_, err := session.Run(ctx, plan, RunOptions{Stdout: null}, "", func(_ context.Context, s *session.Session) (process.Exit, error) {
			out, err := eng.Printed(ctx, id)
			if err != nil {
				return process.Exit{}, err
			}
			defer out.Close()
			return process.Exit{Started: time.Now()}, out.CopyTo(s.Streams)
		})
		testkit.OK(b, err)
	}
	printed := func() {
		cmd := dockerCommand(b, e, "logs", "-f", id)
		cmd.Stdout = null
		ended(b, cmd)
	}
	dropped := func() {
		out, err := eng.Printed(ctx, id)
		testkit.OK(b, err)
		defer out.Close()
		testkit.OK(b, out.CopyTo(process.Streams{Stdout: io.Discard, Stderr: io.Discard}))
	}
	compare(b, contender{"docker", printed}, contender{"amlfix", relayed}, contender{"floor", dropped})
}

func devNull(b *testing.B) *os.File {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	testkit.OK(b, err)
	b.Cleanup(func() { _ = f.Close() })
	return f
}
