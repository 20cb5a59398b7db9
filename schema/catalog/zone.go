package catalog

// timeZone is a time zone of SDK v1 whose name in v2 has signs, digits or capitals that the words of SDK v1's name do
// not show.
type timeZone struct{ name, v2 string }

var timeZones = index(load("time_zones", func(r record) timeZone { return timeZone{r.text("name"), r.text("v2")} }),
	func(z timeZone) string { return z.name })

// TimeZone returns v2's name for a time zone of SDK v1, if it is not simply the same words.
func TimeZone(name string) (v2 string, ok bool) {
	z, ok := timeZones()[name]
	return z.v2, ok
}
