package schema

import "github.com/amlfix/amlfix/schema/source"

// Together returns the packages of the environment, and those that the same Dockerfile installs from other files. The
// list must not be changed.
func (e *Environment) Together() []Package {
	if e.together == nil {
		return e.Packages
	}
	return e.together
}

// Parts returns the environment, and those of the other files from which the same Dockerfile installs packages. The
// list must not be changed.
func (e *Environment) Parts() []*Environment {
	if e.beside == nil {
		return []*Environment{e}
	}
	return e.beside
}

// Built reports whether a Dockerfile installs the environment. It then has the packages of the commands that can be
// read with certainty; a missing package proves nothing. It cannot be fixed.
func (e *Environment) Built() bool { return e != nil && e.built }

// Unwritable reports whether a text is a Dockerfile, or a requirements file that one names: amlfix reads these, but no
// fix changes them.
func (p *Project) Unwritable(src *source.Source) bool {
	return p.unwritable[src]
}

// Installs returns the packages that are installed for the job's program, from a conda file or by a Dockerfile; nil if
// neither is known.
func (j *Job) Installs() *Environment {
	if j.recipe != nil {
		return j.recipe.lists[0]
	}
	return j.Environment
}

// Installations returns the conda environments of the project, and after them what its Dockerfiles install for jobs.
// The list must not be changed.
func (p *Project) Installations() []*Environment { return p.installations }
