package catalog

import (
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// The parts of the name of a size, as Azure's naming convention has them (azure-compute-docs vm-naming-conventions.md):
// family, processors and features, then an accelerator and a version, each after an underscore.
var (
	vmGlued    = plain.Regexp{Text: `(?i)^(standard_[a-z]+\d+(?:-\d+)?[a-z]*)(v\d+)$`}
	vmHyphens  = plain.Regexp{Text: `(?i)^standard-[a-z]+\d+[a-z]*(?:-[a-z]+\d+)*$`}
	vmFeatures = plain.Regexp{Text: `^([a-z]+\d+)[a-z]*`}
	vmTurned   = plain.Regexp{Text: `(?i)^(standard_[a-z]+\d+(?:-\d+)?[a-z]*(?:_[a-z]+\d+)?_)(\d+)(v)$`}
	vmFirst    = plain.Regexp{Text: `(?i)^([a-z]+)[_ -]([a-z]+\d+(?:-\d+)?[a-z]*(?:[_ ][a-z]+\d+)*)$`}
)

// SizeMeant returns the size that a name misspells, or "" if there is none or several: with other marks between its
// parts, a typo in Standard, its version turned round or without an underscore before it, or a size with GPUs whose
// accelerator, version or features are left out.
func SizeMeant(name string) string {
	if _, known := VMSize(name); known {
		return ""
	}
	key := vmKey(name)
	standard, spaces := key != strings.ToLower(name), strings.Contains(name, " ")
	if strings.Contains(name, "-") && vmHyphens.Get().MatchString(name) {
		return strings.ReplaceAll(name, "-", "_")
	}
	if spaces || !standard && strings.ContainsAny(name, "_-") {
		if m := vmFirst.Get().FindStringSubmatch(name); m != nil {
			first := strings.ToLower(m[1])
			if first != "standard" && plain.DistanceWithin(first, "standard", 2) <= 2 || first == "standard" && spaces {
				return "Standard_" + strings.ReplaceAll(m[2], " ", "_")
			}
		}
	}
	if bare, ok := strings.CutPrefix(unmarked(name), "standard"); ok {
		for _, v := range vmRows.all() {
			if unmarked(vmKey(v.Size)) == bare {
				return v.Size
			}
		}
	}
	if !standard { // not a size, perhaps
		return ""
	}
	if strings.HasSuffix(key, "v") {
		if m := vmTurned.Get().FindStringSubmatch(name); m != nil {
			return m[1] + m[3] + m[2]
		}
	}
	family, _, parted := strings.Cut(key, "_")
	if !parted && strings.Contains(key, "v") {
		if m := vmGlued.Get().FindStringSubmatch(name); m != nil {
			return m[1] + "_" + m[2]
		}
	}
	meant := ""
	for _, v := range vmRows.all() {
		if size := vmKey(v.Size); !strings.HasPrefix(size, family) || !abbreviates(key, size) {
			continue
		}
		if meant != "" {
			return ""
		}
		meant = v.Size
	}
	return meant
}

// SpellsSize reports whether a name differs from that of a size only in its case, hyphens, underscores and spaces.
func SpellsSize(name, size string) bool {
	return unmarked(name) == unmarked(size)
}

// unmarked returns a name in lower case, without hyphens, underscores and spaces.
func unmarked(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// abbreviates reports whether a name is that of a size without some of its parts, or without its features.
func abbreviates(name, size string) bool {
	parts, whole := strings.Split(name, "_"), strings.Split(size, "_")
	if parts[0] != whole[0] && parts[0] != vmFeatures.Get().ReplaceAllString(whole[0], "$1") {
		return false
	}
	i := 1
	for _, part := range whole[1:] {
		if i < len(parts) && parts[i] == part {
			i++
		}
	}
	return i == len(parts)
}
