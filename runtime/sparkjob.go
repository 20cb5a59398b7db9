package runtime

import (
	"errors"
	"slices"

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
	if mode := b.target.YarnDeployMode; p.Kind.Value == Cluster && mode.Text == "cluster" && spark.Master(b.job.SparkSettings, c) == c.Master {
		p.Distributed = Field[bool]{true, b.at(mode)}
		p.Notes = append(p.Notes, Field[string]{"yarnDeployMode is cluster: the script runs on a node of the cluster, where its outputs/ and what it prints stay " +
			"(`yarn logs -applicationId ID` on the head node shows the latter); write client to get both back", b.at(mode)})
	}
	b.sparkPython(p)
	return nil
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
