package docker

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	engine "github.com/amlfix/amlfix/runtime/docker"
	"github.com/amlfix/amlfix/runtime/plan"
	"github.com/amlfix/amlfix/runtime/prepare"
	"github.com/amlfix/amlfix/runtime/spark"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
)

// draft is a draft of a plan for containers.
type draft struct {
	*plan.Draft
	part *Part
}

// Plan plans the image, its environment, and what the container may use.
func (Target) Plan(common *plan.Draft) error {
	d := &draft{Draft: common, part: &Part{}}
	d.Plan.Part = d.part
	if err := d.SetVariables(false); err != nil {
		return err
	}
	if err := d.SetSpark(spark.Cluster{}); err != nil {
		return err
	}
	d.program()
	if err := d.image(); err != nil {
		return err
	}
	if err := d.recipe(); err != nil {
		return err
	}
	d.gpus()
	if err := d.share(); err != nil {
		return err
	}
	if err := d.limits(); err != nil {
		return err
	}
	return d.arguments()
}

// program plans to use the image's own program: pythonLocation and sparkSubmitLocation are for local targets.
func (d *draft) program() {
	f, _ := d.Program()
	f.Origin.Note = plan.Join(f.Origin.Note, d.SparkNote())
	if d.Compute.Dialect == schema.Workbench && d.Options.Work == nil {
		f.Value, f.Origin.Path, f.Origin.Line = "python", "", 0
		if d.Job.UsesSpark() {
			f.Value = "spark-submit"
		}
		f.Origin.Note = plan.Join("the image's own", f.Origin.Note)
	}
	d.Plan.Interpreter = f
}

func (d *draft) image() error {
	if w := d.Options.Work; w != nil && w.Build.Context.Value != "" {
		d.planBuild()
		return nil
	}
	image := d.Compute.Image
	d.part.Image = plan.From(strings.TrimSpace(image.Text), d.At(image))
	if w := d.Options.Work; w != nil && w.Image.Note != "" {
		d.part.Image.Origin = w.Image
	}
	if d.part.Image.Value == "" {
		o := d.At(d.Compute.Type)
		o.Path = cmp.Or(o.Path, d.Name(d.Compute.File))
		return &plan.Error{Origin: o, Text: "the target has no image: add baseDockerImage, for example microsoft/mmlspark:plus-0.9.9"}
	}
	d.substitute()
	return nil
}

func (d *draft) gpus() {
	d.Plan.GPUs = plan.From(plan.NoGPUs, d.At(d.Compute.GPUSwitch))
	switch {
	case d.Options.GPUs != "":
		d.Plan.GPUs = plan.From(d.Options.GPUs, plan.CommandLine)
	case d.Options.Work != nil && d.Options.Work.GPUs.Value.Wanted():
		d.Plan.GPUs = d.Options.Work.GPUs
	case d.Compute.GPUSwitch.Bool:
		d.Plan.GPUs.Value = plan.AllGPUs
	case d.Compute.Requested():
		d.Plan.GPUs = plan.From(plan.AllGPUs, plan.Origin{Note: "command line: --gpu " + d.Compute.Name})
	}
}

// share plans the shared folder and how the project gets into the container. A folder without sharedVolumes, as in
// Workbench's own template, is a problem only if a script reads the variable.
func (d *draft) share() error {
	shared := d.Compute.SharedVolumes
	d.part.Shared = plan.From(shared.Bool, d.At(shared))
	d.Plan.Transport = "copied into the container, to " + engine.WorkDir
	if shared.Bool && d.Plan.Host.Address.Value == "" {
		d.Plan.Transport = "a copy of it is mounted at " + engine.WorkDir + ": sharedVolumes is true, " + d.part.Shared.Origin.String()
	}
	if shared.Bool {
		return d.Share(engine.ShareDir)
	}
	if d.NamesShare() {
		d.part.Unshared = plan.From(true, d.At(d.Compute.SharedDirectory))
		d.NoShare("in a container it needs sharedVolumes: true")
	}
	return nil
}

func (d *draft) limits() error {
	if d.Options.Memory > 0 {
		d.part.Memory = plan.From(d.Options.Memory, plan.CommandLine)
	}
	if d.Options.CPUs > 0 {
		d.part.CPUs = plan.From(d.Options.CPUs, plan.CommandLine)
	}
	if f := d.Job.Docker.ShmSize; f.Explicit {
		n, ok := plain.Bytes(f.Text)
		if !ok {
			return &plan.Error{Origin: d.At(f), Text: "shmSize " + strconv.Quote(f.Text) + " is not a valid size: write a number with b, k, m or g, like 2g"}
		}
		d.part.Shm = plan.From(n, d.At(f))
	}
	return nil
}

// substitute replaces the target's image with the one that the settings name for it.
func (d *draft) substitute() {
	d.part.Named = d.part.Image.Value
	for _, named := range slices.Sorted(maps.Keys(d.Options.Images)) {
		if instead := strings.TrimSpace(d.Options.Images[named]); instead != "" && sameImage(named, d.part.Named) {
			d.part.Image = plan.From(instead, plan.Origin{Path: d.part.Image.Origin.Path, Line: d.part.Image.Origin.Line, Note: d.Options.ImagesFrom + " names it instead of " + plan.Quote(d.part.Named)})
			return
		}
	}
}

// sameImage reports whether two names mean the same image: Docker Hub and the tag latest can be omitted.
func sameImage(a, b string) bool {
	x, errx := requirement.ParseImage(a)
	y, erry := requirement.ParseImage(b)
	if errx != nil || erry != nil {
		return a == b
	}
	tag := func(m requirement.Image) string {
		if m.Tag == "" && m.Digest == "" {
			return "latest"
		}
		return m.Tag
	}
	return x.Name() == y.Name() && tag(x) == tag(y) && x.Digest == y.Digest
}

// recipe plans the environment that the service would have built.
func (d *draft) recipe() error {
	env := d.Job.Environment
	if !d.Job.UsesConda() || env == nil {
		return nil
	}
	d.part.Recipe = prepare.NewRecipe(env)
	if d.part.Recipe.Empty() {
		return nil
	}
	d.part.Conda = plan.From(d.Name(env.File), d.At(d.Job.CondaPath))
	f := d.Job.PrepareEnvironment()
	d.part.Prepare = plan.From(!f.Explicit || f.Bool, d.At(f))
	folders, err := d.part.Recipe.Gather(env, d.Plan.Project)
	if named, ok := errors.AsType[*prepare.NamedError](err); ok {
		return &plan.Error{Origin: d.Within(env.File, named.Node), Text: named.Text}
	}
	d.activation(env)
	for _, pkg := range env.Packages {
		if pkg.Manager == requirement.Conda && slices.Contains(d.part.Recipe.Conda, pkg.Node.Text()) {
			d.part.OnlyConda = d.Within(env.File, pkg.Node)
			break
		}
	}
	for _, node := range folders {
		d.Plan.Notes = append(d.Plan.Notes, plan.From("whenever a file in this folder changes, the environment is built again, which takes minutes", d.Within(env.File, node)))
	}
	return err
}

// activation adds the variables that conda sets when it activates the environment: those in the environment file,
// unless the run configuration overrides them.
func (d *draft) activation(env *schema.Environment) {
	e, _ := env.Node.Entry("variables")
	if e.Value = e.Value.Resolve(); !e.Value.IsMapping() {
		return
	}
	for _, v := range e.Value.Entries() {
		name, value := v.Key.Text(), v.Value.Text()
		if plan.Unsettable(name, value, false) == "" && !slices.ContainsFunc(d.Plan.Env, func(i plan.Item) bool { return i.Name == name }) {
			d.Plan.Env = append(d.Plan.Env, plan.Item{Name: name, Value: value, Origin: d.Within(env.File, v.Key), Secret: secret.Variable(name, value)})
		}
	}
}
