//go:build linux

package sparktest

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/testkit"
)

// hadoop is the version of Hadoop bundled with pyspark; the servers of YARN and HDFS come from Maven Central.
const hadoop = "3.3.4"

//go:embed pom.xml
var pom []byte

//go:embed Cluster.java
var clusterSource []byte

// installHadoop fetches the servers, which are kept between test runs, and returns their folder.
var installHadoop = sync.OnceValues(func() (string, error) {
	for _, program := range []string{"javac", "mvn"} {
		if _, err := exec.LookPath(program); err != nil {
			return "", fmt.Errorf("there is no %s (apt-get install default-jdk-headless maven): %w", program, err)
		}
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "amlfix-test", "hadoop-"+hadoop)
	if _, err := os.Stat(filepath.Join(dir, "complete")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "pom.xml"), pom, 0o644); err != nil {
		return "", err
	}
	cmd := exec.Command("mvn", "-q", "-B", "-f", filepath.Join(dir, "pom.xml"), "dependency:copy-dependencies", "-DexcludeTransitive=true", "-DoutputDirectory="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("Hadoop's servers cannot be fetched from Maven Central: %w\n%.500s", err, out) //nolint:staticcheck // a name
	}
	return dir, os.WriteFile(filepath.Join(dir, "complete"), nil, 0o644)
})

// YARN is a running cluster: a resource manager, a node manager and HDFS on loopback, with real clients.
type YARN struct {
	*Spark
	env map[string]string
}

// settings are the servers' settings. They cap the memory of all containers together.
var settings = []string{"yarn.nodemanager.resource.memory-mb=3072", "yarn.scheduler.minimum-allocation-mb=64", "yarn.log-aggregation-enable=true",
	"yarn.nodemanager.vmem-check-enabled=false", "yarn.scheduler.capacity.root.queues=default", "yarn.scheduler.capacity.root.default.capacity=100",
	"yarn.scheduler.capacity.maximum-am-resource-percent=1"}

// smallJava makes short-lived Java processes start quickly.
const smallJava = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

// StartYARN returns YARN and HDFS, which run until the test ends, and the programs spark-submit, yarn and hdfs. The
// last two start Java directly instead of through Hadoop's shell scripts, which Maven Central does not have; the
// programs are real.
func StartYARN(t testing.TB) *YARN {
	t.Helper()
	s := Install(t)
	servers, err := installHadoop()
	testkit.OK(t, err)
	jars, err := filepath.Glob(filepath.Join(filepath.Dir(s.Bin), "lib", "python3*", "site-packages", "pyspark", "jars"))
	if err != nil || len(jars) != 1 {
		t.Fatalf("the jars of pyspark are not where they were: %v, %v", jars, err)
	}
	dir := t.TempDir()
	classes := servers + "/*:" + jars[0] + "/*"
	client := "#!/bin/sh\n%s\nexec java -Xmx128m " + smallJava + ` -cp "$HADOOP_CONF_DIR:` + classes + `" "$main" "$@"` + "\n"
	for name, text := range map[string]string{
		"Cluster.java": string(clusterSource),
		"conf/.keep":   "",
		"bin/yarn": fmt.Sprintf(client, "cli=org.apache.hadoop.yarn.client.cli\ncase $1 in\napplication) main=$cli.ApplicationCLI ;;\n"+
			"logs) shift; main=$cli.LogsCLI ;;\n*) exit 64 ;;\nesac"),
		"bin/hdfs": fmt.Sprintf(client, `[ "$1" = dfs ] || exit 64`+"\nshift\nmain=org.apache.hadoop.fs.FsShell"),
		"spark/spark-defaults.conf": "spark.yarn.jars local:" + jars[0] + "/*\nspark.driver.memory 512m\nspark.driver.memoryOverhead 256m\nspark.yarn.am.memory 256m\n" +
			"spark.executor.memory 512m\nspark.executor.instances 1\nspark.driver.extraJavaOptions " + smallJava + "\nspark.executor.extraJavaOptions " + smallJava + "\n",
	} {
		path := filepath.Join(dir, name)
		testkit.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.OK(t, os.WriteFile(path, []byte(text), 0o755))
	}
	y := &YARN{Spark: s, env: map[string]string{"PATH": dir + "/bin:" + s.Bin + ":" + os.Getenv("PATH"), "HADOOP_CONF_DIR": dir + "/conf", "SPARK_CONF_DIR": dir + "/spark", "SPARK_LOCAL_IP": "127.0.0.1",
		"SPARK_HOME": filepath.Dir(jars[0])}}
	args := append(strings.Fields("-Xmx600m "+smallJava+" -Djava.io.tmpdir="+dir+" --add-opens java.base/java.lang=ALL-UNNAMED -cp"), classes, filepath.Join(dir, "Cluster.java"), dir)
	s.launch(t, "java", append(args, settings...)...)
	for end := time.Now().Add(90 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "conf", "yarn-site.xml")); err == nil {
			return y
		}
		if time.Now().After(end) {
			t.Fatal("YARN does not come up")
		}
	}
}

// Env returns the environment of a head node.
func (y *YARN) Env() map[string]string { return y.env }

// Do runs yarn or hdfs and returns what it prints to standard output.
func (y *YARN) Do(t testing.TB, argv ...string) string {
	t.Helper()
	cmd := exec.Command(filepath.Join(filepath.SplitList(y.env["PATH"])[0], argv[0]), argv[1:]...)
	cmd.Env = os.Environ()
	for name, value := range y.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v: %v", argv, err)
	}
	return string(out)
}

// Running waits up to half a minute until all of YARN's applications are over, and returns those that it lists.
func (y *YARN) Running(t testing.TB) (list string) {
	t.Helper()
	for range 10 {
		list = y.Do(t, "yarn", "application", "-list")
		if !strings.Contains(list, "application_") {
			return ""
		}
		time.Sleep(2 * time.Second)
	}
	return list
}
