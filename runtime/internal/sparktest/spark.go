//go:build linux

// Package sparktest provides tests with a real Spark: PyPI's pyspark with a standalone master and one worker on
// loopback. It proves how spark-submit handles its arguments and how a job lives and ends; it proves nothing about
// YARN. It belongs to the set test/full, because the package is 300 MB in size; see Full.
package sparktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/daemon"
)

// version is pyspark's version: the last one that runs on the Java of both Debian 11 and 12.
const version = "3.5.9"

// Full skips a test unless the set test/full was requested.
func Full(t testing.TB) {
	t.Helper()
	if os.Getenv("AMLFIX_TEST_FULL") != "1" {
		t.Skip("part of the set test/full: set AMLFIX_TEST_FULL=1 to run it")
	}
}

// install makes a Python environment with pyspark, which is kept between test runs, and returns its folder.
var install = sync.OnceValues(func() (string, error) {
	if _, err := exec.LookPath("java"); err != nil {
		return "", fmt.Errorf("there is no Java (apt-get install default-jre-headless): %w", err)
	}
	dir, err := testkit.Cached("pyspark", testkit.Venv("pyspark=="+version), nil)
	return filepath.Join(dir, "venv"), err
})

// Spark is an installed Spark.
type Spark struct {
	Bin    string // the folder with spark-submit and its python
	Master string // "spark://127.0.0.1:PORT" once Start has run
	web    string
}

// Install returns Spark without a cluster. It skips the test unless the set test/full was requested.
func Install(t testing.TB) *Spark {
	t.Helper()
	Full(t)
	dir, err := install()
	if err != nil {
		t.Fatal(err) // a request for the full set requires all of it
	}
	return &Spark{Bin: filepath.Join(dir, "bin")}
}

// Start returns Spark with a master and a worker, which run until the test ends.
func Start(t testing.TB) *Spark {
	t.Helper()
	s := Install(t)
	port, web := daemon.FreePort(), daemon.FreePort()
	s.Master, s.web = "spark://127.0.0.1:"+strconv.Itoa(port), "http://127.0.0.1:"+strconv.Itoa(web)+"/json/"
	s.launch(t, filepath.Join(s.Bin, "spark-class"), "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", strconv.Itoa(port), "--webui-port", strconv.Itoa(web))
	s.await(t, "master", func(st status) bool { return st.Status == "ALIVE" })
	s.launch(t, filepath.Join(s.Bin, "spark-class"), "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g", s.Master)
	s.await(t, "worker", func(st status) bool { return st.Workers == 1 })
	return s
}

type status struct {
	Status  string     `json:"status"`
	Workers int        `json:"aliveworkers"`
	Active  []struct{} `json:"activeapps"`
	Done    []struct{} `json:"completedapps"`
}

func (s *Spark) status() (st status, err error) {
	r, err := http.Get(s.web)
	if err != nil {
		return st, err
	}
	defer func() { _ = r.Body.Close() }()
	return st, json.NewDecoder(r.Body).Decode(&st)
}

func (s *Spark) await(t testing.TB, what string, ready func(status) bool) {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if st, err := s.status(); err == nil && ready(st) {
			return
		}
	}
	t.Fatalf("Spark's %s does not come up", what)
}

// Jobs waits until the master has no running application, and returns how many have ended.
func (s *Spark) Jobs(t testing.TB) int {
	t.Helper()
	s.await(t, "application ended; it", func(st status) bool { return len(st.Active) == 0 })
	st, err := s.status()
	testkit.OK(t, err)
	return len(st.Done)
}

// launch runs a server until the test ends, through a standard input that is then closed. It shows the server's log if
// the test failed.
func (s *Spark) launch(t testing.TB, program string, args ...string) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+s.Bin+":"+os.Getenv("PATH"), "SPARK_LOCAL_IP=127.0.0.1", "SPARK_WORKER_DIR="+filepath.Join(dir, "work"), "SPARK_LOCAL_DIRS="+dir)
	input, err := cmd.StdinPipe()
	testkit.OK(t, err)
	server, err := daemon.Start(cmd, filepath.Join(dir, "log"))
	testkit.OK(t, err)
	t.Cleanup(func() {
		_ = input.Close()
		_ = syscall.Kill(-server.PID, syscall.SIGTERM)
		select {
		case <-server.Ended:
		case <-time.After(10 * time.Second):
			_ = syscall.Kill(-server.PID, syscall.SIGKILL)
			<-server.Ended
		}
		if t.Failed() {
			t.Logf("%s:\n%s", args[len(args)-1], server.Said())
		}
	})
}
