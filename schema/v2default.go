package schema

import "github.com/amlfix/amlfix/schema/document"

// v2Around is where a pipeline runs as a job of another: as a child, or as a job that consists of it.
type v2Around struct {
	file            *File
	child, pipeline *document.Node
}

// v2Defaults knows the compute for jobs of a pipeline that name none: that of the pipeline, or of the pipelines around
// it, as the Azure ML client passes it on.
type v2Defaults struct {
	l      *v2Linker
	around map[*document.Node][]v2Around
	known  map[*document.Node]Field
	jobs   map[*document.Node]int // how many pipelines have a mapping as their jobs, by an alias
}

// readDefaults determines which pipelines of the project run which.
func (l *v2Linker) readDefaults() *v2Defaults {
	d := &v2Defaults{l: l, around: map[*document.Node][]v2Around{}, known: map[*document.Node]Field{}, jobs: map[*document.Node]int{}}
	for i := 0; i < len(l.Files); i++ { //nolint:intrange // it grows with the files that they name
		switch f := l.Files[i]; f.V2 {
		case "job", "component":
			d.read(f, f.Root().Resolve(), nil, nil)
		case "schedule":
			if inline := f.Root().Get("create_job"); inline != nil && inline.Kind == document.Mapping {
				d.read(f, inline, nil, nil)
			}
		}
	}
	return d
}

// read records that a child of a pipeline runs a mapping, and what its own children run.
func (d *v2Defaults) read(f *File, n, child, pipeline *document.Node) {
	if !n.IsMapping() {
		return
	}
	if pipeline != nil {
		d.around[n] = append(d.around[n], v2Around{f, child, pipeline})
		if len(d.around[n]) > 1 {
			return // its children were examined
		}
	}
	jobs := n.Get("jobs").Resolve()
	if !jobs.IsMapping() {
		d.runs(f, n, n)
		return
	}
	if d.jobs[jobs]++; d.jobs[jobs] > 1 {
		return // its children were examined
	}
	for _, e := range jobs.Own() {
		inner := e.Value.Resolve()
		if inner.Get("jobs").IsMapping() {
			d.read(f, inner, inner, n)
		} else {
			d.runs(f, inner, n)
		}
	}
}

// runs follows what a child runs, or a job that is a component.
func (d *v2Defaults) runs(f *File, child, pipeline *document.Node) {
	at := FieldAt(f, child, "component")
	if inline := at.Node.Resolve(); inline.IsMapping() {
		if inline.Get("jobs").IsMapping() {
			d.read(f, inline, child, pipeline)
		}
		return
	}
	if lower(child.Get("type")) != "pipeline" && child.Get("type") != nil {
		return
	}
	if file := d.l.named(at); file != nil {
		if inner := file.Root().Resolve(); inner != pipeline && inner.Get("jobs").IsMapping() {
			d.around[inner] = append(d.around[inner], v2Around{f, child, pipeline})
		}
	}
}

// of returns the default compute of a pipeline's jobs; of several around it, one on which all agree.
func (d *v2Defaults) of(f *File, pipeline *document.Node) Field {
	if at, ok := d.known[pipeline]; ok {
		return at
	}
	at := ownDefault(f, pipeline)
	d.known[pipeline] = at // pipelines that run each other end here
	for i, a := range d.around[pipeline] {
		if at.Explicit && i == 0 {
			break
		}
		if d.jobs[a.pipeline.Get("jobs").Resolve()] > 1 {
			at = Field{}
			break
		}
		outer := ownDefault(a.file, a.child)
		if !outer.Explicit {
			outer = d.of(a.file, a.pipeline)
		}
		if i > 0 && outer.Text != at.Text {
			at = Field{}
			break
		}
		at = outer
	}
	d.known[pipeline] = at
	return at
}

// ownDefault returns the compute that a pipeline names for its jobs.
func ownDefault(f *File, pipeline *document.Node) Field {
	if at := FieldAt(f, pipeline.Get("settings"), "default_compute"); at.Explicit {
		return at
	}
	return FieldAt(f, pipeline, "compute")
}
