package plan

import (
	"errors"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/spark"
)

// SparkPython is the variable that names the Python of Spark's driver and workers.
const SparkPython = "PYSPARK_PYTHON"

// SetSpark plans the arguments of spark-submit before the script, if the job uses Spark. c is the cluster that it runs
// on; the zero value stands for none.
func (d *Draft) SetSpark(c spark.Cluster) error {
	if !d.Job.UsesSpark() {
		return nil
	}
	args, err := spark.Arguments(d.Job.SparkSettings, c)
	if setting, ok := errors.AsType[*spark.SettingError](err); ok {
		return &Error{Origin: d.At(setting.Field), Text: setting.Text}
	}
	for _, a := range args {
		item := Item{Value: a.Text, Secret: a.Secret, Origin: Origin{Note: "the target is a cluster"}}
		if a.From.File != nil {
			item.Origin = d.At(a.From)
		}
		d.Plan.Spark = append(d.Plan.Spark, item)
	}
	if strings.HasPrefix(spark.Master(d.Job.SparkSettings, c), "spark://") {
		d.shipModules()
	}
	return nil
}

// ModulesFile is the archive of the project's modules, slash-separated and relative to its root, that a plan with
// Modules passes to Spark's workers.
const ModulesFile = ".amlfix/modules.zip"

// shipModules makes spark-submit send the project's modules to the workers of a standalone cluster, which do not see
// the project. Because the option overrides the setting, it also includes the setting's value.
func (d *Draft) shipModules() {
	files := append([]string{ModulesFile}, d.Plan.SparkSetting("spark.submit.pyFiles")...)
	for _, text := range []string{"--py-files", strings.Join(files, ",")} {
		d.Plan.Spark = append(d.Plan.Spark, Item{Value: text, Origin: Origin{Note: "default: workers import the project's modules"}})
	}
	d.Plan.Modules = true
}

// SparkSetting returns the last value of a Spark setting in the plan, or nil.
func (p Plan) SparkSetting(name string) (value []string) {
	for _, i := range p.Spark {
		if v, ok := strings.CutPrefix(i.Value, name+"="); ok {
			value = []string{v}
		}
	}
	return value
}

// SetSparkPython makes Spark use the Python of pythonLocation, as resolved by find, unless the job sets another one or
// pythonLocation is not given.
func (d *Draft) SetSparkPython(find func(python string) string) {
	python := d.Compute.PythonLocation
	set := slices.ContainsFunc(d.Plan.Env, func(i Item) bool { return i.Name == SparkPython })
	if !d.Job.UsesSpark() || set || !python.Explicit || python.Text == "" {
		return
	}
	if value := find(python.Text); value != "" {
		d.Plan.Env = append(d.Plan.Env, Item{Name: SparkPython, Value: value, Origin: d.At(python)})
	}
}
