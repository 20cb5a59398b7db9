package requirement

import (
	"slices"

	"github.com/amlfix/amlfix/schema/plain"
)

// bound is a point between versions: just before version v, just after it (and so before its local versions), or after
// all versions.
//
// There is always a version between two different bounds, so that an interval is empty only if its bounds are equal.
// That is why "before all of 1.5" is the bound before 1.5.dev0, and "after 1.5 and its local versions" is the bound
// before 1.5.post0.dev0.
type bound struct {
	v     Version
	after bool
	top   bool
}

func (b bound) compare(c bound) int {
	switch {
	case b.top || c.top:
		return flag(b.top) - flag(c.top)
	default:
		if d := b.v.Compare(c.v); d != 0 {
			return d
		}
		return flag(b.after) - flag(c.after)
	}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func before(v Version) bound    { return bound{v: v} }
func justAfter(v Version) bound { return bound{v: v, after: true} }

// beforeAll returns the bound before the development releases of v and, for a final release, before its pre-releases.
func beforeAll(v Version) bound {
	v.local = nil
	if v.dev == 0 {
		v.dev = 1
	}
	return before(v)
}

// afterLocals returns the bound after v and its local versions.
func afterLocals(v Version) bound {
	v.local = nil
	if v.dev != 0 {
		v.dev++
	} else {
		v.post++
		v.dev = 1
	}
	return before(v)
}

// afterPosts returns the bound after v, its local versions and its post-releases.
func afterPosts(v Version) bound {
	switch {
	case v.dev != 0 || v.post != 0:
		return afterLocals(v)
	case v.pre != final:
		v.preN++
		return beforeAll(v)
	}
	v.local = nil
	v.post = ^uint64(0) // more than any that can be parsed
	return before(v)
}

// bottom is the bound before the lowest version, 0.dev0; top is the one after all versions.
var (
	bottom = bound{v: Version{dev: 1}}
	top    = bound{top: true}
)

// interval is the versions from low up to high; low is less than high.
type interval struct{ low, high bound }

// set is a list of disjoint intervals in order, with gaps between them.
type set []interval

var everything = set{{bottom, top}}

func between(low, high bound) set {
	if low.compare(high) >= 0 {
		return nil
	}
	return set{{low, high}}
}

func (s set) intersect(t set) set {
	var out set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		low, high := s[i].low, s[i].high
		if t[j].low.compare(low) > 0 {
			low = t[j].low
		}
		if t[j].high.compare(high) < 0 {
			high = t[j].high
			j++
		} else {
			i++
		}
		out = append(out, between(low, high)...)
	}
	return out
}

func (s set) complement() set {
	var out set
	low := bottom
	for _, v := range s {
		out = append(out, between(low, v.low)...)
		low = v.high
	}
	return append(out, between(low, top)...)
}

func (s set) union(t set) set {
	all := append(slices.Clone(s), t...)
	plain.SortFunc(all, func(a, b interval) int { return a.low.compare(b.low) })
	var out set
	for _, v := range all {
		if n := len(out); n > 0 && v.low.compare(out[n-1].high) <= 0 {
			if v.high.compare(out[n-1].high) > 0 {
				out[n-1].high = v.high
			}
			continue
		}
		out = append(out, v)
	}
	return out
}

func (s set) contains(v Version) bool {
	for _, i := range s {
		if i.low.compare(before(v)) <= 0 && before(v).compare(i.high) < 0 {
			return true
		}
	}
	return false
}
