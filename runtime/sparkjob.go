package runtime

import (
	"errors"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/runtime/local"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/schema"
)

// pysparkPython is the variable that names the Python of Spark's driver and workers.
const pysparkPython = "PYSPARK_PYTHON"

// spark plans what spark-submit is given before the script.
func (b *planner) spark(p *Plan) error {
	if !b.job.UsesSpark() {
		return nil
	}
	c := spark.Cluster{}
	if p.Kind.Value == Cluster {
		c = spark.Cluster{Master: "yarn", DeployMode: b.target.YarnDeployMode}
	}
	if !b.target.YarnDeployMode.Explicit && spark.Master(b.job.SparkSettings, c) != c.Master { // Workbench's default is for YARN
		c.DeployMode = schema.Field{}
	}
	args, err := spark.Arguments(b.job.SparkSettings, c)
	var setting *spark.SettingError
	if errors.As(err, &setting) {
		return &PlanError{Origin: b.at(setting.Field), Text: setting.Text}
	}
	for _, a := range args {
		item := Item{Value: a.Text, Secret: a.Secret, Origin: Origin{Note: "the target is a cluster"}}
		if a.From.File != nil {
			item.Origin = b.at(a.From)
		}
		p.Spark = append(p.Spark, item)
	}
	p.YARN = p.Kind.Value == Cluster && spark.Master(b.job.SparkSettings, c) == c.Master
	if mode := b.target.YarnDeployMode; p.YARN && mode.Text == "cluster" {
		p.Distributed = Field[bool]{true, b.at(mode)}
		p.Notes = append(p.Notes, Field[string]{"yarnDeployMode is cluster: the script runs on a node of the cluster; what it prints and its outputs/ come back when it has ended; " +
			"write client to see its output while it runs", b.at(mode)})
		b.once(p)
	}
	b.sparkPython(p)
	return nil
}

// once has YARN run the script once and spark-submit wait for its end. YARN by itself starts a script that fails again,
// up to twice, from the beginning.
func (b *planner) once(p *Plan) {
	add := func(text, why string) {
		for _, t := range []string{"--conf", text} {
			p.Spark = append(p.Spark, Item{Value: t, Origin: Origin{Note: why}})
		}
	}
	if p.sparkSetting(spark.Attempts) == nil {
		add(spark.Attempts+"=1", "default: a script that fails is not run again")
	}
	if p.sparkSetting(spark.Waiting) != nil {
		add(spark.Waiting+"=true", "the run ends when the job does")
	}
}

// sparkSetting is the last value that the job has for a setting of Spark's, at most one; nil: none.
func (p *Plan) sparkSetting(name string) (value []string) {
	for _, i := range p.Spark {
		if v, ok := strings.CutPrefix(i.Value, name+"="); ok {
			value = []string{v}
		}
	}
	return value
}

// sparkPython has Spark use the Python of pythonLocation, unless the job says otherwise or the name says nothing.
func (b *planner) sparkPython(p *Plan) {
	python := b.target.PythonLocation
	set := slices.ContainsFunc(p.Env, func(i Item) bool { return i.Name == pysparkPython })
	if set || !python.Explicit || python.Text == "" || p.Kind.Value == Docker || p.Kind.Value != Local && python.Text == "python" {
		return
	}
	value := python.Text
	if p.Kind.Value == Local {
		if found, err := local.FindProgram(value, p.Project); err == nil {
			value = found.Path
		}
	}
	p.Env = append(p.Env, Item{Name: pysparkPython, Value: value, Origin: b.at(python)})
}
