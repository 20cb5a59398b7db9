package catalog

import "testing"

func TestSizeMeant(t *testing.T) {
	for name, want := range map[string]string{
		"Standard_DS3v2": "Standard_DS3_v2", "Standard_E4s_v3": "", "STANDARD_D4SV5": "STANDARD_D4S_V5", "Standard_M64-32msv2": "Standard_M64-32ms_v2",
		"Standard-DS3-v2": "Standard_DS3_v2", "Standard_M64-32ms": "", "Standard_DS3_v2_Promo": "",
		"Standrad_NC6s_v3": "Standard_NC6s_v3", "standart-d2": "Standard_d2", "Standard DS3 v2": "Standard_DS3_v2", "Standard_E2s_3v": "Standard_E2s_v3",
		"Standard_NC4as_T4_3v": "Standard_NC4as_T4_v3", "Basic_A0": "", "standby_d2": "", "Standard_DS1_v2 | tee": "", "Standard D2 large": "", "Standards_D2": "Standard_D2", "Standard_": "",
		"Standard_NC6_v3": "Standard_NC6s_v3", "Standard_NC24_v3": "" /* or rs */, "Standard_NC24ads_A100": "Standard_NC24ads_A100_v4", "Standard_NC4as_v3": "Standard_NC4as_T4_v3",
		"Standard_ND96asr": "Standard_ND96asr_v4", "Standard_NC6": "", "Standard_NC512ads_X1_v9": "", "Standard_FOO": "", "gpu-small": "", "NC4as": "", "": "", "standard_": "",
		"Standard_NC4asT4_v3": "Standard_NC4as_T4_v3", "Standard_NC24ads_A100v4": "Standard_NC24ads_A100_v4", "StandardNC6s_v3": "Standard_NC6s_v3", "standard": "",
	} {
		if got := SizeMeant(name); got != want {
			t.Errorf("SizeMeant(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestSpellsSize(t *testing.T) {
	for name, want := range map[string]bool{
		"Standard_NC6s_v3": true, "standard-nc6s-v3": true, "STANDARD_NC6Sv3": true, "Standard NC6s v3": true,
		"Standard_NC6_v3": false, "Standard_NC6s_v2": false, "": false,
	} {
		if got := SpellsSize(name, "Standard_NC6s_v3"); got != want {
			t.Errorf("SpellsSize(%q) = %v, want %v", name, got, want)
		}
	}
}
