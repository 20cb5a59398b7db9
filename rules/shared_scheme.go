package rules

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// schemes are what the addresses of data that Azure ML reads begin with, the more likely of two first. A misspelt one
// of the last three may be another program's.
var schemes = []string{"azureml", "https", "wasbs", "abfss", "http", "wasb", "abfs", "adl"}

// mistypedAddress returns what an address was meant to be that lacks a colon or a slash after its scheme, has one too
// many, or has a misspelt scheme; "" for other texts.
func mistypedAddress(text string) string {
	end := strings.IndexAny(text, ":/")
	if end <= 0 {
		return ""
	}
	scheme, rest := strings.ToLower(text[:end]), strings.TrimLeft(text[end:], ":/")
	marks := text[end : len(text)-len(rest)]
	if rest == "" {
		return ""
	}
	if slices.Contains(schemes, scheme) {
		if marks == "://" || marks == "/" || scheme == "azureml" && marks != "//" && marks != ":///" {
			return "" // azureml: begins a reference, azureml:/ the id of a resource
		}
		return scheme + "://" + rest
	}
	for _, other := range schemes[:len(schemes)-3] {
		if marks == "://" && plain.DistanceWithin(scheme, other, 1) == 1 {
			return other + "://" + rest
		}
	}
	return ""
}
