package catalog

import (
	"slices"
	"strings"
)

// Communicator is a way for the processes of a distributed SDK v1 job to communicate, with the frameworks it is
// documented for.
type Communicator struct {
	// Name and Frameworks are in lower case; SDK v1 ignores their case.
	Name       string `column:"communicator"`
	Frameworks []string
	Origin
}

var communicatorRows = &table[Communicator]{name: "communicators", finish: func(r record, c *Communicator) { c.Frameworks = strings.Fields(r.text("frameworks")) }}

var communicatorIndex = &index[string, Communicator]{rows: communicatorRows, key: func(c Communicator) string { return c.Name }}

// LookupCommunicator returns the communicator of this name, ignoring case.
func LookupCommunicator(name string) (Communicator, bool) {
	return communicatorIndex.find(strings.ToLower(strings.TrimSpace(name)))
}

// Serves reports whether the communicator is documented for a framework.
func (c Communicator) Serves(framework string) bool {
	return slices.Contains(c.Frameworks, strings.ToLower(strings.TrimSpace(framework)))
}
