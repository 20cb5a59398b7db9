package v2

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
)

// integers returns, under their new names, those settings that are literal integers: each of names is an old name and a
// new one, and prefix is the section of the new ones. A number that the service would refuse becomes the largest one
// that it accepts.
func (e *emission) integers(who, prefix string, setting func(string) schema.Field, names ...[2]string) (m yamlout.Map) {
	for _, name := range names {
		f := setting(name[0])
		if !f.Explicit || f.Node.Tag() != "!!int" {
			continue
		}
		n, why := number(f.Text), ""
		for _, l := range slices.Concat(catalog.LimitsOf("managed"), catalog.LimitsOf("parallel")) {
			if l.Key == prefix+name[1] && l.Most > 0 && n > l.Most {
				n, why = l.Most, fmt.Sprintf("the service accepts at most %d %s", l.Most, l.Unit)
			}
		}
		m = m.Set(name[1], n)
		e.m.Ledger.Map(who, "`"+prefix+name[1]+"`", why, f)
	}
	return m
}

// rendered returns shell words in which the expressions that Azure ML replaces are outside all quotes.
func rendered(words []migrate.Word) (list []string) {
	for _, word := range words {
		list = append(list, render(word))
	}
	return list
}

// inCompute returns the key for a compute target of the workspace.
func inCompute(name string) yamlout.Map {
	return yamlout.Map{{Key: "compute", Value: "azureml:" + name}}
}

// withScheme reports whether a text is an address that v2 can read data from.
func withScheme(text string) bool {
	scheme, _, found := strings.Cut(text, "://")
	switch scheme {
	case "azureml", "https", "http", "wasbs", "abfss", "adl":
		return found
	}
	return false
}
