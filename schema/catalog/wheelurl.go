package catalog

import (
	"slices"
	"strings"
)

// ParseCNTKURL parses a cntk.ai wheel URL, published or not. It returns false for other hosts, unknown flavours and
// file names that are not wheel names. The field Published says whether the vendor listed the wheel.
func ParseCNTKURL(url string) (Wheel, bool) {
	if w, ok := LookupWheel(url); ok {
		return w, true
	}
	key, ok := urlKey(url)
	if !ok {
		return Wheel{}, false
	}
	parts := strings.Split(key, "/")
	if len(parts) != 4 || parts[0] != "cntk.ai" || parts[1] != "PythonWheel" ||
		!slices.Contains([]string{FlavourCPU, FlavourGPU, Flavour1BitSGD}, parts[2]) {
		return Wheel{}, false
	}
	name, ok := strings.CutSuffix(parts[3], ".whl")
	fields := strings.Split(name, "-")
	if !ok || len(fields) != 5 || slices.ContainsFunc(fields, notWheelField) {
		return Wheel{}, false
	}
	return Wheel{
		Flavour: parts[2], Dist: fields[0], Version: fields[1], PythonTag: fields[2], ABITag: fields[3],
		Platform: fields[4], URL: "https://" + key,
	}, true
}

// notWheelField reports whether a part of a wheel's name is empty or has characters that wheel names cannot have.
func notWheelField(field string) bool {
	known := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._+!", r)
	}
	return field == "" || strings.ContainsFunc(field, func(r rune) bool { return !known(r) })
}

// urlKey reduces an http or https URL to its host and path, for comparison. CNTK's host had two names.
func urlKey(url string) (string, bool) {
	if end := strings.IndexAny(url, "?#"); end >= 0 {
		url = url[:end]
	}
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", false
	}
	host, path, ok := strings.Cut(rest, "/")
	if !ok || host == "" || strings.Contains(host, "@") {
		return "", false
	}
	if host = strings.ToLower(host); host == "www.cntk.ai" {
		host = "cntk.ai"
	}
	return host + "/" + path, true
}
