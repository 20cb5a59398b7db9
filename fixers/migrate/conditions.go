package migrate

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
)

// conditions are the words about jobs in the catalog's table dead_keys. There are two more: "outside" means that the
// output is for machines outside Azure, and "skypilot" that it is for SkyPilot.
func conditions() map[string]func(j *Job) bool {
	return map[string]func(j *Job) bool{
		"spark":              func(j *Job) bool { return j.Spark },
		"command":            func(j *Job) bool { return !j.Spark },
		"conda":              func(j *Job) bool { return j.Conda != nil },
		"conda file":         func(j *Job) bool { return j.Source.Environment != nil },
		"inline":             func(j *Job) bool { e := j.Source.Environment; return e != nil && e.File.Kind != schema.CondaFile },
		"spark file":         func(j *Job) bool { return j.Source.Spark != nil },
		"registered":         func(j *Job) bool { return j.Registered != "" },
		"built":              func(j *Job) bool { return j.Dockerfile != nil },
		"managed":            func(j *Job) bool { return j.Source.Target != nil && j.Source.Target.UserManaged.Bool },
		"alone":              func(j *Job) bool { return j.Distribution == nil },
		"one node":           func(j *Job) bool { return j.Nodes == 1 },
		"run cluster":        func(j *Job) bool { return j.Place == OnTheFly },
		"container instance": func(j *Job) bool { return j.Place == OnInstance },
		"mpi": func(j *Job) bool {
			return communicates(j, "mpi", "openmpi", "intelmpi") || j.Distribution != nil && j.Distribution.Kind == MPI
		},
		"torch": func(j *Job) bool {
			return communicates(j, "nccl", "gloo") || j.Distribution != nil && j.Distribution.Kind == PyTorch
		},
		"parameter servers": func(j *Job) bool {
			return communicates(j, "parameterserver") || strings.EqualFold(j.Source.Framework.Text, "TensorFlowParameterServer")
		},
		"parallel": func(j *Job) bool { return communicates(j, "paralleltask") },
	}
}

func communicates(j *Job, names ...string) bool {
	return slices.Contains(names, strings.ToLower(strings.TrimSpace(j.Source.Communicator.Text)))
}

// holds reports whether a condition holds for all jobs that a file describes; "no" or "not" before it negates it.
func (m *Migration) holds(f *schema.File, when string) bool {
	switch when {
	case "outside":
		return m.outside()
	case SkyPilot:
		return m.Emitter.Format() == SkyPilot
	}
	check, known := conditions()[when]
	if !known {
		rest := strings.TrimPrefix(strings.TrimPrefix(when, "not "), "no ")
		opposite := conditions()[rest]
		if opposite == nil {
			panic("migrate: dead_keys.csv: no condition " + when)
		}
		check = func(j *Job) bool { return !opposite(j) }
	}
	if m.users == nil {
		m.users = map[*schema.File][]*Job{}
		for _, j := range m.all() {
			for _, of := range sources(j.Source) {
				m.users[of] = append(m.users[of], j)
				if g := m.grafts[m.built[of]]; g != nil {
					for _, from := range g.files {
						m.users[from] = append(m.users[from], j)
					}
				}
			}
		}
	}
	return !slices.ContainsFunc(m.users[f], func(j *Job) bool { return !check(j) })
}
