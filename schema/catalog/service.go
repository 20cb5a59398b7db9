package catalog

// ServiceEnd is a service or a set of tools whose support has ended or will end.
type ServiceEnd struct {
	// ID is sdk-v1, cli-v1 or data-lake-gen1.
	ID string
	// EndedOn is the day (2006-01-02) on which support ends; pass it to PhaseOf. Successor is what to use instead.
	EndedOn, Successor, Note string
	Origin
}

var (
	serviceRows  = &table[ServiceEnd]{name: "services"}
	serviceIndex = &index[string, ServiceEnd]{rows: serviceRows, key: func(s ServiceEnd) string { return s.ID }}
)

// Service returns the end of the service with this id, from table services.
func Service(id string) (ServiceEnd, bool) { return serviceIndex.find(id) }
