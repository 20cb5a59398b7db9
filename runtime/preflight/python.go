package preflight

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/requirement"
)

// script is the Python program behind Python.Script; it reads nothing and writes one line.
//
//go:embed facts.py
var script string

const factsMark = "AMLFIX-FACTS "

// facts is the output of Script.
type facts struct {
	Version  string            `json:"version"`
	Names    []string          `json:"names"`    // of installed packages, as they appear in file names
	Packages [][2]string       `json:"packages"` // pip packages: name, version
	Conda    [][3]string       `json:"conda"`    // conda packages: name, version, build
	Built    map[string]string `json:"built"`    // the CUDA version that a package was built with, according to its own files; "" for none
	Driver   string            `json:"driver"`
	SMI      *string           `json:"smi"` // the output of nvidia-smi; nil: it is not installed
}

// Python is one of the user's own Pythons, and what a job needs from it.
type Python struct {
	Program string
	Key     string // the setting that names the Python
	// GPU means that the job should use a GPU: whatever prevents this is then a failure, and otherwise only reported.
	GPU bool
	// Quick skips checks that are only about GPUs; the others take no longer than starting the interpreter.
	Quick bool
}

// Script returns the program that the Python should read from its standard input. It reads nothing else, writes one
// line, and leaves nothing behind.
func (p Python) Script() string {
	if !p.Quick {
		return script
	}
	return strings.Replace(script, "\nquick = False", "\nquick = True", 1)
}

// ErrSilent means that a program did not execute the script: it is not Python, or something prevents it from working.
var ErrSilent = errors.New("it cannot run a small Python script")

// shellCode is the exit code of a shell that is given the script.
const shellCode = 3

// Check checks whether a job finds what it needs in the Python. run has Script executed on the job's machine and
// returns its output and the program's exit code; err reports a failure to run it, also if the code is not 0. has
// reports whether a framework, named as by Framework, is installed; it is nil if the program did not answer.
func (p Python) Check(ctx context.Context, run func(ctx context.Context) (out []byte, code int, err error)) (results []Result, has func(framework string) bool) {
	out, code, err := run(ctx)
	_, line, found := bytes.Cut(out, []byte(factsMark))
	var f facts
	switch {
	case found:
		line, _, _ = bytes.Cut(line, []byte("\n"))
		err = json.Unmarshal(line, &f)
	case err == nil || code == shellCode:
		err = ErrSilent
	}
	if err != nil {
		text := fmt.Sprintf("%s does not work as a Python interpreter: %v", p.Program, err)
		return []Result{{Topic: Program, Status: Failed, Text: text, Next: "set a working one in " + p.Key, Err: err}}, nil
	}
	results = []Result{{Topic: Program, Status: OK, Text: fmt.Sprintf("%s is Python %s", p.Program, f.Version)}}
	if !p.Quick {
		gpus := f.gpus()
		results = append(results, f.driver(gpus, p.GPU))
		results = append(results, f.frameworks(gpus, p.GPU)...)
	}
	return results, f.has
}

func (f facts) gpus() []GPU {
	if f.SMI == nil {
		return nil
	}
	return parseGPUs(*f.SMI)
}

// driver checks whether the machine has a driver and GPUs.
func (f facts) driver(gpus []GPU, wanted bool) Result {
	const install = "install NVIDIA's driver, until `nvidia-smi` lists the GPU"
	r := Result{Topic: Driver, Status: OK}
	switch {
	case len(gpus) > 0:
		r.Text = describe(gpus)
		return r
	case f.SMI != nil && strings.HasPrefix(*f.SMI, "has not answered "): // facts.py says so
		r.Text = "nvidia-smi " + *f.SMI + ", so it is not known whether there is a GPU"
		r.Status, r.Next = Unknown, "run nvidia-smi there; if it answers only late, enable persistence mode (nvidia-smi -pm 1)"
		return r
	case f.SMI != nil:
		r.Text, r.Next = "nvidia-smi is there but lists no GPU", "restart the machine after installing a driver, or install the driver again"
		if said := shorten(*f.SMI); said != "" {
			r.Text += ": " + said
		}
	case f.Driver != "":
		r.Text, r.Next = "the NVIDIA driver is loaded, but nvidia-smi is missing", "install the rest of the driver"
	default:
		r.Text, r.Next = "there is no NVIDIA driver, so a job runs on the CPU", install
	}
	if !wanted {
		r.Next = ""
		return r
	}
	r.Status = Failed
	return r
}

func shorten(text string) string { return plain.Cut(strings.Join(strings.Fields(text), " "), 120) }

// build is an installed build of a framework.
type build struct {
	name, version string
	gpu           bool
	cuda          string // the CUDA version that a GPU build needs; empty: not known
	instead       string // the command that installs the GPU build; empty: not known
}

// frameworks checks the installed frameworks that have GPU and CPU builds.
func (f facts) frameworks(gpus []GPU, wanted bool) (results []Result) {
	builds := f.builds()
	if len(builds) == 0 && wanted {
		return []Result{{Topic: Packages, Status: Unknown, Text: "none of the frameworks that amlfix knows is installed in it"}}
	}
	some := slices.ContainsFunc(builds, func(b build) bool { return b.gpu })
	for _, b := range builds {
		r := Result{Topic: Packages, Status: OK, Text: b.name + " " + b.version + " is a GPU build"}
		if b.gpu && b.cuda != "" {
			r.Text += " (CUDA " + b.cuda + ")"
		}
		if !b.gpu {
			r.Text = b.name + " " + b.version + " is a CPU build"
			switch {
			case wanted && !some:
				r.Status, r.Next = Failed, b.instead
			case len(gpus) > 0 || wanted:
				r.Status, r.Next = Doubtful, b.instead
			}
			if r.Status != OK {
				r.Text += ", so a job that uses it runs on the CPU"
			}
		}
		results = append(results, r)
		if b.gpu && b.cuda != "" && len(gpus) > 0 {
			s := Software{Name: b.name + " " + b.version, CUDA: b.cuda, From: "as it was built", Another: "a version"}
			results = append(results, checkDriver(s, gpus[0].Driver))
			results = append(results, checkArchitecture(s, gpus)...)
		}
	}
	return results
}

// gpuWord matches the build strings of conda's GPU builds.
var gpuWord = plain.Regexp{Text: `(?i)cuda|gpu`}

// condaFrameworks are the frameworks whose GPU builds conda distinguishes only by the build string, with their names in
// pip metadata.
func condaFrameworks() map[string][]string {
	return map[string][]string{"pytorch": {"torch"}, "tensorflow-base": {"tensorflow", "tensorflow-gpu"}}
}

// builds lists the frameworks by name, each once.
func (f facts) builds() (list []build) {
	seen := map[string]bool{}
	for _, c := range f.Conda {
		names, known := condaFrameworks()[c[0]]
		if !known {
			continue
		}
		b := build{name: names[0], version: c[1], cuda: f.Built[names[0]]}
		if b.gpu = b.cuda != "" || gpuWord.Get().MatchString(c[2]); !b.gpu {
			b.instead = "install a build of it with CUDA by conda, such as the package " + strings.TrimSuffix(c[0], "-base") + "-gpu"
		}
		list = append(list, b)
		for _, name := range names {
			seen[name] = true
		}
	}
	for _, p := range f.Packages {
		name := plain.PackageName(p[0])
		if b, ok := f.pip(name, p[1]); ok && !seen[name] {
			seen[name] = true
			list = append(list, b)
		}
	}
	plain.SortFunc(list, func(a, b build) int { return strings.Compare(a.name, b.name) })
	return list
}

// pip returns the build of a pip package; ok is false if its builds do not differ.
func (f facts) pip(name, version string) (b build, ok bool) {
	b = build{name: name, version: version}
	cuda, known := f.Built[name]
	switch {
	case len(catalog.GPUVariants(catalog.Pip, name)) > 0:
		b.gpu, b.cuda = true, f.Built[strings.TrimSuffix(name, "-gpu")]
		return b, true
	case cuda != "":
		b.gpu, b.cuda = true, cuda
		return b, true
	case strings.HasPrefix(name, "jax") && slices.ContainsFunc(f.Packages, func(p [2]string) bool { return strings.HasPrefix(p[0], "jax-cuda") }):
		b.gpu = true
		return b, name == "jax"
	}
	for _, row := range catalog.CPUVariants(catalog.Pip, name) {
		if row.Optional || row.Safety == catalog.SafetyNone && !known || !fits(row, version) {
			continue
		}
		b.instead = install(row, version)
		return b, true
	}
	return b, known
}

// fits reports whether a row of the catalog applies to a version.
func fits(row *catalog.PackageVariant, version string) bool {
	public, local, _ := strings.Cut(version, "+")
	if row.Local != "" && row.Local != local {
		return false
	}
	if row.Versions == "" {
		return true
	}
	within, err := requirement.ParseConstraint(requirement.Pip, row.Versions)
	if err != nil {
		return false
	}
	v, err := requirement.ParseVersion(public)
	return err == nil && within.Allows(v)
}

// install returns the command that installs the GPU build.
func install(row *catalog.PackageVariant, version string) string {
	public, _, _ := strings.Cut(version, "+")
	switch {
	case row.GPU == "":
		return ""
	case row.GPU == row.CPU:
		return "install it from an index with CUDA builds: see pytorch.org/get-started"
	case row.KeepVersion && row.Safety == catalog.SafetySafe:
		return fmt.Sprintf("pip uninstall %s, then pip install %s==%s", row.CPU, row.GPU, public)
	}
	return fmt.Sprintf("pip uninstall %s, then pip install %s in the version for this machine's CUDA", row.CPU, row.GPU)
}
