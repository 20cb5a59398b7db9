package requirement

import (
	"slices"
	"strings"
)

// hashNames are the digests that pip and conda use to verify downloads.
var hashNames = []string{"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}

// Hashed reports whether the requirement has the digest of a file: pip's --hash, a fragment such as "#sha256=…", or
// conda's md5 and sha256 keys. Only that file can then be installed.
func (r *Requirement) Hashed() bool {
	if r.Digest != "" || strings.Contains(r.Flags, "--hash") {
		return true
	}
	for part := range strings.FieldsFuncSeq(strings.ToLower(r.Fragment), func(c rune) bool { return c == '&' || c == ' ' }) {
		name, _, named := strings.Cut(strings.Replace(part, ":", "=", 1), "=")
		if named && slices.Contains(hashNames, name) || !named && (len(part) == 32 || len(part) == 64) && strings.Trim(part, "0123456789abcdef") == "" {
			return true
		}
	}
	return false
}

// Bound says in words what binds the requirement to one build, so that no other name or version can be installed; "" if
// nothing does.
func (r *Requirement) Bound() string {
	switch {
	case r.Hashed():
		return "its hash matches only that file"
	case r.Build != "" && strings.Trim(r.Build, "*") != "":
		return "its build string belongs to that package only"
	}
	return ""
}

// Renamed returns the text of the requirement with another package name, which may include an extra. ok is false if the
// requirement is bound to the bytes or the build of this package, because the rest of the text would be wrong after
// another name.
func (r *Requirement) Renamed(name string) (text string, ok bool) {
	if r.NamePart.Empty() || r.Bound() != "" {
		return "", false
	}
	return r.Raw[:r.NamePart.Start] + name + r.Raw[r.NamePart.End:], true
}

// Repinned returns the text of the requirement with other versions, such as "==1.4.*"; name, extras and marker are
// kept. ok is false if the requirement is bound to the bytes or the build it names.
func (r *Requirement) Repinned(clause string) (text string, ok bool) {
	if r.NamePart.Empty() || r.Bound() != "" {
		return "", false
	}
	start, end := r.ConstraintPart.Start, r.ConstraintPart.End
	if r.ConstraintPart.Empty() {
		start = max(r.NamePart.End, r.ExtrasPart.End)
		end = start
	}
	return r.Raw[:start] + clause + r.Raw[end:], true
}

// AtURL returns the text of the requirement with another URL; query and fragment are kept. ok is false if there is no
// URL, or if the requirement is bound to the bytes at this one.
func (r *Requirement) AtURL(url string) (text string, ok bool) {
	if r.URL == "" || r.Hashed() {
		return "", false
	}
	end := r.URLPart.End
	if i := strings.IndexAny(r.URL, "?#"); i >= 0 {
		end = r.URLPart.Start + i
	}
	return r.Raw[:r.URLPart.Start] + url + r.Raw[end:], true
}
