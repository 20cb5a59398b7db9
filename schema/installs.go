package schema

import "github.com/amlfix/amlfix/schema/requirement"

// Index is a place where pip looks for packages, as an option names it.
type Index struct {
	// URL is the address, or the path of --find-links.
	URL string
	// Option is the item that names it.
	Option Package
	// Only reports that it takes the place of PyPI; others are searched as well.
	Only bool
}

// Indexes returns the places that the options around a pip package name, in their
// order: those of its list, or in a Dockerfile those of its command.
func (e *Environment) Indexes(of Package) (list []Index) {
	for _, p := range e.Packages {
		if p.Err != nil || p.Manager != requirement.Pip || p.Requirement.Kind != requirement.Option || p.Command != of.Command {
			continue
		}
		switch r := p.Requirement; r.Option {
		case "-i", "--index-url", "--pypi-url":
			list = append(list, Index{URL: r.OptionValue, Option: p, Only: true})
		case "--extra-index-url", "-f", "--find-links":
			list = append(list, Index{URL: r.OptionValue, Option: p})
		}
	}
	return list
}

// Built reports whether a Dockerfile installs the environment. It then has the
// packages of the commands that can be read for certain: that one is missing proves
// nothing. No fix is possible there.
func (e *Environment) Built() bool { return e != nil && e.built }

// Installs returns the packages that are installed for the job's program, from a
// conda file or by a Dockerfile; nil where neither is known.
func (j *Job) Installs() *Environment {
	if j.Environment != nil {
		return j.Environment
	}
	return j.dockerfile
}

// Installations returns the conda environments of the project, and after them what
// its Dockerfiles install for jobs. The list is not to be changed.
func (p *Project) Installations() []*Environment { return p.installations }
