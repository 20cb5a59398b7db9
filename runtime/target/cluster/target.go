// Package cluster runs spark-submit on the head node of a cluster, over SSH.
package cluster

import (
	"context"
	"time"

	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/preflight"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/session"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/runtime/target"
	"github.com/amlfix/amlfix/runtime/target/remote"
	"github.com/amlfix/amlfix/schema"
)

// Target is the target of type cluster. The job is spark-submit on the head node; on YARN, stopping and killing it also
// applies to the application. What Spark itself leaves on the nodes stays there.
type Target struct{}

// Part holds the parts of a plan that are specific to a cluster.
type Part struct {
	// YARN means that spark-submit requests the job's machines from YARN, a cluster manager.
	YARN bool
	// Distributed means that the script runs on a node of the cluster rather than where it is started. Only with YARN.
	Distributed bool
}

// Lines returns nothing: the arguments of spark-submit show it.
func (*Part) Lines(plan.Plan) (surroundings, limits []plan.Line) { return nil, nil }

// partOf returns the part of a plan that Plan has made.
func partOf(p plan.Plan) *Part { return p.Part.(*Part) } //nolint:forcetypeassert // Plan sets no other

// grace is the grace period of a job on a cluster: the request alone takes seconds to reach its driver.
const grace = time.Minute

// About describes the target.
func (Target) About() target.About {
	return target.About{Kind: "cluster", Types: []target.Type{{Name: "cluster", Remote: true}}, Where: "on that machine"}
}

// Plan plans the arguments of spark-submit.
func (t Target) Plan(d *plan.Draft) error {
	if err := d.SetLimits(false); err != nil {
		return err
	}
	if err := d.SetVariables(true); err != nil {
		return err
	}
	part := &Part{}
	d.Plan.Part = part
	if err := t.planSpark(d, part); err != nil {
		return err
	}
	remote.SetProgram(d, "")
	d.SetFrameworks()
	if part.Distributed {
		d.Plan.Transport = "sent to the nodes of the cluster; the working folders there look like it"
		if d.NamesShare() {
			d.NoShare("the script runs on a node of the cluster, and it is a folder of the head node; keep data in the cluster's file system")
		}
		return nil
	}
	d.Plan.Transport = "copied to a folder of the run there, which is the working folder"
	return d.Share("")
}

// planSpark determines who provides the job's machines.
func (Target) planSpark(d *plan.Draft, part *Part) error {
	if !d.Job.UsesSpark() {
		return nil
	}
	mode := d.Compute.YarnDeployMode()
	c := spark.Cluster{Master: "yarn", DeployMode: mode}
	if !mode.Explicit && spark.Master(d.Job.SparkSettings, c) != c.Master { // Workbench's default is for YARN
		c.DeployMode = schema.Field{}
	}
	if err := d.SetSpark(c); err != nil {
		return err
	}
	if part.YARN = spark.Master(d.Job.SparkSettings, c) == c.Master; part.YARN && mode.Text == "cluster" {
		part.Distributed = true
		d.Note("yarnDeployMode is cluster: the script runs on a node of the cluster; what it prints and its outputs/ come back when it has ended; "+
			"write client to see its output while it runs", mode)
		once(&d.Plan)
	}
	return nil
}

// once makes YARN run the script once and spark-submit wait for it to end. By default, YARN restarts a script that
// fails from the beginning, up to twice.
func once(p *plan.Plan) {
	add := func(text, why string) {
		for _, t := range []string{"--conf", text} {
			p.Spark = append(p.Spark, plan.Item{Value: t, Origin: plan.Origin{Note: why}})
		}
	}
	if p.SparkSetting(spark.Attempts) == nil {
		add(spark.Attempts+"=1", "default: a script that fails is not run again")
	}
	if p.SparkSetting(spark.Waiting) != nil {
		add(spark.Waiting+"=true", "the run ends when the job does")
	}
}

// extra is what a cluster adds to a job over SSH.
var extra = remote.Extra{Check: checkYARN, Adapt: spread, Stopping: stopping, Elsewhere: true}

// Check checks the head node.
func (Target) Check(ctx context.Context, job *session.Job, _ project.Snapshot) []preflight.Result {
	return remote.Check(ctx, job, extra)
}

// Run copies the project to the head node and runs spark-submit there.
func (t Target) Run(ctx context.Context, s *session.Session, snap project.Snapshot) (process.Exit, error) {
	setGrace(s)
	return remote.Run(ctx, t, s, snap, extra)
}

// Resume logs in to the head node again.
func (Target) Resume(ctx context.Context, s *session.Session, rec record.Record) (process.Exit, error) {
	setGrace(s)
	return remote.Resume(ctx, s, rec, extra)
}

// Fetch logs in to the head node again.
func (Target) Fetch(ctx context.Context, s *session.Session, rec record.Record) error {
	return remote.Fetch(ctx, s, rec)
}

func setGrace(s *session.Session) {
	if s.Options.Grace == 0 {
		s.Control.Grace = grace
	}
}

// Place uses the common rules.
func (Target) Place(p plan.Plan, res preflight.Result) plan.Origin { return target.Place(p, res) }
