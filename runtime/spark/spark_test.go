package spark

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/testkit"
	"github.com/amlfix/amlfix/schema/testkit/loaded"
)

// job reads a Workbench project with this spark file.
func job(t testing.TB, spark, compute string) *schema.Job {
	t.Helper()
	return loaded.Job(t, testkit.Lay(t, map[string]string{
		"aml_config/spark_dependencies.yml": spark,
		"aml_config/c.compute":              compute,
		"aml_config/c.runconfig":            "Target: c\nFramework: PySpark\nArgumentVector: [train.py]\n",
	}))
}

const template = `configuration:
  "spark.app.name": "Azure ML Experiment"
  "spark.yarn.maxAppAttempts": 1
  spark.hadoop.fs.azure.account.key.me.blob.core.windows.net: hunter2
  spark.nothing:
repositories:
  - "https://mmlspark.azureedge.net/maven"
  - https://repo.example.com/maven
packages:
  - group: "com.microsoft.ml.spark"
    artifact: "mmlspark_2.11"
    version: "0.7.91"
  - group: com.microsoft.sqlserver
    artifact: mssql-jdbc
    version: 6.2.1.jre8
`

func TestArguments(t *testing.T) {
	settings := []string{"--packages", "com.microsoft.ml.spark:mmlspark_2.11:0.7.91,com.microsoft.sqlserver:mssql-jdbc:6.2.1.jre8",
		"--repositories", "https://mmlspark.azureedge.net/maven,https://repo.example.com/maven",
		"--conf", "spark.app.name=Azure ML Experiment", "--conf", "spark.yarn.maxAppAttempts=1", "--conf", "***"}
	for _, tt := range []struct {
		name, spark, compute string
		cluster              bool
		want                 []string
	}{
		{"this machine", template, "type: local\n", false, settings},
		{"YARN, by default in cluster mode", template, "type: cluster\naddress: a\n", true, append([]string{"--master", "yarn", "--deploy-mode", "cluster"}, settings...)},
		{"YARN, client mode", "configuration: {}\n", "type: cluster\naddress: a\nyarnDeployMode: client\n", true, []string{"--master", "yarn", "--deploy-mode", "client"}},
		{"a master of its own", "configuration: {spark.master: 'spark://head:7077'}\n", "type: cluster\naddress: a\nyarnDeployMode: client\n", true,
			[]string{"--deploy-mode", "client", "--conf", "spark.master=spark://head:7077"}},
		{"nothing", "configuration:\npackages:\nrepositories:\n", "type: local\n", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := job(t, tt.spark, tt.compute)
			c := Cluster{}
			if tt.cluster {
				c = Cluster{Master: "yarn", DeployMode: j.Target.YarnDeployMode()}
			}
			args, err := Arguments(j.SparkSettings, c)
			testkit.OK(t, err)
			var got []string
			for _, a := range args {
				if a.Secret {
					if !strings.HasSuffix(a.Text, "=hunter2") {
						t.Errorf("%q is hidden", a.Text)
					}
					a.Text = "***"
				}
				got = append(got, a.Text)
			}
			testkit.Same(t, tt.want, got)
		})
	}
}

func TestSettingsThatCannotBePassedOn(t *testing.T) {
	for _, tt := range []struct{ name, spark, compute, want string }{
		{"a package without version", "packages:\n- group: a\n  artifact: b\n", "type: cluster\n", `the package "a:b:" cannot be requested`},
		{"two in one", "packages:\n- group: a\n  artifact: b\n  version: 'c,d:e:f'\n", "type: cluster\n", "without spaces, commas and colons"},
		{"two repositories in one", "repositories: ['https://a,https://b']\n", "type: cluster\n", "one address per entry"},
		{"a name with a value", "configuration: {spark.a=b: c}\n", "type: cluster\n", `"spark.a=b" is not the name of a Spark setting`},
		{"an unknown mode", "configuration: {}\n", "type: cluster\nyarnDeployMode: clutser\n", `yarnDeployMode "clutser" is unknown: write client or cluster`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := job(t, tt.spark, tt.compute)
			_, err := Arguments(j.SparkSettings, Cluster{Master: "yarn", DeployMode: j.Target.YarnDeployMode()})
			setting, ok := errors.AsType[*SettingError](err)
			if !ok || !strings.Contains(err.Error(), tt.want) || setting.Field.File == nil {
				t.Errorf("%v", err)
			}
		})
	}
}

// FuzzArguments checks that, whatever the file contains, every value stays in an argument of its own and none becomes
// an option.
func FuzzArguments(f *testing.F) {
	f.Add(template)
	f.Add("configuration: {'--master': evil}\npackages: [{group: --conf, artifact: a, version: b}]\n")
	dir := filepath.FromSlash("/nowhere") // no disk: all files are in memory
	f.Fuzz(func(t *testing.T, text string) {
		in := func(name string) string { return filepath.Join(dir, "aml_config", name) }
		j := schema.Load(schema.Root{Dir: dir}, schema.Options{}).With(map[string][]byte{
			in("spark_dependencies.yml"): []byte(text), in("c.compute"): []byte("type: cluster\naddress: a\n"),
			in("c.runconfig"): []byte("Target: c\nFramework: PySpark\nArgumentVector: [train.py]\nSparkDependenciesFile: aml_config/spark_dependencies.yml\n"),
		}).Jobs[0]
		args, err := Arguments(j.SparkSettings, Cluster{Master: "yarn"})
		if err != nil {
			return
		}
		for i, a := range args {
			option := a.Text == "--master" || a.Text == "--packages" || a.Text == "--repositories" || a.Text == "--conf"
			if i%2 == 0 && !option {
				t.Errorf("argument %d is %q", i, a.Text)
			}
		}
	})
}
