package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// packageFacts answers about pip packages: what their builds need, which Python versions they have wheels for, and
// whether they are gone.
func packageFacts(q question) (facts []Fact) {
	name, _, _ := strings.Cut(q.word, "[")
	name = normalName(Pip, name)
	if p, ok := LookupRetiredPackage(name); ok && (q.version == "" || allows(p.Versions, q.version)) {
		facts = append(facts, retiredFact(name, p))
	}
	if wrong, ok := Misspelt(Pip, name); ok && (len(facts) == 0 || q.of("misspelt")) {
		f := Fact{Subject: name, Table: "misspelt", Origin: wrong.Origin}
		f.add("use", wrong.Right)
		facts = append(facts, f)
	}
	if module, ok := Stdlib(q.word); ok && !KnownPackage(name) && (len(facts) == 0 || q.of("stdlib")) {
		f := Fact{Subject: module.Name, Table: "stdlib", Origin: module.Origin}
		f.add("package", "none: a module of Python's standard library")
		facts = append(facts, f)
	}
	b, ok := buildFor(name, q.version)
	if ok {
		facts = append(facts, buildFact(q, b))
	} else {
		facts = append(facts, needFacts(name, q.version)...)
	}
	if len(b.Pythons) == 0 || q.version == "" || q.python != "" || q.of("python_wheels") {
		facts = append(facts, wheelFacts(name, q)...)
	}
	if len(facts) == 0 || q.of("package_variants") {
		facts = append(facts, variantFacts(name, q.version)...)
	}
	for _, c := range Conflicts(name) {
		if c.With == name && strings.HasPrefix(c.WithVersions, "!=") {
			continue // of interest to those who ask about the other package
		}
		if q.version == "" || c.Package == name && allows(c.Versions, q.version) || c.With == name && allows(c.WithVersions, q.version) {
			f := Fact{Subject: strings.TrimSpace(c.Package+" "+c.Versions) + " with " + c.With + " " + c.WithVersions, Table: "conflicts", Origin: c.Origin}
			f.add("effect", c.Effect)
			facts = append(facts, f)
		}
	}
	return append(facts, mlflowFacts(name, q.version)...)
}

// variantFacts says which build a name means, and what the other one is called.
func variantFacts(name, version string) (facts []Fact) {
	version, label, _ := strings.Cut(version, "+")
	for _, manager := range []string{Pip, Conda} {
		for _, v := range append(CPUVariants(manager, name), GPUVariants(manager, name)...) {
			if v.Safety == SafetyNone || version != "" && (!allows(v.Versions, version) || v.Local != label) {
				continue
			}
			f := Fact{Subject: strings.TrimSpace(name+" "+cmp.Or(version, v.Versions)) + " (" + manager + ")", Table: "package_variants", Origin: v.Origin}
			f.add("CPU build", v.CPU+prefixed("+", v.Local))
			f.add("GPU build", v.GPU)
			f.add("channel", v.Channel)
			f.add("condition", v.Condition)
			f.add("note", v.Note)
			facts = append(facts, f)
		}
	}
	return facts
}

// mlflowFacts says which mlflow versions a release of azureml-mlflow works with; for mlflow itself, it uses the newest
// azureml-mlflow.
func mlflowFacts(name, version string) []Fact {
	switch rows := mlflowRows.all(); {
	case name == "mlflow", name == "azureml-mlflow" && version == "":
		version = rows[len(rows)-1].Version
	case name != "azureml-mlflow":
		return nil
	}
	r, _ := MLflowPair(version, "")
	if r.Version == "" {
		return nil
	}
	f := Fact{Subject: "azureml-mlflow " + r.Version + " with mlflow", Table: "azureml_mlflow", Origin: r.Origin}
	f.add("released", r.Released)
	f.add("accepts", cmp.Or(r.Accepts, "any version, by its metadata"))
	f.add("fails with", suffixed(r.Breaks, " (logging an artifact raises a TypeError)"))
	return []Fact{f}
}

func retiredFact(name string, p RetiredPackage) Fact {
	f := Fact{Subject: strings.TrimSpace(name + " " + p.Versions), Table: "retired_packages", Origin: p.Origin}
	f.add("status", strings.ReplaceAll(p.Status, "-", " "))
	f.add("use", p.Replacement)
	f.add("why", p.Why)
	return f
}

// buildFor returns the build of a version, or the newest build if version is empty.
func buildFor(name, version string) (Build, bool) {
	if version != "" {
		return FrameworkBuild(name, version)
	}
	builds := FrameworkBuilds(frameworkOf(name))
	for _, build := range slices.Backward(builds) {
		if b, ok := FrameworkBuild(name, build.Version); ok {
			return b, true
		}
	}
	return Build{}, false
}

func buildFact(q question, b Build) Fact {
	f := Fact{Subject: normalName(Pip, q.word) + " " + cmp.Or(q.version, b.Version), Table: "frameworks", Origin: b.Origin}
	if q.version == "" {
		f.Subject += " (the newest recorded)"
	}
	f.add("released", b.Released)
	f.add("wheels for", prefixed("Python ", series(b.Pythons)))
	where := map[GPUSource]string{
		GPUIncluded: "included", GPUFromImage: "from the image", GPUFromExtra: "from the image, or with " + b.GPUPackage,
		GPUFromPackage: "not in this package: " + b.GPUPackage + " has GPU code", GPUOpenCL: "none: its GPU code uses OpenCL", GPUNone: "none: this is the CPU build",
	}[b.GPU]
	f.add("CUDA", strings.TrimPrefix(b.CUDA+", "+where, ", "))
	if len(b.CUDAs) > 1 {
		f.add("variants", "CUDA "+strings.Join(b.CUDAs, ", "))
	}
	f.add("cuDNN", b.CUDNN)
	driver, _ := MinDriver(b.CUDA)
	f.add("driver", suffixed(cmp.Or(driver.MinCompat, driver.Min), " or later"))
	if k, ok := b.Kernels(); ok {
		f.add("code for", "capabilities "+strings.Join(k.Capabilities, ", "))
		if k.PTX != "" {
			f.add("compiled", "for newer GPUs, from intermediate code of capability "+k.PTX)
		}
		f.add("runs on", strings.Join(gpusWhere(func(g GPU) bool { return b.Runs(g.Capability) == ReachNative }), ", "))
	}
	return f
}

// needFacts says what wheels load from the image.
func needFacts(name, version string) (facts []Fact) {
	for _, n := range CUDANeeds(name) {
		if version != "" && !allows(n.Versions, version) {
			continue
		}
		f := Fact{Subject: strings.TrimSpace(name + " " + cmp.Or(version, n.Versions)), Table: "cuda_needs", Origin: n.Origin}
		f.add("CUDA", n.CUDA+", from the image")
		f.add("cuDNN", n.CUDNN)
		facts = append(facts, f)
	}
	return facts
}

// wheelFacts says which Python versions a release has wheels for, or which releases have wheels for a Python version.
func wheelFacts(name string, q question) []Fact {
	var with, without, unknown []string
	f := Fact{Subject: strings.TrimSpace(name + " " + q.version), Table: "python_wheels"}
	for _, w := range AllWheels(name) {
		if q.python != "" && join(numbers(q.python), 2) != w.Python {
			continue
		}
		f.Origin = w.Origin
		if q.version == "" {
			text := "none"
			if w.Last != "" {
				text = w.First + " to " + w.Last + gapsText(w.Gaps)
			}
			f.add("Python "+w.Python, text)
			continue
		}
		switch WheelFor(name, q.version, w.Python) {
		case Yes:
			with = append(with, w.Python)
		case No:
			without = append(without, w.Python)
		default:
			unknown = append(unknown, w.Python)
		}
	}
	f.add("wheels for", prefixed("Python ", series(with)))
	f.add("no wheel", prefixed("for Python ", series(without)))
	if len(with)+len(without) > 0 {
		f.add("not known", prefixed("for Python ", series(unknown)))
	}
	if len(f.Values) == 0 {
		return nil
	}
	if q.version == "" {
		slices.Reverse(f.Values)
		f.Subject += ": releases with wheels"
	}
	return []Fact{f}
}

func gapsText(gaps []string) string {
	if len(gaps) == 0 {
		return ""
	}
	return ", without " + strings.ReplaceAll(strings.Join(gaps, ", "), "..", " to ")
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func suffixed(text, suffix string) string {
	if text == "" {
		return ""
	}
	return text + suffix
}
