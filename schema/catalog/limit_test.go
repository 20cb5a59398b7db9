package catalog

import "testing"

func TestLookupLimit(t *testing.T) {
	for id, want := range map[string]int{"job-time": 21 * 24 * 3600, "request-timeout": 180_000, "deployment-instances": 50, "mpi-nodes": 100, "schedule-hours": 23} {
		if l, ok := LookupLimit(id); !ok || l.Most != want || l.Key == "" || l.Unit == "" {
			t.Errorf("%s: %+v, %v, want at most %d", id, l, ok, want)
		}
	}
	if l, ok := LookupLimit("patience"); ok {
		t.Errorf("%+v", l)
	}
}

func TestEndpointSize(t *testing.T) {
	for size, want := range map[string]bool{
		"Standard_DS3_v2": true, "STANDARD_D4AS_V4": true, "standard_nc24ads_a100_v4": true, "Standard_NC6": false, "Standard_ND96isr_H200_v5": false, "": false,
	} {
		if o, ok := EndpointSize(size); ok != want || ok && o.Source == "" {
			t.Errorf("EndpointSize(%s) = %+v, %v", size, o, ok)
		}
	}
}
