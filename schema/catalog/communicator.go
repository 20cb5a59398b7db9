package catalog

import (
	"slices"
	"strings"
)

// Communicator is a way the processes of a distributed SDK v1 job talk, and the
// frameworks it is documented for.
type Communicator struct {
	// Name and Frameworks are in lower case; SDK v1 compares them without regard to case.
	Name       string
	Frameworks []string
	Origin
}

var communicatorRows = load("communicators", func(r record) Communicator {
	return Communicator{Name: r.text("communicator"), Frameworks: strings.Fields(r.text("frameworks")), Origin: r.origin()}
})

var communicatorIndex = index(communicatorRows, func(c Communicator) string { return c.Name })

// LookupCommunicator finds a communicator by its name, without regard to case.
func LookupCommunicator(name string) (Communicator, bool) {
	c, ok := communicatorIndex()[strings.ToLower(strings.TrimSpace(name))]
	return c, ok
}

// Serves reports whether the communicator is documented for a framework.
func (c Communicator) Serves(framework string) bool {
	return slices.Contains(c.Frameworks, strings.ToLower(strings.TrimSpace(framework)))
}
