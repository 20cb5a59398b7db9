package catalog_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/catalog"
)

// TestAccelerator covers whole cards, halves of a card, cards with two memory sizes, and GPUs that SkyPilot has no name
// for.
func TestAccelerator(t *testing.T) {
	for size, want := range map[string]string{
		"Standard_NC6": "K80:1", "standard_nc24r": "K80:4", "Standard_NC6s_v3": "V100:1", "Standard_ND40rs_v2": "V100-32GB:8",
		"Standard_NC4as_T4_v3": "T4:1", "Standard_NC48ads_A100_v4": "A100-80GB:2", "Standard_ND96asr_v4": "A100:8",
		"Standard_ND96isr_H200_v5": "H200:8", "Standard_NC40ads_H100_v5": "H100:1", "Standard_NV6ads_A10_v5": "A10:0.167",
		"Standard_NV12ads_A10_v5": "A10:0.333", "Standard_NV18ads_A10_v5": "A10:0.5", "Standard_NV72ads_A10_v5": "A10:2",
		"Standard_ND128isr_NDR_GB200_v6": "", "Standard_NP10s": "", "Standard_NV4as_v4": "", "Standard_DS3_v2": "", "gpu": "",
	} {
		vm, _ := catalog.VMSize(size)
		name, count, ok := vm.Accelerator()
		if got := name + ":" + count; ok != (want != "") || ok && got != want {
			t.Errorf("%s is %s, %v, want %q", size, got, ok, want)
		}
	}
	if cpus, memory, ok := catalog.MachineSize("STANDARD_DS3_v2"); !ok || cpus != "4" || memory != "14" {
		t.Errorf("Standard_DS3_v2 has %s cores and %s GB, %v", cpus, memory, ok)
	}
	if _, _, ok := catalog.MachineSize("Standard_NC6"); ok {
		t.Error("a size with GPUs is reported as one without")
	}
}
