package requirement

import (
	"cmp"
	"slices"
	"strconv"
)

// Compare returns a negative number if v comes before w, zero if they are equal (as "1.0" and "1.0.0" are), and a
// positive number if v comes after w.
func (v Version) Compare(w Version) int {
	if c := cmp.Compare(v.epoch, w.epoch); c != 0 {
		return c
	}
	for i := 0; i < len(v.release) || i < len(w.release); i++ {
		if c := cmp.Compare(at(v.release, i), at(w.release, i)); c != 0 {
			return c
		}
	}
	if c := cmp.Or(cmp.Compare(v.stage(), w.stage()), cmp.Compare(v.preN, w.preN), cmp.Compare(v.post, w.post)); c != 0 {
		return c
	}
	// A development release comes before its release: a dev of 0, which means none, wraps to the greatest number.
	if c := cmp.Compare(v.dev-1, w.dev-1); c != 0 {
		return c
	}
	return slices.CompareFunc(v.local, w.local, func(a, b segment) int {
		if (a.text == "") != (b.text == "") {
			return cmp.Compare(len(b.text), len(a.text))
		}
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
	})
}

// Equal reports whether Compare(w) is 0.
func (v Version) Equal(w Version) bool { return v.Compare(w) == 0 }

// stage ranks development releases of the release itself, alpha, beta, candidate, and the release with its
// post-releases.
func (v Version) stage() int {
	switch {
	case v.pre != final:
		return int(v.pre)
	case v.post == 0 && v.dev != 0:
		return 0
	}
	return int(candidate) + 1
}

func at(release []uint64, i int) uint64 {
	if i < len(release) {
		return release[i]
	}
	return 0
}

// Release returns a copy of the release's numbers as written: 1.4.0 for "1.4.0rc1".
func (v Version) Release() []uint64 { return slices.Clone(v.release) }

// plain reports whether a version consists only of epoch and release numbers.
func (v Version) plain() bool { return v.pre == final && v.post == 0 && v.dev == 0 && v.local == nil }

// Local returns the local label without its plus sign: "cpu" for "1.0+cpu".
func (v Version) Local() string {
	var out []byte
	for i, s := range v.local {
		if i > 0 {
			out = append(out, '.')
		}
		if s.text != "" {
			out = append(out, s.text...)
		} else {
			out = strconv.AppendUint(out, s.number, 10)
		}
	}
	return string(out)
}

// Prerelease reports whether v is an alpha, beta, candidate or development release.
func (v Version) Prerelease() bool { return v.pre != final || v.dev != 0 }

// String returns PEP 440's normal form, with as many release numbers as were written.
func (v Version) String() string {
	out := make([]byte, 0, 16)
	if v.epoch != 0 {
		out = append(strconv.AppendUint(out, v.epoch, 10), '!')
	}
	for i := range max(len(v.release), 1) {
		if i > 0 {
			out = append(out, '.')
		}
		out = strconv.AppendUint(out, at(v.release, i), 10)
	}
	if v.pre != final {
		out = append(out, [...]string{alpha: "a", beta: "b", candidate: "rc"}[v.pre]...)
		out = strconv.AppendUint(out, v.preN, 10)
	}
	if v.post != 0 {
		out = strconv.AppendUint(append(out, ".post"...), v.post-1, 10)
	}
	if v.dev != 0 {
		out = strconv.AppendUint(append(out, ".dev"...), v.dev-1, 10)
	}
	if len(v.local) > 0 {
		out = append(append(out, '+'), v.Local()...)
	}
	return string(out)
}
