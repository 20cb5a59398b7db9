package schema

// doubtful reports whether a file is what others take it for, because neither its name nor its content says.
func (f *File) doubtful() bool { return f.Kind == Unknown || f.Stream.Root() == nil || f.Broken() }

// settled reports whether every version of a project takes the file for the same, so that they can share it.
func (f *File) settled() bool {
	return f.Of == "" && !f.doubtful() && f.first == (classified{f.Rel, f.Kind, f.Dialect, f.V2})
}

// shares reports whether a file may be in use by other versions of the project.
func (p *Project) shares(f *File) bool { return p.disk.loaded[f.Path] == f }

// jobOf returns the job of a Workbench run configuration, before it is linked.
func (p *Project) jobOf(f *File) *Job {
	made, ok := f.made.(*Job)
	if !ok {
		j := workbenchJob(f)
		if !p.shares(f) {
			f.made = j
		}
		return j
	}
	j := *made
	j.Target, j.Environment, j.Spark, j.SparkSettings = nil, nil, nil, SparkSettings{}
	return &j
}

// targetOf returns the target of a .compute file, before it is linked.
func (p *Project) targetOf(f *File) *Target {
	made, ok := f.made.(*Target)
	if !ok {
		t := workbenchTarget(f)
		if !p.shares(f) {
			f.made = t
		}
		return t
	}
	t := *made
	t.VMSize, t.BySettings, t.Jobs, t.Evidence = Field{File: f}, false, nil, nil
	return &t
}

// sparkOf returns the settings in a spark file, which several jobs may name.
func (p *Project) sparkOf(f *File) SparkSettings {
	if made, ok := f.made.(*SparkSettings); ok {
		return *made
	}
	s := sparkSettings(f, f.Root(), f, f.Root())
	if !p.shares(f) {
		f.made = &s
	}
	return s
}
