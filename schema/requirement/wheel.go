package requirement

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// Wheel is a wheel file name parsed as PEP 427 defines it. Each XPart covers field X in the string that was parsed; if
// that is a URL with escapes ("%2B"), the field is unescaped but the part covers the escapes.
type Wheel struct {
	Dist, Version, Build, Python, ABI, Platform string

	DistPart, VersionPart, BuildPart, PythonPart, ABIPart, PlatformPart Part
}

const wheelForm = "a wheel is named name-version-python-abi-platform.whl, with an optional build number after the version"

func parseWheel(s string, start, end int, escaped bool) (Wheel, error) {
	var w Wheel
	if !strings.HasSuffix(s[start:end], ".whl") {
		return w, failAt(s[:end], end, "a wheel file name ends in .whl")
	}
	fields := [6]*string{&w.Dist, &w.Version, &w.Build, &w.Python, &w.ABI, &w.Platform}
	parts := [6]*Part{&w.DistPart, &w.VersionPart, &w.BuildPart, &w.PythonPart, &w.ABIPart, &w.PlatformPart}
	stop := end - len(".whl")
	switch hyphens := strings.Count(s[start:stop], "-"); {
	case hyphens < 4 || hyphens > 5:
		return w, failSpan(start, end, wheelForm)
	case hyphens == 4:
		copy(fields[2:], fields[3:])
		copy(parts[2:], parts[3:])
	}
	for n, at := 0, start; at <= stop; n++ {
		next := stop
		if i := strings.IndexByte(s[at:stop], '-'); i >= 0 {
			next = at + i
		}
		text, bad := unescape(s, at, next, escaped)
		if bad < next {
			return w, failAt(s[:end], bad, describe(s[:end], bad)+" is not allowed in a wheel file name")
		}
		if text == "" {
			return w, failAt(s[:end], at, "an empty part: "+wheelForm)
		}
		*fields[n] = text
		*parts[n] = Part{at, next}
		at = next + 1
	}
	if w.Build != "" && !isDigit(w.Build[0]) {
		return w, failSpan(w.BuildPart.Start, w.BuildPart.End, "the build number of a wheel begins with a digit")
	}
	return w, nil
}

// unescape decodes %XX in s[i:end] if escaped, and returns the position of the first byte that is not allowed in a
// wheel name, or end.
func unescape(s string, i, end int, escaped bool) (string, int) {
	start, plain := i, true
	var out []byte
	for ; i < end; i++ {
		c, size := s[i], 1
		if c == '%' && escaped && i+2 < end && isHex(s[i+1]) && isHex(s[i+2]) {
			c, size = unhex(s[i+1])<<4|unhex(s[i+2]), 3
			if plain {
				out, plain = append(out, s[start:i]...), false
			}
		}
		if !isNameByte(c) && c != '+' && c != '!' || c == '-' {
			return "", i
		}
		if !plain {
			out = append(out, c)
		}
		i += size - 1
	}
	if plain {
		return s[start:end], end
	}
	return string(out), end
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// Key returns the distribution's name, normalised as PEP 503 defines it: "cntk-gpu" for "cntk_gpu".
func (w Wheel) Key() string { return plain.PackageName(w.Dist) }

// PythonTags returns the tags of a compressed set such as "cp35.cp36" or "py2.py3".
func (w Wheel) PythonTags() []string { return strings.Split(w.Python, ".") }

// PlatformTags returns the tags of a compressed set such as "manylinux1_x86_64.manylinux2010_x86_64".
func (w Wheel) PlatformTags() []string { return strings.Split(w.Platform, ".") }

// Windows reports whether every platform tag of the wheel is for Windows.
func (w Wheel) Windows() bool {
	return !slices.ContainsFunc(w.PlatformTags(), func(tag string) bool { return !WindowsTag(tag) })
}

// WindowsTag reports whether a platform tag is for Windows, such as win_amd64 or win32.
func WindowsTag(tag string) bool {
	return strings.HasPrefix(strings.ToLower(tag), "win_") || strings.EqualFold(tag, "win32")
}

// MacTag reports whether a platform tag is for macOS, such as macosx_10_9_x86_64.
func MacTag(tag string) bool { return strings.HasPrefix(strings.ToLower(tag), "macosx_") }

// String returns the file name.
func (w Wheel) String() string {
	parts := []string{w.Dist, w.Version, w.Build, w.Python, w.ABI, w.Platform}
	if w.Build == "" {
		parts = append(parts[:2], parts[3:]...)
	}
	return strings.Join(parts, "-") + ".whl"
}
