package v2

import (
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/built"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// sparkDefaults are the properties that v2 requires in a Spark job, with the values of Azure's examples.
var sparkDefaults = yamlout.Map{
	{Key: "spark.driver.cores", Value: 1}, {Key: "spark.driver.memory", Value: "2g"},
	{Key: "spark.executor.cores", Value: 2}, {Key: "spark.executor.memory", Value: "2g"}, {Key: "spark.executor.instances", Value: 2},
}

// spark returns a Spark job without its names.
func (w *jobWriter) spark() (m yamlout.Map) {
	j := w.j
	m = m.Set("type", "spark").Set("code", w.m.Up(w.j.Code))
	script, mark := j.Program()
	entry := yamlout.Entry{Key: "entry", Value: yamlout.Map{{Key: "file", Value: script}}}
	if mark != "" {
		entry.Above = []string{mark}
	}
	m = append(m, entry)
	inputs, outputs := w.data()
	m = m.Fill("args", strings.Join(rendered(j.Arguments), " ")) // no shell reads them: quotes only group words
	m = append(m.Fill("inputs", inputs).Fill("outputs", outputs), w.conf())
	if j.Conda != nil {
		m = m.Set("environment", "file:"+w.environmentFile())
	}
	m = append(m, w.sparkPlace()...)
	return append(m, w.identity()...)
}

// conf returns Spark's properties, including environment variables, for which a Spark job has no other place.
func (w *jobWriter) conf() yamlout.Entry {
	j, s := w.j, w.j.Source.SparkSettings
	conf := yamlout.Map{}
	given := map[string]bool{}
	var above []string
	for _, v := range s.Configuration {
		switch {
		case !v.Value.Explicit || given[v.Name] || v.Value.Node.Tag() == built.Open:
			continue
		case secret.Variable(v.Name, v.Value.Text):
			if mark := w.m.AskSecret(j.Name, "Spark", v.Name, v.Value, ", or the data from an input"); mark != "" {
				above = append(above, mark)
			}
			continue
		case v.Name == "spark.yarn.maxAppAttempts":
			w.m.Ledger.Drop(j.Name, "the service decides how often it tries an application", v.Value)
			continue
		case v.Name == "spark.app.name" && v.Value.Text == "Azure ML Experiment":
			w.m.Ledger.Drop(j.Name, "the template's default name", v.Value)
			continue
		}
		given[v.Name] = true
		conf = conf.Set(v.Name, value(v.Value))
		w.m.Ledger.Map(j.Name, "`conf`", "", v.Value)
	}
	dynamic := given["spark.dynamicAllocation.enabled"]
	for _, d := range sparkDefaults {
		if given[d.Key] || dynamic && d.Key == "spark.executor.instances" {
			continue
		}
		conf = conf.Set(d.Key, d.Value)
	}
	conf = w.packages(conf)
	entry := yamlout.Entry{Key: "conf", Above: above}
	for _, v := range j.Variables {
		if v.Secret {
			if mark := w.m.AskSecret(j.Name, "the job", v.Name, v.Source, ""); mark != "" {
				entry.Above = append(entry.Above, mark)
			}
			continue
		}
		conf = conf.Set("spark.yarn.appMasterEnv."+v.Name, v.Value).Set("spark.executorEnv."+v.Name, v.Value)
		w.m.Ledger.Map(j.Name, "`conf`: spark.yarn.appMasterEnv and spark.executorEnv", "", v.Source)
	}
	entry.Value = conf
	return entry
}

// value returns a field's value, as a number if it is one.
func value(f schema.Field) any {
	if n := f.Node.Resolve(); n != nil && n.Tag() == "!!int" && strings.Trim(n.Value, "0123456789") == "" && len(n.Value) < 10 && (n.Value == "0" || n.Value[0] != '0') {
		return number(n.Value)
	}
	return f.Text
}

// packages adds the Maven packages.
func (w *jobWriter) packages(conf yamlout.Map) yamlout.Map {
	kept, from := w.m.SparkPackages(w.j, "`conf`: spark.jars.packages", "`conf`: spark.jars.repositories")
	return conf.Fill("spark.jars.packages", strings.Join(kept, ",")).Fill("spark.jars.repositories", strings.Join(from, ","))
}

// sparkPlace returns what Spark runs on: exactly one of compute and resources.
func (w *jobWriter) sparkPlace() yamlout.Map {
	j, s := w.j, w.j.Source
	where := []schema.Field{s.TargetName}
	if s.Target != nil && s.Target.Dialect == schema.Workbench {
		where = append(where, s.Target.Type)
	}
	answer, _ := w.m.Decide(&account.Question{ID: "spark-compute", Scope: j.Name, Ask: "Where does the Spark job run?", Default: "serverless", Choices: []string{"serverless", "synapse"},
		Why: "v2 supports neither HDInsight clusters nor Spark in your own container: `serverless` needs nothing, `synapse` needs the ARM id of a Synapse Spark pool"})
	w.m.Ledger.Decide(j.Name, "Spark: "+answer, "spark-compute", where...)
	if answer == "synapse" {
		return inCompute(w.synapse())
	}
	runtime, _ := w.m.Decide(&account.Question{ID: "spark-runtime", Scope: j.Name, Ask: "Which Spark version?", Default: catalog.MigrationDefault("spark-runtime").Value, Example: "3.4",
		Why: "the old files do not contain a version"})
	if !version.Get().MatchString(runtime) {
		w.m.Refuse("spark-runtime", runtime, "write a version, such as 3.4")
		runtime = catalog.MigrationDefault("spark-runtime").Value
	}
	return yamlout.Map{{Key: "resources", Value: yamlout.Map{{Key: "instance_type", Value: w.sparkInstance()}, {Key: "runtime_version", Value: runtime}}}}
}

// version matches what Azure ML takes for a version of Spark.
var version = plain.Regexp{Text: `^[0-9]+(\.[0-9]+)*$`}

// sparkInstance returns the smallest size that fits one executor and the driver.
func (w *jobWriter) sparkInstance() string {
	cores, memory := 0, 0
	for _, v := range w.j.Source.SparkSettings.Configuration {
		switch v.Name {
		case "spark.executor.cores", "spark.driver.cores":
			cores = max(cores, number(v.Value.Text))
		case "spark.executor.memory", "spark.driver.memory":
			if strings.HasSuffix(strings.ToLower(v.Value.Text), "g") {
				memory = max(memory, number(v.Value.Text))
			}
		}
	}
	largest := ""
	for _, s := range catalog.SparkSizes() {
		if s.Cores >= cores && s.MemoryGB > memory {
			return s.Size
		}
		largest = s.Size
	}
	return largest
}

// synapse writes the attachment of a Synapse Spark pool.
func (w *jobWriter) synapse() string {
	const name = "spark-pool"
	entry := w.resourceID(account.Question{Ask: "What is the ARM id of the Spark pool?", Why: "the pool's page in the Azure portal shows it"},
		"Microsoft.Synapse/workspaces/WORKSPACE/bigDataPools/POOL", "Microsoft.Synapse/workspaces/"+account.Marker+"/bigDataPools/"+account.Marker)
	body := append(schemaOf("synapsesparkCompute").Set("name", name).Set("type", "synapsespark"), entry)
	w.write("compute-"+name+".yml", nil, body.Set("identity", yamlout.Map{{Key: "type", Value: "system_assigned"}}))
	return name
}
