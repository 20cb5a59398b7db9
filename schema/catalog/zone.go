package catalog

// timeZone is a time zone of SDK v1 whose name in v2 has signs, digits or capitals that the words of SDK v1's name do
// not show.
type timeZone struct{ Name, V2 string }

var timeZones = &index[string, timeZone]{rows: &table[timeZone]{name: "time_zones"}, key: func(z timeZone) string { return z.Name }}

// TimeZone returns v2's name for a time zone of SDK v1, if it is not simply the same words.
func TimeZone(name string) (v2 string, ok bool) {
	z, ok := timeZones.find(name)
	return z.V2, ok
}

var windowsZones = &table[struct{ Name string }]{name: "windows_zones"}

// TimeZones returns the names of the time zones that the Azure ML client lists for schedules, which are those of
// Windows, from table windows_zones.
func TimeZones() (names []string) {
	for _, z := range windowsZones.all() {
		names = append(names, z.Name)
	}
	return names
}
