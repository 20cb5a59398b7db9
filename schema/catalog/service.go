package catalog

// ServiceEnd is a service or a set of tools whose support has ended or will end.
type ServiceEnd struct {
	// ID is sdk-v1, cli-v1 or data-lake-gen1.
	ID string
	// EndedOn is the day (2006-01-02) of its end: ask PhaseOf. Successor is what to use
	// instead.
	EndedOn, Successor, Note string
	Origin
}

var serviceRows = load("services", func(r record) ServiceEnd {
	return ServiceEnd{ID: r.text("id"), EndedOn: r.text("ended_on"), Successor: r.text("successor"), Note: r.text("note"), Origin: r.origin()}
})

var serviceIndex = index(serviceRows, func(s ServiceEnd) string { return s.ID })

// Service finds the end of a service by its id, from table services.
func Service(id string) (ServiceEnd, bool) {
	s, ok := serviceIndex()[id]
	return s, ok
}
